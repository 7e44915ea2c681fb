//! Moves and their USI text.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::color::Color;
use crate::piece::{Piece, PieceKind};
use crate::promotion::worthwhile_ranks;
use crate::square::Square;
use crate::text::padded;

/// A move in one position: origin or drop, target, moving piece, captured kind and promotion.
///
/// ```
/// use tsumero_core::{PieceKind, Position};
/// let mut position = Position::startpos();
/// position.play_unchecked(position.parse_move("7g7f").unwrap());
/// position.play_unchecked(position.parse_move("3c3d").unwrap());
/// let mv = position.parse_move("8h2b+").unwrap();
/// assert!(mv.promotes() && mv.captured() == Some(PieceKind::Bishop));
/// assert_eq!(mv.piece_after().kind(), PieceKind::Horse);
/// ```
///
/// It is packed in one word, and contains all that is needed to undo it and to order it.
/// `Option<Move>` is as large as `Move`. A `Move` is only meaningful in the position it was
/// generated for. [`Position::validate`](crate::Position::validate) turns a [`UsiMove`] into one.
///
/// ```text
/// bits 0..=7  8..=15         16..=19          20     21        22..=25
///      to     from, 0: drop  kind that moves  color  promotes  captured kind, 0: none
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU32);

const _: () = assert!(size_of::<Option<Move>>() == 4);

/// The bits of the target, and of the origin once it is shifted down.
const SQUARE_BITS: u32 = 0xff;
/// Number of the lowest bit of the origin.
pub(crate) const FROM_SHIFT: u32 = 8;
/// Number of the lowest bit of the piece, which is the lowest bit of its kind.
pub(crate) const PIECE_SHIFT: u32 = 16;
/// The bits of a piece, its kind and color, once they are shifted down.
const PIECE_BITS: u32 = 0x1f;
/// Number of the bit of the color.
const COLOR_SHIFT: u32 = 20;
/// The bit of promotion.
const PROMOTES: u32 = 1 << 21;
/// Number of the lowest bit of the captured kind.
pub(crate) const CAPTURED_SHIFT: u32 = 22;
/// The bits of the captured kind once they are shifted down, and of a kind in a cell.
const KIND_BITS: u32 = 0xf;

/// A move without its target and capture: which piece moves from where, or which piece is dropped.
#[derive(Clone, Copy)]
pub(crate) struct Departure(u32);

impl Departure {
    /// A piece leaves a square and stays as it is.
    #[inline(always)]
    pub(crate) fn board(from: Square, piece: Piece) -> Departure {
        Departure((from.index() as u32) << FROM_SHIFT | (piece.index() as u32) << PIECE_SHIFT)
    }

    /// The piece of a cell leaves its square and stays as it is.
    #[allow(dead_code, reason = "one of the list's writers uses it")]
    #[inline(always)]
    pub(crate) fn of_cell(from: Square, cell: u8) -> Departure {
        Departure((from.index() as u32) << FROM_SHIFT | u32::from(cell) << PIECE_SHIFT)
    }

    /// A piece leaves the hand.
    #[inline(always)]
    pub(crate) fn hand(piece: Piece) -> Departure {
        Departure((piece.index() as u32) << PIECE_SHIFT)
    }

    /// The same move with promotion.
    #[inline(always)]
    pub(crate) fn promoting(self) -> Departure {
        Departure(self.0 | PROMOTES)
    }

    /// The move to a square. `cell` is the byte of the target's cell.
    #[inline(always)]
    pub(crate) fn to(self, to: Square, cell: u8) -> Move {
        Move::from_bits(
            self.0 | to.index() as u32 | (u32::from(cell) & KIND_BITS) << CAPTURED_SHIFT,
        )
    }

    /// The bits of the move without target and capture, which are 0.
    #[allow(dead_code, reason = "one of the list's writers uses it")]
    #[inline(always)]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }
}

impl Move {
    /// A move on the board. `piece` is the piece before promotion, `captured` what stands on `to`.
    #[inline]
    pub(crate) fn board(
        from: Square,
        to: Square,
        piece: Piece,
        captured: Option<PieceKind>,
        promotes: bool,
    ) -> Move {
        let departure = Departure::board(from, piece);
        let departure = if promotes { departure.promoting() } else { departure };
        departure.to(to, captured.map_or(0, |kind| kind as u8))
    }

    /// A drop of a piece from hand.
    #[inline]
    pub(crate) fn drop(piece: Piece, to: Square) -> Move {
        Departure::hand(piece).to(to, 0)
    }

    #[inline]
    fn from_bits(bits: u32) -> Move {
        debug_assert!(bits & SQUARE_BITS != 0);
        // SAFETY: the low byte is the target's index, which is never 0.
        Move(unsafe { NonZeroU32::new_unchecked(bits) })
    }

    /// The square the piece comes from; `None` for a drop.
    #[inline]
    pub fn from(self) -> Option<Square> {
        match (self.0.get() >> FROM_SHIFT & SQUARE_BITS) as usize {
            0 => None,
            // SAFETY: `Move::board` packed the index of a square, `Move::drop` left 0.
            index => Some(unsafe { Square::from_index_unchecked(index) }),
        }
    }

    /// The square the piece goes to.
    #[inline]
    pub fn to(self) -> Square {
        // SAFETY: both constructors packed the index of a square.
        unsafe { Square::from_index_unchecked((self.0.get() & SQUARE_BITS) as usize) }
    }

    /// The piece that moves or is dropped, as it is before the move.
    #[inline]
    pub fn piece(self) -> Piece {
        // SAFETY: both constructors packed the index of a piece.
        unsafe { Piece::from_index_unchecked((self.0.get() >> PIECE_SHIFT & PIECE_BITS) as usize) }
    }

    /// The kind that moves or is dropped, as it is before the move.
    #[inline]
    pub fn kind(self) -> PieceKind {
        self.piece().kind()
    }

    /// The player who moves.
    #[inline]
    pub fn color(self) -> Color {
        self.piece().color()
    }

    /// The piece as it stands on the target after the move.
    #[inline]
    pub fn piece_after(self) -> Piece {
        /// The bits of the piece and of promotion once they are shifted down.
        const INDEX_BITS: u32 = PIECE_BITS | PROMOTES >> PIECE_SHIFT;
        /// Indexed by these bits. Entries that no move uses hold the piece itself.
        const ARRIVING: [Piece; INDEX_BITS as usize + 1] = {
            let mut table = [Piece::new(Color::Black, PieceKind::Pawn); INDEX_BITS as usize + 1];
            let mut bits = 0;
            while bits <= INDEX_BITS {
                if let Some(piece) = Piece::from_cell((bits & PIECE_BITS) as u8) {
                    let promotes = bits << PIECE_SHIFT & PROMOTES != 0;
                    table[bits as usize] = match piece.kind().promoted() {
                        Some(kind) if promotes => Piece::new(piece.color(), kind),
                        _ => piece,
                    };
                }
                bits += 1;
            }
            table
        };
        ARRIVING[(self.0.get() >> PIECE_SHIFT & INDEX_BITS) as usize]
    }

    /// The kind captured, as it stood on the board.
    #[inline]
    pub fn captured(self) -> Option<PieceKind> {
        PieceKind::from_index((self.0.get() >> CAPTURED_SHIFT & KIND_BITS) as usize)
    }

    /// The piece captured.
    #[inline]
    pub(crate) fn captured_piece(self) -> Option<Piece> {
        /// Number of the lowest bit of the captured kind in an index.
        const KIND_SHIFT: u32 = CAPTURED_SHIFT - COLOR_SHIFT;
        /// The bits of color, promotion and captured kind once they are shifted down.
        const INDEX_BITS: u32 = KIND_BITS << KIND_SHIFT | PROMOTES >> COLOR_SHIFT | 1;
        /// Indexed by these bits.
        const CAPTURED: [Option<Piece>; INDEX_BITS as usize + 1] = {
            let mut table = [None; INDEX_BITS as usize + 1];
            let mut bits = 0;
            while bits < table.len() {
                let owner = if bits & 1 == 0 { Color::White } else { Color::Black };
                if let Some(kind) = PieceKind::from_index(bits >> KIND_SHIFT) {
                    table[bits] = Some(Piece::new(owner, kind));
                }
                bits += 1;
            }
            table
        };
        CAPTURED[(self.0.get() >> COLOR_SHIFT & INDEX_BITS) as usize]
    }

    /// Whether the move captures.
    #[inline]
    pub fn is_capture(self) -> bool {
        self.0.get() >> CAPTURED_SHIFT & KIND_BITS != 0
    }

    /// Whether the piece promotes.
    #[inline]
    pub fn promotes(self) -> bool {
        self.0.get() & PROMOTES != 0
    }

    /// Whether this is a drop.
    #[inline]
    pub fn is_drop(self) -> bool {
        self.0.get() >> FROM_SHIFT & SQUARE_BITS == 0
    }

    /// Whether this is an idle non-promotion (不成): a pawn, bishop or rook that could promote and
    /// does not, or a lance that does not promote on its second-last rank. Such a move is legal. It
    /// is better than the promotion only where pawn-drop mate (打ち歩詰め) must be avoided.
    pub fn is_idle_non_promotion(self) -> bool {
        let Some(from) = self.from() else { return false };
        let (us, to) = (self.color(), self.to());
        if self.promotes() || !(from.in_promotion_zone(us) || to.in_promotion_zone(us)) {
            return false;
        }
        self.kind().can_promote() && !worthwhile_ranks(self.piece()).contains(to)
    }

    /// Whether this is a try: the king's move to the enemy king's first square (5a for Black, 5i for
    /// White). It wins under [`EnteringKingRule::TryRule`](crate::EnteringKingRule::TryRule).
    pub fn is_try(self) -> bool {
        let to = self.to().relative_to(self.color());
        self.kind() == PieceKind::King && (to.file().number(), to.rank().number()) == (5, 1)
    }

    /// The move as USI writes it, without piece and capture.
    #[inline]
    pub fn to_usi(self) -> UsiMove {
        match self.from() {
            Some(from) => UsiMove::Board { from, to: self.to(), promotes: self.promotes() },
            None => UsiMove::Drop { kind: self.kind(), to: self.to() },
        }
    }
}

/// The USI form: `7g7f`, `7g7f+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_usi().fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move as USI writes it. It may be illegal: [`Position::validate`](crate::Position::validate)
/// checks it.
///
/// ```
/// use tsumero_core::{Position, UsiMove};
/// let mv: UsiMove = "P*5e".parse().unwrap();
/// assert_eq!(UsiMove::unpack(mv.pack()), Some(mv));
/// assert!(Position::startpos().validate(mv).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UsiMove {
    /// A piece moves on the board: `7g7f`, `7g7f+`.
    Board {
        /// Origin.
        from: Square,
        /// Target.
        to: Square,
        /// Whether a `+` is written.
        promotes: bool,
    },
    /// A piece is dropped: `P*5e`.
    Drop {
        /// Kind dropped, one of [`PieceKind::HAND`].
        kind: PieceKind,
        /// Target.
        to: Square,
    },
}

/// The bits of the target in a packed move.
const PACKED_TARGET: u16 = 0x7f;
/// Number of the lowest bit of the origin in a packed move.
const PACKED_ORIGIN_SHIFT: u32 = 7;
/// The bits of the origin once they are shifted down.
const PACKED_ORIGIN: u16 = 0xff;
/// The bit of promotion in a packed move.
const PACKED_PROMOTES: u16 = 1 << 15;
/// Packed origins below this one are kinds in hand, the others squares.
const FIRST_SQUARE: u16 = 8;
/// Packed origins from here on stand for no square and for no kind in hand.
const NO_ORIGIN: u16 = 1 << 7;

impl UsiMove {
    /// The move in sixteen bits, never 0, for tables that store many moves. No two moves have the
    /// same number. A drop of a kind that is never in hand has one that [`UsiMove::unpack`] refuses.
    pub fn pack(self) -> u16 {
        match self {
            UsiMove::Board { from, to, promotes } => {
                let promotes = if promotes { PACKED_PROMOTES } else { 0 };
                let origin = from.dense_index() as u16 + FIRST_SQUARE;
                promotes | origin << PACKED_ORIGIN_SHIFT | to.dense_index() as u16
            }
            UsiMove::Drop { kind, to } => {
                let origin = match kind as u16 {
                    kind @ 1..FIRST_SQUARE => kind,
                    kind => kind | NO_ORIGIN,
                };
                origin << PACKED_ORIGIN_SHIFT | to.dense_index() as u16
            }
        }
    }

    /// The move that [`UsiMove::pack`] packed; `None` for a value that it never makes.
    pub fn unpack(packed: u16) -> Option<UsiMove> {
        let to = Square::from_dense_index(usize::from(packed & PACKED_TARGET))?;
        let origin = packed >> PACKED_ORIGIN_SHIFT & PACKED_ORIGIN;
        let promotes = packed & PACKED_PROMOTES != 0;
        match origin {
            1..FIRST_SQUARE if !promotes => {
                PieceKind::from_index(usize::from(origin)).map(|kind| UsiMove::Drop { kind, to })
            }
            FIRST_SQUARE.. => Square::from_dense_index(usize::from(origin - FIRST_SQUARE))
                .map(|from| UsiMove::Board { from, to, promotes }),
            _ => None,
        }
    }
}

impl From<Move> for UsiMove {
    fn from(mv: Move) -> UsiMove {
        mv.to_usi()
    }
}

impl fmt::Display for UsiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            UsiMove::Board { from, to, promotes } => {
                padded(f, format_args!("{from}{to}{}", if promotes { "+" } else { "" }))
            }
            UsiMove::Drop { kind, to } => padded(f, format_args!("{}*{to}", kind.letter())),
        }
    }
}

/// The text is not a move in USI notation.
///
/// ```
/// use tsumero_core::{ParseMoveError, UsiMove};
/// assert_eq!("7g7j".parse::<UsiMove>(), Err(ParseMoveError::OffTheBoard));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// A coordinate is outside 1 to 9 or a to i.
    #[error("off the board")]
    OffTheBoard,
    /// Neither `7g7f`, `7g7f+` nor `P*7f`.
    #[error("not a move in USI notation")]
    Malformed,
}

impl FromStr for UsiMove {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<UsiMove, ParseMoveError> {
        let square = |file: u8, rank: u8| {
            if !file.is_ascii_digit() || !rank.is_ascii_lowercase() {
                return Err(ParseMoveError::Malformed);
            }
            let text = [file, rank];
            std::str::from_utf8(&text)
                .ok()
                .and_then(|text| text.parse().ok())
                .ok_or(ParseMoveError::OffTheBoard)
        };
        match *text.as_bytes() {
            [letter, b'*', file, rank] => {
                let kind = PieceKind::from_letter(char::from(letter))
                    .filter(|kind| *kind != PieceKind::King)
                    .ok_or(ParseMoveError::Malformed)?;
                Ok(UsiMove::Drop { kind, to: square(file, rank)? })
            }
            [f1, r1, f2, r2] => {
                Ok(UsiMove::Board { from: square(f1, r1)?, to: square(f2, r2)?, promotes: false })
            }
            [f1, r1, f2, r2, b'+'] => {
                Ok(UsiMove::Board { from: square(f1, r1)?, to: square(f2, r2)?, promotes: true })
            }
            _ => Err(ParseMoveError::Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usi_text_is_read_back() {
        let mut packed = std::collections::HashSet::new();
        for to in Square::all() {
            for kind in PieceKind::HAND {
                let drop = UsiMove::Drop { kind, to };
                assert_eq!(drop.to_string().parse(), Ok(drop));
                assert_eq!(UsiMove::unpack(drop.pack()), Some(drop));
                assert!(packed.insert(drop.pack()));
            }
            for from in Square::all() {
                for promotes in [false, true] {
                    let board = UsiMove::Board { from, to, promotes };
                    assert_eq!(board.to_string().parse(), Ok(board));
                    assert_eq!(UsiMove::unpack(board.pack()), Some(board));
                    assert!(packed.insert(board.pack()));
                }
            }
        }
        assert!(!packed.contains(&0));
        assert_eq!((0..=u16::MAX).filter_map(UsiMove::unpack).count(), packed.len());
        // What cannot be dropped has numbers of its own, which stand for no move.
        for kind in PieceKind::ALL {
            for to in Square::all().filter(|_| !PieceKind::HAND.contains(&kind)) {
                let drop = UsiMove::Drop { kind, to };
                assert!(packed.insert(drop.pack()), "{drop:?}");
                assert_eq!(UsiMove::unpack(drop.pack()), None);
            }
        }
    }

    #[test]
    fn text_that_is_no_move_is_refused_with_its_reason() {
        for text in ["", "7g", "7g7f-", "K*5e", "p*5e", "+P*5e", "resign", "７g7f", "7G7F"] {
            assert_eq!(text.parse::<UsiMove>(), Err(ParseMoveError::Malformed), "{text}");
        }
        for text in ["7g7j", "0a1a", "P*0e", "9i9j+"] {
            assert_eq!(text.parse::<UsiMove>(), Err(ParseMoveError::OffTheBoard), "{text}");
        }
    }
}

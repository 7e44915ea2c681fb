//! Kinds of pieces (駒), and pieces with their color.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use crate::color::Color;
use crate::text::padded;

/// A kind of piece, promoted kinds included.
///
/// ```
/// use tsumero_core::PieceKind;
/// assert_eq!(PieceKind::Rook.promoted(), Some(PieceKind::Dragon));
/// assert_eq!(PieceKind::Gold.promoted(), None);
/// assert_eq!("+R".parse(), Ok(PieceKind::Dragon));
/// ```
///
/// The number of a promoted kind is that of its unpromoted kind plus eight. Gold and king have no
/// promoted kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// 歩
    Pawn = 1,
    /// 香
    Lance = 2,
    /// 桂
    Knight = 3,
    /// 銀
    Silver = 4,
    /// 金
    Gold = 5,
    /// 角
    Bishop = 6,
    /// 飛
    Rook = 7,
    /// 玉
    King = 8,
    /// と, a promoted pawn
    Tokin = 9,
    /// 成香
    PromotedLance = 10,
    /// 成桂
    PromotedKnight = 11,
    /// 成銀
    PromotedSilver = 12,
    /// 馬, a promoted bishop
    Horse = 14,
    /// 龍, a promoted rook
    Dragon = 15,
}

impl PieceKind {
    /// All fourteen kinds.
    pub const ALL: [PieceKind; 14] = [
        PieceKind::Pawn,
        PieceKind::Lance,
        PieceKind::Knight,
        PieceKind::Silver,
        PieceKind::Gold,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::King,
        PieceKind::Tokin,
        PieceKind::PromotedLance,
        PieceKind::PromotedKnight,
        PieceKind::PromotedSilver,
        PieceKind::Horse,
        PieceKind::Dragon,
    ];

    /// The seven kinds that can be held in hand, from the pawn to the rook.
    pub const HAND: [PieceKind; 7] = [
        PieceKind::Pawn,
        PieceKind::Lance,
        PieceKind::Knight,
        PieceKind::Silver,
        PieceKind::Gold,
        PieceKind::Bishop,
        PieceKind::Rook,
    ];

    /// The kind's number: 1 to 8 unpromoted, 9 to 15 promoted (13 is unused).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with the given number; `None` for 0, 13 and all above 15.
    #[inline]
    pub const fn from_index(index: usize) -> Option<PieceKind> {
        const BY_INDEX: [Option<PieceKind>; 16] = {
            let mut kinds = [None; 16];
            let mut number = 0;
            while number < PieceKind::ALL.len() {
                kinds[PieceKind::ALL[number] as usize] = Some(PieceKind::ALL[number]);
                number += 1;
            }
            kinds
        };
        if index < BY_INDEX.len() { BY_INDEX[index] } else { None }
    }

    /// What the kind becomes by promotion, if it can promote.
    #[inline]
    pub const fn promoted(self) -> Option<PieceKind> {
        if self.is_promoted() { None } else { PieceKind::from_index(self as usize + 8) }
    }

    /// Whether the kind can promote.
    #[inline]
    pub const fn can_promote(self) -> bool {
        !self.is_promoted() && !matches!(self, PieceKind::Gold | PieceKind::King)
    }

    /// The kind as it goes to hand when captured: promotion is lost.
    #[inline]
    pub const fn unpromoted(self) -> PieceKind {
        const UNPROMOTED: [PieceKind; 16] = {
            let mut table = [PieceKind::Pawn; 16];
            let mut number = 0;
            while number < PieceKind::ALL.len() {
                let kind = PieceKind::ALL[number];
                table[kind as usize] = match PieceKind::from_index((kind as usize).wrapping_sub(8))
                {
                    Some(unpromoted) if kind.is_promoted() => unpromoted,
                    _ => kind,
                };
                number += 1;
            }
            table
        };
        UNPROMOTED[self as usize]
    }

    /// Whether this is a promoted kind.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 > PieceKind::King as u8
    }

    /// The number of far ranks on which the unpromoted kind has no move (行き所のない駒): 1 for pawn and
    /// lance, 2 for the knight, 0 for all others.
    #[inline]
    pub const fn dead_ranks(self) -> usize {
        match self {
            PieceKind::Pawn | PieceKind::Lance => 1,
            PieceKind::Knight => 2,
            _ => 0,
        }
    }

    /// The SFEN letter of the unpromoted kind, upper case.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            PieceKind::Pawn => 'P',
            PieceKind::Lance => 'L',
            PieceKind::Knight => 'N',
            PieceKind::Silver => 'S',
            PieceKind::Gold => 'G',
            PieceKind::Bishop => 'B',
            PieceKind::Rook => 'R',
            _ => 'K',
        }
    }

    /// The unpromoted kind with the given SFEN letter, upper case.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        match letter {
            'P' => Some(PieceKind::Pawn),
            'L' => Some(PieceKind::Lance),
            'N' => Some(PieceKind::Knight),
            'S' => Some(PieceKind::Silver),
            'G' => Some(PieceKind::Gold),
            'B' => Some(PieceKind::Bishop),
            'R' => Some(PieceKind::Rook),
            'K' => Some(PieceKind::King),
            _ => None,
        }
    }
}

/// A piece: a kind with its color.
///
/// ```
/// use tsumero_core::{Color, Piece, PieceKind};
/// let piece = Piece::new(Color::White, PieceKind::Tokin);
/// assert_eq!(piece.to_string(), "+p");
/// assert_eq!("+p".parse(), Ok(piece));
/// ```
///
/// `Option<Piece>` takes one byte, the same byte that a cell of the board holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(NonZeroU8);

const _: () = assert!(size_of::<Option<Piece>>() == 1);

/// The bit that tells a white piece from a black one.
pub(crate) const WHITE_BIT: u8 = 16;

impl Piece {
    /// Number of values [`Piece::index`] can take, unused ones included.
    pub const COUNT: usize = 32;

    /// The piece of the given color and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        match NonZeroU8::new(kind as u8 | (color as u8 * WHITE_BIT)) {
            Some(byte) => Piece(byte),
            None => unreachable!(),
        }
    }

    /// The piece that a cell of [`Position::cells`](crate::Position::cells) holds; `None` for an
    /// empty cell or the margin.
    #[inline]
    pub const fn from_cell(cell: u8) -> Option<Piece> {
        match (NonZeroU8::new(cell), PieceKind::from_index(cell as usize & 15)) {
            (Some(byte), Some(_)) if cell < 2 * WHITE_BIT => Some(Piece(byte)),
            _ => None,
        }
    }

    /// The piece on a real square whose cell holds the given byte.
    ///
    /// # Safety
    ///
    /// The byte must be 0 or the index of a piece.
    #[inline]
    pub(crate) const unsafe fn from_cell_unchecked(cell: u8) -> Option<Piece> {
        debug_assert!(cell == 0 || Piece::from_cell(cell).is_some());
        match NonZeroU8::new(cell) {
            Some(byte) => Some(Piece(byte)),
            None => None,
        }
    }

    /// The piece with the given [`Piece::index`].
    ///
    /// # Safety
    ///
    /// The index must come from a piece.
    #[inline]
    pub(crate) const unsafe fn from_index_unchecked(index: usize) -> Piece {
        debug_assert!(Piece::from_cell(index as u8).is_some());
        // SAFETY: no piece has index 0.
        Piece(unsafe { NonZeroU8::new_unchecked(index as u8) })
    }

    /// The owner.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & WHITE_BIT == 0 { Color::Black } else { Color::White }
    }

    /// The kind.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: every piece is built from a kind, and its low four bits are that kind's number.
        // The enum is `repr(u8)`.
        unsafe { std::mem::transmute::<u8, PieceKind>(self.0.get() & 15) }
    }

    /// Index into tables over pieces, below [`Piece::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        let index = self.0.get() as usize;
        // SAFETY: the byte consists of a color bit and four bits of the kind. The hint spares
        // bounds checks.
        unsafe { std::hint::assert_unchecked(index < Piece::COUNT) };
        index
    }
}

/// The text names no piece or kind.
///
/// ```
/// use tsumero_core::{ParsePieceError, Piece};
/// assert_eq!("+G".parse::<Piece>(), Err(ParsePieceError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a piece")]
pub struct ParsePieceError;

/// The SFEN form of a black piece: `P`, `+P`.
impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Piece::new(Color::Black, *self).fmt(f)
    }
}

/// Reads `P`, `+P`.
impl FromStr for PieceKind {
    type Err = ParsePieceError;

    fn from_str(text: &str) -> Result<PieceKind, ParsePieceError> {
        let piece: Piece = text.parse()?;
        if piece.color() == Color::Black { Ok(piece.kind()) } else { Err(ParsePieceError) }
    }
}

/// Reads the SFEN form: `P`, `+p`.
impl FromStr for Piece {
    type Err = ParsePieceError;

    fn from_str(text: &str) -> Result<Piece, ParsePieceError> {
        let (promoted, letter) = match *text.as_bytes() {
            [letter] => (false, letter),
            [b'+', letter] => (true, letter),
            _ => return Err(ParsePieceError),
        };
        let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
        let kind = PieceKind::from_letter(char::from(letter.to_ascii_uppercase()));
        let kind = kind.and_then(|kind| if promoted { kind.promoted() } else { Some(kind) });
        kind.map(|kind| Piece::new(color, kind)).ok_or(ParsePieceError)
    }
}

/// The SFEN form: `P`, `+p`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.color() {
            Color::Black => self.kind().letter(),
            Color::White => self.kind().letter().to_ascii_lowercase(),
        };
        if self.kind().is_promoted() { padded(f, format_args!("+{letter}")) } else { letter.fmt(f) }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotion_and_its_loss_are_inverse() {
        for kind in PieceKind::ALL {
            assert_eq!(PieceKind::from_index(kind.index()), Some(kind));
            assert_eq!(kind.can_promote(), kind.promoted().is_some());
            match kind.promoted() {
                Some(promoted) => {
                    assert!(promoted.is_promoted() && !kind.is_promoted());
                    assert_eq!(promoted.unpromoted(), kind);
                    assert_eq!(promoted.promoted(), None);
                }
                None => {
                    assert!(kind.is_promoted() || matches!(kind, PieceKind::Gold | PieceKind::King))
                }
            }
            assert_eq!(PieceKind::from_letter(kind.letter()), Some(kind.unpromoted()));
        }
        for index in [0, 13, 16, 17, 256, usize::MAX] {
            assert_eq!(PieceKind::from_index(index), None);
        }
    }

    #[test]
    fn text_that_names_no_piece_is_refused() {
        for text in ["", "+", "+G", "+k", "x", "PP", "+P+", "歩", " P"] {
            assert_eq!(text.parse::<Piece>(), Err(ParsePieceError), "{text}");
        }
        assert_eq!("p".parse::<PieceKind>(), Err(ParsePieceError));
    }

    #[test]
    fn a_cell_holds_a_piece_or_nothing() {
        let pieces: Vec<Piece> = (0..=255).filter_map(Piece::from_cell).collect();
        assert_eq!(pieces.len(), 28);
        for piece in pieces {
            assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
            assert_eq!(piece.to_string().parse(), Ok(piece));
            assert_eq!(piece.kind().to_string().parse(), Ok(piece.kind()));
            assert_eq!(Piece::from_cell(piece.index() as u8), Some(piece));
            // SAFETY: the index comes from a piece.
            assert_eq!(unsafe { Piece::from_index_unchecked(piece.index()) }, piece);
        }
    }
}

//! SFEN: positions as text.

use thiserror::Error;

use super::Position;
use crate::color::{ByColor, Color};
use crate::hand::Hand;
use crate::piece::{Piece, PieceKind};
use crate::placement::board::Class;
use crate::promotion::drop_ranks;
use crate::square::{File, Rank, Square};
use crate::square_set::SquareSet;
use crate::zobrist;

/// The SFEN of the even game's first position.
const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Where pieces may stand in a position that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Where the rules allow it.
    Lawful,
    /// Also as a second pawn on a file, or where they could never move.
    Anywhere,
}

/// Why a text is not the SFEN of a playable position, or why a [`Setup`](crate::Setup) is not a
/// playable position.
///
/// ```
/// use tsumero_core::{Position, SfenError};
/// let error = Position::from_sfen("9/9/9/9/9/9/9/9 b - 1").unwrap_err();
/// assert_eq!(error, SfenError::RankCount(8));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SfenError {
    /// A field is missing: the board, the side to move or the hands.
    #[error("SFEN ends before the {0}")]
    Missing(&'static str),
    /// The board does not have nine ranks.
    #[error("board has {0} ranks instead of 9")]
    RankCount(usize),
    /// A rank does not fill nine squares.
    #[error("rank {0} does not fill 9 squares")]
    RankLength(Rank),
    /// A character in the board field that has no meaning.
    #[error("{0:?} is not a piece or a number of empty squares")]
    BoardCharacter(char),
    /// A `+` before something that cannot promote.
    #[error("'+' stands before a piece that cannot promote")]
    Promotion,
    /// The side to move is neither `b` nor `w`.
    #[error("side to move is neither b nor w")]
    SideToMove,
    /// The hands are not `-` or counted letters.
    #[error("hands are not '-' or pieces with their numbers")]
    Hands,
    /// The move number is not a positive number.
    #[error("move number is not a positive number")]
    MoveNumber,
    /// Something follows the move number.
    #[error("text follows the move number")]
    Trailing,
    /// A side has two kings.
    #[error("{0:?} has more than one king")]
    Kings(Color),
    /// More pieces of a kind than a set has.
    #[error("more than {limit} pieces of kind {letter}")]
    TooMany {
        /// SFEN letter of the kind.
        letter: char,
        /// How many a set has.
        limit: u32,
    },
    /// A pawn, lance or knight that could never move again (行き所のない駒).
    #[error("piece on {0} could never move")]
    DeadPiece(Square),
    /// Nifu (二歩): two unpromoted pawns of one color on a file.
    #[error("two pawns of {0:?} on file {1}")]
    TwoPawns(Color, File),
    /// The side that is not to move is in check.
    #[error("side to move could capture the king")]
    OpponentInCheck,
}

impl Position {
    /// The first position of the even game.
    pub fn startpos() -> Position {
        Position::from_sfen(STARTPOS).expect("the constant is a valid SFEN")
    }

    /// Reads a position: board, side to move, hands and, if present, the number of the next move
    /// (1 when absent). Hands may come in any order and either side may lack a king.
    ///
    /// # Errors
    ///
    /// The first fault found; see [`SfenError`].
    ///
    /// ```
    /// use tsumero_core::Position;
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p").unwrap();
    /// assert!(position.mate_in_one().is_some());
    /// ```
    pub fn from_sfen(sfen: &str) -> Result<Position, SfenError> {
        Position::read_sfen(sfen, Standing::Lawful)?.refuse_capturable_king()
    }

    /// Reads a position as [`Position::from_sfen`] does, but pieces may stand where the rules do
    /// not allow them: two pawns of a color on a file, and pieces that could never move. Diagrams
    /// that people set up by hand contain such pieces. [`Position::broken_rules`] names them.
    ///
    /// Every rule on moves holds as ever. So no pawn is dropped on a file with two pawns, and a
    /// piece that could never move stays until it is captured.
    ///
    /// # Errors
    ///
    /// The first fault found. It is neither [`SfenError::DeadPiece`] nor [`SfenError::TwoPawns`].
    ///
    /// ```
    /// use tsumero_core::Position;
    /// let sfen = "4k4/9/9/4P4/9/4P4/9/9/4K4 b P 1";
    /// assert!(Position::from_sfen(sfen).is_err());
    /// let position = Position::from_diagram(sfen).unwrap();
    /// assert_eq!(position.broken_rules()[0].to_string(), "two pawns of Black on file 5");
    /// assert!(position.parse_move("P*5h").is_err());
    /// ```
    pub fn from_diagram(sfen: &str) -> Result<Position, SfenError> {
        Position::read_sfen(sfen, Standing::Anywhere)?.refuse_capturable_king()
    }

    /// The rules that pieces break by standing where they stand, each named once: two pawns on a
    /// file, and pieces that could never move. There are none unless the position comes from
    /// [`Position::from_diagram`].
    pub fn broken_rules(&self) -> Vec<SfenError> {
        let mut broken = Vec::new();
        let mut crowded = ByColor::<SquareSet>::default();
        for (square, piece) in self.pieces() {
            let (color, file) = (piece.color(), SquareSet::file(square.file()));
            let pawns = self.board().of_class(color, Class::Pawn).intersection(file);
            if is_dead(square, piece) {
                broken.push(SfenError::DeadPiece(square));
            } else if pawns.contains(square) && pawns.len() > 1 && !crowded[color].contains(square)
            {
                broken.push(SfenError::TwoPawns(color, square.file()));
                crowded[color] = crowded[color].union(file);
            }
        }
        broken
    }

    /// The position, unless the side to move could capture the other king.
    pub(super) fn refuse_capturable_king(self) -> Result<Position, SfenError> {
        if self.is_attacked_king(!self.side_to_move) {
            return Err(SfenError::OpponentInCheck);
        }
        Ok(self)
    }

    /// Reads a position that may have one fault, [`SfenError::OpponentInCheck`]. The caller must
    /// check for it.
    pub(super) fn read_sfen(sfen: &str, standing: Standing) -> Result<Position, SfenError> {
        let mut fields = sfen.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or(SfenError::Missing(name));
        let mut position = Position::empty();
        position.read_board(field("board")?, standing)?;
        match field("side to move")? {
            "b" => {}
            "w" => {
                position.side_to_move = Color::White;
                position.board_key ^= zobrist::WHITE_TO_MOVE;
            }
            _ => return Err(SfenError::SideToMove),
        }
        position.read_hands(field("hands")?)?;
        if let Some(number) = fields.next() {
            if !number.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(SfenError::MoveNumber);
            }
            // Some programs count from 0. A number too large to count on from is clamped.
            position.first_ply = number.parse().unwrap_or(u32::MAX / 2).clamp(1, u32::MAX / 2);
        }
        if fields.next().is_some() {
            return Err(SfenError::Trailing);
        }
        position.check_counts()?;
        Ok(position)
    }

    fn read_board(&mut self, text: &str, standing: Standing) -> Result<(), SfenError> {
        let rows = text.split('/').count();
        if rows != 9 {
            return Err(SfenError::RankCount(rows));
        }
        for (rank, row) in Rank::all().zip(text.split('/')) {
            let mut files = File::all().rev();
            let mut characters = row.chars();
            while let Some(character) = characters.next() {
                if let Some(empty @ 1..=9) = character.to_digit(10) {
                    for _ in 0..empty {
                        files.next().ok_or(SfenError::RankLength(rank))?;
                    }
                    continue;
                }
                let (promoted, letter) = match character {
                    '+' => (true, characters.next().ok_or(SfenError::Promotion)?),
                    letter => (false, letter),
                };
                let piece = read_piece(letter, promoted)?;
                let file = files.next().ok_or(SfenError::RankLength(rank))?;
                self.place(Square::new(file, rank), piece, standing)?;
            }
            if files.next().is_some() {
                return Err(SfenError::RankLength(rank));
            }
        }
        Ok(())
    }

    /// Puts a piece on the board, if it may stand there.
    pub(super) fn place(
        &mut self,
        square: Square,
        piece: Piece,
        standing: Standing,
    ) -> Result<(), SfenError> {
        let (color, kind) = (piece.color(), piece.kind());
        let is_lawful = standing == Standing::Lawful;
        if is_lawful && is_dead(square, piece) {
            return Err(SfenError::DeadPiece(square));
        }
        if kind == PieceKind::King && self.king(color).is_some() {
            return Err(SfenError::Kings(color));
        }
        if is_lawful && kind == PieceKind::Pawn && self.board().has_pawn_on(color, square.file()) {
            return Err(SfenError::TwoPawns(color, square.file()));
        }
        self.placements.top_mut().put_piece(square, piece);
        self.board_key ^= zobrist::piece(piece, square);
        Ok(())
    }

    fn read_hands(&mut self, text: &str) -> Result<(), SfenError> {
        if text == "-" {
            return Ok(());
        }
        let mut number: Option<u32> = None;
        for character in text.chars() {
            if let Some(digit) = character.to_digit(10) {
                // Saturation keeps an excessive count above every limit, so it is refused later.
                number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
                continue;
            }
            let color = if character.is_ascii_uppercase() { Color::Black } else { Color::White };
            let kind = PieceKind::from_letter(character.to_ascii_uppercase())
                .filter(|kind| *kind != PieceKind::King)
                .ok_or(SfenError::Hands)?;
            let count = number.take().unwrap_or(1);
            if count == 0 {
                return Err(SfenError::Hands);
            }
            let limit = Hand::limit(kind);
            if count.saturating_add(self.hand(color).count(kind)) > limit {
                return Err(SfenError::TooMany { letter: kind.letter(), limit });
            }
            for _ in 0..count {
                self.add_to_hand(color, kind);
            }
        }
        if number.is_some() { Err(SfenError::Hands) } else { Ok(()) }
    }

    /// Refuses more pieces than a full set has, board and hands together.
    pub(super) fn check_counts(&self) -> Result<(), SfenError> {
        let mut on_board = [0; PieceKind::King.index() + 1];
        self.pieces().for_each(|(_, piece)| on_board[piece.kind().unpromoted().index()] += 1);
        for kind in PieceKind::HAND {
            let held: u32 = Color::ALL.iter().map(|&color| self.hand(color).count(kind)).sum();
            let limit = Hand::limit(kind);
            if on_board[kind.index()] + held > limit {
                return Err(SfenError::TooMany { letter: kind.letter(), limit });
            }
        }
        Ok(())
    }

    /// The SFEN of the position, hands from the rook to the pawn, Black's first.
    pub fn to_sfen(&self) -> String {
        let mut text = String::with_capacity(96);
        for rank in Rank::all() {
            if rank.index() > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for file in File::all().rev() {
                match self.piece_at(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_number(&mut text, empty);
                        empty = 0;
                        text.push_str(&piece.to_string());
                    }
                }
            }
            push_number(&mut text, empty);
        }
        text.push_str(match self.side_to_move {
            Color::Black => " b ",
            Color::White => " w ",
        });
        let hands = text.len();
        for color in Color::ALL {
            for kind in PieceKind::HAND.into_iter().rev() {
                let count = self.hand(color).count(kind);
                if count > 0 {
                    push_number(&mut text, if count > 1 { count } else { 0 });
                    text.push_str(&Piece::new(color, kind).to_string());
                }
            }
        }
        if text.len() == hands {
            text.push('-');
        }
        text.push(' ');
        text.push_str(&self.ply().to_string());
        text
    }
}

/// Whether a piece on this square could never move (行き所のない駒).
fn is_dead(square: Square, piece: Piece) -> bool {
    !drop_ranks(piece.color(), piece.kind()).contains(square)
}

/// Appends a number unless it is 0.
fn push_number(text: &mut String, number: u32) {
    if number > 0 {
        text.push_str(&number.to_string());
    }
}

fn read_piece(letter: char, promoted: bool) -> Result<Piece, SfenError> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    let unpromoted = PieceKind::from_letter(letter.to_ascii_uppercase());
    match (unpromoted, promoted) {
        (None, false) => Err(SfenError::BoardCharacter(letter)),
        (None, true) => Err(SfenError::Promotion),
        (Some(kind), false) => Ok(Piece::new(color, kind)),
        (Some(kind), true) => match kind.promoted() {
            Some(kind) => Ok(Piece::new(color, kind)),
            None => Err(SfenError::Promotion),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_error() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        let rank = |number: usize| Rank::all().nth(number - 1).unwrap();
        let file = |number: usize| File::all().nth(number - 1).unwrap();
        let too_many = |letter, limit| SfenError::TooMany { letter, limit };
        let cases = [
            ("", SfenError::Missing("board")),
            ("9/9/9/9/9/9/9/9/9", SfenError::Missing("side to move")),
            ("9/9/9/9/9/9/9/9/9 b", SfenError::Missing("hands")),
            ("9/9/9/9/9/9/9/9 b - 1", SfenError::RankCount(8)),
            ("9/9/9/9/9/9/9/9/9/9 b - 1", SfenError::RankCount(10)),
            ("9/9/8/9/9/9/9/9/9 b - 1", SfenError::RankLength(rank(3))),
            ("9/9/9/55/9/9/9/9/9 b - 1", SfenError::RankLength(rank(4))),
            ("9/9/9/9/9/9/9/9/9r b - 1", SfenError::RankLength(rank(9))),
            ("9/9/9/9/9/9//9/9 b - 1", SfenError::RankLength(rank(7))),
            ("9/9/9/9/0r8/9/9/9/9 b - 1", SfenError::BoardCharacter('0')),
            ("9/9/9/9/x8/9/9/9/9 b - 1", SfenError::BoardCharacter('x')),
            ("9/9/9/9/+g8/9/9/9/9 b - 1", SfenError::Promotion),
            ("9/9/9/9/+8/9/9/9/9 b - 1", SfenError::Promotion),
            ("9/9/9/9/8+/9/9/9/9 b - 1", SfenError::Promotion),
            ("9/9/9/9/9/9/9/9/9 B - 1", SfenError::SideToMove),
            ("9/9/9/9/9/9/9/9/9 b K 1", SfenError::Hands),
            ("9/9/9/9/9/9/9/9/9 b P2 1", SfenError::Hands),
            ("9/9/9/9/9/9/9/9/9 b 0P 1", SfenError::Hands),
            ("9/9/9/9/9/9/9/9/9 b P- 1", SfenError::Hands),
            ("9/9/9/9/9/9/9/9/9 b - -1", SfenError::MoveNumber),
            ("9/9/9/9/9/9/9/9/9 b - 1a", SfenError::MoveNumber),
            ("9/9/9/9/9/9/9/9/9 b - 1 1", SfenError::Trailing),
            ("k7k/9/9/9/9/9/9/9/9 b - 1", SfenError::Kings(Color::White)),
            ("9/9/9/9/9/9/9/9/9 b 3r 1", too_many('R', 2)),
            ("9/9/9/9/9/9/9/9/9 b 99999999999p 1", too_many('P', 18)),
            ("9/9/9/9/9/9/9/9/9 b 10P9p 1", too_many('P', 18)),
            ("+rr7/9/9/9/9/9/9/9/9 b R 1", too_many('R', 2)),
            ("ggg6/9/9/9/9/9/9/9/9 b Gg 1", too_many('G', 4)),
            ("4N4/9/9/9/9/9/9/9/9 b - 1", SfenError::DeadPiece(square("5a"))),
            ("9/4N4/9/9/9/9/9/9/9 b - 1", SfenError::DeadPiece(square("5b"))),
            ("9/9/9/9/9/9/9/9/8p b - 1", SfenError::DeadPiece(square("1i"))),
            ("9/2p6/9/2p6/9/9/9/9/9 b - 1", SfenError::TwoPawns(Color::White, file(7))),
            ("4k4/4G4/9/9/9/9/9/9/9 b - 1", SfenError::OpponentInCheck),
        ];
        for (sfen, expected) in cases {
            assert_eq!(Position::from_sfen(sfen).map(|_| ()), Err(expected), "{sfen}");
        }
    }

    #[test]
    fn what_is_allowed_is_read() {
        // A full set with the kinds at their limits, promoted or not, on the board and in hand.
        let full = "+r8/1+b7/9/4k4/9/4K4/9/9/9 w RB2G2S2N2L9P2g2s2n2l9p 1";
        for sfen in [STARTPOS, full, "9/9/9/9/9/9/9/9/9 b - 1", "4k4/4G4/9/9/9/9/9/9/9 w - 1"] {
            assert_eq!(Position::from_sfen(sfen).unwrap().to_sfen(), sfen);
        }
        // Two pawns on a file: of both colors, or one of them promoted.
        let read = |sfen: &str| Position::from_sfen(sfen).map(|position| position.to_sfen());
        for board in ["9/2p6/9/2P6/9/9/9/9/9", "9/2p6/9/2+p6/9/9/9/9/9"] {
            let sfen = format!("{board} b - 1");
            assert_eq!(read(&sfen), Ok(sfen.clone()));
        }
        // Hands in any order and in parts.
        let hands = |hands| read(&format!("9/9/9/9/9/9/9/9/9 b {hands} 1"));
        assert_eq!(hands("p2PRp"), hands("R2P2p"));
        assert!(hands("R2P2p").unwrap().contains(" R2P2p "));
    }

    #[test]
    fn move_numbers_are_clamped() {
        const LAST: u32 = u32::MAX / 2;
        let cases = [
            ("", 1),
            ("0", 1),
            ("1", 1),
            ("0300", 300),
            ("2147483647", LAST),
            ("2147483648", LAST),
            ("99999999999", LAST),
        ];
        for (number, expected) in cases {
            let position = Position::from_sfen(&format!("9/9/9/9/9/9/9/9/9 b - {number}")).unwrap();
            assert_eq!(position.ply(), expected, "{number}");
        }
    }
}

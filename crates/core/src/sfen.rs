//! SFEN: positions as text.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::color::Color;
use crate::hand::{Hand, counted_letters};
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::setup::{Setup, SetupError};
use crate::square::{File, Rank, Square};

/// Why a text is not the SFEN of a position that can be played.
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
    #[error("board has {0} rank{plural} instead of 9", plural = if *.0 == 1 { "" } else { "s" })]
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
    /// The move number is not written in digits.
    #[error("move number is not written in digits")]
    MoveNumber,
    /// Something follows the move number.
    #[error("text follows the move number")]
    Trailing,
    /// The text is an SFEN, but the position breaks a rule.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Position {
    /// Reads a position: board, side to move, hands and, if present, the number of the next move
    /// (1 when absent). Hands may come in any order and either side may lack a king. The number 0
    /// counts as 1, and one that is too large to count on from is clamped.
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
        Ok(Setup::from_sfen(sfen)?.build()?)
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
    /// The first fault found. It is neither [`SetupError::DeadPiece`] nor [`SetupError::TwoPawns`].
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
        Ok(Setup::from_sfen(sfen)?.build_diagram()?)
    }

    /// The rules that pieces break by standing where they stand: [`Setup::broken_rules`]. There are
    /// none unless the position comes from [`Position::from_diagram`].
    pub fn broken_rules(&self) -> Vec<SetupError> {
        Setup::from(self).broken_rules()
    }

    /// The SFEN of the position, hands from the rook to the pawn, Black's first.
    pub fn to_sfen(&self) -> String {
        Setup::from(self).to_sfen()
    }

    /// The SFEN without its last field: [`Setup::to_sfen_without_move_number`].
    pub fn to_sfen_without_move_number(&self) -> String {
        Setup::from(self).to_sfen_without_move_number()
    }
}

/// Reads an SFEN: [`Position::from_sfen`].
impl FromStr for Position {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Position, SfenError> {
        Position::from_sfen(text)
    }
}

/// The SFEN of the position.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_sfen())
    }
}

/// Reads an SFEN: [`Setup::from_sfen`].
impl FromStr for Setup {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Setup, SfenError> {
        Setup::from_sfen(text)
    }
}

/// The SFEN of the contents.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen())
    }
}

impl Setup {
    /// Reads the text of an SFEN, whether or not the position can be played: board, side to move,
    /// hands and, if present, the number of the next move.
    ///
    /// # Errors
    ///
    /// The first fault of the text, or [`SetupError::TooMany`] for a hand.
    ///
    /// ```
    /// use tsumero_core::{Setup, SetupError};
    /// // The side to move could capture the king.
    /// let setup = Setup::from_sfen("4k4/4G4/9/9/9/9/9/9/9 b - 1").unwrap();
    /// assert_eq!(setup.build(), Err(SetupError::OpponentInCheck));
    /// ```
    pub fn from_sfen(sfen: &str) -> Result<Setup, SfenError> {
        let mut fields = sfen.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or(SfenError::Missing(name));
        let mut setup = Setup::empty();
        setup.read_board(field("board")?)?;
        setup.set_side_to_move(match field("side to move")? {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(SfenError::SideToMove),
        });
        setup.read_hands(field("hands")?)?;
        if let Some(number) = fields.next() {
            if !number.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(SfenError::MoveNumber);
            }
            // A number too large for its type counts as the largest.
            setup.set_move_number(number.parse().unwrap_or(u32::MAX));
        }
        if fields.next().is_some() {
            return Err(SfenError::Trailing);
        }
        Ok(setup)
    }

    fn read_board(&mut self, text: &str) -> Result<(), SfenError> {
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
                self.put(Square::new(file, rank), piece);
            }
            if files.next().is_some() {
                return Err(SfenError::RankLength(rank));
            }
        }
        Ok(())
    }

    fn read_hands(&mut self, text: &str) -> Result<(), SfenError> {
        if text == "-" {
            return Ok(());
        }
        for counted in counted_letters(text) {
            let (letter, count) = counted.ok_or(SfenError::Hands)?;
            let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
            let kind = PieceKind::from_letter(letter.to_ascii_uppercase())
                .filter(|kind| *kind != PieceKind::King)
                .ok_or(SfenError::Hands)?;
            let (held, limit) = (self.hand(color), Hand::limit(kind));
            let count = held.count(kind).saturating_add(count);
            if count > limit {
                return Err(SetupError::TooMany { letter: kind.letter(), limit }.into());
            }
            self.set_hand(color, held.with_count(kind, count));
        }
        Ok(())
    }

    /// The SFEN of the position, hands from the rook to the pawn, Black's first.
    pub fn to_sfen(&self) -> String {
        format!("{} {}", self.to_sfen_without_move_number(), self.move_number())
    }

    /// The SFEN without its last field: a name for the position wherever it occurs.
    ///
    /// ```
    /// use tsumero_core::{Position, Setup};
    /// let setup = Setup::from(&Position::startpos());
    /// assert_eq!(setup.to_sfen(), format!("{} 1", setup.to_sfen_without_move_number()));
    /// ```
    pub fn to_sfen_without_move_number(&self) -> String {
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
        text.push_str(match self.side_to_move() {
            Color::Black => " b ",
            Color::White => " w ",
        });
        let [black, white] = Color::ALL.map(|color| self.hand(color));
        if black.is_empty() && white.is_empty() {
            text.push('-');
        }
        if !black.is_empty() {
            text.push_str(&black.to_string());
        }
        if !white.is_empty() {
            text.push_str(&white.to_string().to_ascii_lowercase());
        }
        text
    }
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
    fn one_rank_is_singular() {
        let text = [1, 8].map(|count| SfenError::RankCount(count).to_string());
        assert_eq!(text, ["board has 1 rank instead of 9", "board has 8 ranks instead of 9"]);
    }

    #[test]
    fn every_fault_has_its_error() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        let rank = |number: usize| Rank::all().nth(number - 1).unwrap();
        let file = |number: usize| File::all().nth(number - 1).unwrap();
        let too_many = |letter, limit| SetupError::TooMany { letter, limit };
        let faults_of_text = [
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
        ];
        let broken_rules = [
            ("k7k/9/9/9/9/9/9/9/9 b - 1", SetupError::Kings(Color::White)),
            ("9/9/9/9/9/9/9/9/9 b 3r 1", too_many('R', 2)),
            ("9/9/9/9/9/9/9/9/9 b 99999999999p 1", too_many('P', 18)),
            ("9/9/9/9/9/9/9/9/9 b 10P9p 1", too_many('P', 18)),
            ("+rr7/9/9/9/9/9/9/9/9 b R 1", too_many('R', 2)),
            ("ggg6/9/9/9/9/9/9/9/9 b Gg 1", too_many('G', 4)),
            ("4N4/9/9/9/9/9/9/9/9 b - 1", SetupError::DeadPiece(square("5a"))),
            ("9/4N4/9/9/9/9/9/9/9 b - 1", SetupError::DeadPiece(square("5b"))),
            ("9/9/9/9/9/9/9/9/8p b - 1", SetupError::DeadPiece(square("1i"))),
            ("9/2p6/9/2p6/9/9/9/9/9 b - 1", SetupError::TwoPawns(Color::White, file(7))),
            ("4k4/4G4/9/9/9/9/9/9/9 b - 1", SetupError::OpponentInCheck),
        ];
        let broken_rules = broken_rules.map(|(sfen, rule)| (sfen, SfenError::Setup(rule)));
        for (sfen, expected) in faults_of_text.into_iter().chain(broken_rules) {
            assert_eq!(Position::from_sfen(sfen).map(|_| ()), Err(expected), "{sfen}");
        }
    }

    #[test]
    fn what_is_allowed_is_read() {
        // A full set with the kinds at their limits, promoted or not, on the board and in hand.
        let full = "+r8/1+b7/9/4k4/9/4K4/9/9/9 w RB2G2S2N2L9P2g2s2n2l9p 1";
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        for sfen in [start, full, "9/9/9/9/9/9/9/9/9 b - 1", "4k4/4G4/9/9/9/9/9/9/9 w - 1"] {
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

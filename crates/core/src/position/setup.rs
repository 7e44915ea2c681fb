//! Setup: positions built piece by piece, and the handicaps (駒落ち).

use std::fmt;
use std::str::FromStr;

use super::sfen::Standing;
use super::{Position, SfenError};
use crate::color::{ByColor, Color};
use crate::hand::Hand;
use crate::piece::Piece;
use crate::square::Square;
use crate::zobrist;

/// The contents of a position, free to be changed: pieces anywhere, hands, side to move.
/// [`Setup::build`] checks at the end whether it can be played.
///
/// ```
/// use tsumero_core::{Color, Handicap, Piece, PieceKind, Setup};
/// // A handicap of two pieces, with a gold of White's given to Black besides.
/// let mut setup = Setup::from(Handicap::TwoPieces);
/// let gold = setup.remove("4a".parse().unwrap());
/// assert_eq!(gold, Some(Piece::new(Color::White, PieceKind::Gold)));
/// setup.add_to_hand(Color::Black, PieceKind::Gold).unwrap();
/// let position = setup.build().unwrap();
/// assert_eq!(position.to_string().split(' ').nth(2), Some("G"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    cells: [Option<Piece>; 81],
    hands: ByColor<Hand>,
    side_to_move: Color,
    move_number: u32,
}

impl Setup {
    /// An empty board, empty hands, Black to make move number 1.
    pub const fn empty() -> Setup {
        Setup {
            cells: [None; 81],
            hands: ByColor([Hand::EMPTY; 2]),
            side_to_move: Color::Black,
            move_number: 1,
        }
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.cells[square.dense_index()]
    }

    /// Puts a piece on a square, and returns the piece that it replaces.
    pub fn put(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        self.cells[square.dense_index()].replace(piece)
    }

    /// Removes the piece on a square and returns it.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        self.cells[square.dense_index()].take()
    }

    /// The pieces in a player's hand.
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// Sets a player's hand.
    pub fn set_hand(&mut self, color: Color, hand: Hand) -> &mut Setup {
        self.hands[color] = hand;
        self
    }

    /// Adds one piece to a player's hand.
    ///
    /// # Errors
    ///
    /// [`SfenError::TooMany`] if all pieces of the kind are in that hand already, or if the kind is
    /// never held.
    pub fn add_to_hand(&mut self, color: Color, kind: crate::PieceKind) -> Result<(), SfenError> {
        let (hand, limit) = (self.hands[color], Hand::limit(kind));
        if hand.count(kind) >= limit {
            return Err(SfenError::TooMany { letter: kind.letter(), limit });
        }
        self.hands[color] = hand.with(kind);
        Ok(())
    }

    /// The player whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Sets the player whose turn it is.
    pub fn set_side_to_move(&mut self, color: Color) -> &mut Setup {
        self.side_to_move = color;
        self
    }

    /// The number of the next move.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// Sets the number of the next move; 0 counts as 1.
    pub fn set_move_number(&mut self, number: u32) -> &mut Setup {
        self.move_number = number;
        self
    }

    /// Builds the position.
    ///
    /// # Errors
    ///
    /// The first rule that the setup breaks. It is one of the variants of [`SfenError`] that
    /// concern positions, not text.
    pub fn build(&self) -> Result<Position, SfenError> {
        let mut position = Position::empty();
        for square in Square::all() {
            if let Some(piece) = self.piece_at(square) {
                position.place(square, piece, Standing::Lawful)?;
            }
        }
        if self.side_to_move == Color::White {
            position.side_to_move = Color::White;
            position.board_key ^= zobrist::WHITE_TO_MOVE;
        }
        position.first_ply = self.move_number.clamp(1, u32::MAX / 2);
        for color in Color::ALL {
            for (kind, count) in self.hands[color].iter() {
                let limit = Hand::limit(kind);
                if count > limit {
                    return Err(SfenError::TooMany { letter: kind.letter(), limit });
                }
                (0..count).for_each(|_| position.add_to_hand(color, kind));
            }
        }
        position.check_counts()?;
        position.refuse_capturable_king()
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::empty()
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut setup = Setup::empty();
        for (square, piece) in position.pieces() {
            setup.put(square, piece);
        }
        setup.hands = ByColor(Color::ALL.map(|color| position.hand(color)));
        setup.side_to_move = position.side_to_move();
        setup.move_number = position.ply();
        setup
    }
}

/// A handicap (駒落ち): the pieces that White gives up. White then makes the first move.
///
/// ```
/// use tsumero_core::Handicap;
/// let handicap: Handicap = "四枚落ち".parse().unwrap();
/// assert_eq!(handicap, Handicap::FourPieces);
/// assert_eq!(handicap.position().squares_of(tsumero_core::Color::White).len(), 16);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Handicap {
    /// 平手: nothing; Black moves first.
    Even,
    /// 香落ち: the lance at White's left.
    Lance,
    /// 右香落ち: the lance at White's right.
    RightLance,
    /// 角落ち: the bishop.
    Bishop,
    /// 飛車落ち: the rook.
    Rook,
    /// 飛香落ち: the rook and the lance at White's left.
    RookAndLance,
    /// 二枚落ち: rook and bishop.
    TwoPieces,
    /// 四枚落ち: rook, bishop and both lances.
    FourPieces,
    /// 六枚落ち: rook, bishop, lances and knights.
    SixPieces,
    /// 八枚落ち: rook, bishop, lances, knights and silvers.
    EightPieces,
    /// 十枚落ち: all but the king and the pawns.
    TenPieces,
}

impl Handicap {
    /// All handicaps, from none to the largest.
    pub const ALL: [Handicap; 11] = [
        Handicap::Even,
        Handicap::Lance,
        Handicap::RightLance,
        Handicap::Bishop,
        Handicap::Rook,
        Handicap::RookAndLance,
        Handicap::TwoPieces,
        Handicap::FourPieces,
        Handicap::SixPieces,
        Handicap::EightPieces,
        Handicap::TenPieces,
    ];

    /// The Japanese name, as in game records.
    pub const fn name(self) -> &'static str {
        match self {
            Handicap::Even => "平手",
            Handicap::Lance => "香落ち",
            Handicap::RightLance => "右香落ち",
            Handicap::Bishop => "角落ち",
            Handicap::Rook => "飛車落ち",
            Handicap::RookAndLance => "飛香落ち",
            Handicap::TwoPieces => "二枚落ち",
            Handicap::FourPieces => "四枚落ち",
            Handicap::SixPieces => "六枚落ち",
            Handicap::EightPieces => "八枚落ち",
            Handicap::TenPieces => "十枚落ち",
        }
    }

    /// The files of White's first rank, and of the second (file 8: rook, file 2: bishop), that are
    /// empty.
    const fn empty_files(self) -> (&'static [u8], &'static [u8]) {
        match self {
            Handicap::Even => (&[], &[]),
            Handicap::Lance => (&[1], &[]),
            Handicap::RightLance => (&[9], &[]),
            Handicap::Bishop => (&[], &[2]),
            Handicap::Rook => (&[], &[8]),
            Handicap::RookAndLance => (&[1], &[8]),
            Handicap::TwoPieces => (&[], &[2, 8]),
            Handicap::FourPieces => (&[1, 9], &[2, 8]),
            Handicap::SixPieces => (&[1, 2, 8, 9], &[2, 8]),
            Handicap::EightPieces => (&[1, 2, 3, 7, 8, 9], &[2, 8]),
            Handicap::TenPieces => (&[1, 2, 3, 4, 6, 7, 8, 9], &[2, 8]),
        }
    }

    /// The position in which the game starts.
    pub fn position(self) -> Position {
        Setup::from(self).build().expect("a handicap is a position")
    }
}

impl From<Handicap> for Setup {
    fn from(handicap: Handicap) -> Setup {
        let mut setup = Setup::from(&Position::startpos());
        let (first, second) = handicap.empty_files();
        for square in Square::all() {
            let files = match square.rank().number() {
                1 => first,
                2 => second,
                _ => continue,
            };
            if files.contains(&square.file().number()) {
                setup.remove(square);
            }
        }
        if handicap != Handicap::Even {
            setup.side_to_move = Color::White;
        }
        setup
    }
}

/// The Japanese name.
impl fmt::Display for Handicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no [`Handicap`].
///
/// ```
/// use tsumero_core::{Handicap, ParseHandicapError};
/// assert_eq!("三枚落ち".parse::<Handicap>(), Err(ParseHandicapError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the name of a handicap")]
pub struct ParseHandicapError;

/// The Japanese name.
impl FromStr for Handicap {
    type Err = ParseHandicapError;

    fn from_str(text: &str) -> Result<Handicap, ParseHandicapError> {
        let named = |handicap: &Handicap| handicap.name() == text;
        Handicap::ALL.into_iter().find(named).ok_or(ParseHandicapError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::PieceKind;

    #[test]
    fn handicaps_are_those_that_are_played() {
        let rows = [
            ("平手", "lnsgkgsnl/1r5b1/"),
            ("香落ち", "lnsgkgsn1/1r5b1/"),
            ("右香落ち", "1nsgkgsnl/1r5b1/"),
            ("角落ち", "lnsgkgsnl/1r7/"),
            ("飛車落ち", "lnsgkgsnl/7b1/"),
            ("飛香落ち", "lnsgkgsn1/7b1/"),
            ("二枚落ち", "lnsgkgsnl/9/"),
            ("四枚落ち", "1nsgkgsn1/9/"),
            ("六枚落ち", "2sgkgs2/9/"),
            ("八枚落ち", "3gkg3/9/"),
            ("十枚落ち", "4k4/9/"),
        ];
        assert_eq!(rows.len(), Handicap::ALL.len());
        for (name, camp) in rows {
            let handicap: Handicap = name.parse().unwrap();
            let side = if handicap == Handicap::Even { "b" } else { "w" };
            let rest = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
            let sfen = format!("{camp}{rest} {side} - 1");
            assert_eq!(handicap.position().to_sfen(), sfen);
            assert_eq!(handicap.to_string(), name);
        }
        assert_eq!("二枚".parse::<Handicap>(), Err(ParseHandicapError));
    }

    /// A setup made from a position builds the same position, with the same key.
    #[test]
    fn a_position_is_set_up_again() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 17",
            "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let again = Setup::from(&position).build().unwrap();
            assert_eq!(again, position);
            assert_eq!((again.to_sfen(), again.key()), (position.to_sfen(), position.key()));
            assert_eq!(again.consistency(), Ok(()));
        }
    }

    #[test]
    fn a_setup_that_cannot_be_played_is_refused() {
        let piece = |color, kind| Piece::new(color, kind);
        let at = |text: &str| text.parse::<Square>().unwrap();
        let refused = |change: &dyn Fn(&mut Setup)| {
            let mut setup = Setup::from(Handicap::Even);
            change(&mut setup);
            setup.build().unwrap_err()
        };
        let (black, white) = (Color::Black, Color::White);
        let two_pawns = refused(&|setup| {
            setup.put(at("5e"), piece(black, PieceKind::Pawn));
        });
        assert_eq!(two_pawns, SfenError::TwoPawns(black, at("5e").file()));
        let kings = refused(&|setup| {
            setup.put(at("5e"), piece(white, PieceKind::King));
        });
        assert_eq!(kings, SfenError::Kings(white));
        let golds = refused(&|setup| {
            setup.add_to_hand(white, PieceKind::Gold).unwrap();
        });
        assert_eq!(golds, SfenError::TooMany { letter: 'G', limit: 4 });
        let check = refused(&|setup| {
            setup.remove(at("5g"));
            setup.remove(at("5c"));
            let rook = setup.remove(at("2h")).unwrap();
            setup.put(at("5e"), rook);
        });
        assert_eq!(check, SfenError::OpponentInCheck);
        // A hand built from arbitrary bits is counted too, and refused above a full set.
        let hand = refused(&|setup| {
            setup.set_hand(black, Hand::from_bits(u32::MAX));
        });
        assert!(matches!(hand, SfenError::TooMany { .. }));
        assert!(Setup::empty().add_to_hand(black, PieceKind::King).is_err());
        assert!(Setup::empty().build().is_ok());
    }
}

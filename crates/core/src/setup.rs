//! Setup: positions built piece by piece, and what makes a set-up position playable.

use thiserror::Error;

use crate::color::{ByColor, Color};
use crate::hand::Hand;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::promotion::drop_ranks;
use crate::square::{File, Rank, Square};

/// Why a [`Setup`] is not a position that can be played.
///
/// ```
/// use tsumero_core::{Color, PieceKind, Setup, SetupError};
/// let error = Setup::empty().add_to_hand(Color::Black, PieceKind::King).unwrap_err();
/// assert_eq!(error, SetupError::NeverHeld(PieceKind::King));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
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
    /// A king or a promoted piece in hand.
    #[error("pieces of kind {0} are never in hand")]
    NeverHeld(PieceKind),
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
    /// [`SetupError::TooMany`] if all pieces of the kind are in that hand already, or
    /// [`SetupError::NeverHeld`].
    pub fn add_to_hand(&mut self, color: Color, kind: PieceKind) -> Result<(), SetupError> {
        let limit = Hand::limit(kind);
        if limit == 0 {
            return Err(SetupError::NeverHeld(kind));
        }
        let hand = self.hands[color];
        if hand.count(kind) >= limit {
            return Err(SetupError::TooMany { letter: kind.letter(), limit });
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
        self.move_number = number.max(1);
        self
    }

    /// Builds the position.
    ///
    /// # Errors
    ///
    /// The first rule that the setup breaks.
    pub fn build(&self) -> Result<Position, SetupError> {
        match self.broken_rules().into_iter().next() {
            Some(broken) => Err(broken),
            None => self.build_diagram(),
        }
    }

    /// Builds the position as [`Setup::build`] does, but pieces may stand where the rules do not
    /// allow them: see [`Position::from_diagram`].
    ///
    /// # Errors
    ///
    /// The first rule that the setup breaks. It is neither [`SetupError::DeadPiece`] nor
    /// [`SetupError::TwoPawns`].
    pub fn build_diagram(&self) -> Result<Position, SetupError> {
        let mut position = Position::empty();
        for (square, piece) in self.pieces() {
            let color = piece.color();
            if piece.kind() == PieceKind::King && position.king(color).is_some() {
                return Err(SetupError::Kings(color));
            }
            position.put_piece(square, piece);
        }
        self.check_counts()?;
        let state = position.state_mut();
        if self.side_to_move == Color::White {
            state.pass();
        }
        // A number too large to count on from is clamped.
        state.ply = self.move_number.min(u32::MAX / 2);
        for color in Color::ALL {
            for (kind, count) in self.hands[color].iter() {
                (0..count).for_each(|_| state.add_to_hand(color, kind));
            }
        }
        if position.is_attacked_king(!self.side_to_move) {
            return Err(SetupError::OpponentInCheck);
        }
        Ok(position)
    }

    /// The rules that pieces break by standing where they stand, each named once: two pawns on a
    /// file, and pieces that could never move.
    pub fn broken_rules(&self) -> Vec<SetupError> {
        let mut broken = Vec::new();
        for (square, piece) in self.pieces() {
            if let Some(rule) = self.rule_broken_by(square, piece)
                && !broken.contains(&rule)
            {
                broken.push(rule);
            }
        }
        broken
    }

    /// The rule that a piece breaks by standing on a square, beside the pieces on other squares:
    /// [`SetupError::DeadPiece`] or [`SetupError::TwoPawns`].
    pub fn rule_broken_by(&self, square: Square, piece: Piece) -> Option<SetupError> {
        let (color, file) = (piece.color(), square.file());
        if !drop_ranks(color, piece.kind()).contains(square) {
            return Some(SetupError::DeadPiece(square));
        }
        let is_same = |other: Square| other != square && self.piece_at(other) == Some(piece);
        let is_second = piece.kind() == PieceKind::Pawn
            && Rank::all().any(|rank| is_same(Square::new(file, rank)));
        is_second.then_some(SetupError::TwoPawns(color, file))
    }

    /// All pieces on the board with their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The setup after a move of a piece that stands or is held here.
    pub(crate) fn after(&self, mv: Move) -> Setup {
        let (mut after, us) = (self.clone(), mv.color());
        match mv.from() {
            Some(from) => after.cells[from.dense_index()] = None,
            None => after.hands[us] = after.hands[us].minus(mv.kind()),
        }
        if let Some(captured) = mv.captured() {
            after.hands[us] = after.hands[us].plus(captured.unpromoted());
        }
        after.put(mv.to(), mv.piece_after());
        after.side_to_move = !us;
        after.move_number = self.move_number.saturating_add(1);
        after
    }

    /// Refuses more pieces than a full set has, board and hands together.
    fn check_counts(&self) -> Result<(), SetupError> {
        let mut on_board = [0; PieceKind::King.index() + 1];
        self.pieces().for_each(|(_, piece)| on_board[piece.kind().unpromoted().index()] += 1);
        for kind in PieceKind::HAND {
            let held: u32 = self.hands.0.iter().map(|hand| hand.count(kind)).sum();
            let limit = Hand::limit(kind);
            if on_board[kind.index()] + held > limit {
                return Err(SetupError::TooMany { letter: kind.letter(), limit });
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handicap::Handicap;

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
        assert_eq!(two_pawns, SetupError::TwoPawns(black, at("5e").file()));
        let kings = refused(&|setup| {
            setup.put(at("5e"), piece(white, PieceKind::King));
        });
        assert_eq!(kings, SetupError::Kings(white));
        let golds = refused(&|setup| {
            setup.add_to_hand(white, PieceKind::Gold).unwrap();
        });
        assert_eq!(golds, SetupError::TooMany { letter: 'G', limit: 4 });
        let check = refused(&|setup| {
            setup.remove(at("5g"));
            setup.remove(at("5c"));
            let rook = setup.remove(at("2h")).unwrap();
            setup.put(at("5e"), rook);
        });
        assert_eq!(check, SetupError::OpponentInCheck);
        // A hand built from arbitrary bits is counted too, and refused above a full set.
        let hand = refused(&|setup| {
            setup.set_hand(black, Hand::from_bits(u32::MAX));
        });
        assert!(matches!(hand, SetupError::TooMany { .. }));
        for kind in [PieceKind::King, PieceKind::Tokin] {
            let added = Setup::empty().add_to_hand(black, kind);
            assert_eq!(added, Err(SetupError::NeverHeld(kind)));
        }
        assert!(Setup::empty().build().is_ok());
    }
}

//! Wraps the crate under test in the oracle's terms: text for moves and squares, the oracle's
//! reasons for illegal moves.

use crate::oracle::{self, Reason};
use std::collections::BTreeSet;
use tsumero_core::{Color, IllegalMove, Move, Position, Square};

/// Converts a position of the oracle to one of the crate. The text goes through the oracle's own
/// writer, and the crate must write the same text.
pub(crate) fn position_of(position: &oracle::Position) -> Position {
    let sfen = position.to_sfen();
    let ours = from_sfen(&sfen);
    assert_eq!(ours.to_sfen(), sfen);
    ours
}

/// Reads a position in which pieces may stand anywhere.
pub(crate) fn from_sfen(sfen: &str) -> Position {
    Position::from_diagram(sfen).unwrap_or_else(|error| panic!("{error}: {sfen}"))
}

/// Converts moves to a sorted set of texts. No move may occur twice.
pub(crate) fn move_texts(moves: impl IntoIterator<Item = Move>) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for mv in moves {
        let text = mv.to_string();
        assert!(texts.insert(text), "{mv} comes twice");
    }
    texts
}

pub(crate) fn square_texts(squares: impl IntoIterator<Item = Square>) -> BTreeSet<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

pub(crate) fn color_of(color: oracle::Color) -> Color {
    match color {
        oracle::Color::Black => Color::Black,
        oracle::Color::White => Color::White,
    }
}

/// The oracle's name for the rule the crate names.
pub(crate) fn reason_of(error: IllegalMove) -> Reason {
    match error {
        IllegalMove::Malformed => Reason::NotAMove,
        IllegalMove::OffTheBoard => Reason::OffTheBoard,
        IllegalMove::NoPiece => Reason::NoPieceThere,
        IllegalMove::WrongSide => Reason::WrongSide,
        IllegalMove::OwnPieceOnTarget => Reason::OwnPieceOnTarget,
        IllegalMove::NotAlongVector => Reason::NotAlongVector,
        IllegalMove::Leap => Reason::LeapsOver,
        IllegalMove::NotInHand => Reason::NotInHand,
        IllegalMove::OccupiedDropSquare => Reason::OccupiedDrop,
        IllegalMove::DeadPiece => Reason::DeadPiece,
        IllegalMove::TwoPawns => Reason::TwoPawns,
        IllegalMove::CannotPromote => Reason::CannotPromote,
        IllegalMove::MustPromote => Reason::MustPromote,
        IllegalMove::LeavesKingInCheck => Reason::LeavesKingInCheck,
        IllegalMove::PawnDropMate => Reason::PawnDropMate,
        _ => panic!("the oracle has no name for this rule: {error}"),
    }
}

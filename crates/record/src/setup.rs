//! Hands of positions that are set up.

use tsumero_core::{Color, Hand, PieceKind, Position, Setup, SetupError};

use crate::Fault;

/// Adds pieces of one kind to a hand.
///
/// # Errors
/// There would be more than a full set has.
pub(crate) fn add(
    setup: &mut Setup,
    color: Color,
    kind: PieceKind,
    count: u32,
) -> Result<(), SetupError> {
    (0..count).try_for_each(|_| setup.add_to_hand(color, kind))
}

/// Notes who holds all pieces that are left.
///
/// # Errors
/// The other side does.
pub(crate) fn give_rest(holder: &mut Option<Color>, color: Color) -> Result<(), &'static str> {
    if holder.replace(color).is_some_and(|other| other != color) {
        return Err("only one side can hold all pieces that are left");
    }
    Ok(())
}

/// Gives a side all pieces that are neither on the board nor in the hand of the other side.
pub(crate) fn add_rest(setup: &mut Setup, holder: Color) {
    let rest = PieceKind::HAND.into_iter().fold(Hand::EMPTY, |hand, kind| {
        let on_board = setup.pieces().filter(|(_, piece)| piece.kind().unpromoted() == kind);
        let elsewhere = on_board.count() as u32 + setup.hand(holder.opponent()).count(kind);
        hand.with_count(kind, Hand::limit(kind).saturating_sub(elsewhere))
    });
    setup.set_hand(holder, rest);
}

/// The first position of a game.
pub(crate) fn position(setup: Setup) -> Result<Position, Fault> {
    setup.build_diagram().map_err(|error| {
        let start = (error == SetupError::OpponentInCheck).then(|| Box::new(setup));
        Fault { reason: error.to_string(), start }
    })
}

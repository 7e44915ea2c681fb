//! Hands of positions that are set up.

use tsumero_core::{Color, PieceKind, Position, Setup, SetupError};

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

/// The first position of a game.
pub(crate) fn position(setup: Setup) -> Result<Position, Fault> {
    setup.build_diagram().map_err(|error| {
        let start = (error == SetupError::OpponentInCheck).then(|| Box::new(setup));
        Fault { reason: error.to_string(), start }
    })
}

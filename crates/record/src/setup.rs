//! Hands of positions that are set up.

use tsumero_core::{Color, PieceKind, Setup, SfenError};

/// Adds pieces of one kind to a hand.
///
/// # Errors
/// There would be more than a full set has.
pub(crate) fn add(
    setup: &mut Setup,
    color: Color,
    kind: PieceKind,
    count: u32,
) -> Result<(), SfenError> {
    (0..count).try_for_each(|_| setup.add_to_hand(color, kind))
}

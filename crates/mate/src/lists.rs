//! Lists of moves on the heap, for recursions: a [`MoveList`] takes more than two kilobytes of the call
//! stack.

use tsumero_core::{Move, MoveList, Position};

/// The moves that give check.
#[inline(never)]
pub(crate) fn checks(position: &Position) -> Vec<Move> {
    let mut checks = MoveList::new();
    position.generate_checks(&mut checks);
    checks.to_vec()
}

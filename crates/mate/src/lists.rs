//! Lists of moves: on the heap for recursions, and in the order of a known line. A [`MoveList`] takes
//! more than two kilobytes of the call stack.

use tsumero_core::{Move, MoveList, Position};

/// The moves that give check.
#[inline(never)]
pub(crate) fn checks(position: &Position) -> Vec<Move> {
    let mut checks = MoveList::new();
    position.generate_checks(&mut checks);
    checks.to_vec()
}

/// Puts the move to the front that a preferred line has behind the given one.
pub(crate) fn prefer(moves: &mut [Move], preferred: &[Move], line: &[Move]) {
    if preferred.starts_with(line)
        && let Some(next) = preferred.get(line.len())
        && let Some(place) = moves.iter().position(|mv| mv == next)
    {
        moves[..=place].rotate_right(1);
    }
}

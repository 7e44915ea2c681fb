//! Perft: counts the sequences of legal moves of a given length.

use crate::moves::Move;
use crate::position::Position;

/// The number of sequences of `depth` legal moves; 1 at depth 0. A sequence that ends early,
/// because a king is captured, is not counted. The last move of a sequence is counted without
/// making it.
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(&mut position.clone(), depth)
}

/// [`perft`] that can be interrupted: it asks `goes_on` before each position. `None` if the answer was
/// no.
pub fn perft_while(
    position: &Position,
    depth: u32,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    count_while(&mut position.clone(), depth, goes_on)
}

fn count(position: &mut Position, depth: u32) -> u64 {
    count_while(position, depth, &mut || true).expect("nothing interrupts it")
}

fn count_while(
    position: &mut Position,
    depth: u32,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    if !goes_on() {
        return None;
    }
    match depth {
        0 => Some(1),
        1 => Some(position.count_legal_moves()),
        _ => {
            let mut candidates = Vec::with_capacity(256);
            position.for_each_legal(|candidate| candidates.push(candidate));
            let mut total = 0;
            for candidate in candidates {
                position.play_narrowed(candidate.mv, candidate.left);
                let below = count_while(position, depth - 1, goes_on);
                position.undo();
                total += below?;
            }
            Some(total)
        }
    }
}

/// For each legal move, the number of sequences of `depth` moves that start with it. Empty at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let mut position = position.clone();
    let mut candidates = Vec::new();
    position.for_each_legal(|candidate| candidates.push(candidate));
    candidates
        .into_iter()
        .map(|candidate| {
            position.play_narrowed(candidate.mv, candidate.left);
            let sequences = count(&mut position, below);
            position.undo();
            (candidate.mv, sequences)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sequence_of_no_moves_starts_with_a_move() {
        let position = Position::startpos();
        assert_eq!((divide(&position, 0).len(), divide(&position, 1).len()), (0, 177));
    }
}

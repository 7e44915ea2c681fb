//! Perft: counts the sequences of legal moves of a given length, to test and measure move
//! generation.

use crate::moves::Move;
use crate::position::Position;

/// Number of sequences of `depth` legal moves from the position (1 at depth 0).
///
/// With `bulk` the last move of each sequence is counted without being made, and the one before it
/// is made only as far as counting needs. Otherwise every move is made. Repetition and declaration
/// do not end a sequence.
///
/// ```
/// use tsumero_core::{Position, perft};
/// let mut position = Position::startpos();
/// assert_eq!(perft(&mut position, 3, true), 25_470);
/// ```
#[inline]
pub fn perft(position: &mut Position, depth: u32, bulk: bool) -> u64 {
    match depth {
        0 => 1,
        1 if bulk => position.count_legal_moves(),
        2 if bulk => position.legal_moves().iter().map(|&mv| position.count_replies(mv)).sum(),
        _ => perft_of_moves(position, depth, bulk),
    }
}

/// The same for depths at which the next move has to be made.
fn perft_of_moves(position: &mut Position, depth: u32, bulk: bool) -> u64 {
    let mut nodes = 0;
    for &mv in &position.legal_moves() {
        position.do_move(mv);
        nodes += perft(position, depth - 1, bulk);
        position.undo_move();
    }
    nodes
}

/// For each legal move, the number of sequences of `depth` moves that start with it. Empty at
/// depth 0.
///
/// ```
/// use tsumero_core::{Position, divide};
/// let counts = divide(&mut Position::startpos(), 2, true);
/// assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 900);
/// ```
pub fn divide(position: &mut Position, depth: u32, bulk: bool) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    moves
        .into_iter()
        .map(|mv| {
            position.do_move(mv);
            let nodes = perft(position, depth - 1, bulk);
            position.undo_move();
            (mv, nodes)
        })
        .collect()
}

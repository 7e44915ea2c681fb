//! Perft: counts the sequences of legal moves of a given length, to test and measure move
//! generation.

use crate::line::Line;
use crate::moves::Move;
use crate::position::Position;

/// The greatest depth that programs should accept. It only limits the recursion: no such count ever
/// ends.
pub const MAX_PERFT_DEPTH: u32 = 64;
/// Down to this depth, [`perft_while`] does not ask whether to go on: the rest takes milliseconds.
const UNINTERRUPTED: u32 = 3;

/// Number of sequences of `depth` legal moves from the position (1 at depth 0).
///
/// With `bulk` the last move of each sequence is counted without being made, and the one before it
/// is made only as far as counting needs. Otherwise every move is made. Repetition and declaration
/// do not end a sequence.
///
/// ```
/// use tsumero_core::{Position, perft};
/// assert_eq!(perft(&Position::startpos(), 3, true), 25_470);
/// ```
pub fn perft(position: &Position, depth: u32, bulk: bool) -> u64 {
    count(&mut Line::from(position), depth, bulk)
}

/// For each legal move, the number of sequences of `depth` moves that start with it. Empty at
/// depth 0.
///
/// ```
/// use tsumero_core::{Position, divide};
/// let counts = divide(&Position::startpos(), 2, true);
/// assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 900);
/// ```
pub fn divide(position: &Position, depth: u32, bulk: bool) -> Vec<(Move, u64)> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let mut line = Line::from(position);
    let count_after = |mv| {
        line.do_move(mv);
        let nodes = count(&mut line, depth, bulk);
        line.undo_move();
        (mv, nodes)
    };
    position.legal_moves().into_iter().map(count_after).collect()
}

/// [`perft`] with `bulk` that can be interrupted: it asks `goes_on` every few milliseconds. `None` if
/// the answer was no.
///
/// ```
/// use tsumero_core::{Position, perft_while};
/// let mut questions = 0;
/// let mut goes_on = || {
///     questions += 1;
///     questions < 100
/// };
/// assert_eq!(perft_while(&Position::startpos(), 3, &mut goes_on), Some(25_470));
/// assert_eq!(perft_while(&Position::startpos(), 30, &mut goes_on), None);
/// ```
pub fn perft_while(
    position: &Position,
    depth: u32,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    count_while(&mut Line::from(position), depth, goes_on)
}

fn count_while(line: &mut Line, depth: u32, goes_on: &mut dyn FnMut() -> bool) -> Option<u64> {
    if !goes_on() {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(count(line, depth, true));
    }
    let mut nodes = 0;
    for &mv in &line.legal_moves() {
        line.do_move(mv);
        let below = count_while(line, depth - 1, goes_on);
        line.undo_move();
        nodes += below?;
    }
    Some(nodes)
}

#[inline]
fn count(line: &mut Line, depth: u32, bulk: bool) -> u64 {
    match depth {
        0 => 1,
        1 if bulk => line.count_legal_moves(),
        2 if bulk => line.legal_moves().iter().map(|&mv| line.count_replies(mv)).sum(),
        _ => count_by_moves(line, depth, bulk),
    }
}

/// The same for depths at which the next move has to be made. Leaves have a loop of their own, which is faster.
fn count_by_moves(line: &mut Line, depth: u32, bulk: bool) -> u64 {
    let moves = line.legal_moves();
    if depth == 1 {
        for &mv in &moves {
            line.do_move(mv);
            line.undo_move();
        }
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for &mv in &moves {
        line.do_move(mv);
        nodes += count(line, depth - 1, bulk);
        line.undo_move();
    }
    nodes
}

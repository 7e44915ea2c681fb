//! Reports of the search: progress while it runs, and its answer.

use std::time::Duration;

use tsumero_control::{Bound, Score};
use tsumero_core::Move;

/// Progress of a search: one line of play with its score.
#[derive(Clone, Debug)]
pub struct Info {
    /// Depth of the iteration, in plies; 0 if the first one was not finished.
    pub depth: u32,
    /// Greatest distance from the root that was reached, in plies.
    pub seldepth: u32,
    /// Time since the search was asked for.
    pub time: Duration,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// Number of the line, 1 for the best.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The line, best move first. All its moves are legal. It is empty only if there is no move to
    /// play: the side to move is mated, or wins by declaration.
    pub pv: Vec<Move>,
}

impl Info {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes per second. A time below a microsecond counts as one microsecond.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / time.as_micros().max(1)) as u64
}

/// The answer of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestMove {
    /// A move, and the reply to ponder on, which is legal after it.
    Move {
        /// The move to play.
        best: Move,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// There is no legal move, or the score is below the resignation value.
    Resign,
    /// The side to move wins by declaration.
    DeclareWin,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_nodes_over_time() {
        assert_eq!(nodes_per_second(3_000, Duration::from_millis(2)), 1_500_000);
        assert_eq!(nodes_per_second(7, Duration::ZERO), 7_000_000);
        assert_eq!(nodes_per_second(u64::MAX / 2, Duration::from_secs(1 << 40)), 8_388_607);
    }
}

//! Whether the best move changes from one iteration to the next, and the time that this is worth.

use tsumero_core::Move;

use crate::root_moves::RootLine;

/// How stable the best move is from one iteration to the next.
#[derive(Default)]
pub(crate) struct Stability {
    best: Option<Move>,
    /// Iterations in a row with the same best move.
    unchanged: u32,
    /// A running mean of the results.
    mean_score: Option<i32>,
}

impl Stability {
    /// The time wanted, in percent of the usual time: less if the best move stays the same and
    /// takes most of the nodes, more if it changes or its score falls. This only decides when to
    /// stop, never the result, so floating point does no harm.
    pub(crate) fn time_scale(&mut self, line: &RootLine, share_of_nodes: f64) -> u32 {
        let best = line.pv.first().copied();
        self.unchanged = if best == self.best { self.unchanged + 1 } else { 0 };
        self.best = best;
        let score = line.score.value().clamp(-3000, 3000);
        let mean = self.mean_score.unwrap_or(score);
        self.mean_score = Some((mean * 2 + score) / 3);

        let by_stability = [180.0, 132.0, 100.0, 84.0, 68.0, 60.0][self.unchanged.min(5) as usize];
        let by_fall = 1.0 + f64::from((mean - score).clamp(-40, 160)) / 200.0;
        let by_effort = 1.45 - 0.65 * share_of_nodes;
        (by_stability * by_fall * by_effort) as u32
    }
}

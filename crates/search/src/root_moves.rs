//! The moves at the root: their order, and their results.

use tsumero_control::{Bound, Score};
use tsumero_core::Move;

use crate::evaluate::Evaluator;
use crate::worker::{RootMove, Worker};

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// Stores the result of a root move.
    pub(crate) fn record_root_result(
        &mut self,
        index: usize,
        number: u32,
        score: Score,
        (alpha, beta): (Score, Score),
        nodes_before: u64,
    ) {
        let spent = self.nodes - nodes_before;
        let seldepth = self.seldepth;
        let is_best = number == 1 || score > alpha;
        let line = if is_best { self.entry(1).pv.clone() } else { Vec::new() };
        let root = &mut self.root_moves[index];
        root.nodes += spent;
        if is_best {
            self.root_best = (score > alpha)
                .then_some((root.mv, if score < beta { Bound::Exact } else { Bound::Lower }));
            root.score = score;
            root.seldepth = seldepth;
            root.pv.truncate(1);
            root.pv.extend(line);
        } else {
            // All others keep their order after the best.
            root.score = -Score::INFINITE;
        }
    }
}

/// The place of the next root move in the order of `next_move`, and then of those that it does not
/// yield; `None` if all have been searched.
pub(crate) fn next_root_move(
    root_moves: &mut [RootMove],
    mut next_move: impl FnMut() -> Option<Move>,
) -> Option<usize> {
    let place = loop {
        match next_move() {
            Some(mv) => {
                if let Some(place) = root_moves.iter().position(|root| root.mv == mv) {
                    break place;
                }
            }
            None => break root_moves.iter().position(|root| !root.is_searched)?,
        }
    };
    root_moves[place].is_searched = true;
    Some(place)
}

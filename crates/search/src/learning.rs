//! Learning from nodes: which moves were good, and how wrong the static values were.

use tsumero_control::{Bound, Score};
use tsumero_core::Move;

use crate::danger::{Attacked, hanging};
use crate::evaluate::Evaluator;
use crate::lookup::Context;
use crate::node::Node;
use crate::node_moves::{NodeResult, Tried};
use crate::parameters::Parameters;
use crate::tt::TableEntry;
use crate::worker::Worker;

impl Parameters {
    /// The history bonus of a move that causes a cutoff at a depth.
    #[inline]
    pub(crate) fn history_bonus(&self, depth: i32) -> i32 {
        (self.bonus * depth - self.bonus_offset).clamp(60, self.bonus_limit)
    }

    /// The history malus of a move tried before one that causes a cutoff at a depth.
    #[inline]
    fn history_malus(&self, depth: i32) -> i32 {
        (self.malus * depth - self.malus_offset).clamp(60, self.malus_limit)
    }
}

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// Step 20: learning from the result of a node. `is_whole` says whether no move was left out: otherwise
    /// the result tells nothing about the static value.
    pub(crate) fn learn(&mut self, node: &Node, result: &NodeResult, is_whole: bool) {
        let Node { ply, depth, window, .. } = *node;
        let best_score = result.best_score;
        let parameters = self.parameters();
        if let Some(mv) = result.best_move
            && best_score >= window.beta
        {
            let bonus = parameters.history_bonus(depth);
            let malus = parameters.history_malus(depth);
            self.reward_cutoff(ply, mv, bonus, malus, &result.quiets, &result.captures);
            self.at(ply).cutoffs += 1;
        } else if best_score <= window.alpha && ply > 0 && node.excluded.is_none() {
            self.reward_unrefuted(node);
        }
        if let Some(static_eval) = node.static_eval
            && is_whole
            && result.best_move.is_none_or(|mv| !mv.is_capture())
            && best_score.is_ordinary()
        {
            let bound = window.bound_of(best_score);
            let says_nothing = bound == Bound::Lower && best_score <= static_eval
                || bound == Bound::Upper && best_score >= static_eval;
            if !says_nothing {
                self.correct(&node.context, best_score - static_eval, depth);
            }
        }
    }

    /// Rewards a move that caused a cutoff, and punishes the moves tried before it.
    pub(crate) fn reward_cutoff(
        &mut self,
        ply: u32,
        mv: Move,
        bonus: i32,
        malus: i32,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let parameters = self.parameters();
        if mv.is_capture() {
            self.history.update_capture(mv, bonus * parameters.bonus_capture / 1024);
        } else {
            let context = self.context(ply);
            self.history.update_quiet(mv, &context, bonus);
            for &tried in quiets {
                self.history.update_quiet(tried, &context, -malus);
            }
            let killers = &mut self.at(ply).killers;
            if killers[0] != Some(mv) {
                killers[1] = killers[0];
                killers[0] = Some(mv);
            }
        }
        for &tried in captures {
            self.history.update_capture(tried, -malus);
        }
    }

    /// Rewards the quiet move that led to a node that no move refutes.
    pub(crate) fn reward_unrefuted(&mut self, node: &Node) {
        let Some(mv) = self.last_quiet_move(node.ply) else { return };
        let parameters = self.parameters();
        let bonus = parameters.history_bonus(node.depth) * parameters.unrefuted / 1024;
        let context = self.context(node.ply - 1);
        self.history.update_quiet(mv, &context, bonus);
    }

    /// Learns from the change of the static value that the last move brought, if it was quiet.
    #[inline(always)]
    pub(crate) fn learn_from_static_values(&mut self, ply: u32, static_eval: Score) {
        let parameters = self.parameters();
        if parameters.feedback == 0 || ply == 0 {
            return;
        }
        let Some(before) = self.before(ply, 1).static_eval else { return };
        if let Some(mv) = self.last_quiet_move(ply) {
            let gain = -(before.value() + static_eval.value());
            let bonus = (gain.clamp(-210, 170) + 60) * parameters.feedback / 16;
            let danger = self.before(ply, 1).danger;
            self.history.update_main(mv, &danger, bonus);
        }
    }

    /// The move that led to a node, if it was quiet; `None` at the root and after a null move.
    #[inline]
    fn last_quiet_move(&self, ply: u32) -> Option<Move> {
        let is_move = self.before(ply, 1).moved.is_move();
        self.position.last_move().filter(|mv| is_move && !mv.is_capture())
    }

    /// The static value of the position as the evaluation gives it. It is taken from the table if
    /// it is stored there. Otherwise it is stored at once, because the node may be cut without any
    /// other result.
    #[inline(always)]
    pub(crate) fn raw_eval(&mut self, key: u64, entry: Option<&TableEntry>, was_pv: bool) -> Score {
        if let Some(value) = entry.and_then(|entry| entry.static_eval) {
            return value;
        }
        let value = self.evaluate();
        if entry.is_none() {
            self.shared.table.store(key, &TableEntry::of_static_eval(Some(value), was_pv));
        }
        value
    }

    /// The static value of the position, corrected by the value of what the opponent leaves hanging,
    /// and by the results of earlier searches of similar positions.
    #[inline(always)]
    pub(crate) fn corrected(&self, raw: Score, context: &Context, attacked: &Attacked) -> Score {
        let parameters = self.parameters();
        let position = self.position.position();
        let theirs = hanging(position, attacked, !position.side_to_move());
        let hanging = theirs * parameters.static_hanging_theirs / 16;
        let learned = self.history.corrections.of(position, context, parameters);
        Score::ordinary(raw.value() + hanging + learned)
    }

    /// Learns from the difference between a search result and the static value of the position.
    #[inline]
    pub(crate) fn correct(&mut self, context: &Context, difference: i32, depth: i32) {
        self.history.corrections.learn(&self.position, context, difference * depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{plain_node, with_worker};
    use crate::window::Window;
    use tsumero_core::Position;

    /// The correction of static values learns from results that measure a position. A win or loss
    /// by perpetual check or mate does not.
    #[test]
    fn corrections_learn_from_ordinary_results_only() {
        let position = Position::startpos();
        let correction_after = |result: Score, is_whole| {
            with_worker(&position, |worker| {
                let node = plain_node(worker, 8, Window::full());
                let result = NodeResult {
                    best_score: result,
                    best_move: position.parse_move("7g7f").ok(),
                    move_count: 1,
                    quiets: Tried::new(),
                    captures: Tried::new(),
                };
                worker.learn(&node, &result, is_whole);
                let value = worker.evaluate();
                worker.corrected(value, &node.context, &Attacked::of(&position)) - value
            })
        };
        let (good, bad) = (Score::new(2_000), Score::new(-2_000));
        assert!(correction_after(good, true) > 0 && correction_after(bad, true) < 0);
        // The best of some moves may be the worst of all.
        assert_eq!((correction_after(good, false), correction_after(bad, false)), (0, 0));
        for win in [Score::new(20_000), Score::mate_in(9)] {
            let corrections = [win, -win].map(|result| correction_after(result, true));
            assert_eq!(corrections, [0, 0], "{win:?}");
        }
    }
}

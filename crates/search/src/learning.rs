//! Learning from nodes: which moves were good, and how wrong the static values were.

use tsumero_control::Score;
use tsumero_core::Move;

use crate::alpha_beta::Tried;
use crate::evaluate::Evaluator;
use crate::history::Context;
use crate::tt::Entry;
use crate::worker::Worker;

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// Rewards a move that caused a cutoff, and punishes the moves tried before it.
    pub(crate) fn reward_cutoff(
        &mut self,
        ply: u32,
        mv: Move,
        depth: i32,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let parameters = self.parameters();
        let bonus = parameters.history_bonus(depth);
        let malus = -bonus * parameters.malus / 1024;
        if mv.is_capture() {
            self.history.update_capture(mv, bonus);
        } else {
            let context = self.context(ply);
            self.history.update_quiet(mv, &context, bonus);
            for &tried in quiets {
                self.history.update_quiet(tried, &context, malus);
            }
            let killers = &mut self.at(ply).killers;
            if killers[0] != Some(mv) {
                killers[1] = killers[0];
                killers[0] = Some(mv);
            }
        }
        for &tried in captures {
            self.history.update_capture(tried, malus);
        }
    }

    /// Rewards the quiet move that led to a node that no move refutes.
    pub(crate) fn reward_unrefuted(&mut self, ply: u32, depth: i32) {
        let parameters = self.parameters();
        if parameters.unrefuted == 0 || !self.before(ply, 1).moved.is_move() {
            return;
        }
        if let Some(mv) = self.position.last_move()
            && !mv.is_capture()
        {
            let bonus = parameters.history_bonus(depth) * parameters.unrefuted / 1024;
            let context = self.context(ply - 1);
            self.history.update_quiet(mv, &context, bonus);
        }
    }

    /// The static value of the position as the evaluation gives it. It is taken from the table if
    /// it is stored there. Otherwise it is stored at once, because the node may be cut without any
    /// other result.
    #[inline]
    pub(crate) fn raw_eval(&mut self, key: u64, entry: Option<&Entry>, was_pv: bool) -> Score {
        if let Some(value) = entry.and_then(|entry| entry.static_eval) {
            return value;
        }
        let value = self.evaluate();
        if entry.is_none() {
            let entry = Entry {
                best: 0,
                score: 0,
                bound: None,
                static_eval: Some(value),
                depth: 0,
                was_pv,
            };
            self.shared.table.store(key, &entry);
        }
        value
    }

    /// A static value, corrected by the results of earlier searches of similar positions.
    #[inline]
    pub(crate) fn corrected(&self, raw: Score, context: &Context) -> Score {
        let parameters = self.parameters();
        let weights =
            [parameters.correction_move, parameters.correction_hands, parameters.correction_kings];
        if weights == [0; 3] {
            return raw;
        }
        let correction = self.history.correction(&self.position, context, weights);
        let limit = Score::MAX_ORDINARY.value();
        Score::new((raw.value() + correction).clamp(-limit, limit))
    }

    /// Learns from the difference between a search result and the static value of the position.
    #[inline]
    pub(crate) fn correct(&mut self, context: &Context, difference: i32, depth: i32) {
        let parameters = self.parameters();
        if [parameters.correction_move, parameters.correction_hands, parameters.correction_kings]
            != [0; 3]
        {
            self.history.update_correction(&self.position, context, difference * depth);
        }
    }
}

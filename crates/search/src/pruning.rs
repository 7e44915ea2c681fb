//! The rules of pruning, one function each.
//!
//! Depths are in plies, margins in the units of the evaluation (a pawn is about 90, and a pawn
//! that changes hands about 170).

use tsumero_control::Score;

use crate::node::Doubt;
use crate::parameters::Parameters;

impl Parameters {
    /// Reverse futility: whether the estimate is so far above beta that no quiet reply brings it
    /// back. The more speaks against the estimate, the further it must be.
    #[inline]
    pub(crate) fn reverse_futility(
        &self,
        depth: i32,
        improving: bool,
        doubt: &Doubt,
        estimate: Score,
        beta: Score,
    ) -> bool {
        let margin = self.reverse_futility * depth
            - if improving { self.reverse_futility_improving } else { 0 }
            + self.reverse_futility_correction * doubt.correction / 1024
            + self.reverse_futility_hanging * doubt.hanging / 16
            + self.reverse_futility_king * doubt.pressure;
        depth <= self.reverse_futility_depth
            && estimate.is_ordinary()
            && beta.is_ordinary()
            && estimate - margin >= beta
    }

    /// Razoring: whether the estimate is so far below alpha that only a capture can help. Then
    /// the quiescence search decides.
    #[inline]
    pub(crate) fn razoring(&self, depth: i32, estimate: Score, alpha: Score) -> bool {
        depth <= self.razoring_depth
            && estimate.is_ordinary()
            && estimate + (self.razoring_base + self.razoring * depth * depth) <= alpha
    }

    /// Null move: whether to try a pass. `after_loss` is the static value less what may be lost.
    #[inline]
    pub(crate) fn null_move(
        &self,
        depth: i32,
        improving: bool,
        estimate: Score,
        after_loss: Score,
        beta: Score,
    ) -> bool {
        let improvement = if improving { self.null_move_improving } else { 0 };
        depth >= 2
            && estimate >= beta
            && after_loss + (self.null_move_depth * depth + improvement)
                >= beta + self.null_move_margin
            && !beta.is_loss()
    }

    /// Null move: the depth reduction of the search after the pass, in plies.
    #[inline]
    pub(crate) fn null_move_reduction(&self, depth: i32) -> i32 {
        self.null_move_base + depth / self.null_move_divisor
    }

    /// Late-move pruning: the number of moves after which a shallow node skips quiet moves.
    #[inline]
    pub(crate) fn late_move_limit(&self, depth: i32, improving: bool) -> u32 {
        let limit = self.late_move_base + depth * depth * self.late_move_factor / 1024;
        (if improving { limit } else { limit / 2 + 1 }) as u32
    }

    /// Futility: whether the node is so far below alpha that a quiet move near the leaves cannot
    /// help.
    #[inline]
    pub(crate) fn futility(&self, reduced_depth: i32, static_eval: Score, alpha: Score) -> bool {
        reduced_depth <= self.futility_depth
            && static_eval + (self.futility_base + self.futility * reduced_depth) <= alpha
    }

    /// Futility of captures: whether the node is so far below alpha that a capture that wins at
    /// most `gain` cannot help.
    #[inline]
    pub(crate) fn capture_futility(
        &self,
        depth: i32,
        static_eval: Score,
        gain: i32,
        alpha: Score,
    ) -> bool {
        depth <= self.capture_futility_depth
            && static_eval + (self.capture_futility_base + self.capture_futility * depth + gain)
                <= alpha
    }

    /// The least exchange value that a quiet move must keep near the leaves; `None` elsewhere.
    #[inline]
    pub(crate) fn quiet_see_threshold(&self, reduced_depth: i32) -> Option<i32> {
        (reduced_depth <= self.quiet_see_depth)
            .then_some(-self.quiet_see * reduced_depth * reduced_depth)
    }

    /// The least exchange value that a capture must keep near the leaves; `None` elsewhere.
    #[inline]
    pub(crate) fn capture_see_threshold(&self, depth: i32) -> Option<i32> {
        (depth <= self.capture_see_depth).then_some(-self.capture_see * depth)
    }

    /// History pruning: whether a quiet move near the leaves is skipped because of its bad history.
    #[inline]
    pub(crate) fn history_pruning(&self, reduced_depth: i32, history: i32) -> bool {
        reduced_depth <= self.history_pruning_depth
            && history < -self.history_pruning * reduced_depth.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::exchange_value;
    use tsumero_core::PieceKind;

    /// A win or loss by perpetual check is no measure of a position, just as a mate is none.
    #[test]
    fn no_margin_is_added_to_a_decided_score() {
        let parameters = Parameters::DEFAULT;
        let (even, great) = (Score::ZERO, Score::new(15_000));
        let sure = Doubt::default();
        assert!(parameters.reverse_futility(1, false, &sure, great, even));
        assert!(parameters.reverse_futility(1, false, &sure, even, -great));
        assert!(parameters.razoring(1, -great, even));
        assert!(parameters.null_move(8, false, even, even, -great));
        for win in [Score::new(20_000), Score::mate_in(9)] {
            assert!(!parameters.reverse_futility(1, false, &sure, win, even), "{win:?}");
            assert!(!parameters.reverse_futility(1, false, &sure, even, -win), "{win:?}");
            assert!(!parameters.razoring(1, -win, even), "{win:?}");
            assert!(!parameters.null_move(8, false, even, even, -win), "{win:?}");
        }
    }

    /// The static value says nothing of a piece that the opponent takes next.
    #[test]
    fn a_hanging_piece_forbids_reverse_futility() {
        let parameters = Parameters::DEFAULT;
        let rook = exchange_value(PieceKind::Rook);
        let value = Score::new(parameters.reverse_futility + rook / 8);
        let sure = Doubt::default();
        assert!(parameters.reverse_futility(1, false, &sure, value, Score::ZERO));
        let doubt = Doubt { hanging: rook, ..sure };
        assert!(!parameters.reverse_futility(1, false, &doubt, value, Score::ZERO));
    }
}

//! Cutoffs before the moves of a node are searched: razoring, reverse futility, null move, ProbCut.
//! Also the test for a single good move (singular extension).

use tsumero_control::{Bound, Score};
use tsumero_core::Move;

use crate::evaluate::Evaluator;
use crate::move_picker::MovePicker;
use crate::node::{Node, ZeroWindow};
use crate::tt::{TableEntry, TableResult};
use crate::window::Window;
use crate::worker::Worker;

/// What the test for a single good move says of the table's move.
pub(crate) enum TableMove {
    /// Search it this many plies deeper, or less deep if below zero.
    Extension(i32),
    /// The node fails high with other moves, too.
    Cutoff(Score),
}

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// Steps 7 to 10: the score to return if the node can be cut before its moves are searched. Its
    /// window is a zero window. In check, nothing is cut.
    pub(crate) fn prune_node(&mut self, node: &mut Node) -> Option<Score> {
        let static_eval = node.static_eval?;
        let Node { ply, depth, window, improving, .. } = *node;
        let Window { alpha, beta } = window;
        let parameters = self.parameters();
        let estimate = node.estimate(static_eval);

        // Step 7. Razoring.
        if parameters.razoring(depth, estimate, alpha) {
            let score = self.quiescence::<ZeroWindow>(ply, window);
            if score <= alpha {
                return Some(score);
            }
        }

        // Step 8. Reverse futility, unless a former principal variation or a quiet move of the table
        // speaks against it.
        let is_guarded = node.was_pv || node.table_move.is_some_and(|mv| !mv.is_capture());
        if !is_guarded && parameters.reverse_futility(depth, improving, &node.doubt, estimate, beta)
        {
            return Some(estimate.towards(beta, parameters.reverse_futility_share));
        }

        // Step 9. Null move.
        if let Some(score) = self.null_move(node, static_eval, estimate) {
            return Some(score);
        }
        // The value that a pass was tried with is a good one for later moves, too.
        if static_eval >= beta {
            node.improving = true;
        }

        // Step 10. ProbCut.
        self.prob_cut(node, static_eval)
    }

    /// Null move: if the side to move is above beta even after passing, the node is cut. It is tried
    /// only where a cutoff is expected. Returns the score.
    fn null_move(&mut self, node: &Node, static_eval: Score, estimate: Score) -> Option<Score> {
        let Node { ply, depth, window: Window { beta, .. }, cut_node, .. } = *node;
        let parameters = self.parameters();
        let after_loss = static_eval - node.doubt.hanging * parameters.null_move_hanging / 16;
        if node.excluded.is_some()
            || ply < self.no_null_move_before
            || !self.before(ply, 1).moved.is_move()
            || !cut_node
            || !parameters.null_move(depth, node.improving, estimate, after_loss, beta)
        {
            return None;
        }
        let reduced = depth - parameters.null_move_reduction(depth);
        self.do_null_move(ply);
        let score =
            -self.search::<ZeroWindow>(ply + 1, Window::up_to(beta).reversed(), reduced, false);
        self.undo_null_move();
        if self.is_aborted() {
            return Some(Score::ZERO);
        }
        if score < beta {
            return None;
        }
        // A win that was found after a pass is not proven.
        let score = if score.is_win() { beta } else { score };
        if depth < parameters.null_move_verification || self.no_null_move_before > 0 {
            return Some(score);
        }
        self.no_null_move_before = ply + (reduced.max(0) as u32) * 3 / 4 + 1;
        let verified = self.search::<ZeroWindow>(ply, Window::up_to(beta), reduced, false);
        self.no_null_move_before = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut (Buro 1995): if a capture clearly beats beta in a shallow search, it is assumed to
    /// beat it in a deep one. Returns the score.
    fn prob_cut(&mut self, node: &Node, static_eval: Score) -> Option<Score> {
        let Node { ply, depth, window: Window { beta, .. }, cut_node, .. } = *node;
        let parameters = self.parameters();
        let margin = parameters.probcut_margin
            - if node.improving { parameters.probcut_improving } else { 0 };
        let goal = beta + margin;
        if depth < parameters.probcut_depth
            || !beta.is_ordinary()
            || node.table_score.is_some_and(|score| score < goal)
        {
            return None;
        }
        let reduced = depth - parameters.probcut_reduction;
        // Whether a capture reaches the goal, as the opponent sees it.
        let zero_window = Window::up_to(goal).reversed();
        let mut picker =
            MovePicker::winning_captures(&self.position, node.table_move, goal - static_eval);
        loop {
            let experience = self.experience(&node.context);
            let mv = picker.next(&self.position, &experience)?;
            if Some(mv) == node.excluded || self.overlooks(mv) {
                continue;
            }
            self.do_move(ply, mv);
            let mut score = -self.quiescence::<ZeroWindow>(ply + 1, zero_window);
            if score >= goal && reduced > 0 {
                score = -self.search::<ZeroWindow>(ply + 1, zero_window, reduced, !cut_node);
            }
            self.undo_move();
            if self.is_aborted() {
                return Some(Score::ZERO);
            }
            if score >= goal {
                let entry = TableEntry {
                    best: mv.to_usi().pack(),
                    result: Some(TableResult::new(score, ply, Bound::Lower)),
                    static_eval: node.raw_eval,
                    depth: (reduced + 1).max(0) as u8,
                    was_pv: node.was_pv,
                };
                if node.excluded.is_none() {
                    self.shared.table.store(self.position.key(), &entry);
                }
                return Some(if score.is_win() { beta } else { score - margin });
            }
        }
    }

    /// Step 12: ProbCut by the table. A lower bound far above beta is trusted although its search was a
    /// little too shallow. It also serves in check. Returns the score.
    #[inline]
    pub(crate) fn table_prob_cut(&self, node: &Node) -> Option<Score> {
        let margin = self.parameters().probcut_table_margin;
        let (entry, score) = (node.entry.as_ref()?, node.table_score?);
        let goal = node.window.beta + margin;
        (margin > 0
            && entry.result.is_some_and(TableResult::is_at_least)
            && i32::from(entry.depth) >= node.depth - 4
            && score >= goal
            && score.is_ordinary()
            && node.window.beta.is_ordinary())
        .then_some(goal)
    }

    /// Singular extension (Anantharaman, Campbell and Hsu 1988, in the form that asks the table):
    /// whether the table's move is much better than all others. The others are searched without it,
    /// to a lower depth and against a lower bound.
    pub(crate) fn judge_table_move(&mut self, node: &Node) -> TableMove {
        let Node { ply, depth, window, cut_node, .. } = *node;
        let parameters = self.parameters();
        let (Some(mv), Some(entry), Some(table_score)) =
            (node.table_move, &node.entry, node.table_score)
        else {
            return TableMove::Extension(0);
        };
        let trusted = entry.result.is_some_and(TableResult::is_at_least)
            && i32::from(entry.depth) >= depth - 3
            && table_score.is_ordinary();
        if depth < parameters.singular_depth
            || !trusted
            || node.excluded.is_some()
            || ply as i32 >= 2 * self.root.depth
        {
            return TableMove::Extension(0);
        }
        let goal = table_score - parameters.singular_margin * depth / 16;
        let score = self.search_without(node, mv, goal);
        if score < goal {
            TableMove::Extension(1)
        } else if goal >= window.beta {
            // The node fails high even without its best move, so it fails high.
            TableMove::Cutoff(goal)
        } else if table_score >= window.beta {
            TableMove::Extension(-parameters.negative_extension_beta)
        } else if cut_node {
            TableMove::Extension(-parameters.negative_extension)
        } else {
            TableMove::Extension(0)
        }
    }

    /// Searches a node without one of its moves, to half the depth and against a bound.
    fn search_without(&mut self, node: &Node, mv: Move, goal: Score) -> Score {
        let Node { ply, depth, cut_node, .. } = *node;
        self.at(ply).excluded = Some(mv);
        let score = self.search::<ZeroWindow>(ply, Window::up_to(goal), (depth - 1) / 2, cut_node);
        self.at(ply).excluded = None;
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lookup::PieceTo;
    use crate::parameters::Parameters;
    use crate::testing::{plain_node, with_worker};
    use tsumero_core::{Line, Position};

    /// Black takes a rook for nothing, and White cannot take back.
    const LOOSE_ROOK: &str = "lnsgkgsnl/7b1/ppppppppp/9/7r1/9/PPPPPPP1P/1B5R1/LNSGKGSNL b - 1";
    /// The loose rook is worth more than this plus the margin of ProbCut, the present position
    /// less.
    const PROBCUT_BETA: Score = Score::new(500);

    /// Searches the node with the loose rook just so deep that ProbCut cuts it, with this entry in
    /// the table. Returns the score, the nodes, and the entry that is there afterwards.
    fn probcut(entry: Option<TableEntry>) -> (Score, u64, TableEntry) {
        let position = Position::from_sfen(LOOSE_ROOK).unwrap();
        let (depth, beta) = (Parameters::DEFAULT.probcut_depth, PROBCUT_BETA);
        with_worker(&position, |worker| {
            worker.root.depth = depth;
            let key = position.key();
            if let Some(entry) = entry {
                worker.shared.table.store(key, &entry);
            }
            let score = worker.search::<ZeroWindow>(1, Window::up_to(beta), depth, true);
            (score, worker.nodes, worker.shared.table.probe(key).unwrap())
        })
    }

    /// An entry that has only a static value says nothing of the result: ProbCut does not take it
    /// for a result of 0.
    #[test]
    fn probcut_is_tried_where_the_table_has_only_a_static_value() {
        let unknown = probcut(None);
        let TableEntry { best, result, depth, static_eval, .. } = unknown.2;
        let bound = result.map(|result| result.bound);
        let position = Position::from_sfen(LOOSE_ROOK).unwrap();
        let capture = position.parse_move("2h2e").unwrap().to_usi().pack();
        // So ProbCut it was.
        let expected =
            Parameters::DEFAULT.probcut_depth - Parameters::DEFAULT.probcut_reduction + 1;
        assert_eq!((best, bound, i32::from(depth)), (capture, Some(Bound::Lower), expected));
        assert!(unknown.0 >= PROBCUT_BETA);

        let entry = TableEntry::of_static_eval(static_eval, false);
        assert_eq!(probcut(Some(entry)), unknown);
    }

    /// The search of the other moves is cut by none of its rules through the move that it leaves out,
    /// and what it finds is not stored as the result of the whole node.
    #[test]
    fn probcut_does_not_take_the_excluded_move() {
        let position = Position::from_sfen(LOOSE_ROOK).unwrap();
        let capture = position.parse_move("2h2e").unwrap();
        let other = position.parse_move("9g9f").unwrap();
        for (excluded, is_cut) in [(other, true), (capture, false)] {
            with_worker(&position, |worker| {
                let node = plain_node(worker, 4, Window::up_to(PROBCUT_BETA));
                let node = Node { excluded: Some(excluded), ..node };
                let value = node.static_eval.unwrap();
                assert_eq!(worker.prob_cut(&node, value).is_some(), is_cut);
                let entry = worker.shared.table.probe(position.key());
                assert!(entry.is_none_or(|entry| entry.result.is_none()));
            });
        }
    }

    /// A cutoff by ProbCut does not forget that the node was on a principal variation.
    #[test]
    fn probcut_keeps_what_the_table_knows_of_principal_variations() {
        for was_pv in [false, true] {
            let entry = TableEntry {
                best: 0,
                result: Some(TableResult::new(PROBCUT_BETA + 400, 1, Bound::Lower)),
                static_eval: None,
                depth: 1,
                was_pv,
            };
            let (score, _, after) = probcut(Some(entry));
            let expected =
                Parameters::DEFAULT.probcut_depth - Parameters::DEFAULT.probcut_reduction + 1;
            assert!(score >= PROBCUT_BETA && i32::from(after.depth) == expected);
            assert_eq!(after.was_pv, was_pv);
        }
    }

    /// A pass is tried only where a cutoff is expected.
    #[test]
    fn no_pass_is_tried_where_no_cutoff_is_expected() {
        let (depth, beta) = (4, Score::new(-700));
        for cut_node in [true, false] {
            with_worker(&Position::startpos(), |worker| {
                worker.root.depth = depth;
                worker.at(0).moved = PieceTo::of(Position::startpos().legal_moves()[0]);
                let node = Node { cut_node, ..plain_node(worker, depth, Window::up_to(beta)) };
                let value = node.static_eval.unwrap();
                assert_eq!(worker.null_move(&node, value, value).is_some(), cut_node);
            });
        }
    }

    /// A lower bound cuts a node although its search was up to four plies too shallow, but only if it
    /// is far above beta.
    #[test]
    fn a_shallow_bound_far_above_beta_is_trusted() {
        let margin = Parameters::DEFAULT.probcut_table_margin;
        let depth = 10;
        with_worker(&Position::startpos(), |worker| {
            let mut node = plain_node(worker, depth, Window::up_to(Score::ZERO));
            let mut cut = |score: i32, entry_depth: i32, bound| {
                node.entry = Some(TableEntry {
                    best: 0,
                    result: Some(TableResult { score: score as i16, bound }),
                    static_eval: None,
                    depth: entry_depth as u8,
                    was_pv: false,
                });
                node.table_score = Some(Score::new(score));
                worker.table_prob_cut(&node)
            };
            let goal = Some(Score::new(margin));
            assert_eq!(cut(margin + 50, depth - 4, Bound::Lower), goal);
            assert_eq!(cut(margin - 1, depth - 4, Bound::Lower), None);
            assert_eq!(cut(margin + 50, depth - 5, Bound::Lower), None);
            assert_eq!(cut(margin + 50, depth - 4, Bound::Upper), None);
            assert_eq!(cut(20_000, depth - 4, Bound::Lower), None, "a perpetual check");
        });
    }

    /// A win by perpetual check that is found after a pass is as little proven as a mate.
    #[test]
    fn a_decided_score_after_a_pass_is_only_a_cutoff() {
        let position = Position::startpos();
        let (depth, beta) = (4, Score::new(-700));
        for decided in [Score::new(20_000), Score::mate_in(8)] {
            with_worker(&position, |worker| {
                worker.root.depth = depth;
                let mut passed = Line::from(&position);
                passed.do_null_move();
                let entry = TableEntry {
                    best: 0,
                    result: Some(TableResult::new(-decided, 2, Bound::Upper)),
                    static_eval: None,
                    depth: 100,
                    was_pv: false,
                };
                worker.shared.table.store(passed.key(), &entry);
                worker.at(0).moved = PieceTo::of(position.parse_move("7g7f").unwrap());
                let node = plain_node(worker, depth, Window::up_to(beta));
                let value = node.static_eval.unwrap();
                assert_eq!(worker.null_move(&node, value, value), Some(beta), "{decided:?}");
            });
        }
    }

    /// No margin is taken from a win by perpetual check: it is no measure for the other moves.
    #[test]
    fn a_move_that_wins_by_perpetual_check_is_not_tested_for_being_single() {
        let position = Position::startpos();
        let depth = Parameters::DEFAULT.singular_depth;
        let mv = position.parse_move("7g7f").unwrap();
        for (score, is_tested) in
            [(20_000, false), (-20_000, false), (19_000, true), (-19_000, true)]
        {
            with_worker(&position, |worker| {
                worker.root.depth = depth;
                let entry = TableEntry {
                    best: mv.to_usi().pack(),
                    result: Some(TableResult { score: score as i16, bound: Bound::Lower }),
                    static_eval: None,
                    depth: depth as u8,
                    was_pv: false,
                };
                let node = Node {
                    entry: Some(entry),
                    table_move: Some(mv),
                    table_score: Some(Score::new(score)),
                    ..plain_node(worker, depth, Window::up_to(Score::ZERO))
                };
                let before = worker.nodes;
                worker.judge_table_move(&node);
                assert_eq!(worker.nodes > before, is_tested, "{score}");
            });
        }
    }

    /// A node without a move from the table is searched one ply less deep. The search for a single
    /// good move has no such move on purpose, and must not lose a ply by that.
    #[test]
    fn the_search_without_the_table_move_is_not_reduced() {
        const DEPTH: i32 = Parameters::DEFAULT.iterative_reduction_depth;
        let position = Position::startpos();
        let deepest_child = |excluded: Option<Move>| {
            with_worker(&position, |worker| {
                worker.root.depth = DEPTH;
                worker.at(1).excluded = excluded;
                // The first move reaches beta, and no reply is so good that it is found without a
                // search.
                let beta = Score::new(-200);
                worker.no_null_move_before = u32::MAX;
                worker.search::<ZeroWindow>(1, Window::up_to(beta), DEPTH, true);
                let depth_after = |mv: Move| {
                    let mut after = position.clone();
                    after.play_unchecked(mv);
                    worker.shared.table.probe(after.key()).map_or(0, |entry| i32::from(entry.depth))
                };
                position.legal_moves().into_iter().map(depth_after).max()
            })
        };
        assert_eq!(deepest_child(None), Some(DEPTH - 2));
        let excluded = position.parse_move("7g7f").unwrap();
        assert_eq!(deepest_child(Some(excluded)), Some(DEPTH - 1));
    }
}

//! The moves of a node, one by one: which are skipped, how deep each is searched, and what comes
//! of it.
//!
//! [`Worker::search_moves`] is the loop, with the steps 14 to 18 of the search. Conditions are in
//! `pruning`, reductions in `reduction`, and all margins in `parameters`.

use arrayvec::ArrayVec;
use tsumero_control::Score;
use tsumero_core::Move;

use crate::evaluate::{Evaluator, capture_gain};
use crate::move_picker::MovePicker;
use crate::node::{Node, NodeKind, ZeroWindow};
use crate::see::see_at_least;
use crate::window::Window;
use crate::worker::Worker;

/// Quiet moves or captures that were searched without a cutoff. If another move causes one, their
/// history is reduced.
pub(crate) type Tried = ArrayVec<Move, 64>;

/// The result of a node's moves so far. It is large, so it is filled where it stands.
pub(crate) struct NodeResult {
    pub(crate) best_score: Score,
    pub(crate) best_move: Option<Move>,
    /// Number of legal moves seen, without the excluded one.
    pub(crate) move_count: u32,
    pub(crate) quiets: Tried,
    pub(crate) captures: Tried,
}

impl NodeResult {
    /// The result before the first move.
    pub(crate) fn new() -> NodeResult {
        NodeResult {
            best_score: -Score::INFINITE,
            best_move: None,
            move_count: 0,
            quiets: Tried::new(),
            captures: Tried::new(),
        }
    }
}

/// One move of a node, as pruning and reductions see it.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// Its number, from 1.
    pub(crate) number: u32,
    pub(crate) is_quiet: bool,
    pub(crate) gives_check: bool,
    /// Its history value, within ±5 times the limit of a single table.
    pub(crate) history: i32,
    /// Whether the picker took it for a good capture, by its exchange and its history.
    pub(crate) is_good_capture: bool,
    /// Reduction by depth and number alone, in 1024ths of a ply.
    pub(crate) reduction: i32,
}

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// Steps 14 to 18: the moves of a node, one by one.
    pub(crate) fn search_moves<N: NodeKind>(&mut self, node: &Node, result: &mut NodeResult) {
        let Node { ply, depth, mut window, .. } = *node;
        let parameters = self.parameters();
        let mut picker = MovePicker::new(&self.position, node.table_move, node.killers);
        if N::ROOT {
            self.root.best = None;
        }
        loop {
            // Step 14. The next move.
            let mv = if N::ROOT {
                // Of the moves at the root none is skipped.
                let index = self.root.line_index + result.move_count as usize;
                self.root.moves.get(index).map(|root| root.mv)
            } else {
                let experience = self.experience(&node.context);
                picker.next(&self.position, &experience)
            };
            let Some(mv) = mv else { break };
            if Some(mv) == node.excluded || !N::ROOT && self.overlooks(mv) {
                continue;
            }
            result.move_count += 1;
            let is_quiet = !mv.is_capture();
            let candidate = Candidate {
                mv,
                number: result.move_count,
                is_quiet,
                gives_check: self.position.gives_check(mv),
                history: if is_quiet {
                    self.history.quiets(&node.context, mv.color()).of(mv, parameters)
                } else {
                    2 * self.history.capture(mv)
                },
                is_good_capture: !N::ROOT && picker.last_is_good_capture(),
                reduction: parameters.late_move_reduction(depth, result.move_count)
                    + if node.improving { 0 } else { parameters.reduction_not_improving },
            };

            // Step 15. Pruning of late and unpromising moves, once some move does not lose. Before the
            // first move is searched, the best score is a loss.
            if !N::ROOT
                && !result.best_score.is_loss()
                && self.prunes_move(node, &candidate, window.alpha, &mut picker)
            {
                continue;
            }

            // Step 16. Extensions: of the table's move, and of checks that are good captures or do
            // not lose material.
            let mut extension = if Some(mv) == node.table_move { node.table_extension } else { 0 };
            if candidate.gives_check
                && extension == 0
                && (ply as i32) < 2 * self.root.depth
                && (candidate.is_good_capture || see_at_least(&self.position, mv, 0))
            {
                extension = 1;
            }

            // Step 17. The move is made and searched.
            let nodes_before = self.nodes;
            let new_depth = depth - 1 + extension;
            let best_score = result.best_score;
            let score = self.search_move::<N>(node, &candidate, new_depth, window, best_score);
            if self.is_aborted() {
                return;
            }

            // Step 18. The result.
            if N::ROOT {
                self.record_root_result(result.move_count, score, window, nodes_before);
            }
            if score > result.best_score {
                result.best_score = score;
                if score > window.alpha {
                    result.best_move = Some(mv);
                    if score >= window.beta {
                        if N::PV && score == Score::mate_in(ply + 1) {
                            self.show_mate(ply, mv);
                        }
                        break;
                    }
                    if N::PV {
                        self.set_pv(ply, mv);
                    }
                    window.alpha = score;
                }
            }
            if Some(mv) != result.best_move {
                let tried = if is_quiet { &mut result.quiets } else { &mut result.captures };
                // A few dozen moves are enough to learn from.
                let _ = tried.try_push(mv);
            }
        }
    }

    /// Step 15: whether a move can be skipped, given that another one does not lose.
    #[inline(always)]
    fn prunes_move(
        &self,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
        picker: &mut MovePicker,
    ) -> bool {
        let parameters = self.parameters();
        let Node { depth, in_check, static_eval, .. } = *node;
        let Candidate { mv, gives_check, .. } = *candidate;
        if !candidate.is_quiet {
            if !in_check
                && !gives_check
                && static_eval.is_some_and(|eval| {
                    let gain = capture_gain(mv);
                    parameters.capture_futility(depth, eval, gain, alpha)
                })
            {
                return true;
            }
            return !candidate.is_good_capture
                && parameters
                    .capture_see_threshold(depth)
                    .is_some_and(|threshold| !see_at_least(&self.position, mv, threshold));
        }
        if candidate.number >= parameters.late_move_limit(depth, node.improving) {
            picker.skip_quiets();
        }
        let reduced_depth = (depth - candidate.reduction / 1024).max(0);
        if !in_check && !gives_check {
            if parameters.history_pruning(reduced_depth, candidate.history) {
                return true;
            }
            if static_eval.is_some_and(|eval| parameters.futility(reduced_depth, eval, alpha)) {
                picker.skip_quiets();
                return true;
            }
        }
        parameters
            .quiet_see_threshold(reduced_depth)
            .is_some_and(|threshold| !see_at_least(&self.position, mv, threshold))
    }

    /// Step 17: makes a move and searches it. Late moves are searched to a lower depth with a
    /// zero window. If one turns out better than expected, it is searched again, deeper or with
    /// an open window. `best_score` is that of the moves before it.
    #[inline]
    fn search_move<N: NodeKind>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        mut new_depth: i32,
        window: Window,
        best_score: Score,
    ) -> Score {
        let Node { ply, depth, cut_node, .. } = *node;
        let Window { alpha, beta } = window;
        // Whether the move beats alpha, as the opponent sees it.
        let zero_window = Window::above(alpha).reversed();
        let number = candidate.number;
        self.do_move(ply, candidate.mv);
        let mut score = -Score::INFINITE;
        let mut full_search = !N::PV || number > 1;
        let parameters = self.parameters();
        if depth >= 2 && number > 1 + u32::from(N::ROOT) {
            let reduction = self.reduction::<N>(node, candidate);
            let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
            score = -self.search::<ZeroWindow>(ply + 1, zero_window, reduced, true);
            full_search = score > alpha && reduced < new_depth;
            if full_search {
                let (deeper, shallower) = (parameters.deeper_margin, parameters.shallower_margin);
                new_depth += i32::from(deeper > 0 && score > best_score + deeper);
                new_depth -= i32::from(shallower > 0 && score < best_score + shallower);
                full_search = reduced < new_depth;
            }
        }
        if full_search {
            score = -self.search::<ZeroWindow>(ply + 1, zero_window, new_depth, !cut_node);
        }
        if N::PV && (number == 1 || score > alpha && (N::ROOT || score < beta)) {
            score = -self.search::<N::Child>(ply + 1, window.reversed(), new_depth, false);
        }
        self.undo_move();
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Parameters;
    use crate::testing::with_worker;
    use crate::tt::{TableEntry, TableResult};
    use tsumero_control::Bound;
    use tsumero_core::Position;

    /// A move that loses by perpetual check does not let the others be skipped: nothing is known
    /// of them yet.
    #[test]
    fn moves_are_skipped_only_beside_one_that_does_not_lose() {
        // At this depth and alpha all moves are futile, and there is no razoring before.
        let (depth, alpha) = (Parameters::DEFAULT.razoring_depth + 1, Score::new(10_000));
        assert!(depth <= Parameters::DEFAULT.futility_depth);
        let position = Position::startpos();
        let child = |mv: Move| {
            let mut child = position.clone();
            child.play_unchecked(mv);
            child.key()
        };
        let first = position.parse_move("7g7f").unwrap();
        for (lost, skips) in
            [(Score::new(-15_000), true), (Score::new(-20_000), false), (Score::mated_in(9), false)]
        {
            with_worker(&position, |worker| {
                // The table's move, and its result.
                let here = TableEntry {
                    best: first.to_usi().pack(),
                    result: None,
                    static_eval: None,
                    depth: 0,
                    was_pv: false,
                };
                worker.shared.table.store(position.key(), &here);
                let result = Some(TableResult::new(-lost, 2, Bound::Exact));
                let entry = TableEntry { best: 0, result, depth: 99, ..here };
                worker.shared.table.store(child(first), &entry);

                worker.root.depth = depth;
                worker.search::<ZeroWindow>(1, Window::up_to(alpha), depth, false);
                let searched = |mv: &Move| worker.shared.table.probe(child(*mv)).is_some();
                let moves = position.legal_moves();
                let others = moves.iter().filter(|&&mv| mv != first).filter(|&mv| searched(mv));
                assert_eq!(others.count() == 0, skips, "{lost:?}");
            });
        }
    }
}

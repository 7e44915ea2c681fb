//! The main search: principal variation search in numbered steps.
//!
//! [`Worker::search`] handles a node as a whole, [`Worker::search_moves`] its moves one by one.
//! Cutoffs before the moves are in `node_pruning`, conditions and margins in `pruning`, and their
//! parameters in `parameters`.

use arrayvec::ArrayVec;
use tsumero_control::{Bound, MAX_PLY, Score};
use tsumero_core::Move;

use crate::evaluate::{Evaluator, exchange_value};
use crate::move_picker::{Experience, MovePicker, promotion_gain};
use crate::node::{Node, NodeKind, ZeroWindow, usable_bound};
use crate::node_pruning::Singular;
use crate::see::see_at_least;
use crate::tt::Entry;
use crate::worker::Worker;

/// Quiet moves or captures that were searched without a cutoff. If another move causes one, their
/// history is reduced.
pub(crate) type Tried = ArrayVec<Move, 64>;

/// The result of a node's moves so far.
struct Outcome {
    best_score: Score,
    best_move: Option<Move>,
    /// Number of legal moves seen, without the excluded one.
    number: u32,
    quiets: Tried,
    captures: Tried,
}

/// One move of a node, as pruning and reductions see it.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    /// Its number, from 1.
    number: u32,
    is_quiet: bool,
    gives_check: bool,
    /// Its history value, within ±5 times the limit of a single table.
    history: i32,
    /// Whether it is known to lose nothing in the exchange.
    wins_exchange: bool,
    /// Reduction by depth and number alone, in 1024ths of a ply.
    reduction: i32,
}

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// The value of the position within a window, searched `depth` plies deep. A result at or
    /// beyond the window is only a bound. `cut_node` says that a cutoff is expected.
    ///
    /// After an abort the result means nothing.
    pub(crate) fn search<N: NodeKind>(
        &mut self,
        ply: u32,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        cut_node: bool,
    ) -> Score {
        // Step 1. At the leaves, the quiescence search takes over.
        if depth <= 0 {
            return self.quiescence::<N>(ply, alpha, beta);
        }
        self.enter_node(ply);
        if self.is_aborted() {
            return Score::ZERO;
        }
        if N::PV {
            self.at(ply).pv.clear();
        }
        let in_check = self.position.in_check();

        if !N::ROOT {
            // Step 2. The end of the game by repetition, declaration or number of moves, and the
            // end of the stack.
            if let Some(score) = self.game_over(ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if in_check { self.draw_score() } else { self.evaluate() };
            }
            // Step 3. Mate distance pruning: no line from here is shorter than a mate already
            // found nearer to the root.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. Probe the table, except while a move is excluded: then the node is a different
        // one.
        let key = self.position.key();
        let excluded = self.at(ply).excluded;
        let entry = if excluded.is_none() { self.shared.table.probe(key) } else { None };
        let table_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            entry.and_then(|entry| self.position.unpack_move(entry.best))
        };
        if !N::PV
            && let Some(entry) = &entry
            && i32::from(entry.depth) >= depth
            && let Some(score) = usable_bound(entry, ply, beta)
        {
            if score >= beta
                && let Some(mv) = table_move
                && !mv.is_capture()
            {
                self.reward_cutoff(ply, mv, depth, &Tried::new(), &Tried::new());
            }
            return score;
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);

        // Step 5. A mate in one needs no search.
        if !N::ROOT
            && excluded.is_none()
            && let Some((mv, score)) = self.mate_now(entry.as_ref(), ply)
        {
            if N::PV {
                self.at(ply + 1).pv.clear();
                self.set_pv(ply, mv);
            }
            self.keep_mate(key, mv, score.to_table(ply), was_pv);
            return score;
        }

        // Step 6. The static value.
        let raw_eval = if in_check {
            None
        } else if excluded.is_some() {
            self.at(ply).raw_eval
        } else {
            Some(self.raw_eval(key, entry.as_ref(), was_pv))
        };
        let context = self.context(ply);
        let static_eval = raw_eval.map(|raw| self.corrected(raw, &context));
        (self.at(ply).raw_eval, self.at(ply).static_eval) = (raw_eval, static_eval);
        self.at(ply + 1).killers = [None; 2];
        self.at(ply + 2).cutoffs = 0;
        let improving = static_eval.is_some_and(|now| {
            let earlier = self.before(ply, 2).static_eval.or(self.before(ply, 4).static_eval);
            earlier.is_none_or(|earlier| now > earlier)
        });
        let mut node = Node {
            ply,
            depth,
            beta,
            cut_node,
            in_check,
            entry,
            table_move,
            table_score: entry.and_then(|entry| entry.score_at(ply)),
            was_pv,
            excluded,
            raw_eval,
            static_eval,
            improving,
            killers: self.at(ply).killers,
            table_extension: 0,
            context,
        };

        // Steps 7 to 10. Cutoffs before the moves are searched.
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, alpha)
        {
            return score;
        }

        // Step 11. Internal iterative reduction: a node without a move from the table is searched
        // to a lower depth. The next iteration will have a move.
        if (N::PV || cut_node)
            && excluded.is_none()
            && table_move.is_none()
            && depth >= self.parameters().iterative_reduction_depth
        {
            node.depth -= 1;
        }

        // Step 12. Singular extension: the table's move is extended if all others are much worse.
        if !N::ROOT {
            match self.singular_extension(&node) {
                Singular::Extend(plies) => node.table_extension = plies,
                Singular::MultiCut(score) => return score,
            }
            if self.is_aborted() {
                return Score::ZERO;
            }
        }

        // Steps 13 to 17. The moves.
        let original_alpha = alpha;
        let outcome = self.search_moves::<N>(&node, alpha);
        if self.is_aborted() {
            return Score::ZERO;
        }

        // Step 18. Without a legal move the game is lost: there is no stalemate.
        if outcome.number == 0 {
            return if excluded.is_some() { alpha } else { Score::mated_in(ply) };
        }

        self.learn(&node, &outcome, original_alpha);

        // Step 20. The result is stored.
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let bound = bound_of(outcome.best_score, original_alpha, beta);
            let entry = Entry {
                best: outcome.best_move.map_or(0, |mv| mv.to_usi().pack()),
                score: outcome.best_score.to_table(ply),
                bound: Some(bound),
                static_eval: raw_eval,
                depth: node.depth.clamp(0, MAX_PLY as i32) as u8,
                was_pv,
            };
            self.shared.table.store(key, &entry);
        }
        outcome.best_score
    }

    /// Steps 13 to 17: the moves of a node, one by one.
    fn search_moves<N: NodeKind>(&mut self, node: &Node, mut alpha: Score) -> Outcome {
        let Node { ply, depth, beta, .. } = *node;
        let parameters = self.parameters();
        let mut picker = MovePicker::new(&self.position, node.table_move, node.killers);
        let mut root_number = self.pv_index;
        let mut outcome = Outcome {
            best_score: -Score::INFINITE,
            best_move: None,
            number: 0,
            quiets: Tried::new(),
            captures: Tried::new(),
        };
        if N::ROOT {
            self.root_best = None;
        }
        loop {
            // Step 13. The next move.
            let mv = if N::ROOT {
                root_number += 1;
                self.root_moves.get(root_number - 1).map(|root| root.mv)
            } else {
                let experience =
                    Experience { history: self.history, context: &node.context, parameters };
                picker.next(&self.position, &experience)
            };
            let Some(mv) = mv else { break };
            if Some(mv) == node.excluded {
                continue;
            }
            outcome.number += 1;
            let is_quiet = !mv.is_capture();
            let candidate = Candidate {
                mv,
                number: outcome.number,
                is_quiet,
                gives_check: self.position.gives_check(mv),
                history: if is_quiet {
                    self.history.quiets(&node.context).of(mv, parameters)
                } else {
                    2 * self.history.capture(mv)
                },
                wins_exchange: !N::ROOT && picker.has_weighed_last(),
                reduction: parameters.late_move_reduction(depth, outcome.number)
                    + if node.improving { 0 } else { parameters.reduction_not_improving },
            };

            // Step 14. Pruning of late and unpromising moves, once some move does not lose.
            if !N::ROOT
                && !outcome.best_score.is_loss()
                && outcome.best_score > -Score::INFINITE
                && self.prunes_move(node, &candidate, alpha, &mut picker)
            {
                continue;
            }

            // Step 15. Extensions: of the table's move, and of checks that do not lose material.
            let mut extension = if Some(mv) == node.table_move { node.table_extension } else { 0 };
            if candidate.gives_check
                && extension == 0
                && (ply as i32) < 2 * self.root_depth
                && (candidate.wins_exchange || see_at_least(&self.position, mv, 0))
            {
                extension = 1;
            }

            // Step 16. The move is made and searched.
            let nodes_before = self.nodes;
            let new_depth = depth - 1 + extension;
            let window = (alpha, outcome.best_score);
            let score = self.search_move::<N>(node, &candidate, new_depth, window);
            if self.is_aborted() {
                return outcome;
            }

            // Step 17. The result.
            if N::ROOT {
                let window = (alpha, beta);
                let index = root_number - 1;
                self.record_root_result(index, outcome.number, score, window, nodes_before);
            }
            if score > outcome.best_score {
                outcome.best_score = score;
                if score > alpha {
                    outcome.best_move = Some(mv);
                    if score >= beta {
                        break;
                    }
                    if N::PV {
                        self.set_pv(ply, mv);
                    }
                    alpha = score;
                }
            }
            if Some(mv) != outcome.best_move {
                let tried = if is_quiet { &mut outcome.quiets } else { &mut outcome.captures };
                // A few dozen moves are enough to learn from.
                let _ = tried.try_push(mv);
            }
        }
        outcome
    }

    /// Step 14: whether a move can be skipped, given that another one does not lose.
    #[inline]
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
                    let gain = mv.captured().map_or(0, exchange_value) + promotion_gain(mv);
                    parameters.capture_futility(depth, eval, gain, alpha)
                })
            {
                return true;
            }
            return !candidate.wins_exchange
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

    /// Step 16: makes a move and searches it. Late moves are searched to a lower depth with a
    /// closed window. If one turns out better than expected, it is searched again, deeper or with
    /// an open window. `window` is alpha and the best score so far.
    #[inline]
    fn search_move<N: NodeKind>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        mut new_depth: i32,
        (alpha, best_score): (Score, Score),
    ) -> Score {
        let Node { ply, depth, beta, cut_node, .. } = *node;
        let number = candidate.number;
        self.do_move(ply, candidate.mv);
        let mut score = -Score::INFINITE;
        let mut full_search = !N::PV || number > 1;
        if depth >= 2 && number > 1 + u32::from(N::ROOT) {
            let reduction = self.reduction(node, candidate);
            let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
            score = -self.search::<ZeroWindow>(ply + 1, -alpha - 1, -alpha, reduced, true);
            full_search = score > alpha && reduced < new_depth;
            if full_search {
                let parameters = self.parameters();
                let (deeper, shallower) = (parameters.deeper_margin, parameters.shallower_margin);
                new_depth += i32::from(deeper > 0 && score > best_score + deeper);
                new_depth -= i32::from(shallower > 0 && score < best_score + shallower);
                full_search = reduced < new_depth;
            }
        }
        if full_search {
            score = -self.search::<ZeroWindow>(ply + 1, -alpha - 1, -alpha, new_depth, !cut_node);
        }
        if N::PV && (number == 1 || score > alpha && (N::ROOT || score < beta)) {
            score = -self.search::<N::Child>(ply + 1, -beta, -alpha, new_depth, false);
        }
        self.undo_move();
        score
    }

    /// The depth reduction of the first search of a late move, in 1024ths of a ply.
    #[inline]
    fn reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        let parameters = self.parameters();
        let mut reduction = candidate.reduction;
        if node.was_pv {
            reduction -= parameters.reduction_pv;
        }
        if node.cut_node {
            reduction += parameters.reduction_cut_node;
        }
        if candidate.gives_check {
            reduction -= parameters.reduction_check;
        } else if node.in_check {
            reduction -= parameters.reduction_evasion;
        }
        if !candidate.is_quiet {
            reduction -= parameters.reduction_capture;
        }
        if node.killers.contains(&Some(candidate.mv)) {
            reduction -= parameters.reduction_killer;
        }
        if node.table_move.is_some_and(|mv| mv.is_capture()) {
            reduction += parameters.reduction_table_capture;
        }
        if self.before(node.ply + 1, 0).cutoffs > 2 {
            reduction += parameters.reduction_cutoffs;
        }
        reduction - candidate.history / parameters.reduction_history
    }

    /// Step 19: learning from the result of a node.
    fn learn(&mut self, node: &Node, outcome: &Outcome, original_alpha: Score) {
        let Node { ply, depth, beta, .. } = *node;
        let best_score = outcome.best_score;
        if best_score >= beta
            && let Some(mv) = outcome.best_move
        {
            self.reward_cutoff(ply, mv, depth, &outcome.quiets, &outcome.captures);
            self.at(ply).cutoffs += 1;
        } else if best_score <= original_alpha && ply > 0 && node.excluded.is_none() {
            self.reward_unrefuted(ply, depth);
        }
        if let Some(static_eval) = node.static_eval
            && node.excluded.is_none()
            && outcome.best_move.is_none_or(|mv| !mv.is_capture())
            && best_score.is_ordinary()
        {
            let bound = bound_of(best_score, original_alpha, beta);
            let says_nothing = bound == Bound::Lower && best_score <= static_eval
                || bound == Bound::Upper && best_score >= static_eval;
            if !says_nothing {
                self.correct(&node.context, best_score - static_eval, depth);
            }
        }
    }

    /// Stores the result of a root move.
    fn record_root_result(
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
        let line = if is_best { self.before(1, 0).pv.clone() } else { Vec::new() };
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

/// Whether a score is exact or a bound, for the given window.
fn bound_of(score: Score, alpha: Score, beta: Score) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Parameters;
    use crate::testing::{plain_node, with_worker};
    use tsumero_core::Position;

    /// The correction of static values learns from results that measure a position. A win or loss
    /// by perpetual check or mate does not.
    #[test]
    fn corrections_learn_from_ordinary_results_only() {
        let position = Position::startpos();
        let correction_after = |result: Score| {
            with_worker(&position, |worker| {
                let node = plain_node(worker, 8, Score::INFINITE);
                let outcome = Outcome {
                    best_score: result,
                    best_move: position.parse_move("7g7f").ok(),
                    number: 1,
                    quiets: Tried::new(),
                    captures: Tried::new(),
                };
                worker.learn(&node, &outcome, -Score::INFINITE);
                let value = worker.evaluate();
                worker.corrected(value, &node.context) - value
            })
        };
        assert!(
            correction_after(Score::new(2_000)) > 0 && correction_after(Score::new(-2_000)) < 0
        );
        for win in [Score::new(20_000), Score::mate_in(9)] {
            assert_eq!((correction_after(win), correction_after(-win)), (0, 0), "{win:?}");
        }
    }

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
            child.play(mv);
            child.key()
        };
        let first = position.parse_move("7g7f").unwrap();
        for (lost, skips) in
            [(Score::new(-15_000), true), (Score::new(-20_000), false), (Score::mated_in(9), false)]
        {
            with_worker(&position, |worker| {
                // The table's move, and its result.
                let here = Entry {
                    best: first.to_usi().pack(),
                    score: 0,
                    bound: None,
                    static_eval: None,
                    depth: 0,
                    was_pv: false,
                };
                worker.shared.table.store(position.key(), &here);
                let score = (-lost).to_table(2);
                let result = Entry { best: 0, score, bound: Some(Bound::Exact), depth: 99, ..here };
                worker.shared.table.store(child(first), &result);

                worker.root_depth = depth;
                worker.search::<ZeroWindow>(1, alpha - 1, alpha, depth, false);
                let searched = |mv: &Move| worker.shared.table.probe(child(*mv)).is_some();
                let moves = position.legal_moves();
                let others = moves.iter().filter(|&&mv| mv != first).filter(|&mv| searched(mv));
                assert_eq!(others.count() == 0, skips, "{lost:?}");
            });
        }
    }
}

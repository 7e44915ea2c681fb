//! The main search: principal variation search in numbered steps.

use arrayvec::ArrayVec;
use tsumero_control::{Bound, MAX_PLY, Score};
use tsumero_core::Move;

use crate::history::PieceTo;
use crate::move_picker::MovePicker;
use crate::pruning;
use crate::see::see_at_least;
use crate::tt::Entry;
use crate::worker::Worker;

/// The kind of a node, decided at compile time.
pub(crate) trait Node {
    /// Whether the node may lie on the principal variation: its window is open.
    const PV: bool;
    /// Whether this is the root.
    const ROOT: bool;
    /// The kind of a child searched with an open window.
    type Child: Node;
}

/// The root.
pub(crate) struct Root;
/// A node with an open window.
pub(crate) struct Pv;
/// A node with a window of one point: it can only fail low or high.
pub(crate) struct ZeroWindow;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl Node for ZeroWindow {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = ZeroWindow;
}

/// Moves of one kind that were searched and did not cut: they are punished when another does.
type Tried = ArrayVec<Move, 64>;

impl Worker<'_> {
    /// The value of the position within a window, searched `depth` plies deep. A result at or
    /// beyond the window is only a bound. `cut_node` says that a cutoff is expected.
    ///
    /// After an abort the result means nothing.
    pub(crate) fn search<N: Node>(
        &mut self,
        ply: u32,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        cut_node: bool,
    ) -> Score {
        // Step 1. At the leaves only captures are looked at.
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
            // Step 2. The end of the game by repetition, declaration or number of moves, and of
            // the stack.
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

        // Step 4. What the table knows. While a move is excluded the node is another one.
        let key = self.position.key();
        let excluded = self.at(ply).excluded;
        let entry = if excluded.is_none() { self.shared.table.probe(key) } else { None };
        let table_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            entry.and_then(|entry| self.position.unpack_move(entry.best))
        };
        let table_score = entry.map(|entry| Score::from_table(entry.score, ply));
        let was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);
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

        // Step 5. A mate in one needs no search.
        if !N::ROOT
            && excluded.is_none()
            && let Some((mv, score)) = self.mate_now(entry.as_ref(), ply)
        {
            if N::PV {
                self.at(ply + 1).pv.clear();
                self.set_pv(ply, mv);
            }
            let entry = Entry {
                best: mv.to_usi().pack(),
                score: score.to_table(ply),
                bound: Some(Bound::Exact),
                static_eval: None,
                depth: MAX_PLY as u8,
                was_pv,
            };
            self.shared.table.store(key, &entry);
            return score;
        }

        // Step 6. The static value, and a better guess if the table has one.
        let static_eval = if in_check {
            None
        } else if excluded.is_some() {
            self.at(ply).static_eval
        } else {
            Some(entry.and_then(|entry| entry.static_eval).unwrap_or_else(|| self.evaluate()))
        };
        self.at(ply).static_eval = static_eval;
        self.at(ply + 1).killers = [None; 2];
        let improving = static_eval.is_some_and(|now| {
            let earlier = self.before(ply, 2).static_eval.or(self.before(ply, 4).static_eval);
            earlier.is_none_or(|earlier| now > earlier)
        });
        let context = self.context(ply);

        if let Some(static_eval) = static_eval
            && !N::PV
            && excluded.is_none()
        {
            let eval = match (&entry, table_score) {
                (Some(entry), Some(score)) if bound_allows(entry.bound, score > static_eval) => {
                    score
                }
                _ => static_eval,
            };

            // Step 7. Razoring.
            if pruning::razoring(depth, eval, alpha) {
                let score = self.quiescence::<ZeroWindow>(ply, alpha, alpha + 1);
                if score <= alpha {
                    return score;
                }
            }

            // Step 8. Reverse futility.
            if pruning::reverse_futility(depth, improving, eval, beta) {
                return eval.midpoint(beta);
            }

            // Step 9. Null move: who stands well even after passing need not be searched.
            if ply >= self.no_null_move_before
                && self.before(ply, 1).moved != PieceTo::NONE
                && pruning::null_move(depth, eval, static_eval, beta)
            {
                let reduced = depth - pruning::null_move_reduction(depth, eval, beta);
                self.do_null_move(ply);
                let score =
                    -self.search::<ZeroWindow>(ply + 1, -beta, -beta + 1, reduced, !cut_node);
                self.undo_null_move();
                if self.is_aborted() {
                    return Score::ZERO;
                }
                if score >= beta {
                    // A mate after passing is not proven.
                    let score = if score.is_win() { beta } else { score };
                    if depth < pruning::NULL_MOVE_VERIFICATION || self.no_null_move_before > 0 {
                        return score;
                    }
                    self.no_null_move_before = ply + (reduced.max(0) as u32) * 3 / 4 + 1;
                    let verified = self.search::<ZeroWindow>(ply, beta - 1, beta, reduced, false);
                    self.no_null_move_before = 0;
                    if verified >= beta {
                        return score;
                    }
                }
            }

            // Step 10. ProbCut: a capture that wins clearly in a shallow search wins in a deep one.
            if let Some(score) =
                self.prob_cut(ply, beta, depth, cut_node, static_eval, table_move, table_score)
            {
                return score;
            }
        }

        // Step 11. Internal iterative reduction.
        let depth = if N::PV || cut_node {
            depth - pruning::iterative_reduction(depth, table_move.is_some())
        } else {
            depth
        };

        // Step 12. The moves, one by one.
        let killers = self.at(ply).killers;
        let mut picker = MovePicker::new(&self.position, table_move, killers);
        let mut root_number = self.pv_index;
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut number: u32 = 0;
        let mut bad_quiets = Tried::new();
        let mut bad_captures = Tried::new();
        let original_alpha = alpha;
        if N::ROOT {
            self.exact_best = None;
        }
        loop {
            let mv = if N::ROOT {
                root_number += 1;
                self.root_moves.get(root_number - 1).map(|root| root.mv)
            } else {
                picker.next(&self.position, self.history, &context)
            };
            let Some(mv) = mv else { break };
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            let is_quiet = !mv.is_capture();
            let gives_check = self.position.gives_check(mv);
            let history = if is_quiet {
                self.history.quiets(&context).of(mv)
            } else {
                2 * self.history.capture(mv)
            };
            let mut reduction = pruning::late_move_reduction(depth, number);
            if !improving {
                reduction += 512;
            }

            // Step 13. Pruning of late and unpromising moves. Something must have been searched
            // that does not lose.
            if !N::ROOT && !best_score.is_loss() && best_score > -Score::INFINITE {
                let reduced_depth = (depth - reduction / 1024).max(0);
                if is_quiet {
                    if number >= pruning::late_move_limit(depth, improving) {
                        picker.skip_quiets();
                    }
                    if !in_check && !gives_check {
                        if pruning::history_pruning(reduced_depth, history) {
                            continue;
                        }
                        if static_eval
                            .is_some_and(|eval| pruning::futility(reduced_depth, eval, alpha))
                        {
                            picker.skip_quiets();
                            continue;
                        }
                    }
                    let threshold = pruning::quiet_see_threshold(reduced_depth);
                    if reduced_depth <= 7 && !see_at_least(&self.position, mv, threshold) {
                        continue;
                    }
                } else if depth <= 6
                    && !picker.has_weighed_last()
                    && !see_at_least(&self.position, mv, pruning::capture_see_threshold(depth))
                {
                    continue;
                }
            }

            // Step 14. Extensions: a table move that alone holds the node, and checks that do not
            // lose material.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == table_move
                && let (Some(entry), Some(table_score)) = (&entry, table_score)
            {
                match self.singular_extension(ply, depth, beta, cut_node, mv, entry, table_score) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return score,
                }
            }
            if self.is_aborted() {
                return Score::ZERO;
            }
            if gives_check
                && extension == 0
                && (ply as i32) < 2 * self.root_depth
                && (picker.has_weighed_last() || see_at_least(&self.position, mv, 0))
            {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;

            // Step 15. The move is made and searched: late moves less deep and with a closed
            // window, and again with more if they turn out better than thought.
            let nodes_before = self.nodes;
            self.do_move(ply, mv);
            let mut score = -Score::INFINITE;
            let mut full_search = !N::PV || number > 1;
            if depth >= 2 && number > 1 + u32::from(N::ROOT) {
                if was_pv {
                    reduction -= 1024;
                }
                if cut_node {
                    reduction += 1024;
                }
                if gives_check || in_check {
                    reduction -= 1024;
                }
                if !is_quiet {
                    reduction -= 1024;
                }
                if killers.contains(&Some(mv)) {
                    reduction -= 1024;
                }
                reduction -= history / 8;
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
                score = -self.search::<ZeroWindow>(ply + 1, -alpha - 1, -alpha, reduced, true);
                full_search = score > alpha && reduced < new_depth;
            }
            if full_search {
                score =
                    -self.search::<ZeroWindow>(ply + 1, -alpha - 1, -alpha, new_depth, !cut_node);
            }
            if N::PV && (number == 1 || score > alpha && (N::ROOT || score < beta)) {
                score = -self.search::<N::Child>(ply + 1, -beta, -alpha, new_depth, false);
            }
            self.undo_move();
            if self.is_aborted() {
                return Score::ZERO;
            }

            // Step 16. The result.
            if N::ROOT {
                self.record_root_result(
                    root_number - 1,
                    number,
                    score,
                    (alpha, beta),
                    nodes_before,
                );
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if score >= beta {
                        break;
                    }
                    if N::PV {
                        self.set_pv(ply, mv);
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move {
                let tried = if is_quiet { &mut bad_quiets } else { &mut bad_captures };
                // A few dozen moves are enough to learn from.
                let _ = tried.try_push(mv);
            }
        }

        // Step 17. Without a legal move the game is lost: there is no stalemate.
        if number == 0 {
            return if excluded.is_some() { alpha } else { Score::mated_in(ply) };
        }

        // Step 18. Learning from a cutoff.
        if best_score >= beta
            && let Some(mv) = best_move
        {
            self.reward_cutoff(ply, mv, depth, &bad_quiets, &bad_captures);
        }

        // Step 19. The result is kept.
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_score > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                best: best_move.map_or(0, |mv| mv.to_usi().pack()),
                score: best_score.to_table(ply),
                bound: Some(bound),
                static_eval,
                depth: depth.clamp(0, MAX_PLY as i32) as u8,
                was_pv,
            };
            self.shared.table.store(key, &entry);
        }
        best_score
    }

    /// Notes what the search of a root move gave.
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
            self.exact_best = (score > alpha && score < beta).then_some(root.mv);
            root.score = score;
            root.seldepth = seldepth;
            root.pv.truncate(1);
            root.pv.extend(line);
        } else {
            // All others keep their order behind the best.
            root.score = -Score::INFINITE;
        }
    }

    /// ProbCut: the score to return, if a capture refutes the node.
    #[expect(clippy::too_many_arguments, reason = "the node's own variables, read only")]
    fn prob_cut(
        &mut self,
        ply: u32,
        beta: Score,
        depth: i32,
        cut_node: bool,
        static_eval: Score,
        table_move: Option<Move>,
        table_score: Option<Score>,
    ) -> Option<Score> {
        let goal = beta + pruning::PROBCUT_MARGIN;
        if depth < pruning::PROBCUT_DEPTH
            || beta.is_mate()
            || table_score.is_some_and(|score| score < goal)
        {
            return None;
        }
        let reduced = depth - pruning::PROBCUT_REDUCTION;
        let context = self.context(ply);
        let mut picker =
            MovePicker::winning_captures(&self.position, table_move, goal - static_eval);
        while let Some(mv) = picker.next(&self.position, self.history, &context) {
            self.do_move(ply, mv);
            let mut score = -self.quiescence::<ZeroWindow>(ply + 1, -goal, -goal + 1);
            if score >= goal {
                score = -self.search::<ZeroWindow>(ply + 1, -goal, -goal + 1, reduced, !cut_node);
            }
            self.undo_move();
            if self.is_aborted() {
                return Some(Score::ZERO);
            }
            if score >= goal {
                let entry = Entry {
                    best: mv.to_usi().pack(),
                    score: score.to_table(ply),
                    bound: Some(Bound::Lower),
                    static_eval: Some(static_eval),
                    depth: (reduced + 1) as u8,
                    was_pv: false,
                };
                self.shared.table.store(self.position.key(), &entry);
                return Some(if score.is_win() { beta } else { score - pruning::PROBCUT_MARGIN });
            }
        }
        None
    }

    /// Whether the table's move is the only one that holds the node: the others are searched
    /// without it, less deep and against a lower goal.
    #[expect(clippy::too_many_arguments, reason = "the node's own variables, read only")]
    fn singular_extension(
        &mut self,
        ply: u32,
        depth: i32,
        beta: Score,
        cut_node: bool,
        mv: Move,
        entry: &Entry,
        table_score: Score,
    ) -> Singular {
        let trusted = matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && i32::from(entry.depth) >= depth - 3
            && !table_score.is_mate();
        if depth < 7
            || !trusted
            || self.at(ply).excluded.is_some()
            || ply as i32 >= 2 * self.root_depth
        {
            return Singular::Extend(0);
        }
        let goal = table_score - 2 * depth;
        self.at(ply).excluded = Some(mv);
        let score = self.search::<ZeroWindow>(ply, goal - 1, goal, (depth - 1) / 2, cut_node);
        self.at(ply).excluded = None;
        if score < goal {
            Singular::Extend(1)
        } else if goal >= beta {
            // Without its best move the node still fails high: so does the node.
            Singular::MultiCut(goal)
        } else if table_score >= beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }

    /// A move refuted the node: it gains, and those tried before it lose.
    fn reward_cutoff(&mut self, ply: u32, mv: Move, depth: i32, quiets: &Tried, captures: &Tried) {
        let bonus = (170 * depth - 80).clamp(60, 1600);
        if mv.is_capture() {
            self.history.update_capture(mv, bonus);
        } else {
            let context = self.context(ply);
            self.history.update_quiet(mv, &context, bonus);
            for &tried in quiets {
                self.history.update_quiet(tried, &context, -bonus);
            }
            let killers = &mut self.at(ply).killers;
            if killers[0] != Some(mv) {
                killers[1] = killers[0];
                killers[0] = Some(mv);
            }
        }
        for &tried in captures {
            self.history.update_capture(tried, -bonus);
        }
    }
}

/// What the test for a single good move found.
enum Singular {
    /// Search the move so many plies deeper.
    Extend(i32),
    /// The node fails high whatever the move.
    MultiCut(Score),
}

/// The table's score, if it decides a window closed at `beta`.
#[inline]
pub(crate) fn usable_bound(entry: &Entry, ply: u32, beta: Score) -> Option<Score> {
    let score = Score::from_table(entry.score, ply);
    bound_allows(entry.bound, score >= beta).then_some(score)
}

/// Whether a score of this kind says something about values above (or below) it.
#[inline]
fn bound_allows(bound: Option<Bound>, above: bool) -> bool {
    match bound {
        Some(Bound::Exact) => true,
        Some(Bound::Lower) => above,
        Some(Bound::Upper) => !above,
        None => false,
    }
}

//! The main search: principal variation search in numbered steps.
//!
//! [`Worker::search`] handles a node as a whole. Its moves are searched in `node_moves`. Cutoffs
//! before the moves are in `node_pruning`, their conditions in `pruning`, and all margins in
//! `parameters`.

use tsumero_control::{MAX_PLY, Score};

use crate::danger::hanging;
use crate::evaluate::Evaluator;
use crate::node::{Doubt, Node, NodeKind};
use crate::node_moves::{NodeResult, Tried};
use crate::node_pruning::TableMove;
use crate::tt::{TableEntry, TableResult};
use crate::window::Window;
use crate::worker::Worker;

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// The value of the position within a window, searched `depth` plies deep. A result at or
    /// beyond the window is only a bound. `cut_node` says that a cutoff is expected.
    ///
    /// After an abort the result means nothing.
    pub(crate) fn search<N: NodeKind>(
        &mut self,
        ply: u32,
        mut window: Window,
        depth: i32,
        cut_node: bool,
    ) -> Score {
        // Step 1. At the leaves, the quiescence search takes over.
        if depth <= 0 {
            return self.quiescence::<N>(ply, window);
        }
        self.enter_node(ply);
        if self.is_aborted() {
            return Score::ZERO;
        }
        if N::PV {
            self.at(ply).pv.clear();
        }

        if !N::ROOT {
            // Step 2. The end of the game by repetition or number of moves.
            if let Some(score) = self.game_over(ply) {
                return score;
            }
            // Step 3. Mate distance pruning: no line from here is shorter than a mate already
            // found nearer to the root.
            window.alpha = window.alpha.max(Score::mated_in(ply));
            window.beta = window.beta.min(Score::mate_in((ply + 1).min(MAX_PLY)));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }
        let Window { alpha, beta } = window;

        // Step 4. Probe the table, except while a move is excluded: then the node is a different
        // one.
        let key = self.position.key();
        self.compute_attacks();
        let excluded = self.at(ply).excluded;
        let entry = if excluded.is_none() { self.shared.table.probe(key) } else { None };
        if !N::PV
            && let Some(entry) = &entry
            && i32::from(entry.depth) >= depth
            && let Some(score) = entry.deciding_score(ply, beta)
        {
            if score >= beta
                && let Some(mv) = self.position.unpack_move(entry.best)
                && !mv.is_capture()
            {
                let parameters = self.parameters();
                self.note_danger(ply);
                let bonus = parameters.history_bonus(depth);
                self.reward_cutoff(ply, mv, bonus, 0, &Tried::new(), &Tried::new());
            }
            return score;
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);
        let table_move = if N::ROOT {
            self.root.moves.get(self.root.line_index).map(|root| root.mv)
        } else {
            self.table_move(entry.as_ref())
        };

        // Step 5. A declaration or a mate in one needs no search.
        if !N::ROOT
            && let Some(score) = self.end_of_line(ply)
        {
            return score;
        }
        let in_check = self.position.in_check();
        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.mate_now::<N>(ply, key, entry.as_ref())
        {
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
        let attacked = self.note_danger(ply);
        let mut node = Node {
            ply,
            depth,
            window,
            cut_node,
            in_check,
            entry,
            table_move,
            table_score: entry.and_then(|entry| entry.score_at(ply)),
            was_pv,
            excluded,
            raw_eval,
            static_eval: None,
            doubt: Doubt::default(),
            improving: false,
            killers: self.at(ply).killers,
            table_extension: 0,
            context: self.context(ply),
        };
        if let Some(raw) = raw_eval {
            let value = self.corrected(raw, &node.context, &attacked);
            node.static_eval = Some(value);
            let earlier = self.before(ply, 2).static_eval.or(self.before(ply, 4).static_eval);
            node.improving = earlier.is_none_or(|earlier| value > earlier);
            node.doubt.correction = (value - raw).abs();
            let position = self.position.position();
            node.doubt.hanging = hanging(position, &attacked, position.side_to_move());
            if excluded.is_none() {
                self.learn_from_static_values(ply, value);
            }
        }
        node.doubt.pressure = node.context.danger.pressure(&self.position);
        let static_eval = node.static_eval;
        (self.at(ply).raw_eval, self.at(ply).static_eval) = (raw_eval, static_eval);
        self.at(ply + 1).killers = [None; 2];
        self.at(ply + 2).cutoffs = 0;

        // Steps 7 to 10. Cutoffs before the moves are searched.
        if !N::PV
            && let Some(score) = self.prune_node(&mut node)
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

        // Step 12. ProbCut by the table, also in check.
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.table_prob_cut(&node)
        {
            return score;
        }

        // Step 13. Singular extension: the table's move is extended if all others are much worse.
        if !N::ROOT {
            match self.judge_table_move(&node) {
                TableMove::Extension(plies) => node.table_extension = plies,
                TableMove::Cutoff(score) => return score,
            }
            if self.is_aborted() {
                return Score::ZERO;
            }
        }

        // Steps 14 to 18. The moves.
        let mut result = NodeResult::new();
        self.search_moves::<N>(&node, &mut result);
        if self.is_aborted() {
            return Score::ZERO;
        }

        // Step 19. Without a legal move the game is lost: there is no stalemate.
        if result.move_count == 0 {
            return match static_eval {
                _ if excluded.is_some() => alpha,
                // All moves were overlooked.
                Some(value) if self.position.has_legal_move() => value,
                _ => Score::mated_in(ply),
            };
        }

        // Step 20. The tables learn.
        let is_whole = if N::ROOT {
            self.root.line_index == 0 && !self.root.is_restricted
        } else {
            excluded.is_none()
        };
        self.learn(&node, &result, is_whole);

        // Step 21. The result is stored, unless moves were left out.
        if is_whole {
            let bound = window.bound_of(result.best_score);
            let entry = TableEntry {
                best: result.best_move.map_or(0, |mv| mv.to_usi().pack()),
                result: Some(TableResult::new(result.best_score, ply, bound)),
                static_eval: raw_eval,
                depth: node.depth.clamp(0, MAX_PLY as i32) as u8,
                was_pv,
            };
            self.shared.table.store(key, &entry);
        }
        result.best_score
    }
}

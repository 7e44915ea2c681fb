//! How deep the moves and nodes of the main search are searched, and when the table is trusted.

use tsumero_control::Score;

use crate::evaluate::Evaluator;
use crate::near::near;
use crate::node::{Node, NodeKind};
use crate::node_moves::Candidate;
use crate::tt::TableEntry;
use crate::worker::Worker;

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// The depth reduction of the first search of a late move, in 1024ths of a ply.
    #[inline]
    pub(crate) fn reduction<N: NodeKind>(&self, node: &Node, candidate: &Candidate) -> i32 {
        let is_open = N::PV;
        let parameters = self.parameters();
        let mut reduction = candidate.reduction + parameters.reduction_late
            - parameters.reduction_number * candidate.number as i32
            - parameters.reduction_correction * node.doubt.correction;
        if node.was_pv {
            reduction -= parameters.reduction_pv;
            if is_open {
                reduction -= parameters.reduction_open;
            }
            if node.table_score.is_none_or(|score| score >= node.window.beta) {
                reduction -= parameters.reduction_pv_score;
            }
            if node.entry.is_some_and(|entry| i32::from(entry.depth) >= node.depth) {
                reduction -= parameters.reduction_pv_depth;
            }
        }
        if node.cut_node {
            reduction += parameters.reduction_cut_node;
            if node.table_move.is_none() {
                reduction += parameters.reduction_cut_no_move;
            }
        }
        if candidate.gives_check {
            reduction -= parameters.reduction_check;
        } else if node.in_check {
            reduction -= parameters.reduction_evasion;
        }
        if !candidate.is_quiet {
            reduction -= parameters.reduction_capture;
        }
        if parameters.reduction_near_king != 0
            && near(self.position.king(!candidate.mv.color())).contains(candidate.mv.to())
        {
            reduction -= parameters.reduction_near_king;
        }
        if node.killers.contains(&Some(candidate.mv)) {
            reduction -= parameters.reduction_killer;
        }
        if node.table_move.is_some_and(|mv| mv.is_capture()) {
            reduction += parameters.reduction_table_capture;
        }
        let cutoffs = self.entry(node.ply + 1).cutoffs;
        let is_all_node = !node.cut_node && !is_open;
        if cutoffs > 2 {
            reduction += parameters.reduction_cutoffs;
        }
        if cutoffs > 1 && is_all_node {
            reduction += parameters.reduction_cutoffs_all;
        }
        reduction -= candidate.history / parameters.reduction_history;
        if is_all_node {
            reduction += reduction * parameters.reduction_all_node / (1024 * (node.depth + 1));
        }
        reduction
    }

    /// Whether an entry of the table that is deep enough may cut a node at once.
    #[inline]
    pub(crate) fn trusts_table(
        &self,
        entry: &TableEntry,
        score: Score,
        beta: Score,
        depth: i32,
        cut_node: bool,
    ) -> bool {
        self.parameters().table_strict == 0
            || i32::from(entry.depth) >= depth + i32::from(score > beta)
                && (depth > 5 || cut_node == (score >= beta))
    }

    /// The change of depth, in plies, of a node that was reached by a reduced search, once its static
    /// value is known.
    #[inline]
    pub(crate) fn hindsight(&self, ply: u32, depth: i32, static_eval: Score) -> i32 {
        let parameters = self.parameters();
        let parent = self.before(ply, 1);
        let sum = parent.static_eval.map(|before| before.value() + static_eval.value());
        let deeper = parameters.hindsight_deeper;
        if deeper > 0 && parent.reduced_by >= deeper && sum.is_none_or(|sum| sum <= 0) {
            1
        } else if parameters.hindsight_shallower > 0
            && parent.reduced_by >= 2
            && depth >= 2
            && sum.is_some_and(|sum| sum > parameters.hindsight_shallower)
        {
            -1
        } else {
            0
        }
    }
}

//! How much less deep late moves are searched.

use crate::evaluate::Evaluator;
use crate::near::near;
use crate::node::{Node, NodeKind};
use crate::node_moves::Candidate;
use crate::worker::Worker;

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// The depth reduction of the first search of a late move, in 1024ths of a ply.
    #[inline]
    pub(crate) fn reduction<N: NodeKind>(&self, node: &Node, candidate: &Candidate) -> i32 {
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
        if cutoffs > 2 {
            reduction += parameters.reduction_cutoffs;
        }
        if cutoffs > 1 && !node.cut_node && !N::PV {
            reduction += parameters.reduction_cutoffs_all;
        }
        reduction - candidate.history / parameters.reduction_history
    }
}

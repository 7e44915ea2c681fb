//! How much less deep late moves are searched: at first by depth and number of the move alone, then
//! with all that is known of the node and the move.

use crate::evaluate::Evaluator;
use crate::near::near;
use crate::node::{Node, NodeKind};
use crate::node_moves::Candidate;
use crate::parameters::Parameters;
use crate::worker::Worker;

impl Parameters {
    /// Late-move reduction in 1024ths of a ply, before adjustments.
    #[inline]
    pub(crate) fn late_move_reduction(&self, depth: i32, move_number: u32) -> i32 {
        let depth = LOGARITHMS[depth.clamp(1, 127) as usize];
        let number = LOGARITHMS[move_number.clamp(1, 127) as usize];
        self.reduction_base + depth * number / self.reduction_divisor
    }
}

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

/// Natural logarithms of 1 to 127 in 1024ths. They are computed with integers, so they are the same
/// on every machine.
const LOGARITHMS: [i32; 128] = {
    let mut table = [0; 128];
    let mut number = 1;
    while number < 128 {
        table[number] = natural_logarithm(number as u64);
        number += 1;
    }
    table
};

/// 1024 ln(n): the binary logarithm digit by digit (squaring doubles it), times ln 2.
const fn natural_logarithm(number: u64) -> i32 {
    let whole = number.ilog2() as u64;
    // The mantissa, from 1 to 2, with 30 fractional bits.
    let mut mantissa = (number << 30) >> whole;
    let mut binary = whole;
    let mut digit = 0;
    while digit < 16 {
        mantissa = (mantissa * mantissa) >> 30;
        binary *= 2;
        if mantissa >= 2 << 30 {
            mantissa >>= 1;
            binary += 1;
        }
        digit += 1;
    }
    // binary / 2^16 * 1024 * ln 2, with ln 2 = 45426 / 65536.
    ((binary * 45_426) >> 22) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_logarithms_are_close_to_the_real_ones() {
        for number in 1..128 {
            let real = f64::from(number).ln() * 1024.0;
            let ours = f64::from(LOGARITHMS[number as usize]);
            assert!((real - ours).abs() < 1.5, "{number}: {ours} instead of {real}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        for depth in 2..100 {
            for number in 2..100 {
                let here = Parameters::DEFAULT.late_move_reduction(depth, number);
                assert!(here <= Parameters::DEFAULT.late_move_reduction(depth + 1, number));
                assert!(here <= Parameters::DEFAULT.late_move_reduction(depth, number + 1));
                assert!(here / 1024 <= depth);
            }
        }
        assert_eq!(Parameters::DEFAULT.late_move_reduction(10, 1) / 1024, 0);
    }
}

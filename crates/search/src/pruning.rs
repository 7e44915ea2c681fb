//! The rules by which the search looks at less than everything, one function each.
//!
//! Depths are in plies, margins in the units of the evaluation (a pawn is about 90, and a pawn
//! that changes hands about 170).

use tsumero_control::Score;

/// Reverse futility: so far above beta, no quiet reply will bring the score back.
#[inline]
pub(crate) fn reverse_futility(depth: i32, improving: bool, eval: Score, beta: Score) -> bool {
    depth <= 8
        && !eval.is_mate()
        && !beta.is_mate()
        && eval - (130 * depth - if improving { 100 } else { 0 }) >= beta
}

/// Razoring: so far below alpha that only a capture can help; the quiescence search decides.
#[inline]
pub(crate) fn razoring(depth: i32, eval: Score, alpha: Score) -> bool {
    depth <= 4 && eval + (300 + 250 * depth * depth) <= alpha
}

/// Null move: whether passing is worth a try.
#[inline]
pub(crate) fn null_move(depth: i32, eval: Score, static_eval: Score, beta: Score) -> bool {
    depth >= 2 && eval >= beta && static_eval + 20 * depth >= beta + 100 && !beta.is_loss()
}

/// Null move: how many plies less the search after passing goes.
#[inline]
pub(crate) fn null_move_reduction(depth: i32, eval: Score, beta: Score) -> i32 {
    3 + depth / 3 + ((eval - beta) / 300).min(3)
}

/// From this depth on a null-move cutoff is verified by a search without null moves.
pub(crate) const NULL_MOVE_VERIFICATION: i32 = 12;

/// ProbCut (Buro 1995): a capture that beats beta by this much in a shallow search is trusted to
/// beat beta in the full one.
pub(crate) const PROBCUT_MARGIN: i32 = 260;
/// From this depth on ProbCut is tried; its search is this much shallower.
pub(crate) const PROBCUT_DEPTH: i32 = 5;
pub(crate) const PROBCUT_REDUCTION: i32 = 4;

/// Internal iterative reduction: without a move from the table a node is searched less deep, and
/// the next iteration will have a move.
#[inline]
pub(crate) fn iterative_reduction(depth: i32, has_table_move: bool) -> i32 {
    i32::from(depth >= 4 && !has_table_move)
}

/// Late-move pruning: after so many moves of a shallow node no quiet move is looked at.
#[inline]
pub(crate) fn late_move_limit(depth: i32, improving: bool) -> u32 {
    let limit = 4 + depth * depth;
    (if improving { limit } else { limit / 2 + 1 }) as u32
}

/// Futility: a quiet move near the leaves cannot make up for so much.
#[inline]
pub(crate) fn futility(reduced_depth: i32, static_eval: Score, alpha: Score) -> bool {
    reduced_depth <= 7 && static_eval + (150 + 120 * reduced_depth) <= alpha
}

/// The least exchange value a quiet move must keep near the leaves.
#[inline]
pub(crate) fn quiet_see_threshold(reduced_depth: i32) -> i32 {
    -30 * reduced_depth * reduced_depth
}

/// The least exchange value a capture must keep near the leaves.
#[inline]
pub(crate) fn capture_see_threshold(depth: i32) -> i32 {
    -150 * depth
}

/// History pruning: a quiet move with so bad a record is not looked at near the leaves.
#[inline]
pub(crate) fn history_pruning(reduced_depth: i32, history: i32) -> bool {
    reduced_depth <= 3 && history < -5000 * reduced_depth.max(1)
}

/// Quiescence: what a capture must promise beyond the standing value to be looked at.
pub(crate) const QUIESCENCE_MARGIN: i32 = 200;

/// Late-move reduction in 1024ths of a ply, before adjustments.
#[inline]
pub(crate) fn late_move_reduction(depth: i32, move_number: u32) -> i32 {
    let depth = LOGARITHMS[depth.clamp(1, 127) as usize];
    let number = LOGARITHMS[move_number.clamp(1, 127) as usize];
    400 + depth * number / 2300
}

/// Natural logarithms of 1 to 127 in 1024ths, computed with integers only so that every machine
/// has the same.
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
    // The mantissa, 1 to 2, in 32nds of a billion: 2^30 stands for 1.
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
                let here = late_move_reduction(depth, number);
                assert!(here <= late_move_reduction(depth + 1, number));
                assert!(here <= late_move_reduction(depth, number + 1));
                assert!(here / 1024 <= depth);
            }
        }
        assert_eq!(late_move_reduction(10, 1) / 1024, 0);
    }
}

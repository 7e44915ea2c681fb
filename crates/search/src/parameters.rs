//! All parameters of the search that can be tuned, in one table.
//!
//! In an ordinary build they are constants. With the feature `tune`, each search has its own
//! parameters ([`Settings::parameters`](crate::Settings)). So two configurations can play each
//! other in one process, and a tuner can set parameters by name.

use std::ops::Deref;

/// The description of one parameter.
///
/// A tuner sets parameters within their ranges:
///
/// ```
/// use tsumero_search::{ParameterInfo, Parameters};
/// let mut parameters = Parameters::DEFAULT;
/// let table = Parameters::TABLE;
/// let window: &ParameterInfo = table.iter().find(|info| info.name == "window").unwrap();
/// assert!(window.description.contains("aspiration window"));
/// let wanted = window.default + 1000 * window.step;
/// parameters.set(window.name, wanted.clamp(window.min, window.max));
/// assert_eq!(parameters.window, window.max);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterInfo {
    /// The name under which it is set.
    pub name: &'static str,
    /// What it does and its unit.
    pub description: &'static str,
    /// The value in ordinary builds.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
    /// The smallest change that should show in games. A tuner begins with it.
    pub step: i32,
}

/// Writes the struct, its default and its table from one list: `name: default, min..=max, step;`
/// below the documentation of each parameter.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal, $min:literal..=$max:literal, $step:literal;)+) => {
        /// The parameters of the search. Scores are in units of the evaluation (a pawn in hand is
        /// about 90), reductions in 1024ths of a ply, history values within ±8192. Only with the
        /// feature `tune` does a search take them from its settings.
        ///
        /// ```
        /// use tsumero_search::Parameters;
        /// let mut parameters = Parameters::DEFAULT;
        /// let names = Parameters::TABLE.iter().map(|info| info.name);
        /// assert_eq!(names.filter(|&name| parameters.get(name).is_none()).count(), 0);
        /// // A name as a tuner reads it, or the field of that name:
        /// assert!(parameters.set("window", 40));
        /// parameters.malus = 190;
        /// assert_eq!((parameters.window, parameters.get("malus")), (40, Some(190)));
        /// assert!(!parameters.set("no_such_number", 1));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        impl Parameters {
            /// The values of ordinary builds.
            pub const DEFAULT: Parameters = Parameters { $($name: $default,)+ };

            /// The descriptions of all parameters, in the order of their declaration.
            pub const TABLE: &[ParameterInfo] = &[$(ParameterInfo {
                name: stringify!($name),
                description: concat!($($doc),+).trim_ascii(),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)+];

            /// The parameter with a name; `None` if there is none.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// Sets the parameter with a name, and returns whether there is one. The range is not
            /// checked.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

parameters! {
    /// Half the width of the first aspiration window.
    window: 48, 5..=200, 8;
    /// The window grows by the last score divided by this.
    window_divisor: 40, 5..=400, 10;

    /// Reverse futility: deepest node, in plies.
    reverse_futility_depth: 13, 2..=14, 1;
    /// Reverse futility: margin for each ply.
    reverse_futility: 120, 40..=300, 20;
    /// Reverse futility: how much less where the side to move is improving.
    reverse_futility_improving: 160, 0..=600, 30;
    /// Reverse futility: how much more for each unit by which the static value was corrected, in
    /// 1024ths.
    reverse_futility_correction: 740, 0..=2000, 150;
    /// Reverse futility: how much more for the most valuable piece that hangs, in 16ths of its value.
    reverse_futility_hanging: 3, -16..=32, 3;
    /// Reverse futility: how much more for each attacked square near the king.
    reverse_futility_king: 4, -32..=64, 4;
    /// Reverse futility: the share of the estimate in the score returned, in 1024ths; the rest is
    /// beta.
    reverse_futility_share: 640, 0..=1024, 80;

    /// Mate search at the root: a mate by the side to move may take one node in this many.
    mate_attack_share: 7, 3..=1000, 3;
    /// Mate search at the root: mates by the opponent may take one node in this many.
    mate_defense_share: 16, 3..=1000, 6;

    /// Razoring: deepest node, in plies.
    razoring_depth: 4, 0..=10, 1;
    /// Razoring: margin at depth 0.
    razoring_base: 380, 50..=1600, 60;
    /// Razoring: margin, times the depth squared.
    razoring: 250, 50..=1000, 40;

    /// Null move: how far the static value must be above beta at depth 0.
    null_move_margin: 500, -200..=1000, 40;
    /// Null move: how much less for each ply.
    null_move_depth: 20, 0..=60, 5;
    /// Null move: how much less where the side to move is improving.
    null_move_improving: 60, 0..=200, 20;
    /// Null move: how much further for the most valuable piece that hangs, in 16ths of its value.
    null_move_hanging: 3, -16..=32, 3;
    /// Null move: reduction at depth 0, in plies.
    null_move_base: 7, 1..=8, 1;
    /// Null move: plies of depth for one ply more of reduction.
    null_move_divisor: 3, 2..=8, 1;
    /// Null move: depth from which a cutoff is verified, in plies.
    null_move_verification: 16, 6..=30, 2;

    /// ProbCut: how far a capture must beat beta in a shallow search.
    probcut_margin: 260, 80..=600, 40;
    /// ProbCut: how much less where the side to move is improving.
    probcut_improving: 80, 0..=200, 20;
    /// ProbCut: how far a lower bound in the table, at most four plies too shallow, must beat beta
    /// to cut the node at once; 0 for never.
    probcut_table_margin: 500, 0..=900, 50;
    /// ProbCut: least depth, in plies.
    probcut_depth: 4, 3..=10, 1;
    /// ProbCut: how much shallower its search is, in plies.
    probcut_reduction: 4, 2..=7, 1;

    /// Internal iterative reduction: least depth, in plies.
    iterative_reduction_depth: 4, 2..=10, 1;

    /// Late-move pruning: moves, captures included, that a node of depth 0 would search.
    late_move_base: 6, 1..=12, 1;
    /// Late-move pruning: more moves for each squared ply, in 1024ths.
    late_move_factor: 1350, 300..=3000, 150;

    /// Futility: deepest node after reduction, in plies.
    futility_depth: 7, 3..=14, 1;
    /// Futility: margin at depth 0.
    futility_base: 110, -300..=500, 30;
    /// Futility: margin for each ply.
    futility: 98, 40..=300, 15;
    /// Futility of captures: deepest node, in plies; 0 for never.
    capture_futility_depth: 6, 0..=10, 2;
    /// Futility of captures: margin at depth 0.
    capture_futility_base: 300, 0..=900, 60;
    /// Futility of captures: margin for each ply.
    capture_futility: 250, 50..=600, 40;

    /// Exchange pruning of quiet moves: deepest node after reduction, in plies.
    quiet_see_depth: 7, 3..=12, 1;
    /// Exchange pruning of quiet moves: the loss that is allowed, times the depth squared.
    quiet_see: 44, 5..=100, 6;
    /// Exchange pruning of captures: deepest node, in plies.
    capture_see_depth: 6, 3..=12, 1;
    /// Exchange pruning of captures: the loss that is allowed, for each ply.
    capture_see: 215, 30..=400, 30;

    /// History pruning: deepest node after reduction, in plies.
    history_pruning_depth: 3, 0..=10, 1;
    /// History pruning: how bad the history must be, for each ply.
    history_pruning: 5000, 1000..=12000, 700;

    /// Quiescence: once a move saves the king, evasions after which no quiet one is tried. Captures,
    /// which come first, count.
    quiescence_evasions: 2, 0..=20, 1;
    /// Quiescence: margin added to the static value and the gain of a capture; if the sum is below
    /// alpha, the capture is skipped.
    quiescence_margin: 240, 50..=500, 30;

    /// Late-move reduction: the basic reduction of every late move.
    reduction_base: 680, -500..=1500, 120;
    /// Late-move reduction: divisor of the product of the logarithms of depth and move number.
    reduction_divisor: 2300, 1200..=4500, 200;
    /// Late-move reduction: how much more where the side to move is not improving.
    reduction_not_improving: 512, 0..=1500, 120;
    /// Late-move reduction: how much less at nodes that were on a principal variation.
    reduction_pv: 1024, 0..=4000, 200;
    /// Late-move reduction: how much more where a cutoff is expected.
    reduction_cut_node: 1024, 0..=5000, 200;
    /// Late-move reduction: how much less for checks.
    reduction_check: 1024, 0..=2500, 200;
    /// Late-move reduction: how much less for evasions.
    reduction_evasion: 750, 0..=2500, 200;
    /// Late-move reduction: how much less for captures.
    reduction_capture: 1024, 0..=2500, 200;
    /// Late-move reduction: how much less for moves to within two squares of the opponent's king.
    reduction_near_king: 300, -1000..=2500, 200;
    /// Late-move reduction: how much less for killers.
    reduction_killer: 1024, 0..=2500, 200;
    /// Late-move reduction: how much more where the table's move is a capture.
    reduction_table_capture: 600, 0..=2500, 200;
    /// Late-move reduction: how much more where replies have caused more than two cutoffs.
    reduction_cutoffs: 1000, 0..=2500, 200;
    /// Late-move reduction: how much more where no cutoff is expected and replies have caused more
    /// than one.
    reduction_cutoffs_all: 220, 0..=2500, 200;
    /// Late-move reduction: divisor of the history value.
    reduction_history: 8, 3..=30, 1;
    /// After a reduced search that fails high: one ply deeper above this margin; 0 for never.
    deeper_margin: 60, 0..=400, 30;
    /// After a reduced search that fails high: one ply less below this margin; 0 for never.
    shallower_margin: 10, 0..=60, 6;

    /// Singular extension: least depth, in plies.
    singular_depth: 7, 4..=12, 1;
    /// Singular extension: how far below the table's score the other moves must stay, for each ply,
    /// in 16ths.
    singular_margin: 32, 4..=120, 6;
    /// Singular extension: reduction in plies if the other moves are as good and the table's score
    /// is above beta.
    negative_extension_beta: 1, 0..=4, 1;
    /// Singular extension: reduction in plies if the other moves are as good and a cutoff is
    /// expected.
    negative_extension: 1, 0..=4, 1;

    /// History bonus for each ply of depth.
    bonus: 200, 50..=400, 25;
    /// History bonus: offset that is subtracted.
    bonus_offset: 80, -200..=400, 40;
    /// History bonus: its maximum.
    bonus_limit: 1600, 600..=4000, 200;
    /// History bonus of a capture, relative to that of a quiet move, in 1024ths.
    bonus_capture: 1100, 300..=2500, 120;
    /// History malus of the moves tried before a cutoff, for each ply of depth.
    malus: 250, 50..=900, 25;
    /// History malus: offset that is subtracted.
    malus_offset: 80, -200..=400, 40;
    /// History malus: its maximum.
    malus_limit: 1600, 600..=4000, 200;
    /// Bonus of a quiet move that no reply refutes, relative to that of a cutoff, in 1024ths.
    unrefuted: 700, 0..=2000, 150;
    /// History of a quiet move: weight of the change of the static value that it brought, in 16ths.
    feedback: 25, 0..=400, 20;

    /// Ordering: bonus of a quiet move that gives check.
    order_check: 8200, 0..=20000, 1000;
    /// Ordering: bonus of a quiet move to within two squares of the opponent's king.
    order_near_king: 650, -3000..=8000, 400;
    /// Ordering: bonus for leaving an attacked square and malus for entering one, in 16ths of the
    /// exchange value.
    order_danger: 64, 0..=200, 8;
    /// Ordering: the weight of the history after the last move, in 16ths.
    order_history1: 19, 0..=64, 3;
    /// Ordering: the weight of the history two plies ago, in 16ths.
    order_history2: 16, 0..=64, 3;
    /// Ordering: the weight of the history four plies ago, in 16ths.
    order_history4: 8, 0..=32, 2;
    /// Ordering of captures: the weight of history, in 16ths.
    order_capture_history: 8, 0..=40, 2;
    /// Good captures: how much less the exchange must win for each unit of the capture's history, in
    /// 1024ths.
    order_capture_exchange: 96, 0..=256, 16;

    /// Static value: how much more for the opponent's most valuable hanging piece, in 16ths of its value.
    static_hanging_theirs: 3, -16..=32, 1;
    /// Correction of the static value by results of positions after the same move, in 1024ths.
    correction_move: 350, 0..=2048, 100;
    /// Correction by positions with the same hands, in 1024ths.
    correction_hands: 700, 0..=2048, 100;
    /// Correction by positions with both kings on the same squares, in 1024ths.
    correction_kings: 700, 0..=2048, 100;
    /// Correction by positions with the same pawns, in 1024ths.
    correction_pawns: 1400, 0..=3000, 150;
    /// Correction by positions with the same lances, knights, silvers, golds and promoted small pieces, in
    /// 1024ths.
    correction_small: 900, 0..=3000, 150;
    /// Correction by positions in which one side's pieces other than pawns are the same, in 1024ths.
    correction_army: 1600, 0..=3000, 150;
    /// Correction by positions after the same last move and the same move two plies ago, in
    /// 1024ths.
    correction_pair2: 900, 0..=3000, 150;
    /// Correction by positions after the same last move and the same move four plies ago, in
    /// 1024ths.
    correction_pair4: 900, 0..=3000, 150;
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters::DEFAULT
    }
}

#[cfg(test)]
impl Parameters {
    /// The values of ordinary builds, but the static value is not corrected.
    pub(crate) const WITHOUT_CORRECTIONS: Parameters = Parameters {
        static_hanging_theirs: 0,
        correction_move: 0,
        correction_hands: 0,
        correction_kings: 0,
        correction_pawns: 0,
        correction_small: 0,
        correction_army: 0,
        correction_pair2: 0,
        correction_pair4: 0,
        ..Parameters::DEFAULT
    };
}

/// The parameters of a search, for types that keep them. In an ordinary build they are the
/// constants, which the compiler computes with; a reference would hide that.
#[derive(Clone, Copy)]
pub(crate) struct ParametersRef<'a> {
    #[cfg(any(feature = "tune", test))]
    parameters: &'a Parameters,
    #[cfg(not(any(feature = "tune", test)))]
    parameters: std::marker::PhantomData<&'a Parameters>,
}

impl<'a> ParametersRef<'a> {
    /// The parameters of a search. An ordinary build takes the constants instead.
    #[inline]
    pub(crate) fn new(parameters: &'a Parameters) -> ParametersRef<'a> {
        #[cfg(any(feature = "tune", test))]
        return ParametersRef { parameters };
        #[cfg(not(any(feature = "tune", test)))]
        {
            let _ = parameters;
            ParametersRef { parameters: std::marker::PhantomData }
        }
    }
}

impl Deref for ParametersRef<'_> {
    type Target = Parameters;

    #[inline(always)]
    fn deref(&self) -> &Parameters {
        #[cfg(any(feature = "tune", test))]
        return self.parameters;
        #[cfg(not(any(feature = "tune", test)))]
        &Parameters::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_found_by_its_name_and_lies_in_its_range() {
        let mut parameters = Parameters::DEFAULT;
        for info in Parameters::TABLE {
            assert_eq!(parameters.get(info.name), Some(info.default), "{}", info.name);
            assert!((info.min..=info.max).contains(&info.default), "{}", info.name);
            assert!(info.step > 0 && info.step <= info.max - info.min, "{}", info.name);
            assert!(!info.description.trim().is_empty(), "{}", info.name);
            assert!(parameters.set(info.name, info.max));
            assert_eq!(parameters.get(info.name), Some(info.max), "{}", info.name);
        }
        assert!(!parameters.set("no_such_number", 1));
        assert_eq!(parameters.get("no_such_number"), None);
    }
}

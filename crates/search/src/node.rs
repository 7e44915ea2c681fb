//! A node, as the parts of the search see it.

use tsumero_control::Score;
use tsumero_core::Move;

use crate::lookup::Context;
use crate::tt::TableEntry;
use crate::window::Window;

/// The kind of a node, decided at compile time.
pub(crate) trait NodeKind {
    /// Whether the node may lie on the principal variation: its window is open.
    const PV: bool;
    /// Whether this is the root.
    const ROOT: bool;
    /// The kind of a child searched with an open window.
    type Child: NodeKind;
}

/// The root.
pub(crate) struct Root;
/// A node with an open window.
pub(crate) struct Pv;
/// A node with a zero window, which is one point wide: it can only fail low or high.
pub(crate) struct ZeroWindow;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl NodeKind for ZeroWindow {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = ZeroWindow;
}

/// A node of the main search, after the table has been probed and the static value is known.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    /// Distance from the root.
    pub(crate) ply: u32,
    /// Plies left to search.
    pub(crate) depth: i32,
    /// The window of the whole node.
    pub(crate) window: Window,
    /// Whether a cutoff is expected.
    pub(crate) cut_node: bool,
    pub(crate) in_check: bool,
    /// The entry in the table; `None` while a move is excluded.
    pub(crate) entry: Option<TableEntry>,
    /// The table's move, if it is legal here.
    pub(crate) table_move: Option<Move>,
    /// The table's score, with mates counted from the root; `None` if it has only a static value.
    pub(crate) table_score: Option<Score>,
    /// Whether the node is or ever was part of a principal variation.
    pub(crate) was_pv: bool,
    /// The excluded move, while the search tests whether the others come close to it.
    pub(crate) excluded: Option<Move>,
    /// The static value from the evaluation; `None` in check.
    pub(crate) raw_eval: Option<Score>,
    /// The static value with its corrections; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// What speaks against the static value.
    pub(crate) doubt: Doubt,
    /// Whether the side to move stands better than two plies ago.
    pub(crate) improving: bool,
    /// Quiet moves that refuted sister nodes.
    pub(crate) killers: [Option<Move>; 2],
    /// The extension of the table's move, in plies.
    pub(crate) table_extension: i32,
    /// What the history tables know of the node.
    pub(crate) context: Context,
}

/// What speaks against the static value of a node.
#[derive(Clone, Copy, Default)]
pub(crate) struct Doubt {
    /// By how much it was corrected, in units of the evaluation, at least 0.
    pub(crate) correction: i32,
    /// The exchange value of the most valuable piece that the opponent can take for nothing, or 0.
    pub(crate) hanging: i32,
    /// Number of squares near the king that the opponent attacks.
    pub(crate) pressure: i32,
}

impl Node {
    /// The best estimate of the node's value before it is searched: the static value, or the
    /// table's score if its bound tells more.
    #[inline]
    pub(crate) fn estimate(&self, static_eval: Score) -> Score {
        let known = self.entry.and_then(|entry| entry.better_estimate(self.ply, static_eval));
        known.unwrap_or(static_eval)
    }
}

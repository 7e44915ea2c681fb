//! What the mate searches at the root have spent and found so far (`mate_extension.rs`).

use tsumero_core::Move;

use crate::root_moves::RootLine;

/// The state of the mate searches at the root.
#[derive(Default)]
pub(crate) struct RootMates {
    /// Whether the search is restricted to some of the legal moves. A mate must begin with one of
    /// them.
    pub(crate) only_root_moves: bool,
    /// Nodes spent on a mate by the side to move.
    pub(crate) attack: u64,
    /// Whether more nodes would change nothing.
    pub(crate) attack_done: bool,
    /// Nodes spent on mates by the opponent.
    pub(crate) defense: u64,
    /// Best moves after which no mate can be found.
    pub(crate) safe: Vec<Move>,
    /// The moves that were removed from the root moves, with the mates that they allow.
    pub(crate) refuted: Vec<RootLine>,
}

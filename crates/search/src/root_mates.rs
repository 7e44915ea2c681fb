//! What the mate searches at the root have spent and found so far (`mate_extension.rs`).

use tsumero_core::Move;

use crate::root_moves::RootLine;

/// The state of the mate searches at the root.
#[derive(Default)]
pub(crate) struct RootMates {
    /// Nodes spent on a mate by the side to move.
    pub(crate) attack_nodes: u64,
    /// Whether more nodes would change nothing.
    pub(crate) attack_done: bool,
    /// The shortest mate by the side to move that is proven. It stays among the lines whatever the
    /// iterations after it find.
    pub(crate) proven: Option<RootLine>,
    /// Nodes spent on mates by the opponent.
    pub(crate) defense_nodes: u64,
    /// Best moves after which no mate can be found.
    pub(crate) safe: Vec<Move>,
    /// The moves that were removed from the root moves, with the mates that they allow.
    pub(crate) refuted: Vec<RootLine>,
    /// The best line of an iteration, from when its move is removed from the root moves until another
    /// one is known.
    pub(crate) removed: Option<RootLine>,
}

impl RootMates {
    /// Puts the proven mate before the lines of an iteration, of which `line_count` are wanted, unless
    /// they have one that is as short.
    pub(crate) fn put_first(&self, lines: &mut Vec<RootLine>, line_count: usize) {
        let Some(mate) = &self.proven else { return };
        let Some(best) = lines.first().filter(|best| best.score < mate.score) else { return };
        let mate = RootLine { depth: best.depth, ..mate.clone() };
        lines.retain(|line| line.pv[0] != mate.pv[0]);
        lines.insert(0, mate);
        lines.truncate(line_count);
    }

    /// Replaces the lines of an iteration by the removed move that lasts longest, if they lose sooner. No
    /// lines are those of no moves. Returns whether it does.
    pub(crate) fn put_longest(&self, lines: &mut Vec<RootLine>, depth: u32) -> bool {
        let longest = self.refuted.iter().max_by_key(|line| line.score);
        let Some(longest) =
            longest.filter(|longest| lines.first().is_none_or(|best| best.score < longest.score))
        else {
            return false;
        };
        *lines = vec![RootLine { depth, ..longest.clone() }];
        true
    }
}

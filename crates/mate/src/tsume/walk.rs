//! What a walk over the longest lines of a problem looks for, and what it has found.

use std::collections::HashSet;

use tsumero_core::Move;

use crate::watch::MateUnknown;

/// How much longer than the solution a second solution may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Longer {
    /// Only mates of the same length.
    No,
    /// Mates up to this many plies longer, an even number.
    Plies(u32),
    /// Any mate: every other check is proven not to mate.
    Any,
}

/// Which second solutions to look for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quest {
    /// How much longer they may be.
    pub(super) longer: Longer,
    /// Stop after this many.
    pub(super) most: usize,
    /// Whether to stop at the first check that cannot be decided. Otherwise the search goes on,
    /// because a certain flaw elsewhere would be a better answer.
    pub(super) gives_up: bool,
}

/// A second solution: the line to its position, and the second check.
pub(super) type Flaw = (Vec<Move>, Move);

/// A walk over all longest lines.
pub(super) struct Walk {
    pub(super) quest: Quest,
    /// Why some check could not be decided.
    pub(super) unknown: Option<MateUnknown>,
    pub(super) flaws: Vec<Flaw>,
    /// The moves to the position reached.
    pub(super) line: Vec<Move>,
    /// The keys of the positions that need not be visited any more.
    pub(super) seen: HashSet<u64>,
}

impl Walk {
    pub(super) fn new(quest: Quest) -> Walk {
        Walk { quest, unknown: None, flaws: Vec::new(), line: Vec::new(), seen: HashSet::new() }
    }

    /// Remembers why something could not be decided.
    pub(super) fn note(&mut self, reason: MateUnknown) {
        self.unknown = Some(self.unknown.map_or(reason, |known| reason.worse(known)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_reason_is_told_unless_one_was_a_fault_of_the_program() {
        use MateUnknown::{Broken, Depth, Nodes};
        let mut walk = Walk::new(Quest { longer: Longer::Any, most: 1, gives_up: false });
        let told = [Depth, Nodes, Broken, Depth].map(|reason| {
            walk.note(reason);
            walk.unknown
        });
        assert_eq!(told, [Depth, Nodes, Broken, Broken].map(Some));
    }
}

//! Where the main search asks for a mate, and what it trusts.
//!
//! Before a node that is not in check is searched, the static test looks for a mate in one. A
//! move it names is trusted without being searched: the test is exact. Its `None` is exact too,
//! so a node that the table knows is not asked again: every node below the root was asked before
//! its first entry was written, and if it had a mate the entry says so.

use tsumero_core::{Move, Position};

use crate::score::Score;
use crate::tt::Entry;

/// A mating move and its score, if the node has one. `entry` is what the table knows of it.
#[inline]
pub(crate) fn mate_now(
    position: &Position,
    entry: Option<&Entry>,
    ply: u32,
) -> Option<(Move, Score)> {
    let mate = Score::mate_in(ply + 1);
    let mv = match entry {
        _ if position.in_check() => None,
        Some(entry) if entry.score == mate.to_table(ply) => position.unpack_move(entry.best),
        Some(_) => None,
        None => position.mate_in_one(),
    };
    mv.map(|mv| (mv, mate))
}

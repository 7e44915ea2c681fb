//! What a node of the search is asked, and what it decides of its quiet moves.

use tsumero_control::Score;

/// What a node is asked: its score, if that lies between `alpha` and `beta`, by a search of this depth.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) ply: u32,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) depth: i32,
}

impl Task {
    /// Whether more is asked than on which side of the window the score lies.
    pub(super) fn is_pv(self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// A node of the main search whose moves may be searched.
pub(super) struct Node {
    pub(super) task: Task,
    pub(super) key: u64,
    /// Whether the piece of the side to move that is certainly the king is attacked.
    pub(super) king_attacked: bool,
    pub(super) eval: Score,
}

impl Node {
    /// Whether a quiet move, the `number`th from 0, is left out: it is late, near the leaves, and
    /// the earlier ones have raised the window only to `alpha`.
    pub(super) fn skips_quiet(&self, number: usize, alpha: Score) -> bool {
        let depth = self.task.depth;
        if self.task.is_pv() || self.king_attacked || depth > 3 {
            return false;
        }
        let enough = 8 + 10 * (depth * depth) as usize;
        let is_hopeless = self.eval + 120 * depth + 100 <= alpha;
        number > enough || number > 2 && is_hopeless
    }

    /// How much less deep the `number`th move is searched, if it is quiet.
    pub(super) fn reduction(&self, number: usize) -> i32 {
        let depth = self.task.depth;
        if depth < 2 || number < 3 || self.king_attacked {
            return 0;
        }
        1 + i32::from(number >= 10) + i32::from(number >= 30 && depth >= 4)
    }
}

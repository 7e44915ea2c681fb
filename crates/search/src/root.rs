//! What a thread knows of the root: its moves, and what the current iteration has shown of them.

use tsumero_control::{Bound, Score};
use tsumero_core::Move;

use crate::root_mates::RootMates;
use crate::root_moves::{RootLine, RootMove};
use crate::window::Window;

/// The state of one thread's search at the root.
pub(crate) struct RootState {
    /// The moves that are searched, the best one first once an iteration is finished.
    pub(crate) moves: Vec<RootMove>,
    /// The last move that raised alpha in the current root search, and whether its result lies
    /// inside the window (exact) or above it (a lower bound).
    pub(crate) best: Option<(Move, Bound)>,
    /// The move that beat the window in the current iteration, with a lower bound of its score.
    pub(crate) failed_high: Option<(Move, Score)>,
    /// Index of the line being searched. The moves before it are final.
    pub(crate) line_index: usize,
    /// Depth of the current iteration.
    pub(crate) depth: i32,
    /// The iteration is in vain once another thread has finished this depth: `depth`, or
    /// [`Team::DEEPEST`](crate::team::Team::DEEPEST) if a finished depth is searched again.
    pub(crate) team_depth: u32,
    /// Whether legal moves were left out: others than the wanted ones, some that lose, or some that a
    /// level does not think of.
    pub(crate) is_restricted: bool,
    /// The state of the mate searches.
    pub(crate) mates: RootMates,
}

/// What the search of a root move has come to.
pub(crate) struct RootResult<'a> {
    pub(crate) score: Score,
    /// The window in which it was searched.
    pub(crate) window: Window,
    /// Nodes searched below it.
    pub(crate) nodes: u64,
    /// Greatest distance from the root that was reached.
    pub(crate) seldepth: u32,
    /// The best line after it.
    pub(crate) line: &'a [Move],
}

impl RootState {
    /// Nothing has been searched yet.
    pub(crate) fn new(moves: Vec<RootMove>, is_restricted: bool) -> RootState {
        RootState {
            moves,
            best: None,
            failed_high: None,
            line_index: 0,
            depth: 0,
            team_depth: 0,
            is_restricted,
            mates: RootMates::default(),
        }
    }

    /// The lines of a finished iteration.
    pub(crate) fn lines(&self, count: usize) -> Vec<RootLine> {
        let depth = self.depth as u32;
        self.moves.iter().take(count).map(|root| RootLine::of(root, depth)).collect()
    }

    /// The best move of the current iteration, if its result is exact: the first move has been
    /// searched in the present window, and the result of the best one lies inside the window.
    pub(crate) fn exact_best(&self) -> Option<&RootMove> {
        let (best, bound) = self.best?;
        if bound != Bound::Exact {
            return None;
        }
        self.moves.iter().find(|root| root.mv == best)
    }

    /// The move that took most nodes of those that are not known to lose.
    pub(crate) fn most_searched(&self) -> Option<Move> {
        let open = self.moves.iter().filter(|root| !root.is_lost);
        open.max_by_key(|root| root.nodes).map(|root| root.mv)
    }

    /// Stores the result of the move with a number, counted from 1 in the line being searched.
    pub(crate) fn record(&mut self, number: u32, result: &RootResult<'_>) {
        let &RootResult { score, window, nodes, seldepth, line } = result;
        let root = &mut self.moves[self.line_index + number as usize - 1];
        root.nodes += nodes;
        root.is_lost = score.is_loss();
        if number == 1 || score > window.alpha {
            let bound = window.bound_of(score);
            self.best = (bound != Bound::Upper).then_some((root.mv, bound));
            root.score = score;
            root.seldepth = seldepth;
            root.pv.truncate(1);
            root.pv.extend_from_slice(line);
        } else {
            // All others keep their order after the best.
            root.score = -Score::INFINITE;
        }
    }

    /// Orders the moves as if this thread had finished the iteration with the result `lines`.
    pub(crate) fn reorder(&mut self, lines: &[RootLine]) {
        for root in &mut self.moves {
            root.score = -Score::INFINITE;
        }
        for (index, line) in lines.iter().enumerate() {
            if let Some(at) = self.moves.iter().position(|root| root.mv == line.pv[0]) {
                let mut root = self.moves.remove(at);
                (root.score, root.seldepth) = (line.score, line.seldepth);
                root.pv.clone_from(&line.pv);
                self.moves.insert(index.min(at), root);
            }
        }
    }
}

//! The moves at the root with their results, the lines that come of them, and their order.

use tsumero_control::Score;
use tsumero_core::{Filter, Game, Line, Move, Repetition};

/// A legal move at the root, with its results.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Result in the current iteration; minus infinity if it did not beat the others.
    pub(crate) score: Score,
    /// Result of the iteration before.
    pub(crate) previous_score: Score,
    /// Greatest distance from the root that was reached.
    pub(crate) seldepth: u32,
    /// The line, beginning with the move itself.
    pub(crate) pv: Vec<Move>,
    /// Nodes searched below the move in the whole search.
    pub(crate) nodes: u64,
    /// Whether the current iteration has shown that the move loses. A score that is only an upper
    /// bound shows it, too.
    pub(crate) is_lost: bool,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            seldepth: 0,
            pv: vec![mv],
            nodes: 0,
            is_lost: false,
        }
    }
}

/// A finished line at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootLine {
    pub(crate) score: Score,
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    pub(crate) pv: Vec<Move>,
}

impl RootLine {
    /// The line of a root move whose search is finished.
    pub(crate) fn of(root: &RootMove, depth: u32) -> RootLine {
        RootLine { score: root.score, depth, seldepth: root.seldepth, pv: root.pv.clone() }
    }
}

/// The moves to choose from, and whether they are only the wanted ones: if none of these is legal, they are
/// all legal moves. Idle non-promotions come only where they may save a game that could end by repetition.
/// What loses at once by perpetual check comes last: without a result, the first move is played.
pub(crate) fn root_moves(game: &Game, wanted: &[Move]) -> (Vec<RootMove>, bool) {
    let mut moves = game.legal_moves();
    moves.retain(|mv| wanted.contains(mv));
    let ends = game.may_end_by_repetition();
    let is_restricted = !moves.is_empty();
    if !is_restricted {
        game.generate(if ends { Filter::ALL } else { Filter::USEFUL }, &mut moves);
    }
    let mut moves: Vec<RootMove> = moves.into_iter().map(RootMove::new).collect();
    if ends {
        let mut line = Line::from(game);
        moves.sort_by_cached_key(|root| {
            line.do_move(root.mv);
            let repetition = line.repetition();
            line.undo_move();
            repetition == Some(Repetition::PerpetualCheck { by: root.mv.color() })
        });
    }
    (moves, is_restricted)
}

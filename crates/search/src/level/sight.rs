//! What a level overlooks when it looks ahead.
//!
//! People overlook long moves of bishops, rooks and lances, drops, and jumps of knights more easily
//! than short moves, and they see a piece being taken back. Which other moves are overlooked follows from
//! the move and from the seed of the search, so the whole search overlooks nearly the same moves in a
//! position, however it is reached.

use tsumero_control::Score;
use tsumero_core::{GOLDEN_GAMMA, Move, PieceKind, Position, mix};

use super::Weakness;
use crate::evaluate::{
    AttackEvaluator, EvaluationFunction, Evaluator, NetworkEvaluator, material_score,
};

/// Which moves a search overlooks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlindSpots {
    pub(super) seed: u64,
    pub(super) weakness: &'static Weakness,
}

impl BlindSpots {
    /// Whether a move inside the tree is overlooked.
    fn hides(&self, mv: Move) -> bool {
        let Weakness { overlooked, overlooked_captures, alert, .. } = *self.weakness;
        let share = match mv.captured() {
            None => overlooked,
            Some(kind) if alert && is_major(kind) => 0,
            Some(_) => overlooked_captures,
        };
        self.is_drawn(mv, share)
    }

    /// Whether the player does not think of an own move at the root.
    pub(super) fn forgets(&self, mv: Move) -> bool {
        if self.weakness.alert && is_major(mv.kind()) {
            return false;
        }
        // Another lot than inside the tree.
        BlindSpots { seed: !self.seed, ..*self }.is_drawn(mv, self.weakness.forgotten)
    }

    /// Draws a lot for a move. It is hit with a probability of `share` percent, changed by how
    /// easily such a move is overlooked.
    fn is_drawn(&self, mv: Move, share: u32) -> bool {
        let lot =
            mix(self.seed ^ u64::from(mv.to_usi().pack()).wrapping_mul(GOLDEN_GAMMA)) % 10_000;
        // 0 and 100 percent mean never and always.
        share >= 100 || lot < u64::from(share * subtlety(mv))
    }
}

/// Whether the piece is a bishop or a rook, promoted or not.
fn is_major(kind: PieceKind) -> bool {
    matches!(kind.unpromoted(), PieceKind::Bishop | PieceKind::Rook)
}

/// How easily a move is overlooked, in percent of an ordinary one.
fn subtlety(mv: Move) -> u32 {
    let is_long = mv.from().is_some_and(|from| {
        let [files, ranks] = [
            from.file().number().abs_diff(mv.to().file().number()),
            from.rank().number().abs_diff(mv.to().rank().number()),
        ];
        files.max(ranks) >= 3
    });
    match mv.kind() {
        _ if is_long => 130,
        PieceKind::Knight => 120,
        _ if mv.is_drop() => 120,
        _ if mv.promotes() => 70,
        _ => 90,
    }
}

/// What a [`BlindEvaluator`] is made of.
#[derive(Clone, Copy)]
pub(crate) struct BlindSource<'a> {
    pub(crate) evaluation_function: &'a EvaluationFunction,
    pub(crate) spots: BlindSpots,
}

/// Evaluates as the chosen evaluation does, for a player with blind spots.
pub(crate) struct BlindEvaluator<'a> {
    evaluator: Inner<'a>,
    spots: BlindSpots,
}

#[expect(clippy::large_enum_variant, reason = "there is one for each search")]
enum Inner<'a> {
    AttackMaps(AttackEvaluator),
    Network(NetworkEvaluator<'a>),
}

impl<'a> Evaluator<'a> for BlindEvaluator<'a> {
    type Source = BlindSource<'a>;

    fn new(source: BlindSource<'a>, root: &Position) -> BlindEvaluator<'a> {
        let evaluator = match source.evaluation_function {
            EvaluationFunction::AttackMaps => Inner::AttackMaps(AttackEvaluator::new((), root)),
            EvaluationFunction::Network(network) => {
                Inner::Network(NetworkEvaluator::new(network, root))
            }
        };
        BlindEvaluator { evaluator, spots: source.spots }
    }

    fn push(&mut self, before: &Position, mv: Move) {
        match &mut self.evaluator {
            Inner::AttackMaps(evaluator) => evaluator.push(before, mv),
            Inner::Network(evaluator) => evaluator.push(before, mv),
        }
    }

    fn push_null(&mut self) {
        match &mut self.evaluator {
            Inner::AttackMaps(evaluator) => evaluator.push_null(),
            Inner::Network(evaluator) => evaluator.push_null(),
        }
    }

    fn pop(&mut self) {
        match &mut self.evaluator {
            Inner::AttackMaps(evaluator) => evaluator.pop(),
            Inner::Network(evaluator) => evaluator.pop(),
        }
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        let value = match &mut self.evaluator {
            Inner::AttackMaps(evaluator) => evaluator.evaluate(position),
            Inner::Network(evaluator) => evaluator.evaluate(position),
        };
        let knowledge = self.spots.weakness.knowledge;
        if knowledge >= 100 {
            return value;
        }
        let pieces = material_score(position);
        pieces + (value - pieces) * knowledge / 100
    }

    fn overlooks(&self, mv: Move) -> bool {
        self.spots.hides(mv)
    }
}

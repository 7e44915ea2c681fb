//! Evaluation for quantum shogi: expected material, how well the king is hidden, and mobility.

use tsumero_control::{Evaluation, Score};
use tsumero_core::{ByColor, Color};

use crate::army::Army;
use crate::kind_set::{Kind, KindSet};
use crate::piece::PieceId;
use crate::position::Position;

/// Values by kind: unpromoted on the board, promoted, in hand. A king counts as much as its
/// activity is worth. Its loss is the end of the game, not a loss of material.
const VALUES: [[i32; 8]; 3] = [
    [90, 315, 405, 495, 540, 855, 990, 500],
    [540, 540, 540, 540, 540, 1050, 1250, 500],
    [110, 340, 430, 530, 580, 900, 1080, 500],
];
/// The cost of a known king's exposure. Two candidates halve it, and so on.
const EXPOSED_KING: i32 = 700;
/// The value of attacking a piece that is certainly the king. Two candidates halve it.
const KING_ATTACK: i32 = 160;
/// The value of each square that a piece can go to.
const MOBILITY: i32 = 4;
/// The value of the right to move, which keeps scores of odd and even depths close.
const TEMPO: i32 = 20;

/// The weight of each kind of an army in the mean over a set: the number of its pieces divided by
/// the number of pieces that can be one. The exact odds cost a thousand times as much. These
/// weights are the first step of the iteration that computes the odds, and they rank sets nearly as
/// well.
pub(crate) struct Weights([f32; 8]);

impl Weights {
    pub(crate) fn of(army: &Army) -> Weights {
        let mut candidates = [0u32; 8];
        for set in army.sets() {
            for (kind, count) in candidates.iter_mut().enumerate() {
                *count += u32::from(set.bits() >> kind & 1);
            }
        }
        let weight = |kind: Kind| f32::from(kind.count()) / candidates[kind.index()].max(1) as f32;
        Weights(Kind::ALL.map(weight))
    }

    /// The expected value of a piece with the given kinds.
    pub(crate) fn value(&self, kinds: KindSet, row: usize) -> i32 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (kind, (&weight, &value)) in self.0.iter().zip(&VALUES[row]).enumerate() {
            let weight = if kinds.bits() >> kind & 1 != 0 { weight } else { 0.0 };
            sum += weight * value as f32;
            total += weight;
        }
        (sum / total) as i32
    }
}

/// Expected material, king safety and mobility of both colors, and the right to move.
fn parts(position: &Position) -> [ByColor<i32>; 4] {
    let weights = Color::ALL.map(|color| Weights::of(position.army(color)));
    let mut material = ByColor([0; 2]);
    let mut candidates = ByColor([0i32; 2]);
    for piece in PieceId::all() {
        let kinds = position.kinds(piece);
        let row = match (position.square_of(piece), position.is_promoted(piece)) {
            (None, _) => 2,
            (_, promoted) => usize::from(promoted),
        };
        material[position.owner(piece)] += weights[piece.side().index()].value(kinds, row);
        candidates[piece.side()] += i32::from(kinds.contains(Kind::King));
    }
    let mut king = ByColor([0; 2]);
    let mut mobility = ByColor([0; 2]);
    for color in Color::ALL {
        king[color] -= EXPOSED_KING / candidates[color].max(1);
        let attack = KING_ATTACK / candidates[!color].max(1);
        position.for_each_reached(color, |target| {
            mobility[color] += MOBILITY;
            if target.is_some_and(|piece| position.kinds(piece).contains(Kind::King)) {
                king[color] += attack;
            }
        });
    }
    let mut tempo = ByColor([0; 2]);
    tempo[position.side_to_move()] = TEMPO;
    [material, king, mobility, tempo]
}

/// The value of a position for the side to move, with its parts. It does not recognize a finished
/// game.
pub fn evaluate(position: &Position) -> Evaluation {
    let parts = parts(position);
    let names = ["material", "king", "mobility", "tempo"];
    let total = total(&parts, position.side_to_move());
    Evaluation { parts: names.into_iter().zip(parts).collect(), total }
}

/// The value alone.
pub(crate) fn value(position: &Position) -> Score {
    total(&parts(position), position.side_to_move())
}

fn total(parts: &[ByColor<i32>], us: Color) -> Score {
    Score::new(parts.iter().map(|part| part[us] - part[!us]).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_even_but_for_the_move() {
        let evaluation = evaluate(&Position::startpos());
        for (name, values) in &evaluation.parts[..3] {
            assert_eq!(values[Color::Black], values[Color::White], "{name}");
        }
        assert_eq!(evaluation.total, Score::new(TEMPO));
    }

    #[test]
    fn both_colors_are_judged_alike() {
        // Both sides make the same moves, one ply apart.
        let mut position = Position::startpos();
        for word in ["7g7f", "3c3d", "8h6h", "2b4b"] {
            let m = position.parse_move(word).expect("legal");
            position.play(m).expect("legal");
        }
        let evaluation = evaluate(&position);
        for (name, values) in &evaluation.parts[..3] {
            assert_eq!(values[Color::Black], values[Color::White], "{name}");
        }
        let sum =
            evaluation.parts.iter().map(|(_, values)| values[Color::Black] - values[Color::White]);
        assert_eq!(evaluation.total.value(), sum.sum::<i32>());
    }

    #[test]
    fn a_settled_rook_is_worth_more_than_a_settled_pawn() {
        let weights = Weights::of(&Army::new());
        let value = |kind| weights.value(KindSet::of(&[kind]), 0);
        assert_eq!(value(Kind::Rook), 990);
        let open = weights.value(KindSet::ALL, 0);
        assert!(value(Kind::Pawn) < open && open < value(Kind::Rook));
        // The mean over a side: nine pawns out of twenty weigh most.
        assert!((250..450).contains(&open), "{open}");
    }
}

//! Evaluation for quantum shogi: expected material, how well the king is hidden, mobility, and what
//! is attacked. It is a sum of weights, so it can be fitted to games (`examples/fit.rs`).

use tsumero_control::{Evaluation, Score};
use tsumero_core::{ByColor, Color};

use crate::army::Army;
use crate::kind_set::{Kind, KindSet};
use crate::piece::PieceId;
use crate::position::Position;

/// Values by kind: unpromoted on the board, promoted, in hand. A king counts as much as its
/// activity is worth. Its loss is the end of the game, not a loss of material.
const VALUES: [[f32; 8]; 3] = [
    [80.0, 360.0, 480.0, 490.0, 380.0, 850.0, 815.0, 470.0],
    [515.0, 510.0, 360.0, 555.0, 540.0, 820.0, 1320.0, 500.0],
    [110.0, 395.0, 520.0, 520.0, 665.0, 940.0, 1090.0, 500.0],
];
/// The value of being one of so many that can be the king, by [`candidate_class`].
const HIDDEN_KING: [f32; 8] = [-995.0, -315.0, -218.0, -176.0, -126.0, -87.0, -61.0, -40.0];
/// The value of each attack on the piece that is certainly the king.
const KING_ATTACK: f32 = 170.0;
/// The value of each attack on a piece that can be the king, divided by the number of them.
const CANDIDATE_ATTACK: f32 = 160.0;
/// The value of each square that a piece can go to.
const MOBILITY: f32 = 4.0;
/// What attacking a piece is worth, as a share of its value: if the attacker is to move, and if not.
const ATTACKED: [f32; 2] = [0.2, 0.18];
/// The value of the right to move, which keeps scores of odd and even depths close.
const TEMPO: f32 = 20.0;

/// The number of weights.
pub const WEIGHT_COUNT: usize = 24 + 8 + 6;

/// The weights in the order of [`features`].
pub fn weights() -> [f32; WEIGHT_COUNT] {
    let mut weights = [0.0; WEIGHT_COUNT];
    let [by_attacker_to_move, by_other] = ATTACKED;
    let tail = [KING_ATTACK, CANDIDATE_ATTACK, MOBILITY, by_attacker_to_move, by_other, TEMPO];
    let all = VALUES.iter().flatten().chain(&HIDDEN_KING).chain(&tail);
    weights.iter_mut().zip(all).for_each(|(weight, &value)| *weight = value);
    weights
}

/// How often each weight counts in a position, as Black sees it: the sum of the products with
/// [`weights`] is the value for Black before it is rounded.
///
/// ```
/// use tsumero_quantum::{Position, evaluate, features, weights};
///
/// let position = Position::startpos();
/// let sum: f32 = features(&position).iter().zip(weights()).map(|(n, w)| n * w).sum();
/// assert!((sum - evaluate(&position).total.value() as f32).abs() < 2.0);
/// ```
pub fn features(position: &Position) -> [f32; WEIGHT_COUNT] {
    let shares = shares(position);
    let mut features = [0.0; WEIGHT_COUNT];
    for (color, sign) in [(Color::Black, 1.0), (Color::White, -1.0)] {
        let share = &shares[color];
        let (material, rest) = features.split_at_mut(24);
        material.iter_mut().zip(share.material.iter().flatten()).for_each(|(f, n)| *f += sign * n);
        let (hidden, rest) = rest.split_at_mut(8);
        hidden[candidate_class(share.candidates)] += sign;
        let sure = usize::from(shares[!color].candidates != 1);
        rest[sure] += sign * share.king_attacks;
        rest[2] += sign * share.mobility;
        let waits = usize::from(position.side_to_move() != color);
        rest[3 + waits] += sign * share.attacked;
        rest[5] += sign * (1 - waits) as f32;
    }
    features
}

/// What one color has.
#[derive(Clone, Copy, Default)]
struct Share {
    /// Expected numbers of pieces: unpromoted on the board, promoted, in hand.
    material: [[f32; 8]; 3],
    /// Number of its first pieces that can be the king.
    candidates: u32,
    /// Attacks on pieces that can be the other color's king, divided by the number of these.
    king_attacks: f32,
    /// Squares that its pieces can go to.
    mobility: f32,
    /// Value of the other color's pieces that it attacks.
    attacked: f32,
}

/// The class of a number of pieces that can be the king.
fn candidate_class(candidates: u32) -> usize {
    match candidates {
        0..=4 => candidates.saturating_sub(1) as usize,
        5..=6 => 4,
        7..=9 => 5,
        10..=13 => 6,
        _ => 7,
    }
}

/// The weight of each kind of an army in the mean over a set: the number of its pieces divided by
/// the number of pieces that can be one. The exact odds cost a thousand times as much. These
/// weights are the first step of the iteration that computes the odds, and they rank sets nearly as
/// well.
pub(crate) struct Weights([f32; 8]);

/// For each set, 1 for the kinds that it has and 0 for the others.
static CONTAINED: [[f32; 8]; 256] = {
    let mut table = [[0.0; 8]; 256];
    let mut bits = 0;
    while bits < 256 * 8 {
        if (bits / 8) >> (bits % 8) & 1 != 0 {
            table[bits / 8][bits % 8] = 1.0;
        }
        bits += 1;
    }
    table
};

impl Weights {
    pub(crate) fn of(army: &Army) -> Weights {
        let mut candidates = [0.0f32; 8];
        for set in army.sets() {
            let contained = &CONTAINED[usize::from(set.bits())];
            candidates.iter_mut().zip(contained).for_each(|(count, one)| *count += one);
        }
        let weight = |kind: Kind| f32::from(kind.count()) / candidates[kind.index()].max(1.0);
        Weights(Kind::ALL.map(weight))
    }

    /// How likely each kind is for a piece with the given kinds.
    #[inline]
    fn shares(&self, kinds: KindSet) -> [f32; 8] {
        let contained = &CONTAINED[usize::from(kinds.bits())];
        let mut shares = [0.0; 8];
        for (share, (weight, one)) in shares.iter_mut().zip(self.0.iter().zip(contained)) {
            *share = weight * one;
        }
        let [a, b, c, d, e, f, g, h] = shares;
        let total = ((a + e) + (b + f)) + ((c + g) + (d + h));
        shares.map(|share| share / total)
    }

    /// The expected value of a piece with the given kinds.
    pub(crate) fn value(&self, kinds: KindSet, row: usize) -> i32 {
        dot(&self.shares(kinds), &VALUES[row]) as i32
    }
}

#[inline]
fn dot(shares: &[f32; 8], values: &[f32; 8]) -> f32 {
    let mut products = [0.0; 8];
    for (product, (share, value)) in products.iter_mut().zip(shares.iter().zip(values)) {
        *product = share * value;
    }
    let [a, b, c, d, e, f, g, h] = products;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

/// What both colors have.
fn shares(position: &Position) -> ByColor<Share> {
    let weights = Color::ALL.map(|color| Weights::of(position.army(color)));
    let mut shares = ByColor([Share::default(); 2]);
    let mut values = [0.0; PieceId::COUNT];
    // Neighbors often have the same kinds.
    let mut last = (PieceId::all().next(), KindSet::EMPTY, [0.0; 8]);
    for piece in PieceId::all() {
        let kinds = position.kinds(piece);
        if kinds != last.1 || last.0.is_none_or(|other| other.side() != piece.side()) {
            last = (Some(piece), kinds, weights[piece.side().index()].shares(kinds));
        }
        let row = match (position.square_of(piece), position.is_promoted(piece)) {
            (None, _) => 2,
            (_, promoted) => usize::from(promoted),
        };
        let counts = &mut shares[position.owner(piece)].material[row];
        counts.iter_mut().zip(last.2).for_each(|(count, share)| *count += share);
        values[piece.number()] = dot(&last.2, &VALUES[row]);
        shares[piece.side()].candidates += u32::from(kinds.contains(Kind::King));
    }
    for color in Color::ALL {
        let (mut squares, mut attacks, mut attacked) = (0u32, 0u32, 0u64);
        position.for_each_reached(color, |target| {
            squares += 1;
            if let Some(target) = target {
                attacked |= target.bit();
                attacks += u32::from(position.kinds(target).contains(Kind::King));
            }
        });
        let candidates = shares[!color].candidates.max(1);
        let share = &mut shares[color];
        share.mobility = squares as f32;
        share.king_attacks = attacks as f32 / candidates as f32;
        share.attacked = PieceId::in_bits(attacked).map(|piece| values[piece.number()]).sum();
    }
    shares
}

/// Expected material, king safety, mobility and threats of both colors, and the right to move.
fn parts(position: &Position) -> [ByColor<f32>; 5] {
    let shares = shares(position);
    let mut parts = [ByColor([0.0; 2]); 5];
    for color in Color::ALL {
        let share = &shares[color];
        let waits = position.side_to_move() != color;
        let attack = if shares[!color].candidates == 1 { KING_ATTACK } else { CANDIDATE_ATTACK };
        let [material, king, mobility, attacked, tempo] = &mut parts;
        material[color] = share.material.iter().zip(&VALUES).map(|(n, value)| dot(n, value)).sum();
        king[color] = HIDDEN_KING[candidate_class(share.candidates)] + attack * share.king_attacks;
        mobility[color] = MOBILITY * share.mobility;
        attacked[color] = ATTACKED[usize::from(waits)] * share.attacked;
        tempo[color] = if waits { 0.0 } else { TEMPO };
    }
    parts
}

/// The value of a position for the side to move, with its parts. It does not recognize a finished
/// game.
pub fn evaluate(position: &Position) -> Evaluation {
    let parts = rounded_parts(position);
    let names = ["material", "king", "mobility", "attacked", "tempo"];
    let total = total(&parts, position.side_to_move());
    Evaluation { parts: names.into_iter().zip(parts).collect(), total }
}

/// The value alone.
pub(crate) fn value(position: &Position) -> Score {
    total(&rounded_parts(position), position.side_to_move())
}

fn rounded_parts(position: &Position) -> [ByColor<i32>; 5] {
    parts(position).map(|part| ByColor(part.0.map(|value| value as i32)))
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
        // The same attacks are worth a little more to the side that can carry them out.
        let total = evaluation.total.value();
        assert!((TEMPO as i32..TEMPO as i32 + 100).contains(&total), "{total}");
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
        assert_eq!(value(Kind::Rook), 815);
        let open = weights.value(KindSet::ALL, 0);
        assert!(value(Kind::Pawn) < open && open < value(Kind::Rook));
        // The mean over a side: nine pawns out of twenty weigh most.
        assert!((250..450).contains(&open), "{open}");
    }

    /// What a fit sees is what the search uses.
    #[test]
    fn the_value_is_the_sum_of_the_weights() {
        let mut seed = 5u64;
        let mut position = Position::startpos();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.play(moves[(seed >> 33) as usize % moves.len()]).unwrap();
            let products = features(&position).into_iter().zip(weights()).map(|(n, w)| n * w);
            let for_black = products.sum::<f32>();
            let value = value(&position).value() as f32;
            let for_mover =
                if position.side_to_move() == Color::Black { for_black } else { -for_black };
            // Ten parts are rounded.
            assert!((for_mover - value).abs() < 10.0, "{for_mover} {value} {position}");
        }
        assert!(position.moves().len() > 60, "{}", position.moves().len());
    }
}

//! Evaluation for quantum shogi: expected material, how well the king is hidden, mobility, and what
//! is attacked. It is a sum of weights, so it can be fitted to games (`examples/fit.rs`).

use tsumero_control::{Evaluation, Score};
use tsumero_core::{ByColor, Color};

use crate::army::Army;
use crate::kind_set::{Kind, KindSet};
use crate::movement::BESIDE;
use crate::piece::PieceId;
use crate::piece_set::PieceSet;
use crate::position::Position;

/// Values by [`Standing`] and kind. A king counts as much as its activity is worth. Its loss is the
/// end of the game, not a loss of material.
const VALUES: [[f32; 8]; 3] = [
    [39.0, 212.0, 263.0, 233.0, 294.0, 722.0, 729.0, 292.0],
    [186.0, 239.0, 268.0, 422.0, 540.0, 1126.0, 1287.0, 500.0],
    [122.0, 403.0, 377.0, 482.0, 743.0, 1037.0, 1243.0, 500.0],
];
/// The value of being one of so many that can be the king, by [`candidate_class`].
const HIDDEN_KING: [f32; 8] = [-1846.0, -472.0, -197.0, -128.0, -114.0, -84.0, -83.0, -25.0];
/// The value of each attack on the piece that is certainly the king.
const KING_ATTACK: f32 = 207.0;
/// The value of each attack on a piece that can be the king, divided by the number of them.
const CANDIDATE_ATTACK: f32 = 175.0;
/// The value of each square that a piece can go to.
const MOBILITY: f32 = 10.9;
/// What attacking a piece is worth, as a share of its value: if nobody guards it, and if somebody
/// does; each if the attacker is to move, and if not.
const ATTACKED: [[f32; 2]; 2] = [[0.31, 0.24], [0.09, 0.07]];
/// The value of each time that a piece watches a square beside the piece that is certainly the king.
const KING_ZONE: f32 = 59.0;
/// The value of each rank that lies behind an unpromoted piece on the board.
const ADVANCE: f32 = 10.0;
/// The value of the right to move, which keeps scores of odd and even depths close.
const TEMPO: f32 = 23.0;

/// What the value of a piece depends on, beside its kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// On the board, unpromoted.
    Plain,
    /// On the board, promoted.
    Promoted,
    InHand,
}

impl Standing {
    /// That of a piece on the board.
    #[inline]
    pub(crate) fn on_board(position: &Position, piece: PieceId) -> Standing {
        if position.is_promoted(piece) { Standing::Promoted } else { Standing::Plain }
    }
}

/// The number of weights.
pub const WEIGHT_COUNT: usize = 24 + 8 + 10;

/// The weights in the order of [`features`].
pub fn weights() -> [f32; WEIGHT_COUNT] {
    let mut weights = [0.0; WEIGHT_COUNT];
    let [[loose, loose_waits], [guarded, guarded_waits]] = ATTACKED;
    let tail = [
        KING_ATTACK,
        CANDIDATE_ATTACK,
        MOBILITY,
        KING_ZONE,
        ADVANCE,
        loose,
        loose_waits,
        guarded,
        guarded_waits,
        TEMPO,
    ];
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
        rest[3] += sign * share.king_zone;
        rest[4] += sign * share.advance;
        rest[5 + waits] += sign * share.attacked[0];
        rest[7 + waits] += sign * share.attacked[1];
        rest[9] += sign * (1 - waits) as f32;
    }
    features
}

/// The pieces that one color watches: those of the other color that it attacks, and its own that it
/// guards.
#[derive(Clone, Copy, Default)]
pub(crate) struct WatchedBy {
    /// Watched by at least one piece.
    pub(crate) once: PieceSet,
    /// Watched by at least two.
    pub(crate) twice: PieceSet,
}

impl WatchedBy {
    #[inline]
    fn add(&mut self, piece: PieceId) {
        let piece = PieceSet::of(piece);
        self.twice = self.twice | self.once & piece;
        self.once = self.once | piece;
    }
}

/// What each color watches.
pub(crate) type Watched = ByColor<WatchedBy>;

/// What one color has.
#[derive(Clone, Copy, Default)]
struct Share {
    /// Expected numbers of pieces by [`Standing`] and kind.
    material: [[f32; 8]; 3],
    /// Number of its first pieces that can be the king.
    candidates: u32,
    /// Attacks on pieces that can be the other color's king, divided by the number of these.
    king_attacks: f32,
    /// Squares that its pieces can go to.
    mobility: f32,
    /// How often its pieces watch squares beside the piece that is certainly the other king.
    king_zone: f32,
    /// Ranks between its own last rank and its unpromoted pieces, in total.
    advance: f32,
    /// Value of the other color's pieces that it attacks: those that nobody guards, and the others.
    attacked: [f32; 2],
    /// The pieces of both colors that it watches.
    watched: WatchedBy,
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
    fn of(army: &Army) -> Weights {
        let mut candidates = [0.0f32; 8];
        for set in army.sets() {
            let contained = &CONTAINED[usize::from(set.bits())];
            candidates.iter_mut().zip(contained).for_each(|(count, one)| *count += one);
        }
        let weight = |kind: Kind| f32::from(kind.count()) / candidates[kind.index()].max(1.0);
        Weights(Kind::ALL.map(weight))
    }

    /// Those of both armies.
    pub(crate) fn of_both(position: &Position) -> ByColor<Weights> {
        ByColor(Color::ALL.map(|color| Weights::of(position.army(color))))
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
    pub(crate) fn value(&self, kinds: KindSet, standing: Standing) -> i32 {
        dot(&self.shares(kinds), &VALUES[standing as usize]) as i32
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

/// No squares, for a king that is hidden.
static NOWHERE: [bool; 81] = [false; 81];

/// What both colors have.
fn shares(position: &Position) -> ByColor<Share> {
    let mut shares = ByColor([Share::default(); 2]);
    let Counted { values, zones } = count_pieces(position, &mut shares);
    for color in Color::ALL {
        let candidates = shares[!color].candidates;
        count_watched(position, color, candidates, zones[!color], &mut shares[color]);
    }
    for color in Color::ALL {
        let attacked = shares[color].watched.once.without(position.owned_by(color));
        let guarded = shares[!color].watched.once;
        let sum = |pieces: PieceSet| pieces.iter().map(|piece| values[piece.number()]).sum::<f32>();
        shares[color].attacked = [sum(attacked.without(guarded)), sum(attacked & guarded)];
    }
    shares
}

/// What the pieces tell one by one.
struct Counted {
    /// The expected value of each piece.
    values: [f32; PieceId::COUNT],
    /// The squares beside the piece that is certainly the king.
    zones: ByColor<&'static [bool; 81]>,
}

/// Counts the pieces by themselves: material, candidates for the king, and ranks advanced.
fn count_pieces(position: &Position, shares: &mut ByColor<Share>) -> Counted {
    let weights = Weights::of_both(position);
    let mut values = [0.0; PieceId::COUNT];
    let mut zones = ByColor([&NOWHERE; 2]);
    // Neighbors often have the same kinds.
    let mut last = (PieceId::all().next(), KindSet::EMPTY, [0.0; 8]);
    for piece in PieceId::all() {
        let kinds = position.kinds(piece);
        if kinds != last.1 || last.0.is_none_or(|other| other.side() != piece.side()) {
            last = (Some(piece), kinds, weights[piece.side()].shares(kinds));
        }
        let square = position.square_of(piece);
        let standing = match square {
            Some(_) => Standing::on_board(position, piece),
            None => Standing::InHand,
        };
        let owner = position.owner(piece);
        let counts = &mut shares[owner].material[standing as usize];
        counts.iter_mut().zip(last.2).for_each(|(count, share)| *count += share);
        values[piece.number()] = dot(&last.2, &VALUES[standing as usize]);
        shares[piece.side()].candidates += u32::from(kinds.contains(Kind::King));
        let Some(square) = square else { continue };
        if kinds == KindSet::KING {
            zones[piece.side()] = &BESIDE[square.dense_index()];
        }
        if standing == Standing::Plain {
            let rank = square.rank().relative_to(owner).number();
            shares[owner].advance += f32::from(9 - rank);
        }
    }
    Counted { values, zones }
}

/// Counts where the pieces of a color can go and what they watch. The other color has so many
/// candidates for its king, and this zone around it.
fn count_watched(
    position: &Position,
    color: Color,
    candidates: u32,
    zone: &[bool; 81],
    share: &mut Share,
) {
    let ours = position.owned_by(color);
    let (mut squares, mut attacks, mut near) = (0u32, 0u32, 0u32);
    let mut watched = WatchedBy::default();
    position.for_each_watched(color, |to, target| {
        squares += 1;
        near += u32::from(zone[usize::from(to)]);
        if let Some(target) = target {
            watched.add(target);
            if ours.contains(target) {
                squares -= 1;
            } else {
                attacks += u32::from(position.kinds(target).contains(Kind::King));
            }
        }
    });
    share.king_zone = near as f32;
    share.mobility = squares as f32;
    share.king_attacks = attacks as f32 / candidates.max(1) as f32;
    share.watched = watched;
}

/// Expected material, king safety, mobility and threats of both colors, and the right to move.
fn parts(position: &Position, shares: &ByColor<Share>) -> [ByColor<i32>; 5] {
    let mut parts = [ByColor([0.0; 2]); 5];
    for color in Color::ALL {
        let share = &shares[color];
        let waits = position.side_to_move() != color;
        let attack = if shares[!color].candidates == 1 { KING_ATTACK } else { CANDIDATE_ATTACK };
        let [material, king, mobility, attacked, tempo] = &mut parts;
        material[color] = share.material.iter().zip(&VALUES).map(|(n, value)| dot(n, value)).sum();
        king[color] = HIDDEN_KING[candidate_class(share.candidates)]
            + attack * share.king_attacks
            + KING_ZONE * share.king_zone;
        mobility[color] = MOBILITY * share.mobility + ADVANCE * share.advance;
        let [loose, guarded] = ATTACKED.map(|weights| weights[usize::from(waits)]);
        attacked[color] = loose * share.attacked[0] + guarded * share.attacked[1];
        tempo[color] = if waits { 0.0 } else { TEMPO };
    }
    parts.map(|part| ByColor(part.0.map(|value| value as i32)))
}

/// The value of a position for the side to move, with its parts. It does not recognize a finished
/// game.
pub fn evaluate(position: &Position) -> Evaluation {
    let parts = parts(position, &shares(position));
    let names = ["material", "king", "mobility", "attacked", "tempo"];
    let total = total(&parts, position.side_to_move());
    Evaluation { parts: names.into_iter().zip(parts).collect(), total }
}

/// The value, and which pieces each color watches.
pub(crate) fn value_and_watched(position: &Position) -> (Score, Watched) {
    let shares = shares(position);
    let value = total(&parts(position, &shares), position.side_to_move());
    (value, ByColor(shares.0.map(|share| share.watched)))
}

/// The value alone.
pub(crate) fn value(position: &Position) -> Score {
    value_and_watched(position).0
}

fn total(parts: &[ByColor<i32>], us: Color) -> Score {
    Score::ordinary(parts.iter().map(|part| part[us] - part[!us]).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movement::kinds_that_move;
    use rand::prelude::*;
    use tsumero_core::Square;

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
            let mv = position.parse_move(word).expect("legal");
            position.play(mv).expect("legal");
        }
        let evaluation = evaluate(&position);
        for (name, values) in &evaluation.parts[..3] {
            assert_eq!(values[Color::Black], values[Color::White], "{name}");
        }
        let sum =
            evaluation.parts.iter().map(|(_, values)| values[Color::Black] - values[Color::White]);
        assert_eq!(evaluation.total.value(), sum.sum::<i32>());
    }

    /// However large the value is, it claims no win: White has nothing but the king.
    #[test]
    fn a_static_value_never_looks_like_a_decided_game() {
        let kinds = "8002020404080810102040010101010101010101".repeat(2);
        let board =
            "9/9/2+L+M+N+O+P2/2+Q+R+S+T+-l2/2+-m+-na+-o+-p2/2+-q+-r+-s+-t3/2+J+-j+K+-k3/9/8A";
        for (turn, value) in [("b", Score::MAX_ORDINARY), ("w", -Score::MAX_ORDINARY)] {
            let text = format!("{board} {turn} BCDEFGHIbcdefghi/ 99 {kinds}");
            let evaluation = evaluate(&text.parse().expect("a position"));
            assert_eq!(evaluation.total, value);
            let sum = |color| evaluation.parts.iter().map(|part| part.1[color]).sum::<i32>();
            assert!(sum(Color::Black) - sum(Color::White) > Score::MAX_ORDINARY.value());
        }
    }

    #[test]
    fn a_settled_rook_is_worth_more_than_a_settled_pawn() {
        let weights = Weights::of(&Army::new());
        let value = |kind| weights.value(KindSet::of(&[kind]), Standing::Plain);
        assert_eq!(value(Kind::Rook), VALUES[0][Kind::Rook.index()] as i32);
        let open = weights.value(KindSet::ALL, Standing::Plain);
        assert!(value(Kind::Pawn) < open && open < value(Kind::Rook));
        // Nothing is known, so it is the mean over a side.
        let side = Kind::ALL.map(|kind| f32::from(kind.count()) * VALUES[0][kind.index()]);
        assert_eq!(open, (side.iter().sum::<f32>() / 20.0) as i32);
    }

    /// Every pair of a piece and a square, instead of walking from piece to piece.
    #[test]
    fn what_is_watched_agrees_with_the_geometry_of_single_moves() {
        let between_is_empty =
            |position: &Position, from: Square, to: Square, (dx, dy): (i8, i8)| {
                let distance = dx.unsigned_abs().max(dy.unsigned_abs()) as i8;
                let is_line = dx == 0 || dy == 0 || dx.abs() == dy.abs();
                let step = |n: i8, by: i8, at: u8| (at as i8 + by / distance * n) as u8;
                !is_line
                    || (1..distance).all(|n| {
                        let file = step(
                            n,
                            to.file().number() as i8 - from.file().number() as i8,
                            from.file().number(),
                        );
                        let rank = step(
                            n,
                            to.rank().number() as i8 - from.rank().number() as i8,
                            from.rank().number(),
                        );
                        let square =
                            Square::from_dense_index(usize::from((file - 1) * 9 + rank - 1));
                        position.piece_at(square.unwrap()).is_none()
                    })
            };
        let mut rng = StdRng::seed_from_u64(7);
        let (mut compared, mut zones) = (0, 0);
        for _ in 0..4 {
            let mut position = Position::startpos();
            for _ in 0..70 {
                let moves = position.legal_moves();
                let Some(&mv) = moves.choose(&mut rng) else { break };
                position.play(mv).unwrap();
                let shares = shares(&position);
                for color in Color::ALL {
                    let sign = if color == Color::Black { 1 } else { -1 };
                    let goes = |piece: PieceId, to: Square| {
                        let Some(from) = position.square_of(piece) else { return false };
                        let dx = to.file().number() as i8 - from.file().number() as i8;
                        let dy = to.rank().number() as i8 - from.rank().number() as i8;
                        let kinds = kinds_that_move(dx, sign * dy, position.is_promoted(piece));
                        position.owner(piece) == color
                            && from != to
                            && !(kinds & position.kinds(piece)).is_empty()
                            && between_is_empty(&position, from, to, (dx, dy))
                    };
                    let count = |to| PieceId::all().filter(|&piece| goes(piece, to)).count();
                    for target in PieceId::all() {
                        let times = position.square_of(target).map_or(0, count);
                        let WatchedBy { once, twice } = shares[color].watched;
                        let found = (once.contains(target), twice.contains(target));
                        assert_eq!(found, (times >= 1, times >= 2), "{target} {position}");
                        compared += 1;
                    }
                    let king = PieceId::all().find(|&piece| {
                        piece.side() != color && position.kinds(piece) == KindSet::KING
                    });
                    let near = |at: Square| {
                        let king = king.and_then(|king| position.square_of(king));
                        king.is_some_and(|king| {
                            let files = king.file().number().abs_diff(at.file().number());
                            files.max(king.rank().number().abs_diff(at.rank().number())) == 1
                        })
                    };
                    let expected: usize = Square::all().filter(|&at| near(at)).map(count).sum();
                    assert_eq!(shares[color].king_zone as usize, expected, "{position}");
                    zones += expected;
                }
            }
        }
        assert!(compared > 15_000 && zones > 50, "{compared} {zones}");
    }

    /// What a fit sees is what the search uses.
    #[test]
    fn the_value_is_the_sum_of_the_weights() {
        let mut rng = StdRng::seed_from_u64(5);
        let mut position = Position::startpos();
        for _ in 0..120 {
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(&mut rng) else { break };
            position.play(mv).unwrap();
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

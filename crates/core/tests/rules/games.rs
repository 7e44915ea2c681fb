//! Sources of positions to compare: random games and random set-ups, all from a seed, so that a
//! failure can be reproduced.

use crate::oracle::{Color, Kind, Move, Position, Square};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use tsumero_core::MoveList;

pub(crate) const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

pub(crate) fn seeded(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// Chooses the next move of a random game. It prefers checks, because uniformly random moves would
/// hardly ever lead to evasions, pins and mates, where the rules are difficult.
pub(crate) fn choose(position: &Position, legal: &[Move], rng: &mut StdRng) -> Option<Move> {
    if rng.random_bool(0.3) {
        let checks: Vec<Move> =
            legal.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
        if let Some(&mv) = checks.choose(rng) {
            return Some(mv);
        }
    }
    legal.choose(rng).copied()
}

/// Plays at most `plies` random moves from `start` and hands every position on the way to `visit`,
/// together with its legal moves.
pub(crate) fn play(
    start: &Position,
    plies: usize,
    rng: &mut StdRng,
    mut visit: impl FnMut(&Position, &[Move]),
) {
    let mut position = start.clone();
    for _ in 0..plies {
        let legal = position.legal_move_list();
        visit(&position, &legal);
        let Some(mv) = choose(&position, &legal, rng) else { return };
        position = position.do_move(mv);
    }
}

/// Letters of a whole set of pieces without the kings.
const MEN: &str = "PPPPPPPPPPPPPPPPPPLLLLNNNNSSSSGGGGBBRR";

/// A random set-up that a game could hardly reach but the rules still cover: few or many pieces
/// anywhere, usually with both kings, sometimes without. Often the mover has most of the pieces and
/// the other king stands at the edge, where mates are frequent.
///
/// The set-up obeys the rules that a reader of positions enforces: no more pieces than a set has,
/// no two pawns on a file, no piece without a move, and the side that has just moved is not in
/// check.
pub(crate) fn setup(rng: &mut StdRng) -> Position {
    loop {
        if let Some(position) = try_setup(rng, may_stand) {
            return position;
        }
    }
}

/// A random set-up in which pieces stand anywhere. At least one is a second pawn on its file, or
/// could never move. Otherwise it is like [`setup`].
pub(crate) fn diagram(rng: &mut StdRng) -> Position {
    loop {
        if let Some(position) = try_setup(rng, |_, _, _, _| true)
            && !stands_lawfully(&position)
        {
            return position;
        }
    }
}

/// Whether every piece of a position may stand where it stands.
pub(crate) fn stands_lawfully(position: &Position) -> bool {
    Square::all().all(|square| match position.piece_at(square) {
        Some((color, kind)) => may_stand(&position.without(square), square, color, kind),
        None => true,
    })
}

/// Whether a piece may be put on a square of a position.
type MayStand = fn(&Position, Square, Color, Kind) -> bool;

fn try_setup(rng: &mut StdRng, may_stand: MayStand) -> Option<Position> {
    let us = *Color::BOTH.choose(rng)?;
    let them = us.opponent();
    let mut position = Position::empty(us);
    let mut squares: Vec<Square> = Square::all().collect();
    squares.shuffle(rng);
    for color in [us, them] {
        let at_edge = color == them && rng.random_bool(0.7);
        let wanted = |square: &Square| {
            !at_edge || [1, 9].contains(&square.file) || [1, 9].contains(&square.rank)
        };
        let index = squares.iter().position(wanted)?;
        let square = squares.swap_remove(index);
        if rng.random_bool(0.95) {
            position.place(square, color, Kind::King);
        }
    }
    let mut men: Vec<char> = MEN.chars().collect();
    men.shuffle(rng);
    men.truncate(rng.random_range(3..=MEN.len()));
    let (our_share, hand_share) = (*[0.5, 0.75].choose(rng)?, rng.random_range(0.0..0.6));
    for letter in men {
        let color = if rng.random_bool(our_share) { us } else { them };
        let kind = Kind::from_letter(letter)?;
        let shown = kind.promoted().filter(|_| rng.random_bool(0.3)).unwrap_or(kind);
        let square = *squares.last()?;
        if rng.random_bool(hand_share) || !may_stand(&position, square, color, shown) {
            position.give(color, kind);
        } else {
            position.place(square, color, shown);
            squares.pop();
        }
    }
    position.checkers_of(them).is_empty().then_some(position)
}

fn may_stand(position: &Position, square: Square, color: Color, kind: Kind) -> bool {
    let second_pawn = kind == Kind::Pawn && position.has_pawn_on(color, square.file);
    !second_pawn && !Position::is_dead(color, kind, square)
}

/// Positions that differ from `position` in one thing: the waiting side has dropped a piece or
/// moved one elsewhere, and the mover is in check. Games and random set-ups hardly ever contain a
/// mate that answers a check. These do, if `position` contains a mate.
pub(crate) fn with_a_check(position: &Position) -> Vec<Position> {
    let them = position.side_to_move().opponent();
    let dropped = Kind::HAND
        .into_iter()
        .filter(|&kind| position.in_hand(them, kind) > 0)
        .map(|kind| (position.without_held(them, kind), kind));
    let moved = Square::all().filter_map(|square| match position.piece_at(square) {
        Some((color, kind)) if color == them && kind != Kind::King => {
            Some((position.without(square), kind))
        }
        _ => None,
    });
    let mut checked = Vec::new();
    for (rest, kind) in dropped.chain(moved) {
        for square in Square::all().filter(|&square| rest.piece_at(square).is_none()) {
            if may_stand(&rest, square, them, kind) {
                let mut position = rest.clone();
                position.place(square, them, kind);
                if position.in_check() && position.checkers_of(them).is_empty() {
                    checked.push(position);
                }
            }
        }
    }
    checked
}

/// Plays at most `plies` random moves with the crate's own generator, which is a thousand times
/// faster than the oracle, and hands every position on the way to `visit`.
pub(crate) fn play_core(
    mut position: tsumero_core::Position,
    plies: usize,
    rng: &mut StdRng,
    mut visit: impl FnMut(&tsumero_core::Position),
) {
    for _ in 0..plies {
        visit(&position);
        let mut checks = MoveList::new();
        if rng.random_bool(0.3) {
            position.generate_checks(&mut checks);
        }
        let legal = position.legal_moves();
        let Some(&mv) = checks.choose(rng).or_else(|| legal.choose(rng)) else { return };
        position.play_unchecked(mv);
    }
}

/// Scales a number of random positions: all of them in a release build, a part in a debug build.
pub(crate) const fn scaled(full: usize) -> usize {
    if cfg!(debug_assertions) { full.div_ceil(20) } else { full }
}

/// Fails if a test has met too few of the cases that it is about. A debug build, which runs a part
/// of the test, must meet at least one.
#[track_caller]
pub(crate) fn assert_at_least(met: usize, wanted: usize) {
    let wanted = if cfg!(debug_assertions) { 1 } else { wanted };
    assert!(met >= wanted, "met only {met} of at least {wanted}");
}

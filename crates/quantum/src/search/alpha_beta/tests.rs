//! Exchanges are compared with a search that tries everything.

use super::*;
use rand::prelude::*;
use tsumero_control::{Instant, Limits, Signals, TimeSettings};

/// Calls `f` with a worker for a position.
fn with_worker<T>(position: &Position, f: impl FnOnce(&mut Worker<'_, '_>) -> T) -> T {
    let (limits, settings, signals) = (Limits::default(), TimeSettings::default(), Signals::new());
    let (side, now) = (position.side_to_move(), Instant::now());
    let mut keeper = TimeKeeper::new(&limits, &settings, &signals, side, 1, now);
    let mut table = Table::new(1).unwrap();
    f(&mut Worker::new(position, position.legal_moves(), &mut table, &mut keeper, u64::MAX))
}

/// A decided game, whatever the distance.
const DECIDED: i32 = 30_000;

/// The value of a position for the side to move, by trying everything: captures anywhere in the
/// first plies, then on the square.
fn by_brute_force(
    position: &mut Position,
    square: Option<Square>,
    free: u32,
    is_leaf: bool,
) -> i32 {
    let captures: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .filter(|mv| matches!(mv, Move::Board { to, .. } if position.piece_at(*to).is_some()))
        .collect();
    let is_king = |mv: &Move| {
        position.piece_at(mv.to()).is_some_and(|piece| position.kinds(piece) == KindSet::KING)
    };
    if !is_leaf && captures.iter().any(is_king) {
        return DECIDED;
    }
    let mut best = evaluate::value(position).value();
    for mv in captures {
        if free == 0 && square.is_some_and(|square| square != mv.to()) {
            continue;
        }
        position.play(mv).unwrap();
        let score = if position.winner().is_some() {
            DECIDED
        } else {
            -by_brute_force(position, Some(mv.to()), free.saturating_sub(1), false)
        };
        position.undo();
        best = best.max(score);
    }
    best
}

/// No exchange is cut off in its middle, however long it is.
#[test]
fn exchanges_are_searched_to_their_end() {
    let mut rng = StdRng::seed_from_u64(1);
    let mut compared = 0;
    for _ in 0..6 {
        let mut position = Position::startpos();
        for _ in 0..12 {
            let moves = position.legal_moves();
            position.play(*moves.choose(&mut rng).unwrap()).unwrap();
            if position.winner().is_some() {
                break;
            }
            let expected = by_brute_force(&mut position.clone(), None, 1, true);
            let (low, high) = (-Score::INFINITE, Score::INFINITE);
            let found = with_worker(&position, |worker| {
                // Nothing is left out as hopeless.
                worker.capture_margin = DECIDED;
                worker.quiescence(0, low, high, 1, None)
            });
            let found =
                if found.is_mate() { found.value().signum() * DECIDED } else { found.value() };
            assert_eq!(found, expected, "{position}");
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

/// The captures that are left out may bring as much as they promise.
#[test]
fn a_quiescence_search_returns_no_bound_that_it_has_not_shown() {
    let mut rng = StdRng::seed_from_u64(3);
    let mut position = Position::startpos();
    let mut compared = 0;
    while position.winner().is_none() && compared < 20 {
        with_worker(&position, |worker| {
            let (stand, watched) = evaluate::value_and_watched(&position);
            if worker.king_capture().is_none()
                && let Some(&(gain, _)) = worker.rated_captures(None, &watched).first()
            {
                let promise = stand + gain + CAPTURE_MARGIN;
                for alpha in [promise, promise + 50] {
                    let found = worker.quiescence(0, alpha, alpha + 1, 1, None);
                    assert_eq!(found, promise.max(stand), "{position}");
                }
                compared += u32::from(promise > stand);
            }
        });
        let moves = position.legal_moves();
        position.play(*moves.choose(&mut rng).unwrap()).unwrap();
    }
    assert!(compared > 10, "{compared}");
}

/// The king can be taken where it stood before, too, although the position repeats an earlier one.
#[test]
fn a_king_that_was_not_taken_is_not_safe_in_the_same_position() {
    let kinds = "80020204040808101020400101010101010101018002020404080810102040010101010101010101";
    let sfen = format!("k7a/9/9/9/9/9/9/9/A7H b /BCDEFGIJKLMNOPQRSTbcdefghijlmnopqrst 9 {kinds}");
    let mut position: Position = sfen.parse().unwrap();
    for text in ["1i1h", "1a1b", "1h1i", "1b1a"] {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    let back = position.parse_move("1i1h").unwrap();
    let score = with_worker(&position, |worker| {
        worker.root_moves.retain(|&mv| mv == back);
        worker.search_root(3).unwrap().score
    });
    assert_eq!(score, Score::mated_in(2));
}

/// Black may take a pawn. Then White takes the king.
#[test]
fn no_capture_of_a_king_is_further_away_than_the_deepest_ply() {
    let kinds = "8002020404080810102040010101010101010101".repeat(2);
    let hands = "/BCDEFGHIJMNOPQRSTbcdefghijmnopqrst";
    let sfen = format!("a8/9/9/4l4/4L4/9/9/8k/A7-K b {hands} 9 {kinds}");
    let position: Position = sfen.parse().unwrap();
    with_worker(&position, |worker| {
        for ply in [0, MAX_PLY - 2, MAX_PLY - 1, MAX_PLY] {
            let found = worker.quiescence(ply, -Score::INFINITE, Score::INFINITE, 1, None);
            assert!(found.is_ordinary(), "{ply}: {found:?}");
        }
    });
}

/// Drops that differ only in the name of the piece are searched once. But whoever asks for one of
/// them must get it, even if another one would stand for it.
#[test]
fn a_drop_that_is_asked_for_is_searched() {
    let mut rng = StdRng::seed_from_u64(2);
    let (mut left_out, mut asked) = (0, 0);
    let mut position = Position::startpos();
    for _ in 0..60 {
        let moves = position.legal_moves();
        // Captures fill the hands.
        let takes = |mv: &&Move| position.piece_at(mv.to()).is_some();
        let captures: Vec<&Move> = moves.iter().filter(takes).collect();
        let Some(&played) = captures.choose(&mut rng).copied().or(moves.choose(&mut rng)) else {
            break;
        };
        let searched = with_worker(&position, |worker| worker.root_moves.clone());
        left_out += moves.len() - searched.len();
        let unsearched = moves.iter().filter(|mv| !searched.contains(mv));
        for &drop in unsearched.take(3) {
            let (limits, settings, signals) = Default::default();
            let (side, now) = (position.side_to_move(), Instant::now());
            let mut keeper = TimeKeeper::new(&limits, &settings, &signals, side, 1, now);
            let mut table = Table::new(1).unwrap();
            let wanted = vec![moves[0], drop];
            let worker = Worker::new(&position, wanted.clone(), &mut table, &mut keeper, u64::MAX);
            assert!(wanted.iter().all(|mv| worker.root_moves.contains(mv)), "{drop} {position}");
            asked += 1;
        }
        position.play(played).unwrap();
    }
    assert!(left_out > 100 && asked > 10, "{left_out} {asked}");
}

//! Tests of the count without futile interpositions: its limits, and the definition.

use std::cell::Cell;

use tsumero_control::Signals;
use tsumero_core::Setup;

use super::lengths::REMEMBERED;
use super::*;
use crate::dfpn::tests::problems;
use crate::solver::MateLimits;
use crate::stack;

#[test]
fn the_longest_lines_fit_on_a_small_stack() {
    let position = problems("mate11plus", 113..114).remove(0);
    let solver = &mut MateSolver::new(1);
    let limits = MateLimits { nodes: Some(300_000), ..MateLimits::default() };
    let (problem, signals) = (position.clone().into(), Signals::new());
    let bytes = stack::growth_of(|| {
        let _ = solver
            .length_without_futile(&MateQuestion::for_problem(&problem, &limits, &signals), 99);
    });
    let deepest = bytes * DEEPEST as usize;
    assert!(deepest < stack::ENOUGH / 10 * 9, "{deepest} bytes");
    // A line that would be longer ends the count.
    let question = MateQuestion::new(&position, &limits, &signals);
    let ended = MateSolver::new(1).counting(&question, &mut Lengths::default(), |count| {
        count.depth = DEEPEST - 2;
        let ended = count.attack(9);
        assert_eq!((count.depth, count.position.to_sfen()), (DEEPEST - 2, position.to_sfen()));
        ended
    });
    assert_eq!(ended, Err(MateUnknown::Depth));
}

/// No entry is made beyond the memory that is promised.
#[test]
fn a_full_memory_ends_the_count() {
    // The king steps aside.
    let position: Position = "4k4/9/4R4/9/9/9/9/9/9 w - 1".parse().unwrap();
    let (limits, signals) = (MateLimits::default(), Signals::new());
    let question = MateQuestion::new(&position, &limits, &signals);
    let mut lengths = Lengths::default();
    let ended = MateSolver::new(1).counting(&question, &mut lengths, |count| {
        *count.lengths = Lengths::full();
        count.defend(0)
    });
    assert_eq!(ended, Err(MateUnknown::Memory));
    assert_eq!(lengths.len(), REMEMBERED);
}

thread_local! {
    /// Moves that the plain search may still make. Without any, what it says means nothing.
    static MOVES_LEFT: Cell<u32> = const { Cell::new(0) };
}

/// The definition of the length, the attacker to move, up to a bound: every move is tried, nothing is
/// remembered, and no position is judged by a look at it.
fn plain_attack(position: &Position, bound: Length) -> Option<Length> {
    if MOVES_LEFT.get() == 0 {
        return None;
    }
    let lengths = checks(position).into_iter().filter_map(|mv| {
        let found = plain_defend(&played(position, mv), bound.checked_sub(1)?)?;
        Some(found + 1)
    });
    lengths.min()
}

fn plain_after(position: &Position, mv: Move, bound: Length) -> Option<Length> {
    Some(plain_attack(&played(position, mv), bound.checked_sub(1)?)? + 1)
}

fn plain_defend(position: &Position, bound: Length) -> Option<Length> {
    if MOVES_LEFT.get() == 0 {
        return None;
    }
    let king = position.king(position.side_to_move())?;
    let line = position.checkers().single_square().map(|checker| LineOfCheck { checker, king });
    let is_between =
        |mv: &Move| mv.from() != Some(king) && line.is_some_and(|line| line.is_between(mv.to()));
    let (mut between, others): (Vec<Move>, Vec<Move>) =
        position.legal_moves().iter().copied().partition(is_between);
    let mut longest = 0;
    for mv in others {
        longest = longest.max(plain_after(position, mv, bound)?);
    }
    // The useful interposition that lasts least is counted in, until none is left.
    loop {
        between.retain(|&mv| !plain_is_futile(position, mv, longest));
        let lengths: Vec<_> = between.iter().map(|&mv| plain_after(position, mv, bound)).collect();
        match lengths.iter().flatten().filter(|&&length| length > longest).min() {
            Some(&least) => longest = least,
            None if lengths.contains(&None) => return None,
            None => return Some(longest),
        }
    }
}

fn plain_is_futile(position: &Position, mv: Move, longest: Length) -> bool {
    let between = played(position, mv);
    checks(&between).into_iter().filter(|capture| capture.to() == mv.to()).any(|capture| {
        let after = played(&between, capture);
        let (taker, kind) = (capture.color(), capture.captured().unwrap().unpromoted());
        let mut setup = Setup::from(&after);
        setup.set_hand(taker, after.hand(taker).without(kind));
        setup.set_hand(!taker, after.hand(!taker).with(kind));
        after.checkers().contains(capture.to())
            && plain_defend(&setup.build_diagram().unwrap(), longest).is_some()
    })
}

fn played(position: &Position, mv: Move) -> Position {
    MOVES_LEFT.set(MOVES_LEFT.get().saturating_sub(1));
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// Also where one count uses what the others have found out.
#[test]
fn the_count_agrees_with_the_definition() {
    let problems = ["mate1", "mate3", "mate5", "futile"].map(|name| problems(name, 0..40));
    let limits = MateLimits { nodes: Some(100_000), ..MateLimits::default() };
    let (mut solver, signals, bound) = (MateSolver::new(1), Signals::new(), 2);
    let (mut found, mut futile) = (0, 0);
    for position in problems.iter().flatten() {
        let mut lengths = Lengths::default();
        for check in checks(position) {
            let after = played(position, check);
            MOVES_LEFT.set(30_000);
            let plain = plain_defend(&after, bound);
            if MOVES_LEFT.get() == 0 {
                continue;
            }
            let (most, lengths) = (u32::from(bound), &mut lengths);
            let question = MateQuestion::new(&after, &limits, &signals);
            let count = solver.defense_without_futile(&question, most, lengths);
            assert_eq!(count, Ok(plain.map(u32::from)), "{position} {check}");
            found += usize::from(plain.is_some());
            futile += usize::from(plain == Some(0) && after.has_legal_move());
        }
    }
    assert!(found > 200 && futile > 5, "{found} {futile}");
}

#[test]
fn a_line_is_looked_for_within_any_length() {
    let (limits, signals) = (MateLimits::default(), Signals::new());
    for (sfen, plies) in [
        ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", Some(1)),
        ("9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1", Some(5)),
        ("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", None),
    ] {
        let position: Position = sfen.parse().unwrap();
        let question = MateQuestion::new(&position, &limits, &signals);
        let mut solver = MateSolver::new(1);
        for most in [0, 1, 2, 4, 5, 6, DEEPEST, 65_535, 65_536, u32::MAX] {
            let line = solver.line_without_futile(&question, most, &[]).unwrap();
            let expected = plies.filter(|&plies| plies <= most).unwrap_or_default();
            assert_eq!(line.len() as u32, expected, "{sfen} within {most}");
        }
    }
}

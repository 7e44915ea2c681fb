//! One solver answers for many positions, with one table. What the table holds of others must change
//! no answer: each is compared with that of a solver that has seen nothing else.

use std::collections::HashSet;

use tsumero_control::Signals;
use tsumero_core::{Color, Hand, Piece, PieceKind, Position};
use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, MateUnknown};

/// Nodes for each answer of a new solver. The others get ten times as many, because a table that has
/// grown keeps other entries, so that a search may need more nodes.
const NODES: u64 = 2_000;

/// The answer in so many nodes: the plies of the shortest mate, or that there is none; `None` if it
/// takes more nodes.
fn answer(solver: &mut MateSolver, position: &Position, nodes: u64) -> Option<Option<usize>> {
    let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
    let signals = Signals::new();
    match solver.solve(&MateQuestion::new(position, &limits, &signals), &mut |_| {}) {
        MateAnswer::Mate(mate) => mate.is_shortest.then_some(Some(mate.line.len())),
        MateAnswer::NoMate => Some(None),
        MateAnswer::Unknown(MateUnknown::Nodes) => None,
        MateAnswer::Unknown(other) => panic!("{other:?}: {position}"),
    }
}

/// The problems of the collections that a position can hold, with their lengths where they are exact
/// and `Some(None)` where there is no mate.
fn problems() -> Vec<(Position, Option<Option<usize>>)> {
    let mut problems = Vec::new();
    for name in ["mate3", "mate5", "mate7", "mate9", "mate11plus", "nomate", "classics"] {
        let path = format!("{}/../../tests/data/tsume/{name}.csv", env!("CARGO_MANIFEST_DIR"));
        let mut file = csv::ReaderBuilder::new().comment(Some(b'#')).from_path(path).unwrap();
        for record in file.records() {
            let record = record.unwrap();
            let Ok(position) = record[0].parse() else { continue };
            let known = match &record[1] {
                _ if name == "nomate" => Some(None),
                plies => plies.parse().ok().map(Some),
            };
            problems.push((position, known));
        }
    }
    problems
}

/// The same board, attacker's hand and side, with other pieces in the defender's hand.
fn with_defender_holding(position: &Position, hand: Hand) -> Position {
    let attacker = position.side_to_move();
    let text = |color: Color, hand: Hand| -> String {
        hand.iter().map(|(kind, count)| format!("{count}{}", Piece::new(color, kind))).collect()
    };
    let hands = text(attacker, position.hand(attacker)) + &text(!attacker, hand);
    let sfen = position.to_sfen();
    let mut fields: Vec<&str> = sfen.split(' ').collect();
    fields[2] = if hands.is_empty() { "-" } else { &hands };
    fields.join(" ").parse().expect("only the defender's hand has changed")
}

/// Pairs of positions that differ in what the defender holds: two pieces of a kind and one of the
/// second next, or three of the kind between them. Weights that are powers of two do not tell these
/// apart. What the defender lacks makes more of a difference than what it holds, so it holds no more.
fn pairs(position: &Position) -> Vec<[Position; 2]> {
    let held = position.hand(!position.side_to_move());
    let mut pairs = Vec::new();
    for kinds in PieceKind::HAND.windows(3) {
        let hands = [vec![(kinds[0], 2), (kinds[2], 1)], vec![(kinds[1], 3)]];
        if hands.iter().flatten().any(|&(kind, count)| held.count(kind) < count) {
            continue;
        }
        let [one, other] = hands.map(|pieces| {
            let hand = pieces
                .iter()
                .fold(Hand::EMPTY, |hand, &(kind, count)| hand.with_count(kind, count));
            with_defender_holding(position, hand)
        });
        pairs.push([one.clone(), other.clone()]);
        pairs.push([other, one]);
    }
    pairs
}

#[test]
fn an_answer_is_the_same_after_another_problem_as_alone() {
    let problems = problems();
    let mut compared = 0;
    let mut shared = MateSolver::new(16);
    let (step, least) = if cfg!(debug_assertions) { (4, 150) } else { (1, 700) };
    for (position, known) in problems.iter().step_by(step) {
        let Some(alone) = answer(&mut MateSolver::new(16), position, NODES) else { continue };
        if let Some(known) = known {
            assert_eq!(alone, *known, "{position}");
        }
        assert_eq!(answer(&mut shared, position, 10 * NODES), Some(alone), "{position}");
        compared += 1;
    }
    assert!(compared > least, "{compared}");
}

#[test]
fn problems_that_differ_in_the_defenders_hand_do_not_answer_one_another() {
    let (mut compared, mut differing) = (0, 0);
    let mut seen = HashSet::new();
    // Without optimization of the whole program a part has to do.
    let (step, least) = if cfg!(debug_assertions) { (9, 200) } else { (2, 1_000) };
    for (position, _) in problems().into_iter().step_by(step) {
        for pair in pairs(&position) {
            let Some(alone) = answer(&mut MateSolver::new(16), &pair[1], NODES) else { continue };
            if !seen.insert(pair[1].to_sfen()) {
                continue;
            }
            let mut shared = MateSolver::new(16);
            let first = answer(&mut shared, &pair[0], NODES);
            differing += u32::from(first.is_some_and(|first| first != alone));
            let after = answer(&mut shared, &pair[1], 10 * NODES);
            assert_eq!(after, Some(alone), "{} after {}", pair[1], pair[0]);
            compared += 1;
        }
    }
    println!("{compared} compared, {differing} of them have other answers than their partners");
    assert!(compared >= least && differing >= least / 40, "{compared} {differing}");
}

/// Nodes are counted as by a new solver, too, once everything is forgotten.
#[test]
fn after_forgetting_nothing_is_known() {
    let positions: Vec<Position> = problems().into_iter().map(|(position, _)| position).collect();
    let mut shared = MateSolver::new(16);
    let mut with_table = 0;
    for position in positions.iter().step_by(9) {
        let limits = MateLimits { nodes: Some(NODES), ..MateLimits::default() };
        let [(alone, fresh), (again, later)] = [true, false].map(|is_new| {
            let mut new = MateSolver::new(16);
            let solver = if is_new { &mut new } else { &mut shared };
            let signals = Signals::new();
            let question = MateQuestion::new(position, &limits, &signals);
            let answer = solver.solve(&question, &mut |_| {});
            with_table += u32::from(solver.hashfull() > 0);
            (answer, solver.effort().nodes)
        });
        assert_eq!((again, later), (alone, fresh), "{position}");
        shared.forget();
        assert_eq!(shared.hashfull(), 0);
    }
    assert!(with_table > 10, "{with_table}");
}

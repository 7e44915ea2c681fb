//! Tests the mate search with problems of known answers.

use tsumero_control::Signals;
use tsumero_core::Position;
use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, MateUnknown};

const fn can_be_sent<T: Send>() {}
const _: () = can_be_sent::<MateSolver>();

struct Problem {
    sfen: String,
    /// The exact length, or `None` where no sequence of checks mates.
    plies: Option<usize>,
}

fn problems() -> Vec<Problem> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/mates.csv"))
        .unwrap()
        .records()
        .map(|record| {
            let record = record.unwrap();
            Problem { sfen: record[0].to_string(), plies: record[1].parse().ok() }
        })
        .collect()
}

fn solve(position: &Position, nodes: u64) -> MateAnswer {
    let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
    let signals = Signals::new();
    MateSolver::new(64).solve(&MateQuestion::new(position, &limits, &signals), &mut |_| {})
}

/// Replays a mating line: every move legal, every attacking move check, mate at the end.
fn assert_mates(position: &Position, line: &[tsumero_core::Move]) {
    let mut position = position.clone();
    for (number, &mv) in line.iter().enumerate() {
        assert!(position.legal_moves().contains(&mv), "{mv} in {position}");
        position.play_unchecked(mv);
        assert!(number % 2 == 1 || position.in_check(), "{mv} does not check");
    }
    assert!(line.len() % 2 == 1 && !position.has_legal_move(), "no mate at the end");
}

#[test]
fn mates_are_found_with_their_exact_length_and_a_line() {
    let mut solved = 0;
    for problem in problems() {
        let Some(plies) = problem.plies else { continue };
        let position = Position::from_sfen(&problem.sfen).unwrap();
        match solve(&position, 1_000_000) {
            MateAnswer::Mate(mate) => {
                assert_eq!(mate.line.len(), plies, "{}", problem.sfen);
                assert_mates(&position, &mate.line);
                solved += 1;
            }
            other => panic!("{} is mate in {plies}, not {other:?}", problem.sfen),
        }
    }
    assert!(solved >= 120, "only {solved} problems in the file");
}

/// A proof may answer a poor defense with a slow mate. The line must not have that defense.
#[test]
fn after_each_evasion_of_a_line_the_mate_takes_all_plies_that_are_left() {
    for sfen in [
        "9/k8/2P+L5/9/1S7/9/9/9/4r4 b RGbgs 1",
        "9/9/9/9/7g+S/1b2+R1lL+L/8K/5rL2/9 w B3GS4N17P2sp 1",
    ] {
        let mut position = Position::from_sfen(sfen).unwrap();
        let MateAnswer::Mate(mate) = solve(&position, 100_000) else { panic!("{sfen}") };
        assert!(mate.plies() == 9 && mate.is_shortest, "{mate:?}");
        assert_mates(&position, &mate.line);
        for (number, &mv) in (1..).zip(&mate.line) {
            position.play_unchecked(mv);
            if number % 2 == 0 {
                let MateAnswer::Mate(rest) = solve(&position, 100_000) else {
                    panic!("{position}")
                };
                assert_eq!(rest.plies(), 9 - number, "after {mv} in {:?}", mate.line);
            }
        }
    }
}

#[test]
fn no_mate_is_claimed_where_there_is_none() {
    let mut proven = 0;
    for problem in problems() {
        if problem.plies.is_some() {
            continue;
        }
        let position = Position::from_sfen(&problem.sfen).unwrap();
        match solve(&position, 3_000) {
            MateAnswer::NoMate => proven += 1,
            MateAnswer::Unknown(MateUnknown::Nodes | MateUnknown::Memory) => {}
            other => panic!("{} has no mate, not {other:?}", problem.sfen),
        }
    }
    assert!(proven >= 10, "only {proven} proven");
}

/// What needs the deepest search runs on a small stack, with helper threads and without.
#[test]
fn any_thread_may_solve() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tsume/famous.csv");
    let mut file = csv::Reader::from_path(path).unwrap();
    let positions: Vec<Position> =
        file.records().map(|record| record.unwrap()[0].parse().unwrap()).collect();
    for threads in [1, 2] {
        let positions = positions.clone();
        let solve_all = move || {
            for position in positions {
                let limits = MateLimits { nodes: Some(50_000), threads, ..MateLimits::default() };
                let (mut solver, signals) = (MateSolver::new(16), Signals::new());
                let question = MateQuestion::new(&position, &limits, &signals);
                solver.solve(&question, &mut |_| {});
                let problem = position.into();
                let limits = MateLimits { nodes: Some(5_000), ..limits };
                let question = MateQuestion::for_problem(&problem, &limits, &signals);
                solver.solve_all(&question);
                let _ = solver.length_without_futile(&question, 999);
            }
        };
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(solve_all).unwrap();
        thread.join().unwrap();
    }
}

/// No machine has so much memory, so the solver makes do with what there is.
#[test]
fn a_table_that_does_not_fit_is_smaller() {
    let position = Position::from_sfen("8k/9/9/9/9/9/9/9/9 b RBG 1").unwrap();
    let limits = MateLimits { nodes: Some(1_000), ..MateLimits::default() };
    for megabytes in [usize::MAX >> 20, usize::MAX] {
        let signals = Signals::new();
        let question = MateQuestion::new(&position, &limits, &signals);
        let answer = MateSolver::new(megabytes).solve(&question, &mut |_| {});
        assert!(matches!(&answer, MateAnswer::Mate(mate) if mate.plies() == 5), "{answer:?}");
    }
}

#[test]
fn the_attackers_own_king_counts() {
    // The gold in front of the king would be mate, but Black is in check and cannot drop it.
    let free = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    assert!(matches!(solve(&free, 10_000), MateAnswer::Mate(mate) if mate.plies() == 1));
    let checked = Position::from_sfen("4k4/9/4P4/9/9/9/9/4r4/4K4 b G 1").unwrap();
    assert_eq!(solve(&checked, 10_000), MateAnswer::NoMate);
}

#[test]
fn a_bare_board_and_a_missing_king_have_no_mate() {
    for sfen in
        ["9/9/9/9/9/9/9/9/4K4 b RB 1", "4k4/9/9/9/9/9/9/9/9 b - 1", "4k4/9/9/9/9/9/9/9/9 b P 1"]
    {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(solve(&position, 10_000), MateAnswer::NoMate, "{sfen}");
    }
}

#[test]
fn limits_end_the_search_without_an_answer() {
    let hard = problems().into_iter().rfind(|problem| problem.plies.is_none()).unwrap();
    let position = Position::from_sfen(&hard.sfen).unwrap();
    assert_eq!(solve(&position, 100), MateAnswer::Unknown(MateUnknown::Nodes));

    let limits = MateLimits::default();
    let signals = Signals::new();
    signals.stop();
    let question = MateQuestion::new(&position, &limits, &signals);
    let answer = MateSolver::new(64).solve(&question, &mut |_| {});
    assert_eq!(answer, MateAnswer::Unknown(MateUnknown::Stopped));

    let limits = MateLimits { time: Some(std::time::Duration::ZERO), ..limits };
    let signals = Signals::new();
    let question = MateQuestion::new(&position, &limits, &signals);
    let answer = MateSolver::new(64).solve(&question, &mut |_| {});
    assert_eq!(answer, MateAnswer::Unknown(MateUnknown::Time));
}

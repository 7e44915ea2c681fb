//! `tsumero mate` on whole files of problems. What it answers is judged by the crate `rsshogi`, whose
//! rules share nothing with ours, and by the lengths the files state.

use rsshogi::board::{LegalAll, MoveList, Position, generate_moves, position_from_sfen};
use rsshogi::types::Move;
use tsumero_core::MateProblem;

use crate::harness::run_to_end;

pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tsume");

/// One row of a file.
struct Problem {
    sfen: String,
    /// Length of the mate as stated, if it is a plain number.
    plies: Option<usize>,
}

/// What the program says of a position.
enum Answer {
    Mate(Vec<String>),
    NoMate,
    Unknown,
    /// It does not read the position.
    Refused,
}

fn problems(name: &str) -> Vec<Problem> {
    let mut reader = csv::Reader::from_path(format!("{FOLDER}/{name}.csv")).unwrap();
    assert_eq!(reader.headers().unwrap().iter().take(2).collect::<Vec<_>>(), ["sfen", "plies"]);
    let problem = |record: csv::Result<csv::StringRecord>| {
        let record = record.unwrap();
        Problem { sfen: record[0].to_owned(), plies: record[1].parse().ok() }
    };
    reader.records().map(problem).collect()
}

/// Solves a file in one process and reads the answers in the order of its rows.
fn answers(name: &str, count: usize, nodes: u32) -> Vec<Answer> {
    let file = format!("{FOLDER}/{name}.csv");
    let nodes = nodes.to_string();
    let words = ["mate", "--file", &file, "--nodes", &nodes, "--hash", "64", "--threads", "2"];
    let run = run_to_end(words, "");
    // The header is line 1, and no row has a line break in it.
    let is_refused = |row: usize| {
        run.errors.lines().any(|line| line.starts_with(&format!("line {}: ", row + 2)))
    };
    let refused: Vec<bool> = (0..count).map(is_refused).collect();
    assert_eq!(run.code, i32::from(refused.contains(&true)), "{name}: {}", run.errors);
    let mut lines = run.output.lines();
    let mut answer = |refused: bool| {
        let line = lines.next().unwrap_or_else(|| panic!("{name}: answers are missing"));
        assert_eq!(line.starts_with("error "), refused, "{name}: {line}");
        if refused {
            return Answer::Refused;
        }
        let mut words = line.split(' ').map(str::to_owned);
        match words.next().as_deref() {
            Some("mate") => {
                let plies: usize = words.next().unwrap().parse().unwrap();
                let moves: Vec<String> = words.collect();
                assert_eq!(moves.len(), plies, "{line}");
                Answer::Mate(moves)
            }
            Some("nomate") => {
                assert_eq!(line, "nomate");
                Answer::NoMate
            }
            _ => {
                assert!(line.starts_with("unknown "), "{name}: '{line}'");
                Answer::Unknown
            }
        }
    };
    let answers = refused.into_iter().map(&mut answer).collect();
    assert_eq!(lines.next(), None, "{name}: more answers than rows");
    answers
}

/// All legal moves by the other library, non-promotions included, pawn-drop mates left out.
pub(crate) fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    generate_moves::<LegalAll>(position, &mut moves);
    moves.iter().copied().collect()
}

pub(crate) fn read(sfen: &str) -> Position {
    let mut position = position_from_sfen(sfen).expect("both read the same SFEN");
    position.init_stack();
    position
}

pub(crate) fn after(position: &Position, m: Move) -> Position {
    let mut position = position.clone();
    position.apply_move(m);
    position
}

/// Plays a line: every move must be legal, every other one from the first a check, and the last one
/// a mate. Returns the positions in which the defender replies, each with the plies left after the
/// reply.
pub(crate) fn replay(sfen: &str, line: &[String]) -> Vec<(Position, usize)> {
    let mut position = read(sfen);
    let mut replies = Vec::new();
    for (number, word) in line.iter().enumerate() {
        let m = legal_moves(&position).into_iter().find(|m| m.to_usi() == *word);
        let m = m.unwrap_or_else(|| panic!("{sfen}: move {} of {line:?} is illegal", number + 1));
        position = after(&position, m);
        if number % 2 == 0 {
            assert!(position.is_in_check(), "{sfen}: {word} of {line:?} gives no check");
            if number + 1 < line.len() {
                replies.push((position.clone(), line.len() - number - 2));
            }
        }
    }
    assert!(
        line.len() % 2 == 1 && legal_moves(&position).is_empty(),
        "{sfen}: {line:?} is no mate"
    );
    assert!(!line.last().unwrap().starts_with("P*"), "{sfen}: {line:?} mates by a dropped pawn");
    replies
}

/// Whether the side to move mates in at most so many plies, by trying everything.
pub(crate) fn mates_within(position: &Position, plies: usize) -> bool {
    plies > 0
        && legal_moves(position).into_iter().any(|m| {
            position.gives_check_move(m) && {
                let checked = after(position, m);
                let replies = legal_moves(&checked);
                // With one ply left only what leaves no reply is a mate.
                replies.is_empty()
                    || plies > 2
                        && replies.into_iter().all(|m| mates_within(&after(&checked, m), plies - 2))
            }
        })
}

/// Whether the side to move could capture the king, in which case the program plays by a rule of
/// its own.
fn could_capture_the_king(sfen: &str) -> bool {
    MateProblem::from_sfen(sfen).is_ok_and(|problem| problem.position().is_none())
}

/// Solves a file in which every length is exact. Whatever is found must be a mate and not be shorter;
/// at least `least` rows must be solved with just that length, because the nodes may end the search
/// for the shortest line. Lines of at most `proven` plies are proven: every
/// reply along them must be met in the plies that are left.
fn check_mates(name: &str, nodes: u32, least: usize, proven: usize) {
    let problems = problems(name);
    let mut solved = 0;
    for (problem, answer) in problems.iter().zip(answers(name, problems.len(), nodes)) {
        match answer {
            // The other library does not take these; `mate_command` looks after them.
            Answer::Mate(_) if could_capture_the_king(&problem.sfen) => solved += 1,
            Answer::Mate(line) => {
                let replies = replay(&problem.sfen, &line);
                if let Some(plies) = problem.plies {
                    assert!(line.len() >= plies, "{}: {line:?}", problem.sfen);
                }
                solved += usize::from(problem.plies.is_none_or(|plies| plies == line.len()));
                for (position, left) in replies {
                    if line.len() > proven {
                        break;
                    }
                    for m in legal_moves(&position) {
                        let is_met = mates_within(&after(&position, m), left);
                        assert!(is_met, "{}: {line:?} fails to {}", problem.sfen, m.to_usi());
                    }
                }
            }
            Answer::NoMate => panic!("{}: there is a mate", problem.sfen),
            Answer::Unknown | Answer::Refused => {}
        }
    }
    assert!(solved >= least, "{name}: only {solved} of {} rows solved", problems.len());
}

#[test]
fn mates_in_one_and_three_are_solved_and_proven() {
    check_mates("mate1", 1_000, 51, 1);
    check_mates("mate3", 10_000, 163, 3);
}

#[test]
fn mates_in_five_are_solved_and_proven() {
    check_mates("mate5", 100_000, 153, 5);
}

#[test]
fn mates_in_seven_are_solved_and_proven() {
    // The other library is not optimized in a debug build, and trying everything takes a minute then.
    check_mates("mate7", 1_000_000, 152, if cfg!(debug_assertions) { 5 } else { 7 });
}

#[test]
fn mates_in_nine_are_solved() {
    check_mates("mate9", 3_000_000, 169, 0);
}

#[test]
fn longer_mates_have_the_stated_length_where_they_are_found() {
    check_mates("mate11plus", 30_000, 25, 0);
    check_mates("nonpromotion", 300_000, 16, 0);
    check_mates("futile", 100_000, 4, 0);
}

#[test]
fn no_mate_is_claimed_where_there_is_none() {
    let problems = problems("nomate");
    let mut proven = 0;
    for (problem, answer) in problems.iter().zip(answers("nomate", problems.len(), 5_000)) {
        match answer {
            Answer::Mate(line) => panic!("{} has no mate, not {line:?}", problem.sfen),
            Answer::NoMate => proven += 1,
            Answer::Unknown | Answer::Refused => {}
        }
    }
    assert!(proven >= 15, "only {proven} of {} rows proven", problems.len());
}

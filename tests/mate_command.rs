//! What `tsumero mate` does beyond one answer a line: problems whose first move could capture the
//! king, `--verbose` and `--all`. Mates are judged by the crate `rsshogi` and by the data.

use rsshogi::board::Position;
use tsumero_core::MateProblem;

use crate::harness::{Run, run_to_end};
use crate::mate_problems::{FOLDER, after, legal_moves, mates_within, read, replay};
use crate::sfen;

/// White's rook already checks, and every move that lets it do so mates.
const STANDING_CHECK: &str = "4K4/2sP1Ps2/9/4r4/9/9/9/9/4k4 w - 1";

fn mate(arguments: &[&str]) -> Run {
    let run = run_to_end(["mate"].iter().chain(arguments).copied(), "");
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.errors);
    run
}

/// The columns of a file of problems, row by row.
fn rows(name: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(format!("{FOLDER}/{name}.csv")).unwrap();
    let columns = |record: csv::Result<csv::StringRecord>| {
        record.unwrap().iter().map(str::to_owned).collect()
    };
    reader.records().map(columns).collect()
}

/// Whether whoever is to move is in check and every reply is mated in at most so many plies, the
/// reply counted.
fn mated_within(position: &Position, plies: usize) -> bool {
    let replies = legal_moves(position);
    position.is_in_check()
        && (replies.is_empty()
            || plies > 1
                && replies.into_iter().all(|m| mates_within(&after(position, m), plies - 1)))
}

/// A line of the answer that stands for one first move.
enum Choice {
    /// It mates by this line.
    Mate { line: Vec<String>, is_exact: bool },
    /// Nobody knows.
    Undecided(String),
}

fn choice(text: &str) -> Choice {
    let words: Vec<&str> = text.split(' ').collect();
    match words[..] {
        ["mate" | "also", plies, ..] => {
            let line: Vec<String> = words[2..].iter().copied().map(str::to_owned).collect();
            let exact = plies.strip_prefix("<=");
            assert_eq!(exact.unwrap_or(plies), line.len().to_string(), "{text}");
            Choice::Mate { line, is_exact: exact.is_none() }
        }
        ["undecided", "nodes" | "memory", mv] => Choice::Undecided(mv.to_owned()),
        _ => panic!("'{text}'"),
    }
}

#[test]
fn one_row_does_not_answer_another() {
    let rows = [sfen::DEFENDER_HOLDS_A_KNIGHT, sfen::DEFENDER_HOLDS_LANCES].join("\n");
    let run = run_to_end(["mate", "--file", "-"], &rows);
    let answers: Vec<&str> = run.output.lines().collect();
    assert_eq!((answers.len(), answers[0]), (2, "nomate"), "{}", run.output);
    assert!(answers[1].starts_with("mate 13 "), "{}", run.output);
}

/// Whatever the limits, a row is answered as if it were alone, and takes as many nodes.
#[test]
fn the_order_of_the_rows_changes_no_answer() {
    let mut sfens = Vec::new();
    for (name, step) in [("mate9", 12), ("mate11plus", 20), ("nomate", 24), ("classics", 12)] {
        sfens.extend(rows(name).into_iter().step_by(step).map(|mut row| row.swap_remove(0)));
    }
    // Positions from the middle of the same problems, which share most of what can be known.
    for sfen in sfens.clone() {
        let Ok(position) = sfen.parse::<tsumero_core::Position>() else { continue };
        for mv in
            position.legal_moves().iter().copied().filter(|&mv| position.gives_check(mv)).take(1)
        {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if let Some(&evasion) = after.legal_moves().first() {
                after.play_unchecked(evasion);
                sfens.push(after.to_sfen());
            }
        }
    }
    let answers = |order: &[usize], threads: &str| -> Vec<(String, String)> {
        let text: String = order.iter().map(|&row| sfens[row].clone() + "\n").collect();
        let words = ["mate", "--file", "-", "--nodes", "3000", "--all", "--verbose", "--threads"];
        let run = run_to_end(words.into_iter().chain([threads]), &text);
        let lines = run.errors.lines().filter_map(|line| line.strip_prefix("position "));
        let nodes = lines.map(|line| {
            let (_, told) = line.split_once(": ").unwrap();
            told.split_once(',').unwrap().0.to_owned()
        });
        // The lines about other first moves belong to the answer before them.
        let mut blocks: Vec<String> = Vec::new();
        for line in run.output.lines() {
            match blocks.last_mut() {
                Some(block) if line.starts_with("also ") || line.starts_with("undecided ") => {
                    *block += line;
                }
                _ => blocks.push(line.to_owned()),
            }
        }
        let told: Vec<_> = blocks.into_iter().zip(nodes).collect();
        assert_eq!(told.len(), order.len(), "{}", run.errors);
        let mut in_place = vec![Default::default(); order.len()];
        order.iter().zip(told).for_each(|(&row, told)| in_place[row] = told);
        in_place
    };
    let straight: Vec<usize> = (0..sfens.len()).collect();
    let expected = answers(&straight, "1");
    let limited = expected.iter().filter(|(answer, _)| answer.starts_with("unknown nodes"));
    assert!(limited.count() > 3, "the limit matters");
    let reversed: Vec<usize> = straight.iter().rev().copied().collect();
    let dealt: Vec<usize> = (0..7).flat_map(|first| (first..sfens.len()).step_by(7)).collect();
    for (order, threads) in [(reversed, "1"), (dealt, "2")] {
        let found = answers(&order, threads);
        for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{}", sfens[row]);
        }
    }
    let alone = mate(&["--sfen", &sfens[3], "--nodes", "3000"]).output;
    assert!(expected[3].0.starts_with(alone.trim_end()), "{alone}");
}

#[test]
fn a_king_that_could_be_captured_is_mated_instead() {
    let problem = MateProblem::from_sfen(STANDING_CHECK).unwrap();
    assert!(problem.position().is_none());
    let run = mate(&["--sfen", STANDING_CHECK, "--all"]);
    let mut first_moves = Vec::new();
    for text in run.output.lines() {
        match choice(text) {
            Choice::Mate { line, .. } if line.len() == 1 => first_moves.extend(line),
            _ => panic!("every mate is at once: {text}"),
        }
    }
    assert!(first_moves.contains(&"5d5c".to_owned()), "{first_moves:?}");
    for (mv, position) in problem.checks() {
        let position = read(&position.to_sfen());
        let mates = position.is_in_check() && legal_moves(&position).is_empty();
        assert_eq!(first_moves.contains(&mv.to_string()), mates, "{mv}");
    }
    // Whoever stands beside the other king must leave, and no check is left.
    for (row, columns) in rows("nomate").iter().enumerate() {
        if MateProblem::from_sfen(&columns[0]).is_ok_and(|problem| problem.position().is_none()) {
            let answer = mate(&["--sfen", &columns[0]]).output;
            assert_eq!(answer, "nomate\n", "row {}", row + 1);
        }
    }
    // So is the first position of a game file, whatever moves follow.
    let board =
        "|v玉 ・ ・ ・ ・ ・ ・ ・ 飛|\n".to_owned() + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(8);
    let kif = format!("先手の持駒：金二\n後手の持駒：なし\n{board}   1 ８三金打\n");
    let csa = "P-91OU\nP+11HI00KI00KI\n+\n".to_owned();
    for file in [&kif, &csa] {
        let run = run_to_end(["mate", "--file", "-"], file);
        assert!(run.code == 0 && run.output.starts_with("mate 1 G*"), "{}{file}", run.errors);
        assert_eq!(run_to_end(["tsume", "check", "--file", "-"], file).code, 1);
        assert_eq!(run_to_end(["record", "-"], file).code, 1);
    }
    // Everything else goes on refusing such a board.
    assert_eq!(run_to_end(["moves", "--sfen", STANDING_CHECK], "").code, 1);
}

#[test]
fn a_standing_check_leads_to_the_shortest_mate() {
    // The rook checks along the rank. With two golds there is a mate in three, by more than one
    // first move, and with none of them at once.
    let sfen = "9/k4R3/9/9/9/9/9/9/9 b 2G 1";
    let problem = MateProblem::from_sfen(sfen).unwrap();
    assert!(problem.position().is_none());
    let output = mate(&["--sfen", sfen]).output;
    let words: Vec<&str> = output.trim_end().split(' ').collect();
    assert_eq!(words[..2], ["mate", "3"], "{output}");
    for (mv, position) in problem.checks() {
        let position = read(&position.to_sfen());
        assert!(!mated_within(&position, 0), "{mv} mates at once");
        assert!(mv.to_string() != words[2] || mated_within(&position, 2), "{output}");
    }
    // Mates at once are seen before any search.
    let sfen = "k4R3/9/9/9/9/9/9/9/9 b 2G 1";
    let output = mate(&["--sfen", sfen, "--nodes", "1"]).output;
    assert!(["mate 1 G*8c\n", "mate 1 G*9c\n"].contains(&output.as_str()), "{output}");
    // A limit that ends the search is named.
    let output = mate(&["--sfen", "9/k4R3/9/9/9/9/9/9/9 b 2G 1", "--nodes", "5"]).output;
    assert_eq!(output, "unknown nodes\n");
}

#[test]
fn verbose_counts_without_futile_interpositions() {
    const STATED: &str = "(futile interpositions not counted) ";
    let mut stated = 0;
    for columns in rows("futile") {
        let Some((_, length)) = columns[3].split_once(STATED) else { continue };
        let output = mate(&["--sfen", &columns[0], "--verbose"]).output;
        let head = format!("mate {} ({length} without futile interpositions) ", columns[1]);
        assert!(output.starts_with(&head), "{output} is not {head}");
        let line: Vec<String> =
            output[head.len()..].split_whitespace().map(str::to_owned).collect();
        assert_eq!(line.len().to_string(), columns[1]);
        replay(&columns[0], &line);
        stated += 1;
    }
    assert_eq!(stated, 5);
    // Interpositions that have to be reckoned with are counted.
    for (sfen, length) in [
        (sfen::TSUME_3, 3),
        ("9/1+R7/4R4/2+S6/k8/3p5/2+b6/9/9 b LPb4g3s4n3l16p 1", 3),
        ("6Spk/9/5R1+B1/9/9/9/9/9/9 b Nrb4g3s3n4l17p 1", 5),
    ] {
        let output = mate(&["--sfen", sfen, "--verbose"]).output;
        let head = format!("mate {length} ({length} without futile interpositions) ");
        assert!(output.starts_with(&head), "{output}");
    }
}

#[test]
fn verbose_tells_what_each_position_took() {
    let file = format!("{FOLDER}/mate1.csv");
    let run = mate(&["--file", &file, "--verbose", "--threads", "2"]);
    let told: Vec<&str> = run.errors.lines().filter(|line| line.starts_with("position ")).collect();
    assert_eq!(told.len(), rows("mate1").len());
    for (number, line) in told.iter().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[1], format!("{}:", number + 1));
        assert!(words[2].parse::<u64>().is_ok() && words[3] == "nodes,", "{line}");
        assert!(words[4].parse::<f64>().is_ok() && words[5] == "ms,", "{line}");
        assert_eq!(words[6], "table");
        assert!(words[7].parse::<f64>().is_ok_and(|percent| percent <= 100.0), "{line}");
        assert!(line.ends_with("% full, no shorter mate"), "{line}");
    }
    // The number is that of the answer, also behind a row that cannot be read.
    let input = format!("sfen\nnonsense\n{}\n", sfen::MATE_IN_ONE);
    let gap = run_to_end("mate --file - --verbose".split(' '), &input);
    assert!(gap.output.lines().nth(1).unwrap().starts_with("mate 1"), "{}", gap.output);
    assert!(gap.errors.contains("position 2: "), "{}", gap.errors);
    // Only then.
    let run = mate(&["--sfen", sfen::MATE_IN_ONE]);
    assert!(!run.errors.contains("position 1:") && !run.output.contains('('));
}

/// The count without futile interpositions begins with a new table if the search has filled its own.
#[test]
fn verbose_tells_how_full_the_table_of_the_search_was() {
    let sfen = "2p+P3l+L/3p1gk2/3+Rppp2/2N1n2pg/B5P2/1+p7/3N5/9/9 b RBSN2g3s2l9p 1";
    let run = mate(&["--sfen", sfen, "--hash", "1", "--nodes", "60000", "--verbose"]);
    assert!(run.output.starts_with("mate ") && run.errors.contains("not counted"));
    let (_, told) = run.errors.split_once("table ").unwrap();
    let percent: f64 = told.split_once(" % full").unwrap().0.parse().unwrap();
    assert!(percent > 50.0, "{percent}");
}

#[test]
fn all_first_moves_that_mate_are_listed() {
    let problems = &rows("mate3")[..20];
    let (mut others, mut undecided) = (0, 0);
    for columns in problems {
        let sfen = &columns[0];
        let output = mate(&["--sfen", sfen, "--all", "--nodes", "30000"]).output;
        let root = read(sfen);
        let mut listed = Vec::new();
        for (number, text) in output.lines().enumerate() {
            assert_eq!(text.starts_with("mate "), number == 0, "{output}");
            let first = match choice(text) {
                Choice::Undecided(first) => {
                    undecided += 1;
                    first
                }
                Choice::Mate { line, is_exact } => {
                    replay(sfen, &line);
                    let m = legal_moves(&root).into_iter().find(|m| m.to_usi() == line[0]);
                    let position = after(&root, m.unwrap());
                    if line.len() <= 5 {
                        assert!(mated_within(&position, line.len() - 1), "{sfen}: {text}");
                    }
                    if is_exact && line.len() > 1 {
                        let faster = (line.len() - 3).min(2);
                        assert!(!mated_within(&position, faster), "{sfen}: {text}");
                    }
                    others += number.min(1);
                    line[0].clone()
                }
            };
            assert!(!listed.contains(&first), "{output}");
            listed.push(first);
        }
        for m in legal_moves(&root) {
            if mated_within(&after(&root, m), 2) {
                assert!(listed.contains(&m.to_usi()), "{sfen}: {} of {output}", m.to_usi());
            }
        }
    }
    assert!(others > undecided / 2, "{others} other mates, {undecided} undecided");
    // Without a mate there is nothing to list.
    assert_eq!(mate(&["--sfen", sfen::NO_MATE, "--all"]).output, "nomate\n");
}

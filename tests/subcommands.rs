//! The subcommands: their output to the letter, their exit codes, and how they take bad input.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use tsumero_core::Position;

use crate::harness::{Run, engine, legal_line, run_to_end, start, start_unread};
use crate::sfen;

const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The given arguments, which are separated by blanks or, if there is one, by bars.
fn words(arguments: &str) -> impl Iterator<Item = &str> {
    let separator = if arguments.contains('|') { '|' } else { ' ' };
    arguments.split(separator)
}

/// Runs the program with the given arguments and standard input.
fn run(arguments: &str, input: &str) -> Run {
    run_to_end(words(arguments), input)
}

/// The output of a run that must go well and print lines.
fn lines(arguments: &str, input: &str) -> Vec<String> {
    let run = run(arguments, input);
    assert_eq!(run.code, 0, "{arguments}: {}", run.errors);
    run.output.lines().map(str::to_owned).collect()
}

#[test]
fn every_subcommand_has_help_and_wrong_usage_is_code_2() {
    assert_eq!(run("--help", "").code, 0);
    for name in [
        "bench",
        "perft",
        "moves",
        "validate",
        "mate1",
        "mate",
        "eval",
        "tsume",
        "tsume generate",
        "tsume check",
        "record",
        "analyze",
        "book",
        "book make",
        "book show",
        "quantum",
        "quantum perft",
        "quantum moves",
        "quantum converge",
        "quantum play",
        "completions",
        "man",
    ] {
        let help = run(&format!("{name} --help"), "");
        assert_eq!(help.code, 0);
        assert!(help.output.contains(&format!("Usage: tsumero {name} ")), "{}", help.output);
        assert_eq!(run(&format!("{name} --no-such-option"), "").code, 2);
    }
    for arguments in [
        "nonsense",
        "perft",
        "perft many",
        "perft 65",
        "perft 3 --file x.csv",
        "validate",
        "mate1",
        "mate --threads 0",
        "mate --hash 0",
        "bench --depth 0",
        "moves --file /no/such/file",
        "mate1 --file /no/such/file",
        "perft --file /",
    ] {
        let run = run(arguments, "");
        assert_eq!(run.code, 2, "{arguments}");
        assert!(run.output.is_empty() && !run.errors.is_empty(), "{arguments}");
    }
}

#[test]
fn a_file_without_its_option_is_hinted_at() {
    for command in ["mate", "mate1", "moves", "eval", "tsume check"] {
        let refused = run(&format!("{command} g7.csv"), "");
        assert_eq!((refused.code, refused.output.as_str()), (2, ""), "{command}");
        assert!(refused.errors.contains("'--file g7.csv'"), "{command}: {}", refused.errors);
    }
    for other in ["tsume generate g7.csv", "mate --fil g7.csv", "nonsense g7.csv"] {
        let refused = run(other, "");
        assert!(refused.code == 2 && !refused.errors.contains("named by"), "{}", refused.errors);
    }
}

/// A smaller table would sign another search.
#[test]
fn bench_refuses_a_table_for_which_there_is_no_memory() {
    let run = run("bench --depth 1 --hash 4294967295", "");
    assert_eq!((run.code, run.output.as_str()), (2, ""));
    let reason = "error: --hash: not enough memory for a transposition table of 4294967295 MB\n";
    assert_eq!(run.errors, reason);
}

#[test]
fn bench_signs_the_search() {
    let signature = || {
        let lines = lines("bench --depth 2 --hash 4", "");
        let last: Vec<&String> = lines.iter().rev().take(3).rev().collect();
        // Testing frameworks read the same numbers from one line.
        let words: Vec<&str> = lines[lines.len() - 4].split(' ').collect();
        assert_eq!([words[1], words[3]], ["nodes", "nps"], "{words:?}");
        assert_eq!(
            [format!("nodes: {}", words[0]), format!("nps: {}", words[2])],
            [last[0].clone(), last[2].clone()]
        );
        let number = |line: &String, key: &str| -> u64 {
            line.strip_prefix(key).expect(key).parse().expect("a number")
        };
        number(last[1], "time: ");
        number(last[2], "nps: ");
        number(last[0], "nodes: ")
    };
    let first = signature();
    assert!(first > 0);
    assert_eq!(signature(), first);
    assert_ne!(format!("nodes: {first}"), lines("bench --nodes 100", "")[1]);
}

#[test]
fn perft_counts_and_divides() {
    assert_eq!(lines("perft 3", ""), ["25470"]);
    assert_eq!(lines("perft 3 --no-bulk", ""), ["25470"]);
    assert_eq!(lines("perft 0", ""), ["1"]);
    assert_eq!(lines("perft 0 --divide", ""), ["1"]);
    let divided = lines(&format!("perft|2|--sfen|{STARTPOS}|--divide"), "");
    assert_eq!(divided.len(), 31);
    assert_eq!(divided[30], "900");
    assert!(divided.contains(&"7g7f: 30".to_owned()));
    let bad = run("perft|2|--sfen|9/9 b - 1", "");
    assert_eq!((bad.code, bad.output.len()), (1, 0));
    assert!(bad.errors.contains("--sfen"), "{}", bad.errors);
}

#[test]
fn perft_checks_files() {
    let rows = format!(
        "name,sfen,depth,nodes,confirmed_by\n\
         start,{STARTPOS},1,30,\"a, b\"\n\
         start,{STARTPOS},2,900,c\n"
    );
    assert_eq!(lines("perft --file -", &rows), ["start 1 ok", "start 2 ok"]);
    let wrong = run("perft --file -", &format!("{rows}start,{STARTPOS},3,25471\n"));
    assert_eq!(wrong.code, 1);
    assert!(wrong.output.ends_with("start 2 ok\nstart 3 WRONG 25470 25471\n"), "{}", wrong.output);
    let bad = run("perft --file -", &format!("x,nonsense,1,2\nshort,row\n{rows}"));
    assert_eq!(bad.code, 1);
    assert!(bad.errors.contains("line 1: ") && bad.errors.contains("line 2: "), "{}", bad.errors);
    assert!(bad.output.ends_with("start 1 ok\nstart 2 ok\n"));
    // The header is one only where it comes first.
    assert_eq!(bad.output.lines().filter(|line| line.starts_with("error ")).count(), 3);
}

#[test]
fn moves_are_sorted() {
    let all = &lines("moves", "")[0];
    let mut words: Vec<&str> = all.split(' ').collect();
    assert_eq!((words.len(), words[0], words[29]), (30, "1g1f", "9i9h"));
    assert!(words.is_sorted());
    words.dedup();
    assert_eq!(words.len(), 30);
    assert_eq!(lines(&format!("moves|--sfen|{}", sfen::ONE_LEGAL_MOVE), ""), ["1i1h"]);
    // One line for each position, an empty one if there is no move.
    let input = format!(
        "# a comment\n{STARTPOS}\n\n{}\r\nsfen {}\nstartpos\n",
        sfen::MATED,
        sfen::ONE_LEGAL_MOVE
    );
    assert_eq!(lines("moves --file -", &input), [all, "", "1i1h", all]);
}

#[test]
fn bad_lines_are_named_in_their_place_and_the_others_answered() {
    let input = format!("garbage\n{STARTPOS}\n\u{feff}\n\"\n9/9/9 b - 1\n{}\n", sfen::MATE_IN_ONE);
    for command in ["moves", "mate1", "mate"] {
        let run = run(&format!("{command} --file -"), &input);
        assert_eq!(run.code, 1, "{command}: {}", run.errors);
        for number in [1, 4, 5] {
            assert!(run.errors.contains(&format!("line {number}: ")), "{command}: {}", run.errors);
        }
        // Answers stay beside what they answer.
        let is_error: Vec<bool> =
            run.output.lines().map(|line| line.starts_with("error ")).collect();
        assert_eq!(is_error, [true, false, true, true, false], "{command}: {}", run.output);
    }
}

#[test]
fn lines_may_be_written_as_over_usi() {
    let game = "moves 7g7f 3c3d 8h2b+";
    let written = [
        format!("position startpos {game}"),
        format!("startpos {game}"),
        format!("sfen {STARTPOS} {game}"),
        format!("position sfen {STARTPOS} {game}"),
        format!("{STARTPOS} {game}"),
    ];
    let all = lines("moves --file -", &format!("{}\n", written.join("\n")));
    assert_eq!(all.len(), written.len());
    assert!(all.iter().all(|line| *line == all[0] && line.split(' ').any(|m| m == "3a2b")));
    for command in ["moves", "perft 1"] {
        let one = lines(&format!("{}|--sfen|{}", command.replace(' ', "|"), written[0]), "");
        assert!(one[0] == all[0] || one[0] == all[0].split(' ').count().to_string());
    }
    let mated = format!("{} moves G*5b", sfen::MATE_IN_ONE);
    let input = format!("{mated}\nstartpos moves 7g7f 7g7f\nstartpos moves 7g7f\n");
    for command in ["mate", "mate1"] {
        let run = run(&format!("{command} --file -"), &input);
        assert_eq!(run.code, 1);
        let answers: Vec<&str> = run.output.lines().collect();
        assert!(answers[1].starts_with("error move 2, 7g7f: "), "{answers:?}");
        let none = if command == "mate" { "nomate" } else { "none" };
        assert_eq!((answers[0], answers[2]), (none, none));
    }
}

/// A script that gives one position at a time and reads its answer before the next.
#[test]
fn answers_come_as_soon_as_they_are_known() {
    for command in ["moves --file -", "mate1 --file -", "mate --file - --hash 1"] {
        let mut child = start(command.split(' '));
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..5 {
            writeln!(input, "{}", sfen::MATE_IN_ONE).unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert!(line.contains("G*5b") || line.starts_with("mate 1 "), "{command}: {line}");
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

/// Who reads no further does not want any more to be searched, however long that would take.
#[cfg(unix)]
#[test]
fn a_search_ends_when_nobody_reads_its_answer() {
    let input = format!("{}\n{}\n", sfen::MATE_IN_ONE, sfen::HARD_TSUME);
    for arguments in [
        &["mate", "--file", "-", "--threads", "2"][..],
        &["mate", "--file", "-"],
        &["mate", "--sfen", sfen::HARD_TSUME],
        &["tsume", "generate", "--plies", "9", "--count", "100000"],
    ] {
        let mut child = start(arguments.iter().copied());
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        drop(child.stdout.take());
        let started = std::time::Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if started.elapsed().as_secs() < 10 => {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                }
                None => {
                    child.kill().unwrap();
                    panic!("{arguments:?} goes on");
                }
            }
        };
        assert_eq!(status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn validate_names_the_rule() {
    let answers = lines("validate 7g7f 7g7e 7g7j 2h7h P*5e 3c3d 8h2b xyz 8h8i", "");
    assert_eq!(answers.len(), 9);
    assert_eq!(answers[0], "ok");
    assert!(
        answers[3] == "ok" && answers[1..].iter().filter(|answer| *answer == "ok").count() == 1
    );
    let reasons: Vec<&str> =
        answers.iter().filter_map(|answer| answer.strip_prefix("illegal: ")).collect();
    assert_eq!(reasons.len(), 7);
    let distinct: std::collections::HashSet<&&str> = reasons.iter().collect();
    assert_eq!(distinct.len(), 7, "{reasons:?}");
    let two_pawns = format!("validate|--sfen|{}|P*5d|P*4d", "4k4/9/9/9/9/9/4P4/9/4K4 b P 1");
    assert_eq!(lines(&two_pawns, ""), ["illegal: two pawns on the file", "ok"]);
    assert_eq!(run("validate|--sfen|nonsense|7g7f", "").code, 1);
}

#[test]
fn mate1_finds_a_move_that_mates_or_none() {
    let input = format!(
        "sfen,has_mate\n{},1\n{STARTPOS},0\n{},0\n{}\n",
        sfen::MATE_IN_ONE,
        sfen::MATED,
        sfen::NO_MATE
    );
    let run = run("mate1 --file -", &input);
    assert_eq!(run.code, 0, "{}", run.errors);
    let answers: Vec<&str> = run.output.lines().collect();
    assert_eq!(answers[1..], ["none", "none", "none"]);
    let position = Position::from_sfen(sfen::MATE_IN_ONE).unwrap();
    let after = legal_line(&position, &[answers[0].to_owned()]).unwrap();
    assert!(after.in_check() && !after.has_legal_move());
    assert!(run.errors.contains("4 positions, 1 mate in one"), "{}", run.errors);
    assert!(run.errors.contains("calls per second"), "{}", run.errors);
}

#[test]
fn mate_answers_in_order_whatever_the_number_of_threads() {
    let problems = [sfen::TSUME_3, sfen::NO_MATE, sfen::MATE_IN_ONE, sfen::HARD_TSUME];
    let input = format!("sfen,plies\n{}\n", problems.join(",x\n")).repeat(2);
    // The second header row is a bad line.
    for threads in [1, 3] {
        let run = run(&format!("mate --file - --nodes 20000 --hash 8 --threads {threads}"), &input);
        assert_eq!(run.code, 1, "{}", run.errors);
        assert!(run.errors.contains("line 6: "), "{}", run.errors);
        let mut answers: Vec<&str> = run.output.lines().collect();
        assert_eq!(answers.len(), 9, "{}", run.output);
        assert!(answers.remove(4).starts_with("error "), "{}", run.output);
        for (number, answer) in answers.iter().enumerate() {
            let words: Vec<&str> = answer.split(' ').collect();
            let plies = match number % 4 {
                0 => 3,
                1 => {
                    assert_eq!(*answer, "nomate");
                    continue;
                }
                2 => 1,
                _ => {
                    assert_eq!(*answer, "unknown nodes");
                    continue;
                }
            };
            assert_eq!((words[0], words[1]), ("mate", &plies.to_string()[..]));
            let line: Vec<String> = words[2..].iter().map(|&word| word.to_owned()).collect();
            assert_eq!(line.len(), plies);
            let position = Position::from_sfen(problems[number % 4]).unwrap();
            let last = legal_line(&position, &line).unwrap();
            assert!(last.in_check() && !last.has_legal_move());
        }
    }
    assert_eq!(lines(&format!("mate|--sfen|{}", sfen::NO_MATE), ""), ["nomate"]);
    let hard = lines(&format!("mate|--sfen|{}|--time|300", sfen::HARD_TSUME), "");
    assert_eq!(hard, ["unknown time"]);
}

#[test]
fn a_closed_output_ends_quietly() {
    for arguments in ["moves --file -", "mate1 --file -", "perft 2 --divide"] {
        let mut child = start_unread(arguments.split(' '));
        let mut input = child.stdin.take().unwrap();
        for _ in 0..2000 {
            if input.write_all(format!("{STARTPOS}\n").as_bytes()).is_err() {
                break;
            }
        }
        drop(input);
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {errors}");
        assert!(!errors.contains("error") && !errors.contains("panic"), "{errors}");
    }
}

/// Counts, games and judgments that would take days end soon when nobody reads them.
#[cfg(unix)]
#[test]
fn a_closed_output_ends_work_that_has_nothing_to_print_yet() {
    use std::time::{Duration, Instant};
    for arguments in [
        "perft 30",
        "perft 30 --no-bulk",
        "perft 30 --divide",
        "perft --file -",
        "quantum perft 30",
        "quantum play --games 1 --movetime 1000000",
        "tsume check --nodes 1000000000000 --hash 64 --file -",
    ] {
        let mut child = start_unread(arguments.split(' '));
        let row = match arguments.starts_with("tsume") {
            true => sfen::HARD_TSUME.to_owned(),
            false => format!("start,{STARTPOS},30,1"),
        };
        // It may not even begin to read.
        let _ = writeln!(child.stdin.take().unwrap(), "{row}");
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() && started.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*errors), (Some(0), ""), "{arguments}");
    }
}

/// A line that is too long costs its own answer, and no other.
#[test]
fn a_line_that_is_too_long_is_answered_in_its_place() {
    let long = "x".repeat(3 << 20);
    let error = "error a line of more than 1048576 bytes is not read";
    let three = |one: &str, other: &str| format!("{one}\n{long}\n# {long}\n{other}\n");
    let sfens = three(STARTPOS, sfen::MATED);
    let row = format!("start,{STARTPOS},1,30");
    let quantum = three("startpos", "startpos moves 7g7f");
    for (command, input) in [
        ("moves", &sfens),
        ("mate1", &sfens),
        ("mate", &sfens),
        ("eval", &sfens),
        ("perft", &three(&row, &row)),
        ("tsume check", &sfens),
        ("quantum moves", &quantum),
    ] {
        let run = run(&format!("{command} --file -"), input);
        let answers: Vec<&str> = run.output.lines().collect();
        assert_eq!(run.code, 1, "{command}: {}", run.errors);
        assert_eq!(answers.len(), 3, "{command}: {answers:?}");
        assert_eq!(answers[1], error, "{command}");
        assert!(!answers[0].starts_with("error") && !answers[2].starts_with("error"), "{command}");
        assert!(run.errors.contains("line 2: a line of more than"), "{command}: {}", run.errors);
    }
    // Where the answers are JSON, the reason is, too.
    let one = r#"{"id":"a","ev":[]}"#;
    let run = run("quantum converge --file -", &three(one, one));
    let error = format!("{{\"error\":\"{}\"}}", error.trim_start_matches("error "));
    assert_eq!((run.code, run.output), (1, format!("{one}\n{error}\n{one}\n")));
    assert!(run.errors.contains("line 2: a line of more than"), "{}", run.errors);
}

/// Runs the program with a limit of its address space, in megabytes.
#[cfg(target_os = "linux")]
fn run_in_memory(megabytes: u32, arguments: &str, input: &str) -> Run {
    use std::os::unix::process::ExitStatusExt as _;
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes << 10), engine()])
        .args(words(arguments).filter(|word| !word.is_empty()))
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads nothing of it is gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    // As a shell counts: 128 and the number of the signal that ended it.
    let code = output.status.code().or_else(|| Some(128 + output.status.signal()?)).unwrap();
    Run { code, output: text(output.stdout), errors: text(output.stderr) }
}

/// Each table that is smaller than wanted is told, with the size that it has.
#[cfg(target_os = "linux")]
#[test]
fn each_table_without_enough_memory_is_told() {
    let dialogue = "setoption name USI_Hash value 200000\nisready\nsetoption name USI_Hash value 2000\n\
        isready\nposition quantum startpos\ngo nodes 9\nsetoption name USI_Hash value 200000\nisready\n";
    // Room for one large table and a small one, and plenty for what threads reserve.
    let run = run_in_memory(3200, "", dialogue);
    let errors: Vec<&str> =
        run.output.lines().filter_map(|line| line.strip_prefix("info string Error! ")).collect();
    let shogi = |megabytes| {
        let reason = "not enough memory for a transposition table of 200000 MB";
        format!("{reason}; the table has {megabytes} MB")
    };
    let quantum = "no memory for a table of 2000 MB; that of quantum shogi has 256 MB".to_owned();
    assert_eq!(errors, [shogi(256), quantum.clone(), shogi(2000), quantum], "{}", run.output);
}

/// An input without an end is one bad line.
#[cfg(target_os = "linux")]
#[test]
fn a_line_without_an_end_is_one_error() {
    for command in [
        "moves",
        "mate1",
        "mate",
        "eval",
        "perft",
        "tsume check",
        "quantum moves",
        "quantum converge",
    ] {
        let run = run_in_memory(6000, &format!("{command} --file /dev/zero"), "");
        let errors = &run.errors;
        assert_eq!(run.code, 1, "{command}: {errors}");
        assert_eq!(run.output.lines().count(), 1, "{command}: {}", run.output);
        assert!(
            run.output.lines().all(|line| line.starts_with("error more than ")
                || line.starts_with("error a line of more than ")
                || line.starts_with("{\"error\":\"a line of more than ")),
            "{command}: {}",
            run.output
        );
        assert_eq!(errors.matches("more than ").count(), 1, "{command}: {errors}");
    }
    let run = run_in_memory(6000, "record /dev/zero", "");
    assert_eq!((run.code, run.output.len()), (1, 0));
    assert!(run.errors.starts_with("/dev/zero: more than "), "{}", run.errors);
}

/// There may be room for the file of a book, but not for the index of its positions.
#[cfg(target_os = "linux")]
#[test]
fn a_book_that_memory_has_no_room_for_is_refused() {
    let position = "sfen 9/9/9/9/9/9/9/9/9 b -\n";
    let book = |positions: usize| {
        let name = format!("tsumero-index-{positions}-{}.db", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, position.repeat(positions)).unwrap();
        path
    };
    // The file has 27 bytes for each position, and the index 16.
    let (small, large) = (book(1), book(1 << 20));
    let show = |megabytes, book: &std::path::Path| {
        run_in_memory(megabytes, &format!("book|show|{}|startpos", book.display()), "")
    };
    let is_enough = |megabytes: &u32| show(*megabytes, &small).errors.contains("not in the book");
    let enough = (2..1000).step_by(2).find(is_enough).unwrap();
    let run = show(enough + 27 + 8, &large);
    assert_eq!((run.code, run.output.as_str()), (1, ""), "{}", run.errors);
    assert!(run.errors.contains("bytes are too many for memory"), "{}", run.errors);
    assert!(show(enough + 27 + 60, &large).errors.contains("not in the book"));
    for book in [small, large] {
        std::fs::remove_file(book).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_had_are_one_line_and_code_2() {
    let problem = format!("{}\n", sfen::MATE_IN_ONE);
    for command in
        ["mate --file - --hash 1", "tsume check --file -", "tsume generate --plies 1 --count 9"]
    {
        let run = run_in_memory(3000, &format!("{command} --threads 1024"), &problem);
        assert_eq!(run.code, 2, "{command}: {}", run.errors);
        let is_answered = command.contains("check") && run.errors.contains("0 problems");
        let lines: Vec<&str> = run.errors.lines().collect();
        assert!(run.output.is_empty() || command.contains("generate"), "{command}: {}", run.output);
        assert!(!is_answered, "{lines:?}");
        let last = lines.last().unwrap();
        assert!(last.starts_with("error: the system has no room for 1024 threads: "), "{lines:?}");
    }
    // The engine goes on with fewer, and says so.
    let script = "setoption name USI_Hash value 16\nsetoption name Threads value 512\nisready\ngo \
                  nodes 20000\n";
    let mut told = 0;
    for megabytes in (400..1000).step_by(100) {
        let run = run_in_memory(megabytes, "", script);
        assert_eq!(run.code, 0, "{megabytes} MB: {}", run.errors);
        assert_eq!(run.output.matches("bestmove ").count(), 1, "{megabytes} MB: {}", run.output);
        told += run.output.matches("info string Error! Threads: the system has no room").count();
    }
    assert!(told > 0);
    // With ever less memory, the threads of the engine itself cannot be had either. Between both, a
    // few bytes can be missing anywhere, and the program is aborted. In builds that unwind, it may end
    // with the same code after that.
    let mut runs = (0..140).rev().step_by(4).map(|mb| run_in_memory(mb, "", "usi\nquit\n"));
    let run = runs.find(|run| run.code == 2 && !run.errors.contains("panicked")).unwrap();
    assert_eq!(run.output, "");
    assert!(run.errors.starts_with("error: the system has no room for threads"), "{}", run.errors);
    assert_eq!(run.errors.lines().count(), 1, "{}", run.errors);
}

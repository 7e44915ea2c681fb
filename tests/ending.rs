//! How the program ends, and what it costs while it lives.

use std::process::Command;

use crate::harness::{SOON, Session, ms, start_unread};
use crate::output::{Answer, Line};

/// Every state with the lines that lead to it.
const STATES: [&[&str]; 9] = [
    &[],
    &["usi"],
    &["isready"],
    &["go infinite"],
    &["go ponder btime 1000 wtime 1000"],
    &["go movetime 600000"],
    &["go mate infinite"],
    &["go perft 60"],
    &["go movetime 600000", "position startpos moves 7g7f", "go movetime 600000"],
];

/// The number of `go`s among lines that the GUI sends.
fn goes(lines: &[&str]) -> usize {
    lines.iter().filter(|line| line.starts_with("go")).count()
}

#[test]
fn quit_ends_every_state_at_once_and_every_go_has_its_answer() {
    for lines in STATES {
        let mut session = Session::start();
        session.set_position(crate::sfen::HARD_TSUME, "");
        if !lines.is_empty() {
            session.send_all(lines);
        }
        session.no_answer_for(ms(50));
        session.send("quit");
        assert_eq!(answers(&session.ends(ms(3000))).len(), goes(lines), "{lines:?}");
    }
    // All in one write.
    for lines in STATES {
        let mut session = Session::start();
        session.send_all(&[lines, &["quit"]].concat());
        let said = session.ends(ms(3000));
        assert_eq!(answers(&said).len(), goes(lines), "{lines:?}: {said:?}");
    }
}

#[test]
fn what_comes_before_quit_is_handled_in_order() {
    let said = |script: &str| crate::harness::run_to_end([], script).output;
    let last = said("usi\nisready\nquit\n");
    assert!(last.ends_with("\nusiok\nreadyok\n"), "{last}");
    let script = "isready\nposition startpos moves 7g7f\ngo depth 8\nd\nquit\n";
    let words: Vec<String> = said(script)
        .lines()
        .filter_map(|line| line.split(' ').next().map(str::to_owned))
        .filter(|word| ["readyok", "bestmove", "SFEN:"].contains(&&**word))
        .collect();
    assert_eq!(words, ["readyok", "bestmove", "SFEN:"]);
    // The last line may have no end, and what comes after it is not read.
    assert_eq!(said("isready\nquit"), "readyok\n");
    assert_eq!(said("isready\nquit\nisready\ngo depth 1\n"), "readyok\n");

    let go_words = [
        "depth 60",
        "infinite",
        "nodes 100000000000",
        "movetime 600000",
        "btime 600000 wtime 600000 byoyomi 10000",
        "ponder btime 600000 wtime 600000",
        "mate 600000",
        "mate infinite",
        "perft 60",
        "",
    ];
    for position in ["startpos", "quantum startpos"] {
        // The readers of these tests know no mate search without answers.
        let is_asked = |words: &&&str| position == "startpos" || !words.starts_with("mate");
        let words = go_words.iter().filter(is_asked);
        let all: Vec<String> = words.map(|words| format!("go {words}")).collect();
        for lines in all.iter().map(std::slice::from_ref).chain([&all[..]]) {
            let mut session = Session::start();
            session.send(&format!("position {position}"));
            let mut script: Vec<&str> = lines.iter().map(String::as_str).collect();
            script.push("quit");
            session.send_all(&script);
            let said = session.ends(SOON);
            assert_eq!(answers(&said).len(), lines.len(), "{position} {lines:?}: {said:?}");
        }
    }
}

/// The answers among lines. Of a search, it is what a client waits for; of `perft`, a total or the
/// line that says that it was stopped.
fn answers(lines: &[Line]) -> Vec<String> {
    let texts = lines.iter().filter_map(|line| match line {
        Line::Answer(answer) => Some(format!("{answer:?}")),
        _ if line.text() == "info string perft was stopped" => Some(line.text().to_owned()),
        _ if line.text().starts_with("Nodes searched: ") => Some(line.text().to_owned()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn the_end_of_input_ends_searches_without_limit_at_once() {
    for lines in [&[][..], &["usi"], &["isready"], &["go infinite"], &["go"], &["go ponder"]] {
        let mut session = Session::start();
        if !lines.is_empty() {
            session.send_all(lines);
        }
        session.close_input();
        let said = session.ends(ms(3000));
        let expected = usize::from(lines.first().is_some_and(|line| line.starts_with("go")));
        assert_eq!(answers(&said).len(), expected, "{lines:?}: {said:?}");
    }
    let mut session = Session::start();
    session.set_position(crate::sfen::HARD_TSUME, "");
    session.send("go mate infinite");
    session.close_input();
    assert_eq!(answers(&session.ends(ms(3000))), [format!("{:?}", Answer::Timeout)]);
}

#[test]
fn the_end_of_input_lets_limited_searches_finish() {
    for words in ["depth 3", "nodes 3000", "movetime 300", "btime 300 wtime 300", "mate 300"] {
        let mut session = Session::start();
        if words.starts_with("mate") {
            session.set_position(crate::sfen::HARD_TSUME, "");
        }
        // The last line has no end.
        session.send_bytes(format!("go {words}").as_bytes());
        session.close_input();
        let said = session.ends(SOON);
        assert_eq!(answers(&said).len(), 1, "{words}: {said:?}");
        if words == "depth 3" {
            let depths = said.iter().filter_map(|line| match line {
                Line::Info(info) => info.depth,
                _ => None,
            });
            assert_eq!(depths.max(), Some(3));
        }
    }
}

#[test]
fn a_script_gets_all_its_answers() {
    let mut session = Session::start();
    let mut lines = vec!["usi", "setoption name USI_Hash value 8", "isready", "usinewgame"];
    for _ in 0..10 {
        lines.extend([
            "position startpos moves 7g7f",
            "go depth 2",
            "position startpos",
            "go nodes 200",
        ]);
    }
    lines.extend(["go infinite", "position startpos moves 2g2f", "go perft 1", "go mate 100"]);
    session.send_all(&lines);
    session.close_input();
    let said = session.ends(SOON);
    assert_eq!(answers(&said).len(), 23);
    assert!(said.iter().any(|line| line.text() == "Nodes searched: 30"));
}

#[cfg(unix)]
#[test]
fn sigterm_ends_every_state() {
    for lines in STATES {
        let mut session = Session::start();
        session.set_position(crate::sfen::HARD_TSUME, "");
        if !lines.is_empty() {
            session.send_all(lines);
        }
        session.no_answer_for(ms(50));
        let id = session.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        session.wait(ms(3000));
    }
}

#[test]
fn a_gui_that_goes_away_is_not_missed() {
    use std::io::Write as _;
    let mut child = start_unread([]);
    let mut input = child.stdin.take().unwrap();
    // The engine may be gone before all of it is written.
    for _ in 0..100 {
        if input.write_all(b"usi\ngo depth 1\n").is_err() {
            break;
        }
        std::thread::sleep(ms(5));
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A number from a file below `/proc` of the engine's process.
#[cfg(target_os = "linux")]
fn status(id: u32, key: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = text.lines().find(|line| line.starts_with(key)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Clock ticks of processor time used, each a hundredth of a second.
#[cfg(target_os = "linux")]
fn ticks(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_engine_uses_no_processor() {
    let mut session = Session::ready();
    let idle = |session: &mut Session, state: &str| {
        // Whatever is still to be done may be finished first.
        session.silent_for(ms(300));
        let before = ticks(session.id());
        session.silent_for(ms(1000));
        let used = ticks(session.id()) - before;
        assert!(used <= 3, "{used} ticks in a second, {state}");
    };
    idle(&mut session, "ready");
    session.go("depth 2");
    idle(&mut session, "after a search");
    // A search that has nothing left to think about must not spin either.
    session.set_position(crate::sfen::MATED, "");
    session.send("go infinite");
    session.no_answer_for(ms(200));
    idle(&mut session, "waiting for stop");
    session.send("stop");
    session.answer(SOON);
    session.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn forty_games_leave_no_threads_and_no_memory_behind() {
    let mut session = Session::ready_with(&["USI_Ponder value true"]);
    let mut measured = Vec::new();
    for game in 0..40 {
        session.in_step();
        session.send("usinewgame");
        let mut moves = String::new();
        for _ in 0..4 {
            session.set_position("startpos", &moves);
            moves.push_str(session.go("nodes 300").best());
            moves.push(' ');
        }
        session.send("go ponder btime 1000 wtime 1000");
        session.send("stop");
        session.any_answer(SOON);
        session.set_position(crate::sfen::TSUME_3, "");
        session.go("mate 10000");
        session.send("gameover win");
        if game == 4 || game == 39 {
            session.in_step();
            measured.push((status(session.id(), "Threads:"), status(session.id(), "VmRSS:")));
        }
    }
    let [(threads, memory), (threads_later, memory_later)] = measured[..] else { unreachable!() };
    assert_eq!(threads, threads_later);
    assert!(memory_later < memory + 8 * 1024, "from {memory} kB to {memory_later} kB");
    session.quit();
}

/// What a thread has learned goes back to the system with the thread.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_come_and_go_leave_no_memory_behind() {
    let mut session = Session::ready();
    session.set_position("startpos", "");
    let mut measured = Vec::new();
    for _ in 0..6 {
        for threads in [3, 1] {
            session.send(&format!("setoption name Threads value {threads}"));
            session.go("nodes 20000");
        }
        session.in_step();
        measured.push(status(session.id(), "VmRSS:"));
    }
    let most = measured.iter().max().unwrap();
    assert!(*most < measured[0] + 8 * 1024, "{measured:?} kB");
    session.quit();
}

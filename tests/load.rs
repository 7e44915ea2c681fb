//! Nothing keeps a GUI waiting: large tables, many threads, floods of input, a pipe as a log.

use crate::harness::{SOON, Session, in_time, ms};
use crate::output::{Answer, Line};

#[test]
fn a_large_table_takes_no_time() {
    let mut session = Session::start();
    let mut megabytes = 2000;
    // A table that cannot be had takes no time either, and says nothing of this one.
    session.send_all(&[&format!("setoption name USI_Hash value {megabytes}"), "isready"]);
    let said = session.until("readyok");
    assert!(!said.iter().any(Line::is_error), "this test needs {megabytes} MB: {said:?}");
    // Taken up by the `go` itself, each time another size.
    in_time(ms(900), || {
        megabytes += 1;
        session.send(&format!("setoption name USI_Hash value {megabytes}"));
        session.go("movetime 500").elapsed
    });
    in_time(ms(500), || {
        megabytes += 1;
        session.send(&format!("setoption name USI_Hash value {megabytes}"));
        session.send("go infinite");
        session.no_answer_for(ms(100));
        session.send("stop");
        session.answer(SOON).elapsed
    });
    session.set_position(crate::sfen::HARD_TSUME, "");
    in_time(ms(700), || {
        megabytes += 1;
        session.send(&format!("setoption name USI_Hash value {megabytes}"));
        session.go("mate 300").elapsed
    });
    session.quit();
}

/// Emptying and changing a table that is in use takes no time either, and the old one never lives
/// beside the new one.
#[cfg(target_os = "linux")]
#[test]
fn a_used_table_is_emptied_and_replaced_at_once() {
    let peak = |session: &Session| -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", session.id())).unwrap();
        let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    };
    let mut session = Session::ready_with(&["USI_Hash value 512"]);
    let mut megabytes = 512;
    let mut attempt = || {
        session.send(&format!("setoption name USI_Hash value {megabytes}"));
        session.go("movetime 1500");
        session.send("usinewgame");
        let cleared = session.go("movetime 100").elapsed;
        megabytes += 1;
        session.send(&format!("setoption name USI_Hash value {megabytes}"));
        cleared.max(session.go("movetime 100").elapsed)
    };
    in_time(ms(400), &mut attempt);
    attempt();
    assert!(peak(&session) < 512 + 128 + 64, "{} MB", peak(&session));
    session.quit();
}

#[test]
fn hundreds_of_threads_keep_nobody_waiting() {
    let mut session = Session::ready_with(&["Threads value 512"]);
    for words in ["movetime 300", "btime 0 wtime 0 byoyomi 500", "mate 300"] {
        session.set_position(
            if words.starts_with("mate") { crate::sfen::HARD_TSUME } else { "startpos" },
            "",
        );
        in_time(ms(1200), || session.go(words).elapsed);
    }
    session.set_position("startpos", "");
    let nodes = session.go("nodes 20000").last_info().nodes.unwrap();
    let threads = std::thread::available_parallelism().unwrap().get() as u64 * 4;
    assert!(nodes <= 20_000 + 1_000 * threads, "{nodes}");
    session.quit();
}

/// What was asked for with a size that does not fit is not lost with it.
#[test]
fn clearing_is_never_lost() {
    let clears: [&[&str]; 5] = [
        &["setoption name ClearHash"],
        &["setoption name ClearHash", "setoption name USI_Hash value 33554432"],
        &["setoption name USI_Hash value 33554432", "usinewgame"],
        &["usinewgame", "setoption name USI_Hash value 33554432", "isready"],
        &["isready"],
    ];
    for (position, go) in
        [("position startpos", "go depth 7"), ("position quantum startpos", "go depth 2")]
    {
        for clear in clears {
            // In one write: everything comes while the first search runs.
            let mut session = Session::start();
            let lines = [&["setoption name USI_Hash value 8", position, go][..], clear, &[go]];
            session.send_all(&lines.concat());
            let mut nodes = [0; 2];
            for nodes in &mut nodes {
                *nodes = session.any_answer(SOON).last_info().nodes.unwrap();
            }
            assert_eq!(nodes[0], nodes[1], "{position} {clear:?}");
            // Without it, the second search is another one.
            session.send(go);
            assert_ne!(session.any_answer(SOON).last_info().nodes.unwrap(), nodes[0]);
            session.quit();
        }
        // A clear that another game's search takes up is no less one for this game.
        let mut session = Session::start();
        let other = if position.contains("quantum") {
            "position startpos"
        } else {
            "position quantum startpos"
        };
        let lines = [position, go, "setoption name ClearHash", other, "go depth 1", position, go];
        session.send_all(&lines);
        let mut nodes = || session.any_answer(SOON).last_info().nodes.unwrap();
        let (first, _, again) = (nodes(), nodes(), nodes());
        assert_eq!(first, again, "{position}");
        session.quit();
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_as_a_log() {
    let path = std::env::temp_dir().join(format!("tsumero-fifo-{}", std::process::id()));
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut session = Session::ready();
    session.send(&format!("setoption name DebugLogFile value {}", path.display()));
    let (_, said) = session.next_line(SOON).expect("it is an error");
    assert!(said.is_error() && said.text().contains("DebugLogFile"), "{said:?}");
    session.in_step();
    session.go("depth 2");
    session.quit();
    std::fs::remove_file(&path).unwrap();
}

/// What a GUI does not read waits in its own input, not as replies of ours.
#[cfg(target_os = "linux")]
#[test]
fn replies_that_nobody_reads_take_no_memory() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};
    const BOARDS: usize = 30_000;
    let mut child = Command::new(crate::harness::engine())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let peak = |id: u32| -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    };
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(b"isready\n").unwrap();
    assert!(output.next().is_some_and(|line| line.is_ok_and(|line| line == "readyok")));
    let before = peak(child.id());
    // A board with the positions of a long game takes about 14 kB.
    let game = "2h3h 8b7b 3h2h 7b8b ".repeat(100);
    let lines = format!("position startpos moves {game}\n{}", "d\n".repeat(BOARDS));
    input.write_all(lines.as_bytes()).unwrap();
    // Time for an engine that goes on regardless. One that waits is not slower for it.
    std::thread::sleep(ms(2000));
    let boards =
        output.by_ref().filter(|line| matches!(line, Ok(line) if line.starts_with("SFEN: ")));
    assert_eq!(boards.take(BOARDS).count(), BOARDS);
    let after = peak(child.id());
    assert!(after < before + 100, "from {before} MB to {after} MB");
    input.write_all(b"quit\n").unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_flood_of_commands_delays_neither_an_answer_nor_a_stop() {
    let mut session = Session::ready();
    session.set_position("startpos", "");
    let flood = "setoption name MultiPV value 1\n".repeat(99_000) + &"d\n".repeat(1_000);
    in_time(ms(3000), || {
        session.send("go depth 100");
        session.send_bytes(flood.as_bytes());
        session.send("stop");
        let elapsed = session.any_answer(SOON).elapsed;
        // All of them are answered, in their time.
        session.send("isready");
        let drawn = session.until("readyok");
        let boards = drawn.iter().filter(|line| line.text().starts_with("SFEN: "));
        assert_eq!(boards.count(), 1_000);
        elapsed
    });
    in_time(ms(3000), || {
        session.send("go movetime 400");
        let sent = std::time::Instant::now();
        session.send_bytes(flood.as_bytes());
        session.any_answer(SOON);
        let elapsed = sent.elapsed();
        session.send("isready");
        session.until("readyok");
        elapsed
    });
    session.quit();
}

#[test]
fn too_much_is_refused_in_one_line_each() {
    let mut session = Session::ready();
    session.set_position("startpos", "2g2f");
    let errors = |lines: &[Line]| lines.iter().filter(|line| line.is_error()).count();
    let long = format!("position startpos moves {}", "7g7f ".repeat(800_000));
    for _ in 0..3 {
        session.send(&long);
    }
    session.send("isready");
    assert_eq!(errors(&session.until("readyok")), 3);
    assert_eq!(session.go("depth 1").answer, Answer::Resign);
    session.set_position("startpos", "2g2f");
    session.send(&format!("go depth 1 searchmoves {}", "2g2e ".repeat(100_000)));
    session.send("isready");
    let said = session.until("readyok");
    assert_eq!(errors(&said), 1);
    if !said.iter().any(|line| matches!(line, Line::Answer(_))) {
        session.answer(SOON);
    }
    session.quit();
}

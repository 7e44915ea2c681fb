//! `setoption` with every kind of value.

use crate::harness::{SOON, Session, in_time, ms};
use crate::output::{Answer, Line};

/// Sends an option and returns what is said about it.
fn set(session: &mut Session, option: &[u8]) -> Vec<Line> {
    session.send_bytes(&[b"setoption ", option, b"\n"].concat());
    session.send("isready");
    session.until("readyok")
}

#[test]
fn what_is_wrong_is_said_in_one_line_and_the_engine_plays_on() {
    let mut session = Session::ready();
    let wrong: [&[u8]; 16] = [
        b"name NoSuchOption value 3",
        b"name NoSuchOption",
        b"name No Such Option value 3",
        b"name MultiPV",
        b"name MultiPV value",
        b"name MultiPV value many",
        b"name MultiPV value 1.5",
        b"name MultiPV value 0",
        b"name MultiPV value -3",
        b"name MultiPV value 601",
        b"name MultiPV value 99999999999999999999999",
        b"name USI_Hash value 0",
        b"name USI_Ponder value perhaps",
        b"name EnteringKingRule value NoSuchRule",
        b"name \x8f\xab value \x8a\xfb",
        b"",
    ];
    for option in wrong {
        let said = set(&mut session, option);
        assert!(said.len() == 1 && said[0].is_error(), "{option:?}: {said:?}");
    }
    session.go("depth 3");
    session.quit();
}

#[test]
fn options_every_gui_sends_are_taken_in_silence() {
    let mut session = Session::ready();
    let right: [&[u8]; 8] = [
        b"name USI_Hash value 8",
        b"name USI_Ponder value true",
        b"name USI_Ponder value 0",
        b"name usi_ponder value FALSE",
        b"name USI_OwnBook value true",
        b"name Stochastic_Ponder value false",
        b"name BookFile value <empty>",
        b"name ClearHash",
    ];
    for option in right {
        let said = set(&mut session, option);
        assert!(said.is_empty(), "{option:?}: {said:?}");
    }
    session.quit();
}

#[test]
fn names_are_compared_without_case() {
    let mut session = Session::ready();
    session.send("setoption name multipv value 3");
    let infos = session.go("depth 2").infos;
    assert!(infos.iter().any(|info| info.multipv == Some(3)));
    session.quit();
}

#[test]
fn the_table_can_be_resized_between_searches() {
    let mut session = Session::ready();
    // The same search from nothing fills a table of so many megabytes by so many permille.
    for (megabytes, filled) in [(1, 100..400), (64, 1..20), (1, 100..400), (16, 5..40)] {
        session.send(&format!("setoption name USI_Hash value {megabytes}"));
        session.set_position("startpos", "");
        let infos = session.go("nodes 20000").infos;
        let full =
            infos.iter().rev().find_map(|info| info.hashfull).expect("it is told at the end");
        assert!(filled.contains(&full), "{megabytes} MB: {full} permille");
        session.in_step();
        session.go("nodes 3000");
    }
    session.quit();
}

#[test]
fn the_number_of_threads_can_be_changed_between_searches() {
    let mut session = Session::ready();
    for threads in [2, 4, 1, 3] {
        session.send(&format!("setoption name Threads value {threads}"));
        session.set_position("startpos", "7g7f 3c3d");
        session.go("depth 4");
        session.send("go infinite");
        session.no_answer_for(ms(50));
        session.send("stop");
        session.answer(crate::harness::SOON);
    }
    session.quit();
}

#[test]
fn a_table_larger_than_any_memory_is_refused_and_the_engine_plays_on() {
    let mut session = Session::ready();
    // 32 TB; nobody could set that aside without knowing whether it exists.
    session.send("setoption name USI_Hash value 33554432");
    session.send("isready");
    let said = session.until("readyok");
    assert!(said.iter().any(Line::is_error), "{said:?}");
    session.go("depth 3");
    session.quit();
}

#[test]
fn an_option_sent_during_a_search_counts_for_the_next_one() {
    let mut session = Session::ready();
    for (start, end) in [("go infinite", "stop"), ("go ponder btime 9000 wtime 9000", "stop")] {
        session.send("setoption name MultiPV value 1");
        session.send(start);
        session.send("setoption name MultiPV value 2");
        session.send("setoption name USI_Hash value 4");
        session.no_answer_for(ms(150));
        session.send(end);
        let thought = session.answer(crate::harness::SOON);
        assert!(thought.infos.iter().all(|info| info.multipv.unwrap_or(1) == 1));
        let thought = session.go("depth 2");
        assert!(thought.infos.iter().any(|info| info.multipv == Some(2)));
        session.in_step();
    }
    session.quit();
}

#[cfg(unix)]
#[test]
fn a_log_file_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;

    use crate::folder::Folder;

    let folder = Folder::new("log file");
    let names: [&[u8]; 4] = [
        b"plain.txt",
        b"with  two spaces.txt",
        "対局の記録.txt".as_bytes(),
        b"\x91\xce\x8b\xc7.txt",
    ];
    for name in names {
        let path = Path::new(&folder.path("")).join(std::ffi::OsStr::from_bytes(name));
        let mut session = Session::ready();
        let option = [b"name DebugLogFile value ", path.as_os_str().as_bytes()].concat();
        assert!(set(&mut session, &option).is_empty(), "{path:?}");
        session.go("depth 1");
        session.quit();
        let text = std::fs::read(&path).expect("the file exists");
        let text = String::from_utf8_lossy(&text);
        let has = |part: &str| text.lines().any(|line| line.ends_with(part));
        assert!(has(" > isready") && has(" < readyok") && has(" > go depth 1"), "{text}");
        assert!(text.contains(" < bestmove ") && has(" > quit"), "{text}");
        let seconds = |line: &str| line.split_whitespace().next().unwrap().parse::<f64>().unwrap();
        assert!(text.lines().map(seconds).is_sorted(), "{text}");
    }
    let mut session = Session::ready();
    // Nothing waits for the file, so the error comes when it is known.
    session.send("setoption name DebugLogFile value /no such folder/log.txt");
    let (_, said) = session.next_line(crate::harness::SOON).expect("it is an error");
    assert!(said.is_error() && said.text().contains("DebugLogFile"), "{said:?}");
    assert!(set(&mut session, b"name DebugLogFile value ").is_empty());
    session.quit();
}

#[test]
fn the_declaration_rule_is_an_option() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::DECLARATION, "");
    assert_eq!(session.go("depth 3").answer, Answer::Win);
    for rule in ["NoEnteringKing", "TryRule", "CSARule24"] {
        session.send(&format!("setoption name EnteringKingRule value {rule}"));
        session.set_position(crate::sfen::DECLARATION, "");
        assert_ne!(session.go("depth 3").answer, Answer::Win, "{rule}: 28 points do not suffice");
    }
    session.send("setoption name EnteringKingRule value CSARule27");
    session.set_position(crate::sfen::DECLARATION, "");
    assert_eq!(session.go("depth 3").answer, Answer::Win);
    session.quit();
}

#[test]
fn limits_set_as_options_hold_for_every_go() {
    let mut session = Session::ready_with(&["DepthLimit value 2"]);
    assert!(session.go("nodes 1000000").infos.iter().all(|info| info.depth <= Some(2)));
    session.send("setoption name DepthLimit value 0");
    session.send("setoption name NodesLimit value 2000");
    let nodes = session.go("depth 60").last_info().nodes.unwrap();
    // One thread looks at its count every 64 nodes, and the mate searches at the root count, too.
    assert!((1_000..=2_200).contains(&nodes), "{nodes} nodes");
    session.quit();
}

#[test]
fn limits_set_as_options_do_not_hold_for_infinite_and_mate() {
    let mut session = Session::ready_with(&["DepthLimit value 1", "NodesLimit value 1"]);
    session.send("go infinite");
    session.until_info(|info| info.depth > Some(1) && info.nodes > Some(5_000));
    session.send("stop");
    session.answer(SOON);
    session.set_position(crate::sfen::TSUME_3, "");
    let answer = session.go("mate infinite").answer;
    assert!(matches!(&answer, Answer::Checkmate(line) if line.len() == 3), "{answer:?}");
    session.quit();
}

#[test]
fn a_lost_game_is_resigned_only_when_asked_to() {
    // Black has a bare king against nearly everything.
    let lost = "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1";
    let mut session = Session::ready();
    session.set_position(lost, "");
    assert!(matches!(session.go("depth 2").answer, Answer::Move { .. }));
    session.send("setoption name ResignValue value 500");
    assert_eq!(session.go("depth 2").answer, Answer::Resign);
    session.quit();
}

/// The lowest level plays on the clock at once, and not always the same. Without a limit the engine
/// analyzes, and knows no level.
#[test]
fn the_lowest_level_plays_at_once_and_analyzes_at_full_strength() {
    let mut firsts = std::collections::HashSet::new();
    let mut session = Session::ready_with(&["SkillLevel value 1", "PvInterval value 0"]);
    session.set_position("startpos", "7g7f 3c3d");
    for _ in 0..12 {
        in_time(ms(2_000), || {
            let thought = session.go("btime 600000 wtime 600000 byoyomi 10000");
            assert_eq!(thought.last_info().depth, Some(1));
            firsts.insert(thought.best().to_owned());
            thought.elapsed
        });
    }
    assert!(firsts.len() > 3, "{firsts:?}");
    session.send("go infinite");
    std::thread::sleep(ms(1_500));
    session.send("stop");
    let analysis = session.answer(SOON);
    assert!(analysis.last_info().depth > Some(4), "{:?}", analysis.last_info());
    session.quit();
}

//! `isready`, and the tables that are made and emptied before a search.

use super::*;
use crate::notice::Notice;

#[test]
fn the_tables_are_emptied_before_each_game_and_kept_within_it() {
    // Whether they are cleared for the next search, or before it.
    let clear = |bench: &mut Bench| {
        let mut clears = false;
        loop {
            clears |= match bench.jobs.try_recv() {
                Ok(Job::Prepare { preparation, .. }) => preparation.clear,
                Ok(Job::Shogi(search)) => return clears | search.preparation.clear,
                Ok(Job::Quantum(search)) => return clears | search.preparation.clear,
                Err(_) => return clears,
            };
            bench.event(Event::Search(Report::Prepared(Vec::new())));
        }
    };
    let done = |bench: &mut Bench| {
        let generation = bench.engine.generation;
        let outcome = SearchAnswer::BestMove(BestMove::Resign);
        bench.event(Event::Search(Report::Done(generation, outcome)));
    };
    let mut bench = Bench::new();
    bench.quiet(&["isready"]);
    assert!(clear(&mut bench));
    for (lines, clears) in [
        (&["go infinite"][..], false),
        (&["position startpos moves 7g7f", "go depth 3"], false),
        (&["usinewgame", "go infinite"], true),
        (&["go depth 1"], false),
        (&["setoption name ClearHash", "go depth 1"], true),
        (&["setoption name ClearHash", "go mate 5"], true),
        (&["position quantum startpos", "go depth 1"], false),
        (&["setoption name ClearHash", "position startpos", "go depth 1"], true),
        (&["go nodes 5"], false),
    ] {
        bench.quiet(lines);
        assert_eq!(clear(&mut bench), clears, "{lines:?}");
        done(&mut bench);
    }
}

/// In a script, `isready` arrives while the previous search runs. It is answered at once, and its
/// other effect happens in its turn.
#[test]
fn isready_behind_a_search_empties_the_tables_for_the_next_one() {
    for first in ["go depth 9", "go infinite"] {
        let mut bench = Bench::new();
        bench.quiet(&[first]);
        assert!(!bench.search().preparation.clear);
        assert_eq!(bench.say("isready"), ["readyok"]);
        bench.quiet(&["go depth 8"]);
        bench.event(Event::Search(Report::Done(1, SearchAnswer::BestMove(BestMove::Resign))));
        assert!(bench.search().preparation.clear);
    }
    // But not for a search that was asked for before it.
    let mut bench = Bench::new();
    bench.quiet(&["go depth 9", "go depth 8"]);
    bench.say("isready");
    bench.quiet(&["go depth 7"]);
    for clears in [false, false, true] {
        let search = bench.search();
        assert_eq!(search.preparation.clear, clears);
        bench.done(&search);
    }
}

/// The option may be set for another game than the last one.
#[test]
fn isready_prepares_the_game_that_was_named_last() {
    let (shogi, quantum) =
        ("setoption name USI_Variant value shogi", "setoption name USI_Variant value quantum");
    let mut bench = Bench::new();
    for (lines, is_quantum) in [
        (&[][..], false),
        (&[quantum], true),
        (&["position startpos moves 7g7f"], false),
        (&[quantum], true),
        (&["position quantum startpos"], true),
        (&[shogi], false),
        (&["position quantum startpos moves 7g7f"], true),
    ] {
        bench.quiet(lines);
        bench.say("isready");
        let Ok(Job::Prepare { preparation, .. }) = bench.jobs.try_recv() else { panic!() };
        assert_eq!(preparation.quantum, is_quantum, "{lines:?}");
        bench.event(Event::Search(Report::Prepared(Vec::new())));
    }
}

#[test]
fn a_table_that_does_not_fit_is_told_and_the_engine_is_ready_all_the_same() {
    let mut bench = Bench::new();
    bench.quiet(&["isready"]);
    let error = tsumero_search::SearcherError::OutOfMemory { megabytes: 33_554_432 };
    let replies =
        bench.event(Event::Search(Report::Prepared(vec![Notice::Error(error.to_string())])));
    assert!(replies[0].starts_with("info string Error! ") && replies[0].contains("33554432"));
    assert_eq!(replies[1], "readyok");
}

#[test]
fn while_memory_is_prepared_commands_wait() {
    let mut bench = Bench::new();
    bench.quiet(&["isready", "isready", "position startpos moves 7g7f", "go infinite", "stop"]);
    assert_eq!(bench.prepared(), ["readyok"]);
    assert_eq!(bench.prepared(), ["readyok"]);
    let search = bench.search();
    assert_eq!(search.position.ply(), 2);
    assert!(search.signals.is_stopped());
}

#[test]
fn an_elo_that_does_nothing_is_told() {
    let warning = "info string USI_Elo has no effect while USI_LimitStrength is off";
    let default = crate::options::Options::default().elo;
    let mut bench = Bench::new();
    for (option, is_told) in [
        (format!("USI_Elo value {default}"), false),
        ("UCI_Elo value 1000".to_owned(), true),
        ("USI_LimitStrength value true".to_owned(), false),
        ("USI_LimitStrength value false".to_owned(), true),
    ] {
        bench.quiet(&[&format!("setoption name {option}")]);
        let told = bench.say("isready");
        assert_eq!(told, if is_told { vec![warning] } else { vec![] }, "{option}");
        assert_eq!(bench.prepared(), ["readyok"]);
    }
}

/// The table of the other game would only take memory.
#[test]
fn the_table_of_the_game_that_comes_is_prepared() {
    for (lines, quantum) in [
        (&[][..], false),
        (&["setoption name USI_Variant value quantum"], true),
        (&["position quantum startpos"], true),
        (&["setoption name USI_Variant value quantum", "position startpos"], false),
    ] {
        let mut bench = Bench::new();
        bench.quiet(lines);
        bench.say("isready");
        let Ok(Job::Prepare { preparation, .. }) = bench.jobs.try_recv() else { panic!("no job") };
        assert_eq!(preparation.quantum, quantum, "{lines:?}");
    }
}

/// Preparing memory may take time only if nothing waits for an answer.
#[test]
fn what_wants_an_answer_ends_the_preparations() {
    for (behind, ends) in [
        ("go depth 1", true),
        ("d", true),
        ("quit", true),
        ("position startpos", false),
        ("usinewgame", false),
        ("setoption name Threads value 2", false),
        ("isready", false),
    ] {
        let mut bench = Bench::new();
        bench.quiet(&["isready"]);
        let Ok(Job::Prepare { signals, .. }) = bench.jobs.try_recv() else { panic!("no job") };
        assert!(!signals.is_stopped());
        bench.quiet(&[behind]);
        assert_eq!(signals.is_stopped(), ends, "{behind}");
    }
}

/// The GUI ends a game, and begins the next one before it has heard the answer of the search.
#[test]
fn isready_after_a_stop_prepares_for_the_next_game() {
    for (go, end) in
        [("go ponder", "gameover lose"), ("go infinite", "stop"), ("go nodes 9", "stop")]
    {
        let mut bench = Bench::new();
        bench.quiet(&[go, end, "isready", "usinewgame"]);
        let search = bench.search();
        assert_eq!(bench.done(&search), ["bestmove resign"]);
        let Ok(Job::Prepare { preparation, signals, .. }) = bench.jobs.try_recv() else {
            panic!("nothing is prepared after {go}");
        };
        assert!(preparation.clear && !signals.is_stopped(), "{go}");
        assert_eq!(bench.event(Event::Search(Report::Prepared(Vec::new()))), ["readyok"]);
        bench.no_job();
    }
}

/// What has to be cleared is cleared in idle time, not when the clock of the next search runs.
#[test]
fn tables_are_cleared_before_the_next_go() {
    for lines in [
        &["go nodes 9", "isready"][..],
        &["go infinite", "isready", "stop"],
        &["go nodes 9", "usinewgame"],
        &["go nodes 9", "setoption name ClearHash"],
    ] {
        let mut bench = Bench::new();
        bench.quiet(&["isready"]);
        assert_eq!(bench.prepared(), ["readyok"]);
        for line in lines {
            assert!(bench.say(line).iter().all(|reply| reply == "readyok"), "{line}");
        }
        let search = bench.search();
        bench.done(&search);
        let Ok(Job::Prepare { preparation, signals }) = bench.jobs.try_recv() else {
            panic!("nothing is prepared after {lines:?}");
        };
        assert!(
            preparation.clear && !preparation.refresh && !bench.engine.owes_readyok(),
            "{lines:?}"
        );
        bench.quiet(&["position startpos", "go btime 0 wtime 0 byoyomi 100"]);
        assert!(signals.is_stopped(), "{lines:?}");
        bench.no_job();
        let none: [&str; 0] = [];
        assert_eq!(bench.event(Event::Search(Report::Prepared(Vec::new()))), none, "{lines:?}");
        assert!(!bench.search().preparation.clear, "{lines:?}");
    }
    // Nothing to clear: settings may still come, or `isready` has prepared everything.
    let mut bench = Bench::new();
    bench.quiet(&["usinewgame"]);
    bench.no_job();
    bench.quiet(&["isready"]);
    assert_eq!(bench.prepared(), ["readyok"]);
    bench.quiet(&["usinewgame"]);
    bench.no_job();
}

/// A GUI that waits for `readyok` hears every few seconds that the engine is there, whatever it
/// waits for.
#[test]
fn isready_that_waits_is_not_met_with_silence() {
    // Tables that are cleared without being asked for, a search that is to end, a measurement.
    for (lines, ends) in [
        (&["go nodes 9", "usinewgame"][..], true),
        (&["go infinite", "stop"], false),
        (&["bench"], false),
    ] {
        let mut bench = Bench::new();
        bench.quiet(lines);
        if ends {
            let search = bench.search();
            bench.done(&search);
        }
        assert_eq!(bench.event(Event::Silence), [""; 0], "{lines:?}");
        bench.quiet(&["isready"]);
        assert!(bench.engine.owes_readyok(), "{lines:?}");
        assert_eq!(bench.event(Event::Silence), [""], "{lines:?}");
    }
}

#[test]
fn isready_that_waited_behind_a_go_is_answered_during_its_search() {
    for line in ["go infinite", "go depth 3", "go ponder"] {
        let mut bench = Bench::new();
        bench.quiet(&["isready", line, "isready"]);
        assert_eq!(bench.prepared(), ["readyok", "readyok"]);
        let search = bench.search();
        assert_eq!(bench.done(&search), ["bestmove resign"]);
        assert_eq!(bench.prepared(), [""; 0]);
        bench.no_job();
    }
}

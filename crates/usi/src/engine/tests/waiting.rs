//! Commands that come while a search runs: which of them wait for it, and which end it.

use super::*;

#[test]
fn behind_a_limited_search_commands_wait_in_order() {
    let mut bench = Bench::new();
    bench.quiet(&["go depth 5", "position startpos moves 7g7f", "go nodes 7"]);
    bench.quiet(&["setoption name MultiPV value 2", "usi", "d", "go infinite"]);
    let first = bench.search();
    bench.no_job();
    assert_eq!(bench.say("isready"), ["readyok"]);
    assert_eq!(bench.done(&first), ["bestmove resign"]);
    let second = bench.search();
    assert_eq!(second.position.ply(), 2);
    assert_eq!(limits_of(&second).nodes, Some(7));
    let replies = bench.done(&second);
    assert_eq!(replies[0], "bestmove resign");
    assert!(replies[1].ends_with("usiok") && replies[2].contains("SFEN: "));
    let third = bench.search();
    assert!(matches!(&third.task, Task::BestMove { settings, .. } if settings.multi_pv == 2));
    assert!(!third.signals.is_stopped());
}

#[test]
fn go_ends_an_open_search_and_follows_its_answer() {
    for line in ["go infinite", "go", "go ponder btime 1 wtime 1", "go mate infinite"] {
        let mut bench = Bench::new();
        bench.quiet(&[line, "position startpos moves 2g2f", "setoption name MultiPV value 3"]);
        let first = bench.search();
        assert!(!first.signals.is_stopped());
        assert_eq!(first.position.ply(), 1);
        bench.quiet(&["go depth 1"]);
        assert!(first.signals.is_stopped());
        bench.no_job();
        bench.done(&first);
        let second = bench.search();
        assert_eq!(second.position.ply(), 2);
        assert!(!second.signals.is_stopped());
    }
}

#[test]
fn a_stop_is_meant_for_every_go_before_it_and_for_none_after() {
    let mut bench = Bench::new();
    bench.quiet(&["go infinite", "stop", "go infinite", "stop", "go infinite"]);
    let first = bench.search();
    assert!(first.signals.is_stopped());
    bench.done(&first);
    let second = bench.search();
    // Stopped both by its own `stop` and for the `go` after it.
    assert!(second.signals.is_stopped());
    bench.done(&second);
    let third = bench.search();
    assert!(!third.signals.is_stopped());
    bench.quiet(&["gameover"]);
    assert!(third.signals.is_stopped());
}

#[test]
fn a_stop_reaches_a_limited_search_that_still_waits() {
    let mut bench = Bench::new();
    bench.quiet(&["go depth 9", "go depth 9", "position startpos", "stop", "go depth 9"]);
    for stopped in [true, true, false] {
        let search = bench.search();
        assert_eq!(search.signals.is_stopped(), stopped);
        bench.done(&search);
    }
}

#[test]
fn nothing_happens_to_an_idle_engine() {
    let mut bench = Bench::new();
    bench.quiet(&["stop", "ponderhit", "gameover win", "", "  ", "nonsense", "debug on"]);
    bench.no_job();
    assert!(!bench.engine.is_finished());
}

/// Handling a command takes the same time, however many are waiting.
#[test]
fn a_hundred_thousand_waiting_commands_are_no_more_work_each() {
    let mut bench = Bench::new();
    bench.quiet(&["go depth 9"]);
    let started = Instant::now();
    for _ in 0..100_000 {
        bench.quiet(&["d", "stop"]);
    }
    bench.quiet(&["go nodes 9"]);
    for _ in 0..100_000 {
        bench.quiet(&["stop"]);
    }
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let first = bench.search();
    assert!(first.signals.is_stopped());
    // A turn is short, so other events are handled between two turns.
    let mut drawn = bench.done(&first).len() - 1;
    assert!(drawn <= COMMANDS_OF_A_TURN);
    while bench.engine.wants_turn() {
        drawn += bench.event(Event::Turn).len();
    }
    assert_eq!(drawn, 100_000);
    assert!(bench.search().signals.is_stopped());
}

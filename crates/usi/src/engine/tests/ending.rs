//! The end of the input, and `quit`.

use super::*;

#[test]
fn the_end_of_input_finishes_limited_searches_and_stops_others() {
    let mut bench = Bench::new();
    bench.quiet(&["go depth 3", "go infinite", "go ponder", "go nodes 5"]);
    bench.event(Event::InputClosed);
    let limited = bench.search();
    assert!(!limited.signals.is_stopped());
    assert!(!bench.engine.is_finished());
    bench.done(&limited);
    for _ in ["infinite", "ponder"] {
        let open = bench.search();
        assert!(open.signals.is_stopped());
        bench.done(&open);
    }
    let limited = bench.search();
    assert!(!limited.signals.is_stopped());
    assert!(!bench.engine.is_finished());
    bench.done(&limited);
    assert!(bench.engine.is_finished());
}

/// Whether a search may go on is decided when everything before the end of the input has acted,
/// however many turns that takes.
#[test]
fn commands_that_wait_at_the_end_of_the_input_still_reach_an_open_search() {
    let go = "go ponder btime 0 wtime 0 byoyomi 3000";
    for (positions, behind, is_stopped) in [
        (30, &["ponderhit"][..], false),
        (31, &["ponderhit"], false),
        (32, &["ponderhit"], false),
        (0, &["eval", "ponderhit"], false),
        (31, &["usinewgame"], true),
        (0, &["eval"], true),
        (0, &[], true),
    ] {
        // The input may end before everything has acted, or with it.
        for turns in 0..3 {
            let mut bench = Bench::new();
            bench.quiet(&["go depth 8"]);
            (0..positions).for_each(|_| bench.quiet(&["position startpos"]));
            bench.quiet(&[go]);
            bench.quiet(behind);
            let limited = bench.search();
            if turns == 0 {
                bench.event(Event::InputClosed);
            }
            bench.done(&limited);
            for turn in 1..10 {
                if turn == turns {
                    bench.event(Event::InputClosed);
                }
                if bench.engine.wants_turn() {
                    bench.event(Event::Turn);
                }
            }
            if let Ok(SideJob::Evaluate(position, _)) = bench.side_jobs.try_recv() {
                bench.event(Event::Search(Report::Explanation(explained(&position))));
            }
            let search = bench.search();
            assert_eq!(search.signals.is_stopped(), is_stopped, "{positions} {behind:?} {turns}");
            bench.done(&search);
            assert!(bench.engine.is_finished());
        }
    }
}

/// What comes before `quit` is handled in order, and every search is stopped and answered.
#[test]
fn quit_stops_and_answers_every_search_and_then_ends() {
    for before in ["go depth 9", "go infinite", "go ponder", "isready", "go mate 9", "eval", ""] {
        let mut bench = Bench::new();
        bench.quiet(&[before, "go depth 3", "go infinite", "go perft 9"]);
        bench.say("isready");
        bench.quiet(&["go ponder btime 5 wtime 5", "quit"]);
        let mut heard = Vec::new();
        if let Ok(SideJob::Evaluate(position, _)) = bench.side_jobs.try_recv() {
            heard.extend(bench.event(Event::Search(Report::Explanation(explained(&position)))));
        }
        while !bench.engine.is_finished() {
            match bench.jobs.try_recv() {
                Ok(Job::Prepare { signals, .. }) => {
                    assert!(signals.is_stopped(), "{before}");
                    heard.extend(bench.event(Event::Search(Report::Prepared(Vec::new()))));
                }
                Ok(Job::Shogi(search)) => {
                    assert!(search.signals.is_stopped(), "{before}");
                    heard.extend(bench.done(&search));
                }
                other => panic!("{before}: {other:?}"),
            }
        }
        let answers = heard.iter().filter(|line| *line == "bestmove resign").count();
        assert_eq!(answers, 4 + usize::from(before.starts_with("go")), "{before}: {heard:?}");
        bench.no_job();
    }
}

#[test]
fn quit_ends_an_idle_engine_and_nothing_behind_it_is_read() {
    let mut bench = Bench::new();
    bench.quiet(&["quit"]);
    assert!(bench.engine.is_finished());
    let mut bench = Bench::new();
    bench.quiet(&["go infinite", "quit", "usi", "isready", "d", "go depth 1", "stop"]);
    let search = bench.search();
    assert_eq!(bench.done(&search), ["bestmove resign"]);
    assert!(bench.engine.is_finished());
    bench.no_job();
}

#[test]
fn quit_ends_the_search_that_follows_another_one() {
    for hit in [&["quit"][..], &["ponderhit", "quit"]] {
        let mut bench = Bench::new();
        bench.quiet(&["setoption name Stochastic_Ponder value true"]);
        bench.quiet(&["position startpos moves 7g7f 3c3d", "go ponder btime 1000 wtime 1000"]);
        let first = bench.search();
        bench.quiet(hit);
        assert!(first.signals.is_stopped());
        bench.done(&first);
        let second = bench.search();
        assert!(second.signals.is_stopped());
        assert_eq!(bench.done(&second), ["bestmove resign"]);
        assert!(bench.engine.is_finished());
    }
}

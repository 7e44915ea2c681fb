//! What a `go` limits the search to: time, depth, nodes, and the moves that it may choose from.

use tsumero_control::Clock;

use super::*;

/// The limits that a `go` sends to the search.
fn go(line: &str) -> Limits {
    let mut bench = Bench::new();
    bench.quiet(&[line]);
    limits_of(&bench.search())
}

#[test]
fn limits_are_read_with_the_habits_of_clients_in_mind() {
    assert!(go("go").waits_for_stop());
    assert!(go("go infinite").infinite);
    assert_eq!(go("go depth 0").depth, Some(1));
    assert_eq!(go("go nodes 0").nodes, Some(1));
    // Unused clocks of zero beside another limit.
    for line in ["go btime 0 wtime 0 movetime 70", "go movetime 70 btime 0 wtime 0 byoyomi 0"] {
        assert_eq!(go(line).movetime, milliseconds(70));
        assert_eq!(go(line).clock, None);
    }
    assert_eq!(go("go btime 0 wtime 0 depth 3").clock, None);
    // Clocks of zero count if there is nothing else, and so does a move time of zero.
    assert_eq!(go("go btime 0 wtime 0 byoyomi 0").clock, Some(Clock::default()));
    assert_eq!(go("go movetime 0").movetime, Some(Duration::ZERO));
    // A client that sends seconds instead of milliseconds.
    let mixed = go("go movetime 0.9 btime 56712 wtime 59030 binc 0 winc 0 byoyomi 0");
    assert_eq!((mixed.movetime, mixed.clock.is_some()), (None, true));
    let all = go("go movetime 500 depth 7 nodes 9 btime 1 wtime 2");
    assert_eq!((all.movetime, all.depth, all.nodes), (milliseconds(500), Some(7), Some(9)));
    assert!(all.clock.is_some());
    // Adding the longest time to a moment does not overflow.
    let endless = go("go btime 99999999999999999999 wtime 0").clock.unwrap().remaining.0[0];
    assert!(Instant::now().checked_add(endless).is_some());
    for _ in 0..50 {
        let time = go("go rtime 100").movetime.unwrap().as_millis();
        assert!((100..=300).contains(&time), "{time}");
    }
}

#[test]
fn searchmoves_are_checked_one_by_one() {
    let mut bench = Bench::new();
    let errors = bench.say("go depth 2 searchmoves 2g2f 2g2e 2g2f 7g7f");
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("info string Error! searchmoves 2g2e: "), "{errors:?}");
    let search = bench.search();
    let Task::BestMove { search_moves, .. } = &search.task else { panic!("{search:?}") };
    let moves: Vec<String> = search_moves.iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["2g2f", "7g7f"]);
}

#[test]
fn a_million_bad_searchmoves_are_one_line() {
    for (count, part) in [(2, ", and 1 more like it"), (1_000_000, "the first 1000 words are read")]
    {
        let mut bench = Bench::new();
        let words = "2g2e ".repeat(count);
        let errors = bench.say(&format!("go depth 2 searchmoves {words}"));
        assert_eq!(errors.len(), 1);
        assert!(errors[0].contains(part) && errors[0].len() < 200, "{errors:?}");
        assert!(matches!(bench.search().task, Task::BestMove { search_moves, .. }
            if search_moves.is_empty()));
    }
    let mut bench = Bench::new();
    let errors = bench.say(&format!("go depth 2 searchmoves {}", "2g2f ".repeat(1001)));
    assert_eq!(errors.len(), 1);
    bench.quiet(&[&format!("go depth 2 searchmoves {}", "2g2f ".repeat(1000))]);
}

/// The clock of a command runs from the arrival of its bytes, even if it waited for a search that
/// was stopped for it. After a limited search, it runs from its turn.
#[test]
fn time_counts_from_when_a_command_came() {
    let mut bench = Bench::new();
    let come = bench.now - Duration::from_millis(300);
    let say_then = |bench: &mut Bench, line: &str, at| {
        let command = GuiCommand::parse(line.as_bytes());
        bench.event(Event::Gui(Incoming::command(command, at)));
    };
    say_then(&mut bench, "go mate 500", come);
    let search = bench.search();
    assert_eq!(search.started, come);
    say_then(&mut bench, "go infinite", come);
    bench.done(&search);
    let search = bench.search();
    assert_eq!(search.started, bench.now, "behind a limited search");
    say_then(&mut bench, "go movetime 500", come);
    bench.done(&search);
    let search = bench.search();
    assert_eq!(search.started, come, "behind an open search");
    bench.done(&search);
    // The time of the hit goes to the search with the hit.
    say_then(&mut bench, "go ponder btime 0 wtime 0 byoyomi 200", come);
    let search = bench.search();
    let limits = limits_of(&search);
    let (settings, signals) = (crate::options::Options::default(), &search.signals);
    let (time, side) = (&settings.settings.time, tsumero_core::Color::Black);
    let mut keeper = tsumero_control::TimeKeeper::new(&limits, time, signals, side, 1, bench.now);
    assert!(!keeper.must_stop());
    say_then(&mut bench, "ponderhit", come);
    assert!(keeper.must_stop(), "300 of 200 ms have gone by");
    bench.done(&search);
    // The same holds if the hit waits behind its `go`, unless that counts from its turn.
    for (first, counts_from_arrival) in [("go infinite", true), ("go depth 9", false)] {
        say_then(&mut bench, first, come);
        let before = bench.search();
        say_then(&mut bench, "go ponder btime 0 wtime 0 byoyomi 200", come);
        say_then(&mut bench, "ponderhit", come);
        bench.done(&before);
        let search = bench.search();
        let signals = &search.signals;
        let limits = limits_of(&search);
        let mut keeper =
            tsumero_control::TimeKeeper::new(&limits, time, signals, side, 1, bench.now);
        assert_eq!(keeper.must_stop(), counts_from_arrival, "behind {first}");
        bench.done(&search);
    }
}

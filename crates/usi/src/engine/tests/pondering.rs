//! Tests of pondering.

use tsumero_core::Color;

use super::*;

#[test]
fn ponderhit_turns_pondering_into_a_timed_search() {
    let mut bench = Bench::new();
    bench.quiet(&["go ponder btime 1000 wtime 1000", "ponderhit", "go depth 1"]);
    let search = bench.search();
    assert!(limits_of(&search).ponder);
    // Limited since the hit, so the next `go` waits instead of ending it.
    assert!(!search.signals.is_stopped());
    bench.no_job();

    // Early pondering: the clock comes with the hit.
    let mut bench = Bench::new();
    bench.quiet(&["go ponder", "ponderhit btime 1000 wtime 1000 byoyomi 100"]);
    assert!(!bench.search().signals.is_stopped());

    // No clock at all: answer at once.
    let mut bench = Bench::new();
    bench.quiet(&["go ponder", "ponderhit"]);
    assert!(bench.search().signals.is_stopped());

    // A clock of zeros counts only where there is no other limit, as in a `go`.
    for (line, is_over) in [("go ponder depth 14 btime 0 wtime 0", false), ("go ponder", true)] {
        let mut bench = Bench::new();
        bench.quiet(&[line]);
        let command = GuiCommand::parse(b"ponderhit btime 0 wtime 0");
        let at = bench.now - Duration::from_millis(300);
        bench.event(Event::Gui(Incoming::command(command, at)));
        let search = bench.search();
        let (limits, signals) = (limits_of(&search), &search.signals);
        let (settings, side) = (crate::options::Options::default(), tsumero_core::Color::Black);
        let time = &settings.settings.time;
        let mut keeper = tsumero_control::TimeKeeper::new(&limits, time, signals, side, 1, at);
        assert_eq!(keeper.must_stop(), is_over, "{line}");
    }

    // A ponder hit that arrives before the answer of the previous search.
    let mut bench = Bench::new();
    bench.quiet(&["go infinite", "go ponder", "position startpos", "ponderhit"]);
    let first = bench.search();
    bench.done(&first);
    assert!(bench.search().signals.is_stopped(), "the hit without any clock must have arrived");
}

#[test]
fn stochastic_ponder_searches_the_position_before_and_answers_the_one_after() {
    let mut bench = Bench::new();
    bench.quiet(&["setoption name Stochastic_Ponder value true"]);
    let ponder = ["position startpos moves 7g7f 3c3d", "go ponder btime 1000 wtime 1000"];
    bench.quiet(&ponder);
    let first = bench.search();
    assert_eq!(first.position.ply(), 2);
    assert!(limits_of(&first).infinite);
    let info = |pv: &[&str], score| Info {
        depth: 5,
        seldepth: 7,
        time: Duration::ZERO,
        nodes: 9,
        hashfull: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        pv: pv.iter().map(|&word| word.to_owned()).collect(),
    };
    let mut tell = |info| bench.event(Event::Search(Report::Info(first.generation, info)));
    assert_eq!(tell(info(&["8c8d", "2g2f"], Score::new(30))), [""; 0], "about another move");
    let said = tell(info(&["3c3d", "2g2f"], Score::new(30)));
    assert!(said[0].starts_with("info depth 4 ") && said[0].contains(" score cp -30 "));
    assert!(said[0].ends_with(" pv 2g2f"), "{said:?}");
    let said = tell(info(&["3c3d", "2g2f"], Score::mate_in(4)));
    assert!(said[0].contains(" score mate -3 "), "{said:?}");
    // After the ponder hit, the position that was sent is searched on its clock.
    let hit = bench.now + Duration::from_millis(5);
    let command = GuiCommand::parse(b"ponderhit btime 700 wtime 700");
    bench.event(Event::Gui(Incoming::command(command, hit)));
    assert!(first.signals.is_stopped());
    assert_eq!(bench.done(&first), [""; 0]);
    let second = bench.search();
    assert_eq!((second.position.ply(), second.started), (3, hit));
    let limits = limits_of(&second);
    assert!(!limits.ponder && !second.signals.is_stopped());
    assert_eq!(limits.clock.map(|clock| clock.remaining.0[0]), milliseconds(700));
    assert_eq!(bench.done(&second), ["bestmove resign"]);
    // As in a plain ponder search, a clock of zeros counts only where there is no other limit.
    for (other_limit, left) in [(" nodes 1000000000", 60_000), ("", 0)] {
        bench.quiet(&[&format!("go ponder btime 60000 wtime 60000{other_limit}")]);
        let first = bench.search();
        bench.quiet(&["ponderhit btime 0 wtime 0"]);
        bench.done(&first);
        let second = bench.search();
        let clock = limits_of(&second).clock;
        let remaining = clock.map(|clock| clock.remaining.0[0]);
        assert_eq!(remaining, milliseconds(left), "{other_limit}");
        bench.done(&second);
    }
    // Without any clock, the position that was sent has not been searched yet at the hit.
    bench.quiet(&["go ponder"]);
    let first = bench.search();
    bench.quiet(&["ponderhit"]);
    bench.done(&first);
    let second = bench.search();
    assert!(limits_of(&second).nodes.is_some() && !second.signals.is_stopped());
    assert_eq!(bench.done(&second), ["bestmove resign"]);
    // Without a ponder hit, the position that was sent gets some answer. A stop after a ponder hit
    // is not lost.
    for lines in [&["stop"][..], &["ponderhit", "stop"], &["go depth 1"]] {
        bench.quiet(&ponder);
        let first = bench.search();
        bench.quiet(lines);
        assert!(first.signals.is_stopped());
        bench.done(&first);
        let second = bench.search();
        assert!(second.signals.is_stopped() && second.position.ply() == 3, "{lines:?}");
        assert_eq!(bench.done(&second)[0], "bestmove resign");
        if lines[0].starts_with("go") {
            let third = bench.search();
            bench.done(&third);
        }
    }
    // What is changed during the search on the opponent's time is for the next `go`.
    bench.quiet(&ponder);
    let first = bench.search();
    bench.quiet(&["setoption name MultiPV value 3", "usinewgame", "ponderhit"]);
    bench.done(&first);
    let second = bench.search();
    assert_eq!((settings_of(&second).multi_pv, second.preparation.clear), (1, false));
    bench.done(&second);
    // The tables are cleared after the answer.
    assert_eq!(bench.prepared(), [""; 0]);
    bench.quiet(&["go depth 1"]);
    let next = bench.search();
    assert_eq!(settings_of(&next).multi_pv, 3);
    bench.done(&next);
    // A level has its own table, and its analysis is not for its opponent's eyes.
    for (on, off) in [
        ("SkillLevel value 3", "SkillLevel value 20"),
        ("USI_LimitStrength value true", "USI_LimitStrength value false"),
    ] {
        bench.quiet(&[&format!("setoption name {on}")]);
        bench.quiet(&ponder);
        let own = bench.search();
        assert!(own.position.ply() == 3 && limits_of(&own).ponder, "{on}");
        bench.quiet(&["stop", &format!("setoption name {off}")]);
        bench.done(&own);
    }
    // The Elo of the full strength sets no lower level, whatever `SkillLevel` says.
    let full = ["SkillLevel value 3", "USI_Elo value 2930", "USI_LimitStrength value true"];
    full.iter().for_each(|option| bench.quiet(&[&format!("setoption name {option}")]));
    bench.quiet(&ponder);
    let first = bench.search();
    assert_eq!(first.position.ply(), 2);
    bench.quiet(&["stop"]);
    bench.done(&first);
    let second = bench.search();
    bench.done(&second);
    // Without a move before it there is nothing else to search.
    bench.quiet(&["position startpos", "go ponder btime 1000 wtime 1000"]);
    assert!(limits_of(&bench.search()).ponder);
}

/// The answer uses what the search on the opponent's time has found, so a draw is worth the same to us
/// in both.
#[test]
fn on_the_opponents_time_a_draw_has_the_value_that_it_has_for_us() {
    let usual = Settings::default().draw_value[Color::Black];
    for (own, other) in [(-100, -100), (-100, 100), (300, usual), (usual, -100), (usual, usual)] {
        for (own_name, other_name, moves) in
            [("Black", "White", "7g7f 3c3d"), ("White", "Black", "7g7f 3c3d 2g2f")]
        {
            let mut bench = Bench::new();
            bench.quiet(&[
                "setoption name Stochastic_Ponder value true",
                &format!("setoption name DrawValue{own_name} value {own}"),
                &format!("setoption name DrawValue{other_name} value {other}"),
                &format!("position startpos moves {moves}"),
                "go ponder btime 1000 wtime 1000",
            ]);
            let first = bench.search();
            bench.quiet(&["ponderhit"]);
            bench.done(&first);
            let second = bench.search();
            let value_for_the_asked = |search: &Search<Shogi>| {
                settings_of(search).draw_value[search.position.side_to_move()]
            };
            assert_eq!(value_for_the_asked(&second), own);
            // With the usual value, both sides share their results.
            let expected = if own == usual { usual } else { -own };
            assert_eq!(value_for_the_asked(&first), expected, "{own_name} {own}, {other}");
            // It is a matter of that search alone.
            let colors = [(own_name, own), (other_name, other)];
            for (name, value) in colors {
                let color = if name == "Black" { Color::Black } else { Color::White };
                assert_eq!(settings_of(&second).draw_value[color], value);
            }
        }
    }
}

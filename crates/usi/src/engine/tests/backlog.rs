//! Replies that nobody reads for a while.

use super::*;

/// While replies are not written, nothing is done that makes more of them.
#[test]
fn nothing_acts_while_replies_pile_up() {
    let mut bench = Bench::new();
    bench.engine.set_output_backlogged(true);
    bench.quiet(&["d", "usi", "position nonsense", "setoption name Nonsense value 1", "isready"]);
    bench.quiet(&["position startpos", "go depth 1", "go depth 1"]);
    assert!(bench.engine.wants_turn());
    bench.engine.set_output_backlogged(false);
    assert_eq!(bench.event(Event::Turn).len(), 4);
    assert_eq!(bench.prepared(), ["readyok"]);
    // The answer comes in any case, but the next search waits.
    let search = bench.search();
    bench.engine.set_output_backlogged(true);
    assert_eq!(bench.done(&search), ["bestmove resign"]);
    bench.no_job();
    bench.engine.set_output_backlogged(false);
    assert!(bench.engine.wants_turn());
    bench.event(Event::Turn);
    let search = bench.search();
    bench.done(&search);
    // A `stop` reaches a search that waits for room.
    bench.engine.set_output_backlogged(true);
    bench.quiet(&["go infinite", "stop"]);
    bench.engine.set_output_backlogged(false);
    bench.event(Event::Turn);
    assert!(bench.search().signals.is_stopped());
}

/// Nobody needs older reports than the latest ones.
#[test]
fn reports_that_nobody_reads_are_replaced_by_later_ones() {
    let mut bench = Bench::new();
    bench.quiet(&["go infinite"]);
    let search = bench.search();
    let info = |depth, multipv| {
        let info = Info {
            depth,
            seldepth: depth,
            time: Duration::ZERO,
            nodes: 9,
            hashfull: 0,
            multipv,
            score: Score::new(1),
            bound: Bound::Exact,
            pv: vec!["7g7f".to_owned()],
        };
        Event::Search(Report::Info(search.generation, info))
    };
    assert_eq!(bench.event(info(1, 1)).len(), 1);
    bench.engine.set_output_backlogged(true);
    for depth in 2..100 {
        for multipv in 1..=2 {
            assert_eq!(bench.event(info(depth, multipv)), [""; 0]);
        }
    }
    // As soon as there is room, the latest one is told: the next may take long.
    assert_eq!(bench.event(Event::Turn), [""; 0]);
    bench.engine.set_output_backlogged(false);
    assert!(bench.engine.wants_turn());
    let said = bench.event(Event::Turn);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().all(|line| line.contains("depth 99 ")), "{said:?}");
    assert!(!bench.engine.wants_turn());
    // Line 2 of the older report may begin with the move that is line 1 now.
    bench.engine.set_output_backlogged(true);
    for multipv in 1..=2 {
        assert_eq!(bench.event(info(100, multipv)), [""; 0]);
    }
    bench.engine.set_output_backlogged(false);
    let said = [bench.event(info(101, 1)), bench.event(info(101, 2))].concat();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().all(|line| line.contains("depth 101 ")), "{said:?}");
    // The last report comes before the answer.
    bench.engine.set_output_backlogged(true);
    bench.event(info(102, 1));
    let said = bench.done(&search);
    assert!(said[0].contains("depth 102 ") && said[1] == "bestmove resign", "{said:?}");
}

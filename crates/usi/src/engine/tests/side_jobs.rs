//! `eval` and `bench`, which run beside the search.

use super::*;

#[test]
fn an_evaluation_runs_beside_the_search_and_keeps_its_place() {
    for before in ["isready", "go infinite", "go ponder"] {
        let mut bench = Bench::new();
        bench.quiet(&[before]);
        if before == "isready" {
            bench.prepared();
        }
        bench.quiet(&["eval", "d", "go depth 1"]);
        assert!(!bench.engine.is_finished());
        let Ok(SideJob::Evaluate(position, _)) = bench.side_jobs.try_recv() else {
            panic!("no side job")
        };
        // The name of a file may contain anything.
        let description = "駒\r\u{1b}[2J.bin".to_owned();
        let explanation = Explanation { description, ..explained(&position) };
        let said = bench.event(Event::Search(Report::Explanation(explanation)));
        assert!(said[0].contains("\nevaluation: ???[2J.bin\n"), "{said:?}");
        assert!(said[0].contains("total for the side to move") && said[1].contains("SFEN: "));
        if before != "isready" {
            let search = bench.search();
            assert!(search.signals.is_stopped(), "for the go behind the evaluation");
            bench.done(&search);
        }
        assert_eq!(limits_of(&bench.search()).depth, Some(1));
    }
}

/// Testing frameworks send `bench` and `quit` at once and read what comes.
#[test]
fn everything_waits_for_a_measurement_even_quit() {
    let mut bench = Bench::new();
    bench.quiet(&["bench", "quit", "d"]);
    assert!(
        matches!(bench.side_jobs.try_recv(), Ok(SideJob::Bench(_))) && !bench.engine.is_finished()
    );
    let said = bench.event(Event::Search(Report::Bench(Ok(measured()))));
    assert_eq!(said[0], "3000000 nodes 1500000 nps");
    assert!(bench.engine.is_finished());

    // What cannot be measured is answered as well.
    let mut bench = Bench::new();
    bench.quiet(&["bench", "quit"]);
    let failed = tsumero_search::SearcherError::OutOfMemory { megabytes: 16 };
    let said = bench.event(Event::Search(Report::Bench(Err(failed))));
    assert_eq!(said, ["info string Error! not enough memory for a transposition table of 16 MB"]);
    assert!(bench.engine.is_finished());

    // At the end of the input it is answered, too.
    let mut bench = Bench::new();
    bench.quiet(&["bench", "go depth 1"]);
    bench.event(Event::InputClosed);
    assert!(!bench.engine.is_finished());
    bench.event(Event::Search(Report::Bench(Ok(measured()))));
    assert_eq!(limits_of(&bench.search()).depth, Some(1));
}

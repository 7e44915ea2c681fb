//! The answer that belongs to each kind of `go`.

use tsumero_core::MAX_PERFT_DEPTH;
use tsumero_mate::Mate;

use super::*;

#[test]
fn reports_of_an_old_search_are_dropped() {
    let mut bench = Bench::new();
    bench.quiet(&["go depth 1"]);
    let first = bench.search();
    assert_eq!(bench.done(&first), ["bestmove resign"]);
    assert_eq!(bench.done(&first), [""; 0]);
    bench.quiet(&["go depth 1"]);
    assert_eq!(bench.done(&first), [""; 0]);
    let second = bench.search();
    assert_eq!(bench.done(&second), ["bestmove resign"]);
}

/// A fault of the solver is told as one: `checkmate timeout` alone would hide it.
#[test]
fn a_proof_that_does_not_hold_is_told() {
    let mut bench = Bench::new();
    bench.quiet(&["go mate"]);
    let search = bench.search();
    let outcome = SearchAnswer::Checkmate(Some(MateAnswer::Unknown(MateUnknown::Broken)));
    let replies = bench.event(Event::Search(Report::Done(search.generation, outcome)));
    assert_eq!(replies.len(), 2, "{replies:?}");
    assert!(replies[0].starts_with("info string Error! the proof of the mate"), "{replies:?}");
    assert_eq!(replies[1], "checkmate timeout");
}

#[test]
fn every_kind_of_go_has_its_own_answer() {
    let answers = [
        ("go mate 100", SearchAnswer::Checkmate(Some(MateAnswer::NoMate)), "checkmate nomate"),
        (
            "go mate",
            SearchAnswer::Checkmate(Some(MateAnswer::Unknown(MateUnknown::Memory))),
            "checkmate timeout",
        ),
        ("go depth 1", SearchAnswer::BestMove(BestMove::DeclareWin), "bestmove win"),
        ("go perft 2", SearchAnswer::Perft(Some(900)), "Nodes searched: 900"),
        ("go perft 9", SearchAnswer::Perft(None), "info string perft was stopped"),
    ];
    for (line, outcome, answer) in answers {
        let mut bench = Bench::new();
        bench.quiet(&[line]);
        let search = bench.search();
        assert_eq!(
            bench.event(Event::Search(Report::Done(search.generation, outcome))),
            [answer.to_owned()]
        );
    }
    let mut bench = Bench::new();
    bench.quiet(&["position startpos moves 7g7f 3c3d 8h2b+", "go mate"]);
    let search = bench.search();
    let line = vec![search.position.parse_move("3a2b").unwrap()];
    let mate = Mate { line, is_shortest: true };
    let mate = SearchAnswer::Checkmate(Some(MateAnswer::Mate(mate)));
    assert_eq!(
        bench.event(Event::Search(Report::Done(search.generation, mate))),
        ["checkmate 3a2b"]
    );
    bench.quiet(&["go perft 4000000000"]);
    assert!(matches!(bench.search().task, Task::Perft(MAX_PERFT_DEPTH)));
}

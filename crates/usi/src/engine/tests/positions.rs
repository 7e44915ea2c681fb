//! Positions that cannot be read, lines that are too long, and the variant of the game.

use super::*;
use crate::command::MateTime;

#[test]
fn after_a_bad_position_nothing_is_answered_until_a_good_one_comes() {
    let lines = [
        "position startpos moves 7g7f 7g7f",
        "position startpos moves 7g7f あ",
        "position startpos 7g7f",
        "position startpos move 7g7f",
        "position sfen",
        "position",
        "position sfen 9/9/9 b -",
        "position sfen あ b -",
        "position nonsense moves 7g7f",
        "position quantum",
        "position quantum nonsense",
    ];
    for line in lines {
        let mut bench = Bench::new();
        bench.quiet(&["position startpos moves 7g7f"]);
        let replies = bench.say(line);
        assert_eq!(replies.len(), 1, "{line}: {replies:?}");
        assert!(replies[0].starts_with("info string Error! "), "{replies:?}");
        assert!(replies[0].is_ascii() && !replies[0].contains(" :"), "{replies:?}");
        let error = replies[0].as_str();
        for go in ["go depth 1", "go infinite", "go ponder", "go", "go btime 1 wtime 1"] {
            assert_eq!(bench.say(go), [error, "bestmove resign"], "{line}");
        }
        assert_eq!(bench.say("go mate 100"), [error, "checkmate timeout"]);
        assert_eq!(bench.say("go perft 3"), [error, "info string perft was stopped"]);
        assert_eq!(bench.say("d"), [error]);
        assert_eq!(bench.say("eval"), [error]);
        bench.quiet(&["stop", "usinewgame", "setoption name MultiPV value 2"]);
        bench.no_job();
        bench.quiet(&["position startpos moves 2g2f 8c8d", "go depth 1"]);
        assert_eq!(bench.search().position.ply(), 3);
    }
}

#[test]
fn a_line_that_is_too_long_is_named_and_a_go_among_them_is_answered() {
    let mut bench = Bench::new();
    let mut too_long = |asked| {
        let input = Input::TooLong(asked);
        bench.event(Event::Gui(Incoming { input, at: bench.now, hold: None }))
    };
    let error = too_long(Asked::Nothing);
    assert!(error.len() == 1 && error[0].contains("1048576 bytes"), "{error:?}");
    let error = error[0].as_str();
    assert_eq!(too_long(Asked::Go(GoTask::BestMove)), [error, "bestmove resign"]);
    assert_eq!(too_long(Asked::Go(GoTask::Mate(MateTime::Infinite))), [error, "checkmate timeout"]);
    assert_eq!(too_long(Asked::Position), [error]);
    assert_eq!(bench.say("go depth 1"), [error, "bestmove resign"]);
}

#[test]
fn a_game_without_end_is_refused() {
    let there_and_back = "2h3h 8b7b 3h2h 7b8b ".repeat(5000);
    for root in ["startpos", "quantum startpos"] {
        let mut bench = Bench::new();
        bench.quiet(&[&format!("position {root} moves {there_and_back}")]);
        let said = bench.say(&format!("position {root} moves {there_and_back} 2h3h"));
        assert!(said.len() == 1 && said[0].contains("20001 moves"), "{said:?}");
    }
}

#[test]
fn the_variant_is_only_for_those_who_describe_no_position() {
    let mut bench = Bench::new();
    bench.quiet(&["setoption name USI_Variant value quantum"]);
    let warning = bench.say("isready");
    assert!(warning.len() == 1 && warning[0].starts_with("info string USI_Variant is quantum"));
    assert_eq!(bench.prepared(), ["readyok"]);
    bench.quiet(&["go depth 1"]);
    let Ok(Job::Quantum(search)) = bench.jobs.try_recv() else { panic!("not quantum shogi") };
    bench.done(&search);
    bench.quiet(&["position startpos moves 7g7f", "go depth 1"]);
    let search = bench.search();
    bench.done(&search);
    bench.quiet(&["setoption name USI_Variant value quantum", "go depth 1"]);
    let search = bench.search();
    assert_eq!(search.position.ply(), 2);
    bench.done(&search);
    bench.quiet(&["position quantum startpos", "go depth 1"]);
    assert!(matches!(bench.jobs.try_recv(), Ok(Job::Quantum(_))));
}

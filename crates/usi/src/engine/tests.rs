//! Tests of the engine with lists of events: no thread, no clock, no standard input. The file is
//! long because it is a collection of short scripts that share one bench.

mod ending;
mod pondering;
mod random_scripts;

use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use tsumero_control::{Bound, Clock, Limits, Score};
use tsumero_core::MAX_PERFT_DEPTH;
use tsumero_search::{BenchResult, Settings};

use super::*;
use crate::command::MateTime;
use crate::evaluation::{Choice, Explanation, LoadedEvaluation};
use crate::game::{Game, Info, Task};
use crate::notice::Notice;
use crate::search_thread::SearchAnswer;

/// An engine. The test takes the part of the search thread.
struct Bench {
    engine: Engine,
    jobs: Receiver<Job>,
    side_jobs: Receiver<SideJob>,
    now: Instant,
}

impl Bench {
    fn new() -> Bench {
        let (job_sender, jobs) = unbounded();
        let (side_job_sender, side_jobs) = unbounded();
        let workers = Workers { jobs: job_sender, side_jobs: side_job_sender };
        let engine = Engine::new(workers, Arc::new(DialogueLog::new()));
        Bench { engine, jobs, side_jobs, now: Instant::now() }
    }

    fn event(&mut self, event: Event) -> Vec<String> {
        let replies = self.engine.handle(event, self.now);
        replies.iter().map(ToString::to_string).collect()
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        let command = GuiCommand::parse(line.as_bytes());
        self.event(Event::Gui(Incoming::command(command, self.now)))
    }

    /// Sends lines that must not be answered.
    fn quiet(&mut self, lines: &[&str]) {
        for line in lines {
            assert_eq!(self.say(line), [""; 0], "{line}");
        }
    }

    fn search(&self) -> Search<Shogi> {
        match self.jobs.try_recv() {
            Ok(Job::Shogi(search)) => *search,
            other => panic!("no search was started: {other:?}"),
        }
    }

    fn no_job(&self) {
        assert!(self.jobs.try_recv().is_err(), "a job was started");
    }

    fn prepared(&mut self) -> Vec<String> {
        assert!(matches!(self.jobs.try_recv(), Ok(Job::Prepare { .. })));
        self.event(Event::Search(Report::Prepared(Vec::new())))
    }

    fn done<G: Game>(&mut self, search: &Search<G>) -> Vec<String> {
        let outcome = SearchAnswer::BestMove(BestMove::Resign);
        self.event(Event::Search(Report::Done(search.generation, outcome)))
    }
}

fn explained(board: &Board) -> Explanation {
    board.explain(&LoadedEvaluation::read(&Choice::default()).unwrap())
}

fn limits_of(search: &Search<Shogi>) -> Limits {
    match &search.task {
        Task::BestMove { limits, .. } => limits.clone(),
        other => panic!("not a search for a move: {other:?}"),
    }
}

fn settings_of(search: &Search<Shogi>) -> &Settings {
    match &search.task {
        Task::BestMove { settings, .. } => settings,
        other => panic!("not a search for a move: {other:?}"),
    }
}

fn milliseconds(value: u64) -> Option<Duration> {
    Some(Duration::from_millis(value))
}

/// The limits that a `go` sends to the search.
fn go(line: &str) -> Limits {
    let mut bench = Bench::new();
    bench.quiet(&[line]);
    limits_of(&bench.search())
}

#[test]
fn a_game_of_one_move() {
    let mut bench = Bench::new();
    let identity = bench.say("usi").join("\n");
    assert!(identity.starts_with("id name Tsumero "));
    assert!(identity.ends_with("\nusiok"));
    bench.quiet(&["setoption name USI_Hash value 32", "isready"]);
    assert!(bench.engine.is_preparing());
    assert!(matches!(
        bench.jobs.try_recv(),
        Ok(Job::Prepare {
            preparation: Preparation { hash_mb: 32, clear: true, refresh: true, .. },
            ..
        })
    ));
    assert_eq!(bench.event(Event::Silence), [""]);
    assert_eq!(bench.event(Event::Search(Report::Prepared(Vec::new()))), ["readyok"]);
    assert_eq!(bench.event(Event::Silence), [""; 0]);
    bench.quiet(&["usinewgame", "position startpos moves 7g7f", "go btime 1000 wtime 2000 winc 3"]);
    let search = bench.search();
    assert_eq!(search.position.ply(), 2);
    assert_eq!(search.started, bench.now);
    let clock = limits_of(&search).clock.unwrap();
    assert_eq!(Some(clock.remaining.0[1]), milliseconds(2000));
    assert_eq!(Some(clock.increment.0[1]), milliseconds(3));
    let info = Info {
        depth: 3,
        seldepth: 5,
        time: Duration::from_millis(20),
        nodes: 1000,
        hashfull: 1,
        multipv: 1,
        score: Score::new(12),
        bound: Bound::Exact,
        pv: vec!["3c3d".to_owned()],
    };
    assert_eq!(
        bench.event(Event::Search(Report::Info(search.generation, info))),
        ["info depth 3 seldepth 5 multipv 1 score cp 12 nodes 1000 nps 50000 hashfull 1 time 20 \
          pv 3c3d"]
    );
    let outcome = SearchAnswer::BestMove(BestMove::Move { best: "3c3d".to_owned(), ponder: None });
    let done = Report::Done(search.generation, outcome);
    assert_eq!(bench.event(Event::Search(done)), ["bestmove 3c3d"]);
    bench.quiet(&["quit"]);
    assert!(bench.engine.is_finished());
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

#[test]
fn after_a_bad_position_nothing_is_answered_until_a_good_one_comes() {
    let lines = [
        "position startpos moves 7g7f 7g7f",
        "position startpos moves 7g7f あ",
        "position sfen",
        "position",
        "position sfen 9/9/9 b -",
        "position sfen あ b -",
        "position nonsense moves 7g7f",
        "position quantum nonsense",
    ];
    for line in lines {
        let mut bench = Bench::new();
        bench.quiet(&["position startpos moves 7g7f"]);
        let replies = bench.say(line);
        assert_eq!(replies.len(), 1, "{line}: {replies:?}");
        assert!(replies[0].starts_with("info string Error! "), "{replies:?}");
        assert!(replies[0].is_ascii());
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
    assert!(bench.done(&first).len() <= 1 + REPLIES_OF_A_TURN);
    let mut drawn = 32;
    while bench.engine.has_turn() {
        drawn += bench.event(Event::Turn).len();
    }
    assert_eq!(drawn, 100_000);
    assert!(bench.search().signals.is_stopped());
}

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
        let Ok(SideJob::Evaluate(board, _)) = bench.side_jobs.try_recv() else {
            panic!("no side job")
        };
        // The name of a file may contain anything.
        let description = "駒\r\u{1b}[2J.bin".to_owned();
        let explanation = Explanation { description, ..explained(&board) };
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

/// What a measurement may say.
fn measured() -> BenchResult {
    BenchResult { nodes: 3_000_000, time: Duration::from_secs(2) }
}

/// Testing frameworks send `bench` and `quit` at once and read what comes.
#[test]
fn everything_waits_for_a_measurement_even_quit() {
    let mut bench = Bench::new();
    bench.quiet(&["bench", "quit", "d"]);
    assert!(
        matches!(bench.side_jobs.try_recv(), Ok(SideJob::Bench(_))) && !bench.engine.is_finished()
    );
    let said = bench.event(Event::Search(Report::Bench(measured())));
    assert_eq!(said[0], "3000000 nodes 1500000 nps");
    assert!(bench.engine.is_finished());

    // At the end of the input it is answered, too.
    let mut bench = Bench::new();
    bench.quiet(&["bench", "go depth 1"]);
    bench.event(Event::InputClosed);
    assert!(!bench.engine.is_finished());
    bench.event(Event::Search(Report::Bench(measured())));
    assert_eq!(limits_of(&bench.search()).depth, Some(1));
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
    let mate = SearchAnswer::Checkmate(Some(MateAnswer::Mate(line)));
    assert_eq!(
        bench.event(Event::Search(Report::Done(search.generation, mate))),
        ["checkmate 3a2b"]
    );
    bench.quiet(&["go perft 4000000000"]);
    assert!(matches!(bench.search().task, Task::Perft(MAX_PERFT_DEPTH)));
}

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
            preparation.clear && !preparation.refresh && !bench.engine.is_preparing(),
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

/// While replies are not written, nothing is done that makes more of them.
#[test]
fn nothing_acts_while_replies_pile_up() {
    let mut bench = Bench::new();
    bench.engine.set_output_backlogged(true);
    bench.quiet(&["d", "usi", "position nonsense", "setoption name Nonsense value 1", "isready"]);
    bench.quiet(&["position startpos", "go depth 1", "go depth 1"]);
    assert!(bench.engine.has_turn());
    bench.engine.set_output_backlogged(false);
    assert_eq!(bench.event(Event::Turn).len(), 4);
    assert_eq!(bench.prepared(), ["readyok"]);
    // The answer comes in any case, but the next search waits.
    let search = bench.search();
    bench.engine.set_output_backlogged(true);
    assert_eq!(bench.done(&search), ["bestmove resign"]);
    bench.no_job();
    bench.engine.set_output_backlogged(false);
    assert!(bench.engine.has_turn());
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
    bench.engine.set_output_backlogged(false);
    let said = bench.event(info(100, 1));
    assert_eq!(said.len(), 2);
    assert!(said[0].contains("depth 100 ") && said[1].contains("depth 99 "), "{said:?}");
    // The last report comes before the answer.
    bench.engine.set_output_backlogged(true);
    bench.event(info(101, 1));
    let said = bench.done(&search);
    assert!(said[0].contains("depth 101 ") && said[1] == "bestmove resign", "{said:?}");
}

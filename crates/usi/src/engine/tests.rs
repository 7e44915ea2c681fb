//! Tests of the engine with lists of events: no thread, no clock, no standard input. Here stands the
//! bench on which all of them run; each file beside it has the tests of one subject.

mod answers;
mod backlog;
mod ending;
mod limits;
mod pondering;
mod positions;
mod preparing;
mod random_scripts;
mod side_jobs;
mod waiting;

use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use tsumero_control::{Bound, Limits, Score};
use tsumero_search::{BenchResult, EvaluationChoice, Settings};

use super::*;
use crate::evaluation::{Explanation, LoadedEvaluation};
use crate::game::{Game, Info, Task};
use crate::search_thread::SearchAnswer;
use crate::searchers::Preparation;

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

fn explained(position: &AnyPosition) -> Explanation {
    position.explain(&LoadedEvaluation::read(EvaluationChoice::default()).unwrap())
}

/// What a measurement may say.
fn measured() -> BenchResult {
    BenchResult { nodes: 3_000_000, time: Duration::from_secs(2) }
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

#[test]
fn a_game_of_one_move() {
    let mut bench = Bench::new();
    let identity = bench.say("usi").join("\n");
    assert!(identity.starts_with("id name Tsumero "));
    assert!(identity.ends_with("\nusiok"));
    bench.quiet(&["setoption name USI_Hash value 32", "isready"]);
    assert!(bench.engine.owes_readyok());
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

//! Whatever bytes a GUI sends: the parser and the engine's state machine neither panic nor lose
//! count. Searches are not run; they answer as soon as their kind allows it.

#![no_main]

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use libfuzzer_sys::fuzz_target;
use tsumero_mate::MateAnswer;
use tsumero_search::{BenchResult, EvaluationChoice};
use tsumero_usi::command::GuiCommand;
use tsumero_usi::connection::Incoming;
use tsumero_usi::dialogue_log::DialogueLog;
use tsumero_usi::engine::{Engine, Event};
use tsumero_usi::evaluation::LoadedEvaluation;
use tsumero_usi::game::{BestMove, Game, Task};
use tsumero_usi::reply::Reply;
use tsumero_usi::search_thread::{Job, Report, Search, SearchAnswer, SideJob, Workers};

/// What the search thread would say next about the first of its jobs, if anything yet.
fn report(job: &Job) -> Option<Report> {
    match job {
        Job::Prepare { .. } => Some(Report::Prepared(Vec::new())),
        Job::Shogi(search) => done(search),
        Job::Quantum(search) => done(search),
    }
}

/// The end of a search, if it ends.
fn done<G: Game>(search: &Search<G>) -> Option<Report> {
    let stopped = search.signals.is_stopped();
    let outcome = match &search.task {
        Task::Perft(_) => SearchAnswer::Perft(Some(1)),
        Task::Mate(limits) if stopped || limits.time.is_some() || limits.nodes.is_some() => {
            SearchAnswer::Checkmate(Some(MateAnswer::NoMate))
        }
        Task::BestMove { limits, .. } if stopped || !limits.waits_for_stop() && !limits.ponder => {
            SearchAnswer::BestMove(match G::legal_moves(&search.position).first() {
                Some(best) => BestMove::Move { best: best.to_string(), ponder: None },
                None => BestMove::Resign,
            })
        }
        Task::Mate(_) | Task::BestMove { .. } => return None,
    };
    Some(Report::Done(search.generation, outcome))
}

/// What the next side job reports, if one was asked for.
fn side_report(side_jobs: &Receiver<SideJob>) -> Option<Report> {
    // No file that the input names is read: the program's own evaluation answers.
    static INTERNAL: LazyLock<LoadedEvaluation> = LazyLock::new(|| {
        LoadedEvaluation::read(EvaluationChoice::default()).expect("it is in the program")
    });
    Some(match side_jobs.try_recv().ok()? {
        SideJob::Evaluate(position, _) => Report::Explanation(position.explain(&INTERNAL)),
        SideJob::Bench(_) => {
            Report::Bench(Ok(BenchResult { nodes: 1, time: Duration::from_secs(1) }))
        }
    })
}

struct Count {
    answers: usize,
    readies: usize,
}

impl Count {
    fn take(&mut self, replies: Vec<Reply>) {
        for reply in replies {
            let text = reply.to_string();
            assert!(text.is_ascii());
            match reply {
                Reply::BestMove(_) | Reply::Checkmate(_) | Reply::PerftTotal(_) => {
                    self.answers += 1;
                    assert!(!text.contains('\n'));
                }
                Reply::ReadyOk => self.readies += 1,
                // What answers a `go perft` without a position.
                Reply::Note(_) if text == "info string perft was stopped" => self.answers += 1,
                Reply::Error(_) | Reply::Note(_) => assert!(!text.contains('\n')),
                _ => {}
            }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let (job_sender, jobs) = unbounded();
    let (side_job_sender, side_jobs) = unbounded();
    let workers = Workers { jobs: job_sender, side_jobs: side_job_sender };
    let mut engine = Engine::new(workers, Arc::new(DialogueLog::new()));
    let mut queue: VecDeque<Job> = VecDeque::new();
    let mut count = Count { answers: 0, readies: 0 };
    let (mut goes, mut readies) = (0, 0);
    let now = Instant::now();
    let mut think = |engine: &mut Engine, count: &mut Count, push: bool| {
        queue.extend(jobs.try_iter());
        if let Some(said) = side_report(&side_jobs) {
            count.take(engine.handle(Event::Search(said), now));
            return true;
        }
        let said = match queue.front() {
            None => None,
            Some(job) => match (report(job), job) {
                (Some(said), _) => Some(said),
                // What has no end of its own, as after a ponder hit, is ended here if asked to.
                (None, Job::Shogi(search)) if push && !engine.wants_turn() => {
                    search.signals.stop();
                    return true;
                }
                (None, Job::Quantum(search)) if push && !engine.wants_turn() => {
                    search.signals.stop();
                    return true;
                }
                (None, _) => None,
            },
        };
        let event = match said {
            Some(said) => {
                queue.pop_front();
                Event::Search(said)
            }
            None if engine.wants_turn() => Event::Turn,
            None => return false,
        };
        count.take(engine.handle(event, now));
        true
    };
    for line in data.split(|&byte| byte == b'\n') {
        let command = GuiCommand::parse(line);
        if !matches!(command, GuiCommand::Unknown(_)) {
            // The canonical text says the same. Values may hold bytes that text cannot.
            let printed = command.to_string();
            assert_eq!(GuiCommand::parse(printed.as_bytes()).to_string(), printed);
        }
        match &command {
            GuiCommand::Go(_) => goes += 1,
            GuiCommand::IsReady => readies += 1,
            // The log of the dialogue would write real files.
            GuiCommand::SetOption { name, .. } if name.eq_ignore_ascii_case("DebugLogFile") => {
                continue;
            }
            _ => {}
        }
        let quits = command == GuiCommand::Quit;
        count.take(engine.handle(Event::Gui(Incoming::command(command, now)), now));
        if quits {
            break;
        }
        // The line's length decides how far the search gets meanwhile.
        for _ in 0..line.len() % 3 {
            think(&mut engine, &mut count, false);
        }
    }
    // After `quit` every search ends by itself.
    let ends_by_itself = engine.has_quit();
    count.take(engine.handle(Event::InputClosed, now));
    while !engine.is_finished() {
        let goes_on = think(&mut engine, &mut count, !ends_by_itself);
        assert!(goes_on, "nothing goes on and nothing is finished");
    }
    assert_eq!((count.answers, count.readies), (goes, readies));
});

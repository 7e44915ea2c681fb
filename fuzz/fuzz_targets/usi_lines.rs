//! Whatever bytes a GUI sends: the parser and the engine's state machine neither panic nor lose
//! count. Searches are not run; they answer as soon as their kind allows it.

#![no_main]

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::unbounded;
use libfuzzer_sys::fuzz_target;
use tsumero_mate::MateAnswer;
use tsumero_quantum as quantum;
use tsumero_search::BestMove;
use tsumero_usi::command::GuiCommand;
use tsumero_usi::dialogue_log::DialogueLog;
use tsumero_usi::engine::{Engine, Event};
use tsumero_usi::quantum::{QuantumOutcome, QuantumSearch, QuantumTask};
use tsumero_usi::reply::Reply;
use tsumero_usi::search_thread::{Job, Outcome, Report, Task};

/// What the search thread would say next about the first of its jobs, if anything yet.
fn report(job: &Job) -> Option<Report> {
    let search = match job {
        Job::Prepare(_) => return Some(Report::Prepared(Ok(()))),
        Job::Quantum(search) => return quantum_report(search),
        Job::Search(search) => search,
    };
    let stopped = search.signals.is_stopped();
    let outcome = match &search.task {
        Task::Perft(_) => Outcome::Perft(Some(1)),
        Task::Mate(limits) if stopped || limits.time.is_some() || limits.nodes.is_some() => {
            Outcome::Checkmate(MateAnswer::NoMate)
        }
        Task::BestMove { limits, .. } if stopped || !limits.waits_for_stop() && !limits.ponder => {
            match search.position.legal_moves().first() {
                Some(&best) => Outcome::BestMove(BestMove::Move { best, ponder: None }),
                None => Outcome::BestMove(BestMove::Resign),
            }
        }
        Task::Mate(_) | Task::BestMove { .. } => return None,
    };
    Some(Report::Done(search.generation, outcome))
}

/// The same of a search of quantum shogi.
fn quantum_report(search: &QuantumSearch) -> Option<Report> {
    let stopped = search.signals.is_stopped();
    let outcome = match &search.task {
        QuantumTask::Perft(_) => QuantumOutcome::Perft(Some(1)),
        QuantumTask::BestMove { limits, .. }
            if stopped || !limits.waits_for_stop() && !limits.ponder =>
        {
            let best = search.position.legal_moves().first().copied();
            QuantumOutcome::BestMove(match best {
                Some(best) => quantum::BestMove::Move { best, ponder: None },
                None => quantum::BestMove::Resign,
            })
        }
        QuantumTask::BestMove { .. } => return None,
    };
    Some(Report::Done(search.generation, Outcome::Quantum(outcome)))
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
                Reply::BestMove(_)
                | Reply::QuantumBestMove(_)
                | Reply::Checkmate(_)
                | Reply::NoMateSearch
                | Reply::PerftTotal(_) => {
                    self.answers += 1;
                    assert!(!text.contains('\n'));
                }
                Reply::ReadyOk => self.readies += 1,
                Reply::Error(_) | Reply::Note(_) => assert!(!text.contains('\n')),
                _ => {}
            }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let (sender, jobs) = unbounded();
    let mut engine = Engine::new(sender, Arc::new(DialogueLog::new()));
    let mut queue: VecDeque<Job> = VecDeque::new();
    let mut count = Count { answers: 0, readies: 0 };
    let (mut goes, mut readies) = (0, 0);
    let now = Instant::now();
    let mut think = |engine: &mut Engine, count: &mut Count, push: bool| {
        queue.extend(jobs.try_iter());
        let Some(job) = queue.front() else { return false };
        let said = match (report(job), job) {
            (Some(said), _) => said,
            // What has no end of its own, as after a ponder hit, is ended here if asked to.
            (None, Job::Search(search)) if push => {
                search.signals.stop();
                return true;
            }
            (None, Job::Quantum(search)) if push => {
                search.signals.stop();
                return true;
            }
            (None, _) => return false,
        };
        queue.pop_front();
        count.take(engine.handle(Event::Search(said), now));
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
            GuiCommand::Quit => continue,
            _ => {}
        }
        count.take(engine.handle(Event::Gui(command), now));
        // The line's length decides how far the search gets meanwhile.
        for _ in 0..line.len() % 3 {
            think(&mut engine, &mut count, false);
        }
    }
    count.take(engine.handle(Event::InputClosed, now));
    while !engine.is_finished() {
        assert!(think(&mut engine, &mut count, true), "nothing goes on and nothing is finished");
    }
    assert_eq!((count.answers, count.readies), (goes, readies));
});

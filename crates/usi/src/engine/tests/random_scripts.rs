//! Random lines from the GUI: every `go` is answered once and in order, whatever lines come in
//! between.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

/// The lines of the random GUI.
const LINES: [&str; 24] = [
    "setoption name Stochastic_Ponder value true",
    "position startpos moves 7g7e",
    "eval",
    "bench",
    "d",
    "go ponder btime 5 wtime 5",
    "position quantum startpos moves 7g7f",
    "setoption name USI_Variant value quantum",
    "go depth 3",
    "go infinite",
    "go",
    "go ponder btime 5 wtime 5",
    "go ponder",
    "go mate infinite",
    "go mate 5",
    "go perft 2",
    "stop",
    "ponderhit",
    "gameover",
    "isready",
    "usinewgame",
    "position startpos moves 7g7f",
    "setoption name USI_Hash value 1",
    "usi",
];

/// The answers: to a `go` for a move, a mate and a perft.
const ANSWERS: [&[&str]; 3] =
    [&["bestmove"], &["checkmate"], &["Nodes searched", "info string perft was stopped"]];

/// The number of the answer that a `go` asks for.
fn asked(line: &str) -> Option<usize> {
    let mut words = line.split_ascii_whitespace();
    (words.next() == Some("go")).then(|| match words.next() {
        Some("mate") => 1,
        Some("perft") => 2,
        _ => 0,
    })
}

/// The number of the answer that a line is.
fn answered(line: &str) -> Option<usize> {
    ANSWERS.iter().position(|answers| answers.iter().any(|answer| line.starts_with(answer)))
}

proptest! {
    /// Sends lines in random order, with searches that answer early or late. The answers must be those
    /// to the `go`s in their order, and there must be as many `readyok`s as `isready`s. After the end of
    /// the input or a `quit`, everything must end.
    #[test]
    fn answers_and_questions_balance(
        script in proptest::collection::vec((0..LINES.len(), 0u8..4), 1..60),
        quits: bool,
    ) {
        let mut bench = Bench::new();
        let mut running: VecDeque<Job> = VecDeque::new();
        let mut heard: Vec<String> = Vec::new();
        // The search thread: ends a job that has been stopped or that may end by itself.
        fn think(bench: &mut Bench, running: &mut VecDeque<Job>, heard: &mut Vec<String>) -> bool {
            running.extend(bench.jobs.try_iter());
            if let Ok(side_job) = bench.side_jobs.try_recv() {
                let report = match side_job {
                    SideJob::Evaluate(position, _) => Report::Explanation(explained(&position)),
                    SideJob::Bench(_) => Report::Bench(Ok(measured())),
                };
                heard.extend(bench.event(Event::Search(report)));
                return true;
            }
            fn report<G: Game>(search: &Search<G>) -> Option<Report> {
                let stopped = search.signals.is_stopped();
                let outcome = match &search.task {
                    Task::Perft(_) => SearchAnswer::Perft(Some(1)),
                    Task::Mate(limits) if limits.time.is_some() || stopped => {
                        SearchAnswer::Checkmate(Some(MateAnswer::NoMate))
                    }
                    Task::BestMove { limits, .. }
                        if stopped || !limits.waits_for_stop() && !limits.ponder =>
                    {
                        SearchAnswer::BestMove(BestMove::Resign)
                    }
                    Task::Mate(_) | Task::BestMove { .. } => return None,
                };
                Some(Report::Done(search.generation, outcome))
            }
            let report = match running.front() {
                None => None,
                Some(Job::Prepare { .. }) => Some(Report::Prepared(Vec::new())),
                Some(Job::Shogi(search)) => report(search),
                Some(Job::Quantum(search)) => report(search),
            };
            let Some(report) = report else {
                if !bench.engine.wants_turn() {
                    return false;
                }
                heard.extend(bench.event(Event::Turn));
                return true;
            };
            running.pop_front();
            heard.extend(bench.event(Event::Search(report)));
            true
        }
        let (mut goes, mut readies) = (Vec::new(), 0);
        for (line, thinking) in script {
            goes.extend(asked(LINES[line]));
            readies += usize::from(LINES[line] == "isready");
            heard.extend(bench.say(LINES[line]));
            for _ in 0..thinking {
                think(&mut bench, &mut running, &mut heard);
            }
        }
        let end = if quits { bench.say("quit") } else { bench.event(Event::InputClosed) };
        heard.extend(end);
        for _ in 0..400 {
            if !think(&mut bench, &mut running, &mut heard) {
                if bench.engine.is_finished() {
                    break;
                }
                prop_assert!(!quits, "a search goes on behind a quit");
                // After a ponder hit, a search ends by itself in time. Here, a stop takes the place of
                // that.
                let is_limited = matches!(
                    &bench.engine.activity,
                    Activity::Searching(running) if running.kind == SearchKind::Limited
                );
                prop_assert!(is_limited, "nobody ends {:?}", bench.engine.activity);
                match running.front() {
                    Some(Job::Shogi(search)) => search.signals.stop(),
                    Some(Job::Quantum(search)) => search.signals.stop(),
                    Some(Job::Prepare { .. }) | None => {}
                }
            }
        }
        prop_assert!(bench.engine.is_finished());
        let answers: Vec<usize> = heard.iter().filter_map(|line| answered(line)).collect();
        prop_assert_eq!(answers, goes);
        prop_assert_eq!(heard.iter().filter(|line| *line == "readyok").count(), readies);
    }
}

//! The worker threads: they receive jobs and send reports.
//!
//! One thread owns the searchers and runs one search after another. A running search is controlled
//! only through the [`Signals`] of its job. Another thread runs side jobs: short work that must not
//! wait for a search, and must not block the event loop.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use tsumero_control::{Instant, Signals};
use tsumero_mate::{MateAnswer, MateInfo, MateQuestion};
use tsumero_search::{BenchOptions, BenchResult, STACK_SIZE, SearcherError};

use crate::evaluation::{Choice, Explanation, SharedEvaluation};
use crate::game::{AnyPosition, BestMove, Game, Info, Quantum, Question, Shogi, Task};
use crate::notice::Notice;
use crate::searchers::{Preparation, Searchers};

/// The number of a search, by which reports of older searches are recognized.
pub type Generation = u64;

/// The channels to the worker threads.
#[derive(Clone, Debug)]
pub struct Workers {
    /// To the search thread.
    pub jobs: Sender<Job>,
    /// To the side job thread.
    pub side_jobs: Sender<SideJob>,
}

/// Work for the search thread.
#[derive(Debug)]
pub enum Job {
    /// Prepare the memory before a game; answered by [`Report::Prepared`].
    Prepare {
        /// What must be ready.
        preparation: Preparation,
        /// A stop makes the answer come early, which only costs speed.
        signals: Arc<Signals>,
    },
    /// Run one search; answered by reports of the same generation.
    Shogi(Box<Search<Shogi>>),
    /// The same in quantum shogi.
    Quantum(Box<Search<Quantum>>),
}

/// Work for the side job thread.
#[derive(Debug)]
pub enum SideJob {
    /// Evaluate a position with the chosen evaluation; answered by [`Report::Explanation`].
    Evaluate(Box<AnyPosition>, Choice),
    /// Measure the search with what was chosen to evaluate; answered by [`Report::Bench`].
    Bench(Choice),
}

/// One search of any kind.
#[derive(Debug)]
pub struct Search<G: Game> {
    /// The number of the search.
    pub generation: Generation,
    /// The position, with the game so far.
    pub position: G::Position,
    /// The task.
    pub task: Task<G>,
    /// What must be ready before it.
    pub preparation: Preparation,
    /// The signals that stop it.
    pub signals: Arc<Signals>,
    /// When it was asked for.
    pub started: Instant,
}

/// A report of the worker threads.
#[derive(Clone, Debug)]
pub enum Report {
    /// The preparation has ended, with notices about what was not possible.
    Prepared(Vec<Notice>),
    /// Something was prepared at the start of a search.
    Notice(Notice),
    /// Progress of a search.
    Info(Generation, Info),
    /// Progress of a mate search.
    MateInfo(Generation, MateInfo),
    /// One line of perft: a first move, and the number of lines that begin with it.
    PerftMove(Generation, String, u64),
    /// A search has ended. It sends no more reports.
    Done(Generation, SearchAnswer),
    /// The answer to [`SideJob::Evaluate`].
    Explanation(Explanation),
    /// The answer to [`SideJob::Bench`].
    Bench(Result<BenchResult, SearcherError>),
}

/// The answer of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchAnswer {
    /// To [`Task::BestMove`].
    BestMove(BestMove),
    /// To [`Task::Mate`]; `None` if the game has no mate search.
    Checkmate(Option<MateAnswer>),
    /// To [`Task::Perft`]; `None` if it was stopped.
    Perft(Option<u64>),
}

/// The stack size of a search thread, in bytes: that of the search, and as much again for what calls
/// it. Only the used part takes memory.
pub const STACK: usize = 2 * STACK_SIZE;

/// How long a preparation may take to make the system provide memory. The rest is done during the
/// first search.
const LONGEST_WARM_UP: Duration = Duration::from_secs(2);

/// The workers' ends of the channels.
struct WorkerEnds {
    jobs: Receiver<Job>,
    side_jobs: Receiver<SideJob>,
    reports: Sender<Report>,
}

/// The channels to workers: the engine's ends for jobs, the workers' ends, and the reports.
fn channels() -> (Workers, WorkerEnds, Receiver<Report>) {
    let (jobs, job_receiver) = unbounded();
    let (side_jobs, side_job_receiver) = unbounded();
    let (reports, report_receiver) = unbounded();
    let ends = WorkerEnds { jobs: job_receiver, side_jobs: side_job_receiver, reports };
    (Workers { jobs, side_jobs }, ends, report_receiver)
}

/// Starts the threads. They end when the senders are dropped.
///
/// # Errors
/// The system has no room for them.
pub fn spawn() -> io::Result<(Workers, Receiver<Report>)> {
    let (workers, WorkerEnds { jobs, side_jobs, reports }, report_receiver) = channels();
    let evaluation = SharedEvaluation::default();
    let (search_evaluation, search_reports) = (evaluation.clone(), reports.clone());
    start("search", move || run_jobs(&jobs, &search_reports, search_evaluation))?;
    start("side-jobs", move || run_side_jobs(&side_jobs, &reports, &evaluation))?;
    Ok((workers, report_receiver))
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work).map(drop)
}

fn run_jobs(jobs: &Receiver<Job>, reports: &Sender<Report>, evaluation: SharedEvaluation) {
    let mut searchers = Searchers::new(evaluation);
    for job in jobs {
        // The receiver is gone only when the program ends.
        if reports.send(job.run(&mut searchers, reports)).is_err() {
            return;
        }
    }
}

fn run_side_jobs(
    side_jobs: &Receiver<SideJob>,
    reports: &Sender<Report>,
    evaluation: &SharedEvaluation,
) {
    for side_job in side_jobs {
        // As above: the end of the program.
        if reports.send(side_job.run(evaluation, reports)).is_err() {
            return;
        }
    }
}

/// The workers of an engine that has no threads, as in a browser. They work when they are told to.
///
/// Reports come while [`OnDemand::work`] runs. Whoever calls it has to take them from there, and has
/// to find a moment to hear a `stop`.
pub struct OnDemand {
    searchers: Searchers,
    evaluation: SharedEvaluation,
    ends: WorkerEnds,
}

/// Workers that work on demand. Their table takes memory at the first job.
pub fn on_demand() -> (Workers, OnDemand, Receiver<Report>) {
    let (workers, ends, report_receiver) = channels();
    let evaluation = SharedEvaluation::default();
    let searchers = Searchers::new(evaluation.clone());
    (workers, OnDemand { searchers, evaluation, ends }, report_receiver)
}

impl OnDemand {
    /// Does the next piece of work, if there is one. Returns whether there was.
    pub fn work(&mut self) -> bool {
        let WorkerEnds { jobs, side_jobs, reports } = &self.ends;
        let last = if let Ok(side_job) = side_jobs.try_recv() {
            side_job.run(&self.evaluation, reports)
        } else if let Ok(job) = jobs.try_recv() {
            job.run(&mut self.searchers, reports)
        } else {
            return false;
        };
        // If nobody wants to know, the work is done all the same.
        let _ = reports.send(last);
        true
    }
}

impl std::fmt::Debug for OnDemand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OnDemand").finish_non_exhaustive()
    }
}

impl Job {
    /// Does the work. Returns the last report.
    fn run(self, searchers: &mut Searchers, reports: &Sender<Report>) -> Report {
        match self {
            Job::Prepare { preparation, signals } => {
                let (started, notices) = (Instant::now(), searchers.prepare(&preparation));
                let mut goes_on = || !signals.is_stopped() && started.elapsed() < LONGEST_WARM_UP;
                searchers.warm_up(preparation.quantum, &mut goes_on);
                Report::Prepared(notices)
            }
            Job::Shogi(search) => search.run(searchers, reports),
            Job::Quantum(search) => search.run(searchers, reports),
        }
    }
}

impl SideJob {
    /// Does the work. Returns the last report. The search does not try again a file that is refused
    /// here, so this is the place to say so.
    fn run(self, shared: &SharedEvaluation, reports: &Sender<Report>) -> Report {
        let evaluation = |choice: &Choice| {
            let (evaluation, change) = shared.get(choice, false);
            if let Some(notice) = change.refusal(&evaluation) {
                // As above: the end of the program.
                let _ = reports.send(Report::Notice(notice));
            }
            evaluation
        };
        match self {
            SideJob::Evaluate(position, choice) => {
                Report::Explanation(position.explain(&evaluation(&choice)))
            }
            SideJob::Bench(choice) => {
                let evaluation_function = evaluation(&choice).evaluation_function.clone();
                let options = BenchOptions { evaluation_function, ..BenchOptions::default() };
                Report::Bench(tsumero_search::bench(options, &mut |_| {}))
            }
        }
    }
}

impl<G: Game> Search<G> {
    /// Runs the search and sends its reports. Returns the last report.
    fn run(self, searchers: &mut Searchers, reports: &Sender<Report>) -> Report {
        let Search { generation, mut position, task, preparation, signals, started } = self;
        let tell = |report| {
            // As above: the end of the program.
            let _ = reports.send(report);
        };
        for notice in searchers.prepare(&preparation) {
            tell(Report::Notice(notice));
        }
        searchers.mark_used();
        let outcome = match task {
            Task::BestMove { limits, search_moves, settings } => {
                let question = Question::<G> {
                    position: &position,
                    limits: &limits,
                    search_moves: &search_moves,
                    settings: &settings,
                    signals: &signals,
                    started,
                };
                let booked = G::from_book(searchers, &question);
                booked.notices.into_iter().for_each(|notice| tell(Report::Notice(notice)));
                let mut inform = |info| tell(Report::Info(generation, info));
                let best = match booked.answer {
                    Some((info, best)) => {
                        inform(info);
                        if limits.ponder {
                            signals.wait_for_stop_or_ponder_hit();
                        }
                        best
                    }
                    None => G::best_move(searchers, &question, &mut inform),
                };
                if let Some(notice) = searchers.notice_after_search() {
                    tell(Report::Notice(notice));
                }
                SearchAnswer::BestMove(best)
            }
            Task::Mate(limits) => {
                let mut tell = |info| tell(Report::MateInfo(generation, info));
                let (position, limits, signals) = (&position, &limits, &*signals);
                let question = MateQuestion { position, limits, signals, started };
                SearchAnswer::Checkmate(G::find_mate(searchers, &question, &mut tell))
            }
            Task::Perft(depth) => {
                let mut tell = |mv: G::Move, count| {
                    tell(Report::PerftMove(generation, mv.to_string(), count));
                };
                SearchAnswer::Perft(perft::<G>(&mut position, depth, &signals, &mut tell))
            }
        };
        Report::Done(generation, outcome)
    }
}

/// Counts legal lines, and reports the count below each first move; `None` if it is stopped.
fn perft<G: Game>(
    position: &mut G::Position,
    depth: u32,
    signals: &Signals,
    tell: &mut dyn FnMut(G::Move, u64),
) -> Option<u64> {
    let Some(depth_below) = depth.checked_sub(1) else { return Some(1) };
    if signals.is_stopped() {
        return None;
    }
    let mut total = 0;
    for mv in G::legal_moves(position) {
        let count = G::perft_after(position, mv, depth_below, &mut || !signals.is_stopped())?;
        tell(mv, count);
        total += count;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Variant;

    #[test]
    fn a_side_job_says_once_that_its_evaluation_was_refused() {
        let (workers, mut on_demand, reports) = on_demand();
        let choice = Choice { file: "no such file.bin".into(), ..Choice::default() };
        for refusals in [1, 0] {
            let position = Box::new(AnyPosition::startpos(Variant::Shogi));
            workers.side_jobs.send(SideJob::Evaluate(position, choice.clone())).unwrap();
            assert!(on_demand.work());
            let said: Vec<Report> = reports.try_iter().collect();
            let (last, before) = said.split_last().unwrap();
            assert!(matches!(last, Report::Explanation(_)), "{said:?}");
            assert_eq!(before.len(), refusals, "{said:?}");
            for report in before {
                let Report::Notice(Notice::Error(text)) = report else { panic!("{report:?}") };
                assert!(text.starts_with("EvalFile no such file.bin: "), "{text}");
            }
        }
    }

    #[test]
    fn a_preparation_warms_up_the_table_of_its_game_alone() {
        for quantum in [false, true] {
            let mut searchers = Searchers::new(SharedEvaluation::default());
            let preparation = Preparation {
                hash_mb: 8,
                clear: true,
                quantum,
                refresh: false,
                evaluation: Choice::default(),
                book: crate::book::Choice::default(),
            };
            let job = Job::Prepare { preparation, signals: Arc::new(Signals::new()) };
            let report = job.run(&mut searchers, &unbounded().0);
            assert!(matches!(report, Report::Prepared(notices) if notices.is_empty()));
            let mut is_cold = |quantum| {
                let mut is_cold = false;
                searchers.warm_up(quantum, &mut || {
                    is_cold = true;
                    true
                });
                is_cold
            };
            assert_eq!([is_cold(false), is_cold(true)], [quantum, false]);
            assert_eq!(searchers.quantum.is_some(), quantum);
        }
    }
}

//! The threads that think: jobs in, reports out.
//!
//! One owns the tables and does one search after the other. What the GUI wants of a search that runs
//! reaches it only through the job's [`Signals`]. Another one runs errands: short work that must wait
//! for no search, and that must not keep the event loop from hearing a `stop`.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use tsumero_control::Signals;
use tsumero_mate::{MATE_STACK_SIZE, MateAnswer, MateInfo};
use tsumero_search::STACK_SIZE;

use crate::evaluation::{Choice, Judgement, SharedEvaluator};
use crate::game::{BestMove, Board, Game, Info, Quantum, Question, Shogi, Task};
use crate::tables::{Notice, Preparation, Tables};

/// Counts the searches, so that a report of an old one is known as such.
pub type Generation = u64;

/// Where work goes.
#[derive(Clone, Debug)]
pub struct Workers {
    /// To the thread that searches.
    pub jobs: Sender<Job>,
    /// To the thread that runs errands.
    pub errands: Sender<Errand>,
}

/// Work for the search thread.
#[derive(Debug)]
pub enum Job {
    /// Get the memory ready before a game; answered by [`Report::Prepared`]. It is answered early
    /// after a stop, because only speed is lost.
    Prepare(Preparation, Arc<Signals>),
    /// Do one search; answered by reports of the same generation.
    Shogi(Box<Search<Shogi>>),
    /// The same in quantum shogi.
    Quantum(Box<Search<Quantum>>),
}

/// Work for the other thread.
#[derive(Debug)]
pub enum Errand {
    /// Evaluate a position with what was chosen; answered by [`Report::Judgement`].
    Evaluate(Box<Board>, Choice),
}

/// One search of any kind.
#[derive(Debug)]
pub struct Search<G: Game> {
    /// Its number.
    pub generation: Generation,
    /// Where it starts, with the game so far.
    pub position: G::Position,
    /// What is looked for.
    pub task: Task<G>,
    /// What should be ready for it.
    pub wanted: Preparation,
    /// How it is told to stop.
    pub signals: Arc<Signals>,
    /// When it was asked for.
    pub started: Instant,
}

/// What the threads say.
#[derive(Clone, Debug)]
pub enum Report {
    /// All is ready, or as much of it as could be had.
    Prepared(Vec<Notice>),
    /// What a search wanted was not all ready; this was done for it.
    Notice(Notice),
    /// Progress of a search.
    Info(Generation, Info),
    /// Progress of a mate search.
    MateInfo(Generation, MateInfo),
    /// One line of perft: the first move and the number of lines that begin with it.
    PerftMove(Generation, String, u64),
    /// A search has ended; nothing more of it follows.
    Done(Generation, Outcome),
    /// The answer to [`Errand::Evaluate`].
    Judgement(Judgement),
}

/// The answer of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// To [`Task::BestMove`].
    BestMove(BestMove),
    /// To [`Task::Mate`]; `None` if no mate can be looked for in this game.
    Checkmate(Option<MateAnswer>),
    /// To [`Task::Perft`]; `None` if it was stopped.
    Perft(Option<u64>),
}

/// Stack of a thread that searches, in bytes; mate searches go very deep. Only what is used counts.
pub(crate) const STACK: usize = 64 << 20;
const _: () = assert!(STACK >= STACK_SIZE && STACK >= MATE_STACK_SIZE);

/// How long `isready` may take to have the system provide memory, which else is done by the first
/// search on its own time.
const LONGEST_WARM_UP: Duration = Duration::from_secs(2);

/// Starts the threads. They end when the senders are dropped.
pub fn spawn() -> (Workers, Receiver<Report>) {
    let (jobs, job_receiver) = unbounded();
    let (errands, errand_receiver) = unbounded();
    let (reports, report_receiver) = unbounded();
    let evaluators = SharedEvaluator::default();
    let (to_search, searcher) = (evaluators.clone(), reports.clone());
    start("search", move || run(&job_receiver, &searcher, to_search));
    start("errands", move || run_errands(&errand_receiver, &reports, &evaluators));
    (Workers { jobs, errands }, report_receiver)
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) {
    thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK)
        .spawn(work)
        .expect("the system must have room for a thread at the start");
}

fn run(jobs: &Receiver<Job>, reports: &Sender<Report>, evaluators: SharedEvaluator) {
    let mut tables = Tables::new(evaluators);
    for job in jobs {
        let last = match job {
            Job::Prepare(wanted, signals) => {
                let (started, notices) = (Instant::now(), tables.prepare(&wanted, true));
                let mut goes_on = || !signals.is_stopped() && started.elapsed() < LONGEST_WARM_UP;
                tables.shogi.warm_up(&mut goes_on);
                Report::Prepared(notices)
            }
            Job::Shogi(search) => search.run(&mut tables, reports),
            Job::Quantum(search) => search.run(&mut tables, reports),
        };
        // Nobody listens any more only when the program ends.
        if reports.send(last).is_err() {
            return;
        }
    }
}

fn run_errands(errands: &Receiver<Errand>, reports: &Sender<Report>, evaluators: &SharedEvaluator) {
    for Errand::Evaluate(board, choice) in errands {
        // The search says what is wrong with a file.
        let (evaluator, _) = evaluators.get(&choice, false);
        // As above: the end of the program.
        if reports.send(Report::Judgement(board.judge(&evaluator))).is_err() {
            return;
        }
    }
}

impl<G: Game> Search<G> {
    /// Does the search and tells of it; the last report is handed back.
    fn run(self, tables: &mut Tables, reports: &Sender<Report>) -> Report {
        let Search { generation, mut position, task, wanted, signals, started } = self;
        let tell = |report| {
            // As above: the end of the program.
            let _ = reports.send(report);
        };
        for notice in tables.prepare(&wanted, false) {
            tell(Report::Notice(notice));
        }
        tables.use_them();
        let outcome = match task {
            Task::BestMove { limits, search_moves, settings } => {
                let question = Question {
                    position: &position,
                    limits: &limits,
                    search_moves: &search_moves,
                    settings: &settings,
                    signals: &signals,
                    started,
                };
                let booked = G::from_book(tables, &question);
                booked.notices.into_iter().for_each(|notice| tell(Report::Notice(notice)));
                let mut tell = |info| tell(Report::Info(generation, info));
                Outcome::BestMove(match booked.answer {
                    Some((info, best)) => {
                        tell(info);
                        if limits.ponder {
                            signals.wait(true);
                        }
                        best
                    }
                    None => G::best_move(tables, &question, &mut tell),
                })
            }
            Task::Mate(limits) => {
                let mut tell = |info| tell(Report::MateInfo(generation, info));
                let answer = G::find_mate(tables, &position, &limits, &signals, started, &mut tell);
                Outcome::Checkmate(answer)
            }
            Task::Perft(0) => Outcome::Perft(Some(1)),
            Task::Perft(depth) => {
                let mut tell = |mv: G::Move, count| {
                    tell(Report::PerftMove(generation, mv.to_string(), count));
                };
                Outcome::Perft(perft::<G>(&mut position, depth, &signals, &mut tell))
            }
        };
        Report::Done(generation, outcome)
    }
}

/// Counts legal lines and tells the count below each first move; `None` once it is stopped.
fn perft<G: Game>(
    position: &mut G::Position,
    depth: u32,
    signals: &Signals,
    each: &mut dyn FnMut(G::Move, u64),
) -> Option<u64> {
    if signals.is_stopped() {
        return None;
    }
    let mut total = 0;
    for mv in G::legal_moves(position) {
        let left = depth - 1;
        let count = G::with_move(position, mv, |position| {
            if signals.is_stopped() {
                None
            } else if left <= G::PERFT_WITHOUT_LOOKING {
                Some(G::perft(position, left))
            } else {
                perft::<G>(position, left, signals, &mut |_, _| {})
            }
        });
        each(mv, count?);
        total += count?;
    }
    Some(total)
}

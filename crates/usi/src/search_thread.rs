//! The thread that thinks: jobs in, reports out.
//!
//! It owns the searcher and does one job after the other. What the GUI wants of a job that runs
//! reaches it only through the job's [`Signals`].

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};
use tsumero_control::{Limits, Signals};
use tsumero_core::{Move, MoveList, Position, perft};
use tsumero_mate::{MATE_STACK_SIZE, MateAnswer, MateInfo, MateLimits, MateSolver};
use tsumero_search::{BestMove, Info, STACK_SIZE, Searcher, SearcherError, Settings};

use crate::quantum::{QuantumOutcome, QuantumReport, QuantumSearch, QuantumTable};

/// Counts the searches, so that a report of an old one is known as such.
pub type Generation = u64;

/// Work for the search thread.
#[derive(Debug)]
pub enum Job {
    /// Get the memory ready before a game; answered by [`Report::Prepared`].
    Prepare(Memory),
    /// Do one search; answered by reports of the same generation.
    Search(Box<Search>),
    /// Do one search of quantum shogi; answered by reports of the same generation.
    Quantum(Box<QuantumSearch>),
}

/// What the transposition table should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Its size in megabytes, at least 1.
    pub hash_mb: usize,
    /// Whether it is to be emptied first.
    pub clear: bool,
}

/// One search of any kind.
#[derive(Debug)]
pub struct Search {
    /// Its number.
    pub generation: Generation,
    /// Where it starts, with the game so far.
    pub position: Position,
    /// What is looked for.
    pub task: Task,
    /// The table it should use.
    pub memory: Memory,
    /// How it is told to stop.
    pub signals: Arc<Signals>,
    /// When it was asked for.
    pub started: Instant,
}

/// What a search looks for.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "only one task exists at a time, in a box")]
pub enum Task {
    /// The best move.
    BestMove {
        /// When to end.
        limits: Limits,
        /// The root moves to choose from; empty for all.
        search_moves: Vec<Move>,
        /// How to search.
        settings: Settings,
    },
    /// A forced mate.
    Mate(MateLimits),
    /// The number of legal lines of so many plies.
    Perft(u32),
}

/// What the search thread says.
#[derive(Clone, Debug)]
pub enum Report {
    /// The memory is ready, or as much of it as there is.
    Prepared(Result<(), SearcherError>),
    /// The table could not be made as large as this search wanted; it goes on with the old one.
    OutOfMemory(Generation, SearcherError),
    /// Progress of a search.
    Info(Generation, Info),
    /// Progress of a mate search.
    MateInfo(Generation, MateInfo),
    /// One line of perft.
    PerftMove(Generation, Move, u64),
    /// Something about a search of quantum shogi.
    Quantum(Generation, QuantumReport),
    /// A search has ended; nothing more of it follows.
    Done(Generation, Outcome),
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// To [`Task::BestMove`].
    BestMove(BestMove),
    /// To [`Task::Mate`].
    Checkmate(MateAnswer),
    /// To [`Task::Perft`]; `None` if it was stopped.
    Perft(Option<u64>),
    /// To a search of quantum shogi.
    Quantum(QuantumOutcome),
}

/// The depth at which perft no longer looks for a stop: below it the count takes milliseconds.
const PERFT_WITHOUT_LOOKING: u32 = 3;
/// Stack of a thread that searches, in bytes; mate searches go very deep. Only what is used counts.
pub(crate) const STACK: usize = 64 << 20;
const _: () = assert!(STACK >= STACK_SIZE && STACK >= MATE_STACK_SIZE);
/// The table made for a new searcher in megabytes; the first job asks for the size it wants.
const SMALLEST_HASH: usize = 1;

/// Starts the thread. It ends when the sender of jobs is dropped.
pub fn spawn() -> (Sender<Job>, Receiver<Report>) {
    let (job_sender, jobs) = unbounded();
    let (reports, report_receiver) = unbounded();
    thread::Builder::new()
        .name("search".to_owned())
        .stack_size(STACK)
        .spawn(move || run(&jobs, &reports))
        .expect("the system must have room for a thread at the start");
    (job_sender, report_receiver)
}

fn run(jobs: &Receiver<Job>, reports: &Sender<Report>) {
    let mut table = Table::new();
    let mut quantum = QuantumTable::default();
    for job in jobs {
        let last = match job {
            Job::Prepare(memory) => {
                if memory.clear {
                    quantum.clear();
                }
                Report::Prepared(table.prepare(memory))
            }
            Job::Quantum(search) => {
                let generation = search.generation;
                let mut tell = |report| {
                    // As below: the end of the program.
                    let _ = reports.send(Report::Quantum(generation, report));
                };
                Report::Done(generation, Outcome::Quantum(quantum.run(*search, &mut tell)))
            }
            Job::Search(search) => {
                let generation = search.generation;
                Report::Done(generation, table.run(*search, reports))
            }
        };
        // Nobody listens any more only when the program ends.
        if reports.send(last).is_err() {
            return;
        }
    }
}

/// The searcher with the size it has.
struct Table {
    searcher: Searcher,
    hash_mb: usize,
    /// Keeps what it has found out from one `go mate` to the next.
    mate_solver: MateSolver,
}

impl Table {
    fn new() -> Table {
        Table {
            searcher: Searcher::new(SMALLEST_HASH),
            hash_mb: SMALLEST_HASH,
            mate_solver: MateSolver::new(SMALLEST_HASH),
        }
    }

    fn prepare(&mut self, memory: Memory) -> Result<(), SearcherError> {
        if memory.hash_mb != self.hash_mb {
            self.searcher.resize(memory.hash_mb)?;
            self.hash_mb = memory.hash_mb;
            self.mate_solver = MateSolver::new(memory.hash_mb);
        }
        if memory.clear {
            self.searcher.clear();
            // A new table takes no time, emptying the old one would.
            self.mate_solver = MateSolver::new(self.hash_mb);
        }
        Ok(())
    }

    fn run(&mut self, search: Search, reports: &Sender<Report>) -> Outcome {
        let Search { generation, position, task, memory, signals, started } = search;
        let tell = |report| {
            // As above: the end of the program.
            let _ = reports.send(report);
        };
        if let Err(error) = self.prepare(memory) {
            tell(Report::OutOfMemory(generation, error));
        }
        match task {
            Task::BestMove { limits, search_moves, settings } => {
                let mut on_info = |info| tell(Report::Info(generation, info));
                let searcher = &mut self.searcher;
                Outcome::BestMove(searcher.search(
                    &position,
                    &limits,
                    &search_moves,
                    &settings,
                    &signals,
                    started,
                    &mut on_info,
                ))
            }
            Task::Mate(limits) => {
                let mut on_info = |info| tell(Report::MateInfo(generation, info));
                Outcome::Checkmate(self.mate_solver.solve(
                    &position,
                    &limits,
                    &signals,
                    &mut on_info,
                ))
            }
            Task::Perft(depth) => {
                let mut each = |m, count| tell(Report::PerftMove(generation, m, count));
                Outcome::Perft(interruptible_perft(position, depth, &signals, &mut each))
            }
        }
    }
}

/// Counts legal lines and tells the count below each first move; `None` once it is stopped.
fn interruptible_perft(
    mut position: Position,
    depth: u32,
    signals: &Signals,
    each: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let moves: MoveList = position.legal_moves();
    let mut total = 0;
    for m in moves {
        position.do_move(m);
        let count = count_unless_stopped(&mut position, depth - 1, signals);
        position.undo_move();
        each(m, count?);
        total += count?;
    }
    Some(total)
}

fn count_unless_stopped(position: &mut Position, depth: u32, signals: &Signals) -> Option<u64> {
    if signals.is_stopped() {
        return None;
    }
    if depth <= PERFT_WITHOUT_LOOKING {
        return Some(perft(position, depth, true));
    }
    let mut total = 0;
    for m in position.legal_moves() {
        position.do_move(m);
        let count = count_unless_stopped(position, depth - 1, signals);
        position.undo_move();
        total += count?;
    }
    Some(total)
}

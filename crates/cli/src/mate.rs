//! `tsumero mate1` and `tsumero mate`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use crossbeam_channel::{Receiver, bounded};
use tsumero_control::Signals;
use tsumero_core::{MateProblem, Move, Position, Setup};
use tsumero_mate::{MateAnswer, MateEffort, MateLimits, MateQuestion, MateSolver, MateUnknown};
use tsumero_record::{BadGame, Game};

use super::input::{self, Row, STARTPOS};
use super::ordered_pool::OrderedPool;
use super::problems::problems;
use super::report::{missing_king, report, tell_note};
use super::{Failure, Outcome, large_stack, tell};
use crate::language::counted;

/// Arguments of `mate1`.
#[derive(Debug, Args)]
pub(crate) struct MateInOne {
    /// One position per line, or in the first column of a CSV (`-` for standard input): an SFEN,
    /// or `position ...`, `sfen ... moves ...`, `startpos moves ...` (lines that begin with `#` are
    /// skipped)
    #[arg(long)]
    file: PathBuf,
}

impl MateInOne {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let (mut calls, mut mates, mut time) = (0u32, 0u32, Duration::ZERO);
        let outcome = input::answer_each(&self.file, output, |position, output| {
            let started = Instant::now();
            let mate = position.mate_in_one();
            time += started.elapsed();
            calls += 1;
            match mate {
                Some(m) => {
                    mates += 1;
                    writeln!(output, "{m}")
                }
                None => writeln!(output, "none"),
            }
        })?;
        let speed = f64::from(calls) / time.as_secs_f64().max(1e-9);
        let positions = counted(calls.into(), "position", "positions");
        let mates = counted(mates.into(), "mate", "mates");
        tell(format_args!("{positions}, {mates} in one, {speed:.0} calls per second"));
        Ok(outcome)
    }
}

/// Arguments of `mate`.
#[derive(Debug, Args)]
pub(crate) struct Mate {
    /// The position
    #[arg(long, default_value = STARTPOS)]
    sfen: String,
    /// One position per line, or in the first column of a CSV (`-` for standard input): an SFEN,
    /// or `position ...`, `sfen ... moves ...`, `startpos moves ...` (lines that begin with `#` are
    /// skipped); or a game file (KIF, BOD, KI2, CSA, JKF), whose problem is the first position, or
    /// the last one if it starts from the usual array. Each is answered as if it were alone
    #[arg(long, conflicts_with = "sfen")]
    file: Option<PathBuf>,
    /// Largest number of nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Longest time for each position
    #[arg(long, value_name = "MS")]
    time: Option<u32>,
    /// Memory for each position that is searched
    #[arg(long, value_name = "MB", default_value_t = 256,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// How many positions are searched at the same time; if there are fewer, threads search
    /// together
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Also print the length without futile interpositions, and the cost of each position on
    /// standard error
    #[arg(long)]
    verbose: bool,
    /// After a mate, list every other first move that mates, one a line: `also PLIES MOVE...`, or
    /// `also <=PLIES MOVE...` if it may be shorter, or `undecided WHY MOVE`
    #[arg(long)]
    all: bool,
}

/// The result of a position's search.
struct Solved {
    answer: MateAnswer,
    /// The other first moves, if they are asked for.
    others: Vec<(Move, MateAnswer)>,
    effort: MateEffort,
    /// The fill of the table, in permille.
    hashfull: u32,
    /// The length without futile interpositions, if it is asked for and there is a mate.
    without_futile: Option<Result<u32, MateUnknown>>,
}

/// The largest number of nodes for the length without futile interpositions, which may be too hard
/// to compute.
const COUNT_NODES: u64 = 3_000_000;

/// What the summary of `mate` counts.
#[derive(Default)]
struct Tally {
    mates: u32,
    no_mates: u32,
    unknown: u32,
}

impl Tally {
    fn count(&mut self, answer: &MateAnswer) {
        match answer {
            MateAnswer::Mate(_) => self.mates += 1,
            MateAnswer::NoMate => self.no_mates += 1,
            MateAnswer::Unknown(_) => self.unknown += 1,
        }
    }
}

impl Mate {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let mut tally = Tally::default();
        let outcome = match &self.file {
            Some(file) => match self.solve_file(file, output, &mut tally)? {
                Some(outcome) => outcome,
                None => return Ok(Outcome::BadInput),
            },
            None => {
                let signals = Signals::new();
                let Some(problem) = input::mate_problem_option(&self.sfen) else {
                    return Ok(Outcome::BadInput);
                };
                let threads = usize::from(self.threads);
                let solve = || self.solve(&mut self.solver(), &problem, threads, &signals);
                let solved = large_stack::run(&signals, solve)?;
                self.print(1, &solved, output, &mut tally)?;
                Outcome::Done
            }
        };
        let Tally { mates, no_mates, unknown } = tally;
        let count = mates + no_mates + unknown;
        let seconds = started.elapsed().as_secs_f64();
        let positions = counted(count.into(), "position", "positions");
        let mates = counted(mates.into(), "mate", "mates");
        tell(format_args!(
            "{positions}: {mates}, {no_mates} without mate, {unknown} unknown, {seconds:.3} s"
        ));
        Ok(outcome)
    }

    fn solver(&self) -> MateSolver {
        MateSolver::new(self.hash as usize)
    }

    fn limits(&self, threads: usize) -> MateLimits {
        MateLimits {
            time: self.time.map(|milliseconds| Duration::from_millis(milliseconds.into())),
            nodes: self.nodes,
            threads,
            shortest: true,
        }
    }

    /// Solves one problem with several threads.
    fn solve(
        &self,
        solver: &mut MateSolver,
        problem: &MateProblem,
        threads: usize,
        signals: &Signals,
    ) -> Solved {
        let limits = self.limits(threads);
        let question = MateQuestion::for_problem(problem, &limits, signals);
        let (answer, others) = if self.all {
            let choices = solver.solve_all(&question);
            (choices.answer, choices.others)
        } else {
            (solver.solve_problem(&question, &mut |_| {}), Vec::new())
        };
        let effort = solver.effort();
        // Before the count, which may use a new table.
        let hashfull = if self.verbose { solver.hashfull() } else { 0 };
        let without_futile = match &answer {
            MateAnswer::Mate(mate) if self.verbose => {
                let limits = limits_of_count(&limits, &effort);
                let question = MateQuestion::for_problem(problem, &limits, signals);
                Some(solver.length_without_futile(&question, mate.plies()))
            }
            _ => None,
        };
        Solved { answer, others, effort, hashfull, without_futile }
    }

    /// Prints the answer with this number, counted from 1.
    fn print(
        &self,
        number: usize,
        solved: &Solved,
        output: &mut impl Write,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        tally.count(&solved.answer);
        writeln!(output, "{}", answer_text(solved))?;
        for (mv, answer) in &solved.others {
            match answer {
                MateAnswer::Mate(mate) => {
                    let bound = if mate.is_shortest { "" } else { "<=" };
                    writeln!(output, "also {bound}{} {}", mate.plies(), moves_text(&mate.line))?;
                }
                MateAnswer::Unknown(reason) => {
                    writeln!(output, "undecided {} {mv}", reason.word())?;
                }
                MateAnswer::NoMate => {}
            }
        }
        if self.verbose {
            tell(format_args!("position {number}: {}", effort_text(solved)));
        }
        Ok(())
    }

    /// Solves the positions on several threads, and prints the answers in the order of the file.
    /// `None`: there are none in the file, which has been said.
    fn solve_file(
        &self,
        file: &Path,
        output: &mut impl Write,
        tally: &mut Tally,
    ) -> Result<Option<Outcome>, Failure> {
        let threads = usize::from(self.threads);
        let of_row = |row: &Row| row.first(input::mate_problem);
        let Some(problems) = problems(file, of_row, of_game)? else {
            return Ok(None);
        };
        let signals = Signals::new();
        let mut outcome = Outcome::Done;
        let mut number = 0;
        OrderedPool::new(threads, &signals).run(
            Together::new(problems, threads)?,
            || {
                let mut solver = self.solver();
                let signals = &signals;
                move |(problem, together): (Result<MateProblem, String>, usize)| {
                    // So no answer depends on the rows before, whatever the limits.
                    solver.forget();
                    problem.map(|problem| self.solve(&mut solver, &problem, together, signals))
                }
            },
            output,
            |solved, output| {
                number += 1;
                match solved {
                    Ok(solved) => self.print(number, &solved, output, tally),
                    Err(reason) => {
                        outcome = Outcome::BadInput;
                        Ok(writeln!(output, "{}", input::error_line(&reason))?)
                    }
                }
            },
        )?;
        Ok(Some(outcome))
    }
}

/// The problem of a game: its first position, even where the king could be captured. A game from the
/// usual array is no problem at its start, so there it is the last position.
fn of_game(file: &Path, game: Result<Game, BadGame>) -> Result<MateProblem, BadGame> {
    if let Err(BadGame { start: Some(start), .. }) = &game {
        let problem = MateProblem::from_setup(Setup::clone(start));
        let problem = problem.map_err(|error| error.to_string());
        // It may be unusual in other ways, too.
        if let Ok(problem) = report(file.display(), problem) {
            return Ok(problem);
        }
    }
    let game = report(file.display(), game)?;
    let mut position = game.start().clone();
    if position == Position::startpos() {
        game.moves().for_each(|mv| position.play_unchecked(mv));
    }
    missing_king(&position).iter().for_each(|note| tell_note(file.display(), note));
    Ok(position.into())
}

/// Tasks, each with the number of threads that may work on it together. If there are fewer tasks
/// than threads, the remaining threads help.
struct Together<T> {
    tasks: Receiver<Result<T, Failure>>,
    threads: usize,
    /// The first tasks, at most as many as there are threads, once they are read.
    first: Option<(std::vec::IntoIter<Result<T, Failure>>, usize)>,
}

/// How long the first tasks are waited for, once one of them is there. Whoever writes them may want an
/// answer before the next one.
const PATIENCE: Duration = Duration::from_millis(100);

impl<T: Send + 'static> Together<T> {
    /// Reads the tasks on a thread that is never joined, because the input may never end.
    ///
    /// # Errors
    /// The system has no room for the thread.
    fn new(
        mut tasks: impl Iterator<Item = Result<T, Failure>> + Send + 'static,
        threads: usize,
    ) -> Result<Together<T>, Failure> {
        let (sender, receiver) = bounded(threads);
        // It ends when nobody wants more of them.
        let read = move || _ = tasks.try_for_each(|task| sender.send(task));
        std::thread::Builder::new()
            .spawn(read)
            .map_err(|error| Failure::Threads(threads, error))?;
        Ok(Together { tasks: receiver, threads, first: None })
    }

    /// The first tasks: those that come together.
    fn read_first(&self) -> Vec<Result<T, Failure>> {
        let mut first: Vec<_> = self.tasks.recv().into_iter().collect();
        let until = Instant::now() + PATIENCE;
        while (1..self.threads).contains(&first.len())
            && let Ok(task) = self.tasks.recv_deadline(until)
        {
            first.push(task);
        }
        first
    }
}

impl<T: Send + 'static> Iterator for Together<T> {
    type Item = Result<(T, usize), Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.first.is_none() {
            let first = self.read_first();
            let together = (self.threads / first.len().max(1)).max(1);
            self.first = Some((first.into_iter(), together));
        }
        let (first, together) = self.first.as_mut()?;
        if let Some(task) = first.next() {
            return Some(task.map(|task| (task, *together)));
        }
        // By now, the threads may all be at work.
        self.tasks.recv().ok().map(|task| task.map(|task| (task, 1)))
    }
}

/// The rest of the limits, for the length without futile interpositions.
fn limits_of_count(limits: &MateLimits, effort: &MateEffort) -> MateLimits {
    let nodes = limits.nodes.map_or(COUNT_NODES, |nodes| nodes.saturating_sub(effort.nodes));
    MateLimits {
        time: limits.time.map(|time| time.saturating_sub(effort.time)),
        nodes: Some(nodes.min(COUNT_NODES)),
        ..*limits
    }
}

/// The line that answers for a position.
fn answer_text(solved: &Solved) -> String {
    match &solved.answer {
        MateAnswer::Mate(mate) => {
            let useful = match solved.without_futile {
                Some(Ok(length)) => format!(" ({length} without futile interpositions)"),
                Some(Err(_)) | None => String::new(),
            };
            format!("mate {}{useful} {}", mate.plies(), moves_text(&mate.line))
        }
        MateAnswer::NoMate => "nomate".to_owned(),
        MateAnswer::Unknown(reason) => format!("unknown {}", reason.word()),
    }
}

fn moves_text(line: &[Move]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The cost of a position.
fn effort_text(solved: &Solved) -> String {
    let Solved { answer, effort, hashfull, without_futile, .. } = solved;
    let mut text = format!(
        "{}, {:.3} ms, table {}.{} % full",
        counted(effort.nodes, "node", "nodes"),
        effort.time.as_secs_f64() * 1000.0,
        hashfull / 10,
        hashfull % 10
    );
    if let MateAnswer::Mate(mate) = answer {
        text += if mate.is_shortest { ", no shorter mate" } else { ", perhaps not the shortest" };
    }
    if let Some(Err(reason)) = without_futile {
        text += ", not counted without futile interpositions: ";
        text += reason.word();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(tasks: &mut Together<u32>, count: usize) -> Vec<(u32, usize)> {
        tasks.by_ref().take(count).map(Result::unwrap).collect()
    }

    #[test]
    fn few_tasks_share_all_threads() {
        for (count, together) in [(1, 4), (2, 2), (3, 1), (4, 1), (9, 1)] {
            let mut tasks = Together::new((0..count).map(Ok), 4).unwrap();
            let expected: Vec<(u32, usize)> = (0..count).map(|task| (task, together)).collect();
            assert_eq!(shared(&mut tasks, 10), expected);
        }
    }

    /// A program may write a position and wait for its answer before it writes the next one.
    #[test]
    fn a_task_does_not_wait_for_others() {
        let (sender, written) = bounded(0);
        let mut tasks = Together::new(written.into_iter().map(Ok), 4).unwrap();
        for (task, together) in [(7, 4), (8, 1), (9, 1)] {
            sender.send(task).unwrap();
            assert_eq!(shared(&mut tasks, 1), [(task, together)]);
        }
        drop(sender);
        assert!(tasks.next().is_none());
    }
}

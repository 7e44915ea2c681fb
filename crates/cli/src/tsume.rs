//! `tsumero tsume`: making and checking mate problems.

mod outputs;
mod tasks;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use tsumero_analysis::SheetProblem;
use tsumero_control::Signals;
use tsumero_core::{Move, Square};
use tsumero_files::Inputs;
use tsumero_mate::MateUnknown;
use tsumero_mate::tsume::{
    Generator, Judge, JudgeLimits, Problem, Progress, Recipe, Solution, Verdict,
};

use super::ordered_pool::ordered_pool;
use super::{Failure, Outcome, input, record, tell};
use outputs::{Outputs, game};
use tasks::{Task, tasks};

/// The tools for mate problems.
#[derive(Debug, Subcommand)]
pub(crate) enum Tsume {
    /// Make sound problems: one solution, no idle piece, the hand used up
    ///
    /// Prints `sfen,plies,solution,notes`, one problem a line. Problem K of a seed depends only on
    /// the seed, K, --plies and --loose, not on the number of threads. To continue after K lines,
    /// run the same command with --skip K (the header is then left out). With --to the problems are
    /// printed as games, unless --out is given.
    Generate(Generate),
    /// Check whether problems are sound, and name what is wrong
    ///
    /// One line for each: `sound`; `second solution MOVE...` (a line whose last move is a second
    /// check that mates); `shorter N` or `longer N` if the second column claims another length than
    /// N plies; `no mate`; `unknown WHY`. Remarks may follow after `sound`: `; idle SQUARE...` for
    /// pieces without which the solution is the same, and `; left in hand N` for pieces that the
    /// attacker does not need. The exit code is 1 unless all are sound. In a game file, each game
    /// is a problem. --out and --html write the sound problems.
    Check(Check),
}

/// Arguments of `tsume generate`.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Length of the mates, an odd number
    #[arg(long, value_name = "N", value_parser = odd_plies)]
    plies: u32,
    /// Number of problems
    #[arg(long, value_name = "K")]
    count: u64,
    /// Seed of the problems
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Leave out the first problems of the seed
    #[arg(long, value_name = "K", default_value_t = 0)]
    skip: u64,
    /// How many problems are made at the same time
    #[arg(long, value_name = "T", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Keep idle pieces, and allow pieces left in hand; the notes name them
    #[arg(long)]
    loose: bool,
    #[command(flatten)]
    outputs: Outputs,
}

/// Arguments of `tsume check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// One SFEN per line, or in the first column of a CSV whose second column, if it is not empty,
    /// is the length in plies; or a game file (KIF, KI2, CSA, JKF). The moves of a game, or those
    /// after an SFEN, are the solution (`-` for standard input)
    #[arg(long)]
    file: PathBuf,
    /// Largest number of nodes for each question in a judgment
    #[arg(long, value_name = "N", default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Memory for each question; the tables of a judgment are small and many
    #[arg(long, value_name = "MB", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// How many problems are checked at the same time
    #[arg(long, value_name = "T", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    outputs: Outputs,
}

fn odd_plies(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(plies) if plies % 2 == 1 && plies <= Recipe::LONGEST => Ok(plies),
        _ => Err(format!("not an odd number from 1 to {}", Recipe::LONGEST)),
    }
}

impl Tsume {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        match self {
            Tsume::Generate(generate) => generate.run(output),
            Tsume::Check(check) => check.run(output),
        }
    }
}

/// The time between two progress lines.
const REPORT: Duration = Duration::from_secs(5);

impl Generate {
    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let inputs = Inputs::default();
        self.outputs.check(&inputs)?;
        let recipe = Recipe { plies: self.plies, seed: self.seed, loose: self.loose };
        let (progress, signals) = (Progress::default(), Signals::new());
        let started = Instant::now();
        let mut told = started;
        let tell_progress = |made: u64| {
            let seconds = started.elapsed().as_secs_f64();
            let placements = progress.placements.load(Ordering::Relaxed);
            let candidates = progress.candidates.load(Ordering::Relaxed);
            let speed = placements as f64 / seconds.max(1e-9);
            let rate = made as f64 / seconds.max(1e-9) * 60.0;
            tell(format_args!(
                "{made} of {} problems, {placements} placements ({speed:.0} per second), \
                 {candidates} mates of {} plies, {seconds:.1} s, {rate:.1} problems per minute",
                self.count, self.plies
            ));
        };
        // Problems are printed as games unless they go to a folder.
        let printed = self.outputs.to.filter(|_| !self.outputs.has_folder());
        if self.skip == 0 && printed.is_none() {
            writeln!(output, "sfen,plies,solution,notes")?;
        }
        let made = std::cell::Cell::new(0);
        let mut sheet = Vec::new();
        let done = ordered_pool(
            usize::from(self.threads),
            (self.skip..self.skip.saturating_add(self.count)).map(Ok),
            &signals,
            || {
                let mut generator = Generator::new(recipe, &progress, &signals);
                move |number| generator.problem(number)
            },
            output,
            || {
                if told.elapsed() >= REPORT {
                    told = Instant::now();
                    tell_progress(made.get());
                }
            },
            |problem, output| {
                let Some(problem) = problem else { return Ok(()) };
                made.set(made.get() + 1);
                match printed {
                    None => writeln!(output, "{}", row(&problem))?,
                    Some(format) => {
                        let game = game(&problem.position, &problem.solution.line);
                        record::write_game(game, format, made.get() == 1, output)?;
                    }
                }
                let Problem { position, solution, .. } = problem;
                let number = self.skip + made.get();
                let name = format!("tsume{}-{}-{number:04}", self.plies, self.seed);
                let solution = solution.line;
                let problem = SheetProblem { number, name: None, position, solution };
                self.outputs.add(&mut sheet, problem, &name, &inputs)
            },
        );
        tell_progress(made.get());
        done?;
        self.outputs.finish(&sheet, &inputs)?;
        Ok(Outcome::Done)
    }
}

/// A problem as a line of the file.
fn row(problem: &Problem) -> String {
    let Problem { position, solution, idle } = problem;
    let notes = remarks(Ok(idle), solution).join("; ");
    format!("{position},{},{},{notes}", solution.line.len(), moves(&solution.line))
}

fn moves(line: &[Move]) -> String {
    let words: Vec<String> = line.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// Remarks on a sound problem.
fn remarks(idle: Result<&Vec<Square>, MateUnknown>, solution: &Solution) -> Vec<String> {
    let mut remarks = Vec::new();
    match idle {
        Ok(idle) if idle.is_empty() => {}
        Ok(idle) => {
            let squares: Vec<String> = idle.iter().map(ToString::to_string).collect();
            remarks.push(format!("idle {}", squares.join(" ")));
        }
        Err(why) => remarks.push(format!("idle unknown {}", why.word())),
    }
    if solution.left_in_hand > 0 {
        remarks.push(format!("left in hand {}", solution.left_in_hand));
    }
    remarks
}

impl Check {
    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        if self.outputs.to.is_some() && !self.outputs.has_folder() {
            let reason =
                io::Error::other("standard output is for the verdicts: name a folder by --out");
            return Err(Failure::Input("--to".to_owned(), reason));
        }
        let inputs = Inputs::of([&self.file]);
        self.outputs.check(&inputs)?;
        let started = Instant::now();
        let limits = JudgeLimits { nodes: self.nodes, hash_mb: self.hash as usize };
        let (mut count, mut sound, mut unreadable) = (0, 0, false);
        let (mut number, mut sheet) = (0, Vec::new());
        ordered_pool(
            usize::from(self.threads),
            tasks(&self.file)?,
            // A judgment has a limit of nodes, so it need not be stopped.
            &Signals::new(),
            || {
                let mut judge = Judge::new(limits);
                move |task: Result<Task, String>| task.map(|task| judge_task(&mut judge, task))
            },
            output,
            || {},
            |judged, output| {
                number += 1;
                let Judged { line, task, solution } = match judged {
                    Ok(judged) => judged,
                    Err(reason) => {
                        unreadable = true;
                        writeln!(output, "{}", input::error_line(&reason))?;
                        return Ok(());
                    }
                };
                count += 1;
                writeln!(output, "{line}")?;
                let Some(solution) = solution else { return Ok(()) };
                sound += 1;
                let Task { position, name, .. } = task;
                let problem = SheetProblem { number, name, position, solution };
                let name = format!("problem-{number:04}");
                self.outputs.add(&mut sheet, problem, &name, &inputs)
            },
        )?;
        self.outputs.finish(&sheet, &inputs)?;
        let seconds = started.elapsed().as_secs_f64();
        tell(format_args!("{count} problems, {sound} sound, {seconds:.3} s"));
        Ok(if unreadable || sound < count { Outcome::BadInput } else { Outcome::Done })
    }
}

/// A problem with its verdict.
struct Judged {
    /// The verdict in words.
    line: String,
    task: Task,
    /// The solution, if the problem is sound.
    solution: Option<Vec<Move>>,
}

fn judge_task(judge: &mut Judge, task: Task) -> Judged {
    let (line, solution) = verdict(judge, &task);
    Judged { line, task, solution }
}

/// The verdict in words, and the solution of a sound problem.
fn verdict(judge: &mut Judge, task: &Task) -> (String, Option<Vec<Move>>) {
    // A wrong length is found much sooner than any other fault, so it is tested first.
    if let Some(claimed) = task.claimed
        && let Ok(Some(length)) = judge.length_of(&task.position)
        && length != claimed
    {
        let word = if length < claimed { "shorter" } else { "longer" };
        return (format!("{word} {length}"), None);
    }
    let line = match judge.judge(&task.position) {
        Verdict::Sound(solution) => {
            let idle = judge.idle(&task.position, &solution);
            let idle = idle.as_ref().map_err(|&why| why);
            let mut parts = vec!["sound".to_owned()];
            parts.extend(remarks(idle, &solution));
            return (parts.join("; "), Some(solution.line));
        }
        Verdict::SecondSolution { line, other, .. } => {
            let mut line = line;
            line.push(other);
            format!("second solution {}", moves(&line))
        }
        Verdict::NoMate => "no mate".to_owned(),
        Verdict::Unknown(why) => format!("unknown {}", why.word()),
    };
    (line, None)
}

//! `tsumero mate1` and `tsumero mate`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use crossbeam_channel::bounded;
use tsumero_core::Position;
use tsumero_search::{MateAnswer, MateLimits, MateSolver, MateUnknown, Signals};

use super::input::{self, STARTPOS};
use super::{Failure, Outcome, tell, with_large_stack};
use crate::search_thread::STACK;

/// Arguments of `mate1`.
#[derive(Debug, Args)]
pub struct MateInOne {
    /// One SFEN per line, or in the first column of a CSV (`-` for standard input)
    #[arg(long)]
    file: PathBuf,
}

impl MateInOne {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Done;
        let (mut calls, mut mates, mut time) = (0u32, 0u32, Duration::ZERO);
        for row in input::rows(&self.file)? {
            let Some(position) = input::position_of(&row?) else {
                outcome = Outcome::BadInput;
                continue;
            };
            let started = Instant::now();
            let mate = position.mate_in_one();
            time += started.elapsed();
            calls += 1;
            match mate {
                Some(m) => {
                    mates += 1;
                    writeln!(output, "{m}")?;
                }
                None => writeln!(output, "none")?,
            }
        }
        let speed = f64::from(calls) / time.as_secs_f64().max(1e-9);
        tell(format_args!("{calls} positions, {mates} mates in one, {speed:.0} calls per second"));
        Ok(outcome)
    }
}

/// Arguments of `mate`.
#[derive(Debug, Args)]
pub struct Mate {
    /// The position
    #[arg(long, default_value = STARTPOS)]
    sfen: String,
    /// One SFEN per line, or in the first column of a CSV (`-` for standard input)
    #[arg(long, conflicts_with = "sfen")]
    file: Option<PathBuf>,
    /// Largest number of nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Longest time for each position
    #[arg(long, value_name = "MS")]
    time: Option<u32>,
    /// Memory for each position that is looked at
    #[arg(long, value_name = "MB", default_value_t = 256,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// How many positions are looked at side by side
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

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
            Some(file) => self.solve_file(file, output, &mut tally)?,
            None => {
                let Some(position) = input::position_option(&self.sfen) else {
                    return Ok(Outcome::BadInput);
                };
                let answer = with_large_stack(move || self.solve(&mut self.solver(), &position));
                tally.count(&answer);
                writeln!(output, "{}", line(&answer))?;
                Outcome::Done
            }
        };
        let Tally { mates, no_mates, unknown } = tally;
        let (count, seconds) = (mates + no_mates + unknown, started.elapsed().as_secs_f64());
        tell(format_args!(
            "{count} positions: {mates} mates, {no_mates} without mate, {unknown} unknown, \
             {seconds:.3} s"
        ));
        Ok(outcome)
    }

    fn solver(&self) -> MateSolver {
        MateSolver::new(self.hash as usize)
    }

    fn solve(&self, solver: &mut MateSolver, position: &Position) -> MateAnswer {
        let limits = MateLimits {
            time: self.time.map(|milliseconds| Duration::from_millis(milliseconds.into())),
            nodes: self.nodes,
            hash_mb: self.hash as usize,
        };
        solver.solve(position, &limits, &Signals::new(), &mut |_| {})
    }

    /// Hands the positions to threads and prints the answers in the order of the file.
    fn solve_file(
        &self,
        file: &Path,
        output: &mut impl Write,
        tally: &mut Tally,
    ) -> Result<Outcome, Failure> {
        let threads = usize::from(self.threads);
        let mut rows = input::rows(file)?;
        let mut outcome = Outcome::Done;
        std::thread::scope(|scope| {
            let (tasks, task_receiver) = bounded::<(usize, Position)>(threads);
            let (answer_sender, answers) = bounded(threads);
            for _ in 0..threads {
                let (tasks, answers) = (task_receiver.clone(), answer_sender.clone());
                let solve = move || {
                    let mut solver = self.solver();
                    for (number, position) in tasks {
                        // The other end goes away only when nobody wants answers any more.
                        if answers.send((number, self.solve(&mut solver, &position))).is_err() {
                            return;
                        }
                    }
                };
                std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, solve)
                    .expect("the system must have room for a thread at the start");
            }
            let (mut sent, mut printed) = (0, 0);
            let mut early = BTreeMap::new();
            let mut more = true;
            while more || printed < sent {
                // At most as many as there are threads are under way, so sending never blocks.
                while more && sent < printed + threads {
                    match rows.next().transpose()? {
                        None => more = false,
                        Some(row) => match input::position_of(&row) {
                            None => outcome = Outcome::BadInput,
                            Some(position) => {
                                tasks.send((sent, position)).expect("the solvers wait for more");
                                sent += 1;
                            }
                        },
                    }
                }
                if printed < sent {
                    let (number, answer) = answers.recv().expect("a solver is at work");
                    early.insert(number, answer);
                    while let Some(answer) = early.remove(&printed) {
                        tally.count(&answer);
                        writeln!(output, "{}", line(&answer))?;
                        printed += 1;
                    }
                }
            }
            Ok(outcome)
        })
    }
}

/// The answer in words.
fn line(answer: &MateAnswer) -> String {
    match answer {
        MateAnswer::Mate(line) => {
            let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
            format!("mate {} {}", moves.len(), moves.join(" "))
        }
        MateAnswer::NoMate => "nomate".to_owned(),
        MateAnswer::Unknown(reason) => {
            let reason = match reason {
                MateUnknown::Time => "time",
                MateUnknown::Nodes => "nodes",
                MateUnknown::Memory => "memory",
                MateUnknown::Stopped => "stopped",
            };
            format!("unknown {reason}")
        }
    }
}

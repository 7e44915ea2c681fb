//! Times the mate search in process, to compare it with other solvers. It reads one SFEN per line
//! and answers each with a line `NANOSECONDS mate N MOVES…`, `NANOSECONDS nomate`, `NANOSECONDS
//! unknown WHY`, or `bad POSITION: REASON`. The time is that of one call of the search, including
//! the allocation of its memory, but not reading and printing.
//!
//! ```text
//! cargo run --release --package tsumero-mate --example mate_times -- HASH_MB TIME_MS [any]
//! ```
//!
//! With `any`, the first mate found is the answer. Otherwise it looks for the shortest.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use tsumero_control::Signals;
use tsumero_core::Position;
use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver};

fn main() -> io::Result<()> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let any = words.pop_if(|word| word == "any").is_some();
    let numbers: Result<Vec<u32>, _> = words.iter().map(|word| word.parse()).collect();
    let Ok(&[hash_mb, milliseconds]) = numbers.as_deref() else {
        eprintln!("usage: mate_times HASH_MB TIME_MS [any]");
        std::process::exit(2);
    };
    let limits = MateLimits {
        time: Some(Duration::from_millis(milliseconds.into())),
        shortest: !any,
        ..MateLimits::default()
    };
    answer_all(hash_mb as usize, &limits)
}

/// Answers line by line until the input ends, so that another program can take turns with this one.
fn answer_all(hash_mb: usize, limits: &MateLimits) -> io::Result<()> {
    let mut output = io::LineWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let position = match Position::from_sfen(line.trim()) {
            Ok(position) => position,
            Err(reason) => {
                writeln!(output, "bad {}: {reason}", line.trim())?;
                continue;
            }
        };
        let started = Instant::now();
        let signals = Signals::new();
        let question = MateQuestion::new(&position, limits, &signals);
        let answer = MateSolver::new(hash_mb).solve(&question, &mut |_| {});
        let time = started.elapsed().as_nanos();
        match answer {
            MateAnswer::Mate(mate) => {
                write!(output, "{time} mate {}", mate.plies())?;
                for m in mate.line {
                    write!(output, " {m}")?;
                }
                writeln!(output)?;
            }
            MateAnswer::NoMate => writeln!(output, "{time} nomate")?,
            MateAnswer::Unknown(reason) => writeln!(output, "{time} unknown {}", reason.word())?,
        }
    }
    Ok(())
}

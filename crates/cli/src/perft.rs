//! `tsumero perft`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use tsumero_core::{MAX_PERFT_DEPTH, divide, perft};
use tsumero_record::visible;

use super::input::{self, STARTPOS};
use super::output::end_when_closed;
use super::{Failure, Outcome, tell};
use crate::language::counted;

/// Arguments of `perft`.
#[derive(Debug, Args)]
pub(crate) struct Perft {
    /// Number of moves in each line
    #[arg(required_unless_present = "file",
        value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: Option<u32>,
    /// Position to start from
    #[arg(long, default_value = STARTPOS)]
    sfen: String,
    /// Also print the count below each first move
    #[arg(long)]
    divide: bool,
    /// Make every last move instead of counting the last moves
    #[arg(long)]
    no_bulk: bool,
    /// Check counts: CSV rows name,sfen,depth,nodes (`-` for standard input)
    #[arg(long, value_name = "CSV", conflicts_with_all = ["depth", "sfen", "divide"])]
    file: Option<PathBuf>,
}

impl Perft {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        end_when_closed();
        match (&self.file, self.depth) {
            (Some(file), _) => self.check(file, output),
            (None, depth) => self.count(depth.unwrap_or_default(), output),
        }
    }

    fn count(&self, depth: u32, output: &mut impl Write) -> Result<Outcome, Failure> {
        let Some(position) = input::position_option(&self.sfen) else {
            return Ok(Outcome::BadInput);
        };
        let started = Instant::now();
        let total = if self.divide && depth > 0 {
            let counts = divide(&position, depth, !self.no_bulk);
            for (m, count) in &counts {
                writeln!(output, "{m}: {count}")?;
            }
            counts.iter().map(|(_, count)| count).sum()
        } else {
            perft(&position, depth, !self.no_bulk)
        };
        tell_speed(total, started.elapsed());
        writeln!(output, "{total}")?;
        Ok(Outcome::Done)
    }

    fn check(&self, file: &Path, output: &mut impl Write) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Done;
        let mut nodes = 0;
        let mut time = Duration::ZERO;
        let mut rows = input::rows(file)?;
        while let Some(row) = rows.next_after(output)? {
            let read = row.columns().and_then(read_row);
            let (position, (name, depth, expected)) = match row.report(read) {
                Ok(values) => values,
                Err(reason) => {
                    writeln!(output, "{}", input::error_line(&reason))?;
                    outcome = Outcome::BadInput;
                    continue;
                }
            };
            output.flush()?;
            let started = Instant::now();
            let got = perft(&position, depth, !self.no_bulk);
            time += started.elapsed();
            nodes += got;
            let name = visible(&name);
            if got == expected {
                writeln!(output, "{name} {depth} ok")?;
            } else {
                writeln!(output, "{name} {depth} WRONG {got} {expected}")?;
                outcome = Outcome::BadInput;
            }
        }
        tell_speed(nodes, time);
        Ok(outcome)
    }
}

/// Position, name, depth and expected count of a row.
fn read_row(columns: Vec<String>) -> Result<(tsumero_core::Position, (String, u32, u64)), String> {
    let [name, sfen, depth, nodes, ..] = &columns[..] else {
        return Err("not a row of name,sfen,depth,nodes".to_owned());
    };
    let position = input::position(sfen)?;
    let depth = depth
        .parse()
        .ok()
        .filter(|depth| *depth <= MAX_PERFT_DEPTH)
        .ok_or_else(|| format!("depth '{depth}' is not a number up to {MAX_PERFT_DEPTH}"))?;
    let nodes = nodes.parse().map_err(|_| format!("nodes '{nodes}' is not a number"))?;
    Ok((position, (name.clone(), depth, nodes)))
}

/// Tells on standard error how fast lines were counted.
pub(super) fn tell_speed(nodes: u64, time: Duration) {
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    let leaves = counted(nodes, "leaf", "leaves");
    tell(format_args!("{leaves} in {seconds:.3} s, {:.1} million per second", speed / 1e6));
}

//! `tsumero bench`.

use std::io::Write;

use clap::Args;
use tsumero_control::Signals;
use tsumero_search::BenchOptions;

use super::eval::EvaluationArguments;
use super::{Failure, Outcome, large_stack, tell};

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Depth for each position, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = BenchOptions::default().threads as u16,
        value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Size of the transposition table
    #[arg(long, value_name = "MB", default_value_t = BenchOptions::default().hash_mb as u32,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

impl Bench {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let options = BenchOptions {
            depth: self.depth,
            nodes: self.nodes,
            threads: usize::from(self.threads),
            hash_mb: self.hash as usize,
            evaluation_function: self.evaluation.read()?.evaluation_function,
        };
        // It cannot be stopped, and it prints only at its end.
        let result = large_stack::run(&Signals::new(), || {
            tsumero_search::bench(options, &mut |line| {
                let (number, count, nodes) = (line.number, line.count, line.nodes);
                tell(format_args!("{number}/{count} {}: {nodes} nodes", line.position.to_sfen()));
            })
        })?
        .map_err(|error| Failure::Usage("--hash", error.to_string()))?;
        // The form that testing frameworks in the manner of OpenBench look for.
        writeln!(output, "{} nodes {} nps", result.nodes, result.nps())?;
        writeln!(output, "nodes: {}", result.nodes)?;
        writeln!(output, "time: {}", result.time.as_millis())?;
        writeln!(output, "nps: {}", result.nps())?;
        Ok(Outcome::Done)
    }
}

//! `tsumero-train spsa`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::duel::LimitArguments;
use crate::configuration::Configuration;
use crate::game::GameRules;
use crate::openings;
use crate::parameters;
use crate::spsa::{Tuned, Tuning};

/// Tune the parameters of the search by games.
///
/// The file of results is written every few seconds; the same command continues where it stopped.
#[derive(Debug, Args)]
pub struct TuneBySpsa {
    /// File of results (JSON)
    file: PathBuf,
    /// Names of the parameters, separated by commas; without it, all of them
    #[arg(long, value_delimiter = ',')]
    parameters: Vec<String>,
    /// Number of pairs of games
    #[arg(long, default_value_t = 20_000)]
    iterations: u64,
    /// Configuration of both players, as for duel
    #[arg(long, default_value = "hash=8")]
    configuration: Configuration,
    #[command(flatten)]
    limits: LimitArguments,
    /// File of opening lines
    #[arg(long, default_value = "scripts/openings.sfen")]
    openings: PathBuf,
    /// Number of games at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl TuneBySpsa {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let limits = self.limits.limits();
        if self.configuration.limits.or(limits).is_unlimited() {
            bail!("there is no limit: give --nodes, --depth or --time");
        }
        let table = parameters::table();
        for name in &self.parameters {
            if table.iter().all(|info| info.name != *name) {
                bail!("there is no parameter named {name:?}");
            }
        }
        let tuned: Vec<Tuned> = table
            .iter()
            .filter(|info| {
                self.parameters.is_empty() || self.parameters.iter().any(|name| name == info.name)
            })
            .map(Tuned::from)
            .collect();
        if tuned.is_empty() {
            bail!("this build has no parameters to tune");
        }
        let tuning = Tuning {
            configuration: self.configuration.clone(),
            limits,
            rules: GameRules::default(),
            openings: openings::read(&self.openings)?,
            threads: self.threads,
            seed: self.seed,
        };
        let spsa = tuning.run(tuned, self.iterations, &self.file)?;
        for tuned in &spsa.tuned {
            println!(
                "{}: {} -> {:.2} ({} to {}, step {})",
                tuned.name, tuned.start, tuned.value, tuned.min, tuned.max, tuned.step
            );
        }
        println!("{}", spsa.configuration());
        Ok(())
    }
}

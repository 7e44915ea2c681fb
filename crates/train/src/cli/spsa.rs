//! `tsumero-train spsa`.

use std::io;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use parking_lot::Mutex;

use super::duel::LimitArguments;
use super::regret::PositionArguments;
use crate::configuration::Configuration;
use crate::game::GameRules;
use crate::openings;
use crate::parameters;
use crate::progress::say;
use crate::spsa::{Contest, JudgedMoves, Spsa, Tuned, Tuning};

/// Tune the parameters of the search by games, or by moves that a longer search judges.
///
/// The file of results is written every few seconds; the same command continues where it stopped. With one thread
/// and limits in nodes or depth, the same command gives the same values if it is not interrupted.
#[derive(Debug, Args)]
pub struct TuneBySpsa {
    /// File of results (JSON)
    file: PathBuf,
    /// Names of the parameters, separated by commas; without it, all of them
    #[arg(long, value_delimiter = ',')]
    parameters: Vec<String>,
    /// Number of pairs of games, or of batches of positions
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
    /// Recorded games: instead of playing, the players choose moves in positions of them
    #[arg(long, requires = "judgments")]
    moves: Option<PathBuf>,
    /// With --moves: file of judgments; it is created, and continued by later runs with the same judge
    #[arg(long, requires = "moves")]
    judgments: Option<PathBuf>,
    #[command(flatten)]
    positions: PositionArguments,
    /// With --moves: stretches of one iteration
    #[arg(long, default_value_t = 25,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    batch: usize,
    /// Number of games or batches at the same time; with more than one, runs differ
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print what the file holds so far, and do nothing else
    #[arg(long)]
    effects: bool,
}

impl TuneBySpsa {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        if self.effects {
            let (spsa, are_of_games) = Tuning::results(&self.file)?;
            print(&spsa, are_of_games)?;
            return Ok(());
        }
        let limits = self.limits.limits();
        if self.configuration.limits.or(limits).is_unlimited() {
            bail!("there is no limit: give --nodes, --depth or --time");
        }
        let tuned = self.tuned()?;
        let tuning = Tuning {
            configuration: self.configuration.clone(),
            limits,
            contest: self.contest()?,
            threads: self.threads,
            seed: self.seed,
        };
        let spsa = tuning.run(tuned, self.iterations, &self.file)?;
        print(&spsa, self.moves.is_none())?;
        Ok(())
    }

    /// The parameters to tune.
    fn tuned(&self) -> anyhow::Result<Vec<Tuned>> {
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
            .map(|info| Tuned::new(info, self.configuration.overrides.get(info.name)))
            .collect();
        if tuned.is_empty() {
            bail!("this build has no parameters to tune");
        }
        Ok(tuned)
    }

    /// By what two configurations are compared.
    fn contest(&self) -> anyhow::Result<Contest> {
        Ok(match (&self.moves, &self.judgments) {
            (Some(games), Some(judgments)) => Contest::Moves(Box::new(JudgedMoves {
                stretches: self.positions.stretches(games)?,
                batch: self.batch,
                judge: Mutex::new(self.positions.judge(judgments)?),
            })),
            _ => Contest::Games {
                rules: GameRules::default(),
                openings: openings::read(&self.openings)?,
            },
        })
    }
}

/// Prints all parameters, with their effects if these were measured by games, and the values as a
/// configuration.
fn print(spsa: &Spsa, are_of_games: bool) -> io::Result<()> {
    for tuned in &spsa.tuned {
        let (effect, error) = spsa.effect(tuned);
        let effect = match are_of_games {
            true => format!(", effect {effect:+.1} ±{error:.1}"),
            false => String::new(),
        };
        say(format_args!(
            "{}: {} -> {:.2} ({} to {}, step {}){effect}",
            tuned.name, tuned.start, tuned.value, tuned.min, tuned.max, tuned.step
        ))?;
    }
    say(format_args!("{}", spsa.configuration()))
}

//! `tsumero-train regret`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::configuration::{Configuration, MoveLimits};
use crate::player::Player;
use crate::progress::{Progress, say, tell};
use crate::regret::{Comparison, Judge, Stretch, choices, draw_stretches};

/// Compare the moves that configurations choose, as a much longer search judges them.
///
/// A line for each configuration says how much better or worse its moves are than those of the
/// first one. This takes far fewer nodes than games, but only games decide.
#[derive(Debug, Args)]
pub struct Regret {
    /// Recorded games: the positions are drawn from them
    games: PathBuf,
    /// Configurations, as for duel; the first one is what the others are compared with
    #[arg(long = "configuration", required = true)]
    configurations: Vec<Configuration>,
    #[command(flatten)]
    positions: PositionArguments,
    /// File of judgments; it is created, and continued by later runs with the same judge
    #[arg(long)]
    judgments: PathBuf,
    /// Nodes for a position
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// The positions and the judge.
#[derive(Debug, Args)]
pub(super) struct PositionArguments {
    /// Nodes of the judge for a move
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) judge_nodes: u64,
    /// Configuration of the judge
    #[arg(long, default_value = "hash=32")]
    pub(super) judge: Configuration,
    /// Stretches of games
    #[arg(long, default_value_t = 500,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(super) stretches: usize,
    /// Positions of a stretch, two plies apart
    #[arg(long, default_value_t = 4,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=256))]
    pub(super) length: usize,
    /// Seed of the stretches
    #[arg(long, default_value_t = 1)]
    pub(super) draw: u64,
}

impl Regret {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        if self.configurations.len() < 2 {
            bail!("give at least two configurations");
        }
        let stretches = self.positions.stretches(&self.games)?;
        let mut judge = self.positions.judge(&self.judgments)?;
        let limits = MoveLimits { nodes: Some(self.nodes), ..MoveLimits::default() };
        let player = |configuration| Player::new(configuration, limits, None);
        let mut players: Vec<Player> =
            self.configurations.iter().map(player).collect::<Result<_, _>>()?;
        let mut comparisons = vec![Comparison::default(); players.len()];
        let mut progress = Progress::new(0);
        for (number, stretch) in stretches.iter().enumerate() {
            let chosen: Vec<_> =
                players.iter_mut().map(|player| choices(player, stretch)).collect();
            for (comparison, chosen_here) in comparisons.iter_mut().zip(&chosen) {
                let (mut different, mut difference) = (0, 0.0);
                for ((position, &first), &here) in
                    stretch.positions.iter().zip(&chosen[0]).zip(chosen_here)
                {
                    if first != here {
                        different += 1;
                        difference +=
                            judge.value(position, here)? - judge.value(position, first)?;
                    }
                }
                comparison.add(stretch.positions.len(), different, difference);
            }
            let done = number as u64 + 1;
            if progress.is_due() {
                let left = progress.time_left(done, stretches.len() as u64);
                tell(format_args!("{done} of {} stretches, {left} left", stretches.len()));
            }
        }
        for (configuration, comparison) in self.configurations.iter().zip(&comparisons).skip(1) {
            say(format_args!("{configuration}: {comparison}"))?;
        }
        tell(format_args!("{} new judgments", judge.made()));
        Ok(())
    }
}

impl PositionArguments {
    /// The stretches of a file of games.
    pub(super) fn stretches(&self, games: &Path) -> anyhow::Result<Vec<Stretch>> {
        Ok(draw_stretches(games, self.stretches, self.length, self.draw)?)
    }

    /// The judge, with the file of its judgments.
    pub(super) fn judge(&self, judgments: &Path) -> anyhow::Result<Judge> {
        Ok(Judge::open(judgments, &self.judge, self.judge_nodes)?)
    }
}

//! `tsumero-train duel`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use crate::configuration::{Configuration, MoveLimits};
use crate::duel::{Match, Report};
use crate::elo::{Sprt, Verdict};
use crate::game::GameRules;
use crate::openings;
use crate::progress::{say, tell};

/// When a side stops thinking about a move; at least one limit is needed.
#[derive(Clone, Debug, Args)]
pub(super) struct LimitArguments {
    /// Nodes for a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Nodes after which no further iteration begins
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub soft_nodes: Option<u64>,
    /// Depth for a move, in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Time for a move, in milliseconds
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
}

impl LimitArguments {
    /// The limits in the form of the library.
    pub(super) fn limits(&self) -> MoveLimits {
        MoveLimits {
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            depth: self.depth,
            time: self.time.map(Duration::from_millis),
        }
    }
}

/// Play two configurations against each other.
///
/// A configuration is a list of name=value pairs, separated by commas: limits of this side alone
/// (nodes, soft_nodes, depth, time in ms), eval (a network file, internal or none), hash in MB, threads,
/// mate_search, draw_value, level, seed, player (search or greedy), and the parameters of the search.
#[derive(Debug, Args)]
pub struct Duel {
    /// The first side; results are from its view
    #[arg(long, default_value = "")]
    a: Configuration,
    /// The second side
    #[arg(long, default_value = "")]
    b: Configuration,
    #[command(flatten)]
    limits: LimitArguments,
    /// File of opening lines; each is played twice, with colors exchanged
    #[arg(long, default_value = "scripts/openings.sfen")]
    openings: PathBuf,
    /// Seed of the order of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of games, an even number; without it, every opening is played once
    #[arg(long)]
    games: Option<u64>,
    /// Number of games at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Stop as soon as the sequential test has decided between two values of Elo
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Probability that the test accepts a change worth ELO0
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability that the test rejects a change worth ELO1
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Both sides' scores must have this size for a game to be adjudicated
    #[arg(long, default_value_t = 2500, value_parser = clap::value_parser!(i32).range(1..))]
    win_score: i32,
    /// Number of plies in a row with such scores that adjudicate a game; 0 for never
    #[arg(long, default_value_t = 6)]
    agreed_plies: u32,
    /// Games are drawn after this ply
    #[arg(long, default_value_t = 320)]
    max_plies: u32,
    /// File to which results are appended; the same command continues where it stopped
    #[arg(long)]
    log: Option<PathBuf>,
    /// A name for the match, stored in the log
    #[arg(long, default_value = "")]
    label: String,
}

impl Duel {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let duel = self.prepare()?;
        let Match { limits, max_pairs, .. } = duel;
        tell(format_args!("{} against {} ({limits}), {max_pairs} pairs", self.a, self.b));
        let report = duel.run(self.log.as_deref()).context("the match cannot go on")?;
        say_result(&report, duel.sprt.as_ref())
    }

    /// The match that was asked for.
    fn prepare(&self) -> anyhow::Result<Match> {
        let limits = self.limits.limits();
        for (name, side) in [("a", &self.a), ("b", &self.b)] {
            if side.limits.or(limits).is_unlimited() {
                bail!("side {name} has no limit: give --nodes, --depth or --time");
            }
        }
        let sprt = self.sprt()?;
        let openings = openings::shuffled(openings::read(&self.openings)?, self.seed);
        let max_pairs = match self.games {
            Some(games) if games % 2 == 1 => bail!("--games must be even, not {games}"),
            Some(games) => games / 2,
            None => openings.len() as u64,
        };
        let repeatable =
            [&self.a, &self.b].iter().all(|side| side.limits.or(limits).is_repeatable());
        if repeatable && max_pairs > openings.len() as u64 {
            tell(format_args!(
                "warning: {max_pairs} pairs on {} openings: with these limits games repeat, and \
                 the interval and the test take them for new ones",
                openings.len()
            ));
        }
        Ok(Match {
            sides: [self.a.clone(), self.b.clone()],
            limits,
            rules: GameRules {
                max_plies: self.max_plies,
                win_score: self.win_score,
                agreed_plies: self.agreed_plies,
                end_at_mate_score: false,
            },
            openings,
            sprt,
            max_pairs,
            threads: self.threads,
            label: self.label.clone(),
        })
    }

    fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some([elo0, elo1]) = self.sprt.as_deref() else { return Ok(None) };
        for (name, share) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(share > 0.0 && share < 0.5) {
                bail!("--{name} must be above 0 and below 0.5, not {share}");
            }
        }
        // Beyond this, the expected score is that of a side that always wins.
        const LARGEST: f64 = 2000.0;
        for elo in [elo0, elo1] {
            if elo.is_nan() || elo.abs() > LARGEST {
                bail!("--sprt takes Elo from -{LARGEST} to {LARGEST}, not {elo}");
            }
        }
        if elo0 >= elo1 {
            bail!("the first Elo of --sprt must be below the second");
        }
        Ok(Some(Sprt { elo0: *elo0, elo1: *elo1, alpha: self.alpha, beta: self.beta }))
    }
}

/// Prints what a match has come to.
fn say_result(report: &Report, sprt: Option<&Sprt>) -> anyhow::Result<()> {
    let Report { tally, verdict } = report;
    say(format_args!("{tally}"))?;
    let games = tally.games.iter().sum::<u64>().max(1);
    let endings: Vec<String> =
        tally.endings.iter().map(|(name, count)| format!("{name} {count}")).collect();
    say(format_args!("endings: {}; {} plies a game", endings.join(", "), tally.plies / games))?;
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        say(format_args!(
            "LLR {:+.2} ({lower:+.2} to {upper:+.2}), Elo {} against {}: {}",
            tally.pairs.log_likelihood_ratio(sprt.elo0, sprt.elo1),
            sprt.elo0,
            sprt.elo1,
            match verdict {
                Some(Verdict::AcceptedH1) => "H1 accepted",
                Some(Verdict::AcceptedH0) => "H0 accepted",
                None => "not decided",
            }
        ))?;
    }
    Ok(())
}

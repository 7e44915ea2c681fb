//! `tsumero-train datagen`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::duel::LimitArguments;
use crate::configuration::{Configuration, MoveLimits};
use crate::game::GameRules;
use crate::progress::say;
use crate::selfplay::SelfPlay;

/// Play games of the engine against itself and record them.
///
/// The games are appended to the file, so the same command continues where it was stopped. Without
/// a limit, --soft-nodes 1500 --nodes 15000.
#[derive(Debug, Args)]
pub struct Datagen {
    /// File of games
    file: PathBuf,
    /// The run ends when the file contains this many searched positions
    #[arg(long, default_value_t = 1_000_000)]
    positions: u64,
    /// In place of --positions: so many games, from the number --first on, in the order of their
    /// numbers and with the same bytes whatever the number of threads, if moves are limited by nodes or
    /// depth and a player has one thread
    #[arg(long, conflicts_with = "positions")]
    games: Option<u32>,
    /// Number of the first game
    #[arg(long, default_value_t = 0, requires = "games")]
    first: u32,
    /// Number of games at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the run; use another one for another file
    #[arg(long)]
    seed: u64,
    #[command(flatten)]
    limits: LimitArguments,
    /// Settings and parameters, as for duel
    #[arg(long, default_value = "hash=8")]
    configuration: Configuration,
    /// Least and greatest number of random moves at the beginning
    #[arg(long, num_args = 2, default_values_t = [7, 10])]
    random_plies: Vec<u32>,
    /// Above 0, the random moves are sensible ones: a move that loses so much against the best, by a
    /// search of one ply, is e times rarer than the best
    #[arg(long, default_value_t = 0.0)]
    opening_temperature: f64,
    /// Largest score after the random moves, for either side
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(i32).range(0..))]
    opening_score: i32,
    /// Both sides' scores must have this size for a game to be adjudicated
    #[arg(long, default_value_t = 3000, value_parser = clap::value_parser!(i32).range(1..))]
    win_score: i32,
    /// Number of plies in a row with such scores that adjudicate a game; 0 for never
    #[arg(long, default_value_t = 6)]
    agreed_plies: u32,
    /// Games are drawn after this ply, which comes after the random moves
    #[arg(long, default_value_t = 320)]
    max_plies: u32,
    /// A name for the header of the file, such as the commit of the engine
    #[arg(long, default_value = "")]
    label: String,
}

impl Datagen {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let [least, greatest] = self.random_plies[..] else {
            bail!("--random-plies needs two numbers");
        };
        if least > greatest {
            bail!("the first number of --random-plies must not be above the second");
        }
        // Games without a searched position would never fill the file.
        if greatest >= self.max_plies {
            bail!("--max-plies must be above {greatest}, the most random moves");
        }
        if !(0.0..=10_000.0).contains(&self.opening_temperature) {
            bail!("--opening-temperature must be from 0 to 10000");
        }
        let numbers = self.games.map(|games| Some(self.first..self.first.checked_add(games)?));
        let Some(numbers) = numbers.map_or(Some(None), |numbers| numbers.map(Some)) else {
            bail!("the number of the last game must be below {}", u32::MAX);
        };
        let mut limits = self.limits.limits();
        if self.configuration.limits.or(limits).is_unlimited() {
            limits = MoveLimits {
                soft_nodes: Some(1_500),
                nodes: Some(15_000),
                ..MoveLimits::default()
            };
        }
        // The same moves would follow from the same position.
        let repeats = self.configuration.settings.threads == 1
            && self.configuration.limits.or(limits).is_repeatable();
        if greatest == 0 && repeats && self.games != Some(1) {
            bail!(
                "all games would be the same: the second number of --random-plies must be above 0"
            );
        }
        let run = SelfPlay {
            configuration: self.configuration.clone(),
            limits,
            rules: GameRules {
                max_plies: self.max_plies,
                win_score: self.win_score,
                agreed_plies: self.agreed_plies,
                end_at_mate_score: true,
            },
            random_plies: least..=greatest,
            opening_temperature: self.opening_temperature,
            opening_score: self.opening_score,
            seed: self.seed,
            threads: self.threads,
            positions: self.positions,
            numbers,
            label: self.label.clone(),
        };
        let total = run.run(&self.file)?;
        say(format_args!(
            "{}: {} games, {} positions, {} draws",
            self.file.display(),
            total.games,
            total.positions,
            total.draws
        ))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        datagen: Datagen,
    }

    /// None of these would ever end: no game has a searched position, or none is balanced.
    #[test]
    fn a_run_that_cannot_end_is_refused() {
        let path = std::env::temp_dir().join(format!("tsumero-endless-{}", std::process::id()));
        let parsed = |arguments: &str| {
            let words = format!("datagen {} --seed 1 {arguments}", path.display());
            Line::try_parse_from(words.split_whitespace())
        };
        assert!(parsed("--opening-score=-1").is_err() && parsed("--win-score=-1").is_err());
        for arguments in ["--max-plies 10", "--random-plies 3 400", "--max-plies 0"] {
            let refused = parsed(arguments).unwrap().datagen.run().unwrap_err().to_string();
            assert!(refused.contains("--max-plies"), "{refused}");
        }
        assert!(!path.exists());
        // The side to move at the start is better, if only by a point.
        let run =
            "--games 1 --random-plies 0 0 --opening-score 0 --nodes 10 --configuration hash=1";
        let refused = parsed(run).unwrap().datagen.run().unwrap_err().to_string();
        assert!(refused.contains("--opening-score"), "{refused}");
        std::fs::remove_file(&path).unwrap();
    }

    /// Nobody could read such a file, not even the run that goes on with it.
    #[test]
    fn a_label_that_no_header_holds_is_refused() {
        let path = std::env::temp_dir().join(format!("tsumero-label-{}", std::process::id()));
        let run = |length: usize| {
            let label = "x".repeat(length);
            let words = format!(
                "datagen {} --seed 1 --games 1 --nodes 10 --configuration hash=1 --label {label}",
                path.display()
            );
            Line::try_parse_from(words.split_whitespace()).unwrap().datagen.run()
        };
        let refused = run(1 << 16).unwrap_err().to_string();
        assert!(refused.contains("--label"), "{refused}");
        assert!(!path.exists());
        run(64_000).unwrap();
        run(64_000).unwrap();
        std::fs::remove_file(&path).unwrap();
    }

    /// Without random moves, only the clock or a second thread could make two games differ.
    #[test]
    fn a_run_of_the_same_game_again_and_again_is_refused() {
        let path = std::env::temp_dir().join(format!("tsumero-same-{}", std::process::id()));
        let run = |limits: &str| {
            let words = format!("datagen {} --seed 1 --random-plies 0 0 {limits}", path.display());
            Line::try_parse_from(words.split_whitespace()).unwrap().datagen.run()
        };
        for limits in [
            "",
            "--nodes 10",
            "--depth 1",
            "--time 1 --configuration nodes=10",
            "--nodes 10 --games 2",
        ] {
            let refused = run(limits).unwrap_err().to_string();
            assert!(refused.contains("--random-plies"), "{refused}");
        }
        assert!(!path.exists());
        for limits in [
            "--positions 1 --time 1 --configuration hash=1",
            "--positions 1 --nodes 10 --configuration hash=1,threads=2",
            "--games 1 --nodes 10 --configuration hash=1",
        ] {
            run(limits).unwrap();
            std::fs::remove_file(&path).unwrap();
        }
    }
}

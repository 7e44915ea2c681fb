//! The subcommands of `tsumero-train`.
//!
//! Results go to standard output, progress and everything else to standard error. Exit codes: 0
//! done, 1 an error or values that do not go together, 2 arguments that cannot be read. One line says
//! what is wrong; two more show what differs where a file is from another run.

mod average;
mod choices;
mod datagen;
mod duel;
mod fit;
mod openings;
mod outputs;
mod records;
mod regret;
mod spsa;
mod train;

use std::thread;

use clap::{Parser, Subcommand};
use tsumero_search::STACK_SIZE;

/// Measures and tunes the Tsumero engine.
#[derive(Debug, Parser)]
#[command(name = "tsumero-train", version)]
pub struct Arguments {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play two configurations against each other
    Duel(Box<duel::Duel>),
    /// Print the moves that a configuration chooses in positions, and compare them with others
    Choices(Box<choices::Choices>),
    /// Compare the moves that configurations choose, as a longer search judges them
    Regret(Box<regret::Regret>),
    /// Play games of the engine against itself and record them
    Datagen(Box<datagen::Datagen>),
    /// Make balanced opening lines
    Openings(openings::MakeOpenings),
    /// Tune the parameters of the search by games
    Spsa(Box<spsa::TuneBySpsa>),
    /// Fit a linear evaluation to recorded games
    Fit(Box<fit::FitEvaluation>),
    /// Train an evaluation network on recorded games
    Train(Box<train::TrainNetwork>),
    /// Write the mean of several networks
    Average(average::AverageNetworks),
    /// Show statistics of files of games
    Stats(records::ShowStats),
    /// Convert records of games or positions to another format
    Convert(records::Convert),
}

impl Command {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// The error as text for people.
    pub fn run(&self) -> anyhow::Result<()> {
        // The main thread's stack may be too small for a search.
        thread::scope(|scope| {
            let work = || match self {
                Command::Duel(duel) => duel.run(),
                Command::Choices(choices) => choices.run(),
                Command::Regret(regret) => regret.run(),
                Command::Datagen(datagen) => datagen.run(),
                Command::Openings(openings) => openings.run(),
                Command::Spsa(spsa) => spsa.run(),
                Command::Fit(fit) => fit.run(),
                Command::Train(train) => train.run(),
                Command::Average(average) => average.run(),
                Command::Stats(stats) => stats.run(),
                Command::Convert(convert) => convert.run(),
            };
            let thread = thread::Builder::new().stack_size(2 * STACK_SIZE);
            match thread.spawn_scoped(scope, work)?.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of judgments belongs to tuning by moves, and tuning by games needs none.
    #[test]
    fn tuning_by_games_needs_no_judgments() {
        let parses = |arguments: &str| {
            let words = format!("tsumero-train spsa results.json --nodes 10 {arguments}");
            Arguments::try_parse_from(words.split_whitespace()).is_ok()
        };
        assert!(parses("") && parses("--moves games --judgments file"));
        assert!(!parses("--moves games") && !parses("--judgments file"));
    }

    /// Positions are drawn from one stretch or more, and each has one or more.
    #[test]
    fn there_are_positions_to_judge() {
        for command in ["regret games --configuration hash=1", "spsa file --moves games"] {
            let parses = |arguments: &str| {
                let words = format!("tsumero-train {command} --judgments file {arguments}");
                Arguments::try_parse_from(words.split_whitespace()).is_ok()
            };
            assert!(parses("--length 1 --stretches 1"), "{command}");
            assert!(!parses("--length 0") && !parses("--stretches 0"), "{command}");
        }
    }
}

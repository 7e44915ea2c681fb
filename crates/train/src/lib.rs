//! The workshop: measures changes of the engine, makes games, tunes parameters and trains networks.
//!
//! Everything runs in one process, by the subcommands in [`cli`]. `duel` plays two configurations of
//! the same program against each other to measure the strength of a change. `player` is one side,
//! `game` is one game under the rules, and `elo` interprets the results. `selfplay` plays games to learn
//! from, and `records` keeps them in files. `spsa` tunes parameters, `regret` compares configurations by
//! their moves, `fit` fits the evaluation by attack maps, and `training` trains networks.

#![forbid(unsafe_code)]

pub mod cli;
mod configuration;
mod duel;
mod elo;
mod expectation;
mod fingerprint;
mod fit;
mod game;
mod greedy;
mod openings;
mod parameters;
mod player;
pub mod progress;
mod records;
mod regret;
mod selfplay;
mod spsa;
mod stats;
mod training;
mod walk;
mod workers;

//! The workshop: measures changes of the engine and tunes its parameters.
//!
//! Everything runs in one process. A [`duel`] plays two configurations of the same program against
//! each other to measure the strength of a change. [`player`] is one side, [`game`] is one game
//! under the rules, and [`statistics`] interprets the results.

#![forbid(unsafe_code)]

pub mod cli;
pub mod configuration;
pub mod duel;
mod expectation;
pub mod fingerprint;
pub mod fit;
pub mod game;
pub mod greedy;
pub mod openings;
pub mod parameters;
pub mod player;
pub mod progress;
pub mod records;
pub mod regret;
pub mod selfplay;
pub mod spsa;
pub mod statistics;
pub mod stats;
pub mod training;
pub mod walk;
pub mod workers;

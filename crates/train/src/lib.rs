//! The workshop in which a change of the engine is measured and its numbers are tuned.
//!
//! Everything plays in one process: two configurations of the same program against each other
//! ([`duel`]), for the strength of one change. [`player`] is one side, [`game`] one game under the
//! rules, [`statistics`] says what the results mean.

#![forbid(unsafe_code)]

pub mod cli;
pub mod configuration;
pub mod duel;
pub mod fingerprint;
pub mod fit;
pub mod game;
pub mod openings;
pub mod parameters;
pub mod player;
pub mod progress;
pub mod records;
pub mod selfplay;
pub mod spsa;
pub mod statistics;
pub mod stats;
pub mod train;
pub mod walk;
pub mod workers;

//! What all searches of Tsumero have in common: what limits them, what stops them, how they use
//! the clock, and what they find a position to be worth.
//!
//! The search of ordinary shogi, the mate search and the search of quantum shogi stand on this
//! crate side by side. It knows clocks, signals between threads, scores and memory for tables. It
//! knows no moves, no position and no search, and of the core only the two colors.

#![deny(unsafe_code)]

mod evaluation;
mod limits;
#[allow(unsafe_code)]
mod memory;
mod score;
mod signals;
mod time;
mod time_settings;

pub use evaluation::Evaluation;
pub use limits::{Clock, Limits};
pub use memory::{ZeroedMemory, prefetch};
pub use score::{Bound, MAX_PLY, Score, ScoreKind};
pub use signals::Signals;
pub use time::TimeKeeper;
pub use time_settings::TimeSettings;

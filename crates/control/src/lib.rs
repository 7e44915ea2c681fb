//! What all searches of Tsumero share: questions, limits, stop and ponder signals, time management,
//! scores, reports and chance.
//!
//! Three searches build on this crate: that of ordinary shogi, that for mates and that of quantum shogi.
//! It knows clocks, signals between threads, scores and how many threads there is room for. It knows no
//! moves, no position and no search. Of the core it uses only the two colors. Questions and reports take
//! the types of positions and moves as parameters.

#![forbid(unsafe_code)]

mod chance;
mod evaluation;
mod instant;
mod limits;
mod margin;
mod question;
mod report;
mod score;
mod signals;
mod threads;
mod time_budget;
mod time_keeper;
mod time_settings;

pub use chance::chance;
pub use evaluation::Evaluation;
pub use instant::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use instant::{set_clock, set_pause};
pub use limits::{Clock, Limits};
pub use margin::time_to_use;
pub use question::Question;
pub use report::{BestMove, Info, nodes_per_second};
pub use score::{Bound, MAX_PLY, Score, ScoreKind};
pub use signals::Signals;
pub use threads::{THREAD_RESERVE, has_room_for, most_threads};
pub use time_keeper::TimeKeeper;
pub use time_settings::TimeSettings;

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

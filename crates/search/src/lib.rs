//! The search of the Tsumero shogi engine.
//!
//! This crate knows positions, clocks and threads, but no text: what it finds is handed out as
//! data ([`Info`], [`BestMove`]) and whoever speaks a protocol turns it into words.

#![deny(unsafe_code)]

mod alpha_beta;
mod bench;
mod dfpn;
mod evaluate;
mod full_width;
mod history;
mod iterate;
mod key_map;
mod limits;
mod mate;
mod mate_extension;
#[allow(unsafe_code)]
mod memory;
mod move_picker;
mod pruning;
mod quiescence;
mod report;
mod score;
mod searcher;
mod see;
mod settings;
mod shared;
mod signals;
#[cfg(test)]
mod testing;
mod time;
pub mod tsume;
mod tt;
mod worker;

pub use bench::{BenchLine, BenchOptions, BenchResult, bench};
pub use evaluate::{Evaluation, evaluate};
pub use limits::{Clock, Limits};
pub use mate::{
    FirstMove, MATE_STACK_SIZE, MateAnswer, MateChoices, MateEffort, MateInfo, MateLimits,
    MateSolver, MateUnknown, solve_mate,
};
pub use report::{BestMove, Info};
pub use score::{Bound, MAX_PLY, Score, ScoreKind};
pub use searcher::{STACK_SIZE, Searcher, SearcherError};
pub use settings::Settings;
pub use signals::Signals;
pub use time::TimeKeeper;

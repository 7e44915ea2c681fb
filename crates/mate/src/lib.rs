//! The mate search (詰将棋 solver) of the Tsumero shogi engine: can the side to move mate by checks
//! alone?
//!
//! [`MateSolver`] answers the question for one position after another, with one thread or several.
//! [`dfpn`] is the search below it, for callers with a table and a [`Watch`] of their own.
//! [`tsume`] judges and makes mate problems.
//!
//! This crate knows positions, limits of a search and threads. It knows no evaluation, no
//! transposition table of a game search, no game clock and no text. It does not look at the game
//! before the root.

#![forbid(unsafe_code)]

pub mod dfpn;
mod full_width;
mod key_map;
mod mate;
pub mod tsume;
mod watch;

pub use mate::{
    FirstMove, MATE_STACK_SIZE, MateAnswer, MateChoices, MateEffort, MateInfo, MateLimits,
    MateSolver,
};
pub use watch::{MateUnknown, Watch};

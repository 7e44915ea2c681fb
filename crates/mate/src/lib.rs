//! The mate search (詰将棋 solver) of the Tsumero shogi engine: can the side to move mate by checks
//! alone?
//!
//! [`MateSolver`] answers the question for one position after another, with one thread or several.
//! [`dfpn`] is the search below it, for callers with a table and a [`Watch`] of their own.
//! [`tsume`] judges and makes mate problems.
//!
//! | entry point | question | file |
//! |---|---|---|
//! | [`MateSolver::solve`] | is there a mate, and which is the shortest? | `solver.rs` |
//! | [`MateSolver::solve_problem`] | the same for a problem that starts in check | `solver/first_moves.rs` |
//! | [`MateSolver::solve_all`] | which first moves mate? | `solver/first_moves.rs` |
//! | [`MateSolver::solve_others`] | which moves mate beside that of a known mate? | `solver/first_moves.rs` |
//! | [`MateSolver::length_without_futile`] | how long is the mate without futile interpositions (無駄合)? | `solver/futile.rs` |
//! | [`dfpn::Dfpn::solve`] | is there a mate within a length? (df-pn) | `dfpn/mod.rs` |
//! | [`dfpn::Dfpn::line`] | the line of a proven mate, replayed | `dfpn/proof.rs` |
//! | [`tsume::Judge::judge`] | is a problem sound? | `tsume/soundness.rs` |
//! | [`tsume::Judge::report`] | which second solutions are there? | `tsume/report.rs` |
//! | [`tsume::Judge::idle`] | which of its pieces are idle? | `tsume/soundness.rs` |
//! | [`tsume::Generator::problem`] | a new sound problem | `tsume/generate.rs` |
//!
//! The full-width search of short mates is `full_width.rs`, the check of limits
//! `solver/solver_watch.rs`. A mate in one alone is [`tsumero_core::Position::mate_in_one`].
//!
//! This crate knows positions, limits of a search and threads. It knows no evaluation, no
//! transposition table of a game search, no game clock and no text. It does not look at the game
//! before the root.

#![forbid(unsafe_code)]

pub mod dfpn;
mod full_width;
mod lists;
mod solver;
#[cfg(test)]
mod stack;
pub mod tsume;
mod watch;

pub use solver::{
    Mate, MateAnswer, MateChoices, MateEffort, MateInfo, MateLimits, MateQuestion, MateSolver,
};
pub use tsumero_control::Signals;
pub use watch::{MateUnknown, NodeLimit, Watch};

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

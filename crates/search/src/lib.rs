//! The search of the Tsumero shogi engine.
//!
//! This crate knows positions, evaluation and threads. Limits, clock and scores come from
//! `tsumero-control`, mates at the root from `tsumero-mate`. Apart from names and errors, the crate knows
//! no text: it reports data ([`Info`], [`BestMove`]), and the caller turns them into words.
//!
//! | entry point | what it does | file |
//! |---|---|---|
//! | [`Searcher::search`] | searches a position until a limit, and reports on the way | `searcher.rs` |
//! | [`Searcher::new`], [`Searcher::resize`], [`Searcher::clear`] | the transposition table and the learned tables | `searcher.rs`, `tt.rs` |
//! | [`EvaluationFunction`] | the static value of a position, by a network or by attack maps ([`evaluate_by_attack_maps`]) | `evaluate/` |
//! | [`EvaluationChoice`] | which evaluation a user has named, and how to read it | `evaluate/choice.rs` |
//! | [`Level`] | weaker play, for people | `level/` |
//! | [`bench`](bench()) | searches fixed positions; the node count is the signature of the search | `bench.rs` |
//!
//! Iterative deepening is in `iterate.rs`, alpha-beta in `alpha_beta.rs` (a node) and
//! `node_moves.rs` (its moves), quiescence in `quiescence.rs`, the pruning rules in
//! `node_pruning.rs` and `pruning.rs`, move ordering in `move_picker.rs`.

#![deny(unsafe_code)]

mod alpha_beta;
mod bench;
mod corrections;
mod danger;
mod evaluate;
mod history;
mod iterate;
mod learning;
mod level;
mod lookup;
mod mate_extension;
mod mate_table;
mod move_picker;
mod near;
mod node;
mod node_moves;
mod node_pruning;
mod parameters;
mod plan;
mod pruning;
mod quiescence;
mod quiet_scores;
mod reduction;
mod report;
mod reporter;
mod root;
mod root_mates;
mod root_moves;
mod scope;
mod searcher;
mod see;
mod settings;
mod shared;
mod stability;
mod structure;
mod team;
#[cfg(test)]
mod testing;
mod tt;
mod vote;
mod window;
mod worker;

pub use bench::{BenchLine, BenchOptions, BenchResult, bench};
#[cfg(feature = "tune")]
pub use evaluate::features::{FEATURES, Feature, STATES, feature, features, present_weights};
pub use evaluate::{
    EvaluationChoice, EvaluationFileError, EvaluationFunction, EvaluationSource, NetworkEvaluation,
    evaluate_by_attack_maps,
};
pub use level::Level;
pub use parameters::{ParameterInfo, Parameters};
pub use plan::STACK_SIZE;
pub use report::{BestMove, Info};
pub use searcher::{Question, Searcher, SearcherError};
pub use settings::Settings;
pub use tsumero_control::{Clock, Limits, Score, ScoreKind, Signals};

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

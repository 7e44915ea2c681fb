//! Reports of the search: progress while it runs, and its answer.

use tsumero_core::Move;

/// Progress of a search: one line of play with its score.
pub type Info = tsumero_control::Info<Move>;

/// The answer of a search.
pub type BestMove = tsumero_control::BestMove<Move>;

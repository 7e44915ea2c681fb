//! The search as the outside sees it.

use std::time::Instant;

use tsumero_core::Position;

use crate::limits::Limits;
use crate::report::{BestMove, Info};
use crate::settings::Settings;
use crate::signals::Signals;

/// Why the searcher could not do what it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearcherError {
    /// The transposition table of the size asked for does not fit into memory.
    #[error("not enough memory for a transposition table of {megabytes} MB")]
    OutOfMemory {
        /// The size asked for.
        megabytes: usize,
    },
}

/// Everything that lives as long as the engine: the transposition table and what the threads
/// have learned.
pub struct Searcher {}

impl Searcher {
    /// A searcher whose transposition table takes `megabytes` (at least 1) of memory, or as much
    /// of that as there is.
    pub fn new(megabytes: usize) -> Searcher {
        let _ = megabytes;
        Searcher {}
    }

    /// Replaces the transposition table by an empty one of `megabytes` (at least 1).
    ///
    /// # Errors
    /// [`SearcherError::OutOfMemory`]; the old table stays in use then.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), SearcherError> {
        let _ = megabytes;
        Ok(())
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {}

    /// Searches the position and returns what to play. Blocks until done.
    ///
    /// `started` is when the search was asked for; all times count from there. Nothing is
    /// reported after the return, and the last [`Info`] belongs to the answer: its score is
    /// exact and its line starts with the best move.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
        started: Instant,
        report: &mut dyn FnMut(Info),
    ) -> BestMove {
        let _ = (position, limits, settings, signals, started, report);
        BestMove::Resign
    }
}

//! The question to a search for the best move.

use crate::{Instant, Limits, Signals};

/// What a search for the best move is asked. `P` is the type of its positions, with what happened
/// before, `M` that of its moves, and `S` that of its settings.
#[derive(Debug)]
pub struct Question<'a, P, M, S> {
    /// The position, with the game so far.
    pub position: &'a P,
    /// The limits: the first one that is reached counts.
    pub limits: &'a Limits,
    /// The root moves to choose from; empty for all legal ones. Illegal moves are ignored; if none is left, all
    /// legal moves are searched.
    pub search_moves: &'a [M],
    /// The settings.
    pub settings: &'a S,
    /// The signals that stop the search. Each search needs new ones.
    pub signals: &'a Signals,
    /// When the question was asked: all times count from there.
    pub started: Instant,
}

impl<'a, P, M, S> Question<'a, P, M, S> {
    /// A question about all moves, asked now.
    pub fn new(
        position: &'a P,
        limits: &'a Limits,
        settings: &'a S,
        signals: &'a Signals,
    ) -> Question<'a, P, M, S> {
        let started = Instant::now();
        Question { position, limits, search_moves: &[], settings, signals, started }
    }
}

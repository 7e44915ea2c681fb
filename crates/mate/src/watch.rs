//! What keeps a mate search going, and why one ends without an answer.

/// What keeps a search going or ends it: asked once for every node.
pub trait Watch {
    /// Counts a node.
    ///
    /// # Errors
    /// The search is to end without an answer.
    fn enter_node(&mut self) -> Result<(), MateUnknown>;
    /// Nodes counted.
    fn nodes(&self) -> u64;
}

/// Why a mate search does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateUnknown {
    /// The time was over.
    Time,
    /// All nodes were used.
    Nodes,
    /// There was no room for the table of results, or the proof could not be replayed from it.
    Memory,
    /// The search was told to stop.
    Stopped,
}

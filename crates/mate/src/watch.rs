//! Limits of a mate search: what ends one, and the reasons why it ends without an answer.

/// Decides whether a search continues. The search asks it once at every node.
pub trait Watch {
    /// Counts a node.
    ///
    /// # Errors
    /// The search must end without an answer.
    fn enter_node(&mut self) -> Result<(), MateUnknown>;
    /// Nodes counted.
    fn nodes(&self) -> u64;
}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn enter_node(&mut self) -> Result<(), MateUnknown> {
        (**self).enter_node()
    }

    fn nodes(&self) -> u64 {
        (**self).nodes()
    }
}

/// Why a mate search has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateUnknown {
    /// The time is used up.
    Time,
    /// The nodes are used up.
    Nodes,
    /// There was no room for the table of results, or the proof could not be replayed from it.
    Memory,
    /// The search was told to stop.
    Stopped,
}

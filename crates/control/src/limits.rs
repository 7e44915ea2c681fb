//! Limits of a search: what a `go` command asks for, as data.

use std::time::Duration;

use tsumero_core::ByColor;

/// The limits of one search. The first limit reached ends it. Without any limit, and with
/// `infinite` or `ponder`, the search answers only when it is told to.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Number of nodes, over all threads.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The game clock.
    pub clock: Option<Clock>,
    /// Answer only after a stop, whatever the other limits say.
    pub infinite: bool,
    /// The opponent is still thinking: answer only after a ponder hit or a stop. The clock starts
    /// at the hit.
    pub ponder: bool,
}

impl Limits {
    /// Whether the search may answer only after a stop: it was asked to think without end, or it
    /// has no limit at all.
    pub fn waits_for_stop(&self) -> bool {
        self.infinite
            || (!self.ponder
                && self.depth.is_none()
                && self.nodes.is_none()
                && self.movetime.is_none()
                && self.clock.is_none())
    }
}

/// The game clock when the search starts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// Main time left.
    pub remaining: ByColor<Duration>,
    /// Time added for each move.
    pub increment: ByColor<Duration>,
    /// Time for every move once the main time is gone; it is not saved up.
    pub byoyomi: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_search_without_limits_waits_for_a_stop() {
        assert!(Limits::default().waits_for_stop());
        assert!(Limits { infinite: true, depth: Some(3), ..Limits::default() }.waits_for_stop());
        assert!(!Limits { ponder: true, ..Limits::default() }.waits_for_stop());
        assert!(!Limits { depth: Some(3), ..Limits::default() }.waits_for_stop());
        assert!(!Limits { clock: Some(Clock::default()), ..Limits::default() }.waits_for_stop());
    }
}

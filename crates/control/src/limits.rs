//! Limits of a search: what a `go` command asks for, as data.

use std::time::Duration;

use tsumero_core::ByColor;

use crate::score::Score;

/// The limits of one search. The first limit reached ends it. Without any limit, and with
/// `infinite` or `ponder`, the search answers only when it is told to.
///
/// ```
/// use std::time::Duration;
///
/// use tsumero_control::Limits;
///
/// // Three seconds for the move, but no more than twelve plies.
/// let limits = Limits {
///     depth: Some(12),
///     movetime: Some(Duration::from_secs(3)),
///     ..Limits::default()
/// };
/// assert!(!limits.waits_for_stop());
/// // The same limits after `go infinite`: only a stop ends the search.
/// assert!(Limits { infinite: true, ..limits }.waits_for_stop());
/// ```
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
        self.infinite || !(self.ponder || self.has_limit())
    }

    /// Whether there is a limit that can end the search without a stop.
    pub fn has_limit(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
    }

    /// The deepest iteration of a search that can reach `deepest`, at least 1. The setting limits it
    /// too. With `infinite`, nothing does.
    ///
    /// ```
    /// use tsumero_control::Limits;
    ///
    /// let limits = Limits { depth: Some(12), nodes: Some(500), ..Limits::default() };
    /// assert_eq!((limits.depth_within(Some(20), 127), limits.depth_within(Some(5), 127)), (12, 5));
    /// assert_eq!((limits.nodes_within(None), limits.nodes_within(Some(100))), (500, 100));
    /// let infinite = Limits { infinite: true, ..limits };
    /// assert_eq!(infinite.depth_within(Some(5), 127), 127);
    /// assert_eq!(infinite.nodes_within(Some(100)), u64::MAX);
    /// ```
    pub fn depth_within(&self, setting: Option<u32>, deepest: u32) -> u32 {
        if self.infinite {
            return deepest;
        }
        [self.depth, setting].into_iter().flatten().fold(deepest, u32::min).max(1)
    }

    /// The largest number of nodes, [`u64::MAX`] for no limit. The setting limits it too. With
    /// `infinite`, nothing does.
    pub fn nodes_within(&self, setting: Option<u64>) -> u64 {
        if self.infinite {
            return u64::MAX;
        }
        [self.nodes, setting].into_iter().flatten().fold(u64::MAX, u64::min)
    }

    /// Whether to resign a position with this score: it has fallen to minus the setting. Nobody resigns
    /// in an analysis, which only a stop ends.
    ///
    /// ```
    /// use tsumero_control::{Limits, Score};
    ///
    /// let limits = Limits { depth: Some(12), ..Limits::default() };
    /// assert!(limits.resigns(Score::new(-3_000), Some(3_000)));
    /// assert!(!limits.resigns(Score::new(-2_999), Some(3_000)));
    /// assert!(!limits.resigns(Score::mated_in(2), None));
    /// assert!(!Limits::default().resigns(Score::mated_in(2), Some(3_000)));
    /// ```
    pub fn resigns(&self, score: Score, setting: Option<i32>) -> bool {
        setting.is_some_and(|value| score.value() <= value.saturating_neg())
            && !self.waits_for_stop()
    }
}

/// The game clock when the search starts.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use tsumero_control::{Clock, Limits, Signals, TimeKeeper, TimeSettings};
/// use tsumero_core::{ByColor, Color};
///
/// // Black has ten minutes left. White has only the byoyomi of ten seconds.
/// let seconds = Duration::from_secs;
/// let remaining = ByColor([seconds(600), Duration::ZERO]);
/// let clock = Clock { remaining, byoyomi: seconds(10), ..Clock::default() };
/// let limits = Limits { clock: Some(clock), ..Limits::default() };
/// let (settings, signals) = (TimeSettings::default(), Signals::new());
/// // After twelve seconds Black may think on, and White should have moved.
/// let started = Instant::now() - seconds(12);
/// let is_over =
///     |side| TimeKeeper::new(&limits, &settings, &signals, side, 30, started).must_stop();
/// assert!(!is_over(Color::Black) && is_over(Color::White));
/// ```
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

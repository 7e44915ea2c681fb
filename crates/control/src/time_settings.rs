//! Settings of time management, as the engine's options set them.

use std::time::Duration;

/// Settings of time management. The defaults are those that the engine's options announce.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use tsumero_control::{Clock, Limits, Signals, TimeKeeper, TimeSettings};
/// use tsumero_core::Color;
///
/// // Both players sit at one computer, so no move is delayed on its way.
/// let usual = TimeSettings::default();
/// let local = TimeSettings {
///     network_delay: Duration::ZERO,
///     network_delay2: Duration::ZERO,
///     ..usual.clone()
/// };
/// // 29 of 30 seconds of byoyomi are over. Only without delays is there time left.
/// let clock = Clock { byoyomi: Duration::from_secs(30), ..Clock::default() };
/// let limits = Limits { clock: Some(clock), ..Limits::default() };
/// let (signals, started) = (Signals::new(), Instant::now() - Duration::from_secs(29));
/// let is_over =
///     |set| TimeKeeper::new(&limits, set, &signals, Color::Black, 1, started).must_stop();
/// assert!(is_over(&usual) && !is_over(&local));
/// ```
#[derive(Clone, Debug)]
pub struct TimeSettings {
    /// The time that the way to the server costs on every move.
    pub network_delay: Duration,
    /// The margin that is kept on the clock: at most a twentieth of the time left. What exceeds the
    /// default is kept in full, but the whole margin is at most half of the time.
    pub network_delay2: Duration,
    /// The engine does not move earlier than this, as far as the clock allows. An only move and a settled
    /// mate are played at once.
    pub minimum_thinking_time: Duration,
    /// Share of the usual thinking time to use, in percent.
    pub slow_mover: u32,
    /// Whether the server charges only full seconds. Thinking to the end of a begun second then
    /// costs nothing. It is never applied where the time left, the increment or the byoyomi has a fraction
    /// of a second.
    pub round_up_to_full_second: bool,
    /// Whether the engine may ponder on the opponent's time. This changes only the use of time.
    pub ponder_enabled: bool,
}

impl Default for TimeSettings {
    fn default() -> TimeSettings {
        TimeSettings {
            network_delay: Duration::from_millis(120),
            network_delay2: Duration::from_millis(1120),
            minimum_thinking_time: Duration::from_millis(2000),
            slow_mover: 100,
            round_up_to_full_second: true,
            ponder_enabled: false,
        }
    }
}

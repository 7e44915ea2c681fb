//! Settings of time management, as the engine's options set them.

use std::time::Duration;

/// Settings of time management. The defaults are those that the engine's options announce.
#[derive(Clone, Debug)]
pub struct TimeSettings {
    /// The time that the way to the server costs on every move.
    pub network_delay: Duration,
    /// The margin kept when the clock would run out.
    pub network_delay2: Duration,
    /// The engine does not move earlier than this, as far as the clock allows.
    pub minimum_thinking_time: Duration,
    /// Share of the usual thinking time to use, in percent.
    pub slow_mover: u32,
    /// Whether the server charges only full seconds. Thinking to the end of a begun second then
    /// costs nothing. It is never applied to clocks with fractions of a second.
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

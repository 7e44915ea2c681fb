//! Tests times that are too long for any computation. They mean what every long time means: time
//! does not end the search.

use std::time::{Duration, Instant};

use tsumero_control::{Clock, Limits, Signals, TimeKeeper, TimeSettings};
use tsumero_core::{ByColor, Color};

/// Some 600 years, what the search of Python is given for `seconds=1e18`, and the longest of all.
const LONG: [Duration; 4] = [
    Duration::from_secs(20_000_000_000),
    Duration::from_secs(1_000_000_000_000_000_000),
    Duration::from_secs(u64::MAX - 1),
    Duration::MAX,
];

fn by_clock(remaining: Duration, increment: Duration, byoyomi: Duration) -> Limits {
    let clock =
        Clock { remaining: ByColor([remaining; 2]), increment: ByColor([increment; 2]), byoyomi };
    Limits { clock: Some(clock), ..Limits::default() }
}

/// Whether time ends the search now, by both questions that a search asks.
fn time_ends(limits: &Limits, settings: &TimeSettings, started: Instant) -> bool {
    [1, 100, 300, u32::MAX].into_iter().any(|scale| {
        let signals = Signals::new();
        let mut keeper = TimeKeeper::new(limits, settings, &signals, Color::Black, 30, started);
        keeper.must_stop() || keeper.should_stop(scale)
    })
}

#[test]
fn a_time_longer_than_any_computation_does_not_end_the_search() {
    let zero = Duration::ZERO;
    let hour_ago = Instant::now().checked_sub(Duration::from_secs(3600));
    let started = hour_ago.unwrap_or_else(Instant::now);
    for long in LONG {
        for limits in [
            Limits { movetime: Some(long), ..Limits::default() },
            Limits { movetime: Some(long), ..by_clock(long, long, long) },
            by_clock(long, zero, zero),
            by_clock(zero, long, zero),
            by_clock(zero, zero, long),
            by_clock(long, long, long),
        ] {
            for slow_mover in [1, 100, u32::MAX] {
                let settings = TimeSettings { slow_mover, ..TimeSettings::default() };
                assert!(!time_ends(&limits, &settings, started), "{limits:?} {slow_mover}");
            }
        }
    }
}

#[test]
fn settings_may_be_as_long_and_leave_half_of_the_clock() {
    let settings = TimeSettings {
        network_delay: Duration::MAX,
        network_delay2: Duration::MAX,
        minimum_thinking_time: Duration::MAX,
        ..TimeSettings::default()
    };
    let limits = by_clock(Duration::ZERO, Duration::ZERO, Duration::from_secs(6));
    let now = Instant::now();
    assert!(!time_ends(&limits, &settings, now));
    assert!(time_ends(&limits, &settings, now - Duration::from_secs(4)));
}

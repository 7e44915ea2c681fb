//! Time management: how long to think, as a pure function of limits, side and ply.

use std::time::Duration;

use tsumero_core::Color;

use crate::limits::{Clock, Limits};
use crate::margin::{margin, time_to_use};
use crate::time_settings::TimeSettings;

/// The time for one move, counted from when the search was asked for (or from the ponder hit).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeBudget {
    /// The search does not answer earlier, except with an only move or a settled mate.
    pub(crate) minimum: Duration,
    /// The time to use when nothing unusual happens.
    pub(crate) optimum: Duration,
    /// When the answer must be on its way.
    pub(crate) maximum: Duration,
    /// Whether unused time is kept for later moves.
    pub(crate) can_be_saved: bool,
    /// The main time, where byoyomi follows it. With the main time gone, what remains of the byoyomi
    /// cannot be saved.
    pub(crate) before_byoyomi: Option<Duration>,
    /// Set where begun seconds are not charged. It is the part of each second that the way to the
    /// server takes.
    pub(crate) free_seconds: Option<Duration>,
}

impl TimeBudget {
    /// A budget to be used whole.
    pub(crate) const fn all(time: Duration) -> TimeBudget {
        TimeBudget {
            minimum: time,
            optimum: time,
            maximum: time,
            can_be_saved: false,
            before_byoyomi: None,
            free_seconds: None,
        }
    }

    /// The time after which a finished iteration is the last one. `scale` compares the time needed
    /// with the usual time, in percent; it is 0 if there is nothing to think about. `pondered` is how
    /// long the position was thought about on the opponent's time.
    pub(crate) fn wanted(&self, scale: u32, pondered: Duration) -> Duration {
        if scale == 0 {
            return Duration::ZERO;
        }
        let needed = self.optimum.saturating_mul(scale) / 100;
        let needed = if self.can_be_saved {
            needed.saturating_sub(pondered / 2).max(needed / 4)
        } else {
            needed
        };
        if self.before_byoyomi.is_some_and(|main| needed >= main) {
            return self.maximum;
        }
        // If only full seconds are charged, thinking to the end of a begun second costs nothing.
        let needed = match self.free_seconds {
            Some(delay) => to_end_of_second(needed, delay),
            None => needed,
        };
        needed.max(self.minimum).min(self.maximum)
    }
}

/// The time for a move when the clock leaves none at all: enough to look at the position once.
const NO_TIME_AT_ALL: Duration = Duration::from_millis(10);

/// The time budget, or `None` if time does not limit the search.
pub(crate) fn time_budget(
    limits: &Limits,
    settings: &TimeSettings,
    side: Color,
    ply: u32,
) -> Option<TimeBudget> {
    let by_clock = limits.clock.map(|clock| clock_budget(&clock, settings, side, ply));
    let by_movetime = limits.movetime.map(|time| {
        TimeBudget::all(if time.is_zero() { NO_TIME_AT_ALL } else { time_to_use(time) })
    });
    match (by_clock, by_movetime) {
        (Some(clock), Some(movetime)) => Some(TimeBudget {
            minimum: clock.minimum.min(movetime.maximum),
            optimum: clock.optimum.min(movetime.maximum),
            maximum: clock.maximum.min(movetime.maximum),
            ..clock
        }),
        (budget, None) | (None, budget) => budget,
    }
}

/// The number of shares into which the rest of the main time is divided; a usual move takes one. In the
/// opening, these are more than the moves to come: games showed that time is worth more later. The number
/// never becomes small: shogi games last 110 to 120 plies on average, but some last 250.
fn shares_left(ply: u32) -> u32 {
    94u32.saturating_sub(ply / 5 * 3).max(28)
}

/// The most shares that a move in doubt may take.
const MOST_SHARES: u32 = 9;

/// Under a clock with increments, the main time falls to a few of them and stays there. On a busy machine
/// an answer may be a tenth of a second late, so some increments are kept for that.
const INCREMENTS_KEPT: u32 = 4;
/// No answer is so late that it needs more.
const MOST_KEPT: Duration = Duration::from_secs(1);

fn clock_budget(clock: &Clock, settings: &TimeSettings, side: Color, ply: u32) -> TimeBudget {
    let remaining = clock.remaining[side];
    let increment = clock.increment[side];
    // Some programs send the main time with the increment already added, others without. The larger
    // of the two is there in either case.
    let available = remaining.max(increment).saturating_add(clock.byoyomi);
    if available.is_zero() {
        return TimeBudget { maximum: NO_TIME_AT_ALL, ..TimeBudget::all(Duration::ZERO) };
    }
    let ceiling = available - margin(settings.network_delay2, available);

    // The main time is spread over the moves to come, less what is kept for late answers. Increments and
    // byoyomi are new for every move. Nearly all of the byoyomi can be used every time, because it is
    // not saved up.
    let kept = increment.saturating_mul(INCREMENTS_KEPT).min(MOST_KEPT);
    let share = remaining.saturating_sub(kept) / shares_left(ply);
    let periodic = (increment.saturating_mul(9) / 10).saturating_add(clock.byoyomi);
    let percent = if settings.ponder_enabled { 125 } else { 100 };
    let usual = (share.saturating_mul(settings.slow_mover) / 100).saturating_mul(percent) / 100;
    let optimum = usual.saturating_add(periodic).min(ceiling);
    let maximum = share.saturating_mul(MOST_SHARES).saturating_add(periodic).min(ceiling);
    // With byoyomi alone there is nothing to save.
    let can_be_saved = !remaining.is_zero() || !increment.is_zero();
    let optimum = if can_be_saved { optimum } else { ceiling };
    let before_byoyomi = (!clock.byoyomi.is_zero()).then_some(remaining.max(increment));
    let maximum = maximum.max(optimum);
    let maximum =
        if before_byoyomi.is_some_and(|main| maximum >= main) { ceiling } else { maximum };
    // A minimum that the clock does not allow must not use all that the clock allows.
    let minimum = if !can_be_saved {
        optimum
    } else if settings.minimum_thinking_time <= optimum {
        settings.minimum_thinking_time
    } else {
        optimum / 4
    };

    let whole_seconds =
        [remaining, increment, clock.byoyomi].iter().all(|time| time.subsec_millis() == 0)
            && available >= Duration::from_secs(10);
    let free_seconds =
        (settings.round_up_to_full_second && whole_seconds).then_some(settings.network_delay);
    let round = |time: Duration| match free_seconds {
        Some(delay) => to_end_of_second(time, delay).min(ceiling),
        None => time,
    };
    TimeBudget {
        minimum: round(minimum),
        optimum,
        maximum: round(maximum),
        can_be_saved,
        before_byoyomi,
        free_seconds,
    }
}

/// The latest moment that costs no more full seconds than `time` does.
fn to_end_of_second(time: Duration, network_delay: Duration) -> Duration {
    let delay = network_delay.min(Duration::from_millis(500));
    let charged = time.saturating_add(delay).as_secs();
    Duration::from_secs(charged.saturating_add(1)) - delay - Duration::from_millis(1)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tsumero_core::ByColor;

    pub(crate) fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// A clock with the same times for both sides, in milliseconds.
    pub(crate) fn clock(remaining: u64, increment: u64, byoyomi: u64) -> Limits {
        let clock = Clock {
            remaining: ByColor([ms(remaining); 2]),
            increment: ByColor([ms(increment); 2]),
            byoyomi: ms(byoyomi),
        };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    fn budget(limits: &Limits, settings: &TimeSettings, ply: u32) -> TimeBudget {
        time_budget(limits, settings, Color::Black, ply).expect("time limits the search")
    }

    #[test]
    fn nothing_but_a_clock_or_movetime_limits_the_time() {
        let limits = Limits { depth: Some(5), nodes: Some(1000), ..Limits::default() };
        assert_eq!(time_budget(&limits, &TimeSettings::default(), Color::Black, 1), None);
    }

    #[test]
    fn byoyomi_is_used_nearly_to_the_end_but_never_over_it() {
        for no_delay in [false, true] {
            let mut settings = TimeSettings::default();
            if no_delay {
                (settings.network_delay, settings.network_delay2) = (ms(0), ms(0));
            }
            for byoyomi in [5, 10, 50, 100, 200, 500, 1000, 3000, 5500] {
                let all = ms(byoyomi);
                let budget = budget(&clock(0, 0, byoyomi), &settings, 40);
                assert!(budget.maximum < all, "{byoyomi} {budget:?}");
                assert!(budget.maximum >= all * 89 / 100, "{byoyomi} {budget:?}");
                if byoyomi >= 80 {
                    assert!(budget.maximum >= all * 95 / 100, "{byoyomi} {budget:?}");
                }
                // Unused time cannot be saved, so all of it is used, however clear the best move
                // is.
                for scale in [30, 75, 100, 200] {
                    assert_eq!(budget.wanted(scale, ms(5_000)), budget.maximum);
                }
            }
        }
        let budget = budget(&clock(0, 0, 100), &TimeSettings::default(), 40);
        assert_eq!(budget.maximum, ms(95));
    }

    #[test]
    fn a_slow_connection_gets_the_margin_that_is_set() {
        for (delay, maximum) in [(1120, 9_500), (2120, 8_500), (10_000, 5_000)] {
            let settings = TimeSettings { network_delay2: ms(delay), ..TimeSettings::default() };
            assert_eq!(budget(&clock(0, 0, 10_000), &settings, 40).maximum, ms(maximum));
        }
    }

    #[test]
    fn no_time_at_all_means_a_quick_move() {
        for limits in [clock(0, 0, 0), Limits { movetime: Some(ms(0)), ..Limits::default() }] {
            assert_eq!(budget(&limits, &TimeSettings::default(), 1).maximum, ms(10));
        }
    }

    #[test]
    fn main_time_is_spread_over_the_moves_to_come() {
        assert_eq!([1, 60, 120, 300].map(shares_left), [94, 58, 28, 28]);
        let settings = TimeSettings { minimum_thinking_time: ms(0), ..TimeSettings::default() };
        // Of 77 seconds, one is kept. The usual time is a 76th of the rest with nine tenths of the
        // increment. At most nine 76ths are used.
        let plain = budget(&clock(77_000, 1_500, 0), &settings, 30);
        assert_eq!((plain.optimum, plain.maximum), (ms(1_000 + 1_350), ms(9_000 + 1_350)));
        let ponders = TimeSettings { ponder_enabled: true, ..settings.clone() };
        assert_eq!(budget(&clock(77_000, 1_500, 0), &ponders, 30).optimum, ms(1_250 + 1_350));
        let slow = TimeSettings { slow_mover: 150, ..settings.clone() };
        assert_eq!(budget(&clock(77_000, 1_500, 0), &slow, 30).optimum, ms(1_500 + 1_350));
        // Late in the game, too, most of it is left.
        let late = TimeSettings { slow_mover: 10, ..settings };
        let budget = budget(&clock(5_600, 0, 0), &late, 300);
        assert_eq!((budget.optimum, budget.maximum), (ms(20), ms(1_800)));
    }

    #[test]
    fn a_game_never_runs_out_of_main_time() {
        for (main, increment) in
            [(1_000, 0), (10_000, 100), (60_000, 0), (600_000, 5_000), (300, 10)]
        {
            let mut left = ms(main);
            for ply in (1..600).step_by(2) {
                let limits = clock(left.as_millis() as u64, increment, 0);
                let budget = budget(&limits, &TimeSettings::default(), ply);
                assert!(budget.minimum <= budget.maximum && budget.optimum <= budget.maximum);
                assert!(budget.maximum < left.max(ms(increment)), "{left:?} {budget:?}");
                // The engine must also survive a server that adds the increment only after the
                // move.
                left = left.saturating_sub(budget.maximum);
                left += ms(increment);
                if left < ms(2) {
                    break;
                }
            }
        }
    }

    /// A machine that stops for a third of a second does not cost the game.
    #[test]
    fn some_increments_are_always_left() {
        for (main, increment, least) in [(10_000, 100, 500), (60_000, 1_000, 3_000), (0, 100, 100)]
        {
            let mut left = ms(main + increment);
            for ply in (1..400).step_by(2) {
                let limits = clock(left.as_millis() as u64, increment, 0);
                left -= budget(&limits, &TimeSettings::default(), ply).optimum;
                left += ms(increment);
            }
            assert!(left >= ms(least), "{main} {increment}: {left:?}");
        }
    }

    #[test]
    fn one_sudden_death_game_keeps_time_for_its_end() {
        let mut left = ms(60_000);
        for ply in (1..=161).step_by(2) {
            let budget =
                budget(&clock(left.as_millis() as u64, 0, 0), &TimeSettings::default(), ply);
            left = left.saturating_sub(budget.optimum);
        }
        assert!(left >= ms(2_000), "{left:?}");
    }

    #[test]
    fn the_minimum_never_exceeds_what_the_clock_allows() {
        let settings =
            TimeSettings { minimum_thinking_time: ms(100_000), ..TimeSettings::default() };
        for limits in [clock(3_000, 0, 0), clock(0, 0, 700), clock(0, 300, 0), clock(60_000, 0, 0)]
        {
            let rounded = budget(&limits, &settings, 30);
            assert!(rounded.minimum <= rounded.maximum, "{rounded:?}");
            // Both are thought to the end of the same second.
            assert!(rounded.minimum.saturating_sub(rounded.optimum) < ms(1_000));
            let exact = TimeSettings { round_up_to_full_second: false, ..settings.clone() };
            let exact = budget(&limits, &exact, 30);
            assert!(exact.minimum <= exact.optimum, "{exact:?}");
        }
    }

    #[test]
    fn main_time_and_byoyomi_are_both_used() {
        let settings = TimeSettings::default();
        let both = budget(&clock(60_000, 0, 5_000), &settings, 20);
        assert!(both.optimum > ms(5_000), "{both:?}");
        assert!(both.maximum < ms(60_000 / 3 + 5_000), "{both:?}");
        let slow = TimeSettings { slow_mover: 200, ..TimeSettings::default() };
        assert!(budget(&clock(60_000, 0, 0), &slow, 20).optimum > both.optimum - ms(5_000));
    }

    /// What is left of the byoyomi is lost, however clear the best move is.
    #[test]
    fn a_move_that_takes_the_last_main_time_takes_all_of_the_byoyomi() {
        let settings = TimeSettings::default();
        for (remaining, increment) in [(1_000, 0), (4_000, 0), (1_300, 0), (0, 500)] {
            let last = budget(&clock(remaining, increment, 10_000), &settings, 80);
            for (scale, pondered) in [(50, 0), (100, 0), (200, 0), (100, 5_000)] {
                let wanted = last.wanted(scale, ms(pondered));
                let all = ms(remaining.max(increment) + 10_000);
                assert!(wanted >= all * 19 / 20 && wanted < all, "{remaining} {scale} {wanted:?}");
            }
        }
        // Where main time is left afterwards, it is saved.
        let settings = TimeSettings { round_up_to_full_second: false, ..settings };
        let early = budget(&clock(60_000, 0, 10_000), &settings, 80);
        assert!(early.maximum < ms(60_000 / 3 + 10_000), "{early:?}");
        assert_eq!(early.wanted(50, Duration::ZERO), early.optimum / 2);
        let pondered = budget(&clock(4_000, 0, 10_000), &settings, 80);
        assert_eq!(pondered.wanted(100, ms(60_000)), pondered.optimum / 4);
    }

    #[test]
    fn each_side_has_its_own_clock() {
        let clock = Clock {
            remaining: ByColor([ms(100_000), ms(1_000)]),
            increment: ByColor([ms(0); 2]),
            byoyomi: ms(0),
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let settings = TimeSettings::default();
        let black = time_budget(&limits, &settings, Color::Black, 1).unwrap();
        let white = time_budget(&limits, &settings, Color::White, 1).unwrap();
        assert!(black.optimum > ms(1_000) && white.maximum < ms(1_000));
    }

    #[test]
    fn seconds_are_filled_only_where_they_are_counted_whole() {
        let settings = TimeSettings::default();
        // With 600 s and 10 s byoyomi, the answer arrives just before a full second.
        let wanted =
            |settings| budget(&clock(600_000, 0, 10_000), settings, 30).wanted(100, Duration::ZERO);
        let rounded = wanted(&settings);
        let arrival = rounded + settings.network_delay;
        assert!(arrival.subsec_millis() >= 990, "{rounded:?}");
        let exact = TimeSettings { round_up_to_full_second: false, ..TimeSettings::default() };
        let plain = wanted(&exact);
        assert!(rounded >= plain && rounded - plain < ms(1_000));
        // Fractions show that the server counts milliseconds, in the increment or in what is left.
        for limits in [clock(60_000, 100, 0), clock(600_123, 0, 10_000), clock(600_300, 0, 10_000)]
        {
            assert_eq!(budget(&limits, &settings, 30), budget(&limits, &exact, 30), "{limits:?}");
        }
    }

    #[test]
    fn an_early_stop_also_fills_its_second() {
        let budget = budget(&clock(600_000, 0, 10_000), &TimeSettings::default(), 30);
        for scale in [40, 75, 130] {
            let arrival =
                budget.wanted(scale, Duration::ZERO) + TimeSettings::default().network_delay;
            assert!(arrival.subsec_millis() >= 990, "{scale} {arrival:?}");
        }
    }

    #[test]
    fn a_fast_clock_allows_an_early_stop() {
        let settings = TimeSettings::default();
        let budget = budget(&clock(10_000, 100, 0), &settings, 30);
        assert!(budget.optimum < settings.minimum_thinking_time);
        assert!(budget.wanted(60, Duration::ZERO) <= budget.optimum * 6 / 10, "{budget:?}");
    }

    #[test]
    fn what_was_pondered_is_saved_where_time_can_be_saved() {
        let settings = TimeSettings::default();
        let fischer = budget(&clock(10_000, 500, 0), &settings, 30);
        let usual = fischer.wanted(100, Duration::ZERO);
        assert_eq!(fischer.wanted(100, usual), usual - usual / 2);
        assert_eq!(fischer.wanted(100, usual * 10), usual / 4, "some time remains for a check");
    }

    #[test]
    fn movetime_caps_the_clock() {
        let limits = Limits { movetime: Some(ms(50)), ..clock(60_000, 0, 0) };
        let both = budget(&limits, &TimeSettings::default(), 1);
        assert!(both.maximum < ms(50) && both.maximum >= ms(45), "{both:?}");
        assert_eq!((both.minimum, both.optimum), (both.maximum, both.maximum));
    }
}

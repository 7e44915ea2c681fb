//! The clock of a running search: it applies the time budget.

use std::time::Duration;

use tsumero_core::Color;

use crate::instant::Instant;
use crate::limits::Limits;
use crate::signals::Signals;
use crate::time_budget::{TimeBudget, time_budget};
use crate::time_settings::TimeSettings;

/// The clock of a running search.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use tsumero_control::{Limits, Signals, TimeKeeper, TimeSettings};
/// use tsumero_core::Color;
///
/// let limits = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
/// let (settings, signals) = (TimeSettings::default(), Signals::new());
/// let mut keeper =
///     TimeKeeper::new(&limits, &settings, &signals, Color::Black, 1, Instant::now());
/// let mut nodes = 0;
/// while !keeper.must_stop() {
///     nodes += 1;
/// }
/// assert!(nodes > 0 && keeper.elapsed() >= Duration::from_millis(45));
/// // This search need not wait for a stop or a ponder hit before it answers.
/// assert!(keeper.may_answer());
/// keeper.wait_until_answer_is_due();
/// ```
#[derive(Clone, Debug)]
pub struct TimeKeeper<'a> {
    limits: &'a Limits,
    settings: &'a TimeSettings,
    signals: &'a Signals,
    side: Color,
    ply: u32,
    started: Instant,
    /// The moment from which the budget counts: the start, or the ponder hit.
    origin: Instant,
    pondering: bool,
    budget: Option<TimeBudget>,
    /// What the last iteration that ended while pondering asked [`TimeKeeper::should_stop`] with. The
    /// clock could not answer then. It answers after the ponder hit, until the next iteration ends.
    unanswered: Option<u32>,
}

impl<'a> TimeKeeper<'a> {
    /// The clock of a search for the given side at the given ply of the game.
    pub fn new(
        limits: &'a Limits,
        settings: &'a TimeSettings,
        signals: &'a Signals,
        side: Color,
        ply: u32,
        started: Instant,
    ) -> TimeKeeper<'a> {
        let budget = if limits.infinite { None } else { time_budget(limits, settings, side, ply) };
        TimeKeeper {
            limits,
            settings,
            signals,
            side,
            ply,
            started,
            origin: started,
            pondering: limits.ponder,
            budget,
            unanswered: None,
        }
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Checks whether the ponder move was played, and starts the clock if so.
    fn note_ponder_hit(&mut self) {
        if !self.pondering {
            return;
        }
        let Some(hit) = self.signals.hit() else { return };
        self.pondering = false;
        self.origin = hit.at;
        if self.limits.infinite {
            return;
        }
        let clock = hit.clock.or(self.limits.clock);
        let limits = Limits { clock, ..self.limits.clone() };
        self.budget = time_budget(&limits, self.settings, self.side, self.ply);
        if self.budget.is_none() && limits.depth.is_none() && limits.nodes.is_none() {
            // No clock is known. Thinking without end would lose the game.
            let none = Duration::ZERO;
            self.budget = Some(TimeBudget::all(none));
        }
    }

    /// Whether there is a time at which the search must end, as far as is known yet.
    pub fn has_deadline(&self) -> bool {
        self.budget.is_some()
    }

    /// Whether the search must end now, because it was stopped or its time is up. After a ponder hit,
    /// its time is also up if the last iteration before the hit would be the last one by now. The next one
    /// may be long.
    pub fn must_stop(&mut self) -> bool {
        self.note_ponder_hit();
        if self.signals.is_stopped() {
            return true;
        }
        let pondered = self.pondered();
        self.has_used(|budget| match self.unanswered {
            Some(scale) => budget.wanted(scale, pondered),
            None => budget.maximum,
        })
    }

    /// Whether a finished iteration should be the last one. `scale` compares the time needed with
    /// the usual time, in percent. It is 0 if there is nothing to think about, as with an only move: then
    /// the iteration is the last one as soon as the clock runs. With a time for this move (`movetime`),
    /// it counts as 100.
    pub fn should_stop(&mut self, scale: u32) -> bool {
        self.note_ponder_hit();
        let scale = if self.limits.movetime.is_some() { 100 } else { scale };
        self.unanswered = self.pondering.then_some(scale);
        let pondered = self.pondered();
        self.has_used(|budget| budget.wanted(scale, pondered))
    }

    /// How long the search ran before the ponder hit.
    fn pondered(&self) -> Duration {
        self.origin.saturating_duration_since(self.started)
    }

    /// Whether the clock has run for a time of the budget. It does not run while pondering.
    fn has_used(&self, time: impl Fn(&TimeBudget) -> Duration) -> bool {
        !self.pondering
            && self.budget.as_ref().is_some_and(|budget| self.origin.elapsed() >= time(budget))
    }

    /// Whether the answer may be given now, without a stop.
    pub fn may_answer(&mut self) -> bool {
        self.note_ponder_hit();
        !self.pondering && !self.limits.waits_for_stop()
    }

    /// Blocks until the answer may be given.
    pub fn wait_until_answer_is_due(&mut self) {
        self.note_ponder_hit();
        if self.limits.waits_for_stop() {
            self.signals.wait_for_stop();
        } else if self.pondering {
            self.signals.wait_for_stop_or_ponder_hit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_budget::tests::{clock, ms};

    #[test]
    fn an_iteration_is_the_last_once_the_time_wanted_is_over() {
        let settings = TimeSettings { minimum_thinking_time: ms(0), ..TimeSettings::default() };
        // A 76th of 50 s; the clock began two seconds ago or just now.
        for (limits, needs_no_time) in [
            (clock(50_000, 0, 0), true),
            (Limits { movetime: Some(ms(1_000)), ..Limits::default() }, false),
        ] {
            let signals = Signals::new();
            let keeper =
                |began| TimeKeeper::new(&limits, &settings, &signals, Color::Black, 30, began);
            let now = Instant::now();
            assert!(keeper(now - ms(2_000)).should_stop(100));
            assert!(!keeper(now).should_stop(100));
            assert_eq!(keeper(now).should_stop(0), needs_no_time);
        }
        let (depth, signals) = (Limits { depth: Some(5), ..Limits::default() }, Signals::new());
        let mut keeper =
            TimeKeeper::new(&depth, &settings, &signals, Color::Black, 1, Instant::now());
        assert!(!keeper.should_stop(0) && !keeper.should_stop(100));
        let ponder = Limits { ponder: true, ..clock(50_000, 0, 0) };
        let long_ago = Instant::now() - ms(9_000);
        let mut keeper = TimeKeeper::new(&ponder, &settings, &signals, Color::Black, 1, long_ago);
        assert!(!keeper.should_stop(0) && !keeper.should_stop(100), "the clock does not run yet");
        signals.ponder_hit(None, Instant::now() - ms(3_000));
        assert!(keeper.should_stop(0) && keeper.should_stop(100));
    }

    #[test]
    fn an_answer_waits_for_what_allows_it() {
        let settings = TimeSettings::default();
        let now = Instant::now();
        for (limits, hit_is_enough) in [
            (Limits { infinite: true, ..Limits::default() }, false),
            (Limits { ponder: true, ..clock(0, 0, 100) }, true),
        ] {
            let signals = Signals::new();
            let mut keeper = TimeKeeper::new(&limits, &settings, &signals, Color::Black, 1, now);
            assert!(!keeper.may_answer());
            let waited = std::thread::scope(|scope| {
                let waiting = scope.spawn(|| {
                    TimeKeeper::new(&limits, &settings, &signals, Color::Black, 1, now)
                        .wait_until_answer_is_due();
                    (signals.is_stopped(), signals.hit().is_some())
                });
                std::thread::sleep(ms(20));
                assert!(!waiting.is_finished());
                signals.ponder_hit(None, Instant::now());
                assert_eq!(keeper.may_answer(), hit_is_enough);
                if !hit_is_enough {
                    std::thread::sleep(ms(20));
                    assert!(!waiting.is_finished());
                    signals.stop();
                }
                waiting.join().unwrap()
            });
            assert_eq!(waited, (!hit_is_enough, true));
        }
        // Nothing to wait for.
        let (limits, signals) = (clock(0, 0, 100), Signals::new());
        TimeKeeper::new(&limits, &settings, &signals, Color::Black, 1, now)
            .wait_until_answer_is_due();
    }

    #[test]
    fn the_clock_starts_at_the_ponder_hit() {
        let settings = TimeSettings::default();
        let limits = Limits { ponder: true, ..clock(0, 0, 200) };
        let signals = Signals::new();
        let long_ago = Instant::now() - ms(5_000);
        let mut keeper = TimeKeeper::new(&limits, &settings, &signals, Color::Black, 1, long_ago);
        assert!(!keeper.must_stop() && !keeper.should_stop(100));
        signals.ponder_hit(None, Instant::now());
        assert!(!keeper.must_stop(), "200 ms of byoyomi begin now");
        assert!(keeper.elapsed() >= ms(5_000), "reports count from the start");
        std::thread::sleep(ms(200));
        assert!(keeper.must_stop());

        // A hit that was read 300 ms ago has already used up the byoyomi.
        let signals = Signals::new();
        let mut keeper = TimeKeeper::new(&limits, &settings, &signals, Color::Black, 1, long_ago);
        signals.ponder_hit(None, Instant::now() - ms(300));
        assert!(keeper.must_stop());
    }

    /// The iteration that runs when the hit comes may be long. It is cut short if the one before it was
    /// enough.
    #[test]
    fn what_an_iteration_asked_while_pondering_is_answered_after_the_hit() {
        let settings = TimeSettings { minimum_thinking_time: ms(0), ..TimeSettings::default() };
        // A 76th of 250 s is the usual time. After long pondering, a quarter of it is wanted.
        let limits = Limits { ponder: true, ..clock(250_100, 0, 0) };
        let movetime = Limits { ponder: true, movetime: Some(ms(2_000)), ..Limits::default() };
        for (limits, scale, early, late) in
            [(&limits, 0, 0, 0), (&limits, 100, 300, 2_000), (&movetime, 0, 500, 3_000)]
        {
            for (since_hit, is_over) in [(early, early == late), (late, true)] {
                let signals = Signals::new();
                let began = Instant::now() - ms(9_000 + since_hit);
                let mut keeper =
                    TimeKeeper::new(limits, &settings, &signals, Color::Black, 30, began);
                assert!(!keeper.should_stop(scale) && !keeper.must_stop(), "the clock stands");
                signals.ponder_hit(None, Instant::now() - ms(since_hit));
                assert_eq!(keeper.must_stop(), is_over, "{scale}: {since_hit} ms");
                // A later iteration replaces the answer, and only the maximum ends the one after it.
                keeper.should_stop(1_000);
                assert_eq!(keeper.must_stop(), since_hit == 3_000);
            }
        }
    }

    #[test]
    fn a_hit_may_bring_the_clock_or_leave_none() {
        let settings = TimeSettings::default();
        let limits = Limits { ponder: true, ..Limits::default() };
        let signals = Signals::new();
        let now = Instant::now();
        let mut keeper = TimeKeeper::new(&limits, &settings, &signals, Color::Black, 1, now);
        signals.ponder_hit(clock(0, 0, 60_000).clock, now);
        assert!(!keeper.must_stop());

        let signals = Signals::new();
        let mut keeper = TimeKeeper::new(&limits, &settings, &signals, Color::Black, 1, now);
        assert!(!keeper.must_stop());
        signals.ponder_hit(None, Instant::now());
        assert!(keeper.must_stop(), "no clock is known: answer at once");
    }
}

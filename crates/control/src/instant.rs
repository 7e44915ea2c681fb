//! The clock that all searches read.
//!
//! [`Instant`] is the type of the standard library wherever that has a clock. In a browser
//! (`wasm32-unknown-unknown`) it has none, and asking it for the time ends the program. There, the
//! program that embeds a search provides the time: see `set_clock` and `set_pause`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set_clock, set_pause};

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
#[cfg_attr(test, allow(unreachable_pub, reason = "on other targets only the tests use it"))]
mod host {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();
    static PAUSE: OnceLock<fn()> = OnceLock::new();

    /// Sets the clock for all searches: a function that returns the time since any fixed moment, such
    /// as `performance.now()`. Call it before the first search. Only the first call counts. Without a
    /// clock the time stands still, so no limit of time ever ends a search.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// Sets what a search does between two looks at the clock while it has nothing to do but to wait for a
    /// signal. It should let some milliseconds pass. Only the first call counts. Without it, such a search
    /// keeps the processor busy.
    pub fn set_pause(pause: fn()) {
        let _ = PAUSE.set(pause);
    }

    /// A moment, as [`std::time::Instant`]. If the clock goes back, no time has passed.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// The time now, by the clock that was set.
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// Lets some time pass, and reads the clock, which may give signals to a search.
        pub(crate) fn rest() {
            if let Some(pause) = PAUSE.get() {
                pause();
            }
            Instant::now();
        }

        /// The time since this moment.
        pub fn elapsed(&self) -> Duration {
            Instant::now().duration_since(*self)
        }

        /// The time from an earlier moment to this one; zero if the other moment is later.
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The time from an earlier moment to this one; zero if the other moment is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.duration_since(earlier)
        }

        /// The moment so much later; `None` if it cannot be represented.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }

        /// The moment so much earlier; `None` if it is before the clock's beginning.
        pub fn checked_sub(&self, time: Duration) -> Option<Instant> {
            self.0.checked_sub(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Instant;

        fn sub(self, time: Duration) -> Instant {
            Instant(self.0.saturating_sub(time))
        }
    }

    impl Sub<Instant> for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.duration_since(earlier)
        }
    }

    #[cfg(test)]
    mod tests {
        use std::cell::Cell;
        use std::sync::atomic::{AtomicU64, Ordering};

        use super::*;

        static MILLISECONDS: AtomicU64 = AtomicU64::new(0);

        fn ms(milliseconds: u64) -> Duration {
            Duration::from_millis(milliseconds)
        }

        thread_local! {
            /// How often this thread has read the clock.
            static LOOKS: Cell<u64> = const { Cell::new(0) };
        }

        fn clock() -> Duration {
            LOOKS.set(LOOKS.get() + 1);
            ms(MILLISECONDS.load(Ordering::Relaxed))
        }

        #[test]
        fn time_is_what_the_first_clock_says_and_stands_still_before() {
            assert_eq!((Instant::now(), Instant::now().elapsed()), (Instant(ms(0)), ms(0)));
            set_clock(clock);
            set_clock(|| ms(777));
            MILLISECONDS.store(1_000, Ordering::Relaxed);
            let started = Instant::now();
            MILLISECONDS.store(1_250, Ordering::Relaxed);
            assert_eq!(started.elapsed(), ms(250));
            assert_eq!(Instant::now() - started, ms(250));
            assert_eq!(started + ms(250), Instant::now());
            assert_eq!(started.checked_add(ms(250)), Some(Instant::now()));
            assert_eq!(started.checked_add(Duration::MAX), None);
            assert_eq!(started - ms(1_000), Instant(ms(0)));
            assert_eq!(started.checked_sub(ms(1_001)), None);
            // A clock that is set back.
            MILLISECONDS.store(900, Ordering::Relaxed);
            assert_eq!(started.elapsed(), ms(0));
            assert_eq!(Instant::now().saturating_duration_since(started), ms(0));
        }

        #[test]
        fn a_rest_lets_time_pass_and_reads_the_clock() {
            static PAUSES: AtomicU64 = AtomicU64::new(0);
            set_clock(clock);
            Instant::rest();
            set_pause(|| {
                PAUSES.fetch_add(1, Ordering::Relaxed);
            });
            Instant::rest();
            assert_eq!((PAUSES.load(Ordering::Relaxed), LOOKS.get()), (1, 2));
        }
    }
}

//! Signals to a running search: stop, and ponder hit.

use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Condvar, Mutex};

use crate::instant::Instant;
use crate::limits::Clock;

/// Messages from outside to one running search. Make new ones for every search.
///
/// ```
/// use tsumero_control::Signals;
///
/// let signals = Signals::new();
/// std::thread::scope(|scope| {
///     // A search looks at the signals now and then. It answers when it is told to stop.
///     let search = scope.spawn(|| {
///         while !signals.is_stopped() {
///             std::thread::yield_now();
///         }
///         "7g7f"
///     });
///     assert!(!search.is_finished());
///     signals.stop();
///     assert_eq!(search.join().unwrap(), "7g7f");
/// });
/// ```
#[derive(Debug, Default)]
pub struct Signals {
    /// A copy of `Inbox::stopped` that can be read without taking the lock.
    stopped: AtomicBool,
    /// A copy of `Inbox::hit.is_some()` that can be read without taking the lock.
    hit: AtomicBool,
    inbox: Mutex<Inbox>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Inbox {
    stopped: bool,
    hit: Option<PonderHit>,
}

/// The opponent played the move that was pondered on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PonderHit {
    /// When it came. The clock runs from then on.
    pub(crate) at: Instant,
    /// The clock that came with it, if any.
    pub(crate) clock: Option<Clock>,
}

impl Signals {
    /// Signals for one search. None is given yet.
    pub fn new() -> Signals {
        Signals::default()
    }

    /// Ends the search as soon as possible. It still answers.
    pub fn stop(&self) {
        let mut inbox = self.inbox.lock();
        inbox.stopped = true;
        // Set this before the lock is released, so that a thread that waited for the stop also
        // reads it without the lock.
        self.stopped.store(true, Ordering::Release);
        drop(inbox);
        self.changed.notify_all();
    }

    /// Whether the search was told to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Turns a ponder search into an ordinary one. Its clock runs from `at`, when the hit came. A
    /// clock given here replaces the one in the limits. Only the first hit counts.
    pub fn ponder_hit(&self, clock: Option<Clock>, at: Instant) {
        let mut inbox = self.inbox.lock();
        inbox.hit.get_or_insert(PonderHit { at, clock });
        self.hit.store(true, Ordering::Release);
        drop(inbox);
        self.changed.notify_all();
    }

    /// The ponder hit, if there was one.
    #[inline]
    pub(crate) fn hit(&self) -> Option<PonderHit> {
        if self.hit.load(Ordering::Acquire) { self.inbox.lock().hit } else { None }
    }

    /// Blocks until a stop.
    pub fn wait_for_stop(&self) {
        self.wait_for(|inbox| inbox.stopped);
    }

    /// Blocks until a stop or a ponder hit.
    pub fn wait_for_stop_or_ponder_hit(&self) {
        self.wait_for(|inbox| inbox.stopped || inbox.hit.is_some());
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    fn wait_for(&self, is_there: impl Fn(&Inbox) -> bool) {
        let mut inbox = self.inbox.lock();
        while !is_there(&inbox) {
            self.changed.wait(&mut inbox);
        }
    }

    /// The only thread must not block. It hears a signal where it reads the clock.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn wait_for(&self, is_there: impl Fn(&Inbox) -> bool) {
        while !is_there(&self.inbox.lock()) {
            Instant::rest();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn waiting_ends_with_the_right_signal() {
        let signals = Signals::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(5));
                signals.ponder_hit(Some(Clock::default()), Instant::now());
            });
            signals.wait_for_stop_or_ponder_hit();
        });
        let first = signals.hit().expect("the wait ended by a hit");
        assert_eq!(first.clock, Some(Clock::default()));
        assert!(!signals.is_stopped());

        signals.ponder_hit(None, Instant::now());
        assert_eq!(signals.hit().map(|hit| hit.at), Some(first.at), "the first hit counts");

        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                signals.wait_for_stop();
                signals.is_stopped()
            });
            std::thread::sleep(Duration::from_millis(5));
            signals.stop();
            assert!(waiting.join().unwrap(), "a hit alone must not end this wait");
        });
    }
}

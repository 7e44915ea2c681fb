//! Nobody waits for a signal that was given, and who has waited sees it.

use std::time::Instant;

use super::*;
use crate::explore;
use crate::threads::sync::Arc;
use crate::threads::thread;

pub(crate) fn run() {
    explore("signals: a wait for a stop, beside a hit and a stop", 4, || {
        let signals = Arc::new(Signals::new());
        let (hitter, stopper) = (Arc::clone(&signals), Arc::clone(&signals));
        let hit = thread::spawn(move || hitter.ponder_hit(None, Instant::now()));
        let stop = thread::spawn(move || stopper.stop());
        signals.wait_for_stop();
        assert!(signals.is_stopped(), "the wait ended by a stop");
        hit.join().unwrap();
        stop.join().unwrap();
    });
    explore("signals: a wait for either, beside a hit", 4, || {
        let signals = Arc::new(Signals::new());
        let hitter = Arc::clone(&signals);
        let hit = thread::spawn(move || hitter.ponder_hit(None, Instant::now()));
        signals.wait_for_stop_or_ponder_hit();
        assert!(signals.hit().is_some(), "the wait ended by a hit");
        hit.join().unwrap();
    });
    explore("signals: two waits and a stop", 3, || {
        let signals = Arc::new(Signals::new());
        let other = Arc::clone(&signals);
        let stopper = Arc::clone(&signals);
        let wait = thread::spawn(move || other.wait_for_stop_or_ponder_hit());
        let stop = thread::spawn(move || stopper.stop());
        signals.wait_for_stop();
        wait.join().unwrap();
        stop.join().unwrap();
    });
    explore("signals: of two hits one counts, for everybody", 4, || {
        let signals = Arc::new(Signals::new());
        let now = Instant::now();
        let (one, other) = (Arc::clone(&signals), Arc::clone(&signals));
        let first = thread::spawn(move || one.ponder_hit(Some(Clock::default()), now));
        let second = thread::spawn(move || other.ponder_hit(None, now));
        let seen = signals.hit();
        first.join().unwrap();
        second.join().unwrap();
        let last = signals.hit().expect("two hits were given");
        if let Some(seen) = seen {
            assert_eq!(seen.clock, last.clock);
        }
    });
}

//! A limit on the amount of data that waits between two threads.

use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

/// Counts what waits between the threads: bytes of commands, or replies.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

/// A part of a budget. It is returned when this is dropped.
#[derive(Debug)]
pub struct Hold {
    budget: Arc<Budget>,
    amount: usize,
}

impl Budget {
    /// A budget of `limit`, none of it in use.
    pub(crate) fn new(limit: usize) -> Arc<Budget> {
        Arc::new(Budget { limit, used: Mutex::new(0), freed: Condvar::new() })
    }

    /// Takes this amount if it is available. A request larger than the whole budget is granted when
    /// nothing else is in use.
    pub(crate) fn try_take(self: &Arc<Budget>, amount: usize) -> Option<Hold> {
        let mut used = self.used.lock();
        let fits = *used == 0 || *used + amount <= self.limit;
        fits.then(|| {
            *used += amount;
            Hold { budget: Arc::clone(self), amount }
        })
    }

    /// Takes this amount. If it is not available, waits until half of the budget is free, so that
    /// the caller does not have to wait for every piece from then on.
    pub(crate) fn take(self: &Arc<Budget>, amount: usize) -> Hold {
        let mut used = self.used.lock();
        while *used > self.limit / 2 {
            self.freed.wait(&mut used);
        }
        *used += amount;
        Hold { budget: Arc::clone(self), amount }
    }

    /// Takes this amount, even if it is not available.
    pub(crate) fn hold(self: &Arc<Budget>, amount: usize) -> Hold {
        *self.used.lock() += amount;
        Hold { budget: Arc::clone(self), amount }
    }

    /// Whether anything is available.
    pub(crate) fn has_room(&self) -> bool {
        self.used() < self.limit
    }

    /// The amount in use.
    pub(crate) fn used(&self) -> usize {
        *self.used.lock()
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        *self.budget.used.lock() -= self.amount;
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_does_not_fit_waits_until_there_is_room() {
        let budget = Budget::new(100);
        let large = budget.try_take(500).expect("nothing else is under way");
        assert!(budget.try_take(1).is_none() && !budget.has_room());
        let waiting = {
            let budget = Arc::clone(&budget);
            thread::spawn(move || budget.take(60))
        };
        thread::sleep(Duration::from_millis(20));
        assert!(!waiting.is_finished());
        drop(large);
        let _held = waiting.join().unwrap();
        assert!(budget.try_take(41).is_none());
        assert!(budget.try_take(40).is_some_and(|_| !budget.has_room()));
    }
}

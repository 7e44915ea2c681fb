//! The locks of the model with the interface of `parking_lot`: no poisoning, and a wait that keeps the guard.

use std::ops::{Deref, DerefMut};

use crate::threads;

#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(threads::sync::Mutex<T>);

/// `None` only while [`Condvar::wait`] has handed the lock over.
pub(crate) struct MutexGuard<'a, T>(Option<threads::sync::MutexGuard<'a, T>>);

impl<T> Mutex<T> {
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().expect("no thread of a model panics and goes on")))
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("nobody looks during a wait")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("nobody looks during a wait")
    }
}

#[derive(Debug, Default)]
pub(crate) struct Condvar(threads::sync::Condvar);

impl Condvar {
    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }

    pub(crate) fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        guard.0 = guard
            .0
            .take()
            .map(|inner| self.0.wait(inner).expect("no thread of a model panics and goes on"));
    }
}

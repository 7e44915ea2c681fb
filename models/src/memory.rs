//! A table's memory in a model: a few values, because each of their atomics is followed through every order.

use std::ops::Deref;

/// So many values there are, however many are asked for.
const MOST: usize = 2;

pub(crate) struct ZeroedSlice<T>(Vec<T>);

impl<T: Default> ZeroedSlice<T> {
    pub(crate) fn new(count: usize) -> Option<ZeroedSlice<T>> {
        Some(ZeroedSlice((0..count.min(MOST)).map(|_| T::default()).collect()))
    }

    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(|value| *value = T::default());
    }

    pub(crate) fn use_huge_pages(&self) {}

    pub(crate) fn use_huge_pages_if_few(&self) {}

    pub(crate) fn warm_up(&mut self, _goes_on: &mut dyn FnMut() -> bool) {}

    pub(crate) fn prefetch(&self, _number: usize) {}
}

impl<T> Deref for ZeroedSlice<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

//! Values in pages of zeros: a slice of them, or a single one.

use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

use crate::pages::{PAGE, Pages};
use crate::prefetch::prefetch;

/// The bytes of 128 huge pages.
const FEW_HUGE_PAGES: usize = 256 << 20;

/// A slice of values in memory of its own, zeroed at first. Threads that share it change its values
/// through atomics.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use tsumero_memory::ZeroedSlice;
///
/// // A table of a million words, which several threads fill.
/// let mut table: ZeroedSlice<AtomicU64> = ZeroedSlice::new(1 << 20).expect("8 MB are free");
/// std::thread::scope(|scope| {
///     for key in [0x1234_5678_u64, 0x9abc_def0] {
///         let place = &table[key as usize % table.len()];
///         scope.spawn(move || place.store(key, Ordering::Relaxed));
///     }
/// });
/// let stored = |word: &&AtomicU64| word.load(Ordering::Relaxed) != 0;
/// assert_eq!(table.iter().filter(stored).count(), 2);
/// table.clear();
/// assert_eq!(table.iter().filter(stored).count(), 0);
/// ```
pub struct ZeroedSlice<T> {
    /// Invariant: [`pages_for`] so many values or more. Every write leaves valid values there.
    pages: Pages,
    count: usize,
    /// Where [`ZeroedSlice::warm_up`] goes on, in bytes, if it is not done.
    cold_from: Option<usize>,
    values: PhantomData<T>,
}

/// One large value that begins as zeros, in memory of its own. A [`Box`] of the same size goes through
/// the allocator, which may keep its memory after it is dropped; this goes back to the system.
///
/// ```
/// use tsumero_memory::ZeroedBox;
///
/// // How often a move from one square to another was the best.
/// let mut history: ZeroedBox<[[u32; 81]; 81]> = ZeroedBox::new();
/// history[60][59] += 4;
/// assert_eq!(history[60].iter().sum::<u32>(), 4);
/// assert_eq!(history[59][60], 0);
/// ```
pub struct ZeroedBox<T> {
    /// Invariant: [`pages_for`] one value. Every write leaves a valid value there.
    pages: Pages,
    value: PhantomData<T>,
}

/// Pages that hold `count` values and are aligned for them, all bits zero. There is at least one page.
/// `None` without enough memory, and for more bytes than a slice may have.
fn pages_for<T: Zeroable>(count: usize) -> Option<Pages> {
    const { assert!(fits_pages::<T>()) };
    Pages::new(Layout::array::<T>(count.max(1)).ok()?.size())
}

/// Whether pages can hold values of this type. They cannot if it is empty, if its alignment is
/// larger than a page, or if it has something to drop, because pages drop nothing.
const fn fits_pages<T>() -> bool {
    size_of::<T>() > 0 && align_of::<T>() <= PAGE && !std::mem::needs_drop::<T>()
}

impl<T: Zeroable> ZeroedSlice<T> {
    /// Takes memory for `count` values, all bits zero. `None` without enough memory.
    pub fn new(count: usize) -> Option<ZeroedSlice<T>> {
        let pages = pages_for::<T>(count)?;
        Some(ZeroedSlice { pages, count, cold_from: Some(0), values: PhantomData })
    }

    /// Asks for huge pages wherever no page has been touched yet. Do not call this for memory that
    /// will mostly stay unused: the first touch of a huge page zeroes all of it.
    pub fn use_huge_pages(&self) {
        self.pages.use_huge_pages();
    }

    /// Asks for huge pages if there would be only a few, and otherwise for small ones. This is for memory
    /// that is touched at random while a clock runs: the first touch of a huge page may take the system
    /// several milliseconds, which would be seconds in total.
    pub fn use_huge_pages_if_few(&self) {
        if self.pages.len() <= FEW_HUGE_PAGES {
            self.pages.use_huge_pages();
        } else {
            self.pages.use_small_pages();
        }
    }

    /// Makes the system provide the memory now, not at the first write: in huge pages and in pieces of four
    /// megabytes, as long as `goes_on`, which is asked before each, returns true. The next call goes on
    /// where this one ended. Where it ends early, the rest is as [`ZeroedSlice::use_huge_pages_if_few`]
    /// wants it.
    pub fn warm_up(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        const PIECE: usize = 4 << 20;
        if self.cold_from.is_none() {
            return;
        }
        self.use_huge_pages();
        while let Some(start) = self.cold_from.filter(|_| goes_on()) {
            self.cold_from = self.pages.touch(start, PIECE);
        }
        if self.cold_from.is_some() {
            self.use_huge_pages_if_few();
        }
    }

    /// Sets all values to zero. A large memory is given back to the system, which provides zeros at
    /// the next touch. This takes a moment where writing zeros would take seconds.
    pub fn clear(&mut self) {
        self.pages.clear();
        self.cold_from = Some(0);
    }

    /// Forgets all values but the first `count`, if there are more. Their memory stays taken.
    pub fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    /// Prefetches a value into the processor's cache. Nothing happens if there is no such value.
    #[inline]
    pub fn prefetch(&self, number: usize) {
        if let Some(value) = self.get(number) {
            prefetch(value);
        }
    }
}

impl<T: Zeroable> Deref for ZeroedSlice<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the pages hold `count` values and are aligned for them. Their zeros are valid values,
        // and so is whatever is written later. The bytes are no more than a slice may have. Whatever
        // changes them without an interior mutability of `T` takes `&mut self`.
        unsafe { std::slice::from_raw_parts(self.pages.start().cast(), self.count) }
    }
}

impl<T: Zeroable> DerefMut for ZeroedSlice<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `&mut self` means that nobody else has a reference to the values.
        unsafe { std::slice::from_raw_parts_mut(self.pages.start().cast(), self.count) }
    }
}

impl<T: Zeroable> ZeroedBox<T> {
    /// Takes the memory, all bits zero. Without enough memory the process ends, as with a [`Box`].
    #[expect(clippy::new_without_default, reason = "a large value is made on purpose only")]
    pub fn new() -> ZeroedBox<T> {
        ZeroedBox::try_new().unwrap_or_else(|| handle_alloc_error(Layout::new::<T>()))
    }

    /// Takes the memory, all bits zero. `None` without enough memory.
    pub fn try_new() -> Option<ZeroedBox<T>> {
        Some(ZeroedBox { pages: pages_for::<T>(1)?, value: PhantomData })
    }
}

impl<T: Zeroable> Deref for ZeroedBox<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the pages hold the value and are aligned for it. Their zeros are a valid value, and so
        // is whatever is written later. Only `deref_mut` gives more than a shared reference, and it takes
        // `&mut self`.
        unsafe { &*self.pages.start().cast() }
    }
}

impl<T: Zeroable> DerefMut for ZeroedBox<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and `&mut self` means that nobody else has a reference to the value.
        unsafe { &mut *self.pages.start().cast() }
    }
}

#[cfg(test)]
mod tests;

//! Memory for large tables: zeroed, provided by the system when it is first touched, and on huge
//! pages if asked.
//!
//! A table is read at random places. With pages of four kilobytes, nearly every look-up also waits
//! for the translation of the page's address. Linux can provide pages of two megabytes instead.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

use crate::pages::{PAGE, Pages};

/// The bytes of 128 huge pages.
const FEW_HUGE_PAGES: usize = 256 << 20;

/// A slice of zeroed values in memory of its own. It gives shared references only, so values are
/// changed through atomics.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use tsumero_control::ZeroedMemory;
///
/// // A table of a million words, which several threads fill.
/// let mut table: ZeroedMemory<AtomicU64> = ZeroedMemory::new(1 << 20).expect("8 MB are free");
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
pub struct ZeroedMemory<T> {
    pages: Pages,
    count: usize,
    values: PhantomData<T>,
}

impl<T: Zeroable> ZeroedMemory<T> {
    /// Allocates `count` values (at least one), all bits zero. `None` without enough memory.
    pub fn new(count: usize) -> Option<ZeroedMemory<T>> {
        const { assert_fits_pages::<T>() };
        let pages = Pages::new(count.max(1).checked_mul(size_of::<T>())?)?;
        Some(ZeroedMemory { pages, count, values: PhantomData })
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
            self.use_huge_pages();
        } else {
            self.use_small_pages();
        }
    }

    /// Reverts [`ZeroedMemory::use_huge_pages`]: pages touched from now on are small, so that no
    /// single touch takes long.
    pub fn use_small_pages(&self) {
        self.pages.use_small_pages();
    }

    /// Makes the system provide `bytes` of the memory from `start` on now, not at the first write.
    /// Returns where to continue, if memory remains.
    pub fn touch(&mut self, start: usize, bytes: usize) -> Option<usize> {
        self.pages.touch(start, bytes)
    }

    /// Sets all values to zero. A large memory is given back to the system, which provides zeros at
    /// the next touch. This takes a moment where writing zeros would take seconds.
    pub fn clear(&mut self) {
        self.pages.clear();
    }

    /// Prefetches a value into the processor's cache. Nothing happens if there is no such value.
    #[inline]
    pub fn prefetch(&self, number: usize) {
        if let Some(value) = self.get(number) {
            prefetch(value);
        }
    }
}

/// Refuses types that pages of zeros cannot hold: too strictly aligned, empty, or with something to
/// drop.
const fn assert_fits_pages<T>() {
    assert!(align_of::<T>() <= PAGE && size_of::<T>() > 0 && !std::mem::needs_drop::<T>());
}

/// Size of a cache line in bytes.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Prefetches a value into the processor's cache without waiting for it. Nothing happens on
/// processors other than x86-64.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of::<T>().div_ceil(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(value).cast::<i8>();
        // SAFETY: the address lies within the value; and a prefetch reads nothing that the
        // program could see.
        unsafe { _mm_prefetch(start.add(line * LINE), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

impl<T: Zeroable> Deref for ZeroedMemory<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the pages hold `count` values, are aligned, and were zeroed by the system. All zeros
        // are a valid `T`. Everything that writes to them otherwise takes `&mut self`.
        unsafe { std::slice::from_raw_parts(self.pages.start().cast(), self.count) }
    }
}

/// One large value that begins as zeros, in memory of its own. A [`Box`] of the same size goes through
/// the allocator, which may keep its memory after it is dropped; this goes back to the system.
///
/// ```
/// use tsumero_control::ZeroedBox;
///
/// // How often a move from one square to another was the best.
/// let mut history: ZeroedBox<[[u32; 81]; 81]> = ZeroedBox::new();
/// history[60][59] += 4;
/// assert_eq!(history[60].iter().sum::<u32>(), 4);
/// assert_eq!(history[59][60], 0);
/// ```
pub struct ZeroedBox<T> {
    pages: Pages,
    value: PhantomData<T>,
}

impl<T: Zeroable> ZeroedBox<T> {
    /// Takes the memory, all bits zero.
    ///
    /// # Panics
    /// Without enough memory, as a [`Box`] does.
    #[expect(clippy::new_without_default, reason = "a large value is made on purpose only")]
    pub fn new() -> ZeroedBox<T> {
        ZeroedBox::try_new()
            .unwrap_or_else(|| std::alloc::handle_alloc_error(std::alloc::Layout::new::<T>()))
    }

    /// Takes the memory, all bits zero. `None` without enough memory.
    pub fn try_new() -> Option<ZeroedBox<T>> {
        const { assert_fits_pages::<T>() };
        Some(ZeroedBox { pages: Pages::new(size_of::<T>())?, value: PhantomData })
    }
}

impl<T: Zeroable> Deref for ZeroedBox<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the pages hold the value, are aligned, and were zeroed by the system. All zeros are a
        // valid `T`. Only `deref_mut` gives more than a shared reference, and it takes `&mut self`.
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
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::pages::WRITTEN_OVER;

    #[test]
    fn a_box_starts_at_zero_and_keeps_what_is_written() {
        let mut numbers: ZeroedBox<[[u16; 300]; 4]> = ZeroedBox::new();
        assert!(numbers.as_flattened().iter().all(|&number| number == 0));
        for (number, value) in numbers.as_flattened_mut().iter_mut().enumerate() {
            *value = number as u16;
        }
        let moved = numbers;
        assert!(moved.as_flattened().iter().copied().eq(0..4 * 300));
    }

    #[test]
    fn values_start_at_zero_and_keep_what_is_stored() {
        // Miri takes a thousand times as long.
        let count = if cfg!(miri) { 50 } else { 100_000 };
        let memory: ZeroedMemory<[AtomicU64; 3]> = ZeroedMemory::new(count).unwrap();
        assert_eq!(memory.len(), count);
        for (number, values) in memory.iter().enumerate() {
            assert!(values.iter().all(|value| value.load(Ordering::Relaxed) == 0));
            values[number % 3].store(number as u64 + 1, Ordering::Relaxed);
        }
        for (number, values) in memory.iter().enumerate() {
            memory.prefetch(number);
            assert_eq!(values[number % 3].load(Ordering::Relaxed), number as u64 + 1);
        }
        memory.prefetch(memory.len());
        memory.prefetch(usize::MAX);
    }

    #[test]
    fn cleared_memory_is_zero_whatever_its_size() {
        for bytes in [PAGE, WRITTEN_OVER, 3 * WRITTEN_OVER] {
            let mut memory: ZeroedMemory<AtomicU64> = ZeroedMemory::new(bytes / 8).unwrap();
            memory.use_huge_pages();
            for _ in 0..2 {
                for value in memory.iter().step_by(100) {
                    assert_eq!(value.swap(7, Ordering::Relaxed), 0);
                }
                memory.clear();
            }
            assert!(memory.iter().all(|value| value.load(Ordering::Relaxed) == 0));
        }
        #[cfg(target_os = "linux")]
        only_what_is_touched_counts_and_clearing_gives_it_back();
    }

    /// Not in parallel with the test above, whose memory would count too.
    #[cfg(target_os = "linux")]
    fn only_what_is_touched_counts_and_clearing_gives_it_back() {
        let resident = || {
            let status = std::fs::read_to_string("/proc/self/statm").unwrap();
            let pages: usize = status.split(' ').nth(1).unwrap().parse().unwrap();
            pages * PAGE
        };
        let before = resident();
        let mut memory: ZeroedMemory<AtomicU64> = ZeroedMemory::new(1 << 29).unwrap();
        memory.use_huge_pages();
        assert!(resident() < before + (64 << 20), "nothing is touched yet");
        for value in memory[..32 << 20].iter().step_by(512) {
            value.store(1, Ordering::Relaxed);
        }
        assert!(resident() > before + (200 << 20));
        memory.clear();
        assert!(resident() < before + (64 << 20));
        let (mut place, mut pieces) = (0, 0);
        while let Some(next) = memory.touch(place, 64 << 20).filter(|_| pieces < 4) {
            (place, pieces) = (next, pieces + 1);
        }
        assert_eq!((place, pieces), (4 * (64 << 20), 4));
        assert!(resident() > before + (200 << 20));
        assert!(memory[..32 << 20].iter().all(|value| value.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn touching_and_clearing_change_nothing_else() {
        let mut memory: ZeroedMemory<AtomicU64> = ZeroedMemory::new(3 * PAGE / 8).unwrap();
        memory[700].store(5, Ordering::Relaxed);
        assert_eq!(memory.touch(0, PAGE), Some(PAGE));
        assert_eq!(memory.touch(PAGE, usize::MAX), None);
        assert_eq!(memory[700].load(Ordering::Relaxed), 5);
        memory.clear();
        assert!(memory.iter().all(|value| value.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn more_than_there_is_in_the_world_is_refused() {
        assert!(ZeroedMemory::<[AtomicU64; 4]>::new(usize::MAX / 64).is_none());
        assert!(ZeroedMemory::<[AtomicU64; 4]>::new(usize::MAX / 2).is_none());
    }
}

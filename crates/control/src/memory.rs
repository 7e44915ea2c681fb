//! Memory for large tables: zeroed, provided by the system when it is first touched, and on huge
//! pages if asked.
//!
//! A table is read at random places. With pages of four kilobytes, nearly every look-up also waits
//! for the translation of the page's address. Linux can provide pages of two megabytes instead.

use std::marker::PhantomData;
use std::ops::Deref;

use bytemuck::Zeroable;
use memmap2::MmapMut;

/// A slice of zeroed values in memory of its own. It gives shared references only, so values are
/// changed through atomics.
pub struct ZeroedMemory<T> {
    map: MmapMut,
    count: usize,
    values: PhantomData<T>,
}

/// The smallest page size. No value may need a larger alignment.
const PAGE: usize = 4096;
/// Memory up to this size is cleared by writing zeros, which is faster than mapping it again.
const WRITTEN_OVER: usize = 32 << 20;

impl<T: Zeroable> ZeroedMemory<T> {
    /// Allocates `count` values (at least one), all bits zero. `None` without enough memory.
    pub fn new(count: usize) -> Option<ZeroedMemory<T>> {
        const {
            assert!(align_of::<T>() <= PAGE && size_of::<T>() > 0 && !std::mem::needs_drop::<T>());
        }
        let map = MmapMut::map_anon(count.max(1).checked_mul(size_of::<T>())?).ok()?;
        Some(ZeroedMemory { map, count, values: PhantomData })
    }
}

impl<T: Zeroable> ZeroedMemory<T> {
    /// Asks for huge pages wherever no page has been touched yet. Do not call this for memory that
    /// will mostly stay unused: the first touch of a huge page zeroes all of it.
    pub fn use_huge_pages(&self) {
        // A failure is ignored: without huge pages the table is slower, but works.
        #[cfg(target_os = "linux")]
        let _ = self.map.advise(memmap2::Advice::HugePage);
    }

    /// Reverts [`ZeroedMemory::use_huge_pages`]: pages touched from now on are small, so that no
    /// single touch takes long.
    pub fn use_small_pages(&self) {
        #[cfg(target_os = "linux")]
        let _ = self.map.advise(memmap2::Advice::NoHugePage);
    }

    /// Makes the system provide `bytes` of the memory from `start` on now, not at the first write.
    /// Returns where to continue, if memory remains.
    pub fn touch(&mut self, start: usize, bytes: usize) -> Option<usize> {
        let end = start.saturating_add(bytes).min(self.map.len());
        for place in (start..end).step_by(PAGE) {
            // Writes the same value again. The compiler must not notice this.
            self.map[place] = std::hint::black_box(self.map[place]);
        }
        (end < self.map.len()).then_some(end)
    }

    /// Sets all values to zero. A large memory is given back to the system, which provides zeros at
    /// the next touch. This takes a moment where writing zeros would take seconds.
    pub fn clear(&mut self) {
        if self.map.len() <= WRITTEN_OVER || !self.give_back() {
            self.map.fill(0);
        }
    }

    /// Gives the pages back. Returns whether that worked, so that all values are zero.
    #[cfg(target_os = "linux")]
    fn give_back(&self) -> bool {
        // SAFETY: the map is private and belongs to no file, so pages given back read as zeros.
        // Zeros are a valid `T`, as when the memory was new. The caller has the only reference to
        // the values.
        unsafe { self.map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) }.is_ok()
    }

    /// On other systems the pages may keep their contents, so the memory is mapped anew.
    #[cfg(not(target_os = "linux"))]
    fn give_back(&mut self) -> bool {
        match MmapMut::map_anon(self.map.len()) {
            Ok(map) => {
                self.map = map;
                true
            }
            Err(_) => false,
        }
    }

    /// Prefetches a value into the processor's cache. Nothing happens if there is no such value.
    #[inline]
    pub fn prefetch(&self, number: usize) {
        if let Some(value) = self.get(number) {
            prefetch(value);
        }
    }
}

/// Size of a cache line in bytes.
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
        // SAFETY: the map holds `count` values, is aligned to a page, and was zeroed by the system.
        // All zeros are a valid `T`. Only this function looks into the map, so no unique reference
        // to it exists.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn values_start_at_zero_and_keep_what_is_stored() {
        let memory: ZeroedMemory<[AtomicU64; 3]> = ZeroedMemory::new(100_000).unwrap();
        assert_eq!(memory.len(), 100_000);
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
    fn more_than_there_is_in_the_world_is_refused() {
        assert!(ZeroedMemory::<[AtomicU64; 4]>::new(usize::MAX / 64).is_none());
        assert!(ZeroedMemory::<[AtomicU64; 4]>::new(usize::MAX / 2).is_none());
    }
}

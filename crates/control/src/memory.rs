//! Memory for large tables: zeroed, taken as it is touched, on huge pages if they are asked for.
//!
//! A table is read at random places, so with pages of four kilobytes nearly every look-up also
//! waits for the page's address. On Linux the kernel can be asked for pages of two megabytes.

use std::marker::PhantomData;
use std::ops::Deref;

use bytemuck::Zeroable;
use memmap2::MmapMut;

/// A slice of zeroed values in memory of its own. It is only ever shared, so values are changed
/// through atomics.
pub struct ZeroedMemory<T> {
    map: MmapMut,
    count: usize,
    values: PhantomData<T>,
}

/// The smallest page there is: no value needs a larger alignment.
const PAGE: usize = 4096;

impl<T: Zeroable> ZeroedMemory<T> {
    /// So many values (at least one), all bits zero; `None` without enough memory.
    pub fn new(count: usize) -> Option<ZeroedMemory<T>> {
        const {
            assert!(align_of::<T>() <= PAGE && size_of::<T>() > 0 && !std::mem::needs_drop::<T>());
        }
        let map = MmapMut::map_anon(count.max(1).checked_mul(size_of::<T>())?).ok()?;
        Some(ZeroedMemory { map, count, values: PhantomData })
    }
}

impl<T: Zeroable> ZeroedMemory<T> {
    /// Asks for huge pages wherever no page has been touched yet. Not to be done to memory of which
    /// only little will be used: the first touch of a huge page zeroes all of it.
    pub fn use_huge_pages(&self) {
        // Without them everything is slower and no less right.
        #[cfg(target_os = "linux")]
        let _ = self.map.advise(memmap2::Advice::HugePage);
    }

    /// Sets all values to zero again. Pages that were never touched stay so.
    pub fn clear(&mut self) {
        self.map.fill(0);
    }

    /// Lets the processor fetch a value into its cache; nothing happens where there is no such
    /// value.
    #[inline]
    pub fn prefetch(&self, number: usize) {
        if let Some(value) = self.get(number) {
            prefetch(value);
        }
    }
}

/// Size of a cache line in bytes.
const LINE: usize = 64;

/// Lets the processor fetch a value into its cache, and does not wait for it. Nothing happens on
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
        // SAFETY: the map holds `count` values, is aligned to a page and was zeroed by the system,
        // and all zeros are a valid `T`. Nothing but this function looks into the map, so there is
        // never a unique reference to it.
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
    fn more_than_there_is_in_the_world_is_refused() {
        assert!(ZeroedMemory::<[AtomicU64; 4]>::new(usize::MAX / 64).is_none());
        assert!(ZeroedMemory::<[AtomicU64; 4]>::new(usize::MAX / 2).is_none());
    }
}

//! Values that will soon be read.

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
        // SAFETY: `line * LINE` is less than the size of the value, so the address lies within it. A
        // prefetch changes nothing that the program could see, and every x86-64 has the instruction.
        unsafe { _mm_prefetch(start.add(line * LINE), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_any_size_stay_as_they_are() {
        prefetch(&());
        prefetch(&[0_u8; 0]);
        let numbers: [u8; 1000] = std::array::from_fn(|number| number as u8);
        numbers.iter().for_each(prefetch);
        prefetch(&numbers);
        prefetch(&numbers[7..].first_chunk::<64>().expect("there are more"));
        assert!(numbers.iter().enumerate().all(|(number, &value)| value == number as u8));
    }
}

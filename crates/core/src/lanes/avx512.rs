//! Eight words in one register, sets of lanes in mask registers.
//!
//! SAFETY, for every block here: the module is only compiled for targets with these instructions;
//! loads and stores stay within the array they are given and need no alignment.

use std::arch::x86_64::*;

use super::{LaneSet, Lanes};

#[derive(Clone, Copy)]
pub(crate) struct Words(__m512i);

impl Lanes for Words {
    const ASKS_FIRST: bool = false;
    type Mask = __mmask8;

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Words {
        Words(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut [u64; 8]) {
        unsafe { _mm512_storeu_si512(words.cast(), self.0) }
    }

    #[inline(always)]
    fn splat(word: u64) -> Words {
        Words(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn and(self, other: Words) -> Words {
        Words(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        Words(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        Words(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn lowest_and_below(self) -> Words {
        Words(unsafe { _mm512_xor_si512(self.0, _mm512_add_epi64(self.0, _mm512_set1_epi64(-1))) })
    }

    #[inline(always)]
    fn highest_and_above(self) -> Words {
        // Shifting the sign brings in its copies; without a bit these are all that is left.
        Words(unsafe { _mm512_srav_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(self.0)) })
    }

    #[inline(always)]
    fn where_zero(self, test: Words) -> Words {
        Words(unsafe { _mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(test.0, test.0), self.0) })
    }

    #[inline(always)]
    fn join(self, last: Words) -> Words {
        Words(unsafe { _mm512_mask_mov_epi64(self.0, 0xf0, last.0) })
    }

    #[inline(always)]
    fn opposite(self) -> Words {
        Words(unsafe { _mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0) })
    }

    #[inline(always)]
    fn mask(lanes: u8) -> __mmask8 {
        lanes
    }

    #[inline(always)]
    fn mask_of(set: &LaneSet) -> __mmask8 {
        set.bits
    }

    #[inline(always)]
    fn bits(mask: __mmask8) -> u8 {
        mask
    }

    #[inline(always)]
    fn lanes_with(self, bit: u32) -> __mmask8 {
        unsafe { _mm512_test_epi64_mask(self.0, _mm512_set1_epi64(1 << bit)) }
    }

    #[inline(always)]
    fn filled(self) -> __mmask8 {
        unsafe { _mm512_test_epi64_mask(self.0, self.0) }
    }

    #[inline(always)]
    fn keep(self, mask: __mmask8) -> Words {
        Words(unsafe { _mm512_maskz_mov_epi64(mask, self.0) })
    }

    #[inline(always)]
    fn any(self) -> u64 {
        unsafe { _mm512_reduce_or_epi64(self.0) as u64 }
    }

    #[inline(always)]
    fn twice(self) -> u64 {
        let [one, other] =
            unsafe { [_mm512_castsi512_si256(self.0), _mm512_extracti64x4_epi64::<1>(self.0)] };
        super::avx2::twice(one, other)
    }

    #[inline(always)]
    fn count_ones<const N: usize>(vectors: [Words; N]) -> u32 {
        unsafe {
            let mut sums = _mm512_setzero_si512();
            for vector in vectors {
                sums = _mm512_add_epi64(sums, _mm512_popcnt_epi64(vector.0));
            }
            _mm512_reduce_add_epi64(sums) as u32
        }
    }
}

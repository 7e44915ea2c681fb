//! The vectors for every x86-64 (SSE2): two words in each of four registers.

use std::arch::x86_64::*;

use super::pairs::{self, Pair};

pub(crate) type Words = pairs::Words<__m128i>;

/// Every target of this module has its instructions: all `unsafe` here relies on that.
const _: () = assert!(cfg!(target_feature = "sse2"));

/// The highest bit of each word and all below it.
#[inline(always)]
fn smear(words: __m128i) -> __m128i {
    // SAFETY: the target has these instructions.
    unsafe {
        let words = _mm_or_si128(words, _mm_srli_epi64::<1>(words));
        let words = _mm_or_si128(words, _mm_srli_epi64::<2>(words));
        let words = _mm_or_si128(words, _mm_srli_epi64::<4>(words));
        let words = _mm_or_si128(words, _mm_srli_epi64::<8>(words));
        let words = _mm_or_si128(words, _mm_srli_epi64::<16>(words));
        _mm_or_si128(words, _mm_srli_epi64::<32>(words))
    }
}

// SAFETY: the type is any 16 bytes, the lower word first.
unsafe impl Pair for __m128i {
    #[inline(always)]
    fn splat(word: u64) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe { _mm_set1_epi64x(word as i64) }
    }

    #[inline(always)]
    fn and(self, other: __m128i) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe { _mm_and_si128(self, other) }
    }

    #[inline(always)]
    fn or(self, other: __m128i) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe { _mm_or_si128(self, other) }
    }

    #[inline(always)]
    fn xor(self, other: __m128i) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe { _mm_xor_si128(self, other) }
    }

    #[inline(always)]
    fn lowest_and_below(self) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe { _mm_xor_si128(self, _mm_add_epi64(self, _mm_set1_epi64x(-1))) }
    }

    #[inline(always)]
    fn highest_and_above(self) -> __m128i {
        // The bits that are not below the highest bit.
        // SAFETY: the target has these instructions.
        unsafe { _mm_xor_si128(_mm_srli_epi64::<1>(smear(self)), _mm_set1_epi64x(-1)) }
    }

    #[inline(always)]
    fn empty(self) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe {
            let halves = _mm_cmpeq_epi32(self, _mm_setzero_si128());
            _mm_and_si128(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves))
        }
    }

    #[inline(always)]
    fn filled(self) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe { _mm_xor_si128(self.empty(), _mm_set1_epi64x(-1)) }
    }

    #[inline(always)]
    fn words_with(self, bit: u32) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe {
            let highest = _mm_sll_epi64(self, _mm_cvtsi32_si128(63 - bit as i32));
            _mm_shuffle_epi32::<0b11_11_01_01>(_mm_srai_epi32::<31>(highest))
        }
    }

    #[inline(always)]
    fn swapped(self) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe { _mm_shuffle_epi32::<0b01_00_11_10>(self) }
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: the target has these instructions.
        unsafe { _mm_cvtsi128_si64(self) as u64 }
    }

    #[inline(always)]
    fn bits([a, b, c, d]: [__m128i; 4]) -> u8 {
        // The words are all ones or all zeros, so each packing halves their width without loss.
        // SAFETY: the target has these instructions.
        unsafe {
            let quarters = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
            _mm_movemask_epi8(_mm_packs_epi16(quarters, _mm_setzero_si128())) as u8
        }
    }

    #[inline(always)]
    fn column(words: [__m128i; 4], bit: u32) -> u8 {
        // SAFETY: the target has these instructions.
        let [a, b, c, d] = words.map(|words| unsafe {
            let highest = _mm_sll_epi64(words, _mm_cvtsi32_si128(63 - bit as i32));
            _mm_movemask_pd(_mm_castsi128_pd(highest))
        });
        (a | b << 2 | c << 4 | d << 6) as u8
    }

    #[inline(always)]
    fn column_of_pair([low, high]: [Words; 2], bit: u32) -> u8 {
        // A shift by 64 or more gives 0. A negative count acts as such a shift.
        // SAFETY: the target has these instructions.
        let highest = low.zip(high, |low, high| unsafe {
            let (low_shift, high_shift) = (63 - bit as i32, 127 - bit as i32);
            _mm_or_si128(
                _mm_sll_epi64(low, _mm_set_epi64x(0, i64::from(low_shift))),
                _mm_sll_epi64(high, _mm_set_epi64x(0, i64::from(high_shift))),
            )
        });
        Self::column(highest.0, 63)
    }

    #[inline(always)]
    fn counted(self) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe {
            let low = _mm_set1_epi8(0x55);
            let pairs = _mm_sub_epi8(self, _mm_and_si128(_mm_srli_epi64::<1>(self), low));
            let low = _mm_set1_epi8(0x33);
            let nibbles = _mm_add_epi8(
                _mm_and_si128(pairs, low),
                _mm_and_si128(_mm_srli_epi64::<2>(pairs), low),
            );
            let sum = _mm_add_epi8(nibbles, _mm_srli_epi64::<4>(nibbles));
            _mm_and_si128(sum, _mm_set1_epi8(0xf))
        }
    }

    #[inline(always)]
    fn add_bytes(self, other: __m128i) -> __m128i {
        // SAFETY: the target has these instructions.
        unsafe { _mm_add_epi8(self, other) }
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        // SAFETY: the target has these instructions.
        unsafe {
            let two = _mm_sad_epu8(self, _mm_setzero_si128());
            _mm_cvtsi128_si32(_mm_add_epi64(two, two.swapped())) as u32
        }
    }
}

//! The vectors for AVX2: four words in each of two registers.

use std::arch::x86_64::*;

use super::{LaneSet, Lanes};

/// Every target of this module has its instructions: all `unsafe` here relies on that.
const _: () = assert!(cfg!(target_feature = "avx2"));

/// Lanes 0 to 3, and 4 to 7.
#[derive(Clone, Copy)]
pub(crate) struct Words(__m256i, __m256i);

impl Words {
    #[inline(always)]
    fn map(self, f: impl Fn(__m256i) -> __m256i) -> Words {
        Words(f(self.0), f(self.1))
    }

    #[inline(always)]
    fn zip(self, other: Words, f: impl Fn(__m256i, __m256i) -> __m256i) -> Words {
        Words(f(self.0, other.0), f(self.1, other.1))
    }
}

/// The highest bit of each word and all below it.
#[inline(always)]
fn smear(words: __m256i) -> __m256i {
    // SAFETY: the target has these instructions.
    unsafe {
        let words = _mm256_or_si256(words, _mm256_srli_epi64::<1>(words));
        let words = _mm256_or_si256(words, _mm256_srli_epi64::<2>(words));
        let words = _mm256_or_si256(words, _mm256_srli_epi64::<4>(words));
        let words = _mm256_or_si256(words, _mm256_srli_epi64::<8>(words));
        let words = _mm256_or_si256(words, _mm256_srli_epi64::<16>(words));
        _mm256_or_si256(words, _mm256_srli_epi64::<32>(words))
    }
}

/// The bits that two or more of eight words share. Each step halves the words and keeps which bits
/// occurred once and which twice.
#[inline(always)]
pub(super) fn twice(one: __m256i, other: __m256i) -> u64 {
    // SAFETY: the target has these instructions.
    unsafe {
        let (once, twice) = (_mm256_or_si256(one, other), _mm256_and_si256(one, other));
        let [one, other] = [_mm256_castsi256_si128(once), _mm256_extracti128_si256::<1>(once)];
        let below =
            _mm_or_si128(_mm256_castsi256_si128(twice), _mm256_extracti128_si256::<1>(twice));
        let (once, twice) =
            (_mm_or_si128(one, other), _mm_or_si128(below, _mm_and_si128(one, other)));
        let both = _mm_and_si128(once, _mm_unpackhi_epi64(once, once));
        let twice = _mm_or_si128(twice, _mm_unpackhi_epi64(twice, twice));
        _mm_cvtsi128_si64(_mm_or_si128(twice, both)) as u64
    }
}

impl Lanes for Words {
    const ASKS_FIRST: bool = true;
    /// All bits of a lane in the set, none of the others.
    type Mask = Words;
    type Tally = u32;

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Words {
        let start: *const __m256i = words.as_ptr().cast();
        // SAFETY: the target has these instructions. They read the eight words of the array, and
        // need no alignment.
        unsafe { Words(_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))) }
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut [u64; 8]) {
        let start: *mut __m256i = words.cast();
        // SAFETY: the target has these instructions. The caller vouches for the place of eight
        // words, and the stores need no alignment.
        unsafe {
            _mm256_storeu_si256(start, self.0);
            _mm256_storeu_si256(start.add(1), self.1);
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Words {
        // SAFETY: the target has these instructions.
        let four = unsafe { _mm256_set1_epi64x(word as i64) };
        Words(four, four)
    }

    #[inline(always)]
    fn and(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { _mm256_and_si256(one, other) })
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { _mm256_or_si256(one, other) })
    }

    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { _mm256_xor_si256(one, other) })
    }

    #[inline(always)]
    fn lowest_and_below(self) -> Words {
        // SAFETY: the target has these instructions.
        self.map(|words| unsafe {
            _mm256_xor_si256(words, _mm256_add_epi64(words, _mm256_set1_epi64x(-1)))
        })
    }

    #[inline(always)]
    fn highest_and_above(self) -> Words {
        // The bits that are not below the highest bit.
        // SAFETY: the target has these instructions.
        self.map(|words| unsafe {
            let below = _mm256_srli_epi64::<1>(smear(words));
            _mm256_xor_si256(below, _mm256_set1_epi64x(-1))
        })
    }

    #[inline(always)]
    fn where_zero(self, test: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(test, |words, test| unsafe {
            _mm256_and_si256(words, _mm256_cmpeq_epi64(test, _mm256_setzero_si256()))
        })
    }

    #[inline(always)]
    fn join(self, last: Words) -> Words {
        Words(self.0, last.1)
    }

    #[inline(always)]
    fn opposite(self) -> Words {
        Words(self.1, self.0)
    }

    #[inline(always)]
    fn mask(lanes: u8) -> Words {
        // SAFETY: the target has these instructions.
        unsafe {
            let lanes = _mm256_set1_epi64x(i64::from(lanes));
            let of = |own| _mm256_cmpeq_epi64(_mm256_and_si256(lanes, own), own);
            Words(of(_mm256_setr_epi64x(1, 2, 4, 8)), of(_mm256_setr_epi64x(16, 32, 64, 128)))
        }
    }

    #[inline(always)]
    fn mask_of(set: &LaneSet) -> Words {
        Words::load(&set.words)
    }

    #[inline(always)]
    fn bits(mask: Words) -> u8 {
        // SAFETY: the target has these instructions.
        let four = |words| unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(words)) };
        (four(mask.0) | four(mask.1) << 4) as u8
    }

    #[inline(always)]
    fn lanes_with(self, bit: u32) -> Words {
        // SAFETY: the target has these instructions.
        self.map(|words| unsafe {
            let highest = _mm256_sll_epi64(words, _mm_cvtsi32_si128(63 - bit as i32));
            _mm256_cmpgt_epi64(_mm256_setzero_si256(), highest)
        })
    }

    #[inline(always)]
    fn column_of_pair([low, high]: [Words; 2], bit: u32) -> u8 {
        // A shift by 64 or more gives 0. A negative count acts as such a shift.
        // SAFETY: the target has these instructions.
        let highest = low.zip(high, |low, high| unsafe {
            let (low_shift, high_shift) = (63 - bit as i32, 127 - bit as i32);
            _mm256_or_si256(
                _mm256_sll_epi64(low, _mm_set_epi64x(0, i64::from(low_shift))),
                _mm256_sll_epi64(high, _mm_set_epi64x(0, i64::from(high_shift))),
            )
        });
        Words::bits(highest)
    }

    #[inline(always)]
    fn filled(self) -> Words {
        let all = Words::splat(u64::MAX);
        all.where_zero(self).xor(all)
    }

    #[inline(always)]
    fn keep(self, mask: Words) -> Words {
        self.and(mask)
    }

    #[inline(always)]
    fn any(self) -> u64 {
        // SAFETY: the target has these instructions.
        unsafe {
            let four = _mm256_or_si256(self.0, self.1);
            let two =
                _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
        }
    }

    #[inline(always)]
    fn twice(self) -> u64 {
        twice(self.0, self.1)
    }

    #[inline(always)]
    fn tally<const N: usize>(vectors: [Words; N]) -> u32 {
        const { assert!(N <= 31, "a byte holds the bits of 31 vectors") };
        // Counts the bits of each nibble with a table (Muła 2008). Each byte is at most 8 * 31.
        // SAFETY: the target has these instructions.
        unsafe {
            let of_nibble = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let low = _mm256_set1_epi8(0xf);
            let count = |words| {
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(words), low);
                _mm256_add_epi8(
                    _mm256_shuffle_epi8(of_nibble, _mm256_and_si256(words, low)),
                    _mm256_shuffle_epi8(of_nibble, high),
                )
            };
            let zero = _mm256_setzero_si256();
            let mut bytes = Words(zero, zero);
            for vector in vectors {
                bytes.0 = _mm256_add_epi8(bytes.0, count(vector.0));
                bytes.1 = _mm256_add_epi8(bytes.1, count(vector.1));
            }
            let four =
                _mm256_add_epi64(_mm256_sad_epu8(bytes.0, zero), _mm256_sad_epu8(bytes.1, zero));
            let two =
                _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            _mm_cvtsi128_si32(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as u32
        }
    }
}

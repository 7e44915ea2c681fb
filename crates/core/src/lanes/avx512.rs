//! The vectors for AVX-512: eight words in one register, sets of lanes in mask registers.

use std::arch::x86_64::*;

use super::{LaneSet, Lanes, TallyOf};

/// Every target of this module has its instructions: all `unsafe` here relies on that.
const _: () = assert!(cfg!(all(
    target_feature = "avx512cd",
    target_feature = "avx512vl",
    target_feature = "avx512vpopcntdq"
)));

#[derive(Clone, Copy)]
pub(crate) struct Words(__m512i);

/// The halves of each single bit of 128.
static BITS: [[u64; 2]; 128] = {
    let mut table = [[0; 2]; 128];
    let mut bit = 0;
    while bit < 128 {
        table[bit][bit / 64] = 1 << (bit % 64);
        bit += 1;
    }
    table
};

/// Both words of a register.
#[inline(always)]
fn words(words: __m128i) -> [u64; 2] {
    // SAFETY: the target has these instructions.
    unsafe { [_mm_cvtsi128_si64(words) as u64, _mm_extract_epi64::<1>(words) as u64] }
}

impl Lanes for Words {
    const ASKS_FIRST: bool = false;
    type Mask = __mmask8;
    /// One count for each lane.
    type Tally = Words;

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Words {
        // SAFETY: the target has these instructions. They read the eight words of the array, and
        // need no alignment.
        Words(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut [u64; 8]) {
        // SAFETY: the target has these instructions. The caller vouches for the place of eight
        // words, and the stores need no alignment.
        unsafe { _mm512_storeu_si512(words.cast(), self.0) }
    }

    #[inline(always)]
    fn splat(word: u64) -> Words {
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn and(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn lowest_and_below(self) -> Words {
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_xor_si512(self.0, _mm512_add_epi64(self.0, _mm512_set1_epi64(-1))) })
    }

    #[inline(always)]
    fn highest_and_above(self) -> Words {
        // An arithmetic shift copies the sign bit. Without a set bit, only these copies are left.
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_srav_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(self.0)) })
    }

    #[inline(always)]
    fn where_zero(self, test: Words) -> Words {
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(test.0, test.0), self.0) })
    }

    #[inline(always)]
    fn join(self, last: Words) -> Words {
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_mask_mov_epi64(self.0, 0xf0, last.0) })
    }

    #[inline(always)]
    fn opposite(self) -> Words {
        // SAFETY: the target has these instructions.
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
        // SAFETY: the target has these instructions.
        unsafe { _mm512_test_epi64_mask(self.0, _mm512_set1_epi64(1 << bit)) }
    }

    #[inline(always)]
    fn column_of_pair([low, high]: [Words; 2], bit: u32) -> u8 {
        // The bit comes from a table, because a load can spread it over all lanes.
        let [of_low, of_high] = BITS[bit as usize & 127];
        low.and(Words::splat(of_low)).or(high.and(Words::splat(of_high))).filled()
    }

    #[inline(always)]
    fn filled(self) -> __mmask8 {
        // SAFETY: the target has these instructions.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) }
    }

    #[inline(always)]
    fn keep(self, mask: __mmask8) -> Words {
        // SAFETY: the target has these instructions.
        Words(unsafe { _mm512_maskz_mov_epi64(mask, self.0) })
    }

    #[inline(always)]
    fn any(self) -> u64 {
        // SAFETY: the target has these instructions.
        unsafe { _mm512_reduce_or_epi64(self.0) as u64 }
    }

    #[inline(always)]
    fn twice(self) -> u64 {
        // SAFETY: the target has these instructions.
        let [one, other] =
            unsafe { [_mm512_castsi512_si256(self.0), _mm512_extracti64x4_epi64::<1>(self.0)] };
        super::avx2::twice(one, other)
    }

    #[inline(always)]
    fn any_of_pair([low, high]: [Words; 2]) -> [u64; 2] {
        // SAFETY: the target has these instructions.
        unsafe {
            let four = _mm512_or_si512(
                _mm512_unpacklo_epi64(low.0, high.0),
                _mm512_unpackhi_epi64(low.0, high.0),
            );
            let two =
                _mm256_or_si256(_mm512_castsi512_si256(four), _mm512_extracti64x4_epi64::<1>(four));
            words(_mm_or_si128(_mm256_castsi256_si128(two), _mm256_extracti128_si256::<1>(two)))
        }
    }

    #[inline(always)]
    fn twice_of_pair([low, high]: [Words; 2]) -> [u64; 2] {
        // Each step halves the words and keeps which bits occurred once and which twice.
        // SAFETY: the target has these instructions.
        unsafe {
            let [one, other] =
                [_mm512_unpacklo_epi64(low.0, high.0), _mm512_unpackhi_epi64(low.0, high.0)];
            let (once, twice) = (_mm512_or_si512(one, other), _mm512_and_si512(one, other));
            let [one, other] = [_mm512_castsi512_si256(once), _mm512_extracti64x4_epi64::<1>(once)];
            let twice = _mm256_or_si256(
                _mm512_castsi512_si256(twice),
                _mm512_extracti64x4_epi64::<1>(twice),
            );
            let twice = _mm256_or_si256(twice, _mm256_and_si256(one, other));
            let once = _mm256_or_si256(one, other);
            let [one, other] = [_mm256_castsi256_si128(once), _mm256_extracti128_si256::<1>(once)];
            let twice =
                _mm_or_si128(_mm256_castsi256_si128(twice), _mm256_extracti128_si256::<1>(twice));
            words(_mm_or_si128(twice, _mm_and_si128(one, other)))
        }
    }

    #[inline(always)]
    fn lane(self, number: usize) -> u64 {
        // SAFETY: the target has these instructions.
        unsafe {
            let first = _mm512_permutexvar_epi64(_mm512_set1_epi64(number as i64), self.0);
            _mm_cvtsi128_si64(_mm512_castsi512_si128(first)) as u64
        }
    }

    #[inline(always)]
    fn tally<const N: usize>(vectors: [Words; N]) -> Words {
        const { assert!(N <= 31, "other forms hold no more") };
        Words::splat(0).more(vectors)
    }
}

impl TallyOf<Words> for Words {
    #[inline(always)]
    fn more<const N: usize>(mut self, vectors: [Words; N]) -> Words {
        for vector in vectors {
            // SAFETY: the target has these instructions.
            self.0 = unsafe { _mm512_add_epi64(self.0, _mm512_popcnt_epi64(vector.0)) };
        }
        self
    }

    #[inline(always)]
    fn fewer<const N: usize>(mut self, vectors: [Words; N]) -> Words {
        for vector in vectors {
            // SAFETY: the target has these instructions.
            self.0 = unsafe { _mm512_sub_epi64(self.0, _mm512_popcnt_epi64(vector.0)) };
        }
        self
    }

    #[inline(always)]
    fn total(self) -> u32 {
        // SAFETY: the target has these instructions.
        unsafe { _mm512_reduce_add_epi64(self.0) as u32 }
    }
}

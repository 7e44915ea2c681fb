//! The vectors for every x86-64 (SSE2): two words in each of four registers.

use std::arch::x86_64::*;

use super::{LaneSet, Lanes};

/// Every target of this module has its instructions: all `unsafe` here relies on that.
const _: () = assert!(cfg!(target_feature = "sse2"));

/// Two lanes each.
#[derive(Clone, Copy)]
pub(crate) struct Words([__m128i; 4]);

impl Words {
    #[inline(always)]
    fn map(self, f: impl Fn(__m128i) -> __m128i) -> Words {
        Words(self.0.map(f))
    }

    #[inline(always)]
    fn zip(self, other: Words, f: impl Fn(__m128i, __m128i) -> __m128i) -> Words {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Words([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

/// All bits of each word that is 0.
#[inline(always)]
fn zero(words: __m128i) -> __m128i {
    // SAFETY: the target has these instructions.
    unsafe {
        let halves = _mm_cmpeq_epi32(words, _mm_setzero_si128());
        _mm_and_si128(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves))
    }
}

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

/// Both words of a vector in one.
#[inline(always)]
fn merged(words: __m128i) -> u64 {
    // SAFETY: the target has these instructions.
    unsafe { _mm_cvtsi128_si64(_mm_or_si128(words, _mm_unpackhi_epi64(words, words))) as u64 }
}

impl Lanes for Words {
    const ASKS_FIRST: bool = true;
    /// All bits of a lane in the set, none of the others.
    type Mask = Words;
    type Tally = u32;

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Words {
        let start: *const __m128i = words.as_ptr().cast();
        // SAFETY: the target has these instructions. They read the eight words of the array, and
        // need no alignment.
        Words([0, 1, 2, 3].map(|pair| unsafe { _mm_loadu_si128(start.add(pair)) }))
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut [u64; 8]) {
        let start: *mut __m128i = words.cast();
        for (pair, lanes) in self.0.into_iter().enumerate() {
            // SAFETY: the target has these instructions. The caller vouches for the place of eight
            // words, and the stores need no alignment.
            unsafe { _mm_storeu_si128(start.add(pair), lanes) };
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Words {
        // SAFETY: the target has these instructions.
        Words([unsafe { _mm_set1_epi64x(word as i64) }; 4])
    }

    #[inline(always)]
    fn and(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { _mm_and_si128(one, other) })
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { _mm_or_si128(one, other) })
    }

    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { _mm_xor_si128(one, other) })
    }

    #[inline(always)]
    fn lowest_and_below(self) -> Words {
        // SAFETY: the target has these instructions.
        self.map(|words| unsafe { _mm_xor_si128(words, _mm_add_epi64(words, _mm_set1_epi64x(-1))) })
    }

    #[inline(always)]
    fn highest_and_above(self) -> Words {
        // The bits that are not below the highest bit.
        // SAFETY: the target has these instructions.
        self.map(|words| unsafe {
            _mm_xor_si128(_mm_srli_epi64::<1>(smear(words)), _mm_set1_epi64x(-1))
        })
    }

    #[inline(always)]
    fn where_zero(self, test: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(test, |words, test| unsafe { _mm_and_si128(words, zero(test)) })
    }

    #[inline(always)]
    fn join(self, last: Words) -> Words {
        Words([self.0[0], self.0[1], last.0[2], last.0[3]])
    }

    #[inline(always)]
    fn opposite(self) -> Words {
        Words([self.0[2], self.0[3], self.0[0], self.0[1]])
    }

    #[inline(always)]
    fn mask(lanes: u8) -> Words {
        Words::load(&super::LANES[usize::from(lanes)])
    }

    #[inline(always)]
    fn mask_of(set: &LaneSet) -> Words {
        Words::load(&set.words)
    }

    #[inline(always)]
    fn bits(mask: Words) -> u8 {
        let [a, b, c, d] = mask.0;
        // The words are all ones or all zeros, so each packing halves their width without loss.
        // SAFETY: the target has these instructions.
        unsafe {
            let quarters = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
            _mm_movemask_epi8(_mm_packs_epi16(quarters, _mm_setzero_si128())) as u8
        }
    }

    #[inline(always)]
    fn lanes_with(self, bit: u32) -> Words {
        // SAFETY: the target has these instructions.
        self.map(|words| unsafe {
            let highest = _mm_sll_epi64(words, _mm_cvtsi32_si128(63 - bit as i32));
            _mm_shuffle_epi32::<0b11_11_01_01>(_mm_srai_epi32::<31>(highest))
        })
    }

    #[inline(always)]
    fn column(self, bit: u32) -> u8 {
        // SAFETY: the target has these instructions.
        let two = |words| unsafe {
            let highest = _mm_sll_epi64(words, _mm_cvtsi32_si128(63 - bit as i32));
            _mm_movemask_pd(_mm_castsi128_pd(highest))
        };
        let [a, b, c, d] = self.0;
        (two(a) | two(b) << 2 | two(c) << 4 | two(d) << 6) as u8
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
        highest.column(63)
    }

    #[inline(always)]
    fn filled(self) -> Words {
        // SAFETY: the target has these instructions.
        self.map(|words| unsafe { _mm_xor_si128(zero(words), _mm_set1_epi64x(-1)) })
    }

    #[inline(always)]
    fn keep(self, mask: Words) -> Words {
        self.and(mask)
    }

    #[inline(always)]
    fn any(self) -> u64 {
        let [a, b, c, d] = self.0;
        // SAFETY: the target has these instructions.
        unsafe { merged(_mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d))) }
    }

    #[inline(always)]
    fn twice(self) -> u64 {
        // SAFETY: the target has these instructions.
        let both = |(once, twice), words| unsafe {
            (_mm_or_si128(once, words), _mm_or_si128(twice, _mm_and_si128(once, words)))
        };
        let [a, b, c, d] = self.0;
        // SAFETY: the target has these instructions.
        let (once, twice) = [b, c, d].into_iter().fold((a, unsafe { _mm_setzero_si128() }), both);
        // SAFETY: the target has these instructions.
        let both_halves = unsafe { _mm_and_si128(once, _mm_unpackhi_epi64(once, once)) };
        // SAFETY: the target has these instructions.
        merged(twice) | unsafe { _mm_cvtsi128_si64(both_halves) as u64 }
    }

    #[inline(always)]
    fn tally<const N: usize>(vectors: [Words; N]) -> u32 {
        const { assert!(N <= 31, "a byte holds the bits of 31 vectors") };
        // SAFETY: the target has these instructions.
        unsafe {
            // A full adder turns three vectors into sums and carries. So the bits of four lanes are
            // combined in pairs before the bytes are counted (Harley and Seal).
            let count = |words| {
                let low = _mm_set1_epi8(0x55);
                let pairs = _mm_sub_epi8(words, _mm_and_si128(_mm_srli_epi64::<1>(words), low));
                let low = _mm_set1_epi8(0x33);
                let nibbles = _mm_add_epi8(
                    _mm_and_si128(pairs, low),
                    _mm_and_si128(_mm_srli_epi64::<2>(pairs), low),
                );
                let sum = _mm_add_epi8(nibbles, _mm_srli_epi64::<4>(nibbles));
                _mm_and_si128(sum, _mm_set1_epi8(0xf))
            };
            let none = _mm_setzero_si128();
            let (mut ones, mut twos, mut bytes) = (none, none, none);
            let add = |one, other, third| {
                let either = _mm_xor_si128(one, other);
                let carry = _mm_or_si128(_mm_and_si128(one, other), _mm_and_si128(either, third));
                (_mm_xor_si128(either, third), carry)
            };
            for vector in vectors {
                let [a, b, c, d] = vector.0;
                let (sum, first) = add(ones, a, b);
                let (sum, second) = add(sum, c, d);
                let (carry, fours) = add(twos, first, second);
                (ones, twos) = (sum, carry);
                // Each vector adds at most 8 to each byte.
                bytes = _mm_add_epi8(bytes, count(fours));
            }
            let sums = |bytes| {
                let two = _mm_sad_epu8(bytes, _mm_setzero_si128());
                _mm_cvtsi128_si32(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as u32
            };
            let twos = count(twos);
            4 * sums(bytes) + sums(_mm_add_epi8(_mm_add_epi8(twos, twos), count(ones)))
        }
    }
}

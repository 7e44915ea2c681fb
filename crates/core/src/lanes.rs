//! Eight words at once, one for each compass direction.
//!
//! What an attack map asks for, it asks for in eight directions, so [`Lanes`] is the one place
//! where vector instructions are written. There are three forms of it: AVX-512, AVX2, and plain
//! words for everything else. The best one is chosen by the features of the target; the tests
//! compare all that the target has.

/// A set of lanes in a table, in every form that vectors want.
pub(crate) struct LaneSet {
    bits: u8,
    /// All bits for each lane in the set.
    words: [u64; 8],
}

impl LaneSet {
    /// The lanes whose bits are given.
    pub(crate) const fn new(bits: u8) -> LaneSet {
        let mut words = [0; 8];
        let mut lane = 0;
        while lane < 8 {
            if bits >> lane & 1 != 0 {
                words[lane] = u64::MAX;
            }
            lane += 1;
        }
        LaneSet { bits, words }
    }
}

/// A vector of eight words. Lane `d` belongs to the direction with bit number `d`.
pub(crate) trait Lanes: Copy {
    /// Whether looking in all directions costs more than asking first whether there is need to.
    const ASKS_FIRST: bool;
    /// A set of lanes.
    type Mask: Copy;

    /// Reads eight words.
    fn load(words: &[u64; 8]) -> Self;
    /// Writes eight words where there need not be any yet.
    ///
    /// # Safety
    ///
    /// The place must be valid for writing.
    unsafe fn store_to(self, words: *mut [u64; 8]);
    /// The same word in every lane.
    fn splat(word: u64) -> Self;
    /// The bits in both.
    fn and(self, other: Self) -> Self;
    /// The bits in either.
    fn or(self, other: Self) -> Self;
    /// The bits in one but not in both.
    fn xor(self, other: Self) -> Self;
    /// In each lane, its lowest bit and all below; every bit where there is none.
    fn lowest_and_below(self) -> Self;
    /// In each lane, its highest bit and all above; every bit where there is none.
    fn highest_and_above(self) -> Self;
    /// Each lane whose lane in `test` is 0; others become 0.
    fn where_zero(self, test: Self) -> Self;
    /// The first four lanes of this, the last four of the other.
    fn join(self, last: Self) -> Self;
    /// Each lane in the place of the opposite direction.
    fn opposite(self) -> Self;
    /// The lanes whose bits are given.
    fn mask(lanes: u8) -> Self::Mask;
    /// The lanes of a set in a table.
    fn mask_of(set: &LaneSet) -> Self::Mask;
    /// One bit for each lane in the set.
    fn bits(mask: Self::Mask) -> u8;
    /// The lanes in which a bit is set.
    fn lanes_with(self, bit: u32) -> Self::Mask;
    /// The lanes that are not 0.
    fn filled(self) -> Self::Mask;
    /// The lanes in one of the sets but not in both.
    fn mask_xor(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// The lanes in the set; others become 0.
    fn keep(self, mask: Self::Mask) -> Self;
    /// The bits that any lane has.
    fn any(self) -> u64;
    /// The bits that two or more lanes have.
    fn twice(self) -> u64;
    /// One bit for each lane that is not 0.
    fn nonzero(self) -> u8 {
        Self::bits(self.filled())
    }
    /// Number of bits in up to 31 vectors.
    fn count_ones<const N: usize>(vectors: [Self; N]) -> u32;
}

/// The form that is used.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) type Chosen = plain::Words;
/// The form that is used.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(
        target_feature = "avx512cd",
        target_feature = "avx512vl",
        target_feature = "avx512vpopcntdq"
    ))
))]
pub(crate) type Chosen = avx2::Words;
/// The form that is used.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512cd",
    target_feature = "avx512vl",
    target_feature = "avx512vpopcntdq"
))]
pub(crate) type Chosen = avx512::Words;

#[cfg_attr(all(target_arch = "x86_64", target_feature = "avx2", not(test)), allow(dead_code))]
mod plain {
    use super::{LaneSet, Lanes};

    #[derive(Clone, Copy)]
    pub(crate) struct Words([u64; 8]);

    impl Words {
        #[inline(always)]
        fn map(self, f: impl Fn(u64) -> u64) -> Words {
            Words(self.0.map(f))
        }

        #[inline(always)]
        fn zip(self, other: Words, f: impl Fn(u64, u64) -> u64) -> Words {
            Words(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
        }
    }

    impl Lanes for Words {
        const ASKS_FIRST: bool = true;
        type Mask = u8;

        #[inline(always)]
        fn load(words: &[u64; 8]) -> Words {
            Words(*words)
        }

        #[inline(always)]
        unsafe fn store_to(self, words: *mut [u64; 8]) {
            // SAFETY: the caller's promise.
            unsafe { words.write(self.0) }
        }

        #[inline(always)]
        fn splat(word: u64) -> Words {
            Words([word; 8])
        }

        #[inline(always)]
        fn and(self, other: Words) -> Words {
            self.zip(other, |one, other| one & other)
        }

        #[inline(always)]
        fn or(self, other: Words) -> Words {
            self.zip(other, |one, other| one | other)
        }

        #[inline(always)]
        fn xor(self, other: Words) -> Words {
            self.zip(other, |one, other| one ^ other)
        }

        #[inline(always)]
        fn lowest_and_below(self) -> Words {
            self.map(|word| word ^ word.wrapping_sub(1))
        }

        #[inline(always)]
        fn highest_and_above(self) -> Words {
            self.map(|word| match word {
                0 => u64::MAX,
                _ => u64::MAX << (63 - word.leading_zeros()),
            })
        }

        #[inline(always)]
        fn where_zero(self, test: Words) -> Words {
            self.zip(test, |word, test| word & u64::from(test == 0).wrapping_neg())
        }

        #[inline(always)]
        fn join(self, last: Words) -> Words {
            Words(std::array::from_fn(|lane| if lane < 4 { self.0[lane] } else { last.0[lane] }))
        }

        #[inline(always)]
        fn opposite(self) -> Words {
            Words(std::array::from_fn(|lane| self.0[lane ^ 4]))
        }

        #[inline(always)]
        fn mask(lanes: u8) -> u8 {
            lanes
        }

        #[inline(always)]
        fn mask_of(set: &LaneSet) -> u8 {
            set.bits
        }

        #[inline(always)]
        fn bits(mask: u8) -> u8 {
            mask
        }

        #[inline(always)]
        fn lanes_with(self, bit: u32) -> u8 {
            let mut lanes = 0;
            for (lane, word) in self.0.into_iter().enumerate() {
                lanes |= ((word >> bit & 1) as u8) << lane;
            }
            lanes
        }

        #[inline(always)]
        fn filled(self) -> u8 {
            let mut lanes = 0;
            for (lane, word) in self.0.into_iter().enumerate() {
                lanes |= u8::from(word != 0) << lane;
            }
            lanes
        }

        #[inline(always)]
        fn mask_xor(one: u8, other: u8) -> u8 {
            one ^ other
        }

        #[inline(always)]
        fn keep(self, mask: u8) -> Words {
            static MASKS: [[u64; 8]; 256] = {
                let mut table = [[0; 8]; 256];
                let mut bits = 0;
                while bits < 256 {
                    table[bits] = LaneSet::new(bits as u8).words;
                    bits += 1;
                }
                table
            };
            self.and(Words(MASKS[usize::from(mask)]))
        }

        #[inline(always)]
        fn any(self) -> u64 {
            self.0.into_iter().fold(0, |any, word| any | word)
        }

        #[inline(always)]
        fn twice(self) -> u64 {
            let both = |(once, twice), word| (once | word, twice | once & word);
            self.0.into_iter().fold((0, 0), both).1
        }

        #[inline(always)]
        fn count_ones<const N: usize>(vectors: [Words; N]) -> u32 {
            // Pairs, nibbles and bytes of eight words are added side by side before the bytes of
            // each vector, below 8 * 31, are summed (Wilkes, Wheeler and Gill 1957).
            let mut bytes = [0u64; 8];
            for vector in vectors {
                for (sum, word) in bytes.iter_mut().zip(vector.0) {
                    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
                    let nibbles =
                        (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
                    *sum += (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
                }
            }
            let low = 0x00ff_00ff_00ff_00ff;
            let sum: u64 = bytes.into_iter().map(|word| (word & low) + (word >> 8 & low)).sum();
            // Four sums of sixteen bits, each below 2 * 8 * 8 * 31.
            (sum.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[cfg_attr(
    all(
        target_feature = "avx512cd",
        target_feature = "avx512vl",
        target_feature = "avx512vpopcntdq",
        not(test)
    ),
    allow(dead_code)
)]
// SAFETY, for every block here: the module is only compiled for targets with these instructions;
// loads and stores stay within the array they are given and need no alignment.
#[allow(clippy::undocumented_unsafe_blocks)]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{LaneSet, Lanes};

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
        unsafe {
            let words = _mm256_or_si256(words, _mm256_srli_epi64::<1>(words));
            let words = _mm256_or_si256(words, _mm256_srli_epi64::<2>(words));
            let words = _mm256_or_si256(words, _mm256_srli_epi64::<4>(words));
            let words = _mm256_or_si256(words, _mm256_srli_epi64::<8>(words));
            let words = _mm256_or_si256(words, _mm256_srli_epi64::<16>(words));
            _mm256_or_si256(words, _mm256_srli_epi64::<32>(words))
        }
    }

    /// The bits that two or more of eight words have, which come in two halves: halving adds up
    /// who has a bit once and who has it twice.
    #[inline(always)]
    pub(super) fn twice(one: __m256i, other: __m256i) -> u64 {
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

        #[inline(always)]
        fn load(words: &[u64; 8]) -> Words {
            let start: *const __m256i = words.as_ptr().cast();
            unsafe { Words(_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))) }
        }

        #[inline(always)]
        unsafe fn store_to(self, words: *mut [u64; 8]) {
            let start: *mut __m256i = words.cast();
            unsafe {
                _mm256_storeu_si256(start, self.0);
                _mm256_storeu_si256(start.add(1), self.1);
            }
        }

        #[inline(always)]
        fn splat(word: u64) -> Words {
            let four = unsafe { _mm256_set1_epi64x(word as i64) };
            Words(four, four)
        }

        #[inline(always)]
        fn and(self, other: Words) -> Words {
            self.zip(other, |one, other| unsafe { _mm256_and_si256(one, other) })
        }

        #[inline(always)]
        fn or(self, other: Words) -> Words {
            self.zip(other, |one, other| unsafe { _mm256_or_si256(one, other) })
        }

        #[inline(always)]
        fn xor(self, other: Words) -> Words {
            self.zip(other, |one, other| unsafe { _mm256_xor_si256(one, other) })
        }

        #[inline(always)]
        fn lowest_and_below(self) -> Words {
            self.map(|words| unsafe {
                _mm256_xor_si256(words, _mm256_add_epi64(words, _mm256_set1_epi64x(-1)))
            })
        }

        #[inline(always)]
        fn highest_and_above(self) -> Words {
            // What is not below the highest bit.
            self.map(|words| unsafe {
                let below = _mm256_srli_epi64::<1>(smear(words));
                _mm256_xor_si256(below, _mm256_set1_epi64x(-1))
            })
        }

        #[inline(always)]
        fn where_zero(self, test: Words) -> Words {
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
            let four = |words| unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(words)) };
            (four(mask.0) | four(mask.1) << 4) as u8
        }

        #[inline(always)]
        fn lanes_with(self, bit: u32) -> Words {
            self.map(|words| unsafe {
                let highest = _mm256_sll_epi64(words, _mm_cvtsi32_si128(63 - bit as i32));
                _mm256_cmpgt_epi64(_mm256_setzero_si256(), highest)
            })
        }

        #[inline(always)]
        fn filled(self) -> Words {
            let all = Words::splat(u64::MAX);
            all.where_zero(self).xor(all)
        }

        #[inline(always)]
        fn mask_xor(one: Words, other: Words) -> Words {
            one.xor(other)
        }

        #[inline(always)]
        fn keep(self, mask: Words) -> Words {
            self.and(mask)
        }

        #[inline(always)]
        fn any(self) -> u64 {
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
        fn count_ones<const N: usize>(vectors: [Words; N]) -> u32 {
            // Bits of each nibble by a table (Muła 2008); bytes stay below 8 * 31.
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
                let four = _mm256_add_epi64(
                    _mm256_sad_epu8(bytes.0, zero),
                    _mm256_sad_epu8(bytes.1, zero),
                );
                let two = _mm_add_epi64(
                    _mm256_castsi256_si128(four),
                    _mm256_extracti128_si256::<1>(four),
                );
                _mm_cvtsi128_si32(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as u32
            }
        }
    }
}

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512cd",
    target_feature = "avx512vl",
    target_feature = "avx512vpopcntdq"
))]
// SAFETY: as above.
#[allow(clippy::undocumented_unsafe_blocks)]
mod avx512 {
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
            Words(unsafe {
                _mm512_xor_si512(self.0, _mm512_add_epi64(self.0, _mm512_set1_epi64(-1)))
            })
        }

        #[inline(always)]
        fn highest_and_above(self) -> Words {
            // Shifting the sign brings in its copies; without a bit these are all that is left.
            Words(unsafe {
                _mm512_srav_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(self.0))
            })
        }

        #[inline(always)]
        fn where_zero(self, test: Words) -> Words {
            Words(unsafe {
                _mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(test.0, test.0), self.0)
            })
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
        fn mask_xor(one: __mmask8, other: __mmask8) -> __mmask8 {
            one ^ other
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    /// Words with few, many, low, high and no bits.
    fn samples() -> Vec<[u64; 8]> {
        let mut samples = vec![[0; 8], [u64::MAX; 8], [1; 8], [1 << 63; 8]];
        let mut seed = 3u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed ^ seed >> 29
        };
        for number in 0..400 {
            samples.push(std::array::from_fn(|_| match number % 4 {
                0 => next(),
                1 => next() & next() & next() & next(),
                2 => 1 << (next() % 64),
                _ => (next() % 2) << (next() % 64),
            }));
        }
        samples
    }

    /// Everything one form makes of two vectors.
    fn results<L: Lanes>(a: &[u64; 8], b: &[u64; 8], bit: u32) -> (Vec<[u64; 8]>, Vec<u64>) {
        let (one, other) = (L::load(a), L::load(b));
        let (lanes, more) = (a[0] as u8, b[1] as u8);
        let vectors = [
            one,
            L::splat(a[0]),
            one.and(other),
            one.or(other),
            one.xor(other),
            one.lowest_and_below(),
            one.highest_and_above(),
            one.where_zero(other),
            one.join(other),
            one.opposite(),
            one.keep(L::mask(lanes)),
            one.keep(other.lanes_with(bit)),
            one.keep(other.filled()),
            one.keep(L::mask_xor(L::mask(lanes), L::mask(more))),
            one.keep(L::mask_of(&LaneSet::new(lanes))),
        ];
        let stored = vectors.map(|vector| {
            let mut words = [7; 8];
            // SAFETY: there are words to be written.
            unsafe { vector.store_to(&mut words) };
            words
        });
        let ones = u64::from(L::count_ones([one, other, one, other, one]));
        let bits = [L::bits(L::mask(lanes)), L::bits(one.lanes_with(bit))].map(u64::from);
        (
            stored.to_vec(),
            vec![one.any(), ones, bits[0], bits[1], one.twice(), u64::from(one.nonzero())],
        )
    }

    #[test]
    fn plain_words_do_what_is_said() {
        let a = [0, 1, 0b1100, 1 << 63, u64::MAX, 6, 0, 5];
        let b = [4, 0, 0, 1, 0, 2, 0, 0];
        let (vectors, numbers) = results::<plain::Words>(&a, &b, 2);
        assert_eq!(vectors[5], [u64::MAX, 1, 0b111, u64::MAX, 1, 0b11, u64::MAX, 1]);
        let highest = [u64::MAX, u64::MAX, !7, 1 << 63, 1 << 63, !3, u64::MAX, !3];
        assert_eq!(vectors[6], highest);
        assert_eq!(vectors[7], [0, 1, 0b1100, 0, u64::MAX, 0, 0, 5]);
        assert_eq!(vectors[8], [0, 1, 0b1100, 1 << 63, 0, 2, 0, 0]);
        assert_eq!(vectors[9], [u64::MAX, 6, 0, 5, 0, 1, 0b1100, 1 << 63]);
        assert_eq!(
            numbers,
            [u64::MAX, 3 * 72 + 2 * 3, 0, 0b1011_0100, 0b1111 | 1 << 63, 0b1011_1110]
        );
    }

    #[test]
    fn counts_do_not_overflow() {
        let all = plain::Words::splat(u64::MAX);
        assert_eq!(plain::Words::count_ones([all; 31]), 31 * 512);
        assert_eq!(Chosen::count_ones([Chosen::splat(u64::MAX); 31]), 31 * 512);
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    fn all_forms_agree() {
        let samples = samples();
        for (number, a) in samples.iter().enumerate() {
            for b in samples.iter().skip(number % 5).step_by(5) {
                let bit = number as u32 % 64;
                let expected = results::<plain::Words>(a, b, bit);
                assert_eq!(results::<avx2::Words>(a, b, bit), expected);
                assert_eq!(results::<Chosen>(a, b, bit), expected);
            }
        }
    }
}

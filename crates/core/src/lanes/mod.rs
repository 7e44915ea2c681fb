//! Vector instructions (SIMD): eight words at once, one for each compass direction.
//!
//! The attack maps compute in eight directions at once. [`Lanes`] is the one place where their vector
//! instructions are written (`move_list/avx512.rs` has those that write moves). It has six forms:
//! AVX-512, AVX2, SSE2 for all other x86-64, NEON for 64-bit Arm, SIMD128 of WebAssembly, and plain
//! words for everything else. The build chooses the best one by the features of its target. The tests
//! compare all forms that the target has.

/// A set of lanes as a table holds it, in the form that each kind of vector needs.
pub(crate) struct LaneSet {
    #[cfg_attr(any(target_arch = "aarch64", target_feature = "simd128"), allow(dead_code))]
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

/// All 256 sets of lanes, for forms that cannot make a mask from bits.
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
static LANES: [[u64; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        table[bits] = LaneSet::new(bits as u8).words;
        bits += 1;
    }
    table
};

/// A vector of eight words. Lane `d` belongs to the direction with bit number `d`.
pub(crate) trait Lanes: Copy {
    /// Whether looking in all directions is so expensive that it is faster to test first whether it
    /// is needed.
    const ASKS_FIRST: bool;
    /// A set of lanes.
    type Mask: Copy;
    /// A running count of bits.
    type Tally: TallyOf<Self>;

    /// Reads eight words.
    fn load(words: &[u64; 8]) -> Self;
    /// Writes eight words into memory that may be uninitialized.
    ///
    /// # Safety
    ///
    /// The place must be valid for writing, and aligned as words are.
    unsafe fn store_to(self, words: *mut [u64; 8]);
    /// The same word in every lane.
    fn splat(word: u64) -> Self;
    /// The bits in both.
    fn and(self, other: Self) -> Self;
    /// The bits in either.
    fn or(self, other: Self) -> Self;
    /// The bits in one but not in both.
    fn xor(self, other: Self) -> Self;
    /// In each lane, its lowest set bit and all bits below it. An empty lane becomes all ones.
    fn lowest_and_below(self) -> Self;
    /// In each lane, its highest set bit and all bits above it. An empty lane becomes all ones.
    fn highest_and_above(self) -> Self;
    /// Keeps each lane whose lane in `test` is 0, and clears the others.
    fn where_zero(self, test: Self) -> Self;
    /// The first four lanes of this, the last four of the other.
    fn join(self, last: Self) -> Self;
    /// Swaps the lanes of opposite directions.
    fn opposite(self) -> Self;
    /// The lanes whose bits are given.
    fn mask(lanes: u8) -> Self::Mask;
    /// The mask of a set of lanes that a table holds.
    fn mask_of(set: &LaneSet) -> Self::Mask;
    /// One bit for each lane in the set.
    fn bits(mask: Self::Mask) -> u8;
    /// The lanes in which the given bit is set.
    fn lanes_with(self, bit: u32) -> Self::Mask;
    /// One bit for each lane in which the given bit is set.
    #[inline(always)]
    fn column(self, bit: u32) -> u8 {
        Self::bits(self.lanes_with(bit))
    }
    /// The same for words of 128 bits: their low halves, and their high halves.
    #[inline(always)]
    fn column_of_pair(pair: [Self; 2], bit: u32) -> u8 {
        column_of_pair(pair, bit)
    }
    /// The lanes that are not 0.
    fn filled(self) -> Self::Mask;
    /// Keeps the lanes of the mask, and clears the others.
    fn keep(self, mask: Self::Mask) -> Self;
    /// The bits that any lane has.
    fn any(self) -> u64;
    /// The bits that two or more lanes have.
    fn twice(self) -> u64;
    /// The bits that any lane of each of two vectors has.
    #[inline(always)]
    fn any_of_pair([low, high]: [Self; 2]) -> [u64; 2] {
        [low.any(), high.any()]
    }
    /// The bits that two or more lanes of each of two vectors have.
    #[inline(always)]
    fn twice_of_pair([low, high]: [Self; 2]) -> [u64; 2] {
        [low.twice(), high.twice()]
    }
    /// One bit for each lane that is not 0.
    fn nonzero(self) -> u8 {
        Self::bits(self.filled())
    }
    /// One lane.
    #[inline(always)]
    fn lane(self, number: usize) -> u64 {
        let mut words = [0; 8];
        // SAFETY: the array has room for the eight words.
        unsafe { self.store_to(&mut words) };
        words[number]
    }
    /// Begins a count with the bits of up to 31 vectors.
    fn tally<const N: usize>(vectors: [Self; N]) -> Self::Tally;
}

/// A running count of the bits of vectors.
pub(crate) trait TallyOf<L>: Copy {
    /// Adds the bits of some vectors. In each of them no two lanes may share a bit.
    fn more<const N: usize>(self, vectors: [L; N]) -> Self;
    /// Subtracts the bits of some vectors. In each of them no two lanes may share a bit. The total
    /// must not end below zero.
    fn fewer<const N: usize>(self, vectors: [L; N]) -> Self;
    /// The total of the count.
    fn total(self) -> u32;
}

/// The count as a number, where the bits of a whole vector are not counted by one instruction.
impl<L: Lanes> TallyOf<L> for u32 {
    #[inline(always)]
    fn more<const N: usize>(self, vectors: [L; N]) -> u32 {
        self.wrapping_add(count_apart(vectors))
    }

    #[inline(always)]
    fn fewer<const N: usize>(self, vectors: [L; N]) -> u32 {
        self.wrapping_sub(count_apart(vectors))
    }

    #[inline(always)]
    fn total(self) -> u32 {
        self
    }
}

/// Number of bits in some vectors. In each of them no two lanes may share a bit.
#[inline(always)]
fn count_apart<L: Lanes, const N: usize>(vectors: [L; N]) -> u32 {
    vectors.map(|vector| vector.any().count_ones()).into_iter().sum()
}

/// The columns of words of 128 bits, where there is no faster way.
#[inline(always)]
fn column_of_pair<L: Lanes>([low, high]: [L; 2], bit: u32) -> u8 {
    let one = 1u128 << bit;
    low.and(L::splat(one as u64)).or(high.and(L::splat((one >> 64) as u64))).nonzero()
}

/// The form that this target uses.
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) type Chosen = plain::Words;
/// The form that this target uses.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) type Chosen = simd128::Words;
/// The form that this target uses.
#[cfg(target_arch = "aarch64")]
pub(crate) type Chosen = neon::Words;
/// The form that this target uses.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
pub(crate) type Chosen = sse2::Words;
/// The form that this target uses.
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
/// The form that this target uses.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512cd",
    target_feature = "avx512vl",
    target_feature = "avx512vpopcntdq"
))]
pub(crate) type Chosen = avx512::Words;

#[cfg_attr(
    all(
        any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"),
        not(test)
    ),
    allow(dead_code)
)]
mod plain;

#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[cfg_attr(all(target_feature = "avx2", not(test)), allow(dead_code))]
mod pairs;

#[cfg(target_arch = "aarch64")]
mod neon;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(target_arch = "x86_64")]
#[cfg_attr(all(target_feature = "avx2", not(test)), allow(dead_code))]
mod sse2;

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
mod avx2;

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512cd",
    target_feature = "avx512vl",
    target_feature = "avx512vpopcntdq"
))]
mod avx512;

#[cfg(test)]
mod tests {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    use rand::prelude::*;

    use super::*;

    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    /// Words with few bits, many bits, low bits, high bits and none.
    fn samples() -> Vec<[u64; 8]> {
        let mut samples = vec![[0; 8], [u64::MAX; 8], [1; 8], [1 << 63; 8]];
        let mut rng = StdRng::seed_from_u64(3);
        let mut next = || rng.random::<u64>();
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
        let lanes = a[0] as u8;
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
            one.keep(L::mask_of(&LaneSet::new(lanes))),
        ];
        let stored = vectors.map(|vector| {
            let mut words = [7; 8];
            // SAFETY: there are words to be written.
            unsafe { vector.store_to(&mut words) };
            words
        });
        let apart = [
            L::splat(1 << bit).keep(L::mask(lanes & lanes.wrapping_neg())),
            one.keep(L::mask(0b100)),
        ];
        let tally = L::tally([one, other, one, other, one]);
        let ones = u64::from(tally.total());
        let more = u64::from(tally.more(apart).total());
        let fewer = u64::from(tally.fewer(apart).more([one.keep(L::mask(0b100))]).total());
        let single = one.lane(usize::from(lanes) % 8);
        let column = u64::from(one.column(bit));
        assert_eq!(u64::from(L::column_of_pair([one, other], bit)), column);
        assert_eq!(L::column_of_pair([other, one], bit + 64), one.column(bit));
        let bits = [u64::from(L::bits(L::mask(lanes))), column];
        (
            stored.to_vec(),
            vec![
                one.any(),
                ones,
                bits[0],
                bits[1],
                one.twice(),
                u64::from(one.nonzero()),
                more,
                fewer,
                single,
                L::any_of_pair([one, other])[0],
                L::any_of_pair([one, other])[1],
                L::twice_of_pair([one, other])[0],
                L::twice_of_pair([one, other])[1],
            ],
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
            [
                u64::MAX,
                222,
                0,
                0b1011_0100,
                0b1111 | 1 << 63,
                0b1011_1110,
                224,
                222,
                0,
                u64::MAX,
                7,
                0b1111 | 1 << 63,
                0
            ]
        );
    }

    #[test]
    fn counts_do_not_overflow() {
        let all = plain::Words::splat(u64::MAX);
        assert_eq!(TallyOf::<plain::Words>::total(plain::Words::tally([all; 31])), 31 * 512);
        let tally = Chosen::tally([Chosen::splat(u64::MAX); 31]);
        assert_eq!(TallyOf::<Chosen>::total(tally), 31 * 512);
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn all_forms_agree() {
        let samples = samples();
        for (number, a) in samples.iter().enumerate() {
            for b in samples.iter().skip(number % 5).step_by(5) {
                let bit = number as u32 % 64;
                let expected = results::<plain::Words>(a, b, bit);
                #[cfg(target_arch = "x86_64")]
                assert_eq!(results::<sse2::Words>(a, b, bit), expected);
                #[cfg(target_feature = "avx2")]
                assert_eq!(results::<avx2::Words>(a, b, bit), expected);
                assert_eq!(results::<Chosen>(a, b, bit), expected);
            }
        }
    }
}

//! Eight words in four registers of 128 bits: what all forms with such registers have in common.

use super::{LaneSet, Lanes};

/// A register of two words. The names are those of [`Lanes`].
///
/// # Safety
///
/// The type has 16 bytes, all of them initialized, and any 16 bytes are a value of it. Its first word
/// is the first in memory.
pub(crate) unsafe trait Pair: Copy {
    /// The same word twice.
    fn splat(word: u64) -> Self;
    /// The bits in both.
    fn and(self, other: Self) -> Self;
    /// The bits in either.
    fn or(self, other: Self) -> Self;
    /// The bits in one but not in both.
    fn xor(self, other: Self) -> Self;
    /// As [`Lanes::lowest_and_below`].
    fn lowest_and_below(self) -> Self;
    /// As [`Lanes::highest_and_above`].
    fn highest_and_above(self) -> Self;
    /// All bits of each word that is 0, none of the other.
    fn empty(self) -> Self;
    /// All bits of each word that is not 0, none of the other.
    fn filled(self) -> Self;
    /// All bits of each word in which the given bit is set, none of the other.
    fn words_with(self, bit: u32) -> Self;
    /// The first word becomes the second one, and the second the first.
    fn swapped(self) -> Self;
    /// The first word.
    fn first(self) -> u64;
    /// One bit for each of the eight words. Each has all bits or none.
    fn bits(mask: [Self; 4]) -> u8;
    /// As [`Lanes::column`].
    #[inline(always)]
    fn column(words: [Self; 4], bit: u32) -> u8 {
        Self::bits(words.map(|pair| pair.words_with(bit)))
    }
    /// As [`Lanes::column_of_pair`].
    #[inline(always)]
    fn column_of_pair(pair: [Words<Self>; 2], bit: u32) -> u8 {
        super::column_of_pair(pair, bit)
    }
    /// The number of bits of each byte.
    fn counted(self) -> Self;
    /// Adds bytes. No sum overflows.
    fn add_bytes(self, other: Self) -> Self;
    /// The sum of all bytes.
    fn sum(self) -> u32;
    /// As [`Lanes::tally`], where counting takes more than an instruction: a full adder turns three
    /// vectors into sums and carries. So the bits of four lanes are combined in pairs before the bytes
    /// are counted (Harley and Seal).
    #[inline(always)]
    fn tally<const N: usize>(vectors: [[Self; 4]; N]) -> u32 {
        let none = Self::splat(0);
        let (mut ones, mut twos, mut bytes) = (none, none, none);
        let add = |one: Self, other: Self, third: Self| {
            let either = one.xor(other);
            (either.xor(third), one.and(other).or(either.and(third)))
        };
        for [a, b, c, d] in vectors {
            let (sum, first) = add(ones, a, b);
            let (sum, second) = add(sum, c, d);
            let (carry, fours) = add(twos, first, second);
            (ones, twos) = (sum, carry);
            // Each vector adds at most 8 to each byte.
            bytes = bytes.add_bytes(fours.counted());
        }
        let twos = twos.counted();
        4 * bytes.sum() + twos.add_bytes(twos).add_bytes(ones.counted()).sum()
    }
}

/// Two lanes each.
#[derive(Clone, Copy)]
pub(crate) struct Words<P>(pub(super) [P; 4]);

impl<P: Pair> Words<P> {
    #[inline(always)]
    fn map(self, f: impl Fn(P) -> P) -> Words<P> {
        Words(self.0.map(f))
    }

    #[inline(always)]
    pub(super) fn zip(self, other: Words<P>, f: impl Fn(P, P) -> P) -> Words<P> {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Words([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

impl<P: Pair> Lanes for Words<P> {
    const ASKS_FIRST: bool = true;
    /// All bits of a lane in the set, none of the others.
    type Mask = Words<P>;
    type Tally = u32;

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Words<P> {
        const { assert!(size_of::<P>() == 16) };
        let start: *const P = words.as_ptr().cast();
        // SAFETY: each of four registers has two of the eight words, and any bytes are a register.
        Words([0, 1, 2, 3].map(|pair| unsafe { start.add(pair).read_unaligned() }))
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut [u64; 8]) {
        const { assert!(size_of::<P>() == 16) };
        let start: *mut P = words.cast();
        for (pair, lanes) in self.0.into_iter().enumerate() {
            // SAFETY: the caller vouches for the place of eight words. Each of four registers has two
            // of them, and is initialized.
            unsafe { start.add(pair).write_unaligned(lanes) };
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Words<P> {
        Words([P::splat(word); 4])
    }

    #[inline(always)]
    fn and(self, other: Words<P>) -> Words<P> {
        self.zip(other, P::and)
    }

    #[inline(always)]
    fn or(self, other: Words<P>) -> Words<P> {
        self.zip(other, P::or)
    }

    #[inline(always)]
    fn xor(self, other: Words<P>) -> Words<P> {
        self.zip(other, P::xor)
    }

    #[inline(always)]
    fn lowest_and_below(self) -> Words<P> {
        self.map(P::lowest_and_below)
    }

    #[inline(always)]
    fn highest_and_above(self) -> Words<P> {
        self.map(P::highest_and_above)
    }

    #[inline(always)]
    fn where_zero(self, test: Words<P>) -> Words<P> {
        self.zip(test, |words, test| words.and(test.empty()))
    }

    #[inline(always)]
    fn join(self, last: Words<P>) -> Words<P> {
        Words([self.0[0], self.0[1], last.0[2], last.0[3]])
    }

    #[inline(always)]
    fn opposite(self) -> Words<P> {
        Words([self.0[2], self.0[3], self.0[0], self.0[1]])
    }

    #[inline(always)]
    fn mask(lanes: u8) -> Words<P> {
        Words::load(&super::LANES[usize::from(lanes)])
    }

    #[inline(always)]
    fn mask_of(set: &LaneSet) -> Words<P> {
        Words::load(&set.words)
    }

    #[inline(always)]
    fn bits(mask: Words<P>) -> u8 {
        P::bits(mask.0)
    }

    #[inline(always)]
    fn lanes_with(self, bit: u32) -> Words<P> {
        self.map(|words| words.words_with(bit))
    }

    #[inline(always)]
    fn column(self, bit: u32) -> u8 {
        P::column(self.0, bit)
    }

    #[inline(always)]
    fn column_of_pair(pair: [Words<P>; 2], bit: u32) -> u8 {
        P::column_of_pair(pair, bit)
    }

    #[inline(always)]
    fn filled(self) -> Words<P> {
        self.map(P::filled)
    }

    #[inline(always)]
    fn keep(self, mask: Words<P>) -> Words<P> {
        self.and(mask)
    }

    #[inline(always)]
    fn any(self) -> u64 {
        let [a, b, c, d] = self.0;
        either(a.or(b).or(c.or(d)))
    }

    #[inline(always)]
    fn twice(self) -> u64 {
        let both = |(once, twice): (P, P), words: P| (once.or(words), twice.or(once.and(words)));
        let [a, b, c, d] = self.0;
        let (once, twice) = [b, c, d].into_iter().fold((a, P::splat(0)), both);
        either(twice) | once.and(once.swapped()).first()
    }

    #[inline(always)]
    fn tally<const N: usize>(vectors: [Words<P>; N]) -> u32 {
        const { assert!(N <= 31, "a byte holds the bits of 31 vectors") };
        P::tally(vectors.map(|vector| vector.0))
    }
}

/// The bits that one or both words have.
#[inline(always)]
fn either<P: Pair>(words: P) -> u64 {
    words.or(words.swapped()).first()
}

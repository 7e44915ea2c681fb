//! The vectors of WebAssembly (SIMD128): two words in each of four registers.
//!
//! That they compute as the other forms is tested by mate problems in Node (`scripts/wasm_check.sh`) and
//! by the node count of a search in a browser (`scripts/web.sh test`), which is that of every other
//! machine.

use std::arch::wasm32::*;

use super::{LaneSet, Lanes};

/// Two lanes each.
#[derive(Clone, Copy)]
pub(crate) struct Words([v128; 4]);

impl Words {
    #[inline(always)]
    fn map(self, f: impl Fn(v128) -> v128) -> Words {
        Words(self.0.map(f))
    }

    #[inline(always)]
    fn zip(self, other: Words, f: impl Fn(v128, v128) -> v128) -> Words {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Words([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

/// The highest bit of each word and all below it.
#[inline(always)]
fn smear(words: v128) -> v128 {
    [1, 2, 4, 8, 16, 32]
        .into_iter()
        .fold(words, |words, bits| v128_or(words, u64x2_shr(words, bits)))
}

/// Both words of a vector in one.
#[inline(always)]
fn merged(words: v128) -> u64 {
    u64x2_extract_lane::<0>(words) | u64x2_extract_lane::<1>(words)
}

impl Lanes for Words {
    const ASKS_FIRST: bool = true;
    /// All bits of a lane in the set, none of the others.
    type Mask = Words;
    type Tally = u32;

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Words {
        let start: *const v128 = words.as_ptr().cast();
        // SAFETY: the eight words of the array are read, and loads need no alignment.
        Words([0, 1, 2, 3].map(|pair| unsafe { v128_load(start.add(pair)) }))
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut [u64; 8]) {
        let start: *mut v128 = words.cast();
        for (pair, lanes) in self.0.into_iter().enumerate() {
            // SAFETY: the caller vouches for the place of eight words, and stores need no alignment.
            unsafe { v128_store(start.add(pair), lanes) };
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Words {
        Words([u64x2_splat(word); 4])
    }

    #[inline(always)]
    fn and(self, other: Words) -> Words {
        self.zip(other, |one, other| v128_and(one, other))
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        self.zip(other, |one, other| v128_or(one, other))
    }

    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        self.zip(other, |one, other| v128_xor(one, other))
    }

    #[inline(always)]
    fn lowest_and_below(self) -> Words {
        self.map(|words| v128_xor(words, i64x2_sub(words, i64x2_splat(1))))
    }

    #[inline(always)]
    fn highest_and_above(self) -> Words {
        // The bits that are not below the highest bit.
        self.map(|words| v128_not(u64x2_shr(smear(words), 1)))
    }

    #[inline(always)]
    fn where_zero(self, test: Words) -> Words {
        self.zip(test, |words, test| v128_and(words, i64x2_eq(test, u64x2_splat(0))))
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
        // The words are all ones or all zeros, so each narrowing halves their width without loss.
        let quarters = i8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d));
        i8x16_bitmask(i8x16_narrow_i16x8(quarters, quarters)) as u8
    }

    #[inline(always)]
    fn lanes_with(self, bit: u32) -> Words {
        self.map(|words| i64x2_shr(i64x2_shl(words, 63 - bit), 63))
    }

    #[inline(always)]
    fn column(self, bit: u32) -> u8 {
        let [a, b, c, d] = self.0.map(|words| i64x2_bitmask(i64x2_shl(words, 63 - bit)));
        a | b << 2 | c << 4 | d << 6
    }

    #[inline(always)]
    fn filled(self) -> Words {
        self.map(|words| i64x2_ne(words, u64x2_splat(0)))
    }

    #[inline(always)]
    fn keep(self, mask: Words) -> Words {
        self.and(mask)
    }

    #[inline(always)]
    fn any(self) -> u64 {
        let [a, b, c, d] = self.0;
        merged(v128_or(v128_or(a, b), v128_or(c, d)))
    }

    #[inline(always)]
    fn twice(self) -> u64 {
        let both =
            |(once, twice), words| (v128_or(once, words), v128_or(twice, v128_and(once, words)));
        let [a, b, c, d] = self.0;
        let (once, twice) = [b, c, d].into_iter().fold((a, u64x2_splat(0)), both);
        merged(twice) | u64x2_extract_lane::<0>(once) & u64x2_extract_lane::<1>(once)
    }

    #[inline(always)]
    fn tally<const N: usize>(vectors: [Words; N]) -> u32 {
        const { assert!(N <= 31, "a byte holds the bits of 31 vectors") };
        // A full adder turns three vectors into sums and carries. So the bits of four lanes are
        // combined in pairs before the bytes are counted (Harley and Seal).
        let none = u64x2_splat(0);
        let (mut ones, mut twos, mut bytes) = (none, none, none);
        let add = |one, other, third| {
            let either = v128_xor(one, other);
            let carry = v128_or(v128_and(one, other), v128_and(either, third));
            (v128_xor(either, third), carry)
        };
        for vector in vectors {
            let [a, b, c, d] = vector.0;
            let (sum, first) = add(ones, a, b);
            let (sum, second) = add(sum, c, d);
            let (carry, fours) = add(twos, first, second);
            (ones, twos) = (sum, carry);
            // Each vector adds at most 8 to each byte.
            bytes = i8x16_add(bytes, i8x16_popcnt(fours));
        }
        let sums = |bytes| {
            let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(bytes));
            let sums = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
            u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums)
        };
        let twos = i8x16_popcnt(twos);
        4 * sums(bytes) + sums(i8x16_add(i8x16_add(twos, twos), i8x16_popcnt(ones)))
    }
}

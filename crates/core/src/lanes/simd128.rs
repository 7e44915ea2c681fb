//! The vectors of WebAssembly (SIMD128): two words in each of four registers.
//!
//! That they compute as the other forms is tested by mate problems in Node (`scripts/wasm_check.sh`) and
//! by the node count of a search in a browser (`scripts/web.sh test`), which is that of every other
//! machine.

use std::arch::wasm32::*;

use super::pairs::{self, Pair};

pub(crate) type Words = pairs::Words<v128>;

/// The highest bit of each word and all below it.
#[inline(always)]
fn smear(words: v128) -> v128 {
    [1, 2, 4, 8, 16, 32]
        .into_iter()
        .fold(words, |words, bits| v128_or(words, u64x2_shr(words, bits)))
}

// SAFETY: the type is any 16 bytes, the first word first.
unsafe impl Pair for v128 {
    #[inline(always)]
    fn splat(word: u64) -> v128 {
        u64x2_splat(word)
    }

    #[inline(always)]
    fn and(self, other: v128) -> v128 {
        v128_and(self, other)
    }

    #[inline(always)]
    fn or(self, other: v128) -> v128 {
        v128_or(self, other)
    }

    #[inline(always)]
    fn xor(self, other: v128) -> v128 {
        v128_xor(self, other)
    }

    #[inline(always)]
    fn lowest_and_below(self) -> v128 {
        v128_xor(self, i64x2_sub(self, i64x2_splat(1)))
    }

    #[inline(always)]
    fn highest_and_above(self) -> v128 {
        // The bits that are not below the highest bit.
        v128_not(u64x2_shr(smear(self), 1))
    }

    #[inline(always)]
    fn empty(self) -> v128 {
        i64x2_eq(self, u64x2_splat(0))
    }

    #[inline(always)]
    fn filled(self) -> v128 {
        i64x2_ne(self, u64x2_splat(0))
    }

    #[inline(always)]
    fn words_with(self, bit: u32) -> v128 {
        i64x2_shr(i64x2_shl(self, 63 - bit), 63)
    }

    #[inline(always)]
    fn swapped(self) -> v128 {
        u64x2_shuffle::<1, 0>(self, self)
    }

    #[inline(always)]
    fn first(self) -> u64 {
        u64x2_extract_lane::<0>(self)
    }

    #[inline(always)]
    fn bits([a, b, c, d]: [v128; 4]) -> u8 {
        // The words are all ones or all zeros, so each narrowing halves their width without loss.
        let quarters = i8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d));
        i8x16_bitmask(i8x16_narrow_i16x8(quarters, quarters)) as u8
    }

    #[inline(always)]
    fn column(words: [v128; 4], bit: u32) -> u8 {
        let [a, b, c, d] = words.map(|words| i64x2_bitmask(i64x2_shl(words, 63 - bit)));
        a | b << 2 | c << 4 | d << 6
    }

    #[inline(always)]
    fn counted(self) -> v128 {
        i8x16_popcnt(self)
    }

    #[inline(always)]
    fn add_bytes(self, other: v128) -> v128 {
        i8x16_add(self, other)
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(self));
        let sums = i32x4_add(sums, sums.swapped());
        u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums)
    }
}

//! The vectors for every 64-bit Arm processor (NEON): two words in each of four registers.

use std::arch::aarch64::*;

use super::pairs::{self, Pair};

pub(crate) type Words = pairs::Words<uint64x2_t>;

/// Every target of this module has its instructions: all `unsafe` here relies on that.
const _: () = assert!(cfg!(target_feature = "neon"));

/// The bits of each word in reverse order.
#[inline(always)]
fn reversed(words: uint64x2_t) -> uint64x2_t {
    // SAFETY: the target has these instructions.
    unsafe { vreinterpretq_u64_u8(vrbitq_u8(vrev64q_u8(vreinterpretq_u8_u64(words)))) }
}

// SAFETY: the type is any 16 bytes, the first word first.
unsafe impl Pair for uint64x2_t {
    #[inline(always)]
    fn splat(word: u64) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { vdupq_n_u64(word) }
    }

    #[inline(always)]
    fn and(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { vandq_u64(self, other) }
    }

    #[inline(always)]
    fn or(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { vorrq_u64(self, other) }
    }

    #[inline(always)]
    fn xor(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { veorq_u64(self, other) }
    }

    #[inline(always)]
    fn lowest_and_below(self) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { veorq_u64(self, vsubq_u64(self, vdupq_n_u64(1))) }
    }

    #[inline(always)]
    fn highest_and_above(self) -> uint64x2_t {
        reversed(reversed(self).lowest_and_below())
    }

    #[inline(always)]
    fn empty(self) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { vceqzq_u64(self) }
    }

    #[inline(always)]
    fn filled(self) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { vtstq_u64(self, self) }
    }

    #[inline(always)]
    fn words_with(self, bit: u32) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { vtstq_u64(self, vdupq_n_u64(1 << bit)) }
    }

    #[inline(always)]
    fn swapped(self) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { vextq_u64::<1>(self, self) }
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: the target has these instructions.
        unsafe { vgetq_lane_u64::<0>(self) }
    }

    #[inline(always)]
    fn bits([a, b, c, d]: [uint64x2_t; 4]) -> u8 {
        // The words are all ones or all zeros, so their lower halves say the same.
        // SAFETY: the target has these instructions.
        unsafe {
            let halves =
                |one, other| vuzp1q_u32(vreinterpretq_u32_u64(one), vreinterpretq_u32_u64(other));
            let quarters = vuzp1q_u16(
                vreinterpretq_u16_u32(halves(a, b)),
                vreinterpretq_u16_u32(halves(c, d)),
            );
            let bits = vcreate_u8(0x80_40_20_10_08_04_02_01);
            vaddv_u8(vand_u8(vmovn_u16(quarters), bits))
        }
    }

    #[inline(always)]
    fn counted(self) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe { vreinterpretq_u64_u8(vcntq_u8(vreinterpretq_u8_u64(self))) }
    }

    #[inline(always)]
    fn add_bytes(self, other: uint64x2_t) -> uint64x2_t {
        // SAFETY: the target has these instructions.
        unsafe {
            let sum = vaddq_u8(vreinterpretq_u8_u64(self), vreinterpretq_u8_u64(other));
            vreinterpretq_u64_u8(sum)
        }
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        // SAFETY: the target has these instructions.
        unsafe { u32::from(vaddlvq_u8(vreinterpretq_u8_u64(self))) }
    }

    #[inline(always)]
    fn tally<const N: usize>(vectors: [[uint64x2_t; 4]; N]) -> u32 {
        let mut bytes = [uint64x2_t::splat(0); 4];
        for vector in vectors {
            for (sum, words) in bytes.iter_mut().zip(vector) {
                *sum = sum.add_bytes(words.counted());
            }
        }
        bytes.into_iter().map(uint64x2_t::sum).sum()
    }
}

//! The vectors for every 64-bit Arm processor (NEON): two words in each of four registers.

use std::arch::aarch64::*;

use super::{LaneSet, Lanes};

/// Every target of this module has its instructions: all `unsafe` here relies on that.
const _: () = assert!(cfg!(target_feature = "neon"));

/// Two lanes each.
#[derive(Clone, Copy)]
pub(crate) struct Words([uint64x2_t; 4]);

impl Words {
    #[inline(always)]
    fn map(self, f: impl Fn(uint64x2_t) -> uint64x2_t) -> Words {
        Words(self.0.map(f))
    }

    #[inline(always)]
    fn zip(self, other: Words, f: impl Fn(uint64x2_t, uint64x2_t) -> uint64x2_t) -> Words {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Words([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

/// The bits of each word in reverse order.
#[inline(always)]
fn reversed(words: uint64x2_t) -> uint64x2_t {
    // SAFETY: the target has these instructions.
    unsafe { vreinterpretq_u64_u8(vrbitq_u8(vrev64q_u8(vreinterpretq_u8_u64(words)))) }
}

/// The lowest bit of each word and all below it.
#[inline(always)]
fn lowest_and_below(words: uint64x2_t) -> uint64x2_t {
    // SAFETY: the target has these instructions.
    unsafe { veorq_u64(words, vsubq_u64(words, vdupq_n_u64(1))) }
}

/// Both words of a vector in one.
#[inline(always)]
fn merged(words: uint64x2_t) -> u64 {
    // SAFETY: the target has these instructions.
    unsafe { vgetq_lane_u64::<0>(words) | vgetq_lane_u64::<1>(words) }
}

impl Lanes for Words {
    const ASKS_FIRST: bool = true;
    /// All bits of a lane in the set, none of the others.
    type Mask = Words;
    type Tally = u32;

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Words {
        let start = words.as_ptr();
        // SAFETY: the target has these instructions. They read the eight words of the array.
        Words([0, 2, 4, 6].map(|first| unsafe { vld1q_u64(start.add(first)) }))
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut [u64; 8]) {
        let start: *mut u64 = words.cast();
        for (pair, lanes) in self.0.into_iter().enumerate() {
            // SAFETY: the target has these instructions. The caller vouches for the place of eight
            // words.
            unsafe { vst1q_u64(start.add(2 * pair), lanes) };
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Words {
        // SAFETY: the target has these instructions.
        Words([unsafe { vdupq_n_u64(word) }; 4])
    }

    #[inline(always)]
    fn and(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { vandq_u64(one, other) })
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { vorrq_u64(one, other) })
    }

    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(other, |one, other| unsafe { veorq_u64(one, other) })
    }

    #[inline(always)]
    fn lowest_and_below(self) -> Words {
        self.map(lowest_and_below)
    }

    #[inline(always)]
    fn highest_and_above(self) -> Words {
        self.map(|words| reversed(lowest_and_below(reversed(words))))
    }

    #[inline(always)]
    fn where_zero(self, test: Words) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(test, |words, test| unsafe { vandq_u64(words, vceqzq_u64(test)) })
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
    fn lanes_with(self, bit: u32) -> Words {
        // SAFETY: the target has these instructions.
        self.zip(Words::splat(1 << bit), |words, bit| unsafe { vtstq_u64(words, bit) })
    }

    #[inline(always)]
    fn filled(self) -> Words {
        // SAFETY: the target has these instructions.
        self.map(|words| unsafe { vtstq_u64(words, words) })
    }

    #[inline(always)]
    fn keep(self, mask: Words) -> Words {
        self.and(mask)
    }

    #[inline(always)]
    fn any(self) -> u64 {
        let [a, b, c, d] = self.0;
        // SAFETY: the target has these instructions.
        merged(unsafe { vorrq_u64(vorrq_u64(a, b), vorrq_u64(c, d)) })
    }

    #[inline(always)]
    fn twice(self) -> u64 {
        // SAFETY: the target has these instructions.
        let both = |(once, twice), words| unsafe {
            (vorrq_u64(once, words), vorrq_u64(twice, vandq_u64(once, words)))
        };
        let [a, b, c, d] = self.0;
        // SAFETY: the target has these instructions.
        let (once, twice) = [b, c, d].into_iter().fold((a, unsafe { vdupq_n_u64(0) }), both);
        // SAFETY: the target has these instructions.
        merged(twice) | unsafe { vgetq_lane_u64::<0>(once) & vgetq_lane_u64::<1>(once) }
    }

    #[inline(always)]
    fn tally<const N: usize>(vectors: [Words; N]) -> u32 {
        const { assert!(N <= 31, "a byte holds the bits of 31 vectors") };
        // SAFETY: the target has these instructions.
        unsafe {
            let mut bytes = [vdupq_n_u8(0); 4];
            for vector in vectors {
                for (sum, words) in bytes.iter_mut().zip(vector.0) {
                    *sum = vaddq_u8(*sum, vcntq_u8(vreinterpretq_u8_u64(words)));
                }
            }
            bytes.into_iter().map(|bytes| u32::from(vaddlvq_u8(bytes))).sum()
        }
    }
}

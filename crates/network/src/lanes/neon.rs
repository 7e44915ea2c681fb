//! The form for every 64-bit Arm processor: a block in four registers.
//!
//! SAFETY, for every block here: NEON is part of every such processor, and the dot product is only
//! compiled for targets that have it.

use std::arch::aarch64::*;

use super::registers::{Blocks, Registers};

/// Registers of 128 bits.
pub(crate) enum V {}

pub(crate) type Neon = Blocks<V, 4>;

/// Multiplies each byte by its weight and adds the four products of each group to the sum of the group.
///
/// Examples in documentation are compiled for other processors, so the function names what it needs.
#[cfg(target_feature = "dotprod")]
#[target_feature(enable = "dotprod")]
#[inline]
fn dot(mut sums: int32x4_t, bytes: int8x16_t, weights: int8x16_t) -> int32x4_t {
    // The function of the standard library (`vdotq_s32`) is not stable yet.
    unsafe {
        std::arch::asm!(
            "sdot {sums:v}.4s, {bytes:v}.16b, {weights:v}.16b",
            sums = inout(vreg) sums,
            bytes = in(vreg) bytes,
            weights = in(vreg) weights,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sums
}

impl Registers for V {
    type Words = int16x8_t;
    type Bytes = int8x16_t;
    type Sums = int32x4_t;
    type Weights = int8x16_t;
    type Packed = uint8x16_t;
    /// Those of the first eight bytes and of the last eight.
    type Products = [int16x8_t; 2];

    #[inline(always)]
    fn add(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        unsafe { vaddq_s16(a, b) }
    }

    #[inline(always)]
    fn sub(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        unsafe { vsubq_s16(a, b) }
    }

    #[inline(always)]
    fn clipped(low: int16x8_t, high: int16x8_t) -> uint8x16_t {
        unsafe {
            // Narrowing limits words to 127.
            let packed = vmaxq_s8(vqmovn_high_s16(vqmovn_s16(low), high), vdupq_n_s8(0));
            vreinterpretq_u8_s8(packed)
        }
    }

    #[inline(always)]
    fn multiplied(a: [int16x8_t; 2], b: [int16x8_t; 2]) -> uint8x16_t {
        unsafe {
            let most = vdupq_n_s16(254);
            let product = |a, b| {
                let a = vmaxq_s16(vminq_s16(a, most), vdupq_n_s16(0));
                // The upper half of twice the product is the product by 2^-9. Where `b` is negative
                // it is, too, and narrowing makes it 0.
                vqdmulhq_s16(vshlq_n_s16::<6>(a), vminq_s16(b, most))
            };
            vqmovun_high_s16(vqmovun_s16(product(a[0], b[0])), product(a[1], b[1]))
        }
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> int8x16_t {
        unsafe { vreinterpretq_s8_s32(vdupq_n_s32(i32::from_ne_bytes(bytes))) }
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> int8x16_t {
        unsafe { vreinterpretq_s8_s64(vdupq_n_s64(i64::from_ne_bytes(bytes))) }
    }

    #[inline(always)]
    fn add_sums(a: int32x4_t, b: int32x4_t) -> int32x4_t {
        unsafe { vaddq_s32(a, b) }
    }

    #[cfg(target_feature = "dotprod")]
    #[inline(always)]
    fn dot(sums: int32x4_t, bytes: int8x16_t, &weights: &int8x16_t) -> int32x4_t {
        unsafe { dot(sums, bytes, weights) }
    }

    #[inline(always)]
    fn products(bytes: int8x16_t, &weights: &int8x16_t) -> [int16x8_t; 2] {
        unsafe {
            [vmull_s8(vget_low_s8(bytes), vget_low_s8(weights)), vmull_high_s8(bytes, weights)]
        }
    }

    #[inline(always)]
    fn add_products(
        [low, high]: [int16x8_t; 2],
        bytes: int8x16_t,
        &weights: &int8x16_t,
    ) -> [int16x8_t; 2] {
        unsafe {
            [
                vmlal_s8(low, vget_low_s8(bytes), vget_low_s8(weights)),
                vmlal_high_s8(high, bytes, weights),
            ]
        }
    }

    #[inline(always)]
    fn add_groups(sums: int32x4_t, [low, high]: [int16x8_t; 2]) -> int32x4_t {
        // The sum of two neighbors stays within i16.
        unsafe { vpadalq_s16(sums, vpaddq_s16(low, high)) }
    }
}

//! The form for every 64-bit Arm processor: a block in four registers.
//!
//! SAFETY, for every block here: NEON is part of every such processor, and the dot product is only
//! compiled for targets that have it; loads and stores stay within the block they are given, which is
//! aligned to 64 bytes; any bytes are a block, and all of a block is initialized.

use std::arch::aarch64::*;
use std::array::from_fn;

use bytemuck::Pod;

use super::{Bytes, Lanes, Sums, Weights, Words};

pub(crate) struct Neon;

/// A vector register: any 16 bytes.
trait Register: Copy {}
impl Register for int8x16_t {}
impl Register for uint8x16_t {}
impl Register for int16x8_t {}
impl Register for int32x4_t {}

/// Reads a block.
#[inline(always)]
fn load<T: Pod, R: Register>(block: &T) -> [R; 4] {
    const { assert!(size_of::<T>() == 64 && align_of::<T>() == 64 && size_of::<R>() == 16) };
    let quarters = (&raw const *block).cast::<R>();
    from_fn(|number| unsafe { quarters.add(number).read() })
}

/// Writes a block.
#[inline(always)]
fn store<T: Pod, R: Register>(registers: [R; 4], block: &mut T) {
    const { assert!(size_of::<T>() == 64 && align_of::<T>() == 64 && size_of::<R>() == 16) };
    let quarters = (&raw mut *block).cast::<R>();
    for (number, register) in registers.into_iter().enumerate() {
        unsafe { quarters.add(number).write(register) };
    }
}

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

impl Lanes for Neon {
    type Words = [int16x8_t; 4];
    type Bytes = int8x16_t;
    type Sums = [int32x4_t; 4];
    /// Those of the first eight bytes and of the last eight, for each register of weights.
    type Products = [[int16x8_t; 2]; 4];

    #[inline(always)]
    fn load_words(block: &Words) -> [int16x8_t; 4] {
        load(block)
    }

    #[inline(always)]
    fn store_words(words: [int16x8_t; 4], block: &mut Words) {
        store(words, block);
    }

    #[inline(always)]
    fn add(a: [int16x8_t; 4], b: [int16x8_t; 4]) -> [int16x8_t; 4] {
        from_fn(|k| unsafe { vaddq_s16(a[k], b[k]) })
    }

    #[inline(always)]
    fn sub(a: [int16x8_t; 4], b: [int16x8_t; 4]) -> [int16x8_t; 4] {
        from_fn(|k| unsafe { vsubq_s16(a[k], b[k]) })
    }

    #[inline(always)]
    fn store_clipped(first: [int16x8_t; 4], second: [int16x8_t; 4], block: &mut Bytes) {
        unsafe {
            // Narrowing limits words to 127.
            let pack = |low, high| vmaxq_s8(vqmovn_high_s16(vqmovn_s16(low), high), vdupq_n_s8(0));
            let packed = [
                pack(first[0], first[1]),
                pack(first[2], first[3]),
                pack(second[0], second[1]),
                pack(second[2], second[3]),
            ];
            store(packed, block);
        }
    }

    #[inline(always)]
    fn store_products(a: [[int16x8_t; 4]; 2], b: [[int16x8_t; 4]; 2], block: &mut Bytes) {
        unsafe {
            let most = vdupq_n_s16(254);
            let product = |a, b| {
                let a = vmaxq_s16(vminq_s16(a, most), vdupq_n_s16(0));
                // The upper half of twice the product is the product by 2^-9. Where `b` is negative
                // it is, too, and narrowing makes it 0.
                vqdmulhq_s16(vshlq_n_s16::<6>(a), vminq_s16(b, most))
            };
            let packed: [uint8x16_t; 4] = from_fn(|k| {
                let (a, b) = (&a[k / 2][k % 2 * 2..], &b[k / 2][k % 2 * 2..]);
                vqmovun_high_s16(vqmovun_s16(product(a[0], b[0])), product(a[1], b[1]))
            });
            store(packed, block);
        }
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> int8x16_t {
        unsafe { vreinterpretq_s8_s32(vdupq_n_s32(i32::from_le_bytes(bytes))) }
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> int8x16_t {
        unsafe { vreinterpretq_s8_s64(vdupq_n_s64(i64::from_le_bytes(bytes))) }
    }

    #[inline(always)]
    fn load_sums(block: &Sums) -> [int32x4_t; 4] {
        load(block)
    }

    #[inline(always)]
    fn store_sums(sums: [int32x4_t; 4], block: &mut Sums) {
        store(sums, block);
    }

    #[inline(always)]
    fn add_sums(a: [int32x4_t; 4], b: [int32x4_t; 4]) -> [int32x4_t; 4] {
        from_fn(|k| unsafe { vaddq_s32(a[k], b[k]) })
    }

    #[inline(always)]
    fn dot(sums: [int32x4_t; 4], bytes: int8x16_t, weights: &Weights) -> [int32x4_t; 4] {
        #[cfg(target_feature = "dotprod")]
        {
            let weights = load(weights);
            from_fn(|k| unsafe { dot(sums[k], bytes, weights[k]) })
        }
        #[cfg(not(target_feature = "dotprod"))]
        Neon::add_groups(sums, Neon::products(bytes, weights))
    }

    #[inline(always)]
    fn products(bytes: int8x16_t, weights: &Weights) -> [[int16x8_t; 2]; 4] {
        load(weights).map(|weights| unsafe {
            [vmull_s8(vget_low_s8(bytes), vget_low_s8(weights)), vmull_high_s8(bytes, weights)]
        })
    }

    #[inline(always)]
    fn add_products(
        products: [[int16x8_t; 2]; 4],
        bytes: int8x16_t,
        weights: &Weights,
    ) -> [[int16x8_t; 2]; 4] {
        let weights: [int8x16_t; 4] = load(weights);
        from_fn(|k| unsafe {
            let [low, high] = products[k];
            [
                vmlal_s8(low, vget_low_s8(bytes), vget_low_s8(weights[k])),
                vmlal_high_s8(high, bytes, weights[k]),
            ]
        })
    }

    #[inline(always)]
    fn add_groups(sums: [int32x4_t; 4], products: [[int16x8_t; 2]; 4]) -> [int32x4_t; 4] {
        // The sum of two neighbors stays within i16.
        from_fn(|k| unsafe { vpadalq_s16(sums[k], vpaddq_s16(products[k][0], products[k][1])) })
    }
}

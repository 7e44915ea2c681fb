//! The form for WebAssembly with vectors of 128 bits: a block in four registers.
//!
//! That it computes as the other forms is tested by the node count of a search in a browser
//! (`scripts/web.sh test`), which is that of every other machine.

use std::arch::wasm32::*;
use std::array::from_fn;

use super::registers::{Blocks, Registers};

/// Registers of 128 bits.
pub(crate) enum V128 {}

pub(crate) type Simd128 = Blocks<V128, 4>;

/// The products of bytes and weights, each two neighbors added: those of the first eight, and of the
/// last eight.
#[inline(always)]
fn pairs(bytes: v128, weights: &[[i8; 8]; 2]) -> [v128; 2] {
    from_fn(|half| {
        // SAFETY: there are eight bytes to be read.
        i32x4_dot_i16x8(bytes, unsafe { i16x8_load_extend_i8x8(weights[half].as_ptr()) })
    })
}

impl Registers for V128 {
    type Words = v128;
    /// Eight of them as words: those of the others are the same.
    type Bytes = v128;
    type Sums = v128;
    type Weights = [[i8; 8]; 2];
    type Packed = v128;
    /// Each two neighbors are added.
    type Products = v128;

    #[inline(always)]
    fn add(a: v128, b: v128) -> v128 {
        i16x8_add(a, b)
    }

    #[inline(always)]
    fn sub(a: v128, b: v128) -> v128 {
        i16x8_sub(a, b)
    }

    #[inline(always)]
    fn clipped(low: v128, high: v128) -> v128 {
        // The minimum limits words to 127. Narrowing to unsigned bytes makes negative words 0.
        let limit = i16x8_splat(127);
        u8x16_narrow_i16x8(i16x8_min(low, limit), i16x8_min(high, limit))
    }

    #[inline(always)]
    fn multiplied(a: [v128; 2], b: [v128; 2]) -> v128 {
        let limited = |words| i16x8_max(i16x8_min(words, i16x8_splat(254)), i16x8_splat(0));
        // Products are at most 254 * 254, which an unsigned word holds.
        let product = |a, b| u16x8_shr(i16x8_mul(limited(a), limited(b)), 9);
        u8x16_narrow_i16x8(product(a[0], b[0]), product(a[1], b[1]))
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> v128 {
        i16x8_extend_low_i8x16(i32x4_splat(i32::from_le_bytes(bytes)))
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> v128 {
        i16x8_extend_low_i8x16(i64x2_splat(i64::from_le_bytes(bytes)))
    }

    #[inline(always)]
    fn add_sums(a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }

    #[inline(always)]
    fn dot(sums: v128, bytes: v128, weights: &[[i8; 8]; 2]) -> v128 {
        let [low, high] = pairs(bytes, weights);
        let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
        let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
        i32x4_add(sums, i32x4_add(even, odd))
    }

    #[inline(always)]
    fn products(bytes: v128, weights: &[[i8; 8]; 2]) -> v128 {
        // The sum of two products stays within a word.
        let [low, high] = pairs(bytes, weights);
        i16x8_narrow_i32x4(low, high)
    }

    #[inline(always)]
    fn add_products(products: v128, bytes: v128, weights: &[[i8; 8]; 2]) -> v128 {
        V128::add(products, V128::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: v128, products: v128) -> v128 {
        i32x4_add(sums, i32x4_extadd_pairwise_i16x8(products))
    }
}

//! The form for WebAssembly with vectors of 128 bits: a block in four registers.
//!
//! That it computes as the other forms is tested by the node count of a search in a browser
//! (`scripts/web.sh test`), which is that of every other machine.

use std::arch::wasm32::*;
use std::array::from_fn;

use super::{Bytes, Lanes, Sums, Weights, Words};

pub(crate) struct Simd128;

/// Reads 64 bytes.
#[inline(always)]
fn load<T: bytemuck::Pod>(block: &T) -> [v128; 4] {
    const { assert!(size_of::<T>() == 64) };
    let quarters = (&raw const *block).cast::<v128>();
    // SAFETY: the block has four quarters of 16 bytes, any bytes are a vector, and loads need no
    // alignment.
    from_fn(|number| unsafe { v128_load(quarters.add(number)) })
}

/// Writes 64 bytes.
#[inline(always)]
fn store<T: bytemuck::Pod>(registers: [v128; 4], block: &mut T) {
    const { assert!(size_of::<T>() == 64) };
    let quarters = (&raw mut *block).cast::<v128>();
    for (number, register) in registers.into_iter().enumerate() {
        // SAFETY: as above, and any bytes are a block.
        unsafe { v128_store(quarters.add(number), register) };
    }
}

/// The products of bytes and the weights of one register, each two neighbors added: those of the first
/// eight, and of the last eight.
#[inline(always)]
fn pairs(bytes: v128, weights: &Weights, register: usize) -> [v128; 2] {
    from_fn(|half| {
        let weights = &weights.0[16 * register + 8 * half..][..8];
        // SAFETY: there are eight bytes to be read.
        i32x4_dot_i16x8(bytes, unsafe { i16x8_load_extend_i8x8(weights.as_ptr()) })
    })
}

impl Lanes for Simd128 {
    type Words = [v128; 4];
    /// Eight of them as words: those of the others are the same.
    type Bytes = v128;
    type Sums = [v128; 4];
    /// Each two neighbors are added.
    type Products = [v128; 4];

    #[inline(always)]
    fn load_words(block: &Words) -> [v128; 4] {
        load(block)
    }

    #[inline(always)]
    fn store_words(words: [v128; 4], block: &mut Words) {
        store(words, block);
    }

    #[inline(always)]
    fn add(a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        from_fn(|k| i16x8_add(a[k], b[k]))
    }

    #[inline(always)]
    fn sub(a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        from_fn(|k| i16x8_sub(a[k], b[k]))
    }

    #[inline(always)]
    fn store_clipped(first: [v128; 4], second: [v128; 4], block: &mut Bytes) {
        // The minimum limits words to 127. Narrowing to unsigned bytes makes negative words 0.
        let limit = i16x8_splat(127);
        let pack = |low, high| u8x16_narrow_i16x8(i16x8_min(low, limit), i16x8_min(high, limit));
        let packed = [
            pack(first[0], first[1]),
            pack(first[2], first[3]),
            pack(second[0], second[1]),
            pack(second[2], second[3]),
        ];
        store(packed, block);
    }

    #[inline(always)]
    fn store_products(a: [[v128; 4]; 2], b: [[v128; 4]; 2], block: &mut Bytes) {
        let limited = |words| i16x8_max(i16x8_min(words, i16x8_splat(254)), i16x8_splat(0));
        // Products are at most 254 * 254, which an unsigned word holds.
        let product = |a, b| u16x8_shr(i16x8_mul(limited(a), limited(b)), 9);
        let packed = from_fn(|k| {
            let (a, b) = (&a[k / 2][k % 2 * 2..], &b[k / 2][k % 2 * 2..]);
            u8x16_narrow_i16x8(product(a[0], b[0]), product(a[1], b[1]))
        });
        store(packed, block);
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
    fn load_sums(block: &Sums) -> [v128; 4] {
        load(block)
    }

    #[inline(always)]
    fn store_sums(sums: [v128; 4], block: &mut Sums) {
        store(sums, block);
    }

    #[inline(always)]
    fn add_sums(a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        from_fn(|k| i32x4_add(a[k], b[k]))
    }

    #[inline(always)]
    fn dot(sums: [v128; 4], bytes: v128, weights: &Weights) -> [v128; 4] {
        from_fn(|k| {
            let [low, high] = pairs(bytes, weights, k);
            let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
            let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
            i32x4_add(sums[k], i32x4_add(even, odd))
        })
    }

    #[inline(always)]
    fn products(bytes: v128, weights: &Weights) -> [v128; 4] {
        from_fn(|k| {
            // The sum of two products stays within a word.
            let [low, high] = pairs(bytes, weights, k);
            i16x8_narrow_i32x4(low, high)
        })
    }

    #[inline(always)]
    fn add_products(products: [v128; 4], bytes: v128, weights: &Weights) -> [v128; 4] {
        Simd128::add(products, Simd128::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: [v128; 4], products: [v128; 4]) -> [v128; 4] {
        from_fn(|k| i32x4_add(sums[k], i32x4_extadd_pairwise_i16x8(products[k])))
    }
}

//! The form for every x86-64: a block in four registers.
//!
//! SAFETY, for every block here: SSE2 is part of every x86-64, and other instructions are only
//! compiled for targets that have them; loads and stores stay within the block they are given, which
//! is aligned to 64 bytes; any bytes are a block, and all of a block is initialized.

use std::arch::x86_64::*;
use std::array::from_fn;

use bytemuck::Pod;

use super::{Bytes, Lanes, Sums, Weights, Words};

pub(crate) struct Sse2;

/// Reads a block.
#[inline(always)]
fn load<T: Pod>(block: &T) -> [__m128i; 4] {
    const { assert!(size_of::<T>() == 64 && align_of::<T>() == 64) };
    let quarters = (&raw const *block).cast::<__m128i>();
    from_fn(|number| unsafe { _mm_load_si128(quarters.add(number)) })
}

/// Writes a block.
#[inline(always)]
fn store<T: Pod>(registers: [__m128i; 4], block: &mut T) {
    const { assert!(size_of::<T>() == 64 && align_of::<T>() == 64) };
    let quarters = (&raw mut *block).cast::<__m128i>();
    for (number, register) in registers.into_iter().enumerate() {
        unsafe { _mm_store_si128(quarters.add(number), register) };
    }
}

/// The products of bytes and weights, each two neighbors added.
#[inline(always)]
fn products(bytes: __m128i, weights: __m128i) -> __m128i {
    // Bytes are at most 127, so the sum of two products stays within i16.
    unsafe {
        #[cfg(target_feature = "ssse3")]
        {
            _mm_maddubs_epi16(bytes, weights)
        }
        #[cfg(not(target_feature = "ssse3"))]
        {
            let zero = _mm_setzero_si128();
            let signs = _mm_cmpgt_epi8(zero, weights);
            let low =
                _mm_madd_epi16(_mm_unpacklo_epi8(bytes, zero), _mm_unpacklo_epi8(weights, signs));
            let high =
                _mm_madd_epi16(_mm_unpackhi_epi8(bytes, zero), _mm_unpackhi_epi8(weights, signs));
            _mm_packs_epi32(low, high)
        }
    }
}

impl Lanes for Sse2 {
    type Words = [__m128i; 4];
    type Bytes = __m128i;
    type Sums = [__m128i; 4];
    /// Each two neighbors are added.
    type Products = [__m128i; 4];

    #[inline(always)]
    fn load_words(block: &Words) -> [__m128i; 4] {
        load(block)
    }

    #[inline(always)]
    fn store_words(words: [__m128i; 4], block: &mut Words) {
        store(words, block);
    }

    #[inline(always)]
    fn add(a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        from_fn(|k| unsafe { _mm_add_epi16(a[k], b[k]) })
    }

    #[inline(always)]
    fn sub(a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        from_fn(|k| unsafe { _mm_sub_epi16(a[k], b[k]) })
    }

    #[inline(always)]
    fn store_clipped(first: [__m128i; 4], second: [__m128i; 4], block: &mut Bytes) {
        unsafe {
            // The minimum limits words to 127. Packing with unsigned saturation makes negative words 0.
            let limit = _mm_set1_epi16(127);
            let pack =
                |low, high| _mm_packus_epi16(_mm_min_epi16(low, limit), _mm_min_epi16(high, limit));
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
    fn store_products(a: [[__m128i; 4]; 2], b: [[__m128i; 4]; 2], block: &mut Bytes) {
        unsafe {
            let most = _mm_set1_epi16(254);
            let product = |a, b| {
                let a = _mm_max_epi16(_mm_min_epi16(a, most), _mm_setzero_si128());
                // The upper half of the product is the product by 2^-9. Where `b` is negative it
                // is, too, and packing makes it 0.
                _mm_mulhi_epi16(_mm_slli_epi16::<7>(a), _mm_min_epi16(b, most))
            };
            let packed = from_fn(|k| {
                let (a, b) = (&a[k / 2][k % 2 * 2..], &b[k / 2][k % 2 * 2..]);
                _mm_packus_epi16(product(a[0], b[0]), product(a[1], b[1]))
            });
            store(packed, block);
        }
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> __m128i {
        unsafe { _mm_set1_epi32(i32::from_le_bytes(bytes)) }
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> __m128i {
        unsafe { _mm_set1_epi64x(i64::from_le_bytes(bytes)) }
    }

    #[inline(always)]
    fn load_sums(block: &Sums) -> [__m128i; 4] {
        load(block)
    }

    #[inline(always)]
    fn store_sums(sums: [__m128i; 4], block: &mut Sums) {
        store(sums, block);
    }

    #[inline(always)]
    fn add_sums(a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        from_fn(|k| unsafe { _mm_add_epi32(a[k], b[k]) })
    }

    #[inline(always)]
    fn dot(sums: [__m128i; 4], bytes: __m128i, weights: &Weights) -> [__m128i; 4] {
        Sse2::add_groups(sums, Sse2::products(bytes, weights))
    }

    #[inline(always)]
    fn products(bytes: __m128i, weights: &Weights) -> [__m128i; 4] {
        load(weights).map(|weights| products(bytes, weights))
    }

    #[inline(always)]
    fn add_products(products: [__m128i; 4], bytes: __m128i, weights: &Weights) -> [__m128i; 4] {
        Sse2::add(products, Sse2::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: [__m128i; 4], products: [__m128i; 4]) -> [__m128i; 4] {
        unsafe {
            let ones = _mm_set1_epi16(1);
            from_fn(|k| _mm_add_epi32(sums[k], _mm_madd_epi16(products[k], ones)))
        }
    }
}

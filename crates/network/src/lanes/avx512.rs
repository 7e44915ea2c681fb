//! A block in one register.
//!
//! SAFETY, for every block here: the module is only compiled for targets with these instructions;
//! loads and stores stay within the block they are given, which is aligned to 64 bytes; any bytes are
//! a block, and all of a block is initialized.

use std::arch::x86_64::*;

use super::{Bytes, Lanes, Sums, Weights, Words};

pub(crate) struct Avx512;

impl Lanes for Avx512 {
    type Words = __m512i;
    type Bytes = __m512i;
    type Sums = __m512i;
    /// Each two neighbors are added.
    type Products = __m512i;

    #[inline(always)]
    fn load_words(block: &Words) -> __m512i {
        unsafe { _mm512_load_si512((&raw const *block).cast()) }
    }

    #[inline(always)]
    fn store_words(words: __m512i, block: &mut Words) {
        unsafe { _mm512_store_si512((&raw mut *block).cast(), words) }
    }

    #[inline(always)]
    fn add(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn store_clipped(first: __m512i, second: __m512i, block: &mut Bytes) {
        unsafe {
            let packed = _mm512_packs_epi16(first, second);
            let packed = _mm512_max_epi8(packed, _mm512_setzero_si512());
            // Packing interleaves quarters of both registers.
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let packed = _mm512_permutexvar_epi64(order, packed);
            _mm512_store_si512((&raw mut *block).cast(), packed);
        }
    }

    #[inline(always)]
    fn store_products(a: [__m512i; 2], b: [__m512i; 2], block: &mut Bytes) {
        unsafe {
            let most = _mm512_set1_epi16(254);
            let product = |a, b| {
                let a = _mm512_max_epi16(_mm512_min_epi16(a, most), _mm512_setzero_si512());
                // The upper half of the product is the product by 2^-9. Where `b` is negative it
                // is, too, and packing makes it 0.
                _mm512_mulhi_epi16(_mm512_slli_epi16::<7>(a), _mm512_min_epi16(b, most))
            };
            let packed = _mm512_packus_epi16(product(a[0], b[0]), product(a[1], b[1]));
            // Packing interleaves quarters of both registers.
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let packed = _mm512_permutexvar_epi64(order, packed);
            _mm512_store_si512((&raw mut *block).cast(), packed);
        }
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> __m512i {
        unsafe { _mm512_set1_epi32(i32::from_le_bytes(bytes)) }
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> __m512i {
        unsafe { _mm512_set1_epi64(i64::from_le_bytes(bytes)) }
    }

    #[inline(always)]
    fn load_sums(block: &Sums) -> __m512i {
        unsafe { _mm512_load_si512((&raw const *block).cast()) }
    }

    #[inline(always)]
    fn store_sums(sums: __m512i, block: &mut Sums) {
        unsafe { _mm512_store_si512((&raw mut *block).cast(), sums) }
    }

    #[inline(always)]
    fn add_sums(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn dot(sums: __m512i, bytes: __m512i, weights: &Weights) -> __m512i {
        #[cfg(target_feature = "avx512vnni")]
        unsafe {
            let weights = _mm512_load_si512((&raw const *weights).cast());
            _mm512_dpbusd_epi32(sums, bytes, weights)
        }
        #[cfg(not(target_feature = "avx512vnni"))]
        Avx512::add_groups(sums, Avx512::products(bytes, weights))
    }

    #[inline(always)]
    fn products(bytes: __m512i, weights: &Weights) -> __m512i {
        // Bytes are at most 127, so the sum of two products stays within i16.
        unsafe { _mm512_maddubs_epi16(bytes, _mm512_load_si512((&raw const *weights).cast())) }
    }

    #[inline(always)]
    fn add_products(products: __m512i, bytes: __m512i, weights: &Weights) -> __m512i {
        Avx512::add(products, Avx512::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: __m512i, products: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(sums, _mm512_madd_epi16(products, _mm512_set1_epi16(1))) }
    }
}

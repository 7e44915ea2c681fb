//! A block in one register.
//!
//! SAFETY, for every block here: the module is only compiled for targets with these instructions.

use std::arch::x86_64::*;

use super::registers::{Blocks, Registers};

/// Registers of 512 bits.
pub(crate) enum Zmm {}

pub(crate) type Avx512 = Blocks<Zmm, 1>;

/// Puts quarters of both registers, which packing interleaves, in order.
#[inline(always)]
fn in_order(packed: __m512i) -> __m512i {
    unsafe { _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed) }
}

impl Registers for Zmm {
    type Words = __m512i;
    type Bytes = __m512i;
    type Sums = __m512i;
    type Weights = __m512i;
    type Packed = __m512i;
    /// Each two neighbors are added.
    type Products = __m512i;

    #[inline(always)]
    fn add(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clipped(low: __m512i, high: __m512i) -> __m512i {
        unsafe {
            let packed = _mm512_packs_epi16(low, high);
            in_order(_mm512_max_epi8(packed, _mm512_setzero_si512()))
        }
    }

    #[inline(always)]
    fn multiplied(a: [__m512i; 2], b: [__m512i; 2]) -> __m512i {
        unsafe {
            let most = _mm512_set1_epi16(254);
            let product = |a, b| {
                let a = _mm512_max_epi16(_mm512_min_epi16(a, most), _mm512_setzero_si512());
                // The upper half of the product is the product by 2^-9. Where `b` is negative it
                // is, too, and packing makes it 0.
                _mm512_mulhi_epi16(_mm512_slli_epi16::<7>(a), _mm512_min_epi16(b, most))
            };
            in_order(_mm512_packus_epi16(product(a[0], b[0]), product(a[1], b[1])))
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
    fn add_sums(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[cfg(target_feature = "avx512vnni")]
    #[inline(always)]
    fn dot(sums: __m512i, bytes: __m512i, &weights: &__m512i) -> __m512i {
        unsafe { _mm512_dpbusd_epi32(sums, bytes, weights) }
    }

    #[inline(always)]
    fn products(bytes: __m512i, &weights: &__m512i) -> __m512i {
        // Bytes are at most 127, so the sum of two products stays within i16.
        unsafe { _mm512_maddubs_epi16(bytes, weights) }
    }

    #[inline(always)]
    fn add_products(products: __m512i, bytes: __m512i, weights: &__m512i) -> __m512i {
        Zmm::add(products, Zmm::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: __m512i, products: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(sums, _mm512_madd_epi16(products, _mm512_set1_epi16(1))) }
    }
}

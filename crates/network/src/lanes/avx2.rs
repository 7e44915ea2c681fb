//! A block in two registers.
//!
//! SAFETY, for every block here: the module is only compiled for targets with these instructions.

use std::arch::x86_64::*;

use super::registers::{Blocks, Registers};

/// Registers of 256 bits.
pub(crate) enum Ymm {}

pub(crate) type Avx2 = Blocks<Ymm, 2>;

/// Puts quarters of both registers, which packing interleaves, in order.
#[inline(always)]
fn in_order(packed: __m256i) -> __m256i {
    unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(packed) }
}

impl Registers for Ymm {
    type Words = __m256i;
    type Bytes = __m256i;
    type Sums = __m256i;
    type Weights = __m256i;
    type Packed = __m256i;
    /// Each two neighbors are added.
    type Products = __m256i;

    #[inline(always)]
    fn add(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clipped(low: __m256i, high: __m256i) -> __m256i {
        unsafe {
            let packed = _mm256_packs_epi16(low, high);
            in_order(_mm256_max_epi8(packed, _mm256_setzero_si256()))
        }
    }

    #[inline(always)]
    fn multiplied(a: [__m256i; 2], b: [__m256i; 2]) -> __m256i {
        unsafe {
            let most = _mm256_set1_epi16(254);
            let product = |a, b| {
                let a = _mm256_max_epi16(_mm256_min_epi16(a, most), _mm256_setzero_si256());
                // The upper half of the product is the product by 2^-9. Where `b` is negative it
                // is, too, and packing makes it 0.
                _mm256_mulhi_epi16(_mm256_slli_epi16::<7>(a), _mm256_min_epi16(b, most))
            };
            in_order(_mm256_packus_epi16(product(a[0], b[0]), product(a[1], b[1])))
        }
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> __m256i {
        unsafe { _mm256_set1_epi32(i32::from_le_bytes(bytes)) }
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> __m256i {
        unsafe { _mm256_set1_epi64x(i64::from_le_bytes(bytes)) }
    }

    #[inline(always)]
    fn add_sums(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[cfg(target_feature = "avxvnni")]
    #[inline(always)]
    fn dot(sums: __m256i, bytes: __m256i, &weights: &__m256i) -> __m256i {
        unsafe { _mm256_dpbusd_avx_epi32(sums, bytes, weights) }
    }

    #[inline(always)]
    fn products(bytes: __m256i, &weights: &__m256i) -> __m256i {
        // Bytes are at most 127, so the sum of two products stays within i16.
        unsafe { _mm256_maddubs_epi16(bytes, weights) }
    }

    #[inline(always)]
    fn add_products(products: __m256i, bytes: __m256i, weights: &__m256i) -> __m256i {
        Ymm::add(products, Ymm::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: __m256i, products: __m256i) -> __m256i {
        unsafe { _mm256_add_epi32(sums, _mm256_madd_epi16(products, _mm256_set1_epi16(1))) }
    }
}

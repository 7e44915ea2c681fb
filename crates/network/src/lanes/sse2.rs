//! The form for every x86-64: a block in four registers.
//!
//! SAFETY, for every block here: SSE2 is part of every x86-64, and other instructions are only
//! compiled for targets that have them.

use std::arch::x86_64::*;

use super::registers::{Blocks, Registers};

/// Registers of 128 bits.
pub(crate) enum Xmm {}

pub(crate) type Sse2 = Blocks<Xmm, 4>;

impl Registers for Xmm {
    type Words = __m128i;
    type Bytes = __m128i;
    type Sums = __m128i;
    type Weights = __m128i;
    type Packed = __m128i;
    /// Each two neighbors are added.
    type Products = __m128i;

    #[inline(always)]
    fn add(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clipped(low: __m128i, high: __m128i) -> __m128i {
        unsafe {
            // The minimum limits words to 127. Packing with unsigned saturation makes negative words 0.
            let limit = _mm_set1_epi16(127);
            _mm_packus_epi16(_mm_min_epi16(low, limit), _mm_min_epi16(high, limit))
        }
    }

    #[inline(always)]
    fn multiplied(a: [__m128i; 2], b: [__m128i; 2]) -> __m128i {
        unsafe {
            let most = _mm_set1_epi16(254);
            let product = |a, b| {
                let a = _mm_max_epi16(_mm_min_epi16(a, most), _mm_setzero_si128());
                // The upper half of the product is the product by 2^-9. Where `b` is negative it
                // is, too, and packing makes it 0.
                _mm_mulhi_epi16(_mm_slli_epi16::<7>(a), _mm_min_epi16(b, most))
            };
            _mm_packus_epi16(product(a[0], b[0]), product(a[1], b[1]))
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
    fn add_sums(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_add_epi32(a, b) }
    }

    #[inline(always)]
    fn products(bytes: __m128i, &weights: &__m128i) -> __m128i {
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
                let low = _mm_madd_epi16(
                    _mm_unpacklo_epi8(bytes, zero),
                    _mm_unpacklo_epi8(weights, signs),
                );
                let high = _mm_madd_epi16(
                    _mm_unpackhi_epi8(bytes, zero),
                    _mm_unpackhi_epi8(weights, signs),
                );
                _mm_packs_epi32(low, high)
            }
        }
    }

    #[inline(always)]
    fn add_products(products: __m128i, bytes: __m128i, weights: &__m128i) -> __m128i {
        Xmm::add(products, Xmm::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: __m128i, products: __m128i) -> __m128i {
        unsafe { _mm_add_epi32(sums, _mm_madd_epi16(products, _mm_set1_epi16(1))) }
    }
}

//! A block in two registers.
//!
//! SAFETY, for every block here: the module is only compiled for targets with these instructions;
//! loads and stores stay within the block they are given, which is aligned to 64 bytes; any bytes are
//! a block, and all of a block is initialized.

use std::arch::x86_64::*;

use bytemuck::Pod;

use super::{Bytes, Lanes, Sums, Weights, Words};

pub(crate) struct Avx2;

/// Reads a block.
#[inline(always)]
fn load<T: Pod>(block: &T) -> [__m256i; 2] {
    const { assert!(size_of::<T>() == 64 && align_of::<T>() == 64) };
    let halves = (&raw const *block).cast::<__m256i>();
    unsafe { [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))] }
}

/// Writes a block.
#[inline(always)]
fn store<T: Pod>(registers: [__m256i; 2], block: &mut T) {
    const { assert!(size_of::<T>() == 64 && align_of::<T>() == 64) };
    let halves = (&raw mut *block).cast::<__m256i>();
    unsafe {
        _mm256_store_si256(halves, registers[0]);
        _mm256_store_si256(halves.add(1), registers[1]);
    }
}

impl Lanes for Avx2 {
    type Words = [__m256i; 2];
    type Bytes = __m256i;
    type Sums = [__m256i; 2];
    /// Each two neighbors are added.
    type Products = [__m256i; 2];

    #[inline(always)]
    fn load_words(block: &Words) -> [__m256i; 2] {
        load(block)
    }

    #[inline(always)]
    fn store_words(words: [__m256i; 2], block: &mut Words) {
        store(words, block);
    }

    #[inline(always)]
    fn add(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        unsafe { [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn sub(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        unsafe { [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn store_clipped(first: [__m256i; 2], second: [__m256i; 2], block: &mut Bytes) {
        unsafe {
            let pack = |[low, high]: [__m256i; 2]| {
                let packed = _mm256_packs_epi16(low, high);
                let packed = _mm256_max_epi8(packed, _mm256_setzero_si256());
                // Packing interleaves quarters of both registers.
                _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
            };
            store([pack(first), pack(second)], block);
        }
    }

    #[inline(always)]
    fn store_products(a: [[__m256i; 2]; 2], b: [[__m256i; 2]; 2], block: &mut Bytes) {
        unsafe {
            let most = _mm256_set1_epi16(254);
            let product = |a, b| {
                let a = _mm256_max_epi16(_mm256_min_epi16(a, most), _mm256_setzero_si256());
                // The upper half of the product is the product by 2^-9. Where `b` is negative it
                // is, too, and packing makes it 0.
                _mm256_mulhi_epi16(_mm256_slli_epi16::<7>(a), _mm256_min_epi16(b, most))
            };
            let pack = |a: [__m256i; 2], b: [__m256i; 2]| {
                let packed = _mm256_packus_epi16(product(a[0], b[0]), product(a[1], b[1]));
                // Packing interleaves quarters of both registers.
                _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
            };
            store([pack(a[0], b[0]), pack(a[1], b[1])], block);
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
    fn load_sums(block: &Sums) -> [__m256i; 2] {
        load(block)
    }

    #[inline(always)]
    fn store_sums(sums: [__m256i; 2], block: &mut Sums) {
        store(sums, block);
    }

    #[inline(always)]
    fn add_sums(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        unsafe { [_mm256_add_epi32(a[0], b[0]), _mm256_add_epi32(a[1], b[1])] }
    }

    #[inline(always)]
    fn dot(sums: [__m256i; 2], bytes: __m256i, weights: &Weights) -> [__m256i; 2] {
        #[cfg(target_feature = "avxvnni")]
        unsafe {
            let weights = load(weights);
            [0, 1].map(|k| _mm256_dpbusd_avx_epi32(sums[k], bytes, weights[k]))
        }
        #[cfg(not(target_feature = "avxvnni"))]
        Avx2::add_groups(sums, Avx2::products(bytes, weights))
    }

    #[inline(always)]
    fn products(bytes: __m256i, weights: &Weights) -> [__m256i; 2] {
        // Bytes are at most 127, so the sum of two products stays within i16.
        unsafe { load(weights).map(|weights| _mm256_maddubs_epi16(bytes, weights)) }
    }

    #[inline(always)]
    fn add_products(products: [__m256i; 2], bytes: __m256i, weights: &Weights) -> [__m256i; 2] {
        Avx2::add(products, Avx2::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: [__m256i; 2], products: [__m256i; 2]) -> [__m256i; 2] {
        unsafe {
            let ones = _mm256_set1_epi16(1);
            [0, 1].map(|k| _mm256_add_epi32(sums[k], _mm256_madd_epi16(products[k], ones)))
        }
    }
}

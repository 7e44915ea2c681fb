//! The form for every machine: plain arrays, which the compiler may vectorize.

use std::array::from_fn;

use super::registers::{Blocks, Registers};
use super::{Bytes, Sums, Weights, Words};

/// Whole blocks as arrays.
pub(crate) enum Arrays {}

pub(crate) type Plain = Blocks<Arrays, 1>;

impl Registers for Arrays {
    type Words = Words;
    type Bytes = Bytes;
    type Sums = Sums;
    type Weights = Weights;
    type Packed = Bytes;
    /// Each two neighbors are added.
    type Products = Words;

    #[inline(always)]
    fn add(a: Words, b: Words) -> Words {
        Words(from_fn(|k| a.0[k].wrapping_add(b.0[k])))
    }

    #[inline(always)]
    fn sub(a: Words, b: Words) -> Words {
        Words(from_fn(|k| a.0[k].wrapping_sub(b.0[k])))
    }

    #[inline(always)]
    fn clipped(low: Words, high: Words) -> Bytes {
        let words = [low, high];
        Bytes(from_fn(|k| words[k / 32].0[k % 32].clamp(0, 127) as u8))
    }

    #[inline(always)]
    fn multiplied(a: [Words; 2], b: [Words; 2]) -> Bytes {
        let limited =
            |words: &[Words; 2], k: usize| i32::from(words[k / 32].0[k % 32].clamp(0, 254));
        Bytes(from_fn(|k| ((limited(&a, k) * limited(&b, k)) >> 9) as u8))
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> Bytes {
        Bytes(from_fn(|k| bytes[k % 4]))
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> Bytes {
        Bytes(from_fn(|k| bytes[k % 8]))
    }

    #[inline(always)]
    fn add_sums(a: Sums, b: Sums) -> Sums {
        Sums(from_fn(|k| a.0[k].wrapping_add(b.0[k])))
    }

    #[inline(always)]
    fn dot(sums: Sums, bytes: Bytes, weights: &Weights) -> Sums {
        let product = |k: usize| i32::from(bytes.0[k]) * i32::from(weights.0[k]);
        Sums(from_fn(|k| {
            let group =
                product(4 * k) + product(4 * k + 1) + product(4 * k + 2) + product(4 * k + 3);
            sums.0[k].wrapping_add(group)
        }))
    }

    #[inline(always)]
    fn products(bytes: Bytes, weights: &Weights) -> Words {
        let product = |k: usize| i16::from(bytes.0[k]) * i16::from(weights.0[k]);
        Words(from_fn(|k| product(2 * k) + product(2 * k + 1)))
    }

    #[inline(always)]
    fn add_products(products: Words, bytes: Bytes, weights: &Weights) -> Words {
        Arrays::add(products, Arrays::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: Sums, products: Words) -> Sums {
        Sums(from_fn(|k| {
            sums.0[k].wrapping_add(i32::from(products.0[2 * k]) + i32::from(products.0[2 * k + 1]))
        }))
    }
}

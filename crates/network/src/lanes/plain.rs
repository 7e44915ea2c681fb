//! The form for every machine: plain arrays, which the compiler may vectorize.

use super::{Bytes, Lanes, Sums, Weights, Words};

pub(crate) struct Plain;

impl Lanes for Plain {
    type Words = Words;
    type Bytes = Bytes;
    type Sums = Sums;
    /// Each two neighbors are added.
    type Products = Words;

    #[inline(always)]
    fn load_words(block: &Words) -> Words {
        *block
    }

    #[inline(always)]
    fn store_words(words: Words, block: &mut Words) {
        *block = words;
    }

    #[inline(always)]
    fn add(a: Words, b: Words) -> Words {
        Words(std::array::from_fn(|k| a.0[k].wrapping_add(b.0[k])))
    }

    #[inline(always)]
    fn sub(a: Words, b: Words) -> Words {
        Words(std::array::from_fn(|k| a.0[k].wrapping_sub(b.0[k])))
    }

    #[inline(always)]
    fn store_clipped(first: Words, second: Words, block: &mut Bytes) {
        let (front, back) = block.0.split_at_mut(32);
        for (half, words) in [(front, first), (back, second)] {
            for (byte, word) in half.iter_mut().zip(words.0) {
                *byte = word.clamp(0, 127) as u8;
            }
        }
    }

    #[inline(always)]
    fn store_products(a: [Words; 2], b: [Words; 2], block: &mut Bytes) {
        let halves = block.0.as_chunks_mut::<32>().0;
        for ((half, a), b) in halves.iter_mut().zip(a).zip(b) {
            for ((byte, a), b) in half.iter_mut().zip(a.0).zip(b.0) {
                let product = i32::from(a.clamp(0, 254)) * i32::from(b.clamp(0, 254));
                *byte = (product >> 9) as u8;
            }
        }
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> Bytes {
        Bytes(std::array::from_fn(|k| bytes[k % 4]))
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> Bytes {
        Bytes(std::array::from_fn(|k| bytes[k % 8]))
    }

    #[inline(always)]
    fn load_sums(block: &Sums) -> Sums {
        *block
    }

    #[inline(always)]
    fn store_sums(sums: Sums, block: &mut Sums) {
        *block = sums;
    }

    #[inline(always)]
    fn add_sums(a: Sums, b: Sums) -> Sums {
        Sums(std::array::from_fn(|k| a.0[k].wrapping_add(b.0[k])))
    }

    #[inline(always)]
    fn dot(sums: Sums, bytes: Bytes, weights: &Weights) -> Sums {
        let product = |k: usize| i32::from(bytes.0[k]) * i32::from(weights.0[k]);
        Sums(std::array::from_fn(|k| {
            let group =
                product(4 * k) + product(4 * k + 1) + product(4 * k + 2) + product(4 * k + 3);
            sums.0[k].wrapping_add(group)
        }))
    }

    #[inline(always)]
    fn products(bytes: Bytes, weights: &Weights) -> Words {
        let product = |k: usize| i16::from(bytes.0[k]) * i16::from(weights.0[k]);
        Words(std::array::from_fn(|k| product(2 * k) + product(2 * k + 1)))
    }

    #[inline(always)]
    fn add_products(products: Words, bytes: Bytes, weights: &Weights) -> Words {
        Plain::add(products, Plain::products(bytes, weights))
    }

    #[inline(always)]
    fn add_groups(sums: Sums, products: Words) -> Sums {
        Sums(std::array::from_fn(|k| {
            sums.0[k].wrapping_add(i32::from(products.0[2 * k]) + i32::from(products.0[2 * k + 1]))
        }))
    }
}

//! A block in registers of one kind: what all forms have in common.

use std::array::from_fn;
use std::marker::PhantomData;

use bytemuck::{Pod, must_cast, must_cast_ref};

use super::{Bytes, Lanes, Sums, Weights, Words};

/// What a form provides: operations on single registers of one size. The names are those of [`Lanes`].
pub(crate) trait Registers {
    /// A register of words.
    type Words: Pod;
    /// A register of bytes, as the products need it.
    type Bytes: Copy;
    /// A register of sums.
    type Sums: Pod;
    /// The weights of one register, in memory.
    type Weights: Pod;
    /// The bytes that two registers of words become.
    type Packed: Pod;
    /// The products of one register.
    type Products: Copy;

    /// Adds with wrap-around.
    fn add(a: Self::Words, b: Self::Words) -> Self::Words;
    /// Subtracts with wrap-around.
    fn sub(a: Self::Words, b: Self::Words) -> Self::Words;
    /// Limits each word to 0..=127, in the order of the words.
    fn clipped(low: Self::Words, high: Self::Words) -> Self::Packed;
    /// Limits each word to 0..=254, and multiplies and divides as [`Lanes::store_products`] does.
    fn multiplied(a: [Self::Words; 2], b: [Self::Words; 2]) -> Self::Packed;
    /// The same four bytes everywhere.
    fn splat4(bytes: [u8; 4]) -> Self::Bytes;
    /// The same eight bytes everywhere.
    fn splat8(bytes: [u8; 8]) -> Self::Bytes;
    /// Adds with wrap-around.
    fn add_sums(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    /// As [`Lanes::dot`].
    #[inline(always)]
    fn dot(sums: Self::Sums, bytes: Self::Bytes, weights: &Self::Weights) -> Self::Sums {
        Self::add_groups(sums, Self::products(bytes, weights))
    }
    /// As [`Lanes::products`].
    fn products(bytes: Self::Bytes, weights: &Self::Weights) -> Self::Products;
    /// As [`Lanes::add_products`].
    fn add_products(
        products: Self::Products,
        bytes: Self::Bytes,
        weights: &Self::Weights,
    ) -> Self::Products;
    /// As [`Lanes::add_groups`].
    fn add_groups(sums: Self::Sums, products: Self::Products) -> Self::Sums;
}

/// The form whose blocks lie in `N` registers of the kind `R`.
pub(crate) struct Blocks<R, const N: usize>(PhantomData<R>);

impl<R: Registers, const N: usize> Blocks<R, N> {
    /// The weights of each register.
    #[inline(always)]
    fn weights(block: &Weights) -> &[R::Weights; N] {
        must_cast_ref(block)
    }

    /// The bytes of `2 * N` registers of words, made from two registers at a time. The function is
    /// told which of two blocks they are from, and the number of the first of them.
    #[inline(always)]
    fn pack(block: &mut Bytes, of: impl Fn([(usize, usize); 2]) -> R::Packed) {
        let place = |register: usize| (register / N, register % N);
        let packed: [R::Packed; N] = from_fn(|k| of([place(2 * k), place(2 * k + 1)]));
        *block = must_cast(packed);
    }
}

impl<R: Registers, const N: usize> Lanes for Blocks<R, N> {
    type Words = [R::Words; N];
    type Bytes = R::Bytes;
    type Sums = [R::Sums; N];
    type Products = [R::Products; N];

    #[inline(always)]
    fn load_words(block: &Words) -> Self::Words {
        must_cast(*block)
    }

    #[inline(always)]
    fn store_words(words: Self::Words, block: &mut Words) {
        *block = must_cast(words);
    }

    #[inline(always)]
    fn add(a: Self::Words, b: Self::Words) -> Self::Words {
        from_fn(|k| R::add(a[k], b[k]))
    }

    #[inline(always)]
    fn sub(a: Self::Words, b: Self::Words) -> Self::Words {
        from_fn(|k| R::sub(a[k], b[k]))
    }

    #[inline(always)]
    fn store_clipped(first: Self::Words, second: Self::Words, block: &mut Bytes) {
        let blocks = [first, second];
        Self::pack(block, |places| {
            let [low, high] = places.map(|(block, k)| blocks[block][k]);
            R::clipped(low, high)
        });
    }

    #[inline(always)]
    fn store_products(a: [Self::Words; 2], b: [Self::Words; 2], block: &mut Bytes) {
        Self::pack(block, |places| {
            R::multiplied(
                places.map(|(block, k)| a[block][k]),
                places.map(|(block, k)| b[block][k]),
            )
        });
    }

    #[inline(always)]
    fn splat4(bytes: [u8; 4]) -> Self::Bytes {
        R::splat4(bytes)
    }

    #[inline(always)]
    fn splat8(bytes: [u8; 8]) -> Self::Bytes {
        R::splat8(bytes)
    }

    #[inline(always)]
    fn load_sums(block: &Sums) -> Self::Sums {
        must_cast(*block)
    }

    #[inline(always)]
    fn store_sums(sums: Self::Sums, block: &mut Sums) {
        *block = must_cast(sums);
    }

    #[inline(always)]
    fn add_sums(a: Self::Sums, b: Self::Sums) -> Self::Sums {
        from_fn(|k| R::add_sums(a[k], b[k]))
    }

    #[inline(always)]
    fn dot(sums: Self::Sums, bytes: Self::Bytes, weights: &Weights) -> Self::Sums {
        let weights = Self::weights(weights);
        from_fn(|k| R::dot(sums[k], bytes, &weights[k]))
    }

    #[inline(always)]
    fn products(bytes: Self::Bytes, weights: &Weights) -> Self::Products {
        let weights = Self::weights(weights);
        from_fn(|k| R::products(bytes, &weights[k]))
    }

    #[inline(always)]
    fn add_products(
        products: Self::Products,
        bytes: Self::Bytes,
        weights: &Weights,
    ) -> Self::Products {
        let weights = Self::weights(weights);
        from_fn(|k| R::add_products(products[k], bytes, &weights[k]))
    }

    #[inline(always)]
    fn add_groups(sums: Self::Sums, products: Self::Products) -> Self::Sums {
        from_fn(|k| R::add_groups(sums[k], products[k]))
    }
}

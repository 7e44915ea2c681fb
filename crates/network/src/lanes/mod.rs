//! Blocks of 64 bytes in vector registers.
//!
//! All vector instructions of this crate are written behind [`Lanes`]. It has six forms: AVX-512
//! and AVX2 (each with VNNI where the target has it), SSE2 (with SSSE3 where the target has it), NEON
//! (with the dot product where the target has it), SIMD128 of WebAssembly, and plain arrays for
//! everything else. They differ in what they do with one register, which is what their files say;
//! `registers.rs` makes blocks of it. The features of the target choose the best form at compile time.
//! The tests compare all forms that the target has.

use bytemuck::{Pod, Zeroable};

/// 32 values of an accumulator or of a row of the transformer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Words(pub(crate) [i16; 32]);

/// 64 inputs of a layer, each from 0 to 127.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Bytes(pub(crate) [u8; 64]);

/// 64 weights of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Weights(pub(crate) [i8; 64]);

/// 16 sums of products.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Sums(pub(crate) [i32; 16]);

/// The instructions that evaluation needs. Every form gives the same results, bit for bit.
pub(crate) trait Lanes {
    /// A block of [`Words`] in registers.
    type Words: Copy;
    /// A block of [`Bytes`] in registers.
    type Bytes: Copy;
    /// A block of [`Sums`] in registers.
    type Sums: Copy;
    /// Sums of 16 bits of the products of bytes and weights, in the order that is cheapest.
    type Products: Copy;

    /// Reads a block.
    fn load_words(block: &Words) -> Self::Words;
    /// Writes a block.
    fn store_words(words: Self::Words, block: &mut Words);
    /// Adds with wrap-around.
    fn add(a: Self::Words, b: Self::Words) -> Self::Words;
    /// Subtracts with wrap-around.
    fn sub(a: Self::Words, b: Self::Words) -> Self::Words;
    /// Limits each word to 0..=127 and writes the words of both blocks in their order.
    fn store_clipped(first: Self::Words, second: Self::Words, block: &mut Bytes);
    /// Limits each word to 0..=254, multiplies those of the first two blocks by those of the other
    /// two, divides the products by 512, rounding down, and writes them in their order.
    fn store_products(a: [Self::Words; 2], b: [Self::Words; 2], block: &mut Bytes);
    /// The same four bytes sixteen times.
    fn splat4(bytes: [u8; 4]) -> Self::Bytes;
    /// The same eight bytes eight times.
    fn splat8(bytes: [u8; 8]) -> Self::Bytes;
    /// Reads a block.
    fn load_sums(block: &Sums) -> Self::Sums;
    /// Writes a block.
    fn store_sums(sums: Self::Sums, block: &mut Sums);
    /// Adds with wrap-around.
    fn add_sums(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    /// Multiplies each byte (at most 127) by its weight and adds the four products of each group
    /// to the sum of the group, with wrap-around.
    fn dot(sums: Self::Sums, bytes: Self::Bytes, weights: &Weights) -> Self::Sums;
    /// Multiplies each byte (at most 127) by its weight.
    fn products(bytes: Self::Bytes, weights: &Weights) -> Self::Products;
    /// Adds more products. The sums of each two neighbors must stay within 16 bits.
    fn add_products(
        products: Self::Products,
        bytes: Self::Bytes,
        weights: &Weights,
    ) -> Self::Products;
    /// Adds the four products of each group to the sum of the group, with wrap-around.
    fn add_groups(sums: Self::Sums, products: Self::Products) -> Self::Sums;
}

/// The form that is used.
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) type Chosen = plain::Plain;
/// The form that is used.
#[cfg(target_arch = "aarch64")]
pub(crate) type Chosen = neon::Neon;
/// The form that is used.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) type Chosen = simd128::Simd128;
/// The form that is used.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
pub(crate) type Chosen = sse2::Sse2;
/// The form that is used.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(target_feature = "avx512f", target_feature = "avx512bw"))
))]
pub(crate) type Chosen = avx2::Avx2;
/// The form that is used.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512f", target_feature = "avx512bw"))]
pub(crate) type Chosen = avx512::Avx512;

/// Number of independent chains of [`Lanes::dot`] that keep the processor busy. Where it is a single
/// instruction, it takes three to five cycles, and two or more can begin in each cycle. In other
/// forms each link of a chain is one addition.
pub(crate) const CHAINS: usize = if HAS_DOT { 4 } else { 1 };

/// Whether [`Lanes::dot`] is a single instruction. If not, it is cheaper to add several
/// [`Lanes::products`] first where the weights are so small that the sums fit 16 bits.
pub(crate) const HAS_DOT: bool = cfg!(any(
    target_feature = "avx512vnni",
    target_feature = "avxvnni",
    target_feature = "dotprod"
));

/// The name of the chosen form.
pub(crate) const CHOSEN_NAME: &str = if cfg!(target_feature = "simd128") {
    "SIMD128"
} else if cfg!(all(target_arch = "aarch64", target_feature = "dotprod")) {
    "NEON with dot product"
} else if cfg!(target_arch = "aarch64") {
    "NEON"
} else if cfg!(not(target_arch = "x86_64")) {
    "plain"
} else if cfg!(all(target_feature = "avx512bw", target_feature = "avx512vnni")) {
    "AVX-512 VNNI"
} else if cfg!(target_feature = "avx512bw") {
    "AVX-512"
} else if cfg!(all(target_feature = "avx2", target_feature = "avxvnni")) {
    "AVX2 VNNI"
} else if cfg!(target_feature = "avx2") {
    "AVX2"
} else if cfg!(target_feature = "ssse3") {
    "SSSE3"
} else {
    "SSE2"
};

#[cfg_attr(
    all(
        any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"),
        not(test)
    ),
    allow(dead_code)
)]
pub(crate) mod plain;
mod registers;

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
pub(crate) mod neon;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
pub(crate) mod simd128;

#[cfg(target_arch = "x86_64")]
#[cfg_attr(all(target_feature = "avx2", not(test)), allow(dead_code))]
#[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
pub(crate) mod sse2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[cfg_attr(
    all(target_feature = "avx512f", target_feature = "avx512bw", not(test)),
    allow(dead_code)
)]
#[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
pub(crate) mod avx2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx512f", target_feature = "avx512bw"))]
#[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
pub(crate) mod avx512;

#[cfg(test)]
mod tests {
    use rand::prelude::*;

    use super::plain::Plain;
    use super::*;

    /// Values of all sizes, limits included.
    fn words(rng: &mut SmallRng) -> Words {
        Words(std::array::from_fn(|_| match rng.random_range(0..6) {
            0 => i16::MIN,
            1 => i16::MAX,
            2 => rng.random_range(-130..130),
            3 => rng.random_range(-20..280),
            4 => 0,
            _ => rng.random(),
        }))
    }

    fn bytes(rng: &mut SmallRng) -> Bytes {
        let sparse = rng.random();
        Bytes(std::array::from_fn(|_| match rng.random_range(0..6) {
            0 => 127,
            1..4 if sparse => 0,
            _ => rng.random_range(0..128),
        }))
    }

    fn weights(rng: &mut SmallRng) -> Weights {
        Weights(std::array::from_fn(|_| match rng.random_range(0..6) {
            0 => i8::MIN,
            1 => i8::MAX,
            _ => rng.random(),
        }))
    }

    fn sums(rng: &mut SmallRng) -> Sums {
        Sums(std::array::from_fn(|_| match rng.random_range(0..6) {
            0 => i32::MIN,
            1 => i32::MAX,
            _ => rng.random(),
        }))
    }

    /// The results of all operations of one form on random blocks.
    fn results<L: Lanes>(seed: u64) -> (Vec<Words>, [Bytes; 2], Vec<Sums>) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (a, b) = (words(&mut rng), words(&mut rng));
        let (inputs, factors) = (bytes(&mut rng), weights(&mut rng));
        let halves = Weights(factors.0.map(|weight| weight / 2));
        let (base, other) = (sums(&mut rng), sums(&mut rng));
        let stored = |words: L::Words| {
            let mut block = Words([7; 32]);
            L::store_words(words, &mut block);
            block
        };
        let stored_sums = |sums: L::Sums| {
            let mut block = Sums([7; 16]);
            L::store_sums(sums, &mut block);
            block
        };
        let (one, two) = (L::load_words(&a), L::load_words(&b));
        let mut clipped = Bytes([7; 64]);
        L::store_clipped(one, two, &mut clipped);
        let others = [0; 2].map(|_| L::load_words(&words(&mut rng)));
        let mut multiplied = Bytes([7; 64]);
        L::store_products([one, two], others, &mut multiplied);
        let four = L::splat4(std::array::from_fn(|k| inputs.0[k]));
        let eight = L::splat8(std::array::from_fn(|k| inputs.0[k + 4]));
        let start = L::load_sums(&base);
        (
            vec![stored(one), stored(L::add(one, two)), stored(L::sub(one, two))],
            [clipped, multiplied],
            vec![
                stored_sums(start),
                stored_sums(L::add_sums(start, L::load_sums(&other))),
                stored_sums(L::dot(start, four, &factors)),
                stored_sums(L::dot(start, eight, &factors)),
                stored_sums(L::add_groups(start, L::products(eight, &factors))),
                stored_sums(L::add_groups(
                    start,
                    L::add_products(L::products(four, &halves), eight, &halves),
                )),
            ],
        )
    }

    #[test]
    fn plain_arrays_do_what_is_said() {
        let first = Words(std::array::from_fn(|k| k as i16 * 10 - 100));
        let second = Words([i16::MIN; 32]);
        let mut clipped = Bytes([9; 64]);
        Plain::store_clipped([first], [second], &mut clipped);
        assert_eq!(clipped.0[..13], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 20]);
        assert_eq!(clipped.0[22..24], [120, 127]);
        assert_eq!(clipped.0[31..34], [127, 0, 0]);
        let mut multiplied = Bytes([9; 64]);
        Plain::store_products(
            [[first], [Words([300; 32])]],
            [[Words([254; 32])]; 2],
            &mut multiplied,
        );
        assert_eq!(multiplied.0[9..13], [0, 0, 4, 9]);
        assert_eq!(multiplied.0[30..33], [99, 104, 126]);
        Plain::store_products([[first], [second]], [[first]; 2], &mut multiplied);
        assert_eq!((multiplied.0[0], multiplied.0[26], multiplied.0[40]), (0, 50, 0));
        assert_eq!(Plain::add([second], [Words([-1; 32])]), [Words([i16::MAX; 32])]);
        let weights = Weights(std::array::from_fn(|k| k as i8 - 32));
        let [sums] = Plain::dot([Sums([1; 16])], Plain::splat8([1, 0, 0, 0, 0, 0, 2, 3]), &weights);
        assert_eq!(sums.0[..2], [1 - 32, 1 + 2 * -26 + 3 * -25]);
        assert_eq!(sums.0[14..], [1 + 24, 1 + 2 * 30 + 3 * 31]);
        let products = Plain::products(Plain::splat4([1, 0, 2, 3]), &weights);
        assert_eq!(products[0].0[..3], [-32, 2 * -30 + 3 * -29, -28]);
        let products = Plain::add_products(products, Plain::splat4([0, 7, 0, 0]), &weights);
        assert_eq!(products[0].0[..3], [-32 + 7 * -31, 2 * -30 + 3 * -29, -28 + 7 * -27]);
        let [sums] = Plain::add_groups([Sums([5; 16])], products);
        assert_eq!(sums.0[0], 5 - 32 + 7 * -31 + 2 * -30 + 3 * -29);
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn all_forms_agree() {
        for seed in 0..4000 {
            let expected = results::<Plain>(seed);
            #[cfg(target_arch = "x86_64")]
            assert_eq!(results::<sse2::Sse2>(seed), expected);
            #[cfg(target_feature = "avx2")]
            assert_eq!(results::<avx2::Avx2>(seed), expected);
            assert_eq!(results::<Chosen>(seed), expected);
        }
    }
}

//! A hash of one number, for keys and for random numbers that are the same on every machine.

/// The increment of a SplitMix64 generator: an odd number whose bits show no pattern.
pub const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A permutation of 64-bit words that spreads every bit over the whole word: the finalizer of
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
///
/// ```
/// use tsumero_core::{GOLDEN_GAMMA, mix};
/// // The first numbers of SplitMix64 with the seed 0.
/// let numbers = [1, 2].map(|count: u64| mix(count.wrapping_mul(GOLDEN_GAMMA)));
/// assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
/// ```
#[inline]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

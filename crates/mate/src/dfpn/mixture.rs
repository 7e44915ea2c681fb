//! The check word of slots that several threads write.

use tsumero_core::{GOLDEN_GAMMA, mix};

/// A mixture of the words of a slot. A change of one word always changes it: each word goes
/// through a bijection that depends on its place. Words from two different slots match one of
/// their mixtures about as often as random numbers would.
#[inline]
pub(super) fn mixed<const WORDS: usize>(words: &[u64; WORDS]) -> u64 {
    let places = (1u64..).zip(words);
    places.fold(0, |mixture, (place, &word)| {
        mixture ^ mix(word.wrapping_add(place.wrapping_mul(GOLDEN_GAMMA)))
    })
}

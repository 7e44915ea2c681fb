//! Reproducible random numbers, the same on every machine and in every version.

use tsumero_core::{GOLDEN_GAMMA, mix};

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: u64,
}

impl Random {
    /// An independent stream for each pair of numbers.
    pub(super) fn new(seed: u64, stream: u64) -> Random {
        Random {
            state: mix(mix(seed.wrapping_add(GOLDEN_GAMMA)) ^ stream.wrapping_mul(GOLDEN_GAMMA)),
        }
    }

    /// A random number below the bound, which must not be 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        // The high half of a 64 by 64 bit product is nearly uniform for the bounds used here.
        ((u128::from(mix(self.state)) * bound as u128) >> 64) as usize
    }

    /// A random number of a range, both ends included.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// A random entry of the list, which must not be empty.
    pub(super) fn pick<T: Copy>(&mut self, entries: &[T]) -> T {
        entries[self.below(entries.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_and_numbers_keep_their_bounds() {
        let draw = |seed, stream| -> Vec<usize> {
            let mut random = Random::new(seed, stream);
            (0..200).map(|_| random.between(3, 9)).collect()
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        let streams = [draw(1, 0), draw(1, 1), draw(2, 0), draw(0, 1), draw(0, 2)];
        for (number, stream) in streams.iter().enumerate() {
            assert!(!streams[..number].contains(stream));
            for value in 3..=9 {
                assert!(stream.contains(&value), "{value} never came");
            }
            assert!(stream.iter().all(|value| (3..=9).contains(value)));
        }
    }
}

//! Vectors without vector instructions: eight plain words, for every target.

use super::{LaneSet, Lanes};

#[derive(Clone, Copy)]
pub(crate) struct Words([u64; 8]);

impl Words {
    #[inline(always)]
    fn map(self, f: impl Fn(u64) -> u64) -> Words {
        Words(self.0.map(f))
    }

    #[inline(always)]
    fn zip(self, other: Words, f: impl Fn(u64, u64) -> u64) -> Words {
        Words(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl Lanes for Words {
    const ASKS_FIRST: bool = true;
    type Mask = u8;
    type Tally = u32;

    #[inline(always)]
    fn load(words: &[u64; 8]) -> Words {
        Words(*words)
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut [u64; 8]) {
        // SAFETY: the caller's promise.
        unsafe { words.write(self.0) }
    }

    #[inline(always)]
    fn splat(word: u64) -> Words {
        Words([word; 8])
    }

    #[inline(always)]
    fn and(self, other: Words) -> Words {
        self.zip(other, |one, other| one & other)
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        self.zip(other, |one, other| one | other)
    }

    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        self.zip(other, |one, other| one ^ other)
    }

    #[inline(always)]
    fn lowest_and_below(self) -> Words {
        self.map(|word| word ^ word.wrapping_sub(1))
    }

    #[inline(always)]
    fn highest_and_above(self) -> Words {
        self.map(|word| match word {
            0 => u64::MAX,
            _ => u64::MAX << (63 - word.leading_zeros()),
        })
    }

    #[inline(always)]
    fn where_zero(self, test: Words) -> Words {
        self.zip(test, |word, test| word & u64::from(test == 0).wrapping_neg())
    }

    #[inline(always)]
    fn join(self, last: Words) -> Words {
        Words(std::array::from_fn(|lane| if lane < 4 { self.0[lane] } else { last.0[lane] }))
    }

    #[inline(always)]
    fn opposite(self) -> Words {
        Words(std::array::from_fn(|lane| self.0[lane ^ 4]))
    }

    #[inline(always)]
    fn mask(lanes: u8) -> u8 {
        lanes
    }

    #[inline(always)]
    fn mask_of(set: &LaneSet) -> u8 {
        set.bits
    }

    #[inline(always)]
    fn bits(mask: u8) -> u8 {
        mask
    }

    #[inline(always)]
    fn lanes_with(self, bit: u32) -> u8 {
        let mut lanes = 0;
        for (lane, word) in self.0.into_iter().enumerate() {
            lanes |= ((word >> bit & 1) as u8) << lane;
        }
        lanes
    }

    #[inline(always)]
    fn filled(self) -> u8 {
        let mut lanes = 0;
        for (lane, word) in self.0.into_iter().enumerate() {
            lanes |= u8::from(word != 0) << lane;
        }
        lanes
    }

    #[inline(always)]
    fn keep(self, mask: u8) -> Words {
        self.and(Words(super::LANES[usize::from(mask)]))
    }

    #[inline(always)]
    fn any(self) -> u64 {
        self.0.into_iter().fold(0, |any, word| any | word)
    }

    #[inline(always)]
    fn twice(self) -> u64 {
        let both = |(once, twice), word| (once | word, twice | once & word);
        self.0.into_iter().fold((0, 0), both).1
    }

    #[inline(always)]
    fn lane(self, number: usize) -> u64 {
        self.0[number]
    }

    #[inline(always)]
    fn tally<const N: usize>(vectors: [Words; N]) -> u32 {
        const { assert!(N <= 31, "a byte holds the bits of 31 vectors") };
        // Adds pairs, nibbles and bytes of eight words side by side. Then it sums the bytes of each
        // vector, which are at most 8 * 31 (Wilkes, Wheeler and Gill 1957).
        let mut bytes = [0u64; 8];
        for vector in vectors {
            for (sum, word) in bytes.iter_mut().zip(vector.0) {
                let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
                let nibbles =
                    (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
                *sum += (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
            }
        }
        let low = 0x00ff_00ff_00ff_00ff;
        let sum: u64 = bytes.into_iter().map(|word| (word & low) + (word >> 8 & low)).sum();
        // Four sums of sixteen bits, each at most 2 * 8 * 8 * 31.
        (sum.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
    }
}

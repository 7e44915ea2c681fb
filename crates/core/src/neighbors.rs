//! The eight squares around a square, such as a king's neighbors, as one byte.
//!
//! ```text
//!   bit of each neighbor      NW N  NE      5  3  0
//!   (file 9 to the left)      W  .  E       6  .  1
//!                             SW S  SE      7  4  2
//! ```
//!
//! The order is that of the cells on the padded board, file by file. So one shift and one bit
//! extraction cut the byte out of a set of squares.

use crate::direction::Compass;
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use crate::direction::FILE_STRIDE;
use crate::square::{PADDED_CELLS, Square};
use crate::square_set::SquareSet;

/// The direction to the neighbor of each bit.
pub(crate) const DIRECTIONS: [Compass; 8] = [
    Compass::NorthEast,
    Compass::East,
    Compass::SouthEast,
    Compass::North,
    Compass::South,
    Compass::NorthWest,
    Compass::West,
    Compass::SouthWest,
];

/// The bit of a square as a neighbor of another, indexed by the difference of their indices plus
/// the greatest difference. The difference alone tells neighbors from other pairs, because a
/// margin cell lies between the files.
static BITS: [u8; 2 * PADDED_CELLS] = {
    let mut table = [0; 2 * PADDED_CELLS];
    let mut bit = 0;
    while bit < 8 {
        let difference = DIRECTIONS[bit].offset() as isize;
        table[(PADDED_CELLS as isize + difference) as usize] = 1 << bit;
        bit += 1;
    }
    table
};

/// The bit of a square as a neighbor of another, or 0 if it is no neighbor.
#[inline]
pub(crate) fn bit(center: Square, square: Square) -> u8 {
    BITS[PADDED_CELLS + square.index() - center.index()]
}

/// The bits of a byte, as indices into [`DIRECTIONS`].
#[inline]
pub(crate) fn bits(mut byte: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if byte == 0 {
            return None;
        }
        let bit = byte.trailing_zeros() as usize;
        byte &= byte - 1;
        Some(bit)
    })
}

/// For each square, the cells around it as both words of a set, margin cells included.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
static WINDOWS: [[u64; 2]; PADDED_CELLS] = {
    let mut table = [[0; 2]; PADDED_CELLS];
    let mut index = 0;
    while index < PADDED_CELLS {
        if Square::from_index(index).is_some() {
            let mut bit = 0;
            while bit < 8 {
                let cell = (index as isize + DIRECTIONS[bit].offset() as isize) as usize;
                table[index][cell / 64] |= 1 << (cell % 64);
                bit += 1;
            }
        }
        index += 1;
    }
    table
};

/// The neighbors of a square that are in a set, as a byte.
#[inline]
pub(crate) fn byte(set: SquareSet, center: Square) -> u8 {
    let [low, high] = set.words();
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        use std::arch::x86_64::_pext_u64;
        let window = WINDOWS[center.index()];
        // SAFETY: the target has the instruction.
        let (first, last) = unsafe { (_pext_u64(low, window[0]), _pext_u64(high, window[1])) };
        (first | last << window[0].count_ones()) as u8
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        // The neighbor to the north-east comes first, and the last one is 22 cells further. Three
        // files of three bits each are packed into a byte, without the center.
        let first = center.index() - FILE_STRIDE - 1;
        let cells = (u128::from(high) << 64 | u128::from(low)) >> first;
        let file = |number: usize| (cells >> (number * FILE_STRIDE)) as u32;
        (file(0) & 0b111 | (file(1) & 1) << 3 | (file(1) >> 2 & 1) << 4 | (file(2) & 0b111) << 5)
            as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_holds_the_neighbors_in_order() {
        for center in Square::all() {
            for (bit, direction) in DIRECTIONS.into_iter().enumerate() {
                let expected = match center.neighbor(direction) {
                    Some(square) => {
                        assert_eq!(byte(SquareSet::EMPTY.with(square), center), 1 << bit);
                        1
                    }
                    None => 0,
                };
                assert_eq!(byte(SquareSet::ALL, center) >> bit & 1, expected);
            }
            for square in Square::all() {
                assert_eq!(super::bit(center, square), byte(SquareSet::EMPTY.with(square), center));
            }
            assert_eq!(byte(SquareSet::EMPTY.with(center), center), 0);
        }
    }
}

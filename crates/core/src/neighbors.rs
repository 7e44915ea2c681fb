//! The eight squares around a square as one byte.
//!
//! ```text
//!   bit of each neighbour     NW N  NE      5  3  0
//!   (file 9 to the left)      W  .  E       6  .  1
//!                             SW S  SE      7  4  2
//! ```
//!
//! The order is that of the cells on the padded board, file by file, so that a byte is cut out of
//! the board, an attack map or a set of squares by a few loads and shifts: three files of four
//! cells, of which the fourth is not wanted.

use crate::attacks::Plane;
use crate::color::Color;
use crate::direction::Direction;
use crate::square::{LANE, PADDED_CELLS, Square};
#[cfg(test)]
use crate::square_set::SquareSet;

/// The direction to the neighbour of each bit.
pub(crate) const DIRECTIONS: [Direction; 8] = [
    Direction::NorthEast,
    Direction::East,
    Direction::SouthEast,
    Direction::North,
    Direction::South,
    Direction::NorthWest,
    Direction::West,
    Direction::SouthWest,
];

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

/// The padded indices at which the three files around a square begin.
#[inline]
fn starts(center: Square) -> [usize; 3] {
    let middle = center.index() - 1;
    [middle - LANE, middle, middle + LANE]
}

/// Packs three files of four bits into a byte, without the fourth of each and the center.
#[inline]
fn pack(files: u32) -> u8 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the target has the instruction.
        unsafe { std::arch::x86_64::_pext_u32(files, 0b0111_0101_0111) as u8 }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        (files & 0b111 | (files >> 4 & 1) << 3 | (files >> 6 & 1) << 4 | (files >> 8 & 0b111) << 5)
            as u8
    }
}

/// Which neighbours of a square are in a set: the slow way to all of the bytes below.
#[cfg(test)]
pub(crate) fn cut(set: SquareSet, center: Square) -> u8 {
    let words = set.words();
    let [first, ..] = starts(center);
    let (word, shift) = (first / 64, first % 64);
    // The neighbours lie within 35 cells, so that in the last word no next one is needed.
    let next = words[if word < 2 { word + 1 } else { 2 }];
    let cells = ((u128::from(next) << 64 | u128::from(words[word])) >> shift) as u64;
    let four = |file: usize| (cells >> (file * LANE)) as u32 & 0xf;
    pack(four(0) | four(1) << 4 | four(2) << 8)
}

/// Which neighbours of a square a color attacks. Bits beyond the edge mean nothing.
#[inline]
pub(crate) fn attacked(steps: &Plane, slides: &Plane, color: Color, center: Square) -> u8 {
    let bits = 0xff << (8 * color.index());
    #[cfg(target_arch = "x86_64")]
    {
        sse2::attacked(steps, slides, bits, starts(center))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        plain::attacked(steps, slides, bits, starts(center))
    }
}

/// The neighbours of a square by what stands on them. Beyond the edge nothing does, and they are
/// not empty either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Around {
    pub(crate) empty: u8,
    pub(crate) black: u8,
    pub(crate) white: u8,
}

impl Around {
    /// Reads the neighbours' cells: 0 for an empty one, a bit of its own each for the margin and
    /// for white pieces.
    #[inline]
    pub(crate) fn of(cells: &[u8; PADDED_CELLS], center: Square) -> Around {
        #[cfg(target_arch = "x86_64")]
        {
            sse2::around(cells, starts(center))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            plain::around(cells, starts(center))
        }
    }

    /// The neighbours with pieces of a color.
    #[inline]
    pub(crate) fn of_color(self, color: Color) -> u8 {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }
}

#[cfg_attr(all(target_arch = "x86_64", not(test)), allow(dead_code))]
mod plain {
    use super::*;
    use crate::piece::Piece;

    fn files(starts: [usize; 3], condition: impl Fn(usize) -> bool) -> u8 {
        let mut bits = 0;
        for (file, start) in starts.into_iter().enumerate() {
            for row in 0..4 {
                bits |= u32::from(condition(start + row)) << (4 * file + row);
            }
        }
        pack(bits)
    }

    pub(super) fn attacked(steps: &Plane, slides: &Plane, bits: u16, starts: [usize; 3]) -> u8 {
        files(starts, |index| steps[index] | slides[index] & bits != 0)
    }

    pub(super) fn around(cells: &[u8; PADDED_CELLS], starts: [usize; 3]) -> Around {
        let of = |color| {
            files(starts, |index| Piece::from_cell(cells[index]).map(Piece::color) == Some(color))
        };
        Around {
            empty: files(starts, |index| cells[index] == 0),
            black: of(Color::Black),
            white: of(Color::White),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::*;

    use super::*;
    use crate::board::WALL;
    use crate::piece::WHITE_BIT;

    /// Four cells of a plane in the low half of a vector.
    #[inline]
    fn four(plane: &Plane, start: usize) -> __m128i {
        let cells: &[u16] = &plane[start..start + 4];
        // SAFETY: the slice holds the 8 bytes that are read; SSE2 is part of every x86-64.
        unsafe { _mm_loadl_epi64(cells.as_ptr().cast()) }
    }

    #[inline]
    pub(super) fn attacked(steps: &Plane, slides: &Plane, bits: u16, starts: [usize; 3]) -> u8 {
        let [right, middle, left] = starts;
        // SAFETY: SSE2 is part of every x86-64.
        unsafe {
            let bits = _mm_set1_epi16(bits as i16);
            let none = _mm_setzero_si128();
            let any = |steps, slides| _mm_or_si128(steps, _mm_and_si128(slides, bits));
            let two = any(
                _mm_unpacklo_epi64(four(steps, right), four(steps, middle)),
                _mm_unpacklo_epi64(four(slides, right), four(slides, middle)),
            );
            let third = any(four(steps, left), four(slides, left));
            let zero = _mm_packs_epi16(_mm_cmpeq_epi16(two, none), _mm_cmpeq_epi16(third, none));
            pack(!_mm_movemask_epi8(zero) as u32)
        }
    }

    /// Distance of a bit of a byte from the highest, where the vector's mask is taken.
    const fn to_highest(bit: u8) -> i32 {
        7 - bit.trailing_zeros() as i32
    }

    #[inline]
    pub(super) fn around(cells: &[u8; PADDED_CELLS], starts: [usize; 3]) -> Around {
        let [right, middle, left] = starts.map(|start| {
            let four = &cells[start..start + 4];
            i32::from_le_bytes([four[0], four[1], four[2], four[3]])
        });
        // SAFETY: SSE2 is part of every x86-64. Shifting words of two bytes brings each byte's
        // own bit to its highest place.
        unsafe {
            let cells = _mm_setr_epi32(right, middle, left, 0);
            let mask = |bytes| _mm_movemask_epi8(bytes) as u32;
            let empty = mask(_mm_cmpeq_epi8(cells, _mm_setzero_si128()));
            let white = mask(_mm_slli_epi16::<{ to_highest(WHITE_BIT) }>(cells));
            let wall = mask(_mm_slli_epi16::<{ to_highest(WALL) }>(cells));
            Around { empty: pack(empty), white: pack(white), black: pack(!(empty | white | wall)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn a_byte_holds_the_neighbours_in_order() {
        for center in Square::all() {
            for (bit, direction) in DIRECTIONS.into_iter().enumerate() {
                let expected = match center.offset(direction.offset()) {
                    Some(square) => {
                        assert_eq!(cut(SquareSet::EMPTY.with(square), center), 1 << bit);
                        1
                    }
                    None => 0,
                };
                assert_eq!(cut(SquareSet::ALL, center) >> bit & 1, expected);
            }
            assert_eq!(cut(SquareSet::EMPTY.with(center), center), 0);
        }
    }

    #[test]
    fn all_ways_to_cut_agree() {
        let sfens = [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "2+R4K1/3+P2G+B1/4+N+P1+L1/2p5p/1p7/p7P/+p+p+p6/2+p5L/k+p1+r5 w G2S3N3Pb2g2s2l3p 1",
        ];
        for sfen in sfens {
            let position = Position::from_sfen(sfen).unwrap();
            let (board, attacks) = (position.board(), position.attacks());
            for center in Square::all() {
                let on_board = cut(SquareSet::ALL, center);
                let around = Around::of(board.cells(), center);
                assert_eq!(around, plain::around(board.cells(), starts(center)));
                assert_eq!(around.empty, cut(board.empties(), center));
                for color in Color::ALL {
                    assert_eq!(around.of_color(color), cut(board.pieces(color), center));
                    let (steps, slides) = (attacks.steps_plane(color), attacks.slides_plane());
                    let byte = attacked(steps, slides, color, center);
                    let bits = 0xff << (8 * color.index());
                    assert_eq!(byte, plain::attacked(steps, slides, bits, starts(center)));
                    assert_eq!(byte & on_board, cut(attacks.attacked_squares(color), center));
                }
            }
        }
    }
}

//! Sums and searches over whole planes of the attack map.
//!
//! Each function exists for AVX-512 and AVX2 with intrinsics, and in plain loops that the compiler
//! turns into the vector code of whatever it builds for. The best one is chosen by the features
//! of the target; the tests of this module compare all that the target has.

use crate::attacks::{ATTACKER_BITS, JUMP_BITS, PAWN_BIT, Plane, SILVER_BITS};
use crate::color::Color;
use crate::square::{PADDED_CELLS, Square};
use crate::square_set::SquareSet;

/// For each cell, which bits of the steps' plane are counted a second time because the step may
/// promote: in the promotion zone those of silvers, pawns and knights, less where a pawn (last
/// rank) or knight (last two) has no choice.
static PROMOTING_STEPS: [Plane; 2] = [promoting_steps(Color::Black), promoting_steps(Color::White)];
/// For each cell, whether slides are counted a second time because the slider may promote.
static PROMOTING_SLIDES: [Plane; 2] = [zone(Color::Black, 0xff), zone(Color::White, 0xff)];

/// A plane that holds `bits` in a color's promotion zone and 0 elsewhere.
const fn zone(color: Color, bits: u16) -> Plane {
    let mut plane = [0; PADDED_CELLS];
    let mut index = 0;
    while index < PADDED_CELLS {
        if let Some(square) = Square::from_index(index)
            && square.in_promotion_zone(color)
        {
            plane[index] = bits;
        }
        index += 1;
    }
    plane
}

const fn promoting_steps(color: Color) -> Plane {
    let mut plane = zone(color, SILVER_BITS);
    let mut index = 0;
    while index < PADDED_CELLS {
        if let Some(square) = Square::from_index(index) {
            match square.rank().relative_to(color).number() {
                2 => plane[index] |= PAWN_BIT,
                3 => plane[index] |= PAWN_BIT | JUMP_BITS,
                _ => {}
            }
        }
        index += 1;
    }
    plane
}

#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx512bw", target_feature = "avx512bitalg"),
    all(target_arch = "x86_64", target_feature = "avx2")
)))]
use portable as chosen;

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(target_feature = "avx512bw", target_feature = "avx512bitalg"))
))]
use avx2 as chosen;

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512bw",
    target_feature = "avx512bitalg"
))]
use avx512 as chosen;

/// Number of attacks of a color on the given squares, where an attack in the promotion zone by any
/// slider, or by a pawn, silver or knight that may but need not promote, counts twice.
#[inline]
pub(crate) fn sum_attacks(steps: &Plane, slides: &Plane, color: Color, on: SquareSet) -> u32 {
    chosen::sum_attacks(steps, slides, color, on)
}

/// The squares that a color attacks.
#[inline]
pub(crate) fn attacked(steps: &Plane, slides: &Plane, color: Color) -> SquareSet {
    chosen::attacked(steps, slides, color)
}

/// The squares that slides of a color reach.
#[inline]
pub(crate) fn slide_targets(slides: &Plane, color: Color) -> SquareSet {
    chosen::slide_targets(slides, color)
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "avx2", not(test)), allow(dead_code))]
mod portable {
    use super::*;

    pub(super) fn sum_attacks(steps: &Plane, slides: &Plane, color: Color, on: SquareSet) -> u32 {
        let mut chosen = [0u16; PADDED_CELLS];
        for (word, cells) in on.words().into_iter().zip(chosen.chunks_mut(64)) {
            for (bit, cell) in cells.iter_mut().enumerate() {
                *cell = ((word >> bit & 1) as u16).wrapping_neg();
            }
        }
        let shift = 8 * color.index();
        let twice_steps = &PROMOTING_STEPS[color.index()];
        let twice_slides = &PROMOTING_SLIDES[color.index()];
        let mut sum = 0u16;
        for index in 0..PADDED_CELLS {
            let slides = slides[index] >> shift & 0xff;
            let once = (steps[index] & ATTACKER_BITS | slides) & chosen[index];
            let twice =
                (steps[index] & twice_steps[index] | slides & twice_slides[index]) & chosen[index];
            // Below 2 * 15 * 81, so sixteen bits hold the sum.
            sum += (once.count_ones() + twice.count_ones()) as u16;
        }
        u32::from(sum)
    }

    pub(super) fn attacked(steps: &Plane, slides: &Plane, color: Color) -> SquareSet {
        let bits = 0xff << (8 * color.index());
        SquareSet::from_cells(|index| steps[index] | slides[index] & bits != 0)
    }

    pub(super) fn slide_targets(slides: &Plane, color: Color) -> SquareSet {
        let bits = 0xff << (8 * color.index());
        SquareSet::from_cells(|index| slides[index] & bits != 0)
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[cfg_attr(
    all(target_feature = "avx512bw", target_feature = "avx512bitalg", not(test)),
    allow(dead_code)
)]
mod avx2 {
    use std::arch::x86_64::*;

    use super::*;

    /// Cells in one vector: one file.
    const LANES: usize = 16;
    /// Vectors that cover all real squares: the margin lane and files 1 to 9.
    const VECTORS: usize = 10;

    /// The `number`th vector of a plane.
    #[inline]
    fn load(plane: &Plane, number: usize) -> __m256i {
        let cells: &[u16] = &plane[number * LANES..(number + 1) * LANES];
        // SAFETY: the slice holds the 32 bytes that are read; the load needs no alignment.
        unsafe { _mm256_loadu_si256(cells.as_ptr().cast()) }
    }

    /// Number of bits in each byte of two vectors, added up (Muła 2008).
    #[inline]
    fn count_bits(once: __m256i, twice: __m256i) -> __m256i {
        // SAFETY: the module is only compiled for targets with these instructions.
        unsafe {
            let of_nibble = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let low = _mm256_set1_epi8(0xf);
            let count = |bits| {
                _mm256_add_epi8(
                    _mm256_shuffle_epi8(of_nibble, _mm256_and_si256(bits, low)),
                    _mm256_shuffle_epi8(
                        of_nibble,
                        _mm256_and_si256(_mm256_srli_epi16::<4>(bits), low),
                    ),
                )
            };
            _mm256_add_epi8(count(once), count(twice))
        }
    }

    #[inline]
    pub(super) fn sum_attacks(steps: &Plane, slides: &Plane, color: Color, on: SquareSet) -> u32 {
        let words = on.words();
        // SAFETY: the module is only compiled for targets with these instructions.
        unsafe {
            let shift = _mm_cvtsi32_si128(8 * color.index() as i32);
            let low_byte = _mm256_set1_epi16(0xff);
            let attackers = _mm256_set1_epi16(ATTACKER_BITS as i16);
            let bit_of_cell = _mm256_setr_epi16(
                1,
                2,
                4,
                8,
                16,
                32,
                64,
                128,
                256,
                512,
                1024,
                2048,
                4096,
                8192,
                16384,
                i16::MIN,
            );
            let mut sums = _mm256_setzero_si256();
            for number in 1..VECTORS {
                let file = (words[number / 4] >> (LANES * (number % 4))) as i16;
                let chosen = _mm256_cmpeq_epi16(
                    _mm256_and_si256(_mm256_set1_epi16(file), bit_of_cell),
                    bit_of_cell,
                );
                let steps = _mm256_and_si256(load(steps, number), chosen);
                let slides = _mm256_and_si256(
                    _mm256_srl_epi16(load(slides, number), shift),
                    _mm256_and_si256(low_byte, chosen),
                );
                let once = _mm256_or_si256(_mm256_and_si256(steps, attackers), slides);
                let twice = _mm256_or_si256(
                    _mm256_and_si256(steps, load(&PROMOTING_STEPS[color.index()], number)),
                    _mm256_and_si256(slides, load(&PROMOTING_SLIDES[color.index()], number)),
                );
                // At most 16 bits in each byte and step, so nine steps stay below 256.
                sums = _mm256_add_epi8(sums, count_bits(once, twice));
            }
            let eighths = _mm256_sad_epu8(sums, _mm256_setzero_si256());
            let quarters = _mm_add_epi64(
                _mm256_castsi256_si128(eighths),
                _mm256_extracti128_si256::<1>(eighths),
            );
            let sum = _mm_add_epi64(quarters, _mm_unpackhi_epi64(quarters, quarters));
            _mm_cvtsi128_si32(sum) as u32
        }
    }

    /// The squares whose cells, two vectors at a time, are not zero.
    #[inline]
    fn nonzero(cells: impl Fn(usize) -> __m256i) -> SquareSet {
        let mut words = [0u64; 3];
        for pair in 0..VECTORS / 2 {
            // SAFETY: the module is only compiled for targets with these instructions.
            let zero = unsafe {
                let none = _mm256_setzero_si256();
                let first = _mm256_cmpeq_epi16(cells(2 * pair), none);
                let second = _mm256_cmpeq_epi16(cells(2 * pair + 1), none);
                // Packing works on halves; the permutation puts them in order.
                let bytes =
                    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(first, second));
                _mm256_movemask_epi8(bytes) as u32
            };
            words[pair / 2] |= u64::from(!zero) << (2 * LANES * (pair % 2));
        }
        SquareSet::from_words(words)
    }

    #[inline]
    pub(super) fn attacked(steps: &Plane, slides: &Plane, color: Color) -> SquareSet {
        // SAFETY: the module is only compiled for targets with these instructions.
        unsafe {
            let bits = _mm256_set1_epi16((0xffu16 << (8 * color.index())) as i16);
            nonzero(|number| {
                _mm256_or_si256(load(steps, number), _mm256_and_si256(load(slides, number), bits))
            })
        }
    }

    #[inline]
    pub(super) fn slide_targets(slides: &Plane, color: Color) -> SquareSet {
        // SAFETY: the module is only compiled for targets with these instructions.
        unsafe {
            let bits = _mm256_set1_epi16((0xffu16 << (8 * color.index())) as i16);
            nonzero(|number| _mm256_and_si256(load(slides, number), bits))
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw", target_feature = "avx512bitalg"))]
mod avx512 {
    use std::arch::x86_64::*;

    use super::*;

    /// Cells in one vector.
    const LANES: usize = 32;
    /// Vectors that cover all real squares: cells 0 to 159.
    const VECTORS: usize = 5;

    /// The `number`th vector of a plane.
    #[inline]
    fn load(plane: &Plane, number: usize) -> __m512i {
        let cells: &[u16] = &plane[number * LANES..(number + 1) * LANES];
        // SAFETY: the slice holds the 64 bytes that are read; the load needs no alignment.
        unsafe { _mm512_loadu_si512(cells.as_ptr().cast()) }
    }

    #[inline]
    pub(super) fn sum_attacks(steps: &Plane, slides: &Plane, color: Color, on: SquareSet) -> u32 {
        let words = on.words();
        // SAFETY: the module is only compiled for targets with these instructions.
        unsafe {
            let shift = _mm_cvtsi32_si128(8 * color.index() as i32);
            let low_byte = _mm512_set1_epi16(0xff);
            let attackers = _mm512_set1_epi16(ATTACKER_BITS as i16);
            let mut sums = _mm512_setzero_si512();
            for number in 0..VECTORS {
                let chosen = (words[number / 2] >> (LANES * (number % 2))) as u32;
                let steps = load(steps, number);
                let slides =
                    _mm512_and_si512(_mm512_srl_epi16(load(slides, number), shift), low_byte);
                let once = _mm512_or_si512(_mm512_and_si512(steps, attackers), slides);
                let twice = _mm512_or_si512(
                    _mm512_and_si512(steps, load(&PROMOTING_STEPS[color.index()], number)),
                    _mm512_and_si512(slides, load(&PROMOTING_SLIDES[color.index()], number)),
                );
                let count = _mm512_add_epi16(_mm512_popcnt_epi16(once), _mm512_popcnt_epi16(twice));
                sums = _mm512_mask_add_epi16(sums, chosen, sums, count);
            }
            // A cell's sum stays below 256, so the sum of bytes is the sum of cells.
            let eighths = _mm512_sad_epu8(sums, _mm512_setzero_si512());
            _mm512_reduce_add_epi64(eighths) as u32
        }
    }

    #[inline]
    pub(super) fn attacked(steps: &Plane, slides: &Plane, color: Color) -> SquareSet {
        let mut words = [0u64; 3];
        // SAFETY: the module is only compiled for targets with these instructions.
        unsafe {
            let bits = _mm512_set1_epi16((0xffu16 << (8 * color.index())) as i16);
            for number in 0..VECTORS {
                let slides = _mm512_and_si512(load(slides, number), bits);
                let any = _mm512_or_si512(load(steps, number), slides);
                let hit = _mm512_test_epi16_mask(any, any);
                words[number / 2] |= u64::from(hit) << (LANES * (number % 2));
            }
        }
        SquareSet::from_words(words)
    }

    #[inline]
    pub(super) fn slide_targets(slides: &Plane, color: Color) -> SquareSet {
        let mut words = [0u64; 3];
        // SAFETY: the module is only compiled for targets with these instructions.
        unsafe {
            let bits = _mm512_set1_epi16((0xffu16 << (8 * color.index())) as i16);
            for number in 0..VECTORS {
                let hit = _mm512_test_epi16_mask(load(slides, number), bits);
                words[number / 2] |= u64::from(hit) << (LANES * (number % 2));
            }
        }
        SquareSet::from_words(words)
    }
}

#[cfg(all(test, target_arch = "x86_64", target_feature = "avx2"))]
mod tests {
    use super::*;
    use crate::Position;

    /// Compares one module's functions with the portable ones.
    macro_rules! compare {
        ($module:ident, $position:expr) => {
            let attacks = $position.attacks();
            for color in Color::ALL {
                let (steps, slides) = (attacks.steps_plane(color), attacks.slides_plane());
                assert_eq!(
                    $module::attacked(steps, slides, color),
                    portable::attacked(steps, slides, color)
                );
                assert_eq!(
                    $module::slide_targets(slides, color),
                    portable::slide_targets(slides, color)
                );
                let (own, other) = ($position.squares_of(color), $position.squares_of(!color));
                for on in [SquareSet::ALL, own, other] {
                    assert_eq!(
                        $module::sum_attacks(steps, slides, color, on),
                        portable::sum_attacks(steps, slides, color, on)
                    );
                }
            }
        };
    }

    #[test]
    fn all_forms_agree_along_games() {
        let mut position = Position::startpos();
        let mut seed = 7u64;
        for _ in 0..2000 {
            let moves = position.legal_moves();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            match moves.get((seed >> 33) as usize % moves.len().max(1)) {
                Some(&mv) => position.play(mv),
                None => position = Position::startpos(),
            }
            compare!(avx2, position);
            #[cfg(all(target_feature = "avx512bw", target_feature = "avx512bitalg"))]
            compare!(avx512, position);
        }
    }
}

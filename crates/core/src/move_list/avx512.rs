//! Writing moves to the list with AVX-512, sixteen at a time.
//!
//! One instruction compresses a set into a list of indices. Another looks up the contents of the
//! cells with these indices. Four vectors of bytes then combine into moves.
//!
//! SAFETY, for every block here: the module is only compiled for targets with these instructions, and
//! at most [`super::SLACK`] moves are written behind the last one. Loads and stores need no alignment.
//! They stay within arrays that are made for whole vectors, or are masked, and read only what was
//! written.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::{SLACK, StepSets};
use crate::direction::Compass;
use crate::moves::{CAPTURED_SHIFT, Departure, FROM_SHIFT, Move, PIECE_SHIFT};
use crate::placement::board::Cells;
use crate::square::PADDED_CELLS;
use crate::square_set::SquareSet;

/// The indices of all cells, as bytes.
static INDICES: [[u8; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut index = 0;
    while index < 128 {
        table[index / 64][index % 64] = index as u8;
        index += 1;
    }
    table
};

/// The contents of all cells, in two registers.
#[derive(Clone, Copy)]
struct Contents([__m512i; 2]);

impl Contents {
    #[inline(always)]
    fn load(cells: &Cells) -> Contents {
        const { assert!(PADDED_CELLS > 64 && PADDED_CELLS < 128) };
        let rest = (1u64 << (PADDED_CELLS - 64)) - 1;
        unsafe {
            Contents([
                _mm512_loadu_si512(cells.as_ptr().cast()),
                _mm512_maskz_loadu_epi8(rest, cells.as_ptr().add(64).cast()),
            ])
        }
    }

    /// What the cells with the given indices hold.
    #[inline(always)]
    fn at(self, indices: __m512i) -> __m512i {
        unsafe { _mm512_permutex2var_epi8(self.0[0], indices, self.0[1]) }
    }

    /// The kinds of the pieces on the cells with the given indices, 0 where there is none.
    #[inline(always)]
    fn kinds_at(self, indices: __m512i) -> __m512i {
        unsafe { _mm512_and_si512(self.at(indices), _mm512_set1_epi8(15)) }
    }
}

/// The indices of the squares in one word of a set, packed to the front.
#[inline(always)]
fn indices(word: u64, half: usize) -> __m512i {
    unsafe { _mm512_maskz_compress_epi8(word, _mm512_loadu_si512(INDICES[half].as_ptr().cast())) }
}

/// Widens sixteen bytes of a vector to words of 32 bits.
#[inline(always)]
fn sixteen<const QUARTER: i32>(bytes: __m512i) -> __m512i {
    unsafe { _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<QUARTER>(bytes)) }
}

/// Writes moves whose targets and captured kinds are given as bytes.
///
/// # Safety
///
/// There must be room for `count` moves and the slack.
#[inline(always)]
unsafe fn write(
    end: *mut Move,
    departure: Departure,
    targets: __m512i,
    captured: Option<__m512i>,
    count: usize,
) {
    unsafe {
        let base = _mm512_set1_epi32(departure.bits() as i32);
        let moves = |targets: __m512i, captured: Option<__m512i>| {
            let moves = _mm512_or_si512(base, targets);
            match captured {
                Some(captured) => {
                    _mm512_or_si512(moves, _mm512_slli_epi32::<CAPTURED_SHIFT>(captured))
                }
                None => moves,
            }
        };
        let block = moves(sixteen::<0>(targets), captured.map(sixteen::<0>));
        _mm512_storeu_si512(end.cast(), block);
        if count > 16 {
            let block = moves(sixteen::<1>(targets), captured.map(sixteen::<1>));
            _mm512_storeu_si512(end.add(16).cast(), block);
        }
        if count > 32 {
            let block = moves(sixteen::<2>(targets), captured.map(sixteen::<2>));
            _mm512_storeu_si512(end.add(32).cast(), block);
            let block = moves(sixteen::<3>(targets), captured.map(sixteen::<3>));
            _mm512_storeu_si512(end.add(48).cast(), block);
        }
    }
}

/// Writes one move to each square of a set, and returns their number. With `cells` the moves
/// capture what stands there; without, the squares are empty.
///
/// # Safety
///
/// There must be room for as many moves as the set has squares, and for the slack.
#[inline(always)]
pub(super) unsafe fn write_targets(
    end: *mut Move,
    departure: Departure,
    to: SquareSet,
    cells: Option<&Cells>,
) -> usize {
    let contents = cells.map(Contents::load);
    let mut count = 0;
    for (half, word) in to.words().into_iter().enumerate() {
        let targets = indices(word, half);
        let more = word.count_ones() as usize;
        unsafe {
            let captured = contents.map(|contents| contents.kinds_at(targets));
            write(end.add(count), departure, targets, captured, more);
        }
        count += more;
    }
    count
}

/// Number of words in which steps are given: two for each of ten directions.
const STEP_WORDS: usize = 20;

/// Targets and origins of steps, as bytes. Each word of a set is written as a whole vector, and one
/// more vector behind them, hence the extra room.
type Bytes = [MaybeUninit<u8>; STEP_WORDS * 64 + 64];

/// Writes the steps, and returns their number.
///
/// # Safety
///
/// There must be room for all steps and for the slack. One step against the direction of each
/// target there must be a square. If no piece stands there, the result is some other move.
#[inline(always)]
pub(super) unsafe fn write_steps(end: *mut Move, steps: &StepSets, cells: &Cells) -> usize {
    const { assert!(SLACK >= 64, "a vector of bytes makes 64 moves") };
    let mut targets: Bytes = [const { MaybeUninit::uninit() }; STEP_WORDS * 64 + 64];
    let mut origins: Bytes = [const { MaybeUninit::uninit() }; STEP_WORDS * 64 + 64];
    let mut count = 0;
    let mut expand = |word: u64, half: usize, offset: i16| unsafe {
        let to = indices(word, half);
        let from = _mm512_sub_epi8(to, _mm512_set1_epi8(offset as i8));
        _mm512_storeu_si512(targets.as_mut_ptr().add(count).cast(), to);
        _mm512_storeu_si512(origins.as_mut_ptr().add(count).cast(), from);
        count += word.count_ones() as usize;
    };
    for direction in Compass::ALL {
        for half in 0..2 {
            expand(steps.compass[half][direction.index()], half, direction.offset());
        }
    }
    for (targets, offset) in steps.jumps.into_iter().zip(steps.jump_offsets) {
        for (half, word) in targets.words().into_iter().enumerate() {
            expand(word, half, offset);
        }
    }
    // Whole vectors are read, the last one beyond the last step. What lies there is written, too: nothing
    // may be read that was never written.
    expand(0, 0, 0);
    let contents = Contents::load(cells);
    for done in (0..count).step_by(64) {
        unsafe {
            let to = _mm512_loadu_si512(targets.as_ptr().add(done).cast());
            let from = _mm512_loadu_si512(origins.as_ptr().add(done).cast());
            put_together(end.add(done), to, from, contents);
        }
    }
    count
}

/// Writes 64 moves with the given targets and origins.
///
/// # Safety
///
/// There must be room for them.
#[inline(always)]
unsafe fn put_together(end: *mut Move, to: __m512i, from: __m512i, contents: Contents) {
    const {
        // The bytes of a move: target; origin; piece with two bits of the captured kind; the rest
        // of it.
        assert!(FROM_SHIFT == 8 && PIECE_SHIFT == 16 && CAPTURED_SHIFT == 22);
    }
    unsafe {
        // Unpacking works on each quarter of a vector separately. To keep the moves in order,
        // groups of four first trade places, like rows and columns of a square.
        let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        let (to, from) =
            (_mm512_permutexvar_epi32(order, to), _mm512_permutexvar_epi32(order, from));
        // Even on a corrupt board the piece of a move must not be 0.
        let piece = _mm512_max_epu8(contents.at(from), _mm512_set1_epi8(1));
        let captured = contents.kinds_at(to);
        let low_bits =
            _mm512_and_si512(_mm512_slli_epi16::<6>(captured), _mm512_set1_epi8(0xc0u8 as i8));
        let high_bits = _mm512_and_si512(_mm512_srli_epi16::<2>(captured), _mm512_set1_epi8(3));
        let third = _mm512_or_si512(piece, low_bits);
        let squares = [_mm512_unpacklo_epi8(to, from), _mm512_unpackhi_epi8(to, from)];
        let pieces =
            [_mm512_unpacklo_epi8(third, high_bits), _mm512_unpackhi_epi8(third, high_bits)];
        for half in 0..2 {
            let first = _mm512_unpacklo_epi16(squares[half], pieces[half]);
            let second = _mm512_unpackhi_epi16(squares[half], pieces[half]);
            _mm512_storeu_si512(end.add(32 * half).cast(), first);
            _mm512_storeu_si512(end.add(32 * half + 16).cast(), second);
        }
    }
}

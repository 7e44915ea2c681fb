//! The state of a board that the evaluation by attack maps reads: for each square, what stands
//! there and how often each color attacks it. Two boards can be compared in a few vector
//! instructions.

use tsumero_core::{Color, Move, Piece, Position, Square, SquareSet};

/// Pairs of attack counts of a square, each 0, 1 or "2 or more".
pub(super) const COUNT_PAIRS: usize = 9;
/// Number of states of a square.
pub(super) const STATES: usize = Piece::COUNT * COUNT_PAIRS;

/// Bytes of a vector of cells: [`Square::CELLS`], rounded up to whole cache lines.
const BYTES: usize = Square::CELLS.next_multiple_of(64);
/// Words of a set of squares that covers the vector.
const WORDS: usize = BYTES / 64;

/// A byte for each cell of the padded board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
struct Bytes([u8; BYTES]);

/// What stands on each square and how often it is attacked. Margin cells count as empty and never
/// attacked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BoardState {
    /// [`Piece::index`], or 0.
    pieces: Bytes,
    /// Three times Black's count and White's, each at most 2.
    counts: Bytes,
}

impl BoardState {
    /// An empty board.
    #[cfg(test)]
    const EMPTY: BoardState = BoardState { pieces: Bytes([0; BYTES]), counts: Bytes([0; BYTES]) };

    /// The state of a position's board.
    pub(super) fn of(position: &Position) -> BoardState {
        let mut pieces = Bytes([0; BYTES]);
        for (piece, &cell) in pieces.0.iter_mut().zip(position.cells()) {
            // The byte of a margin cell has none of these bits.
            *piece = cell & (Piece::COUNT - 1) as u8;
        }
        BoardState { pieces, counts: counts_of(position) }
    }

    /// Becomes the state of a position, given the state some moves earlier. Returns the squares
    /// whose state may have changed since then.
    ///
    /// The pieces are updated by the moves. The board itself has just been written byte by byte,
    /// and reading it as a whole would wait for these writes.
    #[inline]
    pub(super) fn follow(
        &mut self,
        before: &BoardState,
        moves: impl Iterator<Item = Move>,
        position: &Position,
    ) -> SquareSet {
        self.pieces = before.pieces;
        self.counts = counts_of(position);
        let mut changed = SquareSet::from_words(differing(&self.counts, &before.counts));
        for mv in moves {
            if let Some(from) = mv.from() {
                self.pieces.0[from.index()] = 0;
                changed.insert(from);
            }
            self.pieces.0[mv.to().index()] = mv.piece_after().index() as u8;
            changed.insert(mv.to());
        }
        changed
    }

    /// The state of a square as Black sees it: below [`STATES`].
    #[inline]
    pub(super) fn at(&self, square: Square) -> usize {
        let index = square.index();
        state(self.pieces.0[index].into(), self.counts.0[index].into())
    }
}

/// The pairs of attack counts of a position.
#[inline]
fn counts_of(position: &Position) -> Bytes {
    let attacks = position.attacks();
    let [black, white] = Color::ALL
        .map(|color| [attacks.attacked_squares(color), attacks.doubly_attacked_squares(color)]);
    count_pairs(black, white)
}

/// Number of a state: what stands on the square ([`Piece::index`] or 0), and three times the
/// first color's number of attackers plus the second's.
#[inline]
pub(super) const fn state(piece: usize, counts: usize) -> usize {
    piece * COUNT_PAIRS + counts
}

/// For each cell three times Black's number of attackers plus White's, each at most 2. A color's
/// first set holds the squares that it attacks, the second those that it attacks more than once.
#[inline]
fn count_pairs(black: [SquareSet; 2], white: [SquareSet; 2]) -> Bytes {
    let [black, white] = [black, white].map(|sets| sets.map(SquareSet::words));
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
    // SAFETY: the target has the instructions.
    return unsafe { avx512::count_pairs(black, white) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512bw")))]
    plain::count_pairs(black, white)
}

/// One bit for each byte that differs.
#[inline]
fn differing(a: &Bytes, b: &Bytes) -> [u64; WORDS] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
    // SAFETY: the target has the instructions.
    return unsafe { avx512::differing(a, b) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512bw")))]
    plain::differing(a, b)
}

/// Masks of 64 bits and vectors of 64 bytes.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi8, _mm512_cmpneq_epi8_mask, _mm512_maskz_set1_epi8,
        _mm512_setzero_si512,
    };

    use super::{Bytes, WORDS};

    #[target_feature(enable = "avx512bw")]
    #[inline]
    pub(super) fn count_pairs(black: [[u64; WORDS]; 2], white: [[u64; WORDS]; 2]) -> Bytes {
        let mut vectors: [__m512i; WORDS] = [_mm512_setzero_si512(); WORDS];
        for (word, sum) in vectors.iter_mut().enumerate() {
            for (mask, value) in [(black[0], 3), (black[1], 3), (white[0], 1), (white[1], 1)] {
                *sum = _mm512_add_epi8(*sum, _mm512_maskz_set1_epi8(mask[word], value));
            }
        }
        Bytes(bytemuck::must_cast(vectors))
    }

    #[target_feature(enable = "avx512bw")]
    #[inline]
    pub(super) fn differing(a: &Bytes, b: &Bytes) -> [u64; WORDS] {
        let (a, b): ([__m512i; WORDS], [__m512i; WORDS]) =
            (bytemuck::must_cast(a.0), bytemuck::must_cast(b.0));
        let mut words = [0; WORDS];
        for (word, (a, b)) in words.iter_mut().zip(a.into_iter().zip(b)) {
            *word = _mm512_cmpneq_epi8_mask(a, b);
        }
        words
    }
}

/// The same for every processor: eight cells at once.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx512bw"))))]
mod plain {
    use super::{BYTES, Bytes, WORDS};

    /// Eight bits as eight bytes of 0 or 1.
    static SPREAD: [u64; 256] = {
        let mut table = [0; 256];
        let mut bits = 0;
        while bits < 256 {
            let mut bit = 0;
            while bit < 8 {
                table[bits] |= ((bits >> bit & 1) as u64) << (8 * bit);
                bit += 1;
            }
            bits += 1;
        }
        table
    };

    #[inline]
    pub(super) fn count_pairs(black: [[u64; WORDS]; 2], white: [[u64; WORDS]; 2]) -> Bytes {
        let mut counts = Bytes([0; BYTES]);
        for (number, bytes) in counts.0.chunks_exact_mut(8).enumerate() {
            let spread = |words: &[u64; WORDS]| {
                SPREAD[(words[number / 8] >> (8 * (number % 8)) & 0xff) as usize]
            };
            let [black, white] = [&black, &white].map(|sets| spread(&sets[0]) + spread(&sets[1]));
            bytes.copy_from_slice(&(3 * black + white).to_le_bytes());
        }
        counts
    }

    #[inline]
    pub(super) fn differing(a: &Bytes, b: &Bytes) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (number, (a, b)) in a.0.chunks_exact(8).zip(b.0.chunks_exact(8)).enumerate() {
            let mut bits = 0;
            for (number, (a, b)) in a.iter().zip(b).enumerate() {
                bits |= u64::from(a != b) << number;
            }
            words[number / 8] |= bits << (8 * (number % 8));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_games;

    #[test]
    fn every_square_has_its_piece_and_its_attackers() {
        let mut before = BoardState::EMPTY;
        random_games(14, 10, 150, |position| {
            let board = BoardState::of(position);
            for square in Square::all() {
                let piece = position.piece_at(square).map_or(0, Piece::index);
                let [black, white] =
                    Color::ALL.map(|color| position.attackers(color, square).len().min(2) as usize);
                assert_eq!(board.at(square), state(piece, 3 * black + white));
            }
            if let Some(mv) = position.last_move() {
                let mut followed = BoardState::EMPTY;
                let changed = followed.follow(&before, std::iter::once(mv), position);
                assert_eq!(followed, board, "{position}");
                for square in Square::all() {
                    let differs = board.at(square) != before.at(square);
                    assert!(changed.contains(square) || !differs, "{position}");
                }
            }
            before = board;
        });
    }

    #[test]
    fn the_plain_form_agrees_with_the_one_in_use() {
        let mut before = BoardState::EMPTY;
        random_games(15, 5, 150, |position| {
            let attacks = position.attacks();
            let [black, white] = Color::ALL.map(|color| {
                [attacks.attacked_squares(color), attacks.doubly_attacked_squares(color)]
            });
            let [b, w] = [black, white].map(|sets| sets.map(SquareSet::words));
            assert_eq!(count_pairs(black, white), plain::count_pairs(b, w));
            let now = BoardState::of(position);
            assert_eq!(
                differing(&now.counts, &before.counts),
                plain::differing(&now.counts, &before.counts)
            );
            before = now;
        });
    }
}

//! Sets of squares (bitboards), one bit for each cell of the padded board.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

use crate::color::Color;
use crate::square::{File, PADDED_CELLS, Rank, Square};

/// Number of words of a set.
pub(crate) const WORDS: usize = PADDED_CELLS.div_ceil(64);

/// A set of squares.
///
/// ```
/// use tsumero_core::{Color, File, Position, Square, SquareSet};
/// let position = Position::startpos();
/// let file = SquareSet::file(File::new(7).unwrap());
/// let ours = position.squares_of(Color::Black) & file;
/// assert_eq!(ours.iter().map(|square| square.to_string()).collect::<Vec<_>>(), ["7g", "7i"]);
/// assert_eq!(format!("{ours:?}"), "{7g, 7i}");
/// assert_eq!((!ours).len() + ours.len(), 81);
/// ```
///
/// Invariant: only bits of real squares are set, never of cells of the margin.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SquareSet([u64; WORDS]);

impl SquareSet {
    /// Number of words of a set.
    pub const WORDS: usize = WORDS;

    /// No square.
    pub const EMPTY: SquareSet = SquareSet([0; WORDS]);

    /// All 81 squares.
    pub const ALL: SquareSet = SquareSet::of_files_and_ranks(0x1ff, 0x1ff);

    /// The squares on any of the given files (bit 0: file 1) and ranks (bit 0: rank a).
    const fn of_files_and_ranks(files: u16, ranks: u16) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        let mut index = 0;
        while index < PADDED_CELLS {
            if let Some(square) = Square::from_index(index)
                && files >> square.file().index() & 1 != 0
                && ranks >> square.rank().index() & 1 != 0
            {
                set.insert(square);
            }
            index += 1;
        }
        set
    }

    /// The words of the set: bit `i % 64` of word `i / 64` stands for the square whose
    /// [`Square::index`] is `i`.
    #[inline]
    pub const fn words(self) -> [u64; SquareSet::WORDS] {
        self.0
    }

    /// The squares whose bits are set in the given words, the inverse of [`SquareSet::words`]. Bits
    /// of margin cells are ignored.
    #[inline]
    pub const fn from_words(words: [u64; SquareSet::WORDS]) -> SquareSet {
        SquareSet(words).intersection(SquareSet::ALL)
    }

    /// [`SquareSet::from_words`] without the removal of margin cells.
    ///
    /// # Safety
    ///
    /// No bit of a margin cell may be set.
    #[inline]
    pub(crate) const unsafe fn from_words_unchecked(words: [u64; WORDS]) -> SquareSet {
        let set = SquareSet(words);
        debug_assert!(set.difference(SquareSet::ALL).is_empty());
        set
    }

    /// The squares of one rank.
    #[inline]
    pub const fn rank(rank: Rank) -> SquareSet {
        const RANKS: [SquareSet; 9] = {
            let mut table = [SquareSet::EMPTY; 9];
            let mut number = 0;
            while number < 9 {
                table[number] = SquareSet::of_files_and_ranks(0x1ff, 1 << number);
                number += 1;
            }
            table
        };
        RANKS[rank.index()]
    }

    /// The squares of one file.
    #[inline]
    pub const fn file(file: File) -> SquareSet {
        const FILES: [SquareSet; 9] = {
            let mut table = [SquareSet::EMPTY; 9];
            let mut number = 0;
            while number < 9 {
                table[number] = SquareSet::of_files_and_ranks(1 << number, 0x1ff);
                number += 1;
            }
            table
        };
        FILES[file.index()]
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.contains_in_place(square)
    }

    /// The same as [`SquareSet::contains`], but faster for a set in memory that was not written
    /// just now: it reads one word, and `contains` copies both words first.
    #[inline(always)]
    pub(crate) const fn contains_in_place(&self, square: Square) -> bool {
        let index = square.index();
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    /// The set of one square. It comes from a table: a set that is written word by word and then
    /// read as a whole makes the processor wait.
    #[inline]
    pub(crate) const fn single(square: Square) -> SquareSet {
        const SINGLES: [SquareSet; PADDED_CELLS] = {
            let mut table = [SquareSet::EMPTY; PADDED_CELLS];
            let mut index = 0;
            while index < PADDED_CELLS {
                table[index].0[index / 64] = 1 << (index % 64);
                index += 1;
            }
            table
        };
        SINGLES[square.index()]
    }

    /// Puts the square into the set.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        *self = self.union(SquareSet::single(square));
    }

    /// Takes the square out of the set.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        *self = self.difference(SquareSet::single(square));
    }

    /// This set with one more square.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> SquareSet {
        self.union(SquareSet::single(square))
    }

    /// The squares in both sets.
    #[inline]
    #[must_use]
    pub const fn intersection(self, other: SquareSet) -> SquareSet {
        let ([a, b], [c, d]) = (self.0, other.0);
        SquareSet([a & c, b & d])
    }

    /// The squares in either set.
    #[inline]
    #[must_use]
    pub const fn union(self, other: SquareSet) -> SquareSet {
        let ([a, b], [c, d]) = (self.0, other.0);
        SquareSet([a | c, b | d])
    }

    /// The squares in this set that are not in the other.
    #[inline]
    #[must_use]
    pub const fn difference(self, other: SquareSet) -> SquareSet {
        let ([a, b], [c, d]) = (self.0, other.0);
        SquareSet([a & !c, b & !d])
    }

    /// The squares in one of the sets but not in both.
    #[inline]
    #[must_use]
    pub const fn symmetric_difference(self, other: SquareSet) -> SquareSet {
        let ([a, b], [c, d]) = (self.0, other.0);
        SquareSet([a ^ c, b ^ d])
    }

    /// Every square moved one step ahead, as the color sees it. Squares on the last rank are
    /// dropped.
    #[inline]
    #[must_use]
    pub(crate) const fn one_ahead(self, color: Color) -> SquareSet {
        let [low, high] = self.0;
        SquareSet::from_words(match color {
            Color::Black => [low >> 1 | high << 63, high >> 1],
            Color::White => [low << 1, high << 1 | low >> 63],
        })
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Number of squares in the set, 0 to 81.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// The squares in the order of [`Square::all`].
    #[inline]
    pub fn iter(self) -> SquareSetIter {
        SquareSetIter(self)
    }

    /// Removes the first square and returns it.
    #[inline]
    pub fn pop_first(&mut self) -> Option<Square> {
        for (number, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let index = number * 64 + word.trailing_zeros() as usize;
                *word &= *word - 1;
                // SAFETY: only bits of real squares are ever set.
                return Some(unsafe { Square::from_index_unchecked(index) });
            }
        }
        None
    }

    /// The first square in the order of [`Square::all`].
    #[inline]
    pub fn first(mut self) -> Option<Square> {
        self.pop_first()
    }

    /// The square, if there is exactly one.
    #[inline]
    pub fn single_square(mut self) -> Option<Square> {
        let first = self.pop_first()?;
        self.is_empty().then_some(first)
    }
}

/// The squares in both sets.
impl BitAnd for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitand(self, other: SquareSet) -> SquareSet {
        self.intersection(other)
    }
}

/// The squares in either set.
impl BitOr for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitor(self, other: SquareSet) -> SquareSet {
        self.union(other)
    }
}

/// The squares in one of the sets but not in both.
impl BitXor for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitxor(self, other: SquareSet) -> SquareSet {
        self.symmetric_difference(other)
    }
}

/// The squares in the first set that are not in the other.
impl Sub for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn sub(self, other: SquareSet) -> SquareSet {
        self.difference(other)
    }
}

/// The squares that are not in the set.
impl Not for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn not(self) -> SquareSet {
        SquareSet::ALL.difference(self)
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The squares of a set in the order of [`Square::all`]: see [`SquareSet::iter`].
#[derive(Clone, Debug)]
pub struct SquareSetIter(SquareSet);

impl Iterator for SquareSetIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for SquareSetIter {}

impl FusedIterator for SquareSetIter {}

/// The squares in the order of [`Square::all`].
impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareSetIter;

    #[inline]
    fn into_iter(self) -> SquareSetIter {
        SquareSetIter(self)
    }
}

impl SquareSet {
    /// Calls back with each square in order. It is faster than a `for` loop, because it keeps no
    /// iterator state.
    #[inline]
    pub(crate) fn visit(self, mut visit: impl FnMut(Square)) {
        for (number, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                let index = number * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                // SAFETY: only bits of real squares are ever set.
                visit(unsafe { Square::from_index_unchecked(index) });
            }
        }
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, SquareSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_yields_its_squares_in_order() {
        assert!(SquareSet::ALL.iter().eq(Square::all()));
        assert_eq!(SquareSet::ALL.len(), 81);
        let files: SquareSet =
            File::all().map(SquareSet::file).fold(SquareSet::EMPTY, SquareSet::union);
        let ranks: SquareSet =
            Rank::all().map(SquareSet::rank).fold(SquareSet::EMPTY, SquareSet::union);
        assert_eq!((files, ranks), (SquareSet::ALL, SquareSet::ALL));
        for square in Square::all() {
            let crossing =
                SquareSet::file(square.file()).intersection(SquareSet::rank(square.rank()));
            assert_eq!(crossing, SquareSet::EMPTY.with(square));
            assert_eq!(SquareSet::ALL.difference(crossing).len(), 80);
            let (file, rank) = (SquareSet::file(square.file()), SquareSet::rank(square.rank()));
            assert_eq!((file & rank, (file | rank).len()), (crossing, 17));
            assert_eq!(file ^ rank, (file | rank) - crossing);
            assert_eq!(!file & file, SquareSet::EMPTY);
            assert_eq!((file | rank).iter().size_hint(), (17, Some(17)));
            assert_eq!(crossing.single_square(), Some(square));
            assert_eq!(file.single_square(), None);
        }
    }
}

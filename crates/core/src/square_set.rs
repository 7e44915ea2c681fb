//! Sets of squares, one bit for each cell of the padded board.

use crate::square::{FIRST_ROW, File, LANE, PADDED_CELLS, Rank, Square};

const WORDS: usize = PADDED_CELLS.div_ceil(64);

/// A set of squares.
///
/// Invariant: only bits of real squares are set, never of cells of the margin.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct SquareSet([u64; WORDS]);

impl SquareSet {
    /// No square.
    pub const EMPTY: SquareSet = SquareSet([0; WORDS]);

    /// All 81 squares.
    pub const ALL: SquareSet = SquareSet::columns(0x1ff);

    /// The squares of the given ranks (bit 0: rank a) on every file.
    const fn columns(ranks: u64) -> SquareSet {
        let mut words = [0; WORDS];
        let mut lane = 1;
        while lane <= 9 {
            words[lane / 4] |= ranks << (lane % 4 * LANE + FIRST_ROW);
            lane += 1;
        }
        SquareSet(words)
    }

    /// The words of the set: bit `i % 64` of word `i / 64` stands for padded index `i`.
    #[inline]
    pub(crate) const fn words(self) -> [u64; WORDS] {
        self.0
    }

    /// The set of the real squares among the padded indices whose bits are given.
    #[inline]
    pub(crate) const fn from_words(words: [u64; WORDS]) -> SquareSet {
        SquareSet(words).intersection(SquareSet::ALL)
    }

    /// The squares whose padded index the condition holds for.
    #[inline]
    pub(crate) fn from_cells(condition: impl Fn(usize) -> bool) -> SquareSet {
        let mut words = [0; WORDS];
        for (number, word) in words.iter_mut().enumerate() {
            let first = number * 64;
            for bit in 0..64.min(PADDED_CELLS - first) {
                *word |= u64::from(condition(first + bit)) << bit;
            }
        }
        SquareSet::from_words(words)
    }

    /// The squares of several files, bit 0 for file 1.
    #[inline]
    pub(crate) const fn files(files: u16) -> SquareSet {
        /// The real squares of four neighbouring lanes, by the set of lanes.
        const LANES: [u64; 16] = {
            let mut table = [0; 16];
            let mut lanes = 0;
            while lanes < 16 {
                let mut lane = 0;
                while lane < 4 {
                    if lanes >> lane & 1 != 0 {
                        table[lanes] |= 0x1ff << (lane * LANE + FIRST_ROW);
                    }
                    lane += 1;
                }
                lanes += 1;
            }
            table
        };
        // File 1 is lane 1.
        let lanes = (files as usize) << 1;
        SquareSet([LANES[lanes & 15], LANES[lanes >> 4 & 15], LANES[lanes >> 8 & 15]])
    }

    /// The squares of one rank.
    pub const fn rank(rank: Rank) -> SquareSet {
        SquareSet::columns(1 << rank.index())
    }

    /// The squares of one file.
    #[inline]
    pub const fn file(file: File) -> SquareSet {
        SquareSet::files(1 << file.index())
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        let index = square.index();
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    /// Puts the square into the set.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        let index = square.index();
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Takes the square out of the set.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        let index = square.index();
        self.0[index / 64] &= !(1 << (index % 64));
    }

    /// This set and one square more.
    #[inline]
    #[must_use]
    pub const fn with(mut self, square: Square) -> SquareSet {
        self.insert(square);
        self
    }

    /// The squares in both sets.
    #[inline]
    #[must_use]
    pub const fn intersection(self, other: SquareSet) -> SquareSet {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        SquareSet([a & d, b & e, c & f])
    }

    /// The squares in either set.
    #[inline]
    #[must_use]
    pub const fn union(self, other: SquareSet) -> SquareSet {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        SquareSet([a | d, b | e, c | f])
    }

    /// The squares in this set that are not in the other.
    #[inline]
    #[must_use]
    pub const fn difference(self, other: SquareSet) -> SquareSet {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        SquareSet([a & !d, b & !e, c & !f])
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Number of squares in the set, 0 to 81.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// The first square in the order of [`Square::all`].
    #[inline]
    pub fn first(mut self) -> Option<Square> {
        self.next()
    }
}

impl Iterator for SquareSet {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
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
}

impl SquareSet {
    /// Calls back with each square in order: a `for` loop in all but name, without its state.
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
        assert!(SquareSet::ALL.eq(Square::all()));
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
        }
    }
}

//! Sets of squares, one bit for each cell of the padded board.

use crate::square::{FIRST_ROW, File, LANE, PADDED_CELLS, Rank, Square};

const WORDS: usize = PADDED_CELLS.div_ceil(64);

/// A set of squares. Cells of the margin are never members.
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

    /// The squares of one rank.
    pub const fn rank(rank: Rank) -> SquareSet {
        SquareSet::columns(1 << rank.index())
    }

    /// The squares of one file.
    #[inline]
    pub const fn file(file: File) -> SquareSet {
        let mut words = [0; WORDS];
        let lane = file.index() + 1;
        words[lane / 4] = 0x1ff << (lane % 4 * LANE + FIRST_ROW);
        SquareSet(words)
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
                return Square::from_index(index);
            }
        }
        None
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

//! Files, ranks and squares of the padded one-dimensional board.
//!
//! A square *is* its index into the padded board: `lane * 16 + row`. A file fills one lane of
//! sixteen cells, so that one vector register sees a whole file; the nine ranks sit in the
//! middle of the lane with a margin on both sides, and one whole lane lies beside the outer
//! files. Moving is one addition, and every step or knight jump from a real square lands on a
//! real square or in the margin, never outside the array.
//!
//! ```text
//! lane   0     1     2    ...   9    10
//! file   -     1     2    ...   9     -
//! row 0..3     margin
//! row 4..12    ranks a to i
//! row 13..15   margin
//! ```

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use crate::color::Color;

/// Number of cells in one lane: the distance between neighbouring files.
pub(crate) const LANE: usize = 16;
/// The row of rank a within a lane.
pub(crate) const FIRST_ROW: usize = 4;
/// Number of cells of the padded board: nine files and a margin lane on either side.
pub(crate) const PADDED_CELLS: usize = 11 * LANE;
/// Index of square 1a.
const FIRST_INDEX: usize = LANE + FIRST_ROW;
/// Index of square 9i.
const LAST_INDEX: usize = 9 * LANE + FIRST_ROW + 8;
/// The sum of the indices of two squares that change places when the board is turned around.
const ROTATION: u8 = (FIRST_INDEX + LAST_INDEX) as u8;

/// A file (筋): 1 at Black's right hand to 9 at the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct File(u8);

impl File {
    /// The nine files, 1 to 9.
    pub fn all() -> impl DoubleEndedIterator<Item = File> + ExactSizeIterator {
        (0..9u8).map(File)
    }

    /// The file with the given number, 1 to 9.
    #[inline]
    pub const fn new(number: u8) -> Option<File> {
        match number {
            1..=9 => Some(File(number - 1)),
            _ => None,
        }
    }

    /// The number of the file, 1 to 9.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// 0 for file 1 to 8 for file 9.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rank (段): a at White's side to i at Black's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(u8);

impl Rank {
    /// Rank a, which Black counts as its first.
    pub(crate) const FIRST: Rank = Rank(0);

    /// The nine ranks, a to i.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> + ExactSizeIterator {
        (0..9u8).map(Rank)
    }

    /// The rank with the given number, 1 (rank a) to 9 (rank i).
    #[inline]
    pub const fn new(number: u8) -> Option<Rank> {
        match number {
            1..=9 => Some(Rank(number - 1)),
            _ => None,
        }
    }

    /// The number of the rank: 1 for rank a to 9 for rank i.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// 0 for rank a to 8 for rank i.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank as the given color counts it: its own first rank is the far edge of the board,
    /// where its pawns cannot move on. Black's view is the identity; White's is turned around.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::Black => self,
            Color::White => Rank(8 - self.0),
        }
    }

    /// Whether this is one of the three far ranks; ask it of a rank made relative to the mover.
    #[inline]
    pub const fn in_promotion_zone(self) -> bool {
        self.0 < 3
    }
}

/// One of the 81 squares. The value is the index into the padded board.
///
/// Invariant: always a real square, never a cell of the margin. `Option<Square>` takes one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(NonZeroU8);

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// The square where a file and a rank meet.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        let index = (file.index() + 1) * LANE + FIRST_ROW + rank.index();
        match NonZeroU8::new(index as u8) {
            Some(index) => Square(index),
            None => unreachable!(),
        }
    }

    /// All squares, file by file, each from rank a to rank i.
    pub fn all() -> impl Iterator<Item = Square> {
        File::all().flat_map(|file| Rank::all().map(move |rank| Square::new(file, rank)))
    }

    /// The square at a padded index, or `None` for a cell of the margin.
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Option<Square> {
        let lane = index / LANE;
        let row = index % LANE;
        if lane >= 1 && lane <= 9 && row >= FIRST_ROW && row < FIRST_ROW + 9 {
            match NonZeroU8::new(index as u8) {
                Some(index) => Some(Square(index)),
                None => None,
            }
        } else {
            None
        }
    }

    /// Index into arrays over the padded board, far enough from both ends for every step.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        let index = self.0.get() as usize;
        // SAFETY: the type's invariant. It spares the bounds check in arrays over the board, for
        // the square itself and for all squares one step or jump away.
        unsafe { std::hint::assert_unchecked(index >= FIRST_INDEX && index <= LAST_INDEX) };
        index
    }

    /// The square at a padded index that is known to be one.
    ///
    /// # Safety
    ///
    /// The index must be that of a real square, not of a cell of the margin.
    #[inline]
    pub(crate) const unsafe fn from_index_unchecked(index: usize) -> Square {
        debug_assert!(Square::from_index(index).is_some());
        // SAFETY: no real square has index 0.
        Square(unsafe { NonZeroU8::new_unchecked(index as u8) })
    }

    /// The square's number without gaps: 0 (1a) to 80 (9i), file by file.
    #[inline]
    pub const fn dense_index(self) -> usize {
        self.file().index() * 9 + self.rank().index()
    }

    /// The square with the given number without gaps, 0 to 80.
    #[inline]
    pub const fn from_dense_index(index: usize) -> Option<Square> {
        if index < 81 {
            Some(Square::new(File((index / 9) as u8), Rank((index % 9) as u8)))
        } else {
            None
        }
    }

    /// The file the square lies on.
    #[inline]
    pub const fn file(self) -> File {
        File(self.0.get() / LANE as u8 - 1)
    }

    /// The rank the square lies on.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank(self.0.get() % LANE as u8 - FIRST_ROW as u8)
    }

    /// The square after adding an offset of the padded board, or `None` beyond the edge.
    /// The offset must be that of one step or knight jump.
    #[inline]
    pub(crate) const fn offset(self, offset: i16) -> Option<Square> {
        Square::from_index((self.0.get() as i16 + offset) as usize)
    }

    /// The square after adding an offset, which must lead to a real square.
    ///
    /// # Safety
    ///
    /// The sum must be the index of a real square.
    #[inline]
    pub(crate) const unsafe fn offset_unchecked(self, offset: i16) -> Square {
        // SAFETY: the caller's promise.
        unsafe { Square::from_index_unchecked((self.0.get() as i16 + offset) as usize) }
    }

    /// The same square as the given color sees it: White's board is turned around.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::Black => self,
            Color::White => match NonZeroU8::new(ROTATION - self.0.get()) {
                Some(index) => Square(index),
                None => unreachable!(),
            },
        }
    }

    /// Whether the square lies in the given color's promotion zone (its three far ranks).
    #[inline]
    pub const fn in_promotion_zone(self, color: Color) -> bool {
        self.rank().relative_to(color).in_promotion_zone()
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

/// The USI form: file digit and rank letter, `7g`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text names no square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match *text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => {
                Ok(Square::new(File(file - b'1'), Rank(rank - b'a')))
            }
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_its_own_index_and_text() {
        let squares: Vec<Square> = Square::all().collect();
        assert_eq!(squares.len(), 81);
        for (number, &square) in squares.iter().enumerate() {
            assert_eq!(square.dense_index(), number);
            assert_eq!(Square::from_dense_index(number), Some(square));
            assert_eq!(Square::from_index(square.index()), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        assert_eq!((0..256).filter_map(Square::from_index).count(), 81);
        assert_eq!(squares[0].index(), FIRST_INDEX);
        assert_eq!(squares[80].index(), LAST_INDEX);
        for square in squares {
            // SAFETY: the index comes from a square.
            assert_eq!(unsafe { Square::from_index_unchecked(square.index()) }, square);
        }
    }

    #[test]
    fn turning_the_board_is_its_own_inverse() {
        let corner: Square = "1a".parse().unwrap();
        assert_eq!(corner.relative_to(Color::White).to_string(), "9i");
        for square in Square::all() {
            assert_eq!(square.relative_to(Color::White).relative_to(Color::White), square);
            assert_eq!(square.relative_to(Color::Black), square);
        }
    }

    #[test]
    fn text_that_names_no_square_is_refused() {
        for text in ["", "7", "7j", "0a", "10a", "a7", "7G", "７七"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
        }
    }
}

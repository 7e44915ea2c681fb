//! Files, ranks and squares of the padded one-dimensional board.
//!
//! A square *is* its index into the padded board: `file * 10 + rank + 12`. One margin cell lies
//! between two files and ends the slides in both. A file of margin lies beside each outer file. A
//! step is one addition, and every step from a real square leads to a real square or into the
//! margin. (So does every jump of a knight, from squares where that knight may stand.) All cells
//! together are the bits of one word of 128.
//!
//! ```text
//!  file          9   8       2   1          margin
//!  rank a      92  82  ...  22  12           2
//!       b      93  83  ...  23  13           3
//!       ...
//!       i     100  90  ...  30  20          10
//!  margin     101  91  ...  31  21          11
//! ```

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use crate::color::Color;
use crate::direction::{Compass, Direction, FILE_STRIDE};
use crate::text::padded;

/// Number of cells of the padded board: a file and two cells lie beyond the last square.
pub(crate) const PADDED_CELLS: usize = LAST_INDEX + FILE_STRIDE + 2;
/// Index of square 1a: a file and two cells lie before it.
const FIRST_INDEX: usize = FILE_STRIDE + 2;
/// Index of square 9i.
const LAST_INDEX: usize = 8 * FILE_STRIDE + 8 + FIRST_INDEX;
/// The sum of the indices of two squares that trade places when the board is rotated.
const ROTATION: u8 = (FIRST_INDEX + LAST_INDEX) as u8;

const _: () = {
    let mut number = 0;
    while number < Compass::ALL.len() {
        let offset = Compass::ALL[number].offset() as isize;
        assert!(FIRST_INDEX as isize + offset >= 0);
        assert!(LAST_INDEX as isize + offset < PADDED_CELLS as isize);
        number += 1;
    }
};

/// A file (筋): 1 at Black's right hand to 9 at the left.
///
/// ```
/// use tsumero_core::File;
/// assert_eq!(File::new(7).map(File::index), Some(6));
/// assert_eq!(format!("{:?}", File::new(7)), "Some(File(7))");
/// assert_eq!(File::new(10), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
///
/// ```
/// use tsumero_core::{Color, Rank};
/// let rank = Rank::new(3).unwrap();
/// assert_eq!((rank.to_string(), format!("{rank:?}")), ("c".into(), "Rank(c)".into()));
/// assert!(rank.relative_to(Color::Black).in_promotion_zone());
/// assert!(!rank.relative_to(Color::White).in_promotion_zone());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
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

    /// The rank as the given color counts it. Rank 1 is then the far edge of the board, where its
    /// pawns have no move. Black's view is the identity; White's is rotated.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::Black => self,
            Color::White => Rank(8 - self.0),
        }
    }

    /// Whether this is one of the three far ranks. Call it on a rank that [`Rank::relative_to`] has
    /// made relative to the mover.
    #[inline]
    pub const fn in_promotion_zone(self) -> bool {
        self.0 < 3
    }
}

/// One of the 81 squares. The value is the index into the padded board.
///
/// ```
/// use tsumero_core::{File, Rank, Square};
/// let square: Square = "7g".parse().unwrap();
/// assert_eq!(square, Square::new(File::new(7).unwrap(), Rank::new(7).unwrap()));
/// assert_eq!(Square::from_dense_index(square.dense_index()), Some(square));
/// assert_eq!(square, Square::SQ_7G);
/// ```
///
/// Invariant: always a real square, never a cell of the margin. `Option<Square>` takes one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(NonZeroU8);

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// The square where a file and a rank meet.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        let index = file.index() * FILE_STRIDE + rank.index() + FIRST_INDEX;
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
        let is_square =
            index >= FIRST_INDEX && index <= LAST_INDEX && (index - FIRST_INDEX) % FILE_STRIDE < 9;
        if is_square {
            match NonZeroU8::new(index as u8) {
                Some(index) => Some(Square(index)),
                None => None,
            }
        } else {
            None
        }
    }

    /// Number of cells of the padded board: [`Square::index`] lies below it.
    pub const CELLS: usize = PADDED_CELLS;

    /// Index into arrays over the padded board. A step from it stays within the array.
    #[inline]
    pub const fn index(self) -> usize {
        let index = self.0.get() as usize;
        // SAFETY: the type's invariant. The hint spares bounds checks in arrays over the board, for
        // the square itself and for its eight neighbors. Constant assertions beside the bounds
        // show that these neighbors lie within the array.
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

    /// The square's number without margin: 0 (1a) to 80 (9i), file by file.
    #[inline]
    pub const fn dense_index(self) -> usize {
        // Subtracts one margin cell for each file before this one.
        self.index() - FIRST_INDEX - self.file().index()
    }

    /// The square with the given number without margin, 0 to 80.
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
        File((self.0.get() - FIRST_INDEX as u8) / FILE_STRIDE as u8)
    }

    /// The rank the square lies on.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank((self.0.get() - FIRST_INDEX as u8) % FILE_STRIDE as u8)
    }

    /// The square one step or knight jump away, or `None` beyond the edge.
    #[inline]
    pub(crate) fn neighbor(self, direction: impl Into<Direction>) -> Option<Square> {
        static NEIGHBORS: [[Option<Square>; PADDED_CELLS]; 12] = {
            let mut table = [[None; PADDED_CELLS]; 12];
            let mut number = 0;
            while number < 12 {
                let mut index = FIRST_INDEX;
                while index <= LAST_INDEX {
                    if let Some(square) = Square::from_index(index) {
                        table[number][index] = square.beside(Direction::ALL[number]);
                    }
                    index += 1;
                }
                number += 1;
            }
            table
        };
        NEIGHBORS[direction.into().index()][self.index()]
    }

    /// Computes what [`Square::neighbor`] reads from its table.
    pub(crate) const fn beside(self, direction: Direction) -> Option<Square> {
        let (dx, dy) = direction.vector();
        let file = self.file().index() as i8 + dx;
        let rank = self.rank().index() as i8 + dy;
        if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
            Some(Square::new(File(file as u8), Rank(rank as u8)))
        } else {
            None
        }
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

    /// The square as the given color sees it: White's board is rotated.
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
        char::from(b'1' + self.0).fmt(f)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        char::from(b'a' + self.0).fmt(f)
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "File({self})")
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rank({self})")
    }
}

/// The USI form: file digit and rank letter, `7g`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, format_args!("{}{}", self.file(), self.rank()))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text names no square.
///
/// ```
/// use tsumero_core::{ParseSquareError, Square};
/// assert_eq!("7j".parse::<Square>(), Err(ParseSquareError));
/// ```
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
        assert_eq!((0..PADDED_CELLS).filter_map(Square::from_index).count(), 81);
        assert_eq!(squares[0].index(), FIRST_INDEX);
        assert_eq!(squares[80].index(), LAST_INDEX);
        for square in squares {
            for direction in Direction::ALL {
                // A step on the padded board leads to the right square or into the margin. Only a
                // knight's jump may reach a wrong square, and only from ranks where no knight of
                // its color stands.
                let padded = Square::from_index(
                    square.index().wrapping_add_signed(direction.offset() as isize),
                );
                let neighbor = square.neighbor(direction);
                assert!(neighbor == padded || direction.is_jump() && neighbor.is_none());
            }
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

//! Directions of movement: eight compass directions and four knight jumps.
//!
//! A direction is absolute: north is towards rank a for both colors. Its number is also the number
//! of its bit in the attack maps, so "which directions attack this square" is a [`DirectionSet`].

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr, Sub};

use crate::color::Color;

/// The distance between neighboring files on the padded board: nine ranks and one cell of margin.
pub(crate) const FILE_STRIDE: usize = 10;

/// One step on the board, or one knight jump. North is towards rank a, east towards file 1.
///
/// ```
/// use tsumero_core::Direction;
/// assert_eq!(Direction::from_vector(-1, -2), Some(Direction::NorthNorthEast));
/// assert_eq!(Direction::North.opposite(), Direction::South);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Towards rank a.
    North = 0,
    /// Towards 1a.
    NorthEast = 1,
    /// Towards file 1.
    East = 2,
    /// Towards 1i.
    SouthEast = 3,
    /// Towards rank i.
    South = 4,
    /// Towards 9i.
    SouthWest = 5,
    /// Towards file 9.
    West = 6,
    /// Towards 9a.
    NorthWest = 7,
    /// A black knight's jump to the right.
    NorthNorthEast = 8,
    /// A black knight's jump to the left.
    NorthNorthWest = 9,
    /// A white knight's jump to its right, towards file 9.
    SouthSouthWest = 10,
    /// A white knight's jump to its left, towards file 1.
    SouthSouthEast = 11,
}

impl Direction {
    /// All twelve directions in the order of their bits.
    pub const ALL: [Direction; 12] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
        Direction::NorthNorthEast,
        Direction::NorthNorthWest,
        Direction::SouthSouthWest,
        Direction::SouthSouthEast,
    ];

    /// The direction's bit number, 0 to 11.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with the given bit number; `None` above 11.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Direction> {
        if index < Direction::ALL.len() { Some(Direction::ALL[index]) } else { None }
    }

    /// The same as a compass direction; `None` for a knight's jump.
    #[inline]
    pub const fn compass(self) -> Option<Compass> {
        if self.is_jump() { None } else { Some(Compass::ALL[self as usize & 7]) }
    }

    /// The direction as a vector in Black's view: `dx` grows towards file 9, `dy` towards rank i.
    pub const fn vector(self) -> (i8, i8) {
        match self {
            Direction::North => (0, -1),
            Direction::NorthEast => (-1, -1),
            Direction::East => (-1, 0),
            Direction::SouthEast => (-1, 1),
            Direction::South => (0, 1),
            Direction::SouthWest => (1, 1),
            Direction::West => (1, 0),
            Direction::NorthWest => (1, -1),
            Direction::NorthNorthEast => (-1, -2),
            Direction::SouthSouthEast => (-1, 2),
            Direction::SouthSouthWest => (1, 2),
            Direction::NorthNorthWest => (1, -2),
        }
    }

    /// The direction of a vector in Black's view, if it is a single step or a knight jump.
    pub const fn from_vector(dx: i8, dy: i8) -> Option<Direction> {
        let mut index = 0;
        while index < Direction::ALL.len() {
            let (x, y) = Direction::ALL[index].vector();
            if x == dx && y == dy {
                return Some(Direction::ALL[index]);
            }
            index += 1;
        }
        None
    }

    /// What one step in this direction adds to an index of the padded board.
    #[inline]
    pub const fn offset(self) -> i16 {
        const OFFSETS: [i16; 12] = {
            let mut offsets = [0; 12];
            let mut index = 0;
            while index < 12 {
                let (dx, dy) = Direction::ALL[index].vector();
                offsets[index] = dx as i16 * FILE_STRIDE as i16 + dy as i16;
                index += 1;
            }
            offsets
        };
        OFFSETS[self as usize]
    }

    /// The direction that leads back.
    #[inline]
    pub const fn opposite(self) -> Direction {
        let index = self as usize;
        if index < 8 {
            Direction::ALL[(index + 4) & 7]
        } else {
            Direction::ALL[8 + ((index + 2) & 3)]
        }
    }

    /// Whether this is a knight jump.
    #[inline]
    pub const fn is_jump(self) -> bool {
        self as usize >= 8
    }
}

/// One of the eight directions in which kings step and sliders slide: a [`Direction`] that is not a
/// knight's jump. Functions that look along lines take this type, so nobody can pass them a jump.
///
/// ```
/// use tsumero_core::{Compass, Direction};
/// assert_eq!(Direction::North.compass(), Some(Compass::North));
/// assert_eq!(Direction::NorthNorthEast.compass(), None);
/// assert_eq!(Compass::North.opposite().direction(), Direction::South);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Compass {
    /// Towards rank a.
    North = 0,
    /// Towards 1a.
    NorthEast = 1,
    /// Towards file 1.
    East = 2,
    /// Towards 1i.
    SouthEast = 3,
    /// Towards rank i.
    South = 4,
    /// Towards 9i.
    SouthWest = 5,
    /// Towards file 9.
    West = 6,
    /// Towards 9a.
    NorthWest = 7,
}

impl Compass {
    /// The eight directions in the order of their bits, clockwise from north.
    pub const ALL: [Compass; 8] = [
        Compass::North,
        Compass::NorthEast,
        Compass::East,
        Compass::SouthEast,
        Compass::South,
        Compass::SouthWest,
        Compass::West,
        Compass::NorthWest,
    ];

    /// The direction's bit number, 0 to 7: the same as that of [`Compass::direction`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The same as one of all twelve directions.
    #[inline]
    pub const fn direction(self) -> Direction {
        match self {
            Compass::North => Direction::North,
            Compass::NorthEast => Direction::NorthEast,
            Compass::East => Direction::East,
            Compass::SouthEast => Direction::SouthEast,
            Compass::South => Direction::South,
            Compass::SouthWest => Direction::SouthWest,
            Compass::West => Direction::West,
            Compass::NorthWest => Direction::NorthWest,
        }
    }

    /// The direction that leads back.
    #[inline]
    pub const fn opposite(self) -> Compass {
        Compass::ALL[(self as usize + 4) & 7]
    }

    /// The direction in which a color's pawns move.
    #[inline]
    pub const fn forward(color: Color) -> Compass {
        match color {
            Color::Black => Compass::North,
            Color::White => Compass::South,
        }
    }

    /// What one step in this direction adds to an index of the padded board.
    #[inline]
    pub const fn offset(self) -> i16 {
        self.direction().offset()
    }
}

impl From<Compass> for Direction {
    #[inline]
    fn from(compass: Compass) -> Direction {
        compass.direction()
    }
}

/// A set of directions, one bit each.
///
/// ```
/// use tsumero_core::{Color, Direction, DirectionSet, Piece, PieceKind, slides, steps};
/// let horse = Piece::new(Color::Black, PieceKind::Horse);
/// assert_eq!(steps(horse) | slides(horse), DirectionSet::COMPASS);
/// assert!(slides(horse).contains(Direction::NorthEast));
/// let knight = steps(Piece::new(Color::Black, PieceKind::Knight));
/// assert_eq!(format!("{knight:?}"), "{NorthNorthEast, NorthNorthWest}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct DirectionSet(u16);

impl DirectionSet {
    /// No direction.
    pub const EMPTY: DirectionSet = DirectionSet(0);
    /// The eight compass directions.
    pub const COMPASS: DirectionSet = DirectionSet(0xff);

    /// The set with the given bits. Bits above 11 are ignored.
    #[inline]
    pub const fn from_bits(bits: u16) -> DirectionSet {
        DirectionSet(bits & 0xfff)
    }

    /// One bit for each direction.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// This set and one direction more.
    #[inline]
    pub const fn with(self, direction: Direction) -> DirectionSet {
        DirectionSet(self.0 | 1 << direction as u16)
    }

    /// This set without one direction.
    #[inline]
    pub const fn without(self, direction: Direction) -> DirectionSet {
        DirectionSet(self.0 & !(1 << direction as u16))
    }

    /// The directions in both sets.
    #[inline]
    pub const fn intersection(self, other: DirectionSet) -> DirectionSet {
        DirectionSet(self.0 & other.0)
    }

    /// The directions in either set.
    #[inline]
    pub const fn union(self, other: DirectionSet) -> DirectionSet {
        DirectionSet(self.0 | other.0)
    }

    /// The directions in this set that are not in the other.
    #[inline]
    pub const fn difference(self, other: DirectionSet) -> DirectionSet {
        DirectionSet(self.0 & !other.0)
    }

    /// Whether the direction is in the set.
    #[inline]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u16 & 1 != 0
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of directions in the set, 0 to 12.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The directions in the set, in the order of their bits.
    #[inline]
    pub fn iter(self) -> DirectionSetIter {
        DirectionSetIter(self.0)
    }

    /// The compass directions in the set, in the order of their bits; knight's jumps are left out.
    #[inline]
    pub fn compass(self) -> impl Iterator<Item = Compass> {
        let mut bits = self.0 as u8;
        std::iter::from_fn(move || {
            let index = bits.trailing_zeros() as usize;
            if bits == 0 {
                return None;
            }
            bits &= bits - 1;
            Some(Compass::ALL[index & 7])
        })
    }

    /// The opposite of every direction in the set.
    #[inline]
    pub const fn opposite(self) -> DirectionSet {
        let compass = (self.0 as u8).rotate_left(4) as u16;
        let jumps = self.0 >> 8;
        DirectionSet(compass | (jumps << 2 | jumps >> 2) << 8 & 0xf00)
    }
}

/// The directions in both sets.
impl BitAnd for DirectionSet {
    type Output = DirectionSet;

    #[inline]
    fn bitand(self, other: DirectionSet) -> DirectionSet {
        self.intersection(other)
    }
}

/// The directions in either set.
impl BitOr for DirectionSet {
    type Output = DirectionSet;

    #[inline]
    fn bitor(self, other: DirectionSet) -> DirectionSet {
        self.union(other)
    }
}

/// The directions in the first set that are not in the other.
impl Sub for DirectionSet {
    type Output = DirectionSet;

    #[inline]
    fn sub(self, other: DirectionSet) -> DirectionSet {
        self.difference(other)
    }
}

impl fmt::Debug for DirectionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The directions of a set in the order of their bits: see [`DirectionSet::iter`].
#[derive(Clone, Debug)]
pub struct DirectionSetIter(u16);

impl Iterator for DirectionSetIter {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Direction::ALL[index])
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for DirectionSetIter {}

impl FusedIterator for DirectionSetIter {}

/// The directions in the order of their bits.
impl IntoIterator for DirectionSet {
    type Item = Direction;
    type IntoIter = DirectionSetIter;

    #[inline]
    fn into_iter(self) -> DirectionSetIter {
        DirectionSetIter(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_cancel() {
        for direction in Direction::ALL {
            let back = direction.opposite();
            assert_eq!(direction.offset() + back.offset(), 0);
            assert_eq!(back.opposite(), direction);
            assert_eq!(direction.is_jump(), back.is_jump());
            let set = DirectionSet::EMPTY.with(direction);
            assert_eq!(set.opposite(), DirectionSet::EMPTY.with(back));
            let (dx, dy) = direction.vector();
            assert_eq!(Direction::from_vector(dx, dy), Some(direction));
        }
        for compass in Compass::ALL {
            assert_eq!(compass.direction().compass(), Some(compass));
            assert_eq!(compass.direction().index(), compass.index());
            assert_eq!(compass.opposite().direction(), compass.direction().opposite());
        }
        assert_eq!(Direction::ALL.into_iter().filter_map(Direction::compass).count(), 8);
        for index in 0..100 {
            assert_eq!(Direction::from_index(index), Direction::ALL.get(index).copied());
        }
        assert_eq!(Direction::from_vector(0, 0), None);
        assert_eq!(Direction::from_vector(2, 1), None);
    }

    #[test]
    fn a_set_yields_what_it_holds() {
        let set = DirectionSet::EMPTY.with(Direction::West).with(Direction::NorthNorthWest);
        assert_eq!(set.len(), 2);
        assert_eq!(set.iter().collect::<Vec<_>>(), [Direction::West, Direction::NorthNorthWest]);
        assert_eq!(set.compass().collect::<Vec<_>>(), [Compass::West]);
        assert_eq!(DirectionSet::from_bits(u16::MAX).compass().count(), 8);
        assert!(set.without(Direction::West).intersection(DirectionSet::COMPASS).is_empty());
    }
}

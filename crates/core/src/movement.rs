//! How the pieces move: one table of vectors for all kinds, and what follows from it.
//!
//! The table is written for people: two-dimensional vectors in Black's view. Everything else in the
//! crate is computed from it at compile time: directions for both colors, and the displacement
//! table.

use crate::color::Color;
use crate::direction::{Compass, Direction, DirectionSet};
use crate::piece::{Piece, PieceKind};
use crate::square::{PADDED_CELLS, Square};

/// One way a piece moves, in Black's view.
///
/// ```
/// use tsumero_core::{PieceKind, Vector, vectors};
/// assert_eq!(vectors(PieceKind::Lance), [Vector { dx: 0, dy: -1, slides: true }]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vector {
    /// Files towards file 9 (Black's left).
    pub dx: i8,
    /// Ranks towards rank i (backwards).
    pub dy: i8,
    /// Whether the piece may repeat the step over empty squares.
    pub slides: bool,
}

const fn step(dx: i8, dy: i8) -> Vector {
    Vector { dx, dy, slides: false }
}

const fn slide(dx: i8, dy: i8) -> Vector {
    Vector { dx, dy, slides: true }
}

/// The vectors of a kind, in Black's view.
///
/// ```
/// use tsumero_core::{PieceKind, vectors};
/// assert_eq!(vectors(PieceKind::Gold).len(), 6);
/// ```
#[rustfmt::skip]
pub const fn vectors(kind: PieceKind) -> &'static [Vector] {
    use PieceKind::*;
    match kind {
        Pawn => const { &[step(0, -1)] },
        Lance => const { &[slide(0, -1)] },
        Knight => const { &[step(-1, -2), step(1, -2)] },
        Silver => const { &[
            step(1, -1), step(0, -1), step(-1, -1),
            step(1,  1),              step(-1,  1),
        ] },
        Gold | Tokin | PromotedLance | PromotedKnight | PromotedSilver => const { &[
            step(1, -1), step(0, -1), step(-1, -1),
            step(1,  0),              step(-1,  0),
                         step(0,  1),
        ] },
        Bishop => const { &[
            slide(1, -1), slide(-1, -1),
            slide(1,  1), slide(-1,  1),
        ] },
        Rook => const { &[
                         slide(0, -1),
            slide(1, 0),               slide(-1, 0),
                         slide(0,  1),
        ] },
        King => const { &[
            step(1, -1), step(0, -1), step(-1, -1),
            step(1,  0),              step(-1,  0),
            step(1,  1), step(0,  1), step(-1,  1),
        ] },
        Horse => const { &[
            slide(1, -1), step(0, -1), slide(-1, -1),
            step(1,   0),              step(-1,   0),
            slide(1,  1), step(0,  1), slide(-1,  1),
        ] },
        Dragon => const { &[
            step(1,  -1), slide(0, -1), step(-1, -1),
            slide(1,  0),               slide(-1,  0),
            step(1,   1), slide(0,  1), step(-1,  1),
        ] },
    }
}

/// The directions of one kind and color, steps or slides, taken from the table of vectors.
const fn directions(color: Color, kind: PieceKind, slides: bool) -> DirectionSet {
    let vectors = vectors(kind);
    let mut set = DirectionSet::EMPTY;
    let mut number = 0;
    while number < vectors.len() {
        let vector = vectors[number];
        if vector.slides == slides {
            match Direction::from_vector(vector.dx, vector.dy) {
                Some(direction) => set = set.with(direction),
                None => panic!("a vector is one step or a knight jump"),
            }
        }
        number += 1;
    }
    match color {
        Color::Black => set,
        Color::White => set.opposite(),
    }
}

/// A set of directions for every piece.
const fn by_piece(slides: bool) -> [DirectionSet; Piece::COUNT] {
    let mut table = [DirectionSet::EMPTY; Piece::COUNT];
    let mut number = 0;
    while number < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[number];
        table[Piece::new(Color::Black, kind).index()] = directions(Color::Black, kind, slides);
        table[Piece::new(Color::White, kind).index()] = directions(Color::White, kind, slides);
        number += 1;
    }
    table
}

/// The directions in which the piece moves a single step or jumps.
///
/// ```
/// use tsumero_core::{Color, Direction, DirectionSet, Piece, PieceKind, steps};
/// let pawn = Piece::new(Color::White, PieceKind::Pawn);
/// assert_eq!(steps(pawn), DirectionSet::EMPTY.with(Direction::South));
/// ```
#[inline]
pub const fn steps(piece: Piece) -> DirectionSet {
    const STEPS: [DirectionSet; Piece::COUNT] = by_piece(false);
    STEPS[piece.index()]
}

/// The directions in which the piece slides.
///
/// ```
/// use tsumero_core::{Color, Direction, DirectionSet, Piece, PieceKind, slides};
/// let lance = Piece::new(Color::Black, PieceKind::Lance);
/// assert_eq!(slides(lance), DirectionSet::EMPTY.with(Direction::North));
/// ```
#[inline]
pub const fn slides(piece: Piece) -> DirectionSet {
    const SLIDES: [DirectionSet; Piece::COUNT] = by_piece(true);
    SLIDES[piece.index()]
}

/// The displacement from one square to another: a direction and the number of steps in it.
///
/// ```
/// use tsumero_core::{Direction, Displacement, displacement};
/// let (from, to) = ("8h".parse().unwrap(), "2b".parse().unwrap());
/// let way = Displacement { direction: Direction::NorthEast, distance: 6 };
/// assert_eq!(displacement(from, to), Some(way));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Displacement {
    /// The direction from the first square to the second.
    pub direction: Direction,
    /// Number of steps, 1 to 8; always 1 for a knight jump.
    pub distance: u8,
}

/// Distance of neighboring files in the index that displacements use. Ranks differ by -8 to 8, so
/// seventeen is the least distance at which no two displacements share an index.
const WIDE_STRIDE: usize = 17;
/// The largest difference of two squares: eight files and eight ranks.
const MAX_DIFFERENCE: usize = 8 * WIDE_STRIDE + 8;

/// The index of each square if files were [`WIDE_STRIDE`] apart.
static WIDE_INDICES: [u8; PADDED_CELLS] = {
    let mut table = [0; PADDED_CELLS];
    let mut index = 0;
    while index < PADDED_CELLS {
        if let Some(square) = Square::from_index(index) {
            table[index] = (square.file().index() * WIDE_STRIDE + square.rank().index()) as u8;
        }
        index += 1;
    }
    table
};

/// Number of values [`displacement_index`] can take.
const DISPLACEMENT_COUNT: usize = 2 * MAX_DIFFERENCE + 1;

/// The displacement from `from` to `to` as an index into tables: the difference of wide indices,
/// shifted to start at 0.
#[inline]
fn displacement_index(from: Square, to: Square) -> usize {
    let wide = |square: Square| usize::from(WIDE_INDICES[square.index()]);
    wide(to) + MAX_DIFFERENCE - wide(from)
}

/// The index of the displacement by `dx` files towards file 9 and `dy` ranks towards rank i.
const fn displacement_index_of(dx: i8, dy: i8) -> usize {
    (dx as isize * WIDE_STRIDE as isize + dy as isize + MAX_DIFFERENCE as isize) as usize
}

/// Displacements by [`displacement_index`].
static DISPLACEMENTS: [Option<Displacement>; DISPLACEMENT_COUNT] = {
    let mut table = [None; DISPLACEMENT_COUNT];
    let mut index = 0;
    while index < 12 {
        let direction = Direction::ALL[index];
        let (dx, dy) = direction.vector();
        let reach = if direction.is_jump() { 1 } else { 8 };
        let mut distance = 1;
        while distance <= reach {
            table[displacement_index_of(dx * distance, dy * distance)] =
                Some(Displacement { direction, distance: distance as u8 });
            distance += 1;
        }
        index += 1;
    }
    table
};

/// The displacement from `from` to `to`. `None` if the squares are the same, or share no line and
/// are no knight's jump apart.
///
/// One table access answers "could a piece here attack there on an empty board?", before any walk
/// over the squares between.
///
/// ```
/// use tsumero_core::{Direction, displacement};
/// let (from, to) = ("8i".parse().unwrap(), "7g".parse().unwrap());
/// assert_eq!(displacement(from, to).unwrap().direction, Direction::NorthNorthEast);
/// ```
#[inline]
pub fn displacement(from: Square, to: Square) -> Option<Displacement> {
    DISPLACEMENTS[displacement_index(from, to)]
}

/// The compass direction from `from` to `to`, if they share a file, rank or diagonal.
///
/// ```
/// use tsumero_core::{Compass, compass};
/// let square = |text: &str| text.parse().unwrap();
/// assert_eq!(compass(square("5i"), square("5a")), Some(Compass::North));
/// assert_eq!(compass(square("8i"), square("7g")), None);
/// ```
#[inline]
pub fn compass(from: Square, to: Square) -> Option<Compass> {
    displacement(from, to).and_then(|displacement| displacement.direction.compass())
}

/// [`compass`] as one of all twelve directions.
///
/// ```
/// use tsumero_core::{Direction, line_direction};
/// let (from, to) = ("9a".parse().unwrap(), "1i".parse().unwrap());
/// assert_eq!(line_direction(from, to), Some(Direction::SouthEast));
/// ```
#[inline]
pub fn line_direction(from: Square, to: Square) -> Option<Direction> {
    compass(from, to).map(Compass::direction)
}

/// Whether a piece would attack one square from another if nothing stood between.
#[inline]
pub(crate) fn attacks_on_empty_board(piece: Piece, from: Square, to: Square) -> bool {
    displacement(from, to).is_some_and(|displacement| {
        slides(piece).contains(displacement.direction)
            || displacement.distance == 1 && steps(piece).contains(displacement.direction)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_moves_like_black_turned_around() {
        for kind in PieceKind::ALL {
            let black = Piece::new(Color::Black, kind);
            let white = Piece::new(Color::White, kind);
            assert_eq!(steps(black).opposite(), steps(white));
            assert_eq!(slides(black).opposite(), slides(white));
            assert_eq!((steps(black).len() + slides(black).len()) as usize, vectors(kind).len());
        }
    }

    #[test]
    fn displacements_agree_with_walking() {
        for from in Square::all() {
            let mut reached = std::collections::HashMap::new();
            for direction in Direction::ALL {
                let (dx, dy) = direction.vector();
                for distance in 1..=if direction.is_jump() { 1 } else { 8i8 } {
                    let file = from.file().index() as i8 + dx * distance;
                    let rank = from.rank().index() as i8 + dy * distance;
                    if (0..9).contains(&file) && (0..9).contains(&rank) {
                        let distance = distance as u8;
                        reached.insert(
                            (file as usize, rank as usize),
                            Displacement { direction, distance },
                        );
                    }
                }
            }
            for to in Square::all() {
                let key = (to.file().index(), to.rank().index());
                let displacement = displacement(from, to);
                assert_eq!(displacement, reached.get(&key).copied());
            }
        }
    }
}

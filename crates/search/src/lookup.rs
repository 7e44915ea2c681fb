//! What learned values are looked up by (a piece and its target, the moves before a node), and how
//! they change.
//!
//! All values lie within ±[`LIMIT`]. The bonus of an update shrinks as the value nears the limit, so
//! old results fade.

use tsumero_core::{Move, Piece, Square, SquareSet};

use crate::danger::Danger;
use crate::structure::Structure;

/// Bound of every value.
pub(crate) const LIMIT: i32 = 8192;

/// Places for squares by [`column()`], followed by the seven kinds in hand.
pub(crate) const COLUMNS: usize = 96;
/// Index of the first square on the padded board.
const FIRST_SQUARE: usize = 12;
/// The place of the first kind in hand, after the last square.
pub(crate) const FIRST_IN_HAND: usize = Square::CELLS - 2 * FIRST_SQUARE + 1;

const _: () = assert!(FIRST_IN_HAND + 7 <= COLUMNS);

/// The place of a square in the tables. The places have few gaps and are computed without a
/// division.
#[inline]
pub(crate) fn column(square: Square) -> usize {
    square.index() - FIRST_SQUARE
}

/// By [`column()`]: all bits for the squares of a set, and no bit for others.
pub(crate) type Mask = [i16; COLUMNS];

/// The mask of a set of squares.
#[inline]
pub(crate) fn mask(squares: SquareSet) -> Mask {
    let [low, high] = squares.words();
    let bits = (u128::from(low) | u128::from(high) << 64) >> FIRST_SQUARE;
    let mut mask = [0; COLUMNS];
    for (number, part) in mask.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let bits = (bits >> (16 * number)) as u16;
        for (bit, value) in part.iter_mut().enumerate() {
            *value = -i16::from(bits & 1 << bit != 0);
        }
    }
    mask
}

/// A value for each piece and the square it goes to.
pub(crate) type ByPieceTo<T> = [[T; COLUMNS]; Piece::COUNT];

/// Access to a table by a piece and the square it goes to.
pub(crate) trait Lookup<T> {
    /// The value of a place.
    fn of(&self, place: PieceTo) -> &T;
    /// The value of a place, to be changed.
    fn of_mut(&mut self, place: PieceTo) -> &mut T;
}

impl<T> Lookup<T> for ByPieceTo<T> {
    #[inline]
    fn of(&self, place: PieceTo) -> &T {
        &self[usize::from(place.piece)][usize::from(place.column)]
    }

    #[inline]
    fn of_mut(&mut self, place: PieceTo) -> &mut T {
        &mut self[usize::from(place.piece)][usize::from(place.column)]
    }
}

/// A piece, as it stands after a move, and the square it went to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo {
    /// [`Piece::index`], or 0 if no piece moved.
    pub(crate) piece: u8,
    pub(crate) column: u8,
}

impl PieceTo {
    /// Nothing: before the root. Its tables stay empty, because nothing can be learned there.
    pub(crate) const BEFORE_ROOT: PieceTo = PieceTo { piece: 0, column: 0 };
    /// A null move. It has tables of its own: the replies to a pass have something in common.
    pub(crate) const NULL_MOVE: PieceTo = PieceTo { piece: 0, column: 1 };

    /// The piece and target of a move.
    #[inline]
    pub(crate) fn of(mv: Move) -> PieceTo {
        PieceTo { piece: mv.piece_after().index() as u8, column: column(mv.to()) as u8 }
    }

    /// Whether a move was played: neither a null move nor before the root.
    #[inline]
    pub(crate) fn is_move(self) -> bool {
        self.piece != 0
    }
}

/// How many plies ago the moves of a [`Context`] were played.
pub(crate) const CONTEXT_PLIES: [usize; 3] = [1, 2, 4];

/// The moves played before a node, as [`CONTEXT_PLIES`] says.
pub(crate) type MovesBefore = [PieceTo; CONTEXT_PLIES.len()];

/// What the history tables know of a node besides its moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// The moves played before it.
    pub(crate) moves: MovesBefore,
    /// What stands on the board.
    pub(crate) structure: Structure,
    /// What the opponent attacks.
    pub(crate) danger: Danger,
}

impl Context {
    /// Before the root, on no board.
    #[cfg(test)]
    pub(crate) const NONE: Context = Context {
        moves: [PieceTo::BEFORE_ROOT; CONTEXT_PLIES.len()],
        structure: Structure::EMPTY,
        danger: Danger::NONE,
    };
}

/// Moves a value towards the limit that has the sign of the bonus. A bonus as large as the limit
/// moves it there at once.
#[inline]
pub(crate) fn update(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_the_limit_and_fade() {
        let mut value = 0;
        for _ in 0..1000 {
            update(&mut value, 3000);
        }
        assert!(i32::from(value) <= LIMIT && i32::from(value) > LIMIT * 9 / 10);
        update(&mut value, -100_000);
        assert_eq!(i32::from(value), -LIMIT);
    }
}

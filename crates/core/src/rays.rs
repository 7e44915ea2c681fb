//! Rays: what is seen from a square along its eight lines, and what pieces attack on them.
//!
//! The tables are computed from the movements at compile time. [`Rays`] holds what is seen from a
//! square in all eight directions at once, one lane for each direction.

use std::mem::MaybeUninit;

use crate::color::Color;
use crate::direction::{Compass, Direction};
use crate::lanes::{Chosen, LaneSet, Lanes, TallyOf};
use crate::movement;
use crate::piece::{Piece, PieceKind};
use crate::square::{PADDED_CELLS, Square};
use crate::square_set::SquareSet;

/// Eight sets of squares, one for each compass direction: the low words, then the high ones.
///
/// Invariant: as in a [`SquareSet`], only bits of real squares are set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct Sets([[u64; 8]; 2]);

impl Sets {
    /// Eight empty sets.
    pub(crate) const EMPTY: Sets = Sets([[0; 8]; 2]);

    /// Puts a square into the set of a direction.
    #[inline]
    pub(crate) const fn insert(&mut self, direction: Compass, square: Square) {
        self.0[square.index() / 64][direction.index()] |= 1 << (square.index() % 64);
    }

    /// The low words of all sets, then the high ones.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[[u64; 8]; 2] {
        &self.0
    }
}

/// Aligned for vector loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
struct Aligned<T>(T);

/// For each square, the squares of its eight rays up to the edge.
static RAYS: Aligned<[Sets; PADDED_CELLS]> = {
    let mut table = [Sets::EMPTY; PADDED_CELLS];
    let mut index = 0;
    while index < PADDED_CELLS {
        if let Some(center) = Square::from_index(index) {
            let mut number = 0;
            while number < 8 {
                let compass = Compass::ALL[number];
                let mut next = center.beside(compass.direction());
                while let Some(square) = next {
                    table[index].insert(compass, square);
                    next = square.beside(compass.direction());
                }
                number += 1;
            }
        }
        index += 1;
    }
    Aligned(table)
};

/// For each square and direction, the squares from which the square or one of its neighbors lies
/// ahead in that direction.
static TOWARDS: Aligned<[Sets; PADDED_CELLS]> = {
    let mut table = [Sets::EMPTY; PADDED_CELLS];
    let mut index = 0;
    while index < PADDED_CELLS {
        if let Some(center) = Square::from_index(index) {
            let mut goal = Some(center);
            let mut number = 0;
            loop {
                if let Some(goal) = goal {
                    let mut lane = 0;
                    while lane < 8 {
                        let back = RAYS.0[goal.index()];
                        table[index].0[0][lane] |= back.0[0][lane ^ 4];
                        table[index].0[1][lane] |= back.0[1][lane ^ 4];
                        lane += 1;
                    }
                }
                if number == 8 {
                    break;
                }
                goal = center.beside(Compass::ALL[number].direction());
                number += 1;
            }
        }
        index += 1;
    }
    Aligned(table)
};

/// For each square, its neighbors.
static NEIGHBORS: [SquareSet; PADDED_CELLS] = {
    let mut table = [SquareSet::EMPTY; PADDED_CELLS];
    let mut index = 0;
    while index < PADDED_CELLS {
        if let Some(center) = Square::from_index(index) {
            let mut number = 0;
            while number < 8 {
                if let Some(square) = center.beside(Compass::ALL[number].direction()) {
                    table[index].insert(square);
                }
                number += 1;
            }
        }
        index += 1;
    }
    table
};

/// For Black and White and each square, where a knight jumps to its right and to its left.
pub(crate) static JUMPS: [[[SquareSet; 2]; PADDED_CELLS]; 2] = {
    let mut table = [[[SquareSet::EMPTY; 2]; PADDED_CELLS]; 2];
    let mut index = 0;
    while index < PADDED_CELLS {
        if let Some(from) = Square::from_index(index) {
            let mut number = FIRST_JUMP;
            while number < Direction::ALL.len() {
                let jump = Direction::ALL[number];
                if let Some(to) = from.beside(jump) {
                    table[(number - FIRST_JUMP) / 2][index][side_of(jump)].insert(to);
                }
                number += 1;
            }
        }
        index += 1;
    }
    table
};

/// The squares next to a square.
#[inline]
pub(crate) fn neighbors(square: Square) -> SquareSet {
    NEIGHBORS[square.index()]
}

/// The squares in one compass direction from a square, up to the edge.
#[inline]
pub(crate) fn ray(square: Square, direction: Compass) -> SquareSet {
    let lane = direction.index();
    // SAFETY: the invariant of `Sets`.
    unsafe { SquareSet::from_words_unchecked(RAYS.0[square.index()].0.map(|words| words[lane])) }
}

/// The compass directions in which a piece moves, in the form that vectors need.
pub(crate) struct Moves {
    pub(crate) steps: LaneSet,
    pub(crate) slides: u8,
}

/// How each piece moves. Indices that belong to no piece have no moves.
static MOVES: Aligned<[Moves; Piece::COUNT]> = {
    let mut table = [const { Moves { steps: LaneSet::new(0), slides: 0 } }; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        if let Some(piece) = Piece::from_cell(index as u8) {
            table[index].steps = LaneSet::new(movement::steps(piece).bits() as u8);
            table[index].slides = movement::slides(piece).bits() as u8;
        }
        index += 1;
    }
    Aligned(table)
};

/// How a piece moves.
#[inline(always)]
pub(crate) fn moves_of(piece: Option<Piece>) -> &'static Moves {
    &MOVES.0[piece.map_or(0, Piece::index)]
}

/// The number of the first jump's direction.
pub(crate) const FIRST_JUMP: usize = 8;

/// Which of a knight's two jumps a direction is: 0 to its owner's right, 1 to the left.
pub(crate) const fn side_of(jump: Direction) -> usize {
    (jump.index() - FIRST_JUMP) % 2
}

/// What is seen from a square in the eight directions. A lane is a set of squares.
///
/// Invariant: as in [`Sets`], only bits of real squares are set.
#[derive(Clone, Copy)]
pub(crate) struct Rays<L: Lanes>([L; 2]);

/// The squares a piece attacks.
#[inline]
pub(crate) fn targets(piece: Piece, square: Square, occupied: SquareSet) -> SquareSet {
    targets_seen(piece, square, Rays::seen(square, occupied))
}

/// The squares that a piece attacks from a square, given what is seen from there.
#[inline]
pub(crate) fn targets_seen(piece: Piece, square: Square, seen: Rays<Chosen>) -> SquareSet {
    let Moves { steps, slides } = moves_of(Some(piece));
    let compass = Rays::neighbors(square).keep_set(steps).or(seen.keep(*slides));
    compass.squares().union(jump_targets(piece, square))
}

/// The squares a piece steps or slides to, direction by direction.
#[inline(always)]
pub(crate) fn compass_targets<L: Lanes>(
    piece: Piece,
    square: Square,
    occupied: SquareSet,
) -> Rays<L> {
    let steps = Rays::neighbors(square).keep_set(&moves_of(Some(piece)).steps);
    steps.or(slider_targets(piece, square, occupied))
}

/// The squares a piece slides to, direction by direction.
#[inline(always)]
pub(crate) fn slider_targets<L: Lanes>(
    piece: Piece,
    square: Square,
    occupied: SquareSet,
) -> Rays<L> {
    Rays::seen(square, occupied).keep(moves_of(Some(piece)).slides)
}

/// The squares a piece steps or jumps to.
#[inline(always)]
pub(crate) fn step_targets(piece: Piece, square: Square) -> SquareSet {
    let steps = Rays::<Chosen>::neighbors(square).keep_set(&moves_of(Some(piece)).steps);
    steps.squares().union(jump_targets(piece, square))
}

/// The squares that a piece jumps to. Only knights jump.
#[inline(always)]
pub(crate) fn jump_targets(piece: Piece, square: Square) -> SquareSet {
    if piece.kind() != PieceKind::Knight {
        return SquareSet::EMPTY;
    }
    let [right, left] = JUMPS[piece.color().index()][square.index()];
    right.union(left)
}

/// The squares from which a knight of a color checks a king.
#[inline]
pub(crate) fn knight_checks(color: Color, king: Square) -> SquareSet {
    // A knight checks from the squares that a knight of the other color would reach from the king's
    // square.
    jump_targets(Piece::new(!color, PieceKind::Knight), king)
}

impl<L: Lanes> Rays<L> {
    /// The squares up to the first that is occupied, that one included.
    #[inline(always)]
    pub(crate) fn seen(square: Square, occupied: SquareSet) -> Rays<L> {
        let Rays([low, high]) = Rays::<L>::full(square);
        let words = occupied.words();
        let (stops_low, stops_high) = (low.and(L::splat(words[0])), high.and(L::splat(words[1])));
        // In the first four directions indices fall, so the first occupied square is the highest
        // bit.
        let falling =
            [stops_low.highest_and_above().where_zero(stops_high), stops_high.highest_and_above()];
        let rising =
            [stops_low.lowest_and_below(), stops_high.lowest_and_below().where_zero(stops_low)];
        Rays([low.and(falling[0].join(rising[0])), high.and(falling[1].join(rising[1]))])
    }

    /// The neighbors, each in its direction.
    #[inline(always)]
    pub(crate) fn neighbors(square: Square) -> Rays<L> {
        let Rays([low, high]) = Rays::<L>::full(square);
        let neighbors = neighbors(square).words();
        Rays([low.and(L::splat(neighbors[0])), high.and(L::splat(neighbors[1]))])
    }

    /// All squares up to the edge.
    #[inline(always)]
    pub(crate) fn full(square: Square) -> Rays<L> {
        Rays::of(&RAYS.0[square.index()])
    }

    /// The squares from which a square or one of its neighbors lies ahead, direction by direction.
    #[inline(always)]
    pub(crate) fn towards(square: Square) -> Rays<L> {
        Rays::of(&TOWARDS.0[square.index()])
    }

    /// The directions whose lanes are not empty.
    #[inline(always)]
    pub(crate) fn directions(self) -> u8 {
        self.0[0].or(self.0[1]).nonzero()
    }

    /// Reads eight sets of squares.
    #[inline(always)]
    pub(crate) fn of(sets: &Sets) -> Rays<L> {
        Rays([L::load(&sets.0[0]), L::load(&sets.0[1])])
    }

    /// Keeps the squares of a set, in every lane.
    #[inline(always)]
    pub(crate) fn within(self, set: SquareSet) -> Rays<L> {
        let [low, high] = set.words();
        Rays([self.0[0].and(L::splat(low)), self.0[1].and(L::splat(high))])
    }

    /// The union, lane by lane.
    #[inline(always)]
    pub(crate) fn or(self, other: Rays<L>) -> Rays<L> {
        Rays([self.0[0].or(other.0[0]), self.0[1].or(other.0[1])])
    }

    /// The intersection, lane by lane.
    #[inline(always)]
    pub(crate) fn and(self, other: Rays<L>) -> Rays<L> {
        Rays([self.0[0].and(other.0[0]), self.0[1].and(other.0[1])])
    }

    /// The lanes of the given directions.
    #[inline(always)]
    pub(crate) fn keep(self, directions: u8) -> Rays<L> {
        self.keep_lanes(L::mask(directions))
    }

    /// Keeps the lanes of a set from a table.
    #[inline(always)]
    pub(crate) fn keep_set(self, lanes: &LaneSet) -> Rays<L> {
        self.keep_lanes(L::mask_of(lanes))
    }

    /// Keeps the lanes of a mask.
    #[inline(always)]
    pub(crate) fn keep_lanes(self, lanes: L::Mask) -> Rays<L> {
        Rays([self.0[0].keep(lanes), self.0[1].keep(lanes)])
    }

    /// The squares in the lane of one direction.
    #[inline(always)]
    pub(crate) fn lane(self, direction: Compass) -> SquareSet {
        // SAFETY: the invariant of the type.
        unsafe {
            SquareSet::from_words_unchecked(self.0.map(|words| words.lane(direction.index())))
        }
    }

    /// Adds the number of squares to a count. No two lanes may share a square.
    #[inline(always)]
    pub(crate) fn add_to(self, tally: &mut L::Tally) {
        *tally = tally.more(self.0);
    }

    /// Subtracts the number of squares from a count. No two lanes may share a square.
    #[inline(always)]
    pub(crate) fn take_from(self, tally: &mut L::Tally) {
        *tally = tally.fewer(self.0);
    }

    /// Swaps the lanes of opposite directions.
    #[inline(always)]
    pub(crate) fn opposite(self) -> Rays<L> {
        Rays([self.0[0].opposite(), self.0[1].opposite()])
    }

    /// The squares of all lanes together.
    #[inline(always)]
    pub(crate) fn squares(self) -> SquareSet {
        // SAFETY: the invariant of the type.
        unsafe { SquareSet::from_words_unchecked(L::any_of_pair(self.0)) }
    }

    /// The symmetric difference, lane by lane.
    #[inline(always)]
    pub(crate) fn xor(self, other: Rays<L>) -> Rays<L> {
        Rays([self.0[0].xor(other.0[0]), self.0[1].xor(other.0[1])])
    }

    /// One bit for each lane that contains the square.
    #[inline(always)]
    pub(crate) fn column(self, square: Square) -> u8 {
        L::column_of_pair(self.0, square.index() as u32)
    }

    /// The lanes that are not empty.
    #[inline(always)]
    pub(crate) fn lanes(self) -> L::Mask {
        self.0[0].or(self.0[1]).filled()
    }

    /// The squares that two lanes or more contain.
    #[inline(always)]
    pub(crate) fn squares_twice(self) -> SquareSet {
        // SAFETY: the invariant of the type.
        unsafe { SquareSet::from_words_unchecked(L::twice_of_pair(self.0)) }
    }

    /// The vectors themselves: the low words, then the high ones.
    #[inline(always)]
    pub(crate) fn vectors(self) -> [L; 2] {
        self.0
    }

    /// The words of all lanes.
    #[inline(always)]
    pub(crate) fn sets(self) -> Sets {
        let mut sets = MaybeUninit::uninit();
        // SAFETY: the place is made for the words and has no others: all of it is written.
        unsafe {
            self.store_to(sets.as_mut_ptr());
            sets.assume_init()
        }
    }

    /// Writes the words of all lanes.
    ///
    /// # Safety
    ///
    /// The place must be valid for writing, and aligned as words are.
    #[inline(always)]
    pub(crate) unsafe fn store_to(self, sets: *mut Sets) {
        let words: *mut [u64; 8] = sets.cast();
        // SAFETY: the caller's promise. The sets are two times eight words, and nothing else.
        unsafe {
            self.0[0].store_to(words);
            self.0[1].store_to(words.add(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    /// What is seen along every line agrees with walking, for the form of vectors that this target
    /// uses. (The tests in `lanes` compare the operations of all forms.)
    #[test]
    fn looking_around_agrees_with_walking() {
        let sfens = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "2+R4K1/3+P2G+B1/4+N+P1+L1/2p5p/1p7/p7P/+p+p+p6/2+p5L/k+p1+r5 w G2S3N3Pb2g2s2l3p 1",
        ];
        for sfen in sfens {
            let position = Position::from_sfen(sfen).unwrap();
            let board = position.board();
            for square in Square::all() {
                let seen = Rays::<Chosen>::seen(square, board.occupied());
                let beside = Rays::<Chosen>::neighbors(square);
                let mut around = SquareSet::EMPTY;
                for direction in Compass::ALL {
                    let mut walked = SquareSet::EMPTY;
                    board.walk_squares(square, direction, |to| walked.insert(to));
                    let lane = 1 << direction.index();
                    assert_eq!(seen.keep(lane).squares(), walked);
                    assert_eq!(seen.opposite().keep(lane.rotate_left(4)).squares(), walked);
                    let neighbor: SquareSet = square.neighbor(direction).into_iter().collect();
                    assert_eq!(beside.keep(lane).squares(), neighbor);
                    around = around.union(neighbor);
                    assert!(walked.difference(ray(square, direction)).is_empty());
                }
                assert_eq!(neighbors(square), around);
            }
        }
    }
}

//! Attack maps: for every square, which directions it is attacked from.
//!
//! Three planes of 16-bit cells over the padded board, all updated by every move:
//!
//! ```text
//! steps[color][square]   bit d, 0..=7: a piece of the color, one step against the compass
//!                                      direction d away, moves here by a step in direction d
//!                        bits 8, 9:    knights jump here, from either side
//!                        bits 10..=14: the stepping piece is a silver, which may yet promote;
//!                                      one bit for each direction that silvers step in
//!                        bit 15:       the stepping piece is a pawn
//! slides[square]         bit d:     a black slide in direction d reaches this square
//!                        bit d + 8: a white one does
//! ```
//!
//! ```text
//!      15   | 14  13  12  11  10 | 9   8 | 7   6   5   4   3   2   1   0
//!      pawn | silver             | jumps | NW  W   SW  S   SE  E   NE  N
//! ```
//!
//! The bits are directions, so they say *from where* a square is attacked. A square next seen by
//! a slide is attacked whatever stands on it: own pieces are guarded, enemy pieces attacked. A
//! direction never has a step and a slide of one color at once, because the neighbour against
//! that direction either steps, slides or is empty; hence the number of attackers is the number
//! of bits.
//!
//! A step attack touches three neighbouring files: four cells of each are toggled at once. A
//! slide toggles its bit while it walks. When a square becomes occupied or empty, the slides that
//! reach it are cut or lengthened behind it, both colors in one walk. Toggling undoes itself, so
//! adding and removing are the same code.

use crate::board::Board;
use crate::color::{ByColor, Color};
use crate::direction::{Direction, DirectionSet};
use crate::movement;
use crate::piece::{Piece, PieceKind};
use crate::planes;
use crate::square::{File, LANE, PADDED_CELLS, Rank, Square};
use crate::square_set::SquareSet;

/// Sixteen bits for each cell of the padded board.
pub(crate) type Plane = [u16; PADDED_CELLS];

/// Which directions attack each square. Cells of the margin hold what steps and slides leave
/// there; nothing reads them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct AttackMap {
    steps: ByColor<Plane>,
    slides: Plane,
}

/// Number of cells of one file that a step attack touches: the knight's jump reaches two ranks
/// ahead, all other steps one rank ahead to one behind.
const WINDOW: usize = 4;

/// A piece's step attacks: the files beside it and its own, four cells each, from the cell
/// [`first_rank_of_window`] on.
type StepPattern = [[u16; WINDOW]; 3];

static STEP_PATTERNS: [StepPattern; Piece::COUNT] = {
    let mut patterns = [[[0; WINDOW]; 3]; Piece::COUNT];
    let mut number = 0;
    while number < PieceKind::ALL.len() {
        let mut color = Color::Black;
        loop {
            let piece = Piece::new(color, PieceKind::ALL[number]);
            let mut index = 0;
            while index < 12 {
                let direction = Direction::from_index(index);
                if movement::steps(piece).contains(direction) {
                    let (dx, dy) = direction.vector();
                    let cell = dy - first_rank_of_window(color);
                    patterns[piece.index()][(dx + 1) as usize][cell as usize] |=
                        step_bits(piece, direction);
                }
                index += 1;
            }
            match color {
                Color::Black => color = Color::White,
                Color::White => break,
            }
        }
        number += 1;
    }
    patterns
};

/// Number of the first jump's bit.
const FIRST_JUMP: usize = 8;
/// The bits of [`AttackMap::steps`] that stand for one attacker each.
pub(crate) const ATTACKER_BITS: u16 = 0x3ff;
/// The bits of jumps.
pub(crate) const JUMP_BITS: u16 = 0x300;
/// The bits that tell which steps are those of silvers.
pub(crate) const SILVER_BITS: u16 = 0x7c00;
/// The bit that tells that a pawn steps.
pub(crate) const PAWN_BIT: u16 = 0x8000;

/// The bits by which a step of a piece is written.
const fn step_bits(piece: Piece, direction: Direction) -> u16 {
    // Both colors' jumps share two bits: the jumps of Black are directions 8 and 9, White's are
    // 10 and 11.
    let bit = if direction.is_jump() {
        FIRST_JUMP + (direction.index() - FIRST_JUMP) % 2
    } else {
        direction.index()
    };
    let marks = match piece.kind() {
        PieceKind::Pawn => PAWN_BIT,
        PieceKind::Silver => {
            // One bit for each direction that this color's silvers step in.
            let below = movement::steps(piece).bits() & ((1 << direction.index()) - 1);
            0x400 << below.count_ones()
        }
        _ => 0,
    };
    1 << bit | marks
}

/// First rank of the window relative to the piece: two ahead to one behind, for White mirrored.
const fn first_rank_of_window(color: Color) -> i8 {
    match color {
        Color::Black => -2,
        Color::White => -1,
    }
}

impl AttackMap {
    /// The map of a board without pieces.
    pub(crate) fn empty() -> AttackMap {
        AttackMap { steps: ByColor([[0; PADDED_CELLS]; 2]), slides: [0; PADDED_CELLS] }
    }

    /// The map of a board, computed from nothing: the slow twin of the incremental updates.
    pub(crate) fn compute(board: &Board) -> AttackMap {
        let mut map = AttackMap::empty();
        for color in Color::ALL {
            for square in board.pieces(color) {
                if let Some(piece) = board.piece_at(square) {
                    map.toggle_piece(piece, square, board);
                }
            }
        }
        map
    }

    /// The directions in which pieces of the color step or jump onto the square.
    #[inline]
    pub fn steps(&self, color: Color, square: Square) -> DirectionSet {
        let bits = self.steps[color][square.index()];
        let jumps = bits & JUMP_BITS;
        DirectionSet::from_bits(
            bits & 0xff | if color == Color::Black { jumps } else { jumps << 2 },
        )
    }

    /// The directions in which slides of the color reach the square.
    #[inline]
    pub fn slides(&self, color: Color, square: Square) -> DirectionSet {
        DirectionSet::from_bits(self.slides[square.index()] >> (8 * color.index()) & 0xff)
    }

    /// The directions in which slides of the color reach any square of a rank.
    #[inline]
    pub(crate) fn slides_onto(&self, color: Color, rank: Rank) -> DirectionSet {
        let bits =
            File::all().fold(0, |bits, file| bits | self.slides[Square::new(file, rank).index()]);
        DirectionSet::from_bits(bits >> (8 * color.index()) & 0xff)
    }

    /// All directions in which the color attacks the square.
    #[inline]
    pub fn directions(&self, color: Color, square: Square) -> DirectionSet {
        self.steps(color, square).union(self.slides(color, square))
    }

    /// Whether the color attacks the square.
    #[inline]
    pub fn attacked(&self, color: Color, square: Square) -> bool {
        let slides = self.slides[square.index()] >> (8 * color.index()) & 0xff;
        self.steps[color][square.index()] | slides != 0
    }

    /// Number of the color's pieces that attack the square.
    #[inline]
    pub fn count(&self, color: Color, square: Square) -> u32 {
        let slides = self.slides[square.index()] >> (8 * color.index()) & 0xff;
        (self.steps[color][square.index()] & ATTACKER_BITS | slides).count_ones()
    }

    /// The squares that the color attacks.
    #[inline]
    pub fn attacked_squares(&self, color: Color) -> SquareSet {
        planes::attacked(&self.steps[color], &self.slides, color)
    }

    /// The plane of a color's steps; see the module's picture of the bits.
    #[inline]
    pub(crate) fn steps_plane(&self, color: Color) -> &Plane {
        &self.steps[color]
    }

    /// The plane of both colors' slides.
    #[inline]
    pub(crate) fn slides_plane(&self) -> &Plane {
        &self.slides
    }

    /// Adds the attacks of a piece on a square, or takes them away again. Slides end on the first
    /// cell beyond the square that is not empty.
    #[inline]
    pub(crate) fn toggle_piece(&mut self, piece: Piece, square: Square, board: &Board) {
        let color = piece.color();
        let plane = &mut self.steps[color];
        let middle = (square.index() as i16 + first_rank_of_window(color) as i16) as usize;
        for (pattern, start) in
            STEP_PATTERNS[piece.index()].iter().zip([middle - LANE, middle, middle + LANE])
        {
            for (cell, bits) in plane[start..start + WINDOW].iter_mut().zip(pattern) {
                *cell ^= bits;
            }
        }
        for direction in movement::slides(piece) {
            let bit = 1 << (direction.index() + 8 * color.index());
            board.walk(square, direction, |index| self.slides[index] ^= bit);
        }
    }

    /// Cuts the slides that pass through the square, or lets them pass again: to be called
    /// whenever a square becomes occupied or empty.
    #[inline]
    pub(crate) fn toggle_slides_through(&mut self, square: Square, board: &Board) {
        let bits = self.slides[square.index()];
        for direction in DirectionSet::from_bits((bits | bits >> 8) & 0xff) {
            let both = bits & 0x0101 << direction.index();
            board.walk(square, direction, |index| self.slides[index] ^= both);
        }
    }
}

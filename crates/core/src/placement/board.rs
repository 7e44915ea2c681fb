//! The board: a padded mailbox that says what stands on each square.

use super::change::Change;
use crate::color::{ByColor, Color};
use crate::direction::Compass;
use crate::lanes::{Chosen, Lanes};
use crate::piece::{Piece, PieceKind};
use crate::square::{File, PADDED_CELLS, Square};
use crate::square_set::SquareSet;

/// The contents of the cells of the padded board.
pub(crate) type Cells = [u8; PADDED_CELLS];

/// Content of a margin cell: neither empty nor a piece, so every slide ends on it.
pub(crate) const WALL: u8 = 0x40;

/// The cells of the board, and sets of pieces that are cheap to update with them.
///
/// A cell holds the byte of its piece, or 0 when it is empty. Changing a cell does not touch the
/// hash or the attack map. Only a position changes all three together.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Board {
    cells: Cells,
    pieces: ByColor<SquareSet>,
    /// All squares of the files with an unpromoted pawn.
    pawn_files: ByColor<SquareSet>,
    /// The squares of both colors' pieces by [`Class`].
    classes: [SquareSet; Class::COUNT],
    kings: ByColor<Option<Square>>,
    /// Explicit padding, so that every byte is initialized: placements are copied as raw memory.
    rest: [u8; REST],
}

/// The number of unused bytes in the last cache line.
const REST: usize = 14;
const _: () = {
    // The sizes of the fields add up to the size of the board, so there is no hidden padding.
    let sets = 2 + 2 + Class::COUNT;
    let fields = size_of::<Cells>()
        + sets * size_of::<SquareSet>()
        + size_of::<ByColor<Option<Square>>>()
        + REST;
    assert!(size_of::<Board>() == 4 * 64 && fields == size_of::<Board>());
};

/// Classes of kinds whose pieces are often asked for together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Pawn.
    Pawn = 0,
    /// Silver: it may promote, and moves backwards.
    Silver = 1,
    /// Bishop and rook: sliders that may promote and move backwards.
    Slider = 2,
    /// Horse and dragon: promoted sliders.
    PromotedSlider = 3,
}

impl Class {
    /// Number of classes.
    const COUNT: usize = 4;

    const fn of(kind: PieceKind) -> Option<Class> {
        match kind {
            PieceKind::Pawn => Some(Class::Pawn),
            PieceKind::Silver => Some(Class::Silver),
            PieceKind::Bishop | PieceKind::Rook => Some(Class::Slider),
            PieceKind::Horse | PieceKind::Dragon => Some(Class::PromotedSlider),
            _ => None,
        }
    }
}

/// The class of each kind.
static CLASSES: [Option<Class>; 16] = {
    let mut table = [None; 16];
    let mut number = 0;
    while number < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[number];
        table[kind.index()] = Class::of(kind);
        number += 1;
    }
    table
};

impl Board {
    /// A board without pieces.
    pub(super) fn empty() -> Board {
        let mut cells = [WALL; PADDED_CELLS];
        for square in Square::all() {
            cells[square.index()] = 0;
        }
        Board {
            cells,
            pieces: ByColor::default(),
            pawn_files: ByColor::default(),
            classes: [SquareSet::EMPTY; Class::COUNT],
            kings: ByColor::default(),
            rest: [0; REST],
        }
    }

    /// The piece on the square.
    #[inline]
    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        // SAFETY: only `put` and `take` write the cells of real squares, pieces and 0.
        unsafe { Piece::from_cell_unchecked(self.cells[square.index()]) }
    }

    /// The cells by padded index: the byte of the piece, 0 for an empty square, [`WALL`] for the
    /// margin.
    #[inline(always)]
    pub(crate) fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Whether the square is empty.
    #[inline]
    pub(crate) fn is_empty(&self, square: Square) -> bool {
        self.cells[square.index()] == 0
    }

    /// Walks from a square in a compass direction to the first cell that is not empty, which may be
    /// in the margin. Calls back with the padded index of each cell, the last one included. Returns
    /// the last index.
    #[inline]
    pub(crate) fn walk(
        &self,
        from: Square,
        direction: Compass,
        mut visit: impl FnMut(usize),
    ) -> usize {
        let mut index = from.index();
        loop {
            index = index.wrapping_add_signed(direction.offset() as isize);
            // SAFETY: the walk starts on a square and goes on from empty cells, which are squares
            // too, because `put` and `take` write to squares alone. A compass step from a square lands
            // on a square or in the margin (see `square`), which is within the board.
            unsafe {
                std::hint::assert_unchecked(index < PADDED_CELLS);
            }
            visit(index);
            if self.cells[index] != 0 {
                return index;
            }
        }
    }

    /// The first occupied square in a direction, or `None` if the edge comes first.
    #[inline]
    pub(crate) fn first_piece(&self, from: Square, direction: Compass) -> Option<Square> {
        let index = self.walk(from, direction, |_| {});
        // SAFETY: a cell that is neither empty nor margin is a real square.
        (self.cells[index] != WALL).then(|| unsafe { Square::from_index_unchecked(index) })
    }

    /// The squares of a color's pieces.
    #[inline]
    pub(crate) fn pieces(&self, color: Color) -> SquareSet {
        self.pieces[color]
    }

    /// The empty squares.
    #[inline]
    pub(crate) fn empties(&self) -> SquareSet {
        SquareSet::ALL.difference(self.occupied())
    }

    /// The occupied squares.
    #[inline]
    pub(crate) fn occupied(&self) -> SquareSet {
        self.pieces[Color::Black].union(self.pieces[Color::White])
    }

    /// Where a color's king stands, if it has one.
    #[inline]
    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        self.kings[color]
    }

    /// Whether an unpromoted pawn of the color stands on the file, so that another pawn drop would
    /// be nifu (二歩).
    #[inline]
    pub(crate) fn has_pawn_on(&self, color: Color, file: File) -> bool {
        !self.pawn_files[color].intersection(SquareSet::file(file)).is_empty()
    }

    /// All squares of the files on which an unpromoted pawn of the color stands: a pawn dropped
    /// there is nifu (二歩).
    #[inline]
    pub(crate) fn pawn_files(&self, color: Color) -> SquareSet {
        self.pawn_files[color]
    }

    /// The squares of both colors' pieces of one class.
    #[inline]
    pub(crate) fn class(&self, class: Class) -> SquareSet {
        self.classes[class as usize]
    }

    /// The squares of a color's pieces of one class.
    #[inline]
    pub(crate) fn of_class(&self, color: Color, class: Class) -> SquareSet {
        self.classes[class as usize].intersection(self.pieces[color])
    }

    /// Walks like [`Board::walk`], and calls back with squares. A margin cell at the end is left
    /// out.
    #[inline]
    pub(crate) fn walk_squares(
        &self,
        from: Square,
        direction: Compass,
        mut visit: impl FnMut(Square),
    ) {
        self.walk(from, direction, |index| {
            if self.cells[index] != WALL {
                // SAFETY: a cell that is not margin is a real square.
                visit(unsafe { Square::from_index_unchecked(index) });
            }
        });
    }

    /// Writes the board after a change.
    ///
    /// # Safety
    ///
    /// `after` must be valid for writing, and aligned. All of the board is written.
    #[inline(always)]
    pub(super) unsafe fn write_after(&self, change: &Change, after: *mut Board) {
        type Lines = [[u64; 8]; size_of::<Board>() / 64];
        let (from, to): (*const Lines, *mut Lines) =
            (std::ptr::from_ref(self).cast(), after.cast());
        // SAFETY: the caller's promise for `after`; a board has no padding, as the sum of its
        // fields shows, so every byte of it is initialized; it is aligned as words are. It is
        // copied by whole vectors, because it is soon read again by whole vectors, before the
        // stores have reached memory.
        let after = unsafe {
            for line in 0..(*from).len() {
                Chosen::load(&(*from)[line]).store_to(&raw mut (*to)[line]);
            }
            &mut *after
        };
        after.make(change);
    }

    /// Changes the board in place.
    #[inline(always)]
    pub(super) fn make(&mut self, change: &Change) {
        if let Some((from, piece)) = change.leaves {
            self.take(from, piece);
        }
        if let Some(captured) = change.captured {
            self.take(change.to, captured);
        }
        self.put(change.to, change.arrives);
    }

    /// Takes back a change in place.
    pub(super) fn unmake(&mut self, change: &Change) {
        self.take(change.to, change.arrives);
        if let Some(captured) = change.captured {
            self.put(change.to, captured);
        }
        if let Some((from, piece)) = change.leaves {
            self.put(from, piece);
        }
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.is_empty(square));
        self.cells[square.index()] = piece.index() as u8;
        self.toggle_sets::<true>(square, piece);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color()] = Some(square);
        }
    }

    /// Removes the piece on a square.
    #[inline]
    pub(super) fn take(&mut self, square: Square, piece: Piece) {
        debug_assert_eq!(self.piece_at(square), Some(piece));
        self.cells[square.index()] = 0;
        self.toggle_sets::<false>(square, piece);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color()] = None;
        }
    }

    /// Adds a piece that arrives to the sets, or removes one that leaves.
    #[inline]
    fn toggle_sets<const ARRIVES: bool>(&mut self, square: Square, piece: Piece) {
        let (color, one) = (piece.color(), SquareSet::single(square));
        let class = CLASSES[piece.kind().index()];
        self.pieces[color] = self.pieces[color].symmetric_difference(one);
        if let Some(class) = class {
            let of_class = &mut self.classes[class as usize];
            *of_class = of_class.symmetric_difference(one);
            if class == Class::Pawn {
                let file = SquareSet::file(square.file());
                let files = self.pawn_files[color];
                if ARRIVES {
                    self.pawn_files[color] = files.union(file);
                } else if self.of_class(color, class).intersection(file).is_empty() {
                    // In a position from a diagram, another pawn may be left on the file.
                    self.pawn_files[color] = files.difference(file);
                }
            }
        }
    }
}

//! The padded mailbox: what stands where.

use crate::color::{ByColor, Color};
use crate::direction::Direction;
use crate::piece::{Piece, PieceKind};
use crate::square::{File, PADDED_CELLS, Square};
use crate::square_set::SquareSet;

/// Content of a margin cell: neither empty nor a piece, so every slide ends on it.
pub(crate) const WALL: u8 = 0x40;

/// The cells of the board, and what follows from them at no cost when one of them changes.
///
/// A cell holds the byte of its piece, 0 when it is empty. Changing a cell does not touch the
/// hash or the attack map: only [`Position`](crate::Position) does all three together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    cells: [u8; PADDED_CELLS],
    pieces: ByColor<SquareSet>,
    kings: ByColor<Option<Square>>,
    /// Files with an unpromoted pawn, bit 0 for file 1.
    pawn_files: ByColor<u16>,
    /// Silvers, bishops and rooks; horses and dragons; by [`Class`].
    classes: ByColor<[SquareSet; 3]>,
}

/// Sets of kinds that are looked for as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Silver, bishop and rook: the kinds that may promote and move backwards.
    Returning = 0,
    /// Horse and dragon: the sliders that have promoted.
    PromotedSlider = 1,
    /// All other kinds.
    Other = 2,
}

const fn class(kind: PieceKind) -> Class {
    match kind {
        PieceKind::Silver | PieceKind::Bishop | PieceKind::Rook => Class::Returning,
        PieceKind::Horse | PieceKind::Dragon => Class::PromotedSlider,
        _ => Class::Other,
    }
}

/// The class of each piece, by [`Piece::index`].
static CLASSES: [Class; Piece::COUNT] = {
    let mut table = [Class::Other; Piece::COUNT];
    let mut number = 0;
    while number < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[number];
        table[Piece::new(Color::Black, kind).index()] = class(kind);
        table[Piece::new(Color::White, kind).index()] = class(kind);
        number += 1;
    }
    table
};

impl Board {
    /// A board without pieces.
    pub(crate) fn empty() -> Board {
        let mut cells = [WALL; PADDED_CELLS];
        for square in Square::all() {
            cells[square.index()] = 0;
        }
        Board {
            cells,
            pieces: ByColor::default(),
            kings: ByColor::default(),
            pawn_files: ByColor::default(),
            classes: ByColor::default(),
        }
    }

    /// All cells, margin included, in the order of padded indices.
    #[inline]
    pub(crate) fn cells(&self) -> &[u8; PADDED_CELLS] {
        &self.cells
    }

    /// What stands on the square.
    #[inline]
    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        // SAFETY: only `put` and `take` write the cells of real squares, pieces and 0.
        unsafe { Piece::from_cell_unchecked(self.cells[square.index()]) }
    }

    /// Whether nothing stands on the square.
    #[inline]
    pub(crate) fn is_empty(&self, square: Square) -> bool {
        self.cells[square.index()] == 0
    }

    /// Walks from a square in a compass direction up to the first cell that is not empty, which
    /// may be in the margin, and calls back with the padded index of each cell, that one
    /// included. Returns its index.
    #[inline]
    pub(crate) fn walk(
        &self,
        from: Square,
        direction: Direction,
        mut visit: impl FnMut(usize),
    ) -> usize {
        debug_assert!(!direction.is_jump());
        let mut index = from.index();
        loop {
            index = index.wrapping_add_signed(direction.offset() as isize);
            // SAFETY: a compass step from a real square lands on a real square or in the margin
            // (see `square`), and margin cells are never empty, so the walk ends there.
            unsafe {
                std::hint::assert_unchecked(index < PADDED_CELLS);
            }
            visit(index);
            if self.cells[index] != 0 {
                return index;
            }
        }
    }

    /// The first square in a direction that is not empty, or `None` if the edge comes first.
    #[inline]
    pub(crate) fn first_piece(&self, from: Square, direction: Direction) -> Option<Square> {
        let index = self.walk(from, direction, |_| {});
        // SAFETY: a cell that is neither empty nor margin is a real square.
        (self.cells[index] != WALL).then(|| unsafe { Square::from_index_unchecked(index) })
    }

    /// The squares of a color's pieces.
    #[inline]
    pub(crate) fn pieces(&self, color: Color) -> SquareSet {
        self.pieces[color]
    }

    /// The squares nothing stands on.
    #[inline]
    pub(crate) fn empties(&self) -> SquareSet {
        SquareSet::ALL.difference(self.pieces[Color::Black]).difference(self.pieces[Color::White])
    }

    /// Where a color's king stands, if it has one.
    #[inline]
    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        self.kings[color]
    }

    /// Whether an unpromoted pawn of the color stands on the file.
    #[inline]
    pub(crate) fn has_pawn_on(&self, color: Color, file: File) -> bool {
        self.pawn_files[color] >> file.index() & 1 != 0
    }

    /// The files on which an unpromoted pawn of the color stands, bit 0 for file 1.
    #[inline]
    pub(crate) fn pawn_files(&self, color: Color) -> u16 {
        self.pawn_files[color]
    }

    /// The squares of a color's pieces of one class.
    #[inline]
    pub(crate) fn of_class(&self, color: Color, class: Class) -> SquareSet {
        self.classes[color][class as usize]
    }

    /// Walks like [`Board::walk`] and calls back with the squares; a cell of the margin at the
    /// end is left out.
    #[inline]
    pub(crate) fn walk_squares(
        &self,
        from: Square,
        direction: Direction,
        mut visit: impl FnMut(Square),
    ) {
        self.walk(from, direction, |index| {
            if self.cells[index] != WALL {
                // SAFETY: a cell that is not margin is a real square.
                visit(unsafe { Square::from_index_unchecked(index) });
            }
        });
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.is_empty(square));
        let color = piece.color();
        self.cells[square.index()] = piece.index() as u8;
        self.pieces[color].insert(square);
        self.classes[color][CLASSES[piece.index()] as usize].insert(square);
        let pawn = u16::from(piece.kind() == PieceKind::Pawn);
        self.pawn_files[color] |= pawn << square.file().index();
        if piece.kind() == PieceKind::King {
            self.kings[color] = Some(square);
        }
    }

    /// Takes away the piece on a square.
    #[inline]
    pub(crate) fn take(&mut self, square: Square, piece: Piece) {
        debug_assert_eq!(self.piece_at(square), Some(piece));
        let color = piece.color();
        self.cells[square.index()] = 0;
        self.pieces[color].remove(square);
        self.classes[color][CLASSES[piece.index()] as usize].remove(square);
        let pawn = u16::from(piece.kind() == PieceKind::Pawn);
        self.pawn_files[color] &= !(pawn << square.file().index());
        if piece.kind() == PieceKind::King {
            self.kings[color] = None;
        }
    }
}

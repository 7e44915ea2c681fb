//! The placement: the pieces on the board together with their attack map.
//!
//! This module is the one door through which pieces arrive on the board or leave it. The functions
//! that write to the board or to the attack map are visible only here.

pub(crate) mod attacks;
pub(crate) mod board;
mod change;

use std::mem::MaybeUninit;

use attacks::AttackMap;
use board::Board;
pub(crate) use change::Change;

use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

/// The board and its attack map. They change together, in place or into another placement.
#[derive(Clone, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Placement {
    attacks: AttackMap,
    board: Board,
}

impl Placement {
    /// No pieces.
    pub(crate) fn empty() -> Placement {
        Placement { attacks: AttackMap::empty(), board: Board::empty() }
    }

    /// The placement of some pieces, computed from scratch. It is the slow twin of all that is
    /// updated step by step.
    pub(crate) fn compute(pieces: impl Iterator<Item = (Square, Piece)>) -> Placement {
        let mut board = Board::empty();
        pieces.for_each(|(square, piece)| board.put(square, piece));
        Placement { attacks: AttackMap::compute(&board), board }
    }

    #[inline]
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    #[inline]
    pub(crate) fn attacks(&self) -> &AttackMap {
        &self.attacks
    }

    /// Puts a piece on an empty square.
    pub(crate) fn put_piece(&mut self, square: Square, piece: Piece) {
        self.change(Change { leaves: None, to: square, arrives: piece, captured: None });
    }

    /// Makes a move in place.
    pub(crate) fn make(&mut self, mv: Move) {
        self.change(Change::by(mv));
    }

    fn change(&mut self, change: Change) {
        self.attacks.make(&change, self.board.occupied());
        self.board.make(&change);
    }

    /// Takes back the move that led to this placement, in place.
    pub(crate) fn unmake(&mut self, mv: Move) {
        let change = Change::by(mv);
        self.attacks.unmake(&change, self.board.occupied());
        self.board.unmake(&change);
    }

    /// Writes the placement after a move, and returns it.
    #[inline]
    pub(crate) fn write_after_move<'a>(
        &self,
        mv: Move,
        after: &'a mut MaybeUninit<Placement>,
    ) -> &'a mut Placement {
        self.write_after(Change::by(mv), after)
    }

    /// Writes the placement after a change, and returns it.
    #[inline(always)]
    pub(crate) fn write_after<'a>(
        &self,
        change: Change,
        after: &'a mut MaybeUninit<Placement>,
    ) -> &'a mut Placement {
        let place = after.as_mut_ptr();
        // SAFETY: both fields of the placement are written whole, each by a method that says so.
        unsafe {
            self.attacks.write_after(&change, self.board.occupied(), &raw mut (*place).attacks);
            self.board.write_after(&change, &raw mut (*place).board);
            after.assume_init_mut()
        }
    }
}

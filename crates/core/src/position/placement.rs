//! The placement: pieces on the board together with what they attack.

use std::mem::MaybeUninit;

use crate::attacks::AttackMap;
use crate::board::Board;
use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

/// What a move changes on the board. Putting a piece on the board is the same as dropping it.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// The piece that leaves a square, as it is there.
    pub(crate) leaves: Option<(Square, Piece)>,
    /// Where it arrives.
    pub(crate) to: Square,
    /// The piece as it is then.
    pub(crate) arrives: Piece,
    /// A piece of the other color that it captures there.
    pub(crate) captured: Option<Piece>,
}

impl Change {
    /// What a move changes.
    #[inline(always)]
    pub(crate) fn by(mv: Move) -> Change {
        Change {
            leaves: mv.from().map(|from| (from, mv.piece())),
            to: mv.to(),
            arrives: mv.piece_after(),
            captured: mv.captured_piece(),
        }
    }
}

/// The board and its attack map. They change together through the one method
/// [`Placement::write_after`], and only through it.
#[derive(Clone, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Placement {
    pub(super) attacks: AttackMap,
    pub(super) board: Board,
}

impl Placement {
    /// No pieces.
    pub(super) fn empty() -> Placement {
        Placement { attacks: AttackMap::empty(), board: Board::empty() }
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
    pub(super) fn put_piece(&mut self, square: Square, piece: Piece) {
        let change = Change { leaves: None, to: square, arrives: piece, captured: None };
        let mut after = MaybeUninit::uninit();
        *self = self.write_after(change, &mut after).clone();
    }

    /// Writes the placement that a move makes of this one, and returns it.
    #[inline]
    pub(super) fn write_after_move<'a>(
        &self,
        mv: Move,
        after: &'a mut MaybeUninit<Placement>,
    ) -> &'a mut Placement {
        self.write_after(Change::by(mv), after)
    }

    /// The one door: writes the placement after a change, and returns it.
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

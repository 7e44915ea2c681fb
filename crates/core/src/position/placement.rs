//! The placement: pieces on the board together with what they attack.

use crate::attacks::AttackMap;
use crate::board::Board;
use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

/// The board and its attack map. They change together through the three methods below, and only
/// through them.
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

    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put_piece(&mut self, square: Square, piece: Piece) {
        self.attacks.toggle(square, self.board.occupied(), piece, None);
        self.board.put(square, piece);
    }

    /// Takes away a piece, leaving its square empty.
    #[inline]
    pub(super) fn remove_piece(&mut self, square: Square, piece: Piece) {
        self.attacks.toggle(square, self.board.occupied(), piece, None);
        self.board.take(square, piece);
    }

    /// Puts a piece in the place of one of the other color. The square stays occupied, so no
    /// slide that reaches it changes.
    #[inline]
    pub(super) fn replace_piece(&mut self, square: Square, old: Piece, new: Piece) {
        self.attacks.toggle(square, self.board.occupied(), new, Some(old));
        self.board.take(square, old);
        self.board.put(square, new);
    }

    /// What a move changes on the board.
    #[inline]
    pub(super) fn apply(&mut self, mv: Move) {
        let to = mv.to();
        if let Some(from) = mv.from() {
            self.remove_piece(from, mv.piece());
        }
        match mv.captured() {
            Some(captured) => {
                let captured = Piece::new(!mv.color(), captured);
                self.replace_piece(to, captured, mv.piece_after());
            }
            None => self.put_piece(to, mv.piece_after()),
        }
    }
}

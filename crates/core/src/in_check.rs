//! Check (王手): whether a king is attacked, by which pieces, and where it could flee.

use crate::color::Color;
use crate::position::Position;
use crate::rays;
use crate::square_set::SquareSet;

impl Position {
    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.is_attacked_king(self.side_to_move())
    }

    /// Whether the given color's king is attacked. A side without a king never is.
    #[inline]
    pub(crate) fn is_attacked_king(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| self.attacks().attacked(!color, king))
    }

    /// The squares of the pieces that give check to the side to move. In a game there are at most
    /// two; a position that is set up may have more.
    #[inline]
    pub fn checkers(&self) -> SquareSet {
        let us = self.side_to_move();
        self.king(us).map_or(SquareSet::EMPTY, |king| self.attackers(!us, king))
    }

    /// The flight squares of a color's king, read off the board as it is: the squares next to the
    /// king without a piece of its own that the other side does not attack. X-rays do not count: a
    /// square behind the king on the line of a checking slider is a flight here, although the king
    /// may not legally go there.
    #[inline]
    pub fn flights(&self, color: Color) -> SquareSet {
        let Some(king) = self.king(color) else { return SquareSet::EMPTY };
        let held = self.board().pieces(color);
        rays::neighbors(king).difference(held).difference(self.attacks().attacked_squares(!color))
    }
}

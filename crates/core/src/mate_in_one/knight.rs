//! Fourth family: a knight moved or dropped. It guards none of the squares around the king, so
//! there may be no flight, unless the knight opens a line by leaving.

use super::Hunt;
use crate::direction::DirectionSet;
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};

impl Hunt<'_> {
    #[inline]
    pub(super) fn knight(&self) -> Option<Move> {
        let knight = Piece::new(self.us, PieceKind::Knight);
        let jumps = movement::steps(knight);
        let in_hand = self.flights == 0 && self.position.hand(self.us).contains(knight.kind());
        for jump in jumps {
            let Some(to) = self.king.neighbor(jump.opposite()) else { continue };
            if self.board.pieces(self.us).contains(to) {
                continue;
            }
            if in_hand
                && self.board.is_empty(to)
                && let Some(mate) = self.try_drop(knight, to)
            {
                return Some(mate);
            }
            let jumpers: DirectionSet = self.attacks.steps(self.us, to).intersection(jumps);
            if jumpers.is_empty() || self.flights != 0 && self.openers().is_empty() {
                continue;
            }
            for jump in jumpers {
                if let Some(from) = to.neighbor(jump.opposite())
                    && let Some(mate) = self.try_arrivals(from, to)
                {
                    return Some(mate);
                }
            }
        }
        None
    }
}

//! Mate in one by a knight, the fourth family. A knight covers none of the squares around the king.
//! So the king must have no flight square, unless the knight opens a line by moving.

use super::finder::MateFinder;
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::rays;

impl MateFinder<'_> {
    #[inline]
    pub(super) fn knight(&self) -> Option<Move> {
        if self.flights != 0 && self.openers.is_empty() {
            return None;
        }
        let checking = rays::knight_checks(self.situation.us, self.situation.king)
            .difference(self.situation.board.pieces(self.situation.us));
        let knight = Piece::new(self.situation.us, PieceKind::Knight);
        let in_hand = self.flights == 0
            && self.situation.position.hand(self.situation.us).contains(knight.kind());
        let on_board = !self
            .situation
            .attacks
            .jump_targets(self.situation.us)
            .intersection(checking)
            .is_empty();
        if !in_hand && !on_board {
            return None;
        }
        let jumps = movement::steps(knight);
        jumps.iter().find_map(|jump| {
            let to = self
                .situation
                .king
                .neighbor(jump.opposite())
                .filter(|&to| checking.contains(to))?;
            if in_hand
                && self.situation.board.is_empty(to)
                && !self.defended().contains(to)
                && let Some(mate) = self.try_drop(knight, to)
            {
                return Some(mate);
            }
            self.situation.attacks.steps(self.situation.us, to).intersection(jumps).iter().find_map(
                |jump| {
                    let from = to.neighbor(jump.opposite())?;
                    if self.flights != 0 && !self.openers.contains(from) {
                        return None;
                    }
                    self.try_arrivals(from, to)
                },
            )
        })
    }
}

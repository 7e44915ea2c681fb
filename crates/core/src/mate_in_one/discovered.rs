//! Mate in one by a discovered check (開き王手), the third family: a piece leaves the line between a
//! slider and the king. It may check as well, which makes a double check (両王手).

use super::after::After;
use super::finder::MateFinder;
use crate::movement;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};
use crate::pins::stays_on_line;
use crate::rays;
use crate::square::Square;

impl MateFinder<'_> {
    #[inline]
    pub(super) fn discovered(&self) -> Option<Move> {
        self.discoverers.into_iter().find_map(|from| self.leave_line(from))
    }

    /// All moves of one discoverer that leave its line.
    fn leave_line(&self, from: Square) -> Option<Move> {
        let piece = self.situation.board.piece_at(from)?;
        // The opened line covers the squares before and behind the king. If a second line may open
        // through the origin, the condition below is not necessary.
        let line = movement::compass(self.situation.king, from)?;
        let opened = neighbors::DIRECTIONS
            .into_iter()
            .enumerate()
            .filter(|&(_, direction)| direction == line || direction == line.opposite())
            .fold(0, |byte, (bit, _)| byte | 1 << bit);
        let opens_more = self.situation.attacks.slides(self.situation.us, from).len() > 1;
        let targets = rays::targets(piece, from, self.situation.board.occupied())
            .difference(self.situation.board.pieces(self.situation.us));
        targets.into_iter().find_map(|to| {
            if stays_on_line(self.situation.king, from, to) {
                return None;
            }
            self.arrivals(from, to, piece)
                .find(|&arrived| {
                    (opens_more || self.could_cover(arrived, to, opened))
                        && self.discoverer_may_move(from, to, piece)
                        && After::of_move(&self.situation, from, to, arrived).is_mate()
                })
                .map(|arrived| self.board_move(from, to, piece, arrived))
        })
    }

    /// Our own king may be the piece that opens the line.
    fn discoverer_may_move(&self, from: Square, to: Square, piece: Piece) -> bool {
        if piece.kind() == PieceKind::King {
            !self.situation.position.king_is_unsafe_on(from, to)
        } else {
            self.may_move(from, to)
        }
    }
}

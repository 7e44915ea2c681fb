//! Third family: a piece leaves the line between a slider and the king, checking itself (double
//! check by slider and step, knight or second slider) or not.

use super::{Hunt, after::After};
use crate::direction::DirectionSet;
use crate::movegen::targets_of;
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

impl Hunt<'_> {
    pub(super) fn discovered(&self) -> Option<Move> {
        self.discoverers.into_iter().find_map(|from| self.leave_line(from))
    }

    /// All moves of one discoverer that leave its line.
    fn leave_line(&self, from: Square) -> Option<Move> {
        let position = self.position;
        let piece = position.piece_at(from)?;
        // The opened line guards the squares before and behind the king. A second line may open
        // through the origin; then the condition below does not hold.
        let line = movement::line_direction(self.king, from)?;
        let opened = DirectionSet::EMPTY.with(line).with(line.opposite());
        let opens_more = position.attacks().slides(self.us, from).len() > 1;
        let targets = targets_of(position, from, piece).difference(position.squares_of(self.us));
        targets.into_iter().find_map(|to| {
            if !self.discovers(from, to) || !self.discoverer_may_move(from, to, piece) {
                return None;
            }
            self.arrivals(from, to, piece)
                .find(|&arrived| {
                    (opens_more || self.could_cover(arrived, to, opened))
                        && After::of_move(self, from, to, arrived).is_mate()
                })
                .map(|arrived| self.board_move(from, to, piece, arrived))
        })
    }

    /// Our own king may be the piece that opens the line.
    fn discoverer_may_move(&self, from: Square, to: Square, piece: Piece) -> bool {
        if piece.kind() == PieceKind::King {
            !self.position.king_is_unsafe_on(from, to)
        } else {
            self.may_move(from, to)
        }
    }
}

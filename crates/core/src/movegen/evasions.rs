//! Replies to check, and the king's moves.

use super::{Filter, MoveSink, Parts};
use crate::direction::Direction;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

impl Position {
    /// Where pieces other than the king may go so that their own king is not left in check (pins
    /// aside): every square without check, the checker and the squares before it in single check,
    /// none in double check.
    pub(crate) fn evasion_targets(&self) -> SquareSet {
        let Some(king) = self.king(self.side_to_move()) else { return SquareSet::ALL };
        if !self.attacks().attacked(!self.side_to_move(), king) {
            return SquareSet::ALL;
        }
        match self.checkers()[..] {
            [checker] => Position::between(checker, king).with(checker),
            _ => SquareSet::EMPTY,
        }
    }

    /// Whether the king of the side to move, having left its square, could be captured on `to`.
    /// Slides that check it reach one square further once it is gone.
    #[inline]
    pub(crate) fn king_is_unsafe_on(&self, king: Square, to: Square) -> bool {
        let them = !self.side_to_move();
        self.attacks().attacked(them, to)
            || self
                .attacks()
                .slides(them, king)
                .any(|direction| king.offset(direction.offset()) == Some(to))
    }
}

impl Parts<'_> {
    pub(super) fn king_moves<S: MoveSink>(&self, filter: Filter, sink: &mut S) {
        let Parts { position, us, king: Some(king), .. } = *self else { return };
        let wanted = self.wanted(filter);
        for direction in Direction::COMPASS {
            let Some(to) = king.offset(direction.offset()) else { continue };
            if wanted.contains(to) && !position.king_is_unsafe_on(king, to) {
                let captured = self.board.piece_at(to).map(Piece::kind);
                let piece = Piece::new(us, PieceKind::King);
                sink.board_move(Move::board(king, to, piece, captured, false));
            }
        }
    }
}

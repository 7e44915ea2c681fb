//! Evasions, the replies to check: where a piece captures the checker or is interposed (合駒), and
//! where the king may go.

use super::{Filter, Parts, SetSink};
use crate::direction::DirectionSet;
use crate::lanes::Chosen;
use crate::moves::Departure;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::rays::{self, Rays};
use crate::square::Square;
use crate::square_set::SquareSet;

impl Position {
    /// The squares to which pieces other than the king may move without leaving their king in
    /// check, pins aside. Without check these are all squares. In single check they are the
    /// checker's square and the squares where a piece can be interposed (合駒). In double check (両王手)
    /// there are none.
    #[inline]
    pub(crate) fn evasion_targets(&self) -> SquareSet {
        let (us, them) = (self.side_to_move(), !self.side_to_move());
        let Some(king) = self.king(us) else { return SquareSet::ALL };
        let checks = self.attacks().directions(them, king);
        if checks.is_empty() {
            return SquareSet::ALL;
        }
        meeting_squares(king, checks, self.board().occupied())
    }

    /// Whether the king of the side to move could be captured on `to` after it has left its square.
    /// A checking slide then reaches one square further.
    #[inline]
    pub(crate) fn king_is_unsafe_on(&self, king: Square, to: Square) -> bool {
        let them = !self.side_to_move();
        self.attacks().attacked(them, to)
            || self
                .attacks()
                .slides(them, king)
                .iter()
                .any(|direction| king.neighbor(direction) == Some(to))
    }
}

/// The squares where a piece other than the king meets a check from the given directions: the
/// square of the only checker and the squares before it. With two checkers there are none.
#[inline]
pub(super) fn meeting_squares(
    king: Square,
    checks: DirectionSet,
    occupied: SquareSet,
) -> SquareSet {
    if checks.len() > 1 {
        return SquareSet::EMPTY;
    }
    match checks.difference(DirectionSet::COMPASS).iter().next() {
        Some(jump) => king.neighbor(jump.opposite()).into_iter().collect(),
        None => {
            // The squares seen from the king towards the check end with the checker.
            let seen = Rays::<Chosen>::seen(king, occupied);
            seen.keep(checks.opposite().bits() as u8).squares()
        }
    }
}

impl Parts<'_> {
    pub(super) fn king_moves<S: SetSink>(&self, filter: Filter, sink: &mut S) {
        let Parts { us, king: Some(king), .. } = *self else { return };
        let near = rays::neighbors(king).intersection(self.wanted(filter));
        if near.is_empty() {
            return;
        }
        let to = near.difference(self.attacks.attacked_around(!us, king));
        if !to.is_empty() {
            let departure = Departure::board(king, Piece::new(us, PieceKind::King));
            sink.moves(departure, to, self.board);
        }
    }
}

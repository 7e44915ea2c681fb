//! Drops, and the two rules that forbid pawn drops: nifu (二歩, two pawns on a file) and uchifuzume
//! (打ち歩詰め, pawn-drop mate).

use super::{MoveSink, Parts};
use crate::color::Color;
use crate::direction::Compass;
use crate::piece::{Piece, PieceKind};
use crate::pins::stays_on_line;
use crate::placement::Placement;
use crate::position::Position;
use crate::promotion::drop_ranks;
use crate::square::Square;
use crate::square_set::SquareSet;

impl Parts<'_> {
    pub(super) fn drops<S: MoveSink>(&self, sink: &mut S) {
        let Parts { position, board, us, .. } = *self;
        if position.hand(us).is_empty() {
            return;
        }
        let empties = self.targets.intersection(board.empties());
        if empties.is_empty() {
            return;
        }
        for (kind, _) in position.hand(us).iter() {
            let mut targets = empties.intersection(drop_ranks(us, kind));
            if kind == PieceKind::Pawn {
                targets = position.without_illegal_pawn_drops(targets);
            }
            sink.drops(Piece::new(us, kind), targets);
        }
    }
}

impl Position {
    /// Removes the squares where a pawn drop is nifu (二歩) or uchifuzume (打ち歩詰め).
    #[inline]
    pub(super) fn without_illegal_pawn_drops(&self, targets: SquareSet) -> SquareSet {
        let us = self.side_to_move();
        let targets = targets.difference(self.board().pawn_files(us));
        without_pawn_drop_mate(targets, us, self.king(!us), |square| self.is_pawn_drop_mate(square))
    }

    /// The square from which a pawn of the side to move would check the enemy king.
    #[inline]
    pub(crate) fn pawn_check_square(&self) -> Option<Square> {
        let us = self.side_to_move();
        before_king(us, self.king(!us)?)
    }

    /// Whether a pawn of the side to move dropped on `square` mates:
    /// [`Placement::is_pawn_drop_mate`].
    pub(crate) fn is_pawn_drop_mate(&self, square: Square) -> bool {
        self.placement().is_pawn_drop_mate(self.side_to_move(), square)
    }
}

/// The square from which one of our pawns would check their king.
#[inline]
fn before_king(us: Color, king: Square) -> Option<Square> {
    king.neighbor(Compass::forward(us).opposite())
}

/// Removes the square before their king if a pawn dropped there mates (打ち歩詰め).
#[inline(always)]
pub(super) fn without_pawn_drop_mate(
    targets: SquareSet,
    us: Color,
    king: Option<Square>,
    mates: impl FnOnce(Square) -> bool,
) -> SquareSet {
    match king.and_then(|king| before_king(us, king)) {
        Some(square) if targets.contains(square) && mates(square) => {
            targets.difference(SquareSet::single(square))
        }
        _ => targets,
    }
}

impl Placement {
    /// Uchifuzume (打ち歩詰め): whether a pawn dropped on `square` mates. The square must be empty and
    /// directly before the enemy king.
    ///
    /// The pawn stands next to the king, so nothing can be interposed. The defender may capture the
    /// pawn or move the king. The attacker's own king is not considered.
    pub(crate) fn is_pawn_drop_mate(&self, us: Color, square: Square) -> bool {
        let them = !us;
        let Some(king) = self.board().king(them) else { return false };
        // The king captures an unsupported pawn.
        if !self.attacks().attacked(us, square) {
            return false;
        }
        // A piece captures the pawn unless the capture opens a line to the king. A piece that is
        // pinned along a slide through `square` is no exception: it stays on its line when it
        // captures there.
        let pinned = self.pinned(them);
        let captured = self.attackers(them, square).iter().any(|from| {
            from != king && (!pinned.contains(from) || stays_on_line(king, from, square))
        });
        if captured {
            return false;
        }
        // The pawn blocks the slides that pass through its square. What they attacked behind it may
        // become a flight square.
        let blocked = self.attacks().slides(us, square);
        let has_flight = Compass::ALL.into_iter().any(|direction| {
            let Some(flight) = king.neighbor(direction) else { return false };
            if flight == square || self.board().pieces(them).contains(flight) {
                return false;
            }
            let mut attacks = self.attacks().slides(us, flight);
            for slide in blocked {
                if square.neighbor(slide) == Some(flight) {
                    attacks = attacks.without(slide);
                }
            }
            attacks.is_empty() && self.attacks().steps(us, flight).is_empty()
        });
        !has_flight
    }
}

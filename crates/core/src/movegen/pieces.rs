//! Moves of the pieces on the board other than the king.

use super::{Filter, MoveSink, Parts};
use crate::board::Board;
use crate::color::Color;
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

impl Parts<'_> {
    /// The moves, target by target: the attack map tells from which directions each is reached.
    pub(super) fn piece_moves<S: MoveSink>(&self, filter: Filter, sink: &mut S) {
        let targets = self.targets.intersection(self.wanted(filter));
        targets.intersection(self.attacks.attacked_squares(self.us)).visit(|to| {
            let target = Target::new(self, to, filter);
            for direction in self.attacks.steps(self.us, to) {
                // SAFETY: the attack map says that a piece stands one step against the direction.
                let from = unsafe { to.offset_unchecked(-direction.offset()) };
                target.push_move_from(from, sink);
            }
            for direction in self.attacks.slides(self.us, to) {
                if let Some(from) = self.board.first_piece(to, direction.opposite()) {
                    target.push_move_from(from, sink);
                }
            }
        });
    }
}

/// What all moves to one square have in common.
pub(super) struct Target<'a> {
    parts: &'a Parts<'a>,
    to: Square,
    captured: Option<PieceKind>,
    /// Whether the square lies in the mover's promotion zone.
    in_zone: bool,
    idle_non_promotions: bool,
}

impl<'a> Target<'a> {
    #[inline]
    pub(super) fn new(parts: &'a Parts<'a>, to: Square, filter: Filter) -> Target<'a> {
        Target {
            parts,
            to,
            captured: parts.board.piece_at(to).map(Piece::kind),
            in_zone: to.in_promotion_zone(parts.us),
            idle_non_promotions: filter.idle_non_promotions,
        }
    }

    /// Hands the move of the piece on `from`, which attacks the target, to the sink, promoting
    /// and as it is where it has the choice; but no move of the king or of a piece that is pinned.
    #[inline(always)]
    pub(super) fn push_move_from<S: MoveSink>(&self, from: Square, sink: &mut S) {
        let Parts { board, us, king, pinned, .. } = *self.parts;
        let to = self.to;
        let Some(piece) = board.piece_at(from) else { return };
        if piece.kind() == PieceKind::King {
            return;
        }
        if pinned.contains(from)
            && king.is_some_and(|king| !Position::stays_on_line(king, from, to))
        {
            return;
        }
        let may = piece.kind().can_promote() && (self.in_zone || from.in_promotion_zone(us));
        if may {
            sink.board_move(Move::board(from, to, piece, self.captured, true));
            let must = to.rank().relative_to(us).index() < piece.kind().dead_ranks();
            let mv = Move::board(from, to, piece, self.captured, false);
            if !must && (self.idle_non_promotions || !mv.is_idle_non_promotion()) {
                sink.board_move(mv);
            }
        } else {
            sink.board_move(Move::board(from, to, piece, self.captured, false));
        }
    }
}

/// Calls back with every square the piece attacks, whatever stands there.
#[inline]
pub(crate) fn for_each_target(
    board: &Board,
    from: Square,
    piece: Piece,
    mut visit: impl FnMut(Square),
) {
    for direction in movement::steps(piece) {
        if let Some(to) = from.neighbor(direction) {
            visit(to);
        }
    }
    for direction in movement::slides(piece) {
        board.walk_squares(from, direction, &mut visit);
    }
}

/// The squares a piece attacks from a square, whatever stands there.
#[inline]
pub(crate) fn targets_of(position: &Position, from: Square, piece: Piece) -> SquareSet {
    let mut targets = SquareSet::EMPTY;
    for_each_target(position.board(), from, piece, |to| targets.insert(to));
    targets
}

/// Whether a piece may promote by this move, and whether it must.
#[inline]
pub(crate) fn promotion(us: Color, kind: PieceKind, from: Square, to: Square) -> (bool, bool) {
    let may = kind.can_promote() && (from.in_promotion_zone(us) || to.in_promotion_zone(us));
    let must = to.rank().relative_to(us).index() < kind.dead_ranks();
    (may, must)
}

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
        let us = self.position.side_to_move();
        let attacks = self.position.attacks();
        let targets = self.targets.intersection(self.wanted(filter));
        targets.intersection(attacks.attacked_squares(us)).visit(|to| {
            for direction in attacks.steps(us, to) {
                if let Some(from) = to.offset(-direction.offset()) {
                    self.piece_move(from, to, filter, sink);
                }
            }
            for direction in attacks.slides(us, to) {
                if let Some(from) = self.position.board().first_piece(to, direction.opposite()) {
                    self.piece_move(from, to, filter, sink);
                }
            }
        });
    }

    /// The move of the piece on `from`, which attacks `to`, unless it is the king's or pinned.
    #[inline]
    fn piece_move<S: MoveSink>(&self, from: Square, to: Square, filter: Filter, sink: &mut S) {
        let Some(piece) = self.position.board().piece_at(from) else { return };
        if piece.kind() == PieceKind::King {
            return;
        }
        if self.pinned.contains(from)
            && self
                .position
                .king(piece.color())
                .is_some_and(|king| !Position::stays_on_line(king, from, to))
        {
            return;
        }
        push_promotions(self.position, from, to, piece, filter, sink);
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
        if let Some(to) = from.offset(direction.offset()) {
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
    let may = kind.promoted().is_some() && (from.in_promotion_zone(us) || to.in_promotion_zone(us));
    let must = to.rank().relative_to(us).index() < kind.dead_ranks();
    (may, must)
}

/// Hands one or both of a board move's forms to the sink: promoting, and staying as it is.
#[inline]
fn push_promotions<S: MoveSink>(
    position: &Position,
    from: Square,
    to: Square,
    piece: Piece,
    filter: Filter,
    sink: &mut S,
) {
    let captured = position.board().piece_at(to).map(Piece::kind);
    let (may, must) = promotion(piece.color(), piece.kind(), from, to);
    if may {
        sink.board_move(Move::board(from, to, piece, captured, true));
    }
    if !must {
        let mv = Move::board(from, to, piece, captured, false);
        if !may || filter.idle_non_promotions || !mv.is_idle_non_promotion() {
            sink.board_move(mv);
        }
    }
}

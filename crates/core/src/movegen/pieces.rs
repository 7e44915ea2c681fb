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
    pub(super) fn piece_moves<S: MoveSink>(&self, filter: Filter, sink: &mut S) {
        let targets = self.targets.intersection(self.wanted(filter));
        if targets.is_empty() {
            return;
        }
        let position = self.position;
        let us = position.side_to_move();
        for from in position.squares_of(us) {
            let Some(piece) = position.piece_at(from) else { continue };
            if piece.kind() == PieceKind::King {
                continue;
            }
            let line = if self.pinned.contains(from) { position.king(us) } else { None };
            for_each_target(position.board(), from, piece, |to| {
                if targets.contains(to)
                    && line.is_none_or(|king| Position::stays_on_line(king, from, to))
                {
                    push_promotions(position, from, to, piece, filter, sink);
                }
            });
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
    let captured = position.piece_at(to).map(Piece::kind);
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

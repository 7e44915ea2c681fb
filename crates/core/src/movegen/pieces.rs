//! Moves of the pieces on the board other than the king.

use super::{Filter, MoveSink, Parts, SetSink};
use crate::direction::Compass;
use crate::lanes::Chosen;
use crate::movement;
use crate::moves::{Departure, Move};
use crate::piece::{Piece, PieceKind};
use crate::pins::stays_on_line;
use crate::placement::attacks::Side;
use crate::placement::board::{Board, Class};
use crate::promotion::{far_four_ranks, promoted_and_not, promotion, promotion_zone};
use crate::rays;
use crate::square::Square;
use crate::square_set::SquareSet;

impl Parts<'_> {
    /// Generates the moves, most of them all at once: the attack map holds the steps of all pieces,
    /// direction by direction. Some pieces are taken out of these sets and handled one by one:
    /// pinned pieces, and those that may promote by a step. Sliding pieces are handled one by one
    /// too.
    pub(super) fn piece_moves<S: SetSink>(&self, filter: Filter, sink: &mut S) {
        let Parts { board, attacks, us, pinned, .. } = *self;
        let targets = self.targets.intersection(self.wanted(filter));
        if targets.is_empty() {
            return;
        }
        let mut side = attacks.side::<Chosen>(us);
        let sliders = self.sliders(&side).difference(pinned);
        if let Some(king) = self.king {
            side.toggle(king, Piece::new(us, PieceKind::King));
        }
        let promoting = board.class(Class::Pawn).union(board.class(Class::Silver));
        let promoting = promoting.intersection(board.pieces(us)).intersection(far_four_ranks(us));
        promoting.union(pinned).visit(|from| {
            // After an illegal move, a piece of the opponent may stand here. Its jumps must not get into
            // our sets: the safety comments below count on that.
            let Some(piece) = board.piece_at(from).filter(|piece| piece.color() == us) else {
                return;
            };
            side.toggle(from, piece);
            let own = if pinned.contains(from) {
                self.along_pin(from, rays::targets(piece, from, board.occupied()))
            } else {
                rays::step_targets(piece, from)
            };
            self.moves_from(from, piece, own.intersection(targets), filter, sink);
        });
        self.promoting_jumps(&side, targets, filter, sink);
        let plain_jumps = targets.difference(promotion_zone(us));
        // SAFETY: a square is only ever put into a direction's set, or taken out of it, by a piece
        // on the square one step back: see `Side::toggle_steps` and `Side::toggle_jumps`.
        unsafe { sink.steps(&side.step_sets(us, targets, plain_jumps), board) };
        sliders.visit(|from| {
            let Some(piece) = board.piece_at(from) else { return };
            let own = rays::slider_targets::<Chosen>(piece, from, board.occupied()).squares();
            self.moves_from(from, piece, own.intersection(targets), filter, sink);
        });
    }

    /// Our sliding pieces, without lances that have an own piece ahead.
    #[inline(always)]
    fn sliders(&self, side: &Side<Chosen>) -> SquareSet {
        let Parts { board, us, .. } = *self;
        let own = board.pieces(us);
        // A piece that slides forward stands behind a square that it slides to.
        let ahead = side.slides().lane(Compass::forward(us)).difference(own).one_ahead(!us);
        let others = board.class(Class::Slider).union(board.class(Class::PromotedSlider));
        ahead.union(others).intersection(own)
    }

    /// Those targets of a pinned piece that lie on the line of its pin.
    #[inline]
    fn along_pin(&self, from: Square, targets: SquareSet) -> SquareSet {
        match self.king.and_then(|king| movement::compass(king, from).zip(Some(king))) {
            Some((direction, king)) => targets.intersection(rays::ray(king, direction)),
            None => targets,
        }
    }

    /// The moves of one piece to the given squares, with and without promotion.
    #[inline(always)]
    fn moves_from<S: SetSink>(
        &self,
        from: Square,
        piece: Piece,
        targets: SquareSet,
        filter: Filter,
        sink: &mut S,
    ) {
        let departure = Departure::board(from, piece);
        let (promoted, plain) = promoted_and_not(piece, from, targets, filter.idle_non_promotions);
        if !promoted.is_empty() {
            sink.moves(departure.promoting(), promoted, self.board);
        }
        if !plain.is_empty() {
            sink.moves(departure, plain, self.board);
        }
    }

    /// The jumps of our knights into the promotion zone.
    #[inline(always)]
    fn promoting_jumps<S: SetSink>(
        &self,
        side: &Side<Chosen>,
        targets: SquareSet,
        filter: Filter,
        sink: &mut S,
    ) {
        let Parts { us, .. } = *self;
        let inside = targets.intersection(promotion_zone(us));
        if side.jump_targets().intersection(inside).is_empty() {
            return;
        }
        let knight = Piece::new(us, PieceKind::Knight);
        for (onto, jump) in side.jumps_by_direction(us) {
            onto.intersection(inside).visit(|to| {
                // SAFETY: a square is only ever put into a jump's set, or taken out of it, by a
                // knight on the square one jump back: see `Side::toggle_jumps`.
                let from = unsafe { to.offset_unchecked(-jump.offset()) };
                self.moves_from(from, knight, SquareSet::single(to), filter, sink);
            });
        }
    }
}

/// The generator of all moves to one square.
pub(super) struct Target<'a> {
    parts: &'a Parts<'a>,
    to: Square,
    captured: Option<PieceKind>,
}

impl<'a> Target<'a> {
    #[inline]
    pub(super) fn new(parts: &'a Parts<'a>, to: Square) -> Target<'a> {
        Target { parts, to, captured: parts.board.piece_at(to).map(Piece::kind) }
    }

    /// Passes the moves of the piece on `from`, which attacks the target, to the sink, with and
    /// without promotion where it has the choice. Moves of the king and of pinned pieces are left
    /// out.
    #[inline(always)]
    pub(super) fn push_move_from<S: MoveSink>(&self, from: Square, sink: &mut S) {
        let Parts { board, us, king, pinned, .. } = *self.parts;
        let to = self.to;
        let Some(piece) = board.piece_at(from) else { return };
        if piece.kind() == PieceKind::King {
            return;
        }
        if pinned.contains(from) && king.is_some_and(|king| !stays_on_line(king, from, to)) {
            return;
        }
        let (may, must) = promotion(us, piece.kind(), from, to);
        if may {
            sink.board_move(Move::board(from, to, piece, self.captured, true));
        }
        if !must {
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
    for direction in movement::slides(piece).compass() {
        board.walk_squares(from, direction, &mut visit);
    }
}

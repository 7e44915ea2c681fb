//! What the four families of mates in one share: what is known around the king, which pieces open a
//! line when they move, and the tests that every mating move must pass.

use std::cell::OnceCell;

use super::after::{After, Situation};
use super::prefilter::{self, Around, Prefilter};
use crate::lanes::Chosen;
use crate::movement::{self, attacks_on_empty_board};
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};
use crate::pins::stays_on_line;
use crate::placement::Placement;
use crate::position::Position;
use crate::promotion::promotion;
use crate::rays::{self, Rays};
use crate::square::Square;
use crate::square_set::SquareSet;

/// What the families know about the position.
pub(super) struct MateFinder<'a> {
    pub(super) situation: Situation<'a>,
    /// What stands on the king's neighbors.
    pub(super) around: Around,
    /// The king's neighbors that we attack.
    pub(super) guarded: u8,
    /// See [`Prefilter::flights`].
    pub(super) flights: u8,
    /// See [`Prefilter::contact`].
    pub(super) contact: u8,
    /// See [`Prefilter::far`].
    pub(super) far: u8,
    /// See [`Prefilter::opening`].
    pub(super) opening: u8,
    /// Our pieces that block one of our slides before a flight or before the king, and that may
    /// give check. When such a piece moves, the slide behind it may cover the flight, pin a
    /// defender or give check. No other move gives a slide a new square near the king.
    pub(super) openers: SquareSet,
    /// Our pieces that stand alone between one of our sliders and the king: they give a discovered
    /// check (開き王手) when they leave the line. All are openers.
    pub(super) discoverers: SquareSet,
    /// See [`MateFinder::constraints`].
    constraints: OnceCell<Constraints>,
}

/// What the safety of our own king demands of our moves.
struct Constraints {
    /// Where our pieces other than the king may go: in check, where they capture the checker or
    /// interpose.
    targets: SquareSet,
    /// Our pinned pieces, which must stay on their line to our own king.
    pinned: SquareSet,
}

impl<'a> MateFinder<'a> {
    /// A search of a position that the prefilter let pass.
    #[inline(always)]
    pub(super) fn new(
        position: &'a Position,
        placement: &'a Placement,
        prefilter: &Prefilter,
    ) -> MateFinder<'a> {
        let us = position.side_to_move();
        // The fields are copied one by one: a struct of bytes would be copied as one word, right
        // after the bytes were written, and would wait for them.
        let Prefilter { king, around, guarded, flights, contact, far, opening } = *prefilter;
        let situation = Situation {
            position,
            board: placement.board(),
            attacks: placement.attacks(),
            us,
            them: !us,
            king,
        };
        let mut finder = MateFinder {
            situation,
            around,
            guarded,
            flights,
            contact,
            far,
            opening,
            openers: SquareSet::EMPTY,
            discoverers: SquareSet::EMPTY,
            constraints: OnceCell::new(),
        };
        if opening != 0 {
            finder.find_openers(prefilter::ends(placement, us, king));
        }
        finder
    }

    /// Finds the openers: those pieces at the end of our slides that may give check.
    #[inline(always)]
    fn find_openers(&mut self, ends: Rays<Chosen>) {
        let seen = Rays::<Chosen>::seen(self.situation.king, self.situation.board.occupied());
        self.discoverers = seen.and(ends.opposite()).squares();
        let next_to_king = rays::neighbors(self.situation.king);
        let far = seen.squares().difference(next_to_king);
        let jumps = rays::knight_checks(self.situation.us, self.situation.king);
        ends.squares().visit(|from| {
            let Some(piece) = self.situation.board.piece_at(from) else { return };
            let checking = match piece.kind() {
                PieceKind::Knight => next_to_king.union(jumps),
                _ if movement::slides(piece).is_empty() => next_to_king,
                _ => next_to_king.union(far),
            };
            let reached = rays::targets(piece, from, self.situation.board.occupied());
            let checks = reached
                .intersection(checking)
                .difference(self.situation.board.pieces(self.situation.us));
            if !checks.is_empty() || self.discoverers.contains(from) {
                self.openers.insert(from);
            }
        });
    }

    /// The squares on which defenders other than the king might capture. The set may be too small,
    /// never too large: with any pinned defender it is empty. A move of a piece that is no opener
    /// creates no pin, so the set also holds after such a move.
    pub(super) fn defended(&self) -> SquareSet {
        let here = &self.situation;
        let pinned = here.position.placement().line_guards(here.king, here.them, here.us);
        if pinned.is_empty() {
            here.attacks.attacked_without_king(here.them, here.king)
        } else {
            SquareSet::EMPTY
        }
    }

    /// The neighbor of the king with the given bit.
    pub(super) fn neighbor(&self, bit: usize) -> Option<Square> {
        self.situation.king.neighbor(neighbors::DIRECTIONS[bit])
    }

    /// Computed when first needed: most positions are decided before.
    fn constraints(&self) -> &Constraints {
        self.constraints.get_or_init(|| Constraints {
            targets: self.situation.position.evasion_targets(),
            pinned: self.situation.position.pinned(self.situation.us),
        })
    }

    /// Whether the safety of our king allows this move of another piece.
    pub(super) fn may_move(&self, from: Square, to: Square) -> bool {
        let Constraints { targets, pinned } = self.constraints();
        targets.contains(to)
            && (!pinned.contains(from)
                || self
                    .situation
                    .board
                    .king(self.situation.us)
                    .is_some_and(|king| stays_on_line(king, from, to)))
    }

    /// Whether moving from `from` to `to` opens one of our lines to the king. Such a move belongs
    /// to the family of discovered checks.
    pub(super) fn discovers(&self, from: Square, to: Square) -> bool {
        self.discoverers.contains(from) && !stays_on_line(self.situation.king, from, to)
    }

    /// Tries our pieces that attack a square, and returns the first move that the test accepts.
    pub(super) fn find_attacker(
        &self,
        to: Square,
        mut test: impl FnMut(Square) -> Option<Move>,
    ) -> Option<Move> {
        let steps = self.situation.attacks.steps(self.situation.us, to);
        let slides = self.situation.attacks.slides(self.situation.us, to);
        steps
            .iter()
            .filter_map(|direction| to.neighbor(direction.opposite()))
            .chain(
                slides.compass().filter_map(|d| self.situation.board.first_piece(to, d.opposite())),
            )
            .find_map(&mut test)
    }

    /// The forms in which a piece may arrive on a square: promoted, and as it is.
    pub(super) fn arrivals(
        &self,
        from: Square,
        to: Square,
        piece: Piece,
    ) -> impl Iterator<Item = Piece> + use<> {
        let (may, must) = promotion(self.situation.us, piece.kind(), from, to);
        let promoted = if may { piece.kind().promoted() } else { None };
        let color = self.situation.us;
        let as_it_is = if must { None } else { Some(piece) };
        promoted.map(|kind| Piece::new(color, kind)).into_iter().chain(as_it_is)
    }

    /// A necessary condition of all families: the arriving piece covers every flight on an empty
    /// board. Two kinds of flights are excepted: the square that the piece goes to, and the
    /// neighbors in `opened`. The condition is necessary only for pieces that are not openers.
    pub(super) fn could_cover(&self, piece: Piece, to: Square, opened: u8) -> bool {
        neighbors::bits(self.flights & !opened).all(|bit| {
            let Some(flight) = self.neighbor(bit) else {
                return true;
            };
            flight == to || attacks_on_empty_board(piece, to, flight)
        })
    }

    /// Tries the moves of the piece on `from` to `to` that give check there, with and without
    /// promotion.
    pub(super) fn try_arrivals(&self, from: Square, to: Square) -> Option<Move> {
        let piece = self.situation.board.piece_at(from)?;
        if piece.kind() == PieceKind::King {
            return None;
        }
        let opens_line = self.openers.contains(from);
        self.arrivals(from, to, piece)
            .find(|&arrived| {
                attacks_on_empty_board(arrived, to, self.situation.king)
                    && (opens_line || self.could_cover(arrived, to, 0))
                    && self.may_move(from, to)
                    && !self.discovers(from, to)
                    && After::of_move(&self.situation, from, to, arrived).is_mate()
            })
            .map(|arrived| self.board_move(from, to, piece, arrived))
    }

    /// Tries a drop that is known to check and could cover all flights.
    pub(super) fn try_drop(&self, piece: Piece, to: Square) -> Option<Move> {
        let mates = self.constraints().targets.contains(to)
            && After::of_drop(&self.situation, piece, to).is_mate();
        mates.then(|| Move::drop(piece, to))
    }

    pub(super) fn board_move(
        &self,
        from: Square,
        to: Square,
        piece: Piece,
        arrived: Piece,
    ) -> Move {
        let captured = self.situation.board.piece_at(to).map(Piece::kind);
        Move::board(from, to, piece, captured, arrived != piece)
    }
}

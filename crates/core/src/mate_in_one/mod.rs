//! Mate in one without lookahead: which move mates at once, told from the board as it stands.
//!
//! After Yamazaki, Seno, Iida and Kotani, "A method of computing mate in one without lookahead in
//! shogi" (1990s): the free squares around the king form one byte, and a checking move mates if
//! it leaves no bit of it, cannot be captured, and cannot be answered by interposing. The moves
//! that can mate fall into four families, one file each. Each family first turns away what
//! cannot mate by a cheap necessary condition; what is left is decided exactly by [`after`],
//! which reads the attack map and walks only the lines that the move changes. No move is made.
//!
//! Contract: a move that is returned mates, and `None` means that no legal move mates. Pawn drops
//! are never considered, because a pawn drop that mates is illegal.

mod adjacent;
mod after;
mod discovered;
mod knight;
mod slider;

use after::After;

use crate::color::Color;
use crate::direction::{Direction, DirectionSet};
use crate::movegen::promotion;
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

impl Position {
    /// A move that mates at once, or `None` if no legal move does.
    ///
    /// Works in check, too, and for a side without a king.
    pub fn mate_in_one(&self) -> Option<Move> {
        let hunt = Hunt::new(self)?;
        hunt.adjacent()
            .or_else(|| hunt.knight())
            .or_else(|| hunt.slider())
            .or_else(|| hunt.discovered())
    }
}

/// What all four families need to know about the position.
struct Hunt<'a> {
    position: &'a Position,
    us: Color,
    them: Color,
    /// The king to be mated.
    king: Square,
    /// Directions in which the king may step now: on the board, not onto its own pieces, not
    /// onto squares we attack.
    flights: DirectionSet,
    /// Where our pieces other than the king may go (a checker to be captured, lines to be cut).
    targets: SquareSet,
    /// Our pieces that must stay on the line to our own king.
    pinned: SquareSet,
    /// Our pieces that stand alone between one of our sliders and the king.
    discoverers: SquareSet,
}

impl<'a> Hunt<'a> {
    fn new(position: &'a Position) -> Option<Hunt<'a>> {
        let us = position.side_to_move();
        let them = !us;
        let king = position.king(them)?;
        let own = position.squares_of(them);
        let mut flights = DirectionSet::EMPTY;
        for direction in Direction::COMPASS {
            if let Some(square) = king.offset(direction.offset())
                && !own.contains(square)
                && !position.attacks().attacked(us, square)
            {
                flights = flights.with(direction);
            }
        }
        Some(Hunt {
            position,
            us,
            them,
            king,
            flights,
            targets: position.evasion_targets(),
            pinned: position.pinned(us),
            discoverers: position.line_guards(king, us, us),
        })
    }

    /// Whether a piece of ours other than the king may move like this.
    fn may_move(&self, from: Square, to: Square) -> bool {
        self.targets.contains(to)
            && (!self.pinned.contains(from)
                || self
                    .position
                    .king(self.us)
                    .is_some_and(|king| Position::stays_on_line(king, from, to)))
    }

    /// Whether leaving `from` for `to` opens a line of ours to the king.
    fn discovers(&self, from: Square, to: Square) -> bool {
        self.discoverers.contains(from) && !Position::stays_on_line(self.king, from, to)
    }

    /// The forms in which a piece may arrive on a square: promoted, and as it is.
    fn arrivals(
        &self,
        from: Square,
        to: Square,
        piece: Piece,
    ) -> impl Iterator<Item = Piece> + use<> {
        let (may, must) = promotion(self.us, piece.kind(), from, to);
        let promoted = if may { piece.kind().promoted() } else { None };
        let color = self.us;
        let as_it_is = if must { None } else { Some(piece) };
        promoted.map(|kind| Piece::new(color, kind)).into_iter().chain(as_it_is)
    }

    /// The necessary condition shared by all families: every present flight, but for the square
    /// the piece itself goes to and those in `opened`, is one the arriving piece could attack on
    /// an empty board. No line but those through a vacated square can guard more than before.
    fn could_cover(&self, piece: Piece, to: Square, opened: DirectionSet) -> bool {
        self.flights.difference(opened).into_iter().all(|direction| {
            let Some(flight) = self.king.offset(direction.offset()) else { return true };
            flight == to || attacks_on_empty_board(piece, to, flight)
        })
    }

    /// Tries the ways in which the piece on `from` may arrive on `to` and give check there.
    fn try_arrivals(&self, from: Square, to: Square) -> Option<Move> {
        let piece = self.position.piece_at(from)?;
        if piece.kind() == PieceKind::King || !self.may_move(from, to) || self.discovers(from, to) {
            return None;
        }
        // A slide that ends on the origin may go on once it is vacated, and guard more.
        let opens_line = !self.position.attacks().slides(self.us, from).is_empty();
        self.arrivals(from, to, piece)
            .find(|&arrived| {
                attacks_on_empty_board(arrived, to, self.king)
                    && (opens_line || self.could_cover(arrived, to, DirectionSet::EMPTY))
                    && After::of_move(self, from, to, arrived).is_mate()
            })
            .map(|arrived| self.board_move(from, to, piece, arrived))
    }

    /// Tries the drops of the given kinds on an empty square from which they check.
    fn try_drops(&self, to: Square, kinds: &[PieceKind]) -> Option<Move> {
        if !self.targets.contains(to) || !self.position.board().is_empty(to) {
            return None;
        }
        let hand = self.position.hand(self.us);
        kinds
            .iter()
            .filter(|&&kind| hand.contains(kind))
            .map(|&kind| Piece::new(self.us, kind))
            .find(|&piece| {
                attacks_on_empty_board(piece, to, self.king)
                    && self.could_cover(piece, to, DirectionSet::EMPTY)
                    && After::of_drop(self, piece, to).is_mate()
            })
            .map(|piece| Move::drop(piece, to))
    }

    fn board_move(&self, from: Square, to: Square, piece: Piece, arrived: Piece) -> Move {
        let captured = self.position.piece_at(to).map(Piece::kind);
        Move::board(from, to, piece, captured, arrived != piece)
    }
}

/// Whether a piece would attack one square from another if nothing stood between.
#[inline]
fn attacks_on_empty_board(piece: Piece, from: Square, to: Square) -> bool {
    movement::displacement(from, to).is_some_and(|displacement| {
        movement::slides(piece).contains(displacement.direction)
            || displacement.distance == 1 && movement::steps(piece).contains(displacement.direction)
    })
}

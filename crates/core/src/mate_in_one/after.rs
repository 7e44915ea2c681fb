//! The exact test of a mate in one: is the king mated after a checking move that has not been made?
//!
//! A move changes the attacks of the moving piece and the lines through its origin and target. On
//! every other line the attack map still holds. So the attackers of a square after the move come
//! from four sources: the steps in the map without the mover's; the slides in the map along
//! unchanged lines; a walk along the changed lines; and the new attacks of the moved piece.
//!
//! ```text
//!   line through the origin:    may be longer       origin → n
//!   line through the target:    may be cut, or starts there    target → n
//! ```

use crate::between::between;
use crate::color::Color;
use crate::direction::{Direction, DirectionSet};
use crate::movement::{self, attacks_on_empty_board};
use crate::piece::{Piece, PieceKind};
use crate::placement::Change;
use crate::placement::attacks::AttackMap;
use crate::placement::board::{Board, Class};
use crate::position::Position;
use crate::promotion::drop_ranks;
use crate::rays;
use crate::square::Square;
use crate::square_set::SquareSet;

/// A position and the king to be mated in it.
#[derive(Clone, Copy)]
pub(super) struct Situation<'a> {
    pub(super) position: &'a Position,
    pub(super) board: &'a Board,
    pub(super) attacks: &'a AttackMap,
    pub(super) us: Color,
    pub(super) them: Color,
    pub(super) king: Square,
}

/// The position after a move that is not made.
pub(super) struct After<'a> {
    situation: &'a Situation<'a>,
    from: Option<Square>,
    to: Square,
    /// The moving piece as it stands on the target.
    arrived: Piece,
}

impl<'a> After<'a> {
    pub(super) fn of_move(
        situation: &'a Situation<'a>,
        from: Square,
        to: Square,
        arrived: Piece,
    ) -> Self {
        After { situation, from: Some(from), to, arrived }
    }

    pub(super) fn of_drop(situation: &'a Situation<'a>, piece: Piece, to: Square) -> Self {
        After { situation, from: None, to, arrived: piece }
    }

    /// Whether the move, which must be legal, mates.
    pub(super) fn is_mate(&self) -> bool {
        let direct = self.checks_directly().then_some(self.to);
        let checkers = [direct, self.discovered_checker()];
        match checkers {
            [None, None] => false,
            _ if self.king_can_run() => false,
            [Some(_), Some(_)] => true,
            [Some(checker), None] | [None, Some(checker)] => {
                !self.can_be_reached_by_defender(checker) && !self.can_be_interposed(checker)
            }
        }
    }

    /// What stands on a square after the move.
    fn piece_at(&self, square: Square) -> Option<Piece> {
        if square == self.to {
            Some(self.arrived)
        } else if Some(square) == self.from {
            None
        } else {
            self.situation.position.piece_at(square)
        }
    }

    /// The first piece seen from a square in a direction. A piece on `transparent` is looked
    /// through.
    fn first_piece(
        &self,
        from: Square,
        direction: impl Into<Direction>,
        transparent: Option<Square>,
    ) -> Option<(Square, Piece)> {
        let (mut square, direction) = (from, direction.into());
        loop {
            square = square.neighbor(direction)?;
            if let Some(piece) = self.piece_at(square)
                && Some(square) != transparent
            {
                return Some((square, piece));
            }
        }
    }

    fn checks_directly(&self) -> bool {
        let king = self.situation.king;
        attacks_on_empty_board(self.arrived, self.to, king)
            && movement::displacement(self.to, king).is_some_and(|displacement| {
                displacement.distance == 1
                    || self
                        .first_piece(king, displacement.direction.opposite(), None)
                        .is_some_and(|(square, _)| square == self.to)
            })
    }

    /// The slider that gives a discovered check: the move has opened its line to the king.
    fn discovered_checker(&self) -> Option<Square> {
        let direction = movement::compass(self.from?, self.situation.king)?;
        let (square, piece) = self.first_piece(self.situation.king, direction.opposite(), None)?;
        let checks = square != self.to
            && piece.color() == self.situation.us
            && movement::slides(piece).contains(direction.direction());
        checks.then_some(square)
    }

    /// Whether the king has a flight square after the move, by a capture or not.
    fn king_can_run(&self) -> bool {
        let Situation { board, attacks, them, king, .. } = *self.situation;
        let change = Change {
            leaves: self.from.and_then(|from| Some((from, board.piece_at(from)?))),
            to: self.to,
            arrives: self.arrived,
            captured: board.piece_at(self.to),
        };
        let attacked = attacks.attacked_after(&change, board.occupied(), king);
        let theirs = board.pieces(them).difference(SquareSet::single(self.to));
        let closed = attacked.union(theirs);
        !rays::neighbors(king).difference(closed).is_empty()
    }

    /// The directions in which slides onto a square may have changed: those that come from the
    /// origin or the target. A slide that continues once the king has left its square is among
    /// them, because it gives check from the target or through the origin.
    fn changed_lines(&self, square: Square) -> DirectionSet {
        [self.from, Some(self.to)]
            .into_iter()
            .flatten()
            .filter_map(|through| movement::line_direction(through, square))
            .fold(DirectionSet::EMPTY, DirectionSet::with)
    }

    /// Whether a defender other than the king can legally move to a square, to capture the checker
    /// or to interpose.
    fn can_be_reached_by_defender(&self, square: Square) -> bool {
        let Situation { position, them, .. } = *self.situation;
        let by_step = position.attacks().steps(them, square).iter().any(|direction| {
            square
                .neighbor(direction.opposite())
                .is_some_and(|from| from != self.to && self.may_leave(from, square))
        });
        let changed = self.changed_lines(square);
        by_step
            || position.attacks().slides(them, square).difference(changed).compass().any(
                |direction| {
                    position
                        .board()
                        .first_piece(square, direction.opposite())
                        .is_some_and(|from| self.may_leave(from, square))
                },
            )
            || changed.into_iter().any(|direction| {
                self.first_piece(square, direction.opposite(), None).is_some_and(|(from, piece)| {
                    piece.color() == them
                        && movement::slides(piece).contains(direction)
                        && self.may_leave(from, square)
                })
            })
    }

    /// Whether a defender may move from one square to another without exposing its king: the pin
    /// test after the move. The king itself is never such a defender.
    fn may_leave(&self, from: Square, to: Square) -> bool {
        let king = self.situation.king;
        if from == king {
            return false;
        }
        let Some(direction) = movement::line_direction(king, from) else { return true };
        if movement::line_direction(king, to) == Some(direction) {
            return true;
        }
        let shields =
            self.first_piece(king, direction, None).is_some_and(|(nearest, _)| nearest == from);
        !shields
            || !self.first_piece(from, direction, None).is_some_and(|(_, piece)| {
                piece.color() == self.situation.us
                    && movement::slides(piece).contains(direction.opposite())
            })
    }

    /// Whether an interposition (合駒), by a move or a drop, can answer a single distant check.
    fn can_be_interposed(&self, checker: Square) -> bool {
        between(checker, self.situation.king)
            .into_iter()
            .any(|square| self.can_be_dropped_on(square) || self.can_be_reached_by_defender(square))
    }

    /// Whether the defender can drop a piece on an empty square between checker and king.
    ///
    /// A dropped pawn there never gives an illegal pawn-drop mate to our own king. The checker
    /// would capture it unless the checker were pinned; and then the pinning piece could have
    /// captured the checker. (With the pawn right before our king and the checker on a line with
    /// both, the pinning piece shares no line with their king, so it is not pinned itself.)
    fn can_be_dropped_on(&self, square: Square) -> bool {
        let Situation { position, them, .. } = *self.situation;
        position.hand(them).iter().any(|(kind, _)| {
            drop_ranks(them, kind).contains(square)
                && (kind != PieceKind::Pawn || !self.has_defending_pawn_on_file_of(square))
        })
    }

    fn has_defending_pawn_on_file_of(&self, square: Square) -> bool {
        let Situation { position, them, .. } = *self.situation;
        // The move may capture a pawn.
        let pawns = position.board().of_class(them, Class::Pawn);
        let left = pawns.difference(SquareSet::single(self.to));
        !left.intersection(SquareSet::file(square.file())).is_empty()
    }
}

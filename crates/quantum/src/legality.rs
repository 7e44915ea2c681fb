//! Legality of moves: whether a move is legal, and if not, which rule it breaks.
//!
//! On a converged side, every narrowing that leaves a piece some kind is consistent. So a move is
//! legal exactly when the moving piece has a kind left. The other 39 pieces do not matter.

use tsumero_core::{Color, Square};

use crate::kind_set::KindSet;
use crate::movement::{RAYS, Vector, as_black};
use crate::moves::{Move, ParseMoveError};
use crate::piece::PieceId;
use crate::position::Position;

/// The rule that a move breaks.
///
/// ```
/// use tsumero_quantum::{IllegalMove, Position};
///
/// let position = Position::startpos();
/// let reason = |text| position.parse_move(text).unwrap_err();
/// // The piece on 9i can be a lance, but it cannot leap over the piece on 9g.
/// assert_eq!(reason("9i9d"), IllegalMove::Leap("9g".parse()?));
/// // No kind moves two squares to the side and three forward.
/// assert!(matches!(reason("7g5d"), IllegalMove::NotAlongVector { .. }));
/// assert_eq!(reason("7g7f+").to_string(), "promotion outside the three far ranks");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The text is not a move.
    #[error(transparent)]
    Malformed(#[from] ParseMoveError),
    /// A king was captured already.
    #[error("the game is over")]
    GameOver,
    /// Nothing stands on the square the move starts from.
    #[error("no piece on {0}")]
    NoPiece(Square),
    /// The piece belongs to the opponent.
    #[error("the piece on {0} is the opponent's")]
    WrongSide(Square),
    /// An own piece stands on the target.
    #[error("an own piece stands on {0}")]
    OwnPieceOnTarget(Square),
    /// None of the piece's possible kinds moves along this vector.
    #[error("piece {piece} can only be {kinds}, none of which moves like that")]
    NotAlongVector {
        /// The piece.
        piece: PieceId,
        /// Its possible kinds.
        kinds: KindSet,
    },
    /// A piece stands in between, and none of the possible kinds may leap over it.
    #[error("a piece stands in between on {0}")]
    Leap(Square),
    /// A promotion where the move neither starts nor ends on one of the three far ranks.
    #[error("promotion outside the three far ranks")]
    OutsideZone,
    /// A promotion of a promoted piece.
    #[error("piece {0} is promoted already")]
    PromotedAlready(PieceId),
    /// Only a gold or a king could make this move, and they do not promote.
    #[error("only {0} could make this move, which does not promote")]
    CannotPromote(KindSet),
    /// None of the kinds that could make this move could ever move again without promoting.
    #[error("only {0} could make this move, which must promote there")]
    MustPromote(KindSet),
    /// The piece to be dropped is not in the mover's hand.
    #[error("piece {0} is not in hand")]
    NotInHand(PieceId),
    /// The square of a drop is not empty.
    #[error("{0} is occupied")]
    OccupiedDropSquare(Square),
    /// None of the dropped piece's possible kinds could ever move from there.
    #[error("piece {piece} can only be {kinds}, which could never move from there")]
    DeadPiece {
        /// The piece.
        piece: PieceId,
        /// Its possible kinds.
        kinds: KindSet,
    },
}

/// The dead kinds of a square: those that an unpromoted piece of a color cannot be there.
#[inline]
pub(crate) const fn dead_kinds(square: Square, color: Color) -> KindSet {
    match square.rank().relative_to(color).index() {
        0 => KindSet::DEAD_ON_LAST_RANK,
        1 => KindSet::DEAD_ON_SECOND_LAST_RANK,
        _ => KindSet::EMPTY,
    }
}

impl Position {
    /// The kinds that the moving piece can be after the move, before its side converges; never
    /// empty.
    ///
    /// # Errors
    /// The first rule that the move breaks.
    pub fn validate(&self, mv: Move) -> Result<KindSet, IllegalMove> {
        if self.winner().is_some() {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Board { from, to, promotes } => self.validate_board_move(from, to, promotes),
            Move::Drop { piece, to } => self.validate_drop(piece, to),
        }
    }

    fn validate_board_move(
        &self,
        from: Square,
        to: Square,
        promotes: bool,
    ) -> Result<KindSet, IllegalMove> {
        let us = self.side_to_move();
        let piece = self.piece_at(from).ok_or(IllegalMove::NoPiece(from))?;
        if self.owner(piece) != us {
            return Err(IllegalMove::WrongSide(from));
        }
        if self.piece_at(to).is_some_and(|target| self.owner(target) == us) {
            return Err(IllegalMove::OwnPieceOnTarget(to));
        }
        let promoted = self.is_promoted(piece);
        let vector = vector(from, to, us);
        let kinds = self.kinds(piece);
        let movers = kinds & vector.kinds(promoted);
        if movers.is_empty() {
            return Err(IllegalMove::NotAlongVector { piece, kinds });
        }
        if let Some(between) = self.obstacle(from, vector, us) {
            return Err(IllegalMove::Leap(between));
        }
        if promotes {
            if promoted {
                return Err(IllegalMove::PromotedAlready(piece));
            }
            if !from.in_promotion_zone(us) && !to.in_promotion_zone(us) {
                return Err(IllegalMove::OutsideZone);
            }
            let left = movers & KindSet::PROMOTABLE;
            if left.is_empty() { Err(IllegalMove::CannotPromote(movers)) } else { Ok(left) }
        } else if promoted {
            Ok(movers)
        } else {
            let left = movers.without(dead_kinds(to, us));
            if left.is_empty() { Err(IllegalMove::MustPromote(movers)) } else { Ok(left) }
        }
    }

    fn validate_drop(&self, piece: PieceId, to: Square) -> Result<KindSet, IllegalMove> {
        let us = self.side_to_move();
        if !self.hand_iter(us).any(|&held| held == piece) {
            return Err(IllegalMove::NotInHand(piece));
        }
        if self.piece_at(to).is_some() {
            return Err(IllegalMove::OccupiedDropSquare(to));
        }
        let kinds = self.kinds(piece);
        let left = kinds.without(dead_kinds(to, us));
        if left.is_empty() { Err(IllegalMove::DeadPiece { piece, kinds }) } else { Ok(left) }
    }

    /// The first occupied square strictly between the start of a vector and its end.
    fn obstacle(&self, from: Square, vector: Vector, us: Color) -> Option<Square> {
        let Vector::Line { direction, distance } = vector else { return None };
        let ray = RAYS[from.dense_index()][as_black(direction, us)].squares();
        ray.iter()
            .take(usize::from(distance) - 1)
            .filter_map(|&square| Square::from_dense_index(usize::from(square)))
            .find(|&square| self.piece_at(square).is_some())
    }
}

/// The displacement between two squares as a color sees it.
fn vector(from: Square, to: Square, color: Color) -> Vector {
    let (from, to) = (from.relative_to(color), to.relative_to(color));
    let difference = |to: usize, from: usize| to as i8 - from as i8;
    Vector::new(
        difference(to.file().index(), from.file().index()),
        difference(to.rank().index(), from.rank().index()),
    )
}

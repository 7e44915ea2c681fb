//! Legality of a move from outside: whether it is legal here, and if not, which rule it breaks.
//!
//! Each rule of shogi has a variant of [`IllegalMove`]: nifu (二歩), uchifuzume (打ち歩詰め), a king left
//! in check (王手放置, 自殺手), a piece without a move (行き所のない駒).

use thiserror::Error;

use crate::between::between;
use crate::movement;
use crate::moves::{Move, ParseMoveError, UsiMove};
use crate::piece::{Piece, PieceKind};
use crate::pins::stays_on_line;
use crate::position::Position;
use crate::promotion::{drop_ranks, promotion};
use crate::square::Square;

/// Why a move is illegal: the first broken rule, in the order of the variants.
///
/// ```
/// use tsumero_core::{IllegalMove, Position};
/// let position = Position::startpos();
/// assert_eq!(position.parse_move("8h2b+"), Err(IllegalMove::Leap));
/// assert_eq!(IllegalMove::Leap.to_string(), "the piece would leap over another");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The text is not a move in USI notation.
    #[error("not a move in USI notation")]
    Malformed,
    /// A coordinate is outside the board.
    #[error("off the board")]
    OffTheBoard,
    /// Nothing stands on the origin.
    #[error("no piece on the origin")]
    NoPiece,
    /// The piece on the origin is the opponent's.
    #[error("the piece belongs to the opponent")]
    WrongSide,
    /// A piece of the mover stands on the target.
    #[error("an own piece stands on the target")]
    OwnPieceOnTarget,
    /// No vector of the piece leads from the origin to the target.
    #[error("the piece does not move that way")]
    NotAlongVector,
    /// A piece stands between origin and target of a slide.
    #[error("the piece would leap over another")]
    Leap,
    /// The kind is not in hand.
    #[error("no such piece in hand")]
    NotInHand,
    /// A drop on a square that is not empty.
    #[error("the drop square is occupied")]
    OccupiedDropSquare,
    /// A piece dropped where it could never move (行き所のない駒).
    #[error("the dropped piece could never move")]
    DeadPiece,
    /// Nifu (二歩, two pawns): a pawn dropped on a file with an unpromoted pawn of the mover.
    #[error("two pawns on the file")]
    TwoPawns,
    /// A promotion of a kind that cannot promote, of a promoted piece, or outside the zone.
    #[error("the piece cannot promote here")]
    CannotPromote,
    /// A piece that could never move again unless it promotes.
    #[error("the piece must promote here")]
    MustPromote,
    /// The move leaves the mover's king in check (王手放置, 自殺手).
    #[error("the king is left in check")]
    LeavesKingInCheck,
    /// Uchifuzume (打ち歩詰め, pawn-drop mate): a dropped pawn gives mate.
    #[error("pawn-drop mate")]
    PawnDropMate,
}

impl From<ParseMoveError> for IllegalMove {
    fn from(error: ParseMoveError) -> IllegalMove {
        match error {
            ParseMoveError::OffTheBoard => IllegalMove::OffTheBoard,
            ParseMoveError::Malformed => IllegalMove::Malformed,
        }
    }
}

impl Position {
    /// Reads a move in USI notation and checks that it is legal here.
    ///
    /// # Errors
    ///
    /// The rule that the move breaks, or that the text is not a move.
    pub fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        self.validate(text.parse()?)
    }

    /// Checks that a USI move is legal here, and turns it into a [`Move`].
    ///
    /// # Errors
    ///
    /// The first rule it breaks, in the order of [`IllegalMove`].
    pub fn validate(&self, mv: UsiMove) -> Result<Move, IllegalMove> {
        match mv {
            UsiMove::Board { from, to, promotes } => self.validate_board_move(from, to, promotes),
            UsiMove::Drop { kind, to } => self.validate_drop(kind, to),
        }
    }

    /// The legal move of this position that [`UsiMove::pack`] turns into the given value, if there
    /// is one. It unpacks a move from a table.
    pub fn unpack_move(&self, packed: u16) -> Option<Move> {
        self.validate(UsiMove::unpack(packed)?).ok()
    }

    fn validate_board_move(
        &self,
        from: Square,
        to: Square,
        promotes: bool,
    ) -> Result<Move, IllegalMove> {
        let us = self.side_to_move();
        let piece = self.piece_at(from).ok_or(IllegalMove::NoPiece)?;
        if piece.color() != us {
            return Err(IllegalMove::WrongSide);
        }
        let target = self.piece_at(to);
        if target.is_some_and(|target| target.color() == us) {
            return Err(IllegalMove::OwnPieceOnTarget);
        }
        let displacement = movement::displacement(from, to).ok_or(IllegalMove::NotAlongVector)?;
        let steps =
            displacement.distance == 1 && movement::steps(piece).contains(displacement.direction);
        if !steps {
            if !movement::slides(piece).contains(displacement.direction) {
                return Err(IllegalMove::NotAlongVector);
            }
            if !between(from, to).difference(self.board().empties()).is_empty() {
                return Err(IllegalMove::Leap);
            }
        }
        let (may, must) = promotion(us, piece.kind(), from, to);
        if promotes && !may {
            return Err(IllegalMove::CannotPromote);
        }
        if must && !promotes {
            return Err(IllegalMove::MustPromote);
        }
        let mv = Move::board(from, to, piece, target.map(Piece::kind), promotes);
        if self.leaves_king_in_check(mv) { Err(IllegalMove::LeavesKingInCheck) } else { Ok(mv) }
    }

    fn validate_drop(&self, kind: PieceKind, to: Square) -> Result<Move, IllegalMove> {
        let us = self.side_to_move();
        if !self.hand(us).contains(kind) {
            return Err(IllegalMove::NotInHand);
        }
        if !self.board().is_empty(to) {
            return Err(IllegalMove::OccupiedDropSquare);
        }
        if !drop_ranks(us, kind).contains(to) {
            return Err(IllegalMove::DeadPiece);
        }
        if kind == PieceKind::Pawn && self.board().has_pawn_on(us, to.file()) {
            return Err(IllegalMove::TwoPawns);
        }
        let mv = Move::drop(Piece::new(us, kind), to);
        if self.leaves_king_in_check(mv) {
            return Err(IllegalMove::LeavesKingInCheck);
        }
        if kind == PieceKind::Pawn
            && self.pawn_check_square() == Some(to)
            && self.is_pawn_drop_mate(to)
        {
            return Err(IllegalMove::PawnDropMate);
        }
        Ok(mv)
    }

    /// Whether the mover's king could be captured after a move that is otherwise legal.
    fn leaves_king_in_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let Some(king) = self.king(us) else { return false };
        match mv.from() {
            Some(from) if from == king => self.king_is_unsafe_on(king, mv.to()),
            Some(from) if self.pinned(us).contains(from) && !stays_on_line(king, from, mv.to()) => {
                true
            }
            _ => !self.evasion_targets().contains(mv.to()),
        }
    }
}

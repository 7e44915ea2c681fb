//! What a move changes on the board.

use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

/// What a move changes on the board. Putting a piece on the board is the same as dropping it.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// The piece that leaves a square, as it is there.
    pub(crate) leaves: Option<(Square, Piece)>,
    /// Where it arrives.
    pub(crate) to: Square,
    /// The piece as it is then.
    pub(crate) arrives: Piece,
    /// A piece of the other color that it captures there.
    pub(crate) captured: Option<Piece>,
}

impl Change {
    /// What a move changes.
    #[inline(always)]
    pub(crate) fn by(mv: Move) -> Change {
        Change {
            leaves: mv.from().map(|from| (from, mv.piece())),
            to: mv.to(),
            arrives: mv.piece_after(),
            captured: mv.captured_piece(),
        }
    }
}

//! The change that a move makes on the board: which piece leaves, which arrives, and which is
//! captured.

use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

/// The change that a move makes on the board. Setting up a piece is the same change as dropping it.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// The square that a piece leaves, and the piece as it stood there.
    pub(crate) leaves: Option<(Square, Piece)>,
    /// The square where the piece arrives.
    pub(crate) to: Square,
    /// The piece as it arrives, promoted if it promotes.
    pub(crate) arrives: Piece,
    /// The piece of the other color that is captured there.
    pub(crate) captured: Option<Piece>,
}

impl Change {
    /// The change of a move.
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

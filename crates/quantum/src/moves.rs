//! Moves of quantum shogi.

use tsumero_core::Square;

use crate::piece::PieceId;

/// A move of quantum shogi. The position says which kinds can make it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A piece on the board moves.
    Board {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// Whether it promotes.
        promote: bool,
    },
    /// A piece in hand is put on the board, unpromoted.
    Drop {
        /// The piece by its name: no two pieces in hand are the same.
        piece: PieceId,
        /// Where it is put.
        to: Square,
    },
}

impl Move {
    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        match self {
            Move::Board { to, .. } | Move::Drop { to, .. } => to,
        }
    }
}

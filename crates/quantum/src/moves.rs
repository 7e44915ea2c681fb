//! Moves of quantum shogi.

use tsumero_core::Square;

use crate::piece::PieceId;

/// A move of quantum shogi. The position says which kinds can make it.
///
/// ```
/// use tsumero_quantum::{Move, PieceId};
///
/// let shown = |mv| match mv {
///     Move::Board { from, to, promote: true } => format!("from {from} to {to}, promoting"),
///     Move::Board { from, to, promote: false } => format!("from {from} to {to}"),
///     Move::Drop { piece, to } => format!("piece {piece} from the hand to {to}"),
/// };
/// assert_eq!(shown("8h2b+".parse()?), "from 8h to 2b, promoting");
/// assert_eq!(shown("c*5e".parse()?), "piece c from the hand to 5e");
/// let drop = Move::Drop { piece: PieceId::from_letter(b'c').unwrap(), to: "5e".parse()? };
/// assert_eq!(drop.to_string(), "c*5e");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

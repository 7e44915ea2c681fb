//! Moves of quantum shogi and their text.

use std::fmt;
use std::str::FromStr;

use tsumero_core::Square;

use crate::piece::PieceId;

/// A move of quantum shogi. The position says which kinds can make it.
///
/// ```
/// use tsumero_quantum::{Move, PieceId};
///
/// let shown = |mv| match mv {
///     Move::Board { from, to, promotes: true } => format!("from {from} to {to}, promoting"),
///     Move::Board { from, to, promotes: false } => format!("from {from} to {to}"),
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
        promotes: bool,
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

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        if let Some((name, to)) = text.split_once('*') {
            let &[letter] = name.as_bytes() else { return Err(ParseMoveError) };
            let piece = PieceId::from_letter(letter).ok_or(ParseMoveError)?;
            let to = to.parse().map_err(|_| ParseMoveError)?;
            return Ok(Move::Drop { piece, to });
        }
        let (squares, promotes) = match text.strip_suffix('+') {
            Some(squares) => (squares, true),
            None => (text, false),
        };
        let (from, to) = squares.split_at_checked(2).ok_or(ParseMoveError)?;
        let square = |text: &str| text.parse::<Square>().map_err(|_| ParseMoveError);
        Ok(Move::Board { from: square(from)?, to: square(to)?, promotes })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Move::Board { from, to, promotes } => {
                format!("{from}{to}{}", if *promotes { "+" } else { "" })
            }
            Move::Drop { piece, to } => format!("{piece}*{to}"),
        })
    }
}

/// The text is not a move.
///
/// ```
/// use tsumero_quantum::{Move, ParseMoveError};
///
/// assert_eq!("7g7".parse::<Move>(), Err(ParseMoveError));
/// // A drop names the piece and not its kind. There is no piece Z.
/// assert_eq!("Z*5e".parse::<Move>(), Err(ParseMoveError));
/// assert!("P*5e".parse::<Move>().is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a move: expected something like 7g7f, 7g7f+ or c*5e")]
pub struct ParseMoveError;

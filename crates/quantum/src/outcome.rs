//! The outcome of a game: how it ends.

use tsumero_core::Color;

use crate::position::Position;

/// The end of a game.
///
/// ```
/// use tsumero_core::Color;
/// use tsumero_quantum::{Outcome, Position};
///
/// let shown = |outcome| match outcome {
///     Outcome::KingCaptured { winner: Color::Black } => "Black takes the king",
///     Outcome::KingCaptured { winner: Color::White } => "White takes the king",
///     Outcome::NoLegalMove { .. } => "no legal move",
///     Outcome::Repetition => "the same position for the fourth time",
///     Outcome::MoveLimit => "too many moves",
/// };
/// let mut position = Position::startpos();
/// while position.outcome(Some(100)).is_none() {
///     for text in ["5i5h", "5a5b", "5h5i", "5b5a"] {
///         position.play(position.parse_move(text)?)?;
///     }
/// }
/// let outcome = position.outcome(Some(100)).unwrap();
/// assert_eq!(shown(outcome), "the same position for the fourth time");
/// assert_eq!(outcome.winner(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A player captured a piece that could only be the king, and wins.
    KingCaptured {
        /// The capturer.
        winner: Color,
    },
    /// The player to move has no legal move and loses.
    NoLegalMove {
        /// The other player.
        winner: Color,
    },
    /// The same position has occurred four times (千日手): a draw. Positions are the same only if the
    /// kinds of all pieces are the same.
    Repetition,
    /// The agreed number of moves was made: a draw.
    MoveLimit,
}

/// The number of occurrences of a position at which the game is drawn by repetition.
pub const REPETITIONS: usize = 4;

impl Outcome {
    /// Who won; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::KingCaptured { winner } | Outcome::NoLegalMove { winner } => Some(winner),
            Outcome::Repetition | Outcome::MoveLimit => None,
        }
    }
}

impl Position {
    /// The outcome, if the game ends with this position. `move_limit` is the number of moves after
    /// which the game is drawn, counted from its start; `None` for no limit.
    pub fn outcome(&self, move_limit: Option<u32>) -> Option<Outcome> {
        if let Some(winner) = self.winner() {
            Some(Outcome::KingCaptured { winner })
        } else if !self.has_legal_move() {
            Some(Outcome::NoLegalMove { winner: !self.side_to_move() })
        } else if self.occurrences() >= REPETITIONS {
            Some(Outcome::Repetition)
        } else if move_limit.is_some_and(|limit| self.ply() > limit) {
            Some(Outcome::MoveLimit)
        } else {
            None
        }
    }
}

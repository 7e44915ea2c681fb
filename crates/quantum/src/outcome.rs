//! How a game ends.

use tsumero_core::Color;

use crate::position::Position;

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A player captured a piece that could only be the king.
    KingCaptured {
        /// The capturer.
        winner: Color,
    },
    /// The player to move has no legal move and loses.
    NoLegalMove {
        /// The other player.
        winner: Color,
    },
    /// The same position has occurred four times: a draw. Positions are the same only if the
    /// kinds of all pieces are.
    Repetition,
    /// As many moves were made as the players agreed on: a draw.
    MoveLimit,
}

/// How often a position occurs when the game ends by repetition.
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
    /// The end of the game, if this position is one. `move_limit` is the number of moves after
    /// which the game is drawn, counted from the start of the game; 0 for no limit.
    pub fn outcome(&self, move_limit: u32) -> Option<Outcome> {
        if let Some(winner) = self.winner() {
            Some(Outcome::KingCaptured { winner })
        } else if !self.has_legal_move() {
            Some(Outcome::NoLegalMove { winner: !self.side_to_move() })
        } else if self.occurrences() >= REPETITIONS {
            Some(Outcome::Repetition)
        } else if move_limit > 0 && self.ply() > move_limit {
            Some(Outcome::MoveLimit)
        } else {
            None
        }
    }
}

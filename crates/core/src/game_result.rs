//! Who won a game, as one side sees it.

use crate::Color;

/// How a game ended for one side. Where a game may have no result, it is an `Option` of this.
///
/// ```
/// use tsumero_core::{Color, GameResult};
/// let winner = Some(Color::White);
/// let of_both = Color::ALL.map(|side| GameResult::for_side(side, winner));
/// assert_eq!(of_both, [GameResult::Loss, GameResult::Win]);
/// assert_eq!(GameResult::for_side(Color::Black, None), GameResult::Draw);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// The side won.
    Win,
    /// Nobody won.
    Draw,
    /// The side lost.
    Loss,
}

impl GameResult {
    /// The result of a side in a game with this winner; `None` for a draw.
    pub fn for_side(side: Color, winner: Option<Color>) -> GameResult {
        match winner {
            None => GameResult::Draw,
            Some(winner) if winner == side => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }
}

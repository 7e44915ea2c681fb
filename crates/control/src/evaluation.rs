//! A static evaluation with its parts, for display.

use tsumero_core::ByColor;

use crate::score::Score;

/// The static value of a position and what it is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The value for the side to move.
    pub total: Score,
    /// Each part with its name and with Black's and White's share. The sum of Black's shares minus
    /// the sum of White's is the total from Black's view.
    pub parts: Vec<(&'static str, ByColor<i32>)>,
}

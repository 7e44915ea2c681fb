//! A static value with its parts.

use tsumero_core::ByColor;

use crate::score::Score;

/// The static value of a position and what it is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The value for the side to move.
    pub total: Score,
    /// Each part with its name: Black's and White's share, each counted in its owner's favor.
    /// Black's shares less White's are the total as Black sees it.
    pub parts: Vec<(&'static str, ByColor<i32>)>,
}

//! A static evaluation with its parts, for display.

use tsumero_core::ByColor;

use crate::score::Score;

/// The static value of a position and what it is made of.
///
/// ```
/// use tsumero_control::{Evaluation, Score};
/// use tsumero_core::{ByColor, Color};
///
/// // Black is to move, has more material and a king in more danger.
/// let parts = vec![("material", ByColor([270, 90])), ("king", ByColor([-60, -40]))];
/// let evaluation = Evaluation { total: Score::new(160), parts };
/// let for_black = |share: &ByColor<i32>| share[Color::Black] - share[Color::White];
/// let row = |(name, share): &(_, _)| format!("{name} {:+}", for_black(share));
/// let rows: Vec<String> = evaluation.parts.iter().map(row).collect();
/// assert_eq!(rows, ["material +180", "king -20"]);
/// let sum: i32 = evaluation.parts.iter().map(|(_, share)| for_black(share)).sum();
/// assert_eq!(evaluation.total.value(), sum);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The value for the side to move.
    pub total: Score,
    /// Each part with its name and with Black's and White's share. The sum of Black's shares minus
    /// the sum of White's is the total from Black's view. Shares are in the units of [`Score`].
    pub parts: Vec<(&'static str, ByColor<i32>)>,
}

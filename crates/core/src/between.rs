//! The squares between two squares.

use crate::movement;
use crate::rays;
use crate::square::Square;
use crate::square_set::SquareSet;

/// The squares strictly between two squares on one line: where a piece could be interposed. Empty
/// for any other pair.
///
/// ```
/// use tsumero_core::between;
/// let squares = between("2h".parse().unwrap(), "5h".parse().unwrap());
/// assert_eq!(squares.iter().map(|square| square.to_string()).collect::<Vec<_>>(), ["3h", "4h"]);
/// assert!(between("2h".parse().unwrap(), "5i".parse().unwrap()).is_empty());
/// ```
#[inline]
pub fn between(from: Square, to: Square) -> SquareSet {
    match movement::compass(from, to) {
        Some(direction) => {
            let seen = rays::ray(from, direction);
            seen.intersection(rays::ray(to, direction.opposite()))
        }
        None => SquareSet::EMPTY,
    }
}

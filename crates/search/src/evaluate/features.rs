//! The evaluation by attack maps as a sum of weighted features, for fitting its weights.

use tsumero_core::{Color, Position, Square};

use super::board_state::BoardState;
use super::influence::turned_state;
use super::weights::{self, COUNT, Weights, danger_of};

/// Number of weights. All indices of features are below it.
pub const FEATURES: usize = COUNT;

/// The meaning of a feature.
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_search::{Feature, evaluate_by_attack_maps, feature, features, present_weights};
/// let (start, mut list) = (Position::startpos(), Vec::new());
/// features(&start, &mut list);
/// let (mut value, mut squares) = (0, 0);
/// for (index, coefficient) in list {
///     value += i32::from(present_weights()[index as usize]) * i32::from(coefficient);
///     match feature(index as usize) {
///         Feature::Square { .. } => squares += 1,
///         Feature::Other => {}
///     }
/// }
/// // Each king looks at all squares.
/// assert_eq!((squares, value), (2 * 81, evaluate_by_attack_maps(&start).total.value()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// A square in a state.
    Square {
        /// How many files it lies from the king.
        dx: usize,
        /// How many ranks it lies behind the king.
        dy: i32,
        /// How much the opponent's hand endangers the king, 0 to 3. It is always 0 for squares that
        /// are not near the king.
        danger: usize,
        /// Nine times what stands there, plus the attackers: below [`STATES`].
        state: usize,
    },
    /// Anything else: hands, the king's square, the right to move.
    Other,
}

/// Number of states of a square.
pub const STATES: usize = super::board_state::STATES;

/// The meaning of the feature with the given index, below [`FEATURES`].
pub fn feature(index: usize) -> Feature {
    match weights::place_of_row(index / STATES) {
        Some((dx, dy, danger)) => Feature::Square { dx, dy, danger, state: index % STATES },
        None => Feature::Other,
    }
}

/// The weights in use.
pub fn present_weights() -> &'static [i16; COUNT] {
    Weights::get().all()
}

/// Appends the features of a position with their coefficients: the sum of the weights times the
/// coefficients is the value of the position for Black, if both sides have a king.
pub fn features(position: &Position, features: &mut Vec<(u32, i16)>) {
    let board = BoardState::of(position);
    let sign = |color| if color == Color::Black { 1 } else { -1 };
    for color in Color::ALL {
        let mut add = |place: usize| features.push((place as u32, sign(color)));
        if let Some(king) = position.king(color) {
            let king = king.relative_to(color);
            let danger = danger_of(position.hand(!color));
            for square in Square::all() {
                let seen = turned_state(board.at(square), color);
                add(weights::row(king, square.relative_to(color), danger) + seen);
            }
            add(weights::king_place(king));
        }
        for (kind, count) in position.hand(color).iter() {
            add(weights::hand_place(kind, count));
        }
        if position.side_to_move() == color {
            add(weights::TEMPO_PLACE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::static_score;

    #[test]
    fn every_feature_of_a_square_is_told_apart() {
        let mut seen = std::collections::HashSet::new();
        for index in 0..FEATURES {
            if let Feature::Square { dx, dy, danger, state } = feature(index) {
                assert!(dx < 9 && dy.abs() < 9 && danger < 4 && state < STATES);
                assert!(seen.insert((dx, dy, danger, state)));
                let king = Square::from_dense_index(40).unwrap();
                let near = (36 + 9 * dx as i32 + dy + 4) as usize;
                if danger > 0 {
                    let square = Square::from_dense_index(near).unwrap();
                    assert_eq!(weights::row(king, square, danger) + state, index);
                }
            }
        }
        assert_eq!(seen.len(), (153 + 45) * STATES);
    }

    use crate::testing::random_games;

    #[test]
    fn the_weighted_sum_is_the_evaluation() {
        let mut list = Vec::new();
        random_games(16, 10, 150, |position| {
            list.clear();
            features(position, &mut list);
            let value = |&(place, coefficient): &(u32, i16)| {
                i32::from(present_weights()[place as usize]) * i32::from(coefficient)
            };
            let sum: i32 = list.iter().map(value).sum();
            let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
            assert_eq!(static_score(position).value(), sign * sum, "{position}");
        });
    }
}

//! The evaluation by attack maps as a sum of weighted features, for fitting its weights.

use tsumero_core::{Color, Position, Square};

use super::board_state::BoardState;
use super::influence::turned_state;
use super::weights::{self, COUNT, Weights, danger_of};

/// Number of weights. All indices of features are below it.
pub const FEATURES: usize = COUNT;

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

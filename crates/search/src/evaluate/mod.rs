//! Static evaluation: by a network, or by attack maps with weights that were fitted to games.

mod attack_evaluator;
#[allow(unsafe_code)]
mod board_state;
mod choice;
mod evaluator;
#[cfg(feature = "tune")]
pub(crate) mod features;
mod influence;
mod material;
mod weights;

use tsumero_control::{Evaluation, Score};
use tsumero_core::{ByColor, Color, Position};

pub(crate) use attack_evaluator::AttackEvaluator;
use board_state::BoardState;
pub use choice::{EvaluationChoice, EvaluationFileError, EvaluationSource};
pub use evaluator::{EvaluationFunction, NetworkEvaluation};
pub(crate) use evaluator::{Evaluator, NetworkEvaluator};
use influence::Influence;
pub(crate) use material::{board_value, capture_gain, exchange_value, move_gain, promotion_gain};
use weights::Weights;

/// Evaluates a position by the attack maps and names the parts.
///
/// ```
/// use tsumero_core::Position;
/// let even = tsumero_search::evaluate_by_attack_maps(&Position::startpos());
/// assert!(even.total.value().abs() < 100);
/// ```
pub fn evaluate_by_attack_maps(position: &Position) -> Evaluation {
    let us = position.side_to_move();
    let mut tempo = ByColor([0; 2]);
    tempo[us] = Weights::get().tempo();
    let mut parts = material_parts(position);
    let board = material::on_board(position);
    let [black, white] = Influence::get().of(position, &BoardState::of(position));
    let king = ByColor([black - board[Color::Black], white - board[Color::White]]);
    parts.extend([("king", king), ("tempo", tempo)]);
    Evaluation { total: static_score(position), parts }
}

/// The value of the pieces on the board and in hand.
fn material_parts(position: &Position) -> Vec<(&'static str, ByColor<i32>)> {
    vec![("material", material::on_board(position)), ("hand", in_hands(position))]
}

/// The value for the side to move without its parts, computed from scratch.
pub(crate) fn static_score(position: &Position) -> Score {
    let hands = in_hands(position);
    let [black, white] = Influence::get().of(position, &BoardState::of(position));
    let value = black + hands[Color::Black] - white - hands[Color::White];
    let value = if position.side_to_move() == Color::Black { value } else { -value };
    Score::ordinary(Weights::get().tempo() + value)
}

/// The value of the pieces on the board and in hand for the side to move, computed from scratch.
pub(crate) fn material_score(position: &Position) -> Score {
    let [board, hands] = [material::on_board(position), in_hands(position)];
    let us = position.side_to_move();
    Score::ordinary(board[us] + hands[us] - board[!us] - hands[!us])
}

/// The value of each color's pieces in hand.
fn in_hands(position: &Position) -> ByColor<i32> {
    ByColor(Color::ALL.map(|color| Weights::get().hand(position.hand(color))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_games, turned};

    #[test]
    fn both_colors_are_judged_alike() {
        let mut seen = 0;
        random_games(3, 20, 200, |position| {
            let mirror = turned(position);
            assert_eq!(static_score(position), static_score(&mirror), "{position}");
            let (parts, mirrored) =
                (evaluate_by_attack_maps(position).parts, evaluate_by_attack_maps(&mirror).parts);
            for ((name, value), (_, other)) in parts.into_iter().zip(mirrored) {
                assert_eq!(value[Color::Black], other[Color::White], "{name} {position}");
                assert_eq!(value[Color::White], other[Color::Black], "{name} {position}");
            }
            seen += 1;
        });
        assert!(seen > 2000);
    }

    #[test]
    fn the_parts_add_up_to_the_total() {
        let by_network = EvaluationFunction::default();
        random_games(4, 10, 200, |position| {
            for evaluation in [evaluate_by_attack_maps(position), by_network.explain(position)] {
                let sum: i32 = evaluation
                    .parts
                    .iter()
                    .map(|(_, value)| value[Color::Black] - value[Color::White])
                    .sum();
                let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
                assert_eq!(evaluation.total.value(), sign * sum, "{position}");
            }
        });
    }

    #[test]
    fn a_side_without_a_king_is_judged_too() {
        for sfen in ["4k4/9/9/9/9/9/9/9/9 b RG 1", "9/9/9/9/9/9/9/9/9 b 2R 1"] {
            let position = Position::from_sfen(sfen).unwrap();
            assert!(evaluate_by_attack_maps(&position).total > Score::new(500), "{sfen}");
        }
    }
}

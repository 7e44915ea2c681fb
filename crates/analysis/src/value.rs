//! The value of a position, from Black's side.

use serde::{Deserialize, Serialize};
use tsumero_control::{Score, ScoreKind};
use tsumero_core::Color;

/// The value of a position from Black's side.
///
/// ```
/// use tsumero_analysis::Value;
/// use tsumero_control::Score;
/// use tsumero_core::Color;
/// let shown = |value| match value {
///     Value::Cp(cp) => format!("{cp:+}"),
///     Value::BlackMates(plies) => format!("Black mates in {plies}"),
///     Value::WhiteMates(plies) => format!("White mates in {plies}"),
/// };
/// // A search tells the score of the side to move.
/// assert_eq!(shown(Value::of_score(Score::new(85), Color::White)), "-85");
/// assert_eq!(shown(Value::of_score(Score::mate_in(7), Color::White)), "White mates in 7");
/// assert!(Value::Cp(-85).win_rate(Color::White) > 0.5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// An ordinary value in the engine's units: a pawn is worth about 90.
    Cp(i32),
    /// Black mates in this many plies; 0 if White is already mated.
    BlackMates(u32),
    /// White mates in this many plies; 0 if Black is already mated.
    WhiteMates(u32),
}

/// The value at which a side wins 73 of 100 games. GUIs use this scale for win rates.
const WIN_RATE_SCALE: f64 = 600.0;

impl Value {
    /// The value of a score for the side to move.
    pub fn of_score(score: Score, side_to_move: Color) -> Value {
        match score.kind() {
            ScoreKind::Centipawns(cp) => Value::Cp(match side_to_move {
                Color::Black => cp,
                Color::White => -cp,
            }),
            ScoreKind::Mate(plies) if plies > 0 => {
                Value::mate_by(side_to_move, plies.unsigned_abs())
            }
            ScoreKind::Mate(plies) => Value::mate_by(side_to_move.opponent(), plies.unsigned_abs()),
        }
    }

    /// A mate by a side in so many plies.
    pub const fn mate_by(winner: Color, plies: u32) -> Value {
        match winner {
            Color::Black => Value::BlackMates(plies),
            Color::White => Value::WhiteMates(plies),
        }
    }

    /// The ordinary value, if it is one.
    pub fn cp(self) -> Option<i32> {
        match self {
            Value::Cp(cp) => Some(cp),
            Value::BlackMates(_) | Value::WhiteMates(_) => None,
        }
    }

    /// The plies to mate: positive if Black mates, negative if White mates, 0 if the side to move
    /// is already mated.
    pub fn mate(self) -> Option<i64> {
        match self {
            Value::Cp(_) => None,
            Value::BlackMates(plies) => Some(i64::from(plies)),
            Value::WhiteMates(plies) => Some(-i64::from(plies)),
        }
    }

    /// The plies to mate, whoever mates.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Value::Cp(_) => None,
            Value::BlackMates(plies) | Value::WhiteMates(plies) => Some(plies),
        }
    }

    /// The side that mates, if one does.
    pub fn mating_side(self) -> Option<Color> {
        match self {
            Value::Cp(_) => None,
            Value::BlackMates(_) => Some(Color::Black),
            Value::WhiteMates(_) => Some(Color::White),
        }
    }

    /// The win rate of a player, from 0 to 1.
    pub fn win_rate(self, player: Color) -> f64 {
        let black = match self {
            Value::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / WIN_RATE_SCALE).exp()),
            Value::BlackMates(_) => 1.0,
            Value::WhiteMates(_) => 0.0,
        };
        match player {
            Color::Black => black,
            Color::White => 1.0 - black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_turn_to_blacks_side() {
        for (score, side, value) in [
            (Score::new(85), Color::Black, Value::Cp(85)),
            (Score::new(85), Color::White, Value::Cp(-85)),
            (Score::mate_in(7), Color::White, Value::WhiteMates(7)),
            (Score::mated_in(8), Color::White, Value::BlackMates(8)),
            (Score::mated_in(0), Color::Black, Value::WhiteMates(0)),
        ] {
            assert_eq!(Value::of_score(score, side), value);
        }
        assert_eq!(Value::WhiteMates(7).mate(), Some(-7));
        assert_eq!(Value::Cp(0).win_rate(Color::White), 0.5);
        assert!((Value::Cp(600).win_rate(Color::Black) - 0.731).abs() < 0.001);
    }
}

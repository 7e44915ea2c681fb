//! A yardstick from outside: positions from games of strong programs that this engine did not play.
//!
//! It measures how well values predict the results of those games, and how far they agree with what
//! the players' own searches said. A network is never trained on these positions.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tsumero_core::{Color, Position, SfenError};

use super::data::Samples;
use crate::expectation::{cross_entropy, fitted_scale, logistic};

/// The scale by which the players' scores become expected results.
const SCORE_SCALE: f64 = 600.0;
/// Larger values count as this one, as do those of a mate.
const LARGEST: f32 = 3000.0;
/// A position with at most so many pieces in hand belongs to an opening or to a castle.
const OPENING_HANDS: u32 = 2;

/// The positions, with the players' scores and the games' results for the side to move.
#[derive(Clone, Debug)]
pub(crate) struct Yardstick {
    samples: Samples,
    /// The positions as SFENs.
    sfens: Vec<String>,
    /// The numbers of the positions with few pieces in hand.
    openings: Vec<usize>,
}

/// What the yardstick says of some values.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Reading {
    /// Mean cross-entropy of the results at the scale that fits best.
    pub loss: f64,
    /// That scale, in the evaluation's units.
    pub scale: f64,
    /// The correlation of expected results, by the values at that scale and by the players' scores,
    /// −1 to 1.
    pub correlation: f64,
    /// The correlation, and its scale, over the positions with at most two pieces in hand alone.
    pub opening_correlation: f64,
}

/// Why a file cannot serve as a yardstick.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum YardstickError {
    /// A row cannot be read.
    #[error(transparent)]
    Row(#[from] csv::Error),
    /// A row contains no position.
    #[error("row {row}: {reason}")]
    Position {
        /// The row, counted from 1 without the head.
        row: usize,
        /// What is wrong with the position.
        reason: SfenError,
    },
    /// There is nothing to measure with.
    #[error("there must be at least two positions with at most two pieces in hand")]
    TooFew,
}

#[derive(Deserialize)]
struct Row {
    sfen: String,
    result: f32,
    score: f32,
}

impl Yardstick {
    /// The 2,000 positions that are part of the program. `tests/data/README.md` names their source.
    ///
    /// # Errors
    /// None: a test reads them.
    pub(crate) fn built_in() -> Result<Yardstick, YardstickError> {
        Yardstick::read(include_bytes!("../../tests/data/floodgate.csv"))
    }

    /// Reads CSV with the columns `sfen`, `result` (1, 0.5 or 0) and `score`, both for the side to
    /// move.
    ///
    /// # Errors
    /// [`YardstickError`].
    pub(crate) fn read(csv: &[u8]) -> Result<Yardstick, YardstickError> {
        let mut yardstick =
            Yardstick { samples: Samples::default(), sfens: Vec::new(), openings: Vec::new() };
        for (number, row) in csv::Reader::from_reader(csv).deserialize().enumerate() {
            let Row { sfen, result, score } = row?;
            let position = Position::from_sfen(&sfen)
                .map_err(|reason| YardstickError::Position { row: number + 1, reason })?;
            let in_hand = |color| position.hand(color).iter().map(|(_, count)| count);
            if Color::ALL.into_iter().flat_map(in_hand).sum::<u32>() <= OPENING_HANDS {
                yardstick.openings.push(number);
            }
            yardstick.samples.push(&position, score, result);
            yardstick.sfens.push(sfen);
        }
        if yardstick.openings.len() < 2 { Err(YardstickError::TooFew) } else { Ok(yardstick) }
    }

    /// The positions as inputs of a network.
    pub(crate) fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The positions as SFENs.
    pub(crate) fn sfens(&self) -> &[String] {
        &self.sfens
    }

    /// Measures values of all positions, for the side to move, in the evaluation's units.
    ///
    /// # Panics
    /// If there is not one value for each position.
    pub(crate) fn read_off(&self, values: &[f32]) -> Reading {
        assert_eq!(values.len(), self.samples.len(), "a value for each position");
        let all: Vec<usize> = (0..values.len()).collect();
        let (loss, scale, correlation) = self.measure(values, &all);
        let (_, _, opening_correlation) = self.measure(values, &self.openings);
        Reading { loss, scale, correlation, opening_correlation }
    }

    /// Loss, scale and correlation over the chosen positions.
    fn measure(&self, values: &[f32], chosen: &[usize]) -> (f64, f64, f64) {
        let pick =
            |from: &[f32]| -> Vec<f32> { chosen.iter().map(|&number| from[number]).collect() };
        let values: Vec<f32> =
            pick(values).iter().map(|value| value.clamp(-LARGEST, LARGEST)).collect();
        let results = pick(self.samples.results());
        let scale = fitted_scale(&values, &results);
        let expected = |value: f32| logistic(f64::from(value) / scale);
        let losses = values.iter().zip(&results);
        let loss: f64 =
            losses.map(|(&value, &result)| cross_entropy(expected(value), result.into())).sum();
        let by_values: Vec<f64> = values.iter().map(|&value| expected(value)).collect();
        let by_players: Vec<f64> = pick(self.samples.scores())
            .iter()
            .map(|&score| logistic(f64::from(score) / SCORE_SCALE))
            .collect();
        (loss / values.len() as f64, scale, correlation(&by_values, &by_players))
    }
}

/// Pearson's correlation of two lists of equal length; NaN if one of them is constant.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut product, mut square_a, mut square_b) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        product += (x - mean_a) * (y - mean_b);
        square_a += (x - mean_a).powi(2);
        square_b += (y - mean_b).powi(2);
    }
    product / (square_a * square_b).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_in_the_program_can_be_read() {
        let yardstick = Yardstick::built_in().unwrap();
        assert_eq!((yardstick.samples.len(), yardstick.openings.len()), (2000, 341));
    }

    /// Values published with the positions: those of the evaluation by attack maps.
    #[test]
    fn the_attack_maps_read_as_published() {
        let yardstick = Yardstick::built_in().unwrap();
        let value = |sfen: &String| {
            let position = Position::from_sfen(sfen).unwrap();
            tsumero_search::evaluate_by_attack_maps(&position).total.value() as f32
        };
        let values: Vec<f32> = yardstick.sfens.iter().map(value).collect();
        let reading = yardstick.read_off(&values);
        assert!((reading.loss - 0.6725).abs() < 1e-4, "{reading:?}");
        assert!((reading.correlation - 0.367).abs() < 1e-3, "{reading:?}");
        assert!((reading.opening_correlation - 0.229).abs() < 2e-3, "{reading:?}");
    }

    #[test]
    fn the_players_own_scores_agree_with_themselves() {
        let yardstick = Yardstick::built_in().unwrap();
        let scores = yardstick.samples.scores().to_vec();
        let against: Vec<f32> = scores.iter().map(|score| -score).collect();
        let (own, other) = (yardstick.read_off(&scores), yardstick.read_off(&against));
        assert!(own.correlation > 0.96 && own.loss < 0.42, "{own:?}");
        // The best that can be done with the opposite is to know nothing.
        assert!(
            other.loss > own.loss && other.loss > 0.69 && other.correlation < -0.9,
            "{other:?}"
        );
    }

    #[test]
    fn a_correlation_is_that_of_a_textbook() {
        // Anscombe's first set: 0.81642.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        assert!((correlation(&x, &y) - 0.81642).abs() < 1e-5);
    }

    #[test]
    fn a_bad_row_is_named() {
        let text = b"sfen,move,result,score\nlnsgkgsnl/9/9 b - 1,7g7f,1,0\n";
        let error = Yardstick::read(text).unwrap_err();
        assert!(error.to_string().starts_with("row 1: "), "{error}");
    }
}

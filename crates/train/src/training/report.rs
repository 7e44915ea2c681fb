//! Measurements of a network on held-out games.

use tsumero_core::Position;
use tsumero_network::{DEFAULT_FV_SCALE, Network};

use super::Loss;
use super::data::HeldOut;
use crate::expectation::{fitted_scale, logistic};

/// The losses of one predictor of results.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub(crate) struct Line {
    /// The name of the predictor.
    pub name: String,
    /// Loss against the games' results.
    pub results: f64,
    /// Loss against the scores of the search.
    pub scores: f64,
    /// Loss against the mixture of the first part of the training.
    pub mixture: f64,
    /// The scale with which its values predict the results best.
    pub own_scale: f64,
    /// Loss against the results with that scale.
    pub results_own_scale: f64,
}

/// The error of the integers against the floating-point network, in units of the evaluation.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub(crate) struct RoundingError {
    /// Mean of the difference, with its sign.
    pub mean: f64,
    /// Root of the mean square.
    pub root_mean_square: f64,
    /// The largest difference.
    pub largest: f64,
}

/// The parameters of the comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    /// The loss.
    pub loss: Loss,
    /// Share of the result in the mixture.
    pub lambda: f64,
    /// Scale of the logistic curve.
    pub scale: f64,
}

impl Measure {
    /// The losses of values on held-out games.
    pub(crate) fn line(&self, name: &str, values: &[f32], held_out: &HeldOut) -> Line {
        let samples = &held_out.samples;
        let mean = |lambda, scale| self.loss.mean(values, samples, lambda, scale);
        let own_scale = fitted_scale(values, samples.results());
        Line {
            name: name.to_owned(),
            results: mean(1.0, self.scale),
            scores: mean(0.0, self.scale),
            mixture: mean(self.lambda, self.scale),
            own_scale,
            results_own_scale: mean(1.0, own_scale),
        }
    }
}

/// The mean difference of two losses over positions.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub(crate) struct Gain {
    /// The difference.
    pub mean: f64,
    /// Its standard error. Games count as independent of each other.
    pub error: f64,
}

impl Measure {
    /// How much better values predict the results than others, each with its best scale.
    pub(crate) fn gain(&self, values: &[f32], others: &[f32], held_out: &HeldOut) -> Gain {
        let samples = &held_out.samples;
        let scales = [values, others].map(|values| fitted_scale(values, samples.results()));
        let differences =
            values.iter().zip(others).enumerate().map(|(sample, (&value, &other))| {
                let target = f64::from(samples.results()[sample]);
                let loss =
                    |value: f32, scale| self.loss.of(logistic(f64::from(value) / scale), target).0;
                loss(other, scales[1]) - loss(value, scales[0])
            });
        let differences: Vec<f64> = differences.collect();
        let count = differences.len().max(1) as f64;
        let mean = differences.iter().sum::<f64>() / count;
        // All positions of a game share its result, so only the sums of games are independent.
        let games = held_out.games.chunk_by(|a, b| a == b);
        let mut rest = &differences[..];
        let mut squares = 0.0;
        for game in games {
            let (own, behind) = rest.split_at(game.len());
            rest = behind;
            squares += own.iter().map(|difference| difference - mean).sum::<f64>().powi(2);
        }
        Gain { mean, error: squares.sqrt() / count }
    }
}

/// The values of an integer network, before they are rounded to whole units.
pub(crate) fn integer_values(network: &Network, sfens: &[String]) -> Vec<f32> {
    let value = |sfen: &String| {
        // The text was made from a position.
        let position = Position::from_sfen(sfen).ok();
        let raw = position.map_or(0, |position| network.evaluate_from_scratch(&position));
        raw as f32 / f32::from(DEFAULT_FV_SCALE.get())
    };
    sfens.iter().map(value).collect()
}

/// The error of the integers against the floating-point network.
pub(crate) fn rounding_error(floats: &[f32], integers: &[f32]) -> RoundingError {
    let differences = || floats.iter().zip(integers).map(|(a, b)| f64::from(b - a));
    let count = floats.len().max(1) as f64;
    RoundingError {
        mean: differences().sum::<f64>() / count,
        root_mean_square: (differences().map(|d| d * d).sum::<f64>() / count).sqrt(),
        largest: differences().map(f64::abs).fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Games of twenty equal positions count no more than games of one position.
    #[test]
    fn the_error_counts_games_and_not_positions() {
        let start = Position::startpos();
        let measure = Measure { loss: Loss::CrossEntropy, lambda: 0.0, scale: 600.0 };
        let gain = |positions: u32| {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let mut held_out = HeldOut::default();
            let (mut informed, mut blind) = (Vec::new(), Vec::new());
            for game in 0..400 {
                let value: f32 = rng.random_range(-800.0..800.0);
                let won = rng.random_bool(logistic(f64::from(value) / 600.0));
                for _ in 0..positions {
                    held_out.samples.push(&start, value, f32::from(u8::from(won)));
                    held_out.games.push(game);
                    informed.push(value);
                    blind.push(0.0);
                }
            }
            measure.gain(&informed, &blind, &held_out)
        };
        let (one, twenty) = (gain(1), gain(20));
        assert!((one.mean - twenty.mean).abs() < 1e-6 && one.mean > 3.0 * one.error, "{one:?}");
        assert!((one.error - twenty.error).abs() < 1e-6, "{one:?} {twenty:?}");
        // The standard error of 400 tosses of a coin with these odds.
        assert!((0.01..0.03).contains(&one.error), "{one:?}");
    }
}

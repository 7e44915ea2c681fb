//! Measurements of a network on held-out games.

use std::fmt;

use tsumero_core::Position;
use tsumero_network::{DEFAULT_FV_SCALE, Network};

use super::data::HeldOut;
use super::model::Model;
use super::{Loss, values};
use crate::expectation::{fitted_scale, logistic};

/// The losses of one predictor of results.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub(crate) struct PredictorLosses {
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
    fn losses(&self, name: &str, values: &[f32], held_out: &HeldOut) -> PredictorLosses {
        let samples = &held_out.samples;
        let mean = |lambda, scale| self.loss.mean(values, samples, lambda, scale);
        let own_scale = fitted_scale(values, samples.results());
        PredictorLosses {
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
    fn gain(&self, values: &[f32], others: &[f32], held_out: &HeldOut) -> Gain {
        let samples = &held_out.samples;
        let scales = [values, others].map(|values| fitted_scale(values, samples.results()));
        let differences =
            values.iter().zip(others).enumerate().map(|(sample, (&value, &other))| {
                let target = f64::from(samples.results()[sample]);
                let loss = |value: f32, scale| {
                    self.loss.with_slope(logistic(f64::from(value) / scale), target).0
                };
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

/// A trained network beside other predictors of the held-out games.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Comparison {
    /// From nothing to the scores of the search.
    pub losses: [PredictorLosses; 5],
    /// How much better the network predicts the results than the attack maps.
    pub gain_over_attack_maps: Gain,
    /// What the network loses by its integers.
    pub rounding: RoundingError,
}

impl Comparison {
    /// Compares a model and the network of its rounded numbers.
    pub(crate) fn new<const STRIPS: usize>(
        model: &Model<STRIPS>,
        network: &Network,
        held_out: &HeldOut,
        measure: &Measure,
    ) -> Comparison {
        let floats = values(model, &held_out.samples);
        let integers = integer_values(network, &held_out.sfens);
        let nothing = vec![0.0; held_out.samples.len()];
        let predictors: [(&str, &[f32]); 5] = [
            ("nothing (0)", &nothing),
            ("attack maps", &held_out.attack_maps),
            ("network, floating point", &floats),
            ("network, integers", &integers),
            ("scores of the search", &held_out.searched),
        ];
        Comparison {
            losses: predictors.map(|(name, values)| measure.losses(name, values, held_out)),
            gain_over_attack_maps: measure.gain(&integers, &held_out.attack_maps, held_out),
            rounding: rounding_error(&floats, &integers),
        }
    }
}

/// A table, and two sentences.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:24} {:>9} {:>9} {:>9} {:>9} {:>10}",
            "held-out loss against", "results", "scores", "mixture", "own scale", "results"
        )?;
        for line in &self.losses {
            writeln!(
                f,
                "{:24} {:9.6} {:9.6} {:9.6} {:9.0} {:10.6}",
                line.name,
                line.results,
                line.scores,
                line.mixture,
                line.own_scale,
                line.results_own_scale
            )?;
        }
        writeln!(
            f,
            "the network tells results better than the attack maps by {:.6} ± {:.6} \
             (standard error by games, own scales)",
            self.gain_over_attack_maps.mean, self.gain_over_attack_maps.error
        )?;
        write!(
            f,
            "integers against floating point: mean {:+.2}, root mean square {:.2}, largest {:.1}",
            self.rounding.mean, self.rounding.root_mean_square, self.rounding.largest
        )
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
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

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

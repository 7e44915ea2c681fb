//! What a network is worth on games that were held out.

use tsumero_core::Position;
use tsumero_network::{DEFAULT_FV_SCALE, Network};

use super::Loss;
use super::data::HeldOut;
use crate::fit::fitted_scale;

/// The losses of one way to tell how a position will end.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Line {
    /// Which way.
    pub name: String,
    /// Loss against the games' results.
    pub results: f64,
    /// Loss against the scores of the search.
    pub scores: f64,
    /// Loss against the mixture that was learned first.
    pub mixture: f64,
    /// Scale with which its values tell the results best.
    pub own_scale: f64,
    /// Loss against the results with that scale.
    pub results_own_scale: f64,
}

/// How far integers are from the floating-point network, in the evaluation's units.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct RoundingError {
    /// Mean of the difference, with its sign.
    pub mean: f64,
    /// Root of the mean square.
    pub root_mean_square: f64,
    /// The largest difference.
    pub largest: f64,
}

/// How values are compared.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The loss.
    pub loss: Loss,
    /// Share of the result in the mixture.
    pub lambda: f64,
    /// Scale of the logistic curve.
    pub scale: f64,
}

impl Measure {
    /// What values are worth on games that were held out.
    pub fn line(&self, name: &str, values: &[f32], held_out: &HeldOut) -> Line {
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

/// The values of an integer network, before they are rounded to whole units.
pub fn integer_values(network: &Network, held_out: &HeldOut) -> Vec<f32> {
    let value = |sfen: &String| {
        // The text was made from a position.
        let position = Position::from_sfen(sfen).ok();
        let raw = position.map_or(0, |position| network.evaluate_from_scratch(&position));
        raw as f32 / f32::from(DEFAULT_FV_SCALE.get())
    };
    held_out.sfens.iter().map(value).collect()
}

/// How far integers are from the floating-point network.
pub fn rounding_error(floats: &[f32], integers: &[f32]) -> RoundingError {
    let differences = || floats.iter().zip(integers).map(|(a, b)| f64::from(b - a));
    let count = floats.len().max(1) as f64;
    RoundingError {
        mean: differences().sum::<f64>() / count,
        root_mean_square: (differences().map(|d| d * d).sum::<f64>() / count).sqrt(),
        largest: differences().map(f64::abs).fold(0.0, f64::max),
    }
}

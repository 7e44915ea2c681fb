//! The numbers of a network while it is trained: floating point, in the order that is fastest to
//! compute with.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::inputs::{ACTIVE, INPUTS};

/// The numbers of a network `L1`x2-`L2`-`L3` with K-P inputs, or as many gradients.
///
/// A hidden value is 1 where the integer network has 127, and an output of 1 is worth
/// [`OUTPUT_VALUE`] units of the evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Model<const L1: usize, const L2: usize, const L3: usize> {
    /// The transformer: a row for each input.
    pub(super) rows: Vec<[f32; L1]>,
    pub(super) row_biases: [f32; L1],
    /// The first dense layer: what each of the `L1` values of the side to move gives to each
    /// output, then those of the other side.
    pub(super) first: Vec<[f32; L2]>,
    pub(super) first_biases: [f32; L2],
    pub(super) second: [[f32; L3]; L2],
    pub(super) second_biases: [f32; L3],
    pub(super) output: [f32; L3],
    pub(super) output_bias: [f32; 1],
}

/// What an output of 1 is worth in the evaluation's units: 127 · 64 in the integer network's last
/// sum, divided by the usual FV_SCALE of 16.
pub const OUTPUT_VALUE: f32 = 127.0 * 64.0 / 16.0;

/// The parts of a model, in the order of [`Model::parts`].
pub(super) const PARTS: usize = 8;
/// Which parts become 8-bit weights, so that their size is limited.
pub(super) const DENSE: [bool; PARTS] = [false, false, true, false, true, false, true, false];

impl<const L1: usize, const L2: usize, const L3: usize> Model<L1, L2, L3> {
    /// All numbers 0.
    pub fn zeros() -> Self {
        Model {
            rows: vec![[0.0; L1]; INPUTS],
            row_biases: [0.0; L1],
            first: vec![[0.0; L2]; 2 * L1],
            first_biases: [0.0; L2],
            second: [[0.0; L3]; L2],
            second_biases: [0.0; L3],
            output: [0.0; L3],
            output_bias: [0.0],
        }
    }

    /// Where training begins: weights drawn evenly from ±1/√n for n inputs at a time, and biases
    /// that put the hidden values between their limits.
    pub fn random(rng: &mut ChaCha8Rng) -> Self {
        let mut model = Self::zeros();
        let mut fill = |values: &mut [f32], inputs: usize| {
            let limit = 1.0 / (inputs as f32).sqrt();
            values.iter_mut().for_each(|value| *value = rng.random_range(-limit..limit));
        };
        // Half of the usual size: both limits are near.
        fill(model.rows.as_flattened_mut(), 4 * ACTIVE);
        fill(model.first.as_flattened_mut(), 2 * L1);
        fill(model.second.as_flattened_mut(), L2);
        fill(&mut model.output, L3);
        model.row_biases = [0.25; L1];
        model.first_biases = [0.25; L2];
        model.second_biases = [0.25; L3];
        model
    }

    /// All numbers, part by part.
    pub(super) fn parts(&self) -> [&[f32]; PARTS] {
        [
            self.rows.as_flattened(),
            &self.row_biases,
            self.first.as_flattened(),
            &self.first_biases,
            self.second.as_flattened(),
            &self.second_biases,
            &self.output,
            &self.output_bias,
        ]
    }

    /// All numbers to be changed, part by part.
    pub(super) fn parts_mut(&mut self) -> [&mut [f32]; PARTS] {
        [
            self.rows.as_flattened_mut(),
            &mut self.row_biases,
            self.first.as_flattened_mut(),
            &mut self.first_biases,
            self.second.as_flattened_mut(),
            &mut self.second_biases,
            &mut self.output,
            &mut self.output_bias,
        ]
    }
}

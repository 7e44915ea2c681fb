//! The numbers of a network during training: floating point, in the order that is fastest to
//! compute with.

use chacha20::ChaCha8Rng;
use rand::RngExt;
use tsumero_network::{Architecture, Kind};
use wide::f32x16;

use super::inputs::{ACTIVE, INPUTS};

/// Width of both hidden layers.
pub(crate) const HIDDEN: usize = {
    let shape = Architecture::standard(Kind::Kp);
    assert!(shape.l2() == shape.l3());
    shape.l2()
};
/// Values of the transformer in a strip.
pub(crate) const STRIP: usize = 64;

/// Values of the transformer that are computed together.
pub(super) type Strip = [f32x16; STRIP / 16];
/// Values of a hidden layer.
pub(super) type Hidden = [f32x16; HIDDEN / 16];

pub(super) const EMPTY_STRIP: Strip = [f32x16::ZERO; STRIP / 16];
pub(super) const EMPTY_HIDDEN: Hidden = [f32x16::ZERO; HIDDEN / 16];

/// The numbers of a network with a transformer of `STRIPS` times 64 values for each view, and two
/// layers of 32. The same type holds their gradients. The inputs are those of K-P, or those of K-P
/// once for each part that the own king chooses.
///
/// A hidden value of 1 corresponds to 127 in the integer network. An output of 1 is worth
/// [`OUTPUT_VALUE`] units of the evaluation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Model<const STRIPS: usize> {
    /// The kind of the inputs.
    pub(super) kind: Kind,
    /// The transformer: a row for each input.
    pub(super) rows: Vec<[Strip; STRIPS]>,
    pub(super) row_biases: [Strip; STRIPS],
    /// The first dense layer, by input: the weights of the values of the side to move, then those
    /// of the other side.
    pub(super) first: Vec<Hidden>,
    pub(super) first_biases: Hidden,
    /// The second dense layer, also by input.
    pub(super) second: [Hidden; HIDDEN],
    pub(super) second_biases: Hidden,
    pub(super) output: Hidden,
    pub(super) output_bias: f32,
}

/// The value of an output of 1 in units of the evaluation: 127 · 64 in the last sum of the integer
/// network, divided by the usual FV_SCALE of 16.
pub(crate) const OUTPUT_VALUE: f32 = 127.0 * 64.0 / 16.0;

/// Number of parts of a model.
pub(super) const PARTS: usize = 8;
/// The parts in the order of [`Model::parts`].
pub(super) const ROWS: usize = 0;
pub(super) const ROW_BIASES: usize = 1;
pub(super) const FIRST: usize = 2;
pub(super) const FIRST_BIASES: usize = 3;
pub(super) const SECOND: usize = 4;
pub(super) const SECOND_BIASES: usize = 5;
pub(super) const OUTPUT: usize = 6;
pub(super) const OUTPUT_BIAS: usize = 7;

impl<const STRIPS: usize> Model<STRIPS> {
    /// Number of values of the transformer for one view.
    pub(crate) const WIDTH: usize = STRIPS * STRIP;

    /// All numbers 0.
    pub(crate) fn zeros(kind: Kind) -> Self {
        Model {
            kind,
            rows: vec![[EMPTY_STRIP; STRIPS]; kind.inputs()],
            row_biases: [EMPTY_STRIP; STRIPS],
            first: vec![EMPTY_HIDDEN; 2 * Self::WIDTH],
            first_biases: EMPTY_HIDDEN,
            second: [EMPTY_HIDDEN; HIDDEN],
            second_biases: EMPTY_HIDDEN,
            output: EMPTY_HIDDEN,
            output_bias: 0.0,
        }
    }

    /// The initial network: weights uniformly random within ±1/√n for n active inputs, 0 for missing
    /// pieces, and biases that put the hidden values between their limits.
    pub(crate) fn random(kind: Kind, rng: &mut ChaCha8Rng) -> Self {
        let mut model = Self::zeros(kind);
        let parts = model.parts_mut();
        // Half of the usual size in the transformer, because both limits are near.
        let inputs = [4 * ACTIVE, 0, 2 * Self::WIDTH, 0, HIDDEN, 0, HIDDEN, 0];
        for ((number, values), inputs) in parts.into_iter().enumerate().zip(inputs) {
            match number {
                ROW_BIASES | FIRST_BIASES | SECOND_BIASES => values.fill(0.25),
                OUTPUT_BIAS => values.fill(0.0),
                _ => {
                    let limit = 1.0 / (inputs as f32).sqrt();
                    values.fill_with(|| rng.random_range(-limit..limit));
                }
            }
        }
        // Input 0 is a missing piece. Most games have all pieces, and then nothing changes its row.
        model.rows.iter_mut().step_by(INPUTS).for_each(|row| *row = [EMPTY_STRIP; STRIPS]);
        model
    }

    /// All numbers, part by part.
    pub(super) fn parts(&self) -> [&[f32]; PARTS] {
        [
            bytemuck::cast_slice(self.rows.as_flattened().as_flattened()),
            bytemuck::cast_slice(self.row_biases.as_flattened()),
            bytemuck::cast_slice(self.first.as_flattened()),
            bytemuck::cast_slice(&self.first_biases),
            bytemuck::cast_slice(self.second.as_flattened()),
            bytemuck::cast_slice(&self.second_biases),
            bytemuck::cast_slice(&self.output),
            std::slice::from_ref(&self.output_bias),
        ]
    }

    /// All numbers, mutable, part by part.
    pub(super) fn parts_mut(&mut self) -> [&mut [f32]; PARTS] {
        [
            bytemuck::cast_slice_mut(self.rows.as_flattened_mut().as_flattened_mut()),
            bytemuck::cast_slice_mut(self.row_biases.as_flattened_mut()),
            bytemuck::cast_slice_mut(self.first.as_flattened_mut()),
            bytemuck::cast_slice_mut(&mut self.first_biases),
            bytemuck::cast_slice_mut(self.second.as_flattened_mut()),
            bytemuck::cast_slice_mut(&mut self.second_biases),
            bytemuck::cast_slice_mut(&mut self.output),
            std::slice::from_mut(&mut self.output_bias),
        ]
    }
}

//! What a network makes of positions, and how its numbers would have to change: the forward and
//! the backward pass.
//!
//! Both go over chunks of samples whose values stay in the second-level cache. The transformer is
//! computed strip by strip, so that a strip of all its rows stays there, too. The dense layers take
//! a block of samples at a time, so that each weight is loaded once for all of them. All loops have
//! constant lengths for the compiler to turn into vector instructions.

use super::inputs::{Active, mirrored, turned};
use super::data::Samples;
use super::model::Model;

/// Samples at a time.
pub(super) const CHUNK: usize = 128;
/// Samples at a time in the dense layers.
const BLOCK: usize = 8;
/// Values of the transformer at a time.
const STRIP: usize = 64;

/// `a * b + c`; rounded once where the processor can do that at no cost.
#[inline(always)]
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

/// Whether a hidden value follows its sum, that is, is not at a limit.
#[inline(always)]
fn slope(value: f32) -> f32 {
    if value > 0.0 && value < 1.0 { 1.0 } else { 0.0 }
}

/// A sample and whether it is mirrored, in one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pick(u32);

impl Pick {
    const MIRRORED: u32 = 1 << 31;
    /// Samples that can be told apart.
    pub(super) const MOST: usize = Pick::MIRRORED as usize;

    pub(super) fn new(sample: usize, mirrored: bool) -> Pick {
        debug_assert!(sample < Pick::MOST);
        Pick(sample as u32 | if mirrored { Pick::MIRRORED } else { 0 })
    }

    #[inline]
    pub(super) fn sample(self) -> usize {
        (self.0 & !Pick::MIRRORED) as usize
    }

    fn is_mirrored(self) -> bool {
        self.0 & Pick::MIRRORED != 0
    }
}

/// The hidden values of a block of samples behind the first dense layer.
struct Hidden<const L2: usize, const L3: usize> {
    first: [[f32; L2]; BLOCK],
    second: [[f32; L3]; BLOCK],
    output: [f32; BLOCK],
}

/// The memory that a thread works in.
pub(super) struct Workspace<const L1: usize, const L2: usize, const L3: usize> {
    /// The sum of the gradients of all samples since it was emptied.
    pub(super) gradient: Model<L1, L2, L3>,
    /// Inputs of the chunk, of the side to move and of the other.
    active: Vec<[Active; 2]>,
    /// Values of the transformer, and on the way back the gradients of its sums.
    values: Vec<[[f32; L1]; 2]>,
    /// The weights of the first dense layer by output.
    first_by_output: Vec<[[f32; L1]; 2]>,
}

impl<const L1: usize, const L2: usize, const L3: usize> Workspace<L1, L2, L3> {
    pub(super) fn new() -> Self {
        const { assert!(L1.is_multiple_of(STRIP)) };
        Workspace {
            gradient: Model::zeros(),
            active: Vec::with_capacity(CHUNK),
            values: vec![[[0.0; L1]; 2]; CHUNK],
            first_by_output: vec![[[0.0; L1]; 2]; L2],
        }
    }

    /// Adds the gradient of samples. `judge` is shown the place of each among them and the
    /// network's output, and gives the loss and its slope by the output. Returns the sum of losses.
    pub(super) fn learn(
        &mut self,
        model: &Model<L1, L2, L3>,
        samples: &Samples,
        picks: &[Pick],
        judge: impl Fn(usize, f32) -> (f64, f32),
    ) -> f64 {
        for (side, rows) in model.first.chunks_exact(L1).enumerate() {
            for (input, row) in rows.iter().enumerate() {
                for (output, &weight) in row.iter().enumerate() {
                    self.first_by_output[output][side][input] = weight;
                }
            }
        }
        let mut loss = 0.0;
        for (chunk, picks) in picks.chunks(CHUNK).enumerate() {
            self.transform(model, samples, picks);
            for block in 0..picks.len().div_ceil(BLOCK) {
                let hidden = self.dense(model, block);
                let mut slopes = [0.0; BLOCK];
                for (place, slope) in slopes.iter_mut().enumerate() {
                    let number = block * BLOCK + place;
                    if number < picks.len() {
                        let output = hidden.output[place];
                        let (sample_loss, sample_slope) = judge(chunk * CHUNK + number, output);
                        loss += sample_loss;
                        *slope = sample_slope;
                    }
                }
                self.dense_backward(model, block, &hidden, &slopes);
            }
            self.transform_backward();
        }
        loss
    }

    /// The network's outputs for samples.
    pub(super) fn outputs(
        &mut self,
        model: &Model<L1, L2, L3>,
        samples: &Samples,
        picks: &[Pick],
        outputs: &mut Vec<f32>,
    ) {
        for picks in picks.chunks(CHUNK) {
            self.transform(model, samples, picks);
            for (block, picks) in picks.chunks(BLOCK).enumerate() {
                outputs.extend(&self.dense(model, block).output[..picks.len()]);
            }
        }
    }

    /// Computes the transformer's values for at most [`CHUNK`] samples.
    fn transform(&mut self, model: &Model<L1, L2, L3>, samples: &Samples, picks: &[Pick]) {
        self.active.clear();
        self.active.extend(picks.iter().map(|pick| {
            let own = samples.inputs(pick.sample());
            let own = if pick.is_mirrored() { mirrored(own) } else { *own };
            [own, turned(&own)]
        }));
        let biases = model.row_biases.as_chunks::<STRIP>().0;
        for (strip, biases) in biases.iter().enumerate() {
            for (views, values) in self.active.iter().zip(&mut self.values) {
                for (active, values) in views.iter().zip(values) {
                    let mut sums = *biases;
                    for &input in active {
                        let row = &model.rows[usize::from(input)].as_chunks::<STRIP>().0[strip];
                        for (sum, weight) in sums.iter_mut().zip(row) {
                            *sum += weight;
                        }
                    }
                    values.as_chunks_mut::<STRIP>().0[strip] = sums.map(|sum| sum.clamp(0.0, 1.0));
                }
            }
        }
    }

    /// Adds the gradients of the transformer's sums to those of its rows.
    fn transform_backward(&mut self) {
        for strip in 0..L1 / STRIP {
            let biases = &mut self.gradient.row_biases.as_chunks_mut::<STRIP>().0[strip];
            for (views, values) in self.active.iter().zip(&self.values) {
                for (active, values) in views.iter().zip(values) {
                    let slopes = values.as_chunks::<STRIP>().0[strip];
                    for (sum, slope) in biases.iter_mut().zip(&slopes) {
                        *sum += slope;
                    }
                    for &input in active {
                        let row = &mut self.gradient.rows[usize::from(input)];
                        let row = &mut row.as_chunks_mut::<STRIP>().0[strip];
                        for (sum, slope) in row.iter_mut().zip(&slopes) {
                            *sum += slope;
                        }
                    }
                }
            }
        }
    }

    /// The dense layers for a block of the chunk. Samples behind the last one have values from
    /// before, which nobody looks at.
    fn dense(&self, model: &Model<L1, L2, L3>, block: usize) -> Hidden<L2, L3> {
        let values = &self.values.as_chunks::<BLOCK>().0[block];
        let mut first = [model.first_biases; BLOCK];
        for side in 0..2 {
            let rows = &model.first[side * L1..][..L1];
            for (input, row) in rows.iter().enumerate() {
                for place in 0..BLOCK {
                    let value = values[place][side][input];
                    for output in 0..L2 {
                        let sum = &mut first[place][output];
                        *sum = multiply_add(value, row[output], *sum);
                    }
                }
            }
        }
        let first = first.map(|sums| sums.map(|sum| sum.clamp(0.0, 1.0)));
        let mut second = [model.second_biases; BLOCK];
        for (input, row) in model.second.iter().enumerate() {
            for place in 0..BLOCK {
                let value = first[place][input];
                for output in 0..L3 {
                    let sum = &mut second[place][output];
                    *sum = multiply_add(value, row[output], *sum);
                }
            }
        }
        let second = second.map(|sums| sums.map(|sum| sum.clamp(0.0, 1.0)));
        let output = second.map(|values| {
            let products = values.iter().zip(&model.output);
            products.fold(model.output_bias[0], |sum, (value, weight)| sum + value * weight)
        });
        Hidden { first, second, output }
    }

    /// Adds the gradients of the dense layers for a block of the chunk, and puts those of the
    /// transformer's sums in place of its values.
    fn dense_backward(
        &mut self,
        model: &Model<L1, L2, L3>,
        block: usize,
        hidden: &Hidden<L2, L3>,
        slopes: &[f32; BLOCK],
    ) {
        let gradient = &mut self.gradient;
        let mut second = [[0.0; L3]; BLOCK];
        for place in 0..BLOCK {
            gradient.output_bias[0] += slopes[place];
            for output in 0..L3 {
                let value = hidden.second[place][output];
                gradient.output[output] += slopes[place] * value;
                second[place][output] = slopes[place] * model.output[output] * slope(value);
            }
        }
        let mut first = [[0.0; L2]; BLOCK];
        for place in 0..BLOCK {
            add(&mut gradient.second_biases, &second[place]);
            for input in 0..L2 {
                let value = hidden.first[place][input];
                let mut sum = 0.0;
                for output in 0..L3 {
                    sum += model.second[input][output] * second[place][output];
                    let weight = &mut gradient.second[input][output];
                    *weight = multiply_add(value, second[place][output], *weight);
                }
                first[place][input] = sum * slope(value);
            }
            add(&mut gradient.first_biases, &first[place]);
        }
        let values = &mut self.values.as_chunks_mut::<BLOCK>().0[block];
        for side in 0..2 {
            let rows = &mut gradient.first[side * L1..][..L1];
            for (input, row) in rows.iter_mut().enumerate() {
                for place in 0..BLOCK {
                    let value = values[place][side][input];
                    for output in 0..L2 {
                        row[output] = multiply_add(value, first[place][output], row[output]);
                    }
                }
            }
            for strip in 0..L1 / STRIP {
                for place in 0..BLOCK {
                    let mut sums = [0.0; STRIP];
                    for output in 0..L2 {
                        let row = &self.first_by_output[output][side].as_chunks::<STRIP>().0[strip];
                        for (sum, weight) in sums.iter_mut().zip(row) {
                            *sum = multiply_add(first[place][output], *weight, *sum);
                        }
                    }
                    let values = &mut values[place][side].as_chunks_mut::<STRIP>().0[strip];
                    for (value, sum) in values.iter_mut().zip(&sums) {
                        *value = sum * slope(*value);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [f32; N], values: &[f32; N]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

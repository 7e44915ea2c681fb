//! The forward and the backward pass: the network's values for positions, and the gradients of its
//! numbers.
//!
//! Both work on chunks of samples whose values stay in the second-level cache. The transformer is
//! computed strip by strip, so one strip of all rows stays there, too. The dense layers take a
//! block of samples at a time, so each weight is loaded once for all of them.

use tsumero_network::Kind;
use wide::f32x16;

use super::data::Samples;
use super::inputs::{Parts, Rows, mirrored, turned};
use super::model::{EMPTY_HIDDEN, EMPTY_STRIP, HIDDEN, Hidden, Model, STRIP, Strip};

/// Number of samples in a chunk.
pub(super) const CHUNK: usize = 128;
/// Number of samples in a block of the dense layers.
const BLOCK: usize = 8;

const ONE: f32x16 = f32x16::ONE;

/// Limits sums to 0 to 1.
#[inline(always)]
fn clip<const N: usize>(sums: &mut [f32x16; N]) {
    for sum in sums {
        *sum = sum.fast_max(f32x16::ZERO).fast_min(ONE);
    }
}

/// The gradient of a sum, from that of its clipped value: 0 where the value is at a limit.
#[inline(always)]
fn unclipped(gradient: f32x16, value: f32x16) -> f32x16 {
    gradient & value.simd_gt(f32x16::ZERO) & value.simd_lt(ONE)
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [f32x16; N], values: &[f32x16; N]) {
    for lane in 0..N {
        sums[lane] += values[lane];
    }
}

/// Adds the products of a number with others.
#[inline(always)]
fn add_product<const N: usize>(sums: &mut [f32x16; N], factor: f32, values: &[f32x16; N]) {
    let factor = f32x16::splat(factor);
    for lane in 0..N {
        sums[lane] = factor.mul_add(values[lane], sums[lane]);
    }
}

/// The sum of all products.
#[inline(always)]
fn dot(a: &Hidden, b: &Hidden) -> f32 {
    a[1].mul_add(b[1], a[0] * b[0]).reduce_add()
}

/// One value of a hidden layer.
#[inline(always)]
fn hidden_value(values: &Hidden, number: usize) -> f32 {
    values[number / 16].as_array()[number % 16]
}

/// A sample and whether it is mirrored, in one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pick(u32);

impl Pick {
    const MIRRORED: u32 = 1 << 31;
    /// The largest number of samples.
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

/// The values of a block of samples after the transformer.
struct Behind {
    first: [Hidden; BLOCK],
    second: [Hidden; BLOCK],
    output: [f32; BLOCK],
}

/// The working memory of a thread.
pub(super) struct Workspace<const STRIPS: usize> {
    /// The sum of the gradients of all samples since it was cleared.
    pub(super) gradient: Model<STRIPS>,
    parts: Parts,
    /// Rows of the chunk, of the side to move and of the other.
    active: Vec<[Rows; 2]>,
    /// Values of the transformer; in the backward pass, the gradients of its sums.
    values: Vec<[[Strip; STRIPS]; 2]>,
    /// The weights of the first dense layer by output.
    first_by_output: Vec<[[Strip; STRIPS]; 2]>,
}

impl<const STRIPS: usize> Workspace<STRIPS> {
    pub(super) fn new(kind: Kind) -> Self {
        Workspace {
            gradient: Model::zeros(kind),
            parts: Parts::new(kind),
            active: Vec::with_capacity(CHUNK),
            values: vec![[[EMPTY_STRIP; STRIPS]; 2]; CHUNK],
            first_by_output: vec![[[EMPTY_STRIP; STRIPS]; 2]; HIDDEN],
        }
    }

    /// Adds the gradient of samples. `judge` receives the index of each sample and the network's
    /// output, and returns the loss and its derivative by the output. Returns the sum of losses.
    pub(super) fn learn(
        &mut self,
        model: &Model<STRIPS>,
        samples: &Samples,
        picks: &[Pick],
        judge: impl Fn(usize, f32) -> (f64, f32),
    ) -> f64 {
        for (output, columns) in self.first_by_output.iter_mut().enumerate() {
            let columns: &mut [f32] =
                bytemuck::cast_slice_mut(columns.as_flattened_mut().as_flattened_mut());
            for (weight, row) in columns.iter_mut().zip(&model.first) {
                *weight = hidden_value(row, output);
            }
        }
        let mut loss = 0.0;
        for (chunk, picks) in picks.chunks(CHUNK).enumerate() {
            self.transform(model, samples, picks);
            for block in 0..picks.len().div_ceil(BLOCK) {
                let behind = self.dense(model, block);
                let mut slopes = [0.0; BLOCK];
                for (place, slope) in slopes.iter_mut().enumerate() {
                    let number = block * BLOCK + place;
                    if number < picks.len() {
                        let output = behind.output[place];
                        let (sample_loss, sample_slope) = judge(chunk * CHUNK + number, output);
                        loss += sample_loss;
                        *slope = sample_slope;
                    }
                }
                self.dense_backward(model, block, &behind, &slopes);
            }
            self.transform_backward();
        }
        loss
    }

    /// Appends the network's outputs for samples.
    pub(super) fn outputs(
        &mut self,
        model: &Model<STRIPS>,
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
    fn transform(&mut self, model: &Model<STRIPS>, samples: &Samples, picks: &[Pick]) {
        self.active.clear();
        self.active.extend(picks.iter().map(|pick| {
            let own = samples.inputs(pick.sample());
            let own = if pick.is_mirrored() { mirrored(own) } else { *own };
            [own, turned(&own)].map(|active| self.parts.rows(&active))
        }));
        for strip in 0..STRIPS {
            for (views, values) in self.active.iter().zip(&mut self.values) {
                for view in 0..2 {
                    let mut sums = model.row_biases[strip];
                    for &row in &views[view] {
                        add(&mut sums, &model.rows[row as usize][strip]);
                    }
                    clip(&mut sums);
                    values[view][strip] = sums;
                }
            }
        }
    }

    /// Adds the gradients of the transformer's sums to those of its rows.
    fn transform_backward(&mut self) {
        for strip in 0..STRIPS {
            let mut biases = self.gradient.row_biases[strip];
            for (views, values) in self.active.iter().zip(&self.values) {
                for view in 0..2 {
                    let gradient = values[view][strip];
                    add(&mut biases, &gradient);
                    for &row in &views[view] {
                        add(&mut self.gradient.rows[row as usize][strip], &gradient);
                    }
                }
            }
            self.gradient.row_biases[strip] = biases;
        }
    }

    /// Computes the dense layers for a block of the chunk. Samples after the last one have old
    /// values, which are not used.
    fn dense(&self, model: &Model<STRIPS>, block: usize) -> Behind {
        let values = &self.values.as_chunks::<BLOCK>().0[block];
        let mut first = [model.first_biases; BLOCK];
        let rows = model.first.as_chunks::<STRIP>().0;
        for (number, rows) in rows.iter().enumerate() {
            let (view, strip) = (number / STRIPS, number % STRIPS);
            for (input, row) in rows.iter().enumerate() {
                for place in 0..BLOCK {
                    let value = values[place][view][strip][input / 16].as_array()[input % 16];
                    add_product(&mut first[place], value, row);
                }
            }
        }
        first.iter_mut().for_each(clip);
        let mut second = [model.second_biases; BLOCK];
        for (input, row) in model.second.iter().enumerate() {
            for place in 0..BLOCK {
                add_product(&mut second[place], hidden_value(&first[place], input), row);
            }
        }
        second.iter_mut().for_each(clip);
        let mut output = [model.output_bias; BLOCK];
        for (output, values) in output.iter_mut().zip(&second) {
            *output += dot(values, &model.output);
        }
        Behind { first, second, output }
    }

    /// Adds the gradients of the dense layers for a block of the chunk, and puts those of the
    /// transformer's sums in place of its values.
    fn dense_backward(
        &mut self,
        model: &Model<STRIPS>,
        block: usize,
        behind: &Behind,
        slopes: &[f32; BLOCK],
    ) {
        let gradient = &mut self.gradient;
        let mut first = [EMPTY_HIDDEN; BLOCK];
        for place in 0..BLOCK {
            let (slope, values) = (slopes[place], &behind.second[place]);
            gradient.output_bias += slope;
            add_product(&mut gradient.output, slope, values);
            let mut second = EMPTY_HIDDEN;
            add_product(&mut second, slope, &model.output);
            for lane in 0..second.len() {
                second[lane] = unclipped(second[lane], values[lane]);
            }
            add(&mut gradient.second_biases, &second);
            let mut sums = [0.0; HIDDEN];
            for (input, sum) in sums.iter_mut().enumerate() {
                *sum = dot(&model.second[input], &second);
                let value = hidden_value(&behind.first[place], input);
                add_product(&mut gradient.second[input], value, &second);
            }
            for (lane, sums) in sums.as_chunks::<16>().0.iter().enumerate() {
                first[place][lane] = unclipped(f32x16::new(*sums), behind.first[place][lane]);
            }
            add(&mut gradient.first_biases, &first[place]);
        }
        let values = &mut self.values.as_chunks_mut::<BLOCK>().0[block];
        let rows = gradient.first.as_chunks_mut::<STRIP>().0;
        for (number, rows) in rows.iter_mut().enumerate() {
            let (view, strip) = (number / STRIPS, number % STRIPS);
            for (input, row) in rows.iter_mut().enumerate() {
                let mut sums = *row;
                for place in 0..BLOCK {
                    let value = values[place][view][strip][input / 16].as_array()[input % 16];
                    add_product(&mut sums, value, &first[place]);
                }
                *row = sums;
            }
            // Two samples share each weight that is loaded.
            for pair in 0..BLOCK / 2 {
                let places = [2 * pair, 2 * pair + 1];
                let mut sums = [EMPTY_STRIP; 2];
                for (output, columns) in self.first_by_output.iter().enumerate() {
                    for (sums, place) in sums.iter_mut().zip(places) {
                        let gradient = hidden_value(&first[place], output);
                        add_product(sums, gradient, &columns[view][strip]);
                    }
                }
                for (sums, place) in sums.iter().zip(places) {
                    let values = &mut values[place][view][strip];
                    for lane in 0..values.len() {
                        values[lane] = unclipped(sums[lane], values[lane]);
                    }
                }
            }
        }
    }
}

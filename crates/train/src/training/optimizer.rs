//! AdamW: Adam with decoupled weight decay (Loshchilov and Hutter, 2019).

use tsumero_network::Kind;

use super::inputs::INPUTS;
use super::model::{FIRST, Model, OUTPUT, ROW_BIASES, ROWS, SECOND};

/// Decay rates of the mean gradient and of its mean square.
const BETA: (f32, f32) = (0.9, 0.999);
const EPSILON: f32 = 1e-8;
/// The limit of numbers that become 8-bit weights in 1/64ths.
pub(super) const DENSE_LIMIT: f32 = 127.0 / 64.0;
/// The limit of numbers of the transformer: a bias and the rows of all inputs of a position, in
/// 1/127ths, add up to less than 2^15.
const ROW_LIMIT: f32 = 6.0;

/// The size of steps of the rows of one part, as a share of those that all parts take together.
const PART_SHARE: f32 = 0.3;

/// The state of the optimizer for a model.
///
/// Where the own king chooses a part of the rows, each row is thought of as the sum of a row that
/// all parts share and of one of its own. The steps of both are added. So rows that are seldom seen
/// learn from the others (the factorizer of trainers of chess networks).
pub(super) struct AdamW<const STRIPS: usize> {
    numbers: Moments<Model<STRIPS>>,
    /// Of the rows that all parts share; empty if there is only one part.
    shared: Moments<Vec<f32>>,
    /// The gradient of these rows.
    shared_gradient: Vec<f32>,
    /// The powers of the decay rates, which correct the bias of the first steps.
    fading: (f64, f64),
}

/// The means of gradients and of their squares.
struct Moments<T> {
    mean: T,
    square: T,
}

/// The weights by which means become estimates without bias.
#[derive(Clone, Copy)]
struct Unbias {
    mean: f32,
    square: f32,
}

/// Takes a slope into the means, and returns the direction of the step.
#[inline(always)]
fn direction(slope: f32, mean: &mut f32, square: &mut f32, unbias: Unbias) -> f32 {
    *mean += (1.0 - BETA.0) * (slope - *mean);
    *square += (1.0 - BETA.1) * (slope * slope - *square);
    *mean * unbias.mean / ((*square * unbias.square).sqrt() + EPSILON)
}

impl<const STRIPS: usize> AdamW<STRIPS> {
    pub(super) fn new(kind: Kind) -> Self {
        let zeros = || Model::zeros(kind);
        let parts = kind.inputs() / INPUTS;
        let shared = || vec![0.0; if parts > 1 { INPUTS * Model::<STRIPS>::WIDTH } else { 0 }];
        AdamW {
            numbers: Moments { mean: zeros(), square: zeros() },
            shared: Moments { mean: shared(), square: shared() },
            shared_gradient: shared(),
            fading: (1.0, 1.0),
        }
    }

    /// One step along the sum of the gradients times `weight`. The gradients are added in their
    /// order and then cleared.
    pub(super) fn step(
        &mut self,
        model: &mut Model<STRIPS>,
        gradients: &mut [&mut Model<STRIPS>],
        weight: f32,
        rate: f32,
        decay: f32,
    ) {
        self.fading = (self.fading.0 * f64::from(BETA.0), self.fading.1 * f64::from(BETA.1));
        let unbias = Unbias {
            mean: (1.0 / (1.0 - self.fading.0)) as f32,
            square: (1.0 / (1.0 - self.fading.1)) as f32,
        };
        let Some((total, others)) = gradients.split_first_mut() else { return };
        for other in others {
            for (sums, parts) in total.parts_mut().into_iter().zip(other.parts_mut()) {
                for (sum, part) in sums.iter_mut().zip(parts) {
                    *sum += std::mem::take(part);
                }
            }
        }
        let own_rate = if self.shared_gradient.is_empty() {
            rate
        } else {
            self.step_together(model, total, weight, rate, unbias);
            PART_SHARE * rate
        };
        let Moments { mean, square } = &mut self.numbers;
        let states = mean.parts_mut().into_iter().zip(square.parts_mut());
        let values = model.parts_mut().into_iter().zip(total.parts_mut());
        for (part, ((means, squares), (values, gradients))) in states.zip(values).enumerate() {
            let limit = match part {
                ROWS | ROW_BIASES => ROW_LIMIT,
                FIRST | SECOND | OUTPUT => DENSE_LIMIT,
                _ => f32::INFINITY,
            };
            let rate_here = if part == ROWS { own_rate } else { rate };
            let state = means.iter_mut().zip(squares);
            for ((value, gradient), (mean, square)) in values.iter_mut().zip(gradients).zip(state) {
                let slope = std::mem::take(gradient) * weight;
                let change = rate_here * direction(slope, mean, square, unbias);
                *value = (*value - change - rate * decay * *value).clamp(-limit, limit);
            }
        }
    }

    /// The step that all parts of the rows take together.
    fn step_together(
        &mut self,
        model: &mut Model<STRIPS>,
        total: &Model<STRIPS>,
        weight: f32,
        rate: f32,
        unbias: Unbias,
    ) {
        let size = self.shared_gradient.len();
        self.shared_gradient.fill(0.0);
        for part in total.parts()[ROWS].chunks_exact(size) {
            for (sum, gradient) in self.shared_gradient.iter_mut().zip(part) {
                *sum += gradient;
            }
        }
        let Moments { mean, square } = &mut self.shared;
        let state = mean.iter_mut().zip(square);
        for (gradient, (mean, square)) in self.shared_gradient.iter_mut().zip(state) {
            *gradient = rate * direction(*gradient * weight, mean, square, unbias);
        }
        let [rows, ..] = model.parts_mut();
        for part in rows.chunks_exact_mut(size) {
            for (value, change) in part.iter_mut().zip(&self.shared_gradient) {
                *value -= change;
            }
        }
    }
}

//! AdamW: Adam with decoupled weight decay (Loshchilov and Hutter, 2019).

use super::model::{FIRST, Model, OUTPUT, SECOND};

/// Decay rates of the mean gradient and of its mean square.
const BETA: (f32, f32) = (0.9, 0.999);
const EPSILON: f32 = 1e-8;
/// The limit of numbers that become 8-bit weights in 1/64ths.
pub(super) const DENSE_LIMIT: f32 = 127.0 / 64.0;

/// The state of the optimizer for a model.
pub(super) struct AdamW<const STRIPS: usize> {
    mean: Model<STRIPS>,
    square: Model<STRIPS>,
    /// The powers of the decay rates, which correct the bias of the first steps.
    fading: (f64, f64),
}

impl<const STRIPS: usize> AdamW<STRIPS> {
    pub(super) fn new() -> Self {
        AdamW { mean: Model::zeros(), square: Model::zeros(), fading: (1.0, 1.0) }
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
        let mean_weight = (1.0 / (1.0 - self.fading.0)) as f32;
        let square_weight = (1.0 / (1.0 - self.fading.1)) as f32;
        let Some((total, others)) = gradients.split_first_mut() else { return };
        for other in others {
            for (sums, parts) in total.parts_mut().into_iter().zip(other.parts_mut()) {
                for (sum, part) in sums.iter_mut().zip(parts) {
                    *sum += std::mem::take(part);
                }
            }
        }
        let states = self.mean.parts_mut().into_iter().zip(self.square.parts_mut());
        let values = model.parts_mut().into_iter().zip(total.parts_mut());
        for (part, ((means, squares), (values, gradients))) in states.zip(values).enumerate() {
            let dense = matches!(part, FIRST | SECOND | OUTPUT);
            let limit = if dense { DENSE_LIMIT } else { f32::INFINITY };
            let state = means.iter_mut().zip(squares);
            for ((value, gradient), (mean, square)) in values.iter_mut().zip(gradients).zip(state) {
                let slope = std::mem::take(gradient) * weight;
                *mean += (1.0 - BETA.0) * (slope - *mean);
                *square += (1.0 - BETA.1) * (slope * slope - *square);
                let change = *mean * mean_weight / ((*square * square_weight).sqrt() + EPSILON);
                *value = (*value - rate * (change + decay * *value)).clamp(-limit, limit);
            }
        }
    }
}

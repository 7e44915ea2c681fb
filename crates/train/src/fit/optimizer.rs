//! The optimizer Adam, for all corrections at once.

/// Decay rates of the mean gradient and of its mean square.
const BETA: (f64, f64) = (0.9, 0.999);
const EPSILON: f64 = 1e-12;

pub(super) struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    /// The powers of the decay rates, which correct the bias of the first steps.
    fading: (f64, f64),
}

impl Adam {
    pub(super) fn new(count: usize) -> Adam {
        Adam { mean: vec![0.0; count], square: vec![0.0; count], fading: (1.0, 1.0) }
    }

    /// One step down the gradient plus `pull` times the value. Values that never had a gradient are
    /// unchanged.
    pub(super) fn step(&mut self, values: &mut [f64], gradient: &[f64], pull: f64, rate: f64) {
        self.fading = (self.fading.0 * BETA.0, self.fading.1 * BETA.1);
        for (index, (value, gradient)) in values.iter_mut().zip(gradient).enumerate() {
            let gradient = gradient + pull * *value;
            let mean = &mut self.mean[index];
            *mean += (1.0 - BETA.0) * (gradient - *mean);
            let square = &mut self.square[index];
            *square += (1.0 - BETA.1) * (gradient * gradient - *square);
            let unbiased = *square / (1.0 - self.fading.1);
            *value -= rate * *mean / (1.0 - self.fading.0) / (unbiased.sqrt() + EPSILON);
        }
    }
}

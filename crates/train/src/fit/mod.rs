//! Fitting a linear evaluation to recorded games.
//!
//! The value of a position is that of the current evaluation plus, for each feature, a correction
//! times the coefficient of the feature. A logistic curve with scale `S` turns the value into an
//! expected result, which is compared with
//!
//! ```text
//! target = λ · result + (1 − λ) · logistic(score of the search / S)
//! ```
//!
//! by cross-entropy. A normal prior around the present evaluation keeps the corrections of
//! features small that hardly occur. The problem is convex; Adam (Kingma and Ba, 2015) solves it in
//! batches. Games, not positions, are held out to see what has been learned.

mod attack_maps;
pub(crate) mod chart;
pub(crate) mod data;
pub(crate) mod evaluations;
pub(crate) mod extractor;
mod optimizer;

use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use rand::seq::SliceRandom;

pub(crate) use data::{Dataset, Quiet, Selection};
pub(crate) use evaluations::by_name;
pub(crate) use extractor::Extractor;
use optimizer::Adam;

use crate::expectation::{cross_entropy, fitted_scale, logistic};

/// Options of a fit.
#[derive(Clone, Debug)]
pub(crate) struct FitOptions {
    /// Share of the game's result in the target, 0 to 1; the rest is the search's score.
    pub lambda: f64,
    /// Scale of the logistic curve; `None` to fit it to the results.
    pub scale: Option<f64>,
    /// Standard deviation of the corrections, in the evaluation's units.
    pub prior: f64,
    /// Number of passes over the positions.
    pub epochs: u32,
    /// Positions in each step.
    pub batch: usize,
    /// Size of the first steps, in units of the evaluation. It falls to a hundredth of that.
    pub rate: f64,
    /// Number of threads.
    pub threads: usize,
    /// Seed of the order of positions.
    pub seed: u64,
}

/// Mean losses after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct EpochLoss {
    /// On the positions for fitting, at the time of their step.
    pub training: f64,
    /// On the held-out games.
    pub held_out: f64,
}

impl EpochLoss {
    /// Whether both are numbers. Otherwise the steps were too large.
    pub(crate) fn is_finite(self) -> bool {
        self.training.is_finite() && self.held_out.is_finite()
    }
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// Scale of the logistic curve.
    pub scale: f64,
    /// Loss of the held-out games without corrections, then after each epoch.
    pub losses: Vec<EpochLoss>,
    /// Loss of the search's own scores on the held-out games.
    pub loss_of_scores: f64,
    /// Loss of the held-out games with corrections rounded to integers.
    pub loss_rounded: f64,
    /// The corrections.
    pub corrections: Vec<f64>,
}

/// Which factors the features share; see [`Extractor::factors`].
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    of: Vec<Vec<u32>>,
    count: usize,
}

impl Factors {
    /// The factors of an extractor.
    pub(crate) fn of(extractor: &dyn Extractor) -> Factors {
        Factors { of: extractor.factors(), count: extractor.factor_count() }
    }

    /// Adds up the gradients of the features from all buffers, times a weight, and clears the
    /// buffers. The gradient of a factor is the sum of those of its features.
    fn gather(&self, buffers: &mut [Vec<f64>], weight: f64, gradient: &mut [f64]) {
        let (own, shared) = gradient.split_at_mut(self.of.len());
        shared.fill(0.0);
        for (index, (own, factors)) in own.iter_mut().zip(&self.of).enumerate() {
            let mut sum = 0.0;
            for buffer in buffers.iter_mut() {
                sum += std::mem::take(&mut buffer[index]);
            }
            *own = sum * weight;
            if *own != 0.0 {
                factors.iter().for_each(|&factor| shared[factor as usize] += *own);
            }
        }
    }

    /// The correction of each feature: its own and those of its factors.
    fn sum(&self, parts: &[f64], corrections: &mut [f64]) {
        let (own, shared) = parts.split_at(self.of.len());
        for ((correction, own), factors) in corrections.iter_mut().zip(own).zip(&self.of) {
            *correction = own + factors.iter().map(|&f| shared[f as usize]).sum::<f64>();
        }
    }
}

/// A fit in progress.
struct Problem<'a> {
    data: &'a Dataset,
    lambda: f64,
    scale: f64,
}

impl Problem<'_> {
    fn target(&self, sample: usize) -> f64 {
        let by_score = logistic(f64::from(self.data.scores[sample]) / self.scale);
        self.lambda * f64::from(self.data.results[sample]) + (1.0 - self.lambda) * by_score
    }

    fn value(&self, sample: usize, corrections: &[f64]) -> f64 {
        let features = self.data.features(sample);
        let correction: f64 =
            features.map(|(index, coefficient)| corrections[index] * coefficient).sum();
        f64::from(self.data.present[sample]) + correction
    }

    /// Mean loss over all samples.
    fn loss(&self, corrections: &[f64]) -> f64 {
        let count = self.data.len().max(1);
        let all = 0..self.data.len();
        let sum: f64 = all
            .map(|sample| {
                let expected = logistic(self.value(sample, corrections) / self.scale);
                cross_entropy(expected, self.target(sample))
            })
            .sum();
        sum / count as f64
    }

    /// Adds the gradient of some samples and returns the sum of their losses.
    fn add_gradient(&self, samples: &[u32], corrections: &[f64], gradient: &mut [f64]) -> f64 {
        let mut loss = 0.0;
        for &sample in samples {
            let sample = sample as usize;
            let expected = logistic(self.value(sample, corrections) / self.scale);
            let target = self.target(sample);
            loss += cross_entropy(expected, target);
            let slope = (expected - target) / self.scale;
            for (index, coefficient) in self.data.features(sample) {
                gradient[index] += slope * coefficient;
            }
        }
        loss
    }

    /// The gradient of a batch by several threads, each with a buffer of its own.
    fn batch(&self, samples: &[u32], corrections: &[f64], buffers: &mut [Vec<f64>]) -> f64 {
        let share = samples.len().div_ceil(buffers.len()).max(1);
        let losses: Vec<f64> = std::thread::scope(|scope| {
            let threads: Vec<_> = samples
                .chunks(share)
                .zip(buffers.iter_mut())
                .map(|(part, buffer)| {
                    scope.spawn(move || self.add_gradient(part, corrections, buffer))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or(f64::NAN)).collect()
        });
        losses.iter().sum()
    }
}

/// Fits the corrections. `tell` receives the number of each epoch and its losses. Number 0 is the
/// state before the first epoch.
pub(crate) fn fit(
    training: &Dataset,
    held_out: &Dataset,
    factors: &Factors,
    options: &FitOptions,
    tell: &mut dyn FnMut(u32, EpochLoss),
) -> Fit {
    let scale = options.scale.unwrap_or_else(|| fitted_scale(&training.scores, &training.results));
    let problem = Problem { data: training, lambda: options.lambda, scale };
    let judge = Problem { data: held_out, lambda: options.lambda, scale };
    let count = factors.of.len();
    // The corrections of the features themselves, then those of the factors.
    let mut parts = vec![0.0; count + factors.count];
    let mut corrections = vec![0.0; count];
    let first =
        EpochLoss { training: problem.loss(&corrections), held_out: judge.loss(&corrections) };
    tell(0, first);
    let mut losses = vec![first];

    let mut adam = Adam::new(parts.len());
    let mut gradient = vec![0.0; parts.len()];
    let mut buffers = vec![vec![0.0; count]; options.threads.max(1)];
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let batch = options.batch.max(1);
    let steps = (training.len().div_ceil(batch) * options.epochs as usize).max(1);
    // The prior counts once for all positions together.
    let pull = 1.0 / (options.prior.powi(2) * training.len().max(1) as f64);
    let mut step = 0;
    for epoch in 1..=options.epochs {
        order.shuffle(&mut rng);
        let mut loss = 0.0;
        for samples in order.chunks(batch) {
            loss += problem.batch(samples, &corrections, &mut buffers);
            let progress = step as f64 / steps as f64;
            let fall = 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
            let rate = options.rate * (0.01 + 0.99 * fall);
            let weight = 1.0 / samples.len() as f64;
            factors.gather(&mut buffers, weight, &mut gradient);
            adam.step(&mut parts, &gradient, pull, rate);
            factors.sum(&parts, &mut corrections);
            step += 1;
        }
        let training_loss = loss / training.len().max(1) as f64;
        let after = EpochLoss { training: training_loss, held_out: judge.loss(&corrections) };
        tell(epoch, after);
        losses.push(after);
    }

    let rounded: Vec<f64> = corrections.iter().map(|value| value.round()).collect();
    let loss_of_scores = (0..held_out.len())
        .map(|sample| {
            let by_score = logistic(f64::from(held_out.scores[sample]) / scale);
            cross_entropy(by_score, judge.target(sample))
        })
        .sum::<f64>()
        / held_out.len().max(1) as f64;
    Fit { scale, losses, loss_of_scores, loss_rounded: judge.loss(&rounded), corrections }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    const TRUTH: [f64; 6] = [40.0, -25.0, 0.0, 90.0, -60.0, 15.0];

    /// Random games whose odds follow from a linear evaluation.
    fn invented(count: usize, seed: u64) -> Dataset {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut data = Dataset::default();
        for _ in 0..count {
            let features: Vec<(u32, i16)> = (0..TRUTH.len() as u32)
                .map(|index| (index, rng.random_range(-4..=4)))
                .filter(|feature| feature.1 != 0)
                .collect();
            let present: f64 = rng.random_range(-500.0..500.0);
            let sum: f64 = features.iter().map(|f| TRUTH[f.0 as usize] * f64::from(f.1)).sum();
            let won = rng.random_bool(logistic((present + sum) / 400.0));
            data.push(&features, present as f32, (present + sum) as f32, f32::from(u8::from(won)));
        }
        data
    }

    fn options(lambda: f64) -> FitOptions {
        FitOptions {
            lambda,
            scale: None,
            prior: 50.0,
            epochs: 20,
            batch: 1000,
            rate: 5.0,
            threads: 2,
            seed: 1,
        }
    }

    fn no_factors(features: usize) -> Factors {
        Factors { of: vec![Vec::new(); features], count: 0 }
    }

    #[test]
    fn the_truth_is_found_from_results_and_from_scores() {
        let (training, held_out) = (invented(60_000, 1), invented(5_000, 2));
        assert!((fitted_scale(&training.scores, &training.results) - 400.0).abs() < 15.0);
        for (lambda, tolerance) in [(1.0, 6.0), (0.0, 2.0), (0.5, 4.0)] {
            let fit = fit(&training, &held_out, &no_factors(7), &options(lambda), &mut |_, _| {});
            for (found, truth) in fit.corrections.iter().zip(TRUTH) {
                assert!((found - truth).abs() < tolerance, "{lambda}: {found} {truth}");
            }
            assert_eq!(fit.corrections[6], 0.0, "a feature that never occurs");
            let (first, last) = (fit.losses[0].held_out, fit.losses[20].held_out);
            assert!(last < first - 0.01 && fit.loss_rounded < last + 1e-3);
            assert!((last - fit.loss_of_scores).abs() < 2e-3, "as good as the truth");
        }
    }

    #[test]
    fn a_narrow_prior_keeps_corrections_small_and_threads_change_nothing() {
        let (training, held_out) = (invented(3_000, 1), invented(500, 2));
        let narrow = FitOptions { prior: 0.5, ..options(1.0) };
        let fit_narrow = fit(&training, &held_out, &no_factors(6), &narrow, &mut |_, _| {});
        assert!(fit_narrow.corrections.iter().all(|value| value.abs() < 15.0));
        let one = FitOptions { threads: 1, ..options(1.0) };
        let one = fit(&training, &held_out, &no_factors(6), &one, &mut |_, _| {});
        let two = fit(&training, &held_out, &no_factors(6), &options(1.0), &mut |_, _| {});
        for (one, two) in one.corrections.iter().zip(&two.corrections) {
            assert!((one - two).abs() < 1e-6);
        }
    }

    /// Common features improve the corrections of related rare features.
    #[test]
    fn rare_features_take_after_their_kind() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut data = Dataset::default();
        for sample in 0..30_000 {
            // Features 0 to 8 of one kind are worth 50 each. The tenth one occurs once in 3,000
            // samples.
            let index = if sample % 3_000 == 0 { 9 } else { rng.random_range(0..9) };
            let coefficient = rng.random_range(-3..=3);
            let won = rng.random_bool(logistic(50.0 * f64::from(coefficient) / 400.0));
            data.push(&[(index, coefficient as i16)], 0.0, 0.0, f32::from(u8::from(won)));
        }
        let shared = Factors { of: vec![vec![0]; 10], count: 1 };
        let options = FitOptions { scale: Some(400.0), prior: 20.0, ..options(1.0) };
        let of_rare =
            |factors: &Factors| fit(&data, &data, factors, &options, &mut |_, _| {}).corrections[9];
        let (alone, together) = (of_rare(&no_factors(10)), of_rare(&shared));
        assert!(alone.abs() < 25.0, "{alone}");
        assert!((together - 50.0).abs() < 15.0, "{together}");
    }
}

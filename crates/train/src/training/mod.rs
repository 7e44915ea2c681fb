//! Training an evaluation network on recorded games, on the processor.
//!
//! The network is one of those described in `docs/network.md`: inputs for kings and pieces in both
//! views (K-P, or K-P once for each zone of the own king), a transformer that both views share, and
//! two hidden layers with values limited to 0 to 1. A logistic curve with scale `S` turns the
//! network's value into an expected result, which is compared with
//!
//! ```text
//! target = λ · result + (1 − λ) · logistic(score of the search / S)
//! ```
//!
//! Each score may count what the game shows later, too
//! ([`GameRecord::mix_later_scores`](crate::records::GameRecord::mix_later_scores)).
//!
//! AdamW takes one step for each batch, at a rate that falls like a cosine. Half of the positions,
//! drawn anew in every epoch, are seen with left and right exchanged. In the last part of the
//! training, the network is computed with its numbers rounded to what the file can hold, while the
//! steps change the unrounded numbers. So the network learns with the rounding. Whole games are held
//! out to see what has been learned. With the same number of threads, everything is reproducible to
//! the last bit: each thread has a part of each batch and a gradient of its own, and the gradients
//! are added in order.
//!
//! ```text
//!  inputs     which inputs a position switches on; turned and mirrored boards
//!  data       positions from files of games
//!  model      the numbers of a network
//!  pass       forward and backward pass
//!  optimizer  AdamW
//!  quantize   integers, whether they fit, and back to floating point
//!  average    the mean of several networks
//!  report     what the network is worth on games that were held out
//!  yardstick  and on games of others
//! ```

pub(crate) mod average;
pub(crate) mod data;
pub(crate) mod inputs;
pub(crate) mod model;
mod optimizer;
mod pass;
pub(crate) mod quantize;
pub(crate) mod report;
#[cfg(test)]
mod tests;
pub(crate) mod yardstick;

use chacha20::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::expectation::{cross_entropy, logistic};
use crate::fit::EpochLoss;
use crate::progress::{Progress, tell};
use data::Samples;
use model::{Model, OUTPUT_VALUE};
use optimizer::AdamW;
use pass::{Pick, Workspace};
use quantize::round_into;

/// The loss: how an expected result is compared with the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Loss {
    /// The negative logarithm of the likelihood.
    CrossEntropy,
    /// The square of the difference.
    Squared,
}

impl Loss {
    /// The loss of an expected result, and its derivative by the argument of the logistic curve.
    fn with_slope(self, expected: f64, target: f64) -> (f64, f64) {
        let difference = expected - target;
        match self {
            Loss::CrossEntropy => (cross_entropy(expected, target), difference),
            Loss::Squared => {
                (difference * difference, 2.0 * difference * expected * (1.0 - expected))
            }
        }
    }

    /// The mean loss of values in the evaluation's units.
    pub(crate) fn mean(self, values: &[f32], samples: &Samples, lambda: f64, scale: f64) -> f64 {
        let losses = values.iter().enumerate().map(|(sample, &value)| {
            let expected = logistic(f64::from(value) / scale);
            self.with_slope(expected, samples.target(sample, lambda, scale)).0
        });
        losses.sum::<f64>() / values.len().max(1) as f64
    }
}

/// Options of training.
#[derive(Clone, Debug)]
pub(crate) struct TrainOptions {
    /// The loss to minimize.
    pub loss: Loss,
    /// Share of the game's result in the target, 0 to 1; the rest is the search's score.
    pub lambda: f64,
    /// The same share in the last part of the training.
    pub late_lambda: f64,
    /// Length of the last part, as a share of the training, 0 to 1.
    pub late_share: f64,
    /// Share of the training, at its end, with rounded numbers, 0 to 1.
    pub rounded_share: f64,
    /// Scale of the logistic curve, in the evaluation's units.
    pub scale: f64,
    /// Number of passes over the positions.
    pub epochs: u32,
    /// Positions in each step.
    pub batch: usize,
    /// Size of the first steps.
    pub rate: f64,
    /// Size of the last steps.
    pub last_rate: f64,
    /// Weight decay in a step, as a multiple of the rate.
    pub decay: f64,
    /// Whether left and right are exchanged in half of the positions.
    pub mirror: bool,
    /// Number of threads.
    pub threads: usize,
    /// Seed of the order of positions, and of which are mirrored.
    pub seed: u64,
}

impl TrainOptions {
    /// The settings after the given share of the training, 0 to 1.
    fn schedule(&self, progress: f64) -> Stage {
        let fall = 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
        let is_late = |share| progress >= 1.0 - share;
        Stage {
            rate: self.last_rate + (self.rate - self.last_rate) * fall,
            lambda: if is_late(self.late_share) { self.late_lambda } else { self.lambda },
            rounded: is_late(self.rounded_share),
        }
    }
}

/// The settings of a step.
struct Stage {
    rate: f64,
    lambda: f64,
    rounded: bool,
}

/// A trained network.
#[derive(Clone, Debug)]
pub(crate) struct Trained<const STRIPS: usize> {
    /// Its numbers. They are rounded if the training ended with rounded numbers.
    pub model: Model<STRIPS>,
    /// Losses before the first epoch and after each one. The share of the result is always that of
    /// the first part.
    pub losses: Vec<EpochLoss>,
}

impl<const STRIPS: usize> Trained<STRIPS> {
    /// The epoch after which the losses were no numbers any more, if there is one. It is the last.
    pub(crate) fn diverged(&self) -> Option<usize> {
        self.losses.iter().position(|loss| !loss.is_finite())
    }
}

/// The values of a network for samples, in the evaluation's units.
pub(crate) fn values<const STRIPS: usize>(model: &Model<STRIPS>, samples: &Samples) -> Vec<f32> {
    let picks: Vec<Pick> = (0..samples.len()).map(|sample| Pick::new(sample, false)).collect();
    let mut values = Vec::with_capacity(samples.len());
    Workspace::new(model.kind).outputs(model, samples, &picks, &mut values);
    values.iter_mut().for_each(|value| *value *= OUTPUT_VALUE);
    values
}

/// Trains a network further. `tell_epoch` receives the number of each
/// epoch, its losses and the network. Number 0 is the state before the first epoch. Once the losses are
/// no numbers any more, further epochs would be in vain, and there are none.
///
/// # Panics
/// With 2^31 samples or more.
pub(crate) fn train<const STRIPS: usize>(
    mut model: Model<STRIPS>,
    training: &Samples,
    held_out: &Samples,
    options: &TrainOptions,
    tell_epoch: &mut dyn FnMut(u32, EpochLoss, &Model<STRIPS>),
) -> Trained<STRIPS> {
    assert!(training.len() < Pick::MOST, "more positions than can be numbered");
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let judge = |model: &Model<STRIPS>, samples: &Samples| {
        options.loss.mean(&values(model, samples), samples, options.lambda, options.scale)
    };
    let mut losses = Vec::new();
    let mut after = |epoch, training_loss, model: &Model<STRIPS>| {
        let loss = EpochLoss { training: training_loss, held_out: judge(model, held_out) };
        losses.push(loss);
        tell_epoch(epoch, loss, model);
        loss.is_finite()
    };
    after(0, judge(&model, training), &model);

    let mut optimizer = AdamW::new(model.kind);
    let mut rounded = None;
    let mut workspaces: Vec<_> =
        (0..options.threads.max(1)).map(|_| Workspace::new(model.kind)).collect();
    let mut order: Vec<usize> = (0..training.len()).collect();
    let mut picks = Vec::with_capacity(order.len());
    let batch = options.batch.max(1);
    let steps = training.len().div_ceil(batch) as u64 * u64::from(options.epochs);
    let mut step = 0;
    let mut progress = Progress::new(0);
    for epoch in 1..=options.epochs {
        order.shuffle(&mut rng);
        picks.clear();
        let mut mirror = || options.mirror && rng.random_bool(0.5);
        picks.extend(order.iter().map(|&sample| Pick::new(sample, mirror())));
        let mut loss = 0.0;
        for picks in picks.chunks(batch) {
            let stage = options.schedule(step as f64 / steps as f64);
            if stage.rounded {
                round_into(&model, rounded.get_or_insert_with(|| Model::zeros(model.kind)));
            }
            let used = rounded.as_ref().unwrap_or(&model);
            loss += gradients(used, training, picks, stage.lambda, options, &mut workspaces);
            let mut gradients: Vec<_> =
                workspaces.iter_mut().map(|workspace| &mut workspace.gradient).collect();
            let weight = 1.0 / picks.len() as f32;
            let (rate, decay) = (stage.rate as f32, options.decay as f32);
            optimizer.step(&mut model, &mut gradients, weight, rate, decay);
            step += 1;
            if progress.is_due() {
                let done = step * batch as u64;
                let total = steps * batch as u64;
                tell(format_args!(
                    "step {step} of {steps}, {:.0} positions/s, {} left",
                    progress.rate(done),
                    progress.time_left(done, total)
                ));
            }
        }
        if let Some(rounded) = &mut rounded {
            round_into(&model, rounded);
        }
        let used = rounded.as_ref().unwrap_or(&model);
        if !after(epoch, loss / training.len().max(1) as f64, used) {
            break;
        }
    }
    Trained { model: rounded.unwrap_or(model), losses }
}

/// Computes the gradient of a batch on several threads, each with its own workspace. Returns the
/// sum of losses, with the share of the result of the first part.
fn gradients<const STRIPS: usize>(
    model: &Model<STRIPS>,
    samples: &Samples,
    picks: &[Pick],
    lambda: f64,
    options: &TrainOptions,
    workspaces: &mut [Workspace<STRIPS>],
) -> f64 {
    let unit = f64::from(OUTPUT_VALUE) / options.scale;
    let learn = |workspace: &mut Workspace<STRIPS>, picks: &[Pick]| {
        workspace.learn(model, samples, picks, |number, output| {
            let sample = picks[number].sample();
            let expected = logistic(f64::from(output) * unit);
            let target = |lambda| samples.target(sample, lambda, options.scale);
            let (_, slope) = options.loss.with_slope(expected, target(lambda));
            let (loss, _) = options.loss.with_slope(expected, target(options.lambda));
            (loss, (slope * unit) as f32)
        })
    };
    if let [workspace] = workspaces {
        return learn(workspace, picks);
    }
    let share = picks.len().div_ceil(workspaces.len()).max(1);
    let losses: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = picks
            .chunks(share)
            .zip(workspaces)
            .map(|(part, workspace)| scope.spawn(move || learn(workspace, part)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(f64::NAN)).collect()
    });
    losses.iter().sum()
}

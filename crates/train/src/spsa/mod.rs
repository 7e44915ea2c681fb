//! Tuning the parameters of the search: simultaneous perturbation (SPSA).
//!
//! This is J. C. Spall's method (IEEE Transactions on Automatic Control 37, 1992) with gains that
//! are usual for chess programs. In every iteration a coin decides for each parameter whether it is
//! moved up or down. Two players with opposite changes play a pair of games. Then all parameters
//! are moved a little towards the winner. Instead of a pair of games, the players may choose moves
//! in recorded positions, which a longer search judges (see [`crate::regret`]). `k` is the iteration,
//! `n` the planned number of iterations, and `s` the step of a parameter:
//!
//! ```text
//! c(k) = s (n/k)^0.101                    how far the players are from the present value
//! a(k) = 0.002 s² ((n/10 + n)/(n/10 + k))^0.602
//! value += a(k)/c(k) · (points of the upper player − points of the lower one) · coin
//! ```

mod contest;
mod run;

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::elo::{TWO_SIDED_95, unseen_share};
use crate::parameters::ParameterInfo;
pub(crate) use contest::{Contest, JudgedMoves};
pub(crate) use run::{Tuning, TuningError};

/// Learning rate at the end, relative to the step.
const FINAL_RATE: f64 = 0.002;
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The share of the iterations that is added to damp the first ones.
const STABILITY: f64 = 0.1;

/// Elo for each point by which a player is ahead in a pair of games, where the players are almost
/// equal: the score changes by a quarter, and 400 / ln 10 · 4 is the slope of Elo at a half.
const ELO_OF_A_POINT: f64 = 100.0 / std::f64::consts::LN_10 * 4.0;

/// One parameter that is being tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Tuned {
    /// Its name.
    pub name: String,
    /// Its value when tuning began.
    pub start: f64,
    /// Its value now.
    pub value: f64,
    /// The smallest value allowed.
    pub min: f64,
    /// The largest value allowed.
    pub max: f64,
    /// The distance of the players from the value at the end of tuning.
    pub step: f64,
    /// The sum of the points by which the player with the larger value was ahead.
    #[serde(default)]
    pub lead: f64,
}

impl Tuned {
    /// A parameter that begins at a value, or at its default.
    pub(crate) fn new(info: &ParameterInfo, start: Option<i32>) -> Tuned {
        let start = f64::from(start.unwrap_or(info.default));
        Tuned {
            name: info.name.to_owned(),
            start,
            value: start,
            min: f64::from(info.min),
            max: f64::from(info.max),
            step: f64::from(info.step),
            lead: 0.0,
        }
    }
}

/// The state of tuning: all parameters and the number of iterations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Spsa {
    /// The parameters.
    pub tuned: Vec<Tuned>,
    /// Iterations done.
    pub done: u64,
    /// Planned iterations. All gains depend on them.
    pub planned: u64,
    /// The sum of the squares of all leads.
    #[serde(default)]
    pub squared_leads: f64,
}

/// Two sets of values for two players.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Proposal {
    /// The values of the upper and of the lower player.
    pub values: [Vec<i32>; 2],
    /// The change of each parameter for each point by which the upper player is ahead.
    gains: Vec<f64>,
}

impl Spsa {
    /// The next two players.
    pub(crate) fn propose(&self, rng: &mut impl Rng) -> Proposal {
        let (k, n) = ((self.done + 1) as f64, self.planned as f64);
        let mut values = [Vec::new(), Vec::new()];
        let mut gains = Vec::new();
        for tuned in &self.tuned {
            let distance = tuned.step * (n / k).powf(GAMMA);
            let rate = FINAL_RATE
                * tuned.step.powi(2)
                * ((STABILITY * n + n) / (STABILITY * n + k)).powf(ALPHA);
            let coin = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
            gains.push(rate / distance * coin);
            for (values, sign) in values.iter_mut().zip([1.0, -1.0]) {
                let wanted = (tuned.value + sign * coin * distance).clamp(tuned.min, tuned.max);
                // Rounds up with the probability of the fraction, so that changes below one have an
                // effect.
                values.push((wanted + rng.random_range(0.0..1.0)).floor().min(tuned.max) as i32);
            }
        }
        Proposal { values, gains }
    }

    /// Learns from a contest: the points by which the upper player is ahead, -2 to 2 for a pair of
    /// games.
    pub(crate) fn learn(&mut self, proposal: &Proposal, lead: f64) {
        for (tuned, gain) in self.tuned.iter_mut().zip(&proposal.gains) {
            tuned.value = (tuned.value + gain * lead).clamp(tuned.min, tuned.max);
            tuned.lead += gain.signum() * lead;
        }
        self.squared_leads += lead * lead;
        self.done += 1;
    }

    /// The effect of a parameter in Elo: how much better the players with the larger value were
    /// than those with the smaller one, and the 95 % error. All parameters change independently of
    /// each other in every iteration, so each effect is measured by all games. It holds near the
    /// values that the players had, and only for games.
    pub(crate) fn effect(&self, tuned: &Tuned) -> (f64, f64) {
        let n = self.done.max(1) as f64;
        let elo = |lead: f64| lead * ELO_OF_A_POINT;
        // If all contests were even, others may have the greatest lead of a pair of games.
        let even = 2.0 * unseen_share(self.done.max(1));
        let error = if self.squared_leads == 0.0 {
            even
        } else {
            TWO_SIDED_95 * self.squared_leads.sqrt() / n
        };
        (elo(tuned.lead / n), elo(error))
    }

    /// The values as `name=value` pairs of a configuration.
    pub(crate) fn configuration(&self) -> String {
        let pairs = self.tuned.iter().map(|t| format!("{}={}", t.name, t.value.round() as i32));
        pairs.collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::expected_score;
    use chacha20::ChaCha8Rng;
    use rand::SeedableRng;

    /// Simulates players whose strength falls with the distance from the best values.
    #[test]
    fn values_move_to_the_best_ones() {
        let info = |name, default, step| ParameterInfo {
            name,
            description: "",
            default,
            min: 0,
            max: 400,
            step,
        };
        let infos = [info("a", 100, 10), info("b", 60, 6), info("c", 200, 20)];
        let best = [130.0, 60.0, 150.0];
        let planned = 30_000;
        let mut spsa = Spsa {
            tuned: infos.iter().map(|info| Tuned::new(info, None)).collect(),
            done: 0,
            planned,
            squared_leads: 0.0,
        };
        let elo = |values: &[i32]| -> f64 {
            let steps = values.iter().zip(best).zip([10.0, 6.0, 20.0]);
            steps
                .map(|((value, best), step)| -4.0 * ((f64::from(*value) - best) / step).powi(2))
                .sum()
        };
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..planned {
            let proposal = spsa.propose(&mut rng);
            let score = expected_score(elo(&proposal.values[0]) - elo(&proposal.values[1]));
            let wins = (0..2).filter(|_| rng.random_bool(score)).count();
            spsa.learn(&proposal, 2.0 * wins as f64 - 2.0);
        }
        for (tuned, best) in spsa.tuned.iter().zip(best) {
            assert!((tuned.value - best).abs() < tuned.step, "{tuned:?} {best}");
        }
        assert_eq!(spsa.done, planned);
    }

    /// Thirty switches are tried at once, and each effect is found as well as if it were the only
    /// one.
    #[test]
    fn the_effects_of_many_switches_are_told_apart() {
        const NAMES: [&str; 30] = ["switch"; 30];
        let switch =
            |name| ParameterInfo { name, description: "", default: 0, min: 0, max: 1, step: 1 };
        let true_effects: Vec<f64> = (0..30).map(|number| f64::from(number % 5) * 6.0).collect();
        let mut spsa = Spsa {
            tuned: NAMES.iter().map(|name| Tuned::new(&switch(name), None)).collect(),
            done: 0,
            planned: 20_000,
            squared_leads: 0.0,
        };
        let elo = |values: &[i32]| -> f64 {
            values.iter().zip(&true_effects).map(|(value, effect)| f64::from(*value) * effect).sum()
        };
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..spsa.planned {
            let proposal = spsa.propose(&mut rng);
            let score = expected_score(elo(&proposal.values[0]) - elo(&proposal.values[1]));
            let wins = (0..2).filter(|_| rng.random_bool(score)).count();
            spsa.learn(&proposal, 2.0 * wins as f64 - 2.0);
        }
        let measured = spsa.tuned.iter().map(|tuned| spsa.effect(tuned));
        let misses = measured
            .zip(&true_effects)
            .filter(|((effect, error), truth)| (effect - *truth).abs() > *error)
            .count();
        // One in twenty is expected, and the error is small enough to tell them apart.
        assert!(misses <= 4, "{misses}");
        assert!((2.0..5.0).contains(&spsa.effect(&spsa.tuned[0]).1));
    }

    #[test]
    fn values_stay_in_their_range_and_are_rounded_fairly() {
        let tuned = Tuned {
            name: "x".into(),
            start: 1.0,
            value: 9.3,
            min: 0.0,
            max: 10.0,
            step: 2.0,
            lead: 0.0,
        };
        let spsa = Spsa { tuned: vec![tuned.clone()], done: 99, planned: 100, squared_leads: 0.0 };
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut sum, mut below) = (0, 0);
        for _ in 0..10_000 {
            for value in spsa.propose(&mut rng).values.map(|values| values[0]) {
                assert!((0..=10).contains(&value));
                if value < 10 {
                    sum += value;
                    below += 1;
                }
            }
        }
        // The lower player has 9.3 − 2.
        assert!((f64::from(sum) / f64::from(below) - 7.3).abs() < 0.05);
        assert_eq!(spsa.configuration(), "x=9");
        // All 99 contests were even: three in a hundred could be others, of two points each.
        let (effect, error) = spsa.effect(&tuned);
        assert_eq!(effect, 0.0);
        assert!((error / ELO_OF_A_POINT - 0.0596).abs() < 1e-4, "{error}");
    }
}

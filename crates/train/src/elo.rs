//! Statistics of matches: Elo with an interval, and the sequential test.
//!
//! The two games of one opening are one observation, because an advantage of one color in the
//! opening cancels out. A pair has five possible results (0, ½, 1, 1½ or 2 points), so all counts
//! are pentanomial.
//!
//! The sequential test is the generalized likelihood ratio of M. Van den Bergh's "Comments on
//! normalized Elo" and "A practical introduction to the GSPRT" (hardy.uhasselt.be/Fishtest): the
//! likelihood of the counts under the best distribution with the expected score of `elo1`, divided
//! by that under the best one with the score of `elo0`.

use serde::{Deserialize, Serialize};

/// Number of results of a pair.
const RESULTS: usize = 5;
/// Weight of a result that has not occurred, so that no likelihood is zero.
const UNSEEN: f64 = 1e-3;
/// Number of standard deviations that contain 95 % of a normal distribution.
pub(crate) const TWO_SIDED_95: f64 = 1.959_964;

/// The expected score, 0 to 1, of a player who is `elo` better.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo that a score, 0 to 1, corresponds to; infinite at both ends.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// If more than this share of pairs had other results than all those seen, at least one would have
/// occurred in 95 % of such matches.
pub(crate) fn unseen_share(count: u64) -> f64 {
    1.0 - 0.05f64.powf(1.0 / count as f64)
}

/// How often each result of a pair has occurred, from 0 to 4 half points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Pairs(pub [u64; RESULTS]);

/// An estimate with its interval of 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Interval {
    /// Lower end.
    pub low: f64,
    /// The estimate.
    pub middle: f64,
    /// Upper end.
    pub high: f64,
}

impl Pairs {
    /// Counts a pair with the given number of half points (0 to 4).
    ///
    /// # Panics
    /// With more than four.
    pub(crate) fn add(&mut self, half_points: u32) {
        self.0[half_points as usize] += 1;
    }

    /// Number of pairs.
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score of a game, 0 to 1; one half without any.
    pub(crate) fn mean(&self) -> f64 {
        let count = self.count();
        if count == 0 {
            return 0.5;
        }
        self.0.iter().zip(scores()).map(|(&n, score)| n as f64 * score).sum::<f64>() / count as f64
    }

    /// Variance of a pair's mean score.
    pub(crate) fn variance(&self) -> f64 {
        let (count, mean) = (self.count(), self.mean());
        if count == 0 {
            return 0.0;
        }
        let sum: f64 =
            self.0.iter().zip(scores()).map(|(&n, s)| n as f64 * (s - mean).powi(2)).sum();
        sum / count as f64
    }

    /// The difference in Elo with its interval. The ends are infinite if there is too little data.
    /// The lower end is at most that of as many pairs that are all won, and the upper end at least
    /// that of as many that are all lost.
    pub(crate) fn elo(&self) -> Interval {
        let (mean, variance) = (self.mean(), self.variance());
        let (low, high) = match self.count() {
            0 | 1 => (0.0, 1.0),
            // All pairs are alike, and others may all be the lowest or the highest.
            count if variance == 0.0 => {
                let others = unseen_share(count);
                (mean - others * mean, mean + others * (1.0 - mean))
            }
            count => {
                let margin = TWO_SIDED_95 * (variance / (count - 1) as f64).sqrt();
                // Near a perfect score, the variance seen is too small: a single draw would be
                // stronger evidence than none.
                let others = unseen_share(count);
                ((mean - margin).min(1.0 - others), (mean + margin).max(others))
            }
        };
        Interval { low: elo_of_score(low), middle: elo_of_score(mean), high: elo_of_score(high) }
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`.
    pub(crate) fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let count = self.count();
        if count == 0 {
            return 0.0;
        }
        let counts = self.0.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|n| n / total);
        let under_0 = tilted(&seen, expected_score(elo0));
        let under_1 = tilted(&seen, expected_score(elo1));
        let mean: f64 = (0..RESULTS).map(|i| seen[i] * (under_1[i] / under_0[i]).ln()).sum();
        count as f64 * mean
    }
}

/// The mean score of a game for each result of a pair.
fn scores() -> [f64; RESULTS] {
    [0.0, 0.25, 0.5, 0.75, 1.0]
}

/// Among all distributions with the given expected score (strictly between 0 and 1), the one that
/// makes the counts most likely. With a Lagrange multiplier t it is `p / (1 + t (score - mean))`.
/// The sum of `p (score - mean) / (1 + t (score - mean))` must be zero, and falls as t grows.
fn tilted(seen: &[f64; RESULTS], mean: f64) -> [f64; RESULTS] {
    let scores = scores();
    // Between these all denominators are positive.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let sum: f64 = (0..RESULTS)
            .map(|i| seen[i] * (scores[i] - mean) / (1.0 + middle * (scores[i] - mean)))
            .sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + t * (scores[i] - mean)))
}

/// A sequential test of "at most `elo0`" against "at least `elo1`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Sprt {
    /// The value of a change that should be rejected.
    pub elo0: f64,
    /// The value of a change that should be accepted.
    pub elo1: f64,
    /// The probability that a change worth `elo0` is accepted.
    pub alpha: f64,
    /// The probability that a change worth `elo1` is rejected.
    pub beta: f64,
}

/// The decision of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The null hypothesis: the change is not worth it.
    AcceptedH0,
    /// The alternative: the change is worth it.
    AcceptedH1,
}

impl Sprt {
    /// The two bounds of the log-likelihood ratio.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision for the counts, if there is one.
    pub(crate) fn verdict(&self, pairs: &Pairs) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        match pairs.log_likelihood_ratio(self.elo0, self.elo1) {
            ratio if ratio >= upper => Some(Verdict::AcceptedH1),
            ratio if ratio <= lower => Some(Verdict::AcceptedH0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(expected_score(0.0), 0.5, 1e-12);
        close(expected_score(400.0), 10.0 / 11.0, 1e-12);
        for elo in [-700.0, -35.0, 0.0, 12.5, 500.0] {
            close(elo_of_score(expected_score(elo)), elo, 1e-9);
        }
        assert_eq!(format!("{:+.1}", elo_of_score(0.5)), "+0.0");
    }

    /// The interval must contain the true value in about 95 of 100 matches.
    #[test]
    fn the_interval_holds_the_truth_as_often_as_it_says() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let truth = expected_score(40.0);
        let matches = 2000;
        let held = (0..matches)
            .filter(|_| {
                let mut pairs = Pairs::default();
                for _ in 0..200 {
                    let wins =
                        u32::from(rng.random_bool(truth)) + u32::from(rng.random_bool(truth));
                    pairs.add(2 * wins);
                }
                let elo = pairs.elo();
                elo.low <= 40.0 && 40.0 <= elo.high
            })
            .count();
        close(held as f64 / f64::from(matches), 0.95, 0.015);
    }

    /// Pairs that are all alike do not show that no others exist.
    #[test]
    fn the_interval_of_equal_pairs_has_a_width() {
        for half_points in 0..5 {
            let mut pairs = Pairs::default();
            let mut width = f64::INFINITY;
            for count in 1..=1000 {
                pairs.add(half_points);
                let elo = pairs.elo();
                let now = expected_score(elo.high) - expected_score(elo.low);
                assert!(0.0 < now && now <= width, "{count} of {half_points}: {elo:?}");
                width = now;
            }
            // Three in a thousand could be others.
            close(width, 0.003, 1e-4);
        }
        // The usual interval is that of the mean.
        let elo = Pairs([1, 2, 3, 2, 2]).elo();
        close(elo.low, -110.6, 0.01);
        close(elo.high, 194.574, 0.01);
    }

    /// A draw less than all games won makes the variance small, not the lower end high.
    #[test]
    fn fewer_points_never_move_an_end_towards_a_perfect_score() {
        let turned = |pairs: Pairs| Pairs(std::array::from_fn(|i| pairs.0[RESULTS - 1 - i]));
        for count in 2..=200 {
            let perfect = Pairs([0, 0, 0, 0, count]);
            for drawn in 1..=count {
                let worse = Pairs([0, 0, 0, drawn, count - drawn]);
                assert!(worse.elo().low <= perfect.elo().low, "{drawn} of {count}");
                assert!(
                    turned(worse).elo().high >= turned(perfect).elo().high,
                    "{drawn} of {count}"
                );
            }
        }
        close(Pairs([0, 0, 0, 0, 20]).elo().low, 316.6, 0.05);
        close(Pairs([0, 0, 0, 1, 19]).elo().low, 316.6, 0.05);
    }

    /// Checks the distribution with random steps: no small step that keeps the sum and the mean
    /// makes the counts more likely.
    #[test]
    fn the_tilted_distribution_is_the_likeliest_with_its_mean() {
        let seen = [0.1, 0.25, 0.3, 0.25, 0.1];
        for mean in [0.35, 0.5, 0.53, 0.7] {
            let best = tilted(&seen, mean);
            close(best.iter().sum(), 1.0, 1e-9);
            close(best.iter().zip(scores()).map(|(p, s)| p * s).sum(), mean, 1e-9);
            let likelihood =
                |p: &[f64; 5]| -> f64 { seen.iter().zip(p).map(|(s, p)| s * p.ln()).sum() };
            let step = 1e-4;
            for first in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut other = best;
                    for (offset, part) in [1.0, -2.0, 1.0].into_iter().enumerate() {
                        other[first + offset] += sign * step * part;
                    }
                    assert!(likelihood(&other) < likelihood(&best), "{mean} {first} {sign}");
                }
            }
        }
    }

    /// With many pairs and small differences, the ratio is close to that of normal distributions.
    #[test]
    fn the_ratio_is_close_to_the_normal_approximation() {
        let pairs = Pairs([300, 900, 1600, 1100, 400]);
        let (s0, s1) = (expected_score(0.0), expected_score(5.0));
        let normal = pairs.count() as f64 * (s1 - s0) * (2.0 * pairs.mean() - s0 - s1)
            / (2.0 * pairs.variance());
        close(pairs.log_likelihood_ratio(0.0, 5.0), normal, 0.05 * normal.abs());
        close(pairs.log_likelihood_ratio(5.0, 0.0), -pairs.log_likelihood_ratio(0.0, 5.0), 1e-9);
        assert_eq!(Pairs::default().log_likelihood_ratio(0.0, 5.0), 0.0);
    }

    #[test]
    fn the_test_errs_no_more_often_than_it_was_told() {
        let sprt = Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05 };
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for (elo, right) in [(0.0, Verdict::AcceptedH0), (30.0, Verdict::AcceptedH1)] {
            let runs = 400;
            let mut wrong = 0;
            for _ in 0..runs {
                let mut pairs = Pairs::default();
                let verdict = loop {
                    // Openings give one side an edge, so the two games of a pair are not alike.
                    let edge = 80.0;
                    let first = rng.random_bool(expected_score(elo + edge));
                    let second = rng.random_bool(expected_score(elo - edge));
                    pairs.add(2 * (u32::from(first) + u32::from(second)));
                    if let Some(verdict) = sprt.verdict(&pairs) {
                        break verdict;
                    }
                };
                wrong += u32::from(verdict != right);
            }
            let share = f64::from(wrong) / f64::from(runs);
            assert!(share < 0.085, "{elo}: wrong {share}");
        }
    }
}

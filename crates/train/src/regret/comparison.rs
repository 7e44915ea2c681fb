//! The difference of two configurations over many stretches.

use std::fmt;

use crate::elo::{TWO_SIDED_95, unseen_share};

/// The mean difference of the expected results after the moves of two configurations. The
/// positions of one stretch depend on each other, so a stretch is one observation.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Comparison {
    stretches: u32,
    positions: u32,
    different: u32,
    /// Sums over stretches of the difference for a move, and of its square.
    sum: f64,
    squares: f64,
}

impl Comparison {
    /// Adds a stretch: the number of its positions, of those where the moves differ, and the sum of
    /// the differences.
    pub(crate) fn add(&mut self, positions: usize, different: usize, difference: f64) {
        let mean = difference / positions.max(1) as f64;
        self.stretches += 1;
        self.positions += positions as u32;
        self.different += different as u32;
        self.sum += mean;
        self.squares += mean * mean;
    }

    /// The mean difference for a move, in points of a game (0 to 1).
    pub(crate) fn mean(&self) -> f64 {
        self.sum / f64::from(self.stretches.max(1))
    }

    /// The distance of the ends of its 95 % interval from the mean; `None` with fewer than two
    /// stretches.
    pub(crate) fn margin(&self) -> Option<f64> {
        let count = f64::from(self.stretches);
        if self.stretches < 2 {
            None
        } else if self.squares == 0.0 {
            // No stretch shows a difference, but others may, of up to a point for a move.
            Some(unseen_share(self.stretches.into()))
        } else {
            let variance = (self.squares / count - self.mean().powi(2)).max(0.0);
            Some(TWO_SIDED_95 * (variance / (count - 1.0)).sqrt())
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In thousandths of a point.
        let mean = 1000.0 * self.mean();
        write!(f, "{mean:+.3}")?;
        if let Some(margin) = self.margin().map(|margin| 1000.0 * margin) {
            write!(f, " ({:+.3} to {:+.3})", mean - margin, mean + margin)?;
        }
        let share = 100.0 * f64::from(self.different) / f64::from(self.positions.max(1));
        write!(
            f,
            " thousandths of a point for a move, {share:.1} % of {} moves differ",
            self.positions
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_the_mean_over_stretches() {
        let mut comparison = Comparison::default();
        for difference in [0.4, 0.0, -0.2, 0.2] {
            comparison.add(4, 1, difference);
        }
        assert!((comparison.mean() - 0.025).abs() < 1e-12);
        // The means for a move are 0.1, 0, −0.05 and 0.05: a deviation of 0.06455, over √4.
        let error = comparison.margin().unwrap() / TWO_SIDED_95;
        assert!((error - 0.032_275).abs() < 1e-5, "{error}");
    }

    #[test]
    fn nothing_is_certain_without_observations() {
        let mut comparison = Comparison::default();
        comparison.add(4, 1, 0.4);
        let text = comparison.to_string();
        assert!(text.starts_with("+100.000 thousandths of a point for a move, 25.0 %"), "{text}");
        // If more than 45.072 % of stretches had a difference, at least one of five would have one in 95 of
        // 100 comparisons.
        let mut comparison = Comparison::default();
        for _ in 0..5 {
            comparison.add(4, 0, 0.0);
        }
        let text = comparison.to_string();
        assert!(text.starts_with("+0.000 (-450.720 to +450.720) thousandths"), "{text}");
    }
}

//! The progress of a game: a sum of weights, one for each pair of a king and a piece, from both
//! sides' views. It never depends on the side to move, and boards are never mirrored.

use tsumero_core::{ByColor, Color};

use crate::features::{InputSet, View};
use crate::kind::Kind;

/// The pairs are numbered as the inputs of HalfKP.
pub(crate) const KIND: Kind = Kind::HalfKp;
/// Number of weights.
pub(crate) const WEIGHTS: usize = KIND.inputs();
/// Number of bytes of a file of weights.
pub(crate) const FILE_SIZE: usize = 8 * WEIGHTS;
/// The number that stands for 1 in sums.
const ONE: f64 = 65536.0;

/// Weights, and the sums at which a class of the progress ends.
pub(crate) struct Progress {
    bias: i32,
    weights: Vec<i32>,
    /// In ascending order, one less than there are classes.
    thresholds: Vec<i64>,
}

impl Progress {
    /// Weights in the order of HalfKP. `classes` is from 1 to 256.
    pub(crate) fn new(bias: i32, weights: Vec<i32>, classes: usize) -> Progress {
        assert_eq!(weights.len(), WEIGHTS);
        // The progress is divided into 256 parts of the logistic function. Class c begins with the
        // part 256 * c / classes, rounded up.
        let threshold = |class: usize| {
            let part = (256 * class).div_ceil(classes) as f64;
            (ONE * (part / (256.0 - part)).ln()).round() as i64
        };
        Progress { bias, weights, thresholds: (1..classes).map(threshold).collect() }
    }

    /// The weights of a file `progress.bin`, floating-point numbers, in eight classes.
    ///
    /// # Errors
    ///
    /// What was found in its place.
    pub(crate) fn of_file(bytes: &[u8]) -> Result<Progress, String> {
        if bytes.len() != FILE_SIZE {
            return Err(format!("{} bytes", bytes.len()));
        }
        let numbers = bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
        let weight = |number: f64| match number.is_finite() {
            // Numbers beyond the limits become the limits.
            true => Ok((ONE * number).round() as i32),
            false => Err("a number that is not finite".to_owned()),
        };
        let weights = numbers.map(weight).collect::<Result<_, _>>()?;
        Ok(Progress::new(0, weights, 8))
    }

    /// The weight of an input of HalfKP.
    #[inline]
    pub(crate) fn weight(&self, row: usize) -> i64 {
        self.weights[row].into()
    }

    /// The sum of a side, for its view and the inputs of HalfKP.
    pub(crate) fn sum(&self, view: View, set: &InputSet) -> i64 {
        let mut sum = 0;
        set.for_each(|input| sum += self.weight(view.row(input)));
        sum
    }

    /// The class, for the sums of both sides.
    #[inline]
    pub(crate) fn class(&self, sums: ByColor<i64>) -> usize {
        let sum = i64::from(self.bias) + sums[Color::Black] + sums[Color::White];
        self.thresholds.iter().filter(|&&threshold| threshold <= sum).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_the_published_ones() {
        let progress = |classes| Progress::new(0, vec![0; WEIGHTS], classes);
        let eight = [-127_527, -71_999, -33_477, 0, 33_477, 71_999, 127_527];
        assert_eq!(progress(8).thresholds, eight);
        // Class c of n begins where value * n / 256, rounded down, becomes c.
        for classes in [2, 3, 4, 16, 32] {
            let progress = progress(classes);
            for value in 0..256_usize {
                // Just at the beginning of this part.
                let part = value as f64;
                let sum = match value {
                    0 => -1_000_000,
                    _ => (ONE * (part / (256.0 - part)).ln()).round() as i64,
                };
                assert_eq!(progress.class(ByColor([sum, 0])), value * classes / 256);
                assert_eq!(progress.class(ByColor([sum - 3, 3])), value * classes / 256);
            }
        }
    }

    #[test]
    fn files_are_read_exactly_or_refused() {
        let mut bytes: Vec<u8> = [0.5 / ONE, -0.5 / ONE, 1e9, -1e9, 1.25]
            .iter()
            .flat_map(|n: &f64| n.to_le_bytes())
            .collect();
        bytes.resize(FILE_SIZE, 0);
        let progress = Progress::of_file(&bytes).ok().unwrap();
        assert_eq!(progress.weights[..6], [1, -1, i32::MAX, i32::MIN, 81920, 0]);
        let found = |bytes: &[u8]| Progress::of_file(bytes).err().unwrap();
        assert_eq!(found(&bytes[1..]), "1003103 bytes");
        bytes[8..16].copy_from_slice(&f64::NAN.to_le_bytes());
        assert_eq!(found(&bytes), "a number that is not finite");
    }
}

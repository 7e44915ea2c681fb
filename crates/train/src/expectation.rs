//! Expected results: the logistic curve that makes them of values, and how they are compared with
//! what happened.

/// The expected result, 0 to 1, of a value divided by the scale of the curve.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Cross-entropy of an expected result with a target.
pub(crate) fn cross_entropy(expected: f64, target: f64) -> f64 {
    const LEAST: f64 = 1e-12;
    // Unlike `max`, this leaves a NaN what it is.
    let log = |share: f64| share.clamp(LEAST, 1.0).ln();
    -(target * log(expected) + (1.0 - target) * log(1.0 - expected))
}

/// The scale, 50 to 5,000, with which scores predict results (0 to 1) best.
pub(crate) fn fitted_scale(scores: &[f32], results: &[f32]) -> f64 {
    let loss = |scale: f64| -> f64 {
        let pairs = scores.iter().zip(results);
        pairs
            .map(|(&score, &result)| {
                cross_entropy(logistic(f64::from(score) / scale), f64::from(result))
            })
            .sum()
    };
    // The loss has one minimum: golden-section search over the logarithm. Each round keeps one of the
    // two inner points, whose loss is known.
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (50f64.ln(), 5000f64.ln());
    let at = |point: f64| (point, loss(point.exp()));
    let mut left = at(high - ratio * (high - low));
    let mut right = at(low + ratio * (high - low));
    for _ in 0..30 {
        if left.1 < right.1 {
            (high, right) = (right.0, left);
            left = at(high - ratio * (high - low));
        } else {
            (low, left) = (left.0, right);
            right = at(low + ratio * (high - low));
        }
    }
    ((low + high) / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_of_what_is_no_number_is_none_either() {
        assert!(cross_entropy(f64::NAN, 0.5).is_nan());
        for (expected, target, loss) in
            [(0.25, 1.0, 1.386_294), (1.0, 0.0, 27.631_021), (0.0, 0.0, 0.0)]
        {
            assert!((cross_entropy(expected, target) - loss).abs() < 1e-6, "{expected} {target}");
        }
    }
}

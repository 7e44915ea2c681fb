//! The extractor of the evaluation by attack maps. The search crate has its features and weights.

use tsumero_core::Position;
use tsumero_search::{FEATURES, Feature, STATES, feature, features, present_weights};

use super::extractor::Extractor;

/// States of one piece: pairs of attack counts.
const COUNT_PAIRS: usize = 9;
/// Number of distances from a king, counted in king's steps.
const RINGS: usize = 9;
/// Numbers of factors: a state at a distance, a state anywhere, a piece anywhere, a state near the
/// king whatever the opponent holds.
const RING_FACTORS: usize = RINGS * STATES;
const STATE_FACTORS: usize = RING_FACTORS + STATES;
const PIECE_FACTORS: usize = STATE_FACTORS + STATES / COUNT_PAIRS;
const NEAR_FACTORS: usize = PIECE_FACTORS + 3 * 5 * STATES;

pub(super) struct AttackMaps;

impl Extractor for AttackMaps {
    fn count(&self) -> usize {
        FEATURES
    }

    fn extract(&self, position: &Position, list: &mut Vec<(u32, i16)>) {
        features(position, list);
    }

    fn factors(&self) -> Vec<Vec<u32>> {
        (0..FEATURES).map(factors_of).collect()
    }

    fn factor_count(&self) -> usize {
        NEAR_FACTORS
    }

    fn present(&self) -> Option<Vec<i32>> {
        Some(present_weights().iter().map(|&weight| weight.into()).collect())
    }
}

/// The factors of a feature.
fn factors_of(index: usize) -> Vec<u32> {
    let Feature::Square { dx, dy, state, .. } = feature(index) else { return Vec::new() };
    let ring = dx.max(dy.unsigned_abs() as usize);
    let mut factors =
        vec![ring * STATES + state, RING_FACTORS + state, STATE_FACTORS + state / COUNT_PAIRS];
    if dx <= 2 && dy.abs() <= 2 {
        let near = 5 * dx + (dy + 2) as usize;
        factors.push(PIECE_FACTORS + near * STATES + state);
    }
    factors.into_iter().map(|factor| factor as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_shared_by_a_kind_of_features() {
        let factors = AttackMaps.factors();
        assert_eq!(factors.len(), AttackMaps.count());
        assert!(factors.iter().flatten().all(|&f| (f as usize) < AttackMaps.factor_count()));
        // Left and right are one feature. Squares ahead and behind at the same distance share a
        // factor.
        let find = |wanted| (0..FEATURES).find(|&index| feature(index) == wanted).unwrap();
        let square = |dx, dy, danger| Feature::Square { dx, dy, danger, state: 100 };
        let (ahead, behind) = (find(square(0, -3, 0)), find(square(0, 3, 0)));
        assert_eq!(factors[ahead][..], factors[behind][..]);
        let (calm, threatened) = (find(square(1, 1, 0)), find(square(1, 1, 3)));
        assert_eq!(factors[calm], factors[threatened]);
        assert_ne!(factors[calm], factors[find(square(1, -1, 0))]);
    }
}

//! Numbers that tell one evaluation or search from another.
//!
//! Files of games and matches carry them, so that nobody goes on with another engine than the one
//! that began, or fits an evaluation to the scores of an unknown one.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tsumero_core::Position;
use tsumero_search::{BenchOptions, Evaluations, bench};

/// A number that differs, with near certainty, between two evaluations that differ: a checksum of
/// the static values along random games. Several evaluations have one number together.
pub fn of_evaluations(evaluations: &[&Evaluations]) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(20_261_121);
    let mut hasher = crc32fast::Hasher::new();
    for _ in 0..20 {
        let mut position = Position::startpos();
        for _ in 0..100 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.random_range(0..moves.len())]);
            for evaluation in evaluations {
                hasher.update(&evaluation.evaluate(&position).value().to_le_bytes());
            }
        }
    }
    hasher.finalize()
}

/// A number that differs, with near certainty, between two searches that differ: the nodes of a
/// small benchmark with the evaluation by attack maps. Needs a stack of [`tsumero_search::STACK_SIZE`] bytes.
pub fn of_search() -> u64 {
    let options = BenchOptions {
        depth: Some(6),
        nodes: None,
        threads: 1,
        hash_mb: 4,
        evaluations: Evaluations::AttackMaps,
    };
    bench(options, &mut |_| {}).nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_the_same_every_time() {
        let (network, by_hand) = (Evaluations::default(), Evaluations::AttackMaps);
        let all = [&[&network][..], &[&by_hand], &[&network, &by_hand]].map(of_evaluations);
        assert_eq!(of_evaluations(&[&network]), all[0]);
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
        assert_eq!(of_search(), of_search());
    }
}

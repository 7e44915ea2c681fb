//! Fingerprints: numbers that identify an evaluation or a search.
//!
//! Files of games and matches contain them. So a run is never continued with another engine, and an
//! evaluation is never fitted to the scores of an unknown one.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tsumero_core::Position;
use tsumero_search::{BenchOptions, EvaluationFunction, bench};

/// A checksum of the static values along random games. It almost certainly differs between
/// different evaluations. Several evaluations together have one number.
pub fn of_evaluations(evaluations: &[&EvaluationFunction]) -> u32 {
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

/// The nodes of a small benchmark with the evaluation by attack maps. They almost certainly differ
/// between different searches. Needs a stack of [`tsumero_search::STACK_SIZE`] bytes.
pub fn of_search() -> u64 {
    let options = BenchOptions {
        depth: Some(6),
        nodes: None,
        threads: 1,
        hash_mb: 4,
        evaluation_function: EvaluationFunction::AttackMaps,
    };
    bench(options, &mut |_| {}).nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_the_same_every_time() {
        let (network, by_hand) = (EvaluationFunction::default(), EvaluationFunction::AttackMaps);
        let all = [&[&network][..], &[&by_hand], &[&network, &by_hand]].map(of_evaluations);
        assert_eq!(of_evaluations(&[&network]), all[0]);
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
        assert_eq!(of_search(), of_search());
    }
}

//! Fingerprints: numbers that identify an evaluation or a search.
//!
//! Files of games and matches contain them. So a run is never continued with another engine, and a
//! file of games says which evaluation its scores are from.

use tsumero_core::Position;
use tsumero_search::{
    EvaluationFunction, Limits, Parameters, Question, Searcher, Settings, Signals,
};

/// One number for several evaluations together, made of their fingerprints.
pub(crate) fn of_evaluations(evaluations: &[&EvaluationFunction]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for evaluation in evaluations {
        hasher.update(&evaluation.fingerprint().to_le_bytes());
    }
    hasher.finalize()
}

/// Identifies the search with the parameters of ordinary builds. It differs if a parameter differs,
/// and almost certainly if a rule does: the trees of a few positions are part of it, so deep that
/// every rule which begins or ends at some depth takes part. Takes about 0.2 s and needs a stack
/// of [`tsumero_search::STACK_SIZE`] bytes.
pub(crate) fn of_search() -> u64 {
    of_search_with(&Parameters::DEFAULT)
}

/// The same for a search with these parameters.
fn of_search_with(parameters: &Parameters) -> u64 {
    let mut hasher = crc32fast::Hasher::new();
    trees(parameters).for_each(|tree| hasher.update(&tree.to_le_bytes()));
    u64::from(of_parameters(parameters)) << 32 | u64::from(hasher.finalize())
}

/// A checksum of the names and values of the parameters.
fn of_parameters(parameters: &Parameters) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for info in Parameters::TABLE {
        let value = parameters.get(info.name).unwrap_or(info.default);
        hasher.update(format!("{}={value};", info.name).as_bytes());
    }
    hasher.finalize()
}

/// Positions of `tsumero bench` and the depths to which they are searched: a mate problem, an
/// endgame with full hands, kings that have entered, and three middlegames. Only in the first of
/// these is a node razored at the last plies of this rule, and only the last one is searched so
/// deep that a move is pruned because of its history.
const TREES: [(&str, u32); 6] = [
    ("8k/9/9/5+RB2/9/9/9/9/9 b S2Prb4g3s4n4l16p 1", 10),
    ("+S4k1p1/3s1gb2/p1pp3P1/3r1g3/P5s2/2LNP4/1PPPp1+R1P/1S1K4L/LN1G3N1 w BGNL5Pp 160", 8),
    ("1+P+B1+S4/2K1G2+N1/1+P+L1+P4/9/4p4/P8/3+n+p1g2/1s2+r1k2/2g1+l2+b1 w GS6P3p 250", 8),
    ("l3g4/1r1s2ks1/2b+Bppn2/5g3/pp2P1p2/2GR1G1pl/PP1P1P2N/3S5/LNK5L w N6Psp 80", 10),
    ("lnsg1g2l/4k1s2/p1ppppnpp/1r3bp2/1p5P1/P3R3P/BPPPPPP1N/2S3S2/LN1GKG2L w - 20", 12),
    ("ln1g2snl/1r1s2k2/ppppppgp1/5bp1p/7P1/2PPB3P/PPS1PPP2/4K1SR1/LN1G1G1NL w - 20", 14),
];

/// The numbers of nodes of the trees, with the evaluation by attack maps.
fn trees(parameters: &Parameters) -> impl Iterator<Item = u64> {
    let settings = Settings { parameters: *parameters, ..Settings::default() };
    let mut searcher = Searcher::new(4);
    searcher.set_evaluation_function(EvaluationFunction::AttackMaps);
    TREES.iter().map(move |&(sfen, depth)| {
        let position = Position::from_sfen(sfen).expect("the built-in positions are valid");
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let (signals, mut nodes) = (Signals::new(), 0);
        searcher.clear();
        let game = position.into();
        let question = Question::new(&game, &limits, &settings, &signals);
        searcher.search(&question, &mut |info| nodes = info.nodes);
        nodes
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tsumero_search::ParameterInfo;

    #[test]
    fn fingerprints_are_the_same_every_time() {
        let (network, attack_maps) =
            (EvaluationFunction::default(), EvaluationFunction::AttackMaps);
        let all = [&[&network][..], &[&attack_maps], &[&network, &attack_maps]].map(of_evaluations);
        assert_eq!(of_evaluations(&[&network]), all[0]);
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
        assert_eq!(of_search(), of_search());
    }

    /// Every parameter is part of the fingerprint, whether or not it changes a tree.
    #[test]
    fn every_parameter_changes_the_fingerprint() {
        let mut seen = HashSet::from([of_parameters(&Parameters::DEFAULT)]);
        for info in Parameters::TABLE {
            let mut changed = Parameters::DEFAULT;
            assert!(changed.set(info.name, info.default + 1));
            assert!(seen.insert(of_parameters(&changed)), "{}", info.name);
        }
        // One whose trees differ, and one whose trees may not.
        for name in ["probcut_margin", "null_move_verification"] {
            let mut changed = Parameters::DEFAULT;
            assert!(changed.set(name, Parameters::DEFAULT.get(name).unwrap() + 1));
            assert_ne!(of_search_with(&changed), of_search(), "{name}");
        }
    }

    /// The trees are so deep that every rule takes part that begins or ends at some depth. If it
    /// began one ply deeper, or ended at half its depth, a tree would be another.
    #[test]
    fn the_trees_reach_every_rule() {
        let usual: Vec<u64> = trees(&Parameters::DEFAULT).collect();
        let mut rules = 0;
        for &ParameterInfo { name, default, .. } in Parameters::TABLE {
            let changed_to = match name {
                "probcut_depth" | "iterative_reduction_depth" | "singular_depth" => default + 1,
                // So bad a history is so rare at the last plies of this rule that it is switched
                // off here.
                "history_pruning_depth" => -1,
                // The trees are not deep enough for verified null moves.
                "null_move_verification" => default / 2,
                // This is a margin, not a depth.
                "null_move_depth" => continue,
                _ if name.ends_with("_depth") => default / 2,
                _ => continue,
            };
            let mut changed = Parameters::DEFAULT;
            assert!(changed.set(name, changed_to));
            // The shallow trees come first, and mostly they are enough.
            assert!(trees(&changed).ne(usual.iter().copied()), "{name}");
            rules += 1;
        }
        assert!(rules >= 11, "{rules} rules");
    }
}

//! Tests of layer stacks and of the kinds of inputs that came with them: reference values, and files
//! that say too little.

use tsumero_core::{Color, Position};

use super::formula::{
    KINDS, MIRRORED, MIRRORED_DIGEST, PROGRESS_DIGEST, RULES, STACK_DIGESTS, STACKS, StackFormula,
    progress_file,
};
use super::{agrees, digest, rows, stack};
use crate::lanes::{Chosen, Lanes, Words};
use crate::layers::Scratch;
use crate::network::Head;
use crate::{Kind, Network, RuleReason, Shape, StackRule, value_of_raw};

const TABLE: &str = include_str!("../../tests/data/stacks.csv");
const FAMILIES: &str = include_str!("../../tests/data/families.csv");

/// Positions of both tables in which the side to move could capture the king.
const REFUSED: usize = 0;

/// Compares a network with its columns of `stacks.csv`.
fn agrees_with_table(network: &Network, name: &str, fv_scale: u16) {
    agrees(&format!("raw_{name}"), network, TABLE, REFUSED);
    for (sfen, values) in rows(TABLE) {
        assert_eq!(stack(network, &sfen), values[&format!("stack_{name}")] as usize, "{sfen}");
        let scale = fv_scale.try_into().unwrap();
        let value = value_of_raw(values[&format!("raw_{name}")], scale);
        assert_eq!(value, values[&format!("eval_{name}")]);
    }
}

fn network(formula: &StackFormula, expected: &str) -> (Network, Vec<u8>) {
    let file = formula.file();
    assert_eq!(digest(&file), expected, "{}", formula.name);
    let network = Network::from_bytes(&file).unwrap();
    assert_eq!(network.shape(), Shape::Stacks(formula.architecture()));
    assert!(network.hashes_agree());
    (network, file)
}

/// The first values of a view's accumulator.
fn first<const N: usize>(network: &Network, color: Color, position: &Position) -> [i16; N] {
    *network.accumulator::<Chosen>(color, position)[0].0.first_chunk().unwrap()
}

/// The published position of the worked values.
const WORKED: &str =
    "ln1gk1s2/2Rs1g1bl/pp1p2npp/2p2pp2/1P7/4pRP1P/P1PP1P1P1/LBGK2S2/1NS3GNL w P 40";

#[test]
fn network_s_agrees() {
    let (network, file) = network(&STACKS[0], STACK_DIGESTS[0]);
    assert_eq!(network.shape().to_string(), "SFNN HalfKA_hm2 1536-15-32");
    let choice = network.stack_choice().unwrap();
    assert_eq!(choice.to_string(), "k3k3 (for which the name in the description stands)");
    assert_eq!(network.fv_scale().get(), 16);
    agrees_with_table(&network, "s", 16);
    let worked = Position::from_sfen(WORKED).unwrap();
    assert_eq!(first(&network, Color::White, &worked), [-102, -212, 112]);
    assert_eq!(first(&network, Color::Black, &worked), [66, 210, 34]);
    assert_eq!(network.evaluate_from_scratch(&worked), -21572);
    // The same with the number of stacks before the transformer, as some trainers write it.
    let body = 12 + STACKS[0].description().len();
    let mut other = [&file[..body], &9_u32.to_le_bytes(), &file[body..]].concat();
    drop(file);
    for version in [0x7af3_2f16_u32, 0x7af3_2f20, 0x7af3_2f21] {
        other[..4].copy_from_slice(&version.to_le_bytes());
        let network = Network::from_bytes(&other).unwrap();
        assert_eq!(network.evaluate_from_scratch(&worked), -21572);
    }
    other[body] = 8;
    let line = Network::from_bytes(&other).unwrap_err().to_string();
    assert!(line.starts_with("found 232488 bytes behind the transformer described as"), "{line}");
}

#[test]
fn network_t_agrees() {
    let (network, _) = network(&STACKS[1], STACK_DIGESTS[1]);
    let choice = network.stack_choice().unwrap();
    assert_eq!(choice.rule.to_string(), "hand4_k3k3_progress3");
    agrees_with_table(&network, "t", 16);
    let worked = Position::from_sfen(WORKED).unwrap();
    assert_eq!(first(&network, Color::White, &worked), [244, 358, -66]);
    assert_eq!(first(&network, Color::Black, &worked), [-484, -176, -244]);
}

#[test]
fn network_x_agrees() {
    let (network, _) = network(&STACKS[2], STACK_DIGESTS[2]);
    agrees_with_table(&network, "x", 16);
    let worked = Position::from_sfen(WORKED).unwrap();
    assert_eq!(first(&network, Color::White, &worked), [-24500, 7244, 15510]);
    assert_eq!(first(&network, Color::Black, &worked), [12460, -28226, 18388]);
}

#[test]
fn networks_n_and_e_agree() {
    let progress = progress_file();
    assert_eq!(digest(&progress), PROGRESS_DIGEST);
    let file = STACKS[3].file();
    assert_eq!(digest(&file), STACK_DIGESTS[3]);
    let rule = |name: &str| Some(name.parse::<StackRule>().unwrap());
    // Nothing but the file of weights says how a stack is chosen.
    let network = Network::from_bytes_with(&file, None, Some(&progress)).unwrap();
    assert_eq!(network.stack_choice().unwrap().reason, RuleReason::ProgressFile);
    assert_eq!(network.fv_scale().get(), 28);
    agrees_with_table(&network, "n", 28);
    let network = Network::from_bytes_with(&file, rule("progress8ek"), Some(&progress)).unwrap();
    assert_eq!(network.stack_choice().unwrap().reason, RuleReason::Set);
    agrees_with_table(&network, "e", 28);
    let network = Network::from_bytes(&file).unwrap();
    assert_eq!(network.stack_choice().unwrap().reason, RuleReason::Usual);
    assert_eq!(network.fv_scale().get(), 16);
    let line =
        |rule, progress| Network::from_bytes_with(&file, rule, progress).unwrap_err().to_string();
    assert_eq!(
        line(rule("progress8kpabs"), None),
        "found no such file, expected a progress.bin of 1003104 bytes beside the network for the \
         rule progress8kpabs"
    );
    assert!(line(None, Some(&progress[1..])).starts_with("found 1003103 bytes, expected"));
    assert_eq!(line(rule("k9k9"), None), "found 9 stacks, expected 81 for the rule k9k9 (as set)");
}

#[test]
fn network_v_agrees() {
    let file = MIRRORED.file();
    assert_eq!(digest(&file), MIRRORED_DIGEST);
    let network = Network::from_bytes(&file).unwrap();
    assert!(network.hashes_agree());
    assert_eq!(network.shape().to_string(), "HalfKP_vm 256x2-32-32");
    assert_eq!(network.stack_choice(), None);
    agrees("raw_v", &network, TABLE, REFUSED);
}

#[test]
fn other_kinds_and_rules_agree() {
    for formula in &KINDS {
        let network = Network::from_parameters(&formula.parameters()).unwrap();
        assert_eq!(network.shape(), Shape::Dense(formula.architecture()));
        agrees(formula.name, &network, FAMILIES, REFUSED);
    }
    for formula in &RULES {
        let network = Network::from_bytes(&formula.file()).unwrap();
        let shape = network.shape().to_string();
        assert!(network.hashes_agree(), "{shape}");
        let rule = network.stack_choice().unwrap().rule.to_string();
        assert!(formula.name.ends_with(&rule), "{rule}");
        agrees(formula.name, &network, FAMILIES, REFUSED);
    }
}

/// ZoneKA1 is in no table, because it is our own. It is compared with a network that has rows for
/// each square of the own king, those of its zone.
#[test]
fn zones_are_squares_with_equal_rows() {
    let zones = super::formula::ZONES.parameters();
    let mut squares =
        crate::Parameters::zeros(crate::Architecture::new(Kind::HalfKa1, 256, 32, 32).unwrap());
    squares.transformer_biases = zones.transformer_biases.clone();
    squares.layers = zones.layers.clone();
    let size = 256 * 1710;
    squares.transformer_weights.clear();
    for square in 0..81 {
        // Ranks as the king's owner sees them; files 1 to 9.
        let (file, rank) = (square / 9 + 1, square % 9 + 1);
        let zone = match (file, rank) {
            (_, ..=7) => 8,
            (1 | 2, _) => rank - 8,
            (3..=5, _) => rank - 6,
            (6 | 7, _) => rank - 4,
            _ => rank - 2,
        };
        squares.transformer_weights.extend(&zones.transformer_weights[zone * size..][..size]);
    }
    let networks = [&zones, &squares].map(|p| Network::from_parameters(p).unwrap());
    assert_eq!(networks[0].shape().to_string(), "ZoneKA1 256x2-32-32");
    assert!(networks[0].hashes_agree());
    let mut values = std::collections::HashSet::new();
    for (sfen, _) in rows(TABLE) {
        let [a, b] = networks.each_ref().map(|network| super::raw::<Chosen>(network, &sfen));
        assert_eq!(a, b, "{sfen}");
        values.insert(a);
    }
    assert!(values.len() > 90, "{}", values.len());
}

/// K+A2 has no dense network in the tables, because nobody has published the values of one. Its two
/// rows for each king are compared with a K-P network whose rows are their sums.
#[test]
fn rows_of_kings_are_joined() {
    let both = super::formula::KINDS_OF_KINGS;
    let mut twice = both.parameters();
    let mut joined =
        crate::Parameters::zeros(crate::Architecture::new(Kind::Kp, 256, 32, 32).unwrap());
    joined.transformer_biases = twice.transformer_biases.clone();
    joined.layers = twice.layers.clone();
    let row = |input: usize| 256 * input..256 * (input + 1);
    joined.transformer_weights.copy_from_slice(&twice.transformer_weights[..256 * 1710]);
    for square in 0..81 {
        for (king, own) in [(1548, 1629), (1629, 1710)] {
            for (place, (shared, own)) in
                row(king + square).zip(row(1548 + square).zip(row(own + square)))
            {
                let weights = &twice.transformer_weights;
                joined.transformer_weights[place] = weights[shared].wrapping_add(weights[own]);
            }
        }
    }
    let networks = [&twice, &joined].map(|p| Network::from_parameters(p).unwrap());
    assert_eq!(networks[0].shape().to_string(), "K+A2 256x2-32-32");
    for (sfen, _) in rows(TABLE) {
        let [a, b] = networks.each_ref().map(|network| super::raw::<Chosen>(network, &sfen));
        assert_eq!(a, b, "{sfen}");
    }
    // The test can fail.
    twice.transformer_weights[256 * (1629 + 44)..][..256].fill(30);
    let other = Network::from_parameters(&twice).unwrap();
    let start = Position::startpos();
    assert_ne!(other.evaluate_from_scratch(&start), networks[0].evaluate_from_scratch(&start));
}

/// Sums of the numbers of all inputs, as published.
#[test]
fn numbers_of_inputs_are_those_of_the_format() {
    let sums = |kind: Kind, sfen| {
        let position = Position::from_sfen(sfen).unwrap();
        Color::ALL.map(|color| {
            let mut inputs = Vec::new();
            kind.active_inputs(color, &position, &mut inputs);
            assert_eq!(inputs.len(), kind.active());
            inputs.iter().sum::<usize>()
        })
    };
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(sums(Kind::HalfKaHm2, start), [2_887_063; 2]);
    assert_eq!(sums(Kind::HalfKaHm2, WORKED), [2_235_234, 2_886_936]);
    assert_eq!(sums(Kind::HalfKa2, WORKED), [3_408_150, 2_886_936]);
    assert_eq!(sums(Kind::KA2, WORKED), [23_257, 23_307]);
    assert_eq!(sums(Kind::HalfKpVm, WORKED), [2_016_644, 2_604_984]);
}

/// Stacks of zeros with biases, so that sums of the first layer reach the limits of 32 bits.
#[test]
fn sums_at_the_limits_are_squared_alike() {
    let formula = &RULES[6];
    let mut file = formula.file();
    let begin = file.len() - 9 * formula.architecture().stack_size();
    let biases = [i32::MIN, i32::MAX, 8192, -8192, 8159, -8160, 63, -1];
    for (number, bias) in biases.into_iter().enumerate() {
        for stack in 0..9 {
            let place = begin + stack * formula.architecture().stack_size() + 4 + 4 * number;
            file[place..place + 4].copy_from_slice(&bias.to_le_bytes());
            let weights = begin + stack * formula.architecture().stack_size() + 4 + 32;
            file[weights..weights + 8 * 512].fill(0);
        }
    }
    let network = Network::from_bytes(&file).unwrap();
    let Head::Stacks(stacks) = &network.head else { panic!("it has stacks") };
    let view = vec![Words([127; 32]); 16];
    let mut scratch = Scratch::new();
    stacks.evaluate::<Chosen>(0, &view, &view, &mut scratch);
    let hidden: &[u8] = bytemuck::cast_slice(&scratch.hidden);
    assert_eq!(hidden[..7], [127, 127, 127, 127, 126, 127, 0]);
    assert_eq!(hidden[7..14], [0, 127, 127, 0, 127, 0, 0]);
    fn same<L: Lanes>(network: &Network, view: &[Words]) -> i32 {
        network.evaluate_accumulators::<L>(3, view, view, &mut Scratch::new())
    }
    assert_eq!(
        same::<Chosen>(&network, &view),
        same::<crate::lanes::plain::Plain>(&network, &view)
    );
}

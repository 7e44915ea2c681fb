//! Any bytes as a network file, and files of the right size with any bytes in them, dense ones and
//! layer stacks: nothing panics, each refusal is one line of ASCII, and what is accepted evaluates
//! alike from nothing and along a line of play.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tsumero_core::{Line, Position};
use tsumero_network::{
    Accumulators, Architecture, Kind, Network, NetworkError, Parameters, StackArchitecture,
};

fn read(bytes: &[u8]) -> Option<Network> {
    told(Network::from_bytes(bytes))
}

fn told(network: Result<Network, NetworkError>) -> Option<Network> {
    match network {
        Ok(network) => Some(network),
        Err(error) => {
            let line = error.to_string();
            assert!(line.is_ascii() && !line.contains('\n') && line.len() < 400, "{line:?}");
            None
        }
    }
}

/// Most moves are those of kings, so that their squares choose other rows.
const KINGS: &str = "4k4/9/3p1p3/9/9/9/3P1P3/9/4K4 b - 1";

/// Evaluates along a line of play that the data choose.
fn play(network: &Network, choices: &[u8]) {
    let start = match choices.first() {
        Some(first) if first % 4 < 2 => Position::from_sfen(KINGS).expect("the SFEN is sound"),
        _ => Position::startpos(),
    };
    let mut position = Line::from(start);
    let mut accumulators = Accumulators::new(network, &position);
    for &choice in choices.iter().take(12) {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        accumulators.push(&position, mv);
        position.do_move(mv);
        if choice % 3 == 0 {
            let expected = network.evaluate_from_scratch(&position);
            assert_eq!(accumulators.evaluate(network, &position), expected);
        }
    }
}

/// Numbers below `limit` that differ from row to row.
fn numbers(count: usize, limit: u32) -> impl Iterator<Item = u8> {
    // The upper bits of a product with the limit are a number below it.
    let number = move |place: usize| ((place as u32).wrapping_mul(0x9e37_79b9) >> 8) & 0xffff;
    (0..count).map(move |place| ((number(place) * limit) >> 16) as u8)
}

/// A file of a dense network. Its rows differ, and its numbers are small, as in layer stacks.
fn dense(architecture: Architecture) -> Vec<u8> {
    let mut parameters = Parameters::zeros(architecture);
    for (weight, number) in parameters.transformer_weights.iter_mut().zip(numbers(usize::MAX, 5)) {
        *weight = number.into();
    }
    for layer in &mut parameters.layers {
        for (weight, number) in layer.weights.iter_mut().zip(numbers(usize::MAX, 3)) {
            *weight = number as i8 - 1;
        }
    }
    let mut file = Vec::new();
    parameters.write(&mut file).expect("memory takes all");
    file
}

/// A small file of layer stacks. Its inputs are those of K-P. Its rows differ, and its numbers are so
/// small that few neurons are at their limit. So wrong rows show.
fn stacks(architecture: StackArchitecture, rule: &str) -> Vec<u8> {
    let (width, inputs) = (architecture.width(), architecture.kind().inputs());
    let [l2, l3] = [architecture.l2(), architecture.l3()];
    let description =
        format!("Features=K+P[{inputs}->{width}x2],Network=SFNN_KP_{width}_{l2}_{l3}{rule}{{}}");
    let mut file = Vec::new();
    for number in [0x7af3_2f16, 0x3c20_3b32, description.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(description.bytes());
    file.extend(0x5f13_4ab8_u32.to_le_bytes());
    for count in [width, width * inputs] {
        file.extend(b"COMPRESSED_LEB128");
        file.extend((count as u32).to_le_bytes());
        // In this compression, each of them takes one byte.
        file.extend(numbers(count, 5));
    }
    for _ in 0..architecture.stacks() {
        file.extend(0x6333_718a_u32.to_le_bytes());
        for layer in architecture.layers() {
            // Biases of 0, and weights from -1 to 1.
            file.resize(file.len() + 4 * layer.outputs, 0);
            let weights = layer.outputs * layer.inputs.next_multiple_of(32);
            file.extend(numbers(weights, 3).map(|number| number.wrapping_sub(1)));
        }
    }
    file
}

/// Files of layer stacks with any bytes in them, and any rule.
fn spoil_stacks(data: &[u8]) {
    let [l2, l3, rule, longer, spoiled @ ..] = data else { return };
    let l2 = [7, 8, 15, 16][usize::from(*l2) % 4];
    let rules = ["", "_k3k3", "_progress8kpabs", "_progress8ek", "_hand4", "_progress3", "_k9k9"];
    let rule = rules[usize::from(*rule) % rules.len()];
    let l3 = usize::from(*l3) % 64 + 1;
    let Some(architecture) = StackArchitecture::new(Kind::Kp, 128, l2, l3, 9) else { return };
    let mut file = stacks(architecture, rule);
    for bytes in spoiled.as_chunks::<4>().0 {
        // Near the beginning, in the transformer or in the stacks.
        let [place, high, low, byte] = bytes.map(usize::from);
        let within = 256 * high + low;
        let place = match place % 3 {
            0 => within % 512,
            1 => 7 * within % file.len(),
            _ => file.len() - 1 - within % file.len().min(20_000),
        };
        file[place] = byte as u8;
    }
    match longer % 8 {
        0 => file.truncate(file.len() - usize::from(*longer)),
        1 => file.extend(spoiled),
        _ => {}
    }
    // All weights are the same, so this says little about which ones are added up, but it is fast.
    let weight = f64::from(*longer) / 1024.0 - 0.1;
    let weights = weight.to_le_bytes().repeat(81 * 1548);
    for rule in [None, rule.trim_start_matches('_').parse().ok()] {
        for progress in [None, Some(&weights[..])] {
            if let Some(network) = told(Network::from_bytes_with(&file, rule, progress)) {
                play(&network, spoiled);
            }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    if let Some(network) = read(data) {
        play(&network, data);
    }
    if data.first().is_some_and(|first| first % 2 == 1) {
        spoil_stacks(&data[1..]);
        return;
    }
    // The smallest files are far larger than what a fuzzer makes of nothing, so the data say how a
    // right one is spoiled: widths, length, description, what is written where.
    let [l2, l3, longer, length, spoiled @ ..] = data else { return };
    let (l2, l3) = (usize::from(*l2) % 40 + 1, usize::from(*l3) % 40 + 1);
    // Views of the second kind change with the zone of the own king.
    let (kind, l2, l3) =
        if longer / 8 % 8 == 7 { (Kind::ZoneKa1, 8, 32) } else { (Kind::Kp, l2, l3) };
    let Some(architecture) = Architecture::new(kind, 128, l2, l3) else { return };
    // Such a file is ten times as large, so it is made only once.
    static ZONES: OnceLock<Vec<u8>> = OnceLock::new();
    let mut file = match kind {
        Kind::ZoneKa1 => ZONES.get_or_init(|| dense(architecture)).clone(),
        _ => dense(architecture),
    };
    let after = 12 + architecture.description().len();
    for (number, &byte) in spoiled.iter().enumerate() {
        // Spread over the whole file, and as a block at the begin of the description.
        let place = number * 7919 % (file.len() - after) + after;
        file[place] = byte;
        let described = 12 + number;
        if described < after && length % 2 == 1 {
            file[described] = byte;
        }
    }
    match longer % 8 {
        0 => file.truncate(file.len() - usize::from(*length)),
        1 => file.extend(spoiled),
        2 => file[8] = *length,
        3 => file[11] = *length,
        _ => {}
    }
    if let Some(network) = read(&file) {
        play(&network, spoiled);
    }
});

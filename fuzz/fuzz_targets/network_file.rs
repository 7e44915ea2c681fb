//! Any bytes as a network file, and files of the right size with any bytes in them: nothing panics,
//! each refusal is one line of ASCII, and what is accepted evaluates alike from nothing and along
//! a line of play.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsumero_core::Position;
use tsumero_network::{Accumulators, Architecture, Kind, Network, Parameters};

fn read(bytes: &[u8]) -> Option<Network> {
    match Network::from_bytes(bytes) {
        Ok(network) => Some(network),
        Err(error) => {
            let line = error.to_string();
            assert!(line.is_ascii() && !line.contains('\n') && line.len() < 400, "{line:?}");
            None
        }
    }
}

/// Evaluates along a line of play that the data choose.
fn play(network: &Network, choices: &[u8]) {
    let mut position = Position::startpos();
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

fuzz_target!(|data: &[u8]| {
    if let Some(network) = read(data) {
        play(&network, data);
    }
    // The smallest files are far larger than what a fuzzer makes of nothing, so the data say how a
    // right one is spoiled: widths, length, description, what is written where.
    let [l2, l3, longer, length, spoiled @ ..] = data else { return };
    let (l2, l3) = (usize::from(*l2) % 40 + 1, usize::from(*l3) % 40 + 1);
    let Some(architecture) = Architecture::new(Kind::Kp, 128, l2, l3) else { return };
    let mut file = Vec::new();
    Parameters::zeros(architecture).write(&mut file).expect("memory takes all");
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

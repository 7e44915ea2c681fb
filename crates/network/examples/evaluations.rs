//! Measures how fast networks evaluate along lines of play.
//!
//! ```text
//! cargo run --release -p tsumero-network --example evaluations [-- FILE…]
//! ```
//!
//! Without files, dense networks of random numbers are measured. From each position of random games all
//! legal moves are made, evaluated and taken back, as a search does at its leaves. The time of the
//! same walk without evaluations is taken away. For each position the least time of several rounds
//! counts, so that a busy machine disturbs little.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tsumero_core::{Line, Move, Position};
use tsumero_network::{Accumulators, Architecture, INSTRUCTIONS, Kind, Network, Parameters};

/// The number of rounds. The fastest one counts for each position.
const ROUNDS: usize = 9;

/// What the measured loop does with each move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Makes it and takes it back.
    Walk,
    /// Also passes it to the accumulators.
    Push,
    /// Also evaluates the position after it.
    Evaluate,
    /// Evaluates the position after it from scratch.
    Scratch,
}

fn main() -> ExitCode {
    println!("{INSTRUCTIONS}; nanoseconds for one position");
    println!("{:<24}{:>8}{:>10}{:>10}{:>10}", "network", "push", "evaluate", "scratch", "load ms");
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let start = Instant::now();
        match Network::read(file) {
            Ok(network) => measure(&network, start.elapsed()),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    if files.is_empty() {
        let shapes = [
            (Kind::Kp, 256, 32, 32),
            (Kind::HalfKp, 256, 32, 32),
            (Kind::HalfKpVm, 256, 32, 32),
            (Kind::HalfKaHm2, 256, 32, 32),
            (Kind::Kp, 128, 32, 32),
            (Kind::Kp, 768, 16, 64),
            (Kind::Kp, 1024, 8, 32),
        ];
        for (kind, l1, l2, l3) in shapes {
            let shape = Architecture::new(kind, l1, l2, l3).expect("the widths are known ones");
            let mut file = Vec::new();
            random_parameters(shape).write(&mut file).expect("memory takes all");
            let start = Instant::now();
            let network = Network::from_bytes(&file).expect("the file has just been written");
            measure(&network, start.elapsed());
        }
    }
    ExitCode::SUCCESS
}

/// Random numbers in the ranges of trained networks.
fn random_parameters(architecture: Architecture) -> Parameters {
    let mut random = StdRng::seed_from_u64(1);
    let mut parameters = Parameters::zeros(architecture);
    parameters.transformer_biases.fill_with(|| random.random_range(-40..40));
    parameters.transformer_weights.fill_with(|| random.random_range(-28..=28));
    for layer in &mut parameters.layers {
        layer.biases.fill_with(|| random.random_range(-8000..8000));
        layer.weights.fill_with(|| random.random_range(-12..=12));
    }
    parameters
}

/// Positions of random games, each with the moves to be made from it.
fn positions() -> Vec<(Line, Vec<Move>)> {
    let mut random = StdRng::seed_from_u64(2);
    let mut positions = Vec::new();
    for _ in 0..8 {
        let mut position = Position::startpos();
        for _ in 0..100 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[random.random_range(0..moves.len())]);
            let mut moves = position.legal_moves().to_vec();
            // At most sixty moves from each position, so that drops do not outweigh the rest.
            moves.truncate(60);
            positions.push((Line::from(&position), moves));
        }
    }
    positions
}

fn measure(network: &Network, load: Duration) {
    let mut positions = positions();
    let mut accumulators = Accumulators::new(network, &positions[0].0);
    let mut sum = 0i64;
    let mut least = |work: Work| {
        let mut best = vec![f64::INFINITY; positions.len()];
        let mut count = 0;
        for _ in 0..ROUNDS {
            count = 0;
            for ((position, moves), best) in positions.iter_mut().zip(&mut best) {
                if work != Work::Walk {
                    accumulators.reset(network, position);
                }
                let start = Instant::now();
                for &mv in moves.iter() {
                    if work == Work::Push || work == Work::Evaluate {
                        accumulators.push(position, mv);
                    }
                    position.do_move(mv);
                    // Every search looks at the board, so that cost is included.
                    sum += i64::from(position.in_check());
                    match work {
                        Work::Evaluate => {
                            sum += i64::from(accumulators.evaluate(network, position))
                        }
                        Work::Scratch => sum += i64::from(network.evaluate_from_scratch(position)),
                        _ => {}
                    }
                    position.undo_move();
                    if work == Work::Push || work == Work::Evaluate {
                        accumulators.pop();
                    }
                }
                *best = best.min(start.elapsed().as_secs_f64() * 1e9);
                count += moves.len();
            }
        }
        best.iter().sum::<f64>() / count as f64
    };
    let walk = least(Work::Walk);
    let [push, evaluate, scratch] =
        [Work::Push, Work::Evaluate, Work::Scratch].map(|work| least(work) - walk);
    std::hint::black_box(sum);
    let name = network.shape().to_string();
    let load = load.as_secs_f64() * 1e3;
    println!("{name:<24}{push:>8.1}{evaluate:>10.1}{scratch:>10.1}{load:>10.1}");
}

//! Plays random moves until a game ends, and writes it in Japanese:
//! `cargo run --release --example random_game -- [SEED]`.

use tsumero_core::{GOLDEN_GAMMA, Position, mix, notation};

fn main() {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut state: u64 = seed;
    let mut position = Position::startpos();
    let ending = loop {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break if position.is_mate() { "mate" } else { "no legal move" };
        }
        if position.repetition().is_some() {
            break "repetition";
        }
        if position.moves_played() >= 500 {
            break "500 moves";
        }
        state = state.wrapping_add(GOLDEN_GAMMA);
        let mv = moves[(mix(state) % moves.len() as u64) as usize];
        println!("{:3} {}", position.ply(), notation::japanese(&position, mv));
        position.play(mv);
    };
    println!("{ending} after {} moves: {position}", position.moves_played());
}

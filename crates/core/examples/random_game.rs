//! Plays random moves until a game ends, and writes it in Japanese:
//! `cargo run --release --example random_game -- [SEED]`.

use tsumero_core::{GOLDEN_GAMMA, Game, mix, notation};

fn main() {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut state: u64 = seed;
    let mut game = Game::default();
    let ending = loop {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break if game.is_mate() { "mate" } else { "no legal move" };
        }
        if game.repetition().is_some() {
            break "repetition";
        }
        if game.moves().len() >= 500 {
            break "500 moves";
        }
        state = state.wrapping_add(GOLDEN_GAMMA);
        let mv = moves[(mix(state) % moves.len() as u64) as usize];
        println!("{:3} {}", game.ply(), notation::japanese(&game, mv, game.last_move()));
        game.play_unchecked(mv);
    };
    println!("{ending} after {} moves: {}", game.moves().len(), game.position());
}

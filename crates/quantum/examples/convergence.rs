//! Measures convergence, next to the algorithm of the article as the tests implement it.
//!
//! `cargo run --release --package tsumero-quantum --example convergence`
//!
//! Replays the events of both sides in the recorded games. Every call of either algorithm is one
//! narrowing with all its consequences. The fast algorithm is timed over many replays, the slow one
//! over one. Making and taking back moves and perft are timed too.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tsumero_core::Color;
use tsumero_quantum::{Army, Kind, KindSet, Move, PieceId, Position, perft};

#[allow(dead_code, reason = "the example needs the convergence of the twin, not its game")]
#[path = "../tests/quantum/twin/mod.rs"]
mod twin;

use twin::document::World;

const GAMES: &str = include_str!("../tests/data/games_visible.jsonl");
/// How often the games are replayed by the fast way.
const ROUNDS: u32 = 400;

#[derive(Deserialize)]
struct Game {
    tries: Vec<Try>,
}

#[derive(Deserialize)]
struct Try {
    m: String,
    ok: u8,
}

/// One call: a piece, and the kinds that it keeps.
#[derive(Clone, Copy)]
struct Call {
    side: usize,
    piece: usize,
    allowed: KindSet,
    is_capture: bool,
}

fn call(piece: PieceId, allowed: KindSet, is_capture: bool) -> Call {
    let side = usize::from(piece.side() == Color::White);
    Call { side, piece: piece.index(), allowed, is_capture }
}

fn main() {
    let mut games: Vec<(Vec<Move>, Vec<Call>)> = Vec::new();
    for line in GAMES.lines() {
        let game: Game = serde_json::from_str(line).expect("a recorded game");
        let mut position = Position::startpos();
        let (mut moves, mut calls) = (Vec::new(), Vec::new());
        for word in game.tries.iter().filter(|one| one.ok == 1).map(|one| &one.m) {
            let mv: Move = word.parse().expect("a move");
            let left = position.validate(mv).expect("the move is legal");
            let piece = match mv {
                Move::Board { from, .. } => position.piece_at(from).expect("a piece"),
                Move::Drop { piece, .. } => piece,
            };
            calls.push(call(piece, left, false));
            if let Some(captured) = position.piece_at(mv.to()) {
                calls.push(call(captured, KindSet::ALL, true));
            }
            position.play(mv).expect("the move is legal");
            moves.push(mv);
        }
        games.push((moves, calls));
    }
    let calls: usize = games.iter().map(|(_, calls)| calls.len()).sum();
    let moves: usize = games.iter().map(|(moves, _)| moves.len()).sum();

    let started = Instant::now();
    for _ in 0..ROUNDS {
        for (_, calls) in &games {
            let mut armies = [Army::new(); 2];
            for call in calls {
                let army = &mut armies[call.side];
                if call.is_capture {
                    black_box(army.capture(call.piece));
                } else {
                    black_box(army.narrow(call.piece, call.allowed).is_ok());
                }
            }
            black_box(armies);
        }
    }
    let fast = started.elapsed().as_secs_f64() / f64::from(ROUNDS) / calls as f64;

    let mut worst = Duration::ZERO;
    let started = Instant::now();
    for (_, calls) in &games {
        let mut worlds = [World::default(), World::default()];
        for call in calls {
            let before = Instant::now();
            let world = &mut worlds[call.side];
            if call.is_capture {
                black_box(world.capture(call.piece));
            } else {
                let kinds: Vec<char> = call.allowed.iter().map(Kind::letter).collect();
                black_box(world.narrow(call.piece, &kinds).is_ok());
            }
            worst = worst.max(before.elapsed());
        }
    }
    let slow = started.elapsed().as_secs_f64() / calls as f64;
    println!("convergence over {calls} calls of {} games", games.len());
    println!("  this crate             {:10.1} ns a call", fast * 1e9);
    println!("  the article's algorithm {:9.0} ns a call, worst {worst:.1?}", slow * 1e9);
    println!("  ratio                  {:10.0}", slow / fast);

    let started = Instant::now();
    for _ in 0..ROUNDS / 8 {
        for (moves, _) in &games {
            let mut position = Position::startpos();
            for &mv in moves {
                // The move is made, taken back and made again, and the game continues.
                position.play(mv).expect("the move is legal");
                position.undo();
                position.play(mv).expect("the move is legal");
            }
            for _ in moves {
                position.undo();
            }
            black_box(&position);
        }
    }
    let pairs = f64::from(ROUNDS / 8) * 2.0 * moves as f64;
    let rate = pairs / started.elapsed().as_secs_f64() / 1e6;
    println!("make and unmake, legality tested: {rate:.1} million a second");

    let started = Instant::now();
    let leaves = perft(&Position::startpos(), 3);
    println!("perft 3 of the starting position: {leaves} in {:.3?}", started.elapsed());
}

//! Measures the playing strength: against a random mover, against a player that looks one ply ahead
//! for expected material, and against itself with every move checked by the slow twin.
//!
//! `cargo run --release --package tsumero-quantum --example trial -- OPPONENT GAMES LIMIT [SEED]`
//!
//! OPPONENT is `random`, `greedy` or `self`. LIMIT is a time for each move as in `100ms`, or a
//! number of nodes as in `500`. Colors alternate. The first two moves are random.

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use tsumero_control::{Limits, Signals};
use tsumero_core::Color;
use tsumero_quantum::{BestMove, Move, Outcome, Position, Question, Searcher, Settings, evaluate};

#[allow(dead_code, reason = "the example needs the game of the twin, not all of it")]
#[path = "../tests/quantum/twin/mod.rs"]
mod twin;

/// A game is drawn after this many moves.
const MOVE_LIMIT: u32 = 400;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opponent {
    Random,
    Greedy,
    /// The engine itself.
    Same,
}

/// What the arguments ask for.
struct Match {
    opponent: Opponent,
    games: u32,
    limits: Limits,
    seed: u64,
}

/// `None` for anything but an opponent, a number of games, a limit, and perhaps a seed.
fn read(arguments: &[String]) -> Option<Match> {
    let [opponent, games, limit, seed @ ..] = arguments else { return None };
    let opponent = match opponent.as_str() {
        "random" => Opponent::Random,
        "greedy" => Opponent::Greedy,
        "self" => Opponent::Same,
        _ => return None,
    };
    let limits = match limit.strip_suffix("ms") {
        Some(time) => Limits {
            movetime: Some(Duration::from_millis(time.parse().ok()?)),
            ..Limits::default()
        },
        None => Limits { nodes: Some(limit.parse().ok()?), ..Limits::default() },
    };
    let seed = match seed {
        [] => 1,
        [seed] => seed.parse().ok()?,
        _ => return None,
    };
    Some(Match { opponent, games: games.parse().ok()?, limits, seed })
}

struct Player {
    searcher: Searcher,
    limits: Limits,
}

impl Player {
    fn choose(&mut self, position: &Position) -> Move {
        let (settings, signals) = (Settings::default(), Signals::new());
        let question = Question::new(position, &self.limits, &settings, &signals);
        match self.searcher.search(&question, &mut |_| {}) {
            BestMove::Move { best, .. } => best,
            BestMove::Resign => panic!("nobody resigns here: {position}"),
        }
    }
}

/// The best move by expected material after it, where a captured king is worth everything. Equal
/// moves are chosen at random.
fn greedy(position: &mut Position, rng: &mut SmallRng) -> Move {
    let us = position.side_to_move();
    let mut best = (i32::MIN, Vec::new());
    for mv in position.legal_moves() {
        position.play(mv).expect("the move is legal");
        let value = if position.winner().is_some() {
            i32::MAX
        } else {
            let (_, material) = evaluate(position).parts[0];
            material[us] - material[!us]
        };
        position.undo();
        if value > best.0 {
            best = (value, vec![mv]);
        } else if value == best.0 {
            best.1.push(mv);
        }
    }
    *best.1.choose(rng).expect("there is a legal move")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(Match { opponent, games, limits, seed }) = read(&arguments) else {
        eprintln!("usage: trial random|greedy|self GAMES LIMIT [SEED]");
        std::process::exit(2);
    };
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut player = Player { searcher: Searcher::try_new(16).expect("16 MB"), limits };
    let (mut won, mut lost, mut drawn, mut plies) = (0, 0, 0, 0u64);
    for number in 0..games {
        let ours = Color::ALL[number as usize % 2];
        player.searcher.clear();
        let mut position = Position::startpos();
        let mut check = twin::Game::new();
        let end = loop {
            if let Some(end) = position.outcome(Some(MOVE_LIMIT)) {
                break end;
            }
            let us = position.side_to_move();
            let moves = position.legal_moves();
            let mv = if position.moves().len() < 2 {
                *moves.choose(&mut rng).expect("a move")
            } else if us == ours || opponent == Opponent::Same {
                player.choose(&position)
            } else if opponent == Opponent::Random {
                *moves.choose(&mut rng).expect("a move")
            } else {
                greedy(&mut position, &mut rng)
            };
            position.play(mv).unwrap_or_else(|error| panic!("{position}: {mv}: {error}"));
            plies += 1;
            if opponent == Opponent::Same {
                let text = mv.to_string();
                assert!(check.is_legal(&text), "{text} before {position}");
                check.play(&text).unwrap_or_else(|_| panic!("{text} before {position}"));
                assert_eq!(check.kinds_text(), position.kinds_text(), "after {text}");
                assert_eq!(check.winner, position.winner().map(Color::index));
            }
        };
        match end.winner() {
            Some(winner) if winner == ours => won += 1,
            Some(_) => lost += 1,
            None => drawn += 1,
        }
        if matches!(end, Outcome::NoLegalMove { .. }) {
            println!("game {number}: no legal move in {position}");
        }
        if rng.random_ratio(1, 25) {
            eprintln!("{} of {games}: +{won} -{lost} ={drawn}", number + 1);
        }
    }
    let (opponent_name, limit) = (&arguments[0], &arguments[2]);
    println!("{opponent_name} {limit}: won {won} lost {lost} drawn {drawn}, {plies} plies");
    if opponent == Opponent::Same {
        println!("the slow twin allowed every move and agreed on the kinds after each");
    }
}

//! Random games against the slow twin: the same moves, the same sets, the same end.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use tsumero_core::Color;
use tsumero_quantum::{Position, divide, perft};

use crate::twin::Game;

fn sorted_moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    moves.sort_unstable();
    moves
}

/// Chooses a random move. It prefers captures, so that games make progress.
fn random_move(position: &Position, rng: &mut SmallRng) -> Option<tsumero_quantum::Move> {
    let moves = position.legal_moves();
    let captures: Vec<_> =
        moves.iter().copied().filter(|mv| position.piece_at(mv.to()).is_some()).collect();
    if rng.random_bool(0.4) && !captures.is_empty() {
        return captures.choose(rng).copied();
    }
    moves.choose(rng).copied()
}

#[test]
fn random_games_go_the_same_way() {
    let mut rng = SmallRng::seed_from_u64(20);
    let mut ends = 0;
    for _ in 0..40 {
        let mut position = Position::startpos();
        let mut game = Game::new();
        for ply in 0..120 {
            if ply % 8 == 0 {
                let moves = sorted_moves(&position);
                assert_eq!(moves, game.legal_moves(), "{position}");
                // The local test of the twin's generator, checked by converging whole sides.
                if let Some(mv) = moves.choose(&mut rng) {
                    assert!(game.is_legal(mv), "{position}: {mv}");
                }
            }
            let Some(mv) = random_move(&position, &mut rng) else { break };
            let before = position.to_string();
            position.play(mv).expect("the move is legal");
            let after = position.to_string();
            position.undo();
            assert_eq!(position.to_string(), before, "taking back {mv}");
            position.play(mv).expect("the move is legal");
            assert_eq!(position.to_string(), after);

            game.play(&mv.to_string()).expect("the move is legal");
            assert_eq!(position.kinds_text(), game.kinds_text(), "{before}: {mv}");
            assert_eq!(position.winner().map(Color::index), game.winner);
            let read: Position = after.parse().unwrap_or_else(|error| panic!("{after}: {error}"));
            assert_eq!((read.to_string(), read.key()), (after, position.key()));
            if position.winner().is_some() {
                assert!(position.legal_moves().is_empty() && position.count_legal_moves() == 0);
                ends += 1;
                break;
            }
        }
    }
    assert!(ends >= 5, "only {ends} games ended");
}

#[test]
fn every_writable_move_is_judged_as_it_is_generated() {
    let mut rng = SmallRng::seed_from_u64(21);
    for _ in 0..6 {
        let mut position = Position::startpos();
        for _ in 0..80 {
            let Some(mv) = random_move(&position, &mut rng) else { break };
            position.play(mv).expect("the move is legal");
        }
        let legal = sorted_moves(&position);
        let squares: Vec<String> = ('1'..='9')
            .flat_map(|file| ('a'..='i').map(move |rank| format!("{file}{rank}")))
            .collect();
        let names = ('A'..='T').chain('a'..='t').map(|name| format!("{name}*"));
        let mut judged = Vec::new();
        for start in squares.iter().cloned().chain(names) {
            for to in &squares {
                for promotion in ["", "+"] {
                    let text = format!("{start}{to}{promotion}");
                    if position.parse_move(&text).is_ok() {
                        judged.push(text);
                    }
                }
            }
        }
        judged.sort_unstable();
        assert_eq!(judged, legal, "{position}");
    }
}

#[test]
fn bulk_counting_agrees_with_making_every_move() {
    let mut rng = SmallRng::seed_from_u64(22);
    let mut position = Position::startpos();
    for _ in 0..60 {
        let Some(mv) = random_move(&position, &mut rng) else { break };
        position.play(mv).expect("the move is legal");
        let parts = divide(&position, 2);
        assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), perft(&position, 2));
        for &(mv, count) in parts.iter().step_by(37) {
            position.play(mv).expect("the move is legal");
            assert_eq!(position.legal_moves().len() as u64, count);
            position.undo();
        }
    }
}

//! Whole games, with a referee that knows the rules.

use std::time::Duration;

use tsumero_core::EnteringKingRule;

use crate::harness::{SOON, Session, in_time, ms};
use crate::output::Answer;

/// Plays a game of two engines until it is decided, repeats itself or gets long. Every move is
/// checked for legality and against the limit, and nobody may resign while a move is left. The time of each move.
fn play(words: &str, limit: Duration, opening: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut engines = [Session::ready(), Session::ready()];
    let mut moves: Vec<String> = opening.split_whitespace().map(str::to_owned).collect();
    for engine in &mut engines {
        engine.send("usinewgame");
    }
    while moves.len() < 160 {
        let engine = &mut engines[moves.len() % 2];
        engine.set_position("startpos", &moves.join(" "));
        let thought = engine.go(words);
        assert!(thought.elapsed < limit, "{:?}", thought.elapsed);
        times.push(thought.elapsed);
        match thought.answer {
            Answer::Move { best, .. } => moves.push(best),
            Answer::Resign => {
                assert!(!engine.position.has_legal_move(), "resigned too early");
                break;
            }
            Answer::Win => {
                let rule = EnteringKingRule::CsaRule27;
                assert!(engine.position.declaration_wins(rule), "declared too early");
                break;
            }
            other => panic!("{other:?} is no answer to go"),
        }
        let mut position = engine.position.clone();
        position.play_unchecked(position.parse_move(&moves[moves.len() - 1]).unwrap());
        if position.repetition().is_some() {
            break;
        }
    }
    assert!(moves.len() > 20, "a game between equals takes longer than {} moves", moves.len());
    for engine in engines {
        engine.quit();
    }
    times
}

#[test]
fn games_of_few_nodes_are_played_to_their_end() {
    let openings = ["", "7g7f 3c3d 8h2b+ 3a2b", "2g2f 8c8d 2f2e 8d8e"];
    for opening in openings {
        play("nodes 200", SOON, opening);
    }
}

#[test]
fn games_on_a_short_clock_are_played_to_their_end() {
    // 30 ms for each move. A busy machine may stop for a while at one move or another, but not at one in ten.
    in_time(ms(30 + 50), || {
        let mut times = play("btime 0 wtime 0 byoyomi 30", ms(2000), "");
        times.sort_unstable();
        times[times.len() * 9 / 10]
    });
}

#[test]
fn a_game_with_pondering_goes_on_through_hits_and_misses() {
    let mut session = Session::ready_with(&["USI_Ponder value true"]);
    let mut opponent = Session::ready();
    let mut moves: Vec<String> = Vec::new();
    let clock = "btime 2000 wtime 2000 byoyomi 60";
    let (mut hits, mut misses) = (0, 0);
    session.set_position("startpos", "");
    let mut answer = session.go(clock).answer;
    for _ in 0..12 {
        let Answer::Move { best, ponder } = answer else { break };
        moves.push(best);
        opponent.set_position("startpos", &moves.join(" "));
        if !opponent.position.has_legal_move() {
            break;
        }
        if let Some(expected) = &ponder {
            session.set_position("startpos", &format!("{} {expected}", moves.join(" ")));
            session.send(&format!("go ponder {clock}"));
        }
        // Every third move is not the expected one, if there is a choice.
        let reply = match (&ponder, moves.len() % 3) {
            (Some(expected), 0) => {
                let others: Vec<String> = opponent
                    .position
                    .legal_moves()
                    .iter()
                    .map(ToString::to_string)
                    .filter(|word| word != expected)
                    .collect();
                others.first().unwrap_or(expected).clone()
            }
            (Some(expected), _) => expected.clone(),
            (None, _) => opponent.go("nodes 100").best().to_owned(),
        };
        moves.push(reply.clone());
        answer = if ponder.as_ref() == Some(&reply) {
            hits += 1;
            session.send("ponderhit");
            session.answer(SOON).answer
        } else {
            if ponder.is_some() {
                misses += 1;
                session.send("stop");
                session.answer(SOON);
            }
            session.set_position("startpos", &moves.join(" "));
            session.go(clock).answer
        };
    }
    assert!(hits > 0 && misses > 0, "{hits} hits and {misses} misses");
    session.in_step();
    session.quit();
    opponent.quit();
}

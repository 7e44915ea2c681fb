//! Tests against recorded vectors, games and counts, which must be reproduced exactly.

use serde::Deserialize;
use tsumero_core::Color;
use tsumero_quantum::{ARMY_SIZE, Army, Captured, Kind, KindSet, Position, kinds_that_move, perft};

use crate::twin;
use crate::twin::document::World;

pub(crate) const VECTORS: &str = include_str!("../data/vectors_visible.jsonl");
pub(crate) const GAMES: &str = include_str!("../data/games_visible.jsonl");
const PERFT: &str = include_str!("../data/perft.json");

#[derive(Deserialize)]
pub(crate) struct Vector {
    pub(crate) id: String,
    pub(crate) ev: Vec<Event>,
}

#[derive(Deserialize)]
pub(crate) struct Event {
    p: usize,
    t: String,
    v: Option<[i8; 2]>,
    pr: Option<u8>,
    m: Option<String>,
    r: String,
    w: String,
}

#[derive(Deserialize)]
pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) tries: Vec<Try>,
    end: String,
    q: String,
}

#[derive(Deserialize)]
pub(crate) struct Try {
    pub(crate) m: String,
    pub(crate) ok: u8,
    n: u64,
    s: Option<String>,
}

#[derive(Deserialize)]
struct Counts {
    moves: String,
    q: String,
    perft: Vec<u64>,
}

pub(crate) fn vectors() -> Vec<Vector> {
    VECTORS.lines().map(|line| serde_json::from_str(line).expect("a vector")).collect()
}

pub(crate) fn games() -> Vec<Game> {
    GAMES.lines().map(|line| serde_json::from_str(line).expect("a game")).collect()
}

impl Event {
    /// The kinds that the event allows, before anything is known about the piece.
    fn allowed(&self) -> KindSet {
        let moved =
            self.v.map_or(KindSet::ALL, |[dx, dy]| kinds_that_move(dx, dy, self.pr == Some(1)));
        match self.t.as_str() {
            "N" => moved,
            "P" => moved & KindSet::PROMOTABLE,
            "1" => moved.without(KindSet::DEAD_ON_LAST_RANK),
            "2" => moved.without(KindSet::DEAD_ON_SECOND_LAST_RANK),
            "R" => {
                let mask = self.m.as_deref().expect("a mask");
                KindSet::from_bits(u8::from_str_radix(mask, 16).expect("hexadecimal"))
            }
            other => panic!("unknown event {other}"),
        }
    }
}

fn text(army: &Army) -> String {
    army.sets().iter().map(|set| format!("{:02x}", set.bits())).collect()
}

#[test]
fn one_side_event_by_event() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 500);
    for Vector { id, ev } in vectors {
        let mut army = Army::new();
        for (number, event) in ev.iter().enumerate() {
            let result = match event.t.as_str() {
                "C" => match army.capture(event.p) {
                    Captured::Piece => "ok",
                    Captured::King => "k",
                },
                _ => match army.narrow(event.p, event.allowed()) {
                    Ok(()) => "ok",
                    Err(_) => "x",
                },
            };
            assert_eq!(result, event.r, "{id}, event {number}");
            assert_eq!(text(&army), event.w, "{id}, event {number}");
        }
    }
}

#[test]
fn the_documents_algorithm_meets_the_vectors_too() {
    // In the recorded data, a piece that was only restricted has a history like any other.
    for Vector { id, ev } in vectors() {
        let mut world = World::default();
        for (number, event) in ev.iter().enumerate() {
            let result = if event.t == "C" {
                if world.capture(event.p) { "k" } else { "ok" }
            } else {
                let kinds: Vec<char> = event.allowed().iter().map(Kind::letter).collect();
                if world.narrow(event.p, &kinds).is_ok() { "ok" } else { "x" }
            };
            let sets: String =
                (0..ARMY_SIZE).map(|piece| format!("{:02x}", world.bits(piece))).collect();
            assert_eq!((result, sets), (event.r.as_str(), event.w.clone()), "{id}, event {number}");
        }
    }
}

#[test]
fn whole_games_with_illegal_tries() {
    let games = games();
    assert_eq!(games.len(), 60);
    let mut illegal = 0;
    for Game { id, tries, end, q } in games {
        let mut position = Position::startpos();
        for (number, one) in tries.iter().enumerate() {
            let place = format!("{id}, try {number}, {}", one.m);
            assert_eq!(position.count_legal_moves(), one.n, "{place}");
            let legal = position.legal_moves();
            assert_eq!(legal.len() as u64, one.n, "{place}");
            match position.parse_move(&one.m) {
                Ok(mv) => {
                    assert_eq!(one.ok, 1, "{place} is illegal");
                    assert!(legal.contains(&mv), "{place}");
                    position.play(mv).expect("the move is legal");
                    assert_eq!(Some(position.kinds_text()), one.s, "{place}");
                }
                Err(reason) => {
                    assert_eq!(one.ok, 0, "{place}: {reason}");
                    assert!(!legal.iter().any(|mv| mv.to_string() == one.m));
                    illegal += 1;
                }
            }
        }
        let winner = match position.winner() {
            Some(Color::Black) => "b",
            Some(Color::White) => "w",
            None => "",
        };
        assert_eq!(winner, end, "{id}");
        assert_eq!(position.to_string(), q, "{id}");
        let read: Position = q.parse().unwrap_or_else(|error| panic!("{id}: {error}"));
        assert!(read.is_same_as(&position) && read.winner() == position.winner());
        assert_eq!((read.to_string(), read.key()), (q, position.key()));
    }
    assert!(illegal > 100);
}

#[test]
fn the_slow_twin_meets_the_games_too() {
    for Game { id, tries, end, .. } in games().into_iter().step_by(4) {
        let mut game = twin::Game::new();
        for one in tries {
            assert_eq!(game.is_legal(&one.m), one.ok == 1, "{id}, {}", one.m);
            if one.ok == 1 {
                game.play(&one.m).expect("the move is legal");
                assert_eq!(Some(game.kinds_text()), one.s, "{id}, {}", one.m);
            }
        }
        assert_eq!(game.winner.map_or("", |winner| ["b", "w"][winner]), end, "{id}");
    }
}

#[test]
fn recorded_counts() {
    let positions: Vec<Counts> = serde_json::from_str(PERFT).expect("positions with counts");
    assert!(positions.len() >= 5);
    for Counts { moves, q, perft: counts } in positions {
        let mut position = Position::startpos();
        for word in moves.split_whitespace() {
            let mv = position.parse_move(word).unwrap_or_else(|error| panic!("{word}: {error}"));
            position.play(mv).expect("the move is legal");
        }
        assert_eq!(position.to_string(), q);
        let read: Position = q.parse().expect("a position");
        for (depth, &count) in (1..).zip(&counts) {
            assert_eq!(perft(&position, depth), count, "{q} at depth {depth}");
            assert_eq!(perft(&read, depth), count, "{q} at depth {depth}, read");
        }
        assert_eq!(position.to_string(), q, "counting changes nothing");
    }
}

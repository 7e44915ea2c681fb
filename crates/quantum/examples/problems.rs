//! Makes the problems of quantum shogi that the page in `web` has: positions in which one first move alone
//! takes the king by force within 1, 3 or 5 plies. The positions are from the ends of games against itself.
//!
//! `cargo run --release --package tsumero-quantum --example problems -- COUNT [SEED] > web/quantum-problems.json`
//!
//! COUNT is the number for each length. The ignored test `each_problem_of_the_page_has_one_first_move` checks all of them.

use std::collections::BTreeMap;

use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use tsumero_control::{Limits, Signals};
use tsumero_quantum::{
    BestMove, Position, Question, Searcher, Settings, forced_win, only_first_move,
};

/// The longest problems, in plies.
const LONGEST: u32 = 5;
/// A game is left unfinished after so many moves.
const MOVE_LIMIT: u32 = 300;
/// The first moves of a game are random.
const RANDOM_PLIES: u32 = 8;
/// A move of the games is searched with so many nodes.
const NODES: u64 = 400;

fn game(searcher: &mut Searcher, rng: &mut SmallRng) -> Position {
    let mut position = Position::startpos();
    let (settings, signals) = (Settings::default(), Signals::new());
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    while position.outcome(Some(MOVE_LIMIT)).is_none() {
        let mv = if position.ply() <= RANDOM_PLIES {
            *position.legal_moves().choose(rng).expect("the game goes on")
        } else {
            let question = Question::new(&position, &limits, &settings, &signals);
            let found = searcher.search(&question, &mut |_| {});
            let BestMove::Move { best, .. } = found else { break };
            best
        };
        position.play_unchecked(mv);
    }
    position
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let count: u64 = arguments.next().expect("how many problems of each length");
    let mut rng = SmallRng::seed_from_u64(arguments.next().unwrap_or(1));
    let mut searcher = Searcher::try_new(8).expect("memory for a small table");
    let mut problems: BTreeMap<u32, Vec<(String, String)>> =
        (1..=LONGEST).step_by(2).map(|plies| (plies, Vec::new())).collect();
    while problems.values().any(|made| (made.len() as u64) < count) {
        let mut position = game(&mut searcher, &mut rng);
        let Some(winner) = position.winner() else { continue };
        // One problem of each length from a game: those of one game resemble each other.
        let mut taken = Vec::new();
        while position.undo().is_some() {
            if position.side_to_move() != winner {
                continue;
            }
            // Where the win cannot be forced yet, the search takes longest.
            let Some(plies) = forced_win(&position, LONGEST) else { break };
            let made = problems.entry(plies).or_default();
            if taken.contains(&plies) || made.len() as u64 >= count {
                continue;
            }
            if let Some(first) = only_first_move(&position, plies) {
                made.push((position.to_string(), first.to_string()));
                taken.push(plies);
                eprintln!("{plies} plies: {}", made.len());
            }
        }
    }
    println!("{}", serde_json::to_string(&problems).expect("plain data has a JSON form"));
}

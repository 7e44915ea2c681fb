//! Forced wins, compared with plain loops over all moves; and the problems of the page, which are made of them.

use std::collections::BTreeMap;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use tsumero_core::Color;
use tsumero_quantum::{
    Move, Outcome, Position, forced_win, longest_reply, only_first_move, winning_moves,
};

/// Whether a move wins within so many plies: every line is played to its end.
fn wins_by(position: &mut Position, mv: Move, plies: u32) -> bool {
    let us = position.side_to_move();
    position.play(mv).expect("the move is legal");
    let wins = position.winner() == Some(us)
        || plies >= 3
            && position.legal_moves().into_iter().all(|reply| {
                position.play(reply).expect("the reply is legal");
                let loses = position.winner().is_none() && !winning(position, plies - 2).is_empty();
                position.undo();
                loses
            });
    position.undo();
    wins
}

fn winning(position: &mut Position, plies: u32) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.retain(|&mv| wins_by(position, mv, plies));
    moves
}

/// Random games to their ends: the king is taken by accident, and shortly before, somebody could force it.
#[test]
fn forced_wins_are_those_of_plain_loops() {
    let mut rng = SmallRng::seed_from_u64(5);
    let mut found = [0; 2];
    for _ in 0..12 {
        let mut position = Position::startpos();
        while let Some(&mv) = position.legal_moves().choose(&mut rng) {
            position.play(mv).expect("the move is legal");
        }
        for _ in 0..rng.random_range(1..4) {
            position.undo();
        }
        for (place, plies) in [1, 3].into_iter().enumerate() {
            let expected = winning(&mut position, plies);
            assert_eq!(winning_moves(&position, plies), expected, "{position}");
            let is_forced = forced_win(&position, plies).is_some();
            assert_eq!(is_forced, !expected.is_empty(), "{position}");
            found[place] += usize::from(is_forced);
        }
    }
    assert!(found.iter().all(|&found| found > 3), "{found:?}");
}

/// Each has its length and one first move, and none is there twice. Of the longest, which take most of the
/// time, one in `step` is checked.
fn check_problems_of_the_page(step: usize) {
    let text = include_str!("../../../../web/quantum-problems.json");
    let problems: BTreeMap<u32, Vec<(String, String)>> = serde_json::from_str(text).expect("JSON");
    let mut seen = std::collections::HashSet::new();
    for (&plies, problems) in &problems {
        assert!(problems.len() >= 12, "{plies}: {}", problems.len());
        for (number, (text, first)) in problems.iter().enumerate() {
            assert!(seen.insert(text), "{text} is there twice");
            if plies < 5 || number % step == 0 {
                check(text, first, plies);
            }
        }
    }
}

#[test]
fn problems_of_the_page_have_one_first_move() {
    check_problems_of_the_page(4);
}

#[test]
#[ignore = "takes half a minute; run it when the problems are made anew"]
fn each_problem_of_the_page_has_one_first_move() {
    check_problems_of_the_page(1);
}

/// The position has one first move that wins within so many plies.
fn check(text: &str, first: &str, plies: u32) {
    let mut position: Position = text.parse().expect("a position");
    let only = only_first_move(&position, plies).map(|mv| mv.to_string());
    assert_eq!(only.as_deref(), Some(first), "{text}");
    if plies <= 3 {
        let moves: Vec<String> =
            winning(&mut position, plies).iter().map(ToString::to_string).collect();
        let to = &first[2..4];
        let has_first = moves.iter().any(|mv| mv == first);
        assert!(has_first && moves.iter().all(|mv| &mv[2..4] == to), "{text}");
        assert!(plies == 1 || winning(&mut position, plies - 2).is_empty(), "{text}");
    }
    position.play(position.parse_move(first).expect("legal")).expect("legal");
    let left = longest_reply(&position, plies).and_then(|(_, plies)| plies);
    assert_eq!(left, plies.checked_sub(2), "{text}");
}

/// The number may come from outside: any is answered, without memory for each ply of it.
#[test]
fn a_win_is_found_within_any_number_of_plies() {
    let kinds = "8002020404080810102040010101010101010101".repeat(2);
    let hands = "/BCDEFGHIJLMNOPQRSTbcdefghijlmnopqrst";
    let position = format!("a8/9/9/9/9/9/9/8k/A7-K w {hands} 9 {kinds}");
    let position: Position = position.parse().expect("a position");
    assert_eq!(forced_win(&position, u32::MAX), Some(1));
}

/// The loser's rook attacks the other king, but no move follows the capture of a king.
#[test]
fn nobody_forces_a_win_after_the_end_of_the_game() {
    let kinds = "8002020404080810102040010101010101010101".repeat(2);
    let hands = "/BCDEFGHIJLMNOPQRSTbcdefghijlmnopqrst";
    let text = format!("a8/9/9/9/K8/9/9/9/A7k w {hands} 9 {kinds}");
    let mut position: Position = text.parse().expect("a position");
    position.play(position.parse_move("1i9i").expect("legal")).expect("legal");
    assert!(position.winner().is_some() && winning_moves(&position, 3).is_empty());
    assert_eq!((forced_win(&position, 3), longest_reply(&position, 3)), (None, None));
}

/// By the rules the game is over at once, but the forced win counts two plies more.
#[test]
fn a_side_without_a_reply_loses_as_if_its_king_were_taken_next() {
    let kinds = "8002020404080810102040010101010101010101".repeat(2);
    // White's pieces block each other on the last two ranks.
    let text =
        format!("8A/9/9/9/9/9/9/lmnopqrst/+b+c+d+eafghi b BCDEFGHIJKLMNOPQRSTjk/ 99 {kinds}");
    let mut position: Position = text.parse().expect("a position");
    let mv = position.parse_move("1a1b").expect("legal");
    assert!(winning_moves(&position, 1).is_empty() && forced_win(&position, 1).is_none());
    assert!(winning_moves(&position, 3).contains(&mv));
    assert_eq!(forced_win(&position, 3), Some(3));
    position.play(mv).expect("legal");
    assert_eq!(position.outcome(None), Some(Outcome::NoLegalMove { winner: Color::Black }));
}

//! Compares the oracle and the crate on everything that both can say about one position.

use crate::core_side::{color_of, move_texts, position_of, reason_of, square_texts};
use crate::oracle::{self, Color, Move};
use std::collections::BTreeSet;
use tsumero_core::{Filter, Game, Line, MoveList, Position, Square};

/// Compares the legal moves, found in every way that the crate offers, and the checks among them.
pub(crate) fn moves_agree(oracle: &oracle::Position, legal: &[Move]) {
    let sfen = oracle.to_sfen();
    let ours = position_of(oracle);
    let expected: BTreeSet<String> = legal.iter().map(Move::to_string).collect();
    let generated = move_texts(ours.legal_moves());
    assert_eq!(generated, expected, "legal moves of {sfen}");
    assert_eq!(ours.legal_moves().len(), legal.len(), "each legal move once in {sfen}");
    assert_eq!(ours.count_legal_moves(), legal.len() as u64, "number of legal moves of {sfen}");
    assert_eq!(ours.has_legal_move(), !legal.is_empty(), "a legal move in {sfen}");
    let is_mate = legal.is_empty() && !oracle.checkers().is_empty();
    assert_eq!(ours.is_mate(), is_mate, "mate in {sfen}");

    let mut checks = MoveList::new();
    ours.generate_checks(&mut checks);
    let expected: BTreeSet<String> =
        legal.iter().filter(|&&mv| oracle.gives_check(mv)).map(Move::to_string).collect();
    assert_eq!(move_texts(checks), expected, "checks in {sfen}");
    for mv in ours.legal_moves() {
        assert_eq!(ours.gives_check(mv), expected.contains(&mv.to_string()), "{mv} in {sfen}");
    }
    filters_agree(&ours, &sfen);
}

/// Captures, quiet moves, drops and idle non-promotions are disjoint parts of the legal moves.
fn filters_agree(ours: &Position, sfen: &str) {
    let legal = ours.legal_moves();
    for bits in 0..16_u8 {
        let filter = Filter {
            captures: bits & 1 != 0,
            quiets: bits & 2 != 0,
            drops: bits & 4 != 0,
            idle_non_promotions: bits & 8 != 0,
        };
        let expected = legal.iter().copied().filter(|mv| {
            let of_kind = if mv.is_drop() {
                filter.drops
            } else if mv.is_capture() {
                filter.captures
            } else {
                filter.quiets
            };
            of_kind && (filter.idle_non_promotions || !mv.is_idle_non_promotion())
        });
        let mut filtered = MoveList::new();
        ours.generate(filter, &mut filtered);
        assert_eq!(move_texts(filtered), move_texts(expected), "{filter:?} in {sfen}");
    }
    let (mut stages, mut useful) = (MoveList::new(), MoveList::new());
    ours.generate(Filter::USEFUL, &mut useful);
    assert!(!useful.iter().any(|mv| mv.is_idle_non_promotion()), "useful moves in {sfen}");
    for filter in [Filter::CAPTURES, Filter::QUIET_BOARD_MOVES, Filter::DROPS] {
        ours.generate(filter, &mut stages);
    }
    assert_eq!(stages.len(), useful.len(), "stages in {sfen}");
    assert_eq!(move_texts(stages), move_texts(useful), "stages in {sfen}");
}

/// Compares checks, pins, flight squares and attacks.
pub(crate) fn attacks_agree(oracle: &oracle::Position) {
    let sfen = oracle.to_sfen();
    let ours = position_of(oracle);
    ours.consistency().unwrap_or_else(|error| panic!("{error} in {sfen}"));

    let expected: BTreeSet<String> = oracle.checkers().iter().map(|at| at.to_string()).collect();
    let checkers = square_texts(ours.checkers());
    assert_eq!(ours.in_check(), !expected.is_empty(), "check in {sfen}");
    assert_eq!(checkers, expected, "checkers in {sfen}");

    for color in Color::BOTH {
        let pinned: BTreeSet<String> =
            oracle.pinned(color).iter().map(|at| at.to_string()).collect();
        assert_eq!(square_texts(ours.pinned(color_of(color))), pinned, "pinned in {sfen}");
        let flights: BTreeSet<String> =
            oracle.flights(color).iter().map(|at| at.to_string()).collect();
        assert_eq!(square_texts(ours.flights(color_of(color))), flights, "flights in {sfen}");
        for square in Square::all() {
            let text = square.to_string();
            let at = oracle::Square::from_name(&text).expect("both name squares alike");
            let attackers: BTreeSet<String> =
                oracle.attackers(at, color).iter().map(|from| from.to_string()).collect();
            let core_color = color_of(color);
            assert_eq!(
                square_texts(ours.attackers(core_color, square)),
                attackers,
                "attackers of {square} in {sfen}"
            );
            assert_eq!(
                ours.attacks().count(core_color, square) as usize,
                oracle.attack_count(at, color),
                "attacks on {square} in {sfen}"
            );
        }
    }
}

/// Compares the verdict and its reason for every move that can be written in USI.
pub(crate) fn verdicts_agree(oracle: &oracle::Position) {
    let sfen = oracle.to_sfen();
    let ours = position_of(oracle);
    for mv in Move::every_encodable() {
        let text = mv.to_string();
        let verdict = ours.parse_move(&text);
        let named = verdict.err().map(reason_of);
        assert_eq!(named, oracle.illegality_of(mv), "{text} in {sfen}");
        if let Ok(parsed) = verdict {
            assert_eq!(parsed.to_string(), text, "{sfen}");
        } else if let Some(reason) = named {
            assert!(oracle.violations(mv).contains(&reason), "{text} in {sfen}");
        }
    }
}

/// Does and undoes each legal move, in a line and in a game. The position after it must be the
/// oracle's, and the one before must be restored.
pub(crate) fn doing_and_undoing_agree(oracle: &oracle::Position, legal: &[Move]) {
    let sfen = oracle.to_sfen();
    let start = position_of(oracle);
    let same = |ours: &Position, other: &Position, when: &str| {
        assert_eq!(ours.to_sfen(), other.to_sfen(), "{when}, {sfen}");
        assert_eq!(ours.key(), other.key(), "key {when}, {sfen}");
        assert_eq!(ours.attacks(), other.attacks(), "attacks {when}, {sfen}");
        ours.consistency().unwrap_or_else(|error| panic!("{error} {when}: {sfen}"));
    };
    let (mut line, mut game) = (Line::from(&start), Game::from(&start));
    for &mv in legal {
        let parsed = start.parse_move(&mv.to_string());
        let parsed = parsed.unwrap_or_else(|error| panic!("{mv} is {error} in {sfen}"));
        line.do_move(parsed);
        game.play_unchecked(parsed);
        let expected = oracle.do_move(mv).to_sfen();
        assert_eq!(line.to_sfen(), expected, "after {mv} in {sfen}");
        let fresh = crate::core_side::from_sfen(&expected);
        same(&line, &fresh, &format!("after {mv} in a line"));
        same(&game, &fresh, &format!("after {mv} in a game"));
        line.undo_move();
        assert_eq!(game.undo(), Some(parsed));
        same(&line, &start, &format!("after taking back {mv} in a line"));
        same(&game, &start, &format!("after taking back {mv} in a game"));
    }
}

/// Checks that a mate in one is found exactly when there is one, and that the found move mates.
/// Returns whether there is one.
pub(crate) fn mates_agree(oracle: &oracle::Position) -> bool {
    let mates = oracle.mates_in_one();
    let mut ours = position_of(oracle);
    let found = ours.mate_in_one();
    match found {
        Some(mv) => {
            assert!(mates.contains(&mv.to_string()), "{mv} does not mate in {}", oracle.to_sfen());
            ours.play_unchecked(mv);
            assert!(ours.is_mate(), "{mv} in {}", oracle.to_sfen());
        }
        None => assert!(mates.is_empty(), "{mates:?} missed in {}", oracle.to_sfen()),
    }
    found.is_some()
}

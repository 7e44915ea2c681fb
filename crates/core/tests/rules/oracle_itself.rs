//! Tests the oracle itself: against published counts, and against mates that two other brute forces
//! agree on.

use crate::data;
use crate::games::assert_at_least;
use crate::oracle::{Color, Position, Square};

#[test]
fn oracle_counts_match_the_perft_table() {
    // The oracle visits some ten thousand positions a second: deeper rows would take minutes.
    let affordable = if cfg!(debug_assertions) { 16_000 } else { 100_000 };
    let mut checked = 0;
    for row in data::perft_rows() {
        if row.depth == 1 || (row.depth <= 3 && row.nodes < affordable) {
            let position = Position::from_sfen(row.sfen).expect("the table holds valid SFEN");
            assert_eq!(position.perft(row.depth), row.nodes, "{} at {}", row.name, row.depth);
            checked += 1;
        }
    }
    assert_at_least(checked, 24);
}

#[test]
fn oracle_writes_the_sfen_it_reads() {
    let mut unusual = 0;
    for sfen in data::perft_sfens() {
        let written = Position::from_sfen(sfen).expect("valid SFEN").to_sfen();
        assert_eq!(Position::from_sfen(&written).map(|again| again.to_sfen()), Ok(written.clone()));
        unusual += usize::from(written != sfen);
    }
    // One row of the table lists White's hand pawns first; every other row is in the usual order.
    assert_eq!(unusual, 1);
}

#[test]
fn oracle_mates_match_the_mate_table() {
    // Every row is compared with the crate under test elsewhere; a sample is enough to trust the
    // oracle, and the rows with a mate are the ones that could go wrong in both directions.
    let step = if cfg!(debug_assertions) { 97 } else { 5 };
    let mut mates = 0;
    for row in data::mate_rows().iter().step_by(step) {
        let position = Position::from_sfen(row.sfen).expect("the table holds valid SFEN");
        let expected = row.mates.iter().map(|mv| mv.to_string()).collect();
        assert_eq!(position.mates_in_one(), expected, "{}", row.sfen);
        mates += usize::from(!row.mates.is_empty());
    }
    assert_at_least(mates, 150);
}

#[test]
fn oracle_counts_attacks_in_the_starting_position() {
    let position = Position::from_sfen(data::perft_sfens()[0]).expect("valid SFEN");
    // Counted by hand, for Black: (square, attackers).
    for (file, rank, expected) in [
        (2, 7, 1), // the rook; the lance and knight of the corner do not reach it
        (7, 7, 2), // the bishop and the knight
        (5, 8, 4), // both golds, the king and, along the rank, the rook
        (3, 8, 3), // rook, silver and gold
        (1, 6, 1), // its pawn alone
        (5, 5, 0),
    ] {
        let square = Square { file, rank };
        assert_eq!(position.attack_count(square, Color::Black), expected, "{square}");
    }
    assert!(!position.in_check());
    assert!(position.pinned(Color::Black).is_empty());
}

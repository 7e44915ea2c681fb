//! Compares perft with the reference counts, with and without bulk counting at the last ply.

use crate::core_side::from_sfen;
use crate::data;
use tsumero_core::{divide, perft, perft_while};

/// Rows up to this many nodes are counted: seconds in a release build.
const AFFORDABLE: u64 = if cfg!(debug_assertions) { 100_000 } else { 50_000_000 };

#[test]
fn bulk_counts_match_the_table() {
    let mut counted = 0;
    for row in data::perft_rows().iter().filter(|row| row.nodes <= AFFORDABLE) {
        let nodes = perft(&from_sfen(row.sfen), row.depth, true);
        assert_eq!(nodes, row.nodes, "{} at {}", row.name, row.depth);
        counted += 1;
    }
    assert!(counted >= 20, "only {counted} rows");
}

#[test]
fn counts_with_every_move_made_match_the_table() {
    for row in data::perft_rows().iter().filter(|row| row.nodes <= AFFORDABLE / 10) {
        let nodes = perft(&from_sfen(row.sfen), row.depth, false);
        assert_eq!(nodes, row.nodes, "{} at {}", row.name, row.depth);
    }
}

#[test]
fn counts_that_can_be_interrupted_match_the_table() {
    for row in data::perft_rows().iter().filter(|row| row.nodes <= AFFORDABLE / 10) {
        let nodes = perft_while(&from_sfen(row.sfen), row.depth, &mut || true);
        assert_eq!(nodes, Some(row.nodes), "{} at {}", row.name, row.depth);
    }
}

#[test]
fn divided_counts_add_up_to_the_table() {
    for row in data::perft_rows().iter().filter(|row| row.nodes <= AFFORDABLE / 100) {
        let parts = divide(&from_sfen(row.sfen), row.depth, true);
        let total: u64 = parts.iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(total, row.nodes, "{} at {}", row.name, row.depth);
    }
}

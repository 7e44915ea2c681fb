//! Compares legal moves with the `rsshogi` crate (MIT), whose generator shares nothing with this
//! one.
//!
//! Its `LegalAll` moves follow the same convention as the perft table: every optional non-promotion
//! is listed, and pawn-drop mates are excluded, also as answers to a check. Its plain `Legal` set
//! leaves out idle non-promotions and is not compared here. No deviation of `LegalAll` is known,
//! not even for sides without a king or for more than two checkers.

use crate::core_side::{from_sfen, move_texts};
use crate::data;
use crate::games::{self, STARTPOS, scaled};
use crate::slips::SLIPS;
use rsshogi::board::{self, LegalAll, generate_moves, position_from_sfen};
use std::collections::BTreeSet;
use tsumero_core::Position;

fn agrees(position: &Position) {
    let sfen = position.to_sfen();
    let mut theirs = position_from_sfen(&sfen).expect("both read the same SFEN");
    theirs.init_stack();
    let mut moves = board::MoveList::new();
    generate_moves::<LegalAll>(&theirs, &mut moves);
    let expected: BTreeSet<String> = moves.iter().map(|mv| mv.to_usi()).collect();
    assert_eq!(move_texts(position.legal_moves()), expected, "{sfen}");
}

#[test]
fn moves_agree_with_rsshogi_in_games() {
    let mut rng = games::seeded(31);
    let rows = data::mate_rows();
    let starts = rows.iter().map(|row| row.sfen).step_by(10).chain([STARTPOS; 200]);
    for start in starts.take(scaled(700)) {
        games::play_core(from_sfen(start), 150, &mut rng, agrees);
    }
}

#[test]
fn moves_agree_with_rsshogi_in_the_reference_positions_and_slips() {
    for sfen in data::perft_sfens() {
        agrees(&from_sfen(sfen));
    }
    for slip in SLIPS {
        agrees(&from_sfen(slip.sfen));
    }
    for row in data::mate_rows().iter().take(scaled(5_000)) {
        agrees(&from_sfen(row.sfen));
    }
}

#[test]
fn moves_agree_with_rsshogi_in_random_set_ups() {
    let mut rng = games::seeded(32);
    for _ in 0..scaled(10_000) {
        agrees(&from_sfen(&games::setup(&mut rng).to_sfen()));
    }
}

//! Compares the generator with the oracle: games, set-ups and the positions of the reference
//! tables.

use crate::agreement::{attacks_agree, doing_and_undoing_agree, moves_agree};
use crate::data;
use crate::games::{self, STARTPOS, scaled};
use crate::oracle::Position;
use rand::seq::IndexedRandom;

fn read(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect(sfen)
}

#[test]
fn moves_agree_in_games_from_the_starting_position() {
    let mut rng = games::seeded(1);
    for _ in 0..scaled(20) {
        games::play(&read(STARTPOS), 200, &mut rng, moves_agree);
    }
}

#[test]
fn moves_agree_in_games_from_the_reference_positions() {
    let mut rng = games::seeded(2);
    let mut starts: Vec<&str> = data::mate_rows().iter().map(|row| row.sfen).collect();
    starts.extend(data::perft_sfens());
    for start in starts.sample(&mut rng, scaled(250)) {
        games::play(&read(start), 12, &mut rng, moves_agree);
    }
}

#[test]
fn moves_agree_in_random_set_ups() {
    let mut rng = games::seeded(3);
    for _ in 0..scaled(2_500) {
        let position = games::setup(&mut rng);
        moves_agree(&position, &position.legal_move_list());
    }
}

#[test]
fn attacks_checks_and_pins_agree() {
    let mut rng = games::seeded(4);
    for _ in 0..scaled(8) {
        games::play(&read(STARTPOS), 200, &mut rng, |position, _| attacks_agree(position));
    }
    for _ in 0..scaled(2_000) {
        attacks_agree(&games::setup(&mut rng));
    }
}

#[test]
fn doing_and_undoing_every_move_agrees() {
    let mut rng = games::seeded(5);
    for _ in 0..scaled(8) {
        games::play(&read(STARTPOS), 150, &mut rng, doing_and_undoing_agree);
    }
    for _ in 0..scaled(300) {
        let position = games::setup(&mut rng);
        doing_and_undoing_agree(&position, &position.legal_move_list());
    }
}

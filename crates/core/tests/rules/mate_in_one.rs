//! Tests the mate in one, which must be correct and complete.

use crate::agreement::mates_agree;
use crate::core_side::{from_sfen, position_of};
use crate::data;
use crate::games::{self, STARTPOS, assert_at_least, scaled};
use crate::oracle::Position;
use tsumero_core::{Line, Move, MoveList};

#[test]
fn every_row_of_the_table_is_answered() {
    let mut mates = 0;
    for row in data::mate_rows() {
        let found = from_sfen(row.sfen).mate_in_one().map(|mv| mv.to_string());
        match &found {
            Some(mv) => assert!(row.mates.contains(&mv.as_str()), "{mv} in {}", row.sfen),
            None => assert!(row.mates.is_empty(), "{:?} missed in {}", row.mates, row.sfen),
        }
        mates += usize::from(found.is_some());
    }
    assert_eq!(mates, 1_117);
}

#[test]
fn set_ups_agree_with_the_oracle() {
    let mut rng = games::seeded(21);
    let mut mates = 0;
    for _ in 0..scaled(2_000) {
        mates += usize::from(mates_agree(&games::setup(&mut rng)));
    }
    assert_at_least(mates, 70);
}

#[test]
fn answers_to_a_check_that_mate_are_found() {
    let rows = data::mate_rows();
    let step = if cfg!(debug_assertions) { 20 } else { 1 };
    let from_games = rows
        .iter()
        .filter(|row| !row.mates.is_empty())
        .step_by(step)
        .map(|row| Position::from_sfen(row.sfen).expect(row.sfen));
    let mut rng = games::seeded(22);
    let set_up = (0..scaled(20_000))
        .map(|_| games::setup(&mut rng))
        .filter(|position| position_of(position).mate_in_one().is_some());
    let mut mates = 0;
    for position in from_games.chain(set_up) {
        for checked in games::with_a_check(&position) {
            // Few of these positions hold a mate, so the slow oracle sees only those that do.
            if agrees_with_trying_every_check(&position_of(&checked)) {
                assert!(mates_agree(&checked), "{}", checked.to_sfen());
                mates += 1;
            }
        }
    }
    assert_at_least(mates, 150);
}

#[test]
fn games_agree_with_trying_every_check() {
    let mut rng = games::seeded(23);
    let mut mates = 0;
    let rows = data::mate_rows();
    let starts = rows.iter().map(|row| row.sfen).chain([STARTPOS; 300]);
    for start in starts.step_by(if cfg!(debug_assertions) { 100 } else { 1 }) {
        games::play_core(from_sfen(start), 60, &mut rng, |position| {
            mates += usize::from(agrees_with_trying_every_check(position));
        });
    }
    assert_at_least(mates, 1_500);
}

/// Right after a move the detector may answer from the placement before it. A copy of the position
/// has no such placement, so the two must agree.
#[test]
fn the_answer_is_the_same_without_the_position_before() {
    let mut rng = games::seeded(24);
    let (mut mates, mut asked) = (0, 0);
    let rows = data::mate_rows();
    let starts = rows.iter().map(|row| row.sfen).chain([STARTPOS; 100]);
    for start in starts.step_by(if cfg!(debug_assertions) { 200 } else { 4 }) {
        games::play_core(from_sfen(start), 40, &mut rng, |position| {
            let mut line = Line::from(position);
            let mut ask = |line: &mut Line| {
                mates += line_agrees_with_its_positions(line);
                asked += line.legal_moves().len();
            };
            ask(&mut line);
            if !position.in_check() {
                line.do_null_move();
                ask(&mut line);
                line.undo_null_move();
            }
        });
    }
    assert_at_least(mates, 50_000);
    assert_at_least(asked, 4_000_000);
}

/// Compares the detector after each move of a line, which may answer from the position before it,
/// with the detector of the position. Returns the number of mates.
pub(crate) fn agrees_without_the_position_before(position: &tsumero_core::Position) -> usize {
    line_agrees_with_its_positions(&mut Line::from(position))
}

fn line_agrees_with_its_positions(line: &mut Line) -> usize {
    let mut mates = 0;
    for mv in line.legal_moves() {
        line.do_move(mv);
        let answer = line.mate_in_one();
        assert_eq!(answer, line.position().mate_in_one(), "{mv} leads to {line}");
        line.undo_move();
        mates += usize::from(answer.is_some());
    }
    mates
}

/// Compares the detector with a brute force that makes every checking move. The crate's own
/// generator, which is compared with the oracle elsewhere, makes the brute force fast enough for
/// very many positions. Returns whether there is a mate.
pub(crate) fn agrees_with_trying_every_check(position: &tsumero_core::Position) -> bool {
    let mut checks = MoveList::new();
    position.generate_checks(&mut checks);
    let mating: Vec<Move> = checks
        .into_iter()
        .filter(|&mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            !after.has_legal_move()
        })
        .collect();
    match position.mate_in_one() {
        Some(mv) => assert!(mating.contains(&mv), "{mv} does not mate in {}", position.to_sfen()),
        None => assert!(mating.is_empty(), "{mating:?} missed in {}", position.to_sfen()),
    }
    !mating.is_empty()
}

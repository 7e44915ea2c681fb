//! Compares the verdict on every move that can be written down, with its reason, with the oracle.

use crate::agreement::verdicts_agree;
use crate::core_side::{from_sfen, reason_of};
use crate::data;
use crate::games::{self, STARTPOS, scaled};
use crate::oracle::{Color, Kind, Move, Position, Reason, Square};

#[test]
fn verdicts_agree_in_games() {
    let mut rng = games::seeded(11);
    let start = Position::from_sfen(STARTPOS).expect("valid SFEN");
    for _ in 0..3 {
        games::play(&start, scaled(120), &mut rng, |position, _| verdicts_agree(position));
    }
}

#[test]
fn verdicts_agree_in_the_reference_positions() {
    for sfen in data::perft_sfens() {
        verdicts_agree(&Position::from_sfen(sfen).expect(sfen));
    }
    for row in data::mate_rows().iter().take(scaled(300)) {
        verdicts_agree(&Position::from_sfen(row.sfen).expect(row.sfen));
    }
}

#[test]
fn verdicts_agree_in_random_set_ups_and_name_every_rule() {
    let mut rng = games::seeded(12);
    let mut named = [0_u32; Reason::PRECEDENCE.len()];
    for _ in 0..scaled(500) {
        let position = games::setup(&mut rng);
        verdicts_agree(&position);
        for reason in Move::every_encodable().filter_map(|mv| position.illegality_of(mv)) {
            let at = Reason::PRECEDENCE.iter().position(|&other| other == reason);
            named[at.expect("a readable move is on the board and a move")] += 1;
        }
    }
    // Pawn-drop mates, the last rule, are too rare for the small sample of a debug build.
    let expected = if cfg!(debug_assertions) { named.len() - 1 } else { named.len() };
    assert!(named[..expected].iter().all(|&count| count > 0), "{named:?}");
}

#[test]
fn a_pawn_is_refused_exactly_on_the_files_of_own_pawns() {
    for color in Color::BOTH {
        for pawn in Square::all() {
            if Position::is_dead(color, Kind::Pawn, pawn) {
                continue;
            }
            let mut set_up = Position::empty(color);
            set_up.place(pawn, color, Kind::Pawn);
            set_up.give(color, Kind::Pawn);
            let position = from_sfen(&set_up.to_sfen());
            for to in Square::all() {
                let verdict = position.parse_move(&format!("P*{to}")).err().map(reason_of);
                let last_rank = if color == Color::Black { 1 } else { 9 };
                let expected = if to == pawn {
                    Some(Reason::OccupiedDrop)
                } else if to.rank == last_rank {
                    Some(Reason::DeadPiece)
                } else if to.file == pawn.file {
                    Some(Reason::TwoPawns)
                } else {
                    None
                };
                assert_eq!(verdict, expected, "P*{to} in {}", set_up.to_sfen());
            }
        }
    }
}

#[test]
fn text_that_is_no_move_is_named_as_the_oracle_names_it() {
    let position = from_sfen(STARTPOS);
    let oracle = Position::from_sfen(STARTPOS).expect("valid SFEN");
    let parts =
        ["", "7g", "7f", "0a", "9j", "P*", "p*", "K*", "+", "*", "７", "x", " ", "5e", "G*"];
    for first in parts {
        for second in parts {
            for third in parts {
                let text = format!("{first}{second}{third}");
                let verdict = position.parse_move(&text).err().map(reason_of);
                assert_eq!(verdict, oracle.illegality(&text), "{text:?}");
            }
        }
    }
}

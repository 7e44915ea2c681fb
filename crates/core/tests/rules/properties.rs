//! Properties of any game, with shrinking: a failing game is cut down to the moves that matter.

use crate::core_side::from_sfen;
use crate::games::STARTPOS;
use proptest::collection::vec;
use proptest::prelude::*;
use tsumero_core::{Move, Position};

/// The moves of a game, each picked among the legal ones by a number; shorter when the game ends.
fn moves_of(start: &Position, picks: &[u16]) -> Vec<Move> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for &pick in picks {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(pick) % legal.len()];
        moves.push(mv);
        position.do_move(mv);
    }
    moves
}

fn picks() -> impl Strategy<Value = Vec<u16>> {
    vec(any::<u16>(), 0..200)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(debug_assertions) { 16 } else { 256 },
        // Tests write no files beside their sources. A failure prints its input.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn sfen_comes_back_as_it_was_written(picks in picks()) {
        let mut position = from_sfen(STARTPOS);
        for mv in moves_of(&position, &picks) {
            position.do_move(mv);
            let sfen = position.to_sfen();
            let again = Position::from_sfen(&sfen).expect("a position of a game can be read");
            prop_assert_eq!(again.to_sfen(), sfen);
            prop_assert_eq!(again.key(), position.key());
            prop_assert_eq!(again.consistency(), Ok(()));
        }
    }

    #[test]
    fn taking_back_a_game_passes_through_its_positions(picks in picks()) {
        let mut position = from_sfen(STARTPOS);
        let mut passed = Vec::new();
        for mv in moves_of(&position, &picks) {
            passed.push((position.to_sfen(), position.key(), *position.attacks()));
            position.do_move(mv);
        }
        for (sfen, key, attacks) in passed.into_iter().rev() {
            position.undo_move();
            prop_assert_eq!(position.to_sfen(), sfen);
            prop_assert_eq!(position.key(), key);
            prop_assert_eq!(*position.attacks(), attacks);
            prop_assert_eq!(position.consistency(), Ok(()));
        }
    }

    #[test]
    fn moves_come_back_from_their_text_and_packed_form(picks in picks()) {
        let mut position = from_sfen(STARTPOS);
        for mv in moves_of(&position, &picks) {
            for legal in position.legal_moves() {
                prop_assert_eq!(position.parse_move(&legal.to_string()), Ok(legal));
                prop_assert_eq!(position.unpack_move(legal.to_usi().pack()), Some(legal));
            }
            position.do_move(mv);
        }
    }

    #[test]
    fn passing_the_turn_is_taken_back(picks in picks()) {
        let mut position = from_sfen(STARTPOS);
        for mv in moves_of(&position, &picks) {
            position.do_move(mv);
            if !position.in_check() {
                let (sfen, key) = (position.to_sfen(), position.key());
                position.do_null_move();
                prop_assert_ne!(position.key(), key);
                prop_assert_eq!(position.consistency(), Ok(()));
                position.undo_null_move();
                prop_assert_eq!(position.to_sfen(), sfen);
                prop_assert_eq!(position.key(), key);
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_of_positions_panic(text in "[1-9+/a-zA-Z]{0,40} [bw-]? ?[0-9a-zA-Z-]{0,8}") {
        // Nearly every such text is refused. An accepted one must be a complete position.
        if let Ok(position) = Position::from_sfen(&text) {
            prop_assert_eq!(position.consistency(), Ok(()));
        }
    }

    #[test]
    fn no_text_makes_the_reader_of_moves_panic(text in "\\PC{0,6}") {
        let position = from_sfen(STARTPOS);
        let legal = position.legal_moves().iter().any(|mv| mv.to_string() == text);
        prop_assert_eq!(position.parse_move(&text).is_ok(), legal);
    }

    #[test]
    fn broken_texts_of_positions_are_refused_or_whole(at in 0..80_usize, letter in "[1-9+/PLNSGBRKplnsgbrk]") {
        let mut text: Vec<char> = STARTPOS.chars().collect();
        if let (Some(place), Some(letter)) = (text.get_mut(at), letter.chars().next()) {
            *place = letter;
        }
        let text: String = text.into_iter().collect();
        if let Ok(position) = Position::from_sfen(&text) {
            prop_assert_eq!(position.consistency(), Ok(()));
            let again = Position::from_sfen(&position.to_sfen());
            prop_assert_eq!(again.map(|again| again.key()), Ok(position.key()));
        }
    }
}

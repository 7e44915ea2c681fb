//! Properties of any game, with shrinking: a failing game is cut down to the moves that matter.

use std::cell::Cell;

use crate::core_side::from_sfen;
use crate::games::STARTPOS;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tsumero_core::{Game, Line, Move, Position, Repetition};

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
        position.play_unchecked(mv);
    }
    moves
}

fn picks() -> impl Strategy<Value = Vec<u16>> {
    vec(any::<u16>(), 0..200)
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(debug_assertions) { 16 } else { 256 },
        // Tests write no files beside their sources. A failure prints its input.
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sfen_comes_back_as_it_was_written(picks in picks()) {
        let mut position = from_sfen(STARTPOS);
        for mv in moves_of(&position, &picks) {
            let keys = (position.key_after(mv), position.board_key_after(mv));
            position.play_unchecked(mv);
            prop_assert_eq!((position.key(), position.board_key()), keys);
            let sfen = position.to_sfen();
            let again = Position::from_sfen(&sfen).expect("a position of a game can be read");
            prop_assert_eq!(again.to_sfen(), sfen);
            prop_assert_eq!(again.key(), position.key());
            prop_assert_eq!(again.consistency(), Ok(()));
        }
    }

    #[test]
    fn taking_back_a_game_passes_through_its_positions(picks in picks()) {
        let mut game = Game::default();
        let mut line = Line::from(&game);
        let mut passed = Vec::new();
        for mv in moves_of(&game, &picks) {
            passed.push((mv, game.to_sfen(), game.key(), *game.attacks()));
            game.play_unchecked(mv);
            line.do_move(mv);
        }
        prop_assert_eq!(&game.to_string().parse::<Game>().unwrap(), &game);
        prop_assert_eq!(game.moves().len(), passed.len());
        for (mv, sfen, key, attacks) in passed.into_iter().rev() {
            prop_assert_eq!(game.undo(), Some(mv));
            line.undo_move();
            for position in [game.position(), line.position()] {
                prop_assert_eq!(&position.to_sfen(), &sfen);
                prop_assert_eq!(position.key(), key);
                prop_assert_eq!(*position.attacks(), attacks);
                prop_assert_eq!(position.consistency(), Ok(()));
            }
        }
        prop_assert_eq!(game.undo(), None);
    }

    #[test]
    fn nothing_before_a_null_move_is_a_repetition(rounds in 3..6_usize) {
        let mut game = Game::default();
        for text in ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(4 * rounds) {
            game.play_unchecked(game.parse_move(text).unwrap());
        }
        let mut line = Line::from(&game);
        prop_assert!(line.repetition().is_some());
        line.do_null_move();
        line.do_null_move();
        prop_assert_eq!(line.key(), game.key());
        prop_assert_eq!(line.repetition(), None);
    }

    #[test]
    fn moves_come_back_from_their_text_and_packed_form(picks in picks()) {
        let mut position = from_sfen(STARTPOS);
        for mv in moves_of(&position, &picks) {
            for legal in position.legal_moves() {
                prop_assert_eq!(position.parse_move(&legal.to_string()), Ok(legal));
                prop_assert_eq!(position.unpack_move(legal.to_usi().pack()), Some(legal));
            }
            position.play_unchecked(mv);
        }
    }

    #[test]
    fn passing_the_turn_is_taken_back(picks in picks()) {
        let mut line = Line::from(from_sfen(STARTPOS));
        for mv in moves_of(&line, &picks) {
            line.do_move(mv);
            if !line.in_check() {
                let (sfen, key) = (line.to_sfen(), line.key());
                line.do_null_move();
                prop_assert_ne!(line.key(), key);
                prop_assert_eq!(line.key(), line.position().key());
                prop_assert_eq!(line.consistency(), Ok(()));
                line.undo_null_move();
                prop_assert_eq!(line.to_sfen(), sfen);
                prop_assert_eq!(line.key(), key);
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

/// The rooks and kings of few pieces return to their squares often.
#[test]
fn repetition_is_what_a_look_through_the_game_says() {
    let repetitions = Cell::new(0);
    let checked = TestRunner::new(config()).run(&vec(any::<u16>(), 100..300), |picks| {
        let mut game = Game::from(from_sfen("k8/4r4/9/9/9/9/9/4R4/8K b - 1"));
        let mut before = vec![(game.to_sfen_without_move_number(), game.in_check())];
        for pick in picks {
            let legal = game.legal_moves();
            // The first two moves of each list, so that positions return.
            let Some(&mv) = legal.get(usize::from(pick) % 2) else { break };
            game.play_unchecked(mv);
            before.push((game.to_sfen_without_move_number(), game.in_check()));
            let (now, earlier) = before.split_last().unwrap();
            let same = |&at: &usize| before[at].0 == now.0;
            let third = (0..earlier.len()).rev().filter(same).nth(2);
            // By turns, the records since then are the opponent's checks on us and ours on them.
            let expected = third.map(|third| {
                let us = game.side_to_move();
                let all =
                    |from: usize| before[from..earlier.len()].iter().step_by(2).all(|at| at.1);
                match (all(third), all(third + 1)) {
                    (true, false) => Repetition::PerpetualCheck { by: !us },
                    (false, true) => Repetition::PerpetualCheck { by: us },
                    _ => Repetition::Draw,
                }
            });
            prop_assert_eq!(game.repetition(), expected, "{}", game);
            repetitions.set(repetitions.get() + u32::from(expected.is_some()));
            // A line that follows a part of the game says the same.
            let mut part = game.clone();
            let tail: Vec<Move> = (0..usize::from(pick) % 9).map_while(|_| part.undo()).collect();
            let mut line = Line::from(&part);
            tail.into_iter().rev().for_each(|mv| line.do_move(mv));
            prop_assert_eq!(line.repetition(), expected, "{}", game);
        }
        Ok(())
    });
    checked.unwrap();
    assert!(repetitions.get() > 0);
}

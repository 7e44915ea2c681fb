//! Whatever is accepted as the SFEN of a diagram is a position in which everything works: its text reads back, its
//! incremental values agree with the slow ones, its moves are legal, and making and taking back
//! each of them changes nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsumero_core::{EnteringKingRule, Game, Line, Position};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let lawful = Position::from_sfen(text);
    let Ok(position) = Position::from_diagram(text) else {
        assert!(lawful.is_err());
        return;
    };
    assert_eq!(lawful.is_ok(), position.broken_rules().is_empty());
    let sfen = position.to_sfen();
    assert_eq!(Position::from_diagram(&sfen).expect("our own text").to_sfen(), sfen);
    position.consistency().expect("a position that was read");

    let moves = position.legal_moves();
    assert_eq!(moves.len() as u64, position.count_legal_moves());
    assert_eq!(!moves.is_empty(), position.has_legal_move());
    let (mut line, mut game) = (Line::from(&position), Game::from(&position));
    let mut mates = false;
    for &m in &moves {
        assert_eq!(position.validate(m.to_usi()), Ok(m));
        let checks = position.gives_check(m);
        line.do_move(m);
        game.play_unchecked(m);
        line.consistency().expect("after a move");
        game.consistency().expect("after a move");
        assert_eq!(line.position(), game.position());
        assert_eq!(line.in_check(), checks);
        mates |= checks && !line.has_legal_move();
        line.undo_move();
        assert_eq!(game.undo(), Some(m));
        assert_eq!((line.key(), game.key()), (position.key(), position.key()));
    }
    for after in [line.position(), game.position()] {
        after.consistency().expect("after taking back");
        assert_eq!(after.to_sfen(), sfen);
    }
    match position.mate_in_one() {
        Some(m) => {
            assert!(moves.contains(&m));
            let mut after = position.clone();
            after.play_unchecked(m);
            assert!(after.is_mate());
        }
        None => assert!(!mates, "a mate in one was missed in {sfen}"),
    }
    for rule in EnteringKingRule::ALL {
        position.declaration_wins(rule);
    }
    let value = tsumero_search::evaluate_by_attack_maps(&position).total.value();
    assert!(value.abs() < 32_000);
});

//! Whatever is accepted as the SFEN of a diagram is a position in which everything works: its text reads back, its
//! incremental values agree with the slow ones, its moves are legal, and making and taking back
//! each of them changes nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsumero_core::{EnteringKingRule, Position};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let lawful = Position::from_sfen(text);
    let Ok(mut position) = Position::from_diagram(text) else {
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
    let mut mates = false;
    for &m in &moves {
        assert_eq!(position.validate(m.to_usi()), Ok(m));
        let checks = position.gives_check(m);
        let key = position.key();
        position.do_move(m);
        position.consistency().expect("after a move");
        assert_eq!(position.in_check(), checks);
        mates |= checks && !position.has_legal_move();
        position.undo_move();
        assert_eq!(position.key(), key);
    }
    position.consistency().expect("after taking back");
    assert_eq!(position.to_sfen(), sfen);
    match position.mate_in_one() {
        Some(m) => {
            assert!(moves.contains(&m));
            position.do_move(m);
            assert!(position.in_check() && !position.has_legal_move());
            position.undo_move();
        }
        None => assert!(!mates, "a mate in one was missed in {sfen}"),
    }
    for (rule, _) in EnteringKingRule::NAMES {
        position.declaration_wins(rule);
    }
    let value = tsumero_search::evaluate(&position).total.value();
    assert!(value.abs() < 32_000);
});

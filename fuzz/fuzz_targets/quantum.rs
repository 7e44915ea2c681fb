//! Positions of quantum shogi: any text, positions of games that the input chooses, and their texts
//! with some bytes changed. Nothing panics, and whatever is accepted reads back as the same
//! position, has only legal moves, and comes back when a move is taken back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsumero_quantum::{Move, Position, evaluate};

fn reads_back(position: &Position) {
    let text = position.to_string();
    let again: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(again.is_same_as(position) && again.key() == position.key(), "{text}");
    assert_eq!(again.to_string(), text);
    assert_eq!(again.winner(), position.winner(), "{text}");
}

fn check(mut position: Position) {
    reads_back(&position);
    let (text, key) = (position.to_string(), position.key());
    evaluate(&position);
    let moves = position.legal_moves();
    assert_eq!(moves.len() as u64, position.count_legal_moves(), "{text}");
    assert_eq!(!moves.is_empty(), position.has_legal_move(), "{text}");
    for (number, mv) in moves.into_iter().enumerate() {
        assert_eq!(position.parse_move(&mv.to_string()).ok(), Some(mv), "{text}");
        assert_eq!(position.play(mv), Ok(mv), "{text} {mv}");
        // Of hundreds of moves a few, because texts take longer than everything else.
        if number % 16 == 0 {
            reads_back(&position);
        }
        position.undo();
        assert_eq!(position.key(), key, "{text} {mv}");
    }
    assert_eq!(position.to_string(), text);
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Ok(position) = text.parse() {
        check(position);
    }
    let _ = text.parse::<Move>();

    // The first byte says how many moves follow; each pair of bytes behind them changes the text.
    let [plies, rest @ ..] = data else { return };
    let (choices, changes) = rest.split_at(usize::from(*plies % 64).min(rest.len()));
    let mut position = Position::startpos();
    for &choice in choices {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        assert_eq!(position.play(mv), Ok(mv), "{position} {mv}");
    }
    check(position.without_past());
    let mut text = position.to_string().into_bytes();
    for change in changes.as_chunks::<2>().0 {
        let place = usize::from(change[0]) % text.len();
        text[place] = change[1];
    }
    if let Ok(position) = String::from_utf8_lossy(&text).parse() {
        check(position);
    }
});

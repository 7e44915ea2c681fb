//! Tests of malformed text: it gets a reason, and never a panic.

use proptest::prelude::*;
use tsumero_quantum::{Move, ParsePositionError, Position};

const START: &str = "ihgfedcba/1k5j1/tsrqponml/9/9/9/LMNOPQRST/1J5K1/ABCDEFGHI b / 1 ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

fn error(text: &str) -> ParsePositionError {
    text.parse::<Position>().map(|_| ()).expect_err(text)
}

#[test]
fn the_starting_position_reads_back() {
    assert_eq!(Position::startpos().to_string(), START);
    let read: Position = START.parse().expect("the starting position");
    assert!(read.is_same_as(&Position::startpos()));
}

#[test]
fn every_fault_of_a_position_is_named() {
    use ParsePositionError as E;
    let with = |from: &str, to: &str| START.replacen(from, to, 1);
    assert_eq!(error(""), E::FieldCount);
    assert_eq!(error("startpos"), E::FieldCount);
    assert_eq!(error(&format!("{START} x")), E::FieldCount);
    assert_eq!(error(&with("ABCDEFGHI", "ABCDEFGH")), E::BoardShape);
    assert_eq!(error(&with("ABCDEFGHI", "ABCDEFGHI1")), E::BoardShape);
    assert_eq!(error(&with("9/9/9", "9/9")), E::BoardShape);
    assert_eq!(error(&with("9/9/9", "9/9/9/9")), E::BoardShape);
    assert!(matches!(error(&with("LMN", "L?N")), E::BoardText(_)));
    assert!(matches!(error(&with("LMN", "L-+MN")), E::BoardText(_)));
    assert!(matches!(error(&with("9/9/9", "9/8+/9")), E::BoardText(_)));
    assert!(matches!(error(&with("9/9/9", "9/90/9")), E::BoardText(_)));
    assert_eq!(error(&with(" b ", " x ")), E::Turn);
    assert_eq!(error(&with(" / ", " - ")), E::Hands);
    assert_eq!(error(&with(" / ", " 1/ ")), E::Hands);
    assert!(matches!(error(&with("LMN", "LLN")), E::Twice(_)));
    assert!(matches!(error(&with(" / ", " A/ ")), E::Twice(_)));
    assert!(matches!(error(&with("LMN", "L1N")), E::Missing(_)));
    assert_eq!(error(&with(" 1 ", " 0 ")), E::Ply);
    assert_eq!(error(&with(" 1 ", " +1 ")), E::Ply);
    assert_eq!(error(&with(" 1 ", " 99999999999 ")), E::Ply);
    assert_eq!(error(&with(" ffff", " fff")), E::Kinds);
    assert_eq!(error(&with(" ffff", " gfff")), E::Kinds);
    assert_eq!(error(&with(" ffff", " é")), E::Kinds);
    assert!(matches!(error(&with(" ffff", " 8080")), E::Army { .. }));
    assert!(matches!(error(&with(" ffff", " 80ff")), E::Army { .. }));
    assert!(matches!(error(&with("LMN", "L+MN")), E::Promoted(_)));
    assert!(matches!(error(&with("LMN", "L-MN")), E::CapturedKing(_)));
    assert!(matches!(error(&with("LMN", "L1N").replacen(" / ", " M/ ", 1)), E::CapturedKing(_)));
    assert!(matches!(error(&with("ihg", "Lhg").replacen("LMN", "iMN", 1)), E::Dead(_)));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Move>();
    }

    #[test]
    fn a_damaged_position_is_refused_or_reads_back(
        place in 0usize..140,
        length in 0usize..4,
        inserted in "[A-Ta-t0-9+/ bw-]{0,4}",
    ) {
        let place = place.min(START.len());
        let end = (place + length).min(START.len());
        let text = format!("{}{inserted}{}", &START[..place], &START[end..]);
        if let Ok(mut position) = text.parse::<Position>() {
            let again: Position = position.to_string().parse().expect("our own text");
            prop_assert!(again.is_same_as(&position));
            // An accepted position can be played on.
            for mv in position.legal_moves() {
                position.play(mv).expect("the move is legal");
                let text = position.to_string();
                let read = text.parse::<Position>();
                prop_assert!(read.is_ok(), "{text}: {read:?}");
                position.undo();
            }
        }
    }

    #[test]
    fn any_move_is_made_or_refused_and_refusing_changes_nothing(
        texts in prop::collection::vec("[1-9A-Ta-t][1-9a-i*][1-9][a-i]\\+?", 1..40),
    ) {
        let mut position = Position::startpos();
        for text in texts {
            let before = position.to_string();
            if let Ok(mv) = text.parse::<Move>()
                && position.play(mv).is_err()
            {
                prop_assert_eq!(&position.to_string(), &before);
            }
        }
    }
}

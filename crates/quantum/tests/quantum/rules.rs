//! Tests of rules that the recorded games touch rarely or not at all.

use tsumero_core::Color;
use tsumero_quantum::{IllegalMove, Kind, KindSet, Outcome, ParsePositionError, PieceId, Position};

fn play(position: &mut Position, moves: &str) {
    for word in moves.split_whitespace() {
        let mv = position.parse_move(word).unwrap_or_else(|error| panic!("{word}: {error}"));
        position.play(mv).expect("the move is legal");
    }
}

fn piece(letter: u8) -> PieceId {
    PieceId::from_letter(letter).expect("a name")
}

#[test]
fn every_rule_is_named_when_it_is_broken() {
    let mut position = Position::startpos();
    let reason = |position: &Position, word: &str| position.parse_move(word).expect_err(word);
    let square = |text: &str| text.parse().expect("a square");
    assert_eq!(reason(&position, "5e5d"), IllegalMove::NoPiece(square("5e")));
    assert_eq!(reason(&position, "3c3d"), IllegalMove::WrongSide(square("3c")));
    assert_eq!(reason(&position, "9i9g"), IllegalMove::OwnPieceOnTarget(square("9g")));
    assert_eq!(
        reason(&position, "7g5d"),
        IllegalMove::NotAlongVector { piece: piece(b'N'), kinds: KindSet::ALL }
    );
    assert_eq!(reason(&position, "9i9d"), IllegalMove::Leap(square("9g")));
    assert_eq!(reason(&position, "7g7f+"), IllegalMove::OutsideZone);
    assert_eq!(reason(&position, "A*5e"), IllegalMove::NotInHand(piece(b'A')));
    // The piece on 8h goes sideways by two: it is the rook.
    play(&mut position, "8h6h 5c5d 6g6f 5d5e 6f6c+ 1c1d");
    assert_eq!(reason(&position, "6c6d+"), IllegalMove::PromotedAlready(piece(b'O')));
    assert_eq!(reason(&position, "q*5e"), IllegalMove::OccupiedDropSquare(square("5e")));
    let only_rook =
        IllegalMove::NotAlongVector { piece: piece(b'J'), kinds: KindSet::of(&[Kind::Rook]) };
    assert_eq!(reason(&position, "6h4f"), only_rook);
    for text in ["", "7g", "7g7", "7g7f++", "*5e", "AA*5e", "U*5e", "7g7x", "resign", "７g7f"] {
        assert!(matches!(position.parse_move(text), Err(IllegalMove::Malformed(_))), "{text}");
    }
}

#[test]
fn gold_and_king_do_not_promote_and_dead_pieces_must() {
    // King, gold and knight stand before the far ranks, lance and pawn before the last one.
    let text = format!(
        "9/B5L2/9/2D1AH3/9/9/9/9/a8 b /CEFGIJKMNOPQRSTbcdefghijklmnopqrst 9 {SETTLED}{SETTLED}"
    );
    let position: Position = text.parse().unwrap_or_else(|error| panic!("{error}"));
    for (mv, kind) in [("5d5c", Kind::King), ("4d4c", Kind::Gold)] {
        let refused = Err(IllegalMove::CannotPromote(KindSet::of(&[kind])));
        assert_eq!(position.parse_move(&format!("{mv}+")), refused, "{mv}");
        assert!(position.parse_move(mv).is_ok(), "{mv}");
    }
    for (mv, kind) in [("7d6b", Kind::Knight), ("9b9a", Kind::Lance), ("3b3a", Kind::Pawn)] {
        let refused = Err(IllegalMove::MustPromote(KindSet::of(&[kind])));
        assert_eq!(position.parse_move(mv), refused, "{mv}");
        assert!(position.parse_move(&format!("{mv}+")).is_ok(), "{mv}");
    }
}

#[test]
fn a_piece_that_does_not_promote_can_move_from_where_it_is() {
    let mut position = Position::startpos();
    play(&mut position, "9g9f 9c9d 9f9e 9d9e");
    let mv = position.parse_move("9i9e").expect("a lance or a rook");
    position.play(mv).expect("legal");
    assert_eq!(position.kinds(piece(b'A')).to_string(), "LR");
    play(&mut position, "1c1d");
    play(&mut position, "9e9c 1d1e");
    // The piece on 9c can be a lance or a rook. On 9b it is not dead and does not have to promote.
    assert!(position.parse_move("9c9b").is_ok());
    assert!(position.parse_move("9c9a+").is_ok());
    // Unpromoted on the last rank, it must be the rook.
    play(&mut position, "9c9a");
    assert_eq!(position.kinds(piece(b'A')).to_string(), "R");
}

#[test]
fn repetition_needs_the_same_kinds() {
    let mut position = Position::startpos();
    // In the first round the pieces lose kinds, so the positions differ.
    let round = "5i5h 5a5b 5h5i 5b5a ";
    play(&mut position, round);
    assert_eq!(position.occurrences(), 1);
    for times in 2..=3 {
        play(&mut position, round);
        assert_eq!(position.occurrences(), times);
        assert_eq!(position.outcome(None), None);
    }
    play(&mut position, round);
    assert_eq!(position.outcome(None), Some(Outcome::Repetition));
    assert_eq!(position.outcome(None).and_then(Outcome::winner), None);
}

#[test]
fn the_move_limit_is_a_draw() {
    let mut position = Position::startpos();
    play(&mut position, "7g7f 3c3d");
    assert_eq!(position.outcome(Some(3)), None);
    assert_eq!(position.outcome(Some(2)), Some(Outcome::MoveLimit));
}

/// A side whose kinds are all known: A is the king, then come both lances, knights, silvers and
/// golds, the bishop, the rook and the pawns.
const SETTLED: &str = "8002020404080810102040010101010101010101";

#[test]
fn who_cannot_move_loses() {
    // Black's pawns stand behind a last rank full of Black's own pieces, none of which goes
    // backwards diagonally but the king, and nothing is in hand.
    let full = "A+B+C+D+E+F+GHI/LMNOPQRST/9/9/9/9/9/9/4a4";
    let text = format!("{full} b /JKbcdefghijklmnopqrst 9 {SETTLED}{SETTLED}");
    let position: Position = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert!(position.legal_moves().is_empty());
    assert_eq!(position.outcome(None), Some(Outcome::NoLegalMove { winner: Color::White }));
    // With one empty square, a piece can go there.
    let text = text.replace("LMNOPQRST/9", "LMNO1QRST/P8");
    let position: Position = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(position.outcome(None), None);
}

#[test]
fn a_piece_that_becomes_the_king_by_the_move_that_takes_it_is_the_king() {
    // A is the bishop or the king, J the rook or the king, and K, which White has taken and
    // dropped, the bishop or the rook. K moves like a bishop, so it is the bishop; then A, which
    // it takes, can only be the king, and J the rook.
    let mut sets: Vec<&str> =
        SETTLED.as_bytes().chunks(2).map(|d| std::str::from_utf8(d).unwrap()).collect();
    (sets[0], sets[9], sets[10]) = ("a0", "c0", "60");
    let side = sets.concat();
    let text = format!(
        "a8/9/9/9/9/9/2-K6/4J4/A8 w /BCDEFGHILMNOPQRSTbcdefghijklmnopqrst 2 {side}{SETTLED}"
    );
    let mut position: Position = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(position.kinds(piece(b'A')).to_string(), "BK");
    play(&mut position, "7g9i");
    assert_eq!(position.winner(), Some(Color::White));
    assert_eq!(position.kinds(piece(b'A')), KindSet::KING);
    assert_eq!(position.kinds(piece(b'J')).to_string(), "R");
}

#[test]
fn taking_the_sure_king_ends_the_game() {
    let text = format!(
        "a8/9/9/9/9/9/9/-K8/A8 w /BCDEFGHIJLMNOPQRSTbcdefghijklmnopqrst 2 {SETTLED}{SETTLED}"
    );
    let mut position: Position = text.parse().unwrap_or_else(|error| panic!("{error}"));
    play(&mut position, "9h9i");
    assert_eq!(position.winner(), Some(Color::White));
    assert_eq!(position.outcome(None), Some(Outcome::KingCaptured { winner: Color::White }));
    assert_eq!(position.parse_move("a*5e"), Err(IllegalMove::GameOver));
    let text = position.to_string();
    assert_eq!(text.parse::<Position>().expect("readable").winner(), Some(Color::White));
    // Nobody takes the own king.
    let text = format!(
        "a8/9/9/9/9/9/9/9/-K8 w A/BCDEFGHIJLMNOPQRSTbcdefghijklmnopqrst 3 {SETTLED}{SETTLED}"
    );
    assert_eq!(text.parse::<Position>().err(), Some(ParsePositionError::KingNotLast(piece(b'A'))));
}

//! Diagrams of mate problems: a hand of all pieces that are left, written so or left out.

use tsumero_core::{Color, PieceKind};
use tsumero_record::{Reading, read, read_problems};

fn diagram(headers: &str, tail: &str) -> String {
    let mut text = format!("{headers}+---------------------------+\n");
    for rank in ["一", "二", "三", "四", "五", "六", "七", "八", "九"] {
        let row = match rank {
            "一" => " ・ ・ ・ ・v玉 ・ ・ ・ ・",
            "三" => " ・ ・ ・ ・ と ・ ・ 龍v金",
            _ => " ・ ・ ・ ・ ・ ・ ・ ・ ・",
        };
        text += &format!("|{row}|{rank}\n");
    }
    text + "+---------------------------+\n" + tail
}

/// The pawns, golds and rooks in a hand.
fn hand(reading: Reading, color: Color) -> [u32; 3] {
    let game = reading.into_games().unwrap().remove(0);
    let hand = game.start().hand(color);
    [PieceKind::Pawn, PieceKind::Gold, PieceKind::Rook].map(|kind| hand.count(kind))
}

#[test]
fn all_pieces_that_are_left_are_counted() {
    let white = |text: &str| hand(read(text.as_bytes()), Color::White);
    for words in ["残り全部", "残り全て", "残り駒全部", "残駒全部"] {
        let text = diagram(&format!("後手の持駒：{words}\n"), "先手の持駒：金　歩二\n");
        assert_eq!(white(&text), [15, 2, 1], "{words}");
        let text = diagram(&format!("玉方の持ち駒：{words}\n"), "攻方の持ち駒：金　歩二\n");
        assert_eq!(white(&text), [15, 2, 1], "{words}");
    }
    // The attacker may be the one.
    let text = diagram("後手の持駒：歩二\n", "先手の持駒：残り全部\n");
    assert_eq!(hand(read(text.as_bytes()), Color::Black), [15, 3, 1]);
    let text = diagram("後手の持駒：残り全部\n", "先手の持駒：残り全部\n");
    let bad = read(text.as_bytes()).into_games().unwrap_err();
    assert!(bad.reason.starts_with("only one side"), "{bad}");
}

#[test]
fn only_in_a_problem_a_missing_hand_is_all_that_is_left() {
    let text = diagram("", "先手の持駒：金　歩二\n");
    assert_eq!(hand(read(text.as_bytes()), Color::White), [0, 0, 0]);
    assert_eq!(hand(read_problems(text.as_bytes()), Color::White), [15, 2, 1]);
    assert_eq!(hand(read_problems(text.as_bytes()), Color::Black), [2, 1, 0]);
    // The defender is who is not to move.
    let text = diagram("後手の持駒：歩二\n", "後手番\n").replace("v玉", " 玉");
    let text = text.replace("v金", "v玉");
    assert_eq!(hand(read_problems(text.as_bytes()), Color::Black), [15, 4, 1]);
    assert_eq!(hand(read_problems(text.as_bytes()), Color::White), [2, 0, 0]);
    // What is said holds.
    let text = diagram("後手の持駒：なし\n", "先手の持駒：金　歩二\n");
    assert_eq!(hand(read_problems(text.as_bytes()), Color::White), [0, 0, 0]);
    // Games are read as ever.
    let game = "手合割：平手\n   1 ７六歩(77)\n";
    assert_eq!(hand(read_problems(game.as_bytes()), Color::White), [0, 0, 0]);
}

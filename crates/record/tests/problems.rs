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

/// Collections have one diagram after the other, with or without moves, and often without any 手合割.
#[test]
fn each_diagram_begins_a_game() {
    let above = |pawns: &str| format!("後手の持駒：歩{pawns}\n");
    let below = "先手の持駒：金\n";
    let one = |pawns: &str| diagram(&above(pawns), below);
    let moves = "手数----指手----\n   1 ５二金打\n   2 中断\n";
    let untitled = diagram("", below);
    let games = |text: &str| {
        let games = read_problems(text.as_bytes()).games.into_iter();
        let read = games.map(|game| game.map_err(|bad| (bad.line, bad.reason)));
        read.collect::<Result<Vec<_>, _>>()
    };
    for (text, pawns, titles) in [
        ([one("二"), one("三")].concat(), &[2, 3][..], &["", ""][..]),
        ([one("二"), one("三"), one("四")].join("\n\n"), &[2, 3, 4], &["", "", ""]),
        ([one("二"), moves.into(), one("三"), moves.into()].concat(), &[2, 3], &["", ""]),
        ([one("二"), moves.into(), one("三"), one("四")].join("\n"), &[2, 3, 4], &["", "", ""]),
        // The title of a problem stands above its diagram.
        (format!("作品名：一\n{}作品名：二\n{}", one("二"), one("三")), &[2, 3], &["一", "二"]),
        (
            format!("作品名：一\n{}{moves}作品名：二\n{}", one("二"), one("三")),
            &[2, 3],
            &["一", "二"],
        ),
        // A hand below the diagram belongs to it if moves follow.
        (format!("{untitled}{}{moves}{}", above("二"), one("三")), &[2, 3], &["", ""]),
        // A hand that is left out is all that is left.
        (format!("{untitled}{untitled}"), &[17, 17], &["", ""]),
        (format!("{untitled}{moves}{untitled}"), &[17, 17], &["", ""]),
        (format!("{}作品名：二\n{untitled}", one("二")), &[2, 17], &["", "二"]),
        (format!("{untitled}作品名：二\n{}", one("二")), &[17, 2], &["", "二"]),
        (format!("{}{}", one("二"), diagram(&above("三"), "")), &[2, 3], &["", ""]),
        // 手合割 may stand among them.
        (format!("{}手合割：その他\n{}", one("二"), one("三")), &[2, 3], &["", ""]),
        (
            format!("{}{moves}{}手合割：その他\n{untitled}", one("二"), above("三")),
            &[2, 3],
            &["", ""],
        ),
        (format!("{}手合割：平手\n", [one("二"), one("三")].concat()), &[2, 3, 0], &["", "", ""]),
        (format!("手合割：詰将棋\n{}手合割：詰将棋\n{}", one("二"), one("三")), &[2, 3], &["", ""]),
    ] {
        let games = games(&text).unwrap_or_else(|bad| panic!("{bad:?} {text}"));
        let hand =
            |game: &tsumero_record::Game| game.start().hand(Color::White).count(PieceKind::Pawn);
        assert_eq!(games.iter().map(hand).collect::<Vec<_>>(), pawns, "{text}");
        let title = |game: &tsumero_record::Game| game.header("作品名").unwrap_or("").to_owned();
        assert_eq!(games.iter().map(title).collect::<Vec<_>>(), titles, "{text}");
    }
    // White's hand between two diagrams may belong to either, and so may the side behind a header.
    let side = "作品名：二\n手番：先手\n";
    for text in [format!("{untitled}{}", one("二")), format!("{untitled}{side}{untitled}")] {
        let (line, reason) = games(&text).unwrap_err();
        assert!((15..=16).contains(&line) && reason.contains("another game"), "{line} {reason}");
    }
    // A tenth rank is a fault, and no second diagram.
    let text = one("二").replace("|九\n", "|九\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n");
    assert_eq!(games(&text).unwrap_err().0, 12);
}

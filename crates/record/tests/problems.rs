//! Diagrams of mate problems: a hand of all pieces that are left, written so or left out.

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use tsumero_core::{Color, PieceKind};
use tsumero_record::{Format, Game, Reading, read, read_problems, write};

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

/// The games of a text, or the line and the reason of the first fault.
fn games(text: &str) -> Result<Vec<Game>, (usize, String)> {
    let games = read_problems(text.as_bytes()).games.into_iter();
    games.map(|game| game.map_err(|bad| (bad.line, bad.reason.to_string()))).collect()
}

/// Collections have one diagram after the other, with or without moves, and often without any 手合割.
#[test]
fn each_diagram_is_a_game() {
    let above = |pawns: &str| format!("後手の持駒：歩{pawns}\n");
    let below = "先手の持駒：金\n";
    let one = |pawns: &str| diagram(&above(pawns), below);
    let titled = |title: &str, pawns: &str| format!("作品名：{title}\n{}", one(pawns));
    let moves = "手数----指手----\n   1 ５二金打\n   2 中断\n";
    let untitled = diagram("", below);
    let named = |title: &str, pawns: &str| {
        diagram("", &format!("作品名：{title}\n{}先手の持駒：金\n", above(pawns)))
    };
    let even = "   1 ７六歩(77)\n   2 投了\n";
    for (text, pawns, titles) in [
        ([one("二"), one("三")].concat(), &[2, 3][..], &["", ""][..]),
        ([one("二"), one("三"), one("四")].join("\n\n"), &[2, 3, 4], &["", "", ""]),
        ([one("二"), moves.into(), one("三"), moves.into()].concat(), &[2, 3], &["", ""]),
        ([one("二"), moves.into(), one("三"), one("四")].join("\n"), &[2, 3, 4], &["", "", ""]),
        // A title stands above each diagram, or below each.
        (titled("一", "二") + &titled("二", "三"), &[2, 3], &["一", "二"]),
        (titled("一", "二") + moves + &titled("二", "三"), &[2, 3], &["一", "二"]),
        (named("一", "二") + &named("二", "三"), &[2, 3], &["一", "二"]),
        // Lines behind a diagram belong to it if moves follow.
        (format!("{untitled}{}{moves}{}", above("二"), one("三")), &[2, 3], &["", ""]),
        // A hand that is left out is all that is left.
        (format!("{untitled}{untitled}"), &[17, 17], &["", ""]),
        (format!("{untitled}{moves}{untitled}"), &[17, 17], &["", ""]),
        (format!("{}{untitled}", one("二")), &[2, 17], &["", ""]),
        // 手合割 may begin other games.
        (format!("{even}\n{}{}", one("二"), one("三")), &[0, 2, 3], &["", "", ""]),
        (
            format!("手合割：平手\n{even}{}手合割：平手\n{even}", titled("一", "二")),
            &[0, 2, 0],
            &["", "一", ""],
        ),
        (format!("手合割：詰将棋\n{}手合割：詰将棋\n{}", one("二"), one("三")), &[2, 3], &["", ""]),
        // What can be read as one game with each 手合割 is not taken apart, wherever its lines stand.
        (
            format!("手合割：その他\n{}手合割：その他\n{}", named("一", "二"), named("二", "三")),
            &[2, 3],
            &["一", "二"],
        ),
        (format!("{}手合割：平手\n", one("二")), &[2], &[""]),
    ] {
        // Line ends may be doubled.
        for text in [&text, &text.replace('\n', "\n\n"), &text.replace('\n', "\r\r\n")] {
            let games = games(text).unwrap_or_else(|bad| panic!("{bad:?} {text}"));
            let hand = |game: &Game| game.start().hand(Color::White).count(PieceKind::Pawn);
            assert_eq!(games.iter().map(hand).collect::<Vec<_>>(), pawns, "{text}");
            let title = |game: &Game| game.header("作品名").unwrap_or("").to_owned();
            assert_eq!(games.iter().map(title).collect::<Vec<_>>(), titles, "{text}");
        }
    }
    // So does the side to move.
    let to_move = [Color::White, Color::Black, Color::White, Color::White];
    let sided = to_move.map(|side| {
        let side = if side == Color::Black { "先手" } else { "後手" };
        [format!("手番：{side}\n{untitled}"), format!("{untitled}{side}番\n")]
    });
    for place in 0..2 {
        let read = games(&sided.each_ref().map(|texts| texts[place].as_str()).concat()).unwrap();
        assert!(read.iter().map(|game| game.start().side_to_move()).eq(to_move), "{place}");
    }
    // A line that may belong to either of two diagrams belongs to neither.
    let side = "手番：先手\n";
    for text in [
        format!("{untitled}{}", one("二")),
        format!("{untitled}{side}{untitled}"),
        format!("{side}{untitled}{side}{untitled}{side}"),
        format!("{side}{untitled}{side}{side}{untitled}"),
        format!("{}{}", one("二"), diagram(&above("三"), "")),
        format!("{untitled}作品名：二\n{}", one("二")),
        format!("*一\n{untitled}*二\n{untitled}*三\n"),
        format!("{}手合割：その他\n{}", one("二"), one("三")),
        format!("{}{}手合割：平手\n", one("二"), one("三")),
        // In this order, the lines of either diagram stand among those of the other.
        format!("{side}{untitled}{side}作品名：一\n{untitled}作品名：二\n"),
    ] {
        let (line, reason) = games(&text).unwrap_err();
        assert!((13..=18).contains(&line) && reason.contains("another game"), "{line} {reason}");
    }
    let text = format!("{untitled}{moves}\n*一\n{untitled}");
    assert!(games(&text).unwrap_err().1.contains("behind the first move"));
    // A tenth rank is a fault, and no second diagram. So is one that is left out, even if another diagram
    // has ten.
    let rank = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|";
    let bare = one("").replace(|letter| "一二三四五六七八九".contains(letter), "");
    let short = bare.replacen(&format!("{rank}\n"), "", 1);
    let long = bare.replacen(rank, &format!("{rank}\n{rank}"), 1);
    for (text, line) in [(&long, 12), (&(short.clone() + &bare), 16), (&(short + &long), 16)] {
        assert_eq!(games(text).unwrap_err().0, line, "{text}");
    }
    // A problem that is bad spoils no other.
    let reading = read_problems([one("三十"), one("三")].concat().as_bytes());
    let [Err(bad), Ok(_)] = reading.games.as_slice() else { panic!("{:?}", reading.games) };
    assert_eq!(bad.line, 11);
}

/// Where the problems of a file have their lines, and what separates them.
struct Layout {
    /// Lines that say something else in each problem, and whether they stand above the diagram.
    places: Vec<(usize, bool)>,
    /// How likely a problem has each of them.
    likely: f64,
    begin: &'static str,
    moves: f64,
    separator: &'static str,
    line_end: &'static str,
}

impl Layout {
    fn any(rng: &mut StdRng) -> Layout {
        let mut places: Vec<(usize, bool)> = (0..5).map(|what| (what, rng.random())).collect();
        places.shuffle(rng);
        Layout {
            places,
            likely: *[0.5, 1.0].choose(rng).unwrap(),
            begin: ["", "手合割：その他\n"].choose(rng).unwrap(),
            moves: *[0.0, 0.3, 1.0].choose(rng).unwrap(),
            separator: ["", "\n", "\n\n"].choose(rng).unwrap(),
            line_end: ["\n", "\r\n", "\r\r\n", "\n\n"].choose(rng).unwrap(),
        }
    }

    fn problem(&self, rng: &mut StdRng) -> String {
        let has_moves = rng.random_bool(self.moves);
        // White has the only king, so it can move, and Black mates it.
        let side = if has_moves { "先手" } else { ["先手", "後手"].choose(rng).unwrap() };
        let number = rng.random_range(2..=4);
        let lines = [
            format!("後手の持駒：歩{number}\n"),
            format!("先手の持駒：金 桂{number}\n"),
            [format!("手番：{side}\n"), format!("{side}番\n")].choose(rng).unwrap().clone(),
            format!("作品名：{number}\n"),
            format!("*{number}\n").repeat(number - 1),
        ];
        let (mut above, mut below) = (self.begin.to_owned(), String::new());
        for &(what, is_above) in &self.places {
            // The gold is moved.
            if rng.random_bool(self.likely) || what == 1 && has_moves {
                (if is_above { &mut above } else { &mut below }).push_str(&lines[what]);
            }
        }
        let moves = "手数----指手----\n   1 ５二金打\n   2 中断\n";
        let text = diagram(&above, &below) + if has_moves { moves } else { "" };
        text.replace('\n', self.line_end)
    }
}

/// Problems of one layout that are joined are what each is alone, or they are refused: always with a
/// 手合割 each, and without one if all have all lines.
#[test]
fn problems_that_are_joined_are_what_each_is_alone() {
    let mut rng = StdRng::seed_from_u64(7);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..2000 {
        let layout = Layout::any(&mut rng);
        let count = rng.random_range(2..=4);
        let problems: Vec<String> = (0..count).map(|_| layout.problem(&mut rng)).collect();
        let alone = problems.iter().flat_map(|text| games(text).unwrap()).collect::<Vec<_>>();
        assert_eq!(alone.len(), problems.len());
        // A header that stands right above 手合割 belongs to it, and a comment right below a move.
        let needs_none = layout.begin.is_empty() && layout.moves == 0.0;
        let separator = if needs_none { layout.separator } else { "\n" };
        let text = problems.join(&separator.replace('\n', layout.line_end));
        match games(&text) {
            Ok(games) => {
                assert!(games == alone, "{text}\n{}", write(&games, Format::Kif));
                read += usize::from(layout.begin.is_empty());
            }
            Err((line, reason)) => {
                let is_clear = layout.likely == 1.0 && layout.moves == 0.0;
                assert!(layout.begin.is_empty() && !is_clear, "{line} {reason} {text}");
                refused += 1;
            }
        }
    }
    assert!(read > 400 && refused > 100, "{read} {refused}");
}

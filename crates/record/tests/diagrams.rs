//! Tests files whose first position no game could reach: two pawns on a file, or pieces that could
//! never move. Such diagrams are read as they stand, with notes. Their moves must be legal.

use tsumero_core::Position;
use tsumero_record::{BadGame, Format, Game, read, write};

/// Two pawns of each side on a file, and a knight and a pawn that could never move, in every format.
const SFEN: &str = "P3k4/N8/4p4/4p4/9/4P4/4P4/9/4K4 b P2p 1";
const RULES: [&str; 4] = [
    "the first position: piece on 9a could never move",
    "the first position: piece on 9b could never move",
    "the first position: two pawns of Black on file 5",
    "the first position: two pawns of White on file 5",
];

const DIAGRAM: &str = "\
後手の持駒：歩二
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| 歩 ・ ・ ・v玉 ・ ・ ・ ・|一
| 桂 ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・v歩 ・ ・ ・ ・|三
| ・ ・ ・ ・v歩 ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|六
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：歩
先手番
";

/// The same start as CSA, its pieces placed one by one.
const PLACED: &str = "V2.2
P+91FU92KE56FU57FU59OU00FU
P-51OU53FU54FU00FU00FU
+
";

fn game_of(file: &str) -> Result<Game, BadGame> {
    let games = read(file.as_bytes()).into_games()?;
    let [game] = games.as_slice() else { panic!("{} games in {file}", games.len()) };
    Ok(game.clone())
}

fn rules(game: &Game) -> Vec<String> {
    let mut notes = game.notes();
    notes.sort();
    notes
}

#[test]
fn a_diagram_is_read_as_it_stands_in_every_format() {
    for file in [
        &format!("{DIAGRAM}手数----指手---------消費時間--\n   1 ５五歩(56)\n   2 同　歩(54)\n"),
        &format!("{DIAGRAM}▲５五歩 △同歩\n"),
        &format!(
            "{}▲５五歩 △同歩\n",
            DIAGRAM.replace("９ ８ ７ ６ ５ ４ ３ ２ １", "9 8 7 6 5 4 3 2 1")
        ),
        &format!("{PLACED}+5655FU\n-5455FU\n"),
        &format!("position sfen {SFEN} moves 5f5e 5d5e\n"),
    ] {
        let game = game_of(file).unwrap_or_else(|bad| panic!("{bad}\n{file}"));
        assert_eq!(game.start_sfen(), SFEN, "{file}");
        assert_eq!(game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["5f5e", "5d5e"]);
        assert_eq!(rules(&game), RULES);
        for format in Format::ALL {
            let text = write(std::slice::from_ref(&game), format);
            let back = game_of(&text).unwrap_or_else(|bad| panic!("{format}: {bad}\n{text}"));
            assert_eq!(back.start_sfen(), SFEN, "{format}:\n{text}");
            assert!(back.moves().eq(game.moves()), "{format}:\n{text}");
            assert_eq!(rules(&back), RULES);
        }
    }
    assert!(game_of("手合割：平手\n").unwrap().notes().is_empty());
}

/// The rules on moves hold from such a start too.
#[test]
fn its_moves_must_be_legal() {
    for (file, line, reason) in [
        (format!("{PLACED}+0055FU\n"), 5, "move 1 +0055FU: two pawns on the file"),
        (format!("{PLACED}+9290KE\n"), 5, "\"+9290KE\" is no move"),
        (format!("{PLACED}+9281FU\n"), 5, "move 1 +9281FU: the piece on the origin is KE"),
        (format!("{DIAGRAM}▲５八歩打\n"), 16, "▲５八歩打: two pawns on the file"),
        (format!("{DIAGRAM}1 ９一歩成(92)\n"), 16, "move 1: 歩 is named, but 桂 stands on 9b"),
        (format!("sfen {SFEN} moves 9b8a"), 1, "the piece does not move that way"),
    ] {
        let bad = game_of(&file).unwrap_err();
        assert_eq!(bad.line, line, "{bad}\n{file}");
        assert!(bad.reason.contains(reason), "{bad}\n{file}");
    }
    // One pawn after the other is captured. Then the file is free for a pawn.
    let moves = "5c5d 5f5e";
    assert!(game_of(&format!("sfen {SFEN} moves {moves}")).is_err(), "an own pawn is in the way");
    let sfen = "4k4/9/9/9/4r4/4P4/4P4/9/4K4 w Pp 1";
    let one_left = format!("sfen {sfen} moves 5e5f 5i4i 5f5e P*5b");
    assert!(game_of(&one_left).unwrap_err().reason.contains("two pawns on the file"));
    let none_left = format!("sfen {sfen} moves 5e5f 5i4i 5f5g 4i3i 5g5e P*5b");
    assert_eq!(game_of(&none_left).unwrap().moves().count(), 6);
}

#[test]
fn what_is_no_position_is_refused() {
    for (sfen, reason) in [
        ("4k4/4k4/9/9/9/9/9/9/4K4 b - 1", "more than one king"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "more than 18"),
        ("4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1", "could capture the king"),
        ("4k4/9/9/9/9/9/9/9 b - 1", "8 ranks"),
    ] {
        let bad = game_of(&format!("position sfen {sfen}\n")).unwrap_err();
        assert!(bad.reason.contains(reason), "{bad}");
    }
}

/// What people see of it is what the core says of the same position.
#[test]
fn the_notes_name_the_rules_of_the_core() {
    let position = Position::from_diagram(SFEN).unwrap();
    let broken: Vec<String> = position.broken_rules().iter().map(ToString::to_string).collect();
    assert_eq!(broken.len(), RULES.len());
    assert!(RULES.iter().all(|rule| broken.iter().any(|broken| rule.ends_with(broken.as_str()))));
    assert!(Position::from_sfen(SFEN).is_err());
}

/// Half of a start would be another start.
#[test]
fn pieces_in_hand_need_a_diagram() {
    let moves = "   1 ７六歩(77)\n";
    for (start, line, reason) in [
        ("先手の持駒：飛二\n", 1, "there are pieces in hand, but no diagram"),
        ("手合割：平手\n後手の持駒：残り全部\n", 2, "there are pieces in hand, but no diagram"),
        ("手合割：その他\n", 1, "a position of another kind, but no diagram"),
    ] {
        let bad = game_of(&format!("{start}{moves}")).unwrap_err();
        assert_eq!((bad.line, bad.reason.as_str()), (line, reason), "{start}");
    }
    let even = game_of(&format!("後手の持駒：なし\n先手の持駒：\n{moves}")).unwrap();
    assert_eq!((even.start(), even.moves().count()), (&Position::startpos(), 1));
}

//! Tests the texts of games: names and comments may contain anything, but no control character gets
//! into a game, and what gets in comes back from every format that has a place for it.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tsumero_core::Position;
use tsumero_record::{Cursor, Ending, Format, Game, NodeId, read, write};

/// The characters that terminals, JSON and readers of KIF take for commands: control characters,
/// and those that turn the direction of what follows. Written without a look at the library.
fn is_command(c: char) -> bool {
    matches!(u32::from(c), 0..=0x1f | 0x7f..=0x9f | 0x202a..=0x202e | 0x2066..=0x2069 | 0xfeff)
}

/// Colors, the title of the window, the same with one character of C1, a bell, a deletion, text
/// from right to left.
const NASTY: &str = "甲\0\u{1}\u{7}\u{1b}[31m\u{1b}]0;x\u{1b}\\\u{9b}2J\u{9d}0;y\u{9c}\t乙\u{c}丙\u{85}\u{202e}丁\u{2066}";
const PLAIN: &str = "甲[31m]0;x\\2J0;y 乙 丙 丁";

fn texts(game: &Game) -> Vec<&str> {
    let mut texts: Vec<&str> =
        game.headers().iter().flat_map(|(name, value)| [name.as_str(), value]).collect();
    for id in game.main_line() {
        texts.extend(game.node(id).comments().iter().map(String::as_str));
        texts.extend(game.node(id).bookmarks().iter().map(String::as_str));
    }
    texts
}

fn game_of(file: &str) -> Game {
    let mut games =
        read(file.as_bytes()).into_games().unwrap_or_else(|bad| panic!("{bad}\n{file}"));
    assert_eq!(games.len(), 1, "{file}");
    games.remove(0)
}

/// Writes the game in every format, reads each text again, and returns what was read.
fn in_every_format(game: &Game) -> Vec<(Format, Game)> {
    let all = Format::ALL.map(|format| {
        let text = write(std::slice::from_ref(game), format);
        let command = text.chars().find(|&c| is_command(c) && c != '\n');
        assert_eq!(command, None, "{format}:\n{text}");
        let back = game_of(&text);
        assert_eq!(back.start_sfen(), game.start_sfen(), "{format}:\n{text}");
        assert!(back.moves().eq(game.moves()), "{format}:\n{text}");
        assert!(!texts(&back).concat().contains(is_command), "{format}:\n{text}");
        (format, back)
    });
    all.into()
}

#[test]
fn a_note_has_no_commands() {
    let mut game = Game::new(Position::startpos());
    game.add_note(NASTY);
    assert_eq!(game.notes(), [PLAIN]);
}

#[test]
fn no_reader_lets_a_command_into_a_game() {
    let n = NASTY;
    let moves = ["   1 ７六歩(77)\n", "▲７六歩\n"];
    let mut files: Vec<String> = moves
        .map(|mv| {
            format!("先手：{n}\n棋戦：{n}\n{n}：{n}\n手合割：平手\n*{n}\n&{n}\n{mv}*{n}\n&{n}\n")
        })
        .into();
    files.push(format!("V2.2\nN+{n}\nN-{n}\n$EVENT:{n}\n${n}:{n}\nPI\n'*{n}\n+\n+7776FU\n'*{n}\n"));
    // In JSON, these characters are written by their numbers.
    let escaped: String = (0..0x20)
        .chain(0x7f..0xa0)
        .chain([0x202e, 0xfeff])
        .map(|code| format!("\\u{code:04x}"))
        .collect();
    let mv = r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}"#;
    files.push(format!(
        r#"{{"header":{{"先手":"{escaped}","{escaped}棋戦":"a{escaped}"}},"moves":[{{"comments":["b{escaped}c"]}},{mv},"comments":["{escaped}","d\ne\r\nf\rg"]}}]}}"#
    ));
    for file in &files {
        let game = game_of(file);
        assert_eq!(texts(&game).concat().find(is_command), None, "{file}");
        assert_eq!(game.moves().count(), 1);
        for (_, back) in in_every_format(&game) {
            assert_eq!(back.moves().count(), 1);
        }
    }
    for file in &files[..3] {
        let texts = texts(&game_of(file)).concat();
        assert!(texts.contains(PLAIN) && !texts.contains("\t"), "{texts:?}");
    }
    // Line ends in a comment are line ends; in a header they are the two characters of KIF.
    let game = game_of(&files[3]);
    let last = game.main_line().last().unwrap();
    assert!(game.node(last).comments().ends_with(&["d", "e", "f", "g"].map(str::to_owned)));
    let (name, value) = &game.headers()[1];
    assert!(name.ends_with("棋戦") && name.contains("\\n") && value.starts_with('a'));
}

/// Pieces of text that mean something in one format or another, and characters that mean nothing.
const PIECES: [&str; 62] = [
    "\u{1b}[31m",
    "\u{9b}",
    "\u{0}",
    "\u{7}",
    "\u{8}",
    "\u{1a}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{202e}",
    "\u{2028}",
    "\u{2066}",
    "\u{feff}",
    "\t",
    "\n",
    "\r",
    "\r\n",
    " ",
    "　",
    "*",
    "&",
    "#",
    "|",
    "+",
    "+--",
    "'",
    "'*",
    "$",
    "%",
    "/",
    "//////",
    "{",
    "[",
    "<",
    "\"",
    "\\",
    "\\n",
    ":",
    "：",
    ",",
    "▲７六歩",
    "1 ７六歩(77)",
    "変化：2手",
    "まで",
    "まで3手で",
    "手数",
    "手数----",
    "先手番",
    "手合割",
    "十枚落ち",
    "先手の持駒",
    "手番",
    "先手",
    "棋戦",
    "position startpos",
    "sfen ",
    "P1",
    "V2.2",
    "N+甲",
    "Time-up",
    "9 8",
    "👍",
];

fn random_text(random: &mut SmallRng) -> String {
    let count = random.random_range(0..6);
    (0..count).filter_map(|_| PIECES.choose(random).copied()).collect()
}

/// A game with random headers, comments and bookmarks, as a program may build it.
fn random_game(random: &mut SmallRng) -> Game {
    let start = ["4k4/9/9/9/9/9/9/9/4K4 b R 1", "4k4/9/9/9/9/9/9/9/4K4 w r 1"];
    let mut game = match random.random_range(0..3) {
        number @ (0 | 1) => Game::new(Position::from_sfen(start[number]).unwrap()),
        _ => Game::new(Position::startpos()),
    };
    for _ in 0..random.random_range(0..4) {
        game.add_header(&random_text(random), &random_text(random));
    }
    let mut cursor = Cursor::new(&game);
    let mut nodes = vec![NodeId::ROOT];
    for _ in 0..random.random_range(0..4) {
        let mv = *cursor.position().legal_moves().choose(random).unwrap();
        nodes.push(cursor.play(&mut game, mv.to_usi()).unwrap());
    }
    if random.random_bool(0.3) {
        nodes.push(game.add_ending(cursor.node(), Ending::Resign));
    }
    for id in nodes {
        for _ in 0..random.random_range(0..3) {
            game.add_comment(id, &random_text(random));
        }
        for _ in 0..random.random_range(0..2) {
            game.add_bookmark(id, &random_text(random));
        }
    }
    game
}

type Remarks = Vec<(Vec<String>, Vec<String>)>;

fn remarks(game: &Game) -> Remarks {
    let nodes = game.main_line().map(|id| game.node(id));
    nodes.map(|node| (node.comments().to_vec(), node.bookmarks().to_vec())).collect()
}

/// A line with this name and value would not be read as this header. Programs refuse one without a name.
fn is_no_header((name, value): &(String, String)) {
    let text = format!("{name}：{value}\n手合割：平手\n");
    let games = read(text.as_bytes()).games;
    let headers = games.iter().flatten().flat_map(Game::headers);
    let mut named = headers.filter(|(name, _)| !name.is_empty());
    assert!(named.all(|header| *header != (name.clone(), value.clone())), "{text}");
}

#[test]
fn any_text_comes_back_from_every_format_or_is_left_out() {
    let mut random = SmallRng::seed_from_u64(4);
    let (mut written, mut left_out) = (0, 0);
    for _ in 0..if cfg!(debug_assertions) { 2_000 } else { 20_000 } {
        let game = random_game(&mut random);
        assert!(!texts(&game).concat().contains(is_command));
        for (format, back) in in_every_format(&game) {
            let (was, mut is) = (remarks(&game), remarks(&back));
            match format {
                Format::Kif | Format::Ki2 => {
                    assert_eq!(is, was, "{format}");
                    // A header whose line means something else in a KIF is left out.
                    let mut kept = back.headers().iter().peekable();
                    let missing = |own: &&(String, String)| kept.next_if_eq(own).is_none();
                    let missing: Vec<_> = game.headers().iter().filter(missing).collect();
                    assert_eq!(kept.next(), None, "{format}");
                    missing.iter().for_each(|header| is_no_header(header));
                    written += back.headers().len();
                    left_out += missing.len();
                }
                Format::Jkf => {
                    // JKF has no bookmarks: they come back as comments.
                    let as_comments = |(mut comments, names): (Vec<String>, Vec<String>)| {
                        comments.extend(names.iter().map(|name| format!("&{name}")));
                        (comments, Vec::new())
                    };
                    let was: Remarks = was.into_iter().map(as_comments).collect();
                    assert_eq!(is, was);
                    assert_eq!(back.headers_joined(), game.headers_joined());
                    let mut names: Vec<_> = back.headers().iter().map(|(name, _)| name).collect();
                    names.sort();
                    names.dedup();
                    assert_eq!(names.len(), back.headers().len(), "a name stands there twice");
                }
                Format::Csa => {
                    let was = was.into_iter().map(|(comments, _)| (comments, Vec::new()));
                    assert_eq!(is, was.collect::<Remarks>());
                }
                Format::Usi => {
                    is.retain(|(comments, names)| !comments.is_empty() || !names.is_empty());
                    assert!(is.is_empty() && back.headers().is_empty());
                }
            }
        }
    }
    assert!(written > 1_000 && left_out > 1_000, "{written} written, {left_out} left out");
}

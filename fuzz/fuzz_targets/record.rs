//! Any bytes as a game file. Nothing panics; every game that is read has only legal moves and no
//! control characters in its texts and, written in any format, is read back as the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsumero_record::{Format, Game, read, write};

fn core_of(game: &Game) -> (String, Vec<String>) {
    (game.start_sfen(), game.moves().map(|mv| mv.to_string()).collect())
}

/// The comments of the main line. JKF has no bookmarks, so they become comments.
fn comments(game: &Game, format: Format) -> Vec<Vec<String>> {
    let of_node = |id| {
        let node = game.node(id);
        let names = node.bookmarks().iter().map(|name| format!("&{name}"));
        let names = names.filter(|_| format == Format::Jkf);
        node.comments().iter().cloned().chain(names).collect()
    };
    game.main_line().map(of_node).collect()
}

/// Whether a terminal may take the character for a command.
fn is_command(c: char) -> bool {
    let code = u32::from(c);
    matches!(code, 0..=0x1f | 0x7f..=0x9f | 0x202a..=0x202e | 0x2066..=0x2069 | 0xfeff)
}

fuzz_target!(|data: &[u8]| {
    let reading = read(data);
    assert!(!reading.games.is_empty());
    let lines = data.len() + 1;
    for game in reading.games {
        let game = match game {
            Ok(game) => game,
            Err(bad) => {
                assert!((1..=lines).contains(&bad.line) && !bad.reason.is_empty());
                assert!(!bad.reason.contains(is_command), "{:?}", bad.reason);
                continue;
            }
        };
        let mut position = game.start().clone();
        for mv in game.moves() {
            assert_eq!(position.validate(mv.to_usi()), Ok(mv));
            position.play_unchecked(mv);
        }
        for format in Format::ALL {
            let text = write(std::slice::from_ref(&game), format);
            assert!(!text.contains(|c| c != '\n' && is_command(c)), "{format}: {text:?}");
            let back = read(text.as_bytes()).into_games();
            let back = back.unwrap_or_else(|bad| panic!("{format}: {bad}\n{text}"));
            assert_eq!(back.len(), 1, "{format}: {text}");
            assert_eq!(core_of(&back[0]), core_of(&game), "{format}: {text}");
            // What is written counts its moves right.
            let mut notes = game.notes();
            notes.retain(|note| note.starts_with("the first position"));
            assert_eq!(back[0].notes(), notes, "{format}: {text}");
            if matches!(format, Format::Kif | Format::Ki2 | Format::Jkf) {
                assert_eq!(back[0].branches(), game.branches(), "{format}: {text}");
                assert_eq!(comments(&back[0], format), comments(&game, format), "{format}: {text}");
            }
            if format == Format::Jkf {
                assert_eq!(back[0].headers_joined(), game.headers_joined(), "{text}");
                assert_eq!(back[0].ending(), game.ending(), "{text}");
            }
        }
    }
});

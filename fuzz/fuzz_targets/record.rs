//! Any bytes as a game file. Nothing panics; every game that is read has only legal moves and,
//! written in any format, is read back as the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsumero_record::{Format, Game, read, write};

fn core_of(game: &Game) -> (String, Vec<String>) {
    (game.initial_sfen(), game.moves().map(|mv| mv.to_string()).collect())
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
                continue;
            }
        };
        let mut position = game.initial().clone();
        for mv in game.moves() {
            assert_eq!(position.validate(mv.to_usi()), Ok(mv));
            position.do_move(mv);
        }
        for format in Format::ALL {
            let text = write(std::slice::from_ref(&game), format);
            let back = read(text.as_bytes()).into_games();
            let back = back.unwrap_or_else(|bad| panic!("{format}: {bad}\n{text}"));
            assert_eq!(back.len(), 1, "{format}: {text}");
            assert_eq!(core_of(&back[0]), core_of(&game), "{format}: {text}");
            if matches!(format, Format::Kif | Format::Ki2 | Format::Jkf) {
                assert_eq!(back[0].branches(), game.branches(), "{format}: {text}");
            }
        }
    }
});

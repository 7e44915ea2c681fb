//! USI lines: one game a line, as a GUI sends it to an engine. After the moves, ShogiHome adds a
//! word for the ending, and so does this file. An engine takes such a word for a move that it does
//! not know.

use tsumero_core::{Handicap, Position};

use crate::text::Text;
use crate::{BadGame, Cursor, Ending, Game, handicap};

const STARTPOS: &str = "startpos";

/// Whether a trimmed line is a game or a position.
pub(crate) fn looks_like(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("position") => matches!(words.next(), Some(STARTPOS | "sfen")),
        Some(STARTPOS | "sfen") => true,
        Some(board) => {
            let is_board = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '+');
            board.matches('/').count() >= 4 && board.chars().all(is_board)
        }
        None => false,
    }
}

pub(crate) fn read(text: &Text) -> Vec<Result<Game, BadGame>> {
    let lines = text.numbered().map(|(number, line)| (number, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| read_line(line).map_err(|reason| BadGame::new(number, reason)))
        .collect()
}

fn read_line(line: &str) -> Result<Game, String> {
    let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
    let ending = words.last().and_then(|word| Ending::from_usi_word(word));
    if ending.is_some() {
        words.pop();
    }
    let mut words = words.as_slice();
    if words.first() == Some(&"position") {
        words = &words[1..];
    }
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(split);
    let position = match start {
        [STARTPOS] => Position::startpos(),
        ["sfen", fields @ ..] | fields if !fields.is_empty() => {
            Position::from_diagram(&fields.join(" ")).map_err(|error| error.to_string())?
        }
        _ => return Err("neither startpos nor an SFEN".to_owned()),
    };
    let mut game = Game::new(position);
    let mut cursor = Cursor::new(&game);
    for (index, word) in moves.iter().skip(1).enumerate() {
        let played = word
            .parse()
            .map_err(tsumero_core::IllegalMove::from)
            .and_then(|mv| cursor.play(&mut game, mv));
        played.map_err(|illegal| format!("move {} {word}: {illegal}", index + 1))?;
    }
    if let Some(ending) = ending {
        game.add_ending(cursor.node(), ending);
    }
    Ok(game)
}

pub(crate) fn write(game: &Game) -> String {
    let initial = game.start();
    let is_startpos = handicap::of(initial) == Some(Handicap::Even) && initial.ply() == 1;
    let mut text = if is_startpos {
        format!("position {STARTPOS}")
    } else {
        format!("position sfen {initial}")
    };
    let word = game.ending().and_then(Ending::usi_word);
    if game.moves().next().is_some() || word.is_some() {
        text += " moves";
    }
    for mv in game.moves() {
        text.push(' ');
        text += &mv.to_string();
    }
    if let Some(word) = word {
        text.push(' ');
        text += word;
    }
    text.push('\n');
    text
}

//! Game files.

use std::collections::HashMap;

use serde::Serialize;
use tsumero_record::{Ending, Format, Game, NodeId, NodeKind, read_with_decoder};

use crate::shogi::json;

/// A move, or the start, or an ending.
#[derive(Serialize)]
struct Node {
    /// The place of the node before it in the list; `None` for the start.
    parent: Option<usize>,
    #[serde(rename = "move")]
    mv: Option<String>,
    ending: Option<&'static str>,
    comments: Vec<String>,
}

#[derive(Serialize)]
struct Told {
    initial: String,
    headers: Vec<(String, String)>,
    /// Parents stand before their children, and the main line before the branches from it.
    nodes: Vec<Node>,
    notes: Vec<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Game(Told),
    Bad { line: usize, reason: String },
}

#[derive(Serialize)]
struct File {
    format: Option<&'static str>,
    games: Vec<Answer>,
}

/// The games of a file of any format and encoding. Nothing fails: what cannot be read is told by its
/// line and the reason. `shift_jis` decodes a line.
pub fn read(bytes: &[u8], shift_jis: impl Fn(&[u8]) -> String) -> String {
    let reading = read_with_decoder(bytes, shift_jis);
    let games = reading.games.into_iter().map(|game| match game {
        Ok(game) => Answer::Game(told(&game)),
        Err(bad) => Answer::Bad { line: bad.line, reason: bad.reason },
    });
    json(&File { format: reading.format.map(Format::name), games: games.collect() })
}

fn told(game: &Game) -> Told {
    let mut nodes = Vec::new();
    let mut places = HashMap::new();
    // A branch is visited after the line that it leaves.
    let mut waiting = vec![NodeId::ROOT];
    while let Some(first) = waiting.pop() {
        let mut next = Some(first);
        while let Some(id) = next {
            let node = game.node(id);
            places.insert(id, nodes.len());
            nodes.push(Node {
                parent: node.parent().and_then(|parent| places.get(&parent).copied()),
                mv: node.mv().map(|mv| mv.to_string()),
                ending: match node.kind() {
                    NodeKind::Ending(ending) => Some(ending.word()),
                    NodeKind::Start | NodeKind::Move(_) => None,
                },
                comments: node.comments().to_vec(),
            });
            let mut children = node.children().iter().copied();
            next = children.next();
            waiting.extend(children.rev());
        }
    }
    Told {
        initial: game.initial_sfen(),
        headers: game.headers().to_vec(),
        nodes,
        notes: game.notes(),
    }
}

/// The game that a USI text with moves describes. Each header is a line `NAME=VALUE`; the ending is one of
/// the words of the record crate, or empty.
pub fn game_of(text: &str, headers: &str, ending: &str) -> Result<Game, String> {
    // The text is UTF-8.
    let read = read_with_decoder(format!("position {text}\n").as_bytes(), |_| String::new());
    let mut games = read.into_games().map_err(|bad| bad.reason)?;
    let mut game = games.pop().ok_or("no game")?;
    for (name, value) in headers.lines().filter_map(|line| line.split_once('=')) {
        game.add_header(name, value);
    }
    let last = game.main_line().last().unwrap_or(NodeId::ROOT);
    if let Some(ending) = Ending::ALL.into_iter().find(|one| one.word() == ending) {
        game.add_ending(last, ending);
    }
    Ok(game)
}

/// A game as text in a format of game files. See [`game_of`].
pub fn write(text: &str, headers: &str, ending: &str, format: &str) -> Result<String, String> {
    let format = Format::ALL
        .into_iter()
        .find(|one| one.name() == format)
        .ok_or_else(|| format!("{format}: no format of game files"))?;
    Ok(tsumero_record::write(&[game_of(text, headers, ending)?], format))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// These files are in UTF-8; the browser's decoder is tested there.
    fn read(bytes: &[u8]) -> String {
        super::read(bytes, |_| String::new())
    }

    #[test]
    fn branches_lie_behind_the_line_that_they_leave() {
        let kif = "先手：甲\n手合割：平手\n1 ７六歩(77)\n*角道\n2 ３四歩(33)\n3 投了\n\n変化：2手\n2 ８四歩(83)\n";
        let seen: Value = serde_json::from_str(&read(kif.as_bytes())).unwrap();
        assert_eq!(seen["format"], "kif");
        let game = &seen["games"][0];
        assert_eq!(game["headers"][0], serde_json::json!(["先手", "甲"]));
        let nodes = game["nodes"].as_array().unwrap();
        let of = |name: &str| nodes.iter().map(|node| node[name].clone()).collect::<Vec<_>>();
        assert_eq!(
            serde_json::json!(of("move")),
            serde_json::json!([null, "7g7f", "3c3d", null, "8c8d"])
        );
        assert_eq!(serde_json::json!(of("parent")), serde_json::json!([null, 0, 1, 2, 1]));
        assert_eq!(
            (&nodes[1]["comments"][0], &nodes[3]["ending"]),
            (&"角道".into(), &"resign".into())
        );
    }

    #[test]
    fn a_bad_file_is_told_by_its_line() {
        let seen: Value = serde_json::from_str(&read(b"startpos moves 7g7e\n")).unwrap();
        assert_eq!(seen["games"][0]["line"], 1);
    }

    #[test]
    fn a_game_is_written_in_every_format_and_read_back() {
        for format in Format::ALL {
            let text =
                write("startpos moves 7g7f 3c3d", "先手=甲\n後手=乙", "resign", format.name())
                    .unwrap();
            let seen: Value = serde_json::from_str(&read(text.as_bytes())).unwrap();
            assert_eq!(seen["games"][0]["nodes"].as_array().unwrap().len(), 4, "{text}");
        }
        assert!(write("startpos", "", "", "pdf").is_err());
        assert!(write("startpos moves 7g7e", "", "", "kif").is_err());
    }
}

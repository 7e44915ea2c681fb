//! Game files.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tsumero_record::{Cursor, Format, Game, NodeId, NodeKind, read_with_decoder};

use crate::shogi::json;

/// A move, or the start, or an ending.
#[derive(Serialize, Deserialize)]
struct Node {
    /// The place of the node before it in the list; `None` for the start.
    parent: Option<usize>,
    #[serde(rename = "move")]
    mv: Option<String>,
    ending: Option<String>,
    comments: Vec<String>,
    #[serde(default)]
    bookmarks: Vec<String>,
    /// The time that the move took, in milliseconds.
    time: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Told {
    initial: String,
    headers: Vec<(String, String)>,
    /// Parents stand before their children, and the main line before the branches from it.
    nodes: Vec<Node>,
    #[serde(default)]
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
                    NodeKind::Ending(ending) => Some(ending.word().to_owned()),
                    NodeKind::Start | NodeKind::Move(_) => None,
                },
                comments: node.comments().to_vec(),
                bookmarks: node.bookmarks().to_vec(),
                time: node.time().map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            });
            let mut children = node.children().iter().copied();
            next = children.next();
            waiting.extend(children.rev());
        }
    }
    Told {
        initial: game.start_sfen(),
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
    if let Ok(ending) = ending.parse() {
        game.add_ending(last, ending);
    }
    Ok(game)
}

/// The game with all its branches, comments and times that a text of JSON describes, which is one of those
/// that [`read`] tells. Its parents stand before their children.
fn tree_of(told: &str) -> Result<Game, String> {
    let told: Told = serde_json::from_str(told).map_err(|error| error.to_string())?;
    let mut game = game_of(&format!("sfen {}", told.initial), "", "")?;
    for (name, value) in &told.headers {
        game.add_header(name, value);
    }
    let mut cursor = Cursor::new(&game);
    let mut ids: Vec<NodeId> = Vec::new();
    for node in &told.nodes {
        let parent = match node.parent {
            Some(place) => *ids.get(place).ok_or_else(|| format!("{place}: no node"))?,
            None => NodeId::ROOT,
        };
        let ending = node.ending.as_ref().and_then(|word| word.parse().ok());
        let id = if let Some(mv) = &node.mv {
            cursor.go_to(&game, parent);
            let mv = mv.parse().map_err(|_| format!("{mv}: no move"))?;
            cursor.play(&mut game, mv).map_err(|error| format!("{mv}: {error}"))?
        } else {
            ending.map_or(parent, |ending| game.add_ending(parent, ending))
        };
        node.comments.iter().for_each(|line| game.add_comment(id, line));
        node.bookmarks.iter().for_each(|name| game.add_bookmark(id, name));
        game.set_time(id, node.time.map(Duration::from_millis));
        ids.push(id);
    }
    Ok(game)
}

/// A game as text in a format of game files. See [`game_of`].
pub fn write(text: &str, headers: &str, ending: &str, format: &str) -> Result<String, String> {
    let format = format.parse::<Format>().map_err(|error| error.to_string())?;
    Ok(tsumero_record::write(&[game_of(text, headers, ending)?], format))
}

/// A game that [`read`] has told, as text in a format of game files: with all that the format can say.
pub fn write_tree(told: &str, format: &str) -> Result<String, String> {
    let format = format.parse::<Format>().map_err(|error| error.to_string())?;
    Ok(tsumero_record::write(&[tree_of(told)?], format))
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
    fn branches_comments_and_times_are_written_again() {
        let kif = "先手：甲\n手合割：平手\n手数----指手---------消費時間--\n*始め\n   1 ７六歩(77)   ( 0:16/00:00:16)\n\
                   *角道\n&序盤\n   2 ３四歩(33)   ( 0:05/00:00:05)+\n   3 投了\nまで2手で後手の勝ち\n\n\
                   変化：2手\n   2 ８四歩(83)\n*別の手\n   3 ２六歩(27)\n";
        let told: Value = serde_json::from_str(&read(kif.as_bytes())).unwrap();
        assert_eq!(told["games"][0]["nodes"][1]["time"], 16_000);
        let again = write_tree(&told["games"][0].to_string(), "kif").unwrap();
        let first = |text: &str| {
            let games = read_with_decoder(text.as_bytes(), |_| String::new()).into_games();
            games.unwrap().remove(0)
        };
        assert_eq!(first(&again).branches(), 1);
        assert_eq!(again, tsumero_record::write(&[first(kif)], Format::Kif));
        assert!(write_tree("{}", "kif").is_err());
        assert!(write_tree(&told["games"][0].to_string().replace("2g2f", "2g2e"), "kif").is_err());
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

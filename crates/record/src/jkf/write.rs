//! Writing JKF, within the schema of the npm package `json-kifu-format`.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tsumero_core::{ByColor, Color, File, PieceKind, Position, Rank, Square};

use super::{meant_ending, substitute};
use crate::{Game, NodeId, NodeKind, handicap, names};

/// Writes the game in one line.
pub(crate) fn write(game: &Game) -> String {
    // A map of `serde_json` would not keep the order. Readers keep one value for each name.
    let headers: Vec<String> = game
        .headers_joined()
        .iter()
        .map(|(name, value)| format!("{}:{}", json!(name), json!(value)))
        .collect();
    let initial = match handicap::widely_known(game.start()).and_then(handicap::preset) {
        Some(preset) => json!({ "preset": preset }),
        None => json!({ "preset": "OTHER", "data": data(game.start()) }),
    };
    let headers = headers.join(",");
    let mut text = format!("{{\"header\":{{{headers}}},\"initial\":{initial},\"moves\":[");
    write_lines(game, &mut text);
    text += "]}\n";
    text
}

/// What is still to be written. The next task is on top.
enum Task {
    /// A node and the rest of its line, with the time that each player has taken before it.
    Node(NodeId, ByColor<Duration>),
    Text(&'static str),
}

/// Writes the main line, with the branches inside its objects. Branches may be nested too deeply
/// for recursion, so the tasks have a stack of their own.
fn write_lines(game: &Game, text: &mut String) {
    let mut tasks = vec![Task::Node(NodeId::ROOT, ByColor::default())];
    while let Some(task) = tasks.pop() {
        let (id, before) = match task {
            Task::Text(what) => {
                *text += what;
                continue;
            }
            Task::Node(id, before) => (id, before),
        };
        let node = game.node(id);
        let (side, mut totals) = (game.side_before(id), before);
        totals[side] = totals[side].saturating_add(node.whole_seconds());
        let object = object(game, id, totals[side]).to_string();
        // The closing brace comes after the forks.
        let open = object.strip_suffix('}').unwrap_or(&object);
        *text += open;
        if let Some(&next) = node.children().first() {
            tasks.push(Task::Node(next, totals));
            tasks.push(Task::Text(","));
        }
        tasks.push(Task::Text("}"));
        let siblings = node.parent().map_or(&[][..], |parent| game.node(parent).children());
        if let [first, forks @ ..] = siblings
            && *first == id
            && !forks.is_empty()
        {
            *text += if open.len() > 1 { ",\"forks\":[" } else { "\"forks\":[" };
            tasks.push(Task::Text("]"));
            for (index, &fork) in forks.iter().enumerate().rev() {
                tasks.push(Task::Text("]"));
                tasks.push(Task::Node(fork, before));
                tasks.push(Task::Text(if index == 0 { "[" } else { ",[" }));
            }
        }
    }
}

/// The object of a node, without its forks. `total` is the time that its player has taken so far.
fn object(game: &Game, id: NodeId, total: Duration) -> Value {
    let node = game.node(id);
    let mut object = Map::new();
    // JKF has no bookmarks; readers of KIF show them as comments.
    let bookmarks = node.bookmarks().iter().map(|name| format!("&{name}"));
    let own_word = match node.kind() {
        NodeKind::Ending(ending) => {
            let is_unclear =
                substitute(ending).is_some() || meant_ending(ending, node.comments()).is_some();
            ending.kif_word().filter(|_| is_unclear)
        }
        NodeKind::Start | NodeKind::Move(_) => None,
    };
    let comments = own_word.map(str::to_owned).into_iter().chain(node.comments().iter().cloned());
    let comments: Vec<String> = comments.chain(bookmarks).collect();
    if !comments.is_empty() {
        object.insert("comments".to_owned(), json!(comments));
    }
    match node.kind() {
        NodeKind::Start => {}
        NodeKind::Move(mv) => {
            let before = node.parent().and_then(|parent| game.node(parent).mv());
            object.insert("move".to_owned(), move_object(mv, before));
        }
        NodeKind::Ending(ending) => {
            let written = substitute(ending).unwrap_or(ending);
            let word = written.csa_word(game.side_before(id)).unwrap_or_default();
            object.insert("special".to_owned(), json!(word));
        }
    }
    if let Some(time) = node.time() {
        // Strict readers want both.
        let times = json!({ "now": time_object(time), "total": time_object(total) });
        object.insert("time".to_owned(), times);
    }
    Value::Object(object)
}

/// Whole seconds: the schema has no others.
fn time_object(time: Duration) -> Value {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => json!({ "m": seconds / 60, "s": seconds % 60 }),
        hours => json!({ "h": hours, "m": seconds / 60 % 60, "s": seconds % 60 }),
    }
}

fn point(square: Square) -> Value {
    json!({ "x": square.file().number(), "y": square.rank().number() })
}

fn move_object(mv: tsumero_core::Move, before: Option<tsumero_core::Move>) -> Value {
    let mut object = Map::new();
    let mut insert = |name: &str, value: Value| object.insert(name.to_owned(), value);
    insert("color", json!(mv.color().index()));
    if let Some(from) = mv.from() {
        insert("from", point(from));
    }
    insert("to", point(mv.to()));
    insert("piece", json!(names::csa_name(mv.kind())));
    if before.is_some_and(|before| before.to() == mv.to()) {
        insert("same", json!(true));
    }
    let in_zone = |square: Square| square.in_promotion_zone(mv.color());
    if mv.kind().can_promote() && mv.from().is_some_and(|from| in_zone(from) || in_zone(mv.to())) {
        insert("promote", json!(mv.promotes()));
    }
    if let Some(captured) = mv.captured() {
        insert("capture", json!(names::csa_name(captured)));
    }
    if mv.is_drop() {
        insert("relative", json!("H"));
    }
    Value::Object(object)
}

fn data(position: &Position) -> Value {
    let square = |square| match position.piece_at(square) {
        None => json!({}),
        Some(piece) => json!({
            "color": piece.color().index(),
            "kind": names::csa_name(piece.kind()),
        }),
    };
    let file = |file| Rank::all().map(|rank| square(Square::new(file, rank))).collect::<Vec<_>>();
    let hand = |color: Color| {
        let held = PieceKind::HAND.into_iter();
        let held = held.map(|kind| (names::csa_name(kind), position.hand(color).count(kind)));
        held.map(|(name, count)| (name.to_owned(), json!(count))).collect::<Map<_, _>>()
    };
    json!({
        "color": position.side_to_move().index(),
        "board": File::all().map(file).collect::<Vec<_>>(),
        "hands": [hand(Color::Black), hand(Color::White)],
    })
}

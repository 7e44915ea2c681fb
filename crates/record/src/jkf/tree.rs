//! The JSON of a JKF as data. Branches may be nested too deeply for recursion, so all lines are in
//! one list, and the reader has its own stack.

use struson::reader::{
    JsonReader, JsonStreamReader, ReaderError, ReaderSettings, SyntaxErrorKind, ValueType,
};

use tsumero_core::Position;

use crate::BadGame;

/// The contents of a JKF file.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) headers: Vec<(String, String)>,
    pub(super) initial: Option<Initial>,
    /// All lines. A line comes before its branches. Empty without `moves`.
    pub(super) lines: Vec<Line>,
}

/// The start of the game.
#[derive(Default)]
pub(super) struct Initial {
    /// Its line in the file.
    pub(super) line: usize,
    pub(super) preset: String,
    /// For the preset `OTHER`: the squares in the order of the text, file 1 first.
    pub(super) board: Vec<(Option<u32>, Option<String>)>,
    pub(super) hands: Vec<(usize, String, u32)>,
    pub(super) color: Option<u32>,
}

/// The main line or a fork.
pub(super) struct Line {
    /// The line, and the index in it, of the entry to which this fork is an alternative.
    pub(super) beside: Option<(usize, usize)>,
    pub(super) entries: Vec<Item>,
}

/// One object of a line: a move, an ending, or neither.
#[derive(Default)]
pub(super) struct Item {
    /// Its line in the file.
    pub(super) line: usize,
    pub(super) comments: Vec<String>,
    pub(super) mv: Option<JsonMove>,
    pub(super) special: Option<String>,
    /// Milliseconds.
    pub(super) time: Option<u64>,
}

#[derive(Default)]
pub(super) struct JsonMove {
    pub(super) color: Option<u32>,
    pub(super) from: Option<Point>,
    pub(super) to: Option<Point>,
    pub(super) piece: Option<String>,
    pub(super) same: bool,
    pub(super) promote: bool,
}

/// Numbers of a file and a rank.
#[derive(Clone, Copy, Default)]
pub(super) struct Point {
    pub(super) x: u32,
    pub(super) y: u32,
}

type Json<'a> = JsonStreamReader<&'a [u8]>;

/// The place of the reader in the JSON.
enum Place {
    Line(usize),
    Item(usize),
    Forks { line: usize, index: usize },
}

/// Reads the whole file.
pub(super) fn read(json: &str) -> Result<Tree, BadGame> {
    let settings = ReaderSettings { max_nesting_depth: None, ..ReaderSettings::default() };
    let mut reader = JsonStreamReader::new_custom(json.as_bytes(), settings);
    let tree = read_tree(&mut reader);
    let line = line_of(&reader);
    tree.and_then(|tree| reader.consume_trailing_whitespace().map(|()| tree))
        .map_err(|error| BadGame::new(line, explain(&error)))
}

/// What an object is instead of a game, if it is a line that another command of Tsumero prints.
pub(super) fn no_game(line: &str) -> Option<&'static str> {
    let mut json = JsonStreamReader::new(line.as_bytes());
    json.begin_object().ok()?;
    let (mut is_position, mut initial) = (false, None);
    while json.has_next().ok()? {
        match json.next_name_owned().ok()?.as_str() {
            "sfen" => is_position = true,
            "lines" if is_position => return Some("results of tsumero analyze, not a game record"),
            "initial" if json.peek().ok()? == ValueType::String => {
                initial = Some(json.next_string().ok()?);
                continue;
            }
            "moves" if let Some(initial) = &initial => {
                json.begin_array().ok()?;
                let is_game = if json.has_next().ok()? {
                    json.peek().ok()? == ValueType::Object
                } else {
                    Position::from_sfen(initial).is_err()
                };
                let instead = "a line of tsumero record: write it with --to jkf or --to usi";
                return (!is_game).then_some(instead);
            }
            // A game. It may be long.
            "moves" => return None,
            _ => {}
        }
        json.skip_value().ok()?;
    }
    None
}

fn line_of(json: &Json<'_>) -> usize {
    let position = json.current_position(false).line_pos;
    position.map_or(1, |position| usize::try_from(position.line).unwrap_or(usize::MAX - 1) + 1)
}

fn explain(error: &ReaderError) -> String {
    match error {
        ReaderError::SyntaxError(error) => format!("no JSON: {}", in_words(error.kind)),
        ReaderError::UnexpectedValueType { expected, actual, .. } => {
            format!("{expected} should stand here, not {actual}")
        }
        other => format!("no JKF: {other}"),
    }
}

fn in_words(kind: SyntaxErrorKind) -> String {
    match kind {
        SyntaxErrorKind::IncompleteDocument => "it ends too early".to_owned(),
        SyntaxErrorKind::TrailingData => "something follows its end".to_owned(),
        // The other names are words: `MissingComma`.
        kind => {
            let mut words = String::new();
            for letter in kind.to_string().chars() {
                if letter.is_ascii_uppercase() && !words.is_empty() {
                    words.push(' ');
                }
                words.push(letter.to_ascii_lowercase());
            }
            words
        }
    }
}

fn read_tree(json: &mut Json<'_>) -> Result<Tree, ReaderError> {
    let mut tree = Tree::default();
    json.begin_object()?;
    while json.has_next()? {
        match json.next_name_owned()?.as_str() {
            "header" if json.peek()? != ValueType::Null => read_headers(json, &mut tree)?,
            "initial" if json.peek()? == ValueType::Object => {
                tree.initial = Some(read_initial(json)?);
            }
            "moves" if tree.lines.is_empty() => read_lines(json, &mut tree)?,
            _ => json.skip_value()?,
        }
    }
    json.end_object()?;
    Ok(tree)
}

fn read_headers(json: &mut Json<'_>, tree: &mut Tree) -> Result<(), ReaderError> {
    json.begin_object()?;
    while json.has_next()? {
        let name = json.next_name_owned()?;
        match json.peek()? {
            ValueType::Number | ValueType::String => tree.headers.push((name, text(json)?)),
            _ => json.skip_value()?,
        }
    }
    json.end_object()
}

fn read_lines(json: &mut Json<'_>, tree: &mut Tree) -> Result<(), ReaderError> {
    let mut places = vec![Place::Line(0)];
    tree.lines.push(Line { beside: None, entries: Vec::new() });
    json.begin_array()?;
    while let Some(place) = places.last() {
        match *place {
            Place::Line(line) => {
                if json.has_next()? {
                    let item = Item { line: line_of(json), ..Item::default() };
                    json.begin_object()?;
                    tree.lines[line].entries.push(item);
                    places.push(Place::Item(line));
                } else {
                    json.end_array()?;
                    places.pop();
                }
            }
            Place::Item(line) => {
                if json.has_next()? {
                    let index = tree.lines[line].entries.len() - 1;
                    let name = json.next_name_owned()?;
                    if name == "forks" && json.peek()? == ValueType::Array {
                        json.begin_array()?;
                        places.push(Place::Forks { line, index });
                    } else {
                        read_member(json, &name, &mut tree.lines[line].entries[index])?;
                    }
                } else {
                    json.end_object()?;
                    places.pop();
                    split_last(&mut tree.lines[line].entries);
                }
            }
            Place::Forks { line, index } => {
                if json.has_next()? {
                    json.begin_array()?;
                    places.push(Place::Line(tree.lines.len()));
                    tree.lines.push(Line { beside: Some((line, index)), entries: Vec::new() });
                } else {
                    json.end_array()?;
                    places.pop();
                }
            }
        }
    }
    Ok(())
}

/// Programs write an ending into the object of the last move. It gets an object of its own.
fn split_last(entries: &mut Vec<Item>) {
    if let Some(item) = entries.last_mut()
        && item.mv.is_some()
        && let Some(word) = item.special.take()
    {
        let line = item.line;
        entries.push(Item { line, special: Some(word), ..Item::default() });
    }
}

fn read_member(json: &mut Json<'_>, name: &str, item: &mut Item) -> Result<(), ReaderError> {
    match (name, json.peek()?) {
        ("comments", ValueType::Array) => {
            json.begin_array()?;
            while json.has_next()? {
                item.comments.push(json.next_string()?);
            }
            json.end_array()
        }
        // The schema has the first name, too, for the comment at the start.
        ("comment" | "comments", ValueType::String) => {
            item.comments.push(json.next_string()?);
            Ok(())
        }
        ("move", ValueType::Object) => {
            item.mv = Some(read_move(json)?);
            Ok(())
        }
        ("time", ValueType::Object) => {
            item.time = read_time(json)?;
            Ok(())
        }
        ("special", ValueType::String) => {
            // Some programs write an empty word where there is none.
            item.special = Some(json.next_string()?).filter(|word| !word.is_empty());
            Ok(())
        }
        _ => json.skip_value(),
    }
}

fn read_move(json: &mut Json<'_>) -> Result<JsonMove, ReaderError> {
    let mut mv = JsonMove::default();
    json.begin_object()?;
    while json.has_next()? {
        match (json.next_name_owned()?.as_str(), json.peek()?) {
            (_, ValueType::Null) => json.skip_value()?,
            ("color", ValueType::Number | ValueType::String) => mv.color = Some(number(json)?),
            // If these were skipped when they have other values, the move would be another one.
            ("from", _) => mv.from = Some(read_point(json)?),
            ("to", _) => mv.to = Some(read_point(json)?),
            ("promote", _) => mv.promote = json.next_bool()?,
            ("piece", ValueType::String) => mv.piece = Some(json.next_string()?),
            ("same", ValueType::Boolean) => mv.same = json.next_bool()?,
            _ => json.skip_value()?,
        }
    }
    json.end_object()?;
    Ok(mv)
}

fn read_point(json: &mut Json<'_>) -> Result<Point, ReaderError> {
    let mut point = Point::default();
    json.begin_object()?;
    while json.has_next()? {
        match json.next_name_owned()?.as_str() {
            "x" => point.x = number(json)?,
            "y" => point.y = number(json)?,
            _ => json.skip_value()?,
        }
    }
    json.end_object()?;
    Ok(point)
}

/// The time of the move in milliseconds: `{"now":{"h":0,"m":1,"s":2},"total":…}`.
fn read_time(json: &mut Json<'_>) -> Result<Option<u64>, ReaderError> {
    let mut time = None;
    json.begin_object()?;
    while json.has_next()? {
        if json.next_name()? != "now" || json.peek()? != ValueType::Object {
            json.skip_value()?;
            continue;
        }
        json.begin_object()?;
        while json.has_next()? {
            let unit: u64 = match json.next_name()? {
                "h" => 3_600_000,
                "m" => 60_000,
                "s" => 1000,
                _ => {
                    json.skip_value()?;
                    continue;
                }
            };
            if !matches!(json.peek()?, ValueType::Number | ValueType::String) {
                json.skip_value()?;
                continue;
            }
            let value = text(json)?.parse().ok().filter(|&value: &f64| value >= 0.0);
            if let Some(value) = value {
                // The cast saturates, so no number is too large.
                let part = (value * unit as f64).round() as u64;
                time = Some(time.unwrap_or(0u64).saturating_add(part));
            }
        }
        json.end_object()?;
    }
    json.end_object()?;
    Ok(time)
}

/// Reads a small number. Anything else becomes a number that is invalid everywhere.
fn number(json: &mut Json<'_>) -> Result<u32, ReaderError> {
    Ok(text(json)?.parse().unwrap_or(u32::MAX))
}

/// Reads a number or a string as text. Programs write some numbers in quotes, and some texts without.
fn text(json: &mut Json<'_>) -> Result<String, ReaderError> {
    match json.peek()? {
        ValueType::String => json.next_string(),
        _ => json.next_number_as_string(),
    }
}

fn read_initial(json: &mut Json<'_>) -> Result<Initial, ReaderError> {
    let mut initial = Initial { line: line_of(json), ..Initial::default() };
    json.begin_object()?;
    while json.has_next()? {
        match (json.next_name_owned()?.as_str(), json.peek()?) {
            ("preset", ValueType::Number | ValueType::String) => initial.preset = text(json)?,
            ("data", ValueType::Object) => read_data(json, &mut initial)?,
            _ => json.skip_value()?,
        }
    }
    json.end_object()?;
    Ok(initial)
}

fn read_data(json: &mut Json<'_>, initial: &mut Initial) -> Result<(), ReaderError> {
    json.begin_object()?;
    while json.has_next()? {
        match (json.next_name_owned()?.as_str(), json.peek()?) {
            ("color", ValueType::Number | ValueType::String) => initial.color = Some(number(json)?),
            ("board", ValueType::Array) => {
                json.begin_array()?;
                while json.has_next()? {
                    json.begin_array()?;
                    while json.has_next()? {
                        initial.board.push(read_square(json)?);
                    }
                    json.end_array()?;
                }
                json.end_array()?;
            }
            ("hands", ValueType::Array) => {
                json.begin_array()?;
                let mut player = 0;
                while json.has_next()? {
                    json.begin_object()?;
                    while json.has_next()? {
                        let name = json.next_name_owned()?;
                        initial.hands.push((player, name, number(json)?));
                    }
                    json.end_object()?;
                    player += 1;
                }
                json.end_array()?;
            }
            _ => json.skip_value()?,
        }
    }
    json.end_object()
}

fn read_square(json: &mut Json<'_>) -> Result<(Option<u32>, Option<String>), ReaderError> {
    let (mut color, mut kind) = (None, None);
    json.begin_object()?;
    while json.has_next()? {
        match (json.next_name_owned()?.as_str(), json.peek()?) {
            ("color", ValueType::Number | ValueType::String) => color = Some(number(json)?),
            ("kind", ValueType::String) => kind = Some(json.next_string()?),
            _ => json.skip_value()?,
        }
    }
    json.end_object()?;
    Ok((color, kind))
}

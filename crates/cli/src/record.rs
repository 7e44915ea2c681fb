//! `tsumero record`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use tsumero_record::{Format, Game, Reading};

use super::report::report;
use super::{Failure, Outcome, input, tell};

/// Arguments of `record`.
#[derive(Debug, Args)]
pub(crate) struct Record {
    /// Game files: KIF, KI2, CSA, JKF or USI lines, recognized by their content (`-` for standard
    /// input)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to print: a JSON line for each game, or the games in another format
    #[arg(long, value_enum, default_value_t = Target::Json)]
    to: Target,
}

/// What `record` can print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Target {
    /// A line for each game: first position, moves, ending, number of branches, headers
    Json,
    /// Numbered moves with their origin squares
    Kif,
    /// Moves as in books
    Ki2,
    /// The format of the Computer Shogi Association
    Csa,
    /// JSON Kifu Format, a line for each game
    Jkf,
    /// A `position` line for each game
    Usi,
}

impl Target {
    fn format(self) -> Option<Format> {
        match self {
            Target::Json => None,
            Target::Kif => Some(Format::Kif),
            Target::Ki2 => Some(Format::Ki2),
            Target::Csa => Some(Format::Csa),
            Target::Jkf => Some(Format::Jkf),
            Target::Usi => Some(Format::Usi),
        }
    }
}

impl Record {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Done;
        let mut is_first = true;
        for file in &self.files {
            let Some(reading) = read_file(file) else {
                outcome = Outcome::BadInput;
                continue;
            };
            for game in reading.games {
                let Ok(game) = report(file.display(), game) else {
                    outcome = Outcome::BadInput;
                    continue;
                };
                let Some(format) = self.to.format() else {
                    writeln!(output, "{}", summary(&game))?;
                    continue;
                };
                write_game(game, format, std::mem::take(&mut is_first), output)?;
            }
        }
        Ok(outcome)
    }
}

/// Prints one of several games.
pub(super) fn write_game(
    game: Game,
    format: Format,
    is_first: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    // CSA has a separator between games. In KIF and KI2 a blank line separates them.
    if !is_first {
        match format {
            Format::Csa => writeln!(output, "/")?,
            Format::Kif | Format::Ki2 => writeln!(output)?,
            Format::Jkf | Format::Usi => {}
        }
    }
    output.write_all(tsumero_record::write(&[game], format).as_bytes())
}

/// Reads a game file. One that cannot be opened is named on standard error.
pub(super) fn read_file(file: &Path) -> Option<Reading> {
    match input::whole(file) {
        Ok(bytes) => Some(tsumero_record::read(&bytes)),
        Err(reason) => {
            tell(format_args!("{}: {reason}", file.display()));
            None
        }
    }
}

/// The JSON line of a game.
fn summary(game: &Game) -> Value {
    let nodes = || game.main_line().map(|id| game.node(id));
    let moves: Vec<String> = game.moves().map(|mv| mv.to_string()).collect();
    let mut object = Map::new();
    let mut insert = |name: &str, value: Value| object.insert(name.to_owned(), value);
    insert("initial", json!(game.start_sfen()));
    insert("moves", json!(moves));
    insert("ending", json!(game.ending().map_or("none", |ending| ending.word())));
    insert("branches", json!(game.branches()));
    let headers = game.headers_joined().into_iter();
    let headers = headers.map(|(name, value)| (name.to_owned(), json!(value)));
    insert("headers", Value::Object(headers.collect()));
    if nodes().any(|node| node.time().is_some()) {
        let moves = nodes().filter(|node| node.mv().is_some());
        let times = moves.map(|node| node.time().map(|time| time.as_millis()));
        insert("times", json!(times.collect::<Vec<_>>()));
    }
    // By the number of the move before the comment; 0 is the start. An ending has the number behind
    // the last move.
    let comments: Map<String, Value> = game
        .main_line()
        .map(|id| game.node(id))
        .filter(|node| !node.comments().is_empty())
        .map(|node| (node.number().to_string(), json!(node.comments())))
        .collect();
    if !comments.is_empty() {
        insert("comments", Value::Object(comments));
    }
    let notes = game.notes();
    if !notes.is_empty() {
        insert("notes", json!(notes));
    }
    Value::Object(object)
}

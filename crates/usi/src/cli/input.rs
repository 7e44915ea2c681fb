//! Files of positions: one SFEN in the first column of each line.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use tsumero_core::{MateProblem, Position};

use super::{Failure, tell};

/// The starting position, as options show it.
pub(super) const STARTPOS: &str = "startpos";

/// One row of a file that is not empty, a comment or the header.
pub(super) struct Row {
    /// Number of its line, from 1.
    pub(super) line: usize,
    /// Its columns, trimmed; at least one.
    pub(super) columns: Vec<String>,
}

/// Opens a file, or standard input for `-`.
pub(super) fn open(name: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if name.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    // A folder can be opened but not read; finding that out now gives one clear message.
    let file = File::open(name).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    });
    match file {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(error) => Err(Failure::Input(name.display().to_string(), error)),
    }
}

/// Reads the rows of plain text or CSV, line by line, so that a stray quotation mark spoils one
/// line and not the rest. Empty lines and lines that start with `#` are passed over, and so is a
/// first line with a column called `sfen`.
pub(super) fn rows(name: &Path) -> Result<impl Iterator<Item = Result<Row, Failure>>, Failure> {
    let mut input = open(name)?;
    let name = name.display().to_string();
    let mut number = 0;
    let mut header_is_possible = true;
    Ok(std::iter::from_fn(move || {
        loop {
            let mut bytes = Vec::new();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) => return None,
                Ok(_) => number += 1,
                Err(error) => return Some(Err(Failure::Input(name.clone(), error))),
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let columns = columns(text);
            let is_header = columns.iter().any(|column| column.eq_ignore_ascii_case("sfen"));
            if std::mem::take(&mut header_is_possible) && is_header {
                continue;
            }
            return Some(Ok(Row { line: number, columns }));
        }
    }))
}

fn columns(text: &str) -> Vec<String> {
    let mut record = csv::StringRecord::new();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .buffer_capacity(text.len())
        .from_reader(text.as_bytes());
    match reader.read_record(&mut record) {
        Ok(true) => record.iter().map(str::to_owned).collect(),
        // What is no CSV is one column.
        _ => vec![text.to_owned()],
    }
}

/// Reads the position a user wrote: an SFEN with or without the word `sfen` in front, or
/// `startpos`.
pub(super) fn position(text: &str) -> Result<Position, String> {
    match sfen_of(text) {
        None => Ok(Position::startpos()),
        Some(sfen) => Position::from_sfen(sfen).map_err(|error| error.to_string()),
    }
}

/// Reads a mate problem, written as a position is.
pub(super) fn mate_problem(text: &str) -> Result<MateProblem, String> {
    match sfen_of(text) {
        None => Ok(Position::startpos().into()),
        Some(sfen) => MateProblem::from_sfen(sfen).map_err(|error| error.to_string()),
    }
}

/// The SFEN that the user wrote; `None` for the starting position.
fn sfen_of(text: &str) -> Option<&str> {
    let text = text.trim();
    (text != STARTPOS).then(|| text.strip_prefix("sfen ").unwrap_or(text))
}

/// What the first column of a row is read as. A bad one is named on standard error.
fn first_column<T>(row: &Row, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
    let read = read(row.columns.first().map_or("", String::as_str));
    read.map_err(|reason| bad_line(row.line, &reason)).ok()
}

/// The position in the first column of a row. A bad one is named on standard error.
pub(super) fn position_of(row: &Row) -> Option<Position> {
    first_column(row, position)
}

/// The mate problem in the first column of a row. A bad one is named on standard error.
pub(super) fn mate_problem_of(row: &Row) -> Option<MateProblem> {
    first_column(row, mate_problem)
}

/// Names a bad line on standard error.
pub(super) fn bad_line(line: usize, reason: &str) {
    tell(format_args!("line {line}: {reason}"));
}

/// What a `--sfen` option is read as. A bad one is named on standard error.
fn option<T>(sfen: &str, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
    read(sfen).map_err(|reason| tell(format_args!("--sfen: {reason}"))).ok()
}

/// Reads the position of a `--sfen` option. A bad one is named on standard error.
pub(super) fn position_option(sfen: &str) -> Option<Position> {
    option(sfen, position)
}

/// Reads the mate problem of a `--sfen` option. A bad one is named on standard error.
pub(super) fn mate_problem_option(sfen: &str) -> Option<MateProblem> {
    option(sfen, mate_problem)
}

//! Problems to be checked, from lines of SFENs or from game files.

use std::io::{self, BufRead as _};
use std::path::Path;

use tsumero_core::Position;
use tsumero_record::{BadGame, Format, Game};

use crate::input::{self, Row, Rows};
use crate::record::told;
use crate::{Failure, tell};

/// A problem, as far as it could be read.
pub(super) struct Task {
    pub(super) position: Position,
    /// The claimed length, in plies.
    pub(super) claimed: Option<u32>,
    /// Its name in the file.
    pub(super) name: Option<String>,
}

/// Tasks in order. A problem that cannot be read is named on standard error, and its task is the
/// reason.
pub(super) type Tasks = Box<dyn Iterator<Item = Result<Result<Task, String>, Failure>> + Send>;

/// The problems of a file, or of standard input for `-`: a game file, otherwise lines of SFENs.
pub(super) fn tasks(name: &Path) -> Result<Tasks, Failure> {
    let mut input = input::open(name)?;
    let failure = |error| Failure::Input(name.display().to_string(), error);
    // Lines of SFENs are judged as they come. Any other input is read completely first.
    if is_row(input.fill_buf().map_err(failure)?) {
        return Ok(of_rows(Rows::new(input, name)));
    }
    let bytes = match input::rest(input) {
        Ok(bytes) => bytes,
        // It is nothing of what is read here. The line that answers for it says so.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::FileTooLarge | io::ErrorKind::OutOfMemory) =>
        {
            tell(format_args!("{}: {error}", name.display()));
            return Ok(Box::new(std::iter::once(Ok(Err(error.to_string())))));
        }
        Err(error) => return Err(failure(error)),
    };
    let reading = tsumero_record::read(&bytes);
    if matches!(reading.format, None | Some(Format::Usi)) {
        return Ok(of_rows(Rows::of_bytes(bytes, name)));
    }
    let file = name.to_owned();
    Ok(Box::new(reading.games.into_iter().map(move |game| Ok(of_game(&file, game)))))
}

/// Whether the first line that is neither empty nor a comment is one of SFENs.
fn is_row(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start);
    let lines = start.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with('#'));
    // A game in JSON may contain a position.
    first.is_none_or(|line| {
        let small = line.to_ascii_lowercase();
        let has_word = small.contains("sfen") || small.contains("startpos");
        let is_board = line.is_ascii() && line.matches('/').count() >= 8;
        !line.starts_with('{') && (has_word || is_board)
    })
}

fn of_rows(rows: Rows) -> Tasks {
    Box::new(rows.map(|row| row.map(|row| task(&row))))
}

fn task(row: &Row) -> Result<Task, String> {
    let (position, plies) = row.first(problem)?;
    let columns = row.columns()?;
    let claimed = match columns.get(1).map(String::as_str) {
        None | Some("") => claimed(plies),
        Some(text) => match text.parse() {
            Ok(plies) if plies % 2 == 1 => Some(plies),
            _ => {
                let reason = "the second column is not an odd number of plies";
                input::bad_line(row.line, reason);
                return Err(reason.to_owned());
            }
        },
    };
    Ok(Task { position, claimed, name: None })
}

/// Reads a position. Moves after it are the solution, whose length in plies is returned.
fn problem(text: &str) -> Result<(Position, usize), String> {
    let (root, moves) = input::root_and_moves(text);
    input::position(text)?;
    Ok((input::position(root)?, moves.split_ascii_whitespace().count()))
}

/// The length that a solution claims, if its last move is the attacker's.
fn claimed(plies: usize) -> Option<u32> {
    u32::try_from(plies).ok().filter(|plies| plies % 2 == 1)
}

/// The problem of a game: its first position. Its moves are the solution.
fn of_game(file: &Path, game: Result<Game, BadGame>) -> Result<Task, String> {
    let game = told(file, game).map_err(|bad| bad.reason)?;
    let name = ["表題", "作品名"].into_iter().find_map(|key| game.header(key));
    let name = name.filter(|name| !name.is_empty()).map(str::to_owned);
    let claimed = claimed(game.moves().count());
    Ok(Task { position: game.initial().clone(), claimed, name })
}

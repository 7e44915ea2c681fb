//! Problems to be checked, from rows of SFENs or from game files.

use std::path::Path;

use tsumero_core::{Move, Position};
use tsumero_record::Game;

use crate::Failure;
use crate::input::{self, Row};
use crate::problems::{Problems, problems};
use crate::record::told;

/// A problem, as far as it could be read.
pub(super) struct Task {
    pub(super) position: Position,
    /// The claimed length, in plies.
    pub(super) claimed: Option<u32>,
    /// The solution of its author; empty if none is given.
    pub(super) intended: Vec<Move>,
    /// Its name in the file.
    pub(super) name: Option<String>,
}

/// The problems of a file, or of standard input for `-`. `None`: there are none, and standard error
/// says why.
pub(super) fn tasks(name: &Path) -> Result<Option<Problems<Task>>, Failure> {
    problems(name, of_row, |file, game| told(file, game).map(of_game))
}

fn of_row(row: &Row) -> Result<Task, String> {
    let (position, intended) = row.first(input::root_and_line)?;
    let columns = row.columns()?;
    let claimed = match columns.get(1).map(String::as_str) {
        None | Some("") => claimed(&intended),
        Some(text) => match text.parse() {
            Ok(plies) if plies % 2 == 1 => Some(plies),
            _ => {
                let reason = "the second column is not an odd number of plies";
                input::bad_line(row.line, reason);
                return Err(reason.to_owned());
            }
        },
    };
    Ok(Task { position, claimed, intended, name: None })
}

/// The length that a solution claims, if its last move is the attacker's.
fn claimed(solution: &[Move]) -> Option<u32> {
    u32::try_from(solution.len()).ok().filter(|plies| plies % 2 == 1)
}

/// The problem of a game: its first position. Its moves are the solution.
fn of_game(game: Game) -> Task {
    let name = ["表題", "作品名"].into_iter().find_map(|key| game.header(key));
    let name = name.filter(|name| !name.is_empty()).map(str::to_owned);
    let intended: Vec<Move> = game.moves().collect();
    Task { position: game.initial().clone(), claimed: claimed(&intended), intended, name }
}

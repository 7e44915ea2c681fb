//! Problems to be checked, from rows of SFENs or from game files.

use std::fmt::Display;
use std::path::Path;

use tsumero_core::{Color, Hand, Move, PieceKind, Position};
use tsumero_record::Game;

use super::outputs::Credits;
use crate::Failure;
use crate::input::{self, Row};
use crate::problems::{Problems, problems};
use crate::report::{missing_king, report, tell_note};

/// A problem, as far as it could be read.
pub(super) struct Task {
    pub(super) position: Position,
    /// The claimed length, in plies.
    pub(super) claimed: Option<u32>,
    /// The solution of its author; empty if none is given.
    pub(super) intended: Vec<Move>,
    pub(super) credits: Credits,
}

/// The problems of a file, or of standard input for `-`. `None`: there are none, and standard error
/// says why.
pub(super) fn tasks(name: &Path) -> Result<Option<Problems<Task>>, Failure> {
    problems(name, of_row, |file, game| {
        let game = report(file.display(), game)?;
        tell_missing(file.display(), game.start());
        Ok(of_game(game))
    })
}

fn of_row(row: &Row) -> Result<Task, String> {
    let (position, intended) = row.first(input::root_and_line)?;
    tell_missing(format_args!("line {}", row.line), &position);
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
    Ok(Task { position, claimed, intended, credits: Credits::default() })
}

/// Tells on standard error what is missing in a problem, if anything.
fn tell_missing(place: impl Display, problem: &Position) {
    missing_king(problem).iter().for_each(|note| tell_note(&place, note));
    let missing = missing(problem);
    if missing > 0 {
        let note = "the defender usually holds all other pieces, but this problem leaves out";
        tell_note(place, format_args!("{note} {missing}"));
    }
}

/// How many pieces of a full set, kings apart, are neither on the board nor in a hand.
fn missing(position: &Position) -> u32 {
    let there = |kind| {
        let on_board = position.pieces().filter(|(_, piece)| piece.kind().unpromoted() == kind);
        let held = Color::ALL.map(|color| position.hand(color).count(kind));
        on_board.count() as u32 + held.into_iter().sum::<u32>()
    };
    PieceKind::HAND.into_iter().map(|kind| Hand::limit(kind).saturating_sub(there(kind))).sum()
}

/// The length that a solution claims, if its last move is the attacker's.
fn claimed(solution: &[Move]) -> Option<u32> {
    u32::try_from(solution.len()).ok().filter(|plies| plies % 2 == 1)
}

/// The problem of a game: its first position. Its moves are the solution.
fn of_game(game: Game) -> Task {
    let intended: Vec<Move> = game.moves().collect();
    let (position, claimed) = (game.start().clone(), claimed(&intended));
    Task { position, claimed, intended, credits: Credits::of(&game) }
}

//! What standard error says of things that were read: what is wrong or unusual with them.

use std::fmt::Display;

use tsumero_core::{MateProblem, Position};
use tsumero_record::{BadGame, Game};

use super::tell;

/// Something that users write. It may be unusual.
pub(super) trait Noted {
    /// What is unusual about it.
    fn notes(&self) -> Vec<String>;
}

impl Noted for Position {
    fn notes(&self) -> Vec<String> {
        self.broken_rules().iter().map(ToString::to_string).collect()
    }
}

impl Noted for MateProblem {
    fn notes(&self) -> Vec<String> {
        let broken = self.broken_rules();
        let missing_king = self.position().and_then(missing_king);
        broken.iter().map(ToString::to_string).chain(missing_king).collect()
    }
}

/// Says that the side to be mated has no king, so that there is no mate.
pub(super) fn missing_king(problem: &Position) -> Option<String> {
    let defender = problem.side_to_move().opponent();
    let is_missing = problem.king(defender).is_none();
    is_missing.then(|| format!("{defender:?}, who is to be mated, has no king"))
}

impl Noted for Game {
    fn notes(&self) -> Vec<String> {
        self.notes()
    }
}

/// Something with what stands beside it.
impl<T: Noted, U> Noted for (T, U) {
    fn notes(&self) -> Vec<String> {
        self.0.notes()
    }
}

/// Why something cannot be read.
pub(super) trait Fault {
    /// The fault with the place at which it was found.
    fn at(&self, place: &dyn Display) -> String;
}

impl Fault for String {
    fn at(&self, place: &dyn Display) -> String {
        format!("{place}: {self}")
    }
}

/// It names its line, which belongs to the place.
impl Fault for BadGame {
    fn at(&self, place: &dyn Display) -> String {
        format!("{place}:{self}")
    }
}

/// Reports on standard error what is wrong or unusual with what was read at a place.
pub(super) fn report<T: Noted, F: Fault>(place: impl Display, read: Result<T, F>) -> Result<T, F> {
    match &read {
        Ok(found) => {
            found.notes().iter().for_each(|note| tell_note(&place, note));
        }
        Err(fault) => tell(format_args!("{}", fault.at(&place))),
    }
    read
}

/// Tells on standard error what is unusual with what was read at a place.
pub(super) fn tell_note(place: impl Display, note: impl Display) {
    tell(format_args!("{place}: note: {note}"));
}

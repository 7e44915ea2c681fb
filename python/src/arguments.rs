//! Arguments that several functions take.

use std::borrow::Cow;
use std::time::Duration;

use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use tsumero_core::Position;

use crate::error::value_error;

/// The SFEN in a text, which may also be what USI's `position` tells without moves: `sfen ...`, `startpos`.
pub(crate) fn read_sfen(text: &str) -> PyResult<Cow<'_, str>> {
    let text = text.trim();
    if text.split_ascii_whitespace().any(|word| word == "moves") {
        return Err(value_error("a position with moves is what Board.set_position reads"));
    }
    match text.strip_prefix("sfen").filter(|rest| rest.starts_with(char::is_whitespace)) {
        Some(sfen) => Ok(sfen.into()),
        None if text == "startpos" => Ok(Position::startpos().to_sfen().into()),
        None => Ok(text.into()),
    }
}

/// More memory for a table than any machine has, in megabytes.
pub(crate) const MOST_MEGABYTES: usize = 1 << 20;

/// A length of time.
pub(crate) fn read_seconds(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |seconds: f64| {
        let wrong = |_| value_error(format_args!("seconds={seconds:?}: not a length of time"));
        Duration::try_from_secs_f64(seconds).map_err(wrong)
    };
    seconds.map(read).transpose()
}

/// Checks a number that has to be between 1 and `most`.
pub(crate) fn within(name: &str, value: usize, most: usize) -> PyResult<usize> {
    if (1..=most).contains(&value) {
        Ok(value)
    } else {
        Err(value_error(format_args!("{name}={value}: not between 1 and {most}")))
    }
}

/// Checks that a limit allows a search. One that allows nothing is a mistake of the caller.
pub(crate) fn check_limits(nodes: Option<u64>, depth: Option<u32>) -> PyResult<()> {
    if nodes == Some(0) || depth == Some(0) {
        return Err(value_error("a search needs at least one node, or one ply"));
    }
    Ok(())
}

/// The error for an object that is of neither kind.
pub(crate) fn neither(object: &Bound<'_, PyAny>, first: &str, second: &str) -> PyErr {
    match object.get_type().name() {
        Ok(name) => {
            PyTypeError::new_err(format!("'{name}' object is neither '{first}' nor '{second}'"))
        }
        Err(error) => error,
    }
}

/// The error for a table of so many megabytes that there is no memory for.
pub(crate) fn no_memory(hash: usize) -> PyErr {
    PyMemoryError::new_err(format!("hash={hash}: there is no memory for a table of {hash} MB"))
}

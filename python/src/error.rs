//! The error for what breaks a rule.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The error for what breaks a rule or cannot be read: a `ValueError` with the reason.
pub(crate) fn value_error(reason: impl Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

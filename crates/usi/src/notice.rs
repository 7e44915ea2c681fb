//! What the user is told about a preparation.

/// A message to the user about a preparation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// Something was done.
    Note(String),
    /// Something could not be done. The engine continues with what it has.
    Error(String),
}

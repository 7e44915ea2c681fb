//! How Tsumero writes people's files.
//!
//! * An output takes its name only when it is complete ([`NewFile`], [`write_atomic`]). A process
//!   that is killed leaves the old file or the new one.
//! * An output never replaces an input or a file that somebody else made ([`Inputs`], [`start_of`]).
//! * A file that grows while a process works belongs to that process alone ([`open_growing`]).
//! * An output can be named after an input whose name is not Unicode ([`text_of_name`]).

#![forbid(unsafe_code)]

mod growing;
mod identity;
mod names;
mod new_file;
mod refusal;

pub use growing::open_growing;
pub use identity::FileId;
pub use names::text_of_name;
pub use new_file::{NewFile, write_atomic};
pub use refusal::{Inputs, is_wrong_name, start_of};

//! Opening books in the text format of YaneuraOu: looking up positions, choosing moves, and making
//! books.
//!
//! A [`Book`] finds the entries of a position, either in memory or by a binary search in a sorted
//! file of any size. A [`Policy`] selects the moves that are good enough. A [`Collection`] collects
//! games and analysed positions and writes a book. A file that is not a book is refused with the
//! place and the reason. No file causes a panic.
//!
//! ```
//! use tsumero_book::{Book, Lookup};
//! use tsumero_core::Position;
//! let start = Position::startpos();
//! let text = format!("#YANEURAOU-DB2016 1.00\nsfen {start}\n2g2f 8c8d 30 32 7\n");
//! let book = Book::from_bytes(text.into_bytes(), false).unwrap();
//! let entries = book.find(&start, Lookup::default()).unwrap();
//! assert_eq!(entries[0].to_string(), "2g2f 8c8d 30 32 7");
//! ```

#![forbid(unsafe_code)]

mod book;
mod collection;
mod entry;
mod key;
mod lines;
mod policy;

use std::fmt;
use std::io;

use thiserror::Error;

pub use book::{Book, Lookup};
pub use collection::{Collection, CollectionOptions, Outcome};
pub use entry::Entry;
pub use policy::{Candidate, Policy, Selection};

/// The first line of a book. It is a comment, so that a book without it is read too.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// Why a file is not a book, or cannot be read.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file has a fault.
    #[error("{place}: {reason}")]
    Bad {
        /// The place of the fault.
        place: Place,
        /// The reason.
        reason: String,
    },
    /// The file is too large for memory.
    #[error("{0} bytes are too many for memory; BookOnTheFly searches in the file")]
    TooLarge(u64),
    /// The system cannot read the file.
    #[error("the file cannot be read: {:?}", .0.kind())]
    Io(#[from] io::Error),
}

impl BookError {
    fn bad(place: Place, reason: impl Into<String>) -> BookError {
        BookError::Bad { place, reason: reason.into() }
    }
}

/// A place in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Number of a line, from 1.
    Line(u64),
    /// Offset of a line. Its number is not known, because the file is not read from its start.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(number) => write!(f, "line {number}"),
            Place::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

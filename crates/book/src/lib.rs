//! Opening books in the text format of YaneuraOu: looking up positions, choosing moves, and making
//! books.
//!
//! A [`Book`] finds the entries of a position, either in memory or by a binary search in a sorted
//! file of any size. A [`Policy`] selects the moves that are good enough. A [`Collection`] collects
//! games and analyzed positions and writes a book. A file that is not a book is refused with the
//! place and the reason. No file causes a panic.
//!
//! ```
//! use tsumero_book::{Book, Lookup};
//! use tsumero_core::Position;
//! let start = Position::startpos();
//! let text = format!("#YANEURAOU-DB2016 1.00\nsfen {start}\n2g2f 8c8d 30 32 7\n");
//! let book = Book::from_bytes(text.into_bytes()).unwrap();
//! let entries = book.find(&start, Lookup::default()).unwrap();
//! assert_eq!(entries[0].to_string(), "2g2f 8c8d 30 32 7");
//! ```

#![forbid(unsafe_code)]

mod book;
mod book_move;
mod collection;
mod key;
mod lines;
mod policy;

use std::fmt;
use std::io::{self, Read};

use thiserror::Error;

pub use book::{Book, Lookup};
pub use book_move::BookMove;
pub use collection::{Collection, CollectionOptions};
pub use policy::{Candidate, Policy, Selection};

/// The first line of a book. It is a comment, so that a book without it is read too.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// What the second line of a book that a [`Collection`] writes begins with. The checksum of all lines
/// below it follows: a book that a person has changed since is that person's.
const MADE_BY: &str = "# made by tsumero book make";

/// The first two lines of a book that a [`Collection`] writes.
fn head(checksum: u32) -> String {
    format!("{HEADER}\n{MADE_BY} {checksum:08x}\n")
}

/// Whether a file is a book as a [`Collection`] has written it, or has nothing but the [`HEADER`] of a
/// book.
///
/// ```
/// use tsumero_book::{Collection, CollectionOptions, HEADER, is_ours};
/// let mut book = Vec::new();
/// let options = CollectionOptions { plies: 60, ignore_ply: false };
/// Collection::new(options).write(&mut book, 1)?;
/// assert!(is_ours(&*book)?);
/// assert!(is_ours(format!("{HEADER}\n").as_bytes())?);
/// assert!(!is_ours(format!("{HEADER}\nsfen startpos\n").as_bytes())?, "somebody else's book");
/// book.extend(b"# my favorite opening\n");
/// assert!(!is_ours(&*book)?, "somebody has changed it");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The file cannot be read.
pub fn is_ours(mut book: impl Read) -> io::Result<bool> {
    /// How many bytes are looked at together.
    const BLOCK: u64 = 1 << 16;
    let mut start = Vec::new();
    book.by_ref().take(head(0).len() as u64).read_to_end(&mut start)?;
    if start.len() < head(0).len() {
        return Ok(start.trim_ascii() == HEADER.as_bytes());
    }
    if !start.starts_with(format!("{HEADER}\n{MADE_BY} ").as_bytes()) {
        return Ok(false);
    }
    let (mut hasher, mut block) = (crc32fast::Hasher::new(), Vec::new());
    while book.by_ref().take(BLOCK).read_to_end(&mut block)? > 0 {
        hasher.update(&block);
        block.clear();
    }
    Ok(start == head(hasher.finalize()).as_bytes())
}

/// Why a file is not a book, or cannot be read.
///
/// ```
/// use std::io::ErrorKind;
/// use tsumero_book::{Book, BookError};
/// match Book::open("no/such/book.db") {
///     Err(BookError::Io(error)) => assert_eq!(error.kind(), ErrorKind::NotFound),
///     Err(BookError::TooLarge(bytes)) => panic!("search the {bytes} bytes on the fly"),
///     other => panic!("{other:?}"),
/// }
/// let error = Book::from_bytes(b"sfen startpos\n".to_vec()).unwrap_err();
/// assert!(error.to_string().starts_with("line 1: not a position"));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
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
    #[error("{}", reason_of(.0))]
    Io(#[from] io::Error),
}

/// Why the system cannot read a file, in the same words on every system.
fn reason_of(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::IsADirectory => "the file cannot be read: it is a folder".to_owned(),
        io::ErrorKind::InvalidInput => "the file cannot be read: it is no regular file".to_owned(),
        kind => format!("the file cannot be read: {kind}"),
    }
}

impl BookError {
    fn bad(place: Place, reason: impl Into<String>) -> BookError {
        BookError::Bad { place, reason: reason.into() }
    }
}

/// A place in a book.
///
/// A book that is searched on the fly is not read line by line. So a fault in it has an offset:
///
/// ```
/// use tsumero_book::{Book, BookError, Place};
/// let board = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
/// let first = format!("sfen {board} w - 2\n8c8d\n");
/// let unsorted = format!("{first}sfen {board} b - 1\n7g7f\n").into_bytes();
/// let place_of = |result| match result {
///     Err(BookError::Bad { place, .. }) => Some(place),
///     _ => None,
/// };
/// let second = Place::Byte(first.len() as u64);
/// assert_eq!(place_of(Book::from_sorted_bytes(unsorted)), Some(second));
/// let no_move = format!("sfen {board} b - 1\n7g7\n").into_bytes();
/// assert_eq!(place_of(Book::from_bytes(no_move)), Some(Place::Line(2)));
/// assert_eq!(Place::Line(2).to_string(), "line 2");
/// ```
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

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

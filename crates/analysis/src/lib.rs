//! What the engine thinks of a game, position by position, and how that is shown.
//!
//! An [`Analyst`] searches positions, [`Journal`] keeps what it found so that nothing is lost, and
//! a [`GameReport`] judges the moves: how much each lost, which were mistakes, which missed a mate,
//! where the game turned. It is written as JSON lines ([`json_lines`]), as a table of comma-separated
//! values ([`csv()`]), as a table to read ([`table`]), as comments in a game file ([`annotate`]) in the
//! way ShogiHome, ShogiGUI and the servers read them, and as a page for a browser ([`page()`]). Mate
//! problems have a page of their own ([`sheet()`]).

#![forbid(unsafe_code)]

mod analyst;
mod comments;
mod journal;
mod judgment;
mod notation;
mod page;
mod report;
mod sheet;
mod tables;
mod value;

pub use analyst::{Analyst, Budget, Finding, FoundLine, Options};
pub use comments::{CommentStyle, annotate};
pub use journal::{Journal, JournalError};
pub use judgment::{Note, PlayerSummary, accuracy_of_loss};
pub use notation::western;
pub use page::page;
pub use report::{GameReport, PositionReport};
pub use sheet::{SheetProblem, sheet};
pub use tables::{csv, json_lines, table};
pub use value::Value;

/// The languages of what people read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Japanese.
    Japanese,
    /// English.
    English,
}

impl Language {
    /// The code by which browsers and systems know it.
    pub const fn code(self) -> &'static str {
        match self {
            Language::Japanese => "ja",
            Language::English => "en",
        }
    }
}

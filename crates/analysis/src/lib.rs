//! Analysis of games: the engine's results for each position, and their presentation.
//!
//! A [`Study`] says what there is to do in a game: first a look at each position, then a second one at
//! moves that may be mistakes. An [`Analyst`] does the work, and a [`Journal`] stores the results, so
//! that an interrupted run loses nothing. A [`GameReport`] judges the moves: how much each lost, which
//! were mistakes, which missed a mate, and where the game turned. It also names castles, openings and
//! phases. The report can be written as JSON lines ([`json_lines`]), as comma-separated values
//! ([`csv()`]), as a table for people ([`table`]), as comments in a game file for ShogiHome, ShogiGUI
//! and servers ([`annotate`]), and as a page for a browser ([`page()`], [`page_data`]). Many games have
//! an index ([`index_page`]). Mate problems have a page of their own ([`sheet()`]).

#![forbid(unsafe_code)]

mod analyst;
mod comments;
mod counted;
mod index;
mod journal;
mod json;
mod judgment;
mod mark;
mod notation;
mod outputs;
mod page;
mod phase;
mod report;
mod shapes;
mod sheet;
mod study;
mod tables;
mod tasks;
mod value;

pub use analyst::{Analyst, Budget, Options};
pub use comments::{CommentStyle, annotate};
pub use counted::counted;
pub use index::{IndexEntry, index_page};
pub use journal::{ClosedJournal, Difference, Journal, JournalError};
pub use json::json_lines;
pub use judgment::{Judgment, Noise, Note, PlayerSummary, accuracy_of_loss};
pub use mark::with_checksum;
pub use notation::western;
pub use outputs::OutputKind;
pub use page::{page, page_data};
pub use phase::Phase;
pub use report::{BranchMove, BranchReport, GameReport, PositionReport};
pub use shapes::{Opening, ShapeName, castle};
pub use sheet::{SheetProblem, first_number, sheet};
pub use study::{Place, Study};
pub use tables::{csv, table};
pub use tasks::{Answer, DoubtfulMove, Finding, FoundLine, SecondLook, Task};
pub use tsumero_control::Signals;
pub use tsumero_search::{EvaluationFunction, STACK_SIZE};
pub use value::Value;

/// The language of texts for people.
///
/// ```
/// use tsumero_analysis::{Language, sheet};
/// let locale = "ja_JP.UTF-8";
/// let known = [Language::Japanese, Language::English];
/// let language = known.into_iter().find(|language| locale.starts_with(language.code()));
/// assert_eq!(language, Some(Language::Japanese));
/// let page = sheet(&[], language.unwrap_or(Language::English));
/// assert!(page.contains("<html lang=\"ja\">"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Japanese.
    Japanese,
    /// English.
    English,
}

impl Language {
    /// The language code that browsers and systems use.
    pub const fn code(self) -> &'static str {
        match self {
            Language::Japanese => "ja",
            Language::English => "en",
        }
    }
}

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

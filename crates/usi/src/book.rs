//! The opening book: which file is used, when it answers a `go`, and the answer.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tsumero_book::{Book, BookError, Candidate, Lookup, Policy};
use tsumero_control::{BestMove, Bound, Info, Instant, Score, chance};
use tsumero_core::{Game, Move, Position, Repetition};

use crate::file_name::{self, Stamp};
use crate::notice::Notice;

/// The file name that means "no book".
pub(crate) const NO_BOOK: &str = "no_book";
/// The longest line of play that is shown from the book, in plies.
const LONGEST_PV: usize = 8;

/// The user's settings of the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// `USI_OwnBook`: whether a book is used at all.
    pub own_book: bool,
    /// `BookFile`: the file. An empty name means [`NO_BOOK`].
    pub file: PathBuf,
    /// `BookDir`: the folder of a file whose name is relative.
    pub folder: PathBuf,
    /// `BookOnTheFly`: whether the file is searched instead of being read into memory.
    pub on_the_fly: bool,
    /// `IgnoreBookPly` and `FlippedBook`: how positions are looked up.
    pub lookup: Lookup,
    /// `BookMoves`, `BookEvalDiff`, `BookEvalBlackLimit`, `BookEvalWhiteLimit`, `BookDepthLimit` and
    /// `ConsiderBookMoveCount`: which moves are played.
    pub policy: Policy,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice {
            own_book: true,
            file: NO_BOOK.into(),
            folder: "book".into(),
            on_the_fly: false,
            lookup: Lookup::default(),
            policy: Policy::default(),
        }
    }
}

impl Choice {
    fn names_a_file(&self) -> bool {
        !self.file.as_os_str().is_empty() && self.file.as_os_str() != NO_BOOK
    }

    /// The path of the file: in the folder, otherwise without it.
    fn path(&self) -> PathBuf {
        let in_folder = file_name::find(&self.folder.join(&self.file));
        if in_folder.is_file() { in_folder } else { file_name::find(&self.file) }
    }
}

/// The answer of the book to a `go`.
#[derive(Debug, Default)]
pub struct Booked {
    /// Faults of the book.
    pub notices: Vec<Notice>,
    /// The line of play and the answer, if the position is in the book.
    pub answer: Option<(Info<String>, BestMove<String>)>,
}

/// The current book, which is kept between searches.
#[derive(Debug, Default)]
pub struct OpeningBook {
    choice: Choice,
    opened: Option<Opened>,
}

/// A file that was opened, or that could not be opened.
#[derive(Debug)]
struct Opened {
    path: PathBuf,
    on_the_fly: bool,
    stamp: Option<Stamp>,
    /// `None` for a bad file, which has been reported.
    book: Option<Book>,
    /// The positions (SFEN) whose illegal moves have been reported since the last refresh.
    told: HashSet<String>,
}

impl OpeningBook {
    /// Applies a choice. A new file is opened. Before a game (`refresh`), the file is also opened
    /// if it has changed, or if it could not be opened before.
    pub fn prepare(&mut self, choice: &Choice, refresh: bool) -> Option<Notice> {
        if let Some(opened) = self.opened.as_mut().filter(|_| refresh) {
            opened.told.clear();
        }
        let is_same = self.choice == *choice;
        if is_same && (!refresh || self.opened.is_none() && !choice.names_a_file()) {
            return None;
        }
        self.choice = choice.clone();
        if !choice.own_book || !choice.names_a_file() {
            self.opened = None;
            return None;
        }
        let (path, on_the_fly) = (choice.path(), choice.on_the_fly);
        let stamp = Stamp::of(&path);
        let is_open = self.opened.as_ref().is_some_and(|opened| {
            let is_it = (&opened.path, opened.on_the_fly) == (&path, on_the_fly);
            is_it && (!refresh || opened.book.is_some() && opened.stamp == stamp)
        });
        if is_open {
            return None;
        }
        // Free the memory of the old book for the new one.
        self.opened = None;
        let read = if on_the_fly { Book::open_sorted(&path) } else { Book::open(&path) };
        let (book, notice) = match read {
            Ok(book) => {
                let size = match book.positions() {
                    Some(1) => "1 position".to_owned(),
                    Some(positions) => format!("{positions} positions"),
                    None => "searched on the fly".to_owned(),
                };
                (Some(book), Notice::Note(format!("book: {}, {size}", path.display())))
            }
            Err(error) => (None, refusal(&path, &error)),
        };
        self.opened = Some(Opened { path, on_the_fly, stamp, book, told: HashSet::new() });
        Some(notice)
    }

    /// The answer of the book to a `go` that came at `started`.
    pub fn answer(&mut self, position: &Game, started: Instant) -> Booked {
        let mut booked = Booked::default();
        if !self.choice.own_book || !self.choice.policy.covers(position) {
            return booked;
        }
        let Some(opened) = &mut self.opened else { return booked };
        let Some(book) = &opened.book else { return booked };
        let mut entries = match book.find(position, self.choice.lookup) {
            Ok(entries) => entries,
            Err(error) => {
                booked.notices.push(refusal(&opened.path, &error));
                opened.book = None;
                return booked;
            }
        };
        // A book knows positions, not games. In some of them a good check is one too many. Its value
        // does not count then.
        entries.retain(|entry| {
            !position.validate(entry.mv).is_ok_and(|mv| ends_perpetual_check(position, mv))
        });
        let selection = self.choice.policy.select(position, &entries);
        if let Some(first) = selection.illegal.first() {
            let others = match selection.illegal.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            let text = format!("book: {first}{others} cannot be played in {position}");
            // A position may come again, for example when a move is taken back.
            if opened.told.insert(position.to_sfen()) {
                booked.notices.push(Notice::Error(text));
            }
        }
        let Some(chosen) = selection.choose(chance()) else { return booked };
        let line = line(book, position, chosen, self.choice.lookup);
        let pv: Vec<String> = line.iter().map(ToString::to_string).collect();
        let best = BestMove::Move { best: chosen.mv.to_string(), ponder: pv.get(1).cloned() };
        let depth = chosen.entry.depth.unwrap_or(0);
        let info = Info {
            depth,
            seldepth: depth,
            time: started.elapsed(),
            nodes: 0,
            hashfull: 0,
            multipv: 1,
            score: Score::recorded(chosen.entry.value.unwrap_or(0)),
            bound: Bound::Exact,
            pv,
        };
        booked.answer = Some((info, best));
        booked
    }
}

/// The message about a file that is not a book.
fn refusal(path: &Path, error: &BookError) -> Notice {
    Notice::Error(format!("BookFile {}: {error}; there is no book", path.display()))
}

/// Whether a move loses the game, because its side has given perpetual check.
fn ends_perpetual_check(game: &Game, mv: Move) -> bool {
    let mut after = game.clone();
    after.play_unchecked(mv);
    matches!(after.repetition(), Some(Repetition::PerpetualCheck { by }) if by == mv.color())
}

/// The move and its continuation in the book: the expected reply, then the best moves.
fn line(book: &Book, position: &Position, chosen: &Candidate, lookup: Lookup) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = vec![chosen.mv];
    position.play_unchecked(chosen.mv);
    let mut expected = chosen.entry.ponder;
    while line.len() < LONGEST_PV {
        let best = || {
            let entries = book.find(&position, lookup).unwrap_or_default();
            let first = entries.iter().rev().max_by_key(|entry| entry.value.unwrap_or(0))?;
            Some((first.mv, first.ponder))
        };
        let expected_move = expected.take().and_then(|mv| position.validate(mv).ok());
        let next = match expected_move {
            Some(mv) => Some((mv, None)),
            None => best().and_then(|(mv, reply)| Some((position.validate(mv).ok()?, reply))),
        };
        let Some((mv, reply)) = next else { break };
        line.push(mv);
        position.play_unchecked(mv);
        expected = reply;
    }
    line
}

//! A file in which results are stored one by one, so that an interrupted run can be resumed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tsumero_files::{NewFile, open_growing};

use crate::{Answer, Options, Place, Task};

/// Why a journal cannot be used.
///
/// ```
/// use std::path::Path;
/// use tsumero_analysis::{Budget, Journal, JournalError, Options};
/// let evaluation = "internal".to_owned();
/// let budget = Budget::Nodes(100);
/// let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 1, evaluation };
/// let path = Path::new("no/such/folder/journal");
/// let failure = match Journal::begin(path, &options, Vec::new(), true) {
///     Err(JournalError::Io(path, error)) => format!("{}: {:?}", path.display(), error.kind()),
///     Err(JournalError::OtherRun(path, _)) => format!("{}: delete it first", path.display()),
///     Err(JournalError::Unfinished(path, _)) => format!("{}: resume it", path.display()),
///     _ => "none".to_owned(),
/// };
/// assert_eq!(failure, "no/such/folder/journal: NotFound");
/// ```
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written. Of the kind [`io::ErrorKind::ResourceBusy`] if another
    /// process is working on it, and [`io::ErrorKind::InvalidInput`] if it is a symbolic link or
    /// no regular file.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
    /// The file belongs to a run with other options or games, or of another version of the program.
    #[error("{}: it was begun {}", .0.display(), .1)]
    OtherRun(PathBuf, Box<Difference>),
    /// The file has results that are not to be resumed: so many.
    #[error("{}: it has {} results of a run that was broken off", .0.display(), .1)]
    Unfinished(PathBuf, usize),
    /// The file is something else.
    #[error("{}: this is not a journal", .0.display())]
    NoJournal(PathBuf),
}

/// What a journal was begun with or for, and a run that would go on with it was not.
///
/// ```
/// use tsumero_analysis::{Budget, Difference, Options};
/// let options = |budget| {
///     Options { budget, threads: 1, multi_pv: 1, hash_mb: 1, evaluation: "internal".to_owned() }
/// };
/// let [then, now] = [10, 20].map(|nodes| options(Budget::Nodes(nodes)));
/// assert_eq!(Difference::Options { then, now }.to_string(), "with other options");
/// assert_eq!(Difference::Games.to_string(), "for other games");
/// assert_eq!(Difference::Version.to_string(), "by another version");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Difference {
    /// The options.
    #[error("with other options")]
    Options {
        /// Those of the journal.
        then: Options,
        /// Those of the run.
        now: Options,
    },
    /// The games, or their branches.
    #[error("for other games")]
    Games,
    /// The version of the program.
    #[error("by another version")]
    Version,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    options: Options,
    /// The games as USI lines.
    games: Vec<String>,
    /// The form of the results. Those of another form cannot be resumed.
    #[serde(default)]
    form: u32,
    /// The version of the program: another one may judge otherwise, and a report is of one judge.
    #[serde(default)]
    version: String,
}

impl Head {
    fn new(options: &Options, games: Vec<String>) -> Head {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Head { options: options.clone(), games, form: FORM, version }
    }

    /// What a run with this first line differs in from that of a journal.
    fn difference(&self, there: &Head) -> Option<Difference> {
        if there.options != self.options {
            let [then, now] = [there, self].map(|head| head.options.clone());
            Some(Difference::Options { then, now })
        } else if there.games != self.games {
            Some(Difference::Games)
        } else if (there.form, &there.version) != (self.form, &self.version) {
            Some(Difference::Version)
        } else {
            None
        }
    }
}

/// What the first line begins with.
const HEAD: &[u8] = b"{\"options\":";

/// The form that this program writes.
const FORM: u32 = 2;

#[derive(Serialize, Deserialize)]
struct JournalLine {
    game: usize,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    answer: Answer,
}

/// The results by game and place. Each is written to the file before the next search begins. No other
/// process can use the file until this is dropped.
///
/// ```
/// use tsumero_analysis::{Answer, Budget, Finding, FoundLine, Journal, JournalError, Options};
/// use tsumero_analysis::{Place, Task, Value};
/// let folder = std::env::temp_dir().join(format!("tsumero-example-run-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let path = folder.join("journal");
/// let (budget, evaluation) = (Budget::Nodes(100), "internal".to_owned());
/// let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 1, evaluation };
/// let begin = |options| Journal::begin(&path, options, vec!["startpos".to_owned()], true);
/// let line = FoundLine { value: Value::Cp(30), depth: 3, seldepth: 4, pv: Vec::new() };
/// let answer = Answer::Finding(Finding::of_search(vec![line], 100));
/// let place = Place { line: 0, ply: 0 };
/// begin(&options)?.add(0, place, answer.clone())?;
/// // The next run finds the result again, if its options are the same.
/// let journal = begin(&options)?;
/// let task = Task::Look(Box::default());
/// assert_eq!((journal.len(), journal.get(0, place, &task)), (1, Some(&answer)));
/// drop(journal);
/// let other = Options { multi_pv: 2, ..options.clone() };
/// assert!(matches!(begin(&other), Err(JournalError::OtherRun(..))));
/// // Results are thrown away only when everything is done.
/// begin(&options)?.finish()?;
/// std::fs::remove_dir(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    known: Known,
}

/// Results by game, place, and whether they are those of a second look.
type Known = HashMap<(usize, Place, bool), Answer>;

fn is_second(answer: &Answer) -> bool {
    matches!(answer, Answer::Second(_))
}

/// What a file has before a run begins.
#[derive(Default)]
struct Old {
    /// Its results.
    known: Known,
    /// The length of its complete lines, in bytes.
    complete: u64,
}

impl Journal {
    /// Begins a journal. With `resume`, the results of an earlier run with the same options and
    /// games are kept, and an incomplete last line is cut off. Without it, there must be no results.
    /// A file that is refused stays as it is.
    ///
    /// # Errors
    ///
    /// [`JournalError`].
    pub fn begin(
        path: &Path,
        options: &Options,
        games: Vec<String>,
        resume: bool,
    ) -> Result<Journal, JournalError> {
        let io_error = |error| JournalError::Io(path.to_owned(), error);
        let head = Head::new(options, games);
        let mut file = open_growing(path).map_err(io_error)?;
        let old = read(&mut file, path, &head, resume)?;
        file.set_len(old.complete).map_err(io_error)?;
        file.seek(SeekFrom::End(0)).map_err(io_error)?;
        let mut journal = Journal { path: path.to_owned(), file, known: old.known };
        if old.complete == 0 {
            journal.append(&head)?;
        }
        Ok(journal)
    }

    /// Whether [`Journal::begin`] could begin. Nothing is left behind or changed, so a run over many
    /// files can ask for all of them before it begins.
    ///
    /// # Errors
    ///
    /// [`JournalError`].
    pub fn check(
        path: &Path,
        options: &Options,
        games: Vec<String>,
        resume: bool,
    ) -> Result<(), JournalError> {
        let io_error = |error| JournalError::Io(path.to_owned(), error);
        let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        if fs::symlink_metadata(path).is_err_and(|error| is_missing(&error)) {
            return NewFile::check(path).map_err(io_error);
        }
        let head = Head::new(options, games);
        let mut file = open_growing(path).map_err(io_error)?;
        read(&mut file, path, &head, resume).map(drop)
    }

    /// Whether a file is a journal, of any run. It may be cut off, but not so early that it could be
    /// anything else.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn is_ours(file: impl Read) -> io::Result<bool> {
        let mut start = Vec::new();
        file.take(HEAD.len() as u64).read_to_end(&mut start)?;
        Ok(start == HEAD)
    }

    /// The answer to a task of a game, if there is one.
    pub fn get(&self, game: usize, place: Place, task: &Task) -> Option<&Answer> {
        self.known.get(&(game, place, matches!(task, Task::LookAgain(_))))
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Stores a result.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, game: usize, place: Place, answer: Answer) -> Result<(), JournalError> {
        let entry = JournalLine { game, place, answer };
        self.append(&entry)?;
        self.known.insert((game, place, is_second(&entry.answer)), entry.answer);
        Ok(())
    }

    /// Appends a line.
    fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(line).map_err(io::Error::from);
        line.and_then(|line| self.file.write_all((line + "\n").as_bytes()))
            .map_err(|error| JournalError::Io(self.path.clone(), error))
    }

    /// Closes the file. Its results stay until [`ClosedJournal::finish`], and a run that is
    /// resumed finds them.
    pub fn close(self) -> ClosedJournal {
        ClosedJournal(self.path)
    }

    /// Ends the run and deletes the file.
    ///
    /// # Errors
    ///
    /// The file cannot be deleted.
    pub fn finish(self) -> Result<(), JournalError> {
        self.close().finish()
    }
}

/// A journal whose results are complete. It takes no open file, so there may be any number.
///
/// ```
/// use tsumero_analysis::{Budget, Journal, Options};
/// let path = std::env::temp_dir().join(format!("tsumero-closed-{}", std::process::id()));
/// let (budget, evaluation) = (Budget::Nodes(100), "internal".to_owned());
/// let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 1, evaluation };
/// let closed = Journal::begin(&path, &options, Vec::new(), false)?.close();
/// assert!(path.exists());
/// closed.finish()?;
/// assert!(!path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the file stays until it is finished"]
pub struct ClosedJournal(PathBuf);

impl ClosedJournal {
    /// Deletes the file. One that another process works on, or has deleted, is left to it.
    ///
    /// # Errors
    ///
    /// The file cannot be deleted.
    pub fn finish(self) -> Result<(), JournalError> {
        let ClosedJournal(path) = self;
        let remove = || {
            if !fs::symlink_metadata(&path)?.is_file() {
                return Ok(());
            }
            // Open until it is gone, so that nobody begins to work on it.
            let _locked = open_growing(&path)?;
            fs::remove_file(&path)
        };
        match remove() {
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::ResourceBusy
                ) =>
            {
                Err(JournalError::Io(path, error))
            }
            _ => Ok(()),
        }
    }
}

/// Reads what there is, as far as the run may use it.
fn read(file: &mut File, path: &Path, head: &Head, resume: bool) -> Result<Old, JournalError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| JournalError::Io(path.to_owned(), error))?;
    // A killed process or a full disk leaves an incomplete last line.
    let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = bytes[..complete].split(|&byte| byte == b'\n');
    let Some(first) = lines.next().filter(|_| complete > 0) else {
        // Not even the first line is complete.
        let whole = serde_json::to_vec(head).map_err(io::Error::from);
        let whole = whole.map_err(|error| JournalError::Io(path.to_owned(), error))?;
        let is_ours = whole.starts_with(&bytes) || bytes.starts_with(HEAD);
        return if is_ours {
            Ok(Old::default())
        } else {
            Err(JournalError::NoJournal(path.to_owned()))
        };
    };
    let Ok(there) = serde_json::from_slice::<Head>(first) else {
        return Err(JournalError::NoJournal(path.to_owned()));
    };
    let mut known = HashMap::new();
    let mut results = 0;
    for line in lines.filter(|line| !line.is_empty()) {
        results += 1;
        // A damaged line is a result that has to be found again. Everything that was found has a
        // value, which stands in the first of its lines.
        let entry = serde_json::from_slice::<JournalLine>(line).ok();
        let has_value = |entry: &JournalLine| match &entry.answer {
            Answer::Finding(finding) => !finding.lines.is_empty(),
            Answer::Second(_) => true,
        };
        if let Some(entry) = entry.filter(has_value) {
            known.insert((entry.game, entry.place, is_second(&entry.answer)), entry.answer);
        }
    }
    match (resume, head.difference(&there)) {
        (true, None) => Ok(Old { known, complete: complete as u64 }),
        _ if results == 0 => Ok(Old::default()),
        (true, Some(other)) => Err(JournalError::OtherRun(path.to_owned(), Box::new(other))),
        (false, _) => Err(JournalError::Unfinished(path.to_owned(), results)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Finding, FoundLine, SecondLook, Value};

    fn options() -> Options {
        Options {
            budget: Budget::Nodes(7),
            threads: 1,
            multi_pv: 1,
            hash_mb: 1,
            evaluation: "by hand".to_owned(),
        }
    }

    fn finding() -> Answer {
        let line = FoundLine {
            value: Value::Cp(3),
            depth: 2,
            seldepth: 3,
            pv: vec!["7g7f".parse().unwrap()],
        };
        Answer::Finding(Finding::of_search(vec![line], 7))
    }

    const START: Place = Place { line: 0, ply: 0 };

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tsumero-journal-{name}-{}", std::process::id()))
    }

    #[test]
    fn what_was_found_survives_a_broken_end() {
        let path = file("end");
        let begin =
            |game: &str, resume| Journal::begin(&path, &options(), vec![game.to_owned()], resume);
        let mut journal = begin("a", true).unwrap();
        assert!(journal.is_empty());
        // In a branch, a position and a move may have the same place.
        let place = Place { line: 1, ply: 1 };
        let (best, played) = (Value::Cp(9), Value::WhiteMates(6));
        let second = SecondLook { best, played, depth: 3, nodes: 28, missed_mate: None };
        let answers = [(START, finding()), (place, finding()), (place, Answer::Second(second))];
        for (place, answer) in &answers {
            journal.add(0, *place, answer.clone()).unwrap();
        }
        drop(journal);
        let text = fs::read(&path).unwrap();
        let lines = text.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(lines, 4);
        // Killed after each byte: every complete line counts.
        for length in 0..=text.len() {
            fs::write(&path, &text[..length]).unwrap();
            let complete = text[..length].iter().filter(|&&byte| byte == b'\n').count();
            let mut journal = begin("a", true).unwrap();
            assert_eq!(journal.len(), complete.saturating_sub(1), "{length}");
            for (place, answer) in &answers {
                let known = journal.known.get(&(0, *place, is_second(answer))).cloned();
                match known {
                    Some(known) => assert_eq!(known, *answer),
                    None => journal.add(0, *place, answer.clone()).unwrap(),
                }
            }
            drop(journal);
            assert_eq!(fs::read(&path).unwrap(), text, "{length}");
        }
        // A damaged line in the middle costs only itself.
        let answer = Answer::Finding(Finding::of_search(Vec::new(), 7));
        let empty = JournalLine { game: 0, place: START, answer };
        let empty = serde_json::to_string(&empty).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        for damage in ["?", &empty] {
            lines[1] = damage;
            fs::write(&path, lines.join("\n") + "\n").unwrap();
            let journal = begin("a", true).unwrap();
            let task = Task::Look(Box::default());
            assert_eq!((journal.len(), journal.get(0, place, &task)), (2, Some(&finding())));
            assert_eq!(journal.get(0, START, &task), None, "{damage}");
        }
        begin("a", true).unwrap().finish().unwrap();
        assert!(!path.exists());
        for (length, _) in text.bytes().enumerate() {
            let is_ours = Journal::is_ours(&text.as_bytes()[..length]).unwrap();
            assert_eq!(is_ours, length >= HEAD.len(), "{length}");
        }
        assert!(!Journal::is_ours(&b"{\"moves\":[]}"[..]).unwrap());
    }

    #[test]
    fn results_are_not_thrown_away_unless_everything_is_done() {
        let path = file("kept");
        let begin = |options: &Options, game: &str, resume| {
            Journal::begin(&path, options, vec![game.to_owned()], resume)
        };
        // A file without results is nobody's loss.
        drop(begin(&options(), "b", false).unwrap());
        let mut journal = begin(&options(), "a", false).unwrap();
        journal.add(0, START, finding()).unwrap();
        // As long as it is open, it belongs to one run.
        let busy = begin(&options(), "a", true).unwrap_err();
        assert!(
            matches!(&busy, JournalError::Io(_, error) if error.kind() == io::ErrorKind::ResourceBusy),
            "{busy}"
        );
        let closed = journal.close();
        let other = Options { multi_pv: 2, ..options() };
        let kept = fs::read(&path).unwrap();
        for (options, game, resume) in [
            (&other, "a", true),
            (&options(), "b", true),
            (&options(), "a", false),
            (&other, "b", false),
        ] {
            let refused = begin(options, game, resume).unwrap_err();
            let checked =
                Journal::check(&path, options, vec![game.to_owned()], resume).unwrap_err();
            assert_eq!(refused.to_string(), checked.to_string());
            if resume {
                let JournalError::OtherRun(_, other) = refused else { panic!("{refused}") };
                assert_eq!(*other == Difference::Games, game == "b", "{other}");
            } else {
                assert!(matches!(refused, JournalError::Unfinished(_, 1)));
            }
            assert_eq!(fs::read(&path).unwrap(), kept);
        }
        Journal::check(&path, &options(), vec!["a".to_owned()], true).unwrap();
        // A run of another version, and of one that did not write its version.
        let text = String::from_utf8(kept.clone()).unwrap();
        let own = format!(",\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
        for other in [",\"version\":\"0.0.9\"", ""] {
            let text = text.replace(&own, other);
            fs::write(&path, &text).unwrap();
            let refused = begin(&options(), "a", true);
            let Err(JournalError::OtherRun(_, other)) = refused else { panic!("{text}") };
            assert_eq!(*other, Difference::Version);
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, &kept).unwrap();
        // Another process goes on with it: it is not deleted under its hands.
        let going_on = begin(&options(), "a", true).unwrap();
        closed.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), kept);
        going_on.finish().unwrap();
        assert!(!path.exists());
        for text in ["my diary", "my diary\n", "{}\n"] {
            fs::write(&path, text).unwrap();
            for resume in [true, false] {
                let refused = begin(&options(), "a", resume);
                assert!(matches!(refused, Err(JournalError::NoJournal(_))), "{text:?}");
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::remove_file(&path).unwrap();
    }
}

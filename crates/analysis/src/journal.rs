//! A file in which results are stored one by one, so that an interrupted run can be resumed.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Finding, Options};

/// Why a journal cannot be used.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use tsumero_analysis::{Budget, Journal, JournalError, Options};
/// let evaluation = "internal".to_owned();
/// let budget = Budget::Nodes(100);
/// let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 1, evaluation };
/// let path = Path::new("no/such/folder/journal");
/// let failure = match Journal::begin(path, &options, Vec::new(), true) {
///     Ok(_) => "none".to_owned(),
///     Err(JournalError::Io(path, error)) => format!("{}: {:?}", path.display(), error.kind()),
///     Err(JournalError::OtherRun(path)) => format!("{}: delete it first", path.display()),
/// };
/// assert_eq!(failure, "no/such/folder/journal: NotFound");
/// ```
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
    /// The file belongs to another run.
    #[error("{}: it was begun with other options or for another file", .0.display())]
    OtherRun(PathBuf),
}

/// The first line.
#[derive(PartialEq, Serialize, Deserialize)]
struct Head {
    options: Options,
    /// The games as USI lines.
    games: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    game: usize,
    ply: usize,
    finding: Finding,
}

/// The results by game and ply. Each is written to the file before the next search begins.
///
/// ```
/// use tsumero_analysis::{Budget, Finding, FoundLine, Journal, JournalError, Options, Value};
/// let folder = std::env::temp_dir().join(format!("tsumero-example-run-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let path = folder.join("journal");
/// let (budget, evaluation) = (Budget::Nodes(100), "internal".to_owned());
/// let options = Options { budget, threads: 1, multi_pv: 1, hash_mb: 1, evaluation };
/// let begin = |options| Journal::begin(&path, options, vec!["startpos".to_owned()], true);
/// let line = FoundLine { value: Value::Cp(30), depth: 3, seldepth: 4, pv: Vec::new() };
/// let finding = Finding { lines: vec![line], nodes: 100, time_ms: 1, missed_mate: None };
/// begin(&options)?.add(0, 0, finding.clone())?;
/// // The next run finds the result again, if its options are the same.
/// let journal = begin(&options)?;
/// assert_eq!((journal.len(), journal.get(0, 0)), (1, Some(&finding)));
/// let other = Options { multi_pv: 2, ..options.clone() };
/// assert!(matches!(begin(&other), Err(JournalError::OtherRun(_))));
/// journal.finish()?;
/// std::fs::remove_dir(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Journal {
    path: PathBuf,
    file: File,
    known: HashMap<(usize, usize), Finding>,
}

impl Journal {
    /// Begins a journal. With `resume`, the results of an earlier run with the same options and
    /// games are kept, and an incomplete last line is cut off.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or belongs to another run.
    pub fn begin(
        path: &Path,
        options: &Options,
        games: Vec<String>,
        resume: bool,
    ) -> Result<Journal, JournalError> {
        let io_error = |error| JournalError::Io(path.to_owned(), error);
        let head = Head { options: options.clone(), games };
        let mut known = HashMap::new();
        let mut kept = serde_json::to_string(&head).map_err(|e| io_error(e.into()))? + "\n";
        let old = match fs::read_to_string(path) {
            Ok(old) if resume => old,
            Ok(_) => String::new(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(io_error(error)),
        };
        let mut lines = old.lines();
        if let Some(first) = lines.next() {
            if serde_json::from_str::<Head>(first).ok().as_ref() != Some(&head) {
                return Err(JournalError::OtherRun(path.to_owned()));
            }
            for line in lines {
                let Ok(entry) = serde_json::from_str::<Entry>(line) else { break };
                kept += line;
                kept.push('\n');
                known.insert((entry.game, entry.ply), entry.finding);
            }
        }
        fs::write(path, kept).map_err(io_error)?;
        let file = OpenOptions::new().append(true).open(path).map_err(io_error)?;
        Ok(Journal { path: path.to_owned(), file, known })
    }

    /// The result for a position, if it has been searched.
    pub fn get(&self, game: usize, ply: usize) -> Option<&Finding> {
        self.known.get(&(game, ply))
    }

    /// The number of positions that were searched.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no position has been searched.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Stores a result.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, game: usize, ply: usize, finding: Finding) -> Result<(), JournalError> {
        let io_error = |error| JournalError::Io(self.path.clone(), error);
        let entry = Entry { game, ply, finding };
        let line = serde_json::to_string(&entry).map_err(|error| io_error(error.into()))? + "\n";
        self.file.write_all(line.as_bytes()).map_err(io_error)?;
        self.known.insert((game, ply), entry.finding);
        Ok(())
    }

    /// Ends the run and deletes the file.
    ///
    /// # Errors
    ///
    /// The file cannot be deleted.
    pub fn finish(self) -> Result<(), JournalError> {
        drop(self.file);
        fs::remove_file(&self.path).map_err(|error| JournalError::Io(self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, FoundLine, Value};

    #[test]
    fn what_was_found_survives_a_broken_end() {
        let path = std::env::temp_dir().join(format!("tsumero-journal-{}", std::process::id()));
        let options = Options {
            budget: Budget::Nodes(7),
            threads: 1,
            multi_pv: 1,
            hash_mb: 1,
            evaluation: "by hand".to_owned(),
        };
        let line =
            FoundLine { value: Value::Cp(3), depth: 2, seldepth: 3, pv: vec!["7g7f".to_owned()] };
        let finding = Finding { lines: vec![line], nodes: 7, time_ms: 1, missed_mate: None };
        let begin = |options: &Options, game: &str, resume| {
            Journal::begin(&path, options, vec![game.to_owned()], resume)
        };
        let mut journal = begin(&options, "a", true).unwrap();
        assert!(journal.is_empty());
        journal.add(0, 0, finding.clone()).unwrap();
        journal.add(0, 1, finding.clone()).unwrap();
        drop(journal);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 9]).unwrap();
        let mut journal = begin(&options, "a", true).unwrap();
        assert_eq!((journal.len(), journal.get(0, 0)), (1, Some(&finding)));
        journal.add(0, 1, finding.clone()).unwrap();
        drop(journal);
        assert_eq!(begin(&options, "a", true).unwrap().len(), 2);
        let other = Options { multi_pv: 2, ..options.clone() };
        assert!(matches!(begin(&other, "a", true), Err(JournalError::OtherRun(_))));
        assert!(matches!(begin(&options, "b", true), Err(JournalError::OtherRun(_))));
        assert!(begin(&options, "b", false).unwrap().is_empty());
        begin(&options, "b", true).unwrap().finish().unwrap();
        assert!(!path.exists());
    }
}

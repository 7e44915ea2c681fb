//! The journals that keep the results of a run until its outputs are written.

use std::io;

use tsumero_analysis::{Answer, Journal, JournalError, Options, Place, Study, Task};
use tsumero_record::Format;

use super::Analyze;
use super::end::End;
use super::outputs::Input;
use crate::{Failure, tell};

impl Analyze {
    /// The journal of a file; `None` if none can be written and no output is asked for.
    pub(super) fn begin_journal(
        &self,
        input: &Input,
        options: &Options,
    ) -> Result<Option<Journal>, End> {
        match Journal::begin(&input.output("partial"), options, self.lines_of(input), self.resume) {
            Ok(journal) => Ok(Some(journal)),
            Err(error) if self.goes_without_journal(input, &error) => {
                tell(format_args!("{error}; if this run is interrupted, it has to start over"));
                Ok(None)
            }
            Err(error) => Err(journal_failure(error).into()),
        }
    }

    /// Whether a run may do without a journal: where nothing can be written, such as on a disc,
    /// results can still be printed. Several processes may read standard input in one folder.
    pub(super) fn goes_without_journal(&self, input: &Input, error: &JournalError) -> bool {
        let JournalError::Io(_, error) = error else { return false };
        let is_busy = error.kind() == io::ErrorKind::ResourceBusy;
        !self.writes_files() && !self.resume && (!is_busy || input.name == "-")
    }

    /// The games as a journal identifies them.
    pub(super) fn lines_of(&self, input: &Input) -> Vec<String> {
        let games = input.games.iter().map(|(number, game)| {
            let line = tsumero_record::write(std::slice::from_ref(game), Format::Usi);
            let branches = Study::new(game, self.branches).branch_lines();
            let branches = branches.iter().map(|branch| format!(" | {branch}"));
            format!("{number} {}{}", line.trim_end(), branches.collect::<String>())
        });
        games.collect()
    }
}

/// A journal, if there is one.
pub(super) struct Kept {
    pub(super) journal: Option<Journal>,
}

impl Kept {
    pub(super) fn get(&self, game: usize, place: Place, task: &Task) -> Option<&Answer> {
        self.journal.as_ref()?.get(game, place, task)
    }

    pub(super) fn add(
        &mut self,
        game: usize,
        place: Place,
        answer: &Answer,
    ) -> Result<(), JournalError> {
        match &mut self.journal {
            Some(journal) => journal.add(game, place, answer.clone()),
            None => Ok(()),
        }
    }
}

/// What the user is told about a journal that cannot be used.
pub(super) fn journal_failure(error: JournalError) -> Failure {
    let refuse = |path, reason: &str| {
        Failure::Write(path, io::Error::new(io::ErrorKind::InvalidInput, reason))
    };
    match error {
        JournalError::Io(path, error) => Failure::Write(path, error),
        JournalError::OtherRun(path) => {
            let reason = "it was begun with other options or for another file: to begin anew, \
                          delete it and leave --resume out";
            refuse(path, reason)
        }
        JournalError::Unfinished(path, count) => {
            let reason = format!(
                "it has {count} results of an interrupted run: --resume goes on with them; to \
                 begin anew, delete it"
            );
            refuse(path, &reason)
        }
        JournalError::NoJournal(path) => {
            refuse(path, "here the results would be kept, but this is a file of something else")
        }
    }
}

//! The journals that keep the results of a run until its outputs are written.

use std::io;

use tsumero_analysis::{
    Answer, Budget, ClosedJournal, Difference, Journal, JournalError, Options, Place, Study, Task,
};
use tsumero_record::Format;

use super::Analyze;
use super::end::End;
use super::outputs::Input;
use crate::earlier::JOURNAL;
use crate::language::counted;
use crate::{Failure, tell};

impl Analyze {
    /// The journal of a file. It keeps nothing if nothing can be written and no file is asked for.
    pub(super) fn begin_journal(
        &self,
        input: &Input,
        options: &Options,
        journals: &mut Journals,
    ) -> Result<Kept, End> {
        match Journal::begin(&input.output(JOURNAL), options, self.lines_of(input), self.resume) {
            Ok(journal) => Ok(Kept(Some(journal))),
            Err(error) if self.goes_without_journal(input, &error) => {
                tell(format_args!("{error}; if this run is interrupted, it has to start over"));
                journals.lacks_one = true;
                Ok(Kept(None))
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

/// The results that are kept of a file, if there is a journal.
pub(super) struct Kept(Option<Journal>);

impl Kept {
    pub(super) fn get(&self, game: usize, place: Place, task: &Task) -> Option<&Answer> {
        self.0.as_ref()?.get(game, place, task)
    }

    pub(super) fn add(
        &mut self,
        game: usize,
        place: Place,
        answer: &Answer,
    ) -> Result<(), Failure> {
        match &mut self.0 {
            Some(journal) => journal.add(game, place, answer.clone()).map_err(journal_failure),
            None => Ok(()),
        }
    }
}

/// The journals of files that are analyzed, until everything is written.
#[derive(Default)]
pub(super) struct Journals {
    /// The first one stays locked until the end: it tells other processes that this run is still at
    /// work.
    first: Option<Journal>,
    /// All others are closed, because a process may open only so many files.
    closed: Vec<ClosedJournal>,
    /// Whether a file goes without one, so that the run cannot be resumed.
    lacks_one: bool,
}

impl Journals {
    /// Whether a resumed run would find all results so far.
    pub(super) fn are_complete(&self) -> bool {
        !self.lacks_one
    }

    pub(super) fn put(&mut self, kept: Kept) {
        match kept.0 {
            Some(journal) if self.first.is_none() => self.first = Some(journal),
            journal => self.closed.extend(journal.map(Journal::close)),
        }
    }

    /// Deletes them: nothing is left that could be resumed.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        for journal in self.closed.drain(..) {
            journal.finish().map_err(journal_failure)?;
        }
        self.first.take().map_or(Ok(()), Journal::finish).map_err(journal_failure)
    }
}

/// What the user is told about a journal that cannot be used.
pub(super) fn journal_failure(error: JournalError) -> Failure {
    let refuse = |path, reason: &str| {
        Failure::Write(path, io::Error::new(io::ErrorKind::InvalidInput, reason))
    };
    match error {
        JournalError::Io(path, error) => Failure::Write(path, error),
        JournalError::OtherRun(path, other) => {
            let other = match *other {
                Difference::Options { then, now } => format!("with {}", other_options(&then, &now)),
                Difference::Games => {
                    "for another file, or for other games or branches of it".to_owned()
                }
                Difference::Version => Difference::Version.to_string(),
            };
            let reason =
                format!("it was begun {other}: to begin anew, delete it and leave --resume out");
            refuse(path, &reason)
        }
        JournalError::Unfinished(path, count) => {
            let results = counted(count as u64, "result", "results");
            let reason = format!(
                "it has {results} of an interrupted run: --resume goes on from there; to begin anew, \
                 delete it"
            );
            refuse(path, &reason)
        }
        JournalError::NoJournal(path) => {
            refuse(path, "here the results would be kept, but this is a file of something else")
        }
    }
}

/// The options of an earlier run that differ, each with what it is now.
fn other_options(then: &Options, now: &Options) -> String {
    let [before, after] = [then, now].map(|options| {
        let budget = match options.budget {
            Budget::Time(milliseconds) => format!("--time {milliseconds}"),
            Budget::Nodes(nodes) => format!("--nodes {nodes}"),
            Budget::Depth(depth) => format!("--depth {depth}"),
        };
        [
            budget,
            format!("--threads {}", options.threads),
            format!("--multipv {}", options.multi_pv),
            format!("--hash {}", options.hash_mb),
            format!("the evaluation '{}'", options.evaluation),
        ]
    });
    let pairs = before.iter().zip(&after).filter(|(before, after)| before != after);
    pairs.map(|(before, after)| format!("{before} (now {after})")).collect::<Vec<_>>().join(", ")
}

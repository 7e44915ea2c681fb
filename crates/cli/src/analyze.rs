//! `tsumero analyze`.

mod indexes;
mod outputs;
mod searching;

use std::fs::{self, File};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use crossbeam_channel::bounded;
use serde::Serialize;
use tsumero_analysis::{
    Analyst, Answer, Budget, CommentStyle, GameReport, Journal, JournalError, Options, OutputKind,
    Place, Study, Task, annotate, csv, json_lines, page, table,
};
use tsumero_control::Signals;
use tsumero_files::Inputs;
use tsumero_record::{Format, visible_json};
use tsumero_usi::evaluation::LoadedEvaluation;

use super::eval::EvaluationArguments;
use super::input::is_standard;
use super::language::Lang;
use super::record::read_file;
use super::report::report;
use super::written::Written;
use super::{Failure, Outcome, large_stack, tell};
use indexes::Index;
use outputs::{Input, Targets, check, write};
use searching::{Progress, Searching, perform_tasks};

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(crate) struct Analyze {
    /// Game files (KIF, KI2, CSA, JKF, USI lines; `-` for standard input), or folders of them. In a
    /// folder, what this command has written is left out
    #[arg(required = true, value_name = "FILE|FOLDER")]
    files: Vec<PathBuf>,
    /// Time for each position [default: 1000]
    #[arg(long, value_name = "MS", group = "budget",
        value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Nodes for each position; with one thread the result is the same in every run
    #[arg(long, value_name = "N", group = "budget",
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position, in plies; with one thread the result is the same in every run
    #[arg(long, value_name = "N", group = "budget",
        value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Number of best lines for each position
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=593))]
    multipv: u16,
    /// Size of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// Resume an interrupted run. Without it, a new one begins, unless an interrupted one has left
    /// results
    #[arg(long)]
    resume: bool,
    /// Analyze the branches, too
    #[arg(long)]
    branches: bool,
    /// Analyze only the game of this number in each file, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Analyze nothing: print a JSON line for each game, with its file, number and positions
    #[arg(long, conflicts_with_all = ["out", "kif", "csa", "json", "csv", "html", "resume"])]
    list: bool,
    /// Language of the table, and first language of the page [default: that of the system]
    #[arg(long, value_enum)]
    lang: Option<Lang>,
    /// Folder for the output files (default: beside the game file); `-` for JSON on standard output.
    /// Only files of earlier analyses are replaced
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the game with comments from which ShogiHome and ShogiGUI draw the graph
    #[arg(long)]
    kif: bool,
    /// Write the main line with values and lines in comments
    #[arg(long)]
    csa: bool,
    /// Write a JSON line for each position
    #[arg(long)]
    json: bool,
    /// Write comma-separated values, with the names of columns in the language
    #[arg(long)]
    csv: bool,
    /// Write a page for a browser, and for each folder a page that lists its games
    #[arg(long)]
    html: bool,
}

/// Why a run ended early.
enum End {
    Stopped,
    Failed(Failure),
}

impl End {
    /// How to go on with the results that a run has kept, if it has.
    fn advice(&self) -> Option<String> {
        const GOES_ON: &str = "the same command with --resume goes on from here";
        match self {
            End::Stopped => Some(format!("stopped; {GOES_ON}")),
            End::Failed(Failure::OutputClosed) => {
                Some(format!("standard output is closed; {GOES_ON}"))
            }
            End::Failed(Failure::Write(..) | Failure::Output(_)) => Some(GOES_ON.to_owned()),
            End::Failed(Failure::Usage(..) | Failure::Input(..) | Failure::Threads(..)) => None,
        }
    }
}

impl From<Failure> for End {
    fn from(failure: Failure) -> End {
        End::Failed(failure)
    }
}

/// A game file, with the folder that was named, if it was found in one.
type Found = (PathBuf, Option<PathBuf>);

/// The extensions of game files, in small letters. Only these are read from a folder.
const ENDINGS: [&str; 9] = ["kif", "kifu", "ki2", "ki2u", "csa", "jkf", "sfen", "usi", "json"];

impl Analyze {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let to_stdout = self.out.as_deref().is_some_and(is_standard);
        if to_stdout && (!self.json || self.kif || self.csa || self.csv || self.html) {
            let reason = "standard output is for --json alone".to_owned();
            return Err(Failure::Usage("--out -", reason));
        }
        let evaluation = self.evaluation.read()?;
        let options = self.options(&evaluation);
        let (found, is_complete) = self.find_files()?;
        let files: Vec<PathBuf> = found.iter().map(|(file, _)| file.clone()).collect();
        let sources = Inputs::of(&files);
        let (inputs, mut outcome) = self.read_inputs(&found, &sources);
        if !is_complete {
            outcome = Outcome::BadInput;
        }
        if self.list {
            list(&inputs, self.branches, output)?;
            return Ok(outcome);
        }
        self.check(&inputs, &sources, &options)?;
        let has_games = inputs.iter().any(|input| !input.games.is_empty());
        if let Some(folder) = self.out.as_ref().filter(|_| !to_stdout && has_games) {
            fs::create_dir_all(folder).map_err(|error| Failure::Write(folder.clone(), error))?;
        }
        let signals = Arc::new(Signals::new());
        let stop = Arc::clone(&signals);
        // Without a handler, an interrupt ends the program at once. Nothing is lost in that case
        // either.
        let _ = ctrlc::set_handler(move || stop.stop());
        let result = std::thread::scope(|scope| {
            let (tasks, task_receiver) = bounded(1);
            let (answer_sender, answers) = bounded(1);
            let search = || {
                let evaluation_function = evaluation.evaluation_function.clone();
                let analyst = Analyst::new(options.clone(), evaluation_function);
                perform_tasks(analyst, task_receiver, answer_sender, &signals);
            };
            large_stack::spawn(scope, search).map_err(|error| Failure::Threads(1, error))?;
            self.analyze(&inputs, &sources, &options, &Searching { tasks, answers }, output)
        });
        if let Some(advice) = result.as_ref().err().and_then(End::advice) {
            tell(format_args!("{advice}"));
        }
        match result {
            Ok(()) => Ok(outcome),
            Err(End::Stopped) => Ok(Outcome::Stopped),
            Err(End::Failed(failure)) => Err(failure),
        }
    }

    fn options(&self, evaluation: &LoadedEvaluation) -> Options {
        let budget = match (self.time, self.nodes, self.depth) {
            (_, Some(nodes), _) => Budget::Nodes(nodes),
            (_, _, Some(depth)) => Budget::Depth(depth),
            (time, _, _) => Budget::Time(time.unwrap_or(1000)),
        };
        Options {
            budget,
            threads: usize::from(self.threads),
            multi_pv: usize::from(self.multipv),
            hash_mb: self.hash as usize,
            evaluation: evaluation.to_string(),
        }
    }

    /// Reads all files. Files that cannot be read are named on standard error.
    fn read_inputs(&self, files: &[Found], sources: &Inputs) -> (Vec<Input>, Outcome) {
        let mut outcome = Outcome::Done;
        let mut targets = Targets::new(sources, self.out_folder());
        self.indexes().iter().for_each(|index| targets.reserve(index.path()));
        let mut inputs = Vec::new();
        for (file, folder) in files {
            let Some(reading) = read_file(file) else {
                outcome = Outcome::BadInput;
                continue;
            };
            let mut games = Vec::new();
            let count = reading.games.len();
            if let Some(wanted) = self.game.filter(|&wanted| wanted as usize > count) {
                let file = file.display();
                tell(format_args!("{file}: there is no game {wanted}, the last one is {count}"));
                outcome = Outcome::BadInput;
            }
            for (index, game) in reading.games.into_iter().enumerate() {
                if self.game.is_some_and(|wanted| wanted as usize != index + 1) {
                    continue;
                }
                match report(file.display(), game) {
                    Ok(game) => games.push((index + 1, game)),
                    Err(_) => outcome = Outcome::BadInput,
                }
            }
            let numbers: Vec<usize> = games.iter().map(|(number, _)| *number).collect();
            let target = targets.choose(file, &numbers);
            let name = file.display().to_string();
            let folder = folder.clone();
            inputs.push(Input { name, folder, target, line_end: reading.line_end, games });
        }
        (inputs, outcome)
    }

    /// The folder for the outputs, if it is not that of each input.
    fn out_folder(&self) -> Option<&Path> {
        self.out.as_deref().filter(|folder| !is_standard(folder))
    }

    /// The indexes that are written, still empty: one for each folder, or one for all of them.
    fn indexes(&self) -> Vec<Index> {
        let folders = self.files.iter().filter(|path| self.html && path.is_dir());
        match self.out_folder() {
            Some(out) => {
                let folders: Vec<PathBuf> = folders.cloned().collect();
                let is_needed = !folders.is_empty();
                is_needed
                    .then(|| Index::new(folders, &out.join("index.html")))
                    .into_iter()
                    .collect()
            }
            None => {
                let beside = |path: &PathBuf| path.join("index.analysis.html");
                folders.map(|path| Index::new(vec![path.clone()], &beside(path))).collect()
            }
        }
    }

    /// The files named, and the game files of the folders named, in order. Also returns whether
    /// each folder has one.
    fn find_files(&self) -> Result<(Vec<Found>, bool), Failure> {
        let mut files = Vec::new();
        let mut is_complete = true;
        for path in &self.files {
            if !path.is_dir() {
                files.push((path.clone(), None));
                continue;
            }
            let failure = |error| Failure::Input(path.clone(), error);
            let mut found = Vec::new();
            let mut own = 0;
            for entry in fs::read_dir(path).map_err(failure)? {
                let file = entry.map_err(failure)?.path();
                let ending = file.extension().map(|e| e.to_string_lossy().to_lowercase());
                if !ending.is_some_and(|ending| ENDINGS.contains(&&*ending)) || !file.is_file() {
                    continue;
                }
                if is_own(&file) {
                    own += 1;
                } else {
                    found.push(file);
                }
            }
            if own > 0 {
                let folder = path.display();
                tell(format_args!("{folder}: {own} files of earlier analyses are left out"));
            }
            if found.is_empty() {
                tell(format_args!("{}: there is no game file in this folder", path.display()));
                is_complete = false;
            }
            found.sort();
            files.extend(found.into_iter().map(|file| (file, Some(path.clone()))));
        }
        Ok((files, is_complete))
    }

    /// Checks before the first search that everything can be written, and that no results of an
    /// earlier run are in the way.
    fn check(&self, inputs: &[Input], sources: &Inputs, options: &Options) -> Result<(), Failure> {
        for index in self.indexes() {
            check(sources, OutputKind::Index, index.path())?;
        }
        for input in inputs.iter().filter(|input| !input.games.is_empty()) {
            if self.writes_files() {
                if self.kif {
                    for (number, game) in &input.games {
                        check(sources, OutputKind::Kif, &input.kif(*number, game.clone()).0)?;
                    }
                }
                for (kind, ending) in self.single_outputs() {
                    check(sources, kind, &input.output(ending))?;
                }
            }
            let path = input.output("partial");
            match Journal::check(&path, options, self.lines_of(input), self.resume) {
                Err(error) if !self.goes_without_journal(input, &error) => {
                    return Err(journal_failure(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Analyzes all games and writes the outputs of each file when it is done.
    fn analyze(
        &self,
        inputs: &[Input],
        sources: &Inputs,
        options: &Options,
        searching: &Searching,
        output: &mut impl Write,
    ) -> Result<(), End> {
        let progress = Progress::new(inputs, self.branches);
        let mut indexes = self.indexes();
        let mut rough = 0;
        let mut written = Written::default();
        // The first journal stays locked until the end: it tells other processes that this run is
        // still at work. All others are closed, because a process may open only so many files.
        let mut first = None;
        let mut journals = Vec::new();
        let inputs: Vec<&Input> = inputs.iter().filter(|input| !input.games.is_empty()).collect();
        for (index, input) in inputs.iter().enumerate() {
            let journal = self.begin_journal(input, options)?;
            let mut journal = Kept { journal };
            let mut reports = Vec::new();
            for (number, game) in &input.games {
                let mut study = Study::new(game, self.branches);
                while let Some((place, task)) = study.next_task() {
                    // How many second looks there are is known only when they come.
                    progress.moves.inc_length(u64::from(matches!(task, Task::LookAgain(_))));
                    let answer = match journal.get(*number, place, &task) {
                        Some(answer) => answer.clone(),
                        None => {
                            let answer = searching.perform(task).ok_or(End::Stopped)?;
                            journal.add(*number, place, &answer).map_err(journal_failure)?;
                            answer
                        }
                    };
                    study.put(place, answer);
                    progress.moves.inc(1);
                }
                let is_timed = matches!(options.budget, Budget::Time(_));
                reports.push(GameReport::new(&input.name, *number, &study, !is_timed));
                progress.games.inc(1);
            }
            indexes.iter_mut().for_each(|index| index.add(input, &reports));
            rough += reports.iter().filter(|report| report.is_rough()).count();
            match self.write_outputs(input, sources, &reports, output, &mut written) {
                // Whoever reads has seen enough, and nothing is left to be done.
                Err(Failure::OutputClosed) if index + 1 == inputs.len() => {}
                result => result?,
            }
            match journal.journal {
                Some(journal) if first.is_none() => first = Some(journal),
                journal => journals.extend(journal.map(Journal::close)),
            }
        }
        for index in &indexes {
            index.write(sources, Lang::language(self.lang), &mut written)?;
        }
        if rough > 0 && self.writes_files() {
            tell(format_args!(
                "{rough} game{}: the budget is small, so notes are only a hint (rough)",
                if rough == 1 { "" } else { "s" }
            ));
        }
        // Until everything is done, a resumed run finds these results.
        match output.flush().map_err(Failure::from) {
            Ok(()) | Err(Failure::OutputClosed) => {}
            Err(failure) => return Err(failure.into()),
        }
        for journal in journals {
            journal.finish().map_err(journal_failure)?;
        }
        first.map_or(Ok(()), Journal::finish).map_err(journal_failure)?;
        written.tell();
        Ok(())
    }

    /// The journal of a file; `None` if none can be written and no output is asked for.
    fn begin_journal(&self, input: &Input, options: &Options) -> Result<Option<Journal>, End> {
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
    fn goes_without_journal(&self, input: &Input, error: &JournalError) -> bool {
        let JournalError::Io(_, error) = error else { return false };
        let is_busy = error.kind() == io::ErrorKind::ResourceBusy;
        !self.writes_files() && !self.resume && (!is_busy || input.name == "-")
    }

    fn writes_files(&self) -> bool {
        let to_stdout = self.out.is_some() && self.out_folder().is_none();
        !to_stdout && (self.kif || self.csa || self.json || self.csv || self.html)
    }

    fn write_outputs(
        &self,
        input: &Input,
        sources: &Inputs,
        reports: &[GameReport],
        output: &mut impl Write,
        written: &mut Written,
    ) -> Result<(), Failure> {
        let language = Lang::language(self.lang);
        if !self.writes_files() {
            for report in reports {
                let text = if self.json { json_lines(report) } else { table(report, language) };
                output.write_all(text.as_bytes())?;
            }
            return Ok(());
        }
        let annotated = |style| {
            input.games.iter().zip(reports).map(move |((number, game), report)| {
                let mut game = game.clone();
                annotate(&mut game, report, style);
                (*number, game)
            })
        };
        if self.kif {
            for (number, game) in annotated(CommentStyle::Guis) {
                let (path, bytes) = input.kif(number, game);
                write(sources, OutputKind::Kif, &path, &bytes, written)?;
            }
        }
        for (kind, ending) in self.single_outputs() {
            let bytes = match kind {
                OutputKind::Csa => {
                    let games = annotated(CommentStyle::Servers).map(|(_, game)| game);
                    input.csa(&games.collect::<Vec<_>>())
                }
                OutputKind::Json => reports.iter().map(json_lines).collect::<String>().into_bytes(),
                OutputKind::Csv => csv(reports, language).into_bytes(),
                _ => page(reports, language).into_bytes(),
            };
            write(sources, kind, &input.output(ending), &bytes, written)?;
        }
        Ok(())
    }

    /// The games as a journal identifies them.
    fn lines_of(&self, input: &Input) -> Vec<String> {
        let games = input.games.iter().map(|(number, game)| {
            let line = tsumero_record::write(std::slice::from_ref(game), Format::Usi);
            let branches = Study::new(game, self.branches).branch_lines();
            let branches = branches.iter().map(|branch| format!(" | {branch}"));
            format!("{number} {}{}", line.trim_end(), branches.collect::<String>())
        });
        games.collect()
    }

    /// The outputs that are one file for each input, with their extensions.
    fn single_outputs(&self) -> impl Iterator<Item = (OutputKind, &'static str)> {
        [
            (self.csa, OutputKind::Csa, "csa"),
            (self.json, OutputKind::Json, "json"),
            (self.csv, OutputKind::Csv, "csv"),
            (self.html, OutputKind::Html, "html"),
        ]
        .into_iter()
        .filter_map(|(is_wanted, kind, ending)| is_wanted.then_some((kind, ending)))
    }
}

/// Whether a file in a folder is an output of this command: by its name, or by what is in it.
fn is_own(file: &Path) -> bool {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if stem.is_some_and(|stem| stem.ends_with(".analysis")) {
        return true;
    }
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(1 << 26).read_to_end(&mut start));
    let kinds = [OutputKind::Kif, OutputKind::Csa, OutputKind::Json];
    read.is_ok() && kinds.iter().any(|kind| kind.is_ours(&start))
}

/// A game as `--list` shows it.
#[derive(Serialize)]
struct Listed<'a> {
    file: &'a str,
    game: usize,
    positions: usize,
}

/// Prints a line for each game.
fn list(inputs: &[Input], with_branches: bool, output: &mut impl Write) -> Result<(), Failure> {
    for input in inputs {
        for (number, game) in &input.games {
            let positions = Study::new(game, with_branches).positions();
            let listed = Listed { file: &input.name, game: *number, positions };
            let text = serde_json::to_string(&listed).expect("plain data has a JSON form");
            writeln!(output, "{}", visible_json(&text))?;
        }
    }
    Ok(())
}

/// A journal, if there is one.
struct Kept {
    journal: Option<Journal>,
}

impl Kept {
    fn get(&self, game: usize, place: Place, task: &Task) -> Option<&Answer> {
        self.journal.as_ref()?.get(game, place, task)
    }

    fn add(&mut self, game: usize, place: Place, answer: &Answer) -> Result<(), JournalError> {
        match &mut self.journal {
            Some(journal) => journal.add(game, place, answer.clone()),
            None => Ok(()),
        }
    }
}

fn journal_failure(error: JournalError) -> Failure {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_ends_a_run_that_keeps_results_they_are_mentioned() {
        let error = || io::Error::from(io::ErrorKind::StorageFull);
        for (end, keeps) in [
            (End::Stopped, true),
            (End::Failed(Failure::OutputClosed), true),
            (End::Failed(Failure::Output(error())), true),
            (End::Failed(Failure::Write(PathBuf::new(), error())), true),
            (End::Failed(Failure::Threads(1, error())), false),
        ] {
            assert_eq!(end.advice().is_some_and(|advice| advice.contains("--resume")), keeps);
        }
    }
}

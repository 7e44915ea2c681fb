//! `tsumero analyze`.

mod end;
mod indexes;
mod inputs;
mod journals;
mod list;
mod outputs;
mod searching;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use crossbeam_channel::bounded;
use tsumero_analysis::{Analyst, Budget, GameReport, Journal, Options, OutputKind, Study, Task};
use tsumero_control::Signals;
use tsumero_files::Inputs;
use tsumero_record::Game;
use tsumero_usi::evaluation::LoadedEvaluation;

use super::earlier::JOURNAL;
use super::eval::EvaluationArguments;
use super::input::is_standard;
use super::language::Lang;
use super::written::Written;
use super::{Failure, Outcome, large_stack, tell};
use crate::language::counted;
use end::End;
use journals::{Journals, Kept, journal_failure};
use list::list;
use outputs::{Input, check_ahead};
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
        let sources = Inputs::from_paths(&files);
        let (inputs, mut outcome) = self.read_inputs(&found, &sources);
        if !is_complete {
            outcome = Outcome::BadInput;
        }
        if self.list {
            list(&inputs, self.branches, output)?;
            return Ok(outcome);
        }
        let has_games = inputs.iter().any(|input| !input.games.is_empty());
        if let Some(folder) = self.out_folder().filter(|_| has_games) {
            fs::create_dir_all(folder).map_err(|error| Failure::Write(folder.to_owned(), error))?;
        }
        self.check(&inputs, &sources, &options)?;
        let signals = Arc::new(Signals::new());
        let stop = Arc::clone(&signals);
        // Without a handler, an interrupt ends the program at once. Nothing is lost in that case
        // either.
        let _ = ctrlc::set_handler(move || stop.stop());
        let mut journals = Journals::default();
        let result = std::thread::scope(|scope| {
            let (tasks, task_receiver) = bounded(1);
            let (answer_sender, answers) = bounded(1);
            let search = || {
                let evaluation_function = evaluation.evaluation_function.clone();
                let analyst = Analyst::new(options.clone(), evaluation_function);
                let (wanted, had) = (options.hash_mb, analyst.table_megabytes());
                if had < wanted {
                    tell(format_args!(
                        "--hash: no memory for {wanted} MB, so the table has {had} MB"
                    ));
                }
                perform_tasks(analyst, task_receiver, answer_sender, &signals);
            };
            large_stack::spawn(scope, search).map_err(|error| Failure::Threads(1, error))?;
            let searching = Searching { tasks, answers, for_stdout: !self.writes_files() };
            self.analyze(&inputs, &sources, &options, &searching, &mut journals, output)
                .inspect_err(|_| signals.stop())
        });
        if let Some(advice) =
            result.as_ref().err().and_then(|end| end.advice(journals.are_complete()))
        {
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
            evaluation: format!(
                "{evaluation}, {:016x}",
                evaluation.evaluation_function.fingerprint()
            ),
        }
    }

    /// Checks before the first search that everything can be written, and that no results of an
    /// earlier run are in the way.
    fn check(&self, inputs: &[Input], sources: &Inputs, options: &Options) -> Result<(), Failure> {
        for index in self.indexes().iter().filter(|index| index.has_games(inputs)) {
            check_ahead(sources, OutputKind::Index, index.path())?;
        }
        for input in inputs.iter().filter(|input| !input.games.is_empty()) {
            if self.writes_files() {
                if self.kif {
                    for (number, game) in &input.games {
                        check_ahead(sources, OutputKind::Kif, &input.kif(*number, game.clone()).0)?;
                    }
                }
                for kind in self.single_outputs() {
                    check_ahead(sources, kind, &input.output(kind.extension()))?;
                }
            }
            let path = input.output(JOURNAL);
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
        journals: &mut Journals,
        output: &mut impl Write,
    ) -> Result<(), End> {
        let progress = Progress::new(inputs, self.branches);
        let mut indexes = self.indexes();
        let mut rough = 0;
        let mut written = Written::default();
        let inputs: Vec<&Input> = inputs.iter().filter(|input| !input.games.is_empty()).collect();
        for (index, input) in inputs.iter().enumerate() {
            let mut kept = progress.above_bars(|| self.begin_journal(input, options, journals))?;
            let games = input.games.iter();
            let reports = games.map(|(number, game)| {
                let study = self.study(*number, game, searching, &mut kept, &progress)?;
                Ok(GameReport::new(&input.name, *number, &study, options.is_reproducible()))
            });
            let reports: Vec<GameReport> = reports.collect::<Result<_, End>>()?;
            indexes.iter_mut().for_each(|index| index.add(input, &reports));
            rough += reports.iter().filter(|report| report.is_rough()).count();
            let result = progress
                .above_bars(|| self.write_outputs(input, sources, &reports, output, &mut written));
            match result {
                // Whoever reads has seen enough, and nothing is left to be done.
                Err(Failure::OutputClosed) if index + 1 == inputs.len() => {}
                result => result?,
            }
            journals.put(kept);
        }
        progress.finish();
        for index in &indexes {
            index.write(sources, Lang::language(self.lang), &mut written)?;
        }
        if rough > 0 && self.writes_files() {
            let games = counted(rough as u64, "game", "games");
            tell(format_args!("{games}: the budget is small, so notes are only a hint (rough)"));
        }
        // Until everything is done, a resumed run finds these results.
        match output.flush().map_err(Failure::from) {
            Ok(()) | Err(Failure::OutputClosed) => {}
            Err(failure) => return Err(failure.into()),
        }
        journals.finish()?;
        written.tell();
        Ok(())
    }

    /// Analyzes a game with the results that are kept of it, and keeps the new ones.
    fn study<'a>(
        &self,
        number: usize,
        game: &'a Game,
        searching: &Searching,
        kept: &mut Kept,
        progress: &Progress,
    ) -> Result<Study<'a>, End> {
        let mut study = Study::new(game, self.branches);
        while let Some((place, task)) = study.next_task() {
            // How many second looks there are is known only when they come.
            progress.moves.inc_length(u64::from(matches!(task, Task::LookAgain(_))));
            let answer = match kept.get(number, place, &task) {
                Some(answer) => answer.clone(),
                None => {
                    let answer = searching.perform(task)?;
                    kept.add(number, place, &answer)?;
                    answer
                }
            };
            study.put(place, answer);
            progress.moves.inc(1);
        }
        progress.games.inc(1);
        Ok(study)
    }
}

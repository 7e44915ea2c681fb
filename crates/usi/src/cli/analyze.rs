//! `tsumero analyze`.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use crossbeam_channel::{Receiver, Sender, bounded};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde::Serialize;
use tsumero_analysis::{
    Analyst, Budget, CommentStyle, Finding, GameReport, Journal, JournalError, Options, annotate,
    csv, json_lines, page, table,
};
use tsumero_control::Signals;
use tsumero_core::{Move, Position};
use tsumero_record::{Encoding, Format, Game, LineEnd, encode};
use tsumero_search::EvaluationFunction;

use super::eval::EvaluationArguments;
use super::language::Lang;
use super::record::read_file;
use super::{Failure, Outcome, tell};
use crate::evaluation::LoadedEvaluation;
use crate::search_thread::STACK;

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub struct Analyze {
    /// Game files (KIF, KI2, CSA, JKF, USI lines; `-` for standard input), or folders of them
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
    /// Resume an interrupted run; without it, a new one begins
    #[arg(long)]
    resume: bool,
    /// Analyze only the game of this number in each file, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Analyze nothing: print a JSON line for each game, with its file, number and positions
    #[arg(long, conflicts_with_all = ["out", "kif", "csa", "json", "csv", "html", "resume"])]
    list: bool,
    /// Language of the table, and first language of the page [default: that of the system]
    #[arg(long, value_enum)]
    lang: Option<Lang>,
    /// Folder for the output files (default: beside the game file); `-` for JSON on standard output
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
    /// Write comma-separated values
    #[arg(long)]
    csv: bool,
    /// Write a page for a browser
    #[arg(long)]
    html: bool,
}

/// A game file that was read.
struct Input {
    /// Its name on the command line.
    name: String,
    /// The path of its outputs, without their extension.
    target: PathBuf,
    line_end: LineEnd,
    /// The games that could be read, with their numbers in the file.
    games: Vec<(usize, Game)>,
}

impl Input {
    fn output(&self, kind: &str) -> PathBuf {
        let mut name = self.target.clone().into_os_string();
        name.push(".");
        name.push(kind);
        name.into()
    }
}

/// The searching thread: it receives positions and returns results.
struct Searching {
    tasks: Sender<(Position, Option<Move>)>,
    findings: Receiver<Option<Finding>>,
}

impl Searching {
    /// The result for a position; `None` if the search was stopped.
    fn find(&self, position: Position, played: Option<Move>) -> Option<Finding> {
        self.tasks.send((position, played)).ok()?;
        self.findings.recv().ok()?
    }
}

fn search_positions(
    options: Options,
    evaluation_function: EvaluationFunction,
    tasks: Receiver<(Position, Option<Move>)>,
    findings: Sender<Option<Finding>>,
    signals: &Signals,
) {
    let mut analyst = Analyst::new(options, evaluation_function);
    for (position, played) in tasks {
        if position.moves_played() == 0 {
            analyst.new_game();
        }
        if findings.send(analyst.analyze(&position, played, signals)).is_err() {
            return;
        }
    }
}

/// Why a run ended early.
enum End {
    Stopped,
    Failed(Failure),
}

impl From<Failure> for End {
    fn from(failure: Failure) -> End {
        End::Failed(failure)
    }
}

/// The extensions of game files, in small letters. Only these are read from a folder.
const ENDINGS: [&str; 9] = ["kif", "kifu", "ki2", "ki2u", "csa", "jkf", "sfen", "usi", "json"];

impl Analyze {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let to_stdout = self.out.as_deref().is_some_and(|out| out.as_os_str() == "-");
        if to_stdout && (!self.json || self.kif || self.csa || self.csv || self.html) {
            let reason = io::Error::other("standard output is for --json alone");
            return Err(Failure::Input("--out -".to_owned(), reason));
        }
        let evaluator = self.evaluation.read()?;
        let options = self.options(&evaluator);
        let (inputs, mut outcome) = self.read_inputs()?;
        if self.list {
            list(&inputs, output)?;
            return Ok(outcome);
        }
        if let Some(folder) = self.out.as_ref().filter(|_| !to_stdout) {
            fs::create_dir_all(folder)
                .map_err(|error| Failure::Input(folder.display().to_string(), error))?;
        }
        let signals = Arc::new(Signals::new());
        let stop = Arc::clone(&signals);
        // Without a handler, an interrupt ends the program at once. Nothing is lost in that case
        // either.
        let _ = ctrlc::set_handler(move || stop.stop());
        let result = std::thread::scope(|scope| {
            let (tasks, task_receiver) = bounded(1);
            let (finding_sender, findings) = bounded(1);
            let search = || {
                let evaluation_function = evaluator.evaluation_function.clone();
                search_positions(
                    options.clone(),
                    evaluation_function,
                    task_receiver,
                    finding_sender,
                    &signals,
                );
            };
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, search)
                .expect("the system must have room for a thread at the start");
            self.analyze(&inputs, &options, &Searching { tasks, findings }, output)
        });
        match result {
            Ok(()) => {}
            Err(End::Failed(failure)) => return Err(failure),
            Err(End::Stopped) => {
                tell(format_args!("stopped; the same command with --resume goes on from here"));
                outcome = Outcome::Stopped;
            }
        }
        Ok(outcome)
    }

    fn options(&self, evaluator: &LoadedEvaluation) -> Options {
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
            evaluation: evaluator.to_string(),
        }
    }

    /// Reads all files. Files that cannot be read are named on standard error.
    fn read_inputs(&self) -> Result<(Vec<Input>, Outcome), Failure> {
        let mut outcome = Outcome::Done;
        let files = self.find_files()?;
        let sources: HashSet<PathBuf> =
            files.iter().filter_map(|file| fs::canonicalize(file).ok()).collect();
        let mut targets = HashSet::new();
        let mut inputs = Vec::new();
        for file in files {
            let Some(reading) = read_file(&file) else {
                outcome = Outcome::BadInput;
                continue;
            };
            let mut games = Vec::new();
            for (index, game) in reading.games.into_iter().enumerate() {
                if self.game.is_some_and(|wanted| wanted as usize != index + 1) {
                    continue;
                }
                match game {
                    Ok(game) => games.push((index + 1, game)),
                    Err(bad) => {
                        tell(format_args!("{}:{bad}", file.display()));
                        outcome = Outcome::BadInput;
                    }
                }
            }
            let target = self.target(&file, &sources, &mut targets);
            let name = file.display().to_string();
            inputs.push(Input { name, target, line_end: reading.line_end, games });
        }
        Ok((inputs, outcome))
    }

    /// The files named, and the game files of the folders named, in order.
    fn find_files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.files {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let failure = |error| Failure::Input(path.display().to_string(), error);
            let mut found = Vec::new();
            for entry in fs::read_dir(path).map_err(failure)? {
                let file = entry.map_err(failure)?.path();
                let ending = file.extension().map(|e| e.to_string_lossy().to_lowercase());
                let is_game = ending.is_some_and(|ending| ENDINGS.contains(&&*ending));
                let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let is_own = stem.is_some_and(|stem| stem.ends_with(".analysis"));
                if is_game && !is_own && file.is_file() {
                    found.push(file);
                }
            }
            found.sort();
            files.append(&mut found);
        }
        Ok(files)
    }

    /// The path of a file's outputs, without their extension. It never collides with an input or
    /// another file's output.
    fn target(
        &self,
        file: &Path,
        sources: &HashSet<PathBuf>,
        targets: &mut HashSet<PathBuf>,
    ) -> PathBuf {
        let is_stdin = file.as_os_str() == "-";
        let part = |part: Option<&std::ffi::OsStr>| match part {
            Some(part) if !is_stdin => part.to_string_lossy().into_owned(),
            _ => "stdin".to_owned(),
        };
        let (stem, name) = (part(file.file_stem()), part(file.file_name()));
        let folder = match &self.out {
            Some(folder) if folder.as_os_str() != "-" => Some(folder.clone()),
            _ => None,
        };
        let beside = file.parent().filter(|_| !is_stdin).map(Path::to_owned).unwrap_or_default();
        let candidates = match folder {
            Some(folder) => [
                folder.join(&stem),
                folder.join(format!("{stem}.analysis")),
                folder.join(format!("{name}.analysis")),
            ],
            None => [
                beside.join(format!("{stem}.analysis")),
                beside.join(format!("{name}.analysis")),
                beside.join(format!("{name}.tsumero.analysis")),
            ],
        };
        let is_free = |target: &PathBuf| {
            let kinds = ["kif", "kifu", "csa", "json", "csv", "html"].iter();
            let mut paths = kinds.map(|kind| PathBuf::from(format!("{}.{kind}", target.display())));
            let over_input =
                paths.any(|path| fs::canonicalize(path).is_ok_and(|path| sources.contains(&path)));
            !over_input && !targets.contains(target)
        };
        let target = candidates.iter().find(|target| is_free(target)).unwrap_or(&candidates[2]);
        targets.insert(target.clone());
        target.clone()
    }

    /// Analyzes all games and writes the outputs of each file when it is done.
    fn analyze(
        &self,
        inputs: &[Input],
        options: &Options,
        searching: &Searching,
        output: &mut impl Write,
    ) -> Result<(), End> {
        let progress = Progress::new(inputs);
        let mut journals = Vec::new();
        for input in inputs {
            let journal = self.begin_journal(input, options)?;
            let mut journal = Kept { journal };
            let mut reports = Vec::new();
            for (number, game) in &input.games {
                let mut findings = Vec::new();
                for (ply, (position, played)) in GameReport::positions_of(game).enumerate() {
                    let finding = match journal.get(*number, ply) {
                        Some(finding) => finding.clone(),
                        None => {
                            let finding = searching.find(position, played).ok_or(End::Stopped)?;
                            journal.add(*number, ply, &finding).map_err(journal_failure)?;
                            finding
                        }
                    };
                    findings.push(finding);
                    progress.moves.inc(1);
                }
                let is_timed = matches!(options.budget, Budget::Time(_));
                reports.push(GameReport::new(&input.name, *number, game, findings, !is_timed));
                progress.games.inc(1);
            }
            self.write_outputs(input, &reports, output)?;
            journals.extend(journal.journal);
        }
        // Until everything is done, a resumed run finds these results.
        for journal in journals {
            journal.finish().map_err(journal_failure)?;
        }
        Ok(())
    }

    /// The journal of a file; `None` if none can be written and no output is asked for.
    fn begin_journal(&self, input: &Input, options: &Options) -> Result<Option<Journal>, End> {
        let games = input.games.iter().map(|(number, game)| {
            let line = tsumero_record::write(std::slice::from_ref(game), Format::Usi);
            format!("{number} {}", line.trim_end())
        });
        let path = input.output("partial");
        match Journal::begin(&path, options, games.collect(), self.resume) {
            Ok(journal) => Ok(Some(journal)),
            Err(JournalError::Io(path, error)) if !self.writes_files() && !self.resume => {
                tell(format_args!("{}: {error}; a broken off run cannot go on", path.display()));
                Ok(None)
            }
            Err(error) => Err(journal_failure(error).into()),
        }
    }

    fn writes_files(&self) -> bool {
        let to_stdout = self.out.as_deref().is_some_and(|out| out.as_os_str() == "-");
        !to_stdout && (self.kif || self.csa || self.json || self.csv || self.html)
    }

    fn write_outputs(
        &self,
        input: &Input,
        reports: &[GameReport],
        output: &mut impl Write,
    ) -> Result<(), Failure> {
        if reports.is_empty() {
            return Ok(());
        }
        if !self.writes_files() {
            for report in reports {
                let text = match self.json {
                    true => json_lines(report),
                    false => table(report, Lang::language(self.lang)),
                };
                output.write_all(text.as_bytes())?;
            }
            return Ok(());
        }
        let utf8 = Encoding::Utf8 { bom: false };
        let write = |path: PathBuf, bytes: &[u8]| {
            fs::write(&path, bytes)
                .map_err(|error| Failure::Input(path.display().to_string(), error))
        };
        if self.kif {
            for ((number, game), report) in input.games.iter().zip(reports) {
                let mut game = game.clone();
                annotate(&mut game, report, CommentStyle::Guis);
                let text = tsumero_record::write(&[game], Format::Kif);
                // A KIF contains one game. Its extension tells its encoding.
                let several =
                    if input.games.len() > 1 { format!("-{number}") } else { String::new() };
                let path = |kind: &str| {
                    PathBuf::from(format!("{}{several}.{kind}", input.target.display()))
                };
                match encode(&text, Encoding::ShiftJis, input.line_end) {
                    Some(bytes) => write(path("kif"), &bytes)?,
                    None => {
                        let bytes = encode(&text, utf8, input.line_end).unwrap_or_default();
                        write(path("kifu"), &bytes)?;
                    }
                }
            }
        }
        if self.csa {
            let annotated = input.games.iter().zip(reports).map(|((_, game), report)| {
                let mut game = game.clone();
                annotate(&mut game, report, CommentStyle::Servers);
                game
            });
            let text = tsumero_record::write(&annotated.collect::<Vec<_>>(), Format::Csa);
            let bytes = encode(&text, utf8, input.line_end).unwrap_or_default();
            write(input.output("csa"), &bytes)?;
        }
        if self.json {
            let lines: String = reports.iter().map(json_lines).collect();
            write(input.output("json"), lines.as_bytes())?;
        }
        if self.csv {
            write(input.output("csv"), csv(reports).as_bytes())?;
        }
        if self.html {
            write(input.output("html"), page(reports, Lang::language(self.lang)).as_bytes())?;
        }
        Ok(())
    }
}

/// A game as `--list` shows it.
#[derive(Serialize)]
struct Listed<'a> {
    file: &'a str,
    game: usize,
    positions: usize,
}

/// Prints a line for each game.
fn list(inputs: &[Input], output: &mut impl Write) -> Result<(), Failure> {
    for input in inputs {
        for (number, game) in &input.games {
            let positions = game.moves().count() + 1;
            let listed = Listed { file: &input.name, game: *number, positions };
            let text = serde_json::to_string(&listed).expect("plain data has a JSON form");
            writeln!(output, "{text}")?;
        }
    }
    Ok(())
}

/// A journal, if there is one.
struct Kept {
    journal: Option<Journal>,
}

impl Kept {
    fn get(&self, game: usize, ply: usize) -> Option<&Finding> {
        self.journal.as_ref()?.get(game, ply)
    }

    fn add(&mut self, game: usize, ply: usize, finding: &Finding) -> Result<(), JournalError> {
        match &mut self.journal {
            Some(journal) => journal.add(game, ply, finding.clone()),
            None => Ok(()),
        }
    }
}

fn journal_failure(error: JournalError) -> Failure {
    match error {
        JournalError::Io(path, error) => Failure::Input(path.display().to_string(), error),
        JournalError::OtherRun(path) => {
            let reason = "it was begun with other options or for another file: leave --resume out";
            Failure::Input(path.display().to_string(), io::Error::other(reason))
        }
    }
}

/// Progress bars for games and moves, shown only on a terminal.
struct Progress {
    games: ProgressBar,
    moves: ProgressBar,
}

impl Progress {
    fn new(inputs: &[Input]) -> Progress {
        let games: usize = inputs.iter().map(|input| input.games.len()).sum();
        let moves = inputs.iter().flat_map(|input| &input.games);
        let moves: usize = moves.map(|(_, game)| game.moves().count() + 1).sum();
        // It draws on standard error, and only if that is a terminal.
        let bars = MultiProgress::new();
        let bar = |length: usize, template: &str| {
            let bar = bars.add(ProgressBar::new(length as u64));
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.expect("the template is well formed"));
            bar
        };
        Progress {
            games: bar(games, "games     {bar:40} {pos}/{len}"),
            moves: bar(moves, "positions {bar:40} {pos}/{len}  {eta_precise} left"),
        }
    }
}

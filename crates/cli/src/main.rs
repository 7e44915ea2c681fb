//! The `tsumero` program: a USI engine without arguments, and tools as subcommands.
//!
//! Each subcommand reads a file or standard input. Results go to standard output, everything else to
//! standard error. Exit codes: 0 done; 1 done, but some input was bad or something went wrong; 2
//! wrong usage, or more threads than the system has room for.

#![forbid(unsafe_code)]

mod analyze;
mod bench;
mod book;
mod earlier;
mod eval;
mod input;
mod japanese;
mod language;
mod large_stack;
mod mate;
mod moves;
mod ordered_pool;
mod output;
mod perft;
mod problems;
mod quantum;
mod record;
mod report;
mod shell;
mod tsume;
mod validate;
mod version;
mod written;

use std::env;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use tsumero_files::is_wrong_name;
use tsumero_record::visible;
use tsumero_usi::UsiError;

use language::{Language, counted};
use output::Output;

fn main() -> ExitCode {
    // Many GUIs open a pipe for standard error and never read it. An engine that logs without being
    // asked would stop when the pipe is full.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    tsumero_platform::file_size::report_limit_as_error();
    let mut command = match language::Lang::language(None) {
        Language::English => Arguments::command(),
        Language::Japanese => japanese::translated(Arguments::command()),
    };
    let arguments = command
        .try_get_matches_from_mut(wild::args_os())
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(mut error) if error.use_stderr() => {
            hint_at_file(&mut error, &command);
            error.exit()
        }
        // The help that was asked for.
        Err(help) => return exit_code(|_| Ok(help.print().map(|()| Outcome::Done)?)),
    };
    match arguments.command {
        _ if arguments.version => exit_code(version::print),
        Some(command) => exit_code(|output| command.run(output)),
        None => {
            // A GUI speaks through pipes. Whoever types wants to know what the program waits for.
            if io::stdin().is_terminal() {
                tell(format_args!("{}", greeting(language::Lang::language(None))));
            }
            match tsumero_usi::run_usi() {
                Ok(()) => ExitCode::SUCCESS,
                Err(UsiError::Output(error)) => ExitCode::from(code_of(Failure::from(error))),
                Err(error @ UsiError::Threads(_)) => {
                    // If nobody reads this, the exit code says it.
                    tell(format_args!("error: {error}"));
                    ExitCode::from(2)
                }
            }
        }
    }
}

/// Adds a hint to the error about a file that is named without the option for it.
fn hint_at_file(error: &mut clap::Error, command: &clap::Command) {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidArg) else { return };
    if error.kind() != ErrorKind::UnknownArgument || name.starts_with('-') {
        return;
    }
    let mut command = command;
    for word in env::args_os().skip(1) {
        let Some(named) = command.find_subcommand(word) else { break };
        command = named;
    }
    if command.get_arguments().any(|argument| argument.get_long() == Some("file")) {
        let hint = format!("a file is named by an option: '--file {name}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
}

/// The line for somebody who starts the engine in a terminal.
fn greeting(language: Language) -> &'static str {
    match language {
        Language::English => {
            "Tsumero waits for USI commands from a GUI; 'quit' ends it, 'tsumero --help' lists its tools"
        }
        Language::Japanese => {
            "Tsumero は将棋 GUI からの USI コマンドを待っています（終了は quit、使い方は tsumero --help）"
        }
    }
}

/// Tsumero, a shogi engine that speaks USI. Without a subcommand it waits for a GUI on standard
/// input.
#[derive(Debug, Parser)]
#[command(name = "tsumero", bin_name = "tsumero", version, disable_version_flag = true)]
struct Arguments {
    /// Print version, commit, instructions and evaluation
    #[arg(short = 'V', long)]
    version: bool,
    /// The subcommand; none for USI.
    #[command(subcommand)]
    command: Option<Command>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum Command {
    /// Search a fixed list of positions; with one thread the node count is the signature of the
    /// search
    Bench(bench::Bench),
    /// Count the legal lines of a given length
    Perft(perft::Perft),
    /// List all legal moves of a position, sorted
    Moves(moves::Moves),
    /// Check whether moves are legal, and name the rule that an illegal move breaks
    Validate(validate::Validate),
    /// Find a mate in one for each position
    Mate1(mate::MateInOne),
    /// Find a forced mate for each position
    Mate(mate::Mate),
    /// Evaluate positions without a search
    Eval(eval::Eval),
    /// Make mate problems, or check whether they are sound
    #[command(subcommand)]
    Tsume(tsume::Tsume),
    /// Read game files, and write them in other formats
    Record(record::Record),
    /// Analyze the games of files: values, best lines, mistakes, missed mates
    Analyze(analyze::Analyze),
    /// Make opening books from games and analyses, and show their entries
    #[command(subcommand)]
    Book(book::BookTools),
    /// Quantum shogi: count, list, converge, play
    #[command(subcommand)]
    Quantum(quantum::QuantumTools),
    /// Print completions for a shell
    #[command(hide = true)]
    Completions(shell::Completions),
    /// Print the manual page, or write the pages of all subcommands
    #[command(hide = true)]
    Man(shell::Manual),
}

/// Why a subcommand ended early.
#[derive(Debug)]
enum Failure {
    /// Nobody reads the results any more. This is not an error.
    OutputClosed,
    /// The results cannot be written.
    Output(io::Error),
    /// An option does not go with the others, or its value is impossible.
    Usage(&'static str, String),
    /// A file named on the command line cannot be read.
    Input(PathBuf, io::Error),
    /// A file cannot be written, or must not be.
    Write(PathBuf, io::Error),
    /// The system has no room for so many threads.
    Threads(usize, io::Error),
}

impl From<io::Error> for Failure {
    /// An error of standard output. Errors of the input contain the file's name.
    fn from(error: io::Error) -> Failure {
        // Windows has several error codes for it. The standard library does not know all of them.
        let pipe_not_connected = cfg!(windows) && error.raw_os_error() == Some(233);
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ if pipe_not_connected => Failure::OutputClosed,
            _ => Failure::Output(error),
        }
    }
}

/// The outcome of a subcommand that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// Everything was answered.
    Done,
    /// Some input was bad and was named on standard error.
    BadInput,
    /// The user stopped it.
    Stopped,
}

/// The exit code that shells expect after an interrupt.
const INTERRUPTED: u8 = 130;

impl Command {
    /// Runs the subcommand. It prints its results to `output`.
    fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        match self {
            Command::Bench(bench) => bench.run(output),
            Command::Perft(perft) => perft.run(output),
            Command::Moves(moves) => moves.run(output),
            Command::Validate(validate) => validate.run(output),
            Command::Mate1(mate) => mate.run(output),
            Command::Mate(mate) => mate.run(output),
            Command::Eval(eval) => eval.run(output),
            Command::Tsume(tsume) => tsume.run(output),
            Command::Record(record) => record.run(output),
            Command::Analyze(analyze) => analyze.run(output),
            Command::Book(book) => book.run(output),
            Command::Quantum(quantum) => quantum.run(output),
            Command::Completions(completions) => completions.run(output),
            Command::Man(manual) => manual.run(output),
        }
    }
}

/// Runs what prints its results to standard output, and returns the exit code of the program.
fn exit_code(
    run: impl FnOnce(&mut Output<io::StdoutLock<'static>>) -> Result<Outcome, Failure>,
) -> ExitCode {
    let mut output = Output::new(io::stdout().lock());
    match run(&mut output).and_then(|outcome| Ok(output.flush().map(|()| outcome)?)) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::BadInput) => ExitCode::from(1),
        Ok(Outcome::Stopped) => ExitCode::from(INTERRUPTED),
        Err(failure) => ExitCode::from(code_of(failure)),
    }
}

/// Tells why something ended early, and returns the exit code of the program.
fn code_of(failure: Failure) -> u8 {
    match failure {
        Failure::OutputClosed => 0,
        Failure::Output(error) => {
            tell(format_args!("error: standard output: {error}"));
            1
        }
        Failure::Usage(option, reason) => {
            tell(format_args!("error: {option}: {reason}"));
            2
        }
        Failure::Input(path, error) => {
            tell(format_args!("error: {}: {error}", path.display()));
            2
        }
        Failure::Write(path, error) => {
            tell(format_args!("error: {}: {error}", path.display()));
            if is_wrong_name(&error) { 2 } else { 1 }
        }
        Failure::Threads(count, error) => {
            let threads = counted(count as u64, "thread", "threads");
            tell(format_args!("error: the system has no room for {threads}: {error}"));
            2
        }
    }
}

/// Writes a line to standard error. It is lost if nobody reads it: results do not depend on it.
/// What it quotes from files, and their names, cannot act on a terminal.
fn tell(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", visible(&line.to_string()));
}

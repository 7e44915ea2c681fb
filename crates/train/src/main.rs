//! The `tsumero-train` program: matches, games, tuning and training.

#![forbid(unsafe_code)]

use std::io;
use std::process::ExitCode;

use clap::Parser as _;
use tsumero_train::cli::Arguments;
use tsumero_train::progress::tell;

fn main() -> ExitCode {
    tsumero_platform::file_size::report_limit_as_error();
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads the results any more.
        Err(error) if error.downcast_ref().is_some_and(is_closed) => ExitCode::SUCCESS,
        Err(error) => {
            tell(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

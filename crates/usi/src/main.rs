//! The `tsumero` program: a USI engine, and a few tools as subcommands.

#![forbid(unsafe_code)]

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use tsumero_usi::cli::{Arguments, version};

fn main() -> ExitCode {
    // Many GUIs open a pipe for standard error and never read it. An engine that logs without being
    // asked would stop when the pipe is full.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    tsumero_platform::file_size::limit_is_an_error();
    let arguments = Arguments::parse();
    match arguments.command {
        _ if arguments.version => version::print(),
        Some(command) => command.run(),
        None => match tsumero_usi::run_usi() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                // If nobody reads this, the exit code says it.
                let _ =
                    writeln!(io::stderr(), "error: the system has no room for threads: {error}");
                ExitCode::from(2)
            }
        },
    }
}

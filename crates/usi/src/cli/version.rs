//! `tsumero --version`: what a report of trouble has to name.

use std::io::{self, Write};
use std::process::ExitCode;

use tsumero_platform::processor;

/// Prints version, commit, instructions and evaluation, a line each.
pub fn print() -> ExitCode {
    let text = format!(
        "tsumero {}\ncommit: {}\nprocessor: {}\nevaluation: {}\n",
        env!("CARGO_PKG_VERSION"),
        env!("TSUMERO_COMMIT"),
        processor::LEVEL,
        evaluation(),
    );
    // Nobody has to read it.
    let _ = io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

/// What the program evaluates with if nothing else is chosen.
fn evaluation() -> &'static str {
    "attack maps, made by hand"
}

//! `tsumero --version`: the facts that a bug report needs.

use std::io::{self, Write};
use std::process::ExitCode;

use tsumero_platform::processor;
use tsumero_usi::evaluation::{Choice, LoadedEvaluation};

/// Prints version, commit, instructions and evaluation, one line each.
pub(crate) fn print() -> ExitCode {
    let evaluation = match LoadedEvaluation::read(&Choice::default()) {
        Ok(evaluator) => evaluator.to_string(),
        Err(error) => error.to_string(),
    };
    let text = format!(
        "tsumero {}\ncommit: {}\nprocessor: {}\nevaluation: {evaluation}\n",
        env!("CARGO_PKG_VERSION"),
        env!("TSUMERO_COMMIT"),
        processor::LEVEL,
    );
    // A failure is ignored: nobody may be reading.
    let _ = io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

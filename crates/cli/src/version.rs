//! `tsumero --version`: the facts that a bug report needs.

use std::io::Write;

use tsumero_platform::processor;
use tsumero_search::EvaluationChoice;
use tsumero_usi::evaluation::LoadedEvaluation;

use super::{Failure, Outcome};

/// Prints version, commit, instructions and evaluation, one line each.
pub(crate) fn print(output: &mut impl Write) -> Result<Outcome, Failure> {
    let evaluation = match LoadedEvaluation::read(EvaluationChoice::default()) {
        Ok(evaluation) => evaluation.to_string(),
        Err(error) => error.to_string(),
    };
    writeln!(
        output,
        "tsumero {}\ncommit: {}\nprocessor: {}\nevaluation: {evaluation}",
        env!("CARGO_PKG_VERSION"),
        env!("TSUMERO_COMMIT"),
        processor::LEVEL,
    )?;
    Ok(Outcome::Done)
}

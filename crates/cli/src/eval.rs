//! `tsumero eval`, and the options with which every subcommand chooses the evaluation.

use std::io::{self, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::Args;
use tsumero_core::Position;
use tsumero_search::{EvaluationChoice, EvaluationFileError, EvaluationSource};
use tsumero_usi::evaluation::{AUTO, INTERNAL, LoadedEvaluation, stack_rule};

use super::input::{self, STARTPOS};
use super::{Failure, Outcome, tell};

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// The position
    #[arg(long, default_value = STARTPOS)]
    sfen: String,
    /// One SFEN per line, or in the first column of a CSV (`-` for standard input). Lines that begin
    /// with `#` are skipped
    #[arg(long, conflicts_with = "sfen")]
    file: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

/// The choice of the evaluation.
#[derive(Debug, Args)]
pub(super) struct EvaluationArguments {
    /// The network: a file, `<internal>` for the program's own, `none` for the
    /// attack maps
    #[arg(long, value_name = "NN", default_value = INTERNAL)]
    eval_file: PathBuf,
    /// Divisor of the network's last integer (default: the advice of its makers if it is known,
    /// otherwise 16)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true,
        value_parser = clap::value_parser!(u16).range(..=1024))]
    fv_scale: u16,
    /// How a network chooses one of its layer stacks where its file does not say it: `auto` or a
    /// rule such as `k3k3`, `hand64` or `progress8ek`
    #[arg(long, value_name = "RULE", default_value = AUTO)]
    stacks: String,
}

impl EvaluationArguments {
    /// Reads the chosen evaluation.
    pub(super) fn read(&self) -> Result<LoadedEvaluation, Failure> {
        let source = EvaluationSource::named(&self.eval_file, INTERNAL);
        let fv_scale = NonZeroU16::new(self.fv_scale);
        let stacks = stack_rule(&self.stacks)
            .map_err(|reason| Failure::Usage("--stacks", reason.to_string()))?;
        let choice = EvaluationChoice { source, fv_scale, stacks };
        let is_default = choice == EvaluationChoice::default();
        let evaluation =
            LoadedEvaluation::read(choice).map_err(|EvaluationFileError { file, reason }| {
                Failure::Input(file, io::Error::other(reason))
            })?;
        if !is_default {
            tell(format_args!("evaluation: {evaluation}"));
        }
        Ok(evaluation)
    }
}

/// The value for the side to move, where a pawn is worth 90, and the network's last integer.
fn line(evaluation: &LoadedEvaluation, position: &Position) -> String {
    let explanation = evaluation.explain(position);
    let value = explanation.evaluation.total.value();
    format!("{value} {}", explanation.raw.unwrap_or(value))
}

impl Eval {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let evaluation = self.evaluation.read()?;
        let Some(file) = &self.file else {
            let Some(position) = input::position_option(&self.sfen) else {
                return Ok(Outcome::BadInput);
            };
            writeln!(output, "{}", line(&evaluation, &position))?;
            return Ok(Outcome::Done);
        };
        input::answer_each(file, output, |position, output| {
            writeln!(output, "{}", line(&evaluation, position))
        })
    }
}

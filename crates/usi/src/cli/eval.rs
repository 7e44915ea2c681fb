//! `tsumero eval`.

use std::io::{self, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::Args;
use tsumero_control::Score;
use tsumero_core::Position;
use tsumero_network::{Network, value_of_raw};
use tsumero_search::evaluate;

use super::input::{self, STARTPOS};
use super::{Failure, Outcome, tell};

/// The evaluation that comes with the program. There is no embedded network, so it is made by hand.
const INTERNAL: &str = "<internal>";
/// The evaluation made by hand.
const NONE: &str = "none";

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct Eval {
    /// The position
    #[arg(long, default_value = STARTPOS)]
    sfen: String,
    /// One SFEN per line, or in the first column of a CSV (`-` for standard input)
    #[arg(long, conflicts_with = "sfen")]
    file: Option<PathBuf>,
    /// The network: a file, `<internal>` for the program's own, `none` for the evaluation made by
    /// hand
    #[arg(long, value_name = "NN", default_value = INTERNAL)]
    eval_file: PathBuf,
    /// What the network's last integer is divided by (default: what its makers advise, where that
    /// is known, otherwise 16)
    #[arg(long, value_name = "N")]
    fv_scale: Option<NonZeroU16>,
}

/// What answers.
enum Evaluator {
    HandMade,
    Network(Box<Network>, NonZeroU16),
}

impl Evaluator {
    /// The value for the side to move in units of which a pawn is worth 90, and the network's last
    /// integer.
    fn line(&self, position: &Position) -> String {
        let (value, raw) = match self {
            Evaluator::HandMade => {
                let value = evaluate(position).total.value();
                (value, value)
            }
            Evaluator::Network(network, fv_scale) => {
                let raw = network.evaluate_from_scratch(position);
                (Score::new(value_of_raw(raw, *fv_scale)).value(), raw)
            }
        };
        format!("{value} {raw}")
    }
}

impl Eval {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let evaluator = self.evaluator()?;
        let Some(file) = &self.file else {
            let Some(position) = input::position_option(&self.sfen) else {
                return Ok(Outcome::BadInput);
            };
            writeln!(output, "{}", evaluator.line(&position))?;
            return Ok(Outcome::Done);
        };
        input::answer_each(file, output, |position, output| {
            writeln!(output, "{}", evaluator.line(position))
        })
    }

    fn evaluator(&self) -> Result<Evaluator, Failure> {
        if self.eval_file.as_os_str() == INTERNAL || self.eval_file.as_os_str() == NONE {
            return Ok(Evaluator::HandMade);
        }
        let network = Network::read(&self.eval_file).map_err(|error| {
            Failure::Input(self.eval_file.display().to_string(), io::Error::other(error))
        })?;
        let fv_scale = self.fv_scale.unwrap_or(network.fv_scale());
        let note = if network.hashes_agree() { "" } else { ", with the hashes of another" };
        tell(format_args!("{}{note}; FV_SCALE {fv_scale}", network.architecture()));
        Ok(Evaluator::Network(Box::new(network), fv_scale))
    }
}

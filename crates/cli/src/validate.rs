//! `tsumero validate`.

use std::io::Write;

use clap::Args;

use super::input::{self, STARTPOS};
use super::{Failure, Outcome};

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// Moves in USI notation, each judged in the position itself. The exit code is 0 for illegal
    /// moves, too
    #[arg(required = true, value_name = "MOVE")]
    moves: Vec<String>,
    /// The position
    #[arg(long, default_value = STARTPOS)]
    sfen: String,
}

impl Validate {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let Some(position) = input::position_option(&self.sfen) else {
            return Ok(Outcome::BadInput);
        };
        for text in &self.moves {
            match position.parse_move(text) {
                Ok(_) => writeln!(output, "ok")?,
                Err(reason) => writeln!(output, "illegal: {reason}")?,
            }
        }
        Ok(Outcome::Done)
    }
}

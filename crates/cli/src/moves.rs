//! `tsumero moves`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use tsumero_core::Position;

use super::input::{self, STARTPOS};
use super::{Failure, Outcome};

/// Arguments of `moves`.
#[derive(Debug, Args)]
pub(crate) struct Moves {
    /// The position
    #[arg(long, default_value = STARTPOS)]
    sfen: String,
    /// One position per line, or in the first column of a CSV (`-` for standard input): an SFEN,
    /// or `position ...`, `sfen ... moves ...`, `startpos moves ...` (lines that begin with `#` are
    /// skipped)
    #[arg(long, conflicts_with = "sfen")]
    file: Option<PathBuf>,
}

impl Moves {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<Outcome, Failure> {
        let Some(file) = &self.file else {
            let Some(position) = input::position_option(&self.sfen) else {
                return Ok(Outcome::BadInput);
            };
            writeln!(output, "{}", sorted_moves(&position))?;
            return Ok(Outcome::Done);
        };
        input::answer_each(file, output, |position, output| {
            writeln!(output, "{}", sorted_moves(position))
        })
    }
}

/// All legal moves in the order of their text.
fn sorted_moves(position: &Position) -> String {
    let mut moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    moves.sort_unstable();
    moves.join(" ")
}

//! `tsumero moves`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

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
            writeln!(output, "{}", sorted(position.legal_moves().iter()))?;
            return Ok(Outcome::Done);
        };
        input::answer_each(file, output, |position, output| {
            writeln!(output, "{}", sorted(position.legal_moves().iter()))
        })
    }
}

/// Moves in the order of their text.
pub(super) fn sorted(moves: impl Iterator<Item: ToString>) -> String {
    let mut moves: Vec<String> = moves.map(|mv| mv.to_string()).collect();
    moves.sort_unstable();
    moves.join(" ")
}

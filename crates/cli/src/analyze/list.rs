//! `analyze --list`.

use std::io::Write;

use serde::Serialize;
use tsumero_analysis::Study;
use tsumero_record::visible_json;

use super::outputs::Input;
use crate::Failure;

/// A game as `--list` shows it.
#[derive(Serialize)]
struct Listed<'a> {
    file: &'a str,
    game: usize,
    positions: usize,
}

/// Prints a line for each game.
pub(super) fn list(
    inputs: &[Input],
    with_branches: bool,
    output: &mut impl Write,
) -> Result<(), Failure> {
    for input in inputs {
        for (number, game) in &input.games {
            let positions = Study::new(game, with_branches).positions();
            let listed = Listed { file: &input.name, game: *number, positions };
            let text = serde_json::to_string(&listed).expect("plain data has a JSON form");
            writeln!(output, "{}", visible_json(&text))?;
        }
    }
    Ok(())
}

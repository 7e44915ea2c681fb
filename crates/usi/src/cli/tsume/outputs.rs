//! Writes problems with their solutions to game files and to a page.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tsumero_analysis::{SheetProblem, sheet};
use tsumero_core::{Move, Position};
use tsumero_record::{Cursor, Encoding, Ending, Format, Game, LineEnd, encode};

use crate::cli::Failure;
use crate::cli::language::Lang;

/// The outputs of problems besides standard output.
#[derive(Debug, Args)]
pub(super) struct Outputs {
    /// Game format: kif, ki2, csa, jkf or usi (SFEN lines). For the files of --out (default: kif)
    #[arg(long, value_name = "FORMAT", value_parser = format_named)]
    pub(super) to: Option<Format>,
    /// Write each problem with its solution to a file of its own in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write a page with the problems, to be printed or solved: diagrams and hands; a tap shows the
    /// next move of the solution
    #[arg(long, value_name = "PAGE")]
    html: Option<PathBuf>,
    /// First language of the page [default: that of the system]
    #[arg(long, value_enum)]
    lang: Option<Lang>,
}

fn format_named(name: &str) -> Result<Format, String> {
    let name = if name == "sfen" { Format::Usi.name() } else { name };
    Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        format!("one of {names}")
    })
}

/// A problem as a game: the position, the solution as its moves, and mate as its ending.
pub(super) fn game(position: &Position, solution: &[Move]) -> Game {
    let mut game = Game::new(position.clone());
    game.add_header("表題", &format!("{}手詰", solution.len()));
    let mut cursor = Cursor::new(&game);
    for mv in solution {
        // A solution is a line of legal moves.
        if cursor.play(&mut game, mv.to_usi()).is_err() {
            break;
        }
    }
    game.add_ending(cursor.node(), Ending::Mate);
    game
}

impl Outputs {
    /// Whether game files are asked for.
    pub(super) fn has_folder(&self) -> bool {
        self.out.is_some()
    }

    /// Writes the file of a problem.
    pub(super) fn add(
        &self,
        sheet: &mut Vec<SheetProblem>,
        problem: SheetProblem,
        name: &str,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.out {
            let format = self.to.unwrap_or(Format::Kif);
            let text = tsumero_record::write(&[game(&problem.position, &problem.solution)], format);
            // KIF and KI2 are encoded as Windows programs expect them.
            let bytes = match format {
                Format::Kif | Format::Ki2 => encode(&text, Encoding::ShiftJis, LineEnd::Crlf),
                Format::Csa | Format::Jkf | Format::Usi => None,
            };
            let path = folder.join(format!("{name}.{format}"));
            fs::create_dir_all(folder).map_err(|error| failure(folder, error))?;
            fs::write(&path, bytes.unwrap_or_else(|| text.into_bytes()))
                .map_err(|error| failure(&path, error))?;
        }
        if self.html.is_some() {
            sheet.push(problem);
        }
        Ok(())
    }

    /// Writes the page with all problems.
    pub(super) fn finish(&self, problems: &[SheetProblem]) -> Result<(), Failure> {
        match &self.html {
            Some(path) => fs::write(path, sheet(problems, Lang::language(self.lang)))
                .map_err(|error| failure(path, error)),
            None => Ok(()),
        }
    }
}

fn failure(path: &Path, error: std::io::Error) -> Failure {
    Failure::Input(path.display().to_string(), error)
}

//! Writes problems with their solutions to game files and to a page.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use tsumero_analysis::{OutputKind, SheetProblem, sheet};
use tsumero_core::{Move, Position};
use tsumero_files::{Inputs, write_atomic};
use tsumero_record::{Cursor, Encoding, Ending, Format, Game, LineEnd, NodeId, encode};

use crate::language::Lang;
use crate::written::Written;
use crate::{Failure, tell};

/// The outputs of problems besides standard output.
#[derive(Debug, Args)]
pub(super) struct Outputs {
    /// Game format: kif, ki2, csa, jkf or usi (SFEN lines). For the files of --out (default: kif)
    #[arg(long, value_name = "FORMAT", value_parser = format_named)]
    pub(super) to: Option<Format>,
    /// Write each problem with its solution to a file of its own in this folder. Only files that this
    /// command has made are replaced
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write a page with the problems, to be printed or solved: diagrams and hands; a tap shows the
    /// next move of the solution
    #[arg(long, value_name = "PAGE")]
    html: Option<PathBuf>,
    /// First language of the page [default: that of the system]. `check` also writes its verdicts in
    /// it, as with --verbose
    #[arg(long, value_enum)]
    pub(super) lang: Option<Lang>,
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

    /// Checks that the page may be written, before a long run begins. The files of problems are
    /// checked one by one, as their names become known.
    pub(super) fn check(&self, inputs: &Inputs) -> Result<(), Failure> {
        match &self.html {
            Some(path) => check_page(inputs, path),
            None => Ok(()),
        }
    }

    /// Writes the file of a problem.
    pub(super) fn add(
        &self,
        made: &mut Made,
        problem: SheetProblem,
        name: &str,
        inputs: &Inputs,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.out {
            let format = self.to.unwrap_or(Format::Kif);
            let mut game = game(&problem.position, &problem.solution);
            game.add_comment(NodeId::ROOT, MADE_BY);
            let text = tsumero_record::write(&[game], format);
            // KIF and KI2 are encoded as Windows programs expect them.
            let bytes = match format {
                Format::Kif | Format::Ki2 => encode(&text, Encoding::ShiftJis, LineEnd::Crlf),
                Format::Csa | Format::Jkf | Format::Usi => None,
            };
            let path = folder.join(format!("{name}.{format}"));
            fs::create_dir_all(folder).map_err(|error| failure(folder, error))?;
            inputs
                .check(&path, |start| is_ours(start, format))
                .and_then(|()| write_atomic(&path, &bytes.unwrap_or_else(|| text.into_bytes())))
                .map_err(|error| failure(&path, error))?;
            made.written.add(&path);
        }
        if self.html.is_some() {
            made.sheet.push(problem);
        }
        Ok(())
    }

    /// Writes the page with all problems, and names what was written. Without any problem, a page of
    /// before stays.
    pub(super) fn finish(&self, mut made: Made, inputs: &Inputs) -> Result<(), Failure> {
        match &self.html {
            Some(path) if made.sheet.is_empty() => {
                tell(format_args!("there is no problem for {}", path.display()));
            }
            Some(path) => {
                check_page(inputs, path)?;
                write_atomic(path, sheet(&made.sheet, Lang::language(self.lang)).as_bytes())
                    .map_err(|error| failure(path, error))?;
                made.written.add(path);
            }
            None => {}
        }
        made.written.tell();
        Ok(())
    }
}

/// What a run has made for its outputs.
#[derive(Default)]
pub(super) struct Made {
    /// The problems of the page.
    sheet: Vec<SheetProblem>,
    written: Written,
}

/// The comment by which a file of a problem is known.
const MADE_BY: &str = "made by tsumero tsume";

/// Whether a file was made by this command. USI lines have no comments: there it is a file of one
/// line, under a name that this command gives.
fn is_ours(start: &[u8], format: Format) -> bool {
    if format == Format::Usi {
        let lines = start.trim_ascii_end().split(|&byte| byte == b'\n').count();
        return lines == 1 && start.starts_with(b"position ");
    }
    start.windows(MADE_BY.len()).any(|text| text == MADE_BY.as_bytes())
}

fn check_page(inputs: &Inputs, path: &Path) -> Result<(), Failure> {
    inputs
        .check(path, |start| OutputKind::Sheet.is_ours(start))
        .map_err(|error| failure(path, error))
}

fn failure(path: &Path, error: io::Error) -> Failure {
    Failure::Write(path.to_owned(), error)
}

//! The outputs of an analysis: what is written, where it goes, and what it must not replace.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use tsumero_analysis::{
    CommentStyle, GameReport, OutputKind, annotate, csv, json_lines, page, table, with_checksum,
};
use tsumero_files::{Inputs, NewFile, write_atomic};
use tsumero_record::{Encoding, Format, Game, LineEnd, encode};

use super::Analyze;
use crate::Failure;
use crate::earlier::{JOURNAL, comparable, names};
use crate::input::is_standard;
use crate::language::Lang;
use crate::written::Written;

/// A game file that was read.
pub(super) struct Input {
    /// Its name on the command line.
    pub(super) name: String,
    /// The folder that was named, if it was found in one.
    pub(super) folder: Option<PathBuf>,
    /// The path of its outputs, without their extension.
    pub(super) target: PathBuf,
    /// Whether the names of its KIFs have the numbers of the games besides.
    pub(super) is_numbered: bool,
    pub(super) line_end: LineEnd,
    /// The games that could be read, with their numbers in the file.
    pub(super) games: Vec<(usize, Game)>,
}

impl Input {
    /// The path of an output.
    pub(super) fn output(&self, extension: &str) -> PathBuf {
        append(&self.target, &format!(".{extension}"))
    }

    /// The path of the KIF of a game, and what it contains. A KIF contains one game. Its extension
    /// tells its encoding.
    pub(super) fn kif(&self, number: usize, game: Game) -> (PathBuf, Vec<u8>) {
        let number = if self.is_numbered { format!("-{number}") } else { String::new() };
        let text = tsumero_record::write(&[game], Format::Kif);
        let path = |extension: &str| append(&self.target, &format!("{number}.{extension}"));
        match encode(&text, Encoding::ShiftJis, self.line_end) {
            Some(bytes) => (path(OutputKind::Kif.extension()), with_checksum(bytes)),
            None => (path(UTF8_KIF), with_checksum(self.utf8(&text))),
        }
    }

    /// What a CSA file of the games contains.
    pub(super) fn csa(&self, games: &[Game]) -> Vec<u8> {
        with_checksum(self.utf8(&tsumero_record::write(games, Format::Csa)))
    }

    /// A text in UTF-8, with the ends of lines of the input.
    fn utf8(&self, text: &str) -> Vec<u8> {
        encode(text, Encoding::Utf8 { bom: false }, self.line_end).unwrap_or_default()
    }
}

/// The extension of a KIF in UTF-8.
const UTF8_KIF: &str = "kifu";

/// A path with more behind its name.
fn append(target: &Path, end: &str) -> PathBuf {
    let mut name = target.to_owned().into_os_string();
    name.push(end);
    name.into()
}

impl Analyze {
    /// The folder for the outputs, if it is not that of each input.
    pub(super) fn out_folder(&self) -> Option<&Path> {
        self.out.as_deref().filter(|folder| !is_standard(folder))
    }

    /// Whether there are outputs beside standard output.
    pub(super) fn writes_files(&self) -> bool {
        let to_stdout = self.out.is_some() && self.out_folder().is_none();
        !to_stdout && (self.kif || self.csa || self.json || self.csv || self.html)
    }

    /// The outputs that are one file for each input.
    pub(super) fn single_outputs(&self) -> impl Iterator<Item = OutputKind> {
        [
            (self.csa, OutputKind::Csa),
            (self.json, OutputKind::Json),
            (self.csv, OutputKind::Csv),
            (self.html, OutputKind::Html),
        ]
        .into_iter()
        .filter_map(|(is_wanted, kind)| is_wanted.then_some(kind))
    }

    /// Writes the outputs of one input.
    pub(super) fn write_outputs(
        &self,
        input: &Input,
        sources: &Inputs,
        reports: &[GameReport],
        output: &mut impl Write,
        written: &mut Written,
    ) -> Result<(), Failure> {
        let language = Lang::language(self.lang);
        if !self.writes_files() {
            for report in reports {
                let text = if self.json { json_lines(report) } else { table(report, language) };
                output.write_all(text.as_bytes())?;
            }
            // The next search takes a while.
            output.flush()?;
            return Ok(());
        }
        let annotated = |style| {
            input.games.iter().zip(reports).map(move |((number, game), report)| {
                let mut game = game.clone();
                annotate(&mut game, report, style);
                (*number, game)
            })
        };
        if self.kif {
            for (number, game) in annotated(CommentStyle::Guis) {
                let (path, bytes) = input.kif(number, game);
                write(sources, OutputKind::Kif, &path, &bytes, written)?;
            }
        }
        for kind in self.single_outputs() {
            let bytes = match kind {
                OutputKind::Csa => {
                    let games = annotated(CommentStyle::Servers).map(|(_, game)| game);
                    input.csa(&games.collect::<Vec<_>>())
                }
                OutputKind::Json => reports.iter().map(json_lines).collect::<String>().into_bytes(),
                OutputKind::Csv => csv(reports, language).into_bytes(),
                OutputKind::Html => page(reports, language).into_bytes(),
                // There are several for an input, or one for several inputs.
                OutputKind::Kif | OutputKind::Index | OutputKind::Sheet => continue,
            };
            write(sources, kind, &input.output(kind.extension()), &bytes, written)?;
        }
        Ok(())
    }
}

/// Checks before a long run that an output may and can be written.
pub(super) fn check_ahead(inputs: &Inputs, kind: OutputKind, path: &Path) -> Result<(), Failure> {
    check(inputs, kind, path)?;
    NewFile::check(path).map_err(|error| Failure::Write(path.to_owned(), error))
}

/// Checks that an output may be written.
fn check(inputs: &Inputs, kind: OutputKind, path: &Path) -> Result<(), Failure> {
    inputs
        .check(path, |file| kind.is_ours(file))
        .map_err(|error| Failure::Write(path.to_owned(), error))
}

/// Writes an output, if it may be written.
pub(super) fn write(
    inputs: &Inputs,
    kind: OutputKind,
    path: &Path,
    bytes: &[u8],
    written: &mut Written,
) -> Result<(), Failure> {
    check(inputs, kind, path)?;
    write_atomic(path, bytes).map_err(|error| Failure::Write(path.to_owned(), error))?;
    written.add(path);
    Ok(())
}

/// Chooses names for outputs that are neither inputs nor the outputs of another input.
pub(super) struct Targets<'a> {
    inputs: &'a Inputs,
    /// The folder for all outputs; `None` for that of each input.
    folder: Option<&'a Path>,
    /// What has been chosen, as [`comparable`] spells it.
    taken: HashSet<String>,
}

impl<'a> Targets<'a> {
    pub(super) fn new(inputs: &'a Inputs, folder: Option<&'a Path>) -> Targets<'a> {
        Targets { inputs, folder, taken: HashSet::new() }
    }

    /// Keeps a name for another output.
    pub(super) fn reserve(&mut self, path: &Path) {
        self.taken.insert(comparable(path));
    }

    /// The path of a file's outputs, without their extension. They are those of one game, if it is
    /// `chosen` of several; `numbers` are those of the games that have a KIF each.
    pub(super) fn choose(
        &mut self,
        file: &Path,
        chosen: Option<u32>,
        numbers: &[usize],
    ) -> PathBuf {
        let is_stdin = is_standard(file);
        let [stem, name] = names(file);
        let beside = file.parent().filter(|_| !is_stdin).unwrap_or(Path::new(""));
        let by_stem = format!("{stem}.analysis");
        let by_name = format!("{name}.analysis");
        let first = match self.folder {
            Some(_) => [stem, by_stem, by_name],
            None => [by_stem, by_name, format!("{name}.tsumero.analysis")],
        };
        let more = (2_u32..).map(|count| format!("{name}.{count}.analysis"));
        let folder = self.folder.unwrap_or(beside);
        let chosen = chosen.map_or(String::new(), |number| format!("-{number}"));
        let names = first.into_iter().chain(more);
        let mut candidates = names.map(|name| folder.join(name + &chosen));
        let target = candidates
            .find(|target| paths(target, numbers).all(|path| self.is_free(&path)))
            .expect("there is no end of names");
        self.taken.extend(paths(&target, numbers).map(|path| comparable(&path)));
        target
    }

    fn is_free(&self, path: &Path) -> bool {
        !self.inputs.contain(path) && !self.taken.contains(&comparable(path))
    }
}

/// All files that may be written for a target.
fn paths(target: &Path, numbers: &[usize]) -> impl Iterator<Item = PathBuf> {
    let kifs = [OutputKind::Kif.extension(), UTF8_KIF];
    let of_games = numbers.iter().flat_map(move |number| {
        kifs.map(|extension| append(target, &format!("-{number}.{extension}")))
    });
    let extensions = OutputKind::ALL.map(OutputKind::extension).into_iter();
    let extensions = extensions.chain([UTF8_KIF, JOURNAL]);
    extensions.map(|extension| append(target, &format!(".{extension}"))).chain(of_games)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of many games.
    #[test]
    fn an_output_of_any_length_is_replaced_unless_it_was_changed() {
        let name = format!("tsumero-long-output-{}.csa", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut file = b"'*made by tsumero analyze\n".to_vec();
        file.resize((1 << 26) + 100_000, b'+');
        let file = with_checksum(file);
        let checked = [&file[..], &[&file[..], b"'*good\n"].concat()].map(|bytes| {
            write_atomic(&path, bytes).unwrap();
            check(&Inputs::default(), OutputKind::Csa, &path).is_ok()
        });
        std::fs::remove_file(&path).unwrap();
        assert_eq!(checked, [true, false]);
    }
}

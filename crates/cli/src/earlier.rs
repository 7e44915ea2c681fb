//! The files that earlier runs of `analyze` have written, where the shell names them together with the
//! games: a line with `*.kif` finds them, too.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use tsumero_analysis::{Journal, OutputKind};
use tsumero_files::text_of_name;

use crate::input::is_standard;
use crate::language::counted;
use crate::tell;

/// Leaves out each file that is an output for another one of them and of one of these kinds, and whatever
/// else `analyze` writes that has no games. As an input it would change the names of outputs, so that a
/// run could not be resumed.
pub(super) fn leave_out<T>(files: &mut Vec<T>, path: impl Fn(&T) -> &Path, kinds: &[OutputKind]) {
    let sources: HashSet<String> = files
        .iter()
        .map(&path)
        .flat_map(|file| names(file).map(|name| comparable(&file.with_file_name(name))))
        .collect();
    let is_copy = |file: &Path| {
        let source = source_of(file);
        source.is_some_and(|source| sources.contains(&comparable(&source))) && is_made(file, kinds)
    };
    let is_own = |file: &T| is_copy(path(file)) || has_no_games(path(file));
    let before = files.len();
    let others: Vec<T> = files.extract_if(.., |file| !is_own(file)).collect();
    // If there is nothing else, a file is meant, and is named as no game.
    if others.is_empty() {
        return;
    }
    let own = (before - others.len()) as u64;
    *files = others;
    if own > 0 {
        tell(format_args!("{}", left_out(own)));
    }
}

/// What the user is told about files of earlier analyses.
pub(super) fn left_out(count: u64) -> String {
    let own = counted(count, "file of an earlier analysis is", "files of earlier analyses are");
    format!("{own} left out")
}

/// Whether a file is an output of one of these kinds, by what is in it.
pub(super) fn is_made(file: &Path, kinds: &[OutputKind]) -> bool {
    let is_of = |kind: &OutputKind| File::open(file).and_then(|file| kind.is_ours(file));
    kinds.iter().any(|kind| is_of(kind).unwrap_or(false))
}

/// Whether a file is an output without games: a table, a page, or the journal of a run that was broken off.
fn has_no_games(file: &Path) -> bool {
    let Some(extension) = file.extension().filter(|_| file.is_file()) else { return false };
    if extension == JOURNAL {
        return File::open(file).and_then(Journal::is_ours).unwrap_or(false);
    }
    let without_games = [OutputKind::Csv, OutputKind::Html, OutputKind::Index, OutputKind::Sheet];
    without_games.iter().any(|kind| extension == kind.extension() && is_made(file, &[*kind]))
}

/// The extension of journals.
pub(super) const JOURNAL: &str = "partial";

/// The names that those of a file's outputs are made of: without its extension, and with it.
pub(super) fn names(file: &Path) -> [String; 2] {
    [file.file_stem(), file.file_name()].map(|part| match part {
        Some(part) if !is_standard(file) => text_of_name(part),
        _ => "stdin".to_owned(),
    })
}

/// The path that an output beside a game is named after, by one of the game's [`names`]; `None` if an
/// output has another name.
fn source_of(output: &Path) -> Option<PathBuf> {
    let [stem, _] = names(output);
    let (source, number) = stem.rsplit_once(".analysis")?;
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_output = number.is_empty() || number.strip_prefix('-').is_some_and(is_number);
    is_output.then(|| output.with_file_name(source))
}

/// A path, so spelled that two spellings of the same one are equal: in the folder that the system finds,
/// however it was named, with one kind of separator, and in small letters, because some systems do not
/// tell capitals apart.
pub(super) fn comparable(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // A folder that is still to be made is the same for all outputs in it.
    let folder = here.canonicalize().unwrap_or_else(|_| folder.components().collect());
    let path = folder.join(path.file_name().unwrap_or_default());
    path.to_string_lossy().to_lowercase()
}

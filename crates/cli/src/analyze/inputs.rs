//! The game files that a run reads.

use std::fs;
use std::path::{Path, PathBuf};

use tsumero_analysis::OutputKind;
use tsumero_files::Inputs;

use super::Analyze;
use super::outputs::{Input, Targets};
use crate::earlier::{comparable, is_made, leave_out, left_out};
use crate::language::counted;
use crate::record::read_file;
use crate::report::report;
use crate::{Failure, Outcome, tell};

/// A game file, with the folder that was named, if it was found in one.
pub(super) type Found = (PathBuf, Option<PathBuf>);

/// The extensions of game files, in small letters. Only these are read from a folder.
const EXTENSIONS: [&str; 9] = ["kif", "kifu", "ki2", "ki2u", "csa", "jkf", "sfen", "usi", "json"];

/// The kinds of outputs whose extension is that of a game file.
const GAMES: [OutputKind; 3] = [OutputKind::Kif, OutputKind::Csa, OutputKind::Json];

impl Analyze {
    /// The files named, and the game files of the folders named, in order. Also returns whether
    /// each folder has one.
    pub(super) fn find_files(&self) -> Result<(Vec<Found>, bool), Failure> {
        let mut files = Vec::new();
        let mut is_complete = true;
        let is_out =
            |path: &Path| self.out_folder().is_some_and(|out| comparable(out) == comparable(path));
        for path in &self.files {
            if !path.is_dir() {
                files.push((path.clone(), None));
                continue;
            }
            let failure = |error| Failure::Input(path.clone(), error);
            let mut found = Vec::new();
            let (mut own, mut folders) = (0, 0);
            for entry in fs::read_dir(path).map_err(failure)? {
                let file = entry.map_err(failure)?.path();
                let extension = file.extension().map(|e| e.to_string_lossy().to_lowercase());
                let is_of_game = extension.is_some_and(|it| EXTENSIONS.contains(&&*it));
                folders += u64::from(file.is_dir() && !is_out(&file));
                if !is_of_game || !file.is_file() {
                    continue;
                }
                if is_own(&file) {
                    own += 1;
                } else {
                    found.push(file);
                }
            }
            if folders > 0 {
                let folders = counted(folders, "folder in it is", "folders in it are");
                tell(format_args!("{}: {folders} not read", path.display()));
            }
            if own > 0 {
                tell(format_args!("{}: {}", path.display(), left_out(own)));
            }
            // `*` also names the folder for the outputs, once it is there.
            if found.is_empty() && !(is_out(path) && self.files.len() > 1) {
                tell(format_args!("{}: there is no game file in this folder", path.display()));
                is_complete = false;
            }
            found.sort();
            files.extend(found.into_iter().map(|file| (file, Some(path.clone()))));
        }
        leave_out(&mut files, |(file, _)| file, &GAMES);
        Ok((files, is_complete))
    }

    /// Reads all files. Files that cannot be read are named on standard error.
    pub(super) fn read_inputs(&self, files: &[Found], sources: &Inputs) -> (Vec<Input>, Outcome) {
        let mut outcome = Outcome::Done;
        let mut targets = Targets::new(sources, self.out_folder());
        self.indexes().iter().for_each(|index| targets.reserve(index.path()));
        let mut inputs = Vec::new();
        for (file, folder) in files {
            let Some(reading) = read_file(file) else {
                outcome = Outcome::BadInput;
                continue;
            };
            let mut games = Vec::new();
            let count = reading.games.len();
            if let Some(wanted) = self.game.filter(|&wanted| wanted as usize > count) {
                let file = file.display();
                tell(format_args!("{file}: there is no game {wanted}, the last one is {count}"));
                outcome = Outcome::BadInput;
            }
            for (index, game) in reading.games.into_iter().enumerate() {
                if self.game.is_some_and(|wanted| wanted as usize != index + 1) {
                    continue;
                }
                match report(file.display(), game) {
                    Ok(game) => games.push((index + 1, game)),
                    Err(_) => outcome = Outcome::BadInput,
                }
            }
            // One game of several, analyzed alone, shares no output with the others.
            let chosen = self.game.filter(|_| count > 1);
            let is_numbered = count > 1 && chosen.is_none();
            let numbers = games.iter().map(|(number, _)| *number).filter(|_| is_numbered);
            let target = targets.choose(file, chosen, &numbers.collect::<Vec<_>>());
            let name = file.display().to_string();
            let (folder, line_end) = (folder.clone(), reading.line_end);
            inputs.push(Input { name, folder, target, is_numbered, line_end, games });
        }
        (inputs, outcome)
    }
}

/// Whether a file in a folder is an output of this command: by its name, or by what is in it.
fn is_own(file: &Path) -> bool {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.is_some_and(|stem| stem.ends_with(".analysis")) || is_made(file, &GAMES)
}

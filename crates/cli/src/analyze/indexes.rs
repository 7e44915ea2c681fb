//! The pages that list the games of folders.

use std::path::{Path, PathBuf};

use tsumero_analysis::{GameReport, IndexEntry, Language, OutputKind, index_page};
use tsumero_files::Inputs;

use super::Analyze;
use super::outputs::{Input, write};
use crate::Failure;
use crate::written::Written;

/// The index of one or more folders. Its entries are collected while the games are analyzed.
pub(super) struct Index {
    /// The folders with the games. Their names are the title.
    folders: Vec<PathBuf>,
    /// The file of the page.
    path: PathBuf,
    entries: Vec<IndexEntry>,
}

impl Index {
    /// The index of the games of folders.
    pub(super) fn new(folders: Vec<PathBuf>, path: &Path) -> Index {
        Index { folders, path: path.to_owned(), entries: Vec::new() }
    }

    /// The file of the page.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there will be games to list.
    pub(super) fn has_games(&self, inputs: &[Input]) -> bool {
        inputs.iter().any(|input| !input.games.is_empty() && self.lists(input))
    }

    /// Whether a file is in one of the folders.
    fn lists(&self, input: &Input) -> bool {
        input.folder.as_ref().is_some_and(|folder| self.folders.contains(folder))
    }

    /// Adds the games of a file, if it is in one of the folders.
    pub(super) fn add(&mut self, input: &Input, reports: &[GameReport]) {
        let page = input.output(OutputKind::Html.extension());
        let name = page.file_name().map(|name| name.to_string_lossy().into_owned());
        if let Some(name) = name.filter(|_| self.lists(input)) {
            self.entries.extend(reports.iter().map(|one| IndexEntry::new(one, &name)));
        }
    }

    /// Writes the page, if there are games.
    pub(super) fn write(
        &self,
        inputs: &Inputs,
        language: Language,
        written: &mut Written,
    ) -> Result<(), Failure> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self.folders.iter().map(|folder| name_of(folder)).collect();
        let page = index_page(&names.join(", "), &self.entries, language);
        write(inputs, OutputKind::Index, &self.path, page.as_bytes(), written)
    }
}

impl Analyze {
    /// The indexes that are written, still empty: one for each folder, or one for all of them.
    pub(super) fn indexes(&self) -> Vec<Index> {
        let folders = self.files.iter().filter(|path| self.html && path.is_dir());
        match self.out_folder() {
            Some(out) => {
                let folders: Vec<PathBuf> = folders.cloned().collect();
                let is_needed = !folders.is_empty();
                is_needed
                    .then(|| Index::new(folders, &out.join("index.html")))
                    .into_iter()
                    .collect()
            }
            None => {
                let beside = |path: &PathBuf| path.join("index.analysis.html");
                folders.map(|path| Index::new(vec![path.clone()], &beside(path))).collect()
            }
        }
    }
}

/// The last part of a folder's full path, so that `.` has a name, too.
fn name_of(folder: &Path) -> String {
    let full = folder.canonicalize().unwrap_or(folder.to_owned());
    let name = full.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}

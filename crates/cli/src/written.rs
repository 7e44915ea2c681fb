//! The files that a command writes: how they are named on the command line, and a line at its end that
//! names them.

use std::io;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::{Failure, input, tell};

/// Reads the name of an output for which standard output has no room. Elsewhere, `-` is standard output.
pub(super) fn name_of_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|name| {
        if input::is_standard(&name) {
            Err("this is not written to standard output ('./-' is a file called '-')")
        } else {
            Ok(name)
        }
    })
}

/// Checks that nothing but a folder has the name of a folder for files.
pub(super) fn check_folder(folder: &Path) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Write(folder.to_owned(), io::ErrorKind::NotADirectory.into()));
    }
    Ok(())
}

/// What has been written.
#[derive(Default)]
pub(super) struct Written {
    files: usize,
    last: Option<PathBuf>,
}

impl Written {
    pub(super) fn add(&mut self, path: &Path) {
        self.files += 1;
        self.last = Some(path.to_owned());
    }

    /// Names the last file, which is the one to open first, and counts the others.
    pub(super) fn tell(&self) {
        let Some(last) = &self.last else { return };
        let last = last.display();
        match self.files - 1 {
            0 => tell(format_args!("written: {last}")),
            1 => tell(format_args!("written: {last} and another file")),
            others => tell(format_args!("written: {last} and {others} other files")),
        }
    }
}

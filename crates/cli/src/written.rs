//! The files that a command has written, which a line at its end names.

use std::path::{Path, PathBuf};

use crate::tell;

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

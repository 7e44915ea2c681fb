//! What an output must not replace.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::FileId;
use crate::growing::invalid;
use crate::new_file::followed;

/// The files that a command reads. None of them is replaced by an output.
///
/// ```
/// use tsumero_files::{Inputs, start_of, write_atomic};
/// let folder = std::env::temp_dir().join(format!("tsumero-inputs-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let (game, book) = (folder.join("game.kif"), folder.join("book.db"));
/// write_atomic(&game, b"a game")?;
/// let inputs = Inputs::from_paths([&game]);
/// let is_ours = |file| Ok(start_of(file)?.starts_with(b"#made by us"));
/// // A new file, an own one; not an input, and nobody else's.
/// inputs.check(&book, is_ours)?;
/// write_atomic(&book, b"#made by us")?;
/// inputs.check(&book, is_ours)?;
/// assert!(inputs.check(&game, |_| Ok(true)).is_err());
/// write_atomic(&book, b"a diary")?;
/// assert!(inputs.check(&book, is_ours).is_err());
/// std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Inputs(HashSet<FileId>);

/// The mark that tells whose file it is stands in its first bytes, as many as these.
const START: u64 = 1 << 26;

impl Inputs {
    /// The files to which the paths lead. Paths that lead nowhere are left out.
    pub fn from_paths<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Inputs {
        Inputs(paths.into_iter().filter_map(|path| FileId::of(path.as_ref())).collect())
    }

    /// Whether a path leads to one of them.
    pub fn contain(&self, path: &Path) -> bool {
        FileId::of(path).is_some_and(|file| self.0.contains(&file))
    }

    /// Checks that an output may be written: it is none of these files, and there is no file yet,
    /// an empty one, or one that `is_ours` recognizes by what is in it. Devices and pipes have
    /// nothing to lose. Whether its folder is there is not asked: see
    /// [`NewFile::check`](crate::NewFile::check).
    ///
    /// # Errors
    ///
    /// The reason why it must not, of kind [`io::ErrorKind::InvalidInput`], or an error of the
    /// system.
    pub fn check(
        &self,
        path: &Path,
        is_ours: impl FnOnce(File) -> io::Result<bool>,
    ) -> io::Result<()> {
        let found = match fs::metadata(path) {
            Ok(found) => found,
            // A link that leads nowhere is there all the same.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return followed(path).map(drop);
            }
            Err(error) => return Err(error),
        };
        if found.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if self.contain(path) {
            return Err(invalid("it is an input, which is not replaced"));
        }
        if !found.is_file() || found.len() == 0 {
            return Ok(());
        }
        if is_ours(File::open(path)?)? {
            return Ok(());
        }
        Err(invalid(
            "this file was not made by this command or was changed since, and is not replaced: \
             choose another name",
        ))
    }
}

/// The beginning of a file: as many bytes as are searched for the mark that tells whose file it is.
///
/// # Errors
///
/// The file cannot be read.
pub fn start_of(file: impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(START).read_to_end(&mut start)?;
    Ok(start)
}

/// Whether an error in writing a file says that its name is wrong, not that something has gone
/// wrong, such as a disk that is full.
pub fn is_wrong_name(error: &io::Error) -> bool {
    use io::ErrorKind::{
        AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
        PermissionDenied, ReadOnlyFilesystem,
    };
    matches!(
        error.kind(),
        AlreadyExists
            | InvalidFilename
            | InvalidInput
            | IsADirectory
            | NotADirectory
            | NotFound
            | PermissionDenied
            | ReadOnlyFilesystem
    )
}

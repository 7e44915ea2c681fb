//! Which file a path leads to.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// The identity of a file, whatever the path to it: through `..`, links, or other capitals.
///
/// ```
/// use tsumero_files::FileId;
/// let folder = std::env::temp_dir();
/// let round = folder.join(".").join("..").join(folder.file_name().unwrap());
/// assert_eq!(FileId::of(&folder), FileId::of(&round));
/// assert_eq!(FileId::of(&folder.join("no such file")), None);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FileId(Identity);

/// Device and number on it. Several names may lead to it.
#[cfg(unix)]
type Identity = (u64, u64);
/// The path that the system itself uses, with its capitals.
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

impl FileId {
    /// The file to which a path leads; `None` if there is none.
    pub fn of(path: &Path) -> Option<FileId> {
        #[cfg(unix)]
        {
            fs::metadata(path).ok().map(|found| FileId(identity(&found)))
        }
        #[cfg(not(unix))]
        {
            fs::canonicalize(path).ok().map(FileId)
        }
    }
}

#[cfg(unix)]
fn identity(found: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino())
}

/// Whether a path, not followed if it is a link, still leads to an open file. Between the opening
/// and the locking of a file, another process may have put another one in its place.
pub(crate) fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) => same(&found, &file.metadata()?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn same(found: &Metadata, open: &Metadata) -> io::Result<bool> {
    Ok(identity(found) == identity(open))
}

/// Elsewhere, files are opened so that nobody else can remove them.
#[cfg(not(unix))]
fn same(found: &Metadata, _open: &Metadata) -> io::Result<bool> {
    Ok(found.is_file())
}

//! Files that grow while a process works: journals, logs, records of games.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use crate::identity::leads_to;

/// How often a file is tried that comes or goes while it is opened. Some names can be neither opened
/// nor created, such as a link of Unix that leads nowhere for a program under Wine.
pub(crate) const TRIES: usize = 100;

/// Opens a file that grows, for reading and writing, or creates it. It is locked until it is
/// closed. Nothing in it is changed.
///
/// ```
/// use std::io::{ErrorKind, Write};
/// use tsumero_files::open_growing;
/// let path = std::env::temp_dir().join(format!("tsumero-growing-{}", std::process::id()));
/// let mut journal = open_growing(&path)?;
/// writeln!(journal, "first finding")?;
/// // While it is open, nobody else works on it.
/// assert_eq!(open_growing(&path).unwrap_err().kind(), ErrorKind::ResourceBusy);
/// drop(journal);
/// assert_eq!(open_growing(&path)?.metadata()?.len(), 14);
/// std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// * [`io::ErrorKind::ResourceBusy`]: another process has it open, or replaces it all the time.
/// * [`io::ErrorKind::InvalidInput`]: it is a symbolic link, which is not followed, or no regular
///   file.
/// * Errors of the system.
pub fn open_growing(path: &Path) -> io::Result<File> {
    for _ in 0..TRIES {
        let is_new = match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => {
                return Err(invalid("it is a symbolic link, which is not followed here"));
            }
            Ok(found) if !found.is_file() => return Err(invalid("it is not a regular file")),
            Ok(_) => false,
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(error),
        };
        match writable().read(true).create_new(is_new).open(path) {
            Ok(file) => {
                lock(&file)?;
                if leads_to(path, &file)? {
                    return Ok(file);
                }
            }
            // It has come or gone in the meantime.
            Err(error) if is_new && error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if !is_new && error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(busy_if_shared(error)),
        }
    }
    Err(busy())
}

/// Options for reading a file that, on Windows, nobody else has open.
pub(crate) fn exclusive() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        options.share_mode(0);
    }
    options
}

/// Options for a file that is to be replaced. On Windows, it must not be open in a program that keeps
/// it from being deleted.
pub(crate) fn replaceable() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        const DELETE: u32 = 0x1_0000;
        options.access_mode(DELETE);
    }
    options
}

/// Options for writing to a file that nobody else writes to.
pub(crate) fn writable() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        // Others may read and rename it: FILE_SHARE_READ and FILE_SHARE_DELETE.
        options.share_mode(0x1 | 0x4);
    }
    options
}

/// Locks an open file until it is closed.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    // On Windows the mode of opening is the lock. A lock of a file would keep others from reading.
    if cfg!(windows) { Ok(()) } else { free(file.try_lock()) }
}

/// Whether the attempt to lock a file found it free. Some network file systems have no locks, and say
/// so by various errors; the file is used without one there.
fn free(attempt: Result<(), TryLockError>) -> io::Result<()> {
    match attempt {
        Err(TryLockError::WouldBlock) => Err(busy()),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// On Windows, a file that another process writes to cannot be opened.
pub(crate) fn busy_if_shared(error: io::Error) -> io::Error {
    const ERROR_SHARING_VIOLATION: i32 = 32;
    if cfg!(windows) && error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) {
        return busy();
    }
    error
}

pub(crate) fn busy() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing to it")
}

pub(crate) fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_without_locks_is_written_to() {
        /// `ENOLCK` of Linux: a network drive whose server has no locks.
        const NO_LOCKS_AVAILABLE: i32 = 37;
        for error in
            [io::Error::from_raw_os_error(NO_LOCKS_AVAILABLE), io::ErrorKind::Unsupported.into()]
        {
            assert!(free(Err(TryLockError::Error(error))).is_ok());
        }
        let locked = free(Err(TryLockError::WouldBlock)).unwrap_err();
        assert_eq!(locked.kind(), io::ErrorKind::ResourceBusy);
    }
}

//! Files that take their name when they are complete.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::growing::{
    TRIES, busy, busy_if_shared, exclusive, invalid, lock, replaceable, writable,
};
use crate::identity::leads_to;

/// Writes a whole file, or leaves everything as it was.
///
/// ```
/// use tsumero_files::write_atomic;
/// let path = std::env::temp_dir().join(format!("tsumero-whole-{}", std::process::id()));
/// write_atomic(&path, b"first")?;
/// write_atomic(&path, b"second")?;
/// assert_eq!(std::fs::read(&path)?, b"second");
/// std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`NewFile`].
pub fn write_atomic(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(content)?;
    file.commit().map(drop)
}

/// A file in the making. It lies beside its target as `.NAME.tsumero-new` until [`NewFile::commit`]
/// gives it its name. Without that it is removed when it is dropped. What a killed process has left
/// is taken away by the next one that writes the same target.
///
/// A target that is a symbolic link stays one: the file that it leads to is replaced. The
/// permissions of an existing target are kept. A device or a pipe cannot be replaced, and is
/// written to directly.
///
/// ```
/// use std::io::Write;
/// use tsumero_files::NewFile;
/// let path = std::env::temp_dir().join(format!("tsumero-new-{}", std::process::id()));
/// let mut file = NewFile::create(&path)?;
/// writeln!(file, "half")?;
/// drop(file);
/// assert!(!path.exists());
/// let mut file = NewFile::create(&path)?;
/// writeln!(file, "whole")?;
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"whole\n");
/// std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    /// Where it lies; `None` if it is written directly. It comes before the file, because it has
    /// to be removed while it is locked: afterwards the name may be that of another process.
    temporary: Option<Temporary>,
    out: BufWriter<File>,
    /// Where it belongs.
    target: PathBuf,
}

/// The name of a file that is not complete. The file is removed with it.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Temporary {
    /// Gives the file its name for good. Not every file system of Windows can replace a file while
    /// another process reads it, which is a matter of moments.
    fn rename(self, target: &Path) -> io::Result<()> {
        for _ in 0..TRIES {
            match fs::rename(&self.0, target) {
                Ok(()) => {
                    std::mem::forget(self);
                    return Ok(());
                }
                Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(error) => return Err(error),
            }
        }
        // The system does not tell why, but whoever has the file open now does.
        Err(match exclusive().open(target) {
            Err(error) => busy_if_shared(error),
            Ok(_) => io::ErrorKind::PermissionDenied.into(),
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl NewFile {
    /// Begins a file. The target is not touched yet.
    ///
    /// # Errors
    ///
    /// * [`io::ErrorKind::ResourceBusy`]: another process is writing the same target.
    /// * [`io::ErrorKind::InvalidInput`]: the target is a symbolic link that leads nowhere, or has
    ///   no name.
    /// * [`io::ErrorKind::PermissionDenied`]: the target is protected from writing.
    /// * Errors of the system.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let target = followed(path)?;
        let existing = match fs::metadata(&target) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => {
                let out = BufWriter::new(File::options().write(true).open(&target)?);
                return Ok(NewFile { temporary: None, out, target });
            }
            Ok(found) => Some(found.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(permissions) = &existing {
            if permissions.readonly() {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            // To replace a file, the right to write to its folder is enough. Whoever may not write
            // to the file must not replace it either. Windows looks at the file itself.
            if cfg!(unix) {
                File::options().write(true).open(&target)?;
            }
        }
        let temporary = temporary_name(&target)?;
        let out = BufWriter::new(claim(&temporary)?);
        let new = NewFile { temporary: Some(Temporary(temporary)), out, target };
        if let Some(permissions) = existing {
            give(new.out.get_ref(), permissions)?;
        }
        Ok(new)
    }

    /// Whether a file can be begun. Nothing is left behind, so a long run can ask before it begins.
    /// A device or a pipe is not opened, because it may wait for the other end.
    ///
    /// # Errors
    ///
    /// Those of [`NewFile::create`].
    pub fn check(path: &Path) -> io::Result<()> {
        match fs::metadata(path) {
            Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
            found => {
                let new = NewFile::create(path)?;
                // A spreadsheet keeps its file open.
                if cfg!(windows) && found.is_ok() {
                    replaceable().open(&new.target).map_err(busy_if_shared)?;
                }
                Ok(())
            }
        }
    }

    /// Gives the file its name. What it has is then on the disk. Returns the file, which stays
    /// locked until it is closed.
    ///
    /// # Errors
    ///
    /// Errors of the system; the target is then as it was.
    pub fn commit(mut self) -> io::Result<File> {
        self.out.flush()?;
        // After an error, the name is dropped while the file is still locked.
        if let Some(temporary) = self.temporary.take() {
            let file = self.out.get_ref();
            file.sync_all()?;
            if !leads_to(&temporary.0, file)? {
                // Where no file can be locked, another process has put its own one there.
                std::mem::forget(temporary);
                return Err(busy());
            }
            temporary.rename(&self.target)?;
            sync_folder(&self.target);
        }
        Ok(self.out.into_parts().0)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

/// Gives a file its permissions. Some network drives refuse every change, even to what there is.
fn give(file: &File, permissions: Permissions) -> io::Result<()> {
    if file.metadata()?.permissions() == permissions {
        return Ok(());
    }
    file.set_permissions(permissions)
}

/// The path itself, or the file that it leads to if it is a symbolic link.
pub(crate) fn followed(path: &Path) -> io::Result<PathBuf> {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        return Ok(path.to_owned());
    }
    match fs::metadata(path) {
        Ok(found) if found.is_file() || found.is_dir() => fs::canonicalize(path),
        // A pipe has no other path.
        Ok(_) => Ok(path.to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(invalid("it is a symbolic link that leads nowhere"))
        }
        Err(error) => Err(error),
    }
}

/// The name of the file while it is not complete: always the same for a target, so that there is
/// never more than one.
fn temporary_name(target: &Path) -> io::Result<PathBuf> {
    const ENDING: &str = "tsumero-new";
    /// Names may have 255 bytes in most file systems.
    const LONGEST: usize = 200;
    let name = target.file_name().ok_or_else(|| invalid("this is not the name of a file"))?;
    let mut temporary = OsString::from(".");
    if name.len() <= LONGEST {
        temporary.push(name);
    } else {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        temporary.push(format!("{:016x}", hasher.finish()));
    }
    temporary.push(".");
    temporary.push(ENDING);
    Ok(target.with_file_name(temporary))
}

/// Creates and locks the temporary file. One that a killed process has left is removed.
fn claim(temporary: &Path) -> io::Result<File> {
    for _ in 0..TRIES {
        match writable().create_new(true).open(temporary) {
            Ok(file) => {
                lock(&file)?;
                if leads_to(temporary, &file)? {
                    return Ok(file);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                remove_if_left(temporary)?;
            }
            Err(error) => return Err(error),
        }
    }
    Err(busy())
}

/// Removes a temporary file that no process is writing.
fn remove_if_left(temporary: &Path) -> io::Result<()> {
    let gone = |result: io::Result<()>| match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    };
    if fs::symlink_metadata(temporary).is_ok_and(|found| found.is_symlink()) {
        return gone(fs::remove_file(temporary));
    }
    let left = match writable().open(temporary) {
        Ok(left) => left,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(busy_if_shared(error)),
    };
    lock(&left)?;
    if leads_to(temporary, &left)? { gone(fs::remove_file(temporary)) } else { Ok(()) }
}

/// A new name survives a loss of power only when its folder is on the disk. Not every file system
/// can do that, and the file itself is safe without it.
fn sync_folder(target: &Path) {
    if cfg!(unix) {
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tsumero-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn until_it_is_complete_the_old_file_stays_and_one_process_writes() {
        let folder = folder("new-file");
        let path = folder.join("book.db");
        write_atomic(&path, b"old").unwrap();
        let mut new = NewFile::create(&path).unwrap();
        new.write_all(&[b'x'; 100_000]).unwrap();
        new.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        let second = NewFile::create(&path).unwrap_err();
        assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
        drop(new);
        assert_eq!(
            (fs::read(&path).unwrap(), names(&folder)),
            (b"old".to_vec(), vec!["book.db".to_owned()])
        );
        // The lock goes on to the new file.
        let new = NewFile::create(&path).unwrap().commit().unwrap();
        assert_eq!(crate::open_growing(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(new);
        assert!(crate::open_growing(&path).is_ok());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_a_killed_process_left_is_taken_away() {
        let folder = folder("left");
        for name in ["book.db".to_owned(), "長".repeat(80)] {
            let path = folder.join(&name);
            let temporary = temporary_name(&path).unwrap();
            fs::write(&temporary, "a part").unwrap();
            write_atomic(&path, b"new").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert_eq!(names(&folder), [name]);
            fs::remove_file(&path).unwrap();
        }
        for bad in ["..", "/"] {
            assert!(write_atomic(&folder.join(bad), b"new").is_err());
        }
        let missing = write_atomic(&folder.join("no/such"), b"new").unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let missing = NewFile::check(&folder.join("no/such")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        NewFile::check(&folder.join("such")).unwrap();
        assert!(names(&folder).is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }

    /// As a spreadsheet has it open. Other programs that read a file do not mind.
    #[cfg(windows)]
    #[test]
    fn a_file_that_is_kept_from_being_replaced_is_known_before() {
        use std::os::windows::fs::OpenOptionsExt as _;
        let folder = folder("kept");
        let path = folder.join("table.csv");
        write_atomic(&path, b"old").unwrap();
        let reader = File::open(&path).unwrap();
        NewFile::check(&path).unwrap();
        drop(reader);
        const FILE_SHARE_READ: u32 = 0x1;
        let kept = File::options().read(true).share_mode(FILE_SHARE_READ).open(&path).unwrap();
        assert_eq!(NewFile::check(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(kept);
        NewFile::check(&path).unwrap();
        assert_eq!(
            (fs::read(&path).unwrap(), names(&folder)),
            (b"old".to_vec(), vec!["table.csv".to_owned()])
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Somebody may have put a link where the temporary file will be.
    #[cfg(unix)]
    #[test]
    fn a_link_in_the_way_is_not_followed() {
        let folder = folder("link-in-the-way");
        let (path, diary) = (folder.join("book.db"), folder.join("diary"));
        fs::write(&diary, "my diary").unwrap();
        std::os::unix::fs::symlink(&diary, temporary_name(&path).unwrap()).unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&diary).unwrap(), b"my diary");
        assert_eq!(names(&folder), ["book.db", "diary"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Where no file can be locked, nothing keeps two processes from writing the same target.
    #[cfg(unix)]
    #[test]
    fn the_part_that_another_process_has_written_gets_no_name() {
        let folder = folder("two-without-locks");
        let path = folder.join("book.db");
        let temporary = temporary_name(&path).unwrap();
        let new = NewFile::create(&path).unwrap();
        fs::remove_file(&temporary).unwrap();
        fs::write(&temporary, "a part").unwrap();
        assert_eq!(new.commit().unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(names(&folder), [".book.db.tsumero-new"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// No file of a process can have other permissions.
    #[cfg(target_os = "linux")]
    #[test]
    fn where_permissions_cannot_be_changed_the_same_ones_are_kept() {
        use std::os::unix::fs::PermissionsExt as _;
        let file = File::open("/proc/self/status").unwrap();
        let permissions = file.metadata().unwrap().permissions();
        let others = Permissions::from_mode(permissions.mode() ^ 0o222);
        assert!(file.set_permissions(permissions.clone()).is_err() && give(&file, others).is_err());
        give(&file, permissions).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_refused() {
        let folder = folder("link-to-nothing");
        let link = folder.join("book.db");
        std::os::unix::fs::symlink(folder.join("nothing"), &link).unwrap();
        let checked = crate::Inputs::default().check(&link, |_| Ok(true)).unwrap_err();
        assert_eq!(checked.kind(), io::ErrorKind::InvalidInput);
        assert_eq!(write_atomic(&link, b"new").unwrap_err().to_string(), checked.to_string());
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Threads take the place of processes: each opens the file anew.
    #[test]
    fn many_writers_never_mix() {
        let folder = folder("many");
        let path = folder.join("book.db");
        let whole = |byte: u8| vec![byte; 50_000];
        std::thread::scope(|scope| {
            for byte in b'a'..b'e' {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..50 {
                        match write_atomic(path, &whole(byte)) {
                            Ok(()) => {}
                            Err(error) => assert_eq!(error.kind(), io::ErrorKind::ResourceBusy),
                        }
                        if let Ok(found) = fs::read(path) {
                            assert!(found.len() == 50_000 && found.iter().all(|&b| b == found[0]));
                        }
                    }
                });
            }
        });
        assert_eq!(names(&folder), ["book.db"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}

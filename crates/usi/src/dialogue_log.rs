//! The record of the dialogue with the GUI, which users attach to a report of trouble.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use parking_lot::Mutex;

/// Writes each line that comes in or goes out to a file, with the seconds since the file was
/// opened. Does nothing while no file is open. Shared by the threads that read and write.
#[derive(Debug, Default)]
pub struct DialogueLog {
    open: Mutex<Option<Recording>>,
}

#[derive(Debug)]
struct Recording {
    path: PathBuf,
    file: File,
    since: Instant,
}

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the GUI to us.
    In,
    /// From us to the GUI.
    Out,
}

impl DialogueLog {
    /// A log that is off.
    pub fn new() -> DialogueLog {
        DialogueLog::default()
    }

    /// Goes on in the given file, adding to what it holds, or nowhere.
    ///
    /// A relative path belongs to the folder of the program, because the current directory of an
    /// engine is whatever the GUI happens to have; the current directory is used only if that
    /// folder cannot be written.
    ///
    /// # Errors
    /// The file cannot be opened for writing; the log is off then.
    pub fn set_file(&self, path: Option<&Path>) -> io::Result<()> {
        let mut open = self.open.lock();
        let Some(path) = path else {
            *open = None;
            return Ok(());
        };
        if open.as_ref().is_some_and(|recording| recording.path == path) {
            return Ok(());
        }
        *open = None;
        let append = |path: &Path| File::options().create(true).append(true).open(path);
        let beside_program = std::env::current_exe()
            .ok()
            .and_then(|program| program.parent().map(|folder| folder.join(path)));
        let file = match beside_program.map(|path| append(&path)) {
            Some(Ok(file)) => file,
            _ => append(path)?,
        };
        *open = Some(Recording { path: path.to_owned(), file, since: Instant::now() });
        Ok(())
    }

    /// Writes a line down. A disk that is full must not end a game, so failing turns the log off.
    pub fn record(&self, direction: Direction, line: &[u8]) {
        let mut open = self.open.lock();
        let Some(recording) = open.as_mut() else { return };
        let arrow = match direction {
            Direction::In => '>',
            Direction::Out => '<',
        };
        let seconds = recording.since.elapsed().as_secs_f64();
        let mut entry = format!("{seconds:10.3} {arrow} ").into_bytes();
        entry.extend_from_slice(line.trim_ascii_end());
        entry.push(b'\n');
        if recording.file.write_all(&entry).is_err() {
            *open = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_written_until_the_log_is_turned_off() {
        let path = std::env::temp_dir().join(format!("tsumero-log-{}.txt", std::process::id()));
        let log = DialogueLog::new();
        log.record(Direction::In, b"lost");
        log.set_file(Some(&path)).unwrap();
        log.record(Direction::In, b"usi\r\n");
        log.record(Direction::Out, b"usiok");
        log.set_file(Some(&path)).unwrap();
        log.record(Direction::In, b"\xff\n");
        log.set_file(None).unwrap();
        log.record(Direction::In, b"lost");
        let text = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let lines: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].ends_with(b" > usi") && lines[1].ends_with(b" < usiok"));
        assert!(lines[2].ends_with(b" > \xff") && lines[3].is_empty());
    }

    #[test]
    fn a_file_that_cannot_be_opened_is_an_error_and_the_log_stays_usable() {
        let log = DialogueLog::new();
        let folder = std::env::temp_dir().join("tsumero no such folder");
        assert!(log.set_file(Some(&folder.join("log.txt"))).is_err());
        log.record(Direction::In, b"nowhere");
    }
}

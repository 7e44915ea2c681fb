//! The record of the dialogue with the GUI, which users attach to a report of trouble.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use parking_lot::Mutex;

/// Writes each line that comes in or goes out to a file, with the seconds since the program
/// started. While no file is open, the latest lines are kept, and the file begins with them: so
/// it holds the greeting too, and no line is lost that was read just before the file was opened.
/// Shared by the threads that read and write.
#[derive(Debug)]
pub struct DialogueLog {
    started: Instant,
    target: Mutex<Target>,
}

#[derive(Debug)]
enum Target {
    /// The latest lines and their total length, at most [`KEPT`].
    Memory(VecDeque<Vec<u8>>, usize),
    File(PathBuf, File),
}

/// How many bytes are kept while no file is open.
const KEPT: usize = 1 << 16;

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the GUI to us.
    In,
    /// From us to the GUI.
    Out,
}

impl Default for DialogueLog {
    fn default() -> DialogueLog {
        DialogueLog::new()
    }
}

impl DialogueLog {
    /// A log without a file; its clock starts now.
    pub fn new() -> DialogueLog {
        let target = Mutex::new(Target::Memory(VecDeque::new(), 0));
        DialogueLog { started: Instant::now(), target }
    }

    /// Goes on in the given file, adding to what it holds, or in memory.
    ///
    /// A relative path belongs to the folder of the program, because the current directory of an
    /// engine is whatever the GUI happens to have; the current directory is used only if that
    /// folder cannot be written.
    ///
    /// # Errors
    /// The file cannot be opened or written; there is no file then.
    pub fn set_file(&self, path: Option<&Path>) -> io::Result<()> {
        let mut target = self.target.lock();
        let kept = match (&mut *target, path) {
            (Target::File(open, _), Some(path)) if open == path => return Ok(()),
            (Target::Memory(..), None) => return Ok(()),
            (Target::Memory(lines, _), Some(_)) => std::mem::take(lines),
            (Target::File(..), _) => VecDeque::new(),
        };
        *target = Target::Memory(VecDeque::new(), 0);
        let Some(path) = path else { return Ok(()) };
        let append = |path: &Path| File::options().create(true).append(true).open(path);
        let beside_program = std::env::current_exe()
            .ok()
            .and_then(|program| program.parent().map(|folder| folder.join(path)));
        let mut file = match beside_program.map(|path| append(&path)) {
            Some(Ok(file)) => file,
            _ => append(path)?,
        };
        for entry in kept {
            file.write_all(&entry)?;
        }
        *target = Target::File(path.to_owned(), file);
        Ok(())
    }

    /// Writes a line down. A disk that is full must not end a game, so failing closes the file.
    pub fn record(&self, direction: Direction, line: &[u8]) {
        let arrow = match direction {
            Direction::In => '>',
            Direction::Out => '<',
        };
        let mut target = self.target.lock();
        let seconds = self.started.elapsed().as_secs_f64();
        let mut entry = format!("{seconds:10.3} {arrow} ").into_bytes();
        entry.extend_from_slice(line.trim_ascii_end());
        entry.push(b'\n');
        match &mut *target {
            Target::File(_, file) => {
                if file.write_all(&entry).is_err() {
                    *target = Target::Memory(VecDeque::new(), 0);
                }
            }
            Target::Memory(lines, length) => {
                *length += entry.len();
                lines.push_back(entry);
                while *length > KEPT {
                    *length -= lines.pop_front().map_or(*length, |oldest| oldest.len());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tsumero-log-{}-{name}", std::process::id()))
    }

    fn content(path: &Path) -> Vec<Vec<u8>> {
        let text = std::fs::read(path).unwrap();
        std::fs::remove_file(path).unwrap();
        let text = text.strip_suffix(b"\n").expect("the last line is complete");
        text.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn both_directions_are_written_from_the_start_until_the_file_is_closed() {
        let path = file("both");
        let log = DialogueLog::new();
        log.record(Direction::In, b"usi\r\n");
        log.set_file(Some(&path)).unwrap();
        log.record(Direction::Out, b"usiok");
        log.set_file(Some(&path)).unwrap();
        log.record(Direction::In, b"\xff\n");
        log.set_file(None).unwrap();
        log.record(Direction::In, b"not for the file");
        let lines = content(&path);
        assert_eq!(lines.len(), 3);
        assert!(lines[0].ends_with(b" > usi") && lines[1].ends_with(b" < usiok"));
        assert!(lines[2].ends_with(b" > \xff"));
    }

    #[test]
    fn only_the_latest_lines_are_kept_in_memory() {
        let path = file("latest");
        let log = DialogueLog::new();
        let long = vec![b'x'; KEPT / 10];
        for _ in 0..50 {
            log.record(Direction::In, &long);
        }
        log.record(Direction::In, &vec![b'y'; 3 * KEPT]);
        log.record(Direction::In, b"last");
        log.record(Direction::Out, &long);
        log.set_file(Some(&path)).unwrap();
        let lines = content(&path);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with(b" > last"));
    }

    #[test]
    fn a_file_that_cannot_be_opened_is_an_error_and_the_log_stays_usable() {
        let log = DialogueLog::new();
        assert!(log.set_file(Some(&file("no such folder").join("log.txt"))).is_err());
        log.record(Direction::In, b"into memory");
        let path = file("usable");
        log.set_file(Some(&path)).unwrap();
        assert_eq!(content(&path).len(), 1);
    }
}

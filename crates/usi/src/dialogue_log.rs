//! The log of the dialogue with the GUI, which users attach to bug reports.
//!
//! A separate thread opens the file and writes to it. Other threads pass their lines to it and go
//! on. So a slow disk costs lines of the log, never time of the game.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};
use parking_lot::{Condvar, Mutex};

/// Writes each line in both directions to a file, with the seconds since the program started. While
/// no file is open, the latest lines are kept, and a new file begins with them. So the file
/// contains the first commands, too. The log is shared by the threads that read and write.
pub struct DialogueLog {
    started: Instant,
    opener: Opener,
    shared: Arc<Shared>,
}

/// How many bytes are kept while no file is open.
const KEPT: usize = 1 << 16;
/// How many bytes may wait to be written. Lines beyond that are omitted.
const MOST_WAITING: usize = 4 << 20;
/// The largest number of bytes written of a line.
const LONGEST_LINE: usize = 1 << 16;
/// If opening a file takes longer than this, it counts as failed.
const LONGEST_OPENING: Duration = Duration::from_millis(50);
/// How long the program waits at its end for the last lines to be written.
const LONGEST_CLOSING: Duration = Duration::from_millis(500);

/// The direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the GUI to us.
    In,
    /// From us to the GUI.
    Out,
}

/// A line of the dialogue. Of a long line only the beginning is kept.
struct Line {
    direction: Direction,
    at: Instant,
    text: Box<[u8]>,
    /// The length of the whole line.
    length: usize,
}

/// A message to the writing thread.
enum Message {
    Line(Line),
    /// This many lines were omitted here.
    Gap(u64),
    /// Continue in this file, or in memory. The result is sent back.
    Open(Option<PathBuf>, Sender<Result<(), String>>),
    /// Confirm that everything before this has been written.
    Close(Sender<()>),
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// While no file is open, the latest lines wait here, and nobody is woken for them.
#[derive(Default)]
struct Waiting {
    messages: VecDeque<Message>,
    /// The total size of the lines among them, in bytes.
    bytes: usize,
    /// The number of messages among them that are not lines.
    requests: usize,
    /// Whether lines are taken from here: a file is open, or the writing thread is at work and may
    /// just be opening one.
    is_taken: bool,
    /// Whether no more messages will come.
    ended: bool,
    /// Whether the writing thread has been started.
    has_writer: bool,
}

/// A function that opens a file for appending.
type Opener = fn(&Path) -> Result<Box<dyn Write + Send>, String>;

impl std::fmt::Debug for DialogueLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DialogueLog").finish_non_exhaustive()
    }
}

impl Default for DialogueLog {
    fn default() -> DialogueLog {
        DialogueLog::new()
    }
}

impl Drop for DialogueLog {
    fn drop(&mut self) {
        self.shared.waiting.lock().ended = true;
        self.shared.changed.notify_all();
    }
}

impl DialogueLog {
    /// A log without a file. Its clock starts now.
    pub fn new() -> DialogueLog {
        DialogueLog::with_opener(open)
    }

    fn with_opener(opener: Opener) -> DialogueLog {
        DialogueLog { started: Instant::now(), opener, shared: Arc::default() }
    }

    /// Sends a message to the writing thread, which is started when it is needed first.
    fn push(&self, message: Message) {
        if self.shared.push(message) {
            let (shared, opener) = (Arc::clone(&self.shared), self.opener);
            let writer =
                Writer { shared, opener, started: self.started, file: None, unwritten: Vec::new() };
            // If the thread cannot be started, nothing is written, and opening a file reports that.
            let _ = thread::Builder::new().name("log".to_owned()).spawn(move || writer.run());
        }
    }

    /// Continues the log in the given file by appending to it, or in memory.
    ///
    /// A relative path is relative to the folder of the program, because the GUI decides the
    /// current directory of an engine. The current directory is used only if that folder cannot be
    /// written.
    ///
    /// # Errors
    /// What is wrong with the file, in ASCII: it cannot be opened, opening takes too long, or it is
    /// not a regular file. Then the log has no file.
    pub fn set_file(&self, path: Option<&Path>) -> Result<(), String> {
        let (sender, opened) = bounded(1);
        self.push(Message::Open(path.map(Path::to_owned), sender));
        let late = || Err("the file is not opened in time".to_owned());
        opened.recv_timeout(LONGEST_OPENING).unwrap_or_else(|_| late())
    }

    /// Logs a line that was read or sent at the given time. This never waits for the file.
    pub fn record(&self, direction: Direction, line: &[u8], at: Instant) {
        let line = line.trim_ascii_end();
        let text = line[..line.len().min(LONGEST_LINE)].into();
        self.push(Message::Line(Line { direction, at, text, length: line.len() }));
    }

    /// Waits a short time until everything is written.
    pub fn close(&self) {
        if !self.shared.waiting.lock().has_writer {
            return;
        }
        let (sender, written) = bounded(1);
        self.push(Message::Close(sender));
        // The program ends now in either case.
        let _ = written.recv_timeout(LONGEST_CLOSING);
    }
}

impl Line {
    /// The memory that it takes, in bytes.
    fn size(&self) -> usize {
        self.text.len() + size_of::<Message>()
    }

    /// The line as the file shows it, with the time since `started`.
    fn format(&self, started: Instant) -> Vec<u8> {
        let arrow = match self.direction {
            Direction::In => '>',
            Direction::Out => '<',
        };
        let seconds = self.at.saturating_duration_since(started).as_secs_f64();
        let mut entry = format!("{seconds:10.3} {arrow} ").into_bytes();
        entry.extend_from_slice(&self.text);
        if self.text.len() < self.length {
            entry.extend_from_slice(format!("... ({} bytes)", self.length).as_bytes());
        }
        entry.push(b'\n');
        entry
    }
}

impl Shared {
    /// Appends a message. Returns whether the writing thread has to be started.
    fn push(&self, message: Message) -> bool {
        let mut waiting = self.waiting.lock();
        let had_work = waiting.has_work();
        match message {
            Message::Line(line) if !waiting.is_taken && waiting.requests == 0 => waiting.keep(line),
            Message::Line(line) if waiting.bytes + line.size() > MOST_WAITING => {
                match waiting.messages.back_mut() {
                    Some(Message::Gap(count)) => *count += 1,
                    _ => waiting.messages.push_back(Message::Gap(1)),
                }
            }
            Message::Line(line) => {
                waiting.bytes += line.size();
                waiting.messages.push_back(Message::Line(line));
            }
            Message::Gap(_) | Message::Open(..) | Message::Close(_) => {
                waiting.requests += 1;
                waiting.messages.push_back(message);
            }
        }
        if !waiting.has_work() {
            return false;
        }
        // The thread sleeps only while there is no work.
        if !had_work {
            self.changed.notify_all();
        }
        !std::mem::replace(&mut waiting.has_writer, true)
    }

    /// Waits for work and returns all messages; `None` when no more will come. `has_file` tells
    /// whether a file takes the lines. `unwritten` are lines and gaps that no file has taken.
    fn next(&self, has_file: bool, unwritten: &mut Vec<Message>) -> Option<VecDeque<Message>> {
        let mut waiting = self.waiting.lock();
        waiting.is_taken = has_file;
        waiting.take_back(unwritten);
        loop {
            if waiting.has_work() {
                waiting.is_taken = true;
                waiting.bytes = 0;
                waiting.requests = 0;
                return Some(std::mem::take(&mut waiting.messages));
            }
            if waiting.ended {
                return None;
            }
            self.changed.wait(&mut waiting);
        }
    }
}

impl Waiting {
    /// Whether the writing thread has anything to do.
    fn has_work(&self) -> bool {
        self.requests > 0 || self.is_taken && !self.messages.is_empty()
    }

    /// Appends a line, and drops the oldest lines if there are too many.
    fn keep(&mut self, line: Line) {
        self.bytes += line.size();
        self.messages.push_back(Message::Line(line));
        self.drop_oldest();
    }

    /// Puts lines and gaps before all others, where they were, and drops the oldest lines if there
    /// are too many.
    fn take_back(&mut self, unwritten: &mut Vec<Message>) {
        for message in unwritten.drain(..).rev() {
            if let Message::Line(line) = &message {
                self.bytes += line.size();
            }
            self.messages.push_front(message);
        }
        if !self.is_taken {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        while self.bytes > KEPT
            && let Some(Message::Line(_) | Message::Gap(_)) = self.messages.front()
        {
            if let Some(Message::Line(oldest)) = self.messages.pop_front() {
                self.bytes -= oldest.size();
            }
        }
    }
}

/// The writing thread.
struct Writer {
    shared: Arc<Shared>,
    opener: Opener,
    /// When the clock of the log started.
    started: Instant,
    /// The open file and its path.
    file: Option<(PathBuf, Box<dyn Write + Send>)>,
    /// The lines and gaps of the current messages for which there is no file.
    unwritten: Vec<Message>,
}

impl Writer {
    fn run(mut self) {
        while let Some(messages) = self.shared.next(self.file.is_some(), &mut self.unwritten) {
            messages.into_iter().for_each(|message| self.take(message));
        }
    }

    fn take(&mut self, message: Message) {
        // If the answer comes too late, nobody waits for it any more.
        match message {
            Message::Line(_) | Message::Gap(_) if self.file.is_none() => {
                self.unwritten.push(message);
            }
            Message::Line(line) => self.write(&line.format(self.started)),
            Message::Gap(count) => {
                let note = format!("{:10} - {count} lines are left out: the disk is slow\n", "");
                self.write(note.as_bytes());
            }
            Message::Open(path, answer) => drop(answer.send(self.set_file(path))),
            Message::Close(answer) => drop(answer.send(())),
        }
    }

    /// Closes the file and opens another one, which begins with the lines that have no file.
    fn set_file(&mut self, path: Option<PathBuf>) -> Result<(), String> {
        if self.file.as_ref().map(|(open, _)| open) == path.as_ref() {
            return Ok(());
        }
        self.file = None;
        let Some(path) = path else { return Ok(()) };
        let file = (self.opener)(&path)?;
        self.file = Some((path, file));
        std::mem::take(&mut self.unwritten).into_iter().for_each(|message| self.take(message));
        Ok(())
    }

    /// Writes to the file. A full disk must not end a game, so an error closes the file.
    fn write(&mut self, entry: &[u8]) {
        if let Some((_, file)) = &mut self.file
            && file.write_all(entry).is_err()
        {
            self.file = None;
        }
    }
}

/// Opens a regular file, beside the program if possible. Opening anything else may block.
fn open(path: &Path) -> Result<Box<dyn Write + Send>, String> {
    let append = |path: &Path| {
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        File::options().create(true).append(true).open(path)
    };
    let beside_program = std::env::current_exe()
        .ok()
        .and_then(|program| program.parent().map(|folder| folder.join(path)));
    let file = match beside_program.map(|path| append(&path)) {
        Some(Ok(file)) => Ok(file),
        _ => append(path),
    };
    match file {
        Ok(file) => Ok(Box::new(file)),
        // Messages of the system may be in any language and encoding.
        Err(error) => Err(match error.kind() {
            io::ErrorKind::InvalidInput => "not a regular file".to_owned(),
            kind => format!("the file cannot be opened: {kind:?}"),
        }),
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
        log.record(Direction::In, b"usi\r\n", Instant::now());
        log.set_file(Some(&path)).unwrap();
        log.record(Direction::Out, b"usiok", Instant::now());
        log.set_file(Some(&path)).unwrap();
        log.record(Direction::In, b"\xff\n", Instant::now());
        log.set_file(None).unwrap();
        log.record(Direction::In, b"not for the file", Instant::now());
        log.close();
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
            log.record(Direction::In, &long, Instant::now());
        }
        log.record(Direction::In, &vec![b'y'; 3 * KEPT], Instant::now());
        log.record(Direction::In, b"last", Instant::now());
        log.record(Direction::Out, &long, Instant::now());
        log.set_file(Some(&path)).unwrap();
        log.close();
        let lines = content(&path);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with(b" > last"));
    }

    #[test]
    fn a_file_that_cannot_be_opened_is_an_error_and_the_log_stays_usable() {
        let log = DialogueLog::new();
        log.record(Direction::In, b"before", Instant::now());
        assert!(log.set_file(Some(&file("no such folder").join("log.txt"))).is_err());
        log.record(Direction::In, b"after", Instant::now());
        let path = file("usable");
        log.set_file(Some(&path)).unwrap();
        log.close();
        let lines = content(&path);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with(b" > before") && lines[1].ends_with(b" > after"));
    }

    /// A disk that takes nothing as long as a test holds this.
    static DISK: Mutex<()> = Mutex::new(());

    struct StuckDisk;

    impl Write for StuckDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            drop(DISK.lock());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_waits_for_a_disk_that_takes_nothing() {
        let stuck = DISK.lock();
        let log = DialogueLog::with_opener(|_| Ok(Box::new(StuckDisk)));
        log.set_file(Some(Path::new("stuck"))).unwrap();
        let line = vec![b'x'; LONGEST_LINE];
        log.record(Direction::In, &line, Instant::now());
        // The writing thread takes this line and does not come back.
        while !log.shared.waiting.lock().messages.is_empty() {
            thread::yield_now();
        }
        for _ in 0..1000 {
            log.record(Direction::In, &line, Instant::now());
        }
        let waiting = log.shared.waiting.lock();
        let lines = waiting.messages.len() as u64 - 1;
        assert!(waiting.bytes <= MOST_WAITING && waiting.bytes + (1 << 17) > MOST_WAITING);
        assert!(matches!(waiting.messages.back(), Some(&Message::Gap(gap)) if gap == 1000 - lines));
        drop(waiting);
        log.close();
        drop(stuck);
    }

    #[test]
    fn nobody_waits_for_a_disk_that_does_not_open_files() {
        let log = DialogueLog::with_opener(|_| {
            thread::sleep(Duration::from_secs(5));
            Err("at last".to_owned())
        });
        let started = Instant::now();
        assert!(log.set_file(Some(Path::new("hangs"))).is_err());
        assert!(started.elapsed() < Duration::from_secs(1));
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        let path = file("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let log = DialogueLog::new();
        for path in [&path, Path::new("/dev/null"), &std::env::temp_dir()] {
            let error = log.set_file(Some(path)).unwrap_err();
            assert!(error.contains("regular"), "{}: {error}", path.display());
        }
        std::fs::remove_file(&path).unwrap();
    }
}

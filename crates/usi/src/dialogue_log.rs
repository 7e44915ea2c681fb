//! The log of the dialogue with the GUI, which users attach to bug reports.
//!
//! A separate thread opens the file and writes to it. Other threads pass their lines to it and go
//! on. So a slow disk costs lines of the log, never time of the game. What goes wrong is told when it
//! is known ([`DialogueLog::faults`]).

mod log_file;

use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::{Condvar, Mutex};
use tsumero_control::Instant;

use log_file::open;

/// Writes each line in both directions to a file, with the seconds since the program started. While
/// no file is open, the latest lines are kept, and a new file begins with them. So the file
/// contains the first commands, too. The log is shared by the threads that read and write.
pub struct DialogueLog {
    started: Instant,
    opener: Opener,
    shared: Arc<Shared>,
    fault_sender: Sender<String>,
    faults: Receiver<String>,
}

/// How many bytes are kept while no file is open.
const KEPT: usize = 1 << 16;
/// How many bytes may wait to be written. Lines beyond that are omitted.
const MOST_WAITING: usize = 4 << 20;
/// The largest number of bytes written of a line.
const LONGEST_LINE: usize = 1 << 16;
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
    /// Continue in this file, or in memory.
    Open(Option<PathBuf>),
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
        let (fault_sender, faults) = unbounded();
        DialogueLog {
            started: Instant::now(),
            opener,
            shared: Arc::default(),
            fault_sender,
            faults,
        }
    }

    /// Sends a message to the writing thread, which is started when it is needed first.
    fn push(&self, message: Message) {
        if self.shared.push(message) {
            let writer = Writer {
                shared: Arc::clone(&self.shared),
                opener: self.opener,
                faults: self.fault_sender.clone(),
                started: self.started,
                file: None,
                unwritten: Vec::new(),
            };
            let spawned = thread::Builder::new().name("log".to_owned()).spawn(|| writer.run());
            if spawned.is_err() {
                self.shared.waiting.lock().give_up();
                // This struct holds a receiver, so sending does not fail.
                let _ = self.fault_sender.send("the system has no room for a thread".to_owned());
            }
        }
    }

    /// Continues the log in the given file by appending to it, or in memory. This never waits for
    /// the file.
    ///
    /// The file is the first that exists of the places where a relative name may be found: the
    /// folder of the program, and the current one. If none does, it is created in the first of them
    /// that can be written.
    pub fn set_file(&self, path: Option<&Path>) {
        self.push(Message::Open(path.map(Path::to_owned)));
    }

    /// Why there is no log in the file that was named last, in ASCII: it cannot be opened, it is
    /// not a regular file or has something else in it, or it takes no more lines. Then the log continues in memory.
    pub fn faults(&self) -> &Receiver<String> {
        &self.faults
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
    /// There is no writing thread: only the latest lines are kept.
    fn give_up(&mut self) {
        self.has_writer = false;
        self.requests = 0;
        self.messages.retain(|message| matches!(message, Message::Line(_) | Message::Gap(_)));
        self.drop_oldest();
    }

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
    /// Where it is told why there is no file.
    faults: Sender<String>,
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
        match message {
            Message::Line(_) | Message::Gap(_) if self.file.is_none() => {
                self.unwritten.push(message);
            }
            Message::Line(line) => self.write(&line.format(self.started)),
            Message::Gap(count) => {
                let note = format!("{:10} - {count} lines are left out: the disk is slow\n", "");
                self.write(note.as_bytes());
            }
            Message::Open(path) => {
                if let Err(reason) = self.set_file(path) {
                    self.tell(reason);
                }
            }
            // If this comes too late, nobody waits for it any more.
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
            && let Err(error) = file.write_all(entry)
        {
            self.file = None;
            self.tell(format!("the file takes no more lines: {:?}", error.kind()));
        }
    }

    fn tell(&self, reason: String) {
        // Without a receiver, the program ends.
        let _ = self.faults.send(reason);
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tsumero-log-{}-{name}", std::process::id()))
    }

    /// Waits until everything before this is done, however long that takes. Returns the fault that
    /// was told.
    fn settle(log: &DialogueLog) -> Result<(), String> {
        let (sender, done) = bounded(1);
        log.push(Message::Close(sender));
        done.recv().unwrap();
        log.faults.try_recv().map_or(Ok(()), Err)
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
        log.set_file(Some(&path));
        log.record(Direction::Out, b"usiok", Instant::now());
        log.set_file(Some(&path));
        log.record(Direction::In, b"\xff\n", Instant::now());
        log.set_file(None);
        log.record(Direction::In, b"not for the file", Instant::now());
        settle(&log).unwrap();
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
        log.set_file(Some(&path));
        settle(&log).unwrap();
        let lines = content(&path);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with(b" > last"));
    }

    #[test]
    fn a_log_is_appended_to_and_any_other_file_is_left_alone() {
        let path = file("appended");
        for runs in 1..=2 {
            let log = DialogueLog::new();
            log.record(Direction::In, b"usi", Instant::now());
            log.set_file(Some(&path));
            settle(&log).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(text.lines().count(), runs);
        }
        std::fs::remove_file(&path).unwrap();
        for text in ["手合割：平手\n   1 ７六歩(77)\n", "\0\0\x16\x2f network", "usi\n"] {
            std::fs::write(&path, text).unwrap();
            let log = DialogueLog::new();
            log.record(Direction::In, b"usi", Instant::now());
            log.set_file(Some(&path));
            let error = settle(&log).unwrap_err();
            assert!(error.contains("left alone"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn a_file_that_cannot_be_opened_is_an_error_and_the_log_stays_usable() {
        let log = DialogueLog::new();
        log.record(Direction::In, b"before", Instant::now());
        log.set_file(Some(&file("no such folder").join("log.txt")));
        assert!(settle(&log).is_err());
        log.record(Direction::In, b"after", Instant::now());
        let path = file("usable");
        log.set_file(Some(&path));
        settle(&log).unwrap();
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
        log.set_file(Some(Path::new("stuck")));
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

    /// Nothing is said of a file that takes long to open, until it is known what becomes of it.
    #[test]
    fn nobody_waits_for_a_disk_that_does_not_open_files() {
        static OPENING: Mutex<()> = Mutex::new(());
        let open_late: [(Opener, _); 2] = [
            (
                |_| {
                    drop(OPENING.lock());
                    Err("at last".to_owned())
                },
                Err("at last".to_owned()),
            ),
            (
                |path| {
                    drop(OPENING.lock());
                    open(path)
                },
                Ok(()),
            ),
        ];
        for (number, (opener, expected)) in open_late.into_iter().enumerate() {
            let path = file(&format!("late-{number}"));
            let stuck = OPENING.lock();
            let log = DialogueLog::with_opener(opener);
            log.record(Direction::In, b"before", Instant::now());
            // If this waited, it would wait forever, or say what it cannot know.
            log.set_file(Some(&path));
            log.record(Direction::In, b"after", Instant::now());
            log.close();
            assert!(log.faults.is_empty());
            drop(stuck);
            assert_eq!(settle(&log), expected);
            if expected.is_ok() {
                let lines = content(&path);
                assert!(lines[0].ends_with(b" > before") && lines[1].ends_with(b" > after"));
            }
        }
    }

    #[test]
    fn a_full_disk_is_told_once_and_the_log_goes_on_in_memory() {
        struct FullDisk;

        impl Write for FullDisk {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let log = DialogueLog::with_opener(|_| Ok(Box::new(FullDisk)));
        log.set_file(Some(Path::new("full")));
        for _ in 0..3 {
            log.record(Direction::In, b"lost", Instant::now());
        }
        assert_eq!(settle(&log), Err("the file takes no more lines: StorageFull".to_owned()));
        assert!(log.faults.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        let path = file("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let log = DialogueLog::new();
        for path in [&path, Path::new("/dev/null"), &std::env::temp_dir()] {
            log.set_file(Some(path));
            let error = settle(&log).unwrap_err();
            assert!(error.contains("regular"), "{}: {error}", path.display());
        }
        std::fs::remove_file(&path).unwrap();
    }
}

//! The thread that writes the log.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::Sender;
use tsumero_control::Instant;

use super::queue::{Message, Queue};

/// A function that opens a file for appending.
pub(super) type Opener = fn(&Path) -> Result<Box<dyn Write + Send>, String>;

/// The writing thread.
pub(super) struct Writer {
    queue: Arc<Queue>,
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
    pub(super) fn new(
        queue: Arc<Queue>,
        opener: Opener,
        faults: Sender<String>,
        started: Instant,
    ) -> Writer {
        Writer { queue, opener, faults, started, file: None, unwritten: Vec::new() }
    }

    /// Writes until no more messages will come.
    pub(super) fn run(mut self) {
        while let Some(messages) = self.queue.next(self.file.is_some(), &mut self.unwritten) {
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
        if let Some((path, file)) = &mut self.file
            && let Err(error) = file.write_all(entry)
        {
            let (path, kind) = (path.display(), error.kind());
            let fault = format!("{path}: the file takes no more lines: {kind}");
            self.file = None;
            self.tell(fault);
        }
    }

    fn tell(&self, reason: String) {
        // Without a receiver, the program ends.
        let _ = self.faults.send(reason);
    }
}

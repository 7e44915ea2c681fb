//! The log of the dialogue with the GUI, which users attach to bug reports.
//!
//! A separate thread opens the file and writes to it. Other threads pass their lines to it and go
//! on. So a slow disk costs lines of the log, never time of the game. What goes wrong is told when it
//! is known ([`DialogueLog::faults`]).

mod line;
mod log_file;
mod queue;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use tsumero_control::Instant;

pub use line::Direction;

use line::Line;
use log_file::open;
use queue::{Message, Queue};
use writer::{Opener, Writer};

/// Writes each line in both directions to a file, with the seconds since the program started. While
/// no file is open, the latest lines are kept, and a new file begins with them. So the file
/// contains the first commands, too. The log is shared by the threads that read and write.
pub struct DialogueLog {
    started: Instant,
    opener: Opener,
    queue: Arc<Queue>,
    fault_sender: Sender<String>,
    faults: Receiver<String>,
}

/// How long the program waits at its end for the last lines to be written.
const LONGEST_CLOSING: Duration = Duration::from_millis(500);

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
        self.queue.end();
    }
}

impl DialogueLog {
    /// A log without a file. Its clock starts now.
    pub fn new() -> DialogueLog {
        DialogueLog::with_opener(open)
    }

    fn with_opener(opener: Opener) -> DialogueLog {
        let (fault_sender, faults) = unbounded();
        DialogueLog { started: Instant::now(), opener, queue: Arc::default(), fault_sender, faults }
    }

    /// Sends a message to the writing thread, which is started when it is needed first.
    fn push(&self, message: Message) {
        if self.queue.push(message) {
            let (queue, faults) = (Arc::clone(&self.queue), self.fault_sender.clone());
            let writer = Writer::new(queue, self.opener, faults, self.started);
            let spawned = thread::Builder::new().name("log".to_owned()).spawn(|| writer.run());
            if spawned.is_err() {
                self.queue.give_up();
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

    /// Why there is no log in a file, after the file's name: it cannot be opened, it is not a regular file
    /// or has something else in it, or it takes no more lines. Then the log continues in memory.
    pub fn faults(&self) -> &Receiver<String> {
        &self.faults
    }

    /// Logs a line that was read or sent at the given time. This never waits for the file.
    pub fn record(&self, direction: Direction, line: &[u8], at: Instant) {
        self.record_beginning(direction, line, line.len(), at);
    }

    /// Logs a line of this length, of which only the beginning is there. This never waits for the file.
    pub fn record_beginning(
        &self,
        direction: Direction,
        beginning: &[u8],
        length: usize,
        at: Instant,
    ) {
        self.push(Message::Line(Line::new(direction, beginning, length, at)));
    }

    /// Waits a short time until everything is written.
    pub fn close(&self) {
        if !self.queue.has_writer() {
            return;
        }
        let (sender, written) = bounded(1);
        self.push(Message::Close(sender));
        // The program ends now in either case.
        let _ = written.recv_timeout(LONGEST_CLOSING);
    }
}

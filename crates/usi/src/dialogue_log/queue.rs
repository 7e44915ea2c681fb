//! What waits to be written to the log.

use std::collections::VecDeque;
use std::path::PathBuf;

use crossbeam_channel::Sender;
use parking_lot::{Condvar, Mutex};

use super::line::Line;

/// How many bytes are kept while no file is open.
pub(super) const KEPT: usize = 1 << 16;
/// How many bytes may wait to be written. Lines beyond that are omitted.
pub(super) const MOST_WAITING: usize = 4 << 20;

/// A message to the writing thread.
pub(super) enum Message {
    Line(Line),
    /// This many lines were omitted here.
    Gap(u64),
    /// Continue in this file, or in memory.
    Open(Option<PathBuf>),
    /// Confirm that everything before this has been written.
    Close(Sender<()>),
}

/// The messages to the writing thread.
#[derive(Default)]
pub(super) struct Queue {
    pub(super) waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// While no file is open, the latest lines wait here, and nobody is woken for them.
#[derive(Default)]
pub(super) struct Waiting {
    pub(super) messages: VecDeque<Message>,
    /// The total size of the lines among them, in bytes.
    pub(super) bytes: usize,
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

impl Queue {
    /// Appends a message. Returns whether the writing thread has to be started.
    pub(super) fn push(&self, message: Message) -> bool {
        let mut waiting = self.waiting.lock();
        let had_work = waiting.has_work();
        match message {
            Message::Line(line) if !waiting.is_taken && waiting.requests == 0 => waiting.keep(line),
            Message::Line(line) if waiting.bytes + size(&line) > MOST_WAITING => {
                match waiting.messages.back_mut() {
                    Some(Message::Gap(count)) => *count += 1,
                    _ => waiting.messages.push_back(Message::Gap(1)),
                }
            }
            Message::Line(line) => {
                waiting.bytes += size(&line);
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
    pub(super) fn next(
        &self,
        has_file: bool,
        unwritten: &mut Vec<Message>,
    ) -> Option<VecDeque<Message>> {
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

    /// Whether the writing thread has been started.
    pub(super) fn has_writer(&self) -> bool {
        self.waiting.lock().has_writer
    }

    /// The writing thread could not be started. Another message may start it.
    pub(super) fn give_up(&self) {
        self.waiting.lock().give_up();
    }

    /// No more messages will come.
    pub(super) fn end(&self) {
        self.waiting.lock().ended = true;
        self.changed.notify_all();
    }
}

/// The memory that a line takes, in bytes.
fn size(line: &Line) -> usize {
    line.kept() + size_of::<Message>()
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
        self.bytes += size(&line);
        self.messages.push_back(Message::Line(line));
        self.drop_oldest();
    }

    /// Puts lines and gaps before all others, where they were, and drops the oldest lines if there
    /// are too many.
    fn take_back(&mut self, unwritten: &mut Vec<Message>) {
        for message in unwritten.drain(..).rev() {
            if let Message::Line(line) = &message {
                self.bytes += size(line);
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
                self.bytes -= size(&oldest);
            }
        }
    }
}

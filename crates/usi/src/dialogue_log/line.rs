//! A line of the log.

use tsumero_control::Instant;

/// The largest number of bytes written of a line.
pub(super) const MOST_WRITTEN: usize = 1 << 16;

/// The direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the GUI to us.
    In,
    /// From us to the GUI.
    Out,
}

/// A line of the dialogue. Of a long line only the beginning is kept.
pub(super) struct Line {
    direction: Direction,
    at: Instant,
    text: Box<[u8]>,
    /// The length of the whole line.
    length: usize,
}

impl Line {
    /// The line that was read or sent at the given time, without its end. If it is longer than
    /// `beginning`, it has `length` bytes.
    pub(super) fn new(direction: Direction, beginning: &[u8], length: usize, at: Instant) -> Line {
        let is_whole = length <= beginning.len();
        let line = beginning.trim_ascii_end();
        let text = line[..line.len().min(MOST_WRITTEN)].into();
        Line { direction, at, text, length: if is_whole { line.len() } else { length } }
    }

    /// The number of bytes that are kept of it.
    pub(super) fn kept(&self) -> usize {
        self.text.len()
    }

    /// The line as the file shows it, with the time since `started`.
    pub(super) fn format(&self, started: Instant) -> Vec<u8> {
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

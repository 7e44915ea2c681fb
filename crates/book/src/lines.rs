//! Reads lines of a file from any place, up to the length of the longest line of a book.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// The longest line of a book in bytes. Lines of positions and moves have less than 200.
pub(crate) const LONGEST_LINE: usize = 4096;

/// The size of a read. Each step of a binary search reads one block.
const BLOCK: usize = 8192;

/// The lines of a source, with their offsets.
pub(crate) struct Lines<R> {
    source: BufReader<R>,
    /// Offset of the next line.
    next: u64,
    line: Vec<u8>,
}

/// A line without its end.
pub(crate) struct Line<'a> {
    /// Its offset in the source.
    pub(crate) start: u64,
    /// Its bytes; `None` if there are more than [`LONGEST_LINE`].
    pub(crate) text: Option<&'a [u8]>,
}

impl<R: Read + Seek> Lines<R> {
    pub(crate) fn new(source: R) -> Lines<R> {
        Lines { source: BufReader::with_capacity(BLOCK, source), next: 0, line: Vec::new() }
    }

    /// Goes to the first line that starts at or after an offset.
    pub(crate) fn go_to(&mut self, offset: u64) -> io::Result<()> {
        let before = offset.saturating_sub(1);
        self.source.seek(SeekFrom::Start(before))?;
        self.next = before;
        if offset > 0 {
            self.next_line()?;
        }
        Ok(())
    }

    /// Goes to the line that starts at an offset.
    pub(crate) fn go_to_line(&mut self, start: u64) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(start))?;
        self.next = start;
        Ok(())
    }

    /// The start of the source: so many bytes, or all if there are fewer.
    pub(crate) fn read_start(&mut self, most: u64) -> io::Result<Vec<u8>> {
        self.source.seek(SeekFrom::Start(0))?;
        let mut start = Vec::new();
        self.source.by_ref().take(most).read_to_end(&mut start)?;
        Ok(start)
    }

    /// The next line; `None` at the end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let start = self.next;
        self.line.clear();
        let mut limited = self.source.by_ref().take(LONGEST_LINE as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        self.next += read as u64;
        let is_whole = self.line.ends_with(b"\n") || read <= LONGEST_LINE;
        if self.line.ends_with(b"\n") {
            self.line.pop();
        }
        if self.line.ends_with(b"\r") {
            self.line.pop();
        }
        let mut text = self.line.as_slice();
        if start == 0 {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        Ok(Some(Line { start, text: is_whole.then_some(text) }))
    }
}

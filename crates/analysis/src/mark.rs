//! The comment by which a game file is known as an output of this program.
//!
//! Its checksum tells whether the file is still as it was written. A file that a person has changed
//! since, for example by a comment of their own, is that person's.

use std::io::{self, Read};
use std::ops::Range;

/// The comment at the start. The engine's name would not do: other programs write it, too, when they
/// use this engine.
pub(crate) const MADE_BY: &str = "made by tsumero analyze";

/// How many bytes are read together behind the start of a file.
const BLOCK: u64 = 1 << 16;

/// Length of a checksum: a space and eight hexadecimal digits.
const CHECKSUM: usize = 9;

/// Whether a comment is the mark, with or without its checksum.
pub(crate) fn is_mark(comment: &str) -> bool {
    comment.strip_prefix(MADE_BY).is_some_and(|rest| rest.is_empty() || checksum(rest).is_some())
}

/// Adds a checksum to the first mark of a game file, KIF or CSA. In any encoding, the mark is ASCII.
///
/// ```
/// use tsumero_analysis::{OutputKind, with_checksum};
/// let file = with_checksum(b"*made by tsumero analyze\n".to_vec());
/// assert_eq!(file, b"*made by tsumero analyze 11e9d628\n");
/// assert!(OutputKind::Kif.is_ours(&*file)?);
/// assert!(!OutputKind::Kif.is_ours(&*[&file[..], b"*good\n"].concat())?);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
    let text = format!(" {:08x}", crc32fast::hash(&file));
    let mark = lines(&file).find(|line| {
        ["*", "'*"]
            .iter()
            .any(|comment| file[line.clone()] == *[comment, MADE_BY].concat().as_bytes())
    });
    if let Some(Range { end, .. }) = mark {
        file.splice(end..end, text.into_bytes());
    }
    file
}

/// Whether a game file, its start and what comes then, is as [`with_checksum`] made it. `comment` is
/// what comments begin with.
pub(crate) fn is_unchanged(start: &[u8], mut rest: impl Read, comment: &str) -> io::Result<bool> {
    let mark = [comment, MADE_BY].concat();
    let found = lines(start).find_map(|line| {
        let text = start[line.clone()].strip_prefix(mark.as_bytes())?;
        Some((line.end - CHECKSUM, checksum(std::str::from_utf8(text).ok()?)?))
    });
    let Some((place, checksum)) = found else { return Ok(false) };
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&start[..place]);
    hasher.update(&start[place + CHECKSUM..]);
    let mut block = Vec::new();
    while rest.by_ref().take(BLOCK).read_to_end(&mut block)? > 0 {
        hasher.update(&block);
        block.clear();
    }
    Ok(hasher.finalize() == checksum)
}

/// Reads a checksum with the space before it.
fn checksum(text: &str) -> Option<u32> {
    let digits = text.strip_prefix(' ').filter(|_| text.len() == CHECKSUM)?;
    let is_written = |letter: u8| matches!(letter, b'0'..=b'9' | b'a'..=b'f');
    digits.bytes().all(is_written).then(|| u32::from_str_radix(digits, 16).ok())?
}

/// The places of the lines, without their ends. A line ends with a carriage return, a line feed or
/// both.
fn lines(file: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    file.split(|byte| b"\r\n".contains(byte)).map(move |line| {
        let start = next;
        next += line.len() + 1;
        start..start + line.len()
    })
}

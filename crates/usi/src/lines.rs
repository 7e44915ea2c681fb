//! Lines of input of any length.

use std::io::{self, BufRead as _, BufReader, Read};

/// Longer lines are not read. A game of ten thousand moves takes 60 kB.
pub const LONGEST_LINE: usize = 1 << 20;
/// The number of bytes that are kept of a line that is too long, to see what it asks for.
const BEGINNING: usize = 1000;

/// Why a line is not read that is longer than [`LONGEST_LINE`].
pub fn too_long() -> String {
    format!("a line of more than {LONGEST_LINE} bytes is not read")
}

/// Reads one line with its end and returns the number of bytes read, 0 at the end of the input. Of
/// a line longer than [`LONGEST_LINE`] only the beginning is kept, and the line feed at its end with a
/// carriage return before it. A line that does not end within `most` bytes is left there.
///
/// # Errors
/// The input cannot be read.
pub fn read_line(
    input: &mut BufReader<impl Read>,
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<usize> {
    let length = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', line)?;
    if length < LONGEST_LINE || line.ends_with(b"\n") {
        return Ok(length);
    }
    let mut rest = input.by_ref().take(most.saturating_sub(length) as u64);
    let mut total = length;
    loop {
        let piece = rest.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', line)?;
        total += piece;
        if piece == 0 || line.ends_with(b"\n") {
            break;
        }
        // The last byte may be the carriage return.
        line.drain(BEGINNING..line.len() - 1);
    }
    if total > LONGEST_LINE {
        let end = line.len() - end_of(line).len();
        line.drain(BEGINNING..end);
    }
    Ok(total)
}

/// The end of a line: a line feed, with a carriage return before it if there is one.
pub(crate) fn end_of(line: &[u8]) -> &[u8] {
    let text =
        line.strip_suffix(b"\n").map_or(line, |text| text.strip_suffix(b"\r").unwrap_or(text));
    &line[text.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lengths of the lines, and how many bytes of each are kept.
    fn lengths(input: &[u8], most: usize) -> Vec<(usize, usize)> {
        // A small buffer, so that lines are put together from several reads.
        let mut input = BufReader::with_capacity(1 << 10, input);
        let mut lengths = Vec::new();
        loop {
            let mut line = Vec::new();
            match read_line(&mut input, &mut line, most).unwrap() {
                0 => return lengths,
                length => lengths.push((length, line.len())),
            }
        }
    }

    #[test]
    fn a_long_line_costs_the_memory_of_its_beginning_and_the_next_one_is_read() {
        const LONG: usize = LONGEST_LINE + 1;
        let line = |length: usize| [&vec![b'x'; length - 1][..], b"\n"].concat();
        // The first piece of these lines ends between the two bytes of their end, or before them.
        let with_return = |length: usize| [&vec![b'x'; length - 2][..], b"\r\n"].concat();
        let input = [
            line(LONGEST_LINE),
            line(LONG),
            line(3),
            line(5 * LONG),
            line(1),
            with_return(LONG),
            with_return(2 * LONGEST_LINE),
            with_return(2 * LONGEST_LINE + 1),
            vec![b'x'; LONG],
        ];
        let expected = [
            (LONGEST_LINE, LONGEST_LINE),
            (LONG, BEGINNING + 1),
            (3, 3),
            (5 * LONG, BEGINNING + 1),
            (1, 1),
            (LONG, BEGINNING + 2),
            (2 * LONGEST_LINE, BEGINNING + 2),
            (2 * LONGEST_LINE + 1, BEGINNING + 2),
            (LONG, BEGINNING),
        ];
        assert_eq!(lengths(&input.concat(), usize::MAX), expected);
        // A line that does not end is left where it is.
        assert_eq!(lengths(&line(7 * LONG), 3 * LONG)[0], (3 * LONG, BEGINNING));
    }
}

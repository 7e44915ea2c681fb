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
/// a line longer than [`LONGEST_LINE`] only the beginning is kept. A line that does not end within
/// `most` bytes is left there.
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
    let rest = most.saturating_sub(length) as u64;
    let total = length + input.by_ref().take(rest).skip_until(b'\n')?;
    if total > LONGEST_LINE {
        line.truncate(BEGINNING);
    }
    Ok(total)
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
        let input = [line(LONGEST_LINE), line(LONG), line(3), line(5 * LONG), line(1)].concat();
        let expected = [
            (LONGEST_LINE, LONGEST_LINE),
            (LONG, BEGINNING),
            (3, 3),
            (5 * LONG, BEGINNING),
            (1, 1),
        ];
        assert_eq!(lengths(&input, usize::MAX), expected);
        // A line that does not end is left where it is.
        assert_eq!(lengths(&line(7 * LONG), 3 * LONG)[0], (3 * LONG, BEGINNING));
    }
}

//! Opening the file of a log.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use crate::file_name;

/// How many bytes of a file are looked at. Lines can be long.
const START: u64 = 1 << 18;
/// One of so many first lines is a line of the log: a tool may have cut off the beginning of the file,
/// and a note of lines that are left out may come next. A text in which somebody quotes a log is none.
const FIRST_LINES: usize = 3;

/// Opens a regular file for appending, and creates it if there is none. Opening anything else may
/// block. A file with something else in it is left alone: whoever chooses a wrong file in the dialog of a
/// GUI must not lose a game or a network.
pub(super) fn open(path: &Path) -> Result<Box<dyn Write + Send>, String> {
    let append = |path: &PathBuf| {
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        if !may_append(path)? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        File::options().create(true).append(true).open(path)
    };
    let mut places = file_name::places(path);
    places.sort_by_key(|place| !place.exists());
    let mut last: io::Result<File> = Err(io::ErrorKind::NotFound.into());
    for place in &places {
        last = append(place);
        // What is there and refused is not made in another place.
        if last.is_ok() || place.exists() {
            break;
        }
    }
    match last {
        Ok(file) => Ok(Box::new(file)),
        // Messages of the system may be in any language and encoding.
        Err(error) => {
            let reason = match error.kind() {
                io::ErrorKind::InvalidInput => "not a regular file",
                // To open a file for appending never fails with it.
                io::ErrorKind::AlreadyExists => {
                    "the file has something else in it than a log, so it is left alone"
                }
                // The file itself would be made.
                io::ErrorKind::NotFound => "no such folder",
                kind => &format!("the file cannot be opened: {kind}"),
            };
            Err(format!("{}: {reason}", path.display()))
        }
    }
}

/// Whether there is no file yet, or one that is empty or a log.
fn may_append(path: &Path) -> io::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    let mut start = Vec::new();
    file.take(START).read_to_end(&mut start)?;
    Ok(start.is_empty() || begins_log(&start))
}

/// Whether a file that begins so is a log.
fn begins_log(start: &[u8]) -> bool {
    start.split(|&byte| byte == b'\n').take(FIRST_LINES).any(is_line)
}

/// Whether a line begins as the lines of a log do: seconds with three digits after the point, and an
/// arrow.
fn is_line(line: &[u8]) -> bool {
    let mut words = line.split(|&byte| byte == b' ').skip_while(|word| word.is_empty());
    let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let is_time = |word: &[u8]| {
        word.len() > 4
            && word[word.len() - 4] == b'.'
            && is_number(&word[..word.len() - 4])
            && is_number(&word[word.len() - 3..])
    };
    words.next().is_some_and(is_time) && matches!(words.next(), Some(b">" | b"<"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_quotes_a_log_is_no_log() {
        let log = "     0.009 > isready\n     0.010 < readyok\n";
        for (text, is_log) in [
            (log.to_owned(), true),
            // Cut in a line, and before a note.
            (log[9..].to_owned(), true),
            (format!("out\n           - 9 lines are left out: the disk is slow\n{log}"), true),
            (format!("The engine hangs.\n\nThis is the log:\n{log}What now?\n"), false),
            ("no log at all\n".to_owned(), false),
        ] {
            assert_eq!(begins_log(text.as_bytes()), is_log, "{text}");
        }
    }

    #[test]
    fn a_line_of_a_log_is_known() {
        for line in
            [&b"     0.009 > isready"[..], b"123456789.123 < info string a", b"     0.000 > \r"]
        {
            assert!(is_line(line), "{line:?}");
        }
        for line in [
            &b""[..],
            b"0.009",
            "   1 ７六歩(77)".as_bytes(),
            b"1.5 > 2",
            b".009 > x",
            b"a.123 > x",
        ] {
            assert!(!is_line(line), "{line:?}");
        }
    }
}

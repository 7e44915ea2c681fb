//! Files of mate problems: rows of SFENs, or a game file (KIF, BOD, KI2, CSA, JKF).

use std::io::{self, BufRead as _, BufReader, Cursor, Read};
use std::path::Path;

use tsumero_record::{BadGame, Format, Game};
use tsumero_usi::lines::LONGEST_LINE;

use super::input::{self, Row, Rows};
use super::{Failure, tell};

/// Problems in order. One that cannot be read is named on standard error, and stands here as the
/// reason.
pub(super) type Problems<T> = Box<dyn Iterator<Item = Result<Result<T, String>, Failure>> + Send>;

/// The problems of a file, or of standard input for `-`. Each row is read by `of_row`, each game of the
/// file by `of_game`. Both tell what is bad or unusual. `None`: the file is neither of both, which has
/// been said on standard error.
pub(super) fn problems<T: Send + 'static>(
    name: &Path,
    of_row: impl Fn(&Row) -> Result<T, String> + Send + 'static,
    of_game: impl Fn(&Path, Result<Game, BadGame>) -> Result<T, BadGame> + Send + 'static,
) -> Result<Option<Problems<T>>, Failure> {
    let of_rows =
        |rows: Rows| -> Problems<T> { Box::new(rows.map(move |row| row.map(|row| of_row(&row)))) };
    let failure = |error| Failure::Input(name.to_owned(), error);
    let mut input = input::open(name).map_err(failure)?;
    // Rows are answered as they come. Any other input is read completely first.
    let mut start = Vec::new();
    let has_rows = begins_with_row(&mut input, &mut start).map_err(failure)?;
    let whole: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(input));
    let input = BufReader::with_capacity(1 << 16, whole);
    if has_rows {
        return Ok(Some(of_rows(Rows::new(input, name))));
    }
    let bytes = match input::rest(input) {
        Ok(bytes) => bytes,
        Err(error) if input::is_too_large(&error) => {
            tell(format_args!("{}: {error}", name.display()));
            // The answer to its one line, which has no end.
            return Ok(Some(Box::new(std::iter::once(Ok(Err(error.to_string()))))));
        }
        Err(error) => return Err(failure(error)),
    };
    let reading = tsumero_record::read_problems(&bytes);
    match reading.format {
        None | Some(Format::Usi) if !is_list(&bytes) => {
            let fault = reading.games.iter().find_map(|game| game.as_ref().err());
            let fault = fault.map(|bad| format!(":{bad}")).unwrap_or_default();
            let name = name.display();
            tell(format_args!("{name}{fault}: no SFENs, and no game in KIF, BOD, KI2, CSA or JKF"));
            Ok(None)
        }
        None | Some(Format::Usi) => Ok(Some(of_rows(Rows::of_bytes(bytes, name)))),
        Some(_) => {
            let file = name.to_owned();
            let read = move |game| Ok(of_game(&file, game).map_err(|bad| bad.reason));
            Ok(Some(Box::new(reading.games.into_iter().map(read))))
        }
    }
}

/// Whether the first line that is neither empty nor a comment is a row. Of nothing it is true. What
/// was read to decide it is appended to `start`.
fn begins_with_row(input: &mut BufReader<impl Read>, start: &mut Vec<u8>) -> io::Result<bool> {
    // Line by line, because a terminal and many a program send no more at a time.
    while start.len() < LONGEST_LINE {
        let before = start.len();
        if input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', start)? == 0 {
            return Ok(true);
        }
        let line = String::from_utf8_lossy(&start[before..]);
        // In some game files a line ends with a carriage return alone.
        let mut lines = line.trim_start_matches('\u{feff}').split('\r').map(str::trim);
        if let Some(first) = lines.find(|line| !line.is_empty() && !line.starts_with('#')) {
            return Ok(is_row(first));
        }
    }
    // So long a comment is read with the rest.
    Ok(false)
}

/// Whether a text is a list of positions, so that each of its lines has an answer: any line is a
/// position, or at least a quarter of the lines look like one.
fn is_list(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.split(['\r', '\n']).map(|line| line.trim_start_matches('\u{feff}').trim());
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (rows, others): (Vec<&str>, Vec<&str>) = lines.clone().partition(|line| is_row(line));
    rows.len() * 3 >= others.len() || lines.any(input::is_position)
}

/// Whether a line looks like a position, or like the header of a table of positions. Other columns
/// may contain anything.
fn is_row(line: &str) -> bool {
    let mut columns = line.split(',').map(|column| column.trim_matches(['"', ' ']));
    // A game in JSON may contain a position.
    !line.trim_start().starts_with(['{', '['])
        && columns.any(|column| begins_with_board(column) || column.eq_ignore_ascii_case("sfen"))
}

/// Whether a text begins like a position. Its board may have mistakes.
fn begins_with_board(text: &str) -> bool {
    let root = input::without_word(text, "position");
    let board = root.split_whitespace().next().unwrap_or_default();
    let is_board = board.is_ascii() && board.matches('/').count() >= 8;
    // A line of slashes alone is an ornament.
    let is_board = is_board && board.contains(|letter: char| letter.is_ascii_alphanumeric());
    input::without_word(root, "sfen") != root || root.starts_with(input::STARTPOS) || is_board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_from_other_lines() {
        for line in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "\"4k4/9/9/9/9/9/9/9/4K4 b P 1\",3",
            "sfen 4k4",
            "position\tsfen\t4k4",
            "position startpos moves 7g7f",
            "startpos",
            "name,SFEN,plies",
            "4k4/9//9/9/9/9/9/4K4 b P 1",
            "4k4/9/9/9/9/9/9/9/4K4 b P 1,一手詰",
            "4k4/9/9/9/9/9/9/9/4K4 b P 1 一手詰",
            "一手詰,\"4k4/9/9/9/9/9/9/9/4K4 b P 1\"",
        ] {
            assert!(is_row(line), "{line}");
        }
        for line in [
            "手合割：平手",
            "V2.2",
            "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY",
            "{\"initial\":{\"sfen\":\"4k4/9/9/9/9/9/9/9/4K4 b P 1\"}}",
            "the word sfen in a sentence",
            "position of the pieces",
            "a text that quotes 4k4/9/9/9/9/9/9/9/4K4 b P 1",
            "////////////////",
            "",
        ] {
            assert!(!is_row(line), "{line}");
        }
        for (first, second, expected) in [
            ("", "", true),
            ("# a comment", " and no more", true),
            ("\n# comment\n", "sfen,plies\n", true),
            ("\u{feff}# KIF\n", "手合割：平手\n", false),
            ("# KIF\r手合割", "：平手\r", false),
        ] {
            // Each read gives one of the parts.
            let mut input = BufReader::new(first.as_bytes().chain(second.as_bytes()));
            let mut start = Vec::new();
            assert_eq!(begins_with_row(&mut input, &mut start).unwrap(), expected, "{first}");
            input.read_to_end(&mut start).unwrap();
            assert_eq!(start, [first, second].concat().into_bytes());
        }
        assert!(is_list(b"x\ry\rz\rx\rstartpos\r"));
        assert!(is_list(b"x\ny\nz\nx\n\nstartpos\n") && !is_list(b"x\n# startpos\ny\n"));
        // Paths of files are no positions.
        assert!(!is_list(b"x\n/a/b/c/d/e/f/g/h/i\ny\nz\nx\n") && is_list(b"x\n////////a\ny\nz\n"));
    }
}

//! Files of positions: one in the first column of each line.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use tsumero_core::{MateProblem, Move, Position, UsiMove};
use tsumero_record::visible;
use tsumero_usi::lines::{LONGEST_LINE, read_line, too_long};

use super::report::{Noted, report};
use super::{Failure, Outcome, tell};

/// The starting position, as options show it.
pub(super) const STARTPOS: &str = "startpos";

/// Larger files of games are not read. They are read into memory completely.
const LARGEST_FILE: u64 = 1 << 30;
/// A line that has no end after this many bytes is the last one that is read.
const LONGEST_SKIPPED: usize = 64 << 20;

/// The whole content of a file, or of standard input for `-`.
///
/// # Errors
/// As for [`rest`].
pub(super) fn whole(name: &Path) -> io::Result<Vec<u8>> {
    open(name).and_then(rest)
}

/// The rest of an open file.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`], or the reason why it cannot be read.
pub(super) fn rest(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        let reason = format!("more than {LARGEST_FILE} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// Whether a file is too large to be read, and therefore nothing that is read here.
pub(super) fn is_too_large(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::FileTooLarge | io::ErrorKind::OutOfMemory)
}

/// One row of a file. Empty rows, comments and the header are skipped.
pub(super) struct Row {
    /// Number of its line, from 1.
    pub(super) line: usize,
    /// Its text, trimmed; or why it is not read.
    pub(super) text: Result<String, String>,
}

impl Row {
    /// Its columns, trimmed; at least one.
    pub(super) fn columns(&self) -> Result<Vec<String>, String> {
        self.text.as_ref().map(|text| columns(text)).map_err(String::clone)
    }

    /// Reads the first column. A bad one is named on standard error, and the reason is returned.
    pub(super) fn first<T: Noted>(
        &self,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, String> {
        self.report(match &self.text {
            Ok(text) if text.contains('"') => {
                read(columns(text).first().map_or("", String::as_str))
            }
            Ok(text) => read(text.split(',').next().unwrap_or_default().trim()),
            Err(reason) => Err(reason.clone()),
        })
    }

    /// Reports on standard error what is wrong or unusual with what was read from the row.
    pub(super) fn report<T: Noted>(&self, read: Result<T, String>) -> Result<T, String> {
        report(format_args!("line {}", self.line), read)
    }
}

/// Whether a name stands for standard input or output: `-`.
pub(super) fn is_standard(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// Opens a file, or standard input for `-`.
pub(super) fn open(name: &Path) -> io::Result<BufReader<Box<dyn Read + Send>>> {
    if is_standard(name) {
        return Ok(BufReader::new(Box::new(io::stdin())));
    }
    let file = File::open(name)?;
    // A folder can be opened but not read. A check here gives one clear message.
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(BufReader::with_capacity(1 << 16, Box::new(file)))
}

/// The lines of a text. Empty lines and lines that start with `#` are skipped. A line that is too
/// long is a row with the reason.
pub(super) struct Lines {
    input: BufReader<LineFeeds<BufReader<Box<dyn Read + Send>>>>,
    name: PathBuf,
    number: usize,
    /// Whether nothing more is read, because a line did not end.
    is_over: bool,
    bytes: Vec<u8>,
}

impl Lines {
    /// Opens a file, or standard input for `-`.
    pub(super) fn open(name: &Path) -> Result<Lines, Failure> {
        let input = open(name).map_err(|error| Failure::Input(name.to_owned(), error))?;
        Ok(Lines::new(input, name))
    }

    /// The lines of an open file.
    fn new(input: BufReader<Box<dyn Read + Send>>, name: &Path) -> Lines {
        let input = BufReader::new(LineFeeds { input, after_return: false });
        let name = name.to_owned();
        Lines { input, name, number: 0, is_over: false, bytes: Vec::new() }
    }

    /// The next line. `output` is flushed before waiting for it.
    pub(super) fn next_after(&mut self, output: &mut impl Write) -> Result<Option<Row>, Failure> {
        self.next_row(|| Ok(output.flush()?))
    }

    /// The next line that is not skipped. Wherever it may have to wait for more of the input, it calls
    /// `before_waiting` first.
    fn next_row(
        &mut self,
        mut before_waiting: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Option<Row>, Failure> {
        while !self.is_over {
            // What is there may be half a line.
            if !self.input.buffer().contains(&b'\n') {
                before_waiting()?;
            }
            self.bytes.clear();
            let length = read_line(&mut self.input, &mut self.bytes, LONGEST_SKIPPED)
                .map_err(|error| Failure::Input(self.name.clone(), error))?;
            if length == 0 {
                return Ok(None);
            }
            self.number += 1;
            self.is_over = length >= LONGEST_SKIPPED;
            let text = String::from_utf8_lossy(&self.bytes);
            let text = text.trim_start_matches('\u{feff}').trim();
            let text = match length {
                LONGEST_SKIPPED.. => Err(format!(
                    "a line of more than {LONGEST_SKIPPED} bytes: the rest of the file is not read"
                )),
                _ if text.is_empty() || text.starts_with('#') => continue,
                _ if length > LONGEST_LINE => Err(too_long()),
                _ => Ok(text.to_owned()),
            };
            return Ok(Some(Row { line: self.number, text }));
        }
        Ok(None)
    }
}

/// An input in which a line feed stands for every end of a line. In files of some programs, lines end
/// with a carriage return, with or without a line feed behind it.
struct LineFeeds<R> {
    input: R,
    /// Whether the last byte was a carriage return, so that a line feed behind it ends no other line.
    after_return: bool,
}

impl<R: Read> Read for LineFeeds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.input.read(buffer)?;
            let mut kept = 0;
            for at in 0..length {
                let byte = buffer[at];
                if byte != b'\n' || !self.after_return {
                    buffer[kept] = if byte == b'\r' { b'\n' } else { byte };
                    kept += 1;
                }
                self.after_return = byte == b'\r';
            }
            // Nothing at all would be the end of the input.
            if kept > 0 || length == 0 {
                return Ok(kept);
            }
        }
    }
}

impl Iterator for Lines {
    type Item = Result<Row, Failure>;

    fn next(&mut self) -> Option<Result<Row, Failure>> {
        self.next_row(|| Ok(())).transpose()
    }
}

/// The rows of plain text or CSV. They are read line by line, so a stray quotation mark spoils only
/// one line. As in [`Lines`], some lines are skipped, and so is a first line with a column called
/// `sfen`.
pub(super) struct Rows {
    lines: Lines,
    header_is_possible: bool,
}

/// Opens a file of rows, or standard input for `-`.
pub(super) fn rows(name: &Path) -> Result<Rows, Failure> {
    Ok(Rows { lines: Lines::open(name)?, header_is_possible: true })
}

impl Rows {
    /// The rows of an open file.
    pub(super) fn new(input: BufReader<Box<dyn Read + Send>>, name: &Path) -> Rows {
        Rows { lines: Lines::new(input, name), header_is_possible: true }
    }

    /// The rows of a file in memory.
    pub(super) fn of_bytes(bytes: Vec<u8>, name: &Path) -> Rows {
        Rows::new(BufReader::new(Box::new(io::Cursor::new(bytes))), name)
    }

    /// The next row. `output` is flushed before waiting for it.
    pub(super) fn next_after(&mut self, output: &mut impl Write) -> Result<Option<Row>, Failure> {
        self.next_row(|| Ok(output.flush()?))
    }

    /// See [`Lines::next_row`].
    fn next_row(
        &mut self,
        mut before_waiting: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Option<Row>, Failure> {
        let row = self.lines.next_row(&mut before_waiting)?;
        let is_first = std::mem::take(&mut self.header_is_possible);
        let columns = row.as_ref().filter(|_| is_first).and_then(|row| row.columns().ok());
        if columns.is_some_and(|names| names.iter().any(|name| name.eq_ignore_ascii_case("sfen"))) {
            return self.lines.next_row(before_waiting);
        }
        Ok(row)
    }
}

impl Iterator for Rows {
    type Item = Result<Row, Failure>;

    fn next(&mut self) -> Option<Result<Row, Failure>> {
        self.next_row(|| Ok(())).transpose()
    }
}

/// Writes one answer for each position of a file with `answer`. A line that cannot be read is
/// answered by the reason.
pub(super) fn answer_each<O: Write>(
    file: &Path,
    output: &mut O,
    mut answer: impl FnMut(&Position, &mut O) -> io::Result<()>,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Done;
    let mut rows = rows(file)?;
    while let Some(row) = rows.next_after(output)? {
        match row.first(position) {
            Ok(position) => answer(&position, output)?,
            Err(reason) => {
                outcome = Outcome::BadInput;
                writeln!(output, "{}", error_line(&reason))?;
            }
        }
    }
    Ok(outcome)
}

fn columns(text: &str) -> Vec<String> {
    if !text.contains('"') {
        return text.split(',').map(|column| column.trim().to_owned()).collect();
    }
    let mut record = csv::StringRecord::new();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .buffer_capacity(text.len())
        .from_reader(text.as_bytes());
    match reader.read_record(&mut record) {
        Ok(true) => record.iter().map(str::to_owned).collect(),
        // A line that is not CSV is one column.
        _ => vec![text.to_owned()],
    }
}

/// Reads the position that a user wrote: an SFEN with or without the word `sfen` before it, or
/// `startpos`. Moves may follow after the word `moves`. The word `position` may come before all of
/// it. Its pieces may stand anywhere, as in the diagram of a game file.
pub(super) fn position(text: &str) -> Result<Position, String> {
    let (root, moves) = root_and_moves(text);
    let read = |sfen: &str| Position::from_diagram(sfen).map_err(|error| error.to_string());
    match sfen_of(root) {
        // A position is large, so one without moves is returned directly.
        Some(sfen) if moves.is_empty() => read(sfen),
        Some(sfen) => after(read(sfen)?, moves),
        None => after(Position::startpos(), moves),
    }
}

/// Reads a mate problem, which is written like a position. The first of its moves may be one that lets
/// a standing check stand.
pub(super) fn mate_problem(text: &str) -> Result<MateProblem, String> {
    let (root, moves) = root_and_moves(text);
    let Some(sfen) = sfen_of(root) else { return position(text).map(MateProblem::from) };
    let problem = MateProblem::from_sfen(sfen).map_err(|error| error.to_string())?;
    let mut words = numbered(moves);
    let mut position = match problem.position() {
        _ if moves.is_empty() => return Ok(problem),
        Some(position) => position.clone(),
        None => match words.next() {
            Some((_, word)) => after_check(&problem, word)?,
            None => return Ok(problem),
        },
    };
    play(&mut position, words)?;
    Ok(position.into())
}

/// The position after the first move of a problem in which a king is in check that the side to move
/// could capture.
fn after_check(problem: &MateProblem, word: &str) -> Result<Position, String> {
    let reason = |reason: &dyn Display| format!("move 1, {word}: {reason}");
    let mv = word.parse::<UsiMove>().map_err(|error| reason(&error))?;
    let check = problem.checks().into_iter().find(|(check, _)| check.to_usi() == mv);
    check.map(|(_, after)| after).ok_or_else(|| {
        reason(&"the side to move could capture the king, so only a check is a move")
    })
}

/// Whether the first column of a line is a position.
pub(super) fn is_position(line: &str) -> bool {
    columns(line).first().is_some_and(|column| mate_problem(column).is_ok())
}

/// The words before and after the word `moves`, without the word `position`.
pub(super) fn root_and_moves(text: &str) -> (&str, &str) {
    let text = without_word(text.trim(), "position");
    let is_word = |place: usize| {
        let behind = text[place + MOVES.len()..].chars().next();
        text[..place].ends_with(char::is_whitespace) && behind.is_none_or(char::is_whitespace)
    };
    match text.find(MOVES).filter(|&place| is_word(place)) {
        Some(place) => (text[..place].trim_end(), text[place + MOVES.len()..].trim()),
        None => (text, ""),
    }
}

const MOVES: &str = "moves";

/// A text without the given word, if it begins with it.
pub(super) fn without_word<'a>(text: &'a str, word: &str) -> &'a str {
    let rest = text.strip_prefix(word).filter(|rest| rest.starts_with(char::is_whitespace));
    rest.unwrap_or(text).trim_start()
}

/// The SFEN that the user wrote; `None` for the starting position.
fn sfen_of(text: &str) -> Option<&str> {
    (text != STARTPOS).then(|| without_word(text, "sfen"))
}

/// The position after moves.
fn after(mut position: Position, moves: &str) -> Result<Position, String> {
    play(&mut position, numbered(moves)).map(|_| position)
}

/// Moves with their numbers, from 1.
fn numbered(moves: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(moves.split_ascii_whitespace())
}

/// Plays moves, and returns them.
fn play<'a>(
    position: &mut Position,
    moves: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Vec<Move>, String> {
    let mut line = Vec::new();
    for (number, word) in moves {
        match position.parse_move(word) {
            Ok(mv) => {
                position.play_unchecked(mv);
                line.push(mv);
            }
            Err(reason) => return Err(format!("move {number}, {word}: {reason}")),
        }
    }
    Ok(line)
}

/// Reads a position and the moves behind it apart.
pub(super) fn root_and_line(text: &str) -> Result<(Position, Vec<Move>), String> {
    let (root, moves) = root_and_moves(text);
    let root = position(root)?;
    let line = play(&mut root.clone(), numbered(moves))?;
    Ok((root, line))
}

/// Names a bad line on standard error.
pub(super) fn bad_line(line: usize, reason: &str) {
    tell(format_args!("line {line}: {reason}"));
}

/// The text that is printed instead of an answer for a line that cannot be read.
pub(super) fn error_line(reason: &str) -> String {
    format!("error {}", visible(reason))
}

/// The same where the answers are JSON.
pub(super) fn error_json(reason: &str) -> String {
    serde_json::json!({ "error": visible(reason) }).to_string()
}

/// Reads the position of a `--sfen` option. A bad one is named on standard error.
pub(super) fn position_option(sfen: &str) -> Option<Position> {
    report("--sfen", position(sfen)).ok()
}

/// Reads the mate problem of a `--sfen` option. A bad one is named on standard error.
pub(super) fn mate_problem_option(sfen: &str) -> Option<MateProblem> {
    report("--sfen", mate_problem(sfen)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_may_be_written_in_many_ways() {
        let start = Position::startpos();
        let sfen = start.to_sfen();
        let mut later = start.clone();
        later.play_unchecked(later.parse_move("7g7f").unwrap());
        for (head, moves, expected) in [
            ("", "", &start),
            ("sfen ", "", &start),
            ("position sfen ", "", &start),
            ("position  ", " moves", &start),
            ("sfen ", " moves 7g7f", &later),
            ("position sfen ", "  moves  7g7f ", &later),
            ("position\tsfen\t", "\tmoves\t7g7f", &later),
        ] {
            let text = format!("{head}{sfen}{moves}");
            assert_eq!(position(&text).unwrap().key(), expected.key(), "{text}");
            let problem = mate_problem(&text).unwrap();
            assert_eq!(problem.position().unwrap().key(), expected.key(), "{text}");
        }
        for text in ["startpos", "position startpos", "startpos moves"] {
            assert_eq!(position(text).unwrap().key(), start.key());
        }
        assert_eq!(position("startpos moves 7g7f").unwrap().key(), later.key());
        let error = position("startpos moves 7g7f 7g7f").unwrap_err();
        assert!(error.starts_with("move 2, 7g7f: "), "{error}");
        assert!(position("movesmoves").is_err() && position("").is_err());
    }

    /// Where the king could be captured, the first move is a check of the problem.
    #[test]
    fn moves_may_follow_a_standing_check() {
        let sfen = "4k4/9/9/9/4R4/9/9/9/9 b G 1";
        let after = |moves: &str| mate_problem(&format!("{sfen} moves {moves}"));
        let sfen_after = |moves| after(moves).unwrap().position().unwrap().to_sfen();
        assert!(mate_problem(sfen).unwrap().position().is_none());
        assert_eq!(sfen_after("G*5b"), "4k4/4G4/9/9/4R4/9/9/9/9 w - 2");
        assert_eq!(sfen_after("G*4b 5a4b"), "9/5k3/9/9/4R4/9/9/9/9 b g 3");
        for (moves, start) in [
            ("5e4e", "move 1, 5e4e: the side to move could capture the king"),
            ("5e5a+", "move 1, 5e5a+: the side to move could capture"),
            ("x", "move 1, x: "),
            ("G*5b 5a5c", "move 2, 5a5c: "),
        ] {
            let reason = after(moves).unwrap_err();
            assert!(reason.starts_with(start), "{reason}");
        }
    }

    #[test]
    fn lines_end_with_line_feeds_or_carriage_returns() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["\u{feff}# comment", "sfen,plies", " a ", "", "b,1", ""].join(end);
            let mut rows = Rows::of_bytes(text.into_bytes(), Path::new("-"));
            let mut next = || rows.next().map(|row| row.unwrap()).map(|row| (row.line, row.text));
            assert_eq!(next(), Some((3, Ok("a".to_owned()))), "{end:?}");
            assert_eq!(next(), Some((5, Ok("b,1".to_owned()))), "{end:?}");
            assert_eq!(next(), None);

            // Both bytes of an end may come apart, and the whole file may be longer than a line.
            let text = ["a"; LONGEST_LINE].join(end);
            let input = io::Cursor::new(text).chain(io::Cursor::new(end)).chain(&b"b"[..]);
            let rows = Rows::new(BufReader::with_capacity(1, Box::new(input)), Path::new("-"));
            assert_eq!(rows.map(|row| row.unwrap().line).max(), Some(LONGEST_LINE + 1), "{end:?}");
        }
    }

    /// What a script writes may end within a line, or with lines that are skipped.
    #[test]
    fn answers_go_out_before_any_wait() {
        struct Flushes(usize);
        impl Write for Flushes {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                self.0 += 1;
                Ok(())
            }
        }
        for (parts, flushes) in [
            (&["a\nb\n", "c\n"][..], [1, 1, 2, 3]),
            (&["a\nb", "b\nc\n"], [1, 2, 2, 3]),
            (&["a\n\n", "# comment\n", "b\nc\n"], [1, 3, 3, 4]),
        ] {
            let parts = parts.iter().map(|part| Box::new(part.as_bytes()) as Box<dyn Read + Send>);
            let input = parts.reduce(|before, part| Box::new(before.chain(part))).unwrap();
            let mut rows = Rows::new(BufReader::new(input), Path::new("-"));
            let mut output = Flushes(0);
            let seen = [(); 4].map(|()| {
                let row = rows.next_after(&mut output).unwrap();
                (row.map(|row| row.text.unwrap()), output.0)
            });
            let counts = seen.each_ref().map(|(_, flushes)| *flushes);
            assert_eq!(counts, flushes, "{seen:?}");
            assert!(seen[2].0.as_deref() == Some("c") && seen[3].0.is_none(), "{seen:?}");
        }
    }

    #[test]
    fn columns_are_split_as_csv_is() {
        assert_eq!(columns("a , b,,c"), ["a", "b", "", "c"]);
        assert_eq!(columns("\"a, b\",\"c\"\"d\""), ["a, b", "c\"d"]);
        assert_eq!(columns("a"), ["a"]);
    }
}

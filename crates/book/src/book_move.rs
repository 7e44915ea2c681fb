//! One move of a position.

use std::fmt;

use tsumero_core::{File, Rank, Square, UsiMove};

/// A recorded move: a line below its position.
///
/// ```
/// use tsumero_book::{Book, Lookup};
/// use tsumero_core::Position;
/// let start = Position::startpos();
/// let text = format!("sfen {start}\n2g2f 8c8d 30 32 7\n7g7f\n");
/// let entries = Book::from_bytes(text.into_bytes())?.find(&start, Lookup::default())?;
/// let first = entries[0];
/// assert_eq!((first.value, first.depth, first.count), (Some(30), Some(32), Some(7)));
/// assert_eq!(first.ponder, Some("8c8d".parse()?));
/// // The other line records nothing but the move.
/// assert_eq!(entries[1].to_string(), "7g7f none none none none");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: UsiMove,
    /// The expected reply.
    pub ponder: Option<UsiMove>,
    /// The value for the side to move, in the units of the program that wrote it; `None` if none is recorded.
    pub value: Option<i32>,
    /// The depth at which the value was found, in plies; `None` if none is recorded.
    pub depth: Option<u32>,
    /// How often it was played; `None` if that is not recorded.
    pub count: Option<u64>,
}

impl BookMove {
    /// Reads a line `move ponder value depth count`. Everything after the move may be missing.
    /// `None` for a line that says that there is no move.
    ///
    /// # Errors
    /// The fault of the line.
    pub(crate) fn read(line: &str) -> Result<Option<BookMove>, String> {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        let Some(mv) = read_move(first)? else { return Ok(None) };
        let ponder = words.next().map_or(Ok(None), read_move)?;
        let mut number = |what, largest| match words.next() {
            None => Ok(None),
            Some(word) => read_number(what, word, largest),
        };
        let value = number("value", i32::MAX.into())?;
        let depth = number("depth", u32::MAX.into())?;
        let count = number("count", i64::MAX)?;
        // The limits have been checked.
        Ok(Some(BookMove {
            mv,
            ponder,
            value: value.map(|value| value as i32),
            depth: depth.map(|depth| depth.max(0) as u32),
            count: count.map(|count| count.max(0).unsigned_abs()),
        }))
    }

    /// The same move on the board turned around.
    pub(crate) fn turned(self) -> BookMove {
        BookMove { mv: turned(self.mv), ponder: self.ponder.map(turned), ..self }
    }
}

/// Whether a word means "no move".
fn is_nothing(word: &str) -> bool {
    matches!(word, "none" | "resign" | "win")
}

fn read_move(word: &str) -> Result<Option<UsiMove>, String> {
    if is_nothing(word) {
        return Ok(None);
    }
    word.parse().map(Some).map_err(|_| format!("'{}' is not a move", shown(word)))
}

/// Reads a number from `-largest - 1` to `largest`.
fn read_number(what: &str, word: &str, largest: i64) -> Result<Option<i64>, String> {
    if is_nothing(word) {
        return Ok(None);
    }
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("the {what} '{}' is not a number", shown(word)));
    }
    let number =
        word.parse::<i64>().ok().filter(|number| (-largest - 1..=largest).contains(number));
    let too_large = || format!("the {what} '{}' is too large", shown(word));
    number.map(Some).ok_or_else(too_large)
}

/// A word of a bad line, shortened and printable.
fn shown(word: &str) -> String {
    let letters = word.chars().take(20);
    letters.map(|c| if c.is_ascii_graphic() { c } else { '?' }).collect()
}

fn turned(mv: UsiMove) -> UsiMove {
    let square = |square: Square| {
        let file = File::all().rev().nth(square.file().index());
        let rank = Rank::all().rev().nth(square.rank().index());
        match (file, rank) {
            (Some(file), Some(rank)) => Square::new(file, rank),
            // Files and ranks both have nine values.
            _ => square,
        }
    };
    match mv {
        UsiMove::Board { from, to, promotes } => {
            UsiMove::Board { from: square(from), to: square(to), promotes }
        }
        UsiMove::Drop { kind, to } => UsiMove::Drop { kind, to: square(to) },
    }
}

/// Writes the line of the book.
impl fmt::Display for BookMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
        write!(
            f,
            "{} {} {} {} {}",
            self.mv,
            word(self.ponder.map(|mv| mv.to_string())),
            word(self.value.map(|value| value.to_string())),
            word(self.depth.map(|depth| depth.to_string())),
            word(self.count.map(|count| count.to_string())),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> BookMove {
        BookMove::read(line).unwrap().unwrap()
    }

    #[test]
    fn lines_read_back_and_may_be_short() {
        for line in ["7g7f 3c3d 25 12 34", "P*5e none -31999 0 1", "8h2b+ none none none none"] {
            assert_eq!(read(line).to_string(), line);
        }
        assert_eq!(read("7g7f").to_string(), "7g7f none none none none");
        assert_eq!(read(" 7g7f  resign\t+3 ").to_string(), "7g7f none 3 none none");
        assert_eq!(read("7g7f none 1 2 3 more words").count, Some(3));
        assert_eq!(BookMove::read("resign none 0 0 0"), Ok(None));
        let large = read("7g7f none -2147483647 4294967295 9223372036854775807");
        assert_eq!((large.value, large.depth), (Some(-i32::MAX), Some(u32::MAX)));
        assert_eq!(large.count, Some(i64::MAX.unsigned_abs()));
        let small = read("7g7f none -2147483648 -4294967296 -9223372036854775808");
        assert_eq!((small.value, small.depth, small.count), (Some(i32::MIN), Some(0), Some(0)));
        let negative = read("7g7f none 0 -3 -5");
        assert_eq!((negative.depth, negative.count), (Some(0), Some(0)));
    }

    #[test]
    fn what_is_no_line_is_refused_by_its_word() {
        for (line, word) in [
            ("7g7", "'7g7'"),
            ("7g7f 3c3", "'3c3'"),
            ("7g7f 3c3d 1.5", "the value '1.5'"),
            ("7g7f 3c3d 1 x", "the depth 'x'"),
            ("7g7f 3c3d 1 1 -", "the count '-'"),
            ("7g7f 3c3d 2147483648", "the value '2147483648' is too large"),
            ("7g7f 3c3d -2147483649", "the value '-2147483649' is too large"),
            ("7g7f 3c3d -99999999999999999999", "the value '-9999999999999999999' is too large"),
            ("7g7f 3c3d 1 4294967296", "the depth '4294967296' is too large"),
            ("7g7f 3c3d 1 1 9223372036854775808", "the count '9223372036854775808' is too large"),
            ("\u{e9}\u{1}", "'??'"),
        ] {
            let reason = BookMove::read(line).unwrap_err();
            assert!(reason.contains(word), "{line}: {reason}");
        }
    }

    #[test]
    fn moves_are_turned_around_the_middle() {
        assert_eq!(read("7g7f 3c3d").turned().to_string(), "3c3d 7g7f none none none");
        assert_eq!(read("P*1a 5e5e+").turned().to_string(), "P*9i 5e5e+ none none none");
    }
}

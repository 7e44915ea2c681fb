//! Bytes as lines of text, and back; and the characters that no text of a game contains.

use std::borrow::Cow;
use std::fmt::Write as _;

use encoding_rs::SHIFT_JIS;

use crate::BadGame;

/// The encodings of game files.
///
/// A file keeps its encoding, unless that lacks a character:
///
/// ```
/// use tsumero_record::{Encoding, LineEnd, encode, read};
/// let old = encode("先手：甲\n1 ７六歩(77)\n", Encoding::ShiftJis, LineEnd::Crlf).unwrap();
/// let reading = read(&old);
/// assert_eq!(reading.encoding, Encoding::ShiftJis);
/// let text = "先手：甲\n1 ７六歩(77)\n*👍\n";
/// let new = encode(text, reading.encoding, reading.line_end)
///     .or_else(|| encode(text, Encoding::Utf8 { bom: true }, reading.line_end))
///     .unwrap();
/// assert!(matches!(read(&new).encoding, Encoding::Utf8 { bom: true }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// UTF-8.
    Utf8 {
        /// Whether the file begins with a byte order mark.
        bom: bool,
    },
    /// Shift_JIS with Microsoft's characters (code page 932).
    ShiftJis,
}

/// How lines end.
///
/// [`write`](crate::write()) ends all lines in `\n`, and [`encode`] gives a file its own line ends:
///
/// ```
/// use tsumero_record::{Format, LineEnd, encode, read, write};
/// let reading = read(b"startpos moves 2g2f\r\n");
/// let (encoding, line_end) = (reading.encoding, reading.line_end);
/// assert_eq!((line_end, line_end.as_str()), (LineEnd::Crlf, "\r\n"));
/// let text = write(&reading.into_games()?, Format::Usi);
/// let bytes = encode(&text, encoding, line_end).unwrap();
/// assert_eq!(bytes, b"position startpos moves 2g2f\r\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LineEnd {
    /// Line feed: Unix.
    Lf,
    /// Carriage return and line feed: Windows.
    Crlf,
    /// Carriage return: the classic Mac OS.
    Cr,
}

impl LineEnd {
    /// The characters.
    pub const fn as_str(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::Crlf => "\r\n",
            LineEnd::Cr => "\r",
        }
    }
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Decodes Shift_JIS. What cannot be decoded is U+FFFD.
pub(crate) fn decode_shift_jis(bytes: &[u8]) -> String {
    SHIFT_JIS.decode_without_bom_handling(bytes).0.into_owned()
}

/// A file as lines of text.
pub(crate) struct Text<'a> {
    /// The lines without their ends. A character that cannot be decoded is U+FFFD.
    lines: Vec<Cow<'a, str>>,
    pub(crate) encoding: Encoding,
    /// The end of the first line; [`LineEnd::Lf`] if there is one line only.
    pub(crate) line_end: LineEnd,
    is_utf16: bool,
}

impl<'a> Text<'a> {
    /// Decodes a file. A byte order mark means UTF-8. Without one, the text is UTF-8 if more than
    /// half of the lines with non-ASCII bytes are valid UTF-8; otherwise it is Shift_JIS. Lines of
    /// Shift_JIS are hardly ever valid UTF-8. So one name or comment in another encoding does not
    /// spoil the rest of the file. `shift_jis` decodes a line.
    pub(crate) fn decode(bytes: &'a [u8], shift_jis: &dyn Fn(&[u8]) -> String) -> Text<'a> {
        let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let (bytes, bom) = match bytes.strip_prefix(BOM) {
            Some(rest) => (rest, true),
            None => (bytes, false),
        };
        // A trail byte of Shift_JIS is never a line end, so lines can be told apart first.
        let (raw, line_end) = split(bytes);
        let (mut valid, mut invalid) = (0, 0);
        for line in raw.iter().filter(|line| !line.is_ascii()) {
            *if std::str::from_utf8(line).is_ok() { &mut valid } else { &mut invalid } += 1;
        }
        let is_utf8 = bom || invalid == 0 || valid > invalid;
        let decode = |line: &'a [u8]| {
            if is_utf8 { String::from_utf8_lossy(line) } else { shift_jis(line).into() }
        };
        let mut lines: Vec<Cow<'a, str>> = raw.into_iter().map(decode).collect();
        // The end-of-file mark of old DOS programs.
        if let Some(last) = lines.last_mut().filter(|last| last.ends_with('\u{1a}')) {
            let length = last.trim_end_matches('\u{1a}').len();
            last.to_mut().truncate(length);
        }
        let encoding = if is_utf8 { Encoding::Utf8 { bom } } else { Encoding::ShiftJis };
        Text { lines, encoding, line_end, is_utf16 }
    }

    /// The lines with their numbers, from 1.
    pub(crate) fn numbered(&self) -> impl DoubleEndedIterator<Item = (usize, &str)> + Clone {
        self.lines.iter().enumerate().map(|(index, line)| (index + 1, &**line))
    }

    /// All lines.
    pub(crate) fn lines(&self) -> &[Cow<'a, str>] {
        &self.lines
    }

    /// Refuses a file in an encoding that is not read.
    pub(crate) fn check(&self) -> Result<(), BadGame> {
        if self.is_utf16 {
            return Err(BadGame::new(1, "UTF-16: save it as UTF-8 or Shift_JIS"));
        }
        Ok(())
    }

    /// Names the first control character of a line that is rare in text, if there is one.
    pub(crate) fn control_character(&self, number: usize) -> Option<BadGame> {
        let is_rare = |&c: &char| c.is_ascii_control() && !matches!(c, '\t' | '\x0c' | '\x1b');
        let line = self.lines.get(number.checked_sub(1)?)?;
        let code = u32::from(line.chars().find(is_rare)?);
        Some(BadGame::new(number, format!("not text: control character {code:#04x}")))
    }

    /// Names a line in another encoding, if that may be why the line of the given number cannot be
    /// read: because it is this line, or because many lines are such. An ASCII line of a known format is
    /// the same in all encodings.
    pub(crate) fn other_encoding(&self, number: usize, is_known: bool) -> Option<BadGame> {
        if self.encoding != Encoding::ShiftJis {
            return None;
        }
        let is_other = |&(_, line): &(usize, &str)| line.contains('\u{fffd}');
        let all = self.numbered().filter(|(_, line)| !line.is_ascii()).count();
        let mut others = self.numbered().filter(is_other);
        let line = number.checked_sub(1).and_then(|index| self.lines.get(index));
        let is_plain = is_known && line.is_some_and(|line| line.is_ascii());
        // Up to two thirds of the lines of EUC-JP can be read as Shift_JIS, so a quarter is enough. In a file
        // of Shift_JIS, a comment in another encoding is rare.
        let are_many = !is_plain && 4 * others.clone().count() >= all;
        let (line, _) = others.find(|&(line, _)| are_many || line == number)?;
        Some(BadGame::new(line, "neither UTF-8 nor Shift_JIS: save it as UTF-8"))
    }
}

/// Whether a character is a command rather than text: a control character of ASCII or of Unicode's
/// C1 set, a character that turns the direction of the text after it, or a byte order mark.
/// Terminals act on many of these. Line feeds and tabs are among them.
fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The text without control characters. Those that stand for blanks, like the tab, become a blank.
pub(crate) fn without_controls(text: &str) -> String {
    let plain = |c: char| match c {
        '\t' | '\u{b}' | '\u{c}' | '\u{85}' => Some(' '),
        c => (!is_control(c)).then_some(c),
    };
    text.chars().filter_map(plain).collect()
}

/// Replaces each control character by what `write` appends for its code.
fn replace_controls(text: &str, write: impl Fn(&mut String, u32)) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_control(character) {
            write(&mut shown, character.into());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// A text from outside, such as the name of a file, in a form that is safe to print: in one line,
/// and each control character as its number. So nothing that a terminal prints acts on it.
///
/// The texts of a [`Game`](crate::Game) and of a [`BadGame`] have no control characters.
///
/// ```
/// use tsumero_record::visible;
/// assert_eq!(visible("game\u{1b}[2J.kif"), "game\\u{1b}[2J.kif");
/// assert_eq!(visible("棋譜.kif"), "棋譜.kif");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    replace_controls(text, |shown, code| {
        let _ = write!(shown, "\\u{{{code:x}}}");
    })
}

/// JSON in one line, with every control character in its strings as an escape, so that it is safe
/// to print. Serializers leave some of them as they are, because JSON allows that.
///
/// ```
/// use tsumero_record::visible_json;
/// assert_eq!(visible_json("[\"\u{9b}2J\"]"), "[\"\\u009b2J\"]");
/// ```
pub fn visible_json(json: &str) -> Cow<'_, str> {
    // All control characters have at most four hexadecimal digits.
    replace_controls(json, |shown, code| {
        let _ = write!(shown, "\\u{code:04x}");
    })
}

/// Splits at CRLF, LF and lone CR. The text after the last line end is a line only if it is not
/// empty.
fn split(bytes: &[u8]) -> (Vec<&[u8]>, LineEnd) {
    let mut lines = Vec::new();
    let mut first_end = None;
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r') {
        lines.push(&rest[..at]);
        let end = match &rest[at..] {
            [b'\r', b'\n', ..] => LineEnd::Crlf,
            [b'\r', ..] => LineEnd::Cr,
            _ => LineEnd::Lf,
        };
        first_end.get_or_insert(end);
        rest = &rest[at + end.as_str().len()..];
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    (lines, first_end.unwrap_or(LineEnd::Lf))
}

/// The bytes of a text whose lines end in `\n`, in the given encoding and with the given line ends;
/// `None` if a character does not exist in Shift_JIS, or if it would be read as another one: `¥` as a
/// backslash, `‾` as `~`, and the minus sign `−` as `－`.
pub fn encode(text: &str, encoding: Encoding, line_end: LineEnd) -> Option<Vec<u8>> {
    let text = match line_end {
        LineEnd::Lf => text.to_owned(),
        _ => text.replace('\n', line_end.as_str()),
    };
    match encoding {
        Encoding::Utf8 { bom: false } => Some(text.into_bytes()),
        Encoding::Utf8 { bom: true } => Some([BOM, text.as_bytes()].concat()),
        Encoding::ShiftJis => {
            let (bytes, _, has_unknown) = SHIFT_JIS.encode(&text);
            // As in browsers, some characters become similar ones.
            let is_same = !has_unknown && decode_shift_jis(&bytes) == text;
            is_same.then(|| bytes.into_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> Text<'_> {
        Text::decode(bytes, &decode_shift_jis)
    }

    #[test]
    fn lines_end_in_every_way() {
        let text = decode(b"a\r\nb\nc\rd\n\ne");
        assert_eq!(text.lines(), ["a", "b", "c", "d", "", "e"]);
        assert_eq!(text.line_end, LineEnd::Crlf);
        assert!(decode(b"").lines().is_empty());
    }

    #[test]
    fn one_bad_line_does_not_change_the_encoding_of_the_others() {
        let mut bytes = "手合割：平手\n先手：".as_bytes().to_vec();
        bytes.extend_from_slice(b"\x8db\n");
        bytes.extend_from_slice("後手：乙\n".as_bytes());
        let text = decode(&bytes);
        assert_eq!(text.encoding, Encoding::Utf8 { bom: false });
        assert_eq!(text.lines()[2], "後手：乙");
        let text = decode(b"\x8e\xe8\x8d\x87\n\x90\xe6\xff\n\x8c\xe3\x8e\xe8");
        assert_eq!(text.encoding, Encoding::ShiftJis);
        assert_eq!(text.lines()[2], "後手");
    }

    #[test]
    fn letters_of_microsoft_survive() {
        let (crlf, sjis) = (LineEnd::Crlf, Encoding::ShiftJis);
        let bytes = encode("髙①ｱ\n", sjis, crlf).unwrap();
        assert_eq!(bytes, b"\xfb\xfc\x87\x40\xb1\r\n");
        assert_eq!(decode(&bytes).lines(), ["髙①ｱ"]);
        for changed in ["😀", "¥", "‾", "−"] {
            assert_eq!(encode(changed, sjis, crlf), None, "{changed}");
        }
        for same in ["\\", "~", "－", "￥", "￣"] {
            let bytes = encode(same, sjis, LineEnd::Lf).unwrap();
            assert_eq!(decode(&bytes).lines(), [same]);
        }
    }
}

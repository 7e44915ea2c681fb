//! Shogi game files: KIF, KI2, CSA (versions 1 to 3), JKF and USI lines, read and written.
//!
//! [`read`] takes the bytes of a file and recognizes encoding and format. It returns one result for
//! each game: a [`Game`], or the line that could not be read and the reason. Every move of a
//! [`Game`] is legal. [`write()`] returns the text of games in any of the formats.
//!
//! ```
//! use tsumero_record::{Format, read, write};
//! let file = read("手合割：平手\n   1 ７六歩(77)\n   2 投了\n".as_bytes());
//! let games = file.into_games().unwrap();
//! assert_eq!(write(&games, Format::Usi), "position startpos moves 7g7f resign\n");
//! ```

#![forbid(unsafe_code)]

mod csa;
mod cursor;
mod ending;
mod game;
mod handicap;
mod jkf;
mod kif;
mod names;
mod setup;
mod text;
mod usi;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use tsumero_core::Setup;

pub use csa::csa_move;
pub use cursor::Cursor;
pub use ending::{Ending, ParseEndingError};
pub use game::{Game, Node, NodeId, NodeKind};
pub use kif::{ki2_move, move_with_origin, read_ki2_move};
pub use text::{Encoding, LineEnd, encode, visible, visible_json};

use kif::MissingHand;
use text::{Text, decode_shift_jis};

/// The formats of game files.
///
/// One game becomes a file of each format:
///
/// ```
/// use tsumero_record::{Format, read, write};
/// let reading = read(b"V2.2\nPI\n+\n+7776FU\n");
/// assert_eq!(reading.format, Some(Format::Csa));
/// let games = reading.into_games()?;
/// for format in Format::ALL {
///     let (name, text) = (format!("game.{format}"), write(&games, format));
///     assert_eq!(read(text.as_bytes()).format, Some(format), "{name}");
/// }
/// assert!(write(&games, Format::Ki2).contains("▲７六歩"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// A new format needs a module, its place in `ALL`, `name`, `read_as`, `write` and `find_format`. Outside of
// this crate: `Target` in `crates/cli/src/record.rs`, `EXTENSIONS` in `crates/cli/src/analyze/inputs.rs`, `accept` in
// `web/game-files.js`, the help of `tsumero tsume` and `python/tsumero.pyi`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// Numbered moves with their origins, as Kifu for Windows writes them.
    Kif,
    /// Moves in the notation of books: ▲７六歩.
    Ki2,
    /// The format of the Computer Shogi Association.
    Csa,
    /// JSON Kifu Format.
    Jkf,
    /// `position` lines of the USI protocol.
    Usi,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] = [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Usi];

    /// The name in small letters, which is also the usual extension of files (except `usi`).
    pub const fn name(self) -> &'static str {
        match self {
            Format::Kif => "kif",
            Format::Ki2 => "ki2",
            Format::Csa => "csa",
            Format::Jkf => "jkf",
            Format::Usi => "usi",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a format.
///
/// ```
/// use tsumero_record::Format;
/// assert_eq!("csa".parse(), Ok(Format::Csa));
/// let error = "kifu".parse::<Format>().unwrap_err();
/// assert_eq!(error.to_string(), "none of the formats kif, ki2, csa, jkf, usi");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("none of the formats {}", Format::ALL.map(Format::name).join(", "))]
pub struct ParseFormatError;

/// Reads the [name](Format::name).
impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        let named = |format: &Format| format.name() == text;
        Format::ALL.into_iter().find(named).ok_or(ParseFormatError)
    }
}

/// Why a game cannot be read, and where. Shown as `line: reason`.
///
/// ```
/// use tsumero_record::read;
/// let file = read("手合割：平手\n   1 ７六歩(77)\n   2 ２六歩(27)\n".as_bytes());
/// let bad = file.into_games().unwrap_err();
/// assert_eq!(bad.line, 3);
/// assert_eq!(bad.to_string(), "3: move 2: 2g2f: the piece belongs to the opponent");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}: {reason}")]
pub struct BadGame {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong in this line. It may quote the line, but has no control characters.
    pub reason: String,
    /// The first position, if what is wrong with it is that the side to move could capture the king. It
    /// may be meant as a [`MateProblem`](tsumero_core::MateProblem).
    pub start: Option<Box<Setup>>,
}

impl BadGame {
    fn new(line: usize, fault: impl Into<Fault>) -> BadGame {
        let Fault { reason, start } = fault.into();
        BadGame { line, reason: visible(&reason).into_owned(), start }
    }
}

/// What is wrong, before its line is known.
struct Fault {
    reason: String,
    /// As in [`BadGame`].
    start: Option<Box<Setup>>,
}

impl From<String> for Fault {
    fn from(reason: String) -> Fault {
        Fault { reason, start: None }
    }
}

impl From<&str> for Fault {
    fn from(reason: &str) -> Fault {
        reason.to_owned().into()
    }
}

/// The contents of a file.
///
/// A bad game does not spoil the others of its file:
///
/// ```
/// use tsumero_record::{Format, LineEnd, read};
/// let reading = read(b"startpos moves 7g7f\r\nstartpos moves 7g7e\r\n");
/// assert_eq!((reading.format, reading.line_end), (Some(Format::Usi), LineEnd::Crlf));
/// assert_eq!(reading.games[0].as_ref().unwrap().moves().count(), 1);
/// assert_eq!(reading.games[1].as_ref().unwrap_err().line, 2);
/// // All or nothing:
/// assert!(reading.into_games().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Reading {
    /// The format, recognized by the content; `None` if it is none of them.
    pub format: Option<Format>,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// How its lines end.
    pub line_end: LineEnd,
    /// The games in the order of the file, at least one. A file that is not a game record counts as
    /// one bad game.
    pub games: Vec<Result<Game, BadGame>>,
}

impl Reading {
    /// The games, if all of them could be read.
    ///
    /// # Errors
    ///
    /// The first game that could not be read.
    pub fn into_games(self) -> Result<Vec<Game>, BadGame> {
        self.games.into_iter().collect()
    }
}

/// Reads a game file of any format and encoding. It never fails as a whole: games that cannot be
/// read are errors in [`Reading::games`].
pub fn read(bytes: &[u8]) -> Reading {
    read_with(bytes, MissingHand::Empty, &decode_shift_jis)
}

/// Reads a game file as [`read`] does, with another decoder of Shift_JIS: a browser has one, and a
/// module that does without the tables of this one is smaller. It decodes one line at a time.
///
/// ```
/// use tsumero_record::read_with_decoder;
/// let reading = read_with_decoder(b"\x8e\xe8\n", |_| "startpos moves 2g2f".to_owned());
/// assert_eq!(reading.games[0].as_ref().unwrap().moves().count(), 1);
/// ```
pub fn read_with_decoder(bytes: &[u8], shift_jis: impl Fn(&[u8]) -> String) -> Reading {
    read_with(bytes, MissingHand::Empty, &shift_jis)
}

/// Reads a file of mate problems (詰将棋) as [`read`] reads games. One thing is different: if the diagram
/// of a KIF or KI2 does not describe the hand of the defender, who is not to move, then he holds all
/// pieces that are left.
///
/// ```
/// use tsumero_core::{Color, PieceKind};
/// let text = "先手の持駒：金\n\
///     | ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n\
///     | ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
///     | ・ ・ ・ ・ ・ ・ ・ ・ 歩|三\n".to_owned()
///     + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(6);
/// let [game, problem] = [tsumero_record::read, tsumero_record::read_problems].map(|read| {
///     read(text.as_bytes()).into_games().unwrap().remove(0)
/// });
/// let pawns = |game: &tsumero_record::Game| {
///     game.start().hand(Color::White).count(PieceKind::Pawn)
/// };
/// assert_eq!((pawns(&game), pawns(&problem)), (0, 17));
/// ```
pub fn read_problems(bytes: &[u8]) -> Reading {
    read_with(bytes, MissingHand::Rest, &decode_shift_jis)
}

fn read_with(
    bytes: &[u8],
    missing_hand: MissingHand,
    shift_jis: &dyn Fn(&[u8]) -> String,
) -> Reading {
    let text = Text::decode(bytes, shift_jis);
    let checked = text.check();
    let is_text = checked.is_ok();
    let found = checked.and_then(|()| find_format(&text));
    let (format, games) = match found {
        Err(bad) => (None, vec![Err(bad)]),
        Ok(format) => (Some(format), read_as(format, &text, missing_hand)),
    };
    // Comments and names may have control characters. Any other line is no text with them, and a line
    // of a file that is no text may look like one of a game. The same holds for another encoding.
    let not_text = match &games[..] {
        [Err(bad)] if is_text => {
            let other_encoding = || text.other_encoding(bad.line, format.is_some());
            text.control_character(bad.line).or_else(other_encoding)
        }
        _ => None,
    };
    let (format, games) = match not_text {
        Some(bad) => (None, vec![Err(bad)]),
        None => (format, games),
    };
    Reading { format, encoding: text.encoding, line_end: text.line_end, games }
}

fn read_as(format: Format, text: &Text, missing_hand: MissingHand) -> Vec<Result<Game, BadGame>> {
    match format {
        Format::Kif | Format::Ki2 => kif::read(text, missing_hand),
        Format::Csa => csa::read(text),
        Format::Jkf => jkf::read(text),
        Format::Usi => usi::read(text),
    }
}

/// Writes games one after another; the lines end in `\n`. Other programs read one game from a KIF or
/// KI2, [`read`] all of them.
///
/// What a format cannot express is omitted: branches and bookmarks in CSA and USI, headers, comments and
/// times in USI, times in KI2, parts of seconds in KIF and JKF, parts of milliseconds and headers without a
/// name in CSA, and the number of the first move except in USI. KIF and KI2 omit headers that would be read
/// as something else. CSA puts a `$` before names that it does not define. Bookmarks become comments in JKF.
/// An ending without a word becomes 中断 in KIF and KI2, a comment in CSA, and in JKF a similar ending with the
/// word as a comment. It is omitted in USI.
pub fn write(games: &[Game], format: Format) -> String {
    match format {
        Format::Kif => games.iter().map(kif::write_kif).collect::<Vec<_>>().join("\n"),
        Format::Ki2 => games.iter().map(kif::write_ki2).collect::<Vec<_>>().join("\n"),
        Format::Csa => csa::write(games),
        Format::Jkf => games.iter().map(jkf::write).collect(),
        Format::Usi => games.iter().map(usi::write).collect(),
    }
}

/// Recognizes the format by the first line that is possible in one format only.
fn find_format(text: &Text) -> Result<Format, BadGame> {
    let mut first = None;
    // Headers of KIF are weak evidence, because KI2 has them, too.
    let mut has_header = false;
    for (number, line) in text.numbered() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if first.is_none() {
            first = Some(number);
            if line.starts_with('{') || line.starts_with('[') {
                return Ok(Format::Jkf);
            }
            if line.starts_with('<') {
                return Err(BadGame::new(number, "a page of markup, not a game record"));
            }
            // Its positions would be games, and each of its moves one that cannot be read.
            if line.starts_with("#YANEURAOU-DB2016") {
                return Err(BadGame::new(number, "an opening book, not a game record"));
            }
        }
        if usi::looks_like(line) {
            return Ok(Format::Usi);
        }
        match kif::looks_like(line) {
            Some(kif::Evidence::Kif) => return Ok(Format::Kif),
            Some(kif::Evidence::Ki2) => return Ok(Format::Ki2),
            Some(kif::Evidence::Header) => has_header = true,
            None if csa::looks_like(line) => return Ok(Format::Csa),
            None => {}
        }
    }
    match first {
        None => Err(BadGame::new(1, "the file is empty")),
        Some(_) if has_header => Ok(Format::Kif),
        Some(line) => Err(BadGame::new(line, "not a game record")),
    }
}

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

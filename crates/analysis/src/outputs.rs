//! Whether a file is one of the outputs of an analysis.

use std::io::{self, Read};

use tsumero_files::start_of;

use crate::{index, mark, page, sheet, tables};

/// The kinds of files that an analysis is written to. A kind is known by what is in the file.
///
/// ```
/// use tsumero_analysis::{Language, OutputKind, csv};
/// let table = csv(&[], Language::Japanese);
/// assert!(OutputKind::Csv.is_ours(table.as_bytes())?);
/// assert!(!OutputKind::Csv.is_ours("名前,年\n".as_bytes())?);
/// assert!(!OutputKind::Html.is_ours(table.as_bytes())?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputKind {
    /// A game with comments for GUIs.
    Kif,
    /// Games with comments for servers.
    Csa,
    /// JSON lines.
    Json,
    /// Comma-separated values.
    Csv,
    /// A page with games.
    Html,
    /// A page that lists games.
    Index,
    /// A page with mate problems.
    Sheet,
}

impl OutputKind {
    /// All kinds.
    pub const ALL: [OutputKind; 7] = [
        OutputKind::Kif,
        OutputKind::Csa,
        OutputKind::Json,
        OutputKind::Csv,
        OutputKind::Html,
        OutputKind::Index,
        OutputKind::Sheet,
    ];

    /// The extension of its files. That of a KIF in UTF-8 is `kifu` instead.
    pub const fn extension(self) -> &'static str {
        match self {
            OutputKind::Kif => "kif",
            OutputKind::Csa => "csa",
            OutputKind::Json => "json",
            OutputKind::Csv => "csv",
            OutputKind::Html | OutputKind::Index | OutputKind::Sheet => "html",
        }
    }

    /// Whether a file is of this kind and was made by this crate. A KIF or CSA that a person has
    /// changed since is not, so all of it is read.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn is_ours(self, mut file: impl Read) -> io::Result<bool> {
        let start = start_of(&mut file)?;
        match self {
            OutputKind::Kif => mark::is_unchanged(&start, file, "*"),
            OutputKind::Csa => mark::is_unchanged(&start, file, "'*"),
            OutputKind::Json => Ok(is_json(&start)),
            OutputKind::Csv => Ok(tables::is_csv(&start)),
            OutputKind::Html => Ok(has_line(&start, &generator(page::GENERATOR))),
            OutputKind::Index => Ok(has_line(&start, &generator(index::GENERATOR))),
            OutputKind::Sheet => Ok(has_line(&start, &generator(sheet::GENERATOR))),
        }
    }
}

/// The line in the head of a page that names what made it.
fn generator(name: &str) -> String {
    format!("<meta name=\"generator\" content=\"{name}\">")
}

/// Whether one of the lines is the given one. It is ASCII, so that the encoding does not matter. A
/// line ends as in the game that was read, with a carriage return, a line feed or both.
fn has_line(text: &[u8], line: &str) -> bool {
    text.split(|byte| b"\r\n".contains(byte)).any(|found| found.trim_ascii_end() == line.as_bytes())
}

/// Whether the first line is that of a position. It may be cut off.
fn is_json(start: &[u8]) -> bool {
    let first = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    first.starts_with("{\"file\":")
        && ["\"game\":", "\"ply\":", "\"sfen\":"].iter().all(|name| first.contains(name))
}

#[cfg(test)]
mod tests {
    use tsumero_record::{Encoding, Format, LineEnd, encode, read, write};

    use super::*;
    use crate::{
        CommentStyle, Finding, FoundLine, GameReport, Language, Study, Value, annotate, csv,
        json_lines, with_checksum,
    };

    #[test]
    fn each_kind_knows_its_own_files_and_no_others() {
        let game = read(b"startpos moves 7g7f\n").into_games().unwrap().remove(0);
        let line = FoundLine { value: Value::Cp(3), depth: 1, seldepth: 1, pv: Vec::new() };
        let study = Study::of_findings(&game, vec![Finding::of_search(vec![line], 1); 2]);
        let report = GameReport::new("game.usi", 1, &study, true);
        let commented = |style, format| {
            let mut game = game.clone();
            annotate(&mut game, &report, style);
            write(&[game], format)
        };
        let encoded = |text: &str, encoding, line_end| {
            with_checksum(encode(text, encoding, line_end).unwrap())
        };
        let kif = commented(CommentStyle::Guis, Format::Kif);
        let csa = commented(CommentStyle::Servers, Format::Csa);
        let reports = std::slice::from_ref(&report);
        let files = [
            (OutputKind::Kif, encoded(&kif, Encoding::ShiftJis, LineEnd::Crlf)),
            (OutputKind::Kif, encoded(&kif, Encoding::ShiftJis, LineEnd::Cr)),
            (OutputKind::Kif, with_checksum(kif.into_bytes())),
            (OutputKind::Csa, with_checksum(csa.into_bytes())),
            (OutputKind::Json, json_lines(&report).into_bytes()),
            (OutputKind::Csv, csv(reports, Language::English).into_bytes()),
            (OutputKind::Csv, csv(reports, Language::Japanese).into_bytes()),
            (OutputKind::Html, crate::page(reports, Language::English).into_bytes()),
            (OutputKind::Index, crate::index_page("games", &[], Language::English).into_bytes()),
            (OutputKind::Sheet, crate::sheet(&[], Language::English).into_bytes()),
        ];
        let is_ours = |kind: OutputKind, file: &[u8]| kind.is_ours(file).unwrap();
        for (kind, file) in &files {
            for other in OutputKind::ALL {
                assert_eq!(is_ours(other, file), other == *kind, "{kind:?} as {other:?}");
            }
        }
        // A game that a person has changed since, or whose mark lost its checksum.
        for (kind, file) in &files[..4] {
            for (place, _) in file.iter().enumerate() {
                let changed = [&file[..place], b"!", &file[place..]].concat();
                assert!(!is_ours(*kind, &changed) && !is_ours(*kind, &file[..place]), "{kind:?}");
            }
        }
        // The same game without comments, and with those of a GUI that uses this engine.
        let theirs = "*Engines 0 Tsumero\n'*#エンジン=Tsumero\n*#エンジン=Tsumero\n";
        for text in
            [write(std::slice::from_ref(&game), Format::Kif), theirs.to_owned(), String::new()]
        {
            assert!(OutputKind::ALL.iter().all(|kind| !is_ours(*kind, text.as_bytes())), "{text}");
        }
    }
}

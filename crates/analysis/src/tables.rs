//! Results as JSON lines, as comma-separated values and as a table for people.

use std::fmt::Write as _;

use serde::Serialize;
use tsumero_core::Color;
use tsumero_record::{visible, visible_json};

use crate::notation::spoken;
use crate::{GameReport, Language, PositionReport, Value};

#[derive(Serialize)]
struct JsonPosition<'a> {
    file: &'a str,
    game: usize,
    ply: usize,
    sfen: String,
    #[serde(rename = "move")]
    played: Option<String>,
    cp: Option<i32>,
    mate: Option<i64>,
    depth: u32,
    nodes: u64,
    pv: &'a [String],
    lines: Vec<JsonLine<'a>>,
    note: Option<&'static str>,
    /// Only with the note `missed_mate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    missed_mate: Option<&'a [String]>,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    cp: Option<i32>,
    mate: Option<i64>,
    depth: u32,
    pv: &'a [String],
}

/// A JSON line for each position.
pub fn json_lines(report: &GameReport) -> String {
    let mut text = String::new();
    for here in &report.positions {
        let lines = here.finding.lines.iter().map(|line| JsonLine {
            cp: line.value.cp(),
            mate: line.value.mate(),
            depth: line.depth,
            pv: &line.pv,
        });
        let note = here.judgment.and_then(|judgment| judgment.note);
        let position = JsonPosition {
            file: &report.file,
            game: report.number,
            ply: here.ply,
            sfen: here.sfen(),
            played: here.played.map(|mv| mv.to_string()),
            cp: here.value().cp(),
            mate: here.value().mate(),
            depth: here.best().depth,
            nodes: here.finding.nodes,
            pv: &here.best().pv,
            lines: lines.collect(),
            note: note.map(|note| note.word()),
            missed_mate: here.finding.missed_mate.as_deref(),
        };
        let json = serde_json::to_string(&position).expect("plain data has a JSON form");
        text += &visible_json(&json);
        text.push('\n');
    }
    text
}

/// The names of the columns of [`csv()`], in English and Japanese.
const COLUMNS: [[&str; 2]; 15] = [
    ["file", "ファイル"],
    ["game", "対局"],
    ["ply", "手数"],
    ["side", "手番"],
    ["move", "指し手（USI）"],
    ["move_ja", "指し手"],
    ["cp", "評価値"],
    ["mate", "詰み"],
    ["win_rate_black", "先手勝率"],
    ["depth", "深さ"],
    ["nodes", "ノード数"],
    ["best", "最善手"],
    ["pv", "読み筋"],
    ["loss", "損失"],
    ["note", "判定"],
];

/// By this mark at their beginning, spreadsheets read files as UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

fn columns(language: Language) -> [&'static str; 15] {
    COLUMNS.map(|[english, japanese]| match language {
        Language::English => english,
        Language::Japanese => japanese,
    })
}

/// Whether a file begins as what [`csv()`] makes, in any language.
pub(crate) fn is_csv(start: &[u8]) -> bool {
    let start = start.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(start);
    let first = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let languages = [Language::English, Language::Japanese];
    languages.into_iter().any(|language| first == columns(language).join(",").as_bytes())
}

/// A text that a spreadsheet would take for a formula gets an apostrophe before it.
fn text_cell(text: String) -> String {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '＝' | '＋' | '－' | '＠') => {
            format!("'{text}")
        }
        _ => text,
    }
}

/// Comma-separated values for a spreadsheet: a line with the names of the columns in the given
/// language, then a line for each position of the games. Win rates and losses are in percent.
pub fn csv(reports: &[GameReport], language: Language) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let text_of = |value: Option<String>| text_cell(value.unwrap_or_default());
    let number_of = |value: Option<String>| value.unwrap_or_default();
    let mut write = |row: &[String]| writer.write_record(row).expect("memory takes all");
    write(&columns(language).map(str::to_owned));
    for report in reports {
        for here in &report.positions {
            let played = here.played;
            let note = here.judgment.and_then(|judgment| judgment.note);
            write(&[
                text_cell(visible(&report.file).into_owned()),
                report.number.to_string(),
                here.ply.to_string(),
                match here.position.side_to_move() {
                    Color::Black => "black".to_owned(),
                    Color::White => "white".to_owned(),
                },
                text_of(played.map(|mv| mv.to_string())),
                text_of(
                    played.map(|mv| spoken(&here.position, mv, here.last_move, Language::Japanese)),
                ),
                number_of(here.value().cp().map(|cp| cp.to_string())),
                number_of(here.value().mate().map(|mate| mate.to_string())),
                format!("{:.1}", 100.0 * here.value().win_rate(Color::Black)),
                here.best().depth.to_string(),
                here.finding.nodes.to_string(),
                text_of(here.best().pv.first().cloned()),
                text_cell(here.best().pv.join(" ")),
                number_of(here.judgment.map(|judgment| format!("{:.1}", judgment.loss))),
                text_of(note.map(|note| note.word().to_owned())),
            ]);
        }
    }
    let bytes = writer.into_inner().expect("memory takes all");
    BYTE_ORDER_MARK.to_owned() + &String::from_utf8(bytes).expect("it is made of text")
}

/// A value for people: `+85`, `#7` (Black mates), `#-7`.
fn value_text(value: Value) -> String {
    match value {
        Value::Cp(cp) => format!("{cp:+}"),
        Value::BlackMates(plies) => format!("#{plies}"),
        Value::WhiteMates(plies) => format!("#-{plies}"),
    }
}

/// Pads a text with blanks to a width in columns of a terminal.
fn pad(text: &str, width: usize) -> String {
    let is_narrow = |c: char| c.is_ascii() || matches!(c, '☗' | '☖');
    let columns: usize = text.chars().map(|c| if is_narrow(c) { 1 } else { 2 }).sum();
    format!("{text}{:blanks$}", "", blanks = width.saturating_sub(columns))
}

/// A table with the number of each move, the value after it, the engine's choice and the note. A
/// summary of both sides follows.
pub fn table(report: &GameReport, language: Language) -> String {
    let is_japanese = language == Language::Japanese;
    let say = |japanese: &'static str, english: &'static str| {
        if is_japanese { japanese } else { english }
    };
    let mut text = format!("{} ({})\n", visible(&report.file), report.number);
    let start = value_text(report.positions[0].value());
    let _ = writeln!(text, "   0 {}{start:>7}", pad(say("開始局面", "start"), 16));
    for pair in report.positions.windows(2) {
        let [before, after] = pair else { continue };
        text += &row(before, after, language);
        text.push('\n');
    }
    for (color, name) in
        [(Color::Black, say("先手", "Black")), (Color::White, say("後手", "White"))]
    {
        let summary = report.summary(color);
        let (Some(accuracy), Some(best)) = (summary.accuracy, summary.best_moves) else { continue };
        let [inaccuracies, dubious, mistakes, blunders] = summary.notes;
        let player = report.player(color).map_or(String::new(), |player| format!(" {player}"));
        let missed = summary.missed_mates;
        let _ = if is_japanese {
            writeln!(
                text,
                "{name}{player}：正確さ {accuracy:.1}% 一致率 {best:.1}% 緩手 {inaccuracies} \
                 疑問手 {dubious} 悪手 {mistakes} 大悪手 {blunders} 詰み逃し {missed}"
            )
        } else {
            writeln!(
                text,
                "{name}{player}: accuracy {accuracy:.1}%, first choices {best:.1}%, \
                 {inaccuracies} inaccuracies, {dubious} dubious, {mistakes} mistakes, \
                 {blunders} blunders, {missed} missed mates"
            )
        };
    }
    text
}

fn row(before: &PositionReport, after: &PositionReport, language: Language) -> String {
    let played = before.played.map(|mv| spoken(&before.position, mv, before.last_move, language));
    let best = before.line_of(&before.best().pv[..before.best().pv.len().min(1)]);
    let best = best.first().map(|(position, mv)| spoken(position, *mv, before.last_move, language));
    let is_best = before.judgment.is_some_and(|judgment| judgment.is_best);
    let note = before.judgment.and_then(|judgment| judgment.note);
    let note = note.map_or("", |note| match language {
        Language::Japanese => note.japanese(),
        Language::English => note.english(),
    });
    let best = if is_best { "○".to_owned() } else { best.unwrap_or_default() };
    let line = format!(
        "{:>4} {}{:>7}  {} {note}",
        after.ply,
        pad(&played.unwrap_or_default(), 16),
        value_text(after.value()),
        pad(&best, 16)
    );
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::text_cell;

    #[test]
    fn only_what_looks_like_a_formula_is_marked_as_text() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠1"]
        {
            assert_eq!(text_cell(text.to_owned()), format!("'{text}"));
        }
        for text in ["", "game.kif", "a=1", "▲７六歩", "'=1", "1-1"] {
            assert_eq!(text_cell(text.to_owned()), text);
        }
    }
}

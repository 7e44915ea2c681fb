//! The page that lists the games of a folder, with totals for each player and each opening.
//!
//! It is plain HTML: it needs no script to be read or printed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tsumero_core::Color;
use tsumero_record::{Ending, visible};

use crate::report::{ending_text, seat};
use crate::{GameReport, Language, Note, PlayerSummary, counted};

const STYLE: &str = include_str!("index.css");
/// What the page says it was made by.
pub(crate) const GENERATOR: &str = "tsumero analyze index";

/// A game in the index.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, IndexEntry, Language, Study, Value};
/// use tsumero_analysis::index_page;
/// use tsumero_record::read;
/// let kif = "先手：甲\n後手：乙\n1 ７六歩(77)\n2 投了\n";
/// let game = read(kif.as_bytes()).into_games()?.remove(0);
/// let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv: Vec::new() };
/// let study = Study::of_findings(&game, vec![Finding::of_search(vec![line], 900); 2]);
/// let report = GameReport::new("games/one game.kif", 1, &study, true);
/// let entry = IndexEntry::new(&report, "one game.html");
/// let page = index_page("games", &[entry], Language::Japanese);
/// assert!(page.contains("<a href=\"one%20game.html#game=1\">one game</a>"));
/// assert!(page.contains("甲") && page.contains("先手勝ち"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndexEntry {
    title: String,
    link: String,
    players: [Option<String>; 2],
    is_handicap: bool,
    /// As [`Ending::winner`] gives it.
    winner: Option<Option<Color>>,
    ending: Option<Ending>,
    moves: usize,
    opening: [Option<String>; 2],
    castles: [Option<crate::ShapeName>; 2],
    summaries: [PlayerSummary; 2],
    is_rough: bool,
}

impl IndexEntry {
    /// The entry of a game. `page` is the name of the file with its page, beside the index. The page
    /// opens the game by its number in the file of games.
    pub fn new(report: &GameReport, page: &str) -> IndexEntry {
        let both = [Color::Black, Color::White];
        let name = crate::page::base_name(&report.file);
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        let last = &report.positions[report.positions.len() - 1];
        IndexEntry {
            title: if report.number > 1 {
                format!("{stem} ({})", report.number)
            } else {
                stem.to_owned()
            },
            link: format!("{}#game={}", percent_encoded(page), report.number),
            players: both.map(|color| report.player(color).map(str::to_owned)),
            is_handicap: report.is_handicap(),
            winner: report.ending.and_then(|ending| ending.winner(last.position.side_to_move())),
            ending: report.ending,
            moves: report.positions.len() - 1,
            opening: [Language::Japanese, Language::English]
                .map(|language| report.opening.name(language)),
            castles: both.map(|color| report.castle(color)),
            summaries: both.map(|color| report.summary(color)),
            is_rough: report.is_rough(),
        }
    }

    fn opening(&self, language: Language) -> Option<&str> {
        let [japanese, english] = &self.opening;
        match language {
            Language::Japanese => japanese.as_deref(),
            Language::English => english.as_deref(),
        }
    }
}

/// What is counted for a player or an opening.
#[derive(Default)]
struct Totals {
    games: usize,
    /// For a player: wins, losses, draws. For an opening: wins of Black, of White, draws.
    results: [usize; 3],
    moves: usize,
    /// The sum of the accuracies of all moves.
    accuracy: f64,
    /// Inaccuracies, dubious moves, mistakes, blunders, missed mates.
    notes: [usize; 5],
}

impl Totals {
    fn add_summary(&mut self, summary: &PlayerSummary) {
        self.moves += summary.moves;
        self.accuracy += summary.accuracy.unwrap_or_default() * summary.moves as f64;
        for (total, count) in self.notes.iter_mut().zip(notes_of(summary)) {
            *total += count;
        }
    }

    fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / self.moves as f64)
    }
}

fn notes_of(summary: &PlayerSummary) -> [usize; 5] {
    let [inaccuracies, dubious, mistakes, blunders] = summary.notes;
    [inaccuracies, dubious, mistakes, blunders, summary.missed_mates]
}

/// The notes, in the order of [`Totals::notes`].
const NOTES: [Note; 5] =
    [Note::Inaccuracy, Note::Dubious, Note::Mistake, Note::Blunder, Note::MissedMate];

/// A page for the games of a folder. It loads nothing from the network.
pub fn index_page(folder: &str, entries: &[IndexEntry], language: Language) -> String {
    let say = |japanese: &'static str, english: &'static str| match language {
        Language::Japanese => japanese,
        Language::English => english,
    };
    let folder = escape(folder);
    let title = format!("{folder} – Tsumero");
    let mut body = format!("<h1>{folder}</h1>\n");
    let rough = entries.iter().filter(|entry| entry.is_rough).count();
    let count = entries.len();
    let _ = match language {
        Language::Japanese => writeln!(body, "<p>{count}局の解析</p>"),
        Language::English => {
            writeln!(body, "<p>Analysis of {}</p>", counted(count as u64, "game", "games"))
        }
    };
    if rough > 0 {
        let _ = match language {
            Language::Japanese => writeln!(
                body,
                "<p class=\"rough\">目安：{rough}局は探索量が少なく、判定は大まかです。</p>"
            ),
            Language::English => writeln!(
                body,
                "<p class=\"rough\">Rough: in {} the search was small, so notes are only a hint.</p>",
                counted(rough as u64, "game", "games")
            ),
        };
    }
    push_games(&mut body, entries, language);
    push_players(&mut body, entries, language);
    push_openings(&mut body, entries, language);
    let footer = say("Tsumero による解析。", "Analysis by Tsumero.");
    let code = language.code();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"{GENERATOR}\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
         <footer>{footer}</footer>\n</body>\n</html>\n"
    )
}

fn note_names(language: Language) -> impl Iterator<Item = &'static str> + use<> {
    NOTES.into_iter().map(move |note| match language {
        Language::Japanese => note.japanese(),
        Language::English => note.english(),
    })
}

fn push_head<'a>(body: &mut String, title: &str, names: impl Iterator<Item = &'a str>) {
    // On a small screen the table scrolls, which the keyboard can do only in what it can focus.
    let region = format!("role=\"region\" aria-label=\"{title}\" tabindex=\"0\"");
    let _ = write!(
        body,
        "<section>\n<h2>{title}</h2>\n<div class=\"wide\" {region}><table>\n<thead><tr>"
    );
    for name in names {
        let _ = write!(body, "<th scope=\"col\">{name}</th>");
    }
    body.push_str("</tr></thead>\n<tbody>\n");
}

fn push_row(body: &mut String, cells: &[String]) {
    body.push_str("<tr>");
    for (column, cell) in cells.iter().enumerate() {
        let _ = match column {
            0 => write!(body, "<th scope=\"row\">{cell}</th>"),
            _ => write!(body, "<td>{cell}</td>"),
        };
    }
    body.push_str("</tr>\n");
}

const END: &str = "</tbody>\n</table></div>\n</section>\n";

fn percent(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.1}%"))
}

fn push_games(body: &mut String, entries: &[IndexEntry], language: Language) {
    let (title, names): (&str, [&str; 10]) = match language {
        Language::Japanese => (
            "対局",
            [
                "対局",
                "先手",
                "後手",
                "結果",
                "手数",
                "戦型",
                "先手の囲い",
                "後手の囲い",
                "先手の正確さ",
                "後手の正確さ",
            ],
        ),
        Language::English => (
            "Games",
            [
                "game",
                "Black",
                "White",
                "result",
                "moves",
                "opening",
                "Black's castle",
                "White's castle",
                "Black's accuracy",
                "White's accuracy",
            ],
        ),
    };
    push_head(body, title, names.into_iter());
    for entry in entries {
        let player = |color: Color| escape(entry.players[color.index()].as_deref().unwrap_or("–"));
        let castle = |color: Color| {
            entry.castles[color.index()].map_or("–", |name| name.in_language(language)).to_owned()
        };
        let accuracy = |color: Color| percent(entry.summaries[color.index()].accuracy);
        push_row(
            body,
            &[
                format!("<a href=\"{}\">{}</a>", entry.link, escape(&entry.title)),
                player(Color::Black),
                player(Color::White),
                result_text(entry, language),
                entry.moves.to_string(),
                escape(entry.opening(language).unwrap_or("–")),
                castle(Color::Black),
                castle(Color::White),
                accuracy(Color::Black),
                accuracy(Color::White),
            ],
        );
    }
    body.push_str(END);
}

fn result_text(entry: &IndexEntry, language: Language) -> String {
    let result = match (entry.winner, language) {
        (Some(Some(winner)), _) => {
            let seat = seat(winner, entry.is_handicap, language);
            match language {
                Language::Japanese => format!("{seat}勝ち"),
                Language::English => format!("{seat} wins"),
            }
        }
        (Some(None), Language::Japanese) => "引き分け".to_owned(),
        (Some(None), Language::English) => "draw".to_owned(),
        (None, _) => "–".to_owned(),
    };
    let Some(ending) = entry.ending.map(|ending| ending_text(ending, language)) else {
        return result;
    };
    match language {
        Language::Japanese => format!("{result}（{ending}）"),
        Language::English => format!("{result} ({ending})"),
    }
}

fn push_players(body: &mut String, entries: &[IndexEntry], language: Language) {
    let mut players: BTreeMap<&str, Totals> = BTreeMap::new();
    for entry in entries {
        for color in [Color::Black, Color::White] {
            let Some(player) = &entry.players[color.index()] else { continue };
            let totals = players.entry(player).or_default();
            totals.games += 1;
            match entry.winner {
                Some(Some(winner)) => totals.results[usize::from(winner != color)] += 1,
                Some(None) => totals.results[2] += 1,
                None => {}
            }
            totals.add_summary(&entry.summaries[color.index()]);
        }
    }
    let (title, names) = match language {
        Language::Japanese => ("対局者", ["名前", "対局", "勝ち", "負け", "引き分け", "正確さ"]),
        Language::English => ("Players", ["name", "games", "won", "lost", "drawn", "accuracy"]),
    };
    push_totals(body, title, &names, players, language);
}

fn push_openings(body: &mut String, entries: &[IndexEntry], language: Language) {
    let mut openings: BTreeMap<&str, Totals> = BTreeMap::new();
    let other = match language {
        Language::Japanese => "その他",
        Language::English => "other",
    };
    for entry in entries {
        let totals = openings.entry(entry.opening(language).unwrap_or(other)).or_default();
        totals.games += 1;
        match entry.winner {
            Some(Some(winner)) => totals.results[winner.index()] += 1,
            Some(None) => totals.results[2] += 1,
            None => {}
        }
        entry.summaries.iter().for_each(|summary| totals.add_summary(summary));
    }
    let (title, names) = match language {
        Language::Japanese => {
            ("戦型", ["戦型", "対局", "先手勝ち", "後手勝ち", "引き分け", "正確さ"])
        }
        Language::English => {
            ("Openings", ["opening", "games", "Black won", "White won", "drawn", "accuracy"])
        }
    };
    push_totals(body, title, &names, openings, language);
}

/// A table of totals, the most games first.
fn push_totals(
    body: &mut String,
    title: &str,
    names: &[&'static str],
    totals: BTreeMap<&str, Totals>,
    language: Language,
) {
    if totals.is_empty() {
        return;
    }
    push_head(body, title, names.iter().copied().chain(note_names(language)));
    let mut rows: Vec<(&str, Totals)> = totals.into_iter().collect();
    rows.sort_by_key(|(_, totals)| std::cmp::Reverse(totals.games));
    for (name, totals) in &rows {
        let mut cells = vec![escape(name), totals.games.to_string()];
        cells.extend(totals.results.iter().map(ToString::to_string));
        cells.push(percent(totals.accuracy()));
        cells.extend(totals.notes.iter().map(ToString::to_string));
        push_row(body, &cells);
    }
    body.push_str(END);
}

fn escape(text: &str) -> String {
    let text = visible(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The name of a file as an address.
fn percent_encoded(name: &str) -> String {
    let mut address = String::new();
    for &byte in name.as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                address.push(char::from(byte));
            }
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use tsumero_record::read;

    use super::*;
    use crate::{Finding, FoundLine, Study, Value};

    fn entry(file: &str, kif: &str) -> IndexEntry {
        numbered(file, 1, kif)
    }

    /// The entry of the only game on its page, with its number in the file of games.
    fn numbered(file: &str, number: usize, kif: &str) -> IndexEntry {
        let game = read(kif.as_bytes()).into_games().unwrap().remove(0);
        let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv: Vec::new() };
        let count = game.moves().count() + 1;
        let study = Study::of_findings(&game, vec![Finding::of_search(vec![line], 900); count]);
        let report = GameReport::new(file, number, &study, true);
        IndexEntry::new(&report, &format!("{file}.html"))
    }

    /// The cells of the row that begins with a name.
    fn cells(page: &str, name: &str) -> Vec<String> {
        let row =
            page.lines().find(|line| line.starts_with(&format!("<tr><th scope=\"row\">{name}")));
        let row = row.unwrap_or_else(|| panic!("{name}: {page}"));
        row.split("<td>")
            .skip(1)
            .map(|cell| cell.split("</td>").next().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn players_and_openings_are_counted() {
        let entries = [
            entry("a", "先手：甲\n後手：乙\n1 ７六歩(77)\n2 投了\n"),
            entry("b", "先手：乙\n後手：甲\n1 ７六歩(77)\n2 投了\n"),
            entry("c", "先手：甲\n後手：丙\n1 ７六歩(77)\n2 千日手\n"),
            entry("d", "先手：甲\n後手：丙\n1 ７六歩(77)\n2 中断\n"),
            entry("e", "先手：甲\n後手：丙\n1 ７六歩(77)\n2 反則勝ち\n"),
        ];
        let page = index_page("games", &entries, Language::English);
        assert_eq!(cells(&page, "甲")[..4], ["5", "1", "2", "1"]);
        assert_eq!(cells(&page, "乙")[..4], ["2", "1", "1", "0"]);
        assert_eq!(cells(&page, "丙")[..4], ["3", "1", "0", "1"]);
        assert_eq!(cells(&page, "other")[..4], ["5", "2", "1", "1"]);
        assert_eq!(cells(&page, "<a href=\"e.html#game=1\">e</a>")[2], "White wins (foul win)");
        // The most games come first.
        assert!(page.find(">甲</th>") < page.find(">丙</th>"));
        assert!(page.find(">丙</th>") < page.find(">乙</th>"));
    }

    #[test]
    fn a_handicap_game_has_its_own_names_of_the_players() {
        let text = "手合割：二枚落ち\n上手：甲\n下手：乙\n1 ３四歩(33)\n2 投了\n";
        let entries = [entry("a", text), entry("b", &text.replace("2 投了", "2 反則勝ち"))];
        let page = index_page("games", &entries, Language::Japanese);
        let link = |name: &str| format!("<a href=\"{name}.html#game=1\">{name}</a>");
        assert_eq!(cells(&page, &link("a"))[2], "上手勝ち（投了）");
        assert_eq!(cells(&page, &link("b"))[2], "下手勝ち（反則勝ち）");
    }

    #[test]
    fn a_game_is_linked_by_its_number_in_the_file() {
        // The two games before it are not on the page.
        let entries = [numbered("a.sfen", 3, "1 ７六歩(77)\n2 投了\n")];
        let page = index_page("games", &entries, Language::English);
        assert!(page.contains("<a href=\"a.sfen.html#game=3\">a (3)</a>"), "{page}");
    }

    #[test]
    fn nothing_in_a_name_becomes_a_tag() {
        let entries = [entry("<b> &.x", "先手：<script>\n後手：\"乙\"\n1 ７六歩(77)\n2 投了\n")];
        let page = index_page("a<b>", &entries, Language::Japanese);
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        assert!(page.contains("%3Cb%3E%20%26.x.html#game=1"), "{page}");
        assert!(page.contains("&lt;script&gt;") && page.contains("&quot;乙&quot;"));
    }
}

//! The page for a browser: one file that contains everything and loads nothing from the network.

mod kif;

use serde::Serialize;
use tsumero_core::{Color, Move, Position};
use tsumero_record::ki2_move;
use tsumero_web::Kind;

use crate::{GameReport, Language, PlayerSummary, PositionReport, Value, western};

/// What the page says it was made by.
pub(crate) const GENERATOR: &str = "tsumero analyze";
#[derive(Serialize)]
struct Page<'a> {
    language: &'static str,
    games: Vec<PageGame<'a>>,
}

#[derive(Serialize)]
struct PageGame<'a> {
    file: &'a str,
    number: usize,
    headers: &'a [(String, String)],
    black: Option<&'a str>,
    white: Option<&'a str>,
    ending: Option<&'static str>,
    summary: [PlayerSummary; 2],
    positions: Vec<PagePosition>,
    /// The game as KIF.
    kif: String,
}

#[derive(Serialize)]
struct PagePosition {
    ply: usize,
    sfen: String,
    #[serde(rename = "move")]
    played: Option<PageMove>,
    cp: Option<i32>,
    mate: Option<i64>,
    /// The side that mates, if one does. The sign of a mate in 0 does not tell.
    winner: Option<&'static str>,
    /// Black's win rate in percent.
    win: f64,
    depth: u32,
    nodes: u64,
    lines: Vec<PageLine>,
    loss: Option<f64>,
    note: Option<&'static str>,
    is_best: bool,
    turns: bool,
    missed_mate: Option<Vec<PageMove>>,
}

#[derive(Serialize)]
struct PageLine {
    cp: Option<i32>,
    mate: Option<i64>,
    winner: Option<&'static str>,
    moves: Vec<PageMove>,
}

#[derive(Serialize)]
pub(crate) struct PageMove {
    usi: String,
    ja: String,
    en: String,
}

/// A legal move; `last` is the move before it.
pub(crate) fn page_move(position: &Position, mv: Move, last: Option<Move>) -> PageMove {
    PageMove { usi: mv.to_string(), ja: ki2_move(position, mv, last), en: western(position, mv) }
}

fn page_moves(here: &PositionReport, moves: &[String]) -> Vec<PageMove> {
    let mut last = here.last_move;
    let line = here.line_of(moves);
    line.iter().map(|(position, mv)| page_move(position, *mv, last.replace(*mv))).collect()
}

fn winner(value: Value) -> Option<&'static str> {
    value.mating_side().map(|side| match side {
        Color::Black => "black",
        Color::White => "white",
    })
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn page_position(here: &PositionReport) -> PagePosition {
    let lines = here.finding.lines.iter().map(|line| PageLine {
        cp: line.value.cp(),
        mate: line.value.mate(),
        winner: winner(line.value),
        moves: page_moves(here, &line.pv),
    });
    let judgment = here.judgment;
    PagePosition {
        ply: here.ply,
        sfen: here.sfen(),
        played: here.played.map(|mv| page_move(&here.position, mv, here.last_move)),
        cp: here.value().cp(),
        mate: here.value().mate(),
        winner: winner(here.value()),
        win: rounded(100.0 * here.value().win_rate(Color::Black)),
        depth: here.best().depth,
        nodes: here.finding.nodes,
        lines: lines.collect(),
        loss: judgment.map(|judgment| rounded(judgment.loss)),
        note: judgment.and_then(|judgment| judgment.note).map(|note| note.word()),
        is_best: judgment.is_some_and(|judgment| judgment.is_best),
        turns: judgment.is_some_and(|judgment| judgment.turns_the_game),
        missed_mate: here.finding.missed_mate.as_deref().map(|mate| page_moves(here, mate)),
    }
}

/// The page for the games of a file, at least one. It opens in the given language.
pub fn page(reports: &[GameReport], language: Language) -> String {
    let games = reports.iter().map(|report| PageGame {
        file: base_name(&report.file),
        number: report.number,
        headers: &report.headers,
        black: report.player(Color::Black),
        white: report.player(Color::White),
        ending: report.ending.map(|ending| ending.word()),
        summary: [report.summary(Color::Black), report.summary(Color::White)],
        positions: report.positions.iter().map(page_position).collect(),
        kif: kif::kif(report),
    });
    let language = language.code();
    let page = Page { language, games: games.collect() };
    let title = reports.first().map_or("", |report| base_name(&report.file));
    tsumero_web::page(Kind::Report, language, GENERATOR, &format!("{title} – Tsumero"), &page)
}

/// The name of a file without its folders.
fn base_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use tsumero_record::Game;

    use super::*;
    use crate::{Finding, FoundLine};

    #[test]
    fn nothing_in_a_game_can_end_its_data_or_fill_the_template() {
        let mut game = Game::new(Position::startpos());
        game.add_header("先手", "</script><b>{{STYLE}}");
        let line = FoundLine {
            value: Value::Cp(-12),
            depth: 3,
            seldepth: 4,
            pv: vec!["7g7f".to_owned(), "3c3d".to_owned()],
        };
        let finding = Finding { lines: vec![line], nodes: 9, time_ms: 1, missed_mate: None };
        let report = GameReport::new("a/<b>&.kif", 1, &game, vec![finding], true);
        let page = page(&[report], Language::English);
        assert!(page.contains("<title>&lt;b&gt;&amp;.kif – Tsumero</title>"));
        assert_eq!(page.matches("</script>").count(), 2);
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["games"][0]["black"], "</script><b>{{STYLE}}");
        assert_eq!(data["language"], "en");
        let position = &data["games"][0]["positions"][0];
        assert_eq!((&position["cp"], &position["win"]), (&(-12).into(), &49.5.into()));
        assert_eq!(position["lines"][0]["moves"][1]["ja"], "△３四歩");
        assert_eq!(position["lines"][0]["moves"][1]["en"], "☖P-34");
    }
}

//! The page for a browser: one file that contains everything and loads nothing from the network.
//! Here are its data; `web/pages/report.js` draws it.
//!
//! # The data in the page
//!
//! The element `#data` contains a JSON object. Values are from Black's side. `null` stands for what
//! is not known. Moves are objects `{usi, ja, en}`, names `{ja, en}`, and a value is `{cp, mate,
//! winner}`: `cp` in the engine's units, or `mate` in plies (negative if White mates) with `winner`
//! `"black"` or `"white"`, because the sign of a mate in 0 does not tell.
//!
//! ```text
//! {language, games: [{
//!   file, number, headers: [[name, value]], black, white, ending,
//!   summary: [{moves, accuracy, best_moves, notes: [4 numbers], missed_mates}],   of Black and White
//!   opening: {name, styles: [name, name], phases: {middle, end}},   the plies where phases begin
//!   castles: [name, name],        the last ones before the endgame
//!   noise, rough,                 points of win rate; whether notes are only a hint
//!   positions: [position],        of the main line, the last one included
//!   branches: [{number, parent, from, ending, loss, note,
//!               moves: [{usi, ja, en, comments, time}], positions: [position]}],
//!   kif                            the main line as KIF, for the clipboard
//! }]}
//! position: {
//!   ply, sfen, move, cp, mate, winner, win, depth, nodes,
//!   lines: [{cp, mate, winner, moves}],
//!   loss, note, is_best, turns, missed_mate: moves, believed_lost,
//!   second: {best: value, played: value, depth, nodes},
//!   comments: [text], time, phase, castles: [name, name]
//! }
//! ```
//!
//! * `move` is the move played in the position. `loss`, `note`, `is_best`, `turns`, `missed_mate`,
//!   `believed_lost`, `second` and `time` (milliseconds) belong to it. `win` is Black's win rate in
//!   percent.
//! * In the last position, `missed_mate` is a mate that a player had who resigned, and `note` is
//!   `null`.
//! * `second` is the second look: both moves at the same depth, deeper than the first look.
//! * `believed_lost`: a mate was missed where the search saw a lost position.
//! * A branch leaves the line `parent` (0: the main line, else the number of a branch) in the position
//!   of ply `from`. Its `positions` are those after each of its moves; they are empty unless branches
//!   were analyzed. Its `loss` and `note` are those of its first move.
//! * `phase` is `"opening"`, `"middle"` or `"end"`.

mod kif;

use std::borrow::Cow;

use serde::Serialize;
use tsumero_core::notation::japanese;
use tsumero_core::{Color, Move, Position, UsiMove};
use tsumero_record::{Ending, visible};
use tsumero_web::Kind;

use crate::json::rounded;
use crate::report::BranchReport;
use crate::{
    GameReport, Language, Noise, Phase, PlayerSummary, PositionReport, ShapeName, Value, western,
};

/// What the page says it was made by.
pub(crate) const GENERATOR: &str = "tsumero analyze";
#[derive(Serialize)]
struct Page<'a> {
    language: &'static str,
    games: Vec<PageGame<'a>>,
}

#[derive(Serialize)]
struct PageGame<'a> {
    file: Cow<'a, str>,
    number: usize,
    headers: &'a [(String, String)],
    black: Option<&'a str>,
    white: Option<&'a str>,
    handicap: bool,
    ending: Option<&'static str>,
    summary: [PlayerSummary; 2],
    opening: PageOpening,
    castles: [Option<ShapeName>; 2],
    noise: Noise,
    rough: bool,
    positions: Vec<PagePosition<'a>>,
    branches: Vec<PageBranch<'a>>,
    kif: String,
}

#[derive(Serialize)]
struct PageOpening {
    name: Option<PageName>,
    styles: [Option<ShapeName>; 2],
    phases: PagePhases,
}

#[derive(Serialize)]
struct PageName {
    ja: String,
    en: String,
}

/// The plies at which phases begin.
#[derive(Serialize)]
struct PagePhases {
    middle: Option<usize>,
    end: Option<usize>,
}

#[derive(Serialize)]
struct PageBranch<'a> {
    number: usize,
    parent: usize,
    from: usize,
    ending: Option<&'static str>,
    loss: Option<f64>,
    note: Option<&'static str>,
    moves: Vec<PageBranchMove<'a>>,
    positions: Vec<PagePosition<'a>>,
}

#[derive(Serialize)]
struct PageBranchMove<'a> {
    #[serde(flatten)]
    mv: PageMove,
    comments: &'a [String],
    time: Option<u64>,
}

#[derive(Serialize)]
struct PagePosition<'a> {
    ply: usize,
    sfen: String,
    #[serde(rename = "move")]
    played: Option<PageMove>,
    #[serde(flatten)]
    value: PageValue,
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
    believed_lost: bool,
    second: Option<PageSecond>,
    comments: &'a [String],
    time: Option<u64>,
    phase: Phase,
    castles: [Option<ShapeName>; 2],
}

#[derive(Serialize)]
struct PageSecond {
    best: PageValue,
    played: PageValue,
    depth: u32,
    nodes: u64,
}

#[derive(Serialize)]
struct PageLine {
    #[serde(flatten)]
    value: PageValue,
    moves: Vec<PageMove>,
}

#[derive(Serialize)]
struct PageValue {
    cp: Option<i32>,
    mate: Option<i64>,
    /// The side that mates, if one does. The sign of a mate in 0 does not tell.
    winner: Option<&'static str>,
}

impl From<Value> for PageValue {
    fn from(value: Value) -> PageValue {
        let winner = value.mating_side().map(|side| match side {
            Color::Black => "black",
            Color::White => "white",
        });
        PageValue { cp: value.cp(), mate: value.mate(), winner }
    }
}

#[derive(Serialize)]
pub(crate) struct PageMove {
    usi: String,
    ja: String,
    en: String,
}

/// A legal move; `last` is the move before it.
pub(crate) fn page_move(position: &Position, mv: Move, last: Option<Move>) -> PageMove {
    PageMove { usi: mv.to_string(), ja: japanese(position, mv, last), en: western(position, mv) }
}

fn page_moves(here: &PositionReport, moves: &[UsiMove]) -> Vec<PageMove> {
    let mut last = here.last_move;
    let line = here.line_of(moves);
    line.iter().map(|(position, mv)| page_move(position, *mv, last.replace(*mv))).collect()
}

fn page_position(here: &PositionReport) -> PagePosition<'_> {
    let lines = here
        .finding
        .lines
        .iter()
        .map(|line| PageLine { value: line.value.into(), moves: page_moves(here, &line.pv) });
    let judgment = here.judgment;
    let second = here.second.as_ref().map(|second| PageSecond {
        best: second.best.into(),
        played: second.played.into(),
        depth: second.depth,
        nodes: second.nodes,
    });
    PagePosition {
        ply: here.ply,
        sfen: here.position.to_sfen(),
        played: here.played.map(|mv| page_move(&here.position, mv, here.last_move)),
        value: here.value().into(),
        win: rounded(100.0 * here.value().win_rate(Color::Black)),
        depth: here.best().depth,
        nodes: here.finding.nodes,
        lines: lines.collect(),
        loss: judgment.map(|judgment| rounded(judgment.loss)),
        note: judgment.and_then(|judgment| judgment.note).map(|note| note.word()),
        is_best: judgment.is_some_and(|judgment| judgment.is_best),
        turns: judgment.is_some_and(|judgment| judgment.turns_the_game),
        missed_mate: here.missed_mate.as_deref().map(|mate| page_moves(here, mate)),
        believed_lost: here.is_believed_lost(),
        second,
        comments: &here.comments,
        time: here.time.map(|time| time.as_millis() as u64),
        phase: here.phase,
        castles: here.castles,
    }
}

fn page_branch(branch: &BranchReport) -> PageBranch<'_> {
    let moves = branch.moves.iter().map(|played| PageBranchMove {
        mv: page_move(&played.position, played.mv, played.last_move),
        comments: &played.comments,
        time: played.time.map(|time| time.as_millis() as u64),
    });
    PageBranch {
        number: branch.number,
        parent: branch.parent,
        from: branch.from,
        ending: branch.ending.map(Ending::word),
        loss: branch.judgment.map(|judgment| rounded(judgment.loss)),
        note: branch.judgment.and_then(|judgment| judgment.note).map(|note| note.word()),
        moves: moves.collect(),
        positions: branch.positions.iter().map(page_position).collect(),
    }
}

fn page_opening(report: &GameReport) -> PageOpening {
    let [ja, en] =
        [Language::Japanese, Language::English].map(|language| report.opening.name(language));
    let begins =
        |phase| report.positions.iter().find(|here| here.phase >= phase).map(|here| here.ply);
    PageOpening {
        name: ja.zip(en).map(|(ja, en)| PageName { ja, en }),
        styles: report.opening.styles,
        phases: PagePhases { middle: begins(Phase::Middle), end: begins(Phase::End) },
    }
}

fn page_game(report: &GameReport) -> PageGame<'_> {
    PageGame {
        file: base_name(&report.file),
        number: report.number,
        headers: &report.headers,
        black: report.player(Color::Black),
        white: report.player(Color::White),
        handicap: report.is_handicap(),
        ending: report.ending.map(|ending| ending.word()),
        summary: [report.summary(Color::Black), report.summary(Color::White)],
        opening: page_opening(report),
        castles: [report.castle(Color::Black), report.castle(Color::White)],
        noise: report.noise,
        rough: report.is_rough(),
        positions: report.positions.iter().map(page_position).collect(),
        branches: report.branches.iter().map(page_branch).collect(),
        kif: kif::kif(report),
    }
}

/// The data of a game as they stand in [`page()`], for programs that show them in their own way.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Study, Value, page_data};
/// use tsumero_record::read;
/// let game = read(b"startpos\n").into_games()?.remove(0);
/// let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv: vec!["7g7f".parse()?] };
/// let study = Study::of_findings(&game, vec![Finding::of_search(vec![line], 900)]);
/// let text = page_data(&GameReport::new("game.usi", 1, &study, true));
/// let data: serde_json::Value = serde_json::from_str(&text)?;
/// assert_eq!(data["positions"][0]["lines"][0]["moves"][0]["ja"], "▲７六歩");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn page_data(report: &GameReport) -> String {
    serde_json::to_string(&page_game(report)).expect("plain data has a JSON form")
}

/// The page for the games of a file, at least one. It opens in the given language.
pub fn page(reports: &[GameReport], language: Language) -> String {
    let games = reports.iter().map(page_game);
    let language = language.code();
    let page = Page { language, games: games.collect() };
    let title = reports.first().map(|report| base_name(&report.file)).unwrap_or_default();
    tsumero_web::page(Kind::Report, language, GENERATOR, &format!("{title} – Tsumero"), &page)
}

/// The name of a file without its folders, in a form that is safe to show.
pub(crate) fn base_name(file: &str) -> Cow<'_, str> {
    visible(file.rsplit(['/', '\\']).next().unwrap_or(file))
}

#[cfg(test)]
mod tests {
    use tsumero_core::Handicap;
    use tsumero_record::Game;

    use super::*;
    use crate::{Finding, FoundLine, Study};

    fn data_of(page: &str) -> serde_json::Value {
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        serde_json::from_str(data).unwrap()
    }

    fn line(cp: i32, pv: &[&str]) -> FoundLine {
        let pv = pv.iter().map(|mv| mv.parse().unwrap()).collect();
        FoundLine { value: Value::Cp(cp), depth: 3, seldepth: 4, pv }
    }

    #[test]
    fn nothing_in_a_game_can_end_its_data_or_fill_the_template() {
        let mut game = Game::new(Position::startpos());
        game.add_header("先手", "</script><b>{{STYLE}}");
        game.add_comment(tsumero_record::NodeId::ROOT, "</script>{{DATA}}");
        let finding = Finding::of_search(vec![line(-12, &["7g7f", "3c3d"])], 9);
        let study = Study::of_findings(&game, vec![finding]);
        let report = GameReport::new("a/<b>&.kif", 1, &study, true);
        let page = page(&[report], Language::English);
        assert!(page.contains("<title>&lt;b&gt;&amp;.kif – Tsumero</title>"));
        assert_eq!(page.matches("</script>").count(), 2);
        let data = data_of(&page);
        assert_eq!(data["games"][0]["black"], "</script><b>{{STYLE}}");
        assert_eq!(data["language"], "en");
        let position = &data["games"][0]["positions"][0];
        assert_eq!((&position["cp"], &position["win"]), (&(-12).into(), &49.5.into()));
        assert_eq!(position["lines"][0]["moves"][1]["ja"], "△３四歩");
        assert_eq!(position["lines"][0]["moves"][1]["en"], "☖P-34");
        assert_eq!(position["comments"][0], "</script>{{DATA}}");
    }

    #[test]
    fn names_of_files_do_not_act_where_they_are_shown() {
        let game = tsumero_record::read(b"startpos\n").into_games().unwrap().remove(0);
        let study = Study::of_findings(&game, vec![Finding::of_search(vec![line(0, &[])], 1)]);
        let report = GameReport::new("games/a\u{202e}b\u{1b}c.kif", 1, &study, true);
        let page = page(&[report], Language::English);
        assert!(!page.contains(['\u{202e}', '\u{1b}']) && !page.contains("\\u001b"));
        assert!(page.contains("<title>a\\u{202e}b\\u{1b}c.kif"));
        assert_eq!(data_of(&page)["games"][0]["file"], "a\\u{202e}b\\u{1b}c.kif");
    }

    #[test]
    fn a_handicap_is_told_by_the_file_or_by_the_pieces() {
        let is_handicap = |text: &str| {
            let game = tsumero_record::read(text.as_bytes()).into_games().unwrap().remove(0);
            let study = Study::of_findings(&game, vec![Finding::of_search(vec![line(0, &[])], 9)]);
            let report = GameReport::new("a", 1, &study, true);
            let data: serde_json::Value = serde_json::from_str(&page_data(&report)).unwrap();
            data["handicap"].as_bool().unwrap()
        };
        for name in ["香落ち", "十枚落ち"] {
            assert!(
                is_handicap(&format!("手合割：{name}\n手数----指手---------消費時間--\n")),
                "{name}"
            );
        }
        assert!(!is_handicap("手合割：平手\n手数----指手---------消費時間--\n"));
        for handicap in Handicap::ALL {
            let sfen = format!("sfen {}\n", handicap.position().to_sfen());
            assert_eq!(is_handicap(&sfen), handicap != Handicap::Even, "{sfen}");
        }
        for position in [
            // White begins the even game.
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            // Black begins, or Black lacks a piece, or something has moved.
            "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL w - 1",
            "lnsgkgsnl/7b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
            "lnsgk1snl/5g1b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
        ] {
            assert!(!is_handicap(&format!("sfen {position}\n")), "{position}");
        }
    }

    #[test]
    fn what_the_file_says_stands_in_the_data() {
        let kif = "手合割：平手\n1 ７六歩(77) (0:09/)\n*角道\n2 ３四歩(33) (0:31/)\n3 投了 (1:00/)\n*無念\n\n\
                   変化：2手\n2 ８四歩(83) (0:02/)\n*居飛車\n3 中断\n*相掛かりへ\n";
        let game = tsumero_record::read(kif.as_bytes()).into_games().unwrap().remove(0);
        let finding = |cp| Finding::of_search(vec![line(cp, &[])], 9);
        let study = Study::of_findings(&game, vec![finding(30); 3]);
        let reports = [GameReport::new("a.kif", 1, &study, true)];
        let data = data_of(&page(&reports, Language::Japanese));
        let game = &data["games"][0];
        assert_eq!((&game["ending"], &game["rough"]), (&"resign".into(), &true.into()));
        let positions = &game["positions"];
        let field = |ply: usize, name: &str| &positions[ply][name];
        assert_eq!((field(0, "time"), field(1, "time")), (&9000.into(), &31000.into()));
        assert_eq!(
            (&field(1, "comments")[0], &field(2, "comments")[0]),
            (&"角道".into(), &"無念".into())
        );
        assert_eq!(field(2, "time"), 60000);
        let branch = &game["branches"][0];
        assert_eq!((&branch["parent"], &branch["from"]), (&0.into(), &1.into()));
        assert_eq!(
            (&branch["ending"], &branch["positions"]),
            (&"interrupted".into(), &serde_json::json!([]))
        );
        let mv = &branch["moves"][0];
        assert_eq!((&mv["usi"], &mv["ja"]), (&"8c8d".into(), &"△８四歩".into()));
        assert_eq!(mv["comments"], serde_json::json!(["居飛車", "相掛かりへ"]));
        assert_eq!(mv["time"], 2000);
        assert!(
            crate::json_lines(&reports[0]).contains(r#""comments":{"1":["居飛車","相掛かりへ"]}"#)
        );
    }

    /// A player resigns who could mate. The note in the list of mistakes would lead nowhere.
    #[test]
    fn a_resignation_with_a_mate_on_the_board_is_told() {
        let text = b"sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves resign\n";
        let game = tsumero_record::read(text).into_games().unwrap().remove(0);
        let mut finding = Finding::of_search(vec![line(-900, &["5i5h"])], 9);
        finding.lines[0].value = Value::BlackMates(1);
        finding.mate = Some(vec!["G*5b".parse().unwrap()]);
        finding.searched = Some(Value::Cp(-900));
        let study = Study::of_findings(&game, vec![finding]);
        let report = GameReport::new("a.usi", 1, &study, true);
        assert_eq!(report.summary(Color::Black).missed_mates, 1);
        assert!(crate::json_lines(&report).contains("\"note\":\"missed_mate\""));
        let table = crate::table(&report, Language::English);
        assert!(table.contains("believed lost, but there was a mate"), "{table}");
        let data = data_of(&page(&[report], Language::English));
        let position = &data["games"][0]["positions"][0];
        assert_eq!(
            (&position["note"], &position["believed_lost"]),
            (&serde_json::Value::Null, &true.into())
        );
        assert_eq!(position["missed_mate"][0]["usi"], "G*5b");
    }
}

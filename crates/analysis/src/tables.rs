//! Results as comma-separated values and as a table for people.

use std::fmt::Write as _;
use std::time::Duration;

use tsumero_core::{Color, Move, Position, UsiMove};
use tsumero_record::{Ending, visible};

use crate::notation::spoken;
use crate::report::{BranchReport, ending_text, seat};
use crate::{GameReport, Language, Note, PositionReport, Value, counted};

/// The names of the columns of [`csv()`], in English and Japanese.
const COLUMNS: [[&str; 2]; 21] = [
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
    ["branch", "変化"],
    ["time", "消費時間"],
    ["phase", "段階"],
    ["castle_black", "先手の囲い"],
    ["castle_white", "後手の囲い"],
    ["comments", "コメント"],
];

/// How many of the columns every version had.
const FIRST_COLUMNS: usize = 15;

/// By this mark at their beginning, spreadsheets read files as UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

fn columns(language: Language) -> [&'static str; 21] {
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
    languages
        .into_iter()
        .any(|language| first.starts_with(columns(language)[..FIRST_COLUMNS].join(",").as_bytes()))
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
/// language, then a line for each position of the games and of branches that were analyzed. A branch
/// begins with the position in which it leaves, so that its first move has a line. Win rates and
/// losses are in percent, times of moves in seconds.
pub fn csv(reports: &[GameReport], language: Language) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |row: &[String]| writer.write_record(row).expect("memory takes all");
    write(&columns(language).map(str::to_owned));
    for report in reports {
        for here in &report.positions {
            write(&csv_row(report, here, 0, language));
        }
        for branch in &report.branches {
            for here in leaving(report, branch).iter().chain(&branch.positions) {
                write(&csv_row(report, here, branch.number, language));
            }
        }
    }
    let bytes = writer.into_inner().expect("memory takes all");
    BYTE_ORDER_MARK.to_owned() + &String::from_utf8(bytes).expect("it is made of text")
}

/// The position in which an analyzed branch leaves, with the first move of the branch as the one that
/// is played there.
fn leaving(report: &GameReport, branch: &BranchReport) -> Option<PositionReport> {
    let first = branch.moves.first().filter(|_| !branch.positions.is_empty())?;
    let here = report.position(branch.parent, branch.from)?;
    Some(PositionReport {
        played: Some(first.mv),
        second: None,
        judgment: branch.judgment,
        missed_mate: None,
        comments: Vec::new(),
        time: first.time,
        ..here.clone()
    })
}

fn csv_row(
    report: &GameReport,
    here: &PositionReport,
    branch: usize,
    language: Language,
) -> [String; 21] {
    let text_of = |value: Option<String>| text_cell(value.unwrap_or_default());
    let number_of = |value: Option<String>| value.unwrap_or_default();
    let castle_of = |castle: Option<crate::ShapeName>| {
        castle.map_or(String::new(), |name| name.in_language(language).to_owned())
    };
    let played = here.played;
    let [black_castle, white_castle] = here.castles;
    [
        text_cell(visible(&report.file).into_owned()),
        report.number.to_string(),
        here.ply.to_string(),
        match here.position.side_to_move() {
            Color::Black => "black".to_owned(),
            Color::White => "white".to_owned(),
        },
        text_of(played.map(|mv| mv.to_string())),
        text_of(played.map(|mv| spoken(&here.position, mv, here.last_move, Language::Japanese))),
        number_of(here.value().cp().map(|cp| cp.to_string())),
        number_of(here.value().mate().map(|mate| mate.to_string())),
        format!("{:.1}", 100.0 * here.value().win_rate(Color::Black)),
        here.best().depth.to_string(),
        here.finding.nodes.to_string(),
        text_of(here.best().pv.first().map(UsiMove::to_string)),
        text_cell(here.best().pv.iter().map(UsiMove::to_string).collect::<Vec<_>>().join(" ")),
        number_of(here.judgment.map(|judgment| format!("{:.1}", judgment.loss))),
        text_of(here.note().map(|note| note.word().to_owned())),
        if branch > 0 { branch.to_string() } else { String::new() },
        number_of(here.time.map(|time| time.as_secs_f64().to_string())),
        here.phase.word().to_owned(),
        castle_of(black_castle),
        castle_of(white_castle),
        text_cell(visible(&here.comments.join(" / ")).into_owned()),
    ]
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

/// A table with the number of each move, the value after it, the engine's choice and the note.
/// Comments and branches stand where they belong. A summary of both sides follows.
pub fn table(report: &GameReport, language: Language) -> String {
    let say = |japanese: &'static str, english: &'static str| match language {
        Language::Japanese => japanese,
        Language::English => english,
    };
    let mut text = format!("{} ({})\n", visible(&report.file), report.number);
    let start = value_text(report.positions[0].value());
    let _ = writeln!(text, "   0 {}{start:>7}", pad(say("開始局面", "start"), 16));
    push_remarks(&mut text, report, &report.positions[0], 0, language);
    push_rows(&mut text, report, &report.positions, 0, language);
    push_ending(&mut text, report.ending, &report.positions, language);
    for branch in report.branches.iter().filter(|branch| !branch.positions.is_empty()) {
        let _ = writeln!(text, "{}", branch_title(branch, language));
        let first = &branch.moves[0];
        let place = (branch.from + 1, &first.position, first.mv, first.last_move);
        let note = branch.judgment.and_then(|judgment| judgment.note);
        text += &row(place, branch.positions[0].value(), None, note, first.time, language);
        text.push('\n');
        push_remarks(&mut text, report, &branch.positions[0], branch.number, language);
        push_rows(&mut text, report, &branch.positions, branch.number, language);
        push_ending(&mut text, branch.ending, &branch.positions, language);
    }
    if let Some(opening) = report.opening.name(language) {
        let _ = writeln!(text, "{}{opening}", say("戦型：", "opening: "));
    }
    for color in [Color::Black, Color::White] {
        push_summary(&mut text, report, color, language);
    }
    if report.is_rough() {
        let _ = writeln!(text, "{}", rough_text(report, language));
    }
    text
}

/// That notes are only a hint, and how wrong win rates are, as far as it is known.
fn rough_text(report: &GameReport, language: Language) -> String {
    let points = report.noise.points();
    let nodes = report.mean_nodes();
    let error = match language {
        _ if points == 0.0 => String::new(),
        Language::Japanese => format!("（勝率の誤差 約{points:.1}ポイント）"),
        Language::English => format!(" (win rates are wrong by about {points:.1} points)"),
    };
    match language {
        Language::Japanese => {
            format!("目安：1局面平均{nodes}ノードの探索のため、判定は大まかです{error}")
        }
        Language::English => {
            let nodes = counted(nodes, "node", "nodes");
            format!("rough: with {nodes} a position, notes are only a hint{error}")
        }
    }
}

/// The rows of a line: one for each move that is followed by another of its positions.
fn push_rows(
    text: &mut String,
    report: &GameReport,
    positions: &[PositionReport],
    line: usize,
    language: Language,
) {
    for pair in positions.windows(2) {
        let [before, after] = pair else { continue };
        let Some(mv) = before.played else { continue };
        let place = (after.ply, &before.position, mv, before.last_move);
        *text += &row(place, after.value(), Some(before), before.note(), before.time, language);
        text.push('\n');
        push_remarks(text, report, after, line, language);
    }
}

/// The comments on a position, and the branches that leave there.
fn push_remarks(
    text: &mut String,
    report: &GameReport,
    here: &PositionReport,
    line: usize,
    language: Language,
) {
    // Lines of programs begin like this.
    let is_for_people = |comment: &&String| !comment.starts_with(['*', '#']) && !comment.is_empty();
    for comment in here.comments.iter().filter(is_for_people) {
        let _ = writeln!(text, "     ※ {}", visible(comment));
    }
    for branch in report.branches_at(line, here.ply) {
        let _ = write!(text, "     {}", branch_title(branch, language));
        for played in &branch.moves {
            let mv = spoken(&played.position, played.mv, played.last_move, language);
            let _ = write!(text, " {mv}");
        }
        if let Some(ending) = branch.ending {
            let _ = write!(text, " {}", ending_text(ending, language));
        }
        text.push('\n');
    }
}

fn branch_title(branch: &BranchReport, language: Language) -> String {
    let (number, from, parent) = (branch.number, branch.from + 1, branch.parent);
    match (language, parent) {
        (Language::Japanese, 0) => format!("変化{number}（{from}手目）："),
        (Language::Japanese, _) => format!("変化{number}（変化{parent}の{from}手目）："),
        (Language::English, 0) => format!("branch {number} (move {from}):"),
        (Language::English, _) => format!("branch {number} (move {from} of {parent}):"),
    }
}

/// The row of an ending. A mate that was missed by a resignation stands there.
fn push_ending(
    text: &mut String,
    ending: Option<Ending>,
    positions: &[PositionReport],
    language: Language,
) {
    let (Some(ending), Some(last)) = (ending, positions.last()) else { return };
    let time = last.time.map_or(String::new(), |time| format!("  {}", clock(time)));
    let note = note_text(last, language);
    let line = format!("{:>4} {}{time} {note}", last.ply + 1, ending_text(ending, language));
    *text += line.trim_end();
    text.push('\n');
}

fn push_summary(text: &mut String, report: &GameReport, color: Color, language: Language) {
    let summary = report.summary(color);
    let (Some(accuracy), Some(best)) = (summary.accuracy, summary.best_moves) else { return };
    let [inaccuracies, dubious, mistakes, blunders] = summary.notes;
    let player =
        report.player(color).map_or(String::new(), |player| format!(" {}", visible(player)));
    let missed = summary.missed_mates;
    let name = seat(color, report.is_handicap(), language);
    let castle = report.castle(color).map(|name| name.in_language(language));
    let _ = match language {
        Language::Japanese => writeln!(
            text,
            "{name}{player}：正確さ {accuracy:.1}% 一致率 {best:.1}% 緩手 {inaccuracies} \
             疑問手 {dubious} 悪手 {mistakes} 大悪手 {blunders} 詰み逃し {missed}{}",
            castle.map_or(String::new(), |castle| format!(" {castle}"))
        ),
        Language::English => writeln!(
            text,
            "{name}{player}: accuracy {accuracy:.1}%, first choices {best:.1}%, \
             {}, {dubious} dubious, {}, {}, {}{}",
            counted(inaccuracies as u64, "inaccuracy", "inaccuracies"),
            counted(mistakes as u64, "mistake", "mistakes"),
            counted(blunders as u64, "blunder", "blunders"),
            counted(missed as u64, "missed mate", "missed mates"),
            castle.map_or(String::new(), |castle| format!(", {castle}"))
        ),
    };
}

/// A time as players read it: `1:05`, `1:02:03`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// One of two words.
fn say(japanese: &'static str, english: &'static str, language: Language) -> &'static str {
    match language {
        Language::Japanese => japanese,
        Language::English => english,
    }
}

/// The note about the move played in a position, with what belongs to it.
fn note_text(before: &PositionReport, language: Language) -> String {
    let say = |japanese, english| say(japanese, english, language);
    let mut parts = Vec::new();
    if let Some(note) = before.note() {
        parts.push(say(note.japanese(), note.english()).to_owned());
    }
    if let Some(mate) = &before.missed_mate {
        let plies = mate.len();
        parts.push(match language {
            Language::Japanese => format!("{plies}手詰"),
            Language::English => format!("mate in {plies}"),
        });
    }
    if before.is_believed_lost() {
        parts.push(say("負けに見えて詰みあり", "believed lost, but there was a mate").to_owned());
    }
    if before.judgment.is_some_and(|judgment| judgment.turns_the_game) {
        parts.push(say("形勢逆転", "the game turns").to_owned());
    }
    parts.join(say("　", ", "))
}

/// One row. `place` is the number of the move, its position, the move and the one before it.
fn row(
    place: (usize, &Position, Move, Option<Move>),
    value: Value,
    before: Option<&PositionReport>,
    note: Option<Note>,
    time: Option<Duration>,
    language: Language,
) -> String {
    let (number, position, mv, last) = place;
    let best = before.and_then(|before| {
        let mover = before.position.side_to_move();
        let Some(&first) = before.best().pv.first() else {
            let declares = before.value().mating_side() == Some(mover);
            return declares.then(|| say("入玉宣言", "declaration", language).to_owned());
        };
        let mv = before.position.validate(first).ok()?;
        Some(spoken(&before.position, mv, last, language))
    });
    let is_best = before.and_then(|before| before.judgment).is_some_and(|judged| judged.is_best);
    let best = if is_best { "○".to_owned() } else { best.unwrap_or_default() };
    let note = match (before, note, language) {
        (Some(before), ..) => note_text(before, language),
        (None, Some(note), Language::Japanese) => note.japanese().to_owned(),
        (None, Some(note), Language::English) => note.english().to_owned(),
        (None, None, _) => String::new(),
    };
    let time = time.map_or(String::new(), |time| format!(" {:>6}", clock(time)));
    let line = format!(
        "{number:>4} {}{:>7}{time}  {} {note}",
        pad(&spoken(position, mv, last, language), 16),
        value_text(value),
        pad(&best, 16)
    );
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use tsumero_record::{Format, read, write};

    use super::{csv, text_cell};
    use crate::{Answer, Finding, FoundLine, GameReport, Language, SecondLook, Study, Task, Value};

    #[test]
    fn the_first_move_of_a_branch_has_a_row() {
        let kif =
            "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n\n変化：2手\n2 ８四歩(83) (0:07/)\n*悪い\n";
        let game = read(kif.as_bytes()).into_games().unwrap().remove(0);
        let mut study = Study::new(&game, true);
        while let Some((place, task)) = study.next_task() {
            // In the branch, White loses much.
            let lost = Value::Cp(3000);
            let answer = match task {
                Task::Look(_) => {
                    let value = if place.line == 1 { lost } else { Value::Cp(0) };
                    let pv = vec![["7g7f", "3c3d", "2g2f"][place.ply].parse().unwrap()];
                    let line = FoundLine { value, depth: 9, seldepth: 9, pv };
                    Answer::Finding(Finding::of_search(vec![line], 900))
                }
                Task::LookAgain(_) => Answer::Second(SecondLook {
                    best: Value::Cp(0),
                    played: lost,
                    depth: 9,
                    nodes: 900,
                    missed_mate: None,
                }),
            };
            study.put(place, answer);
        }
        let report = GameReport::new("game.kif", 1, &study, true);
        let table = csv(&[report], Language::English);
        let mut reader = csv::Reader::from_reader(table.trim_start_matches('\u{feff}').as_bytes());
        let column =
            |name: &str| super::COLUMNS.iter().position(|[this, _]| *this == name).unwrap();
        let names = ["branch", "ply", "move", "note", "time", "comments"];
        let rows: Vec<Vec<String>> = (reader.records().map(Result::unwrap))
            .map(|row| names.map(|name| row[column(name)].to_owned()).to_vec())
            .collect();
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[1], ["", "1", "3c3d", "", "", ""]);
        assert_eq!(rows[3], ["1", "1", "8c8d", "blunder", "7", ""]);
        assert_eq!(rows[4], ["1", "2", "", "", "", "悪い"]);
    }

    #[test]
    fn a_handicap_game_has_its_own_names_of_the_players() {
        let table = |text: &str| {
            let game = read(text.as_bytes()).into_games().unwrap().remove(0);
            let line = FoundLine { value: Value::Cp(0), depth: 9, seldepth: 9, pv: Vec::new() };
            let study = Study::of_findings(&game, vec![Finding::of_search(vec![line], 900); 3]);
            super::table(&GameReport::new("game.kif", 1, &study, true), Language::Japanese)
        };
        let moves = "1 ３四歩(33)\n2 ７六歩(77)\n";
        let handicap = table(&format!("手合割：飛車落ち\n上手：甲\n下手：乙\n{moves}"));
        assert!(handicap.contains("\n下手 乙：") && handicap.contains("\n上手 甲："), "{handicap}");
        assert!(!handicap.contains("先手") && !handicap.contains("後手"), "{handicap}");
        // A file with a diagram names no handicap: 「手合割：その他」.
        let middle = "sfen 4k4/9/9/9/9/9/9/9/4KR3 b - 1 moves 4i4h 5a6a\n";
        let diagram = write(&read(middle.as_bytes()).into_games().unwrap(), Format::Kif);
        assert!(diagram.contains("その他"), "{diagram}");
        let table = table(&diagram);
        assert!(table.contains("\n先手：") && !table.contains("下手"), "{table}");
    }

    #[test]
    fn every_ending_has_a_japanese_word() {
        for ending in super::Ending::ALL {
            let word = super::ending_text(ending, Language::Japanese);
            assert!(!word.is_ascii(), "{word}");
        }
    }

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

//! Results as comments in a game file. Other programs draw their graph and show the lines from
//! them.
//!
//! A comment comes after its move and describes the position after it. Values are from Black's
//! side. ShogiHome reads its own lines (`#評価値=85`) and those of ShogiGUI. ShogiGUI reads only its
//! own (`*解析 …`). Both use the last value that they find.

use tsumero_core::{Color, Move, Position, UsiMove};
use tsumero_record::{Game, NodeId, csa_move, ki2_move, move_with_origin};

use crate::mark::{MADE_BY, is_mark};
use crate::{BranchReport, FoundLine, GameReport, Note, PositionReport, Value};

/// The engine's name in the comments.
const ENGINE: &str = "Tsumero";

/// The programs for which comments are written.
///
/// ```
/// use tsumero_analysis::{CommentStyle, Finding, FoundLine, GameReport, Study, Value, annotate};
/// use tsumero_record::{Format, read, write};
/// let mut game = read(b"startpos moves 7g7f\n").into_games()?.remove(0);
/// let pv = vec!["3c3d".parse()?];
/// let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv };
/// let study = Study::of_findings(&game, vec![Finding::of_search(vec![line], 900); 2]);
/// let report = GameReport::new("game.usi", 1, &study, true);
/// annotate(&mut game, &report, CommentStyle::Guis);
/// assert!(write(&[game.clone()], Format::Kif).contains("*#評価値=30\n"));
/// // Comments of the other style take their place.
/// annotate(&mut game, &report, CommentStyle::Servers);
/// assert!(write(&[game], Format::Csa).contains("+7776FU\n'** 30 -3334FU\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentStyle {
    /// ShogiHome and ShogiGUI, in a KIF.
    Guis,
    /// ShogiHome, and the format of servers, in a CSA file.
    Servers,
}

/// Adds the results to the comments of the main line and of branches that were analyzed, and a mark
/// that waits for [its checksum](crate::with_checksum). Comments of an earlier analysis by this
/// program are removed, in any style. All other comments stay.
pub fn annotate(game: &mut Game, report: &GameReport, style: CommentStyle) {
    let nodes: Vec<NodeId> = game.main_line().collect();
    for &node in nodes.iter().chain(report.branches.iter().flat_map(|branch| &branch.nodes)) {
        let lines = without_ours(game.node(node).comments());
        game.set_comments(node, &lines);
    }
    if style == CommentStyle::Guis {
        game.add_comment(NodeId::ROOT, &engines_line());
    }
    game.add_comment(NodeId::ROOT, MADE_BY);
    // The start gets no value, because programs do not read one there.
    for (&node, pair) in nodes.iter().skip(1).zip(report.positions.windows(2)) {
        let [before, here] = pair else { continue };
        for line in comment(&Led::of_move(before), here, style, report.is_reproducible) {
            game.add_comment(node, &line);
        }
    }
    add_resignation(game, nodes.get(report.positions.len()), report.positions.last());
    for branch in &report.branches {
        let led = std::iter::once(Led::of_branch(branch, report));
        let led = led.chain(branch.positions.iter().map(Led::of_move));
        for (&node, (led, here)) in branch.nodes.iter().zip(led.zip(&branch.positions)) {
            for line in comment(&led, here, style, report.is_reproducible) {
                game.add_comment(node, &line);
            }
        }
        let ending = branch.nodes.get(branch.positions.len());
        add_resignation(game, ending, branch.positions.last());
    }
}

/// Notes at an ending that the player who resigned had a mate.
fn add_resignation(game: &mut Game, ending: Option<&NodeId>, last: Option<&PositionReport>) {
    let (Some(&node), Some(last)) = (ending, last) else { return };
    let lines = Led::of_move(last).lines();
    if last.played.is_none() && !lines.is_empty() {
        lines.iter().for_each(|line| game.add_comment(node, line));
        game.add_comment(node, &format!("{ENGINE_KEY}{ENGINE}"));
    }
}

/// What is said of a move, with the position to which it led.
struct Led {
    note: Option<Note>,
    /// The mate that was missed.
    missed_mate: Option<String>,
    /// ○ the engine's first choice, △ another of its lines.
    mark: Option<char>,
}

impl Led {
    /// Of the move played in a position, or of a resignation.
    fn of_move(before: &PositionReport) -> Led {
        let missed_mate = before.missed_mate.as_deref();
        let missed_mate = missed_mate.filter(|_| before.note() == Some(Note::MissedMate));
        Led {
            note: before.note(),
            missed_mate: missed_mate
                .map(|mate| format!("{}{MATE_WORD}{}", mate.len(), book_line(before, mate))),
            mark: before.played.and_then(|mv| choice_mark(before, mv)),
        }
    }

    /// Of the first move of a branch.
    fn of_branch(branch: &BranchReport, report: &GameReport) -> Led {
        let before = report.position(branch.parent, branch.from);
        let first = branch.moves.first();
        Led {
            note: branch.judgment.and_then(|judgment| judgment.note),
            missed_mate: None,
            mark: before.zip(first).and_then(|(before, first)| choice_mark(before, first.mv)),
        }
    }

    fn lines(&self) -> Vec<String> {
        let note = self.note.map(|note| format!("【{}】", note.japanese()));
        note.into_iter().chain(self.missed_mate.clone()).collect()
    }
}

/// The line at the start that tells ShogiGUI the engine's name.
fn engines_line() -> String {
    format!("*Engines 0 {ENGINE}")
}

/// The comments without what [`annotate`] adds.
pub(crate) fn without_ours(comments: &[String]) -> Vec<String> {
    let mut comments = comments.to_vec();
    remove_ours(&mut comments);
    comments
}

/// Removes what [`annotate`] adds.
fn remove_ours(comments: &mut Vec<String>) {
    let engines = engines_line();
    let signature = format!("{ENGINE_KEY}{ENGINE}");
    comments.retain(|line| *line != engines && !is_mark(line));
    let mut from = 0;
    while let Some(found) = comments.iter().skip(from).position(|line| *line == signature) {
        let lines = ours_around(comments, from + found);
        from = lines.start;
        comments.drain(lines);
    }
}

/// The range of lines that belong to a line with the engine's name, in the order in which
/// [`comment`] writes them.
fn ours_around(comments: &[String], signature: usize) -> std::ops::Range<usize> {
    let is_gui_line = |line: &str, candidate: &str| {
        line.starts_with("*解析 0 ") && line.split(' ').any(|word| word == candidate)
    };
    let mut start = signature;
    let mut take = |belongs: &dyn Fn(&str) -> bool| {
        let is_ours = start > 0 && belongs(&comments[start - 1]);
        start -= usize::from(is_ours);
        is_ours
    };
    take(&|line| line.starts_with(NODES_KEY));
    take(&|line| line.starts_with(DEPTH_KEY));
    take(&|line| line.starts_with(LINE_KEY));
    // Only here, between other lines of ours, these cannot be somebody else's.
    take(&|line| line.contains(MATE_WORD));
    take(&|line| line.starts_with('【') && line.ends_with('】'));
    if take(&|line| line.starts_with(VALUE_KEY)) {
        take(&|line| is_situation(line));
    } else if !take(&|line| line.starts_with(MATE_KEY)) {
        // A resignation has no value.
        return start..signature + 1;
    }
    if comments.get(signature + 1).is_some_and(|line| is_gui_line(line, "候補1")) {
        // The other candidates are above, the last one first.
        for candidate in 2.. {
            if !take(&|line| is_gui_line(line, &format!("候補{candidate}"))) {
                break;
            }
        }
        return start..signature + 2;
    }
    take(&|line| line.starts_with("* "));
    start..signature + 1
}

/// The lines for the position after a move.
fn comment(
    led: &Led,
    here: &PositionReport,
    style: CommentStyle,
    is_reproducible: bool,
) -> Vec<String> {
    let mut lines = Vec::new();
    match style {
        CommentStyle::Servers => lines.push(server_line(here)),
        // The first candidate comes last, because the last value counts.
        CommentStyle::Guis => {
            let others = here.finding.lines.iter().enumerate().skip(1).rev();
            lines.extend(
                others.map(|(index, line)| {
                    shogi_gui_line(here, line, index + 1, ' ', is_reproducible)
                }),
            );
        }
    }
    shogi_home_lines(led, here, &mut lines);
    if style == CommentStyle::Guis {
        let mark = led.mark.unwrap_or(' ');
        lines.push(shogi_gui_line(here, here.best(), 1, mark, is_reproducible));
    }
    lines
}

/// ShogiHome's words for a value.
fn situation(cp: i32) -> String {
    let side = if cp >= 0 { "先手" } else { "後手" };
    match cp.unsigned_abs() {
        1500.. => format!("{side}勝勢"),
        600.. => format!("{side}優勢"),
        400.. => format!("{side}有利"),
        200.. => format!("{side}有望"),
        _ => "互角".to_owned(),
    }
}

fn is_situation(line: &str) -> bool {
    [0, 200, 400, 600, 1500].into_iter().any(|cp| line == situation(cp) || line == situation(-cp))
}

/// The beginning of ShogiHome's lines.
const VALUE_KEY: &str = "#評価値=";
const MATE_KEY: &str = "#詰み=";
const LINE_KEY: &str = "#読み筋=";
const DEPTH_KEY: &str = "#深さ=";
const NODES_KEY: &str = "#ノード数=";
const ENGINE_KEY: &str = "#エンジン=";

/// What stands between the length and the moves of a missed mate.
const MATE_WORD: &str = "手詰：";

fn shogi_home_lines(led: &Led, here: &PositionReport, lines: &mut Vec<String>) {
    let best = here.best();
    match best.value {
        Value::Cp(cp) => {
            lines.push(situation(cp));
            lines.push(format!("{VALUE_KEY}{cp}"));
        }
        Value::BlackMates(plies) => lines.push(format!("{MATE_KEY}先手勝ち{}", plies_text(plies))),
        Value::WhiteMates(plies) => lines.push(format!("{MATE_KEY}後手勝ち{}", plies_text(plies))),
    }
    lines.extend(led.lines());
    if !best.pv.is_empty() {
        lines.push(format!("{LINE_KEY}{}", book_line(here, &best.pv)));
    }
    lines.push(format!("{DEPTH_KEY}{}", best.depth));
    lines.push(format!("{NODES_KEY}{}", here.finding.nodes));
    lines.push(format!("{ENGINE_KEY}{ENGINE}"));
}

fn plies_text(plies: u32) -> String {
    if plies > 0 { format!(":{plies}手") } else { String::new() }
}

/// The moves of a line in the notation of books. Readers do not know the move before the first one,
/// so the first move always names its square.
fn book_line(report: &PositionReport, moves: &[UsiMove]) -> String {
    let line = report.line_of(moves);
    let mut last = None;
    line.iter().map(|(position, mv)| ki2_move(position, *mv, last.replace(*mv))).collect()
}

/// Whether a move was the engine's choice: ○ its first, △ another of its lines.
fn choice_mark(before: &PositionReport, mv: Move) -> Option<char> {
    let played = mv.to_usi();
    let place = before.finding.lines.iter().position(|line| line.pv.first() == Some(&played))?;
    Some(if place == 0 { '○' } else { '△' })
}

/// ShogiGUI's line for one candidate.
fn shogi_gui_line(
    here: &PositionReport,
    line: &FoundLine,
    candidate: usize,
    mark: char,
    is_reproducible: bool,
) -> String {
    let mark = if mark == ' ' { String::new() } else { mark.to_string() };
    let mut text = format!("*解析 0 {mark} 候補{candidate} ");
    if !is_reproducible {
        let tenths = here.finding.time_ms / 100;
        let (minutes, seconds) = (tenths / 600, tenths / 10 % 60);
        text += &format!("時間 {minutes:02}:{seconds:02}.{} ", tenths % 10);
    }
    text += &format!("深さ {}/{} ノード数 {} ", line.depth, line.seldepth, here.finding.nodes);
    text += &match line.value {
        // ShogiGUI would read a value with a plus sign as 0.
        Value::Cp(cp) => format!("評価値 {cp} "),
        Value::BlackMates(0) => "評価値 +詰 ".to_owned(),
        Value::WhiteMates(0) => "評価値 -詰 ".to_owned(),
        Value::BlackMates(plies) => format!("評価値 +詰 {plies} "),
        Value::WhiteMates(plies) => format!("評価値 -詰 {plies} "),
    };
    let moves = here.line_of(&line.pv);
    if !moves.is_empty() {
        text += "読み筋 ";
    }
    // ShogiGUI does not show a first move that is written as 同.
    let mut last = None;
    for (_, mv) in &moves {
        text += &format!("{}{} ", mark_of(*mv), move_with_origin(*mv, last.replace(*mv)));
    }
    text
}

fn mark_of(mv: Move) -> char {
    match mv.color() {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// The comment of floodgate: the value and the moves of the best line.
fn server_line(here: &PositionReport) -> String {
    /// The value that servers write for a mate.
    const MATE: i32 = 30_000;
    let value = match here.value() {
        Value::Cp(cp) => cp,
        Value::BlackMates(_) => MATE,
        Value::WhiteMates(_) => -MATE,
    };
    let moves = here.line_of(&here.best().pv);
    let moves = moves.iter().map(|(_, mv): &(Position, Move)| format!(" {}", csa_move(*mv)));
    format!("* {value}{}", moves.collect::<String>())
}

#[cfg(test)]
mod tests {
    use tsumero_record::{Format, read, write};

    use super::*;
    use crate::{Finding, FoundLine, Study};

    /// A game of three moves with two candidates in each position, one of them with a mate.
    fn game_and_report(cp: i32) -> (Game, GameReport) {
        let text = "position startpos moves 7g7f 3c3d 2g2f";
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        let line = |value, word: &str| FoundLine {
            value,
            depth: 9,
            seldepth: 12,
            pv: vec![word.parse().unwrap()],
        };
        let candidates = [["2g2f", "7g7f"], ["8c8d", "3c3d"], ["2g2f", "6i7h"], ["8c8d", "4c4d"]];
        let findings = candidates.iter().enumerate().map(|(ply, [first, second])| {
            let value = if ply == 2 { Value::BlackMates(5) } else { Value::Cp(cp) };
            let lines = vec![line(value, first), line(Value::Cp(cp - 300), second)];
            Finding::of_search(lines, 1000)
        });
        let study = Study::of_findings(&game, findings.collect());
        let report = GameReport::new("game.kif", 1, &study, true);
        (game, report)
    }

    fn comments(game: &Game) -> Vec<Vec<String>> {
        game.main_line().map(|node| game.node(node).comments().to_vec()).collect()
    }

    #[test]
    fn every_value_has_words() {
        let words = [i32::MIN, -1500, -199, 0, 200, i32::MAX].map(situation);
        assert_eq!(words, ["後手勝勢", "後手勝勢", "互角", "互角", "先手有望", "先手勝勢"]);
    }

    #[test]
    fn a_second_analysis_takes_the_place_of_the_first() {
        let (mut game, first) = game_and_report(85);
        let (_, second) = game_and_report(-700);
        let nodes: Vec<NodeId> = game.main_line().collect();
        // Comments that look like ours but are not: analyses of other engines, a floodgate value,
        // words.
        let others = [
            "*Engines 0 Other",
            "先手有利",
            "#評価値=450",
            "#深さ=3",
            "#エンジン=Other",
            "*解析 0 ○ 候補1 深さ 3/4 ノード数 9 評価値 450 読み筋 ▲２六歩(27)",
            "【疑問手】と思う",
            "ここは3手詰：うそ",
            "* 85 という値",
            "【悪手】",
        ];
        for &node in &nodes {
            others.iter().for_each(|line| game.add_comment(node, line));
        }
        for style in [CommentStyle::Guis, CommentStyle::Servers] {
            let mut once = game.clone();
            annotate(&mut once, &second, style);
            let mut twice = game.clone();
            for (report, style) in [
                (&first, CommentStyle::Guis),
                (&first, CommentStyle::Servers),
                (&second, CommentStyle::Guis),
                (&second, style),
            ] {
                annotate(&mut twice, report, style);
                // As it is written to a file and read again.
                let format = if style == CommentStyle::Guis { Format::Kif } else { Format::Csa };
                let text = write(std::slice::from_ref(&twice), format);
                twice = read(text.as_bytes()).into_games().unwrap().remove(0);
            }
            assert_eq!(comments(&twice), comments(&once), "{style:?}");
            for lines in comments(&twice) {
                assert_eq!(lines[..others.len()], others);
            }
        }
    }

    /// Black resigns, and could mate.
    #[test]
    fn a_resignation_with_a_mate_on_the_board_is_noted() {
        let text = b"sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves resign\n";
        let mut game = read(text).into_games().unwrap().remove(0);
        let pv = vec!["G*5b".parse().unwrap()];
        let line = FoundLine { value: Value::BlackMates(1), depth: 1, seldepth: 1, pv: pv.clone() };
        let mut finding = Finding::of_search(vec![line], 9);
        (finding.mate, finding.searched) = (Some(pv), Some(Value::Cp(-900)));
        let study = Study::of_findings(&game, vec![finding]);
        let report = GameReport::new("a.usi", 1, &study, true);
        let ending = game.main_line().last().unwrap();
        let own = ["* 40 までと読んだ", "【悪手】", "ここは1手詰：まさか"];
        own.iter().for_each(|line| game.add_comment(ending, line));
        for style in [CommentStyle::Guis, CommentStyle::Servers, CommentStyle::Guis] {
            annotate(&mut game, &report, style);
            let lines = game.node(ending).comments();
            assert_eq!(lines[..3], own);
            assert_eq!(lines[3..], ["【詰み逃し】", "1手詰：▲５二金", "#エンジン=Tsumero"]);
        }
        assert_eq!(without_ours(game.node(ending).comments()), own);
    }

    #[test]
    fn what_the_user_writes_between_the_lines_stays() {
        let (mut game, report) = game_and_report(85);
        let node = game.main_line().nth(1).unwrap();
        game.add_comment(node, "before");
        annotate(&mut game, &report, CommentStyle::Guis);
        game.add_comment(node, "behind");
        annotate(&mut game, &report, CommentStyle::Guis);
        let lines = game.node(node).comments();
        assert_eq!(lines[..2], ["before", "behind"]);
        assert_eq!(lines.iter().filter(|line| line.starts_with(ENGINE_KEY)).count(), 1);
    }
}

//! Findings as comments of a game file, so that other programs draw the graph and show the lines.
//!
//! A comment stands behind its move and speaks of the position after it. Values are from Black's
//! side. ShogiHome reads its own lines (`#評価値=85`) and ShogiGUI's, ShogiGUI only its own
//! (`*解析 …`), and both read the last value that they find.

use tsumero_core::{Color, Move, Position};
use tsumero_record::{Game, NodeId, csa_move, ki2_move, move_with_origin};

use crate::{FoundLine, GameReport, Note, PositionReport, Value};

/// The name under which the comments give the values.
const ENGINE: &str = "Tsumero";

/// For which programs comments are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentStyle {
    /// ShogiHome and ShogiGUI, in a KIF.
    Guis,
    /// ShogiHome and what servers write, in a CSA file.
    Servers,
}

/// Adds what was found to the comments of the main line. The comments that are there stay.
pub fn annotate(game: &mut Game, report: &GameReport, style: CommentStyle) {
    let nodes: Vec<NodeId> = game.main_line().collect();
    if style == CommentStyle::Guis {
        game.add_comment(NodeId::ROOT, &format!("*Engines 0 {ENGINE}"));
    }
    // The start has no comment: programs do not look there.
    for (&node, pair) in nodes.iter().skip(1).zip(report.positions.windows(2)) {
        let [before, here] = pair else { continue };
        for line in comment(before, here, style, report.is_reproducible) {
            game.add_comment(node, &line);
        }
    }
}

/// The lines for the position after a move.
fn comment(
    before: &PositionReport,
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
    shogi_home_lines(before, here, &mut lines);
    if style == CommentStyle::Guis {
        lines.push(shogi_gui_line(here, here.best(), 1, choice_mark(before), is_reproducible));
    }
    lines
}

/// How ShogiHome calls a value.
fn situation(cp: i32) -> String {
    let side = if cp >= 0 { "先手" } else { "後手" };
    match cp.abs() {
        1500.. => format!("{side}勝勢"),
        600.. => format!("{side}優勢"),
        400.. => format!("{side}有利"),
        200.. => format!("{side}有望"),
        _ => "互角".to_owned(),
    }
}

fn shogi_home_lines(before: &PositionReport, here: &PositionReport, lines: &mut Vec<String>) {
    if let Some(note) = before.judgment.and_then(|judgment| judgment.note) {
        lines.push(format!("【{}】", note.japanese()));
        if note == Note::MissedMate {
            let mate = before.finding.missed_mate.as_deref().unwrap_or_default();
            lines.push(format!("{}手詰：{}", mate.len(), book_line(before, mate)));
        }
    }
    let best = here.best();
    match best.value {
        Value::Cp(cp) => {
            lines.push(situation(cp));
            lines.push(format!("#評価値={cp}"));
        }
        Value::BlackMates(plies) => lines.push(format!("#詰み=先手勝ち{}", plies_text(plies))),
        Value::WhiteMates(plies) => lines.push(format!("#詰み=後手勝ち{}", plies_text(plies))),
    }
    if !best.pv.is_empty() {
        lines.push(format!("#読み筋={}", book_line(here, &best.pv)));
    }
    lines.push(format!("#深さ={}", best.depth));
    lines.push(format!("#ノード数={}", here.finding.nodes));
    lines.push(format!("#エンジン={ENGINE}"));
}

fn plies_text(plies: u32) -> String {
    if plies > 0 { format!(":{plies}手") } else { String::new() }
}

/// The moves of a line as books print them. Readers do not know the move before the first, so that
/// one has its square even where it goes to the same.
fn book_line(report: &PositionReport, moves: &[String]) -> String {
    let line = report.line_of(moves);
    let moves = line.iter().enumerate().map(|(index, (position, mv))| match index {
        0 => {
            let alone = Position::from_sfen(&position.to_sfen());
            ki2_move(alone.as_ref().unwrap_or(position), *mv)
        }
        _ => ki2_move(position, *mv),
    });
    moves.collect()
}

/// Whether the move that led here was the engine's choice: ○ its first, △ another of its lines.
fn choice_mark(before: &PositionReport) -> char {
    let Some(played) = before.played.map(|mv| mv.to_string()) else { return ' ' };
    let lines = &before.finding.lines;
    match lines.iter().position(|line| line.pv.first() == Some(&played)) {
        Some(0) => '○',
        Some(_) => '△',
        None => ' ',
    }
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
        // A plus sign would make it 0.
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
    for (index, (position, mv)) in moves.iter().enumerate() {
        // A first move written 同 is not shown.
        let last = if index > 0 { position.last_move() } else { None };
        text += &format!("{}{} ", mark_of(*mv), move_with_origin(*mv, last));
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
    /// What servers write for a mate.
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

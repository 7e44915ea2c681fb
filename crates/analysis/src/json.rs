//! Results as JSON lines.

use std::collections::BTreeMap;

use serde::Serialize;
use tsumero_core::UsiMove;
use tsumero_record::{Ending, visible_json};

use crate::{GameReport, Language, Note, PositionReport, Value};

#[derive(Serialize)]
struct JsonPosition<'a> {
    file: &'a str,
    game: usize,
    /// Only in a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<usize>,
    ply: usize,
    sfen: String,
    #[serde(rename = "move")]
    played: Option<String>,
    cp: Option<i32>,
    mate: Option<i64>,
    depth: u32,
    nodes: u64,
    pv: &'a [UsiMove],
    lines: Vec<JsonLine<'a>>,
    note: Option<&'static str>,
    /// Only with the note `missed_mate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    missed_mate: Option<&'a [UsiMove]>,
    /// Only if a mate was missed in a position that the search took for lost.
    #[serde(skip_serializing_if = "is_false")]
    believed_lost: bool,
    #[serde(skip_serializing_if = "is_false")]
    turns: bool,
    /// In points of win rate, of the move played.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<JsonSecond>,
    /// The time that the move took in the game, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    comments: &'a [String],
    phase: &'static str,
    /// Of Black and White, in Japanese.
    #[serde(skip_serializing_if = "is_without_castle")]
    castles: [Option<&'static str>; 2],
    /// The branches that leave here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    branches: Vec<JsonBranch<'a>>,
    /// What is known of the whole game. Only in its first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<JsonWhole>,
    /// Only in the last line, and not where the game just stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    cp: Option<i32>,
    mate: Option<i64>,
    depth: u32,
    pv: &'a [UsiMove],
}

#[derive(Serialize)]
struct JsonSecond {
    best: JsonValue,
    played: JsonValue,
    depth: u32,
    nodes: u64,
}

#[derive(Serialize)]
struct JsonValue {
    cp: Option<i32>,
    mate: Option<i64>,
}

impl From<Value> for JsonValue {
    fn from(value: Value) -> JsonValue {
        JsonValue { cp: value.cp(), mate: value.mate() }
    }
}

#[derive(Serialize)]
struct JsonBranch<'a> {
    branch: usize,
    /// The branch that it leaves, and the ply; 0 for the main line.
    parent: usize,
    from: usize,
    moves: Vec<String>,
    /// By the number of the move in the branch, from 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    comments: BTreeMap<usize, &'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
    /// The judgment of its first move. Its other moves are in lines of the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
}

#[derive(Serialize)]
struct JsonWhole {
    /// In Japanese.
    opening: Option<String>,
    /// What Black and White play, in Japanese.
    styles: [Option<&'static str>; 2],
    /// How wrong the search was, in points of win rate.
    noise: f64,
    rough: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_false(value: &bool) -> bool {
    !value
}

fn is_without_castle(castles: &[Option<&'static str>; 2]) -> bool {
    castles.iter().all(Option::is_none)
}

/// One digit behind the point, as for people.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A JSON line for each position: those of the main line, then those of branches that were
/// analyzed.
pub fn json_lines(report: &GameReport) -> String {
    let mut text = String::new();
    let mut push = |position: JsonPosition<'_>| {
        let json = serde_json::to_string(&position).expect("plain data has a JSON form");
        text += &visible_json(&json);
        text.push('\n');
    };
    for here in &report.positions {
        let mut position = json_position(report, here, 0);
        if here.ply == 0 {
            position.whole = Some(JsonWhole {
                opening: report.opening.name(Language::Japanese),
                styles: report.opening.styles.map(|style| style.map(|name| name.ja)),
                noise: rounded(report.noise.points()),
                rough: report.is_rough(),
            });
        }
        if here.played.is_none() {
            position.ending = report.ending.map(Ending::word);
        }
        push(position);
    }
    for branch in &report.branches {
        for here in &branch.positions {
            let mut position = json_position(report, here, branch.number);
            if here.played.is_none() {
                position.ending = branch.ending.map(Ending::word);
            }
            push(position);
        }
    }
    text
}

fn json_position<'a>(
    report: &'a GameReport,
    here: &'a PositionReport,
    line: usize,
) -> JsonPosition<'a> {
    let lines = here.finding.lines.iter().map(|line| JsonLine {
        cp: line.value.cp(),
        mate: line.value.mate(),
        depth: line.depth,
        pv: &line.pv,
    });
    let second = here.second.as_ref().map(|second| JsonSecond {
        best: second.best.into(),
        played: second.played.into(),
        depth: second.depth,
        nodes: second.nodes,
    });
    let branches = report.branches_at(line, here.ply).into_iter().map(|branch| {
        let comments = branch.moves.iter().map(|played| &played.comments[..]);
        let comments = (1..).zip(comments).filter(|(_, comments)| !comments.is_empty());
        JsonBranch {
            branch: branch.number,
            parent: branch.parent,
            from: branch.from,
            moves: branch.moves.iter().map(|played| played.mv.to_string()).collect(),
            comments: comments.collect(),
            ending: branch.ending.map(Ending::word),
            note: branch.judgment.and_then(|judgment| judgment.note).map(Note::word),
            loss: branch.judgment.map(|judgment| rounded(judgment.loss)),
        }
    });
    JsonPosition {
        file: &report.file,
        game: report.number,
        branch: (line > 0).then_some(line),
        ply: here.ply,
        sfen: here.position.to_sfen(),
        played: here.played.map(|mv| mv.to_string()),
        cp: here.value().cp(),
        mate: here.value().mate(),
        depth: here.best().depth,
        nodes: here.finding.nodes,
        pv: &here.best().pv,
        lines: lines.collect(),
        note: here.note().map(Note::word),
        missed_mate: here.missed_mate.as_deref(),
        believed_lost: here.is_believed_lost(),
        turns: here.judgment.is_some_and(|judgment| judgment.turns_the_game),
        loss: here.judgment.map(|judgment| rounded(judgment.loss)),
        second,
        time: here.time.map(|time| time.as_millis() as u64),
        comments: &here.comments,
        phase: here.phase.word(),
        castles: here.castles.map(|castle| castle.map(|name| name.ja)),
        branches: branches.collect(),
        whole: None,
        ending: None,
    }
}

//! The report of a game: its positions, their results, and the judgments of its moves.

use tsumero_core::{Color, Move, Position};
use tsumero_record::{Ending, Game};

use crate::judgment::{Judgment, PlayerSummary, judge};
use crate::{Finding, FoundLine, Value};

/// A position of the main line with its result.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Value};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 7g7f\n").into_games()?.remove(0);
/// let pv = vec!["3c3d".to_owned(), "2g2f".to_owned()];
/// let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv };
/// let finding = Finding { lines: vec![line], nodes: 900, time_ms: 1, missed_mate: None };
/// let report = GameReport::new("game.usi", 1, &game, vec![finding; 2], true);
/// let here = report.positions.last().unwrap();
/// assert_eq!((here.ply, here.played, here.value()), (1, None, Value::Cp(30)));
/// assert!(here.sfen().ends_with(" w - 2"));
/// // Each move of the line with the position in which it is played.
/// let line = here.line_of(&here.best().pv);
/// assert_eq!((line.len(), line[1].1.to_string()), (2, "2g2f".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionReport {
    /// Number of moves played before it.
    pub ply: usize,
    /// The position.
    pub position: Position,
    /// The move that led to it; `None` at the start.
    pub last_move: Option<Move>,
    /// The move played in it; `None` in the last position.
    pub played: Option<Move>,
    /// The result of the search.
    pub finding: Finding,
    /// The judgment of the move played; `None` without one.
    pub judgment: Option<Judgment>,
}

impl PositionReport {
    /// The best line.
    pub fn best(&self) -> &FoundLine {
        &self.finding.lines[0]
    }

    /// The value of the position.
    pub fn value(&self) -> Value {
        self.best().value
    }

    /// The SFEN with 1 as the number of the first move of the game.
    pub fn sfen(&self) -> String {
        let sfen = self.position.to_sfen();
        let fields = sfen.rsplit_once(' ').map_or(sfen.as_str(), |(fields, _)| fields);
        format!("{fields} {}", self.ply + 1)
    }

    /// The moves of a line in USI notation, up to the first illegal one, each with its position.
    pub fn line_of(&self, moves: &[String]) -> Vec<(Position, Move)> {
        let mut position = self.position.clone();
        let mut line = Vec::with_capacity(moves.len());
        for text in moves {
            let Ok(mv) = position.parse_move(text) else { break };
            line.push((position.clone(), mv));
            position.play_unchecked(mv);
        }
        line
    }
}

/// An analyzed game.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Language, Value, json_lines, table};
/// use tsumero_core::Color;
/// use tsumero_record::read;
/// let game = read("先手：甲\n1 ７六歩(77)\n".as_bytes()).into_games()?.remove(0);
/// // Here an `Analyst` would search each position.
/// let findings = GameReport::positions_of(&game).map(|(position, played)| {
///     let pv = played.map(|mv| mv.to_string()).into_iter().collect();
///     let value = Value::Cp(30 * position.ply() as i32);
///     let line = FoundLine { value, depth: 9, seldepth: 12, pv };
///     Finding { lines: vec![line], nodes: 900, time_ms: 1, missed_mate: None }
/// });
/// let report = GameReport::new("game.kif", 1, &game, findings.collect(), true);
/// assert_eq!(report.player(Color::Black), Some("甲"));
/// assert_eq!(json_lines(&report).lines().count(), 2);
/// let table = table(&report, Language::English);
/// assert!(table.starts_with("game.kif (1)\n   0 start               +30\n   1 ☗P-76"), "{table}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The name of the file it is in.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// Headers of the game: names and values.
    pub headers: Vec<(String, String)>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// The positions of the main line, the last one included.
    pub positions: Vec<PositionReport>,
    /// Whether results are the same in every run. Then times are not shown.
    pub is_reproducible: bool,
}

impl GameReport {
    /// The positions of a game's main line, each with the moves before it and the move played in
    /// it.
    pub fn positions_of(
        game: &Game,
    ) -> impl Iterator<Item = (tsumero_core::Game, Option<Move>)> + '_ {
        let mut next = Some(tsumero_core::Game::from(game.initial()));
        let mut moves = game.moves();
        std::iter::from_fn(move || {
            let position = next.take()?;
            let played = moves.next();
            if let Some(mv) = played {
                let mut after = position.clone();
                after.play_unchecked(mv);
                next = Some(after);
            }
            Some((position, played))
        })
    }

    /// Judges the moves of a game by the results of its positions ([`GameReport::positions_of`]).
    ///
    /// # Panics
    ///
    /// When the numbers of results and positions differ, or a result has no line.
    pub fn new(
        file: &str,
        number: usize,
        game: &Game,
        findings: Vec<Finding>,
        is_reproducible: bool,
    ) -> GameReport {
        assert_eq!(game.moves().count() + 1, findings.len(), "a finding for each position");
        let values: Vec<Value> = findings.iter().map(|finding| finding.lines[0].value).collect();
        let positions = GameReport::positions_of(game).zip(findings).enumerate();
        let positions = positions.map(|(ply, ((history, played), finding))| {
            let (position, last_move) = (history.position().clone(), history.last_move());
            let judgment = played.map(|mv| {
                judge(position.side_to_move(), &finding, &mv.to_string(), values[ply + 1])
            });
            PositionReport { ply, position, last_move, played, finding, judgment }
        });
        GameReport {
            file: file.to_owned(),
            number,
            headers: game.headers().to_vec(),
            ending: game.ending(),
            positions: positions.collect(),
            is_reproducible,
        }
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// The name of a player, if the file has one.
    pub fn player(&self, color: Color) -> Option<&str> {
        match color {
            Color::Black => self.header("先手").or_else(|| self.header("下手")),
            Color::White => self.header("後手").or_else(|| self.header("上手")),
        }
    }

    /// How a player played.
    pub fn summary(&self, color: Color) -> PlayerSummary {
        let own = self.positions.iter().filter(|p| p.position.side_to_move() == color);
        PlayerSummary::of(own.filter_map(|position| position.judgment.as_ref()))
    }
}

//! The report of a game: its positions, their results, and the judgments of its moves.

use tsumero_core::{Color, Move, Position};
use tsumero_record::{Ending, Game};

use crate::judgment::{Judgment, PlayerSummary, judge};
use crate::{Finding, FoundLine, Value};

/// A position of the main line with its result.
#[derive(Clone, Debug)]
pub struct PositionReport {
    /// Number of moves played before it.
    pub ply: usize,
    /// The position, with the move that led to it.
    pub position: Position,
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
            position.do_move(mv);
        }
        line
    }
}

/// An analyzed game.
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
    pub fn positions_of(game: &Game) -> impl Iterator<Item = (Position, Option<Move>)> + '_ {
        let mut next = Some(game.initial().clone());
        let mut moves = game.moves();
        std::iter::from_fn(move || {
            let position = next.take()?;
            let played = moves.next();
            if let Some(mv) = played {
                let mut after = position.clone();
                after.play(mv);
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
        let mut last: Option<(Position, Move)> = None;
        let positions = positions.map(|(ply, ((position, played), finding))| {
            // Otherwise every position would keep the whole game before it.
            let position = match last.take() {
                Some((before, mv)) => with_one_move_before(&before, mv),
                None => position,
            };
            last = played.map(|mv| (position.clone(), mv));
            let judgment = played.map(|mv| {
                judge(position.side_to_move(), &finding, &mv.to_string(), values[ply + 1])
            });
            PositionReport { ply, position, played, finding, judgment }
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

/// The position after a move. Its history contains only this move.
fn with_one_move_before(before: &Position, mv: Move) -> Position {
    let mut position = Position::from_sfen(&before.to_sfen()).unwrap_or_else(|_| before.clone());
    position.play(mv);
    position
}

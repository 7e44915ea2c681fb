//! Statistics of a file of games.

mod contents;

use std::collections::BTreeMap;
use std::fmt;

use tsumero_core::Color;

use crate::records::{GameRecord, RecordError};
use contents::Contents;

/// Width of a column of the histogram of scores.
const SCORE_STEP: i32 = 200;
/// Scores beyond this share the outermost columns.
const SCORE_END: i32 = 3000;
/// Width of a column of the histogram of plies.
const PLY_STEP: usize = 40;

/// Counts over games.
#[derive(Clone, Default, Debug)]
pub(crate) struct Stats {
    games: u64,
    positions: u64,
    mates: u64,
    winners: [u64; 3],
    endings: BTreeMap<String, u64>,
    /// By number of plies, the opening included.
    plies: BTreeMap<usize, u64>,
    longest: usize,
    all_plies: u64,
    /// By score: positions, and half points of the side to move.
    scores: BTreeMap<i32, (u64, u64)>,
    contents: Contents,
}

impl Stats {
    /// Counts the positions of a game by what stands where.
    ///
    /// # Errors
    /// [`RecordError`] if a move is not legal. The positions before it have been counted.
    pub(crate) fn add_positions(&mut self, game: &GameRecord) -> Result<(), RecordError> {
        game.replay(&mut |sample| self.contents.add(sample.position))
    }

    /// Counts a game.
    pub(crate) fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.positions += game.turns.len() as u64;
        self.winners[game.outcome.winner.map_or(0, |color| color.index() + 1)] += 1;
        *self.endings.entry(game.outcome.ending.to_string()).or_default() += 1;
        let plies = game.opening.len() + game.turns.len();
        *self.plies.entry(plies / PLY_STEP * PLY_STEP).or_default() += 1;
        self.longest = self.longest.max(plies);
        self.all_plies += plies as u64;
        let starts_white =
            game.start.as_deref().is_some_and(|sfen| sfen.split_whitespace().nth(1) == Some("w"));
        for (index, turn) in game.turns.iter().enumerate() {
            let white = starts_white ^ ((game.opening.len() + index) % 2 == 1);
            let mover = if white { Color::White } else { Color::Black };
            let score = super::records::score_of(turn.score);
            self.mates += u64::from(score.is_mate());
            let column = score.value().clamp(-SCORE_END, SCORE_END).div_euclid(SCORE_STEP);
            let (count, half_points) = self.scores.entry(column * SCORE_STEP).or_default();
            *count += 1;
            *half_points += u64::from(game.outcome.half_points(mover));
        }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games: {}", self.games)?;
        writeln!(f, "positions: {}, of them with a mate score {}", self.positions, self.mates)?;
        let [drawn, black, white] = self.winners.map(|count| share(count, self.games));
        writeln!(f, "Black won {black:.1} %, White won {white:.1} %, drawn {drawn:.1} %")?;
        for (ending, count) in &self.endings {
            writeln!(f, "  {ending}: {count} ({:.1} %)", share(*count, self.games))?;
        }
        let mean = self.all_plies as f64 / self.games.max(1) as f64;
        writeln!(f, "plies, openings included: mean {mean:.1}, longest {}", self.longest)?;
        for (plies, count) in &self.plies {
            let end = plies + PLY_STEP - 1;
            writeln!(f, "  {plies:3} to {end:3}: {:5.1} %", share(*count, self.games))?;
        }
        writeln!(f, "score of the side to move: share of the positions, points made of them")?;
        for (score, (count, half_points)) in &self.scores {
            let end = score + SCORE_STEP - 1;
            let points = share(*half_points, 2 * count);
            // The outermost columns have no other end.
            let (from, to) = match *score {
                SCORE_END => (score.to_string(), String::new()),
                score if score <= -SCORE_END => (String::new(), end.to_string()),
                score => (score.to_string(), end.to_string()),
            };
            writeln!(
                f,
                "  {from:>5} to {to:>5}: {:5.1} %  {points:5.1} %",
                share(*count, self.positions)
            )?;
        }
        write!(f, "{}", self.contents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ending, GameOutcome};
    use crate::records::RecordedTurn;

    #[test]
    fn points_go_to_the_side_whose_score_it_is() {
        let turn = |score| RecordedTurn { played: 1, score };
        let mut stats = Stats::default();
        // White moves first after an odd number of opening moves, and wins.
        stats.add(&GameRecord {
            number: 0,
            start: None,
            opening: vec![1; 7],
            turns: vec![turn(500), turn(-500), turn(31_990)],
            outcome: GameOutcome { winner: Some(Color::White), ending: Ending::Checkmate },
        });
        stats.add(&GameRecord {
            number: 1,
            start: Some("9/9/9/9/9/9/9/9/9 w - 1".into()),
            opening: vec![],
            turns: vec![turn(500)],
            outcome: GameOutcome { winner: Some(Color::White), ending: Ending::Checkmate },
        });
        assert_eq!((stats.games, stats.positions, stats.mates), (2, 4, 1));
        assert_eq!(stats.scores[&400], (2, 4));
        assert_eq!(stats.scores[&-600], (1, 0));
        assert_eq!(stats.scores[&3000], (1, 2));
        let shown = stats.to_string();
        assert!(shown.contains("White won 100.0 %"));
        // All that are larger stand in the last row, such as mates.
        assert!(shown.contains("\n   3000 to      :  25.0 %  100.0 %\n"), "{shown}");
        assert!(shown.contains("\n   -600 to  -401:  25.0 %    0.0 %\n"), "{shown}");
        stats.add(&GameRecord {
            number: 2,
            start: None,
            opening: vec![],
            turns: vec![turn(-31_990)],
            outcome: GameOutcome { winner: Some(Color::White), ending: Ending::Checkmate },
        });
        assert!(stats.to_string().contains("\n        to -2801:  20.0 %    0.0 %\n"), "{stats}");
    }
}

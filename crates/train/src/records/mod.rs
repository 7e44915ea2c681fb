//! Games and positions in files.

pub(crate) mod convert;
pub(crate) mod file;
pub(crate) mod packed;

use tsumero_control::Score;
use tsumero_core::{Color, Move, Position, UsiMove};

use crate::expectation::logistic;
use crate::game::{Ending, GameOutcome};

/// The scale of the logistic curve by which scores are mixed as expected results, in the units of the
/// evaluation. It is near the scales that are fitted to games of this engine, which are only known when
/// all games have been read.
const MIXING_SCALE: f64 = 600.0;

/// One move of a recorded game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecordedTurn {
    /// The move, as [`UsiMove::pack`] packs it.
    pub played: u16,
    /// The score for the side that moved, as [`Score::value`] gives it.
    pub score: i16,
}

/// A recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameRecord {
    /// Number of the game in its run.
    pub number: u32,
    /// SFEN of the position where it starts; `None` for the usual one.
    pub start: Option<String>,
    /// Moves that were not searched, packed.
    pub opening: Vec<u16>,
    /// Moves that were searched.
    pub turns: Vec<RecordedTurn>,
    /// How it ended.
    pub outcome: GameOutcome,
}

/// A position of a recorded game with its move, score and result.
#[derive(Debug)]
pub(crate) struct Sample<'a> {
    /// The position with the game that led to it.
    pub position: &'a Position,
    /// The move that was played.
    pub played: Move,
    /// The search's score for the side to move.
    pub score: Score,
    /// Half points of the side to move: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u32,
}

/// Why a recorded game is not valid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum RecordError {
    /// The start cannot be read.
    #[error("game {number}: the start position is not valid: {reason}")]
    BadStart {
        /// Number of the game.
        number: u32,
        /// What is wrong.
        reason: String,
    },
    /// A move is malformed or breaks a rule.
    #[error("game {number}, move {index}: {reason}")]
    BadMove {
        /// Number of the game.
        number: u32,
        /// The number of the move, from 1, including the opening.
        index: usize,
        /// What is wrong.
        reason: String,
    },
}

impl GameRecord {
    /// Plays the game, and passes every searched position to `show`.
    ///
    /// # Errors
    /// [`RecordError`] at the first fault. The positions before it have been passed to `show`.
    pub(crate) fn replay(&self, show: &mut dyn FnMut(Sample<'_>)) -> Result<(), RecordError> {
        let mut position = self.start_position()?;
        for (index, &packed) in self.opening.iter().enumerate() {
            let mv = self.legal(&position, packed, index)?;
            position.play_unchecked(mv);
        }
        for (index, turn) in self.turns.iter().enumerate() {
            let played = self.legal(&position, turn.played, self.opening.len() + index)?;
            let half_points = self.outcome.half_points(position.side_to_move());
            let score = score_of(turn.score);
            show(Sample { position: &position, played, score, half_points });
            position.play_unchecked(played);
        }
        Ok(())
    }

    /// Mixes into every score what the game shows later, as TD(λ) does (R. S. Sutton, "Learning to
    /// predict by the methods of temporal differences", 1988): with `share`, 0 to 1, the next score
    /// counts, into which the ones after it are mixed in the same way. The result of the game counts
    /// as the score after the last one. Where the ending is unknown, the last score stays as it is
    /// instead: the record may be a part of a game, which ended much later. Scores are mixed as
    /// expected results.
    ///
    /// # Errors
    /// [`RecordError`] if the start is not valid.
    pub(crate) fn mix_later_scores(&mut self, share: f64) -> Result<(), RecordError> {
        let first = self.start_position()?.side_to_move();
        let plies = self.opening.len() + self.turns.len();
        let next = if plies.is_multiple_of(2) { first } else { !first };
        let mut later = f64::from(self.outcome.half_points(next)) / 2.0;
        let expected = |score: i16| logistic(f64::from(score_of(score).value()) / MIXING_SCALE);
        if self.outcome.ending == Ending::Unknown
            && let Some(last) = self.turns.last()
        {
            later = 1.0 - expected(last.score);
        }
        for turn in self.turns.iter_mut().rev() {
            later = share * (1.0 - later) + (1.0 - share) * expected(turn.score);
            let value = MIXING_SCALE * (later / (1.0 - later)).ln();
            let limit = f64::from(Score::MAX_ORDINARY.value());
            turn.score = value.clamp(-limit, limit).round() as i16;
        }
        Ok(())
    }

    fn start_position(&self) -> Result<Position, RecordError> {
        match &self.start {
            None => Ok(Position::startpos()),
            Some(sfen) => Position::from_sfen(sfen).map_err(|error| RecordError::BadStart {
                number: self.number,
                reason: error.to_string(),
            }),
        }
    }

    fn legal(&self, position: &Position, packed: u16, index: usize) -> Result<Move, RecordError> {
        let bad =
            |reason: String| RecordError::BadMove { number: self.number, index: index + 1, reason };
        let mv = UsiMove::unpack(packed).ok_or_else(|| bad(format!("{packed:#06x} is no move")))?;
        position.validate(mv).map_err(|error| bad(format!("{mv}: {error}")))
    }
}

/// The score of a number in a file.
pub(crate) fn score_of(value: i16) -> Score {
    Score::recorded(value.into())
}

/// The number of an ending in files.
fn ending_number(ending: Ending) -> u8 {
    Ending::ALL.iter().position(|&known| known == ending).unwrap_or(0) as u8
}

/// The number of a winner in files: 0 nobody, 1 Black, 2 White.
fn winner_number(winner: Option<Color>) -> u8 {
    winner.map_or(0, |color| color.index() as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back_as_they_were() {
        for score in [
            Score::ZERO,
            Score::new(-345),
            Score::MAX_ORDINARY,
            -Score::MAX_ORDINARY,
            Score::PERPETUAL_CHECK,
            Score::new(-25_000),
            Score::new(31_872),
            Score::mate_in(1),
            Score::mate_in(127),
            Score::mated_in(0),
            Score::mated_in(126),
        ] {
            assert_eq!(score_of(score.value() as i16), score);
        }
        assert!(!score_of(i16::MIN).is_mate() && !score_of(i16::MAX).is_mate());
    }

    /// A share of 0 changes nothing, a share of 1 leaves the result alone, and half is a mean.
    #[test]
    fn later_scores_and_the_result_are_mixed_in() {
        let turns = |scores: &[i16]| -> Vec<RecordedTurn> {
            scores.iter().map(|&score| RecordedTurn { played: 1, score }).collect()
        };
        let mixed_with = |ending, start: Option<&str>, opening: usize, scores: &[i16], share| {
            let mut record = GameRecord {
                number: 1,
                start: start.map(str::to_owned),
                opening: vec![1; opening],
                turns: turns(scores),
                outcome: GameOutcome { winner: Some(Color::Black), ending },
            };
            record.mix_later_scores(share).unwrap();
            record.turns.iter().map(|turn| turn.score).collect::<Vec<_>>()
        };
        let mixed = |start: Option<&str>, opening: usize, scores: &[i16], share: f64| {
            mixed_with(Ending::Checkmate, start, opening, scores, share)
        };
        assert_eq!(mixed(None, 1, &[10, -400, 900], 0.0), [10, -400, 900]);
        // Only the result counts: Black moves first, third, and so on.
        let limit = Score::MAX_ORDINARY.value() as i16;
        assert_eq!(mixed(None, 0, &[0, 0, 0], 1.0), [limit, -limit, limit]);
        assert_eq!(mixed(None, 1, &[0, 0, 0], 1.0), [-limit, limit, -limit]);
        let white_first = Some("4k4/9/9/9/9/9/9/9/4K4 w G 1");
        assert_eq!(mixed(white_first, 1, &[0, 0], 1.0), [limit, -limit]);
        // Half of what is expected now, 0.5, and half of the win to come: 0.75. For the move before
        // it, half of 0.5 and half of 0.25: 0.375.
        let value = |expected: f64| (600.0 * (expected / (1.0 - expected)).ln()).round() as i16;
        assert_eq!(mixed(None, 1, &[0, 0], 0.5), [value(0.375), value(0.75)]);
        // A mate is a win, not a number near 32,000.
        let mate = Score::mate_in(3).value() as i16;
        assert_eq!(mixed(None, 0, &[0, -mate, mate], 0.5)[0], value(0.75));
        // Of an unknown ending the result says nothing, and a single position keeps its score.
        let part = |scores: &[i16], share| mixed_with(Ending::Unknown, None, 1, scores, share);
        assert_eq!(part(&[300], 0.8), [300]);
        assert_eq!(part(&[0, 0, 300], 1.0), [300, -300, 300]);
    }

    #[test]
    fn a_record_that_is_no_game_is_refused_where_it_stops_being_one() {
        let pack = |text: &str| text.parse::<UsiMove>().unwrap().pack();
        let record = GameRecord {
            number: 9,
            start: None,
            opening: vec![pack("7g7f")],
            turns: vec![
                RecordedTurn { played: pack("3c3d"), score: -10 },
                RecordedTurn { played: pack("8h2b"), score: 20 },
            ],
            outcome: GameOutcome { winner: Some(Color::White), ending: Ending::Checkmate },
        };
        let mut seen = Vec::new();
        let result = record.replay(&mut |sample| {
            seen.push((sample.played.to_string(), sample.score.value(), sample.half_points));
        });
        assert_eq!(result, Ok(()));
        assert_eq!(seen, [("3c3d".to_owned(), -10, 2), ("8h2b".to_owned(), 20, 0)]);

        let mut bad = record.clone();
        bad.turns[1].played = pack("8h3b");
        let error = bad.replay(&mut |_| {}).unwrap_err();
        assert!(error.to_string().starts_with("game 9, move 3: 8h3b"), "{error}");
        bad.turns[1].played = 0;
        assert!(bad.replay(&mut |_| {}).is_err());
        bad.start = Some("nonsense".to_owned());
        assert!(matches!(bad.replay(&mut |_| {}), Err(RecordError::BadStart { .. })));
    }
}

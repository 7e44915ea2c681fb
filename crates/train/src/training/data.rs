//! The positions for training a network and for measuring it.

use std::collections::HashSet;
use std::path::PathBuf;

use tsumero_core::Position;
use tsumero_search::evaluate_by_attack_maps;

use super::inputs::{Active, active};
use crate::expectation::logistic;
use crate::fit::Selection;
use crate::fit::data::{DataError, LeftOut, for_each_taken};

/// Positions as inputs, with scores and results. All values are from the view of the side to move.
#[derive(Clone, Default, Debug)]
pub(crate) struct Samples {
    inputs: Vec<Active>,
    scores: Vec<f32>,
    results: Vec<f32>,
}

impl Samples {
    /// Number of samples.
    pub(crate) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether there is no sample.
    pub(crate) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Adds a position with the search's score and the game's result: 1 for a win, ½ for a draw,
    /// 0 for a loss.
    pub(crate) fn push(&mut self, position: &Position, score: f32, result: f32) {
        self.inputs.push(active(position.side_to_move(), position));
        self.scores.push(score);
        self.results.push(result);
    }

    /// The inputs of a sample.
    #[inline]
    pub(crate) fn inputs(&self, sample: usize) -> &Active {
        &self.inputs[sample]
    }

    /// The scores. What the games showed later may be mixed in.
    pub(crate) fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// The results.
    pub(crate) fn results(&self) -> &[f32] {
        &self.results
    }

    /// The target of a sample: a mixture of the result, with share `lambda`, and of the logistic
    /// value of the score at a scale.
    #[inline]
    pub(crate) fn target(&self, sample: usize, lambda: f64, scale: f64) -> f64 {
        let by_score = logistic(f64::from(self.scores[sample]) / scale);
        lambda * f64::from(self.results[sample]) + (1.0 - lambda) * by_score
    }
}

/// Positions of held-out games, with more data for the measurements.
#[derive(Clone, Default)]
pub(crate) struct HeldOut {
    /// The positions as inputs.
    pub samples: Samples,
    /// The positions as SFENs.
    pub sfens: Vec<String>,
    /// The values of the evaluation by attack maps.
    pub attack_maps: Vec<f32>,
    /// The scores as the search gave them, before later ones were mixed in.
    pub searched: Vec<f32>,
    /// The number of each position's game. Positions of a game follow one another.
    pub games: Vec<u32>,
}

/// The data of files of games.
#[derive(Clone, Default)]
pub(crate) struct Data {
    /// The positions for training.
    pub training: Samples,
    /// Their scores as the search gave them, before later ones were mixed in.
    pub searched: Vec<f32>,
    /// The held-out positions.
    pub held_out: HeldOut,
    /// Why positions were left out.
    pub left_out: LeftOut,
    /// Positions left out because they had occurred before.
    pub repeated: u64,
}

/// Reads files of games. With `distinct`, each position is taken once.
///
/// # Errors
/// [`DataError`].
pub(crate) fn load(
    files: &[PathBuf],
    selection: &Selection,
    distinct: bool,
) -> Result<Data, DataError> {
    let mut data = Data::default();
    let mut known = HashSet::new();
    data.left_out = for_each_taken(files, selection, &mut |taken| {
        let sample = &taken.sample;
        let position = sample.position;
        if distinct && !known.insert(position.key()) {
            data.repeated += 1;
            return Ok(());
        }
        let (score, result) = (sample.score.value() as f32, sample.half_points as f32 / 2.0);
        let searched = taken.searched.value() as f32;
        if taken.held_out {
            data.held_out.samples.push(position, score, result);
            data.held_out.sfens.push(position.to_sfen());
            data.held_out.searched.push(searched);
            data.held_out.games.push(taken.game);
            data.held_out.attack_maps.push(evaluate_by_attack_maps(position).total.value() as f32);
        } else {
            data.training.push(position, score, result);
            data.searched.push(searched);
        }
        Ok(())
    })?;
    Ok(data)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use tsumero_core::{Color, Move};

    use super::*;
    use crate::fit::Quiet;
    use crate::game::{Ending, GameOutcome};
    use crate::records::file::{FileHeader, GameWriter};
    use crate::records::{GameRecord, RecordedTurn};

    /// A game for every two moves from the start.
    fn games() -> Vec<GameRecord> {
        let turn = |played: Move, score| RecordedTurn { played: played.to_usi().pack(), score };
        let mut games = Vec::new();
        for &first in &*Position::startpos().legal_moves() {
            let mut after = Position::startpos();
            after.play_unchecked(first);
            for &second in &*after.legal_moves() {
                let mut last = after.clone();
                last.play_unchecked(second);
                let third = last.legal_moves()[0];
                games.push(GameRecord {
                    number: games.len() as u32,
                    start: None,
                    opening: Vec::new(),
                    turns: vec![turn(first, 100), turn(second, -70), turn(third, 50)],
                    outcome: GameOutcome { winner: Some(Color::Black), ending: Ending::Checkmate },
                });
            }
        }
        games
    }

    #[test]
    fn other_files_hold_out_no_other_games_and_the_scores_of_the_search_decide_and_are_kept() {
        let folder = std::env::temp_dir().join(format!("tsumero-data-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let header = FileHeader::unknown(String::new());
        let games = games();
        let files = [("few", &games[..7]), ("many", &games[7..])].map(|(name, games)| {
            let path = folder.join(name);
            let writer = GameWriter::new(File::create(&path).unwrap(), name.to_owned(), &header);
            writer.unwrap().write(games).unwrap();
            path
        });
        let selection = Selection {
            skip: 0,
            foresight: 1.0,
            // The largest score of a search; what foresight makes of them is larger.
            max_score: 100,
            held_out: 50,
            quiet: Quiet::Any,
        };
        let [all, many] =
            [&files[..], &files[1..]].map(|files| load(files, &selection, false).unwrap());
        assert!(all.held_out.sfens.ends_with(&many.held_out.sfens));
        let positions = many.held_out.sfens.len();
        assert!((15..=120).contains(&positions), "{positions} of {}", 3 * games.len());
        for (samples, searched) in
            [(&all.training, &all.searched), (&all.held_out.samples, &all.held_out.searched)]
        {
            assert_eq!(searched.len(), samples.len());
            assert!(searched.chunks(3).all(|scores| scores == [100.0, -70.0, 50.0]));
            // The result alone.
            assert!(samples.scores().iter().all(|score| score.abs() > 10_000.0));
        }
        let less = Selection { max_score: 99, ..selection };
        let less = load(&files, &less, false).unwrap();
        assert_eq!(less.left_out.decided, games.len() as u64);
        assert!(less.searched.chunks(2).all(|scores| scores == [-70.0, 50.0]));
        fs::remove_dir_all(&folder).unwrap();
    }
}

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
pub struct Samples {
    inputs: Vec<Active>,
    scores: Vec<f32>,
    results: Vec<f32>,
}

impl Samples {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Adds a position with the search's score and the game's result: 1 for a win, ½ for a draw,
    /// 0 for a loss.
    pub fn push(&mut self, position: &Position, score: f32, result: f32) {
        self.inputs.push(active(position.side_to_move(), position));
        self.scores.push(score);
        self.results.push(result);
    }

    /// The inputs of a sample.
    #[inline]
    pub fn inputs(&self, sample: usize) -> &Active {
        &self.inputs[sample]
    }

    /// The scores of the search.
    pub fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// The results.
    pub fn results(&self) -> &[f32] {
        &self.results
    }

    /// The target of a sample: a mixture of the result, with share `lambda`, and of the logistic
    /// value of the score at a scale.
    #[inline]
    pub fn target(&self, sample: usize, lambda: f64, scale: f64) -> f64 {
        let by_score = logistic(f64::from(self.scores[sample]) / scale);
        lambda * f64::from(self.results[sample]) + (1.0 - lambda) * by_score
    }
}

/// Positions of held-out games, with more data for the measurements.
#[derive(Clone, Default)]
pub struct HeldOut {
    /// The positions as inputs.
    pub samples: Samples,
    /// The positions as SFENs.
    pub sfens: Vec<String>,
    /// The values of the evaluation by attack maps.
    pub by_hand: Vec<f32>,
    /// The number of each position's game. Positions of a game follow one another.
    pub games: Vec<u32>,
}

/// The data of files of games.
#[derive(Clone, Default)]
pub struct Data {
    /// The positions for training.
    pub training: Samples,
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
pub fn load(files: &[PathBuf], selection: &Selection, distinct: bool) -> Result<Data, DataError> {
    let mut data = Data::default();
    let mut known = HashSet::new();
    data.left_out = for_each_taken(files, selection, &mut |game, held_out, sample| {
        let position = sample.position;
        if distinct && !known.insert(position.key()) {
            data.repeated += 1;
            return Ok(());
        }
        let (score, result) = (sample.score.value() as f32, sample.half_points as f32 / 2.0);
        if held_out {
            data.held_out.samples.push(position, score, result);
            data.held_out.sfens.push(position.to_sfen());
            data.held_out.games.push(game);
            data.held_out.by_hand.push(evaluate_by_attack_maps(position).total.value() as f32);
        } else {
            data.training.push(position, score, result);
        }
        Ok(())
    })?;
    Ok(data)
}

//! The positions for fitting.

use std::path::PathBuf;

use tsumero_control::Score;
use tsumero_core::{Color, Filter, MoveList, PieceKind, Position};
use tsumero_search::evaluate_by_attack_maps;

use super::extractor::Extractor;
use crate::progress::tell;
use crate::records::file::{FileError, GameReader};
use crate::records::{GameRecord, RecordError, Sample, score_of};

/// Positions as features, with scores and results. All values are from Black's view.
#[derive(Default)]
pub(crate) struct Dataset {
    /// The end of each sample's features.
    ends: Vec<usize>,
    /// Index in the upper 24 bits, coefficient in the lower 8.
    features: Vec<u32>,
    /// Value of the current evaluation.
    pub(super) present: Vec<f32>,
    /// Score of the search.
    pub(super) scores: Vec<f32>,
    /// 1 for a win, ½ for a draw, 0 for a loss.
    pub(super) results: Vec<f32>,
}

impl Dataset {
    /// Number of samples.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no sample.
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a sample. Indices must be below 2^24.
    pub(crate) fn push(&mut self, features: &[(u32, i16)], present: f32, score: f32, result: f32) {
        for &(index, coefficient) in features {
            debug_assert!(index < 1 << 24);
            let mut left = coefficient;
            while left != 0 {
                let part = left.clamp(-128, 127);
                self.features.push(index << 8 | u32::from(part as i8 as u8));
                left -= part;
            }
        }
        self.ends.push(self.features.len());
        self.present.push(present);
        self.scores.push(score);
        self.results.push(result);
    }

    /// The features of a sample with their coefficients.
    #[inline]
    pub(super) fn features(&self, sample: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let start = if sample == 0 { 0 } else { self.ends[sample - 1] };
        self.features[start..self.ends[sample]]
            .iter()
            .map(|&packed| ((packed >> 8) as usize, f64::from(packed as u8 as i8)))
    }
}

/// The selection of positions.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// This many searched positions at the beginning of a game are left out.
    pub skip: usize,
    /// How much of what the game shows later is mixed into each score, 0 to 1; see
    /// [`GameRecord::mix_later_scores`](crate::records::GameRecord::mix_later_scores).
    pub foresight: f64,
    /// Positions to which the search gave a larger score are left out. What is mixed in does not count.
    pub max_score: i32,
    /// One game in this many is held out.
    pub held_out: u32,
    /// Which positions are quiet enough for a static value.
    pub quiet: Quiet,
}

/// The condition for a quiet position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Quiet {
    /// All but those in check.
    Any,
    /// Positions in which the move played neither captures nor promotes.
    Played,
    /// In addition, no capture or promotion wins material at once, by a rough estimate.
    Settled,
}

/// Numbers of positions left out, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct LeftOut {
    /// At the beginning of a game.
    pub early: u64,
    /// The score is too large.
    pub decided: u64,
    /// The side to move is in check.
    pub in_check: u64,
    /// The move played captures or promotes, or such a move would win material.
    pub loud: u64,
}

/// Why data cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum DataError {
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// A game breaks the rules.
    #[error("{path}: {error}")]
    Record {
        /// The file.
        path: String,
        /// What is wrong.
        error: RecordError,
    },
    /// The evaluation differs from the sum of the extractor's features.
    #[error("{sfen}: the evaluation says {evaluation}, the features {features}")]
    NotLinear {
        /// The position.
        sfen: String,
        /// Value of the evaluation, Black's view.
        evaluation: i32,
        /// Value of the features with the current weights.
        features: i64,
    },
}

/// A selected position.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    /// The position; what the game shows later may be mixed into its score.
    pub sample: Sample<'a>,
    /// The score without that, as the search gave it.
    pub searched: Score,
    /// The number of its game over all files.
    pub game: u32,
    /// Whether the game is held out.
    pub held_out: bool,
}

/// Replays files of games and passes the selected positions to `take`. Returns the numbers of
/// positions left out.
///
/// # Errors
/// [`DataError`], also what `take` returns.
pub(crate) fn for_each_taken(
    files: &[PathBuf],
    selection: &Selection,
    take: &mut dyn FnMut(&Taken<'_>) -> Result<(), DataError>,
) -> Result<LeftOut, DataError> {
    let mut left_out = LeftOut::default();
    let mut games = 0u32;
    for path in files {
        for game in GameReader::open(path)? {
            let mut game = match game {
                Ok(game) => game,
                Err(error @ FileError::CutOff(_)) => {
                    tell(format_args!("{error}; the games before it are used"));
                    break;
                }
                Err(error) => return Err(error.into()),
            };
            let held_out = is_held_out(&game, selection.held_out);
            let searched: Vec<Score> = game.turns.iter().map(|turn| score_of(turn.score)).collect();
            games += 1;
            let wrong = |error| DataError::Record { path: path.display().to_string(), error };
            if selection.foresight > 0.0 {
                game.mix_later_scores(selection.foresight).map_err(wrong)?;
            }
            let (mut index, mut taken) = (0, Ok(()));
            let replayed = game.replay(&mut |sample| {
                let searched = searched[index];
                index += 1;
                if taken.is_ok() && select(&sample, searched, index, selection, &mut left_out) {
                    taken = take(&Taken { sample, searched, game: games, held_out });
                }
            });
            replayed.map_err(wrong)?;
            taken?;
        }
    }
    Ok(left_out)
}

/// Whether a game is held out, one in so many. Its moves alone decide. So a network that was
/// trained further is not judged by games that the first one has learned from.
fn is_held_out(game: &GameRecord, one_in: u32) -> bool {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(game.start.as_deref().unwrap_or_default().as_bytes());
    let played = game.turns.iter().map(|turn| turn.played);
    for packed in game.opening.iter().copied().chain(played) {
        hasher.update(&packed.to_le_bytes());
    }
    hasher.finalize().is_multiple_of(one_in.max(2))
}

/// Reads files of games. Returns the positions for fitting, the held-out positions, and the numbers
/// of positions left out.
///
/// # Errors
/// [`DataError`].
pub(crate) fn load(
    files: &[PathBuf],
    selection: &Selection,
    extractor: &dyn Extractor,
) -> Result<(Dataset, Dataset, LeftOut), DataError> {
    let mut sets = [Dataset::default(), Dataset::default()];
    let mut features = Vec::new();
    let numbers = extractor.present();
    let left_out = for_each_taken(files, selection, &mut |taken| {
        let sample = &taken.sample;
        let position = sample.position;
        let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
        let evaluation = sign * evaluate_by_attack_maps(position).total.value();
        features.clear();
        extractor.extract(position, &mut features);
        if let Some(numbers) = &numbers {
            let value = |f: &(u32, i16)| i64::from(numbers[f.0 as usize]) * i64::from(f.1);
            let features: i64 = features.iter().map(value).sum();
            if features != i64::from(evaluation) {
                let sfen = position.to_sfen();
                return Err(DataError::NotLinear { sfen, evaluation, features });
            }
        }
        let half_points = if sign > 0 { sample.half_points } else { 2 - sample.half_points };
        let score = (sign * sample.score.value()) as f32;
        let set = &mut sets[usize::from(taken.held_out)];
        set.push(&features, evaluation as f32, score, half_points as f32 / 2.0);
        Ok(())
    })?;
    let [training, held_out] = sets;
    Ok((training, held_out, left_out))
}

/// Whether a position is selected, the `number`th of its game, to which the search gave the score
/// `searched`. If not, the reason is counted.
fn select(
    sample: &Sample<'_>,
    searched: Score,
    number: usize,
    by: &Selection,
    left_out: &mut LeftOut,
) -> bool {
    let reason = if number <= by.skip {
        &mut left_out.early
    } else if searched.value().abs() > by.max_score {
        &mut left_out.decided
    } else if sample.position.in_check() {
        &mut left_out.in_check
    } else if by.quiet != Quiet::Any && (sample.played.is_capture() || sample.played.promotes())
        || by.quiet == Quiet::Settled && wins_something(sample.position)
    {
        &mut left_out.loud
    } else {
        return true;
    };
    *reason += 1;
    false
}

/// If a capture wins at least this much, a position is not quiet. It is more than a pawn on the
/// board.
const LEAST_WIN: i32 = 120;

/// Whether a capture or promotion wins material at once: it captures an undefended piece, or more
/// than it can lose. Then the next moves will change the static value.
fn wins_something(position: &Position) -> bool {
    let us = position.side_to_move();
    let filter = Filter { captures: true, quiets: true, drops: false, idle_non_promotions: false };
    let mut moves = MoveList::new();
    position.generate(filter, &mut moves);
    moves.iter().any(|&mv| {
        if !mv.is_capture() && !mv.promotes() {
            return false;
        }
        let taken = mv.captured().map_or(0, rough_value);
        let (before, after) = (rough_value(mv.kind()), rough_value(mv.piece_after().kind()));
        // A piece that is taken back loses its promotion, too.
        let is_guarded = position.attacks().attacked(!us, mv.to());
        taken - before + if is_guarded { 0 } else { after } >= LEAST_WIN
    })
}

/// Rough values, which only distinguish large from small pieces.
fn rough_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 90,
        PieceKind::Lance => 300,
        PieceKind::Knight => 350,
        PieceKind::Silver => 480,
        PieceKind::Gold => 520,
        PieceKind::Bishop => 800,
        PieceKind::Rook => 950,
        PieceKind::King => 10_000,
        PieceKind::Tokin
        | PieceKind::PromotedLance
        | PieceKind::PromotedKnight
        | PieceKind::PromotedSilver => 520,
        PieceKind::Horse => 1000,
        PieceKind::Dragon => 1300,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_loud(sfen: &str) -> bool {
        wins_something(&Position::from_sfen(sfen).unwrap())
    }

    #[test]
    fn positions_in_which_something_hangs_are_told() {
        assert!(!wins_something(&Position::startpos()));
        // A rook can capture an undefended knight, but not one that a gold defends.
        assert!(is_loud("4k4/9/9/9/9/4n4/9/9/3KR4 b - 1"));
        assert!(!is_loud("4k4/9/9/9/4g4/4n4/9/9/3KR4 b - 1"));
        // A pawn captures a defended knight, and a pawn promotes on a safe square.
        assert!(is_loud("4k4/9/9/9/4g4/4n4/4P4/9/3K5 b - 1"));
        assert!(is_loud("8k/9/9/P8/9/9/9/9/4K4 b - 1"));
        assert!(!is_loud("8k/9/9/9/P8/9/9/9/4K4 b - 1"));
        // A lance takes the promoted pawn back.
        assert!(!is_loud("l7k/9/9/P8/9/9/9/9/4K4 b - 1"));
    }

    #[test]
    fn large_coefficients_are_kept() {
        let mut data = Dataset::default();
        data.push(&[(3, 300), (70_000, -1)], 0.0, 0.0, 0.5);
        data.push(&[(5, -400), (6, 0)], 0.0, 0.0, 0.5);
        let sums = |sample| {
            let mut sums = std::collections::BTreeMap::new();
            for (index, coefficient) in data.features(sample) {
                *sums.entry(index).or_insert(0.0) += coefficient;
            }
            sums.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(sums(0), [(3, 300.0), (70_000, -1.0)]);
        assert_eq!(sums(1), [(5, -400.0)]);
    }
}

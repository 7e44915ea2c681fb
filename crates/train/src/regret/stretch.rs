//! Stretches of recorded games: positions in which the same side is to move.

use std::path::Path;

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tsumero_core::{Game, UsiMove};

use crate::records::file::{FileError, GameReader};
use crate::records::{GameRecord, score_of};

/// A stretch begins after this many plies at the earliest.
const FIRST_PLY: usize = 16;
/// No position of a stretch has a greater score, in either direction: there every move wins or
/// loses.
const DECIDED: i32 = 1200;

/// Consecutive positions of one side of a recorded game, each with the game that led to it.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// The positions, two plies apart.
    pub positions: Vec<Game>,
}

/// Why stretches cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum StretchError {
    /// The file of games.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file has fewer games that are long and balanced enough.
    #[error("{path} has games for only {found} of {wanted} stretches")]
    TooFew {
        /// The file.
        path: String,
        /// Stretches found.
        found: usize,
        /// Stretches asked for.
        wanted: usize,
    },
}

/// Draws `count` stretches of `length` positions, one from each game of a file, from its beginning.
/// The same seed draws the same stretches.
///
/// # Errors
/// [`StretchError`].
pub(crate) fn draw_stretches(
    path: &Path,
    count: usize,
    length: usize,
    seed: u64,
) -> Result<Vec<Stretch>, StretchError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut stretches = Vec::with_capacity(count);
    for game in GameReader::open(path)? {
        if stretches.len() == count {
            break;
        }
        stretches.extend(stretch_of(&game?, length, &mut rng));
    }
    if stretches.len() < count {
        let (path, found) = (path.display().to_string(), stretches.len());
        return Err(StretchError::TooFew { path, found, wanted: count });
    }
    Ok(stretches)
}

/// A stretch at a random place of a game; `None` if none fits there, or if the game is not valid.
fn stretch_of(record: &GameRecord, length: usize, rng: &mut ChaCha8Rng) -> Option<Stretch> {
    let opening = record.opening.len();
    let last = (opening + record.turns.len()).checked_sub(2 * length)?;
    let begin = rng.random_range(FIRST_PLY..last.max(FIRST_PLY + 1));
    if begin > last || begin < opening || record.start.is_some() {
        return None;
    }
    let turns = &record.turns[begin - opening..][..2 * length - 1];
    if turns.iter().any(|turn| score_of(turn.score).value().abs() > DECIDED) {
        return None;
    }
    let mut game = Game::default();
    let mut positions = Vec::with_capacity(length);
    let played = record.opening.iter().copied().chain(record.turns.iter().map(|turn| turn.played));
    for (ply, packed) in played.enumerate().take(begin + 2 * length - 1) {
        if ply >= begin && (ply - begin).is_multiple_of(2) {
            positions.push(game.clone());
        }
        game.play(UsiMove::unpack(packed)?).ok()?;
    }
    Some(Stretch { positions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ending, GameOutcome};
    use crate::records::RecordedTurn;

    fn shuffle(plies: usize, scores: impl Fn(usize) -> i16) -> GameRecord {
        // Golds go to and fro.
        let moves = ["4i4h", "4a4b", "4h4i", "4b4a"];
        let played = |ply: usize| moves[ply % 4].parse::<UsiMove>().unwrap().pack();
        let turn = |ply| RecordedTurn { played: played(ply), score: scores(ply) };
        GameRecord {
            number: 0,
            start: None,
            opening: (0..4).map(played).collect(),
            turns: (4..plies).map(turn).collect(),
            outcome: GameOutcome { winner: None, ending: Ending::Repetition },
        }
    }

    #[test]
    fn positions_follow_each_other_two_plies_apart() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let stretch = stretch_of(&shuffle(60, |_| 0), 3, &mut rng).unwrap();
            let plies: Vec<usize> = stretch.positions.iter().map(|g| g.moves().len()).collect();
            assert!(plies[0] >= FIRST_PLY && plies[2] < 60);
            assert_eq!(plies, [plies[0], plies[0] + 2, plies[0] + 4]);
        }
    }

    #[test]
    fn short_and_decided_games_have_none() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            assert!(stretch_of(&shuffle(18, |_| 0), 3, &mut rng).is_none());
            let decided = shuffle(60, |ply| if ply % 5 == 0 { -1300 } else { 0 });
            assert!(stretch_of(&decided, 3, &mut rng).is_none());
        }
    }
}

//! What two players do to find out which of them is better.

use parking_lot::Mutex;
use rand::{Rng, RngExt};
use tsumero_core::Color;

use super::TuningError;
use crate::game::{GameRules, play_against};
use crate::openings::{self, Opening};
use crate::player::Player;
use crate::regret::{Judge, Stretch, choices};

/// How two players are compared.
pub(crate) enum Contest {
    /// By a pair of games from the same opening.
    Games {
        /// The rules that end games.
        rules: GameRules,
        /// Openings, chosen at random.
        openings: Vec<Opening>,
    },
    /// By their moves in recorded positions.
    Moves(Box<JudgedMoves>),
}

/// Positions in which both players choose a move, and a judge of these moves.
pub(crate) struct JudgedMoves {
    /// The positions.
    pub stretches: Vec<Stretch>,
    /// Number of stretches of one contest, chosen at random.
    pub batch: usize,
    /// The judge.
    pub judge: Mutex<Judge>,
}

/// Points of a pair of games for each point that the moves of a contest are worth. 25 stretches of
/// four positions tell as much as about 15 pairs of games, and their moves are as many as those of
/// one side in such a pair. So they may count 30 times.
const WEIGHT: f64 = 30.0;
/// How the title of contests by games begins.
const GAMES: &str = "games from openings";
/// No contest counts more than this, in points.
const MOST: f64 = 10.0;

impl Contest {
    /// The ply after which a game is drawn, if there are games.
    pub(crate) fn max_plies(&self) -> Option<u32> {
        match self {
            Contest::Games { rules, .. } => Some(rules.max_plies),
            Contest::Moves(_) => None,
        }
    }

    /// What identifies the contest in a file of results.
    pub(super) fn title(&self) -> String {
        match self {
            Contest::Games { openings, .. } => {
                format!("{GAMES} {:08x}", openings::checksum(openings))
            }
            Contest::Moves(moves) => moves.title(),
        }
    }

    /// The points by which the first player is ahead, -2 to 2 for a pair of games; `None` if told
    /// to stop.
    ///
    /// # Errors
    /// [`TuningError::Judge`].
    pub(super) fn lead(
        &self,
        players: &mut [Player; 2],
        rng: &mut impl Rng,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<f64>, TuningError> {
        match self {
            Contest::Games { rules, openings } => {
                let opening = &openings[rng.random_range(0..openings.len())];
                Ok(pair(opening, players, rules, stopped))
            }
            Contest::Moves(moves) => moves.lead(players, rng, stopped),
        }
    }
}

/// Whether a [title](Contest::title) in a file of results is that of a contest by games.
pub(super) fn is_title_of_games(title: &str) -> bool {
    title.starts_with(GAMES)
}

/// Plays both games of an opening.
fn pair(
    opening: &Opening,
    players: &mut [Player; 2],
    rules: &GameRules,
    stopped: &dyn Fn() -> bool,
) -> Option<f64> {
    let mut half_points = 0;
    for color_of_first in Color::ALL {
        players.iter_mut().for_each(Player::new_game);
        let [first, second] = players;
        let by_color =
            if color_of_first == Color::Black { [first, second] } else { [second, first] };
        let game = play_against(opening.game(), by_color, rules, stopped)?;
        half_points += game.outcome.half_points(color_of_first);
    }
    Some(f64::from(half_points) - 2.0)
}

impl JudgedMoves {
    fn title(&self) -> String {
        let mut positions = crc32fast::Hasher::new();
        for position in self.stretches.iter().flat_map(|stretch| &stretch.positions) {
            positions.update(&position.position().key().to_le_bytes());
        }
        let judge = self.judge.lock().title().to_owned();
        format!("{} stretches of positions {:08x}, {judge}", self.batch, positions.finalize())
    }

    fn lead(
        &self,
        players: &mut [Player; 2],
        rng: &mut impl Rng,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<f64>, TuningError> {
        let mut sum = 0.0;
        for _ in 0..self.batch {
            if stopped() {
                return Ok(None);
            }
            let stretch = &self.stretches[rng.random_range(0..self.stretches.len())];
            let [first, second] = players.each_mut().map(|player| choices(player, stretch));
            for ((position, &first), &second) in stretch.positions.iter().zip(&first).zip(&second) {
                if first != second {
                    let mut judge = self.judge.lock();
                    sum += judge.value(position, first)? - judge.value(position, second)?;
                }
            }
        }
        Ok(Some((WEIGHT * sum).clamp(-MOST, MOST)))
    }
}

//! Games of the engine against itself, as data for tuning.
//!
//! A game begins with random legal moves to a position that a search finds balanced, so games
//! differ. If the limits are not in time, a game depends only on the seed of the run and its own
//! number.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::bail;
use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tsumero_core::{Filter, Game, Move, MoveList};

use crate::configuration::{Configuration, MoveLimits};
use crate::fingerprint;
use crate::game::{GameRules, over, play};
use crate::player::Player;
use crate::progress::{Progress, tell};
use crate::records::file::{FORMAT, FileError, FileHeader, GameWriter};
use crate::records::{GameRecord, RecordedTurn};
use crate::workers::{self, Worker};

/// The games to be played.
#[derive(Clone, Debug)]
pub(crate) struct SelfPlay {
    /// The configuration of both sides.
    pub configuration: Configuration,
    /// Limits for a move.
    pub limits: MoveLimits,
    /// The rules that end a game.
    pub rules: GameRules,
    /// Number of random moves at the beginning.
    pub random_plies: RangeInclusive<u32>,
    /// Above 0, the random moves are sensible ones: a move that loses so much against the best, by a
    /// search of one ply, is e times rarer than the best. At 0, all legal moves are equally likely, except
    /// pointless ones without promotion.
    pub opening_temperature: f64,
    /// The largest score after them, for either side.
    pub opening_score: i32,
    /// Seed of the run.
    pub seed: u64,
    /// Number of games at the same time.
    pub threads: usize,
    /// The run ends when the file contains this many searched positions.
    pub positions: u64,
    /// In place of `positions`: the games with these numbers, in this order and each in a block of its
    /// own. The file then has the same bytes whatever the number of threads, and files of
    /// neighboring numbers can be joined by putting the blocks one after the other.
    pub numbers: Option<Range<u32>>,
    /// A name, such as the commit of the engine.
    pub label: String,
}

/// How often a sensible move is drawn before a line is given up.
const MOST_DRAWS: u32 = 200;

/// How often a beginning is drawn before the game is given up: nearly none seems to be balanced, or none
/// is left to be played.
const MOST_BEGINNINGS: u32 = 10_000;

/// The contents of a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Total {
    /// Number of games.
    pub games: u64,
    /// Number of searched positions.
    pub positions: u64,
    /// Number of drawn games.
    pub draws: u64,
    /// The largest number of a game plus one.
    next: u32,
}

impl Total {
    fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.positions += game.turns.len() as u64;
        self.draws += u64::from(game.outcome.winner.is_none());
        self.next = self.next.max(game.number.saturating_add(1));
    }
}

impl SelfPlay {
    /// The header of the file for this run. Needs a stack of [`tsumero_search::STACK_SIZE`] bytes.
    pub(crate) fn header(&self) -> FileHeader {
        let rules = &self.rules;
        FileHeader {
            format: FORMAT,
            seed: self.seed,
            evaluation: fingerprint::of_evaluations(&[&self.configuration.evaluation_function]),
            search: fingerprint::of_search(),
            configuration: self.configuration.to_string(),
            limits: self.configuration.limits.or(self.limits).to_string(),
            rules: format!(
                "{} to {} random plies{}, opening score {}, win score {} for {} plies, mate scores \
                 {}, max plies {}",
                self.random_plies.start(),
                self.random_plies.end(),
                match self.opening_temperature {
                    0.0 => String::new(),
                    temperature => format!(" of temperature {temperature}"),
                },
                self.opening_score,
                rules.win_score,
                rules.agreed_plies,
                if rules.end_at_mate_score { "end the game" } else { "do not end the game" },
                rules.max_plies
            ),
            label: self.label.clone(),
        }
    }

    /// Plays until the file contains enough positions. Games that the file already contains count.
    /// If the process is killed, at most the running games are lost, and with given numbers those that
    /// wait for an earlier one. Needs a stack of
    /// [`tsumero_search::STACK_SIZE`].
    ///
    /// # Errors
    /// [`FileError`]; [`tsumero_search::SearcherError`]: there is not enough memory for the player; no
    /// beginning of a game is balanced.
    pub(crate) fn run(&self, path: &Path) -> anyhow::Result<Total> {
        let (mut writer, mut total) = self.begin(path)?;
        if self.is_over(&total) {
            return Ok(total);
        }
        let first = total.next.max(self.range().start);
        let next = AtomicU32::new(first);
        let mut in_turn = InTurn { next: first, early: BTreeMap::new() };
        let mut progress = Progress::new(total.positions);
        let mut result = Ok(());
        let work = |worker: &Worker<'_, GameRecord>| self.play_games(&next, worker);
        let worked = workers::run(self.threads, work, |games| {
            if self.numbers.is_some() {
                let games = in_turn.take(games);
                games.iter().for_each(|game| total.add(game));
                result = games.chunks(1).try_for_each(|game| writer.write(game));
            } else {
                // Games that arrived in the meantime share a block.
                games.iter().for_each(|game| total.add(game));
                result = writer.write(&games);
            }
            if progress.is_due() {
                tell(format_args!("{}", self.progress_text(&total, first, &progress)));
            }
            if result.is_err() || self.is_over(&total) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        worked?;
        result?;
        Ok(total)
    }

    /// The numbers of the games that may be played.
    fn range(&self) -> Range<u32> {
        self.numbers.clone().unwrap_or(0..u32::MAX)
    }

    fn is_over(&self, total: &Total) -> bool {
        match &self.numbers {
            Some(numbers) => total.next >= numbers.end,
            None => total.positions >= self.positions,
        }
    }

    /// Opens the file, and counts the games it contains.
    fn begin(&self, path: &Path) -> Result<(GameWriter, Total), FileError> {
        let mut total = Total::default();
        let numbers = self.range();
        let (mut expected, mut other, mut more) = (numbers.start, None, None);
        let writer = GameWriter::append(path, &self.header(), &mut |game| {
            if self.numbers.is_some() && game.number != expected {
                other.get_or_insert((game.number, expected));
            }
            if self.numbers.is_some() && game.number >= numbers.end {
                more.get_or_insert(game.number);
            }
            expected = expected.saturating_add(1);
            total.add(game);
        })?;
        let path = || path.display().to_string();
        if let Some((found, expected)) = other {
            return Err(FileError::OtherGames { path: path(), found, expected });
        }
        if let Some(found) = more {
            return Err(FileError::MoreGames { path: path(), found, end: numbers.end });
        }
        Ok((writer, total))
    }

    /// The work of a thread: one game after another, from the number `next` on.
    fn play_games(&self, next: &AtomicU32, worker: &Worker<'_, GameRecord>) -> anyhow::Result<()> {
        let mut player = Player::new(&self.configuration, self.limits, Some(self.rules.max_plies))?;
        let (end, stopped) = (self.range().end, || worker.is_stopped());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                return Ok(());
            }
            let game = self.game(number, &mut player, &stopped)?;
            if game.is_none_or(|game| !worker.send(game)) {
                return Ok(());
            }
        }
    }

    /// How far the run is, which began with the game `first`.
    fn progress_text(&self, total: &Total, first: u32, progress: &Progress) -> String {
        format!(
            "{} games, {} positions, {:.0} positions/s, {:.1} % drawn, {} left",
            total.games,
            total.positions,
            progress.rate(total.positions),
            // With given numbers, all games so far may wait for an earlier one.
            100.0 * total.draws as f64 / total.games.max(1) as f64,
            match &self.numbers {
                Some(numbers) => format!("{} games", numbers.end - total.next.max(first)),
                None => progress.time_left(total.positions, self.positions),
            },
        )
    }

    /// Plays one game; `None` if told to stop.
    ///
    /// # Errors
    /// No beginning is balanced.
    pub(crate) fn game(
        &self,
        number: u32,
        player: &mut Player,
        stopped: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<GameRecord>> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(u64::from(number));
        player.new_game();
        let mut beginning = None;
        for _ in 0..MOST_BEGINNINGS {
            if stopped() {
                return Ok(None);
            }
            let plies = rng.random_range(self.random_plies.clone());
            let drawn = random_line(&mut rng, plies, self.opening_temperature, player);
            beginning = drawn.filter(|(position, _)| {
                player.choose(position).score.value().abs() <= self.opening_score
            });
            if beginning.is_some() {
                break;
            }
        }
        let Some((position, opening)) = beginning else {
            bail!(
                "game {number}: of {MOST_BEGINNINGS} beginnings, none can go on with a score within ±{}: \
                 --opening-score or --random-plies must change",
                self.opening_score
            );
        };
        // Clear the tables, so that the game does not depend on the search that found it balanced.
        player.new_game();
        let game = play(position, &self.rules, stopped, &mut |position| player.choose(position));
        Ok(game.map(|game| GameRecord {
            number,
            start: None,
            opening: opening.iter().map(|mv| mv.to_usi().pack()).collect(),
            turns: game
                .turns
                .iter()
                .map(|turn| RecordedTurn {
                    played: turn.played.to_usi().pack(),
                    score: turn.score.value() as i16,
                })
                .collect(),
            outcome: game.outcome,
        }))
    }
}

/// Puts games that several threads have played into the order of their numbers.
struct InTurn {
    /// The number that is next.
    next: u32,
    /// Games with later numbers.
    early: BTreeMap<u32, GameRecord>,
}

impl InTurn {
    /// Takes games in and gives back those whose turn has come.
    fn take(&mut self, games: Vec<GameRecord>) -> Vec<GameRecord> {
        self.early.extend(games.into_iter().map(|game| (game.number, game)));
        let mut ready = Vec::new();
        while let Some(game) = self.early.remove(&self.next) {
            ready.push(game);
            self.next += 1;
        }
        ready
    }
}

/// Plays random moves from the start; `None` if the game ends with them, or if no sensible move was
/// drawn. At a temperature above 0, a move is drawn again with the probability 1 − e^(−loss /
/// temperature), where the loss is the difference of two searches of one ply: before the move, and
/// after it.
fn random_line(
    rng: &mut ChaCha8Rng,
    plies: u32,
    temperature: f64,
    player: &mut Player,
) -> Option<(Game, Vec<Move>)> {
    let mut position = Game::default();
    let mut line = Vec::new();
    for _ in 0..plies {
        let mut moves = MoveList::new();
        position.generate(Filter::USEFUL, &mut moves);
        if moves.is_empty() {
            return None;
        }
        if temperature == 0.0 {
            let played = moves[rng.random_range(0..moves.len())];
            position.play_unchecked(played);
            line.push(played);
            continue;
        }
        let before = player.glance(&position).value();
        let (next, played) = (0..MOST_DRAWS).find_map(|_| {
            let drawn = moves[rng.random_range(0..moves.len())];
            let mut next = position.clone();
            next.play_unchecked(drawn);
            let loss = before + player.glance(&next).value();
            let chance = (-f64::from(loss) / temperature).exp().min(1.0);
            rng.random_bool(chance).then_some((next, drawn))
        })?;
        position = next;
        line.push(played);
    }
    over(&position, u32::MAX).is_none().then_some((position, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::file::GameReader;

    fn small(threads: usize, positions: u64) -> SelfPlay {
        SelfPlay {
            configuration: "hash=2".parse().unwrap(),
            limits: MoveLimits { soft_nodes: Some(100), ..MoveLimits::default() },
            rules: GameRules { end_at_mate_score: true, ..GameRules::default() },
            random_plies: 7..=10,
            opening_temperature: 0.0,
            opening_score: 400,
            seed: 11,
            threads,
            positions,
            numbers: None,
            label: String::new(),
        }
    }

    fn games(path: &Path) -> Vec<GameRecord> {
        GameReader::open(path).unwrap().map(|game| game.unwrap()).collect()
    }

    #[test]
    fn a_run_without_a_game_has_no_draws() {
        let run = SelfPlay { numbers: Some(3..9), ..small(1, 1) };
        let text = run.progress_text(&Total::default(), 3, &Progress::new(0));
        assert_eq!(text, "0 games, 0 positions, 0 positions/s, 0.0 % drawn, 6 games left");
    }

    #[test]
    fn games_are_legal_differ_and_depend_on_seed_and_number_alone() {
        let path = std::env::temp_dir().join(format!("tsumero-selfplay-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        small(2, 400).run(&path).unwrap();
        let first = games(&path).len();
        let total = small(2, 800).run(&path).unwrap();
        let all = games(&path);
        assert!(all.len() > first && total.games == all.len() as u64);

        let mut endings = std::collections::HashSet::new();
        for record in &all {
            let mut player =
                Player::new(&small(1, 1).configuration, small(1, 1).limits, Some(320)).unwrap();
            let again = small(1, 1).game(record.number, &mut player, &|| false).unwrap();
            assert_eq!(again.as_ref(), Some(record));
            assert!((7..=10).contains(&record.opening.len()));
            assert!(i32::from(record.turns[0].score).abs() <= 400);
            let mut shown = 0;
            record.replay(&mut |_| shown += 1).unwrap();
            assert_eq!(shown, record.turns.len());
            endings.insert(record.outcome.ending);
        }
        let openings: std::collections::HashSet<_> = all.iter().map(|game| &game.opening).collect();
        assert_eq!(openings.len(), all.len());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn sensible_random_moves_keep_the_balance_and_differ() {
        let mut player =
            Player::new(&small(1, 1).configuration, small(1, 1).limits, Some(320)).unwrap();
        let mut lines = |temperature: f64| {
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let mut scores = Vec::new();
            let mut different = std::collections::HashSet::new();
            for _ in 0..40 {
                player.new_game();
                let line = random_line(&mut rng, 16, temperature, &mut player);
                let Some((position, line)) = line else { continue };
                player.new_game();
                scores.push(player.choose(&position).score.value().abs());
                different.insert(line);
            }
            assert!(different.len() == scores.len() && scores.len() >= 30, "{}", scores.len());
            scores.iter().sum::<i32>() / scores.len() as i32
        };
        let (any, sensible) = (lines(0.0), lines(40.0));
        assert!(4 * sensible < 3 * any, "{sensible} {any}");
    }

    #[test]
    fn numbered_games_have_the_same_bytes_in_one_file_or_joined_from_several() {
        let path = |name: &str| {
            let name = format!("tsumero-numbers-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = std::fs::remove_file(&path);
            path
        };
        let play = |path: &Path, numbers: Range<u32>, threads: usize| {
            let run = SelfPlay { numbers: Some(numbers), ..small(threads, 0) };
            run.run(path).unwrap();
            std::fs::read(path).unwrap()
        };
        let (whole, part) = (path("whole"), path("part"));
        let all = play(&whole, 3..9, 2);
        assert_eq!(
            games(&whole).iter().map(|game| game.number).collect::<Vec<_>>(),
            [3, 4, 5, 6, 7, 8]
        );
        assert_eq!(play(&whole, 3..9, 1), all, "nothing is left to do");

        // The run goes on where it was stopped.
        assert!(all.starts_with(&play(&part, 3..5, 1)));
        let header = 16 + serde_json::to_vec(&small(1, 0).header()).unwrap().len();
        let first = play(&part, 3..7, 1);
        std::fs::remove_file(&part).unwrap();
        let second = play(&part, 7..9, 1);
        assert_eq!(first[..header], second[..header]);
        assert_eq!([&first[..], &second[header..]].concat(), all);
        // A file is not shorter than it is.
        let refused = SelfPlay { numbers: Some(3..8), ..small(1, 0) }.run(&whole).unwrap_err();
        assert!(
            matches!(refused.downcast_ref(), Some(FileError::MoreGames { found: 8, end: 8, .. })),
            "{refused:?}"
        );
        assert_eq!(std::fs::read(&whole).unwrap(), all);
        // Games that lack the ones before them are not taken for the wanted ones.
        for numbers in [0..9, 6..9, 8..9] {
            let run = SelfPlay { numbers: Some(numbers.clone()), ..small(1, 0) };
            let refused = run.run(&part).unwrap_err();
            let Some(&FileError::OtherGames { found: 7, expected, .. }) = refused.downcast_ref()
            else {
                panic!("{refused:?}")
            };
            assert_eq!(expected, numbers.start);
        }
        assert_eq!(std::fs::read(&part).unwrap(), second);
        for path in [whole, part] {
            std::fs::remove_file(path).unwrap();
        }
    }
}

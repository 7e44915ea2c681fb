//! A match of two configurations in one process.
//!
//! Every opening is played twice with the colors exchanged. Each thread has a searcher for each
//! side, each with its own table. Both are cleared before every game, so a game depends only on its
//! opening. With limits in nodes or depth, a match can be repeated exactly.

mod log;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tsumero_core::Color;
use tsumero_search::SearcherError;

use crate::configuration::{Configuration, MoveLimits};
use crate::elo::{Pairs, Sprt, Verdict};
use crate::fingerprint;
use crate::game::{GameRules, play_against};
use crate::openings::{self, Opening};
use crate::player::Player;
use crate::progress::{Progress, tell};
use crate::workers::{self, Worker};
pub(crate) use log::{GameLine, Header, Log, PairLine};

/// A match to be played.
pub(crate) struct Match {
    /// The two sides. Results are from the first one's view.
    pub sides: [Configuration; 2],
    /// Limits for a side without limits of its own.
    pub limits: MoveLimits,
    /// The rules that end games.
    pub rules: GameRules,
    /// The openings in the order of play. After the last one, the first one follows again.
    pub openings: Vec<Opening>,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
    /// The match ends after this many pairs.
    pub max_pairs: u64,
    /// Number of games at the same time.
    pub threads: usize,
    /// A name for the match, stored in the log.
    pub label: String,
}

/// The results so far.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    /// Results of the pairs.
    pub pairs: Pairs,
    /// Games won, drawn and lost by the first side.
    pub games: [u64; 3],
    /// How the games ended.
    pub endings: BTreeMap<String, u64>,
    /// Plies of all games, the openings included.
    pub plies: u64,
    /// Nodes searched by either side.
    pub nodes: [u64; 2],
}

impl Tally {
    /// Counts a pair.
    pub(crate) fn add(&mut self, pair: &PairLine) {
        self.pairs.add(pair.half_points());
        for game in &pair.games {
            let column = match game.half_points {
                0 => 2,
                1 => 1,
                _ => 0,
            };
            self.games[column] += 1;
            *self.endings.entry(game.ending.to_string()).or_default() += 1;
            self.plies += u64::from(game.plies);
            for (sum, nodes) in self.nodes.iter_mut().zip(game.nodes) {
                *sum += nodes;
            }
        }
    }
}

/// Writes one line: results, Elo with its interval, pairs by result.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.games;
        let elo = self.pairs.elo();
        write!(
            f,
            "{} games +{won} ={drawn} -{lost}, Elo {:+.1} ({:+.1} to {:+.1}), pairs {:?}",
            won + drawn + lost,
            elo.middle,
            elo.low,
            elo.high,
            self.pairs.0
        )
    }
}

/// How a match ended.
#[derive(Debug)]
pub(crate) struct Report {
    /// All results.
    pub tally: Tally,
    /// The decision of the test, if there is one.
    pub verdict: Option<Verdict>,
}

impl Match {
    /// The header that identifies the match in its log. Results under different headers do not
    /// belong together. Needs a stack of [`tsumero_search::STACK_SIZE`] bytes.
    pub(crate) fn header(&self) -> Header {
        Header {
            a: self.sides[0].to_string(),
            b: self.sides[1].to_string(),
            limits: self.limits.to_string(),
            max_plies: self.rules.max_plies,
            win_score: self.rules.win_score,
            agreed_plies: self.rules.agreed_plies,
            openings: openings::checksum(&self.openings),
            evaluation: fingerprint::of_evaluations(
                &self.sides.each_ref().map(|side| &side.evaluation_function),
            ),
            search: fingerprint::of_search(),
            label: self.label.clone(),
        }
    }

    /// Plays the match. With a path, results are appended to the log there. Results that the log
    /// already contains count, and are not played again. Needs a stack of
    /// [`tsumero_search::STACK_SIZE`] bytes.
    ///
    /// # Errors
    /// [`log::LogError`]: the log cannot be read or written, or belongs to another match.
    /// [`SearcherError`]: there is not enough memory for the players.
    pub(crate) fn run(&self, log_path: Option<&Path>) -> anyhow::Result<Report> {
        let mut tally = Tally::default();
        let mut log = None;
        let mut done = HashSet::new();
        if let Some(path) = log_path {
            let (opened, pairs) = Log::open(path, &self.header())?;
            for pair in pairs.iter().filter(|pair| pair.pair < self.max_pairs) {
                tally.add(pair);
                done.insert(pair.pair);
            }
            log = Some(opened);
        }
        let verdict = self.verdict(&tally.pairs);
        if verdict.is_some() || tally.pairs.count() >= self.max_pairs {
            return Ok(Report { tally, verdict });
        }
        self.play_pairs(tally, &done, log)
    }

    fn verdict(&self, pairs: &Pairs) -> Option<Verdict> {
        self.sprt.as_ref().and_then(|sprt| sprt.verdict(pairs))
    }

    fn play_pairs(
        &self,
        mut tally: Tally,
        done: &HashSet<u64>,
        mut log: Option<Log>,
    ) -> anyhow::Result<Report> {
        let next = AtomicU64::new(0);
        let mut progress = Progress::new(tally.pairs.count());
        let mut verdict = None;
        let mut result = Ok(());
        let work = |worker: &Worker<'_, PairLine>| self.play_next_pairs(&next, done, worker);
        let worked = workers::run(self.threads, work, |pairs| {
            for pair in pairs {
                if let Some(log) = &mut log
                    && let Err(error) = log.append(&pair)
                {
                    result = Err(error);
                    return ControlFlow::Break(());
                }
                tally.add(&pair);
                verdict = self.verdict(&tally.pairs);
                if verdict.is_some() {
                    return ControlFlow::Break(());
                }
            }
            if progress.is_due() {
                self.tell_progress(&tally, &progress);
            }
            ControlFlow::Continue(())
        });
        worked?;
        result?;
        Ok(Report { tally, verdict })
    }

    /// The work of a thread: one pair after another from the number `next` on, without those done.
    fn play_next_pairs(
        &self,
        next: &AtomicU64,
        done: &HashSet<u64>,
        worker: &Worker<'_, PairLine>,
    ) -> Result<(), SearcherError> {
        let mut players = self.players()?;
        let stopped = || worker.is_stopped();
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= self.max_pairs {
                return Ok(());
            }
            if done.contains(&pair) {
                continue;
            }
            let line = self.play_pair(pair, &mut players, &stopped);
            if line.is_none_or(|line| !worker.send(line)) {
                return Ok(());
            }
        }
    }

    fn tell_progress(&self, tally: &Tally, progress: &Progress) {
        let pairs = tally.pairs.count();
        let ratio = match &self.sprt {
            None => String::new(),
            Some(sprt) => {
                let ratio = tally.pairs.log_likelihood_ratio(sprt.elo0, sprt.elo1);
                let (lower, upper) = sprt.bounds();
                format!(", LLR {ratio:+.2} ({lower:+.2} to {upper:+.2})")
            }
        };
        tell(format_args!(
            "{tally}{ratio}, {:.2} games/s, at most {} left",
            2.0 * progress.rate(pairs),
            progress.time_left(pairs, self.max_pairs),
        ));
    }

    fn players(&self) -> Result<[Player; 2], SearcherError> {
        let player = |side| Player::new(side, self.limits, Some(self.rules.max_plies));
        let [a, b] = &self.sides;
        Ok([player(a)?, player(b)?])
    }

    /// Plays both games of one opening; `None` if told to stop.
    fn play_pair(
        &self,
        number: u64,
        players: &mut [Player; 2],
        stopped: &dyn Fn() -> bool,
    ) -> Option<PairLine> {
        let index = (number % self.openings.len() as u64) as usize;
        let opening = &self.openings[index];
        let mut games = Vec::with_capacity(2);
        for a_color in Color::ALL {
            for player in players.iter_mut() {
                player.new_game();
            }
            let [a, b] = players;
            let by_color = if a_color == Color::Black { [a, b] } else { [b, a] };
            let game = play_against(opening.game(), by_color, &self.rules, stopped)?;
            let [black, white] = game.nodes;
            games.push(GameLine {
                half_points: game.outcome.half_points(a_color),
                ending: game.outcome.ending,
                plies: game.last_ply,
                nodes: if a_color == Color::Black { [black, white] } else { [white, black] },
            });
        }
        let games: [GameLine; 2] = games.try_into().ok()?;
        Some(PairLine { pair: number, games })
    }
}

#[cfg(test)]
mod tests {
    use super::log::LogError;
    use super::*;

    fn small_match(a: &str, b: &str, pairs: u64) -> Match {
        let lines = ["startpos moves 7g7f 3c3d", "startpos moves 2g2f 8c8d 2f2e 8d8e"];
        Match {
            sides: [a, b].map(|text| text.parse().unwrap()),
            limits: MoveLimits { nodes: Some(300), ..MoveLimits::default() },
            rules: GameRules::default(),
            openings: lines.map(|line| Opening::parse(line).unwrap()).to_vec(),
            sprt: None,
            max_pairs: pairs,
            threads: 2,
            label: String::new(),
        }
    }

    #[test]
    fn a_side_against_itself_makes_even_pairs() {
        // Both sides are equal, so the second game repeats the first with the sides exchanged.
        let report = small_match("hash=2", "hash=2", 2).run(None).unwrap();
        assert_eq!(report.tally.pairs.0, [0, 0, 2, 0, 0]);
        assert_eq!(report.tally.nodes[0], report.tally.nodes[1]);
    }

    #[test]
    fn ten_times_the_nodes_win_and_end_the_test() {
        let mut duel = small_match("hash=2,nodes=3000", "hash=2", 20);
        duel.sprt = Some(Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 });
        let report = duel.run(None).unwrap();
        assert_eq!(report.verdict, Some(Verdict::AcceptedH1));
        assert!(report.tally.pairs.count() < 20);
        assert!(report.tally.nodes[0] > 5 * report.tally.nodes[1]);
    }

    /// With a smaller table it would be a match of other players.
    #[test]
    fn a_side_whose_table_does_not_fit_into_memory_does_not_play() {
        let mut duel = small_match("hash=2", "hash=2", 2);
        let hash_mb = usize::MAX >> 20;
        duel.sides[1].hash_mb = hash_mb;
        let error = duel.run(None).unwrap_err().to_string();
        assert_eq!(error, format!("not enough memory for a transposition table of {hash_mb} MB"));
    }

    /// Six pairs of games of two sides that bring their own limits: won, drawn, lost.
    fn games_of(a: &str, b: &str) -> [u64; 3] {
        let mut duel = small_match(a, b, 6);
        let lines = ["7g7f 3c3d 2g2f", "2g2f 3c3d", "7g7f 8c8d 6g6f", "5g5f", "1g1f", "6i7h 3c3d"];
        duel.openings =
            lines.map(|line| Opening::parse(&format!("startpos moves {line}")).unwrap()).to_vec();
        duel.limits = MoveLimits { nodes: Some(1_000_000), ..MoveLimits::default() };
        duel.run(None).unwrap().tally.games
    }

    /// The ladder of `docs/levels.md`, in large steps: a level nearly always beats one that is four
    /// steps lower.
    #[test]
    fn levels_are_stronger_than_lower_ones_and_the_lowest_loses_to_a_greedy_player() {
        for [low, high] in [[1, 5], [4, 8], [8, 12], [12, 16]] {
            let [won, _, lost] = games_of(&format!("level={high}"), &format!("level={low}"));
            assert!(won >= 9 && lost <= 2, "{high} against {low}: +{won} -{lost}");
        }
        let [won, _, lost] = games_of("level=1", "player=greedy");
        assert!(lost > won, "+{won} -{lost}");
    }

    #[test]
    fn a_match_goes_on_where_it_stopped() {
        let path = std::env::temp_dir().join(format!("tsumero-duel-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let whole = small_match("hash=2", "hash=4,nodes=400", 2).run(None).unwrap();
        let half = small_match("hash=2", "hash=4,nodes=400", 1).run(Some(&path)).unwrap();
        assert_eq!(half.tally.pairs.count(), 1);
        // An incomplete line of a killed process is not a result.
        let mut text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().nth(1).unwrap().to_owned();
        text.push_str(&first[..first.len() / 2]);
        std::fs::write(&path, text).unwrap();
        let rest = small_match("hash=2", "hash=4,nodes=400", 2).run(Some(&path)).unwrap();
        assert_eq!(rest.tally, whole.tally);
        let again = small_match("hash=2", "hash=4,nodes=400", 2).run(Some(&path)).unwrap();
        assert_eq!(again.tally, whole.tally);
        let other = small_match("hash=2", "hash=4,nodes=500", 2).run(Some(&path)).unwrap_err();
        assert!(matches!(other.downcast(), Ok(LogError::OtherMatch { .. })));
        // One process at a time, and no file of something else.
        let header = small_match("hash=2", "hash=4,nodes=400", 2).header();
        let before = std::fs::read(&path).unwrap();
        let (mut log, pairs) = Log::open(&path, &header).unwrap();
        let busy = Log::open(&path, &header).err().unwrap();
        assert!(busy.to_string().contains("another process"), "{busy}");
        log.append(&pairs[0]).unwrap();
        drop(log);
        let after = std::fs::read_to_string(&path).unwrap();
        assert_ne!(after.as_bytes(), before);
        // No game has more than two half points.
        let damaged = after.replace("\"half_points\":", "\"half_points\":3");
        std::fs::write(&path, damaged).unwrap();
        assert!(matches!(Log::open(&path, &header), Err(LogError::BadLine { line: 2, .. })));
        for text in ["my diary", "my diary\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(matches!(Log::open(&path, &header), Err(LogError::BadLine { line: 1, .. })));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        std::fs::remove_file(&path).unwrap();
    }
}

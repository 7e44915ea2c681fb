//! A search by a level below the full strength, and its choice among several lines.

use std::time::Duration;

use tsumero_control::{Limits, Score, TimeKeeper, chance};
use tsumero_core::{Move, mix};

use super::{BlindEvaluator, BlindSource, BlindSpots, Weakness};
use crate::history::History;
use crate::plan::{Plan, wins_at_once};
use crate::report::{BestMove, Info};
use crate::reporter::Reporter;
use crate::root_moves::RootLine;
use crate::searcher::{Searcher, answer};
use crate::settings::Settings;
use crate::shared::Shared;
use crate::tt::TranspositionTable;

/// The tables of searches below the full strength. They are apart from those of the full strength,
/// because what was overlooked once must not be missing in an analysis.
pub(crate) struct Apprentice {
    table: TranspositionTable,
    history: Option<History>,
}

impl Apprentice {
    /// Large enough for the nodes of every level.
    const MEGABYTES: usize = 2;

    fn new() -> Box<Apprentice> {
        let table = TranspositionTable::new(Apprentice::MEGABYTES);
        let table = table.expect("there is room for two megabytes");
        Box::new(Apprentice { table, history: None })
    }

    /// Forgets the last game.
    pub(crate) fn clear(&mut self) {
        if let Some(history) = &mut self.history {
            history.clear();
        }
    }
}

/// Longer than every search: nothing is reported before the move is chosen.
const NOT_BEFORE_THE_END: Duration = Duration::from_secs(1 << 40);

impl Searcher {
    /// Searches below the full strength, and chooses among the lines it finds. The line of the chosen
    /// move is reported as the best one, and the others behind it.
    pub(crate) fn search_below_full_strength(
        &mut self,
        weakness: &'static Weakness,
        mut plan: Plan<'_>,
        limits: &Limits,
        settings: &Settings,
        mut keeper: TimeKeeper<'_>,
        reporter: &mut Reporter<'_>,
    ) -> BestMove {
        let position = plan.position;
        let seed = settings.level_seed.unwrap_or_else(chance);
        // Another move of the game is another throw of the dice.
        let seed = mix(mix(seed) ^ position.key() ^ u64::from(position.ply()));
        let spots = BlindSpots { seed, weakness };
        let given_nodes = plan.node_limit;
        plan.weaken(weakness, &spots, wins_at_once(position, settings, weakness.alert));
        let narrow = Settings {
            threads: 1,
            mate_search: settings.mate_search && weakness.mates,
            pv_interval: NOT_BEFORE_THE_END,
            output_fail_bounds: false,
            ..settings.clone()
        };
        let Searcher { apprentice, mates, evaluation_function, .. } = self;
        let Apprentice { table, history } = &mut **apprentice.get_or_insert_with(Apprentice::new);
        table.clear();
        let source = BlindSource { evaluation_function, spots };
        let mate_table = mates.ready(&narrow, position);
        let run = |plan: &Plan<'_>| {
            let mut infos: Vec<Info> = Vec::new();
            let mut keep = |info: Info| {
                infos.truncate(info.multipv - 1);
                infos.push(info);
            };
            let shared = Shared::new(table, mate_table, &narrow, position, 1);
            let history = std::slice::from_mut(&mut *history);
            let mut reporter = Reporter::new(&mut keep);
            let keeper = keeper.clone();
            let done =
                plan.run::<BlindEvaluator<'_>>(&shared, source, history, keeper, &mut reporter);
            Found { lines: done.lines, infos }
        };
        let Found { mut lines, mut infos } = search_once_or_twice(plan, given_nodes, run);

        let scores: Vec<Score> =
            lines.iter().take(weakness.choices).map(|line| line.score).collect();
        let chosen = choose(&scores, weakness.temperature, seed);
        // A position is not lost because a worse move is played in it.
        let best_score = scores[0];
        // The other lines keep their order behind the chosen one.
        lines[..=chosen].rotate_right(1);
        infos[..=chosen].rotate_right(1);
        for (multipv, info) in (1..=settings.multi_pv.max(1)).zip(infos) {
            reporter.tell(Info { multipv, ..info });
        }
        keeper.wait_until_answer_is_due();
        answer(position, &lines[0], best_score, table, limits, settings)
    }
}

impl Plan<'_> {
    /// Limits the search to what a level does. It always thinks of the moves that `wins` tells; of the
    /// others it forgets some.
    fn weaken(&mut self, weakness: &Weakness, spots: &BlindSpots, wins: impl Fn(Move) -> bool) {
        self.begin_with(&wins);
        if !self.position.in_check() {
            let all = self.root_moves.clone();
            self.root_moves.retain(|root| wins(root.mv) || !spots.forgets(root.mv));
            if self.root_moves.is_empty() {
                self.root_moves = all;
            } else {
                self.is_restricted |= self.root_moves.len() < all.len();
            }
        }
        self.threads = 1;
        self.max_depth = self.max_depth.min(weakness.depth);
        self.line_count = self.line_count.max(weakness.choices);
        self.node_limit = self.node_limit.min(weakness.nodes);
    }
}

/// The lines that a search has found, and the reports on them.
struct Found {
    lines: Vec<RootLine>,
    infos: Vec<Info>,
}

impl Found {
    /// The number of lines that were searched.
    fn count(&self) -> usize {
        if self.lines[0].depth == 0 { 0 } else { self.lines.len() }
    }
}

/// Searches, and once more to depth 1 if the nodes of the level have ended within the first iteration.
/// The question allows `given_nodes`.
fn search_once_or_twice(
    mut plan: Plan<'_>,
    given_nodes: u64,
    mut run: impl FnMut(&Plan<'_>) -> Found,
) -> Found {
    let first = run(&plan);
    let wanted = plan.line_count.min(plan.root_moves.len());
    if first.count() >= wanted || given_nodes <= plan.node_limit {
        return first;
    }
    // If it was the time that ended, the second search ends at once, with less.
    let used = first.infos.last().map_or(0, |info| info.nodes);
    plan.max_depth = 1;
    plan.node_limit = given_nodes.saturating_sub(used);
    let mut second = run(&plan);
    if second.count() <= first.count() {
        return first;
    }
    second.infos.iter_mut().for_each(|info| info.nodes = info.nodes.saturating_add(used));
    second
}

/// The number of the line to play. `scores` are those of the lines, the best one first. A move that
/// is worse than the best by `gap` is chosen with a weight of exp(-`gap` / `temperature`), and never
/// if `gap` is more than twice the temperature. Where the game is decided, the best line is played.
fn choose(scores: &[Score], temperature: i32, seed: u64) -> usize {
    let best = scores[0];
    if !best.is_ordinary() {
        return 0;
    }
    let weight = |score: &Score| {
        let gap = best - *score;
        if score.is_ordinary() && gap <= 2 * temperature {
            (-f64::from(gap) / f64::from(temperature)).exp()
        } else {
            0.0
        }
    };
    // The upper half of the bits, as a number from 0 to 1.
    let lot = (mix(!seed) >> 32) as f64 / f64::from(u32::MAX);
    let mut rest = lot * scores.iter().map(weight).sum::<f64>();
    for (number, score) in scores.iter().enumerate() {
        rest -= weight(score);
        if rest < 0.0 {
            return number;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::searcher::Question;
    use tsumero_control::Signals;
    use tsumero_core::{Game, Position};

    /// What the best of the moves is worth that a level thinks of is not what the position is worth.
    #[test]
    fn a_search_that_forgets_moves_stores_no_result_of_the_position() {
        let forgetful = Level::LOWEST;
        let careful = Level::new(19).unwrap();
        // In check, no move is forgotten.
        let check = Position::from_sfen("4k4/9/9/9/9/9/4r4/9/4K4 b G 1").unwrap();
        for (level, position, stores) in [
            (forgetful, Position::startpos(), false),
            (careful, Position::startpos(), true),
            (forgetful, check, true),
        ] {
            let game = Game::from(position);
            let limits = Limits { depth: Some(1), ..Limits::default() };
            let (signals, settings) =
                (Signals::new(), Settings { level, level_seed: Some(1), ..Settings::default() });
            let mut searcher = Searcher::new(1);
            searcher.search(&Question::new(&game, &limits, &settings, &signals), &mut |_| {});
            let entry = searcher.apprentice.unwrap().table.probe(game.key());
            let has_result = entry.is_some_and(|entry| entry.result.is_some());
            assert_eq!(has_result, stores, "{level:?} in {game}");
        }
    }
}

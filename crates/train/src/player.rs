//! One side of a game: a searcher with its own table, asked for move after move.

use tsumero_control::{Limits, Score, Signals};
use tsumero_core::{Game, Move};
use tsumero_search::{BestMove, Info, Question, Searcher, SearcherError, Settings};

use crate::configuration::{Configuration, Mind, MoveLimits};
use crate::greedy;
use crate::parameters::Overrides;

/// A player's answer, with its score and cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The answer.
    pub answer: BestMove,
    /// The score for the side to move.
    pub score: Score,
    /// Depth of the last finished iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// One side of a game. A thread that asks it needs a stack of [`tsumero_search::STACK_SIZE`].
pub(crate) struct Player {
    mind: Mind,
    searcher: Searcher,
    settings: Settings,
    limits: Limits,
    soft_nodes: Option<u64>,
}

impl Player {
    /// A player with a configuration. If it has no limits, those of the match apply. `max_plies` is
    /// the ply after which the game is drawn, which the search takes into account; with `None`, there
    /// is no such ply.
    ///
    /// # Errors
    /// There is not enough memory for the table of the configuration. With a smaller one, results
    /// would belong to another player.
    pub(crate) fn new(
        configuration: &Configuration,
        match_limits: MoveLimits,
        max_plies: Option<u32>,
    ) -> Result<Player, SearcherError> {
        let limits = configuration.limits.or(match_limits);
        let mut settings = configuration.settings.clone();
        settings.max_moves_to_draw = max_plies;
        // Only the end of an iteration is a report. So a player does not depend on the clock.
        settings.output_fail_bounds = false;
        if limits.soft_nodes.is_some() {
            // Every iteration must be reported at once.
            settings.pv_interval = std::time::Duration::ZERO;
        }
        configuration.overrides.apply(&mut settings);
        let mut searcher = Searcher::try_new(configuration.hash_mb)?;
        searcher.set_evaluation_function(configuration.evaluation_function.clone());
        Ok(Player {
            mind: configuration.mind,
            searcher,
            settings,
            soft_nodes: limits.soft_nodes,
            limits: Limits {
                depth: limits.depth,
                // Without a hard limit, the search would wait for a stop.
                nodes: limits.nodes.or(limits.soft_nodes.map(|nodes| nodes.saturating_mul(20))),
                movetime: limits.time,
                ..Limits::default()
            },
        })
    }

    /// Clears all tables, for a new game. So games do not depend on earlier games.
    pub(crate) fn new_game(&mut self) {
        self.searcher.clear();
    }

    /// Changes the parameters of the search. Call this only between games.
    pub(crate) fn set_overrides(&mut self, overrides: &Overrides) {
        overrides.apply(&mut self.settings);
    }

    /// Searches a position.
    pub(crate) fn choose(&mut self, position: &Game) -> Choice {
        if self.mind == Mind::Greedy {
            let answer = greedy::answer(position, self.settings.level_seed.unwrap_or_default());
            return Choice { answer, score: Score::ZERO, depth: 0, nodes: 0 };
        }
        let (mut score, mut depth, mut nodes) = (Score::ZERO, 0, 0);
        let limits = self.limits.clone();
        let answer = self.search(position, &limits, &mut |info| {
            (score, depth, nodes) = (info.score, info.depth, info.nodes);
        });
        Choice { answer, score, depth, nodes }
    }

    /// The score of a search of one ply, with its captures, for the side to move.
    pub(crate) fn glance(&mut self, position: &Game) -> Score {
        let mut score = Score::ZERO;
        let one_ply = Limits { depth: Some(1), ..Limits::default() };
        self.search(position, &one_ply, &mut |info| score = info.score);
        score
    }

    /// The best moves of a position with their scores, the best one first: as many as the setting
    /// `multi_pv`, but at most all moves.
    pub(crate) fn lines(&mut self, position: &Game) -> Vec<(Move, Score)> {
        let mut lines = Vec::new();
        let limits = self.limits.clone();
        self.search(position, &limits, &mut |info| {
            lines.truncate(info.multipv - 1);
            lines.extend(info.pv.first().map(|&best| (best, info.score)));
        });
        lines
    }

    fn search(&mut self, position: &Game, limits: &Limits, tell: &mut dyn FnMut(Info)) -> BestMove {
        let signals = Signals::new();
        let soft_nodes = self.soft_nodes.unwrap_or(u64::MAX);
        let mut report = |info: Info| {
            // Only iterations that ended are reported, and the search checks the signals before the next.
            if info.nodes >= soft_nodes {
                signals.stop();
            }
            tell(info);
        };
        let question = Question::new(position, limits, &self.settings, &signals);
        self.searcher.search(&question, &mut report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_nodes_end_the_search_with_the_iteration_that_reaches_them() {
        let configuration: Configuration = "soft_nodes=2000,hash=4".parse().unwrap();
        let mut player = Player::new(&configuration, MoveLimits::default(), Some(320)).unwrap();
        let position = Game::default();
        let choice = player.choose(&position);
        assert!(choice.nodes >= 2000, "{}", choice.nodes);
        // A bound within an iteration would end the search, at a moment that the clock chooses.
        assert!(!player.settings.output_fail_bounds);
        // One iteration less stays below the limit.
        let depth = format!("depth={},hash=4", choice.depth - 1).parse().unwrap();
        let mut shallower = Player::new(&depth, MoveLimits::default(), Some(320)).unwrap();
        assert!(shallower.choose(&position).nodes < 2000);
        // And the same number of whole iterations gives the same answer.
        let depth = format!("depth={},hash=4", choice.depth).parse().unwrap();
        let same = Player::new(&depth, MoveLimits::default(), Some(320)).unwrap().choose(&position);
        assert_eq!((same.score, same.nodes), (choice.score, choice.nodes));
    }

    #[test]
    fn a_new_game_knows_nothing_of_the_last() {
        let configuration: Configuration = "nodes=3000,hash=2".parse().unwrap();
        let mut player = Player::new(&configuration, MoveLimits::default(), Some(320)).unwrap();
        let position = Game::default();
        let first = player.choose(&position);
        player.new_game();
        let again = player.choose(&position);
        assert_eq!(
            (first.answer, first.score, first.nodes),
            (again.answer, again.score, again.nodes)
        );
    }

    #[test]
    fn lines_are_distinct_and_fall() {
        let mut configuration: Configuration = "nodes=3000,hash=2".parse().unwrap();
        configuration.settings.multi_pv = 5;
        let mut player = Player::new(&configuration, MoveLimits::default(), Some(320)).unwrap();
        let lines = player.lines(&Game::default());
        assert_eq!(lines.len(), 5);
        for (number, pair) in lines.windows(2).enumerate() {
            assert!(pair[0].1 >= pair[1].1);
            assert!(lines[..=number].iter().all(|line| line.0 != pair[1].0));
        }
    }
}

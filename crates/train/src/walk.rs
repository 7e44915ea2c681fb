//! Makes opening lines: walks along good moves that end in balanced positions.

use std::ops::RangeInclusive;

use rand::{Rng, RngExt};
use tsumero_core::{Game, Move, Position};
use tsumero_search::SearcherError;

use crate::configuration::{Configuration, MoveLimits};
use crate::game::over;
use crate::player::Player;

/// The rules for making lines.
#[derive(Clone, Debug)]
pub(crate) struct WalkRules {
    /// Number of moves of a line.
    pub plies: RangeInclusive<u32>,
    /// At every move, one of this many best moves is chosen at random ...
    pub choices: usize,
    /// ... if its score is at most this far below the best.
    pub margin: i32,
    /// Nodes of the search that finds them.
    pub walk_nodes: u64,
    /// Nodes of the search of the last position.
    pub judge_nodes: u64,
    /// The largest score of the last position, for either side.
    pub max_score: i32,
}

/// Makes lines. A thread that uses it needs a stack of [`tsumero_search::STACK_SIZE`].
pub(crate) struct Walker {
    rules: WalkRules,
    scout: Player,
    judge: Player,
}

impl Walker {
    /// A maker of lines.
    ///
    /// # Errors
    /// There is not enough memory for its tables.
    pub(crate) fn new(rules: WalkRules) -> Result<Walker, SearcherError> {
        let player = |choices: usize, nodes: u64| {
            let mut configuration = Configuration::default();
            configuration.settings.multi_pv = choices;
            let limits = MoveLimits { nodes: Some(nodes), ..MoveLimits::default() };
            Player::new(&configuration, limits, None)
        };
        Ok(Walker {
            scout: player(rules.choices, rules.walk_nodes)?,
            judge: player(1, rules.judge_nodes)?,
            rules,
        })
    }

    /// Walks once; `None` if the walk ended in a position that is not balanced.
    pub(crate) fn walk(&mut self, rng: &mut impl Rng) -> Option<(Position, Vec<Move>)> {
        self.scout.new_game();
        self.judge.new_game();
        let mut position = Game::default();
        let mut line = Vec::new();
        for _ in 0..rng.random_range(self.rules.plies.clone()) {
            let moves = self.scout.lines(&position);
            let &(_, best) = moves.first()?;
            let good = moves.iter().take_while(|(_, score)| best - *score <= self.rules.margin);
            let (played, score) = moves[rng.random_range(0..good.count())];
            if score.value().abs() > self.rules.max_score.saturating_mul(3) {
                return None;
            }
            position.play_unchecked(played);
            line.push(played);
        }
        let balanced = over(&position, u32::MAX).is_none()
            && !position.in_check()
            && self.judge.choose(&position).score.value().abs() <= self.rules.max_score;
        balanced.then(|| (position.position().clone(), line))
    }
}

/// The text of a line in a file of openings.
pub(crate) fn line_text(line: &[Move]) -> String {
    let moves: Vec<String> = line.iter().map(Move::to_string).collect();
    format!("startpos moves {}", moves.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::Opening;
    use chacha20::ChaCha8Rng;
    use rand::SeedableRng;

    /// Rules for short searches.
    const RULES: WalkRules = WalkRules {
        plies: 8..=12,
        choices: 4,
        margin: 200,
        walk_nodes: 300,
        judge_nodes: 2000,
        max_score: 300,
    };

    #[test]
    fn lines_are_legal_balanced_and_of_the_length_asked_for() {
        let mut walker = Walker::new(RULES).unwrap();
        // The player of a game, without memories of the walks.
        let configuration: Configuration = "nodes=2000,hash=16".parse().unwrap();
        let mut judge = Player::new(&configuration, MoveLimits::default(), Some(320)).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut keys = std::collections::HashSet::new();
        let mut found = 0;
        for _ in 0..20 {
            let Some((position, line)) = walker.walk(&mut rng) else { continue };
            assert!((8..=12).contains(&line.len()));
            let read = Opening::parse(&line_text(&line)).unwrap().game();
            assert_eq!(read.key(), position.key());
            judge.new_game();
            let score = judge.choose(&read).score.value();
            assert!(score.abs() <= 300 && !read.in_check(), "{score} in {read}");
            keys.insert(position.key());
            found += 1;
        }
        assert!(found >= 5, "{found}");
        assert_eq!(keys.len(), found);
    }

    #[test]
    fn the_best_moves_are_told_from_others() {
        let rules = WalkRules { choices: 30, walk_nodes: 5000, ..RULES };
        let mut walker = Walker::new(rules).unwrap();
        let moves = walker.scout.lines(&Game::default());
        // Every legal move, the last one of which is worth much less than the first.
        assert_eq!(moves.len(), 30);
        assert!(moves[0].1 - moves[29].1 >= 100, "{moves:?}");
        // A bishop given away is not balanced.
        let lost = Opening::parse("startpos moves 7g7f 3c3d 8h2b+ 1c1d").unwrap().game();
        assert!(walker.judge.choose(&lost).score.value() > 300);
    }
}

//! One game under the rules, with early endings.

use std::fmt;

use serde::{Deserialize, Serialize};
use tsumero_control::Score;
use tsumero_core::{Color, Move, Repetition};
use tsumero_search::BestMove;

use crate::player::{Choice, Player};

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ending {
    /// The side to move has no legal move.
    Checkmate,
    /// The side to move declared its win by points.
    Declaration,
    /// A position occurred for the fourth time.
    Repetition,
    /// A position occurred for the fourth time, and one side gave check all the time.
    PerpetualCheck,
    /// The game reached the largest number of plies.
    MaxPlies,
    /// Both sides' scores agreed on the winner for several moves.
    Adjudication,
    /// A search has proven a mate.
    ProvenMate,
    /// The engine resigned.
    Resignation,
    /// The record does not say.
    Unknown,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Checkmate => "checkmate",
            Ending::Declaration => "declaration",
            Ending::Repetition => "repetition",
            Ending::PerpetualCheck => "perpetual check",
            Ending::MaxPlies => "max plies",
            Ending::Adjudication => "adjudication",
            Ending::ProvenMate => "proven mate",
            Ending::Resignation => "resignation",
            Ending::Unknown => "unknown",
        })
    }
}

impl Ending {
    /// All endings, in the order of their numbers in files.
    pub(crate) const ALL: [Ending; 9] = [
        Ending::Checkmate,
        Ending::Declaration,
        Ending::Repetition,
        Ending::PerpetualCheck,
        Ending::MaxPlies,
        Ending::Adjudication,
        Ending::ProvenMate,
        Ending::Resignation,
        Ending::Unknown,
    ];
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameOutcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub ending: Ending,
}

impl GameOutcome {
    fn won(winner: Color, ending: Ending) -> GameOutcome {
        GameOutcome { winner: Some(winner), ending }
    }

    fn drawn(ending: Ending) -> GameOutcome {
        GameOutcome { winner: None, ending }
    }

    /// Points of a color in halves: 2 for a win, 1 for a draw, 0 for a loss.
    pub(crate) fn half_points(self, color: Color) -> u32 {
        match self.winner {
            None => 1,
            Some(winner) => 2 * u32::from(winner == color),
        }
    }
}

/// The rules that end a game, apart from mate and repetition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameRules {
    /// The game is drawn after this ply, counted from the start position.
    pub max_plies: u32,
    /// The size of the score on which both sides must agree; see `agreed_plies`.
    pub win_score: i32,
    /// The number of plies in a row that must have such a score in favor of one side; 0 for never.
    pub agreed_plies: u32,
    /// Whether a score that is a forced mate ends the game.
    pub end_at_mate_score: bool,
}

impl Default for GameRules {
    fn default() -> GameRules {
        GameRules { max_plies: 320, win_score: 2500, agreed_plies: 6, end_at_mate_score: false }
    }
}

/// One move of a game with the mover's score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// The move.
    pub played: Move,
    /// The score of the search, for the side that moved.
    pub score: Score,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// The moves after the opening.
    pub turns: Vec<Turn>,
    /// How it ended.
    pub outcome: GameOutcome,
    /// Nodes searched by Black and by White.
    pub nodes: [u64; 2],
    /// The ply at which it ended, counted from the start position.
    pub last_ply: u32,
}

/// The outcome if the game is over in this position, before any search.
pub(crate) fn over(position: &tsumero_core::Game, max_plies: u32) -> Option<GameOutcome> {
    let us = position.side_to_move();
    if !position.has_legal_move() {
        return Some(GameOutcome::won(!us, Ending::Checkmate));
    }
    match position.repetition() {
        Some(Repetition::PerpetualCheck { by }) => {
            return Some(GameOutcome::won(!by, Ending::PerpetualCheck));
        }
        Some(_) => return Some(GameOutcome::drawn(Ending::Repetition)),
        None => {}
    }
    (position.ply() > max_plies).then(|| GameOutcome::drawn(Ending::MaxPlies))
}

/// Detects by the scores that both sides consider the game decided.
#[derive(Default)]
struct Agreement {
    leader: Option<Color>,
    plies: u32,
}

impl Agreement {
    /// Adds the next score. Returns the winner once both sides have agreed for long enough.
    fn add(&mut self, mover: Color, score: Score, rules: &GameRules) -> Option<Color> {
        let leader = match score.value() {
            value if value >= rules.win_score => Some(mover),
            value if value <= -rules.win_score => Some(!mover),
            _ => None,
        };
        self.plies = if leader == self.leader { self.plies + 1 } else { 1 };
        self.leader = leader;
        leader.filter(|_| rules.agreed_plies > 0 && self.plies >= rules.agreed_plies)
    }
}

/// Plays a game from a position, and asks for every move. `None` if `stopped` returned true before
/// the game was over.
pub(crate) fn play(
    mut position: tsumero_core::Game,
    rules: &GameRules,
    stopped: &dyn Fn() -> bool,
    ask: &mut dyn FnMut(&tsumero_core::Game) -> Choice,
) -> Option<Game> {
    let mut turns = Vec::new();
    let mut nodes = [0; 2];
    let mut agreement = Agreement::default();
    let outcome = loop {
        if let Some(outcome) = over(&position, rules.max_plies) {
            break outcome;
        }
        if stopped() {
            return None;
        }
        let us = position.side_to_move();
        let choice = ask(&position);
        nodes[us.index()] += choice.nodes;
        let played = match choice.answer {
            BestMove::Move { best, .. } => best,
            BestMove::DeclareWin => break GameOutcome::won(us, Ending::Declaration),
            BestMove::Resign => break GameOutcome::won(!us, Ending::Resignation),
        };
        turns.push(Turn { played, score: choice.score });
        position.play_unchecked(played);
        if rules.end_at_mate_score && choice.score.is_mate() {
            let winner = if choice.score.is_win() { us } else { !us };
            break GameOutcome::won(winner, Ending::ProvenMate);
        }
        if let Some(winner) = agreement.add(us, choice.score, rules) {
            break GameOutcome::won(winner, Ending::Adjudication);
        }
    };
    let last_ply = position.ply() - 1;
    Some(Game { turns, outcome, nodes, last_ply })
}

/// Plays a game of two players, given by color.
pub(crate) fn play_against(
    position: tsumero_core::Game,
    players: [&mut Player; 2],
    rules: &GameRules,
    stopped: &dyn Fn() -> bool,
) -> Option<Game> {
    play(position, rules, stopped, &mut |position| {
        players[position.side_to_move().index()].choose(position)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::{Configuration, MoveLimits};

    fn position(sfen: &str, moves: &str) -> tsumero_core::Game {
        format!("sfen {sfen} moves {moves}").parse().unwrap()
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn the_rules_end_games() {
        let round = "2h3h 8b7b 3h2h 7b8b ";
        assert_eq!(over(&position(START, &round.repeat(2)), 320), None);
        let fourth = position(START, &round.repeat(3));
        assert_eq!(over(&fourth, 320), Some(GameOutcome::drawn(Ending::Repetition)));
        assert_eq!(over(&position(START, round), 4), Some(GameOutcome::drawn(Ending::MaxPlies)));
        // Black has a gold on 5b, defended by a pawn: White is mated, even at the last ply.
        let mated = position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "");
        assert_eq!(over(&mated, 0), Some(GameOutcome::won(Color::Black, Ending::Checkmate)));
        // The rook follows the king between two files and checks with every move.
        let chase = format!("4i5i {}", "5a4a 5i4i 4a5a 4i5i ".repeat(3));
        let perpetual = position("4k4/9/9/9/9/9/9/9/K4R3 b - 1", &chase);
        let outcome = GameOutcome::won(Color::White, Ending::PerpetualCheck);
        assert_eq!(over(&perpetual, 320), Some(outcome));
    }

    #[test]
    fn agreement_needs_both_sides_without_a_break() {
        let rules = GameRules { win_score: 1000, agreed_plies: 4, ..GameRules::default() };
        let mut agreement = Agreement::default();
        let mut add = |color, value| agreement.add(color, Score::new(value), &rules);
        assert_eq!(add(Color::Black, 1500), None);
        assert_eq!(add(Color::White, -1500), None);
        assert_eq!(add(Color::Black, 999), None);
        assert_eq!(add(Color::White, -1500), None);
        assert_eq!(add(Color::Black, 1500), None);
        assert_eq!(add(Color::White, 1500), None, "the sides disagree");
        assert_eq!(add(Color::Black, -1500), None);
        assert_eq!(add(Color::White, 1000), None);
        assert_eq!(add(Color::Black, -1000), Some(Color::White));
    }

    #[test]
    fn the_side_with_more_nodes_and_a_rook_wins() {
        let strong: Configuration = "nodes=2000,hash=2".parse().unwrap();
        let weak: Configuration = "nodes=100,hash=2".parse().unwrap();
        let rules = GameRules::default();
        let player =
            |side| Player::new(&side, MoveLimits::default(), Some(rules.max_plies)).unwrap();
        let mut players = [strong, weak].map(player);
        let [strong, weak] = &mut players;
        let handicap = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let game = play_against(position(handicap, ""), [strong, weak], &rules, &|| false).unwrap();
        assert_eq!(game.outcome.winner, Some(Color::Black));
        assert_eq!(game.turns.len() as u32, game.last_ply);
        assert!(play_against(position(START, ""), [strong, weak], &rules, &|| true).is_none());
    }
}

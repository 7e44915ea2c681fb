//! The two games: what the front end needs from each, and the current position.
//!
//! Everything from a `go` to its answer is written once, for any [`Game`]. The reports of both
//! games have the same types, with moves as text.

use std::fmt;

use tsumero_control::{Limits, TimeKeeper};
use tsumero_mate::{MateAnswer, MateInfo, MateLimits, MateQuestion};
use tsumero_quantum as quantum;
use tsumero_search as search;

use crate::book::Booked;
use crate::command::{MoveWords, Root, printable};
use crate::display;
use crate::evaluation::{Explanation, LoadedEvaluation};
use crate::options::{Options, Variant};
use crate::searchers::Searchers;

/// Progress of a search, with moves as text.
pub type Info = tsumero_control::Info<String>;

/// The answer to a `go`, with moves as text.
pub type BestMove = tsumero_control::BestMove<String>;

/// What a search looks for.
#[derive(Clone, Debug)]
pub enum Task<G: Game> {
    /// The best move.
    BestMove {
        /// The limits of the search.
        limits: Limits,
        /// The root moves to choose from; empty for all.
        search_moves: Vec<G::Move>,
        /// The settings of the search.
        settings: G::Settings,
    },
    /// A forced mate.
    Mate(MateLimits),
    /// The number of legal lines of this many plies.
    Perft(u32),
}

/// The question to a search for the best move.
pub type Question<'a, G> =
    tsumero_control::Question<'a, <G as Game>::Position, <G as Game>::Move, <G as Game>::Settings>;

/// A game that can be played over USI.
pub trait Game: Clone + fmt::Debug + Sized + 'static {
    /// A position with the game so far.
    type Position: Clone + fmt::Debug + Send;
    /// A legal move.
    type Move: Copy + PartialEq + fmt::Debug + fmt::Display + Send;
    /// The settings of a search, which options change.
    type Settings: Clone + fmt::Debug + Send;

    /// The legal move that a word stands for.
    ///
    /// # Errors
    /// What is wrong with the word.
    fn parse_move(position: &Self::Position, word: &str) -> Result<Self::Move, String>;
    /// Plays the move that a word stands for. It cannot be taken back.
    ///
    /// # Errors
    /// What is wrong with the word. The position is unchanged.
    fn play(position: &mut Self::Position, word: &str) -> Result<(), String>;
    /// The settings of a search, from the options.
    fn settings(options: &Options) -> Self::Settings;
    /// All legal moves.
    fn legal_moves(position: &Self::Position) -> Vec<Self::Move>;
    /// The number of legal lines of this many plies after a legal move; `None` once `goes_on` says no.
    fn perft_after(
        position: &mut Self::Position,
        mv: Self::Move,
        depth: u32,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<u64>;
    /// The answer of the opening book, in a game that has one.
    fn from_book(_: &mut Searchers, _: &Question<'_, Self>) -> Booked {
        Booked::default()
    }
    /// Looks for the best move. Blocks until done.
    fn best_move(
        searchers: &mut Searchers,
        question: &Question<'_, Self>,
        tell: &mut dyn FnMut(Info),
    ) -> BestMove;
    /// Looks for a forced mate; `None` if the game has no mate search. Blocks until done.
    fn find_mate(
        searchers: &mut Searchers,
        question: &MateQuestion<'_, Self::Position>,
        tell: &mut dyn FnMut(MateInfo),
    ) -> Option<MateAnswer>;

    /// The position after the moves, and the one before the last of them.
    ///
    /// # Errors
    /// The first wrong move, in ASCII.
    fn replay(
        mut position: Self::Position,
        moves: &MoveWords,
    ) -> Result<(Self::Position, Option<Self::Position>), String> {
        let count = moves.iter().count();
        if count > MOST_MOVES {
            return Err(format!("position with {count} moves: at most {MOST_MOVES} are played"));
        }
        let mut before = None;
        for (number, word) in (1..).zip(moves.iter()) {
            if number == count {
                before = Some(position.clone());
            }
            Self::play(&mut position, word).map_err(|reason| {
                format!("move {number} of position, {}: {reason}", printable(word.as_bytes()))
            })?;
        }
        Ok((position, before))
    }
}

/// The largest number of moves of a game. Playing them takes milliseconds, and storing them some
/// megabytes.
const MOST_MOVES: usize = 20_000;

/// Ordinary shogi.
#[derive(Clone, Copy, Debug)]
pub struct Shogi;

impl Game for Shogi {
    type Position = tsumero_core::Game;
    type Move = tsumero_core::Move;
    type Settings = search::Settings;

    fn parse_move(position: &Self::Position, word: &str) -> Result<Self::Move, String> {
        position.parse_move(word).map_err(|reason| reason.to_string())
    }

    fn play(position: &mut Self::Position, word: &str) -> Result<(), String> {
        Shogi::parse_move(position, word).map(|mv| position.play_unchecked(mv))
    }

    fn settings(options: &Options) -> search::Settings {
        options.shogi_settings()
    }

    fn legal_moves(position: &Self::Position) -> Vec<Self::Move> {
        position.legal_moves().into_iter().collect()
    }

    fn perft_after(
        position: &mut Self::Position,
        mv: Self::Move,
        depth: u32,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<u64> {
        position.play_unchecked(mv);
        let count = tsumero_core::perft_while(position, depth, goes_on);
        position.undo();
        count
    }

    fn from_book(searchers: &mut Searchers, question: &Question<'_, Shogi>) -> Booked {
        // A declaration wins at once, whatever the book says.
        let rule = question.settings.entering_king_rule;
        if is_analysis(question) || question.position.declaration_wins(rule) {
            return Booked::default();
        }
        searchers.book.answer(question.position, question.started)
    }

    fn best_move(
        searchers: &mut Searchers,
        question: &Question<'_, Shogi>,
        tell: &mut dyn FnMut(Info),
    ) -> BestMove {
        let mut tell = |info: search::Info| tell(info.map(|mv| mv.to_string()));
        searchers.shogi.search(question, &mut tell).map(|mv| mv.to_string())
    }

    fn find_mate(
        searchers: &mut Searchers,
        question: &MateQuestion<'_, Self::Position>,
        tell: &mut dyn FnMut(MateInfo),
    ) -> Option<MateAnswer> {
        // The solver does not look at the game before the position.
        let MateQuestion { position, limits, signals, started } = *question;
        let question: MateQuestion<'_> = MateQuestion { position, limits, signals, started };
        Some(searchers.mate_solver.solve(&question, tell))
    }
}

/// Whether a question belongs to an analysis, which the book does not answer: a `go` that only a
/// stop ends, a restriction to given moves, more than one line, or `ConsiderationMode`.
fn is_analysis(question: &Question<'_, Shogi>) -> bool {
    let Question::<Shogi> { limits, search_moves, settings, .. } = *question;
    limits.waits_for_stop()
        || !search_moves.is_empty()
        || settings.multi_pv > 1
        || settings.consideration_mode
}

/// Quantum shogi.
#[derive(Clone, Copy, Debug)]
pub struct Quantum;

impl Game for Quantum {
    type Position = quantum::Position;
    type Move = quantum::Move;
    type Settings = quantum::Settings;

    fn parse_move(position: &Self::Position, word: &str) -> Result<Self::Move, String> {
        position.parse_move(word).map_err(|reason| reason.to_string())
    }

    fn play(position: &mut Self::Position, word: &str) -> Result<(), String> {
        Quantum::parse_move(position, word).map(|mv| position.play_unchecked(mv))
    }

    fn settings(options: &Options) -> quantum::Settings {
        options.quantum_settings()
    }

    fn legal_moves(position: &Self::Position) -> Vec<Self::Move> {
        position.legal_moves()
    }

    fn perft_after(
        position: &mut Self::Position,
        mv: Self::Move,
        depth: u32,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<u64> {
        position.play_unchecked(mv);
        let count = quantum::perft_while(position, depth, goes_on);
        position.undo();
        count
    }

    fn best_move(
        searchers: &mut Searchers,
        question: &Question<'_, Quantum>,
        tell: &mut dyn FnMut(Info),
    ) -> BestMove {
        let Some(searcher) = &mut searchers.quantum else {
            // There is not enough memory for the smallest table. Any legal move is better than
            // none. But it may be too early to answer.
            let Question::<Quantum> { position, limits, settings, signals, started, .. } =
                *question;
            let (side, ply) = (position.side_to_move(), position.ply());
            TimeKeeper::new(limits, &settings.time, signals, side, ply, started)
                .wait_until_answer_is_due();
            let any = position.legal_moves().first().copied();
            return any.map_or(BestMove::Resign, |best| chosen(best, None::<quantum::Move>));
        };
        let mut tell = |info: quantum::Info| tell(info.map(|mv| mv.to_string()));
        match searcher.search(question, &mut tell) {
            quantum::BestMove::Move { best, ponder } => chosen(best, ponder),
            quantum::BestMove::Resign => BestMove::Resign,
        }
    }

    fn find_mate(
        _: &mut Searchers,
        _: &MateQuestion<'_, Self::Position>,
        _: &mut dyn FnMut(MateInfo),
    ) -> Option<MateAnswer> {
        None
    }
}

fn chosen(best: impl fmt::Display, ponder: Option<impl fmt::Display>) -> BestMove {
    BestMove::Move { best: best.to_string(), ponder: ponder.map(|reply| reply.to_string()) }
}

/// A position of either game, with the game so far.
#[derive(Clone, Debug)]
pub enum AnyPosition {
    /// Of ordinary shogi.
    Shogi(Box<tsumero_core::Game>),
    /// Of quantum shogi.
    Quantum(Box<quantum::Position>),
}

/// A position as `position` describes it.
#[derive(Clone, Debug)]
pub struct Described {
    /// The position.
    pub position: AnyPosition,
    /// The position before the last move, and that move; `None` if there was no move.
    pub before: Option<(AnyPosition, String)>,
}

impl AnyPosition {
    /// The game to which the position belongs.
    pub fn variant(&self) -> Variant {
        match self {
            AnyPosition::Shogi(_) => Variant::Shogi,
            AnyPosition::Quantum(_) => Variant::Quantum,
        }
    }

    /// The starting position of a variant.
    pub fn startpos(variant: Variant) -> AnyPosition {
        match variant {
            Variant::Shogi => AnyPosition::Shogi(Box::default()),
            Variant::Quantum => AnyPosition::Quantum(Box::new(quantum::Position::startpos())),
        }
    }

    /// The position that a command describes.
    ///
    /// # Errors
    /// What is wrong with it, in ASCII.
    pub fn describe(root: &Root, moves: &MoveWords) -> Result<Described, String> {
        let shogi = |game| AnyPosition::Shogi(Box::new(game));
        let (position, before) = match root {
            Root::Startpos => both(Shogi::replay(tsumero_core::Game::default(), moves)?, shogi),
            Root::StartposWithout(words) => {
                let text = format!("startpos {words}");
                return Err(unreadable(&text, &"the word 'moves' is missing"));
            }
            Root::Sfen(text) => {
                let position = tsumero_core::Position::from_sfen(text)
                    .map_err(|error| unreadable(text, &error))?;
                both(Shogi::replay(position.into(), moves)?, shogi)
            }
            Root::Quantum(text) => {
                let position = match text.as_str() {
                    "startpos" => quantum::Position::startpos(),
                    text => text
                        .parse()
                        .map_err(|error: quantum::ParsePositionError| unreadable(text, &error))?,
                };
                both(Quantum::replay(position, moves)?, |position| {
                    AnyPosition::Quantum(Box::new(position))
                })
            }
        };
        let last = moves.iter().last().map(str::to_owned);
        Ok(Described { position, before: before.zip(last) })
    }

    /// Whether there is a search for mates in this game.
    pub fn has_mate_search(&self) -> bool {
        matches!(self, AnyPosition::Shogi(_))
    }

    /// The static evaluation. In quantum shogi it does not depend on `evaluation`.
    pub fn explain(&self, evaluation: &LoadedEvaluation) -> Explanation {
        match self {
            AnyPosition::Shogi(position) => evaluation.explain(position),
            AnyPosition::Quantum(position) => Explanation {
                description: "quantum shogi".to_owned(),
                raw: None,
                evaluation: quantum::evaluate(position),
            },
        }
    }
}

fn both<P>(
    (last, before): (P, Option<P>),
    any: fn(P) -> AnyPosition,
) -> (AnyPosition, Option<AnyPosition>) {
    (any(last), before.map(any))
}

fn unreadable(text: &str, error: &dyn fmt::Display) -> String {
    let gap = if text.is_empty() { "" } else { " " };
    format!("position{gap}{}: {error}", printable(text.as_bytes()))
}

/// The drawing that `d` shows. No line end after the last line.
impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyPosition::Shogi(position) => display::position(f, position),
            AnyPosition::Quantum(position) => display::quantum_position(f, position),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tsumero_control::Signals;

    use super::*;
    use crate::evaluation::SharedEvaluation;

    #[test]
    fn without_memory_quantum_shogi_answers_with_some_move_when_it_may() {
        let position = quantum::Position::startpos();
        let settings = Options::default().quantum_settings();
        for (infinite, ponder) in [(true, false), (false, true), (false, false)] {
            let limits = Limits { infinite, ponder, depth: Some(1), ..Limits::default() };
            let signals = Signals::new();
            let answer = std::thread::scope(|scope| {
                let answering = scope.spawn(|| {
                    let mut searchers = Searchers::new(SharedEvaluation::default());
                    assert!(searchers.quantum.is_none());
                    let question =
                        Question::<Quantum>::new(&position, &limits, &settings, &signals);
                    Quantum::best_move(&mut searchers, &question, &mut |_| {})
                });
                if infinite || ponder {
                    std::thread::sleep(Duration::from_millis(200));
                    assert!(!answering.is_finished(), "it is too early");
                    signals.stop();
                }
                answering.join().unwrap()
            });
            assert!(matches!(answer, BestMove::Move { .. }), "{answer:?}");
        }
    }
}

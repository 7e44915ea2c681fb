//! A game: a position with the moves that led to it.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use thiserror::Error;

use crate::history::{History, Record};
use crate::legality::IllegalMove;
use crate::moves::{Move, UsiMove};
use crate::position::Position;
use crate::rules::Repetition;
use crate::sfen::SfenError;

/// A game (対局): a position with the moves that led to it, from the start of the game.
///
/// ```
/// use tsumero_core::{Color, Game, Position};
/// let mut game = Game::from(Position::startpos());
/// let mv = game.play(game.legal_moves()[0]).unwrap();
/// assert_eq!((game.side_to_move(), game.last_move()), (Color::White, Some(mv)));
/// assert_eq!(game.undo(), Some(mv));
/// assert_eq!(*game, Position::startpos());
/// ```
///
/// It can be used wherever a [`Position`] is expected. Beyond that it knows what only the history
/// decides: [`Game::repetition`]. A search makes a [`Line`](crate::Line) of it.
#[derive(Clone)]
pub struct Game {
    start: Position,
    position: Position,
    history: History,
}

/// A game in which no move has been played.
impl From<Position> for Game {
    fn from(start: Position) -> Game {
        Game { position: start.clone(), start, history: History::default() }
    }
}

impl From<&Position> for Game {
    fn from(start: &Position) -> Game {
        Game::from(start.clone())
    }
}

/// The current position.
impl Deref for Game {
    type Target = Position;

    #[inline]
    fn deref(&self) -> &Position {
        &self.position
    }
}

impl Game {
    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position in which the game started.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves played, first to last.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        let played = |record: &Record| record.played.expect("no turn is passed in a game");
        self.history.records().iter().map(played)
    }

    /// The last move; `None` at the start.
    pub fn last_move(&self) -> Option<Move> {
        self.history.last_move()
    }

    /// Plays a move if it is legal here, and returns it as a [`Move`].
    ///
    /// # Errors
    ///
    /// The rule that the move breaks. The game is unchanged.
    ///
    /// ```
    /// use tsumero_core::{Game, IllegalMove, UsiMove};
    /// let mut game = Game::default();
    /// let mv: UsiMove = "7g7f".parse().unwrap();
    /// assert!(game.play(mv).is_ok());
    /// assert_eq!(game.play(mv), Err(IllegalMove::NoPiece));
    /// ```
    pub fn play(&mut self, mv: impl Into<UsiMove>) -> Result<Move, IllegalMove> {
        let mv = self.validate(mv.into())?;
        self.play_unchecked(mv);
        Ok(mv)
    }

    /// Plays a legal move, which is not checked: see [`Position::play_unchecked`].
    pub fn play_unchecked(&mut self, mv: Move) {
        let record = Record::new(self.position.state(), self.position.in_check(), Some(mv));
        // On a copy: a move that is not legal may panic, and the game is unchanged then.
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        self.history.push_of_game(record);
        self.position = after;
    }

    /// Takes back the last move and returns it. At the start there is none.
    ///
    /// ```
    /// use tsumero_core::{Game, UsiMove};
    /// let mut game = Game::default();
    /// let mv = game.play("7g7f".parse::<UsiMove>().unwrap()).unwrap();
    /// assert_eq!(game.undo(), Some(mv));
    /// assert_eq!(game.undo(), None);
    /// ```
    pub fn undo(&mut self) -> Option<Move> {
        let played = self.history.pop_of_game()?.played?;
        self.position.take_back(played);
        self.position.debug_check_consistency();
        Some(played)
    }

    /// The official rule: the result of the game if the current position has occurred four times,
    /// and `None` if it has not. Only [`Repetition::Draw`] and [`Repetition::PerpetualCheck`] are
    /// returned. The time does not depend on the length of the game, except at the fourth time: then
    /// the moves since the first are looked at for perpetual check.
    pub fn repetition(&self) -> Option<Repetition> {
        self.history.repetition(self.position.state())
    }

    /// Whether some position of the game, the current one included, has occurred three times. Then a
    /// move that leads to it ends the game by repetition, now or later. The time grows with the length
    /// of the game.
    ///
    /// ```
    /// use tsumero_core::Game;
    /// let mut game = Game::default();
    /// for text in ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(8) {
    ///     assert!(!game.may_end_by_repetition());
    ///     game.play_unchecked(game.parse_move(text).unwrap());
    /// }
    /// // It stays so after another move.
    /// assert!(game.may_end_by_repetition());
    /// game.play_unchecked(game.parse_move("5i5h").unwrap());
    /// assert!(game.may_end_by_repetition());
    /// ```
    pub fn may_end_by_repetition(&self) -> bool {
        self.third_occurrences().next().is_some()
    }

    /// The [hash keys](Position::key) of the positions of the game, the current one included, that have
    /// occurred three times: of those that [end the game](Game::may_end_by_repetition) when they occur
    /// again. The time grows with the length of the game.
    ///
    /// ```
    /// use tsumero_core::Game;
    /// let mut game = Game::default();
    /// for text in ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(9) {
    ///     game.play_unchecked(game.parse_move(text).unwrap());
    /// }
    /// let start = Game::default().key();
    /// assert_eq!(game.third_occurrences().collect::<Vec<_>>(), [start, game.key()]);
    /// ```
    pub fn third_occurrences(&self) -> impl Iterator<Item = u64> {
        self.history.third_occurrences(self.position.state())
    }

    pub(crate) fn history(&self) -> &History {
        &self.history
    }
}

/// The even game before its first move.
impl Default for Game {
    fn default() -> Game {
        Game::from(Position::default())
    }
}

/// Games are equal when they start from equal positions and have the same moves.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.start == other.start && self.moves().eq(other.moves())
    }
}

impl Eq for Game {}

/// The game as USI's `position` describes it: `startpos` or `sfen …`, and the moves.
///
/// ```
/// use tsumero_core::Game;
/// let text = "startpos moves 7g7f 3c3d";
/// let game: Game = text.parse().unwrap();
/// assert_eq!((game.moves().len(), game.to_string().as_str()), (2, text));
/// ```
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start == Position::startpos() && self.start.ply() == 1 {
            f.write_str("startpos")?;
        } else {
            write!(f, "sfen {}", self.start)?;
        }
        for (number, mv) in self.moves().enumerate() {
            write!(f, "{} {mv}", if number == 0 { " moves" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({self})")
    }
}

/// Why a text is not a game in the words of USI's `position`.
///
/// ```
/// use tsumero_core::{Game, IllegalMove, ParseGameError};
/// let error = "startpos moves 7g7f 3c3d 8h2b 5i5h".parse::<Game>().unwrap_err();
/// assert_eq!(error.to_string(), "move 4, 5i5h: the piece belongs to the opponent");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParseGameError {
    /// The game starts from no playable position.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// Something other than `moves` follows `startpos`.
    #[error("something other than moves follows startpos")]
    Trailing,
    /// A move is illegal.
    #[error("move {number}, {text}: {reason}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The text of the move.
        text: String,
        /// The rule that it breaks.
        reason: IllegalMove,
    },
}

/// Reads what USI's `position` describes. The word `sfen` may be missing.
impl FromStr for Game {
    type Err = ParseGameError;

    fn from_str(text: &str) -> Result<Game, ParseGameError> {
        let mut words = text.split_ascii_whitespace();
        let start: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
        let mut game = Game::from(match start[..] {
            ["startpos"] => Position::startpos(),
            ["startpos", ..] => return Err(ParseGameError::Trailing),
            ["sfen", ref sfen @ ..] | ref sfen => Position::from_sfen(&sfen.join(" "))?,
        });
        for (number, text) in (1..).zip(words) {
            let mv = game.parse_move(text).map_err(|reason| ParseGameError::Move {
                number,
                text: text.to_owned(),
                reason,
            })?;
            game.play_unchecked(mv);
        }
        Ok(game)
    }
}

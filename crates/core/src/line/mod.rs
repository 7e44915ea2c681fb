//! The line (手順) that a search tries: moves made and taken back as fast as possible.

mod stack;

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::ops::Deref;

use crate::color::{ByColor, Color};
use crate::game::Game;
use crate::hand::Hand;
use crate::history::{History, Record};
use crate::king_danger::KingDanger;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Repetition;
use stack::PositionStack;

/// A position and the moves that a search has made from its root.
///
/// ```
/// use tsumero_core::{Line, Position};
/// let mut line = Line::from(Position::startpos());
/// let mv = line.legal_moves()[0];
/// line.do_move(mv);
/// assert_eq!((line.ply(), line.last_move()), (2, Some(mv)));
/// line.undo_move();
/// assert_eq!(*line, Position::startpos());
/// ```
///
/// It can be used wherever a [`Position`] is expected. The board and its attack maps after a move
/// are computed when they are first looked at, and facts such as check are remembered: a node that
/// is left early never pays for its board. So a line belongs to one thread. Made from a [`Game`],
/// it knows the history of the game, which decides what is a repetition.
///
/// Moves are not checked: searches make moves that the generator gave them. Use [`Position::play`]
/// or [`Game::play`] for moves from elsewhere.
#[derive(Clone)]
pub struct Line {
    positions: PositionStack<Dangers>,
    history: History,
    /// Whether the side to move is in check, once someone has asked.
    in_check: Cell<Option<bool>>,
}

/// The danger around each color's king, once someone has asked; `None` inside for a side without a
/// king.
type Dangers = ByColor<OnceCell<Option<KingDanger>>>;

impl From<Position> for Line {
    fn from(root: Position) -> Line {
        Line::new(root, History::default())
    }
}

impl From<&Position> for Line {
    fn from(root: &Position) -> Line {
        Line::from(root.clone())
    }
}

/// The line starts at the game's current position.
impl From<&Game> for Line {
    fn from(game: &Game) -> Line {
        Line::new(game.position().clone(), game.history().clone())
    }
}

/// The current position.
impl Deref for Line {
    type Target = Position;

    #[inline]
    fn deref(&self) -> &Position {
        self.positions.top()
    }
}

impl Line {
    fn new(root: Position, history: History) -> Line {
        Line { positions: PositionStack::new(root), history, in_check: Cell::new(None) }
    }
}

/// Questions that are answered without a look at the board, or from memory.
impl Line {
    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        self.positions.top()
    }

    /// [`Position::side_to_move`].
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.positions.state().side_to_move
    }

    /// [`Position::ply`].
    #[inline]
    pub fn ply(&self) -> u32 {
        self.positions.state().ply
    }

    /// [`Position::hand`].
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.positions.state().hands[color]
    }

    /// [`Position::key`].
    #[inline]
    pub fn key(&self) -> u64 {
        self.positions.state().key()
    }

    /// [`Position::board_key`].
    #[inline]
    pub fn board_key(&self) -> u64 {
        self.positions.state().board_key
    }

    /// [`Position::key_after`].
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        self.positions.state().key_after(mv)
    }

    /// [`Position::board_key_after`].
    #[inline]
    pub fn board_key_after(&self, mv: Move) -> u64 {
        self.positions.state().board_key_after(mv)
    }

    /// The move that led here; `None` at the start and after a null move.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.history.last_move()
    }

    /// [`Position::in_check`].
    #[inline]
    pub fn in_check(&self) -> bool {
        if let Some(in_check) = self.in_check.get() {
            return in_check;
        }
        let in_check = self.position().in_check();
        self.in_check.set(Some(in_check));
        in_check
    }

    /// [`Position::mate_in_one`].
    pub fn mate_in_one(&self) -> Option<Move> {
        if self.allows_no_mate() { None } else { self.position().mate_in_one() }
    }

    /// Whether the last move certainly allows no mate. This needs no look at the board after it.
    #[inline(always)]
    fn allows_no_mate(&self) -> bool {
        let Some((before, mv, dangers)) = self.positions.pending() else { return false };
        let them = mv.color();
        let danger =
            dangers[them].get_or_init(|| KingDanger::new(before.board(), before.attacks(), them));
        match danger {
            Some(danger) => {
                danger.allows_no_mate(mv, before.placement(), &self.positions.state().hands)
            }
            None => true,
        }
    }

    /// The official rule, with the history of the game: [`Game::repetition`]. What lies before a
    /// null move does not count.
    pub fn repetition(&self) -> Option<Repetition> {
        self.history.repetition(self.positions.state())
    }

    /// The shortcut of a search: whether the position, or its board with other hands, occurred at
    /// most `plies` plies ago, and what that means. The nearest occurrence of the position itself
    /// decides, even if its board occurred nearer with other hands. If there is none, the nearest
    /// occurrence of the board with more or fewer pieces in hand decides. What lies before a null
    /// move does not count.
    #[inline(always)]
    pub fn repetition_within(&self, plies: usize) -> Option<Repetition> {
        self.history.repetition_within(self.positions.state(), plies)
    }
}

/// Moves made and taken back.
impl Line {
    /// Makes a legal move, which is not checked. [`Line::undo_move`] takes it back.
    ///
    /// The same holds for a move that is not legal as for [`Position::play_unchecked`].
    #[inline(always)]
    pub fn do_move(&mut self, mv: Move) {
        let record = self.record(Some(mv));
        // The positions first: they may panic, and the line is unchanged then.
        self.positions.push(mv);
        self.history.push(record);
        self.in_check.set(None);
        self.debug_check_consistency();
    }

    /// Takes back the last move.
    ///
    /// # Panics
    ///
    /// When there is no move to take back: at the root of the line, and after a null move.
    #[inline]
    pub fn undo_move(&mut self) {
        let in_check = match self.history.records().last() {
            Some(&Record { played: Some(_), in_check, .. }) if self.positions.pop() => in_check,
            _ => panic!("a move was done before it is undone"),
        };
        self.in_check.set(Some(in_check));
        self.history.pop();
        self.debug_check_consistency();
    }

    /// Makes a null move: passes the turn. No rule allows it, but it shows what the opponent
    /// threatens. [`Line::undo_null_move`] takes it back.
    ///
    /// # Panics
    ///
    /// In check, because the king could be captured after a pass.
    #[inline]
    pub fn do_null_move(&mut self) {
        let record = self.record(None);
        assert!(!record.in_check, "no turn is passed in check");
        self.history.push(record);
        // Neither side is in check, so what is known of that stays true.
        self.positions.change_state(|state| state.pass());
    }

    /// Takes back a null move.
    ///
    /// # Panics
    ///
    /// When the last thing done was not a null move.
    #[inline]
    pub fn undo_null_move(&mut self) {
        let is_null = self.history.line().last().is_some_and(|record| record.played.is_none());
        assert!(is_null, "a null move was done before it is undone");
        self.history.pop();
        self.positions.change_state(|state| state.take_back_pass());
    }

    /// The record of the current position, to be kept when `played` is played in it.
    #[inline]
    fn record(&self, played: Option<Move>) -> Record {
        Record::new(self.positions.state(), self.in_check(), played)
    }

    /// [`Position::consistency`] of the current position and of what the line remembers of it.
    ///
    /// # Errors
    ///
    /// Names the first value that differs, the square where it does, and the position.
    pub fn consistency(&self) -> Result<(), String> {
        let position = self.position();
        if self.in_check() != position.in_check() {
            return Err(format!("the note of a check differs in {position}"));
        }
        position.consistency()
    }

    /// As for a position: in debug builds, after each move and each undo.
    #[inline]
    fn debug_check_consistency(&self) {
        if cfg!(debug_assertions)
            && (!cfg!(fuzzing) || self.key().is_multiple_of(32))
            && let Err(difference) = self.consistency()
        {
            panic!("{difference}");
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.position(), f)
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({self})")
    }
}

//! Making moves: doing and undoing moves and null moves.

use super::{Position, Record};
use crate::legality::IllegalMove;
use crate::moves::{Move, UsiMove};
use crate::zobrist;

impl Position {
    /// Plays a legal move. [`Position::undo_move`] takes it back.
    ///
    /// The move must be legal here: one that the generator or [`Position::validate`] gave for this
    /// position. This is not checked; [`Position::try_do_move`] checks it. Any other move leads to
    /// some wrong position, whose methods may give wrong answers or panic, but never to undefined
    /// behavior. Debug builds panic where they notice it.
    ///
    /// ```
    /// use tsumero_core::Position;
    /// let mut position = Position::startpos();
    /// let before = position.key();
    /// let mv = position.legal_moves()[0];
    /// position.do_move(mv);
    /// assert_ne!(position.key(), before);
    /// position.undo_move();
    /// assert_eq!(position.key(), before);
    /// ```
    #[inline]
    pub fn do_move(&mut self, mv: Move) {
        self.advance(mv);
        self.debug_check_consistency();
    }

    /// Plays a move if it is legal here, and returns it as a [`Move`]. [`Position::undo_move`]
    /// takes it back.
    ///
    /// # Errors
    ///
    /// The rule that the move breaks. The position is unchanged.
    ///
    /// ```
    /// use tsumero_core::{IllegalMove, Position, UsiMove};
    /// let mut position = Position::startpos();
    /// let mv: UsiMove = "7g7f".parse().unwrap();
    /// assert!(position.try_do_move(mv).is_ok());
    /// assert_eq!(position.try_do_move(mv), Err(IllegalMove::NoPiece));
    /// ```
    pub fn try_do_move(&mut self, mv: impl Into<UsiMove>) -> Result<Move, IllegalMove> {
        let mv = self.validate(mv.into())?;
        self.do_move(mv);
        Ok(mv)
    }

    /// Takes back the last move.
    ///
    /// # Panics
    ///
    /// When there is no move to take back: at the start, after [`Position::play`] and after a null
    /// move.
    #[inline]
    pub fn undo_move(&mut self) {
        assert!(self.take_back(), "a move was done before it is undone");
    }

    /// Takes back the last move and returns it. Returns `None`, and changes nothing, when there is
    /// no move to take back: at the start, after [`Position::play`] and after a null move.
    ///
    /// ```
    /// use tsumero_core::Position;
    /// let mut position = Position::startpos();
    /// let mv = position.parse_move("7g7f").unwrap();
    /// position.do_move(mv);
    /// assert_eq!(position.try_undo_move(), Some(mv));
    /// assert_eq!(position.try_undo_move(), None);
    /// ```
    #[inline]
    pub fn try_undo_move(&mut self) -> Option<Move> {
        let played = self.last_move()?;
        self.take_back().then_some(played)
    }

    /// Takes back the last move if there is one.
    #[inline]
    fn take_back(&mut self) -> bool {
        match self.history.pop() {
            Some(record) if record.played.is_some() && self.placements.pop() => {
                self.restore(&record);
                self.debug_check_consistency();
                true
            }
            Some(record) => {
                self.history.push(record);
                false
            }
            None => false,
        }
    }

    /// Plays a legal move of the game itself. Like [`Position::do_move`] it requires a legal move.
    /// The move cannot be taken back, and the position remembers only what repetition needs.
    pub fn play(&mut self, mv: Move) {
        self.advance(mv);
        self.placements.forget_below();
        self.debug_check_consistency();
    }

    /// Makes a null move: passes the turn. No rule allows it, but it shows what the opponent
    /// threatens.
    ///
    /// # Panics
    ///
    /// In check, because the king could be captured after a pass.
    #[inline]
    pub fn do_null_move(&mut self) {
        let record = self.record(None);
        assert!(!record.in_check, "no turn is passed in check");
        self.history.push(record);
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.pass_turn();
    }

    /// Takes back a null move.
    ///
    /// # Panics
    ///
    /// When the last thing done was not a null move.
    #[inline]
    pub fn undo_null_move(&mut self) {
        match self.history.last() {
            Some(&record) if record.played.is_none() => {
                self.history.pop();
                self.restore(&record);
            }
            _ => panic!("a null move was done before it is undone"),
        }
    }

    /// The move itself. Keys and hands follow from the move alone. The placement is computed when
    /// it is looked at.
    #[inline]
    fn advance(&mut self, mv: Move) {
        debug_assert_eq!(mv.color(), self.side_to_move);
        self.history.push(self.record(Some(mv)));
        let us = self.side_to_move;
        self.board_key = self.board_key_after(mv);
        if mv.is_drop() {
            self.take_from_hand(us, mv.kind());
        } else if let Some(captured) = mv.captured_piece() {
            self.add_to_hand(us, captured.kind().unpromoted());
        }
        self.placements.push(mv);
        self.pass_turn();
    }

    /// The [`Position::board_key`] after a legal move. It costs a fraction of doing the move, and
    /// suffices to probe a table or to prefetch its entry.
    #[inline]
    pub fn board_key_after(&self, mv: Move) -> u64 {
        let to = mv.to();
        let mut key = self.board_key ^ zobrist::WHITE_TO_MOVE;
        key ^= zobrist::piece(mv.piece_after(), to);
        if let Some(from) = mv.from() {
            key ^= zobrist::piece(mv.piece(), from);
            if let Some(captured) = mv.captured_piece() {
                key ^= zobrist::piece(captured, to);
            }
        }
        key
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.side_to_move = !self.side_to_move;
    }

    /// Restores what a record remembers.
    #[inline]
    fn restore(&mut self, record: &Record) {
        self.hands = record.hands;
        self.hand_key = record.hand_key;
        self.board_key = record.board_key;
        self.side_to_move = !self.side_to_move;
    }

    /// In debug builds, compares every incremental value with its slow twin. Under a fuzzer, it does
    /// so for one position in 32: the comparison takes most of the time, and there are many runs.
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

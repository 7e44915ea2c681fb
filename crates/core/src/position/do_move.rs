//! Doing and undoing moves.

use super::{Position, Record};
use crate::moves::Move;
use crate::zobrist;

impl Position {
    /// Plays a legal move. [`Position::undo_move`] takes it back.
    ///
    /// The move must be legal here, as the generator and [`Position::validate`] hand them out.
    #[inline]
    pub fn do_move(&mut self, mv: Move) {
        self.advance(mv);
        self.debug_check_consistency();
    }

    /// Takes back the last move.
    ///
    /// # Panics
    ///
    /// When there is none: at the start, after [`Position::play`] and after a null move.
    #[inline]
    pub fn undo_move(&mut self) {
        let record = self.history.pop().expect("a move was done before it is undone");
        assert!(record.played.is_some(), "a null move is undone by undo_null_move");
        self.placements.pop();
        self.restore(&record);
        self.debug_check_consistency();
    }

    /// Plays a legal move of the game itself: like [`Position::do_move`], but there is no way
    /// back, and only what repetition needs is remembered.
    pub fn play(&mut self, mv: Move) {
        self.advance(mv);
        self.placements.forget_below();
        self.debug_check_consistency();
    }

    /// Passes the turn, which no rule allows, to see what the opponent threatens. Must not be
    /// done in check. [`Position::undo_null_move`] takes it back.
    #[inline]
    pub fn do_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.history.push(self.record(None));
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
        let record = self.history.pop().expect("a null move was done before it is undone");
        assert!(record.played.is_none(), "the last move was not a null move");
        self.restore(&record);
    }

    /// The move itself. Keys and hands follow from the move alone; the board is left to be
    /// computed when it is looked at.
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

    /// What [`Position::board_key`] will be after a legal move. It costs a fraction of doing the
    /// move: enough to ask a table, or to fetch its place into the cache.
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

    /// Puts back what a record remembers.
    #[inline]
    fn restore(&mut self, record: &Record) {
        self.hands = record.hands;
        self.hand_key = record.hand_key;
        self.board_key = record.board_key;
        self.side_to_move = !self.side_to_move;
    }

    /// In debug builds, compares every incremental value with its slow twin.
    #[inline]
    fn debug_check_consistency(&self) {
        if cfg!(debug_assertions)
            && let Err(difference) = self.consistency()
        {
            panic!("{difference}");
        }
    }
}

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
        self.replaced_attacks.push(self.attacks);
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
        let attacks = self.replaced_attacks.pop().expect("a move was done before it is undone");
        let record = self.history.pop().expect("each replaced attack map has a record");
        let mv = record.played.expect("a null move is undone by undo_null_move");
        // The attack map is restored as a whole, so only cells, hands and keys are put back.
        self.board.take(mv.to());
        match mv.from() {
            Some(from) => {
                self.board.put(from, mv.piece());
                if let Some(captured) = mv.captured() {
                    self.board.put(mv.to(), crate::Piece::new(!mv.color(), captured));
                }
            }
            None => {}
        }
        self.attacks = attacks;
        self.restore(&record);
        self.debug_check_consistency();
    }

    /// Plays a legal move of the game itself: like [`Position::do_move`], but there is no way
    /// back, and only what repetition needs is remembered.
    pub fn play(&mut self, mv: Move) {
        self.replaced_attacks.clear();
        self.advance(mv);
        self.debug_check_consistency();
    }

    /// Passes the turn, which no rule allows, to see what the opponent threatens. Must not be
    /// done in check. [`Position::undo_null_move`] takes it back.
    #[inline]
    pub fn do_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.history.push(self.record(None));
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

    /// The move itself, without saving the attack map.
    #[inline]
    fn advance(&mut self, mv: Move) {
        debug_assert_eq!(mv.color(), self.side_to_move);
        self.history.push(self.record(Some(mv)));
        let (us, to) = (self.side_to_move, mv.to());
        match mv.from() {
            None => {
                self.take_from_hand(us, mv.kind());
                self.put_piece(to, mv.piece());
            }
            Some(from) => {
                self.remove_piece(from);
                match mv.captured() {
                    Some(captured) => {
                        self.add_to_hand(us, captured.unpromoted());
                        self.replace_piece(to, mv.piece_after());
                    }
                    None => self.put_piece(to, mv.piece_after()),
                }
            }
        }
        self.pass_turn();
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.ply = self.ply.saturating_add(1);
    }

    /// Puts back what a record remembers.
    #[inline]
    fn restore(&mut self, record: &Record) {
        self.hands = record.hands;
        self.hand_key = record.hand_key;
        self.board_key = record.board_key;
        self.side_to_move = !self.side_to_move;
        self.ply -= 1;
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

//! What a position holds besides its placement.

use crate::color::{ByColor, Color};
use crate::hand::Hand;
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::zobrist;

/// Hands, side to move, hash keys and move number. A move changes all of them without a look at the
/// board, so they are known before the placement after it is computed.
#[derive(Clone, Copy)]
pub(crate) struct State {
    /// Exclusive or of the keys of the pieces on the board and the side to move.
    pub(crate) board_key: u64,
    /// Wrapping sum of the keys of the pieces in hand.
    pub(crate) hand_key: u64,
    pub(crate) hands: ByColor<Hand>,
    /// The number of the next move.
    pub(crate) ply: u32,
    pub(crate) side_to_move: Color,
}

impl State {
    /// The state of an empty board, with Black to make the first move.
    pub(crate) fn empty() -> State {
        State {
            board_key: 0,
            hand_key: 0,
            hands: ByColor::default(),
            ply: 1,
            side_to_move: Color::Black,
        }
    }

    /// The hash key of board, hands and side to move.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }

    /// The key of the board after a legal move.
    #[inline]
    pub(crate) fn board_key_after(&self, mv: Move) -> u64 {
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

    /// The key of the pieces in hand after a legal move.
    #[inline]
    fn hand_key_after(&self, mv: Move) -> u64 {
        let us = self.side_to_move;
        if mv.is_drop() {
            self.hand_key.wrapping_sub(zobrist::in_hand(us, mv.kind()))
        } else if let Some(captured) = mv.captured_piece() {
            self.hand_key.wrapping_add(zobrist::in_hand(us, captured.kind().unpromoted()))
        } else {
            self.hand_key
        }
    }

    /// The key of board, hands and side to move after a legal move.
    #[inline]
    pub(crate) fn key_after(&self, mv: Move) -> u64 {
        self.board_key_after(mv) ^ self.hand_key_after(mv)
    }

    /// Changes the state by a legal move.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        debug_assert_eq!(mv.color(), self.side_to_move);
        let us = self.side_to_move;
        self.board_key = self.board_key_after(mv);
        if mv.is_drop() {
            self.take_from_hand(us, mv.kind());
        } else if let Some(captured) = mv.captured_piece() {
            self.add_to_hand(us, captured.kind().unpromoted());
        }
        self.turn();
    }

    /// Changes the state back to what it was before a move.
    pub(crate) fn take_back(&mut self, mv: Move) {
        let us = mv.color();
        // Each part of the key is its own inverse.
        self.board_key = self.board_key_after(mv);
        if mv.is_drop() {
            self.add_to_hand(us, mv.kind());
        } else if let Some(captured) = mv.captured_piece() {
            self.take_from_hand(us, captured.kind().unpromoted());
        }
        self.side_to_move = us;
        self.ply = self.ply.wrapping_sub(1);
    }

    /// Passes the turn.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.turn();
    }

    /// Takes back a passed turn.
    #[inline]
    pub(crate) fn take_back_pass(&mut self) {
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.side_to_move = !self.side_to_move;
        self.ply = self.ply.wrapping_sub(1);
    }

    #[inline]
    fn turn(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.ply = self.ply.wrapping_add(1);
    }

    /// Adds a piece to a hand and to its key.
    #[inline]
    pub(crate) fn add_to_hand(&mut self, color: Color, kind: PieceKind) {
        self.hands[color] = self.hands[color].plus(kind);
        self.hand_key = self.hand_key.wrapping_add(zobrist::in_hand(color, kind));
    }

    /// Takes a piece from a hand and from its key.
    #[inline]
    pub(crate) fn take_from_hand(&mut self, color: Color, kind: PieceKind) {
        self.hands[color] = self.hands[color].minus(kind);
        self.hand_key = self.hand_key.wrapping_sub(zobrist::in_hand(color, kind));
    }
}

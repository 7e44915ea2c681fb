//! Zobrist hash keys (Zobrist 1970), computed at compile time.
//!
//! The board's key is the exclusive or of one key for each piece on its square. The hands' key is a
//! sum of one key for each piece held, so a count needs no table. The side to move has one key.

use crate::color::Color;
use crate::mix::{GOLDEN_GAMMA, mix};
use crate::piece::{Piece, PieceKind};
use crate::square::{File, PADDED_CELLS, Rank, Square};

/// The next number of the SplitMix64 sequence and its new state.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(GOLDEN_GAMMA);
    (mix(state), state)
}

const SEED: u64 = 0x7473_756d_6572_6f21;

/// One number is drawn for each cell of a grid of eleven by sixteen around the board. So the keys
/// do not depend on the layout of the padded board. Another layout keeps the same collisions in the
/// transposition table, and the same node counts.
static PIECE_KEYS: [[u64; PADDED_CELLS]; Piece::COUNT] = {
    let mut keys = [[0; PADDED_CELLS]; Piece::COUNT];
    let mut state = SEED;
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut cell = 0u8;
        while cell < 11 * 16 {
            let (key, next) = split_mix(state);
            if let (Some(file), Some(rank)) =
                (File::new(cell / 16), Rank::new((cell % 16).wrapping_sub(3)))
            {
                keys[piece][Square::new(file, rank).index()] = key;
            }
            state = next;
            cell += 1;
        }
        piece += 1;
    }
    keys
};

static HAND_KEYS: [[u64; 8]; 2] = {
    let mut keys = [[0; 8]; 2];
    let mut state = !SEED;
    let mut number = 0;
    while number < 16 {
        let (key, next) = split_mix(state);
        // The keys are odd, so different counts of one kind never have the same sum.
        keys[number / 8][number % 8] = key | 1;
        state = next;
        number += 1;
    }
    keys
};

/// Part of the board's key while White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = split_mix(SEED ^ 0xffff).0;

/// The key of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECE_KEYS[piece.index()][square.index()]
}

/// The number that one piece in hand adds to the hands' key, with wrapping.
#[inline]
pub(crate) fn in_hand(color: Color, kind: PieceKind) -> u64 {
    HAND_KEYS[color.index()][kind.index() & 7]
}

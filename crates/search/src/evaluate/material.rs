//! Values of the pieces in exchanges, for move ordering and pruning. The evaluation has its own
//! values in `weights`.
//!
//! The proportions are those that most shogi programs use. A pawn in hand is worth 90. A piece on
//! the board counts about a tenth less than in hand, because in hand it can go anywhere.

use tsumero_core::{ByColor, Move, PieceKind, Position};

/// Value of each kind before the discount for standing on the board, by [`PieceKind::index`].
const FULL_VALUE: [i32; 16] = {
    let mut values = [0; 16];
    values[PieceKind::Pawn.index()] = 90;
    values[PieceKind::Lance.index()] = 315;
    values[PieceKind::Knight.index()] = 405;
    values[PieceKind::Silver.index()] = 495;
    values[PieceKind::Gold.index()] = 540;
    values[PieceKind::Bishop.index()] = 855;
    values[PieceKind::Rook.index()] = 990;
    values[PieceKind::Tokin.index()] = 540;
    values[PieceKind::PromotedLance.index()] = 540;
    values[PieceKind::PromotedKnight.index()] = 540;
    values[PieceKind::PromotedSilver.index()] = 540;
    values[PieceKind::Horse.index()] = 945;
    values[PieceKind::Dragon.index()] = 1395;
    values
};

/// Share of its value that a piece keeps on the board, of 1024.
const ON_BOARD: i32 = 920;

const BOARD_VALUE: [i32; 16] = {
    let mut values = [0; 16];
    let mut index = 0;
    while index < 16 {
        values[index] = FULL_VALUE[index] * ON_BOARD / 1024;
        index += 1;
    }
    values
};

/// Value of a piece on the board; 0 for the king, which is never exchanged.
#[inline]
pub(crate) const fn board_value(kind: PieceKind) -> i32 {
    BOARD_VALUE[kind.index()]
}

/// Value of a piece in hand. The kind must be one that is held.
#[inline]
pub(crate) const fn hand_value(kind: PieceKind) -> i32 {
    FULL_VALUE[kind.index()]
}

/// The change of material by a capture: one side loses the piece on the board, the other gains it
/// in hand.
#[inline]
pub(crate) const fn exchange_value(kind: PieceKind) -> i32 {
    const EXCHANGE: [i32; 16] = {
        let mut values = [0; 16];
        let mut number = 0;
        while number < PieceKind::ALL.len() {
            let kind = PieceKind::ALL[number];
            values[kind.index()] = board_value(kind) + hand_value(kind.unpromoted());
            number += 1;
        }
        values
    };
    EXCHANGE[kind.index()]
}

/// The gain by promotion of a kind; 0 if it has none.
#[inline]
pub(crate) const fn promotion_gain(kind: PieceKind) -> i32 {
    const GAIN: [i32; 16] = {
        let mut gains = [0; 16];
        let mut number = 0;
        while number < PieceKind::ALL.len() {
            let kind = PieceKind::ALL[number];
            if let Some(promoted) = kind.promoted() {
                gains[kind.index()] = board_value(promoted) - board_value(kind);
            }
            number += 1;
        }
        gains
    };
    GAIN[kind.index()]
}

/// The gain by promotion of a move; 0 if it does not promote.
#[inline]
pub(crate) fn move_gain(mv: Move) -> i32 {
    if mv.promotes() { promotion_gain(mv.kind()) } else { 0 }
}

/// The most that a capture can win at once.
#[inline]
pub(crate) fn capture_gain(mv: Move) -> i32 {
    mv.captured().map_or(0, exchange_value) + move_gain(mv)
}

/// The value of each color's pieces on the board.
pub(super) fn on_board(position: &Position) -> ByColor<i32> {
    let mut value = ByColor([0; 2]);
    for (_, piece) in position.pieces() {
        value[piece.color()] += board_value(piece.kind());
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::Color;

    #[test]
    fn the_start_is_even_and_a_handicap_costs_its_pieces() {
        let start = on_board(&Position::startpos());
        assert_eq!(start[Color::Black], start[Color::White]);
        let rook_less = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let handicap = on_board(&Position::from_sfen(rook_less).unwrap());
        let difference = handicap[Color::Black] - handicap[Color::White];
        assert_eq!(difference, board_value(PieceKind::Rook));
    }

    #[test]
    fn an_exchange_moves_value_from_board_to_hand() {
        for kind in PieceKind::ALL {
            let expected = board_value(kind) + hand_value(kind.unpromoted());
            assert_eq!(exchange_value(kind), expected);
        }
        assert!(exchange_value(PieceKind::Pawn) < exchange_value(PieceKind::Tokin));
        assert_eq!(exchange_value(PieceKind::King), 0);
    }
}

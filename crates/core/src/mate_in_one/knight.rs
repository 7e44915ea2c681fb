//! Fourth family: a knight moved or dropped. It guards none of the squares around the king, so
//! there may be no flight, unless the knight opens a line by leaving.

use super::Hunt;
use crate::color::Color;
use crate::direction::Direction;
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::{PADDED_CELLS, Square};
use crate::square_set::SquareSet;

impl Hunt<'_> {
    #[inline]
    pub(super) fn knight(&self) -> Option<Move> {
        if self.flights != 0 && self.openers.is_empty() {
            return None;
        }
        let checking = checking_squares(self.us, self.king).difference(self.board.pieces(self.us));
        let knight = Piece::new(self.us, PieceKind::Knight);
        let in_hand = self.flights == 0 && self.position.hand(self.us).contains(knight.kind());
        let on_board = !self.attacks.jump_targets(self.us).intersection(checking).is_empty();
        if !in_hand && !on_board {
            return None;
        }
        let mut jumps = movement::steps(knight);
        let all = jumps;
        jumps.find_map(|jump| {
            let to = self.king.neighbor(jump.opposite()).filter(|&to| checking.contains(to))?;
            if in_hand
                && self.board.is_empty(to)
                && !self.defended().contains(to)
                && let Some(mate) = self.try_drop(knight, to)
            {
                return Some(mate);
            }
            self.attacks.steps(self.us, to).intersection(all).find_map(|jump| {
                let from = to.neighbor(jump.opposite())?;
                if self.flights != 0 && !self.openers.contains(from) {
                    return None;
                }
                self.try_arrivals(from, to)
            })
        })
    }
}

/// The squares from which a knight of a color checks a king.
#[inline]
pub(super) fn checking_squares(color: Color, king: Square) -> SquareSet {
    static SQUARES: [[SquareSet; PADDED_CELLS]; 2] = {
        let mut table = [[SquareSet::EMPTY; PADDED_CELLS]; 2];
        let mut index = 0;
        while index < PADDED_CELLS {
            if let Some(king) = Square::from_index(index) {
                let mut number = 8;
                while number < 12 {
                    let jump = Direction::from_index(number);
                    let black = Piece::new(Color::Black, PieceKind::Knight);
                    let color = if movement::steps(black).contains(jump) { 0 } else { 1 };
                    if let Some(square) = king.beside(jump.opposite()) {
                        table[color][index].insert(square);
                    }
                    number += 1;
                }
            }
            index += 1;
        }
        table
    };
    SQUARES[color.index()][king.index()]
}

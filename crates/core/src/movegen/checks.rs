//! Moves that give check.

use super::drops::drop_ranks;
use super::{Filter, MoveSink, Parts};
use crate::movement;
use crate::moves::{Move, MoveList};
use crate::piece::Piece;
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

/// Keeps the moves that give check.
struct Checks<'a> {
    position: &'a Position,
    moves: &'a mut MoveList,
}

impl MoveSink for Checks<'_> {
    fn board_move(&mut self, mv: Move) {
        if self.position.gives_check(mv) {
            self.moves.push(mv);
        }
    }

    fn drops(&mut self, piece: Piece, targets: SquareSet) {
        if let Some(king) = self.position.king(!piece.color()) {
            let checking = self.position.squares_attacking(king, piece);
            MoveSink::drops(self.moves, piece, targets.intersection(checking));
        }
    }
}

impl Position {
    /// Appends all legal moves that give check, idle non-promotions included.
    pub fn generate_checks(&self, moves: &mut MoveList) {
        if self.king(!self.side_to_move()).is_none() {
            return;
        }
        let parts = Parts::new(self);
        let mut sink = Checks { position: self, moves };
        parts.piece_moves(Filter::ALL, &mut sink);
        parts.king_moves(Filter::ALL, &mut sink);
        parts.drops(&mut sink);
    }

    /// The squares from which a piece would attack `target` on the board as it is.
    pub(crate) fn squares_attacking(&self, target: Square, piece: Piece) -> SquareSet {
        // Looking back from the target is moving like the same piece of the other color.
        let mirrored = Piece::new(!piece.color(), piece.kind());
        let squares = super::pieces::targets_of(self, target, mirrored);
        squares.intersection(drop_ranks(piece.color(), piece.kind()))
    }

    /// Whether a legal move of this position gives check, directly or by discovery.
    ///
    /// Most moves are turned away by one look at how the king lies from the target and from the
    /// origin; only what could reach it walks over the squares between.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = mv.color();
        let Some(king) = self.king(!us) else { return false };
        let (from, to, piece) = (mv.from(), mv.to(), mv.piece_after());
        if let Some(displacement) = movement::displacement(to, king) {
            if displacement.distance == 1 && movement::steps(piece).contains(displacement.direction)
            {
                return true;
            }
            if movement::slides(piece).contains(displacement.direction) {
                // The origin never stands between: the slider would have checked from there.
                let between = Position::between(to, king);
                if between.difference(self.board().empties()).is_empty() {
                    return true;
                }
            }
        }
        from.is_some_and(|from| self.discovers_check(king, from, to))
    }

    /// Whether leaving `from` for `to` opens the line of an own slider to the enemy king.
    fn discovers_check(&self, king: Square, from: Square, to: Square) -> bool {
        let us = self.side_to_move();
        let Some(direction) = movement::line_direction(from, king) else { return false };
        self.attacks().slides(us, from).contains(direction)
            && !Position::stays_on_line(king, from, to)
            && Position::between(from, king).difference(self.board().empties()).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knight_checks_from_where_it_may_stand() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2N 1").unwrap();
        let mut checks = MoveList::new();
        position.generate_checks(&mut checks);
        let mut texts: Vec<String> = checks.iter().map(ToString::to_string).collect();
        texts.sort();
        assert_eq!(texts, ["N*4c", "N*6c"]);
    }
}

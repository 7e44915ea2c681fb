//! Mate in one by a distant check, the second family: a slider checks from two or more squares
//! away.

use super::finder::MateFinder;
use crate::king_danger::sliders_reach;
use crate::lanes::Chosen;
use crate::mating_patterns;
use crate::movement::attacks_on_empty_board;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};
use crate::promotion::drop_ranks;
use crate::rays::{self, Rays};
use crate::square::Square;
use crate::square_set::SquareSet;

/// The kinds that check from a distance when dropped.
const DROPS: [PieceKind; 3] = [PieceKind::Rook, PieceKind::Bishop, PieceKind::Lance];

impl MateFinder<'_> {
    #[inline]
    pub(super) fn slider(&self) -> Option<Move> {
        let openers = self.openers;
        if self.far == 0 && openers.is_empty() {
            return None;
        }
        if self.situation.position.hand(self.situation.them).contains_unrestricted()
            || self.around.empty == 0
        {
            return None;
        }
        let beside = rays::neighbors(self.situation.king)
            .union(self.situation.board.pieces(self.situation.us));
        let seen = Rays::<Chosen>::seen(self.situation.king, self.situation.board.occupied());
        let drops = mating_patterns::far_drops(
            self.situation.us,
            self.situation.position.hand(self.situation.us),
            self.flights,
        ) & self.far;
        let attacked = self.situation.attacks.attacked_squares(self.situation.us);
        let reached = sliders_reach(
            self.situation.us,
            self.situation.board,
            self.situation.attacks,
            attacked,
        );
        let moves = seen.within(reached.difference(beside)).directions() & self.far;
        if drops | moves == 0 && openers.is_empty() {
            return None;
        }
        // Unless an opener moves, the checker must cover all flights and stand where no defender
        // can capture it.
        let droppable = match drops {
            0 => SquareSet::EMPTY,
            _ => seen.keep(drops).squares().intersection(self.situation.board.empties()),
        };
        let movable = seen.keep(moves).squares().intersection(reached);
        let mut promising = movable.union(droppable).difference(beside);
        if !promising.is_empty() {
            promising = promising.difference(self.defended());
        }
        let opening = if openers.is_empty() {
            SquareSet::EMPTY
        } else {
            seen.squares().difference(beside).intersection(attacked)
        };
        let considered = promising.union(opening);
        if considered.is_empty() {
            return None;
        }
        neighbors::bits(self.around.empty).find_map(|bit| {
            let mut mate = None;
            self.situation.board.walk_squares(
                self.situation.king,
                neighbors::DIRECTIONS[bit],
                |to| {
                    if mate.is_none() && considered.contains(to) {
                        let promising = promising.contains(to);
                        mate =
                            self.distant_check(to, promising, promising && droppable.contains(to));
                    }
                },
            );
            mate
        })
    }

    /// Tries the checks from one square. Without `promising` only openers can mate.
    fn distant_check(&self, to: Square, promising: bool, droppable: bool) -> Option<Move> {
        let dropped = if droppable { self.distant_drop(to) } else { None };
        dropped.or_else(|| {
            self.find_attacker(to, |from| {
                let may_mate = promising || self.openers.contains(from);
                if may_mate { self.try_arrivals(from, to) } else { None }
            })
        })
    }

    fn distant_drop(&self, to: Square) -> Option<Move> {
        let hand = self.situation.position.hand(self.situation.us);
        DROPS.into_iter().filter(|&kind| hand.contains(kind)).find_map(|kind| {
            let piece = Piece::new(self.situation.us, kind);
            let may_mate = attacks_on_empty_board(piece, to, self.situation.king)
                && self.could_cover(piece, to, 0)
                && drop_ranks(self.situation.us, kind).contains(to);
            if may_mate { self.try_drop(piece, to) } else { None }
        })
    }
}

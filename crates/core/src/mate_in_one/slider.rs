//! Second family: a slider checking from two or more squares away.

use super::{Hunt, attacks_on_empty_board};
use crate::king_danger::sliders_reach;
use crate::lanes::Chosen;
use crate::mating_patterns;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};
use crate::promotion::drop_ranks;
use crate::rays::{self, Rays};
use crate::square::Square;
use crate::square_set::SquareSet;

/// The kinds that check from a distance when dropped.
const DROPS: [PieceKind; 3] = [PieceKind::Rook, PieceKind::Bishop, PieceKind::Lance];

impl Hunt<'_> {
    #[inline]
    pub(super) fn slider(&self) -> Option<Move> {
        let openers = self.openers;
        if self.far == 0 && openers.is_empty() {
            return None;
        }
        if self.position.hand(self.them).contains_unrestricted() || self.around.empty == 0 {
            return None;
        }
        let beside = rays::neighbors(self.king).union(self.board.pieces(self.us));
        let seen = Rays::<Chosen>::seen(self.king, self.board.occupied());
        let drops = mating_patterns::far_drops(self.us, self.position.hand(self.us), self.flights)
            & self.far;
        let attacked = self.attacks.attacked_squares(self.us);
        let reached = sliders_reach(self.us, self.board, self.attacks, attacked);
        let moves = seen.within(reached.difference(beside)).directions() & self.far;
        if drops | moves == 0 && openers.is_empty() {
            return None;
        }
        // What holds for all but openers: the flights are covered, nobody captures.
        let droppable = match drops {
            0 => SquareSet::EMPTY,
            _ => seen.keep(drops).squares().intersection(self.board.empties()),
        };
        let movable = seen.keep(moves).squares().intersection(reached);
        let mut promising = movable.union(droppable).difference(beside);
        if !promising.is_empty() {
            promising = promising.difference(self.defended());
        }
        let opening = match openers.is_empty() {
            true => SquareSet::EMPTY,
            false => seen.squares().difference(beside).intersection(attacked),
        };
        let considered = promising.union(opening);
        if considered.is_empty() {
            return None;
        }
        neighbors::bits(self.around.empty).find_map(|bit| {
            let mut mate = None;
            self.board.walk_squares(self.king, neighbors::DIRECTIONS[bit], |to| {
                if mate.is_none() && considered.contains(to) {
                    let promising = promising.contains(to);
                    mate = self.distant_check(to, promising, promising && droppable.contains(to));
                }
            });
            mate
        })
    }

    /// Checks from one square: drops, and moves of all pieces if it is promising, otherwise of
    /// openers alone.
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
        let hand = self.position.hand(self.us);
        DROPS.into_iter().filter(|&kind| hand.contains(kind)).find_map(|kind| {
            let piece = Piece::new(self.us, kind);
            let may_mate = attacks_on_empty_board(piece, to, self.king)
                && self.could_cover(piece, to, 0)
                && drop_ranks(self.us, kind).contains(to);
            if may_mate { self.try_drop(piece, to) } else { None }
        })
    }
}

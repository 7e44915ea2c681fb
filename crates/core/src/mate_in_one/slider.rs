//! Second family: a slider checking from two or more squares away.

use super::{Hunt, attacks_on_empty_board, ring};
use crate::direction::Direction;
use crate::movegen::drop_ranks;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// The kinds that check from a distance when dropped.
const DROPS: [PieceKind; 3] = [PieceKind::Rook, PieceKind::Bishop, PieceKind::Lance];

impl Hunt<'_> {
    #[inline]
    pub(super) fn slider(&self) -> Option<Move> {
        // A piece that may be dropped on any rank answers every distant check.
        let hand = self.position.hand(self.them);
        let can_interpose =
            [PieceKind::Silver, PieceKind::Gold, PieceKind::Bishop, PieceKind::Rook]
                .into_iter()
                .any(|kind| hand.contains(kind));
        if can_interpose {
            return None;
        }
        neighbors::bits(self.around.empty).find_map(|bit| {
            let coverable = ring::far_slider_covers(bit, self.flights);
            if coverable || !self.openers().is_empty() {
                self.distant_checks(neighbors::DIRECTIONS[bit], coverable)
            } else {
                None
            }
        })
    }

    /// Checks from squares seen from the king in one direction over an empty neighbour. Unless
    /// the flights are `coverable` from there, only pieces that open lines are tried.
    fn distant_checks(&self, direction: Direction, coverable: bool) -> Option<Move> {
        let mut to = self.king.neighbor(direction)?;
        while self.board.is_empty(to) {
            to = to.neighbor(direction)?;
            if self.board.pieces(self.us).contains(to) {
                return None;
            }
            if coverable
                && self.board.is_empty(to)
                && let Some(mate) = self.distant_drops(to)
            {
                return Some(mate);
            }
            if self.attacks.attacked(self.us, to) {
                let mate = self.find_attacker(to, |from| {
                    let may_mate = coverable || self.openers().contains(from);
                    if may_mate { self.try_arrivals(from, to) } else { None }
                });
                if mate.is_some() {
                    return mate;
                }
            }
        }
        None
    }

    fn distant_drops(&self, to: Square) -> Option<Move> {
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

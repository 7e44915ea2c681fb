//! First family: a piece moved or dropped next to the king, on a square another piece supports.

use super::{Hunt, ring};
use crate::movement;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};

/// The kinds that can mate when dropped next to the king.
const DROPS: [PieceKind; 5] =
    [PieceKind::Gold, PieceKind::Silver, PieceKind::Rook, PieceKind::Bishop, PieceKind::Lance];

impl Hunt<'_> {
    #[inline]
    pub(super) fn adjacent(&self) -> Option<Move> {
        // Without support the king captures.
        if self.guarded == 0 {
            return None;
        }
        self.adjacent_drops().or_else(|| self.adjacent_moves())
    }

    #[inline]
    fn adjacent_drops(&self) -> Option<Move> {
        let hand = self.position.hand(self.us);
        if hand.is_empty() {
            return None;
        }
        let supported = self.guarded & self.around.empty;
        for kind in DROPS {
            if !hand.contains(kind) {
                continue;
            }
            let piece = Piece::new(self.us, kind);
            let squares = supported & ring::checks(piece) & ring::covering(piece, self.flights);
            for bit in neighbors::bits(squares) {
                let to = self.neighbor(bit)?;
                if let Some(mate) = self.try_drop(piece, to) {
                    return Some(mate);
                }
            }
        }
        None
    }

    #[inline]
    fn adjacent_moves(&self) -> Option<Move> {
        let coverable = ring::covering_by_any(self.flights);
        // A piece that opens a line may guard more than its own attacks.
        let targets = self.guarded & !self.around.ours;
        let any_coverable = targets & coverable == targets || self.openers().is_empty();
        let considered = if any_coverable { coverable } else { 0xff };
        for bit in neighbors::bits(targets & considered) {
            let to = self.neighbor(bit)?;
            let supporters = self.attacks.count(self.us, to);
            let mate = self.find_attacker(to, |from| {
                // The piece that moves supports no longer, but may hide a slider that will.
                let hides_support = || {
                    movement::line_direction(from, to)
                        .is_some_and(|line| self.attacks.slides(self.us, from).contains(line))
                };
                let may_mate = (coverable >> bit & 1 != 0 || self.openers().contains(from))
                    && (supporters >= 2 || hides_support());
                if may_mate { self.try_arrivals(from, to) } else { None }
            });
            if mate.is_some() {
                return mate;
            }
        }
        None
    }
}

//! First family: a piece moved or dropped next to the king, on a square another piece supports.

use super::{Hunt, ring};
use crate::attacks;
use crate::movement;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};

impl Hunt<'_> {
    #[inline]
    pub(super) fn adjacent(&self) -> Option<Move> {
        // Without support the king captures.
        let targets = self.guarded & !self.around.ours;
        if targets == 0 {
            return None;
        }
        // What holds for all but openers: the flights are covered, nobody captures.
        let promising = match targets & self.coverable {
            0 => 0,
            some => some & !neighbors::cut(self.defended(), self.king),
        };
        self.adjacent_drops(promising).or_else(|| self.adjacent_moves(targets, promising))
    }

    #[inline]
    fn adjacent_drops(&self, promising: u8) -> Option<Move> {
        let hand = self.position.hand(self.us);
        let supported = promising & self.around.empty;
        if supported == 0 || hand.is_empty() {
            return None;
        }
        // Written out, so that what each kind checks and covers is a constant's table.
        let of = |kind| self.adjacent_drops_of(kind, supported);
        of(PieceKind::Gold)
            .or_else(|| of(PieceKind::Silver))
            .or_else(|| of(PieceKind::Rook))
            .or_else(|| of(PieceKind::Bishop))
            .or_else(|| of(PieceKind::Lance))
    }

    #[inline(always)]
    fn adjacent_drops_of(&self, kind: PieceKind, supported: u8) -> Option<Move> {
        if !self.position.hand(self.us).contains(kind) {
            return None;
        }
        let piece = Piece::new(self.us, kind);
        let squares = supported & ring::checks(piece);
        if squares == 0 {
            return None;
        }
        neighbors::bits(squares & ring::covering(piece, self.flights))
            .find_map(|bit| self.try_drop(piece, self.neighbor(bit)?))
    }

    #[inline]
    fn adjacent_moves(&self, targets: u8, promising: u8) -> Option<Move> {
        let openers = self.openers();
        if promising == 0 && openers.is_empty() {
            return None;
        }
        // The piece that moves supports no longer, but may hide a slider that will: one whose
        // slide ends on it in the direction in which it moves.
        let supported = match promising {
            0 => 0,
            _ => {
                let ends = self.slide_ends().directions();
                let hidden = self.attacks.compass_of(self.us).keep(ends).squares();
                let twice = self.attacks.doubly_attacked_squares(self.us);
                promising & neighbors::cut(twice.union(hidden), self.king)
            }
        };
        let mut considered = supported;
        openers.visit(|from| {
            if let Some(piece) = self.board.piece_at(from) {
                let reached = attacks::targets(piece, from, self.board.occupied());
                considered |= neighbors::cut(reached, self.king) & targets;
            }
        });
        for bit in neighbors::bits(considered) {
            let to = self.neighbor(bit)?;
            let supporters = self.attacks.count(self.us, to);
            let mate = self.find_attacker(to, |from| {
                let hides_support = || {
                    movement::line_direction(from, to)
                        .is_some_and(|line| self.attacks.slides(self.us, from).contains(line))
                };
                let may_mate = (supported >> bit & 1 != 0 || openers.contains(from))
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

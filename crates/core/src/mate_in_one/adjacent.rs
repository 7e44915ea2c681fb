//! Mate in one by a contact check, the first family: a piece moves or is dropped next to the king,
//! on a square that another piece supports.

use super::finder::MateFinder;
use crate::hand::Hand;
use crate::mating_patterns;
use crate::movement;
use crate::moves::Move;
use crate::neighbors;
use crate::piece::{Piece, PieceKind};
use crate::rays;

/// [`Hand::CONTACT_DROP_KINDS`] in the order in which their drops are tried.
const DROPS: [PieceKind; Hand::CONTACT_DROP_KINDS.len()] = {
    let [lance, silver, gold, bishop, rook] = Hand::CONTACT_DROP_KINDS;
    [gold, silver, rook, bishop, lance]
};

impl MateFinder<'_> {
    #[inline]
    pub(super) fn adjacent(&self) -> Option<Move> {
        // The king captures a checker without support.
        let targets = self.guarded & !self.around.ours;
        // Unless an opener moves, the checker must cover all flights and stand where no defender
        // can capture it.
        let promising = match self.contact {
            0 => 0,
            some => some & !neighbors::byte(self.defended(), self.situation.king),
        };
        if promising == 0 && self.openers.is_empty() {
            return None;
        }
        self.adjacent_drops(promising).or_else(|| self.adjacent_moves(targets, promising))
    }

    #[inline]
    fn adjacent_drops(&self, promising: u8) -> Option<Move> {
        let hand = self.situation.position.hand(self.situation.us);
        let squares = promising & self.around.empty;
        if squares
            & mating_patterns::mating_drops(
                self.situation.us,
                hand.contact_drop_kinds(),
                self.flights,
            )
            == 0
        {
            return None;
        }
        DROPS.into_iter().filter(|&kind| hand.contains(kind)).find_map(|kind| {
            let piece = Piece::new(self.situation.us, kind);
            neighbors::bits(squares & mating_patterns::mates(piece, self.flights))
                .find_map(|bit| self.try_drop(piece, self.neighbor(bit)?))
        })
    }

    #[inline]
    fn adjacent_moves(&self, targets: u8, promising: u8) -> Option<Move> {
        let openers = self.openers;
        let mut considered = promising;
        if !openers.is_empty() {
            openers.visit(|from| {
                if let Some(piece) = self.situation.board.piece_at(from) {
                    let reached = rays::targets(piece, from, self.situation.board.occupied());
                    considered |= neighbors::byte(reached, self.situation.king) & targets;
                }
            });
        }
        // The moving piece no longer supports the square. Another piece must, or a slider behind
        // the moving piece: one whose slide ends on it in the direction of the move.
        let twice = self.situation.attacks.doubly_attacked_squares(self.situation.us);
        let hidden =
            self.situation.attacks.compass_of(self.situation.us).keep(self.opening).squares();
        for bit in
            neighbors::bits(considered & neighbors::byte(twice.union(hidden), self.situation.king))
        {
            let to = self.neighbor(bit)?;
            let supporters = self.situation.attacks.count(self.situation.us, to);
            let mate = self.find_attacker(to, |from| {
                let hides_support = || {
                    movement::line_direction(from, to).is_some_and(|line| {
                        self.situation.attacks.slides(self.situation.us, from).contains(line)
                    })
                };
                let may_mate = (promising >> bit & 1 != 0 || openers.contains(from))
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

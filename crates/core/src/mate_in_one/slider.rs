//! Second family: a slider checking from two or more squares away.

use super::Hunt;
use crate::direction::Direction;
use crate::moves::Move;
use crate::piece::PieceKind;

impl Hunt<'_> {
    pub(super) fn slider(&self) -> Option<Move> {
        // A piece that may be dropped on any rank answers every distant check.
        if self.defender_can_always_interpose() {
            return None;
        }
        Direction::COMPASS.into_iter().find_map(|direction| self.distant_check(direction))
    }

    pub(super) fn defender_can_always_interpose(&self) -> bool {
        let hand = self.position.hand(self.them);
        hand.iter().any(|(kind, _)| kind.dead_ranks() == 0)
    }

    /// Checks from squares seen from the king in one direction, at distance two or more.
    fn distant_check(&self, direction: Direction) -> Option<Move> {
        use PieceKind::{Bishop, Lance, Rook};
        let position = self.position;
        let mut to = self.king.offset(direction.offset())?;
        while position.board().is_empty(to) {
            to = to.offset(direction.offset())?;
            if position.squares_of(self.us).contains(to) {
                return None;
            }
            let found = self.try_drops(to, &[Rook, Bishop, Lance]).or_else(|| {
                position.attackers(self.us, to).find_map(|from| self.try_arrivals(from, to))
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

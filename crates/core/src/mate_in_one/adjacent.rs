//! First family: a piece moved or dropped next to the king, on a square another piece supports.

use super::Hunt;
use crate::direction::Direction;
use crate::moves::Move;
use crate::piece::PieceKind;

impl Hunt<'_> {
    pub(super) fn adjacent(&self) -> Option<Move> {
        use PieceKind::{Bishop, Gold, Lance, Rook, Silver};
        let position = self.position;
        for direction in Direction::COMPASS {
            let Some(to) = self.king.offset(direction.offset()) else { continue };
            let supporters = position.attacks().count(self.us, to);
            // Without support the king captures.
            if supporters == 0 || position.squares_of(self.us).contains(to) {
                continue;
            }
            let found = self.try_drops(to, &[Gold, Silver, Rook, Bishop, Lance]).or_else(|| {
                position.attackers(self.us, to).find_map(|from| {
                    // The piece that moves supports no longer, but may have hidden one that does.
                    let hides_support = !position.attacks().slides(self.us, from).is_empty();
                    if supporters >= 2 || hides_support {
                        self.try_arrivals(from, to)
                    } else {
                        None
                    }
                })
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

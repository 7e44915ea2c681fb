//! Fourth family: a knight moved or dropped.

use super::Hunt;
use crate::movement;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};

impl Hunt<'_> {
    pub(super) fn knight(&self) -> Option<Move> {
        let knight = Piece::new(self.us, PieceKind::Knight);
        for direction in movement::steps(knight) {
            let Some(to) = self.king.offset(-direction.offset()) else { continue };
            if self.position.squares_of(self.us).contains(to) {
                continue;
            }
            let found = self.try_drops(to, &[PieceKind::Knight]).or_else(|| {
                movement::steps(knight).find_map(|direction| {
                    let from = to.offset(-direction.offset())?;
                    if self.position.piece_at(from)? == knight {
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

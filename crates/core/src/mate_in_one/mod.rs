//! Mate in one (一手詰) without lookahead: finds a move that mates at once, without making any move.
//!
//! The method follows Yamazaki, Seno, Iida and Kotani, "A method of computing mate in one without
//! lookahead in shogi" (1990s). The free squares around the king form one byte. A checking move
//! mates if the king has no free square left, nothing can capture the checker, and nothing can be
//! interposed.
//!
//! The search has three steps. [`prefilter`] rejects most positions by conditions that every mate
//! meets, whole bytes at a time. Four families of moves then look for candidates, one file each:
//! [`adjacent`], [`knight`], [`slider`] and [`discovered`]. [`after`] decides each candidate
//! exactly. It reads the attack map and walks only the lines that the move changes.
//!
//! Contract: a returned move mates, and `None` means that no legal move mates. Pawn drops are never
//! candidates, because a pawn drop must not mate (打ち歩詰め).

mod adjacent;
mod after;
mod discovered;
mod finder;
mod knight;
mod prefilter;
mod slider;

use finder::MateFinder;
use prefilter::Prefilter;

use crate::moves::Move;
use crate::position::Position;

impl Position {
    /// A move that mates at once, or `None` if no legal move does.
    ///
    /// This works in check, too, and for a side without a king.
    // Inlined into a search, it takes up to 3 % more instructions. The prefilter, which rejects half
    // of all positions, needs few registers.
    #[inline(never)]
    pub fn mate_in_one(&self) -> Option<Move> {
        let us = self.side_to_move();
        let placement = self.placement();
        let prefilter = Prefilter::new(placement, us, self.hand(!us))?;
        let finder = MateFinder::new(self, placement, &prefilter);
        finder
            .adjacent()
            .or_else(|| finder.knight())
            .or_else(|| finder.slider())
            .or_else(|| finder.discovered())
    }
}

//! Mate in one without lookahead: which move mates at once, told from the board as it stands.
//!
//! After Yamazaki, Seno, Iida and Kotani, "A method of computing mate in one without lookahead in
//! shogi" (1990s): the free squares around the king form one byte, and a checking move mates if
//! it leaves no bit of it, cannot be captured, and cannot be answered by interposing. The moves
//! that can mate fall into four families, one file each. Each family first turns away what
//! cannot mate by cheap necessary conditions, whole bytes at a time; what is left is decided
//! exactly by [`after`], which reads the attack map and walks only the lines that the move
//! changes. No move is made.
//!
//! Contract: a move that is returned mates, and `None` means that no legal move mates. Pawn drops
//! are never considered, because a pawn drop that mates is illegal.

mod adjacent;
mod after;
mod discovered;
mod finder;
mod knight;
mod prefilter;
mod slider;

use finder::MateFinder;
use prefilter::Prefilter;

use crate::king_danger::KingDanger;
use crate::moves::Move;
use crate::position::Position;

impl Position {
    /// A move that mates at once, or `None` if no legal move does.
    ///
    /// Works in check, too, and for a side without a king.
    pub fn mate_in_one(&self) -> Option<Move> {
        if self.allows_no_mate() { None } else { self.find_mate_in_one() }
    }
}

impl Position {
    /// Whether the last move is known to allow no mate without a look at the board after it.
    #[inline]
    fn allows_no_mate(&self) -> bool {
        self.last_change().is_some_and(|(before, mv, notes)| {
            let them = mv.color();
            let danger = notes.king_dangers[them]
                .get_or_init(|| KingDanger::new(before.board(), before.attacks(), them));
            danger.as_ref().is_none_or(|danger| danger.allows_no_mate(mv, before, self.hands()))
        })
    }

    /// Looks for a mate on the board as it stands. The gate, which turns away half of all
    /// positions, is a function of its own, for which few registers suffice.
    #[inline(never)]
    fn find_mate_in_one(&self) -> Option<Move> {
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

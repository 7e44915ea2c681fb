//! Pins: which pieces must not leave the line between their king and an enemy slider. They are read
//! from the maps in `placement/attacks.rs`.

use crate::color::Color;
use crate::lanes::Chosen;
use crate::movement;
use crate::placement::Placement;
use crate::position::Position;
use crate::rays::Rays;
use crate::square::Square;
use crate::square_set::SquareSet;

impl Position {
    /// The pinned pieces of a color: those that must not leave the line between their king and an
    /// enemy slider.
    #[inline]
    pub fn pinned(&self, color: Color) -> SquareSet {
        self.placement().pinned(color)
    }
}

/// Whether a move of a pinned piece stays on its line: the target lies in the same direction from
/// the king as the origin.
#[inline]
pub(crate) fn stays_on_line(king: Square, from: Square, to: Square) -> bool {
    movement::compass(king, from) == movement::compass(king, to)
}

impl Placement {
    /// The pinned pieces of a color: those that must not leave the line between their king and an
    /// enemy slider.
    #[inline]
    pub(crate) fn pinned(&self, color: Color) -> SquareSet {
        let king = self.board().king(color);
        king.map_or(SquareSet::EMPTY, |king| self.line_guards(king, color, !color))
    }

    /// The pieces of `owner` that stand alone between a king and a slider of `attacker`. They are
    /// pinned if they are the king's own. They can give a discovered check if they are the
    /// attacker's.
    #[inline(always)]
    pub(crate) fn line_guards(&self, king: Square, owner: Color, attacker: Color) -> SquareSet {
        let (board, slides) = (self.board(), self.attacks().slides_of(attacker));
        line_guards(king, board.pieces(owner), slides, board.occupied())
    }
}

/// Those of some pieces that stand alone between a king and a slider, given the slides.
#[inline(always)]
pub(crate) fn line_guards(
    king: Square,
    pieces: SquareSet,
    slides: Rays<Chosen>,
    occupied: SquareSet,
) -> SquareSet {
    // Pieces on which slides towards the king end. Mostly there are none.
    let facing = Rays::<Chosen>::full(king).opposite();
    let ends = slides.within(pieces).and(facing);
    if ends.directions() == 0 {
        return SquareSet::EMPTY;
    }
    // Of these, the first that is seen from the king.
    Rays::seen(king, occupied).and(ends.opposite()).squares()
}

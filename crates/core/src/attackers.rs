//! The pieces that attack a square, read from the maps in `placement/attacks.rs`.

use crate::color::Color;
use crate::direction::DirectionSet;
use crate::lanes::Chosen;
use crate::placement::Placement;
use crate::position::Position;
use crate::rays::Rays;
use crate::square::Square;
use crate::square_set::SquareSet;

impl Position {
    /// The squares of all pieces of a color that attack the square.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square) -> SquareSet {
        self.placement().attackers(color, square)
    }
}

impl Placement {
    /// The squares of all pieces of a color that attack the square.
    #[inline]
    pub(crate) fn attackers(&self, color: Color, square: Square) -> SquareSet {
        let steps = self.attacks().steps(color, square);
        let slides = self.attacks().slides(color, square);
        let occupied = self.board().occupied();
        // An attacker stands against its direction of attack: next to the square, or on the first
        // occupied square seen there.
        let seen = Rays::<Chosen>::seen(square, occupied).within(occupied);
        let beside = Rays::<Chosen>::neighbors(square);
        let back = |directions: DirectionSet| directions.opposite().bits() as u8;
        let mut attackers = seen.keep(back(slides)).or(beside.keep(back(steps))).squares();
        for jump in steps.difference(DirectionSet::COMPASS) {
            if let Some(from) = square.neighbor(jump.opposite()) {
                attackers.insert(from);
            }
        }
        attackers
    }
}

//! Who checks, who attacks a square, and who is pinned, read from the attack map.

use crate::color::Color;
use crate::direction::DirectionSet;
use crate::lanes::Chosen;
use crate::movement;
use crate::placement::Placement;
use crate::position::Position;
use crate::rays::{self, Rays};
use crate::square::Square;
use crate::square_set::SquareSet;

impl Position {
    /// The squares of all pieces of a color that attack the square.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square) -> SquareSet {
        self.placement().attackers(color, square)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        let note = &self.notes().in_check;
        note.get().unwrap_or_else(|| {
            let in_check = self.is_attacked_king(self.side_to_move());
            note.set(Some(in_check));
            in_check
        })
    }

    /// Whether the given color's king is attacked. A side without a king never is.
    #[inline]
    pub(crate) fn is_attacked_king(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| self.attacks().attacked(!color, king))
    }

    /// The squares next to a color's king that hold no piece of its own and are not attacked, as the
    /// board is: what hides behind the king is not looked at.
    #[inline]
    pub fn flights(&self, color: Color) -> SquareSet {
        let Some(king) = self.king(color) else { return SquareSet::EMPTY };
        let held = self.board().pieces(color);
        rays::neighbors(king).difference(held).difference(self.attacks().attacked_squares(!color))
    }

    /// The squares of the pieces that give check to the side to move. In a game these are none, one
    /// or two; a position that is set up may have more.
    #[inline]
    pub fn checkers(&self) -> SquareSet {
        let us = self.side_to_move();
        self.king(us).map_or(SquareSet::EMPTY, |king| self.attackers(!us, king))
    }

    /// The color's own pieces that must not leave the line between their king and an enemy slider.
    #[inline]
    pub fn pinned(&self, color: Color) -> SquareSet {
        self.placement().pinned(color)
    }

    /// Whether a move of a pinned piece stays on its line: the target lies in the same direction
    /// from the king as the origin.
    #[inline]
    pub(crate) fn stays_on_line(king: Square, from: Square, to: Square) -> bool {
        movement::line(king, from) == movement::line(king, to)
    }

    /// The squares strictly between two squares of one line; none for any other pair.
    #[inline]
    pub(crate) fn between(from: Square, to: Square) -> SquareSet {
        match movement::line(from, to) {
            Some(direction) => {
                let seen = rays::ray(from, direction);
                seen.intersection(rays::ray(to, direction.opposite()))
            }
            None => SquareSet::EMPTY,
        }
    }
}

impl Placement {
    /// The squares of all pieces of a color that attack the square.
    #[inline]
    pub(crate) fn attackers(&self, color: Color, square: Square) -> SquareSet {
        let steps = self.attacks().steps(color, square);
        let slides = self.attacks().slides(color, square);
        let occupied = self.board().occupied();
        // Who attacks in a direction stands in the opposite one: next to the square, or where
        // the first occupied square is seen.
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

    /// The color's own pieces that must not leave the line between their king and an enemy slider.
    #[inline]
    pub(crate) fn pinned(&self, color: Color) -> SquareSet {
        let king = self.board().king(color);
        king.map_or(SquareSet::EMPTY, |king| self.line_guards(king, color, !color))
    }

    /// The pieces of `owner` that alone stand between a king and a slider of `attacker`: pinned
    /// if they are the king's own, ready to give a discovered check if they are the attacker's.
    #[inline(always)]
    pub(crate) fn line_guards(&self, king: Square, owner: Color, attacker: Color) -> SquareSet {
        let (board, slides) = (self.board(), self.attacks().slides_of(attacker));
        line_guards(king, board.pieces(owner), slides, board.occupied())
    }
}

/// Which of some pieces alone stand between a king and a slider, of which the slides are given.
#[inline(always)]
pub(crate) fn line_guards(
    king: Square,
    pieces: SquareSet,
    slides: Rays<Chosen>,
    occupied: SquareSet,
) -> SquareSet {
    // Pieces on which slides towards the king end; mostly there are none.
    let facing = Rays::<Chosen>::full(king).opposite();
    let ends = slides.within(pieces).and(facing);
    if ends.directions() == 0 {
        return SquareSet::EMPTY;
    }
    // Of these, the first that is seen from the king.
    Rays::seen(king, occupied).and(ends.opposite()).squares()
}

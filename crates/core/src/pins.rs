//! Checks, pins and flight squares: who gives check, who attacks a square, which pieces are pinned.
//! All are read from the maps in `placement/attacks.rs`.

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

    /// The flight squares of a color's king, read off the board as it is: the squares next to the
    /// king without a piece of its own that the other side does not attack. X-rays do not count: a
    /// square behind the king on the line of a checking slider is a flight here, although the king
    /// may not legally go there.
    #[inline]
    pub fn flights(&self, color: Color) -> SquareSet {
        let Some(king) = self.king(color) else { return SquareSet::EMPTY };
        let held = self.board().pieces(color);
        rays::neighbors(king).difference(held).difference(self.attacks().attacked_squares(!color))
    }

    /// The squares of the pieces that give check to the side to move. In a game there are at most
    /// two; a position that is set up may have more.
    #[inline]
    pub fn checkers(&self) -> SquareSet {
        let us = self.side_to_move();
        self.king(us).map_or(SquareSet::EMPTY, |king| self.attackers(!us, king))
    }

    /// The pinned pieces of a color: those that must not leave the line between their king and an
    /// enemy slider.
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

    /// The squares strictly between two squares on one line: where a piece could be interposed.
    /// Empty for any other pair.
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

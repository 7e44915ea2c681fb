//! Who checks, who attacks a square, and who is pinned, read from the attack map.

use arrayvec::ArrayVec;

use crate::color::Color;
use crate::movement;
use crate::planes;
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

impl Position {
    /// The squares of all pieces of a color that attack the square.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square) -> SquareSet {
        let steps = self.attacks().steps(color, square);
        let slides = self.attacks().slides(color, square);
        steps
            .filter_map(|direction| square.offset(-direction.offset()))
            .chain(
                slides
                    .filter_map(|direction| self.board().first_piece(square, direction.opposite())),
            )
            .collect()
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.is_attacked_king(self.side_to_move())
    }

    /// Whether the given color's king is attacked. A side without a king never is.
    #[inline]
    pub(crate) fn is_attacked_king(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| self.attacks().attacked(!color, king))
    }

    /// The squares of the pieces that give check to the side to move: none, one or two.
    #[inline]
    pub fn checkers(&self) -> ArrayVec<Square, 2> {
        let us = self.side_to_move();
        match self.king(us) {
            // A position set up by hand may show more than two; two decide all that matters.
            Some(king) => self.attackers(!us, king).take(2).collect(),
            None => ArrayVec::new(),
        }
    }

    /// The color's own pieces that must not leave the line between their king and an enemy slider.
    #[inline]
    pub fn pinned(&self, color: Color) -> SquareSet {
        self.king(color).map_or(SquareSet::EMPTY, |king| self.line_guards(king, color, !color))
    }

    /// The pieces of `owner` that alone stand between a king and a slider of `attacker`: pinned
    /// if they are the king's own, ready to give a discovered check if they are the attacker's.
    #[inline(always)]
    pub(crate) fn line_guards(&self, king: Square, owner: Color, attacker: Color) -> SquareSet {
        let hit = planes::slide_targets(self.attacks().slides_plane(), attacker);
        let mut guards = SquareSet::EMPTY;
        for guard in
            self.board().pieces(owner).intersection(hit).intersection(movement::lines(king))
        {
            let Some(direction) = movement::line_direction(guard, king) else { continue };
            if self.attacks().slides(attacker, guard).contains(direction)
                && self.board().first_piece(guard, direction) == Some(king)
            {
                guards.insert(guard);
            }
        }
        guards
    }

    /// Whether a move of a pinned piece stays on its line: the target lies in the same direction
    /// from the king as the origin.
    #[inline]
    pub(crate) fn stays_on_line(king: Square, from: Square, to: Square) -> bool {
        movement::line_direction(king, from) == movement::line_direction(king, to)
    }

    /// The squares strictly between two squares of one line; none for any other pair.
    #[inline]
    pub(crate) fn between(from: Square, to: Square) -> SquareSet {
        let mut squares = SquareSet::EMPTY;
        if let Some(displacement) = movement::displacement(from, to) {
            let mut index = from.index();
            for _ in 1..displacement.distance {
                index = index.wrapping_add_signed(displacement.direction.offset() as isize);
                if let Some(square) = Square::from_index(index) {
                    squares.insert(square);
                }
            }
        }
        squares
    }
}

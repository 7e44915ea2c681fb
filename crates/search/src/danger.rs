//! What the opponent attacks, and which pieces hang, as static values, pruning, the order of moves and
//! the history tables see it. All is read from the attack maps of the position.

use tsumero_core::{Color, Move, Position, SquareSet};

use crate::evaluate::exchange_value;
use crate::near::near;

/// The squares that each color attacks. They are collected from the attack maps once for all that a node
/// asks.
pub(crate) struct Attacked([SquareSet; 2]);

impl Attacked {
    /// What is attacked in a position.
    #[inline]
    pub(crate) fn of(position: &Position) -> Attacked {
        Attacked(Color::ALL.map(|color| position.attacks().attacked_squares(color)))
    }

    #[inline]
    fn by(&self, color: Color) -> SquareSet {
        self.0[color.index()]
    }
}

/// What the opponent of the side to move attacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Danger {
    /// The squares that the opponent attacks.
    attacked: SquareSet,
    /// Those that the side to move does not attack. A piece that stands there hangs: the opponent can
    /// take it for nothing.
    unguarded: SquareSet,
    /// Those that the side to move attacks at most once: a piece that moves there hangs. It attacks
    /// its target, but does not defend it after the move.
    lost_by_moving_to: SquareSet,
}

impl Danger {
    /// No attacks.
    pub(crate) const NONE: Danger = Danger {
        attacked: SquareSet::EMPTY,
        unguarded: SquareSet::EMPTY,
        lost_by_moving_to: SquareSet::EMPTY,
    };
    /// Number of classes of quiet moves.
    pub(crate) const CLASSES: usize = 9;

    /// What is attacked in a position.
    #[inline]
    pub(crate) fn of(position: &Position, attacked: &Attacked) -> Danger {
        let us = position.side_to_move();
        let theirs = attacked.by(!us);
        let twice = position.attacks().doubly_attacked_squares(us);
        Danger {
            attacked: theirs,
            unguarded: theirs.difference(attacked.by(us)),
            lost_by_moving_to: theirs.difference(twice),
        }
    }

    /// Whether a quiet move leaves a square on which its piece hangs, and whether it goes to one.
    #[inline]
    pub(crate) fn leaves_and_enters(&self, mv: Move) -> (bool, bool) {
        match mv.from() {
            Some(from) => (self.unguarded.contains(from), self.lost_by_moving_to.contains(mv.to())),
            None => (false, self.unguarded.contains(mv.to())),
        }
    }

    /// The class of a quiet move for the history tables: its origin is safe (0), attacked (1) or
    /// unguarded (2), and so is its target (0, 3, 6).
    #[inline]
    pub(crate) fn class(&self, mv: Move) -> usize {
        let (leaves, enters) = self.leaves_and_enters(mv);
        let is_attacked = |square| usize::from(self.attacked.contains(square));
        let origin = mv.from().map_or(0, is_attacked) + usize::from(leaves);
        origin + 3 * (is_attacked(mv.to()) + usize::from(enters))
    }

    /// Number of squares near the own king that the opponent attacks.
    #[inline]
    pub(crate) fn pressure(&self, position: &Position) -> i32 {
        near(position.king(position.side_to_move())).intersection(self.attacked).len() as i32
    }

    /// The squares that the opponent attacks; those of them on which a piece hangs, if it stands or is
    /// dropped there; and those on which it hangs after it has moved there.
    #[inline]
    pub(crate) fn sets(&self) -> [SquareSet; 3] {
        [self.attacked, self.unguarded, self.lost_by_moving_to]
    }
}

/// The exchange value of the most valuable piece of a color that its opponent can take for nothing,
/// or 0.
#[inline]
pub(crate) fn hanging(position: &Position, attacked: &Attacked, color: Color) -> i32 {
    let targets = position.squares_of(color).intersection(attacked.by(!color));
    let squares = targets.difference(attacked.by(color));
    let pieces = squares.into_iter().filter_map(|square| position.piece_at(square));
    pieces.map(|piece| exchange_value(piece.kind())).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_games;
    use tsumero_core::Square;

    /// The sets and values are those that the lists of attackers of each square give.
    #[test]
    fn dangers_are_those_of_the_attackers_of_each_square() {
        let (mut found, mut classes) = (0, [0; Danger::CLASSES]);
        random_games(17, 12, 120, |position| {
            let us = position.side_to_move();
            let attacked = Attacked::of(position);
            let danger = Danger::of(position, &attacked);
            let attackers =
                |color: Color, square: Square| position.attackers(color, square).len() as usize;
            let greatest = |color: Color| {
                let pieces = position.pieces().filter(|(square, piece)| {
                    piece.color() == color
                        && attackers(!color, *square) > 0
                        && attackers(color, *square) == 0
                });
                pieces.map(|(_, piece)| exchange_value(piece.kind())).max().unwrap_or(0)
            };
            for color in Color::ALL {
                let value = hanging(position, &attacked, color);
                assert_eq!(value, greatest(color), "{color:?} in {position}");
            }
            found += usize::from(greatest(us) > 0);
            let is_near = |square: &Square| near(position.king(us)).contains(*square);
            let pressed = Square::all().filter(is_near).filter(|&at| attackers(!us, at) > 0);
            assert_eq!(danger.pressure(position), pressed.count() as i32, "{position}");
            for mv in position.legal_moves() {
                let state = |square: Square, guards: usize| match attackers(!us, square) {
                    0 => 0,
                    _ => 1 + usize::from(attackers(us, square) <= guards),
                };
                let class = match mv.from() {
                    Some(from) => state(from, 0) + 3 * state(mv.to(), 1),
                    None => 3 * state(mv.to(), 0),
                };
                assert_eq!(danger.class(mv), class, "{mv} in {position}");
                classes[class] += 1;
            }
        });
        assert!(found > 300 && classes.iter().all(|&count| count > 20), "{found} {classes:?}");
    }
}

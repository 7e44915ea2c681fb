//! Movement: which kinds can make which move, computed from the table of vectors of ordinary shogi.
//!
//! Directions are numbered clockwise from the owner's forward direction, as `Compass` numbers them
//! for Black, so that straight ones are even and diagonal ones odd. Squares are numbered as by
//! `Square::dense_index`.

use tsumero_core::{Color, Compass, vectors};

use crate::kind_set::{Kind, KindSet};

/// The kinds that can move one square in a direction, and those that can move further.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The kinds that can go to the neighboring square.
    pub(crate) step: KindSet,
    /// The kinds that can go on over empty squares.
    pub(crate) slide: KindSet,
}

/// Number of directions.
pub(crate) const DIRECTIONS: usize = Compass::ALL.len();

/// The kinds, promoted or not, that have a vector, or only those that may repeat it.
const fn kinds_with(vector: (i8, i8), promoted: bool, sliding: bool) -> KindSet {
    let mut bits = 0;
    let mut number = 0;
    while number < Kind::ALL.len() {
        if let Some(kind) = Kind::ALL[number].piece_kind(promoted) {
            let vectors = vectors(kind);
            let mut index = 0;
            while index < vectors.len() {
                let own = vectors[index];
                if own.dx == vector.0 && own.dy == vector.1 && (own.slides || !sliding) {
                    bits |= 1 << number;
                }
                index += 1;
            }
        }
        number += 1;
    }
    KindSet::from_bits(bits)
}

/// The kinds that jump like a knight, by promotion.
pub(crate) const JUMP: [KindSet; 2] =
    [kinds_with((1, -2), false, false), kinds_with((1, -2), true, false)];

/// The reach in each direction. The first row is for unpromoted pieces, the second for promoted ones.
pub(crate) const REACH: [[Reach; DIRECTIONS]; 2] = {
    let nothing = Reach { step: KindSet::EMPTY, slide: KindSet::EMPTY };
    let mut table = [[nothing; DIRECTIONS]; 2];
    let mut number = 0;
    while number < 2 * DIRECTIONS {
        let (promoted, direction) = (number / DIRECTIONS, number % DIRECTIONS);
        table[promoted][direction] = Reach {
            step: kinds_with(STEPS[direction], promoted == 1, false),
            slide: kinds_with(STEPS[direction], promoted == 1, true),
        };
        number += 1;
    }
    table
};

/// Turns a direction (0 to 7) of the color into one of Black's view.
#[inline]
pub(crate) const fn as_black(direction: usize, color: Color) -> usize {
    match color {
        Color::Black => direction,
        Color::White => (direction + 4) % DIRECTIONS,
    }
}

/// File and rank steps of the directions in Black's view. A lower rank is forward, a lower file is
/// to the right.
const STEPS: [(i8, i8); DIRECTIONS] = {
    let mut steps = [(0, 0); DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        steps[direction] = Compass::ALL[direction].direction().vector();
        direction += 1;
    }
    steps
};

/// The squares in one direction from a square, nearest first.
#[derive(Clone, Copy)]
pub(crate) struct Ray {
    squares: [u8; 8],
    len: u8,
}

impl Ray {
    /// The squares, 0 to 80 each.
    #[inline]
    pub(crate) fn squares(&self) -> &[u8] {
        &self.squares[..usize::from(self.len & 15)]
    }
}

const fn shifted(square: usize, step: (i8, i8)) -> Option<u8> {
    let file = (square / 9) as i8 + step.0;
    let rank = (square % 9) as i8 + step.1;
    if file < 0 || file > 8 || rank < 0 || rank > 8 { None } else { Some((file * 9 + rank) as u8) }
}

/// By square and direction from Black's side.
pub(crate) static RAYS: [[Ray; DIRECTIONS]; 81] = {
    let mut rays = [[Ray { squares: [0; 8], len: 0 }; DIRECTIONS]; 81];
    let mut square = 0;
    while square < 81 {
        let mut direction = 0;
        while direction < DIRECTIONS {
            let ray = &mut rays[square][direction];
            let mut next = shifted(square, STEPS[direction]);
            while let Some(to) = next {
                ray.squares[ray.len as usize] = to;
                ray.len += 1;
                next = shifted(to as usize, STEPS[direction]);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// Whether the second square is beside the first one.
pub(crate) static BESIDE: [[bool; 81]; 81] = {
    let mut beside = [[false; 81]; 81];
    let mut square = 0;
    while square < 81 {
        let mut direction = 0;
        while direction < DIRECTIONS {
            if let Some(neighbor) = shifted(square, STEPS[direction]) {
                beside[square][neighbor as usize] = true;
            }
            direction += 1;
        }
        square += 1;
    }
    beside
};

/// Where a knight's jump leads, by color and square.
pub(crate) static JUMPS: [[[Option<u8>; 2]; 81]; 2] = {
    let mut jumps = [[[None; 2]; 81]; 2];
    let mut square = 0;
    while square < 81 {
        jumps[0][square] = [shifted(square, (-1, -2)), shifted(square, (1, -2))];
        jumps[1][square] = [shifted(square, (1, 2)), shifted(square, (-1, 2))];
        square += 1;
    }
    jumps
};

/// A displacement as the mover sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vector {
    /// A number of squares (at least 1) in a direction.
    Line { direction: usize, distance: u8 },
    /// A knight's jump.
    Jump,
    /// A displacement that no kind can make.
    Nothing,
}

impl Vector {
    /// Classifies a displacement as the mover sees it. A negative `dy` is forward. The sign of `dx`
    /// makes no difference to any kind.
    pub(crate) fn new(dx: i8, dy: i8) -> Vector {
        let (width, height) = (dx.unsigned_abs(), dy.unsigned_abs());
        if width == 1 && dy == -2 {
            return Vector::Jump;
        }
        let distance = width.max(height);
        if distance == 0 || width != 0 && height != 0 && width != height {
            return Vector::Nothing;
        }
        let step = (dx.signum(), dy.signum());
        match STEPS.iter().position(|&s| s == step) {
            Some(direction) => Vector::Line { direction, distance },
            None => Vector::Nothing,
        }
    }

    /// The kinds that can make the displacement when nothing stands in between.
    pub(crate) fn kinds(self, promoted: bool) -> KindSet {
        let row = usize::from(promoted);
        match self {
            Vector::Line { direction, distance: 1 } => REACH[row][direction].step,
            Vector::Line { direction, .. } => REACH[row][direction].slide,
            Vector::Jump => JUMP[row],
            Vector::Nothing => KindSet::EMPTY,
        }
    }
}

/// The kinds, promoted or not, that can make a displacement when nothing stands in between. The
/// displacement is as the mover sees it (negative `dy` is forward). Empty if no kind can make it.
pub fn kinds_that_move(dx: i8, dy: i8, promoted: bool) -> KindSet {
    Vector::new(dx, dy).kinds(promoted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::Square;

    #[test]
    fn some_moves_every_player_knows() {
        let kinds = |dx, dy, promoted| kinds_that_move(dx, dy, promoted).to_string();
        assert_eq!(kinds(0, -1, false), "PLSGRK");
        assert_eq!(kinds(0, -3, false), "LR");
        assert_eq!(kinds(1, -2, false), "N");
        assert_eq!(kinds(-1, 2, false), "-");
        assert_eq!(kinds(-1, 1, false), "SBK");
        assert_eq!(kinds(4, 4, false), "B");
        assert_eq!(kinds(0, 1, true), "PLNSBR");
        assert_eq!(kinds(1, 1, true), "BR");
        assert_eq!(kinds(0, -2, true), "R");
        assert_eq!(kinds(0, 0, false), "-");
        assert_eq!(kinds(2, -1, false), "-");
    }

    #[test]
    fn squares_beside_one_another_are_at_most_a_step_apart() {
        for from in Square::all() {
            for to in Square::all() {
                let files = from.file().index().abs_diff(to.file().index());
                let ranks = from.rank().index().abs_diff(to.rank().index());
                let beside = BESIDE[from.dense_index()][to.dense_index()];
                assert_eq!(beside, files.max(ranks) == 1, "{from} {to}");
            }
        }
    }

    #[test]
    fn moves_to_the_left_and_to_the_right_are_alike() {
        for promoted in [false, true] {
            for dx in -8..=8 {
                for dy in -8..=8 {
                    assert_eq!(
                        kinds_that_move(dx, dy, promoted),
                        kinds_that_move(-dx, dy, promoted)
                    );
                }
            }
        }
    }
}

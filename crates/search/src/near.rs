//! Which squares are near a square, such as a king's.

use tsumero_core::{Square, SquareSet};

/// The squares at most two steps away from a square, by [`Square::index`], with the square itself.
static NEAR: [SquareSet; Square::CELLS] = {
    let mut table = [SquareSet::EMPTY; Square::CELLS];
    let mut number = 0;
    while let Some(center) = Square::from_dense_index(number) {
        let mut other = 0;
        while let Some(square) = Square::from_dense_index(other) {
            let files = center.file().index().abs_diff(square.file().index());
            let ranks = center.rank().index().abs_diff(square.rank().index());
            if files <= 2 && ranks <= 2 {
                table[center.index()] = table[center.index()].with(square);
            }
            other += 1;
        }
        number += 1;
    }
    table
};

/// The squares at most two steps away from a square, with the square itself; none without a square.
#[inline]
pub(crate) fn near(square: Option<Square>) -> SquareSet {
    square.map_or(SquareSet::EMPTY, |square| NEAR[square.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_near_another_if_a_king_gets_there_in_two_moves() {
        for (square, count) in [("5e", 25), ("1a", 9), ("9i", 9), ("5a", 15), ("2e", 20)] {
            let center: Square = square.parse().unwrap();
            let around = near(Some(center));
            assert_eq!(around.len(), count, "{square}");
            assert!(around.contains(center));
        }
        let corner = near(Some("1a".parse().unwrap()));
        assert!(corner.contains("3c".parse().unwrap()) && !corner.contains("4a".parse().unwrap()));
        assert!(near(None).is_empty());
    }
}

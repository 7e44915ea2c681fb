//! Sets of pieces.

use std::ops::{BitAnd, BitOr};

use crate::piece::PieceId;

/// A set of pieces of both sides: bit 0 for piece A to bit 39 for piece t.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PieceSet(u64);

impl PieceSet {
    pub(crate) const EMPTY: PieceSet = PieceSet(0);

    #[inline]
    pub(crate) const fn of(piece: PieceId) -> PieceSet {
        PieceSet(1 << piece.number())
    }

    #[inline]
    pub(crate) const fn contains(self, piece: PieceId) -> bool {
        self.0 & PieceSet::of(piece).0 != 0
    }

    #[inline]
    pub(crate) fn insert(&mut self, piece: PieceId) {
        self.0 |= PieceSet::of(piece).0;
    }

    #[inline]
    pub(crate) fn remove(&mut self, piece: PieceId) {
        self.0 &= !PieceSet::of(piece).0;
    }

    /// The pieces of this set that are not in the other one.
    #[inline]
    pub(crate) const fn without(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & !other.0)
    }

    /// The pieces in the order of their numbers.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = PieceId> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let piece = PieceId::new(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(piece)
        })
    }
}

impl BitOr for PieceSet {
    type Output = PieceSet;

    #[inline]
    fn bitor(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }
}

impl BitAnd for PieceSet {
    type Output = PieceSet;

    #[inline]
    fn bitand(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & other.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::prelude::*;

    use super::*;

    #[test]
    fn a_set_holds_what_a_set_of_the_standard_library_holds() {
        let mut rng = StdRng::seed_from_u64(3);
        let pieces: Vec<PieceId> = PieceId::all().collect();
        let (mut one, mut other) = ((PieceSet::EMPTY, BTreeSet::new()), Default::default());
        for _ in 0..500 {
            let (set, model): &mut (PieceSet, BTreeSet<PieceId>) = &mut one;
            let &piece = pieces.choose(&mut rng).unwrap();
            if rng.random() {
                set.insert(piece);
                model.insert(piece);
            } else {
                set.remove(piece);
                model.remove(&piece);
            }
            assert_eq!(set.contains(piece), model.contains(&piece));
            assert!(set.iter().eq(model.iter().copied()));
            std::mem::swap(&mut one, &mut other);
            assert!((one.0 & other.0).iter().eq(one.1.intersection(&other.1).copied()));
            assert!((one.0 | other.0).iter().eq(one.1.union(&other.1).copied()));
            assert!(one.0.without(other.0).iter().eq(one.1.difference(&other.1).copied()));
        }
    }
}

//! Odds: how likely a piece is to be of each kind, if all possible assignments are equally likely.

use crate::army::{ARMY_SIZE, Army};
use crate::kind_set::{Kind, KindSet};

/// Exact counts of the assignments of kinds to the 20 pieces of a side. An assignment uses every
/// kind as often as it exists, and gives every piece one of its kinds. Two assignments differ when
/// some piece has different kinds in them. There are at most 20! / (9! · 2!⁴) of them.
///
/// ```
/// use tsumero_quantum::{Army, Kind, KindSet};
///
/// // Three pieces have moved far forward. Two of them are lances and one is the rook.
/// let mut army = Army::new();
/// for piece in 0..3 {
///     army.narrow(piece, KindSet::of(&[Kind::Lance, Kind::Rook]))?;
/// }
/// let odds = army.odds();
/// assert_eq!(odds.count(0, Kind::Rook) * 3, odds.total());
/// assert!((odds.probability(0, Kind::Lance) - 2.0 / 3.0).abs() < 1e-9);
/// assert_eq!(odds.count(3, Kind::Rook), 0);
/// # Ok::<(), tsumero_quantum::Contradiction>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Odds {
    total: u64,
    counts: [[u64; 8]; ARMY_SIZE],
}

/// The distance between the numbers of two states that differ by one piece of a kind. A state is
/// the number of pieces of each kind that are assigned so far, written in mixed radix.
const STRIDE: [usize; 8] = {
    let mut strides = [1; 8];
    let mut kind = 1;
    while kind < 8 {
        strides[kind] = strides[kind - 1] * (Kind::ALL[kind - 1].count() as usize + 1);
        kind += 1;
    }
    strides
};
/// Number of states.
const STATES: usize = STRIDE[7] * (Kind::King.count() as usize + 1);

/// The number of pieces of a kind that are assigned in a state.
fn given(state: usize, kind: Kind) -> usize {
    state / STRIDE[kind.index()] % (usize::from(kind.count()) + 1)
}

impl Army {
    /// How many of a side's assignments give each kind to each piece, and their total number.
    pub fn odds(&self) -> Odds {
        Odds::of(self.sets())
    }
}

impl Odds {
    /// Counts the assignments that fit the sets. The sets need not be converged. If no assignment
    /// fits, the total is 0.
    pub(crate) fn of(sets: &[KindSet; ARMY_SIZE]) -> Odds {
        let may_give = |state, kind: Kind| given(state, kind) < usize::from(kind.count());
        // The number of ways to reach a state with the first pieces, and to complete it with the
        // others.
        let mut before = vec![[0u64; STATES]; ARMY_SIZE + 1];
        let mut after = before.clone();
        before[0][0] = 1;
        for (number, set) in sets.iter().enumerate() {
            for state in 0..STATES {
                let ways = before[number][state];
                if ways > 0 {
                    for kind in set.iter().filter(|&kind| may_give(state, kind)) {
                        before[number + 1][state + STRIDE[kind.index()]] += ways;
                    }
                }
            }
        }
        after[ARMY_SIZE][STATES - 1] = 1;
        let mut counts = [[0u64; 8]; ARMY_SIZE];
        for (number, set) in sets.iter().enumerate().rev() {
            for state in 0..STATES {
                // States that the first pieces cannot reach need no completion.
                if before[number][state] == 0 {
                    continue;
                }
                for kind in set.iter().filter(|&kind| may_give(state, kind)) {
                    let ways = after[number + 1][state + STRIDE[kind.index()]];
                    after[number][state] += ways;
                    counts[number][kind.index()] += before[number][state] * ways;
                }
            }
        }
        Odds { total: before[ARMY_SIZE][STATES - 1], counts }
    }

    /// The number of assignments.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The number of assignments in which a piece (0 to 19) is of a kind.
    ///
    /// # Panics
    /// The number of the piece is not below 20.
    pub fn count(&self, piece: usize, kind: Kind) -> u64 {
        self.counts[piece][kind.index()]
    }

    /// The probability, 0 to 1, that a piece (0 to 19) is of a kind.
    ///
    /// # Panics
    /// The number of the piece is not below 20.
    pub fn probability(&self, piece: usize, kind: Kind) -> f64 {
        self.count(piece, kind) as f64 / self.total as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_the_start_the_odds_are_the_shares() {
        let odds = Army::new().odds();
        let factorial = |n: u64| (1..=n).product::<u64>();
        assert_eq!(odds.total(), factorial(20) / factorial(9) / 16);
        for piece in 0..ARMY_SIZE {
            for kind in Kind::ALL {
                assert_eq!(odds.count(piece, kind) * 20, odds.total() * u64::from(kind.count()));
            }
        }
    }

    #[test]
    fn one_rook_among_three_lances_or_rooks() {
        // The example of the article: "33 % a rook, 67 % a lance".
        let mut army = Army::new();
        for piece in 0..3 {
            army.narrow(piece, KindSet::of(&[Kind::Lance, Kind::Rook])).unwrap();
        }
        let odds = army.odds();
        for piece in 0..3 {
            assert!((odds.probability(piece, Kind::Rook) - 1.0 / 3.0).abs() < 1e-12);
            assert!((odds.probability(piece, Kind::Lance) - 2.0 / 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_kind_is_possible_exactly_when_it_is_counted() {
        let mut army = Army::new();
        for (piece, mask) in [(0, 0x42), (1, 0x42), (5, 0x90), (6, 0x98), (7, 0x18), (9, 0x41)] {
            army.narrow(piece, KindSet::from_bits(mask)).unwrap();
        }
        let odds = army.odds();
        for (piece, set) in army.sets().iter().enumerate() {
            let sum: u64 = Kind::ALL.iter().map(|&kind| odds.count(piece, kind)).sum();
            assert_eq!(sum, odds.total());
            for kind in Kind::ALL {
                assert_eq!(odds.count(piece, kind) > 0, set.contains(kind));
            }
        }
        let contradiction = Odds::of(&[KindSet::KING; ARMY_SIZE]);
        assert_eq!(contradiction.total(), 0);
    }
}

//! The path from the root, to detect repetitions.

use tsumero_core::{Hand, mix};

use super::length::Length;
use super::path_dependence::{Dependence, PathDependentResults, Support};

/// The number of entries of the filter, which tells quickly that a position is not on the path.
const FILTER: usize = 1 << 12;

#[derive(Clone, Copy)]
struct Step {
    key: u64,
    hand: Hand,
    ply: u16,
    /// The key of the path before this step.
    before: u64,
}

/// The positions with the attacker to move on the path from the root.
pub(crate) struct Path {
    steps: Vec<Step>,
    /// For each value of the low bits of a key, the number of steps with such keys.
    filter: Vec<u16>,
    key: u64,
}

/// One number for a board and a hand.
pub(crate) fn position_key(key: u64, hand: Hand) -> u64 {
    key ^ mix(u64::from(hand.bits()) + 1)
}

impl Path {
    pub(crate) fn new() -> Path {
        Path { steps: Vec::new(), filter: vec![0; FILTER], key: 0 }
    }

    /// Adds a position with the attacker to move.
    pub(crate) fn push(&mut self, key: u64, hand: Hand, ply: u16) {
        self.steps.push(Step { key, hand, ply, before: self.key });
        self.filter[key as usize % FILTER] += 1;
        self.key ^= mix(position_key(key, hand).wrapping_add(u64::from(ply)));
    }

    /// Removes the last position.
    pub(crate) fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.filter[step.key as usize % FILTER] -= 1;
            self.key = step.before;
        }
    }

    /// The ply at which the path has the same board with at least as much in the attacker's hand. A
    /// shortest mate never returns to such a position, because the same moves would have mated
    /// earlier.
    pub(crate) fn repeats(&self, key: u64, hand: Hand) -> Option<u16> {
        if self.filter[key as usize % FILTER] == 0 {
            return None;
        }
        let mut steps = self.steps.iter().rev();
        steps.find(|step| step.key == key && step.hand.dominates(hand)).map(|step| step.ply)
    }

    /// Looks up a path-dependent result: there is no mate within `length` plies, because of
    /// positions on this path.
    pub(crate) fn look_up(
        &self,
        results: &PathDependentResults,
        key: u64,
        hand: Hand,
        length: Length,
    ) -> Option<(Length, Dependence)> {
        let key = position_key(key, hand);
        results
            .look_up(key, length, |board, hand| self.repeats(board, hand))
            .or_else(|| results.look_up_on_path(key ^ self.key, length))
    }

    /// Stores that on this path a position has no mate within `length` plies.
    pub(crate) fn store(
        &self,
        results: &PathDependentResults,
        key: u64,
        hand: Hand,
        length: Length,
        dependence: Dependence,
    ) {
        let key = position_key(key, hand);
        if dependence.is_many() {
            return results.store_on_path(key ^ self.key, length, dependence);
        }
        let steps = self.steps.iter().filter(|step| dependence.plies().any(|ply| ply == step.ply));
        let supports: Vec<Support> = steps.map(|step| (step.key, step.hand)).collect();
        results.store(key, length, &supports);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::PieceKind;

    const NO_HAND: Hand = Hand::EMPTY;

    fn pawns(count: u32) -> Hand {
        NO_HAND.with_count(PieceKind::Pawn, count)
    }

    /// The second key differs from the first only above the bits that the filter looks at.
    const KEYS: [u64; 3] = [5, 5 + FILTER as u64, 6];

    #[test]
    fn the_nearest_position_with_enough_in_hand_is_repeated() {
        let mut path = Path::new();
        for (ply, pawn_count) in [(0, 2), (2, 0), (4, 1)] {
            path.push(KEYS[0], pawns(pawn_count), ply);
        }
        assert_eq!(path.repeats(KEYS[0], pawns(0)), Some(4));
        assert_eq!(path.repeats(KEYS[0], pawns(2)), Some(0));
        assert_eq!(path.repeats(KEYS[0], pawns(3)), None);
        assert_eq!(path.repeats(KEYS[1], pawns(0)), None);
        assert_eq!(path.repeats(KEYS[2], pawns(0)), None);
        path.pop();
        path.pop();
        assert_eq!(path.repeats(KEYS[0], pawns(0)), Some(0));
        path.pop();
        assert_eq!(path.repeats(KEYS[0], pawns(0)), None);
        path.pop();
        assert_eq!(path.key, 0);
        assert!(path.filter.iter().all(|&count| count == 0));
    }

    /// A result that depends on too many positions to name answers on its own path only: the same
    /// positions at the same plies.
    #[test]
    fn a_result_of_one_path_answers_on_no_other() {
        let results = PathDependentResults::new(1 << 10).expect("room for a thousand results");
        let many = (0..8).map(Dependence::on).reduce(Dependence::and).expect("eight plies");
        assert!(many.is_many());
        let path_of = |steps: &[(u64, Hand, u16)]| {
            let mut path = Path::new();
            steps.iter().for_each(|&(key, hand, ply)| path.push(key, hand, ply));
            path
        };
        let steps = [(KEYS[0], pawns(1), 0), (KEYS[2], NO_HAND, 2)];
        let mut path = path_of(&steps);
        path.store(&results, 99, NO_HAND, 7, many);
        let known = Some((7, many));
        assert_eq!(path.look_up(&results, 99, NO_HAND, 7), known);
        assert_eq!(path.look_up(&results, 98, NO_HAND, 7), None);
        path.push(KEYS[1], NO_HAND, 4);
        assert_eq!(path.look_up(&results, 99, NO_HAND, 7), None);
        path.pop();
        assert_eq!(path.look_up(&results, 99, NO_HAND, 7), known);
        let [first, second] = steps;
        for other in [
            vec![],
            vec![first],
            vec![second],
            vec![(KEYS[1], first.1, first.2), second],
            vec![(first.0, NO_HAND, first.2), second],
            vec![first, (second.0, second.1, 4)],
        ] {
            assert_eq!(path_of(&other).look_up(&results, 99, NO_HAND, 7), None, "{other:?}");
        }
        // Long paths that differ in one step.
        let mut long: Vec<_> = (0..400).map(|ply| (u64::from(ply) * 77, NO_HAND, ply)).collect();
        path_of(&long).store(&results, 99, NO_HAND, 7, many);
        assert_eq!(path_of(&long).look_up(&results, 99, NO_HAND, 7), known);
        long[200].1 = pawns(1);
        assert_eq!(path_of(&long).look_up(&results, 99, NO_HAND, 7), None);
    }

    #[test]
    fn named_supports_are_those_of_the_plies() {
        let results = PathDependentResults::new(1 << 10).expect("room for a thousand results");
        let mut path = Path::new();
        for (ply, key) in [(0, KEYS[0]), (2, KEYS[1]), (4, KEYS[2])] {
            path.push(key, pawns(1), ply);
        }
        path.store(&results, 99, NO_HAND, 7, Dependence::on(0).and(Dependence::on(4)));
        // Without the position at ply 2, and with the others at other plies.
        let mut other = Path::new();
        other.push(KEYS[2], pawns(1), 6);
        assert_eq!(other.look_up(&results, 99, NO_HAND, 7), None);
        other.push(KEYS[0], pawns(2), 8);
        let dependence = Dependence::on(6).and(Dependence::on(8));
        assert_eq!(other.look_up(&results, 99, NO_HAND, 7), Some((7, dependence)));
        assert_eq!(other.look_up(&results, 99, NO_HAND, 9), None);
    }
}

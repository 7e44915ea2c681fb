//! The path from the root, to detect repetitions.

use tsumero_core::{Hand, mix};

use super::path_dependence::{Dependence, PathDependentResults, Support};
use super::table::Length;

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

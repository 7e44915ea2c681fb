//! What a search takes from the other threads with the same table: their results, and where they
//! are.

use super::children::{NodeResult, Summary, choose, decided};
use super::numbers::Numbers;
use super::path::position_key;
use super::table::Known;
use super::{Dfpn, Node, Step};
use crate::watch::Watch;

impl<W: Watch> Dfpn<'_, W> {
    /// The outcome of the node, if another thread has decided it meanwhile.
    pub(super) fn decided_by_others(&self, node: &Node) -> Option<NodeResult> {
        self.virtual_losses?;
        decided(self.look_up(node.length))
    }

    /// Takes over another thread's results for a child. Returns whether they decide the child or
    /// reach the goal.
    pub(super) fn is_settled_by_others(
        &mut self,
        node: &Node,
        place: usize,
        goal: Numbers,
    ) -> bool {
        if self.virtual_losses.is_none() || node.length == 0 {
            return false;
        }
        let Step { key, hand, .. } = self.step(self.children[place].mv);
        let known = self.table.look_up(key, hand, node.length - 1);
        let child = &mut self.children[place];
        match decided(known) {
            Some(outcome) => {
                child.outcome = outcome;
                true
            }
            None => match known {
                Known::Open { numbers, seen: true, .. } if numbers.reach(goal) => {
                    child.outcome = NodeResult::Open(numbers);
                    true
                }
                _ => false,
            },
        }
    }

    /// Chooses another child if other threads are searching the best one (virtual loss).
    pub(super) fn spread(&self, node: &Node, first: usize, limit: Numbers, summary: &mut Summary) {
        let Some(virtual_losses) = self.virtual_losses else { return };
        let penalty = |mv| {
            let Step { key, hand, .. } = self.step(mv);
            virtual_losses.penalty(position_key(key, hand))
        };
        choose(node.side, &self.children[first..], limit, penalty, summary);
    }
}

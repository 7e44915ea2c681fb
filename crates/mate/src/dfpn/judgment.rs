//! What the children of a node say of it: its outcome, or its numbers.

use super::children::{Child, NodeResult, Side, Summary, summarize};
use super::length::{Length, UNBOUNDED};
use super::path_dependence::Dependence;
use super::{Dfpn, Node, hands};
use crate::watch::Watch;

impl<W: Watch> Dfpn<'_, W> {
    /// The outcome of the node if its children decide it, else their summary.
    pub(super) fn judge(&self, node: &Node, first: usize) -> Result<Summary, NodeResult> {
        let children = &self.children[first..];
        let decisive = children.iter().filter(|child| decides(node.side, &child.outcome));
        match node.side {
            Side::Attacker => {
                let mates = decisive.filter_map(|child| match child.outcome {
                    NodeResult::Mate { length, hand } => Some((length, hand, child.mv)),
                    _ => None,
                });
                if let Some((length, hand, mv)) = mates.min_by_key(|&(length, ..)| length) {
                    let hand = hands::proof_before(mv, hand);
                    return Err(NodeResult::Mate { length: length + 1, hand });
                }
            }
            Side::Defender => {
                let escapes = decisive.filter_map(|child| match child.outcome {
                    NodeResult::NoMate { length, hand, dependence } => {
                        Some((dependence, length, hand, child.mv))
                    }
                    _ => None,
                });
                if let Some((dependence, length, hand, mv)) =
                    escapes.max_by_key(|&(dependence, length, ..)| (dependence, length))
                {
                    let hand = hands::disproof_before_defense(&self.position, mv, hand);
                    let length = if node.length == 0 { 0 } else { one_more(length) };
                    return Err(NodeResult::NoMate { length, hand, dependence });
                }
            }
        }
        summarize(node.side, children, self.is_long()).ok_or_else(|| match node.side {
            Side::Attacker => self.no_check_mates(children),
            Side::Defender => self.no_evasion_helps(children),
        })
    }

    /// All checks have failed.
    fn no_check_mates(&self, children: &[Child]) -> NodeResult {
        let (mut length, mut dependence) = (UNBOUNDED, Dependence::NONE);
        let mut hand = hands::disproof_start(&self.position);
        for child in children {
            if let NodeResult::NoMate {
                length: child_length,
                hand: child_hand,
                dependence: child_dependence,
            } = child.outcome
            {
                length = length.min(one_more(child_length));
                dependence = dependence.and(child_dependence);
                hand = hand.intersection(hands::disproof_before_attack(child.mv, child_hand));
            }
        }
        NodeResult::NoMate { length, hand, dependence }
    }

    /// All evasions have failed, or there is none.
    fn no_evasion_helps(&self, children: &[Child]) -> NodeResult {
        let (mut length, mut hand) = (0, hands::withheld(&self.position));
        for child in children {
            if let NodeResult::Mate { length: child_length, hand: child_hand } = child.outcome {
                length = length.max(child_length + 1);
                hand = hand.union(child_hand);
            }
        }
        NodeResult::Mate { length, hand }
    }
}

/// Whether one child with this outcome decides the node.
pub(super) fn decides(side: Side, outcome: &NodeResult) -> bool {
    match side {
        Side::Attacker => matches!(outcome, NodeResult::Mate { .. }),
        Side::Defender => matches!(outcome, NodeResult::NoMate { .. }),
    }
}

/// The bound of "no mate within" for the node one ply further up. No bound becomes [`UNBOUNDED`], which
/// would mean no mate at all.
fn one_more(length: Length) -> Length {
    if length == UNBOUNDED { UNBOUNDED } else { (length + 1).min(UNBOUNDED - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bound_grows_to_no_mate_at_all() {
        let bounds = [0, UNBOUNDED - 2, UNBOUNDED - 1, UNBOUNDED];
        assert_eq!(bounds.map(one_more), [1, UNBOUNDED - 1, UNBOUNDED - 1, UNBOUNDED]);
    }
}

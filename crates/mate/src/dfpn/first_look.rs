//! The first look at a new position: whether it is decided at once, and if not, its initial proof
//! and disproof numbers (Kaneko, Tanaka, Yamaguchi and Kawai, "Df-pn with fixed-depth search at
//! frontier nodes", 2010).

use tsumero_core::{Filter, Move};

use super::children::{Child, NodeResult, Side};
use super::judgment::decides;
use super::length::{Length, UNBOUNDED};
use super::numbers::Numbers;
use super::path_dependence::Dependence;
use super::{Dfpn, Node, hands};
use crate::watch::{MateUnknown, Watch};

impl<W: Watch> Dfpn<'_, W> {
    /// The result of the static test where the attacker moves.
    pub(super) fn settle_at_once(&mut self, node: &Node) -> Option<NodeResult> {
        if node.side == Side::Defender || (node.seen || node.tested) && node.length > 1 {
            return None;
        }
        match self.mate_now() {
            Some(outcome) => Some(outcome),
            None if node.length == 1 => Some(NodeResult::NoMate {
                length: 1,
                hand: self.hand(),
                dependence: Dependence::NONE,
            }),
            None => None,
        }
    }

    /// The mate in one of the position, if there is one.
    fn mate_now(&mut self) -> Option<NodeResult> {
        let mv = self.position.mate_in_one()?;
        self.position.do_move(mv);
        let hand = hands::withheld(&self.position);
        self.position.undo_move();
        Some(NodeResult::Mate { length: 1, hand: hands::proof_before(mv, hand) })
    }

    /// Decides a node of the attacker three plies before the bound. It tries every check and every
    /// evasion, which costs less than looking up and storing their results.
    ///
    /// # Errors
    /// The reason that the watch gives for ending the search.
    pub(super) fn settle_within_three(
        &mut self,
        node: &Node,
        first: usize,
    ) -> Result<NodeResult, MateUnknown> {
        self.moves.clear();
        self.position.generate_checks(&mut self.moves);
        self.children.extend(self.moves.iter().map(|&mv| Child::unknown(mv)));
        for number in first..self.children.len() {
            self.watch.enter_node()?;
            self.position.do_move(self.children[number].mv);
            let outcome = self.settle_within_two();
            self.position.undo_move();
            self.children[number].outcome = outcome;
            if decides(node.side, &outcome) {
                break;
            }
        }
        let judged = self.judge(node, first);
        Ok(judged.map_or_else(|outcome| outcome, |summary| NodeResult::Open(summary.numbers)))
    }

    /// Decides a position of the defender two plies before the bound: whether each evasion allows a
    /// mate in one.
    fn settle_within_two(&mut self) -> NodeResult {
        let (mut length, mut hand) = (0, hands::withheld(&self.position));
        self.moves.clear();
        self.position.generate(Filter::ALL, &mut self.moves);
        for number in 0..self.moves.len() {
            let mv = self.moves[number];
            self.position.do_move(mv);
            let mate = self.mate_now();
            self.position.undo_move();
            let Some(NodeResult::Mate { hand: needed, .. }) = mate else {
                let hand = hands::disproof_before_defense(&self.position, mv, self.hand());
                return NodeResult::NoMate { length: 2, hand, dependence: Dependence::NONE };
            };
            length = 2;
            hand = hand.union(needed);
        }
        NodeResult::Mate { length, hand }
    }

    /// Gives an open child of the node its first look, if it has not had one. The mate may take at
    /// most `length` plies from the child.
    pub(super) fn look_first(&mut self, node: &Node, length: Length, child: &mut Child) {
        let is_needed = match node.side {
            Side::Attacker => !child.seen,
            Side::Defender => length == 1 || !node.seen && !child.seen,
        };
        if !is_needed {
            return;
        }
        let lent = child.outcome;
        child.outcome = match node.side {
            Side::Attacker => self.first_look_at_defense(child.mv),
            Side::Defender => {
                self.position.do_move(child.mv);
                let outcome = self.first_look_at_attack(length);
                self.position.undo_move();
                outcome
            }
        };
        // What other hands lend may say more.
        if let (NodeResult::Open(lent), NodeResult::Open(numbers)) = (lent, &mut child.outcome) {
            *numbers = numbers.at_least(lent);
        }
        child.tested = node.side == Side::Defender;
    }

    /// The first look at a position with the defender to move, after a check. With more evasions,
    /// the mate is farther away. A check by a drop costs a piece.
    fn first_look_at_defense(&mut self, check: Move) -> NodeResult {
        let evasions = self.position.count_replies(check);
        if evasions == 0 {
            self.position.do_move(check);
            let hand = hands::withheld(&self.position);
            self.position.undo_move();
            return NodeResult::Mate { length: 0, hand };
        }
        let proof = 1 + evasions.ilog2() + u32::from(check.is_drop());
        NodeResult::Open(Numbers { proof, disproof: 1 })
    }

    /// The first look at a position with the attacker to move: is there a mate in one, or no check
    /// at all? Otherwise, a mate is farther away with fewer checks and more flight squares. A
    /// disproof is farther away with more checks.
    fn first_look_at_attack(&mut self, length: Length) -> NodeResult {
        if let Some(mate) = self.mate_now() {
            return mate;
        }
        if length == 1 {
            return NodeResult::NoMate {
                length: 1,
                hand: self.hand(),
                dependence: Dependence::NONE,
            };
        }
        let checks = self.position.count_checks();
        if checks == 0 {
            let hand = hands::disproof_start(&self.position);
            return NodeResult::NoMate { length: UNBOUNDED, hand, dependence: Dependence::NONE };
        }
        let flights = self.position.flights(!self.attacker).len();
        let proof = 1 + 6_u32.saturating_sub(checks.ilog2()) + flights;
        NodeResult::Open(Numbers { proof, disproof: checks })
    }
}

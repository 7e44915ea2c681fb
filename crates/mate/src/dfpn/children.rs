//! The children of df-pn nodes: their numbers, their order, and which of them wait for others.

use tsumero_core::{Hand, Move, PieceKind, Position, displacement};

use super::length::Length;
use super::numbers::{INFINITE, Number, Numbers};
use super::path_dependence::Dependence;
use super::table::Known;

/// The outcome of a node on this path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeResult {
    /// There is a mate within the length asked for.
    Mate {
        /// The mate takes at most this many plies.
        length: Length,
        /// Its proof hand.
        hand: Hand,
    },
    /// There is no mate within the length asked for.
    NoMate {
        /// There is no mate within this length either.
        length: Length,
        /// Its disproof hand.
        hand: Hand,
        /// The positions of the path that the result depends on.
        dependence: Dependence,
    },
    /// Neither mate nor no mate is known yet.
    Open(Numbers),
}

/// The outcome of a position, if the table has it decided.
pub(crate) fn decided(known: Known) -> Option<NodeResult> {
    match known {
        Known::Mate { length, hand, .. } => Some(NodeResult::Mate { length, hand }),
        Known::NoMate { length, hand } => {
            Some(NodeResult::NoMate { length, hand, dependence: Dependence::NONE })
        }
        Known::Open { .. } => None,
    }
}

/// A move, and the board's key and the attacker's hand after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) mv: Move,
    pub(crate) key: u64,
    pub(crate) hand: Hand,
    /// The order among its siblings: the least comes first.
    pub(crate) lateness: i32,
}

/// A move with its outcome so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) mv: Move,
    pub(crate) outcome: NodeResult,
    /// The smallest ply at which the position was ever seen.
    pub(crate) ply: u16,
    /// Whether the table knows the position.
    pub(crate) seen: bool,
    /// Whether it had no mate on some path, because of a repetition.
    pub(crate) path_dependent: bool,
    /// Whether the static test has already failed.
    pub(crate) tested: bool,
    /// Its rank among its siblings.
    pub(crate) rank: Rank,
}

impl Child {
    /// A move about which nothing is known.
    pub(crate) fn unknown(mv: Move) -> Child {
        Child::from_table(mv, Known::UNSEEN)
    }

    pub(crate) fn from_table(mv: Move, known: Known) -> Child {
        let mut child = Child {
            mv,
            outcome: NodeResult::Open(Numbers::UNSEEN),
            ply: u16::MAX,
            seen: true,
            path_dependent: false,
            tested: false,
            rank: Rank { waits_for: None, counts: true },
        };
        if let Known::Open { numbers, ply, seen, path_dependent } = known {
            child.outcome = NodeResult::Open(numbers);
            (child.ply, child.seen, child.path_dependent) = (ply, seen, path_dependent);
        } else if let Some(outcome) = decided(known) {
            child.outcome = outcome;
        }
        child
    }
}

/// A move no longer waits for a promotion whose proof number has reached this.
const HARD_TO_PROVE: Number = 12;

/// The two sides of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The attacker gives check. One good move is enough.
    Attacker,
    /// The defender escapes. One good move is enough, too.
    Defender,
}

impl Side {
    /// Splits the numbers: first the one that this side wants to lower, then the other.
    #[inline]
    fn own_and_other(self, numbers: Numbers) -> (Number, Number) {
        match self {
            Side::Attacker => (numbers.proof, numbers.disproof),
            Side::Defender => (numbers.disproof, numbers.proof),
        }
    }

    #[inline]
    fn numbers(self, own: Number, other: Number) -> Numbers {
        match self {
            Side::Attacker => Numbers { proof: own, disproof: other },
            Side::Defender => Numbers { proof: other, disproof: own },
        }
    }

    /// Whether a move with this outcome still holds back the moves that wait for it. An evasion
    /// does so until it has failed. A check does so until it has failed or looks hard to prove,
    /// because proving that a check fails may take forever. An evasion that escapes needs no
    /// other.
    pub(crate) fn holds_back(self, outcome: &NodeResult) -> bool {
        match (self, outcome) {
            (Side::Attacker, NodeResult::NoMate { .. })
            | (Side::Defender, NodeResult::Mate { .. }) => false,
            (Side::Attacker, NodeResult::Open(numbers)) => numbers.proof < HARD_TO_PROVE,
            (Side::Attacker, NodeResult::Mate { .. }) | (Side::Defender, _) => true,
        }
    }
}

/// The summary of the open children of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// The numbers of the node.
    pub(crate) numbers: Numbers,
    /// The child to search next.
    pub(crate) best: usize,
    /// The basis of its thresholds: the second best child's own number, and what the siblings of
    /// the best one add to the largest number.
    second: Number,
    siblings: Number,
}

/// In long searches, two open children count as one from this number on.
const LARGE: Number = 16;

/// Summarizes the children by weak proof numbers (Ueda, Hashimoto, Hashimoto and Iida, "Weak
/// proof-number search", 2008). Where all children must be proven, the plain sum counts a position
/// again for every line that leads to it. Weak proof numbers take the largest number, plus one for
/// each other open child, or for every second one if the search is long and the number large.
///
/// `None` if no child is open.
pub(crate) fn summarize(side: Side, children: &[Child], is_long: bool) -> Option<Summary> {
    let mut best = None;
    let (mut least, mut second, mut largest, mut counting) = (INFINITE, INFINITE, 0, 0);
    for (number, child) in children.iter().enumerate() {
        let NodeResult::Open(numbers) = child.outcome else { continue };
        if waits(side, child.rank.waits_for, children) {
            continue;
        }
        let (own, other) = side.own_and_other(numbers);
        if best.is_none() || own < least {
            (second, least, best) = (least, own, Some(number));
        } else {
            second = second.min(own);
        }
        largest = largest.max(other);
        counting += Number::from(child.rank.counts);
    }
    let best = best?;
    let siblings = counting.max(1) - 1;
    let siblings = if is_long && largest >= LARGE { siblings / 2 } else { siblings };
    let other = (largest + siblings).min(INFINITE - 1);
    Some(Summary { numbers: side.numbers(least, other), best, second, siblings })
}

/// Chooses the child to search next, with each child's penalty added to its effort. The best child
/// stays if no other is below the limit.
pub(crate) fn choose(
    side: Side,
    children: &[Child],
    limit: Numbers,
    penalty: impl Fn(Move) -> Number,
    summary: &mut Summary,
) {
    let (limit, _) = side.own_and_other(limit);
    let (mut least, mut second) = (INFINITE, INFINITE);
    for (number, child) in children.iter().enumerate() {
        let NodeResult::Open(numbers) = child.outcome else { continue };
        let (own, _) = side.own_and_other(numbers);
        if own >= limit || waits(side, child.rank.waits_for, children) {
            continue;
        }
        let effort = own + penalty(child.mv);
        if effort < least {
            (second, least, summary.best) = (least, effort, number);
        } else {
            second = second.min(effort);
        }
    }
    // The best child may be searched up to the limit at most.
    summary.second = second.min(limit);
}

/// Whether a child that waits for the given sibling is not in play yet.
pub(crate) fn waits(side: Side, waits_for: Option<u16>, siblings: &[Child]) -> bool {
    waits_for.is_some_and(|number| side.holds_back(&siblings[usize::from(number)].outcome))
}

impl Summary {
    /// The thresholds of the best child: how far it may be searched before another child looks
    /// better or the node reaches its own thresholds.
    pub(crate) fn thresholds(&self, side: Side, node: Numbers) -> Numbers {
        let (own, other) = side.own_and_other(node);
        let own = own.min(self.second.saturating_add(1));
        side.numbers(own, other.saturating_sub(self.siblings).max(1))
    }
}

/// Sorts the moves into the order in which equal numbers are tried.
pub(crate) fn arrange(side: Side, position: &Position, steps: &mut [Step]) {
    let Some(king) = (match side {
        Side::Attacker => position.king(!position.side_to_move()),
        Side::Defender => position.king(position.side_to_move()),
    }) else {
        return;
    };
    let us = position.side_to_move();
    let attacks = position.attacks();
    for step in &mut *steps {
        let mv = step.mv;
        let distance = displacement(mv.to(), king).map_or(2, |line| i32::from(line.distance));
        let supported = attacks.count(us, mv.to()) as i32;
        let guarded = attacks.count(!us, mv.to()) as i32;
        step.lateness = match side {
            Side::Attacker => {
                let mut value = 10 * distance + 2 * guarded - 2 * supported;
                value -= 8 * i32::from(mv.promotes());
                value -= 6 * i32::from(mv.is_capture());
                value += mv.kind() as i32 / 2 * i32::from(mv.is_drop());
                value
            }
            Side::Defender => {
                let mut value = 2 * guarded - 2 * supported;
                value -= 20 * i32::from(mv.is_capture());
                value -= 10 * i32::from(mv.kind() == PieceKind::King);
                value += (10 + mv.kind() as i32) * i32::from(mv.is_drop());
                value
            }
        };
    }
    steps.sort_by_key(|step| step.lateness);
}

/// A move's rank among its siblings: what the earlier ones mean for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rank {
    /// The move waits for this sibling; see [`Side::holds_back`].
    pub(crate) waits_for: Option<u16>,
    /// Whether it counts among its siblings. A move that almost surely leads to the same result as
    /// a sibling does not count, so that the effort is not counted twice.
    pub(crate) counts: bool,
}

/// Decides whether a move waits for an earlier sibling, or leads to the same result as one.
///
/// *Interposing drops* (合駒) come into play one after the other, the cheapest first: most often the
/// answer to all of them is the same capture. *Idle non-promotions* (不成) wait until the promotion
/// has failed or looks hard to prove. Nothing is left out: every waiting move comes into play
/// before the node is decided.
pub(crate) fn rank(side: Side, mv: Move, elder: &[Child]) -> Rank {
    let waits_for = match side {
        Side::Defender if mv.is_drop() => elder.iter().rposition(|child| child.mv.is_drop()),
        Side::Attacker if mv.is_idle_non_promotion() => elder.iter().rposition(|child| {
            child.mv.promotes() && child.mv.from() == mv.from() && child.mv.to() == mv.to()
        }),
        _ => None,
    };
    let is_alike = match side {
        Side::Defender => waits_for.is_some(),
        // The same slider, dropped farther away on the same line.
        Side::Attacker => {
            waits_for.is_some()
                || mv.is_drop()
                    && is_slider(mv.kind())
                    && elder.iter().any(|child| child.mv.is_drop() && child.mv.kind() == mv.kind())
        }
    };
    Rank { waits_for: waits_for.map(|number| number as u16), counts: !is_alike }
}

fn is_slider(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Rook | PieceKind::Bishop | PieceKind::Lance)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Children of an attacker's node with these numbers.
    fn children(numbers: &[(Number, Number)]) -> Vec<Child> {
        let moves = Position::startpos().legal_moves();
        let child = |(&mv, &(proof, disproof))| {
            let outcome = NodeResult::Open(Numbers { proof, disproof });
            Child { outcome, ..Child::unknown(mv) }
        };
        moves.iter().zip(numbers).map(child).collect()
    }

    /// A sum that reached infinity would claim that there is a mate.
    #[test]
    fn sums_of_open_children_stay_below_infinity() {
        let children = children(&[(1, INFINITE - 1), (2, INFINITE - 1), (3, 5)]);
        let summary = summarize(Side::Attacker, &children, false).expect("an open child");
        assert_eq!(summary.numbers, Numbers { proof: 1, disproof: INFINITE - 1 });
    }

    #[test]
    fn many_siblings_count_less_where_the_search_is_long_and_numbers_are_large() {
        let summary = |largest, is_long| {
            let children = children(&[(1, 2), (2, largest), (3, 1), (4, 1), (5, 1)]);
            let summary = summarize(Side::Attacker, &children, is_long).expect("an open child");
            let limit = Numbers { proof: INFINITE, disproof: 100 };
            let goal = summary.thresholds(Side::Attacker, limit);
            (summary.numbers.disproof, goal.disproof)
        };
        assert_eq!(summary(LARGE - 1, true), (LARGE + 3, 96));
        assert_eq!(summary(LARGE, true), (LARGE + 2, 98));
        assert_eq!(summary(LARGE, false), (LARGE + 4, 96));
    }

    #[test]
    fn the_least_effort_with_its_penalty_is_chosen_below_the_limit() {
        let chosen = |children: &[Child], limit, penalties: [Number; 3]| {
            let limit = Numbers { proof: limit, disproof: INFINITE };
            let mut summary = summarize(Side::Attacker, children, true).expect("an open child");
            let penalty = |mv| {
                let number = children.iter().position(|child| child.mv == mv);
                penalties[number.expect("the move of a child")]
            };
            choose(Side::Attacker, children, limit, penalty, &mut summary);
            (summary.best, summary.second)
        };
        let mut three = children(&[(3, 1), (5, 1), (9, 1)]);
        assert_eq!(chosen(&three, 20, [0, 0, 0]), (0, 5));
        assert_eq!(chosen(&three, 20, [4, 0, 0]), (1, 7));
        assert_eq!(chosen(&three, 20, [9, 9, 0]), (2, 12));
        // The first of equals, and the limit where no other child is below it.
        assert_eq!(chosen(&three, 20, [2, 0, 0]), (0, 5));
        assert_eq!(chosen(&three, 5, [9, 0, 0]), (0, 5));
        assert_eq!(chosen(&three, 6, [9, 0, 0]), (1, 6));
        // A child that waits for another is not chosen, nor one that is decided.
        three[1].rank.waits_for = Some(0);
        assert_eq!(chosen(&three, 20, [4, 0, 0]), (0, 9));
        three[1].rank.waits_for = None;
        let hand = Hand::EMPTY;
        three[0].outcome = NodeResult::NoMate { length: 1, hand, dependence: Dependence::NONE };
        assert_eq!(chosen(&three, 20, [0, 5, 0]), (2, 10));
    }
}

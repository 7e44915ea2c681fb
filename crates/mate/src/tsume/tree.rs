//! The tree of a mate problem: what a page has to know so that people can solve the problem there.
//!
//! For each position with the attacker to move, the tree tells every check: those that are proven to
//! mate with all replies to them, those that do not mate with a reply that refutes them, and those that
//! nobody has decided. The best reply lasts longest. Positions that are reached in several ways are one
//! node, so this is a graph, which may even have circles: a detour can return to an earlier position.
//!
//! The main line, in which both sides play best, is always there. The rest is complete for short
//! problems, and ends where the limits of [`TreeLimits`] say.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

use tsumero_control::Signals;
use tsumero_core::{Move, Position};

use crate::lists::checks;
use crate::solver::{MateAnswer, MateLimits, MateQuestion, MateSolver};

/// How large a tree may become.
///
/// ```
/// use tsumero_mate::tsume::{Tree, TreeLimits};
/// let position = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1".parse().unwrap();
/// let tree = Tree::of(&position, &[], &TreeLimits::default());
/// let [mate] = &tree.nodes[0].mates[..] else { panic!("one check mates") };
/// assert_eq!((mate.mv.to_string().as_str(), mate.plies, mate.replies.len()), ("G*5b", 1, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeLimits {
    /// Positions with the attacker to move beside the main line.
    pub positions: usize,
    /// The tree goes on after checks that take at most so many plies longer than the fastest.
    pub detour: u32,
    /// Nodes of the mate search in all. Checks beside the main line that are left are undecided; those on
    /// it are looked at whatever they take.
    pub nodes: u64,
    /// Nodes for one reply to one check.
    pub reply_nodes: u64,
}

impl Default for TreeLimits {
    /// 200 positions, two plies longer, two million nodes, 16,000 of them for a reply.
    fn default() -> TreeLimits {
        TreeLimits { positions: 200, detour: 2, nodes: 2_000_000, reply_nodes: 16_000 }
    }
}

/// A tree. Its first node is the problem.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The positions with the attacker to move.
    pub nodes: Vec<TreeNode>,
}

/// A position with the attacker to move.
#[derive(Clone, Debug, Default)]
pub struct TreeNode {
    /// The checks that are proven to mate, the fastest first.
    pub mates: Vec<TreeMate>,
    /// The checks that are proven not to mate, each with a reply that shows it.
    pub fails: Vec<(Move, Move)>,
    /// The other checks.
    pub unknown: Vec<Move>,
}

/// A check that mates.
#[derive(Clone, Debug)]
pub struct TreeMate {
    /// The check.
    pub mv: Move,
    /// The length of the mate from here on in plies, or a bit more where a limit ended the search for
    /// the shortest.
    pub plies: u32,
    /// All replies, the one that lasts longest first. There is none if the check is mate.
    pub replies: Vec<TreeReply>,
}

/// A reply to a check.
#[derive(Clone, Copy, Debug)]
pub struct TreeReply {
    /// The reply.
    pub mv: Move,
    /// How many plies the mate takes after it.
    pub plies: u32,
    /// The place of the position after it in [`Tree::nodes`]. It is `None` where a limit has ended the
    /// tree, and for a reply that lasts shorter than another and is not that of the solution.
    pub node: Option<usize>,
}

/// What is known about a check.
#[derive(Clone, Debug)]
pub enum CheckFound {
    /// It mates.
    Mates(TreeMate),
    /// It does not: this reply escapes.
    Fails(Move),
    /// Not decided within the limits.
    Unknown,
}

/// The nodes that the reply to a check gets in the first turn, and how much more in the next. Most
/// checks have a reply that is soon proven to escape.
const FIRST_SHARE: u64 = 250;
const SHARE_GROWTH: u64 = 8;
/// The megabytes of the solver's table.
const HASH_MB: usize = 4;

/// The side that is mated: it knows whether a check mates, and the best reply.
///
/// ```
/// use tsumero_mate::tsume::{CheckFound, Defense};
/// let position: tsumero_core::Position = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1".parse().unwrap();
/// let mut defense = Defense::new();
/// let mut answer = |check| defense.answer(&position, position.parse_move(check).unwrap(), 10_000);
/// let CheckFound::Mates(mate) = answer("G*2d") else { panic!("the gold mates") };
/// assert_eq!((mate.plies, mate.replies[0].mv.to_string()), (5, "1c1b".to_owned()));
/// assert!(matches!(answer("G*2b"), CheckFound::Fails(_)));
/// ```
pub struct Defense {
    solver: MateSolver,
    signals: Signals,
    spent: u64,
}

impl Default for Defense {
    fn default() -> Defense {
        Defense::new()
    }
}

impl std::fmt::Debug for Defense {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Defense").field("spent", &self.spent).finish_non_exhaustive()
    }
}

impl Defense {
    /// A defense with a small table.
    pub fn new() -> Defense {
        Defense { solver: MateSolver::new(HASH_MB), signals: Signals::new(), spent: 0 }
    }

    /// Whether a check mates, by asking for a mate after each reply with at most so many nodes. The
    /// reply that lasts longest is the first, and [`TreeReply::node`] is `None`.
    pub fn answer(&mut self, position: &Position, check: Move, reply_nodes: u64) -> CheckFound {
        let found = self.judge(position, check, reply_nodes, u64::MAX);
        if let CheckFound::Mates(mut mate) = found {
            mate.replies.sort_by_key(|reply| (Reverse(reply.plies), reply.mv.is_drop()));
            return CheckFound::Mates(mate);
        }
        found
    }

    /// The same, the replies in no order. It gives up when it has spent `all_nodes` since it was made.
    fn judge(
        &mut self,
        position: &Position,
        check: Move,
        reply_nodes: u64,
        all_nodes: u64,
    ) -> CheckFound {
        let mut after = position.clone();
        after.play_unchecked(check);
        let mut open: Vec<Move> = after.legal_moves().to_vec();
        let mut replies = Vec::with_capacity(open.len());
        let mut share = FIRST_SHARE.min(reply_nodes);
        while !open.is_empty() {
            if self.spent >= all_nodes {
                return CheckFound::Unknown;
            }
            let is_last = share >= reply_nodes;
            let mut still_open = Vec::new();
            for mv in open {
                let mut next = after.clone();
                next.play_unchecked(mv);
                let limits = MateLimits { nodes: Some(share), ..MateLimits::default() };
                let question = MateQuestion::new(&next, &limits, &self.signals);
                let answer = self.solver.solve(&question, &mut |_| {});
                self.spent += self.solver.effort().nodes;
                match answer {
                    MateAnswer::NoMate => return CheckFound::Fails(mv),
                    // A larger share may find a shorter mate.
                    MateAnswer::Mate(mate) if mate.is_shortest || is_last => {
                        replies.push(TreeReply { mv, plies: mate.plies(), node: None });
                    }
                    MateAnswer::Mate(_) | MateAnswer::Unknown(_) => still_open.push(mv),
                }
            }
            if is_last && !still_open.is_empty() {
                return CheckFound::Unknown;
            }
            open = still_open;
            share = share.saturating_mul(SHARE_GROWTH).min(reply_nodes);
        }
        let longest = replies.iter().map(|reply| reply.plies + 1).max().unwrap_or(0);
        CheckFound::Mates(TreeMate { mv: check, plies: longest + 1, replies })
    }
}

struct Growth<'a> {
    limits: &'a TreeLimits,
    defense: Defense,
    places: HashMap<String, usize>,
    /// The positions of the nodes, and whether each is on the main line.
    positions: Vec<(Position, bool)>,
    waiting: VecDeque<usize>,
    /// The moves of the main line by the position before them.
    main: HashMap<String, Move>,
}

impl Tree {
    /// The tree of a problem. `solution` is its main line as far as it is known: where the defender has
    /// several replies that last equally long, its reply comes first. The tree follows it even if it is
    /// best by tradition alone.
    pub fn of(position: &Position, solution: &[Move], limits: &TreeLimits) -> Tree {
        let mut main = HashMap::new();
        let mut place = position.clone();
        for &mv in solution {
            main.insert(place.to_sfen_without_move_number(), mv);
            place.play_unchecked(mv);
        }
        let mut growth = Growth {
            limits,
            defense: Defense::new(),
            places: HashMap::new(),
            positions: Vec::new(),
            waiting: VecDeque::new(),
            main,
        };
        growth.node(position.clone(), true);
        let mut nodes: Vec<TreeNode> = Vec::new();
        while let Some(place) = growth.waiting.pop_front() {
            let node = growth.grow(place);
            if nodes.len() <= place {
                nodes.resize_with(place + 1, TreeNode::default);
            }
            nodes[place] = node;
        }
        Tree { nodes }
    }
}

impl Growth<'_> {
    /// The node of a position, if the limits allow one.
    fn node(&mut self, position: Position, is_main: bool) -> Option<usize> {
        let name = position.to_sfen_without_move_number();
        if let Some(&place) = self.places.get(&name) {
            // What was beside the main line may be on it, too.
            self.positions[place].1 |= is_main;
            return Some(place);
        }
        if !is_main && (self.positions.len() >= self.limits.positions || self.is_spent()) {
            return None;
        }
        let place = self.positions.len();
        self.places.insert(name, place);
        self.positions.push((position, is_main));
        // The main line first: it must be there when the limits end the rest.
        if is_main {
            self.waiting.push_front(place)
        } else {
            self.waiting.push_back(place)
        }
        Some(place)
    }

    fn is_spent(&self) -> bool {
        self.defense.spent >= self.limits.nodes
    }

    /// Looks at all checks in a position.
    fn grow(&mut self, place: usize) -> TreeNode {
        let (position, is_main) = self.positions[place].clone();
        let known = self.main.get(&position.to_sfen_without_move_number()).copied();
        let mut node = TreeNode::default();
        for check in checks(&position) {
            // What the solution plays does mate, so it is worth more.
            let is_known = is_main && Some(check) == known;
            let nodes = self.limits.reply_nodes.saturating_mul(if is_known { 64 } else { 1 });
            let all_nodes = if is_main { u64::MAX } else { self.limits.nodes };
            match self.defense.judge(&position, check, nodes, all_nodes) {
                CheckFound::Mates(mate) => node.mates.push(mate),
                CheckFound::Fails(reply) => node.fails.push((check, reply)),
                CheckFound::Unknown => node.unknown.push(check),
            }
        }
        node.mates.sort_by_key(|mate| (mate.plies, Some(mate.mv) != known));
        let shortest = node.mates.first().map_or(0, |mate| mate.plies);
        for (rank, mate) in node.mates.iter_mut().enumerate() {
            let mut after = position.clone();
            after.play_unchecked(mate.mv);
            let is_solution = is_main && Some(mate.mv) == known;
            let known = self.main.get(&after.to_sfen_without_move_number()).copied();
            // Of equal replies, that of the known line, then moves of pieces before drops.
            mate.replies.sort_by_key(|reply| {
                (Reverse(reply.plies), Some(reply.mv) != known, reply.mv.is_drop())
            });
            // A defense that plays its best goes on only so. The solution may be best by tradition alone.
            let longest = mate.replies.first().map_or(0, |reply| reply.plies);
            let goes_on = mate.plies <= shortest.saturating_add(self.limits.detour);
            for (number, reply) in mate.replies.iter_mut().enumerate() {
                let is_solution = is_solution && Some(reply.mv) == known;
                if !is_solution && (!goes_on || reply.plies < longest) {
                    continue;
                }
                let is_best = is_main && rank == 0 && number == 0;
                let mut next = after.clone();
                next.play_unchecked(reply.mv);
                reply.node = self.node(next, is_best || is_solution);
            }
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use tsumero_core::UsiMove;

    use super::*;

    /// Whether the attacker mates by any checks, looked at in every line of so many plies.
    fn mates(position: &Position, plies: u32) -> bool {
        plies > 0
            && checks(position).iter().any(|&check| {
                let mut after = position.clone();
                after.play_unchecked(check);
                loses(&after, plies - 1)
            })
    }

    fn loses(position: &Position, plies: u32) -> bool {
        position.legal_moves().iter().all(|&reply| {
            let mut next = position.clone();
            next.play_unchecked(reply);
            plies > 0 && mates(&next, plies - 1)
        })
    }

    fn after(position: &Position, moves: &[Move]) -> Position {
        let mut position = position.clone();
        moves.iter().for_each(|&mv| position.play_unchecked(mv));
        position
    }

    /// Walks through the tree and compares each statement with the plain search above.
    fn check(tree: &Tree, place: usize, position: &Position, left: u32, seen: &mut usize) {
        let node = &tree.nodes[place];
        let all = node.mates.len() + node.fails.len() + node.unknown.len();
        assert_eq!(all, checks(position).len());
        for &(mv, reply) in &node.fails {
            let escaped = after(position, &[mv, reply]);
            assert!(!mates(&escaped, left.saturating_sub(2)), "{position} {mv} {reply}");
        }
        for mate in &node.mates {
            let mated = after(position, &[mate.mv]);
            assert_eq!(mate.replies.len(), mated.legal_moves().len());
            // The length is the exact one.
            if mate.plies <= left {
                assert!(loses(&mated, mate.plies - 1), "{position} {}", mate.mv);
                assert!(mate.plies < 3 || !loses(&mated, mate.plies - 3), "{position} {}", mate.mv);
            }
            assert!(mate.replies.is_sorted_by_key(|reply| Reverse(reply.plies)));
            assert_eq!(mate.replies.first().map_or(1, |reply| reply.plies + 2), mate.plies);
            for reply in &mate.replies {
                let next = after(&mated, &[reply.mv]);
                *seen += 1;
                if let Some(place) = reply.node.filter(|_| left > 2 && reply.plies < left) {
                    check(tree, place, &next, left - 2, seen);
                }
            }
        }
    }

    #[test]
    fn every_statement_holds_in_a_plain_search() {
        for (sfen, plies) in [
            ("9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1", 5),
            ("1k7/n8/2P6/9/9/9/9/9/9 b GN2r2b3g4s2n4l17p 1", 3),
            ("4k4/9/4G4/9/9/9/9/9/9 b 2G2r2bg4s4n4l18p 1", 1),
        ] {
            let position: Position = sfen.parse().unwrap();
            let tree = Tree::of(&position, &[], &TreeLimits::default());
            assert_eq!(tree.nodes[0].mates[0].plies, plies, "{sfen}");
            let mut seen = 0;
            check(&tree, 0, &position, plies, &mut seen);
            // At least the main line.
            assert!(seen >= plies as usize / 2, "{seen}");
        }
    }

    #[test]
    fn the_main_line_survives_the_smallest_limits() {
        let position: Position = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1".parse().unwrap();
        let limits = TreeLimits { positions: 0, detour: 0, nodes: 0, reply_nodes: 16_000 };
        let tree = Tree::of(&position, &[], &limits);
        let (mut place, mut plies) = (0, 0);
        let start = position.clone();
        let mut play = position;
        loop {
            let mate = &tree.nodes[place].mates[0];
            play.play_unchecked(mate.mv);
            plies += 1;
            let Some(reply) = mate.replies.first() else { break };
            play.play_unchecked(reply.mv);
            plies += 1;
            place = reply.node.expect("the main line is there");
        }
        assert!(play.is_mate() && plies == 5, "{plies} plies");
        let all = Tree::of(&start, &[], &TreeLimits::default());
        assert!(tree.nodes.len() == 3 && all.nodes.len() > 3);
    }

    /// By tradition, futile interpositions do not count. So by the rules, the solution may neither be the
    /// fastest mate nor the longest defense.
    #[test]
    fn a_solution_by_tradition_is_in_the_tree() {
        for (sfen, solution) in [
            ("9/9/6Bnl/8k/R6p1/9/9/9/9 b rb4g4s3n3l17p 1", "9e9d"),
            ("9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1", "3d1d 1c1d 3f3c+"),
            (
                "6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1",
                "1e2d 1b2a G*2b 2a2b 3d3c+ 2b2a 1i1b+ 2a1b 2d2c 1b1a 2c2b",
            ),
        ] {
            let position: Position = sfen.parse().unwrap();
            let mut play = position.clone();
            let solution: Vec<Move> = solution
                .split(' ')
                .map(|word| play.play(word.parse::<UsiMove>().unwrap()).unwrap())
                .collect();
            let limits = TreeLimits { positions: 0, ..TreeLimits::default() };
            let tree = Tree::of(&position, &solution, &limits);
            let mut place = 0;
            for pair in solution.chunks(2) {
                let mate = tree.nodes[place].mates.iter().find(|mate| mate.mv == pair[0]);
                let mate = mate.unwrap_or_else(|| panic!("{sfen}: {} mates", pair[0]));
                let Some(&reply) = pair.get(1) else { break };
                let reply = mate.replies.iter().find(|one| one.mv == reply).unwrap();
                place = reply.node.unwrap_or_else(|| panic!("{sfen}: {}", reply.mv));
            }
        }
    }

    #[test]
    fn the_largest_limits_are_none() {
        let position: Position = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1".parse().unwrap();
        let solution = ["G*2d", "1c1b", "2d2c", "1b1a", "2c2b"];
        let mut play = position.clone();
        let solution = solution.map(|text| play.play(text.parse::<UsiMove>().unwrap()).unwrap());
        let limits =
            TreeLimits { detour: u32::MAX, reply_nodes: u64::MAX / 32, ..TreeLimits::default() };
        let tree = Tree::of(&position, &solution, &limits);
        assert_eq!(tree.nodes[0].mates[0].plies, 5);
        assert!(tree.nodes[0].mates[0].replies[0].node.is_some());
        assert!(tree.nodes.iter().all(|node| node.unknown.is_empty()));
    }
}

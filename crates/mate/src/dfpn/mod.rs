//! Df-pn: depth-first proof-number search for a mate (Nagai and Imai, "Application of df-pn+ to
//! Othello endgames", 1999; Nagai's thesis, 2002).
//!
//! A node is searched until its proof or disproof number reaches a threshold, always at the child
//! that needs the least effort. The thresholds make the search return just when another child looks
//! better. Every search asks for a mate *within a length*: without a bound for any mate, with a
//! bound for a shorter one. The nodes of the path lie in a list, not on the call stack, so a search
//! of any depth runs on any thread. These techniques are added to the plain algorithm:
//!
//! * weak proof numbers and moves that wait for others (`children`);
//! * results that are found by the board and compared by the hands (`table`, `hands`);
//! * results of repetitions, which depend on the path and are stored with the positions that they
//!   depend on (GHI; `path`, `path_dependence`);
//! * in long searches, numbers for new positions from the same board with other hands (`table`);
//! * higher thresholds where a node leads back to nodes nearer to the root (Kishimoto, "Dealing
//!   with infinite loops, underestimation, and overestimation of depth-first proof-number search",
//!   2010);
//! * the static test for a mate in one at every new position (`first_look`).
//!
//! *When there is no mate.* A disproof counts only if no limit contributed to it: every line ran
//! out of checks, or returned to a position below the node. A node that the bound of length cut off
//! is disproven for that length only.

mod children;
mod first_look;
mod hands;
mod inventory;
mod judgment;
mod length;
mod mixture;
mod numbers;
mod other_threads;
mod path;
mod path_dependence;
mod proof;
mod table;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod virtual_loss;

use tsumero_core::{Color, Filter, Hand, Line, Move, MoveList, Position};

use crate::watch::{MateUnknown, Watch};
use children::{Child, NodeResult, Side, Step, arrange, decided, rank, waits};
use inventory::salt;
use judgment::decides;
use length::odd_bound;
use numbers::Numbers;
use path::{Path, position_key};
use path_dependence::Dependence;
use table::Known;
use virtual_loss::VirtualLosses;

pub use length::{ANY_LENGTH, Length, UNBOUNDED};
pub use table::Table;
pub(crate) use table::Usage;

/// The answer to "is there a mate within this length?"
///
/// ```
/// use tsumero_mate::NodeLimit;
/// use tsumero_mate::dfpn::{Answer, Dfpn, Table};
/// let position = "1k7/n8/2P6/9/9/9/9/9/9 b GNp 1".parse().unwrap();
/// let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(10_000));
/// let mut search = Dfpn::new(&position, &table, &mut watch);
/// assert_eq!(search.solve(1), Ok(Answer::NoMate(1)));
/// assert_eq!(search.solve(5), Ok(Answer::Mate(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a mate in at most this many plies.
    Mate(Length),
    /// There is no mate in at most this many plies; [`UNBOUNDED`]: no mate at all.
    NoMate(Length),
}

/// A search from one position.
///
/// ```
/// use tsumero_mate::NodeLimit;
/// use tsumero_mate::dfpn::{ANY_LENGTH, Answer, Dfpn, Table};
/// let position = "9/9/8k/8N/9/7L1/9/9/9 b Gp 1".parse().unwrap();
/// let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(10_000));
/// let mut search = Dfpn::new(&position, &table, &mut watch);
/// let Ok(Answer::Mate(length)) = search.solve(ANY_LENGTH) else { panic!("there is a mate") };
/// assert_eq!(search.line(length).unwrap()[0].to_string(), "G*2d");
/// ```
pub struct Dfpn<'a, W> {
    position: Line,
    table: &'a Table,
    watch: &'a mut W,
    /// Which positions other threads are searching, if there are other threads.
    virtual_losses: Option<&'a VirtualLosses>,
    attacker: Color,
    /// Part of all keys: the number of pieces in the game, and the attacking side.
    salt: u64,
    /// The rules for long searches hold from this number of nodes on; see [`LONG_SEARCH`].
    long_from: u64,
    path: Path,
    /// The nodes on the path above the one that is searched, the root first.
    ancestors: Vec<Frame>,
    /// The children of all nodes on the path, those of the root first.
    children: Vec<Child>,
    /// The moves of the node that is being expanded, and where they lead to. They are fields only
    /// to reuse their memory.
    moves: Box<MoveList>,
    steps: Vec<Step>,
}

/// A search is long after this many nodes of its thread. Then positions borrow numbers from other hands
/// ([`Table::look_up_with_loans`]), and siblings count less ([`children::summarize`]). Both are for
/// mates in many hundreds of plies. Short searches would take 8 % fewer nodes in the mean, but some
/// of them twice as many.
const LONG_SEARCH: u64 = 1_500_000;

/// A node to be searched.
#[derive(Clone, Copy)]
struct Node {
    side: Side,
    /// The plies that the mate may take from here.
    length: Length,
    /// Plies from the root.
    ply: u16,
    /// Whether the table knew the position.
    seen: bool,
    /// Whether the static test has already failed.
    tested: bool,
}

/// A node on the path, and how far its search is.
#[derive(Clone, Copy)]
struct Frame {
    node: Node,
    key: u64,
    hand: Hand,
    /// The search returns when the numbers reach these.
    thresholds: Numbers,
    /// The nodes that were counted when the search entered it.
    started: u64,
    /// The place of its first child.
    first: usize,
    /// How many nodes above it lead back to nodes nearer to the root.
    loops_before: u32,
    /// The child that is searched, and whether it held others back before.
    place: usize,
    held_back: bool,
}

/// Where the search goes.
enum Next {
    /// To the position after the move that was just made, until its numbers reach the thresholds.
    Child(Node, Numbers),
    /// Back, with the outcome of the node.
    Parent(NodeResult),
}

impl<'a, W: Watch> Dfpn<'a, W> {
    /// A search for a mate by the side to move. Results go into the table, which other searches may
    /// share. `watch` counts the nodes and ends the search.
    pub fn new(position: &Position, table: &'a Table, watch: &'a mut W) -> Self {
        let attacker = position.side_to_move();
        let long_from = watch.nodes().saturating_add(LONG_SEARCH);
        Dfpn {
            position: Line::from(position),
            table,
            watch,
            virtual_losses: None,
            attacker,
            salt: salt(position),
            long_from,
            path: Path::new(),
            ancestors: Vec::new(),
            children: Vec::new(),
            moves: Box::default(),
            steps: Vec::new(),
        }
    }

    /// The same search, next to those of other threads with the same table.
    pub(crate) fn among(self, virtual_losses: Option<&'a VirtualLosses>) -> Self {
        Dfpn { virtual_losses, ..self }
    }

    /// The position that is searched.
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// The watch, which counts the nodes.
    pub(crate) fn watch(&self) -> &W {
        self.watch
    }

    /// The watch, for reports.
    pub(crate) fn watch_mut(&mut self) -> &mut W {
        self.watch
    }

    /// Whether there is a mate of at most `length` plies. Mates have odd lengths, so an even number counts
    /// as the one below it. More than [`ANY_LENGTH`] counts as that.
    ///
    /// # Errors
    /// The watch ended the search.
    pub fn solve(&mut self, length: Length) -> Result<Answer, MateUnknown> {
        let Some(length) = odd_bound(length) else { return Ok(Answer::NoMate(0)) };
        let root = Node { side: Side::Attacker, length, ply: 0, seen: false, tested: false };
        loop {
            let outcome = match decided(self.look_up(length)) {
                Some(outcome) => outcome,
                None => self.search(root)?,
            };
            match outcome {
                NodeResult::Mate { length, .. } => return Ok(Answer::Mate(length)),
                NodeResult::NoMate { length, .. } => return Ok(Answer::NoMate(length)),
                // This happens only if numbers saturate, because the root's thresholds are
                // infinite.
                NodeResult::Open(_) => {}
            }
        }
    }

    fn key(&self) -> u64 {
        self.position.board_key() ^ self.salt
    }

    fn hand(&self) -> Hand {
        self.position.hand(self.attacker)
    }

    /// Whether the search has taken so many nodes that the rules for long ones hold.
    fn is_long(&self) -> bool {
        self.watch.nodes() >= self.long_from
    }

    fn look_up(&self, length: Length) -> Known {
        self.table.look_up(self.key(), self.hand(), length)
    }

    /// Searches the position until it is decided or its numbers saturate. After an error the path is
    /// empty again and the position is the one before.
    fn search(&mut self, root: Node) -> Result<NodeResult, MateUnknown> {
        self.watch.enter_node()?;
        // How many nodes on the path lead back to nodes nearer to the root.
        let mut loops = 0;
        let mut frame = self.enter(root, Numbers::INFINITE);
        let mut next = self.begin(&mut frame, &mut loops);
        loop {
            next = match next {
                Ok(Next::Child(node, thresholds)) => {
                    let child = self.enter(node, thresholds);
                    self.ancestors.push(std::mem::replace(&mut frame, child));
                    self.begin(&mut frame, &mut loops)
                }
                Ok(Next::Parent(outcome)) => {
                    let outcome = self.leave(&frame, outcome, &mut loops);
                    let Some(parent) = self.ancestors.pop() else { return Ok(outcome) };
                    self.position.undo_move();
                    frame = parent;
                    self.take_back(&frame, outcome);
                    self.go_on(&mut frame, &mut loops)
                }
                Err(reason) => {
                    self.abandon(&frame);
                    return Err(reason);
                }
            };
        }
    }

    /// Puts the position on the path as a node.
    fn enter(&mut self, node: Node, thresholds: Numbers) -> Frame {
        let (key, hand) = (self.key(), self.hand());
        if node.side == Side::Attacker {
            self.path.push(key, hand, node.ply);
        }
        if let Some(virtual_losses) = self.virtual_losses {
            virtual_losses.enter(position_key(key, hand));
        }
        Frame {
            node,
            key,
            hand,
            thresholds,
            started: self.watch.nodes(),
            first: self.children.len(),
            loops_before: 0,
            place: 0,
            held_back: false,
        }
    }

    /// Takes the node off the path.
    fn quit(&mut self, frame: &Frame) {
        if let Some(virtual_losses) = self.virtual_losses {
            virtual_losses.leave(position_key(frame.key, frame.hand));
        }
        if frame.node.side == Side::Attacker {
            self.path.pop();
        }
    }

    /// Takes all nodes off the path, because a limit ended the search.
    fn abandon(&mut self, frame: &Frame) {
        self.quit(frame);
        while let Some(parent) = self.ancestors.pop() {
            self.position.undo_move();
            self.quit(&parent);
        }
        self.children.clear();
    }

    /// Takes the node off the path and stores its outcome. Returns the outcome as the nodes above
    /// see it.
    fn leave(&mut self, frame: &Frame, outcome: NodeResult, loops: &mut u32) -> NodeResult {
        let &Frame { node, key, hand, first, .. } = frame;
        self.quit(frame);
        let best = match outcome {
            NodeResult::Mate { .. } => self.mating_move(&node, first),
            _ => 0,
        };
        self.children.truncate(first);
        let outcome = dependence_above(outcome, node.ply);
        if !matches!(outcome, NodeResult::Open(_)) {
            *loops = loops.saturating_sub(1);
        }
        let effort = u32::try_from(self.watch.nodes() - frame.started + 1).unwrap_or(u32::MAX);
        match outcome {
            // Another thread has found the mate and stored it with its move.
            NodeResult::Mate { .. } if node.side == Side::Attacker && best == 0 => {}
            NodeResult::Mate { length, hand } => {
                self.table.store_mate(key, hand, length, best, effort);
            }
            NodeResult::NoMate { length, hand, dependence: Dependence::NONE } => {
                self.table.store_no_mate(key, hand, length, effort);
            }
            NodeResult::NoMate { length, dependence, .. } => {
                self.path.store(self.table.path_dependent(), key, hand, length, dependence);
                self.table.store_path_dependent(key, hand, effort);
            }
            NodeResult::Open(numbers) => {
                self.table.store_open(key, hand, numbers, node.ply, effort);
            }
        }
        outcome
    }

    /// The move that proved the node, packed.
    fn mating_move(&self, node: &Node, first: usize) -> u16 {
        if node.side == Side::Defender {
            return 0;
        }
        let proven = self.children[first..].iter().filter_map(|child| match child.outcome {
            NodeResult::Mate { length, .. } => Some((length, child.mv)),
            _ => None,
        });
        match proven.min_by_key(|&(length, _)| length) {
            Some((_, mv)) => mv.to_usi().pack(),
            // Without a proven child, the static test found the move.
            None => self.position.mate_in_one().map_or(0, |mv| mv.to_usi().pack()),
        }
    }

    /// Appends the children of the node, each with what is known of it.
    fn expand(&mut self, node: &Node, first: usize) {
        self.moves.clear();
        match node.side {
            Side::Attacker => self.position.generate_checks(&mut self.moves),
            Side::Defender => self.position.generate(Filter::ALL, &mut self.moves),
        }
        if node.length == 0 {
            // The bound is reached: it only matters whether the defender is mated.
            self.moves.truncate(1);
        }
        self.steps.clear();
        for number in 0..self.moves.len() {
            let step = self.step(self.moves[number]);
            self.table.prefetch(step.key);
            self.steps.push(step);
        }
        arrange(node.side, &self.position, &mut self.steps);
        for number in 0..self.steps.len() {
            let step = self.steps[number];
            let elder = &self.children[first..];
            let rank = rank(node.side, step.mv, elder);
            let is_in_play = !waits(node.side, rank.waits_for, elder);
            let child = Child { rank, ..self.child(node, step, is_in_play) };
            self.children.push(child);
            if decides(node.side, &child.outcome) {
                break;
            }
        }
    }

    /// The step that a move makes: the key and the hand after it.
    fn step(&self, mv: Move) -> Step {
        Step {
            mv,
            key: self.position.board_key_after(mv) ^ self.salt,
            hand: hands::after(mv, self.attacker, self.hand()),
            lateness: 0,
        }
    }

    /// Brings the children into play that waited for one child.
    fn bring_into_play(&mut self, node: &Node, first: usize, elder: usize) {
        for place in elder + 1..self.children.len() {
            let Child { mv, rank, .. } = self.children[place];
            if rank.waits_for.is_none_or(|number| first + usize::from(number) != elder) {
                continue;
            }
            let child = Child { rank, ..self.child(node, self.step(mv), true) };
            self.children[place] = child;
            if !node.side.holds_back(&child.outcome) {
                self.bring_into_play(node, first, place);
            }
        }
    }

    /// The child that a step leads to. A position that is not in the table gets a first look only
    /// if it is in play.
    fn child(&mut self, node: &Node, step: Step, is_in_play: bool) -> Child {
        let Step { mv, key, hand, .. } = step;
        if node.length == 0 {
            return Child::from_table(mv, Known::NoMate { length: 0, hand });
        }
        let length = node.length - 1;
        if node.side == Side::Defender
            && let Some(ply) = self.path.repeats(key, hand)
        {
            let mut child = Child::from_table(mv, Known::NoMate { length: UNBOUNDED, hand });
            let dependence = Dependence::on(ply);
            child.outcome = NodeResult::NoMate { length: UNBOUNDED, hand, dependence };
            return child;
        }
        let known = if self.is_long() {
            self.table.look_up_with_loans(key, hand, length, node.ply + 1)
        } else {
            self.table.look_up(key, hand, length)
        };
        let mut child = Child::from_table(mv, known);
        if let NodeResult::Open(_) = child.outcome {
            if child.path_dependent
                && let Some((length, dependence)) =
                    self.path.look_up(self.table.path_dependent(), key, hand, length)
            {
                child.outcome = NodeResult::NoMate { length, hand, dependence };
            } else if is_in_play {
                self.look_first(node, length, &mut child);
            }
        }
        child
    }

    /// Starts on a node: decides it at once or lists its children.
    fn begin(&mut self, frame: &mut Frame, loops: &mut u32) -> Result<Next, MateUnknown> {
        let Frame { node, first, .. } = *frame;
        if let Some(outcome) = self.settle_at_once(&node) {
            return Ok(Next::Parent(outcome));
        }
        if node.side == Side::Attacker && node.length == 3 {
            return Ok(Next::Parent(self.settle_within_three(&node, first)?));
        }
        self.expand(&node, first);
        frame.loops_before = *loops;
        if leads_back(&node, &self.children[first..]) {
            *loops += 1;
        }
        if !node.seen && *loops > 0 {
            *loops -= 1;
        }
        self.go_on(frame, loops)
    }

    /// Goes on with a node: makes the move of the child to be searched next, unless the node is
    /// decided or its numbers have reached the thresholds.
    fn go_on(&mut self, frame: &mut Frame, loops: &mut u32) -> Result<Next, MateUnknown> {
        let Frame { node, thresholds, first, loops_before, .. } = *frame;
        loop {
            let judged = match self.decided_by_others(&node) {
                Some(outcome) => {
                    // The result does not come from the children.
                    self.children.truncate(first);
                    Err(outcome)
                }
                None => self.judge(&node, first),
            };
            let mut summary = match judged {
                Ok(summary) => summary,
                Err(outcome) => {
                    *loops = (*loops).min(loops_before);
                    return Ok(Next::Parent(outcome));
                }
            };
            let mut limit = thresholds;
            if *loops > 0 {
                limit.proof = limit.proof.max(summary.numbers.proof + 1);
                limit.disproof = limit.disproof.max(summary.numbers.disproof + 1);
            }
            if summary.numbers.reach(limit) {
                *loops = (*loops).min(loops_before);
                return Ok(Next::Parent(NodeResult::Open(summary.numbers)));
            }
            self.spread(&node, first, limit, &mut summary);
            let place = first + summary.best;
            let goal = summary.thresholds(node.side, limit);
            let child = self.children[place];
            frame.place = place;
            frame.held_back = node.side.holds_back(&child.outcome);
            let is_settled = self.is_settled_by_others(&node, place, goal);
            self.watch.enter_node()?;
            if is_settled {
                self.release(frame);
                continue;
            }
            let next = Node {
                side: match node.side {
                    Side::Attacker => Side::Defender,
                    Side::Defender => Side::Attacker,
                },
                length: node.length - 1,
                ply: node.ply + 1,
                seen: child.seen,
                tested: child.tested,
            };
            self.position.do_move(child.mv);
            return Ok(Next::Child(next, goal));
        }
    }

    /// Gives the child that was searched its outcome.
    fn take_back(&mut self, frame: &Frame, outcome: NodeResult) {
        let child = &mut self.children[frame.place];
        child.outcome = outcome;
        child.seen = true;
        child.ply = child.ply.min(frame.node.ply + 1);
        self.release(frame);
    }

    /// Brings the children into play that waited for the child that was searched, if its outcome no
    /// longer holds them back.
    fn release(&mut self, frame: &Frame) {
        let Frame { node, first, place, .. } = *frame;
        if frame.held_back && !node.side.holds_back(&self.children[place].outcome) {
            self.bring_into_play(&node, first, place);
        }
    }
}

/// The outcome as the nodes above see it: positions at the node or below it no longer count as
/// dependence.
fn dependence_above(outcome: NodeResult, ply: u16) -> NodeResult {
    match outcome {
        NodeResult::NoMate { length, hand, dependence } => {
            NodeResult::NoMate { length, hand, dependence: dependence.before(ply) }
        }
        other => other,
    }
}

/// Whether some open child, or a position that lent it numbers, was seen nearer to the root than
/// this node.
fn leads_back(node: &Node, children: &[Child]) -> bool {
    let is_open = |child: &Child| matches!(child.outcome, NodeResult::Open(_));
    children.iter().any(|child| is_open(child) && child.ply < node.ply)
}

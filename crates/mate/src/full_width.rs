//! Full-width mate search: searches the whole tree of checks and evasions with a growing bound on
//! the length of the mate (1, 3, 5 … plies) and a table of results.
//!
//! Two searches share this tree. They differ in their table ([`Results`]) and in what a repetition
//! means:
//!
//! * [`solve`] is the first stage of the mate solver. A line that returns to an earlier position of
//!   its path is a failure of the attacker. So perpetual checks are proven not to mate.
//! * [`BoundedSearch`] serves the judge of mate problems. Only the bound ends a line, so each answer
//!   is a fact about the position, holds on every path, and may be kept in a table that forgets.
//!
//! Neither loses anything: a shortest mate never passes through a position twice.
//!
//! *What an answer of [`solve`] proves.* [`Bounded::Mate`] is a mate against every defense, every
//! legal interposition (合駒) included, and its length is the shortest. [`Bounded::NoMate`] is given
//! only if the bound cut off no line: every sequence of checks has ended or has returned to an
//! earlier position of its path.
//!
//! *Repetition and the table.* A line that fails by returning to an earlier position of its path
//! proves nothing on another path. This is the graph-history interaction problem (GHI; Kishimoto
//! and Müller, "A general solution to the graph history interaction problem", 2004). A failure
//! therefore carries the ply of the earliest position that it depends on. It is stored only if that
//! position is the node itself or lies below it. The game's history before the root is not looked
//! at.

use std::hash::BuildHasherDefault;

use tsumero_core::{Filter, KeyMap, Line, Move, MoveList, Position};

use crate::watch::{MateUnknown, NodeLimit, Watch};

/// The result of a bounded search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Bounded {
    /// The shortest mate: the attacker's best moves and the evasions that last longest.
    Mate(Vec<Move>),
    /// Proven: no sequence of checks mates.
    NoMate,
    /// The nodes sufficed only to prove that there is no mate within this many plies.
    NoneWithin(u32),
}

/// Looks for a mate by the side to move with at most `nodes` nodes. It skips a bound that is
/// predicted to cost over half of them: an unfinished bound yields nothing. The attacker may be in
/// check or without a king. The defender needs a king, because otherwise no move gives check.
///
/// # Errors
/// The reason that `watch` gives for ending the search.
pub(crate) fn solve<W: Watch>(
    position: &Position,
    nodes: u64,
    watch: &mut W,
) -> Result<Bounded, MateUnknown> {
    let results =
        Growing(KeyMap::with_capacity_and_hasher(FIRST_POSITIONS, BuildHasherDefault::new()));
    let last_node = watch.nodes() + nodes;
    FullWidth { last_node, ..FullWidth::without_nodes(Line::from(position), results, watch) }
        .solve(nodes)
}

/// Positions that fit into the table before it grows: enough for most mates in three plies.
const FIRST_POSITIONS: usize = 112;

/// The longest mate that is looked for, in plies. The call stack limits it: a ply takes less than 400
/// bytes.
const MAX_LENGTH: u32 = 255;
/// The ply of a failure that depends on no earlier position.
const NOWHERE: u32 = u32::MAX;

/// The result of looking for a mate within a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WithinBound {
    /// There is one.
    Mate,
    /// There is no mate within the bound.
    NotYet {
        /// Whether the bound cut off a line, so that a longer mate is still possible.
        hit_bound: bool,
        /// The ply of the earliest position whose repetition made a line fail.
        depends_on: u32,
    },
}

/// The bound has been reached. There may be a longer mate.
pub(crate) const BOUND_REACHED: WithinBound =
    WithinBound::NotYet { hit_bound: true, depends_on: NOWHERE };
/// There is no mate at all.
pub(crate) const NO_MATE: WithinBound =
    WithinBound::NotYet { hit_bound: false, depends_on: NOWHERE };

/// What came of trying the checks of a position.
enum Tried {
    Mate(Move),
    NotYet { hit_bound: bool, depends_on: u32 },
}

/// Why the search returned without a result.
pub(crate) enum Interrupted {
    /// The nodes allowed have been used.
    NoNodesLeft,
    /// A limit of the whole search ended it.
    Limit(MateUnknown),
}

impl From<Interrupted> for MateUnknown {
    fn from(interrupted: Interrupted) -> MateUnknown {
        match interrupted {
            Interrupted::NoNodesLeft => MateUnknown::Nodes,
            Interrupted::Limit(reason) => reason,
        }
    }
}

/// The table of a search, and with it the meaning of a repetition.
pub(crate) trait Results {
    /// Whether a line ends where it returns to a position of its path. Then only positions with the
    /// attacker to move are stored, and the static test runs at the bound alone: its other answers
    /// come from the bounds before.
    const ENDS_AT_REPETITION: bool;
    /// The largest bound that can be asked for, in plies. The call stack limits it, too.
    const LARGEST: u32;

    /// The known outcome within `length` plies, and the move to try first, in packed form, or 0.
    fn look_up(&self, key: u64, length: u32) -> (Option<WithinBound>, u16);

    /// Stores an outcome that holds on every path, with the move that decided, in packed form, or 0.
    fn store(&mut self, key: u64, length: u32, outcome: WithinBound, best: u16);
}

/// A table that grows, for one search.
struct Growing(KeyMap<Known>);

/// An entry of [`Growing`]: a position with the attacker to move.
#[derive(Clone, Copy, Default)]
struct Known {
    /// There is a mate in at most this many plies; 0 if none is known.
    mate: u16,
    /// There is no mate in at most this many plies; [`NONE_AT_ALL`]: no mate at all.
    none: u16,
    /// The move that mated, in packed form, or 0.
    best: u16,
}

const NONE_AT_ALL: u16 = u16::MAX;

impl Results for Growing {
    const ENDS_AT_REPETITION: bool = true;
    const LARGEST: u32 = MAX_LENGTH;

    fn look_up(&self, key: u64, length: u32) -> (Option<WithinBound>, u16) {
        let Some(known) = self.0.get(&key) else { return (None, 0) };
        let outcome = if known.mate > 0 && u32::from(known.mate) <= length {
            Some(WithinBound::Mate)
        } else if known.none == NONE_AT_ALL {
            Some(NO_MATE)
        } else {
            (u32::from(known.none) >= length).then_some(BOUND_REACHED)
        };
        (outcome, known.best)
    }

    fn store(&mut self, key: u64, length: u32, outcome: WithinBound, best: u16) {
        let known = self.0.entry(key).or_default();
        match outcome {
            WithinBound::Mate => (known.mate, known.best) = (length as u16, best),
            WithinBound::NotYet { hit_bound: true, .. } => known.none = length as u16,
            WithinBound::NotYet { hit_bound: false, .. } => known.none = NONE_AT_ALL,
        }
    }
}

/// A table of fixed size that forgets, for many questions.
pub(crate) struct Fixed(Vec<FixedEntry>);

/// An entry of [`Fixed`]: a position with either side to move.
#[derive(Clone, Copy, Default)]
struct FixedEntry {
    key: u64,
    /// There is a mate within this many plies.
    mate: Option<u8>,
    /// There is no mate within this many plies; [`NEVER`]: no mate at all.
    none: Option<u8>,
    /// The move that decided, in packed form, or 0.
    best: u16,
}

const NEVER: u8 = u8::MAX;
/// The largest bound that can be asked for with a [`Fixed`] table, in plies.
pub(crate) const MAX_BOUND: u32 = 251;
/// Positions in the table, a power of two.
const TABLE: usize = 1 << 16;

impl Fixed {
    fn slot(key: u64) -> usize {
        (key >> 32) as usize & (TABLE - 1)
    }
}

impl Results for Fixed {
    const ENDS_AT_REPETITION: bool = false;
    const LARGEST: u32 = MAX_BOUND;

    fn look_up(&self, key: u64, length: u32) -> (Option<WithinBound>, u16) {
        let entry = &self.0[Fixed::slot(key)];
        if entry.key != key {
            return (None, 0);
        }
        let known = match *entry {
            FixedEntry { mate: Some(mate), .. } if u32::from(mate) <= length => {
                Some(WithinBound::Mate)
            }
            FixedEntry { none: Some(NEVER), .. } => Some(NO_MATE),
            FixedEntry { none: Some(none), .. } if u32::from(none) >= length => Some(BOUND_REACHED),
            _ => None,
        };
        (known, entry.best)
    }

    fn store(&mut self, key: u64, length: u32, outcome: WithinBound, best: u16) {
        let entry = &mut self.0[Fixed::slot(key)];
        if entry.key != key {
            *entry = FixedEntry { key, ..FixedEntry::default() };
        }
        // `enter_node` refuses bounds beyond `MAX_BOUND`.
        let length = length as u8;
        match outcome {
            WithinBound::Mate => {
                entry.mate = Some(entry.mate.map_or(length, |mate| mate.min(length)))
            }
            WithinBound::NotYet { hit_bound: true, .. } => {
                entry.none = entry.none.max(Some(length))
            }
            WithinBound::NotYet { hit_bound: false, .. } => entry.none = Some(NEVER),
        }
        if best != 0 {
            entry.best = best;
        }
    }
}

/// A search of the tree below one position.
pub(crate) struct FullWidth<R, W> {
    position: Line,
    results: R,
    watch: W,
    /// The node count at which the search must end.
    last_node: u64,
    /// Keys of the positions with the attacker to move, from the root on.
    path: Vec<u64>,
    /// Keys of positions with the attacker to move that count as "no mate".
    pub(crate) barred: Vec<u64>,
    /// The moves of all positions on the way, so that they take no room on the call stack, and those
    /// of the last one, whose memory is used again.
    moves: Vec<Move>,
    listed: Box<MoveList>,
}

impl<R: Results, W: Watch> FullWidth<R, W> {
    /// A search that may not use any nodes yet.
    fn without_nodes(position: Line, results: R, watch: W) -> FullWidth<R, W> {
        FullWidth {
            position,
            results,
            watch,
            last_node: 0,
            path: Vec::new(),
            barred: Vec::new(),
            moves: Vec::new(),
            listed: Box::default(),
        }
    }

    fn enter_node(&mut self, length: u32) -> Result<(), Interrupted> {
        #[cfg(test)]
        crate::stack::at(self.position.ply());
        if length > R::LARGEST {
            return Err(Interrupted::Limit(MateUnknown::Depth));
        }
        if self.watch.nodes() >= self.last_node {
            return Err(Interrupted::NoNodesLeft);
        }
        self.watch.enter_node().map_err(Interrupted::Limit)
    }

    /// Attacker to move: is there a mate in at most `length` plies (an odd number)?
    pub(crate) fn attack(&mut self, length: u32) -> Result<WithinBound, Interrupted> {
        self.enter_node(length)?;
        let key = self.position.key();
        if self.barred.contains(&key) {
            return Ok(BOUND_REACHED);
        }
        let (known, best) = self.results.look_up(key, length);
        if let Some(outcome) = known {
            return Ok(outcome);
        }
        let ply = self.path.len() as u32;
        if R::ENDS_AT_REPETITION
            && let Some(earlier) = self.path.iter().position(|&on_path| on_path == key)
        {
            return Ok(WithinBound::NotYet { hit_bound: false, depends_on: earlier as u32 });
        }
        if let Some(outcome) = self.static_test(key, length) {
            return Ok(outcome);
        }
        self.listed.clear();
        self.position.generate_checks(&mut self.listed);
        let first = self.list(best);
        if R::ENDS_AT_REPETITION {
            self.path.push(key);
        }
        let tried = self.try_checks(first, length);
        self.moves.truncate(first);
        if R::ENDS_AT_REPETITION {
            self.path.pop();
        }
        let (hit_bound, depends_on) = match tried? {
            Tried::Mate(mv) => {
                self.results.store(key, length, WithinBound::Mate, mv.to_usi().pack());
                return Ok(WithinBound::Mate);
            }
            Tried::NotYet { hit_bound, depends_on } => (hit_bound, depends_on),
        };
        // A failure that depends only on this very position depends on nothing outside the node.
        let depends_on = if depends_on >= ply { NOWHERE } else { depends_on };
        let outcome = WithinBound::NotYet { hit_bound, depends_on };
        if depends_on == NOWHERE {
            self.results.store(key, length, outcome, 0);
        }
        Ok(outcome)
    }

    /// Appends the moves just listed, the remembered one first. Returns where they begin.
    fn list(&mut self, best: u16) -> usize {
        put_first(&self.position, &mut self.listed, best);
        self.moves.extend_from_slice(&self.listed);
        self.moves.len() - self.listed.len()
    }

    /// Tries the checks that begin at `first`, until one mates.
    fn try_checks(&mut self, first: usize, length: u32) -> Result<Tried, Interrupted> {
        let (mut hit_bound, mut depends_on) = (false, NOWHERE);
        for place in first..self.moves.len() {
            let mv = self.moves[place];
            match self.after(mv, |search| search.defend(length - 1))? {
                WithinBound::Mate => return Ok(Tried::Mate(mv)),
                WithinBound::NotYet {
                    hit_bound: child_hit_bound,
                    depends_on: child_depends_on,
                } => {
                    hit_bound |= child_hit_bound;
                    depends_on = depends_on.min(child_depends_on);
                }
            }
        }
        Ok(Tried::NotYet { hit_bound, depends_on })
    }

    /// The outcome with the attacker to move, if the static test for a mate in one decides it.
    fn static_test(&mut self, key: u64, length: u32) -> Option<WithinBound> {
        if R::ENDS_AT_REPETITION && (length > 1 || self.position.in_check()) {
            return None;
        }
        if let Some(mv) = self.position.mate_in_one() {
            self.results.store(key, 1, WithinBound::Mate, mv.to_usi().pack());
            return Some(WithinBound::Mate);
        }
        if length > 1 {
            return None;
        }
        // Testing again costs no more than storing this.
        if !R::ENDS_AT_REPETITION {
            self.results.store(key, 1, BOUND_REACHED, 0);
        }
        Some(BOUND_REACHED)
    }

    /// Defender to move, in check: is every evasion mated in at most `length` plies (even)?
    pub(crate) fn defend(&mut self, length: u32) -> Result<WithinBound, Interrupted> {
        self.enter_node(length)?;
        // If repetitions end lines, an outcome here may depend on the path.
        let key = self.position.key();
        let mut best = 0;
        if !R::ENDS_AT_REPETITION {
            let (known, decided_by) = self.results.look_up(key, length);
            if let Some(outcome) = known {
                return Ok(outcome);
            }
            best = decided_by;
        }
        if length == 0 {
            return Ok(if self.position.has_legal_move() {
                BOUND_REACHED
            } else {
                WithinBound::Mate
            });
        }
        self.listed.clear();
        self.position.generate(Filter::ALL, &mut self.listed);
        let first = self.list(best);
        let tried = self.try_evasions(first, length);
        self.moves.truncate(first);
        let (outcome, best) = tried?;
        if !R::ENDS_AT_REPETITION {
            self.results.store(key, length, outcome, best);
        }
        Ok(outcome)
    }

    /// Tries the evasions that begin at `first`, until one escapes. Returns that one, too, packed.
    fn try_evasions(
        &mut self,
        first: usize,
        length: u32,
    ) -> Result<(WithinBound, u16), Interrupted> {
        for place in first..self.moves.len() {
            let mv = self.moves[place];
            let outcome = self.after(mv, |search| search.attack(length - 1))?;
            if outcome != WithinBound::Mate {
                return Ok((outcome, mv.to_usi().pack()));
            }
        }
        Ok((WithinBound::Mate, 0))
    }

    /// Asks a question about the position after a move.
    pub(crate) fn after<T>(&mut self, mv: Move, ask: impl FnOnce(&mut Self) -> T) -> T {
        self.position.do_move(mv);
        let answer = ask(self);
        self.position.undo_move();
        answer
    }
}

/// Moves the remembered move to the front.
fn put_first(position: &Position, moves: &mut MoveList, best: u16) {
    if let Some(best) = position.unpack_move(best)
        && let Some(place) = moves.iter().position(|&mv| mv == best)
    {
        moves[..=place].rotate_right(1);
    }
}

impl<W: Watch> FullWidth<Growing, W> {
    /// Deepens until the answer is known or the next bound would take too many of the `nodes`.
    fn solve(&mut self, nodes: u64) -> Result<Bounded, MateUnknown> {
        let mut none_within = 0;
        let (mut started, mut last_cost) = (self.watch.nodes(), 1);
        for length in (1..=MAX_LENGTH).step_by(2) {
            let found = match self.attack(length) {
                Ok(WithinBound::Mate) => self.line(length).map(Bounded::Mate),
                Ok(WithinBound::NotYet { hit_bound: false, .. }) => Ok(Bounded::NoMate),
                Ok(WithinBound::NotYet { hit_bound: true, .. }) => {
                    none_within = length;
                    let cost = (self.watch.nodes() - started).max(1);
                    if cost * cost / last_cost > nodes / 2 {
                        break;
                    }
                    (started, last_cost) = (started + cost, cost);
                    continue;
                }
                Err(interrupted) => Err(interrupted),
            };
            match found {
                Ok(bounded) => return Ok(bounded),
                Err(Interrupted::NoNodesLeft) => break,
                Err(Interrupted::Limit(reason)) => return Err(reason),
            }
        }
        Ok(Bounded::NoneWithin(none_within))
    }

    /// The line of a mate in exactly `length` plies: a check that mates in time, then the evasion
    /// that lasts longest, and so on.
    fn line(&mut self, length: u32) -> Result<Vec<Move>, Interrupted> {
        let mut line = Vec::new();
        let root = self.position.clone();
        let mut left = length;
        loop {
            let mut checks = MoveList::new();
            self.position.generate_checks(&mut checks);
            let mut mating = None;
            for &mv in &checks {
                self.position.do_move(mv);
                let outcome = self.defend(left - 1)?;
                if outcome == WithinBound::Mate {
                    mating = Some(mv);
                    break;
                }
                self.position.undo_move();
            }
            line.push(mating.expect("a proven mate has a mating move"));
            let evasions = self.position.legal_moves();
            if evasions.is_empty() {
                break;
            }
            let mut longest = None;
            for &mv in &evasions {
                self.position.do_move(mv);
                let at_least = longest.map_or(0, |(_, plies)| plies);
                let plies = self.shortest_mate(at_least, left - 2)?;
                self.position.undo_move();
                if plies > at_least {
                    longest = Some((mv, plies));
                }
            }
            let (mv, plies) = longest.expect("some evasion lasts longest");
            line.push(mv);
            self.position.do_move(mv);
            left = plies;
        }
        self.position = root;
        Ok(line)
    }

    /// The length of the shortest mate, which is known to be at most `at_most`; or `at_least` if it
    /// is not longer than that.
    fn shortest_mate(&mut self, at_least: u32, at_most: u32) -> Result<u32, Interrupted> {
        let mut length = if at_least == 0 { 1 } else { at_least };
        while length < at_most {
            if self.attack(length)? == WithinBound::Mate {
                return Ok(length);
            }
            length += 2;
        }
        Ok(at_most)
    }
}

/// A search that answers one question after another about positions, with a table that forgets.
pub(crate) type BoundedSearch = FullWidth<Fixed, NodeLimit>;

impl BoundedSearch {
    pub(crate) fn new() -> BoundedSearch {
        let results = Fixed(vec![FixedEntry::default(); TABLE]);
        FullWidth::without_nodes(Position::startpos().into(), results, NodeLimit::new(u64::MAX))
    }

    /// Clears the table, so that node counts do not depend on earlier questions.
    pub(crate) fn forget(&mut self) {
        self.results.0.fill(FixedEntry::default());
    }

    /// Sets the position.
    pub(crate) fn set(&mut self, position: &Position) {
        self.position = position.into();
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn do_move(&mut self, mv: Move) {
        self.position.do_move(mv);
    }

    pub(crate) fn undo_move(&mut self) {
        self.position.undo_move();
    }

    /// Starts a question that may use this many nodes.
    pub(crate) fn allow(&mut self, nodes: u64) {
        self.last_node = self.watch.nodes().saturating_add(nodes);
    }

    /// The length of the shortest mate by the side to move, up to `most` plies; `None` if there is
    /// none within them.
    pub(crate) fn length(&mut self, most: u32) -> Result<Option<u32>, MateUnknown> {
        for length in (1..=most).step_by(2) {
            match self.attack(length)? {
                WithinBound::Mate => return Ok(Some(length)),
                NO_MATE => return Ok(None),
                WithinBound::NotYet { .. } => {}
            }
        }
        Ok(None)
    }

    /// All evasions. The one that is known to last longest comes first.
    pub(crate) fn evasions(&self) -> MoveList {
        let mut evasions = self.position.legal_moves();
        let (_, best) = self.results.look_up(self.position.key(), 0);
        put_first(&self.position, &mut evasions, best);
        evasions
    }
}

#[cfg(test)]
mod tests;

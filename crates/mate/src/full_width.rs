//! Full-width mate search: searches the whole tree of checks and evasions with a growing bound on
//! the length of the mate (1, 3, 5 … plies) and a table of results.
//!
//! *What an answer proves.* [`Bounded::Mate`] is a mate against every defence, every legal
//! interposition (合駒) included, and its length is the shortest. [`Bounded::NoMate`] is given only
//! if the bound cut off no line: every sequence of checks has ended or has returned to an earlier
//! position of its path. Such a return counts as failure of the attacker. This loses nothing,
//! because a shortest mate never passes through a position twice.
//!
//! *Repetition and the table.* A line that fails by returning to an earlier position of its path
//! proves nothing on another path. This is the graph-history interaction problem (GHI; Kishimoto
//! and Müller, "A general solution to the graph history interaction problem", 2004). A failure
//! therefore carries the ply of the earliest position that it depends on. It is stored only if that
//! position is the node itself or lies below it. The game's history before the root is not looked
//! at.

use std::hash::BuildHasherDefault;

use tsumero_core::{Filter, Move, MoveList, Position};

use crate::key_map::KeyMap;
use crate::watch::{MateUnknown, Watch};

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
    let mut solver = Solver {
        position: position.clone(),
        nodes,
        last_node: watch.nodes() + nodes,
        watch,
        table: KeyMap::with_capacity_and_hasher(FIRST_POSITIONS, BuildHasherDefault::new()),
        path: Vec::new(),
    };
    solver.solve()
}

/// Positions that fit into the table before it grows: enough for most mates in three plies.
const FIRST_POSITIONS: usize = 112;

/// The longest mate that is looked for, in plies. The call stack limits it.
const MAX_LENGTH: u32 = 255;
/// The ply of a failure that depends on no earlier position.
const NOWHERE: u32 = u32::MAX;

/// The table's entry of a position with the attacker to move.
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

/// The result of looking for a mate within a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
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

/// The bound has been reached.
const BOUND_REACHED: Outcome = Outcome::NotYet { hit_bound: true, depends_on: NOWHERE };
/// There is no mate at all.
const NO_MATE: Outcome = Outcome::NotYet { hit_bound: false, depends_on: NOWHERE };

/// Why the search returned without a result.
enum Interrupted {
    /// The nodes allowed have been used.
    NoNodesLeft,
    /// A limit of the whole search ended it.
    Limit(MateUnknown),
}

struct Solver<'a, W> {
    position: Position,
    /// The nodes allowed.
    nodes: u64,
    /// The node count at which the search must end.
    last_node: u64,
    watch: &'a mut W,
    table: KeyMap<Known>,
    /// Keys of the positions with the attacker to move, from the root on.
    path: Vec<u64>,
}

impl<W: Watch> Solver<'_, W> {
    fn solve(&mut self) -> Result<Bounded, MateUnknown> {
        let mut none_within = 0;
        let (mut started, mut last_cost) = (self.watch.nodes(), 1);
        for length in (1..=MAX_LENGTH).step_by(2) {
            let found = match self.attack(length) {
                Ok(Outcome::Mate) => self.line(length).map(Bounded::Mate),
                Ok(Outcome::NotYet { hit_bound: false, .. }) => Ok(Bounded::NoMate),
                Ok(Outcome::NotYet { hit_bound: true, .. }) => {
                    none_within = length;
                    let cost = (self.watch.nodes() - started).max(1);
                    if cost * cost / last_cost > self.nodes / 2 {
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

    fn enter_node(&mut self) -> Result<(), Interrupted> {
        if self.watch.nodes() >= self.last_node {
            return Err(Interrupted::NoNodesLeft);
        }
        self.watch.enter_node().map_err(Interrupted::Limit)
    }

    /// Attacker to move: is there a mate in at most `length` plies (an odd number)?
    fn attack(&mut self, length: u32) -> Result<Outcome, Interrupted> {
        self.enter_node()?;
        let key = self.position.key();
        let known = self.table.get(&key).copied().unwrap_or_default();
        if known.mate > 0 && u32::from(known.mate) <= length {
            return Ok(Outcome::Mate);
        }
        if known.none == NONE_AT_ALL {
            return Ok(NO_MATE);
        }
        if u32::from(known.none) >= length {
            return Ok(BOUND_REACHED);
        }

        let ply = self.path.len() as u32;
        if let Some(earlier) = self.path.iter().position(|&on_path| on_path == key) {
            return Ok(Outcome::NotYet { hit_bound: false, depends_on: earlier as u32 });
        }

        // The static test decides mates in one. Whether there is any check is found out at the next
        // bound.
        if length == 1 && !self.position.in_check() {
            let Some(mv) = self.position.mate_in_one() else {
                return Ok(BOUND_REACHED);
            };
            self.table.insert(key, Known { mate: 1, best: mv.to_usi().pack(), ..known });
            return Ok(Outcome::Mate);
        }

        let mut checks = MoveList::new();
        self.position.generate_checks(&mut checks);
        if let Some(best) = self.position.unpack_move(known.best)
            && let Some(place) = checks.iter().position(|&mv| mv == best)
        {
            checks[..=place].rotate_right(1);
        }
        self.path.push(key);
        let (mut hit_bound, mut depends_on) = (false, NOWHERE);
        let mut mate = None;
        for &mv in &checks {
            self.position.do_move(mv);
            let outcome = self.defend(length - 1);
            self.position.undo_move();
            match outcome? {
                Outcome::Mate => {
                    mate = Some(mv);
                    break;
                }
                Outcome::NotYet { hit_bound: child_hit_bound, depends_on: child_depends_on } => {
                    hit_bound |= child_hit_bound;
                    depends_on = depends_on.min(child_depends_on);
                }
            }
        }
        self.path.pop();

        if let Some(mv) = mate {
            let known = self.table.get(&key).copied().unwrap_or_default();
            self.table
                .insert(key, Known { mate: length as u16, best: mv.to_usi().pack(), ..known });
            return Ok(Outcome::Mate);
        }
        // A failure that depends only on this very position depends on nothing outside the node.
        let depends_on = if depends_on >= ply { NOWHERE } else { depends_on };
        if depends_on == NOWHERE {
            let none = if hit_bound { length as u16 } else { NONE_AT_ALL };
            self.table.insert(key, Known { none, ..known });
        }
        Ok(Outcome::NotYet { hit_bound, depends_on })
    }

    /// Defender to move, in check: is every evasion mated in at most `length` plies (even)?
    fn defend(&mut self, length: u32) -> Result<Outcome, Interrupted> {
        self.enter_node()?;
        if length == 0 {
            return Ok(if self.position.has_legal_move() { BOUND_REACHED } else { Outcome::Mate });
        }
        let mut evasions = MoveList::new();
        self.position.generate(Filter::ALL, &mut evasions);
        if evasions.is_empty() {
            return Ok(Outcome::Mate);
        }
        for &mv in &evasions {
            self.position.do_move(mv);
            let outcome = self.attack(length - 1);
            self.position.undo_move();
            // One evasion that escapes is enough.
            if let found @ Outcome::NotYet { .. } = outcome? {
                return Ok(found);
            }
        }
        Ok(Outcome::Mate)
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
                if outcome == Outcome::Mate {
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
            if self.attack(length)? == Outcome::Mate {
                return Ok(length);
            }
            length += 2;
        }
        Ok(at_most)
    }
}

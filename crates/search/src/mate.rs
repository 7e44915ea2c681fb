//! Mate search: can the side to move mate by checks alone?
//!
//! Full-width search of the tree of checks and evasions with a growing bound on the length of
//! the mate (1, 3, 5 … plies) and a table of results.
//!
//! *What an answer proves.* [`MateAnswer::Mate`] is a mate against every defence, every legal
//! interposition included, and its length is the shortest there is. [`MateAnswer::NoMate`] is
//! given only when no line was cut off by the bound: every sequence of checks has run dry, or
//! returned to a position already on its path, which for the attacker is failure (a shortest
//! mate never passes through a position twice, so nothing is lost by forbidding it). Everything
//! else is [`MateAnswer::Unknown`].
//!
//! *Repetition and the table.* That a line failed by returning to an earlier position of its
//! path says nothing on another path. A failure therefore carries the ply of the earliest
//! position it leaned on, and it is kept only where that position is the node itself or lies
//! below it. (The difficulty is the graph-history interaction problem; see Kishimoto and Müller,
//! "A general solution to the graph history interaction problem", 2004.) The game's history
//! before the root is not looked at.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::{Duration, Instant};

use tsumero_core::{Move, MoveList, Position};

use crate::signals::Signals;

/// Limits of a mate search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateLimits {
    /// Longest time.
    pub time: Option<Duration>,
    /// Largest number of nodes.
    pub nodes: Option<u64>,
    /// Memory for the table of results, at least 1.
    pub hash_mb: usize,
}

/// Why a mate search does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateUnknown {
    /// The time was over.
    Time,
    /// All nodes were used.
    Nodes,
    /// The table of results was full, or the mate would be longer than the search can follow.
    Memory,
    /// The search was told to stop.
    Stopped,
}

/// The answer of a mate search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateAnswer {
    /// The side to move mates by this line, giving check with every move: the attacker's
    /// shortest, the defender's longest.
    Mate(Vec<Move>),
    /// Proven: no sequence of checks mates.
    NoMate,
    /// Not known.
    Unknown(MateUnknown),
}

/// Progress of a mate search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateInfo {
    /// Length of mate being looked for, in plies.
    pub depth: u32,
    /// Time since the start.
    pub time: Duration,
    /// Positions looked at.
    pub nodes: u64,
}

/// Looks for a mate by the side to move. The attacker may be in check or without a king; the
/// defender needs a king, else nothing can give check.
pub fn solve_mate(
    position: &Position,
    limits: &MateLimits,
    signals: &Signals,
    report: &mut dyn FnMut(MateInfo),
) -> MateAnswer {
    let mut solver = Solver {
        position: position.clone(),
        limits: *limits,
        signals,
        started: Instant::now(),
        nodes: 0,
        table: HashMap::default(),
        // An entry with its key takes 17 bytes. Just after it has grown the table is little more
        // than 7/16 full, and while it grows the old one, half as large, is still there.
        table_limit: limits.hash_mb.max(1).saturating_mul(1 << 20) / 64,
        path: Vec::new(),
    };
    match solver.solve(report) {
        Ok(answer) => answer,
        Err(reason) => MateAnswer::Unknown(reason),
    }
}

/// The longest mate the search can follow, in plies, bounded by the call stack.
const MAX_LENGTH: u32 = 255;
/// Nodes between two looks at the clock and the signals.
const NODES_PER_LOOK: u64 = 256;
/// The ply of a failure that leaned on no earlier position.
const NOWHERE: u32 = u32::MAX;

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy, Default)]
struct Known {
    /// There is a mate in at most so many plies; 0 if none is known.
    mate: u16,
    /// There is no mate in at most so many plies; `u16::MAX`: none at all.
    none: u16,
    /// The move that mated or came nearest, in packed form, or 0.
    best: u16,
}

const NONE_AT_ALL: u16 = u16::MAX;

/// The keys are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Result of looking for a mate within a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// There is one.
    Mate,
    /// There is none within the bound.
    NotYet {
        /// Whether the bound cut a line: a longer mate is still possible.
        cut: bool,
        /// Ply of the earliest position whose return made a line fail.
        leans_on: u32,
    },
}

struct Solver<'a> {
    position: Position,
    limits: MateLimits,
    signals: &'a Signals,
    started: Instant,
    nodes: u64,
    table: HashMap<u64, Known, BuildHasherDefault<KeyHasher>>,
    table_limit: usize,
    /// Keys of the positions with the attacker to move, from the root on.
    path: Vec<u64>,
}

impl Solver<'_> {
    fn solve(&mut self, report: &mut dyn FnMut(MateInfo)) -> Result<MateAnswer, MateUnknown> {
        let mut length = 1;
        while length <= MAX_LENGTH {
            report(MateInfo { depth: length, time: self.started.elapsed(), nodes: self.nodes });
            self.look_at_limits()?;
            match self.attack(length)? {
                Outcome::Mate => return Ok(MateAnswer::Mate(self.line(length)?)),
                Outcome::NotYet { cut: false, .. } => return Ok(MateAnswer::NoMate),
                Outcome::NotYet { cut: true, .. } => length += 2,
            }
        }
        Err(MateUnknown::Memory)
    }

    fn look_at_limits(&self) -> Result<(), MateUnknown> {
        if self.signals.is_stopped() {
            return Err(MateUnknown::Stopped);
        }
        if self.limits.time.is_some_and(|time| self.started.elapsed() >= time) {
            return Err(MateUnknown::Time);
        }
        Ok(())
    }

    fn enter_node(&mut self) -> Result<(), MateUnknown> {
        self.nodes += 1;
        if self.limits.nodes.is_some_and(|nodes| self.nodes > nodes) {
            return Err(MateUnknown::Nodes);
        }
        if self.nodes.is_multiple_of(NODES_PER_LOOK) {
            self.look_at_limits()?;
        }
        Ok(())
    }

    /// Attacker to move: is there a mate in at most `length` plies (an odd number)?
    fn attack(&mut self, length: u32) -> Result<Outcome, MateUnknown> {
        self.enter_node()?;
        let key = self.position.key();
        let known = self.table.get(&key).copied().unwrap_or_default();
        if known.mate > 0 && u32::from(known.mate) <= length {
            return Ok(Outcome::Mate);
        }
        if known.none == NONE_AT_ALL {
            return Ok(Outcome::NotYet { cut: false, leans_on: NOWHERE });
        }
        if u32::from(known.none) >= length {
            return Ok(Outcome::NotYet { cut: true, leans_on: NOWHERE });
        }

        let ply = self.path.len() as u32;
        if let Some(earlier) = self.path.iter().position(|&on_path| on_path == key) {
            return Ok(Outcome::NotYet { cut: false, leans_on: earlier as u32 });
        }

        // The static test settles mates in one. Without one there may still be checks.
        if length == 1 && !self.position.in_check() {
            if let Some(mv) = self.position.mate_in_one() {
                self.keep(key, Known { mate: 1, none: known.none, best: mv.to_usi().pack() })?;
                return Ok(Outcome::Mate);
            }
            let mut checks = MoveList::new();
            self.position.generate_checks(&mut checks);
            let none = if checks.is_empty() { NONE_AT_ALL } else { 1 };
            self.keep(key, Known { none, ..known })?;
            return Ok(Outcome::NotYet { cut: !checks.is_empty(), leans_on: NOWHERE });
        }

        let mut checks = MoveList::new();
        self.position.generate_checks(&mut checks);
        if let Some(best) = self.position.unpack_move(known.best)
            && let Some(place) = checks.iter().position(|&mv| mv == best)
        {
            checks[..=place].rotate_right(1);
        }
        self.path.push(key);
        let (mut cut, mut leans_on) = (false, NOWHERE);
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
                Outcome::NotYet { cut: child_cut, leans_on: child_leans_on } => {
                    cut |= child_cut;
                    leans_on = leans_on.min(child_leans_on);
                }
            }
        }
        self.path.pop();

        if let Some(mv) = mate {
            let known = self.table.get(&key).copied().unwrap_or_default();
            self.keep(key, Known { mate: length as u16, best: mv.to_usi().pack(), ..known })?;
            return Ok(Outcome::Mate);
        }
        // Leaning on this very position is leaning on nothing outside.
        let leans_on = if leans_on >= ply { NOWHERE } else { leans_on };
        if leans_on == NOWHERE {
            let none = if cut { length as u16 } else { NONE_AT_ALL };
            self.keep(key, Known { none, ..known })?;
        }
        Ok(Outcome::NotYet { cut, leans_on })
    }

    /// Defender to move, in check: is every evasion mated in at most `length` plies (even)?
    fn defend(&mut self, length: u32) -> Result<Outcome, MateUnknown> {
        self.enter_node()?;
        let evasions = self.position.legal_moves();
        if evasions.is_empty() {
            return Ok(Outcome::Mate);
        }
        if length == 0 {
            return Ok(Outcome::NotYet { cut: true, leans_on: NOWHERE });
        }
        let mut failure = None;
        for &mv in &evasions {
            // One evasion that holds out is enough. The others are only glanced at, for one
            // after which no check is left: it holds for good.
            let length = if failure.is_some() { 1 } else { length - 1 };
            self.position.do_move(mv);
            let outcome = self.attack(length);
            self.position.undo_move();
            match outcome? {
                Outcome::Mate => {}
                found @ Outcome::NotYet { cut: false, .. } => return Ok(found),
                found @ Outcome::NotYet { cut: true, .. } => {
                    failure.get_or_insert(found);
                }
            }
        }
        Ok(failure.unwrap_or(Outcome::Mate))
    }

    fn keep(&mut self, key: u64, known: Known) -> Result<(), MateUnknown> {
        self.table.insert(key, known);
        if self.table.len() > self.table_limit { Err(MateUnknown::Memory) } else { Ok(()) }
    }

    /// The line of a mate of exactly `length` plies: a check that mates in time, then the evasion
    /// that lasts longest, and so on.
    fn line(&mut self, length: u32) -> Result<Vec<Move>, MateUnknown> {
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

    /// Length of the shortest mate, known to be at most `at_most`; or `at_least` if it is not
    /// longer than that.
    fn shortest_mate(&mut self, at_least: u32, at_most: u32) -> Result<u32, MateUnknown> {
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

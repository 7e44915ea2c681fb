//! Mate search: can the side to move mate by checks alone?
//!
//! Three stages, each of which may answer:
//!
//! 1. The static test for a mate in one, then [`crate::full_width`]: every line within a few
//!    plies. Short mates come out of it with their exact length, before there is any table.
//! 2. [`crate::dfpn`] without a bound of length: any mate, or the proof that there is none.
//! 3. [`crate::dfpn`] with the bound "shorter than the mate known", until there is no
//!    shorter one or a limit ends it.
//!
//! *What an answer proves.* [`MateAnswer::Mate`] is a mate against every defence, every legal
//! interposition included; what df-pn found is replayed move by move before it is reported. The
//! line is the shortest unless a limit ended the third stage, see [`MateEffort`].
//! [`MateAnswer::NoMate`] is
//! given only where every sequence of checks has run dry or come back to a position before it,
//! never because a limit was met. Everything else is [`MateAnswer::Unknown`].
//!
//! The attacker may be in check or without a king; the defender needs a king, else nothing can
//! give check. The game before the root is not looked at.

mod first_moves;
mod futile;
mod helpers;

pub use first_moves::{FirstMove, MateChoices};

use std::sync::Arc;
use std::time::{Duration, Instant};

use tsumero_control::Signals;
use tsumero_core::{Move, Position};

use helpers::Helpers;

use crate::dfpn::{ANY_LENGTH, Answer, Broken, Dfpn, Table, UNBOUNDED, Usage};
use crate::full_width::{self, Bounded};
use crate::watch::{MateUnknown, Watch};

/// Limits of a mate search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateLimits {
    /// Longest time.
    pub time: Option<Duration>,
    /// Largest number of nodes.
    pub nodes: Option<u64>,
    /// Threads that search together, at least 1. Only with one are the nodes of a search the same
    /// each time. No more are used than four for each processor.
    pub threads: usize,
    /// Whether to look for the shortest mate once one is known; else the first one found is the
    /// answer.
    pub shortest: bool,
}

impl Default for MateLimits {
    /// No limit, and one thread that looks for the shortest mate.
    fn default() -> MateLimits {
        MateLimits { time: None, nodes: None, threads: 1, shortest: true }
    }
}

/// The answer of a mate search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateAnswer {
    /// The side to move mates by this line, giving check with every move.
    Mate(Vec<Move>),
    /// Proven: no sequence of checks mates.
    NoMate,
    /// Not known.
    Unknown(MateUnknown),
}

/// Progress of a mate search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateInfo {
    /// Time since the start.
    pub time: Duration,
    /// Positions looked at.
    pub nodes: u64,
    /// Share of the table in use, in permille.
    pub hashfull: u32,
    /// The mate that was found just now, move by move; empty if this only says how far the search
    /// has come.
    pub mate: Vec<Move>,
}

/// Most nodes of the first stage.
const FULL_WIDTH_NODES: u64 = 8000;

/// Size of the call stack that a thread needs to look for a mate, in bytes.
pub const MATE_STACK_SIZE: usize = 64 << 20;

/// A mate solver with its table, which serves one position after the other.
pub struct MateSolver {
    hash_mb: usize,
    /// Made when the first stage fails for the first time.
    table: Option<Table>,
    effort: MateEffort,
}

/// What the last search of a [`MateSolver`] took, and whether it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MateEffort {
    /// Positions looked at.
    pub nodes: u64,
    /// From the start to the answer.
    pub time: Duration,
    /// Whether a mate that was found is proven to be the shortest. A limit may have ended the
    /// search for a shorter one.
    pub is_shortest: bool,
}

impl MateSolver {
    /// A solver whose table may take `hash_mb` (at least 1) megabytes, rounded down to a power of
    /// two. The memory is taken as it is needed.
    pub fn new(hash_mb: usize) -> MateSolver {
        MateSolver { hash_mb, table: None, effort: MateEffort::default() }
    }

    /// What the last search took.
    pub fn effort(&self) -> MateEffort {
        self.effort
    }

    /// Share of the table in use, in permille.
    pub fn table_fill(&self) -> u32 {
        self.table.as_ref().map_or(0, Table::fill)
    }

    /// Looks for a mate by the side to move. `started` is when the search was asked for; its time
    /// counts from there. Progress goes to `report` every half second and at the end, and so does
    /// every mate that is found on the way. The calling thread needs a stack of
    /// [`MATE_STACK_SIZE`] bytes.
    pub fn solve(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        signals: &Signals,
        started: Instant,
        report: &mut dyn FnMut(MateInfo),
    ) -> MateAnswer {
        let mut control = Control { tells_mates: true, ..Control::new(limits, signals, started) };
        control.report = Some(report);
        let (answer, is_shortest) = self.solve_under(position, &mut control);
        self.effort = control.effort(is_shortest);
        match &answer {
            // What df-pn finds was told when it was found.
            MateAnswer::Mate(line) if !control.has_told(line) => control.tell_mate(line),
            _ => control.tell(Vec::new()),
        }
        answer
    }

    /// One search under limits that it may share with others, and whether the mate found is the
    /// shortest.
    fn solve_under(
        &mut self,
        position: &Position,
        control: &mut Control<'_>,
    ) -> (MateAnswer, bool) {
        if !position.in_check()
            && let Some(mv) = position.mate_in_one()
        {
            return (MateAnswer::Mate(vec![mv]), true);
        }
        // Where few nodes are left, most are df-pn's, which proves more with them.
        let full_width_nodes = FULL_WIDTH_NODES.min(control.nodes_left() / 4);
        let bounded = full_width::solve(position, full_width_nodes, control);
        let searched_to = match bounded {
            Err(reason) => return (MateAnswer::Unknown(reason), false),
            Ok(Bounded::Mate(line)) => return (MateAnswer::Mate(line), true),
            Ok(Bounded::NoMate) => return (MateAnswer::NoMate, false),
            Ok(Bounded::NoneWithin(length)) => length,
        };
        let Some(table) = self.ready_table() else {
            return (MateAnswer::Unknown(MateUnknown::Memory), false);
        };
        control.usage = Some(table.usage());
        let helpers = control.helpers.clone();
        let virtual_losses = helpers.as_deref().map(Helpers::virtual_losses);
        let mut search = Search {
            dfpn: Dfpn::new(position, table, control).among(virtual_losses),
            table,
            helpers: helpers.as_deref(),
        };
        search
            .find_and_shorten(searched_to)
            .unwrap_or_else(|reason| (MateAnswer::Unknown(reason), false))
    }

    /// The table with room for another search, if there is memory for it.
    fn ready_table(&mut self) -> Option<&Table> {
        // A new table costs nothing until it is used; emptying a large one takes long enough to
        // keep a stop waiting.
        self.table = self.table.take().filter(|table| table.fill() <= FULL);
        if self.table.is_none() {
            self.table = Table::new(self.hash_mb);
        }
        self.table.as_ref()
    }
}

/// A table filled by so many permille is replaced by an empty one before the next position.
const FULL: u32 = 500;

/// The second and third stage.
struct Search<'a, 'b> {
    dfpn: Dfpn<'a, Control<'b>>,
    table: &'a Table,
    /// Who helps, if there is more than one thread.
    helpers: Option<&'a Helpers>,
}

impl Search<'_, '_> {
    /// There is no mate within `searched_to` plies. A mate comes with whether it is the shortest.
    fn find_and_shorten(&mut self, searched_to: u32) -> Result<(MateAnswer, bool), MateUnknown> {
        let mut length = match self.ask(ANY_LENGTH)? {
            Answer::Mate(length) => length,
            Answer::NoMate(UNBOUNDED) => return Ok((MateAnswer::NoMate, false)),
            Answer::NoMate(_) => return Err(MateUnknown::Memory),
        };
        let mut line = self.verified(length)?;
        loop {
            length = line.len() as u16;
            self.dfpn.watch_mut().tell_mate(&line);
            if u32::from(length) <= searched_to + 2 {
                return Ok((MateAnswer::Mate(line), true));
            }
            if !self.dfpn.watch().limits.shortest {
                return Ok((MateAnswer::Mate(line), false));
            }
            let shorter = match self.ask(length - 2) {
                Ok(Answer::Mate(shorter)) => self.verified(shorter),
                Ok(Answer::NoMate(_)) => return Ok((MateAnswer::Mate(line), true)),
                Err(reason) => Err(reason),
            };
            match shorter {
                Ok(shorter) => line = shorter,
                // As short as the limits allow.
                Err(_) => return Ok((MateAnswer::Mate(line), false)),
            }
        }
    }

    /// Whether there is a mate within `length` plies.
    fn ask(&mut self, length: u16) -> Result<Answer, MateUnknown> {
        match self.helpers {
            Some(helpers) => helpers.solve(&mut self.dfpn, self.table, length),
            None => self.dfpn.solve(length),
        }
    }

    fn verified(&mut self, length: u16) -> Result<Vec<Move>, MateUnknown> {
        match self.dfpn.line(length) {
            Ok(line) => Ok(line),
            Err(Broken::Limit(reason)) => Err(reason),
            Err(Broken::Wrong) => {
                debug_assert!(false, "a proof does not hold");
                Err(MateUnknown::Memory)
            }
        }
    }
}

/// Nodes between two looks at the clock and the signals.
const NODES_PER_LOOK: u64 = 256;

/// Time between two reports of how far a search has come.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// Counts the nodes, watches over the limits of one mate search and tells how far it has come.
pub(crate) struct Control<'a> {
    limits: MateLimits,
    signals: &'a Signals,
    started: Instant,
    /// Nodes of this thread.
    nodes: u64,
    helpers: Option<Arc<Helpers>>,
    report: Option<&'a mut dyn FnMut(MateInfo)>,
    /// When something was last told.
    told_at: Instant,
    /// Whether the mates found are those of the position that was asked for.
    tells_mates: bool,
    /// The mate that was told last.
    told: Vec<Move>,
    /// How full the table is, if there is one.
    usage: Option<Arc<Usage>>,
}

impl<'a> Control<'a> {
    pub(crate) fn new(limits: &MateLimits, signals: &'a Signals, started: Instant) -> Control<'a> {
        let count = limits.threads.clamp(1, helpers::most_threads()) - 1;
        let helpers = (count > 0).then(|| Arc::new(Helpers::new(count)));
        Control {
            limits: *limits,
            signals,
            started,
            nodes: 0,
            helpers,
            report: None,
            told_at: Instant::now(),
            tells_mates: false,
            told: Vec::new(),
            usage: None,
        }
    }

    /// Nodes of all threads.
    fn all_nodes(&self) -> u64 {
        self.nodes + self.helpers.as_ref().map_or(0, |helpers| helpers.nodes())
    }

    /// Nodes that may still be used.
    fn nodes_left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.all_nodes()))
    }

    /// Tells how far the search has come, with a mate that was found just now if there is one.
    fn tell(&mut self, mate: Vec<Move>) {
        let (time, nodes) = (self.started.elapsed(), self.all_nodes());
        let hashfull = self.usage.as_ref().map_or(0, |usage| usage.permille());
        if let Some(report) = &mut self.report {
            report(MateInfo { time, nodes, hashfull, mate });
            self.told_at = Instant::now();
        }
    }

    /// Tells of a mate that was found just now.
    fn tell_mate(&mut self, line: &[Move]) {
        if self.tells_mates {
            line.clone_into(&mut self.told);
            self.tell(line.to_vec());
        }
    }

    /// Whether this mate was the last one told.
    fn has_told(&self, line: &[Move]) -> bool {
        self.told == line
    }

    fn effort(&self, is_shortest: bool) -> MateEffort {
        MateEffort { nodes: self.all_nodes(), time: self.started.elapsed(), is_shortest }
    }

    fn look_at_limits(&mut self) -> Result<(), MateUnknown> {
        if self.signals.is_stopped() {
            return Err(MateUnknown::Stopped);
        }
        let now = Instant::now();
        if self.limits.time.is_some_and(|time| now.duration_since(self.started) >= time) {
            return Err(MateUnknown::Time);
        }
        if let Some(helpers) = &self.helpers {
            helpers.publish_asker(self.nodes);
            if self.limits.nodes.is_some_and(|nodes| self.all_nodes() > nodes) {
                return Err(MateUnknown::Nodes);
            }
            if helpers.is_over() {
                return Err(MateUnknown::Stopped);
            }
        }
        if now.duration_since(self.told_at) >= REPORT_INTERVAL {
            self.tell(Vec::new());
        }
        Ok(())
    }
}

impl Watch for Control<'_> {
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

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that shares its limits with others has used nodes before it begins.
    #[test]
    fn as_many_nodes_prove_as_much_whatever_was_used_before() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tsume/nomate.csv");
        let text = std::fs::read_to_string(path).expect("the collection is part of the tests");
        let proven = |used: u64| {
            let sfens = text.lines().skip(1).step_by(8).filter_map(|row| row.split(',').next());
            let positions = sfens.filter_map(|sfen| Position::from_sfen(sfen).ok());
            let no_mates = positions.filter(|position| {
                let nodes = Some(used + 2_000);
                let limits = MateLimits { nodes, ..MateLimits::default() };
                let (signals, now) = (Signals::new(), Instant::now());
                let mut control = Control { nodes: used, ..Control::new(&limits, &signals, now) };
                let mut solver = MateSolver::new(1);
                solver.solve_under(position, &mut control).0 == MateAnswer::NoMate
            });
            no_mates.count()
        };
        let fresh = proven(0);
        assert!(fresh > 5 && proven(1_000_000) == fresh, "{fresh}");
    }
}

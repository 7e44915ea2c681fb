//! Mate search: can the side to move mate by checks alone?
//!
//! The search has three stages, and each may answer:
//!
//! 1. The static test for a mate in one, then [`crate::full_width`], which searches every line of a
//!    few plies. Short mates come from this stage with their exact length, before any table exists.
//! 2. [`crate::dfpn`] without a bound of length. It finds any mate, or proves that there is none.
//! 3. [`crate::dfpn`] with the bound "shorter than the known mate", until no shorter mate exists or
//!    a limit ends the search.
//!
//! *What an answer proves.* [`MateAnswer::Mate`] is a mate against every defense, every legal
//! interposition (合駒) included. A mate that df-pn found is replayed move by move before it is
//! reported. The line is the shortest unless a limit ended the third stage; see [`Mate::is_shortest`].
//! [`MateAnswer::NoMate`] is given only if every sequence of checks has ended or has returned to an
//! earlier position, never because of a limit. Everything else is [`MateAnswer::Unknown`].
//!
//! The attacker may be in check or without a king. The defender needs a king, because otherwise no
//! move gives check. The game before the root is not looked at.

mod first_moves;
mod futile;
mod helpers;
mod question;
mod solver_watch;

pub use first_moves::MateChoices;
pub(crate) use futile::Lengths;
pub use question::MateQuestion;

use std::time::Duration;

use tsumero_core::{Move, Position};

use helpers::Helpers;
use solver_watch::SolverWatch;

use crate::dfpn::{ANY_LENGTH, Answer, Dfpn, Length, Table, UNBOUNDED};
use crate::full_width::{self, Bounded};
use crate::watch::MateUnknown;

/// Limits of a mate search.
///
/// ```
/// use std::time::Duration;
///
/// use tsumero_core::Position;
/// use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, MateUnknown, Signals};
///
/// // The checks of a rook and a gold do not mate this king. The proof takes more than 500 nodes.
/// let position: Position = "8k/9/9/9/9/9/9/9/9 b RG 1".parse()?;
/// let few = MateLimits { nodes: Some(500), ..MateLimits::default() };
/// let more = MateLimits { nodes: None, time: Some(Duration::from_secs(60)), ..few };
/// let signals = Signals::new();
/// let answers = [few, more].map(|limits| {
///     let question = MateQuestion::new(&position, &limits, &signals);
///     MateSolver::new(1).solve(&question, &mut |_| {})
/// });
/// assert_eq!(answers, [MateAnswer::Unknown(MateUnknown::Nodes), MateAnswer::NoMate]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateLimits {
    /// Longest time.
    pub time: Option<Duration>,
    /// Largest number of nodes. Threads that search together may exceed it by a few hundred each.
    pub nodes: Option<u64>,
    /// Threads that search together, at least 1. Only one thread gives the same node count each
    /// time. At most four threads for each processor are used.
    pub threads: usize,
    /// Whether to look for the shortest mate once one is known. Otherwise the first mate found is
    /// the answer.
    pub shortest: bool,
}

impl Default for MateLimits {
    /// No limit, and one thread that looks for the shortest mate.
    fn default() -> MateLimits {
        MateLimits { time: None, nodes: None, threads: 1, shortest: true }
    }
}

/// The answer of a mate search.
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, Signals};
///
/// // The answer to `go mate`, as USI writes it.
/// let shown = |sfen| {
///     let position = Position::from_sfen(sfen).unwrap();
///     let (limits, signals) = (MateLimits::default(), Signals::new());
///     let question = MateQuestion::new(&position, &limits, &signals);
///     match MateSolver::new(1).solve(&question, &mut |_| {}) {
///         MateAnswer::Mate(mate) => {
///             let words: Vec<String> = mate.line.iter().map(ToString::to_string).collect();
///             format!("checkmate {}", words.join(" "))
///         }
///         MateAnswer::NoMate => "checkmate nomate".to_owned(),
///         MateAnswer::Unknown(_) => "checkmate timeout".to_owned(),
///     }
/// };
/// assert_eq!(shown("4k4/9/4P4/9/9/9/9/9/9 b G 1"), "checkmate G*5b");
/// assert_eq!(shown("4k4/9/9/9/9/9/9/9/9 b G 1"), "checkmate nomate");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateAnswer {
    /// The side to move mates.
    Mate(Mate),
    /// Proven: no sequence of checks mates.
    NoMate,
    /// Not known.
    Unknown(MateUnknown),
}

/// A mate that was found.
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, Signals};
///
/// let position: Position = "1k7/n8/2P6/9/9/9/9/9/9 b GN2r2b3g4s2n4l17p 1".parse()?;
/// let (limits, signals) = (MateLimits::default(), Signals::new());
/// let question = MateQuestion::new(&position, &limits, &signals);
/// let MateAnswer::Mate(mate) = MateSolver::new(1).solve(&question, &mut |_| {}) else {
///     panic!("there is a mate")
/// };
/// assert!(mate.line.len() == 3 && mate.is_shortest);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The moves of both sides. Each move of the attacker gives check, and the last one mates. In a
    /// shortest mate the defense lasts as long as possible, unless that is expensive to find out.
    pub line: Vec<Move>,
    /// Whether no mate is shorter; for a first move, no mate that begins with it. If not, a limit
    /// ended the search for a shorter one, or [`MateLimits::shortest`] is off.
    pub is_shortest: bool,
}

impl Mate {
    /// The length of the mate, in plies.
    pub fn plies(&self) -> u32 {
        self.line.len() as u32
    }
}

/// Progress of a mate search.
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_mate::{MateInfo, MateLimits, MateQuestion, MateSolver, Signals};
///
/// let position: Position = "1k7/n8/2P6/9/9/9/9/9/9 b GN2r2b3g4s2n4l17p 1".parse()?;
/// let mut shown = Vec::new();
/// let report = &mut |info: MateInfo| match info.mate.len() {
///     0 => shown.push(format!("{} nodes searched", info.nodes)),
///     plies => shown.push(format!("a mate in {plies}")),
/// };
/// let (limits, signals) = (MateLimits::default(), Signals::new());
/// MateSolver::new(1).solve(&MateQuestion::new(&position, &limits, &signals), report);
/// assert_eq!(shown.last().unwrap(), "a mate in 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateInfo {
    /// Time since the start.
    pub time: Duration,
    /// Positions looked at.
    pub nodes: u64,
    /// The share of the table in use, in permille.
    pub hashfull: u32,
    /// The mate that was just found, move by move. It is empty if this is only a report of
    /// progress.
    pub mate: Vec<Move>,
}

/// The most nodes that the first stage may use.
const FULL_WIDTH_NODES: u64 = 8000;

/// A mate solver with its table, which serves one position after the other. It can be sent to another
/// thread (`Send`).
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, Signals};
///
/// let (mut solver, limits, signals) =
///     (MateSolver::new(16), MateLimits::default(), Signals::new());
/// // Only in the first position does Black hold a gold.
/// let sfens = ["9/9/8k/8N/9/7L1/9/9/9 b Gp 1", "9/9/8k/8N/9/7L1/9/9/9 b p 1"];
/// let [with_gold, without] = sfens.map(|sfen| {
///     let position = Position::from_sfen(sfen).unwrap();
///     solver.solve(&MateQuestion::new(&position, &limits, &signals), &mut |_| {})
/// });
/// assert!(matches!(with_gold, MateAnswer::Mate(mate) if mate.plies() == 5));
/// assert_eq!(without, MateAnswer::NoMate);
/// ```
pub struct MateSolver {
    hash_mb: usize,
    /// The table is made when the first stage fails for the first time.
    table: Option<Table>,
    effort: MateEffort,
}

/// The cost of the last search of a [`MateSolver`].
///
/// ```
/// use std::time::Duration;
///
/// use tsumero_core::Position;
/// use tsumero_mate::{MateEffort, MateLimits, MateQuestion, MateSolver, Signals};
///
/// let position: Position = "1k7/n8/2P6/9/9/9/9/9/9 b GN2r2b3g4s2n4l17p 1".parse()?;
/// let (mut solver, signals) = (MateSolver::new(1), Signals::new());
/// assert_eq!(solver.effort(), MateEffort::default());
/// let limits = MateLimits::default();
/// solver.solve(&MateQuestion::new(&position, &limits, &signals), &mut |_| {});
/// let effort = solver.effort();
/// assert!(effort.nodes > 0 && effort.time > Duration::ZERO);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MateEffort {
    /// Positions looked at.
    pub nodes: u64,
    /// From the start to the answer.
    pub time: Duration,
}

impl MateSolver {
    /// A solver whose table may use `hash_mb` (at least 1) megabytes, rounded down to a power of
    /// two, and a sixteenth more for results of repetitions. While a proof is replayed, it uses up to
    /// an eighth more. The memory is allocated as it is needed. If the system refuses to set aside so
    /// much, the size is halved until it does not.
    pub fn new(hash_mb: usize) -> MateSolver {
        MateSolver { hash_mb, table: None, effort: MateEffort::default() }
    }

    /// Forgets all results, so that the next answer and its nodes are those of a new solver. What is
    /// known of one position never makes the answer for another wrong. But it may save nodes, and lead
    /// to another line of the same length.
    pub fn forget(&mut self) {
        self.table = None;
    }

    /// The cost of the last search.
    pub fn effort(&self) -> MateEffort {
        self.effort
    }

    /// The share of the table in use, in permille.
    pub fn hashfull(&self) -> u32 {
        self.table.as_ref().map_or(0, Table::hashfull)
    }

    /// Looks for a mate by the side to move. `report` receives progress every half second and at the
    /// end, and every mate found on the way. Clock and signals are looked at every few hundred nodes, so a
    /// short problem may be answered in spite of a stop. Any thread may call it: 256 kilobytes of its stack
    /// suffice.
    pub fn solve(
        &mut self,
        question: &MateQuestion<'_>,
        report: &mut dyn FnMut(MateInfo),
    ) -> MateAnswer {
        let mut watch = SolverWatch::new(question);
        watch.tells_mates = true;
        watch.report = Some(report);
        let answer = self.solve_under(question.position, &mut watch);
        self.effort = watch.effort();
        match &answer {
            // A mate of df-pn was reported when it was found.
            MateAnswer::Mate(mate) if !watch.has_told(&mate.line) => watch.tell_mate(&mate.line),
            _ => watch.tell(Vec::new()),
        }
        answer
    }

    /// One search under limits that it may share with others.
    fn solve_under(&mut self, position: &Position, watch: &mut SolverWatch<'_>) -> MateAnswer {
        self.try_to_solve(position, watch).unwrap_or_else(MateAnswer::Unknown)
    }

    /// The answer, or the reason why there is none.
    fn try_to_solve(
        &mut self,
        position: &Position,
        watch: &mut SolverWatch<'_>,
    ) -> Result<MateAnswer, MateUnknown> {
        let shortest = |line| Ok(MateAnswer::Mate(Mate { line, is_shortest: true }));
        if !position.in_check()
            && let Some(mv) = position.mate_in_one()
        {
            return shortest(vec![mv]);
        }
        // If few nodes are left, df-pn gets most of them, because it can prove more with them.
        let full_width_nodes = FULL_WIDTH_NODES.min(watch.nodes_left() / 4);
        let searched_to = match full_width::solve(position, full_width_nodes, watch)? {
            Bounded::Mate(line) => return shortest(line),
            Bounded::NoMate => return Ok(MateAnswer::NoMate),
            Bounded::NoneWithin(length) => length,
        };
        let table = self.ready_table().ok_or(MateUnknown::Memory)?;
        watch.usage = Some(table.usage());
        let helpers = watch.helpers.clone();
        let virtual_losses = helpers.as_deref().map(Helpers::virtual_losses);
        let mut search = Search {
            dfpn: Dfpn::new(position, table, watch).among(virtual_losses),
            table,
            helpers: helpers.as_deref(),
        };
        search.find_and_shorten(searched_to)
    }

    /// The table with room for another search, if there is memory for it.
    pub(crate) fn ready_table(&mut self) -> Option<&Table> {
        // A new table costs nothing until it is used. Emptying a large one takes so long that it
        // would delay a stop.
        self.table = self.table.take().filter(|table| !table.is_filling_up());
        if self.table.is_none() {
            let mut sizes = std::iter::successors(Some(self.hash_mb.max(1)), |&size| {
                (size > 1).then_some(size / 2)
            });
            self.table = sizes.find_map(Table::new);
        }
        self.table.as_ref()
    }
}

/// The second and third stage.
struct Search<'a, 'b> {
    dfpn: Dfpn<'a, SolverWatch<'b>>,
    table: &'a Table,
    /// The helper threads, if there is more than one thread.
    helpers: Option<&'a Helpers>,
}

impl Search<'_, '_> {
    /// Finds a mate and shortens it. The caller knows that there is no mate within `searched_to`
    /// plies.
    fn find_and_shorten(&mut self, searched_to: u32) -> Result<MateAnswer, MateUnknown> {
        let length = match self.ask(ANY_LENGTH)? {
            Answer::Mate(length) => length,
            Answer::NoMate(UNBOUNDED) => return Ok(MateAnswer::NoMate),
            Answer::NoMate(_) => return Err(MateUnknown::Depth),
        };
        let mut line = self.dfpn.line(length)?;
        let is_shortest = loop {
            self.dfpn.watch_mut().tell_mate(&line);
            if line.len() as u32 <= searched_to + 2 {
                break true;
            }
            if !self.dfpn.watch().limits.shortest {
                break false;
            }
            match self.shorter_line(line.len() as Length) {
                Ok(Some(shorter)) => line = shorter,
                Ok(None) => break true,
                // This is the shortest mate that the limits allow. It holds even if the proof of a
                // shorter one does not, which tests must not miss.
                Err(reason) => {
                    debug_assert_ne!(reason, MateUnknown::Broken, "a shorter proof does not hold");
                    break false;
                }
            }
        };
        if is_shortest {
            self.defend_longest(&mut line);
        }
        Ok(MateAnswer::Mate(Mate { line, is_shortest }))
    }

    /// Makes the defense of the line of a shortest mate last longest, as far as that is cheap.
    fn defend_longest(&mut self, line: &mut Vec<Move>) {
        let watch = self.dfpn.watch_mut();
        let limit = watch.limits.nodes;
        let most = watch.all_nodes().saturating_add(watch.all_nodes() / DEFENSE_SHARE);
        watch.limits.nodes = Some(limit.map_or(most, |nodes| nodes.min(most)));
        let done = self.dfpn.defend_longest(line);
        debug_assert_ne!(done, Err(MateUnknown::Broken), "a shortest mate has no longest defense");
        self.dfpn.watch_mut().limits.nodes = limit;
    }

    /// The line of a mate that is shorter than `length` plies; `None` if there is none.
    fn shorter_line(&mut self, length: Length) -> Result<Option<Vec<Move>>, MateUnknown> {
        match self.ask(length - 2)? {
            Answer::Mate(shorter) => self.dfpn.line(shorter).map(Some),
            Answer::NoMate(_) => Ok(None),
        }
    }

    /// Whether there is a mate within `length` plies.
    fn ask(&mut self, length: Length) -> Result<Answer, MateUnknown> {
        match self.helpers {
            Some(helpers) => {
                let nodes = self.dfpn.watch().limits.nodes;
                helpers.solve(&mut self.dfpn, self.table, length, nodes)
            }
            None => self.dfpn.solve(length),
        }
    }
}

/// A longest defense for the line may take this part of the nodes of the search. Mostly a hundredth
/// suffices.
const DEFENSE_SHARE: u64 = 4;

#[cfg(test)]
mod tests {
    use tsumero_control::Signals;

    use super::*;

    /// A search that shares its limits with others starts with some nodes already used. With the
    /// same number of nodes left, it proves as much.
    #[test]
    fn nodes_used_before_do_not_change_the_result() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tsume/nomate.csv");
        let text = std::fs::read_to_string(path).expect("the collection is part of the tests");
        let proven = |used: u64| {
            let sfens = text.lines().skip(1).step_by(8).filter_map(|row| row.split(',').next());
            let positions = sfens.filter_map(|sfen| Position::from_sfen(sfen).ok());
            let no_mates = positions.filter(|position| {
                let nodes = Some(used + 2_000);
                let limits = MateLimits { nodes, ..MateLimits::default() };
                let signals = Signals::new();
                let question = MateQuestion::new(position, &limits, &signals);
                let mut watch = SolverWatch::new(&question);
                watch.nodes = used;
                let mut solver = MateSolver::new(1);
                solver.solve_under(position, &mut watch) == MateAnswer::NoMate
            });
            no_mates.count()
        };
        let fresh = proven(0);
        assert!(fresh > 5 && proven(1_000_000) == fresh, "{fresh}");
    }

    /// A damaged table must not be taken for a lack of memory, nor its claim for a mate.
    #[test]
    fn a_proof_that_does_not_hold_is_named() {
        // No mate, which takes more nodes to prove than there are.
        let position: Position = "8k/9/9/9/9/9/9/9/9 b RG 1".parse().expect("the SFEN is sound");
        let limits = MateLimits { nodes: Some(400), ..MateLimits::default() };
        let (mut solver, signals) = (MateSolver::new(1), Signals::new());
        let table = solver.ready_table().expect("a megabyte is free");
        let no_check = position.parse_move("R*5e").expect("the drop is legal");
        table.claim_mate(&position, 21, no_check);
        let question = MateQuestion::new(&position, &limits, &signals);
        let answer = solver.solve(&question, &mut |_| {});
        assert_eq!(answer, MateAnswer::Unknown(MateUnknown::Broken));
        // The same question about all first moves.
        let problem = position.into();
        let choices = solver.solve_all(&MateQuestion::for_problem(&problem, &limits, &signals));
        assert_eq!(choices.answer, MateAnswer::Unknown(MateUnknown::Broken));
        assert_eq!(MateUnknown::Broken.word(), "broken");
    }
}

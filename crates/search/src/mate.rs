//! Mate search.

use std::time::Duration;

use tsumero_core::{Move, Position};

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
    /// The table of results was full.
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

/// Looks for a mate by the side to move.
pub fn solve_mate(
    position: &Position,
    limits: &MateLimits,
    signals: &Signals,
    report: &mut dyn FnMut(MateInfo),
) -> MateAnswer {
    let _ = (position, limits, signals, report);
    MateAnswer::Unknown(MateUnknown::Stopped)
}

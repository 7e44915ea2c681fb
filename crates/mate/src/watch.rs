//! Limits of a mate search: what ends one, and the reasons why it ends without an answer.

use thiserror::Error;

/// The number of nodes between two looks at the clock and the signals.
pub(crate) const NODES_PER_LOOK: u64 = 256;

/// Decides whether a search continues. The search asks it once at every node.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
///
/// use tsumero_mate::dfpn::{ANY_LENGTH, Dfpn, Table};
/// use tsumero_mate::{MateUnknown, Watch};
///
/// /// Ends a search when a window of the program is closed.
/// struct WhileOpen<'a> {
///     is_open: &'a AtomicBool,
///     nodes: u64,
/// }
///
/// impl Watch for WhileOpen<'_> {
///     fn enter_node(&mut self) -> Result<(), MateUnknown> {
///         self.nodes += 1;
///         if self.is_open.load(Relaxed) { Ok(()) } else { Err(MateUnknown::Stopped) }
///     }
///
///     fn nodes(&self) -> u64 {
///         self.nodes
///     }
/// }
///
/// let position = "1k7/n8/2P6/9/9/9/9/9/9 b GNp 1".parse().unwrap();
/// let (table, is_open) = (Table::new(1).unwrap(), AtomicBool::new(false));
/// let mut watch = WhileOpen { is_open: &is_open, nodes: 0 };
/// let answer = Dfpn::new(&position, &table, &mut watch).solve(ANY_LENGTH);
/// assert_eq!(answer, Err(MateUnknown::Stopped));
/// ```
pub trait Watch {
    /// Counts a node.
    ///
    /// # Errors
    /// The search must end without an answer.
    fn enter_node(&mut self) -> Result<(), MateUnknown>;
    /// Nodes counted.
    fn nodes(&self) -> u64;
}

/// A watch that ends a search after a number of nodes.
///
/// ```
/// use tsumero_mate::dfpn::{ANY_LENGTH, Dfpn, Table};
/// use tsumero_mate::{MateUnknown, NodeLimit};
///
/// let position = "1k7/n8/2P6/9/9/9/9/9/9 b GNp 1".parse().unwrap();
/// let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(2));
/// let answer = Dfpn::new(&position, &table, &mut watch).solve(ANY_LENGTH);
/// assert_eq!(answer, Err(MateUnknown::Nodes));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeLimit {
    nodes: u64,
    most: u64,
}

impl NodeLimit {
    /// A watch that has counted no nodes yet, and lets a search enter `most`.
    pub const fn new(most: u64) -> NodeLimit {
        NodeLimit { nodes: 0, most }
    }
}

impl Watch for NodeLimit {
    #[inline]
    fn enter_node(&mut self) -> Result<(), MateUnknown> {
        self.nodes += 1;
        if self.nodes > self.most { Err(MateUnknown::Nodes) } else { Ok(()) }
    }

    #[inline]
    fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn enter_node(&mut self) -> Result<(), MateUnknown> {
        (**self).enter_node()
    }

    fn nodes(&self) -> u64 {
        (**self).nodes()
    }
}

/// Why a mate search has no answer.
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, MateUnknown, Signals};
///
/// // A search that runs out of nodes is tried again with ten times as many.
/// let position: Position = "1k7/n8/2P6/9/9/9/9/9/9 b GN2r2b3g4s2n4l17p 1".parse()?;
/// let (mut solver, signals, mut nodes) = (MateSolver::new(1), Signals::new(), 1);
/// let answer = loop {
///     let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
///     match solver.solve(&MateQuestion::new(&position, &limits, &signals), &mut |_| {}) {
///         MateAnswer::Unknown(MateUnknown::Nodes) => nodes *= 10,
///         answer => break answer,
///     }
/// };
/// assert!(nodes > 1 && matches!(answer, MateAnswer::Mate(mate) if mate.plies() == 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MateUnknown {
    /// The time is used up.
    #[error("the time is used up")]
    Time,
    /// The nodes are used up.
    #[error("the nodes are used up")]
    Nodes,
    /// There is no room for the results.
    #[error("there is no room for more results")]
    Memory,
    /// A line is longer than the search can follow.
    #[error("a line is longer than the search can follow")]
    Depth,
    /// The search was told to stop.
    #[error("the search was told to stop")]
    Stopped,
    /// A mate was claimed that does not hold: this is a fault of the program or of its memory.
    #[error("the proof of the mate does not hold, which is a fault of the program")]
    Broken,
}

impl MateUnknown {
    /// The reason in one word, as it is printed after `unknown`.
    pub const fn word(self) -> &'static str {
        match self {
            MateUnknown::Time => "time",
            MateUnknown::Nodes => "nodes",
            MateUnknown::Memory => "memory",
            MateUnknown::Depth => "depth",
            MateUnknown::Stopped => "stopped",
            MateUnknown::Broken => "broken",
        }
    }

    /// The reason to tell where there are two: this one, unless only the other is a fault of the program,
    /// which must not pass for a limit.
    pub(crate) fn worse(self, other: MateUnknown) -> MateUnknown {
        if other == MateUnknown::Broken { other } else { self }
    }
}

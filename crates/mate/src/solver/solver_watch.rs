//! The watch of a [`MateSolver`](super::MateSolver): the nodes, the limits and the reports of one search.

use std::sync::Arc;
use std::time::Duration;

use tsumero_control::{Instant, Signals, most_threads};
use tsumero_core::Move;

use super::helpers::Helpers;
use super::{MateEffort, MateInfo, MateLimits, MateQuestion};
use crate::dfpn::Usage;
use crate::watch::{MateUnknown, NODES_PER_LOOK, Watch};

/// The time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// Counts the nodes of one mate search, enforces its limits and reports its progress.
pub(super) struct SolverWatch<'a> {
    pub(super) limits: MateLimits,
    signals: &'a Signals,
    started: Instant,
    /// Nodes of this thread.
    pub(super) nodes: u64,
    pub(super) helpers: Option<Arc<Helpers>>,
    pub(super) report: Option<&'a mut dyn FnMut(MateInfo)>,
    /// When the last report was made.
    told_at: Instant,
    /// Whether the mates found belong to the position that was asked about.
    pub(super) tells_mates: bool,
    /// The mate that was reported last.
    told: Vec<Move>,
    /// The fill of the table, if there is one.
    pub(super) usage: Option<Arc<Usage>>,
}

impl<'a> SolverWatch<'a> {
    pub(super) fn new<P>(question: &MateQuestion<'a, P>) -> SolverWatch<'a> {
        let MateQuestion { limits, signals, started, .. } = *question;
        let count = limits.threads.clamp(1, most_threads()) - 1;
        let helpers = (count > 0).then(|| Arc::new(Helpers::new(count)));
        SolverWatch {
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
    pub(super) fn all_nodes(&self) -> u64 {
        self.nodes + self.helpers.as_ref().map_or(0, |helpers| helpers.nodes())
    }

    /// Nodes that may still be used.
    pub(super) fn nodes_left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.all_nodes()))
    }

    /// Reports progress, with a mate that was just found if there is one.
    pub(super) fn tell(&mut self, mate: Vec<Move>) {
        let (time, nodes) = (self.started.elapsed(), self.all_nodes());
        let hashfull = self.usage.as_ref().map_or(0, |usage| usage.hashfull());
        if let Some(report) = &mut self.report {
            report(MateInfo { time, nodes, hashfull, mate });
            self.told_at = Instant::now();
        }
    }

    /// Reports a mate that was just found.
    pub(super) fn tell_mate(&mut self, line: &[Move]) {
        if self.tells_mates {
            line.clone_into(&mut self.told);
            self.tell(line.to_vec());
        }
    }

    /// Whether this mate was the last one reported.
    pub(super) fn has_told(&self, line: &[Move]) -> bool {
        self.told == line
    }

    pub(super) fn effort(&self) -> MateEffort {
        MateEffort { nodes: self.all_nodes(), time: self.started.elapsed() }
    }

    pub(super) fn look_at_limits(&mut self) -> Result<(), MateUnknown> {
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

impl Watch for SolverWatch<'_> {
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

//! Helper threads: several threads that look for one mate.
//!
//! All of them search the same position with the same table of results. Each has a path and numbers
//! of its own, and [`VirtualLosses`] keeps them apart. The first thread that decides the position
//! answers for all. Helpers start only when the question turns out to take time. Only their results
//! are kept afterwards: the calling thread replays the proof.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use tsumero_core::Position;

use crate::dfpn::virtual_loss::VirtualLosses;
use crate::dfpn::{Answer, Dfpn, Length, Table};
use crate::watch::{MateUnknown, NODES_PER_LOOK, Watch};

/// A question that takes less than this is answered without helpers. In tests, helpers start at
/// once.
const ALONE: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_millis(20) };

/// What the threads of one search share.
pub(crate) struct Helpers {
    count: usize,
    virtual_losses: VirtualLosses,
    /// Nodes that the helpers have searched.
    nodes: AtomicU64,
    /// Nodes of the calling thread, as far as it has published them.
    asker_nodes: AtomicU64,
    /// Whether the current question is decided or given up. This copy can be read without the lock.
    is_over: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_over: bool,
    /// The first answer of a helper.
    answer: Option<Answer>,
}

impl Helpers {
    pub(super) fn new(count: usize) -> Helpers {
        Helpers {
            count,
            virtual_losses: VirtualLosses::new(),
            nodes: AtomicU64::new(0),
            asker_nodes: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Publishes how many nodes the calling thread has searched.
    pub(super) fn publish_asker(&self, nodes: u64) {
        self.asker_nodes.store(nodes, Ordering::Relaxed);
    }

    /// Whether the current question is decided or given up.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn virtual_losses(&self) -> &VirtualLosses {
        &self.virtual_losses
    }

    fn end(&self, answer: Option<Answer>) {
        let mut state = self.state.lock();
        state.is_over = true;
        state.answer = state.answer.or(answer);
        self.is_over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Waits until the question has taken some time. Returns whether it is still open then.
    fn is_needed(&self) -> bool {
        let mut state = self.state.lock();
        !state.is_over && self.changed.wait_for(&mut state, ALONE).timed_out()
    }

    fn help(&self, position: &Position, table: &Table, length: Length, nodes: Option<u64>) {
        if self.is_over() {
            return;
        }
        let mut watch = Helper { helpers: self, nodes: 0, limit: nodes };
        let mut dfpn = Dfpn::new(position, table, &mut watch).among(Some(&self.virtual_losses));
        let answer = dfpn.solve(length);
        self.nodes.fetch_add(watch.nodes % NODES_PER_LOOK, Ordering::Relaxed);
        if let Ok(answer) = answer {
            self.end(Some(answer));
        }
    }

    /// Whether there is a mate within `length` plies. Both `dfpn` and the helpers look for it, and
    /// together they may search `nodes`.
    pub(super) fn solve(
        &self,
        dfpn: &mut Dfpn<'_, impl Watch>,
        table: &Table,
        length: Length,
        nodes: Option<u64>,
    ) -> Result<Answer, MateUnknown> {
        *self.state.lock() = State::default();
        let own = std::thread::scope(|scope| {
            let position = dfpn.position().clone();
            let start_helpers = move || {
                if !self.is_needed() {
                    return;
                }
                for _ in 0..self.count {
                    let position = position.clone();
                    let help = move || self.help(&position, table, length, nodes);
                    // If a helper cannot be spawned, search with fewer.
                    let builder = std::thread::Builder::new();
                    if self.is_over() || builder.spawn_scoped(scope, help).is_err() {
                        break;
                    }
                }
            };
            // Starting many threads takes long, and this thread has to watch the clock.
            let _ = std::thread::Builder::new().spawn_scoped(scope, start_helpers);
            let own = dfpn.solve(length);
            self.end(None);
            own
        });
        self.is_over.store(false, Ordering::Relaxed);
        match self.state.lock().answer {
            Some(answer) if own.is_err() => Ok(answer),
            _ => own,
        }
    }
}

/// The watch of a helper: counts its nodes and checks whether it is still needed.
struct Helper<'a> {
    helpers: &'a Helpers,
    nodes: u64,
    /// The nodes that all threads together may search.
    limit: Option<u64>,
}

impl Watch for Helper<'_> {
    fn enter_node(&mut self) -> Result<(), MateUnknown> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) {
            let helped = self.helpers.nodes.fetch_add(NODES_PER_LOOK, Ordering::Relaxed);
            if self.helpers.is_over() {
                return Err(MateUnknown::Stopped);
            }
            // The calling thread may be waiting for a processor, so the helper checks the limit
            // itself.
            let all = helped + self.helpers.asker_nodes.load(Ordering::Relaxed);
            if self.limit.is_some_and(|limit| all >= limit) {
                return Err(MateUnknown::Nodes);
            }
        }
        Ok(())
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use tsumero_control::Signals;
    use tsumero_core::MateProblem;

    use super::*;
    use crate::solver::solver_watch::SolverWatch;
    use crate::solver::{MateAnswer, MateLimits, MateQuestion, MateSolver};

    /// Compares the answers of three threads with the lengths in the collection, which two other
    /// solvers have found.
    #[test]
    fn many_threads_find_what_one_finds() {
        let limits = MateLimits { threads: 3, ..MateLimits::default() };
        let (mut asked, mut helped) = (0, 0);
        for name in ["mate7", "mate9", "nomate"] {
            let path = format!("{}/../../tests/data/tsume/{name}.csv", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).expect("the collection is part of the tests");
            for row in text.lines().skip(1).step_by(5) {
                let mut fields = row.split(',');
                let (Some(sfen), Some(plies)) = (fields.next(), fields.next()) else { continue };
                let problem = MateProblem::from_sfen(sfen).expect("a row holds a problem");
                let Some(position) = problem.position() else { continue };
                let limits = MateLimits { nodes: (name == "nomate").then_some(20_000), ..limits };
                let signals = Signals::new();
                let mut watch = SolverWatch::new(&MateQuestion::new(position, &limits, &signals));
                let mut solver = MateSolver::new(16);
                match solver.solve_under(position, &mut watch) {
                    MateAnswer::Mate(mate) => assert_eq!(mate.plies().to_string(), plies, "{sfen}"),
                    MateAnswer::NoMate => assert_eq!(name, "nomate", "{sfen}"),
                    MateAnswer::Unknown(_) => assert_eq!(name, "nomate", "{sfen}"),
                }
                asked += 1;
                helped += u32::from(watch.all_nodes() > watch.nodes);
            }
        }
        assert!(asked > 100 && helped > 0, "{asked} asked, helped with {helped}");
    }

    #[test]
    fn every_node_of_a_helper_counts() {
        let position = "1k7/n8/2P6/9/9/9/9/9/9 b GNp 1".parse().expect("the SFEN is sound");
        let (helpers, table) = (Helpers::new(1), Table::new(1).expect("there is a megabyte"));
        helpers.help(&position, &table, 3, None);
        assert!(matches!(helpers.state.lock().answer, Some(Answer::Mate(3))));
        assert!((1..NODES_PER_LOOK).contains(&helpers.nodes()), "{}", helpers.nodes());
    }

    /// The searches of single replies share the limits, and the helpers' nodes count towards them.
    #[test]
    fn first_moves_are_undecided_only_when_the_nodes_are_used_up() {
        let sfen = "k8/g2S5/9/9/9/9/6+R2/9/1R7 b NL2b3g3s3n3l18p 1";
        let problem = MateProblem::from_sfen(sfen).expect("the SFEN is sound");
        let limits = MateLimits { nodes: Some(50_000), threads: 3, ..MateLimits::default() };
        let (mut solver, signals) = (MateSolver::new(16), Signals::new());
        let choices = solver.solve_all(&MateQuestion::for_problem(&problem, &limits, &signals));
        assert!(matches!(choices.answer, MateAnswer::Mate(_)) && !choices.others.is_empty());
        let mut answers = choices.others.iter().map(|(_, answer)| answer);
        let undecided = answers.any(|answer| matches!(answer, MateAnswer::Unknown(_)));
        assert!(!undecided || solver.effort().nodes >= 50_000, "{:?}", solver.effort());
    }
}

//! The question to a mate solver.

use tsumero_control::{Instant, Signals};
use tsumero_core::{MateProblem, Position};

use super::MateLimits;

/// What a [`MateSolver`](super::MateSolver) is asked. `P` is [`Position`], or
/// [`MateProblem`] for problems that may start in check.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use tsumero_core::Position;
/// use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, MateUnknown, Signals};
///
/// let position: Position = "8k/9/9/9/9/9/9/9/9 b RG 1".parse()?;
/// let (time, signals) = (Duration::from_secs(10), Signals::new());
/// let limits = MateLimits { time: Some(time), ..MateLimits::default() };
/// let question = MateQuestion::new(&position, &limits, &signals);
/// assert_eq!(MateSolver::new(1).solve(&question, &mut |_| {}), MateAnswer::NoMate);
/// // A question that has waited so long has no time left.
/// let late = MateQuestion { started: Instant::now() - time, ..question };
/// let answer = MateSolver::new(1).solve(&late, &mut |_| {});
/// assert_eq!(answer, MateAnswer::Unknown(MateUnknown::Time));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MateQuestion<'a, P = Position> {
    /// The position or the problem.
    pub position: &'a P,
    /// The limits: the first one that is reached counts.
    pub limits: &'a MateLimits,
    /// The signals that stop the search.
    pub signals: &'a Signals,
    /// When the question was asked: the time counts from there.
    pub started: Instant,
}

impl<'a> MateQuestion<'a> {
    /// A question about a position, or the position of a game, that is asked now.
    pub fn new(
        position: &'a Position,
        limits: &'a MateLimits,
        signals: &'a Signals,
    ) -> MateQuestion<'a> {
        MateQuestion { position, limits, signals, started: Instant::now() }
    }
}

impl<'a> MateQuestion<'a, MateProblem> {
    /// The same about a problem.
    pub fn for_problem(
        problem: &'a MateProblem,
        limits: &'a MateLimits,
        signals: &'a Signals,
    ) -> MateQuestion<'a, MateProblem> {
        MateQuestion { position: problem, limits, signals, started: Instant::now() }
    }
}

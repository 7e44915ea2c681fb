//! The question to a mate solver.

use tsumero_control::{Instant, Signals};
use tsumero_core::Position;

use super::MateLimits;

/// What a [`MateSolver`](super::MateSolver) is asked. `P` is [`Position`], or
/// [`MateProblem`](tsumero_core::MateProblem) for problems that may start in check.
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

impl<'a, P> MateQuestion<'a, P> {
    /// A question that is asked now. For a game, whose position is meant, say so:
    /// `let question: MateQuestion<'_> = MateQuestion::new(&game, …)`.
    pub fn new(
        position: &'a P,
        limits: &'a MateLimits,
        signals: &'a Signals,
    ) -> MateQuestion<'a, P> {
        MateQuestion { position, limits, signals, started: Instant::now() }
    }
}

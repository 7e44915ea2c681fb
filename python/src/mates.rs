//! `solve_mate`.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tsumero_control::Signals;
use tsumero_core::MateProblem;
use tsumero_mate::{MateAnswer, MateInfo, MateLimits, MateQuestion, MateSolver};

use crate::arguments::{MOST_MEGABYTES, neither, read_seconds, read_sfen, within};
use crate::background::{BETWEEN_LOOKS, check_interrupt};
use crate::board::Board;
use crate::error::value_error;
use crate::moves::InternedMove;

/// The answer of `solve_mate`.
#[pyclass(module = "tsumero", frozen, get_all)]
pub(crate) struct MateResult {
    /// Whether there is a mate. If that is not known, `reason` says why.
    kind: String,
    /// The length of the mate; `None` if there is none.
    plies: Option<usize>,
    /// Whether no mate is shorter; `None` if there is none. A limit may end the search before this is known.
    is_shortest: Option<bool>,
    /// The mate, as many moves as plies.
    moves: Vec<InternedMove>,
    /// Why the answer is unknown.
    reason: Option<String>,
    /// Positions looked at.
    nodes: u64,
}

#[pymethods]
impl MateResult {
    /// Makes the result that was pickled.
    #[staticmethod]
    #[pyo3(name = "_restore")]
    fn restore(
        kind: String,
        plies: Option<usize>,
        is_shortest: Option<bool>,
        moves: Vec<InternedMove>,
        reason: Option<String>,
        nodes: u64,
    ) -> MateResult {
        MateResult { kind, plies, is_shortest, moves, reason, nodes }
    }

    /// A result can be sent to another process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let MateResult { kind, plies, is_shortest, moves, reason, nodes } = self;
        let fields =
            (kind, plies, is_shortest, moves.clone(), reason, nodes).into_bound_py_any(py)?;
        Ok((py.get_type::<MateResult>().getattr("_restore")?, fields))
    }

    fn __repr__(&self) -> String {
        match (self.plies, &self.reason) {
            (Some(plies), _) => {
                let words: Vec<String> = self.moves.iter().map(|mv| mv.0.to_string()).collect();
                format!("<MateResult: mate {plies} {}>", words.join(" "))
            }
            (None, Some(reason)) => format!("<MateResult: unknown {reason}>"),
            (None, None) => format!("<MateResult: {}>", self.kind),
        }
    }
}

/// A mate problem that is given as an SFEN or as a board.
fn read_problem(problem: &Bound<'_, PyAny>) -> PyResult<MateProblem> {
    if let Ok(board) = problem.cast::<Board>() {
        return Ok(MateProblem::from(board.try_borrow()?.game.position().clone()));
    }
    let text = problem.cast::<PyString>().map_err(|_| neither(problem, "str", "Board"))?;
    MateProblem::from_sfen(&read_sfen(&text.to_cow()?)?).map_err(value_error)
}

/// Looks for the shortest mate by the side to move, by checks alone. `sfen` is what `Board.set_sfen` takes, or a board.
///
/// Without a limit it goes on until it knows, unless memory or the length of lines ends it. `hash` is the size of its table in
/// megabytes; it takes up to a fifth more.
#[pyfunction]
#[pyo3(signature = (sfen, nodes=None, seconds=None, *, threads=1, hash=256))]
pub(crate) fn solve_mate(
    sfen: &Bound<'_, PyAny>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    threads: usize,
    hash: usize,
) -> PyResult<MateResult> {
    let problem = read_problem(sfen)?;
    let limits = MateLimits {
        time: read_seconds(seconds)?,
        nodes,
        threads: within("threads", threads, u16::MAX.into())?,
        shortest: true,
    };
    let hash = within("hash", hash, MOST_MEGABYTES)?;
    let (answer, nodes) = sfen.py().detach(|| {
        let (signals, mut interrupt) = (Signals::new(), None);
        let mut solver = MateSolver::new(hash);
        // Progress is reported every half second. A short search does without the lock of Python.
        let report = &mut |info: MateInfo| {
            if interrupt.is_none() && info.time >= BETWEEN_LOOKS {
                interrupt = check_interrupt().err();
                if interrupt.is_some() {
                    signals.stop();
                }
            }
        };
        let question = MateQuestion::for_problem(&problem, &limits, &signals);
        let answer = solver.solve_problem(&question, report);
        match interrupt {
            Some(error) => Err(error),
            None => Ok((answer, solver.effort().nodes)),
        }
    })?;
    let (kind, is_shortest, moves, reason) = match answer {
        MateAnswer::Mate(mate) => ("mate", Some(mate.is_shortest), mate.line, None),
        MateAnswer::NoMate => ("nomate", None, Vec::new(), None),
        MateAnswer::Unknown(reason) => ("unknown", None, Vec::new(), Some(reason.word())),
    };
    let plies = is_shortest.map(|_| moves.len());
    let moves = moves.into_iter().map(InternedMove::from).collect();
    let reason = reason.map(str::to_owned);
    Ok(MateResult { kind: kind.to_owned(), plies, is_shortest, moves, reason, nodes })
}

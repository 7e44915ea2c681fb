//! What takes time: `perft`, `solve_mate`, `evaluate`, `search`. The lock of Python is released meanwhile.

use std::time::{Duration, Instant};

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use tsumero_control::{Limits, ScoreKind, Signals};
use tsumero_core::{MAX_PERFT_DEPTH, MateProblem, perft_while};
use tsumero_mate::{MateAnswer, MateInfo, MateLimits, MateQuestion, MateSolver};
use tsumero_search::{Info, Question, Searcher, Settings};

use crate::background::{BETWEEN_LOOKS, attached, check_interrupt, work_in_background};
use crate::board::Board;
use crate::callback::call;
use crate::error::value_error;
use crate::moves::InternedMove;
use crate::network::Network;

/// More memory for a table than any machine has, in megabytes.
pub(crate) const MOST_MEGABYTES: usize = 1 << 20;

/// A length of time.
pub(crate) fn read_seconds(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |seconds: f64| {
        let wrong = |_| value_error(format_args!("seconds={seconds}: not a length of time"));
        Duration::try_from_secs_f64(seconds).map_err(wrong)
    };
    seconds.map(read).transpose()
}

/// Checks a number that has to be between 1 and `most`.
pub(crate) fn within(name: &str, value: usize, most: usize) -> PyResult<usize> {
    if (1..=most).contains(&value) {
        Ok(value)
    } else {
        Err(value_error(format_args!("{name}={value}: not between 1 and {most}")))
    }
}

/// The number of sequences of `depth` legal moves, 64 at most.
#[pyfunction]
pub(crate) fn perft(board: &Bound<'_, Board>, depth: u32) -> PyResult<u64> {
    if depth > MAX_PERFT_DEPTH {
        let reason = format!("{depth} is more than {MAX_PERFT_DEPTH} moves");
        return Err(PyOverflowError::new_err(reason));
    }
    let position = board.try_borrow()?.game.position().clone();
    board.py().detach(|| {
        let (mut looked, mut interrupt) = (Instant::now(), None);
        let count = perft_while(&position, depth, &mut || {
            if looked.elapsed() >= BETWEEN_LOOKS {
                interrupt = check_interrupt().err();
                looked = Instant::now();
            }
            interrupt.is_none()
        });
        count.ok_or_else(|| interrupt.expect("only an interrupt ends it early"))
    })
}

/// The static value for the side to move, by a network or by that of the package, for which a pawn is worth about 90.
#[pyfunction]
#[pyo3(signature = (board, network=None))]
pub(crate) fn evaluate(
    board: &Bound<'_, Board>,
    network: Option<&Bound<'_, Network>>,
) -> PyResult<i32> {
    let position = board.try_borrow()?.game.position().clone();
    let evaluation = Network::evaluation(network);
    Ok(board.py().detach(|| evaluation.evaluate(&position).value()))
}

/// The answer of `solve_mate`.
#[pyclass(module = "tsumero", frozen, get_all)]
pub(crate) struct MateResult {
    /// Whether there is a mate. If that is not known, `reason` says why.
    kind: String,
    /// The length of the mate; `None` if there is none.
    plies: Option<usize>,
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
        moves: Vec<InternedMove>,
        reason: Option<String>,
        nodes: u64,
    ) -> MateResult {
        MateResult { kind, plies, moves, reason, nodes }
    }

    /// A result can be sent to another process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let MateResult { kind, plies, moves, reason, nodes } = self;
        let fields = (kind, plies, moves.clone(), reason, nodes).into_bound_py_any(py)?;
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
    MateProblem::from_sfen(&problem.cast::<PyString>()?.to_cow()?).map_err(value_error)
}

/// Looks for the shortest mate by the side to move, by checks alone.
///
/// Without a limit it goes on until it knows. `hash` is the most memory for results, in megabytes.
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
    let (kind, moves, reason) = match answer {
        MateAnswer::Mate(mate) => ("mate", mate.line, None),
        MateAnswer::NoMate => ("nomate", Vec::new(), None),
        MateAnswer::Unknown(reason) => ("unknown", Vec::new(), Some(reason.word())),
    };
    let plies = (kind == "mate").then_some(moves.len());
    let moves = moves.into_iter().map(InternedMove::from).collect();
    let reason = reason.map(str::to_owned);
    Ok(MateResult { kind: kind.to_owned(), plies, moves, reason, nodes })
}

/// A line of a search with its score.
#[pyclass(module = "tsumero", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Line {
    /// The number of the line, 1 for the best.
    multipv: usize,
    /// For the side to move; a pawn is worth about 90. A mate in n plies is 32000 - n, a perpetual check 20000.
    score: i32,
    /// Plies to the mate: positive if the side to move wins, otherwise negative or 0.
    mate: Option<i32>,
    /// The depth of the search, in plies.
    depth: u32,
    /// The depth of the longest line that was looked at, in plies.
    seldepth: u32,
    /// Positions looked at so far.
    nodes: u64,
    /// Seconds so far.
    seconds: f64,
    /// The moves. Empty only if the side to move has none, or wins by declaration.
    pv: Vec<InternedMove>,
}

impl From<Info> for Line {
    fn from(info: Info) -> Line {
        Line {
            multipv: info.multipv,
            score: info.score.value(),
            mate: match info.score.kind() {
                ScoreKind::Mate(plies) => Some(plies),
                ScoreKind::Centipawns(_) => None,
            },
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            seconds: info.time.as_secs_f64(),
            pv: info.pv.into_iter().map(InternedMove::from).collect(),
        }
    }
}

#[pymethods]
impl Line {
    /// Makes the line that was pickled.
    #[staticmethod]
    #[pyo3(name = "_restore")]
    #[expect(clippy::too_many_arguments, reason = "the fields")]
    fn restore(
        multipv: usize,
        score: i32,
        mate: Option<i32>,
        depth: u32,
        seldepth: u32,
        nodes: u64,
        seconds: f64,
        pv: Vec<InternedMove>,
    ) -> Line {
        Line { multipv, score, mate, depth, seldepth, nodes, seconds, pv }
    }

    /// A line can be sent to another process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let Line { multipv, score, mate, depth, seldepth, nodes, seconds, pv } = self;
        let fields = (multipv, score, mate, depth, seldepth, nodes, seconds, pv.clone());
        Ok((py.get_type::<Line>().getattr("_restore")?, fields.into_bound_py_any(py)?))
    }

    fn __repr__(&self) -> String {
        let score = match self.mate {
            Some(plies) => format!("mate={plies}"),
            None => format!("score={}", self.score),
        };
        let words: Vec<String> = self.pv.iter().map(|mv| mv.0.to_string()).collect();
        format!("<Line {}: {score} depth={} pv={}>", self.multipv, self.depth, words.join(" "))
    }
}

/// Searches a position until the first limit, and returns its best lines, the best one first.
///
/// At least one of `nodes`, `seconds` and `depth` is needed. `callback` receives every line on the way, and stops the
/// search by returning `False`, or what else is false except `None`. `hash` is the memory for results, in megabytes. A
/// game that has ended by repetition is searched as if it went on.
#[pyfunction]
#[pyo3(signature = (board, *, nodes=None, seconds=None, depth=None, multipv=1, threads=1, hash=64, network=None,
    callback=None))]
#[expect(clippy::too_many_arguments, reason = "in Python they are named")]
pub(crate) fn search(
    board: &Bound<'_, Board>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    depth: Option<u32>,
    multipv: usize,
    threads: usize,
    hash: usize,
    network: Option<&Bound<'_, Network>>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Vec<Line>> {
    // The callback may use the board.
    let game = board.try_borrow()?.game.clone();
    let limits = Limits { nodes, movetime: read_seconds(seconds)?, depth, ..Limits::default() };
    if limits.waits_for_stop() {
        return Err(value_error("a search needs a limit: nodes, seconds or depth"));
    }
    let settings = Settings {
        multi_pv: within("multipv", multipv, tsumero_core::MAX_MOVES)?,
        threads: within("threads", threads, u16::MAX.into())?,
        pv_interval: Duration::ZERO,
        output_fail_bounds: false,
        ..Settings::default()
    };
    let hash = within("hash", hash, MOST_MEGABYTES)?;
    let evaluation = Network::evaluation(network);
    board.py().detach(|| {
        let (signals, mut lines) = (Signals::new(), Vec::<Line>::new());
        work_in_background(
            &signals,
            |reports| {
                let question = Question::new(&game, &limits, &settings, &signals);
                let mut searcher = Searcher::new(hash);
                searcher.set_evaluation_function(evaluation);
                // Nobody is left to be told only after a fault.
                searcher.search(&question, &mut |info| drop(reports.send(info)));
            },
            |info: Info, is_stopped| {
                let line = Line::from(info);
                let listener = callback.as_ref().filter(|_| !is_stopped);
                let told = listener.map_or(Ok(true), |callback| tell(callback, &line));
                // The last report of each line counts, also after the search was stopped.
                let place = line.multipv - 1;
                match lines.get_mut(place) {
                    Some(known) => *known = line,
                    None => lines.push(line),
                }
                told
            },
        )?;
        Ok(lines)
    })
}

/// Hands a line to the callback. It may stop the search by returning a false value, such as that of numpy. A function that
/// just ends returns `None`.
fn tell(callback: &Py<PyAny>, line: &Line) -> PyResult<bool> {
    attached(|py| {
        py.check_signals()?;
        let answer = call(callback.bind(py), &PyTuple::new(py, [line.clone()])?)?;
        Ok(answer.is_none() || answer.is_truthy()?)
    })
}

//! The search: `search`, and `Engine`, which remembers what it has found.

use std::sync::{Mutex, TryLockError};
use std::time::Duration;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tsumero_control::{Limits, ScoreKind, Signals};
use tsumero_core::Game;
use tsumero_search::{BestMove, Info, Level, Question, Searcher, Settings};

use crate::arguments::{MOST_MEGABYTES, check_limits, no_memory, read_seconds, within};
use crate::background::{attached, work_in_background};
use crate::board::Board;
use crate::callback::call;
use crate::error::value_error;
use crate::moves::InternedMove;
use crate::network::Network;

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

/// What the engine has found in a position.
struct Found {
    lines: Vec<Line>,
    answer: BestMove,
}

/// What one search is asked, beside the position.
struct Wanted {
    limits: Limits,
    settings: Settings,
    callback: Option<Py<PyAny>>,
}

impl Wanted {
    /// The arguments that every search has.
    fn read(
        nodes: Option<u64>,
        seconds: Option<f64>,
        depth: Option<u32>,
        multipv: usize,
        callback: Option<Py<PyAny>>,
        settings: Settings,
    ) -> PyResult<Wanted> {
        check_limits(nodes, depth)?;
        let limits = Limits { nodes, movetime: read_seconds(seconds)?, depth, ..Limits::default() };
        if limits.waits_for_stop() {
            return Err(value_error("a search needs a limit: nodes, seconds or depth"));
        }
        let multi_pv = within("multipv", multipv, tsumero_core::MAX_MOVES)?;
        Ok(Wanted { limits, settings: Settings { multi_pv, ..settings }, callback })
    }

    /// Searches a position. The caller has released the lock of Python.
    fn search(&self, searcher: &mut Searcher, game: &Game) -> PyResult<Found> {
        let (signals, mut lines) = (Signals::new(), Vec::<Line>::new());
        let answer = work_in_background(
            &signals,
            |reports| {
                let question = Question::new(game, &self.limits, &self.settings, &signals);
                // Nobody is left to be told only after a fault.
                searcher.search(&question, &mut |info| drop(reports.send(info)))
            },
            |info: Info, is_stopped| {
                let line = Line::from(info);
                let listener = self.callback.as_ref().filter(|_| !is_stopped);
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
        Ok(Found { lines, answer })
    }
}

/// A searcher with an empty table of this many megabytes.
fn new_searcher(hash: usize, network: Option<&Bound<'_, Network>>) -> PyResult<Searcher> {
    let hash = within("hash", hash, MOST_MEGABYTES)?;
    let mut searcher = Searcher::try_new(hash).map_err(|_| no_memory(hash))?;
    searcher.set_evaluation_function(Network::evaluation(network));
    Ok(searcher)
}

/// The settings of all searches from Python.
fn settings(threads: usize) -> PyResult<Settings> {
    Ok(Settings {
        threads: within("threads", threads, u16::MAX.into())?,
        pv_interval: Duration::ZERO,
        output_fail_bounds: false,
        ..Settings::default()
    })
}

/// Searches a position until the first limit, and returns its best lines, the best one first.
///
/// At least one of `nodes`, `seconds` and `depth` is needed. `callback` receives every line on the way, and stops the
/// search by returning `False`, or what else is false except `None`. `hash` is the memory for results, in megabytes
/// (`MemoryError` if there is not so much). A game that has ended by repetition is searched as if it went on.
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
    let settings = settings(threads)?;
    let wanted = Wanted::read(nodes, seconds, depth, multipv, callback, settings)?;
    let mut searcher = new_searcher(hash, network)?;
    // The callback may use the board.
    let game = board.try_borrow()?.game.clone();
    board.py().detach(|| Ok(wanted.search(&mut searcher, &game)?.lines))
}

/// A player: it remembers from move to move what it has found, and may be weaker than it could.
///
/// `level` is its strength, from 1 (it knows the rules) to 20; docs/levels.md describes the levels. A level below 20 chooses
/// by chance: from `new_game` on, with the same `seed` the same moves in the same game.
///
/// It does one thing at a time: calls from a callback or another thread raise `RuntimeError` meanwhile.
#[pyclass(module = "tsumero", frozen)]
pub(crate) struct Engine {
    /// In a box, because its tables may be aligned more than Python aligns its objects. Nobody waits for it: a callback
    /// would wait for itself.
    searcher: Mutex<Box<Searcher>>,
    settings: Settings,
}

impl Engine {
    /// Works with the searcher, unless another call has it. The lock of Python is released meanwhile.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Searcher) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let mut searcher = match self.searcher.try_lock() {
            Ok(searcher) => searcher,
            Err(TryLockError::Poisoned(searcher)) => searcher.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let reason = "the engine is at work: it does one thing at a time";
                return Err(PyRuntimeError::new_err(reason));
            }
        };
        let searcher = &mut **searcher;
        py.detach(|| work(searcher))
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, level=20, seed=None, threads=1, hash=64, network=None))]
    fn new(
        level: u8,
        seed: Option<u64>,
        threads: usize,
        hash: usize,
        network: Option<&Bound<'_, Network>>,
    ) -> PyResult<Engine> {
        let wrong = || value_error(format_args!("level={level}: not between 1 and 20"));
        let level = Level::new(level).ok_or_else(wrong)?;
        let settings = Settings { level, level_seed: seed, ..settings(threads)? };
        let searcher = Mutex::new(Box::new(new_searcher(hash, network)?));
        Ok(Engine { searcher, settings })
    }

    /// Searches a position, as the function `search` does. Below level 20, the first line is that of the move it would play,
    /// moves that it does not think of are missing, and the callback hears only the last lines.
    #[pyo3(signature = (board, *, nodes=None, seconds=None, depth=None, multipv=1, callback=None))]
    fn search(
        &self,
        board: &Bound<'_, Board>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        depth: Option<u32>,
        multipv: usize,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Line>> {
        let settings = self.settings.clone();
        let wanted = Wanted::read(nodes, seconds, depth, multipv, callback, settings)?;
        let game = board.try_borrow()?.game.clone();
        self.work(board.py(), |searcher| Ok(wanted.search(searcher, &game)?.lines))
    }

    /// The move that it plays. `None` if there is no legal move, or if it wins by declaration (`board.is_nyugyoku()`).
    #[pyo3(signature = (board, *, nodes=None, seconds=None, depth=None))]
    fn choose(
        &self,
        board: &Bound<'_, Board>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Option<InternedMove>> {
        let wanted = Wanted::read(nodes, seconds, depth, 1, None, self.settings.clone())?;
        let game = board.try_borrow()?.game.clone();
        let found = self.work(board.py(), |searcher| wanted.search(searcher, &game))?;
        Ok(match found.answer {
            BestMove::Move { best, .. } => Some(best.into()),
            BestMove::Resign | BestMove::DeclareWin => None,
        })
    }

    /// Forgets all that it has found, for a new game.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.work(py, |searcher| {
            searcher.clear();
            Ok(())
        })
    }

    fn __repr__(&self) -> String {
        format!("<Engine: level {}>", self.settings.level.number())
    }
}

/// Hands a line to the callback. It may stop the search by returning a false value, such as that of numpy. A function that
/// just ends returns `None`.
fn tell(callback: &Py<PyAny>, line: &Line) -> PyResult<bool> {
    attached(|py| {
        let answer = call(callback.bind(py), &PyTuple::new(py, [line.clone()])?)?;
        Ok(answer.is_none() || answer.is_truthy()?)
    })
}

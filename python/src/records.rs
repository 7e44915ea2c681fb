//! Game records: `read_games`, `parse_games`.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::time::Duration;

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};
use tsumero_record::{BadGame, Format, Game, NodeId};

use crate::arguments::{neither, read_seconds};
use crate::board::Board;
use crate::error::value_error;
use crate::moves::InternedMove;

/// A game as a file tells it. The constructor reads one game in any format of `read_games`; copies are made from a JKF.
/// Games are equal if start, headers and moves are, with branches, comments and times. The number of the first move and
/// the notes do not count.
#[pyclass(module = "tsumero", frozen)]
pub(crate) struct GameRecord {
    /// In a box, as the game of a board is.
    pub(crate) game: Box<Game>,
}

/// What a JKF cannot hold of a game. Nodes are known by their index in [`nodes`].
type Rest = (Vec<(String, String)>, Vec<Remarks>, Vec<Time>, Vec<String>, u32);

/// The time of a node in seconds, and the rest in nanoseconds.
type Time = (usize, u64, u32);

/// The comments and bookmarks of a node.
type Remarks = (usize, Vec<String>, Vec<String>);

/// All nodes in an order that depends on the tree alone.
fn nodes(game: &Game) -> Vec<NodeId> {
    let (mut nodes, mut waiting) = (Vec::new(), vec![NodeId::ROOT]);
    while let Some(id) = waiting.pop() {
        nodes.push(id);
        waiting.extend(game.node(id).children());
    }
    nodes
}

#[pymethods]
impl GameRecord {
    /// Reads one game. From its JKF, a game can be copied and sent to another process.
    #[new]
    fn new(jkf: &str) -> PyResult<GameRecord> {
        let games = tsumero_record::read(jkf.as_bytes()).into_games().map_err(value_error)?;
        let [game] = <[Game; 1]>::try_from(games)
            .map_err(|games| value_error(format_args!("{} games instead of one", games.len())))?;
        Ok(GameRecord { game: Box::new(game) })
    }

    /// From a JKF, and what it cannot hold: headers with one name, bookmarks, times in milliseconds, notes on the file,
    /// the number of the first move.
    #[classmethod]
    fn _restore(_: &Bound<'_, PyType>, jkf: &str, rest: Rest) -> PyResult<GameRecord> {
        let mut record = GameRecord::new(jkf)?;
        let nodes = nodes(&record.game);
        let node = |index: usize| {
            let unknown = || value_error(format_args!("there is no node {index}"));
            nodes.get(index).copied().ok_or_else(unknown)
        };
        let (headers, remarks, times, notes, number) = rest;
        record.game.set_move_number(number);
        record.game.set_headers(&headers);
        for (index, comments, bookmarks) in remarks {
            let id = node(index)?;
            record.game.set_comments(id, &comments);
            bookmarks.iter().for_each(|name| record.game.add_bookmark(id, name));
        }
        for (index, seconds, nanoseconds) in times {
            let rest = Duration::from_nanos(nanoseconds.into());
            let time = Duration::from_secs(seconds).saturating_add(rest);
            record.game.set_time(node(index)?, Some(time));
        }
        // Those on the first position come first, and follow from it.
        let of_position = record.game.notes().len();
        notes.iter().skip(of_position).for_each(|note| record.game.add_note(note));
        Ok(record)
    }

    /// The moves of a board as a game, which can be written in every format. What else it tells is given as its attributes
    /// have it.
    #[staticmethod]
    #[pyo3(signature = (board, *, names=None, ending=None, times=None, comments=None))]
    fn from_board(
        board: &Bound<'_, Board>,
        names: Option<(Option<String>, Option<String>)>,
        ending: Option<&str>,
        times: Option<Vec<Option<f64>>>,
        comments: Option<BTreeMap<u32, String>>,
    ) -> PyResult<GameRecord> {
        let mut game = Game::from(&*board.try_borrow()?.game);
        let (black, white) = names.unwrap_or_default();
        for (header, name) in game.player_headers().into_iter().zip([black, white]) {
            name.iter().for_each(|name| game.add_header(header, name));
        }
        if let Some(ending) = ending {
            let wrong = |reason| value_error(format_args!("ending={ending:?}: {reason}"));
            let ending = ending.parse().map_err(wrong)?;
            let last = game.main_line().last().unwrap_or(NodeId::ROOT);
            game.add_ending(last, ending);
        }
        let line: Vec<NodeId> = game.main_line().collect();
        if let Some(times) = times {
            let moves = game.moves().count();
            if times.len() != moves {
                let reason =
                    format!("{} times instead of one for each of {moves} moves", times.len());
                return Err(value_error(reason));
            }
            for (&id, time) in line.iter().skip(1).zip(times) {
                game.set_time(id, read_seconds(time)?);
            }
        }
        for (number, comment) in comments.unwrap_or_default() {
            let id = usize::try_from(number).ok().and_then(|number| line.get(number));
            let wrong = || value_error(format_args!("comments: there is no move {number}"));
            game.add_comment(*id.ok_or_else(wrong)?, &comment);
        }
        Ok(GameRecord { game: Box::new(game) })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, Rest))> {
        let jkf = tsumero_record::write(std::slice::from_ref(&*self.game), Format::Jkf);
        let (mut remarks, mut times) = (Vec::new(), Vec::new());
        for (index, id) in nodes(&self.game).into_iter().enumerate() {
            let node = self.game.node(id);
            // In a JKF, bookmarks are comments.
            if !node.bookmarks().is_empty() {
                remarks.push((index, node.comments().to_vec(), node.bookmarks().to_vec()));
            }
            // A JKF has whole seconds.
            if let Some(time) = node.time().filter(|time| time.subsec_nanos() > 0) {
                times.push((index, time.as_secs(), time.subsec_nanos()));
            }
        }
        let number = self.game.start().ply();
        let rest = (self.game.headers().to_vec(), remarks, times, self.game.notes(), number);
        Ok((py.get_type::<GameRecord>().getattr("_restore")?, (jkf, rest)))
    }

    fn __eq__(&self, other: &Bound<'_, GameRecord>) -> bool {
        self.game == other.get().game
    }

    /// Of the start and the moves alone, because games may differ in much and have one hash, but not the other way round.
    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.game.start_sfen().hash(&mut hasher);
        self.game.moves().for_each(|mv| mv.to_usi().pack().hash(&mut hasher));
        hasher.finish()
    }

    /// The first position, with 1 as the number of the next move. `to_text("usi")` has the number of the file.
    #[getter]
    fn sfen(&self) -> String {
        self.game.start_sfen()
    }

    /// The moves of the main line.
    #[getter]
    fn moves(&self) -> Vec<InternedMove> {
        self.game.moves().map(InternedMove::from).collect()
    }

    /// Black's and White's name. A game with a handicap calls the player who gives it 上手, who is White.
    #[getter]
    fn names(&self) -> (Option<&str>, Option<&str>) {
        let name = |names: [&str; 2]| {
            let mut found = names.into_iter().filter_map(|name| self.game.header(name));
            found.find(|name| !name.is_empty())
        };
        (name(["先手", "下手"]), name(["後手", "上手"]))
    }

    /// How the game ended: `resign`, `mate`, `repetition`, ... `None` if the file does not tell.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.game.ending().map(|ending| ending.word())
    }

    /// Named as in KIF.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (name, value) in self.game.headers_joined() {
            headers.set_item(name, value)?;
        }
        Ok(headers)
    }

    /// By the number of the move before the comment; 0 is the start.
    #[getter]
    fn comments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let comments = PyDict::new(py);
        for id in self.game.main_line() {
            let node = self.game.node(id);
            if !node.comments().is_empty() {
                comments.set_item(node.number(), node.comments().join("\n"))?;
            }
        }
        Ok(comments)
    }

    /// Seconds for each move; `None` where the file does not tell.
    #[getter]
    fn times(&self) -> Vec<Option<f64>> {
        let nodes = self.game.main_line().map(|id| self.game.node(id));
        let moves = nodes.filter(|node| node.mv().is_some());
        moves.map(|node| node.time().map(|time| time.as_secs_f64())).collect()
    }

    /// What is unusual: the rules that the first position breaks, such as two pawns on a file (no `Board` can be made from
    /// it then), and numbers of moves in the file that are wrong.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.game.notes()
    }

    /// How many branches the game has.
    #[getter]
    fn branches(&self) -> usize {
        self.game.branches()
    }

    /// The game as a file: `kif`, `ki2`, `csa`, `jkf` or `usi`.
    fn to_text(&self, format: &str) -> PyResult<String> {
        let unknown = |reason| value_error(format_args!("{format:?} is {reason}"));
        let format: Format = format.parse().map_err(unknown)?;
        Ok(tsumero_record::write(std::slice::from_ref(&*self.game), format))
    }

    fn __repr__(&self) -> String {
        let [black, white] = <[_; 2]>::from(self.names()).map(|name| name.unwrap_or("?"));
        let ending = self.ending().unwrap_or("none");
        format!("<GameRecord: {black} - {white}, {} moves, {ending}>", self.game.moves().count())
    }
}

/// All games, or the first that cannot be read. If not `strict`, bad games are left out with a warning. `place` is put
/// before a fault.
fn sort(
    py: Python<'_>,
    games: Vec<Result<Game, BadGame>>,
    place: &str,
    strict: bool,
) -> PyResult<Vec<GameRecord>> {
    let mut good = Vec::with_capacity(games.len());
    for game in games {
        match game {
            Ok(game) => good.push(GameRecord { game: Box::new(game) }),
            Err(bad) if strict => return Err(value_error(format_args!("{place}{bad}"))),
            Err(bad) => {
                let text = CString::new(format!("{place}{bad}").replace('\0', "\\0"))?;
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
            }
        }
    }
    Ok(good)
}

/// Reads a file of games: KIF, KI2, CSA, JKF or USI lines, in UTF-8 or Shift_JIS.
///
/// The first game that cannot be read raises `ValueError` with file and line. If not `strict`, such games are left out
/// with a warning.
#[pyfunction]
#[pyo3(signature = (path, *, strict=true))]
pub(crate) fn read_games(py: Python<'_>, path: PathBuf, strict: bool) -> PyResult<Vec<GameRecord>> {
    let read =
        py.detach(|| std::fs::read(&path).map(|content| tsumero_record::read(&content).games));
    let games = match read {
        Ok(games) => games,
        // Python tries again: its `OSError` has the kind and the words that its users know, and names the file.
        Err(_) => {
            let file = py.import("pathlib")?.call_method1("Path", (&path,))?;
            let content = file.call_method0("read_bytes")?.cast_into::<PyBytes>()?;
            let content = content.as_bytes();
            py.detach(|| tsumero_record::read(content).games)
        }
    };
    sort(py, games, &format!("{}:", path.display()), strict)
}

/// Reads games from a text, or from the bytes of a file, as `read_games` does.
#[pyfunction]
#[pyo3(signature = (text, *, strict=true))]
pub(crate) fn parse_games(text: &Bound<'_, PyAny>, strict: bool) -> PyResult<Vec<GameRecord>> {
    let py = text.py();
    let bytes = match text.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes().to_vec(),
        Err(_) => {
            let text = text.cast::<PyString>().map_err(|_| neither(text, "str", "bytes"))?;
            text.to_cow()?.into_owned().into_bytes()
        }
    };
    sort(py, py.detach(|| tsumero_record::read(&bytes).games), "", strict)
}

//! `Move`, and the list of legal moves.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyList, PyString, PyType};
use tsumero_core::UsiMove;

use crate::arguments::neither;
use crate::error::value_error;

/// A move as USI writes it. It equals another move and also its text: `move == "7g7f"`.
#[pyclass(module = "tsumero", frozen)]
pub(crate) struct Move(pub(crate) UsiMove);

/// A move on its way to Python, where every move that comes from here is the same object each time. So a list of moves
/// makes no objects, which would take longer than to find the moves.
#[derive(Clone, Copy)]
pub(crate) struct InternedMove(pub(crate) UsiMove);

impl From<tsumero_core::Move> for InternedMove {
    fn from(mv: tsumero_core::Move) -> InternedMove {
        InternedMove(mv.to_usi())
    }
}

/// The objects made so far, by the packed form of their moves.
static INTERNED: PyOnceLock<Box<[PyOnceLock<Py<Move>>]>> = PyOnceLock::new();

impl<'py> IntoPyObject<'py> for InternedMove {
    type Target = Move;
    type Output = Bound<'py, Move>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, Move>> {
        let places = usize::from(u16::MAX) + 1;
        let interned =
            INTERNED.get_or_init(py, || (0..places).map(|_| PyOnceLock::new()).collect());
        let place = &interned[usize::from(self.0.pack())];
        place.get_or_try_init(py, || Py::new(py, Move(self.0))).map(|mv| mv.bind(py).clone())
    }
}

/// A move, or a text that may be one. A move may equal either. With anything else, the other side of the comparison is
/// asked.
pub(crate) enum MoveOrText<'py> {
    Move(Bound<'py, Move>),
    Text(Bound<'py, PyString>),
}

impl<'py> FromPyObject<'_, 'py> for MoveOrText<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<MoveOrText<'py>> {
        if let Ok(mv) = object.cast::<Move>() {
            return Ok(MoveOrText::Move(mv.to_owned()));
        }
        let text = object.cast::<PyString>().map_err(|_| neither(&object, "Move", "str"))?;
        Ok(MoveOrText::Text(text.to_owned()))
    }
}

impl MoveOrText<'_> {
    /// The move; `None` for any other text.
    pub(crate) fn read(&self) -> Option<UsiMove> {
        match self {
            MoveOrText::Move(mv) => Some(mv.get().0),
            MoveOrText::Text(text) => text.to_string_lossy().parse().ok(),
        }
    }
}

/// A move that is given as a `Move` or as its text.
pub(crate) struct MoveArgument(pub(crate) UsiMove);

impl<'py> FromPyObject<'_, 'py> for MoveArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<MoveArgument> {
        if let Ok(mv) = object.cast::<Move>() {
            return Ok(MoveArgument(mv.get().0));
        }
        let text = object.cast::<PyString>().map_err(|_| neither(&object, "Move", "str"))?;
        read(&text.to_cow()?).map(MoveArgument)
    }
}

impl<'py> FromPyObject<'_, 'py> for InternedMove {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<InternedMove> {
        object.extract::<MoveArgument>().map(|mv| InternedMove(mv.0))
    }
}

/// Reads a move in USI notation.
pub(crate) fn read(text: &str) -> PyResult<UsiMove> {
    text.parse().map_err(|reason| value_error(format_args!("{text:?}: {reason}")))
}

#[pymethods]
impl Move {
    #[new]
    fn new(usi: &str) -> PyResult<Move> {
        read(usi).map(Move)
    }

    /// Reads a move: the same as `Move(usi)`.
    #[staticmethod]
    fn from_usi(usi: &str) -> PyResult<InternedMove> {
        read(usi).map(InternedMove)
    }

    /// The text: the same as `str(move)`.
    fn usi(&self) -> String {
        self.0.to_string()
    }

    /// Where the piece comes from; `None` for a drop.
    #[getter]
    #[expect(clippy::wrong_self_convention, reason = "python-shogi calls it so")]
    fn from_square(&self) -> Option<String> {
        match self.0 {
            UsiMove::Board { from, .. } => Some(from.to_string()),
            UsiMove::Drop { .. } => None,
        }
    }

    /// Where the piece goes to.
    #[getter]
    fn to_square(&self) -> String {
        match self.0 {
            UsiMove::Board { to, .. } | UsiMove::Drop { to, .. } => to.to_string(),
        }
    }

    /// Whether the piece promotes.
    #[getter]
    fn promotion(&self) -> bool {
        matches!(self.0, UsiMove::Board { promotes: true, .. })
    }

    /// The letter of the dropped piece (`P`); `None` for a move on the board.
    #[getter]
    fn drop_piece(&self) -> Option<char> {
        match self.0 {
            UsiMove::Board { .. } => None,
            UsiMove::Drop { kind, .. } => Some(kind.letter()),
        }
    }

    fn __str__(&self) -> String {
        self.usi()
    }

    /// As its text: `f"{move:>6}"`.
    #[pyo3(signature = (format_spec, /))]
    fn __format__<'py>(&self, format_spec: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        PyString::new(format_spec.py(), &self.usi()).call_method1("__format__", (format_spec,))
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __eq__(&self, other: MoveOrText<'_>) -> bool {
        match other {
            MoveOrText::Move(other) => self.0 == other.get().0,
            MoveOrText::Text(text) => text.to_string_lossy() == self.usi(),
        }
    }

    /// The hash of the text, which the move equals.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.usi()).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Move>(), (self.usi(),))
    }
}

/// The legal moves of a position, in no special order. It stays as it is when the board changes.
#[pyclass(module = "tsumero", frozen, sequence)]
pub(crate) struct LegalMoves {
    moves: Box<[UsiMove]>,
}

impl LegalMoves {
    pub(crate) fn of(position: &tsumero_core::Position) -> LegalMoves {
        LegalMoves { moves: position.legal_moves().iter().map(|mv| mv.to_usi()).collect() }
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.moves.iter().map(|&mv| InternedMove(mv)))
    }
}

/// What a list of legal moves may equal. With anything else, the other side of the comparison is asked.
#[derive(FromPyObject)]
enum MovesOrList<'py> {
    Moves(Bound<'py, LegalMoves>),
    List(Bound<'py, PyList>),
}

#[pymethods]
impl LegalMoves {
    /// Makes the list that was pickled.
    #[staticmethod]
    #[pyo3(name = "_restore")]
    fn restore(moves: Vec<InternedMove>) -> LegalMoves {
        LegalMoves { moves: moves.into_iter().map(|mv| mv.0).collect() }
    }

    /// A list can be copied and sent to another process.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyList>,))> {
        Ok((py.get_type::<LegalMoves>().getattr("_restore")?, (self.list(py)?,)))
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    /// A move, or a list of those in a slice.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        let Ok(number) = index.extract::<isize>() else {
            return self.list(py)?.as_any().get_item(index);
        };
        let from_end = if number < 0 { number + self.moves.len() as isize } else { number };
        let found = usize::try_from(from_end).ok().and_then(|number| self.moves.get(number));
        let error = || pyo3::exceptions::PyIndexError::new_err("there are fewer legal moves");
        InternedMove(*found.ok_or_else(error)?).into_bound_py_any(py)
    }

    /// The number of the first place of a move. `ValueError` if it is not among them.
    #[pyo3(signature = (mv, start=0, stop=None, /))]
    fn index(&self, mv: &Bound<'_, PyAny>, start: isize, stop: Option<isize>) -> PyResult<usize> {
        let list = self.list(mv.py())?;
        list.call_method1("index", (mv, start, stop.unwrap_or(isize::MAX)))?.extract()
    }

    /// 1 for a legal move, otherwise 0.
    #[pyo3(signature = (mv, /))]
    fn count(&self, mv: &Bound<'_, PyAny>) -> usize {
        self.__contains__(mv).into()
    }

    /// Equal to the same moves in the same order, also in a list.
    fn __eq__(&self, other: MovesOrList<'_>) -> PyResult<bool> {
        match other {
            MovesOrList::Moves(other) => Ok(self.moves == other.get().moves),
            MovesOrList::List(other) => self.list(other.py())?.eq(other),
        }
    }

    /// What is no move is not among the moves.
    fn __contains__(&self, mv: &Bound<'_, PyAny>) -> bool {
        let mv = mv.extract::<MoveOrText<'_>>().ok().and_then(|mv| mv.read());
        mv.is_some_and(|mv| self.moves.contains(&mv))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    fn __repr__(&self) -> String {
        let words: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        format!("<LegalMoves: {}>", words.join(" "))
    }
}

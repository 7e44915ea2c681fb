//! `Board`: a game in progress.

use pyo3::exceptions::{PyIndexError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use tsumero_core::notation::japanese;
use tsumero_core::{Color, EnteringKingRule, Game, Position, Repetition, Square};

use crate::arguments::read_sfen;
use crate::error::value_error;
use crate::moves::{InternedMove, LegalMoves, MoveArgument, MoveOrText, read};

/// A board with the moves that led to it. Boards are equal when pieces, hands and turn are. `sfen` is what `set_sfen` takes.
#[pyclass(module = "tsumero")]
#[derive(Clone)]
pub(crate) struct Board {
    /// In a box, because a position is aligned for vectors, and Python aligns its objects to 16 bytes only.
    pub(crate) game: Box<Game>,
}

impl Board {
    fn play(&mut self, mv: tsumero_core::UsiMove) -> PyResult<InternedMove> {
        let played = self.game.play(mv);
        played.map(InternedMove::from).map_err(|rule| value_error(format_args!("{mv}: {rule}")))
    }

    /// The legal move that is meant, or the rule that it breaks.
    fn legal(&self, mv: &MoveArgument) -> PyResult<tsumero_core::Move> {
        let mv = mv.0;
        self.game.validate(mv).map_err(|rule| value_error(format_args!("{mv}: {rule}")))
    }
}

/// A square by its name in USI: `7g`.
fn read_square(name: &str) -> PyResult<Square> {
    name.parse().map_err(|_| value_error(format_args!("{name:?} is not a square")))
}

/// A color that is given by its number, which may be one of numpy.
pub(crate) struct ColorArgument(pub(crate) Color);

impl<'py> FromPyObject<'_, 'py> for ColorArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<ColorArgument> {
        let number = match object.extract::<usize>() {
            Err(error) if !error.is_instance_of::<PyOverflowError>(object.py()) => {
                return Err(error);
            }
            number => number.ok(),
        };
        let found = Color::ALL.into_iter().find(|known| Some(known.index()) == number);
        let wrong = || value_error("a color is tsumero.BLACK or tsumero.WHITE");
        found.map(ColorArgument).ok_or_else(wrong)
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (sfen=None))]
    fn new(sfen: Option<&str>) -> PyResult<Board> {
        let mut board = Board { game: Box::default() };
        if let Some(sfen) = sfen {
            board.set_sfen(sfen)?;
        }
        Ok(board)
    }

    /// Back to the start of an even game.
    fn reset(&mut self) {
        *self.game = Game::default();
    }

    /// Takes the position of an SFEN, with or without the word `sfen` before it, or of `startpos`.
    fn set_sfen(&mut self, sfen: &str) -> PyResult<()> {
        *self.game = Game::from(Position::from_sfen(&read_sfen(sfen)?).map_err(value_error)?);
        Ok(())
    }

    /// Takes what USI's `position` tells: `startpos moves 7g7f`, `sfen ... moves ...`.
    fn set_position(&mut self, position: &str) -> PyResult<()> {
        let text = position.trim();
        *self.game = text.strip_prefix("position ").unwrap_or(text).parse().map_err(value_error)?;
        Ok(())
    }

    /// The start and the moves, as `set_position` reads them.
    fn usi_position(&self) -> String {
        self.game.to_string()
    }

    /// The position as an SFEN.
    fn sfen(&self) -> String {
        self.game.to_sfen()
    }

    /// `BLACK` or `WHITE`.
    #[getter]
    fn turn(&self) -> usize {
        self.game.side_to_move().index()
    }

    /// The number of the next move.
    #[getter]
    fn move_number(&self) -> u32 {
        self.game.ply()
    }

    /// All legal moves.
    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves::of(&self.game)
    }

    /// Whether a move is legal. Text that is no move is not.
    fn is_legal(&self, mv: MoveOrText<'_>) -> bool {
        mv.read().is_some_and(|mv| self.game.validate(mv).is_ok())
    }

    /// Plays a legal move.
    fn push(&mut self, mv: MoveArgument) -> PyResult<()> {
        self.play(mv.0).map(drop)
    }

    /// Plays a legal move and returns it.
    fn push_usi(&mut self, usi: &str) -> PyResult<InternedMove> {
        self.play(read(usi)?)
    }

    /// Takes back the last move and returns it. `IndexError` if there is none.
    fn pop(&mut self) -> PyResult<InternedMove> {
        let undone = self.game.undo().map(InternedMove::from);
        undone.ok_or_else(|| PyIndexError::new_err("no move has been played"))
    }

    /// The last move.
    fn peek(&self) -> Option<InternedMove> {
        self.game.last_move().map(InternedMove::from)
    }

    /// The moves so far.
    #[getter]
    fn move_stack(&self) -> Vec<InternedMove> {
        self.game.moves().map(InternedMove::from).collect()
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.game.in_check()
    }

    /// Whether the side to move is mated.
    fn is_checkmate(&self) -> bool {
        self.game.is_mate()
    }

    /// Whether there is no legal move, or a fourfold repetition. A win by declaration does not count: see `is_nyugyoku`.
    fn is_game_over(&self) -> bool {
        !self.game.has_legal_move() || self.is_repetition()
    }

    /// Whether the position has occurred four times.
    fn is_repetition(&self) -> bool {
        self.game.repetition().is_some()
    }

    /// What a fourfold repetition means for the side to move; after perpetual check one side wins.
    fn repetition(&self) -> Option<&'static str> {
        match self.game.repetition()? {
            Repetition::PerpetualCheck { by } if by == self.game.side_to_move() => Some("loss"),
            Repetition::PerpetualCheck { .. } => Some("win"),
            // A game knows no other repetition.
            Repetition::Draw | Repetition::Superior | Repetition::Inferior => Some("draw"),
        }
    }

    /// Whether a declaration wins (entering king, 27 points).
    fn is_nyugyoku(&self) -> bool {
        self.game.declaration_wins(EnteringKingRule::CsaRule27)
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, mv: MoveArgument) -> PyResult<bool> {
        Ok(self.game.gives_check(self.legal(&mv)?))
    }

    /// A move that mates at once.
    fn mate_in_one(&self) -> Option<InternedMove> {
        self.game.mate_in_one().map(InternedMove::from)
    }

    /// A legal move in Japanese notation: `▲７六歩`, `△同銀右`.
    fn kif(&self, mv: MoveArgument) -> PyResult<String> {
        Ok(japanese(&self.game, self.legal(&mv)?, self.game.last_move()))
    }

    /// Reads a move in Japanese notation, with or without mark: `▲７六歩`, `同銀右`, `７六歩(77)`.
    fn parse_kif(&self, text: &str) -> PyResult<InternedMove> {
        let read = tsumero_record::read_ki2_move(&self.game, text, self.game.last_move());
        read.map(InternedMove::from).map_err(value_error)
    }

    /// The piece on a square; `None` if it is empty.
    fn piece_at(&self, square: &str) -> PyResult<Option<String>> {
        Ok(self.game.piece_at(read_square(square)?).map(|piece| piece.to_string()))
    }

    /// All pieces on the board by their squares.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for (square, piece) in self.game.pieces() {
            pieces.set_item(square.to_string(), piece.to_string())?;
        }
        Ok(pieces)
    }

    /// Black's and White's hand: how many of each letter (`P`).
    #[getter]
    fn pieces_in_hand<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let hand = |color| {
            let pieces = PyDict::new(py);
            for (kind, count) in self.game.hand(color).iter().filter(|&(_, count)| count > 0) {
                pieces.set_item(kind.letter(), count)?;
            }
            PyResult::Ok(pieces)
        };
        Ok((hand(Color::Black)?, hand(Color::White)?))
    }

    /// The square of a side's king; `None` if it has none.
    fn king_square(&self, color: ColorArgument) -> Option<String> {
        self.game.king(color.0).map(|square| square.to_string())
    }

    /// The hash key of pieces, hands and turn. Other programs have other keys.
    fn zobrist_hash(&self) -> u64 {
        self.game.key()
    }

    /// A copy with all moves.
    fn copy(&self) -> Board {
        self.clone()
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, Bound<'py, PyTuple>, String) {
        (py.get_type::<Board>(), PyTuple::empty(py), self.usi_position())
    }

    fn __setstate__(&mut self, position: &str) -> PyResult<()> {
        self.set_position(position)
    }

    /// With anything but a board, the other side of the comparison is asked.
    fn __eq__(&self, other: &Bound<'_, Board>) -> bool {
        other.try_borrow().is_ok_and(|other| self.game.position() == other.game.position())
    }

    fn __str__(&self) -> String {
        self.sfen()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.sfen())
    }
}

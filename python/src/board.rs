//! `Board`: a game in progress.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tsumero_core::notation::japanese;
use tsumero_core::{Color, EnteringKingRule, Game, Position, Repetition, Square};

use crate::error::value_error;
use crate::moves::{InternedMove, LegalMoves, MoveArgument, read};

/// A board with the moves that led to it.
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

fn read_color(color: usize) -> PyResult<Color> {
    let found = Color::ALL.into_iter().find(|known| known.index() == color);
    found.ok_or_else(|| value_error("a color is tsumero.BLACK or tsumero.WHITE"))
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

    fn reset(&mut self) {
        *self.game = Game::default();
    }

    fn set_sfen(&mut self, sfen: &str) -> PyResult<()> {
        *self.game = Game::from(Position::from_sfen(sfen).map_err(value_error)?);
        Ok(())
    }

    fn set_position(&mut self, position: &str) -> PyResult<()> {
        let text = position.trim();
        *self.game = text.strip_prefix("position ").unwrap_or(text).parse().map_err(value_error)?;
        Ok(())
    }

    fn usi_position(&self) -> String {
        self.game.to_string()
    }

    fn sfen(&self) -> String {
        self.game.to_sfen()
    }

    #[getter]
    fn turn(&self) -> usize {
        self.game.side_to_move().index()
    }

    #[getter]
    fn move_number(&self) -> u32 {
        self.game.ply()
    }

    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves::of(&self.game)
    }

    fn is_legal(&self, mv: MoveArgument) -> bool {
        self.legal(&mv).is_ok()
    }

    fn push(&mut self, mv: MoveArgument) -> PyResult<()> {
        self.play(mv.0).map(drop)
    }

    fn push_usi(&mut self, usi: &str) -> PyResult<InternedMove> {
        self.play(read(usi)?)
    }

    fn pop(&mut self) -> PyResult<InternedMove> {
        let undone = self.game.undo().map(InternedMove::from);
        undone.ok_or_else(|| PyIndexError::new_err("no move has been played"))
    }

    fn peek(&self) -> Option<InternedMove> {
        self.game.last_move().map(InternedMove::from)
    }

    #[getter]
    fn move_stack(&self) -> Vec<InternedMove> {
        self.game.moves().map(InternedMove::from).collect()
    }

    fn is_check(&self) -> bool {
        self.game.in_check()
    }

    fn is_checkmate(&self) -> bool {
        self.game.is_mate()
    }

    fn is_game_over(&self) -> bool {
        !self.game.has_legal_move() || self.is_repetition()
    }

    fn is_repetition(&self) -> bool {
        self.game.repetition().is_some()
    }

    fn repetition(&self) -> Option<&'static str> {
        match self.game.repetition()? {
            Repetition::PerpetualCheck { by } if by == self.game.side_to_move() => Some("loss"),
            Repetition::PerpetualCheck { .. } => Some("win"),
            // A game knows no other repetition.
            Repetition::Draw | Repetition::Superior | Repetition::Inferior => Some("draw"),
        }
    }

    fn is_nyugyoku(&self) -> bool {
        self.game.declaration_wins(EnteringKingRule::CsaRule27)
    }

    fn gives_check(&self, mv: MoveArgument) -> PyResult<bool> {
        Ok(self.game.gives_check(self.legal(&mv)?))
    }

    fn mate_in_one(&self) -> Option<InternedMove> {
        self.game.mate_in_one().map(InternedMove::from)
    }

    fn kif(&self, mv: MoveArgument) -> PyResult<String> {
        Ok(japanese(&self.game, self.legal(&mv)?, self.game.last_move()))
    }

    fn parse_kif(&self, text: &str) -> PyResult<InternedMove> {
        let read = tsumero_record::read_ki2_move(&self.game, text, self.game.last_move());
        read.map(InternedMove::from).map_err(value_error)
    }

    fn piece_at(&self, square: &str) -> PyResult<Option<String>> {
        Ok(self.game.piece_at(read_square(square)?).map(|piece| piece.to_string()))
    }

    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for (square, piece) in self.game.pieces() {
            pieces.set_item(square.to_string(), piece.to_string())?;
        }
        Ok(pieces)
    }

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

    fn king_square(&self, color: usize) -> PyResult<Option<String>> {
        Ok(self.game.king(read_color(color)?).map(|square| square.to_string()))
    }

    fn zobrist_hash(&self) -> u64 {
        self.game.key()
    }

    fn copy(&self) -> Board {
        self.clone()
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    fn __getstate__(&self) -> String {
        self.usi_position()
    }

    fn __setstate__(&mut self, position: &str) -> PyResult<()> {
        self.set_position(position)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Board>() else { return false };
        other.try_borrow().is_ok_and(|other| self.game.position() == other.game.position())
    }

    fn __str__(&self) -> String {
        self.sfen()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.sfen())
    }
}

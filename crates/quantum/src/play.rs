//! Playing moves on a position.

use crate::kind_set::KindSet;
use crate::legality::IllegalMove;
use crate::moves::Move;
use crate::position::Position;

impl Position {
    /// Plays a move if it is legal here, and returns it.
    ///
    /// # Errors
    /// The rule that the move breaks. The position is unchanged.
    ///
    /// ```
    /// use tsumero_quantum::{IllegalMove, Position};
    /// let mut position = Position::startpos();
    /// let mv = "7g7f".parse()?;
    /// assert_eq!(position.play(mv), Ok(mv));
    /// assert_eq!(position.play(mv), Err(IllegalMove::NoPiece("7g".parse()?)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<Move, IllegalMove> {
        let left = self.validate(mv)?;
        self.advance(mv, left);
        Ok(mv)
    }

    /// Plays a move that is known to be legal, and to leave its piece the given kinds.
    #[inline]
    pub(crate) fn play_narrowed(&mut self, mv: Move, left: KindSet) {
        debug_assert_eq!(self.validate(mv), Ok(left));
        self.advance(mv, left);
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// The move is illegal. What kinds it leaves its piece has to be computed anyway.
    pub fn play_unchecked(&mut self, mv: Move) {
        if let Err(rule) = self.play(mv) {
            panic!("{mv} is illegal: {rule}");
        }
    }
}

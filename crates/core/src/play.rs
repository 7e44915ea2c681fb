//! Playing moves on a position.

use crate::color::Color;
use crate::legality::IllegalMove;
use crate::moves::{Move, UsiMove};
use crate::piece::PieceKind;
use crate::position::Position;

impl Position {
    /// Plays a move if it is legal here, and returns it as a [`Move`].
    ///
    /// # Errors
    ///
    /// The rule that the move breaks. The position is unchanged.
    ///
    /// ```
    /// use tsumero_core::{IllegalMove, Position, UsiMove};
    /// let mut position = Position::startpos();
    /// let mv: UsiMove = "7g7f".parse().unwrap();
    /// assert!(position.play(mv).is_ok());
    /// assert_eq!(position.play(mv), Err(IllegalMove::NoPiece));
    /// ```
    pub fn play(&mut self, mv: impl Into<UsiMove>) -> Result<Move, IllegalMove> {
        let mv = self.validate(mv.into())?;
        self.play_unchecked(mv);
        Ok(mv)
    }

    /// Plays a legal move, which is not checked.
    ///
    /// The move must be legal here: one that the generator or [`Position::validate`] gave for this
    /// position. Any other move leads to some wrong position, whose methods may give wrong answers
    /// or panic, but never to undefined behavior. Debug builds panic where they notice it.
    ///
    /// ```
    /// use tsumero_core::Position;
    /// let mut position = Position::startpos();
    /// let mv = position.legal_moves()[0];
    /// position.play_unchecked(mv);
    /// assert_eq!(position.ply(), 2);
    /// ```
    pub fn play_unchecked(&mut self, mv: Move) {
        self.advance(mv);
        self.debug_check_consistency();
    }

    /// Moves a piece from the hand of one player into that of the other. Without such a piece,
    /// nothing changes and the answer is no.
    ///
    /// ```
    /// use tsumero_core::{Color, PieceKind, Position};
    /// let mut position: Position = "4k4/9/9/9/9/9/9/9/4K4 b Gp 1".parse().unwrap();
    /// assert!(position.hand_over(Color::Black, PieceKind::Gold));
    /// assert!(!position.hand_over(Color::Black, PieceKind::Gold));
    /// assert_eq!(position, "4k4/9/9/9/9/9/9/9/4K4 b gp 1".parse().unwrap());
    /// ```
    pub fn hand_over(&mut self, giver: Color, kind: PieceKind) -> bool {
        if !self.hand(giver).contains(kind) {
            return false;
        }
        let state = self.state_mut();
        state.take_from_hand(giver, kind);
        state.add_to_hand(!giver, kind);
        self.debug_check_consistency();
        true
    }
}

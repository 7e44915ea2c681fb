//! Consistency check: computes every incremental value from scratch and compares.

use crate::color::Color;
use crate::direction::DirectionSet;
use crate::placement::Placement;
use crate::placement::attacks::AttackMap;
use crate::position::Position;
use crate::square::Square;
use crate::zobrist;

impl Position {
    /// Compares every value that moves update step by step with the same value computed from board
    /// and hands alone.
    ///
    /// # Errors
    ///
    /// Names the first value that differs, the square where it does, and the position.
    pub fn consistency(&self) -> Result<(), String> {
        let differs = |what: String| Err(format!("{what} differs in {}", self.to_sfen()));
        let mut board_key = match self.side_to_move() {
            Color::Black => 0,
            Color::White => zobrist::WHITE_TO_MOVE,
        };
        for square in Square::all() {
            if let Some(piece) = self.board().piece_at(square) {
                board_key ^= zobrist::piece(piece, square);
            }
        }
        let computed = Placement::compute(
            Square::all().filter_map(|square| Some((square, self.board().piece_at(square)?))),
        );
        if computed.board() != self.board() {
            return differs(
                "the set of pieces, a class of pieces, a king's square or the files with pawns"
                    .into(),
            );
        }
        if board_key != self.board_key() {
            return differs("the board's key".into());
        }
        let hand_key = Color::ALL
            .into_iter()
            .flat_map(|color| self.hand(color).iter().map(move |held| (color, held)))
            .fold(0u64, |sum, (color, (kind, count))| {
                sum.wrapping_add(zobrist::in_hand(color, kind).wrapping_mul(u64::from(count)))
            });
        if hand_key != self.state().hand_key {
            return differs("the hands' key".into());
        }
        let attacks = computed.attacks();
        for color in Color::ALL {
            for square in Square::all() {
                let directions = |map: &AttackMap| -> [DirectionSet; 2] {
                    [map.steps(color, square), map.slides(color, square)]
                };
                if directions(attacks) != directions(self.attacks()) {
                    return differs(format!("the attacks of {color:?} on {square}"));
                }
            }
        }
        if attacks != self.attacks() {
            return differs("the attack map".into());
        }
        Ok(())
    }

    /// In debug builds, compares every incremental value with its slow twin. Under a fuzzer, it does
    /// so for one position in 32: the comparison takes most of the time, and there are many runs.
    #[inline]
    pub(crate) fn debug_check_consistency(&self) {
        if cfg!(debug_assertions)
            && (!cfg!(fuzzing) || self.key().is_multiple_of(32))
            && let Err(difference) = self.consistency()
        {
            panic!("{difference}");
        }
    }
}

//! What the search has learned about moves: which quiet moves and captures were good, and after
//! which moves.
//!
//! All tables hold values in ±[`History::LIMIT`] and are updated with a bonus that shrinks as the
//! value nears the limit, so that old experience fades.

use tsumero_core::{Color, Move, Piece};

/// Number of squares.
const SQUARES: usize = 81;
/// Origins of moves: a square, or one of the seven kinds in hand.
const ORIGINS: usize = SQUARES + 7;
/// Pairs of a piece as it stands after a move and the square it went to.
const PIECE_TO: usize = Piece::COUNT * SQUARES;

/// A piece and the square it moved to, as an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// Stands for "no move": before the root, and after a null move.
    pub(crate) const NONE: PieceTo = PieceTo(0);

    /// Of a move: the piece as it stands afterwards. No piece has index 0, so the value differs
    /// from "no move".
    #[inline]
    pub(crate) fn of(mv: Move) -> PieceTo {
        PieceTo((mv.piece_after().index() * SQUARES + mv.to().dense_index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The moves played before a node, nearest first: one, two and four plies ago.
pub(crate) type Context = [PieceTo; 3];

/// The tables of one thread.
pub(crate) struct History {
    /// By color, origin and target.
    quiet: Vec<i16>,
    /// By piece, target and captured kind.
    capture: Vec<i16>,
    /// By an earlier move and the move itself.
    continuation: Vec<i16>,
}

impl History {
    /// Bound of every value.
    pub(crate) const LIMIT: i32 = 8192;

    /// Tables without experience.
    pub(crate) fn new() -> History {
        History {
            quiet: vec![0; 2 * ORIGINS * SQUARES],
            capture: vec![0; PIECE_TO * 16],
            continuation: vec![0; PIECE_TO * PIECE_TO],
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
    }

    #[inline]
    fn quiet_index(mv: Move) -> usize {
        let origin = match mv.from() {
            Some(square) => square.dense_index(),
            // Kinds in hand are numbered from 1.
            None => SQUARES + mv.kind().index() - 1,
        };
        let color = (mv.color() == Color::White) as usize;
        (color * ORIGINS + origin) * SQUARES + mv.to().dense_index()
    }

    #[inline]
    fn capture_index(mv: Move) -> usize {
        PieceTo::of(mv).index() * 16 + mv.captured().map_or(0, |kind| kind.index())
    }

    /// How good a quiet move has been: by itself and after the moves before it. The sum stays
    /// within ±5 times the limit.
    #[inline]
    pub(crate) fn quiet(&self, mv: Move, context: &Context) -> i32 {
        let this = PieceTo::of(mv).index();
        let after =
            |earlier: PieceTo| i32::from(self.continuation[earlier.index() * PIECE_TO + this]);
        2 * i32::from(self.quiet[History::quiet_index(mv)])
            + after(context[0])
            + after(context[1])
            + after(context[2]) / 2
    }

    /// How good a capture has been, within the limit.
    #[inline]
    pub(crate) fn capture(&self, mv: Move) -> i32 {
        i32::from(self.capture[History::capture_index(mv)])
    }

    /// A quiet move was good (bonus above zero) or bad (below).
    #[inline]
    pub(crate) fn update_quiet(&mut self, mv: Move, context: &Context, bonus: i32) {
        let this = PieceTo::of(mv).index();
        update(&mut self.quiet[History::quiet_index(mv)], bonus);
        for earlier in context {
            update(&mut self.continuation[earlier.index() * PIECE_TO + this], bonus);
        }
    }

    /// A capture was good (bonus above zero) or bad (below).
    #[inline]
    pub(crate) fn update_capture(&mut self, mv: Move, bonus: i32) {
        update(&mut self.capture[History::capture_index(mv)], bonus);
    }
}

/// Moves a value towards the limit on the side of the bonus. A bonus of the limit itself would
/// put it there at once.
#[inline]
fn update(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-History::LIMIT, History::LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / History::LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::Position;

    #[test]
    fn values_stay_within_the_limit_and_fade() {
        let mut value = 0;
        for _ in 0..1000 {
            update(&mut value, 3000);
        }
        assert!(i32::from(value) <= History::LIMIT && i32::from(value) > History::LIMIT * 9 / 10);
        update(&mut value, -100_000);
        assert_eq!(i32::from(value), -History::LIMIT);
    }

    #[test]
    fn a_bonus_reaches_its_move_and_no_other() {
        let position = Position::from_sfen(
            "ln3g1nl/1k4r2/1pppp1bpp/p3spp2/9/P1P2P1PP/1PSPP1P2/2KG1B3/LN3R1NL b 2S2G 1",
        )
        .unwrap();
        let context = [PieceTo::NONE; 3];
        let moves = position.legal_moves();
        for &good in moves.iter().filter(|mv| !mv.is_capture()) {
            let mut history = History::new();
            history.update_quiet(good, &context, 500);
            assert!(history.quiet(good, &context) > 0);
            for &other in moves.iter().filter(|&&mv| mv != good && !mv.is_capture()) {
                // The tables share entries only between moves of like pieces to one square, and
                // between a move's promotion and non-promotion.
                if other.to() != good.to() {
                    assert_eq!(history.quiet(other, &context), 0, "{good} {other}");
                }
            }
            history.clear();
            assert_eq!(history.quiet(good, &context), 0);
        }
    }
}

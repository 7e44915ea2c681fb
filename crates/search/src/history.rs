//! History tables: which quiet moves and captures were good, and after which moves.
//!
//! All values lie within ±[`History::LIMIT`]. The bonus of an update shrinks as the value nears the
//! limit, so old results fade.

use std::alloc::{Layout, handle_alloc_error};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_box;
use tsumero_control::{ZeroedBox, prefetch};
use tsumero_core::{Color, Move, Piece, PieceKind, Position, Square};

use crate::parameters::Parameters;

/// Places for squares by [`column()`], followed by the seven kinds in hand.
const COLUMNS: usize = 96;
/// Index of the first square on the padded board.
const FIRST_SQUARE: usize = 12;
/// The place of the first kind in hand, after the last square.
const FIRST_IN_HAND: usize = Square::CELLS - 2 * FIRST_SQUARE + 1;

const _: () = assert!(FIRST_IN_HAND + 7 <= COLUMNS);

/// The place of a square in the tables. The places have few gaps and are computed without a
/// division.
#[inline]
fn column(square: Square) -> usize {
    square.index() - FIRST_SQUARE
}

/// A value for each piece and the square it goes to.
type ByPieceTo<T> = [[T; COLUMNS]; Piece::COUNT];

/// A piece, as it stands after a move, and the square it went to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo {
    /// [`Piece::index`], or 0 if no piece moved.
    piece: u8,
    column: u8,
}

impl PieceTo {
    /// Nothing: before the root. Its tables stay empty, because nothing can be learned there.
    pub(crate) const BEFORE_ROOT: PieceTo = PieceTo { piece: 0, column: 0 };
    /// A null move. It has tables of its own: the replies to a pass have something in common.
    pub(crate) const NULL_MOVE: PieceTo = PieceTo { piece: 0, column: 1 };

    /// The piece and target of a move.
    #[inline]
    pub(crate) fn of(mv: Move) -> PieceTo {
        PieceTo { piece: mv.piece_after().index() as u8, column: column(mv.to()) as u8 }
    }

    /// Whether a move was played: neither a null move nor before the root.
    #[inline]
    pub(crate) fn is_move(self) -> bool {
        self.piece != 0
    }
}

/// The moves played before a node, nearest first: one, two and four plies ago.
pub(crate) type Context = [PieceTo; 3];

/// The tables of one thread.
pub(crate) struct History {
    /// By color, origin (a square or a kind in hand) and target.
    quiet: Box<[[[i16; COLUMNS]; COLUMNS]; 2]>,
    /// By piece, target and captured kind.
    capture: Box<ByPieceTo<[i16; 16]>>,
    /// Continuation history: by an earlier move and the move itself. These are 18 MB: the allocator
    /// would keep some of them when the number of threads changes.
    continuation: ZeroedBox<ByPieceTo<ByPieceTo<i16>>>,
    /// The rows of `continuation` that were written, so that a short game need not clear all of it.
    written: ByPieceTo<bool>,
    corrections: Box<Corrections>,
}

/// Correction history: how much search results differ from static values, in positions that have
/// something in common.
#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
struct Corrections {
    /// By the last move and the one before it.
    by_move: [ByPieceTo<i16>; 2],
    /// By side to move and a hash of the hands.
    by_hands: [[i16; HAND_PLACES]; 2],
    /// By side to move and the squares of both kings.
    by_kings: [[[i16; COLUMNS]; COLUMNS]; 2],
}

/// Number of places for hashes of hands.
const HAND_PLACES: usize = 1 << 14;

impl History {
    /// Bound of every value.
    pub(crate) const LIMIT: i32 = 8192;

    /// Empty tables.
    pub(crate) fn new() -> History {
        History::try_new().unwrap_or_else(|| handle_alloc_error(Layout::new::<History>()))
    }

    /// Empty tables; `None` without enough memory.
    pub(crate) fn try_new() -> Option<History> {
        Some(History {
            quiet: try_zeroed_box().ok()?,
            capture: try_zeroed_box().ok()?,
            continuation: ZeroedBox::try_new()?,
            written: [[false; COLUMNS]; Piece::COUNT],
            corrections: try_zeroed_box().ok()?,
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.quiet.as_flattened_mut().as_flattened_mut().fill(0);
        self.capture.as_flattened_mut().as_flattened_mut().fill(0);
        let rows = self.continuation.as_flattened_mut().iter_mut();
        for (row, written) in rows.zip(self.written.as_flattened_mut()) {
            if std::mem::take(written) {
                row.as_flattened_mut().fill(0);
            }
        }
        *self.corrections = Corrections::zeroed();
    }

    /// The correction of the static value, learned from similar positions, in units of the
    /// evaluation. The weights of the last moves, the hands and the kings are in 1024ths.
    #[inline]
    pub(crate) fn correction(
        &self,
        position: &Position,
        context: &Context,
        weights: [i32; 3],
    ) -> i32 {
        let place = CorrectionPlace::of(position);
        let by_move = |number: usize| {
            let PieceTo { piece, column } = context[number];
            let table = &self.corrections.by_move[number];
            i32::from(table[usize::from(piece)][usize::from(column)])
        };
        let values = [
            by_move(0) + by_move(1),
            i32::from(self.corrections.by_hands[place.side][place.hands]),
            i32::from(self.corrections.by_kings[place.side][place.kings[0]][place.kings[1]]),
        ];
        let sum: i32 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        // The largest value stands for 64 units.
        sum / (1024 * History::LIMIT / 64)
    }

    /// Learns from the difference between a search result and the static value, weighted by the
    /// depth of the search.
    #[inline]
    pub(crate) fn update_correction(&mut self, position: &Position, context: &Context, by: i32) {
        let bonus = by.clamp(-History::LIMIT / 4, History::LIMIT / 4);
        let place = CorrectionPlace::of(position);
        for (table, earlier) in self.corrections.by_move.iter_mut().zip(context) {
            if *earlier == PieceTo::BEFORE_ROOT {
                continue;
            }
            update(&mut table[usize::from(earlier.piece)][usize::from(earlier.column)], bonus);
        }
        update(&mut self.corrections.by_hands[place.side][place.hands], bonus);
        let by_king = &mut self.corrections.by_kings[place.side][place.kings[0]];
        update(&mut by_king[place.kings[1]], bonus);
    }

    /// The tables of quiet moves at a node, looked up once for all its moves.
    #[inline]
    pub(crate) fn quiets(&self, context: &Context) -> QuietHistory<'_> {
        let row = |earlier: PieceTo| {
            &self.continuation[usize::from(earlier.piece)][usize::from(earlier.column)]
        };
        QuietHistory { by_origin: &self.quiet, after: context.map(row) }
    }

    /// Prefetches the entries of a color's replies to the last move, while the moves are being
    /// generated.
    #[inline]
    pub(crate) fn prefetch_quiets(&self, context: &Context, us: Color) {
        let [last, ..] = *context;
        let replies = &self.continuation[usize::from(last.piece)][usize::from(last.column)];
        let first = Piece::new(us, PieceKind::Pawn).index();
        for row in &replies[first..first + 15] {
            prefetch(row);
        }
    }

    /// The history value of a capture, within the limit.
    #[inline]
    pub(crate) fn capture(&self, mv: Move) -> i32 {
        let captured = mv.captured().map_or(0, |kind| kind.index());
        i32::from(self.capture[mv.piece_after().index()][column(mv.to())][captured])
    }

    /// Updates a quiet move that was good (bonus above zero) or bad (below zero).
    #[inline]
    pub(crate) fn update_quiet(&mut self, mv: Move, context: &Context, bonus: i32) {
        let (piece, to) = (mv.piece_after().index(), column(mv.to()));
        update(&mut self.quiet[mv.color().index()][origin(mv)][to], bonus);
        for earlier in context.iter().filter(|&&earlier| earlier != PieceTo::BEFORE_ROOT) {
            let (earlier_piece, column) = (usize::from(earlier.piece), usize::from(earlier.column));
            self.written[earlier_piece][column] = true;
            let row = &mut self.continuation[earlier_piece][column];
            update(&mut row[piece][to], bonus);
        }
    }

    /// Updates a capture that was good (bonus above zero) or bad (below zero).
    #[inline]
    pub(crate) fn update_capture(&mut self, mv: Move, bonus: i32) {
        let captured = mv.captured().map_or(0, |kind| kind.index());
        update(&mut self.capture[mv.piece_after().index()][column(mv.to())][captured], bonus);
    }
}

/// The places of a position's corrections.
struct CorrectionPlace {
    side: usize,
    hands: usize,
    kings: [usize; 2],
}

impl CorrectionPlace {
    #[inline]
    fn of(position: &Position) -> CorrectionPlace {
        let hand_key = position.key() ^ position.board_key();
        CorrectionPlace {
            side: position.side_to_move().index(),
            hands: hand_key as usize % HAND_PLACES,
            kings: Color::ALL.map(|color| position.king(color).map_or(0, column)),
        }
    }
}

/// The origin of a move: the column of a square, or the place of a kind in hand.
#[inline]
fn origin(mv: Move) -> usize {
    match mv.from() {
        Some(square) => column(square),
        // Kinds in hand are numbered from 1 to 7.
        None => FIRST_IN_HAND + (mv.kind().index() - 1) % 7,
    }
}

/// The histories of the quiet moves of one node.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistory<'a> {
    by_origin: &'a [[[i16; COLUMNS]; COLUMNS]; 2],
    after: [&'a ByPieceTo<i16>; 3],
}

impl QuietHistory<'_> {
    /// The history value of a quiet move: its own and those after the moves before it. The sum
    /// stays within ±5 times the limit.
    #[inline]
    pub(crate) fn of(&self, mv: Move, parameters: &Parameters) -> i32 {
        let (piece, to) = (mv.piece_after().index(), column(mv.to()));
        let after = |number: usize| i32::from(self.after[number][piece][to]);
        2 * i32::from(self.by_origin[mv.color().index()][origin(mv)][to])
            + after(0)
            + after(1)
            + after(2) * parameters.order_history4 / 16
    }
}

/// Moves a value towards the limit that has the sign of the bonus. A bonus as large as the limit
/// moves it there at once.
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
        let context = [PieceTo::NULL_MOVE; 3];
        let moves = position.legal_moves();
        for &good in moves.iter().filter(|mv| !mv.is_capture()) {
            let mut history = History::new();
            history.update_quiet(good, &context, 500);
            assert!(history.quiets(&context).of(good, &Parameters::DEFAULT) > 0);
            for &other in moves.iter().filter(|&&mv| mv != good && !mv.is_capture()) {
                // Moves share entries only if equal pieces go to the same square, or if they differ
                // in promotion alone.
                if other.to() != good.to() {
                    assert_eq!(
                        history.quiets(&context).of(other, &Parameters::DEFAULT),
                        0,
                        "{good} {other}"
                    );
                }
            }
            history.clear();
            assert_eq!(history.quiets(&context).of(good, &Parameters::DEFAULT), 0);
        }
    }
}

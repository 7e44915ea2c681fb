//! History tables: which quiet moves and captures were good, and after which moves.
//!
//! All values lie within ±[`LIMIT`](crate::lookup::LIMIT).

use std::alloc::{Layout, handle_alloc_error};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_box;
use tsumero_core::{Color, Move, Piece, PieceKind};
use tsumero_memory::{ZeroedBox, prefetch};

use crate::corrections::Corrections;
use crate::danger::Danger;
use crate::lookup::{
    ByPieceTo, COLUMNS, CONTEXT_PLIES, Context, FIRST_IN_HAND, Lookup, Mask, PieceTo, column,
    update,
};
use crate::parameters::{Parameters, ParametersRef};
use crate::tt::TranspositionTable;

/// The tables of one thread.
pub(crate) struct History {
    /// By color, [`Danger::class`], origin (a square or a kind in hand) and target.
    quiet: Box<ByOrigin>,
    /// By piece, target and captured kind.
    capture: Box<ByPieceTo<[i16; 16]>>,
    /// Continuation history: by an earlier move and the move itself. These are 18 MB: the allocator
    /// would keep some of them when the number of threads changes.
    continuation: ZeroedBox<ByPieceTo<ByPieceTo<i16>>>,
    /// The rows of `continuation` that were written, so that a short game need not clear all of it.
    written: ByPieceTo<bool>,
    /// What the static value is corrected by.
    pub(crate) corrections: Box<Corrections>,
}

/// By color, class, origin and target.
type ByOrigin = [OfColor; 2];
/// By class, origin and target.
type OfColor = [[[i16; COLUMNS]; COLUMNS]; Danger::CLASSES];

impl History {
    /// About the memory of the tables, in bytes.
    pub(crate) const SIZE: usize =
        size_of::<ByPieceTo<ByPieceTo<i16>>>() + size_of::<Corrections>();

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
        self.quiet.as_flattened_mut().as_flattened_mut().as_flattened_mut().fill(0);
        self.capture.as_flattened_mut().as_flattened_mut().fill(0);
        let rows = self.continuation.as_flattened_mut().iter_mut();
        for (row, written) in rows.zip(self.written.as_flattened_mut()) {
            if std::mem::take(written) {
                row.as_flattened_mut().fill(0);
            }
        }
        *self.corrections = Corrections::zeroed();
    }

    /// The tables of a color's quiet moves at a node, looked up once for all its moves.
    #[inline]
    pub(crate) fn quiets<'a>(&'a self, context: &'a Context, us: Color) -> QuietHistory<'a> {
        QuietHistory {
            by_origin: &self.quiet[us.index()],
            danger: &context.danger,
            after: context.moves.map(|earlier| self.continuation.of(earlier)),
        }
    }

    /// Prefetches the entries of a color's replies to the last move, while the moves are being
    /// generated.
    #[inline]
    pub(crate) fn prefetch_quiets(&self, context: &Context, us: Color) {
        let replies = self.continuation.of(context.moves[0]);
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
        self.update_main(mv, &context.danger, bonus);
        for &earlier in &context.moves {
            if earlier != PieceTo::BEFORE_ROOT {
                *self.written.of_mut(earlier) = true;
                update(self.continuation.of_mut(earlier).of_mut(PieceTo::of(mv)), bonus);
            }
        }
    }

    /// Updates the history of a quiet move by its origin and target alone. `danger` is that of the
    /// position before the move.
    #[inline(always)]
    pub(crate) fn update_main(&mut self, mv: Move, danger: &Danger, bonus: i32) {
        let by_origin = &mut self.quiet[mv.color().index()][danger.class(mv)];
        update(&mut by_origin[origin(mv)][column(mv.to())], bonus);
    }

    /// Updates a capture that was good (bonus above zero) or bad (below zero).
    #[inline]
    pub(crate) fn update_capture(&mut self, mv: Move, bonus: i32) {
        let captured = mv.captured().map_or(0, |kind| kind.index());
        update(&mut self.capture[mv.piece_after().index()][column(mv.to())][captured], bonus);
    }
}

/// What the order of moves depends on, apart from the position.
#[derive(Clone, Copy)]
pub(crate) struct Experience<'a> {
    pub(crate) history: &'a History,
    /// What the history tables know of the node.
    pub(crate) context: &'a Context,
    pub(crate) parameters: ParametersRef<'a>,
    /// The table, in which the picker prefetches the results of the moves that come next.
    pub(crate) table: &'a TranspositionTable,
}

/// The place of a piece in hand.
#[inline]
fn in_hand(kind: PieceKind) -> usize {
    // These kinds are numbered from 1 to 7, which spares a test of the index.
    FIRST_IN_HAND + (kind.index() - 1) % 7
}

/// The origin of a move: the column of a square, or the place of a kind in hand.
#[inline]
fn origin(mv: Move) -> usize {
    match mv.from() {
        Some(square) => column(square),
        None => in_hand(mv.kind()),
    }
}

/// A value for each target of a drop, by [`column()`].
pub(crate) type DropValues = [i32; COLUMNS];

/// The histories of the quiet moves of one node.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistory<'a> {
    by_origin: &'a OfColor,
    danger: &'a Danger,
    after: [&'a ByPieceTo<i16>; CONTEXT_PLIES.len()],
}

impl QuietHistory<'_> {
    /// The history value of a quiet move: its own, and those after the moves before it.
    #[inline(always)]
    pub(crate) fn of(&self, mv: Move, parameters: &Parameters) -> i32 {
        self.of_class(mv, self.danger.class(mv), parameters)
    }

    /// The same for a move whose [`Danger::class`] is known.
    #[inline(always)]
    pub(crate) fn of_class(&self, mv: Move, class: usize, parameters: &Parameters) -> i32 {
        let moved = PieceTo::of(mv);
        let mut sum = 2 * i32::from(self.by_origin[class][origin(mv)][column(mv.to())]);
        for (weight, table) in self.weighted(parameters) {
            sum += i32::from(*table.of(moved)) * weight / 16;
        }
        sum
    }

    /// The tables by a piece and its target, each with its weight in 16ths.
    #[inline(always)]
    fn weighted(&self, parameters: &Parameters) -> [(i32, &ByPieceTo<i16>); 3] {
        let [after1, after2, after4] = self.after;
        [
            (parameters.order_history1, after1),
            (parameters.order_history2, after2),
            (parameters.order_history4, after4),
        ]
    }

    /// Writes the values of all drops of a piece by [`column()`] of the target: the same as
    /// [`QuietHistory::of`], many at a time. The masks are those of the squares that the opponent
    /// attacks, and of those on which a dropped piece hangs.
    #[inline]
    pub(crate) fn of_drops(
        &self,
        piece: Piece,
        attacked: &Mask,
        hanging: &Mask,
        parameters: &Parameters,
        values: &mut DropValues,
    ) {
        let place = in_hand(piece.kind());
        let mut own = self.by_origin[0][place];
        // Each mask has the squares of its class and of the next one.
        for (class, mask) in [(3, attacked), (6, hanging)] {
            for ((own, &of_class), &mask) in
                own.iter_mut().zip(&self.by_origin[class][place]).zip(mask)
            {
                *own = (*own & !mask) | (of_class & mask);
            }
        }
        for (value, own) in values.iter_mut().zip(own) {
            *value = 2 * i32::from(own);
        }
        for (weight, table) in self.weighted(parameters) {
            for (value, &after) in values.iter_mut().zip(&table[piece.index()]) {
                *value += i32::from(after) * weight / 16;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::danger::Attacked;
    use crate::lookup::mask;
    use std::collections::BTreeSet;
    use tsumero_core::Position;

    /// The values of all drops at once are those of each drop.
    #[test]
    fn drops_together_have_the_values_of_each() {
        // Both rooks attack the squares between them.
        let position =
            Position::from_sfen("4k4/9/4r4/9/9/4R4/9/9/4K4 b B2G2S2N2L3Pb2g2s2n2l15p 1").unwrap();
        let weights = Parameters::DEFAULT;
        let context = Context {
            moves: [1, 2, 4].map(|column| PieceTo { piece: 1, column }),
            danger: Danger::of(&position, &Attacked::of(&position)),
            ..Context::NONE
        };
        let mut history = History::new();
        let drops: Vec<Move> =
            position.legal_moves().iter().copied().filter(|mv| mv.from().is_none()).collect();
        for (number, &mv) in drops.iter().enumerate() {
            history.update_main(mv, &context.danger, (number as i32 * 37) % 4001 - 2000);
            for (table, weight) in [(0, 91), (1, 53), (2, 41)] {
                let place = history.continuation.of_mut(context.moves[table]);
                *place.of_mut(PieceTo::of(mv)) = (number as i32 * weight % 4001) as i16 - 2000;
            }
        }
        let quiets = history.quiets(&context, Color::Black);
        let [attacked, hanging, _] = context.danger.sets().map(mask);
        let classes: BTreeSet<_> = drops.iter().map(|&mv| context.danger.class(mv)).collect();
        assert_eq!(classes, BTreeSet::from([0, 3, 6]));
        let mut seen = 0;
        for kind in PieceKind::HAND {
            let mut together = [0; COLUMNS];
            let piece = Piece::new(Color::Black, kind);
            quiets.of_drops(piece, &attacked, &hanging, &weights, &mut together);
            for &mv in drops.iter().filter(|mv| mv.kind() == kind) {
                assert_eq!(together[column(mv.to())], quiets.of(mv, &weights), "{mv}");
                seen += 1;
            }
        }
        assert_eq!(seen, drops.len());
    }

    #[test]
    fn a_bonus_reaches_its_move_and_no_other() {
        let position = Position::from_sfen(
            "ln3g1nl/1k4r2/1pppp1bpp/p3spp2/9/P1P2P1PP/1PSPP1P2/2KG1B3/LN3R1NL b 2S2G 1",
        )
        .unwrap();
        let context = Context { moves: [PieceTo::NULL_MOVE; 3], ..Context::NONE };
        let moves = position.legal_moves();
        for &good in moves.iter().filter(|mv| !mv.is_capture()) {
            let mut history = History::new();
            history.update_quiet(good, &context, 500);
            assert!(history.quiets(&context, Color::Black).of(good, &Parameters::DEFAULT) > 0);
            for &other in moves.iter().filter(|&&mv| mv != good && !mv.is_capture()) {
                // Moves share entries only if equal pieces go to the same square, or if they differ
                // in promotion alone.
                if other.to() != good.to() {
                    assert_eq!(
                        history.quiets(&context, Color::Black).of(other, &Parameters::DEFAULT),
                        0,
                        "{good} {other}"
                    );
                }
            }
            history.clear();
            assert_eq!(history.quiets(&context, Color::Black).of(good, &Parameters::DEFAULT), 0);
        }
    }
}

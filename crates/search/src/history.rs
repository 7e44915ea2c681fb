//! History tables: which quiet moves and captures were good, and after which moves.
//!
//! All values lie within ±[`History::LIMIT`]. The bonus of an update shrinks as the value nears the
//! limit, so old results fade.

use std::alloc::{Layout, handle_alloc_error};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_box;
use tsumero_control::{ZeroedBox, prefetch};
use tsumero_core::{Color, GOLDEN_GAMMA, Move, Piece, PieceKind, Position, Square};

use crate::parameters::Parameters;
use crate::structure::Structure;

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
pub(crate) fn column(square: Square) -> usize {
    square.index() - FIRST_SQUARE
}

/// A value for each piece and the square it goes to.
type ByPieceTo<T> = [[T; COLUMNS]; Piece::COUNT];

/// Access to a table by a piece and the square it goes to.
trait Lookup<T> {
    /// The value of a place.
    fn of(&self, place: PieceTo) -> &T;
    /// The value of a place, to be changed.
    fn of_mut(&mut self, place: PieceTo) -> &mut T;
}

impl<T> Lookup<T> for ByPieceTo<T> {
    #[inline]
    fn of(&self, place: PieceTo) -> &T {
        &self[usize::from(place.piece)][usize::from(place.column)]
    }

    #[inline]
    fn of_mut(&mut self, place: PieceTo) -> &mut T {
        &mut self[usize::from(place.piece)][usize::from(place.column)]
    }
}

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

/// How many plies ago the moves of a [`Context`] were played.
pub(crate) const CONTEXT_PLIES: [usize; 5] = [1, 2, 3, 4, 6];

/// What the history tables know of a node besides its moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// The moves played before it, as [`CONTEXT_PLIES`] says.
    pub(crate) moves: [PieceTo; CONTEXT_PLIES.len()],
    /// What stands on the board.
    pub(crate) structure: Structure,
}

impl Context {
    /// Before the root, on no board.
    #[cfg(test)]
    pub(crate) const NONE: Context = Context {
        moves: [PieceTo::BEFORE_ROOT; CONTEXT_PLIES.len()],
        structure: Structure { pawns: 0, small: 0, armies: [0; 2] },
    };
}

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
    /// By a hash of the pawns on the board, and the move.
    pawns: ZeroedBox<[ByPieceTo<i16>; PAWN_PLACES]>,
    /// The rows of `pawns` that were written.
    pawns_written: [bool; PAWN_PLACES],
    corrections: Box<Corrections>,
}

/// Correction history: how much search results differ from static values, in positions that have
/// something in common.
#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
struct Corrections {
    /// By the last move and the one before it.
    by_move: [ByPieceTo<i16>; 2],
    /// By the last move and the one two or four plies ago, hashed.
    by_pair: [[i16; PAIR_PLACES]; 2],
    /// By side to move and a hash of each part of the board: pawns, small pieces, and the army of
    /// the side to move and of the other side.
    by_structure: [[[i16; STRUCTURE_PLACES]; 2]; 4],
    /// By side to move and a hash of the hands.
    by_hands: [[i16; HAND_PLACES]; 2],
    /// By side to move and the squares of both kings.
    by_kings: [[[i16; COLUMNS]; COLUMNS]; 2],
}

/// Number of places for hashes of hands.
const HAND_PLACES: usize = 1 << 14;
/// Number of places for hashes of parts of the board.
const STRUCTURE_PLACES: usize = 1 << 14;
/// Number of places for hashes of two moves.
const PAIR_PLACES: usize = 1 << 15;
/// Number of places for hashes of pawns. They are few, because each has a table of its own (6 KB).
const PAWN_PLACES: usize = 1 << 10;

impl History {
    /// Bound of every value.
    pub(crate) const LIMIT: i32 = 8192;

    /// About the memory of the tables, in bytes.
    pub(crate) const SIZE: usize = size_of::<ByPieceTo<ByPieceTo<i16>>>()
        + size_of::<[ByPieceTo<i16>; PAWN_PLACES]>()
        + size_of::<Corrections>();

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
            pawns: ZeroedBox::try_new()?,
            pawns_written: [false; PAWN_PLACES],
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
        for (row, written) in self.pawns.iter_mut().zip(&mut self.pawns_written) {
            if std::mem::take(written) {
                row.as_flattened_mut().fill(0);
            }
        }
        *self.corrections = Corrections::zeroed();
    }

    /// The correction of the static value, learned from similar positions, in units of the
    /// evaluation.
    #[inline]
    pub(crate) fn correction(
        &self,
        position: &Position,
        context: &Context,
        parameters: &Parameters,
    ) -> i32 {
        let place = CorrectionPlace::of(position, context);
        let corrections = &*self.corrections;
        let value = |value: i16, weight: i32| i32::from(value) * weight;
        let [last, before, ..] = context.moves;
        let [pawns, small, own, other] = place.structure;
        let by_structure = |part: usize, at: usize| corrections.by_structure[part][place.side][at];
        let sum = value(*corrections.by_move[0].of(last), parameters.correction_move)
            + value(*corrections.by_move[1].of(before), parameters.correction_move)
            + value(corrections.by_hands[place.side][place.hands], parameters.correction_hands)
            + value(
                corrections.by_kings[place.side][place.kings[0]][place.kings[1]],
                parameters.correction_kings,
            )
            + value(by_structure(0, pawns), parameters.correction_pawns)
            + value(by_structure(1, small), parameters.correction_small)
            + value(by_structure(2, own), parameters.correction_army)
            + value(by_structure(3, other), parameters.correction_army)
            + value(corrections.by_pair[0][place.pairs[0]], parameters.correction_pair2)
            + value(corrections.by_pair[1][place.pairs[1]], parameters.correction_pair4);
        // At weight 1024, the largest value stands for 64 units.
        sum / (1024 * History::LIMIT / 64)
    }

    /// Prefetches the corrections of a position that was reached by the moves of the context, in
    /// which a color is to move. Those by hands and kings are in small tables.
    #[inline]
    pub(crate) fn prefetch_corrections(&self, context: &Context, us: Color) {
        let corrections = &*self.corrections;
        let places = structure_places(&context.structure, us);
        for (table, at) in corrections.by_structure.iter().zip(places) {
            prefetch(&table[us.index()][at]);
        }
        for (table, at) in corrections.by_pair.iter().zip(pair_places(context)) {
            prefetch(&table[at]);
        }
    }

    /// Learns from the difference between a search result and the static value, weighted by the
    /// depth of the search.
    #[inline]
    pub(crate) fn update_correction(&mut self, position: &Position, context: &Context, by: i32) {
        let bonus = by.clamp(-History::LIMIT / 4, History::LIMIT / 4);
        let place = CorrectionPlace::of(position, context);
        let corrections = &mut *self.corrections;
        for (table, earlier) in corrections.by_move.iter_mut().zip(context.moves) {
            if earlier != PieceTo::BEFORE_ROOT {
                update(table.of_mut(earlier), bonus);
            }
        }
        let [last, second, _, fourth, _] = context.moves;
        for ((table, at), earlier) in
            corrections.by_pair.iter_mut().zip(place.pairs).zip([second, fourth])
        {
            if last != PieceTo::BEFORE_ROOT && earlier != PieceTo::BEFORE_ROOT {
                update(&mut table[at], bonus);
            }
        }
        update(&mut corrections.by_hands[place.side][place.hands], bonus);
        let by_king = &mut corrections.by_kings[place.side][place.kings[0]];
        update(&mut by_king[place.kings[1]], bonus);
        for (table, at) in corrections.by_structure.iter_mut().zip(place.structure) {
            update(&mut table[place.side][at], bonus);
        }
    }

    /// The tables of quiet moves at a node, looked up once for all its moves.
    #[inline]
    pub(crate) fn quiets(&self, context: &Context) -> QuietHistory<'_> {
        QuietHistory {
            by_origin: &self.quiet,
            after: context.moves.map(|earlier| self.continuation.of(earlier)),
            pawns: &self.pawns[pawn_place(context)],
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
    pub(crate) fn update_quiet(
        &mut self,
        mv: Move,
        context: &Context,
        bonus: i32,
        parameters: &Parameters,
    ) {
        self.update_main(mv, bonus);
        self.update_continuation(PieceTo::of(mv), context, bonus, parameters);
        if parameters.learn_pawns > 0 {
            let place = pawn_place(context);
            self.pawns_written[place] = true;
            let value = self.pawns[place].of_mut(PieceTo::of(mv));
            update(value, bonus * parameters.learn_pawns / 1024);
        }
    }

    /// Updates the history of a quiet move by its origin and target alone.
    #[inline]
    pub(crate) fn update_main(&mut self, mv: Move, bonus: i32) {
        update(&mut self.quiet[mv.color().index()][origin(mv)][column(mv.to())], bonus);
    }

    /// Updates the history of a move after the moves before it.
    #[inline]
    pub(crate) fn update_continuation(
        &mut self,
        moved: PieceTo,
        context: &Context,
        bonus: i32,
        parameters: &Parameters,
    ) {
        let weights = [
            parameters.learn_history1,
            parameters.learn_history2,
            parameters.learn_history3,
            parameters.learn_history4,
            parameters.learn_history6,
        ];
        for (&earlier, weight) in context.moves.iter().zip(weights) {
            if earlier != PieceTo::BEFORE_ROOT && weight != 0 {
                *self.written.of_mut(earlier) = true;
                let value = self.continuation.of_mut(earlier).of_mut(moved);
                update(value, bonus * weight / 1024);
            }
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
    structure: [usize; 4],
    pairs: [usize; 2],
}

impl CorrectionPlace {
    #[inline]
    fn of(position: &Position, context: &Context) -> CorrectionPlace {
        let us = position.side_to_move();
        let hand_key = position.key() ^ position.board_key();
        CorrectionPlace {
            side: us.index(),
            hands: hand_key as usize % HAND_PLACES,
            kings: Color::ALL.map(|color| position.king(color).map_or(0, column)),
            structure: structure_places(&context.structure, us),
            pairs: pair_places(context),
        }
    }
}

/// The places of the parts of a board: pawns, small pieces, and the army of the side to move and of
/// the other side.
#[inline]
fn structure_places(structure: &Structure, us: Color) -> [usize; 4] {
    let Structure { pawns, small, armies } = structure;
    let parts = [pawns, small, &armies[us.index()], &armies[(!us).index()]];
    parts.map(|&key| key as usize % STRUCTURE_PLACES)
}

/// The places of the last move together with the moves two and four plies ago.
#[inline]
fn pair_places(context: &Context) -> [usize; 2] {
    let [last, second, _, fourth, _] = context.moves;
    [second, fourth].map(|earlier| pair_place(last, earlier))
}

/// The place of two moves that were played before a node.
#[inline]
fn pair_place(last: PieceTo, earlier: PieceTo) -> usize {
    let word =
        u64::from(u32::from_le_bytes([last.piece, last.column, earlier.piece, earlier.column]));
    (word.wrapping_mul(GOLDEN_GAMMA) >> (64 - PAIR_PLACES.ilog2())) as usize
}

/// The place of the pawns on the board.
#[inline]
fn pawn_place(context: &Context) -> usize {
    context.structure.pawns as usize % PAWN_PLACES
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

/// A value for each target of a drop, by [`column()`].
pub(crate) type DropValues = [i32; COLUMNS];

/// The histories of the quiet moves of one node.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistory<'a> {
    by_origin: &'a [[[i16; COLUMNS]; COLUMNS]; 2],
    after: [&'a ByPieceTo<i16>; CONTEXT_PLIES.len()],
    pawns: &'a ByPieceTo<i16>,
}

impl QuietHistory<'_> {
    /// The history value of a quiet move: its own, those after the moves before it, and the one with
    /// these pawns.
    #[inline(always)]
    pub(crate) fn of(&self, mv: Move, parameters: &Parameters) -> i32 {
        let moved = PieceTo::of(mv);
        let weighted = |weight: i32, table: &ByPieceTo<i16>| {
            // A weight of 0 costs no memory access.
            if weight == 0 { 0 } else { i32::from(*table.of(moved)) * weight / 16 }
        };
        2 * i32::from(self.by_origin[mv.color().index()][origin(mv)][column(mv.to())])
            + weighted(parameters.order_history1, self.after[0])
            + weighted(parameters.order_history2, self.after[1])
            + weighted(parameters.order_history3, self.after[2])
            + weighted(parameters.order_history4, self.after[3])
            + weighted(parameters.order_history6, self.after[4])
            + weighted(parameters.order_pawns, self.pawns)
    }

    /// Writes the values of all drops of a piece by [`column()`] of the target: the same as
    /// [`QuietHistory::of`], many at a time.
    #[inline]
    pub(crate) fn of_drops(&self, piece: Piece, parameters: &Parameters, values: &mut DropValues) {
        let place = FIRST_IN_HAND + piece.kind().index() - 1;
        let own = &self.by_origin[piece.color().index()][place];
        for (value, &own) in values.iter_mut().zip(own) {
            *value = 2 * i32::from(own);
        }
        for (weight, table) in [
            (parameters.order_history1, self.after[0]),
            (parameters.order_history2, self.after[1]),
            (parameters.order_history3, self.after[2]),
            (parameters.order_history4, self.after[3]),
            (parameters.order_history6, self.after[4]),
            (parameters.order_pawns, self.pawns),
        ] {
            if weight != 0 {
                for (value, &after) in values.iter_mut().zip(&table[piece.index()]) {
                    *value += i32::from(after) * weight / 16;
                }
            }
        }
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

    /// What is learned in a position is read in others that share a part with it, and only by the
    /// weight of that part.
    #[test]
    fn corrections_carry_over_to_positions_that_share_a_part() {
        const OFF: Parameters = Parameters {
            correction_move: 0,
            correction_hands: 0,
            correction_kings: 0,
            correction_pawns: 0,
            correction_small: 0,
            correction_army: 0,
            correction_pair2: 0,
            correction_pair4: 0,
            ..Parameters::DEFAULT
        };
        let weights = [
            ("pawns", Parameters { correction_pawns: 1024, ..OFF }),
            ("small", Parameters { correction_small: 1024, ..OFF }),
            ("army", Parameters { correction_army: 1024, ..OFF }),
        ];
        let position = |sfen| Position::from_sfen(sfen).unwrap();
        let learned = position("4k4/9/9/4p4/9/9/4P4/4S4/4KR3 b - 1");
        let context =
            |position: &Position| Context { structure: Structure::of(position), ..Context::NONE };
        let mut history = History::new();
        for _ in 0..20 {
            history.update_correction(&learned, &context(&learned), 2000);
        }
        for (sfen, shared) in [
            // The same position, another silver, another rook, another pawn.
            ("4k4/9/9/4p4/9/9/4P4/4S4/4KR3 b - 1", ["pawns", "small", "army"].as_slice()),
            ("4k4/9/9/4p4/9/9/4P4/3S5/4KR3 b - 1", &["pawns", "army"]),
            ("4k4/9/9/4p4/9/9/4P4/4S4/4K1R2 b - 1", &["pawns", "small", "army"]),
            ("4k4/9/9/4p4/9/5P3/9/4S4/4KR3 b - 1", &["small", "army"]),
            // White is to move.
            ("4k4/9/9/4p4/9/9/4P4/4S4/4KR3 w - 1", &[]),
        ] {
            let other = position(sfen);
            for (name, parameters) in &weights {
                let value = history.correction(&other, &context(&other), parameters);
                assert_eq!(value > 0, shared.contains(name), "{name} {sfen}");
            }
        }
    }

    /// The values of all drops at once are those of each drop.
    #[test]
    fn drops_together_have_the_values_of_each() {
        let position =
            Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L3Prb2g2s2n2l15p 1").unwrap();
        let weights = Parameters { order_history3: 3, order_pawns: 5, ..Parameters::DEFAULT };
        let context = Context {
            moves: [1, 2, 3, 4, 6].map(|column| PieceTo { piece: 1, column }),
            ..Context::NONE
        };
        let mut history = History::new();
        let drops: Vec<Move> =
            position.legal_moves().iter().copied().filter(|mv| mv.from().is_none()).collect();
        for (number, &mv) in drops.iter().enumerate() {
            history.update_main(mv, (number as i32 * 37) % 4001 - 2000);
            for (table, weight) in [(0, 91), (1, 53), (2, 41), (3, 29)] {
                let place = history.continuation.of_mut(context.moves[table]);
                *place.of_mut(PieceTo::of(mv)) = (number as i32 * weight % 4001) as i16 - 2000;
            }
            *history.pawns[0].of_mut(PieceTo::of(mv)) = number as i16 - 200;
        }
        let quiets = history.quiets(&context);
        let mut seen = 0;
        for kind in PieceKind::HAND {
            let mut together = [0; COLUMNS];
            quiets.of_drops(Piece::new(Color::Black, kind), &weights, &mut together);
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
        let context = Context { moves: [PieceTo::NULL_MOVE; 5], ..Context::NONE };
        let moves = position.legal_moves();
        for &good in moves.iter().filter(|mv| !mv.is_capture()) {
            let mut history = History::new();
            history.update_quiet(good, &context, 500, &Parameters::DEFAULT);
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

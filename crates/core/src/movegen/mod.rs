//! Legal move generation: the entry points, and the order of the parts. Also: is the side to move
//! mated (詰み)?
//!
//! Every part yields legal moves only. Pins and checks restrict the targets before a move is built,
//! so no move has to be made and taken back.

mod checks;
mod count;
mod drops;
mod evasions;
mod pieces;

use crate::color::Color;
use crate::move_list::{MoveList, StepSets};
use crate::moves::{Departure, Move};
use crate::piece::Piece;
use crate::placement::attacks::AttackMap;
use crate::placement::board::Board;
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

/// Selects which of the legal moves to generate.
///
/// ```
/// use tsumero_core::{Filter, MoveList, Position};
/// let position = Position::startpos();
/// let mut moves = MoveList::new();
/// position.generate(Filter::CAPTURES, &mut moves);
/// assert!(moves.is_empty());
/// position.generate(Filter { drops: false, ..Filter::ALL }, &mut moves);
/// assert_eq!(moves.len(), 30);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Whether to include captures.
    pub captures: bool,
    /// Whether to include moves on the board that do not capture.
    pub quiets: bool,
    /// Whether to include drops.
    pub drops: bool,
    /// Whether to include idle non-promotions: see [`Move::is_idle_non_promotion`].
    pub idle_non_promotions: bool,
}

impl Filter {
    /// Every legal move.
    pub const ALL: Filter =
        Filter { captures: true, quiets: true, drops: true, idle_non_promotions: true };
    /// Every legal move but idle non-promotions.
    pub const USEFUL: Filter = Filter { idle_non_promotions: false, ..Filter::ALL };
    /// Captures without idle non-promotions.
    pub const CAPTURES: Filter = Filter { quiets: false, drops: false, ..Filter::USEFUL };
    /// Moves that do not capture, drops included, without idle non-promotions.
    pub const QUIETS: Filter = Filter { captures: false, ..Filter::USEFUL };
    /// Moves on the board that do not capture, without idle non-promotions.
    pub const QUIET_BOARD_MOVES: Filter = Filter { drops: false, ..Filter::QUIETS };
    /// Drops.
    pub const DROPS: Filter = Filter { quiets: false, ..Filter::QUIETS };
}

/// Receives what the generator finds: a list, or a count that never builds a move.
pub(crate) trait MoveSink {
    /// One move on the board.
    fn board_move(&mut self, mv: Move);
    /// Drops of one piece on each square of a set.
    fn drops(&mut self, piece: Piece, targets: SquareSet);
}

/// Receives moves as sets.
trait SetSink: MoveSink {
    /// Moves of one piece to each square of a set.
    fn moves(&mut self, departure: Departure, targets: SquareSet, board: &Board);
    /// Steps of many pieces.
    ///
    /// # Safety
    ///
    /// One step or jump back from each target there must be a square.
    unsafe fn steps(&mut self, steps: &StepSets, board: &Board);
}

impl MoveSink for MoveList {
    #[inline]
    fn board_move(&mut self, mv: Move) {
        self.push(mv);
    }

    #[inline(always)]
    fn drops(&mut self, piece: Piece, targets: SquareSet) {
        self.extend_to_empty(Departure::hand(piece), targets);
    }
}

impl SetSink for MoveList {
    #[inline(always)]
    fn moves(&mut self, departure: Departure, targets: SquareSet, board: &Board) {
        self.extend_to(departure, targets, board.cells());
    }

    #[inline(always)]
    unsafe fn steps(&mut self, steps: &StepSets, board: &Board) {
        // SAFETY: the caller's promise.
        unsafe { self.extend_by_steps(steps, board.cells()) };
    }
}

/// Counts moves.
#[derive(Default)]
struct Counter(u64);

impl MoveSink for Counter {
    #[inline]
    fn board_move(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline]
    fn drops(&mut self, _: Piece, targets: SquareSet) {
        self.0 += u64::from(targets.len());
    }
}

impl SetSink for Counter {
    #[inline]
    fn moves(&mut self, _: Departure, targets: SquareSet, _: &Board) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    unsafe fn steps(&mut self, steps: &StepSets, _: &Board) {
        self.0 += steps.len() as u64;
    }
}

impl Position {
    /// All legal moves, every optional non-promotion included. If only the number matters,
    /// [`Position::count_legal_moves`] finds it without generating moves.
    ///
    /// ```
    /// use tsumero_core::Position;
    /// let position = Position::startpos();
    /// assert_eq!(position.legal_moves().len(), 30);
    /// assert_eq!(position.count_legal_moves(), 30);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Filter::ALL, &mut moves);
        moves
    }

    /// Appends the legal moves that the filter lets through. In check these are evasions.
    ///
    /// # Panics
    ///
    /// When the list would hold more than [`MAX_MOVES`](crate::MAX_MOVES) moves, with those that are in it
    /// already. An empty list has room for all.
    // Inlined into `legal_moves`, it would fill a list that is then copied.
    #[inline(never)]
    pub fn generate(&self, filter: Filter, moves: &mut MoveList) {
        generate_into(self, filter, moves);
    }

    /// Whether the side to move is mated (詰み): in check, and without a legal move.
    ///
    /// A side without a legal move has lost, in check or not; see [`Position::has_legal_move`].
    ///
    /// ```
    /// use tsumero_core::Position;
    /// let position = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/9 w - 1").unwrap();
    /// assert!(position.is_mate());
    /// ```
    pub fn is_mate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Whether the side to move has a legal move. If not, it has lost: shogi has no stalemate draw.
    pub fn has_legal_move(&self) -> bool {
        let mut counter = Counter::default();
        let parts = Parts::new(self);
        parts.king_moves(Filter::ALL, &mut counter);
        if counter.0 == 0 {
            parts.piece_moves(Filter::ALL, &mut counter);
        }
        if counter.0 == 0 {
            parts.drops(&mut counter);
        }
        counter.0 > 0
    }
}

fn generate_into<S: SetSink>(position: &Position, filter: Filter, sink: &mut S) {
    let parts = Parts::new(position);
    parts.piece_moves(filter, sink);
    parts.king_moves(filter, sink);
    if filter.drops {
        parts.drops(sink);
    }
}

/// What all parts of the generator know about one position.
struct Parts<'a> {
    position: &'a Position,
    board: &'a Board,
    attacks: &'a AttackMap,
    us: Color,
    king: Option<Square>,
    /// The squares to which pieces other than the king may move without leaving it in check.
    /// Without check these are all squares, in double check none.
    targets: SquareSet,
    /// Our pinned pieces, which must stay on the line to their king.
    pinned: SquareSet,
}

impl<'a> Parts<'a> {
    fn new(position: &'a Position) -> Parts<'a> {
        let us = position.side_to_move();
        Parts {
            position,
            board: position.board(),
            attacks: position.attacks(),
            us,
            king: position.king(us),
            targets: position.evasion_targets(),
            pinned: position.pinned(us),
        }
    }

    /// The targets of moves on the board that the filter lets through.
    fn wanted(&self, filter: Filter) -> SquareSet {
        let captures = if filter.captures { self.board.pieces(!self.us) } else { SquareSet::EMPTY };
        let quiets = if filter.quiets { self.board.empties() } else { SquareSet::EMPTY };
        captures.union(quiets)
    }
}

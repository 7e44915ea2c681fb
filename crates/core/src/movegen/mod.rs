//! Legal moves: entry points, and the order of the parts.
//!
//! Every part yields legal moves only: pins and checks restrict the targets before a move is
//! built, so nothing has to be tried and taken back.

mod checks;
mod count;
mod drops;
mod evasions;
mod pieces;

pub(crate) use drops::{drop_ranks, forward};
pub(crate) use pieces::{promotion, targets_of};

use crate::attacks::AttackMap;
use crate::board::Board;
use crate::color::Color;
use crate::moves::{Move, MoveList};
use crate::piece::Piece;
use crate::position::Position;
use crate::square::Square;
use crate::square_set::SquareSet;

/// Which of the legal moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Moves that capture.
    pub captures: bool,
    /// Moves on the board that do not capture.
    pub quiets: bool,
    /// Drops.
    pub drops: bool,
    /// Also the moves that [`Move::is_idle_non_promotion`] describes.
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
}

/// Takes what the generator finds: a list, or a count that never builds a move.
pub(crate) trait MoveSink {
    /// One move on the board.
    fn board_move(&mut self, mv: Move);
    /// Drops of one piece on each square of a set.
    fn drops(&mut self, piece: Piece, targets: SquareSet);
}

impl MoveSink for MoveList {
    #[inline]
    fn board_move(&mut self, mv: Move) {
        self.push(mv);
    }

    #[inline]
    fn drops(&mut self, piece: Piece, targets: SquareSet) {
        targets.visit(|to| self.push(Move::drop(piece, to)));
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

impl Position {
    /// All legal moves, every optional non-promotion included.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Filter::ALL, &mut moves);
        moves
    }

    /// Appends the legal moves that the filter lets through. In check these are evasions.
    pub fn generate(&self, filter: Filter, moves: &mut MoveList) {
        generate_into(self, filter, moves);
    }

    /// Whether the side to move has a legal move. If not, it has lost: shogi knows no stalemate.
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

fn generate_into<S: MoveSink>(position: &Position, filter: Filter, sink: &mut S) {
    let parts = Parts::new(position);
    parts.piece_moves(filter, sink);
    parts.king_moves(filter, sink);
    if filter.drops {
        parts.drops(sink);
    }
}

/// What all parts of the generator need to know about one position.
struct Parts<'a> {
    position: &'a Position,
    board: &'a Board,
    attacks: &'a AttackMap,
    us: Color,
    king: Option<Square>,
    /// Where pieces other than the king may go so that the king is not left in check; without
    /// check these are all squares, in double check none.
    targets: SquareSet,
    /// Own pieces that must stay on the line to their king.
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

    /// The squares on the board that the filter lets a move of ours go to.
    fn wanted(&self, filter: Filter) -> SquareSet {
        let us = self.position.side_to_move();
        let captures =
            if filter.captures { self.position.squares_of(!us) } else { SquareSet::EMPTY };
        let quiets = if filter.quiets { self.position.board().empties() } else { SquareSet::EMPTY };
        captures.union(quiets)
    }
}

//! The position (局面): board, hands and side to move. It is a plain value.

mod state;

use std::hash::{Hash, Hasher};
use std::mem::MaybeUninit;

pub(crate) use state::State;

use crate::color::{ByColor, Color};
use crate::hand::Hand;
use crate::moves::Move;
use crate::piece::Piece;
use crate::placement::Placement;
use crate::placement::attacks::AttackMap;
use crate::placement::board::Board;
use crate::square::Square;
use crate::square_set::SquareSet;
use crate::zobrist;

/// A position: board, hands, side to move and the number of the next move.
///
/// ```
/// use tsumero_core::{Color, Position};
/// let mut position: Position =
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".parse().unwrap();
/// assert_eq!(position, Position::startpos());
/// position.play(position.legal_moves()[0]).unwrap();
/// assert_eq!(position.side_to_move(), Color::White);
/// ```
///
/// It is a plain value of less than 1 KiB, which a copy copies whole. It knows nothing of the moves
/// that led to it: [`Game`](crate::Game) keeps them, and knows repetition. [`Line`](crate::Line)
/// makes and takes back moves faster, for searches. Both can be used wherever a position is
/// expected.
///
/// In every position, the side that just moved is not in check. Either side may be without a king,
/// as in mate problems.
#[derive(Clone)]
#[repr(C)]
pub struct Position {
    placement: Placement,
    state: State,
}

const _: () = assert!(size_of::<Position>() <= 1024, "a position is cheap to copy");

impl Position {
    /// A board without pieces, Black to move.
    pub(crate) fn empty() -> Position {
        Position { placement: Placement::empty(), state: State::empty() }
    }

    /// The player whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.state.side_to_move
    }

    /// The number of the next move in the game, counted on from the SFEN (1 at the start).
    #[inline]
    pub fn ply(&self) -> u32 {
        self.state.ply
    }

    /// The piece on the square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board().piece_at(square)
    }

    /// All cells of the padded board by [`Square::index`]. A cell holds [`Piece::index`] where a
    /// piece stands, 0 on an empty square, and a byte above [`Piece::COUNT`] in the margin. This
    /// serves code that reads the whole board at once, such as an evaluation.
    #[inline]
    pub fn cells(&self) -> &[u8; Square::CELLS] {
        self.board().cells()
    }

    /// The squares of a color's pieces.
    #[inline]
    pub fn squares_of(&self, color: Color) -> SquareSet {
        self.board().pieces(color)
    }

    /// All pieces on the board with their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.squares_of(Color::Black)
            .union(self.squares_of(Color::White))
            .iter()
            .filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The pieces in a player's hand.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.state.hands[color]
    }

    /// Where a player's king stands; `None` if that side has none.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.board().king(color)
    }

    /// The attack maps of both colors.
    #[inline]
    pub fn attacks(&self) -> &AttackMap {
        self.placement.attacks()
    }

    /// The hash key (Zobrist) of the position: board, hands and side to move. The move number is
    /// not part of it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.key()
    }

    /// The hash key of the board and the side to move, without the hands.
    #[inline]
    pub fn board_key(&self) -> u64 {
        self.state.board_key
    }

    /// The [`Position::key`] after a legal move. It costs a fraction of playing the move, and suffices
    /// to prefetch the entry of a table.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        self.state.key_after(mv)
    }

    /// The [`Position::board_key`] after a legal move. It costs a fraction of playing the move, and
    /// suffices to probe a table or to prefetch its entry.
    #[inline]
    pub fn board_key_after(&self, mv: Move) -> u64 {
        self.state.board_key_after(mv)
    }

    /// The board with its attack maps.
    #[inline]
    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    #[inline]
    pub(crate) fn board(&self) -> &Board {
        self.placement.board()
    }

    #[inline]
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The hands and the side to move, to be changed where no move does it.
    pub(crate) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Puts a piece on an empty square, while the position is set up.
    pub(crate) fn put_piece(&mut self, square: Square, piece: Piece) {
        self.placement.put_piece(square, piece);
        self.state.board_key ^= zobrist::piece(piece, square);
    }

    /// Changes the position by a legal move.
    #[inline]
    pub(crate) fn advance(&mut self, mv: Move) {
        self.placement.make(mv);
        self.state.play(mv);
    }

    /// Changes the position back to what it was before the move that led to it.
    pub(crate) fn take_back(&mut self, mv: Move) {
        self.placement.unmake(mv);
        self.state.take_back(mv);
    }

    /// Writes the position after a legal move, whose state is known already, and returns it.
    #[inline(always)]
    pub(crate) fn write_after<'a>(
        &self,
        mv: Move,
        state: State,
        after: &'a mut MaybeUninit<Position>,
    ) -> &'a mut Position {
        let place = after.as_mut_ptr();
        // SAFETY: both fields are written completely. The pointer to the first one is valid for
        // writes, because the field is a part of `after`.
        unsafe {
            let placement = (&raw mut (*place).placement).cast::<MaybeUninit<Placement>>();
            self.placement.write_after_move(mv, &mut *placement);
            (&raw mut (*place).state).write(state);
            after.assume_init_mut()
        }
    }

    /// The hands of both players.
    #[inline]
    pub(crate) fn hands(&self) -> &ByColor<Hand> {
        &self.state.hands
    }
}

/// Positions are equal when board, hands and side to move are equal. The move number does not count.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.key() == other.key()
            && self.side_to_move() == other.side_to_move()
            && self.hands() == other.hands()
            && self.board() == other.board()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

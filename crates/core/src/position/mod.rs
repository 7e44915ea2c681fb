//! The position (局面): board, hands, side to move and history. Every change goes through it.

mod consistency;
mod do_move;
mod mate_problem;
mod notes;
mod setup;
mod sfen;
mod stack;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub use mate_problem::MateProblem;
pub use setup::{Handicap, ParseHandicapError, Setup};
pub use sfen::SfenError;

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
pub(crate) use notes::Notes;
use stack::PlacementStack;

/// A position and the moves that led to it.
///
/// ```
/// use tsumero_core::{Color, Position};
/// let mut position: Position =
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".parse().unwrap();
/// assert_eq!(position, Position::startpos());
/// let mv = position.legal_moves()[0];
/// position.do_move(mv);
/// assert_eq!((position.side_to_move(), position.last_move()), (Color::White, Some(mv)));
/// position.undo_move();
/// ```
///
/// In every position, the side that just moved is not in check. Either side may be without a king,
/// as in mate problems.
#[derive(Clone)]
pub struct Position {
    placements: PlacementStack<Notes>,
    hands: ByColor<Hand>,
    side_to_move: Color,
    /// The [`Position::ply`] at which the history starts.
    first_ply: u32,
    /// Exclusive or of the keys of the pieces on the board and the side to move.
    board_key: u64,
    /// Wrapping sum of the keys of the pieces in hand.
    hand_key: u64,
    /// One record for each move since the start of the game: what it replaced, and what the
    /// repetition rule needs.
    history: Vec<Record>,
}

/// What the history keeps of a position after a move or null move has been made in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// The move played in the position; `None` for a null move.
    pub(crate) played: Option<Move>,
    pub(crate) board_key: u64,
    pub(crate) hand_key: u64,
    pub(crate) hands: ByColor<Hand>,
    /// Whether the side to move was in check.
    pub(crate) in_check: bool,
}

impl Position {
    /// A board without pieces, Black to move. An SFEN is read into it.
    fn empty() -> Position {
        Position {
            placements: PlacementStack::new(Placement::empty()),
            hands: ByColor::default(),
            side_to_move: Color::Black,
            first_ply: 1,
            board_key: 0,
            hand_key: 0,
            history: Vec::new(),
        }
    }

    /// The player whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The number of the next move in the game, counted on from the SFEN (1 at the start).
    #[inline]
    pub fn ply(&self) -> u32 {
        self.first_ply.saturating_add(self.history.len() as u32)
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
            .filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The pieces in a player's hand.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// Where a player's king stands; `None` if that side has none.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.board().king(color)
    }

    /// The attack maps of both colors.
    #[inline]
    pub fn attacks(&self) -> &AttackMap {
        self.placements.top().attacks()
    }

    /// The hash key (Zobrist) of the position: board, hands and side to move. History and ply are
    /// not part of it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }

    /// The hash key of the board and the side to move, without the hands.
    #[inline]
    pub fn board_key(&self) -> u64 {
        self.board_key
    }

    /// The move that led here; `None` at the start and after a null move.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.history.last().and_then(|record| record.played)
    }

    /// The number of moves, null moves included, known to have been played before this position.
    #[inline]
    pub fn moves_played(&self) -> usize {
        self.history.len()
    }

    #[inline]
    pub(crate) fn hand_key(&self) -> u64 {
        self.hand_key
    }

    /// The board with its attack maps.
    #[inline]
    pub(crate) fn placement(&self) -> &Placement {
        self.placements.top()
    }

    #[inline]
    pub(crate) fn board(&self) -> &Board {
        self.placements.top().board()
    }

    /// The hands of both players.
    #[inline]
    pub(crate) fn hands(&self) -> &ByColor<Hand> {
        &self.hands
    }

    /// The last move, the placement before it, and the notes on that placement. `None` if the
    /// placement after the move has been computed already.
    #[inline]
    pub(crate) fn last_change(&self) -> Option<(&Placement, Move, &Notes)> {
        self.placements.due()
    }

    /// The notes on the current placement.
    #[inline]
    pub(crate) fn notes(&self) -> &Notes {
        self.placements.notes()
    }

    #[inline]
    pub(crate) fn history(&self) -> &[Record] {
        &self.history
    }

    /// The record of the current position, to be kept when `played` is played in it.
    #[inline]
    pub(crate) fn record(&self, played: Option<Move>) -> Record {
        Record {
            played,
            board_key: self.board_key,
            hand_key: self.hand_key,
            hands: self.hands,
            in_check: self.in_check(),
        }
    }

    /// Changes a hand and its key together.
    #[inline]
    fn add_to_hand(&mut self, color: Color, kind: crate::PieceKind) {
        self.hands[color] = self.hands[color].plus(kind);
        self.hand_key = self.hand_key.wrapping_add(zobrist::in_hand(color, kind));
    }

    /// Changes a hand and its key together.
    #[inline]
    fn take_from_hand(&mut self, color: Color, kind: crate::PieceKind) {
        self.hands[color] = self.hands[color].minus(kind);
        self.hand_key = self.hand_key.wrapping_sub(zobrist::in_hand(color, kind));
    }
}

/// The first position of the even game.
impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}

/// Positions are equal when board, hands and side to move are equal. History and move number do not
/// count.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.key() == other.key()
            && self.side_to_move == other.side_to_move
            && self.hands == other.hands
            && self.board() == other.board()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Reads an SFEN: [`Position::from_sfen`].
impl FromStr for Position {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Position, SfenError> {
        Position::from_sfen(text)
    }
}

/// The SFEN of the position.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_sfen())
    }
}

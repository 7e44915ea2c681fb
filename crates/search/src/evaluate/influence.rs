//! The value of every square, seen from both kings.
//!
//! The value of a square depends on its place relative to the king, on the piece that stands on it,
//! and on how many pieces of each color attack it (none, one, more). Near the king it also depends
//! on the opponent's hand:
//!
//! ```text
//! value for Black = Σ over squares  T[from Black's king] − T[from White's king, board turned]
//! ```
//!
//! One table of 16-bit numbers, small enough for the second-level cache, holds every combination.
//! The idea to weigh attacks by their distance to both kings goes back to M. Isozaki's articles on
//! evaluation by attacks (yaneuraou.yaneu.com, November and December 2020).

use std::sync::LazyLock;

use tsumero_core::{Color, Piece, PieceKind, Position, Square};

use super::board_state::{BoardState, COUNT_PAIRS, STATES, state};
use super::material::on_board;
use super::weights::{self, DANGERS, Weights, danger_of};

/// Size of the table, rounded up so that a masked index always lies inside.
const TABLE_SIZE: usize = 1 << 16;

/// Entries of a table by state, rounded up so that a masked index always lies inside.
const STATE_PLACES: usize = STATES.next_power_of_two();

/// For each square of a king, by [`Square::dense_index`], and each square by [`Square::index`]:
/// start of the row in the table.
type Rows = Vec<[u16; Square::CELLS]>;

/// The table, and the indices of its rows.
pub(crate) struct Influence {
    /// By row and state, as the king's owner sees both: values in the owner's favor.
    table: Box<[i16; TABLE_SIZE]>,
    /// By color and by the danger to its king.
    rows: [[Rows; DANGERS]; 2],
    /// By color, from a state as Black sees it to the state as the color sees it.
    states: [[u16; STATE_PLACES]; 2],
}

static INFLUENCE: LazyLock<Influence> = LazyLock::new(Influence::new);

impl Influence {
    /// The table in use.
    pub(crate) fn get() -> &'static Influence {
        &INFLUENCE
    }

    fn new() -> Influence {
        let mut table = Box::new([0; TABLE_SIZE]);
        let squares = Weights::get().squares();
        table[..squares.len()].copy_from_slice(squares);
        let mut views = [[0; STATE_PLACES]; 2];
        for (piece, own, enemy) in states() {
            let state = state(piece, 3 * own + enemy);
            views[0][state] = state as u16;
            views[1][state] = self::state(turned_piece(piece), 3 * enemy + own) as u16;
        }
        let rows = Color::ALL.map(|color| {
            std::array::from_fn(|danger| {
                let from = |king: Square| {
                    let mut starts = [0; Square::CELLS];
                    for square in Square::all() {
                        let seen = square.relative_to(color);
                        // At most 57,024.
                        starts[square.index()] =
                            weights::row(king.relative_to(color), seen, danger) as u16;
                    }
                    starts
                };
                Square::all().map(from).collect()
            })
        });
        Influence { table, rows, states: views }
    }

    /// For each color, the sum over the squares as its king sees them plus the value of its pieces
    /// on the board, computed from scratch. For a side without a king, the pieces alone.
    pub(super) fn of(&self, position: &Position, board: &BoardState) -> [i32; 2] {
        Color::ALL.map(|color| self.of_side(position, board, color))
    }

    /// The same for one color.
    pub(super) fn of_side(&self, position: &Position, board: &BoardState, color: Color) -> i32 {
        let Some(king) = position.king(color) else { return on_board(position)[color] };
        let view = View::new(self, king, color, danger_of(position.hand(!color)));
        let squares: i32 = Square::all().map(|square| view.value(square, board.at(square))).sum();
        Weights::get().king(king.relative_to(color)) + squares
    }
}

/// The board as the owner of a king sees it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    table: &'a [i16; TABLE_SIZE],
    /// Start of the row of each square.
    rows: &'a [u16; Square::CELLS],
    /// From a state as Black sees it to the state as the owner sees it.
    states: &'a [u16; STATE_PLACES],
}

impl<'a> View<'a> {
    #[inline]
    pub(super) fn new(
        influence: &'a Influence,
        king: Square,
        color: Color,
        danger: usize,
    ) -> View<'a> {
        View {
            table: &influence.table,
            rows: &influence.rows[color.index()][danger][king.dense_index()],
            states: &influence.states[color.index()],
        }
    }

    /// The value of a square in a state, both as Black sees them.
    #[inline]
    pub(super) fn value(&self, square: Square, state: usize) -> i32 {
        let row = usize::from(self.rows[square.index()]);
        i32::from(self.table[(row + usize::from(self.states[state % STATE_PLACES])) % TABLE_SIZE])
    }

    /// How much the value of a square changes from one state to another.
    #[inline]
    pub(super) fn change(&self, square: Square, from: usize, to: usize) -> i32 {
        self.value(square, to) - self.value(square, from)
    }
}

/// The index of the same piece with the other color; 0 stays 0.
fn turned_piece(piece: usize) -> usize {
    if piece == 0 { 0 } else { piece ^ (Piece::COUNT / 2) }
}

/// All states: the piece or nothing, and how often either color attacks it.
fn states() -> impl Iterator<Item = (usize, usize, usize)> {
    let pieces = Color::ALL
        .into_iter()
        .flat_map(|color| PieceKind::ALL.map(|kind| Piece::new(color, kind).index()));
    std::iter::once(0)
        .chain(pieces)
        .flat_map(|piece| (0..COUNT_PAIRS).map(move |counts| (piece, counts / 3, counts % 3)))
}

/// Converts a state from Black's view to a color's view.
#[cfg(feature = "tune")]
pub(super) fn turned_state(state: usize, color: Color) -> usize {
    Influence::get().states[color.index()][state].into()
}

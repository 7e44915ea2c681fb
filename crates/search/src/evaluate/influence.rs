//! Attack-map terms around both kings.
//!
//! Every square is seen from both kings. What it contributes depends on where it lies from the
//! king, what stands on it, and how many pieces of either color attack it (none, one, more):
//!
//! ```text
//! value for Black = Σ over squares  T[from Black's king] − T[from White's king, board turned]
//! ```
//!
//! One table of 16-bit numbers, small enough for the second-level cache, holds every combination.
//! It is computed from a few formulas; the idea to weigh attacks by their distance to both kings,
//! with later attackers of a square counting less, goes back to M. Isozaki's articles on
//! evaluation by attacks (yaneuraou.yaneu.com, November and December 2020).

use std::sync::LazyLock;

use tsumero_core::{Color, Piece, PieceKind, Position, Square};

use super::board_state::{BoardState, COUNT_PAIRS, STATES, state};
use super::material::{board_value, on_board};

/// File distances 0 to 8, times rank differences -8 to 8.
const PLACES: usize = 9 * 17;
/// Size of the table, rounded up so that a masked index always lies inside.
const TABLE_SIZE: usize = (PLACES * STATES).next_power_of_two();

/// Entries of a table by state, rounded up so that a masked index always lies inside.
const STATE_PLACES: usize = STATES.next_power_of_two();

/// The table and what leads to its rows.
pub(crate) struct Influence {
    /// By place and state, as the king's owner sees both: values in the owner's favor.
    table: Box<[i16; TABLE_SIZE]>,
    /// By color, its king's [`Square::dense_index`] and [`Square::index`]: start of the row in
    /// `table`.
    rows: [Vec<[u16; Square::CELLS]>; 2],
    /// By color, from a state as Black sees it to the state as the color sees it.
    states: [[u16; STATE_PLACES]; 2],
    /// By king square as its owner sees it.
    king: [i32; 81],
}

/// Value of the first attacker of a square beside the king's own square, from which it falls
/// with the distance: attackers of the king's own color, and of the other.
const OWN_ATTACK: i32 = 68;
const ENEMY_ATTACK: i32 = 96;
/// What none, one and more attackers of a square are worth, of 1024.
const BY_NUMBER: [i32; 3] = [0, 1024, 1811];
/// Share of its value that a piece gains by being guarded and loses by being attacked, of 4096.
const GUARDED: i32 = 38;
const ATTACKED: i32 = 117;
/// Next to the king: an own piece guarded by the king alone, and another square so guarded.
const WALL: i32 = 20;
const HOLE: i32 = -11;

/// How much attacks count ahead of the king, beside it and behind it, of 1024: nearly every
/// attack on a king comes from ahead.
const AHEAD: i32 = 1200;
const BESIDE: i32 = 1000;
const BEHIND: i32 = 750;

/// Value of the king's own square by rank (0: the far edge) and distance from the middle file.
#[rustfmt::skip]
const KING_SQUARE: [[i32; 5]; 9] = [
    [150, 150, 150, 150, 150],
    [120, 120, 120, 120, 120],
    [ 60,  60,  60,  60,  60],
    [-20, -20, -20, -20, -20],
    [-60, -60, -60, -60, -60],
    [-70, -70, -70, -70, -70],
    [-50, -40, -20,   0,   0],
    [-30, -15,  15,  40,  25],
    [-20, -10,  10,  30,  20],
];

static INFLUENCE: LazyLock<Influence> = LazyLock::new(Influence::new);

impl Influence {
    /// The table in use.
    pub(crate) fn get() -> &'static Influence {
        &INFLUENCE
    }

    fn new() -> Influence {
        let mut table = Box::new([0; TABLE_SIZE]);
        let mut views = [[0; STATE_PLACES]; 2];
        for (piece, own, enemy) in states() {
            let state = state(piece, 3 * own + enemy);
            views[0][state] = state as u16;
            views[1][state] = self::state(turned_piece(piece), 3 * enemy + own) as u16;
            for dx in 0..9 {
                for dy in -8..=8i32 {
                    let index = place(dx, dy) * STATES + state;
                    table[index] = value(dx as i32, dy, piece, own, enemy) as i16;
                }
            }
        }
        let mut rows = Color::ALL.map(|_| vec![[0; Square::CELLS]; 81]);
        let mut king_values = [0; 81];
        for king in Square::all() {
            let (file, rank) = (king.file().index(), king.rank().index());
            king_values[king.dense_index()] = KING_SQUARE[rank][file.abs_diff(4)];
            for square in Square::all() {
                let dx = file.abs_diff(square.file().index());
                let dy = square.rank().index() as i32 - rank as i32;
                for color in Color::ALL {
                    let (king, square) = (king.relative_to(color), square.relative_to(color));
                    // At most 153 * 288 = 44,064.
                    let start = (place(dx, dy) * STATES) as u16;
                    rows[color.index()][king.dense_index()][square.index()] = start;
                }
            }
        }
        Influence { table, rows, states: views, king: king_values }
    }

    /// The contributions of both kings' surroundings and the value of the pieces on the board,
    /// for each color, computed from nothing. A side without a king has its pieces only.
    pub(super) fn of(&self, position: &Position, board: &BoardState) -> [i32; 2] {
        Color::ALL.map(|color| self.of_side(position, board, color))
    }

    /// The same for one color.
    pub(super) fn of_side(&self, position: &Position, board: &BoardState, color: Color) -> i32 {
        let Some(king) = position.king(color) else { return on_board(position)[color] };
        let view = View::new(self, king, color);
        let squares: i32 = Square::all().map(|square| view.value(square, board.at(square))).sum();
        self.king[king.relative_to(color).dense_index()] + squares
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
    pub(super) fn new(influence: &'a Influence, king: Square, color: Color) -> View<'a> {
        View {
            table: &influence.table,
            rows: &influence.rows[color.index()][king.dense_index()],
            states: &influence.states[color.index()],
        }
    }

    /// What a square contributes with a state, both as Black sees them.
    #[inline]
    pub(super) fn value(&self, square: Square, state: usize) -> i32 {
        let row = usize::from(self.rows[square.index()]);
        i32::from(self.table[(row + usize::from(self.states[state % STATE_PLACES])) % TABLE_SIZE])
    }

    /// By how much the contribution of a square changes with its state.
    #[inline]
    pub(super) fn change(&self, square: Square, from: usize, to: usize) -> i32 {
        self.value(square, to) - self.value(square, from)
    }
}

/// Number of a place: file distance and how many ranks the square lies behind the king.
fn place(dx: usize, dy: i32) -> usize {
    dx * 17 + (dy + 8) as usize
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

/// What one square contributes, as the king's owner sees it. The owner's own piece comes with
/// its value: then one look at the table is enough.
fn value(dx: i32, dy: i32, piece: usize, own: usize, enemy: usize) -> i32 {
    let distance = dx.max(dy.abs());
    let side = match dy {
        ..0 => AHEAD,
        0 => BESIDE,
        1.. => BEHIND,
    };
    let attack = OWN_ATTACK * BY_NUMBER[own] - ENEMY_ATTACK * BY_NUMBER[enemy];
    let mut value = attack / 1024 * side / 1024 / (distance + 1);

    let kind = PieceKind::from_index(piece % 16);
    let is_own = kind.is_some() && piece < Piece::COUNT / 2;
    if let Some(kind) = kind {
        // Both kings' tables see every piece, hence half of its value each.
        let (guards, attackers, sign) = if is_own { (own, enemy, 1) } else { (enemy, own, -1) };
        let mut share = 0;
        if guards > 0 {
            share += GUARDED;
        }
        if attackers > 0 {
            share -= ATTACKED;
        }
        value += sign * board_value(kind) * share / 4096 / 2;
        if is_own {
            value += board_value(kind);
        }
    }
    if distance == 1 && own <= 1 {
        value += if is_own { WALL } else { HOLE };
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enemy_attackers_near_the_king_cost_and_own_ones_gain() {
        for dx in 0..3 {
            for dy in -2..=2 {
                let of = |own, enemy| value(dx, dy, 0, own, enemy);
                assert!(of(2, 1) > of(2, 2) && of(1, 0) > of(1, 1), "{dx} {dy}");
                assert!(of(1, 1) > of(0, 1) && of(2, 1) > of(1, 1), "{dx} {dy}");
                assert!(value(dx + 3, dy, 0, 1, 2) > of(1, 2), "{dx} {dy}: it falls with distance");
            }
        }
    }

    #[test]
    fn every_row_lies_in_the_table() {
        let influence = Influence::get();
        for rows in influence.rows.iter().flatten() {
            for &row in rows {
                assert!(usize::from(row) + STATES <= influence.table.len());
            }
        }
    }
}

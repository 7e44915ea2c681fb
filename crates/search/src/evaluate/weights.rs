//! The weights of the evaluation by attack maps, and the index of each.
//!
//! They were fitted by `tsumero-train fit` to games of the engine against itself.
//! `docs/search.md` describes the games and the gain.
//!
//! ```text
//!      0  + 288 · row + state   a square seen from a king's owner
//! 57,024  + 19 · kind + count   the number of a kind in hand, from the pawn (0) to the rook (6)
//! 57,157  + king                the king's square: 5 · rank as its owner sees it + distance from
//!                               the middle file
//! 57,202                        the right to move
//! ```
//!
//! A row is a place, 17 · file distance + (ranks behind the king + 8). The places at most two
//! files and two ranks away have three rows more, for what the opponent can drop there:
//! 153 + 15 · (danger − 1) + 5 · file distance + (ranks behind + 2), danger 1 to 3.

use std::sync::LazyLock;

use tsumero_core::{Hand, PieceKind, Square};

use super::board_state::STATES;

/// File distances 0 to 8, times rank differences -8 to 8.
const PLACES: usize = 9 * 17;
/// Places near a king: file distances 0 to 2, times rank differences -2 to 2.
const NEAR_PLACES: usize = 3 * 5;
/// Number of values of [`danger_of`].
pub(super) const DANGERS: usize = 4;
/// Number of rows of states.
const ROWS: usize = PLACES + (DANGERS - 1) * NEAR_PLACES;
/// Counts of one kind in hand, 0 to 18.
const HAND_COUNTS: usize = 19;

const HANDS: usize = ROWS * STATES;
const KINGS: usize = HANDS + PieceKind::HAND.len() * HAND_COUNTS;
const TEMPO: usize = KINGS + 9 * 5;
/// Number of weights.
pub(super) const COUNT: usize = TEMPO + 1;

/// The weights, in units of the evaluation.
pub(super) struct Weights([i16; COUNT]);

static WEIGHTS: LazyLock<Box<Weights>> = LazyLock::new(|| {
    /// Little-endian numbers.
    const FILE: &[u8; 2 * COUNT] = include_bytes!("weights.bin");
    let mut weights = Box::new(Weights([0; COUNT]));
    for (weight, bytes) in weights.0.iter_mut().zip(FILE.as_chunks().0) {
        *weight = i16::from_le_bytes(*bytes);
    }
    weights
});

impl Weights {
    /// The weights in use.
    pub(super) fn get() -> &'static Weights {
        &WEIGHTS
    }

    /// All of them in order.
    #[cfg(feature = "tune")]
    pub(super) fn all(&self) -> &[i16; COUNT] {
        &self.0
    }

    /// The values of all rows and states.
    pub(super) fn squares(&self) -> &[i16] {
        &self.0[..HANDS]
    }

    /// The value of a hand for its owner.
    #[inline]
    pub(super) fn hand(&self, hand: Hand) -> i32 {
        hand.iter().map(|(kind, count)| i32::from(self.0[hand_place(kind, count)])).sum()
    }

    /// The value of the king's square, which is given as its owner sees it.
    pub(super) fn king(&self, king: Square) -> i32 {
        self.0[king_place(king)].into()
    }

    /// The value of the right to move.
    #[inline]
    pub(super) fn tempo(&self) -> i32 {
        self.0[TEMPO].into()
    }
}

/// The index of the value of `count` pieces of a kind in hand.
#[inline]
pub(super) fn hand_place(kind: PieceKind, count: u32) -> usize {
    HANDS + (kind.index() - 1) * HAND_COUNTS + count as usize
}

/// The index of the value of a king's square, which is given as its owner sees it.
pub(super) fn king_place(king: Square) -> usize {
    KINGS + king.rank().index() * 5 + king.file().index().abs_diff(4)
}

/// The index of the value of the right to move.
#[cfg(feature = "tune")]
pub(super) const TEMPO_PLACE: usize = TEMPO;

/// The index at which the row of a square begins, for a king in the given danger. King and square
/// are as the king's owner sees them.
pub(super) fn row(king: Square, square: Square, danger: usize) -> usize {
    let dx = king.file().index().abs_diff(square.file().index());
    let (king_rank, rank) = (king.rank().index(), square.rank().index());
    let is_near = dx <= 2 && king_rank.abs_diff(rank) <= 2;
    let row = if is_near && danger > 0 {
        PLACES + (danger - 1) * NEAR_PLACES + 5 * dx + (rank + 2 - king_rank)
    } else {
        17 * dx + (rank + 8 - king_rank)
    };
    row * STATES
}

/// The file distance, the ranks behind the king and the danger of a row's places; `None` beyond
/// the last row.
#[cfg(feature = "tune")]
pub(super) fn place_of_row(row: usize) -> Option<(usize, i32, usize)> {
    if row < PLACES {
        return Some((row / 17, (row % 17) as i32 - 8, 0));
    }
    let near = row - PLACES;
    let (danger, place) = (near / NEAR_PLACES + 1, near % NEAR_PLACES);
    (row < ROWS).then_some((place / 5, (place % 5) as i32 - 2, danger))
}

/// How much a hand endangers the other side's king, below [`DANGERS`]. Golds, silvers and sliders
/// count most.
#[inline]
pub(super) fn danger_of(hand: Hand) -> usize {
    let count = |kind| hand.count(kind);
    let weight = count(PieceKind::Lance)
        + count(PieceKind::Knight)
        + 2 * count(PieceKind::Silver)
        + 2 * count(PieceKind::Gold)
        + 2 * count(PieceKind::Bishop)
        + 3 * count(PieceKind::Rook);
    match weight {
        0 => 0,
        1..=2 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_place() {
        let mut starts = std::collections::BTreeSet::new();
        for king in Square::all() {
            for square in Square::all() {
                for danger in 0..DANGERS {
                    starts.insert(row(king, square, danger));
                }
            }
        }
        assert_eq!(starts.len(), ROWS);
        assert!(starts.iter().all(|start| start % STATES == 0 && *start < HANDS));
    }

    /// The weights are plausible: larger pieces are worth more, as every player knows.
    #[test]
    fn larger_pieces_in_hand_are_worth_more() {
        let weights = Weights::get();
        let values = PieceKind::HAND.map(|kind| weights.hand(Hand::EMPTY.with(kind)));
        assert!(values.is_sorted(), "{values:?}");
        assert!(values[0] > 0 && weights.tempo() >= 0);
    }
}

//! Correction history: how much search results differ from static values, in positions that have
//! something in common.

use bytemuck::Zeroable;
use tsumero_core::{Color, GOLDEN_GAMMA, Position};
use tsumero_memory::prefetch;

use crate::lookup::{
    ByPieceTo, COLUMNS, Context, LIMIT, Lookup, MovesBefore, PieceTo, column, update,
};
use crate::parameters::Parameters;
use crate::structure::Structure;

/// The corrections of one thread.
#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
pub(crate) struct Corrections {
    /// By the last move and the one before it.
    by_move: [ByPieceTo<i16>; 2],
    /// By the last move and the one two or four plies ago, hashed. The last place is for nodes so near to the
    /// root that there is no such pair. It stays empty.
    by_pair: [[i16; PAIR_PLACES + 1]; 2],
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
/// The place where a move is missing.
const NO_PAIR: usize = PAIR_PLACES;

impl Corrections {
    /// The correction of the static value, learned from similar positions, in units of the
    /// evaluation.
    #[inline(always)]
    pub(crate) fn of(
        &self,
        position: &Position,
        context: &Context,
        parameters: &Parameters,
    ) -> i32 {
        let place = Places::of(position, context);
        let value = |value: i16, weight: i32| i32::from(value) * weight;
        let [last, before, ..] = context.moves;
        let [pawns, small, own, other] = place.structure;
        let by_structure = |part: usize, at: usize| self.by_structure[part][place.side][at];
        let sum = value(*self.by_move[0].of(last), parameters.correction_move)
            + value(*self.by_move[1].of(before), parameters.correction_move)
            + value(self.by_hands[place.side][place.hands], parameters.correction_hands)
            + value(
                self.by_kings[place.side][place.kings[0]][place.kings[1]],
                parameters.correction_kings,
            )
            + value(by_structure(0, pawns), parameters.correction_pawns)
            + value(by_structure(1, small), parameters.correction_small)
            + value(by_structure(2, own), parameters.correction_army)
            + value(by_structure(3, other), parameters.correction_army)
            + value(self.by_pair[0][place.pairs[0]], parameters.correction_pair2)
            + value(self.by_pair[1][place.pairs[1]], parameters.correction_pair4);
        // At weight 1024, the largest value stands for 64 units.
        sum / (1024 * LIMIT / 64)
    }

    /// Prefetches the corrections of a position that was reached by these moves and has this structure,
    /// in which a color is to move. Those by hands and kings are in small tables.
    #[inline]
    pub(crate) fn prefetch(&self, moves: &MovesBefore, structure: &Structure, us: Color) {
        let places = structure_places(structure, us);
        for (table, at) in self.by_structure.iter().zip(places) {
            prefetch(&table[us.index()][at]);
        }
        for (table, at) in self.by_pair.iter().zip(pair_places(moves)) {
            prefetch(&table[at]);
        }
    }

    /// Learns from the difference between a search result and the static value, weighted by the
    /// depth of the search.
    #[inline]
    pub(crate) fn learn(&mut self, position: &Position, context: &Context, by: i32) {
        let bonus = by.clamp(-LIMIT / 4, LIMIT / 4);
        let place = Places::of(position, context);
        for (table, earlier) in self.by_move.iter_mut().zip(context.moves) {
            if earlier != PieceTo::BEFORE_ROOT {
                update(table.of_mut(earlier), bonus);
            }
        }
        for (table, at) in self.by_pair.iter_mut().zip(place.pairs) {
            if at != NO_PAIR {
                update(&mut table[at], bonus);
            }
        }
        update(&mut self.by_hands[place.side][place.hands], bonus);
        let by_king = &mut self.by_kings[place.side][place.kings[0]];
        update(&mut by_king[place.kings[1]], bonus);
        for (table, at) in self.by_structure.iter_mut().zip(place.structure) {
            update(&mut table[place.side][at], bonus);
        }
    }
}

/// The places of a position's corrections.
struct Places {
    side: usize,
    hands: usize,
    kings: [usize; 2],
    structure: [usize; 4],
    pairs: [usize; 2],
}

impl Places {
    #[inline(always)]
    fn of(position: &Position, context: &Context) -> Places {
        let us = position.side_to_move();
        let hand_key = position.key() ^ position.board_key();
        Places {
            side: us.index(),
            hands: hand_key as usize % HAND_PLACES,
            kings: Color::ALL.map(|color| position.king(color).map_or(0, column)),
            structure: structure_places(&context.structure, us),
            pairs: pair_places(&context.moves),
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
fn pair_places(moves: &MovesBefore) -> [usize; 2] {
    let &[last, second, fourth] = moves;
    [second, fourth].map(|earlier| pair_place(last, earlier))
}

/// The place of two moves that were played before a node.
#[inline]
fn pair_place(last: PieceTo, earlier: PieceTo) -> usize {
    if last == PieceTo::BEFORE_ROOT || earlier == PieceTo::BEFORE_ROOT {
        return NO_PAIR;
    }
    let word =
        u64::from(u32::from_le_bytes([last.piece, last.column, earlier.piece, earlier.column]));
    (word.wrapping_mul(GOLDEN_GAMMA) >> (64 - PAIR_PLACES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::allocation::zeroed_box;

    /// What is learned in a position is read in others that share a part with it, and only by the
    /// weight of that part.
    #[test]
    fn corrections_carry_over_to_positions_that_share_a_part() {
        const OFF: Parameters = Parameters::WITHOUT_CORRECTIONS;
        let weights = [
            ("pawns", Parameters { correction_pawns: 1024, ..OFF }),
            ("small", Parameters { correction_small: 1024, ..OFF }),
            ("army", Parameters { correction_army: 1024, ..OFF }),
        ];
        let position = |sfen| Position::from_sfen(sfen).unwrap();
        let learned = position("4k4/9/9/4p4/9/9/4P4/4S4/4KR3 b - 1");
        let context =
            |position: &Position| Context { structure: Structure::of(position), ..Context::NONE };
        let mut corrections: Box<Corrections> = zeroed_box();
        for _ in 0..20 {
            corrections.learn(&learned, &context(&learned), 2000);
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
                let value = corrections.of(&other, &context(&other), parameters);
                assert_eq!(value > 0, shared.contains(name), "{name} {sfen}");
            }
        }
    }

    /// Nodes near the root have fewer moves before them, and do not read what pairs of moves have taught.
    #[test]
    fn a_missing_move_makes_no_pair() {
        const PAIRS: Parameters = Parameters {
            correction_pair2: 512,
            correction_pair4: 512,
            ..Parameters::WITHOUT_CORRECTIONS
        };
        let position = Position::startpos();
        let moves = |count: usize| {
            let played = ["7g7f", "2g2f", "3g3f"]
                .map(|text| PieceTo::of(position.parse_move(text).unwrap()));
            std::array::from_fn(|ago| if ago < count { played[ago] } else { PieceTo::BEFORE_ROOT })
        };
        let mut corrections: Box<Corrections> = zeroed_box();
        for table in &mut corrections.by_pair {
            table[..PAIR_PLACES].fill(LIMIT as i16);
        }
        let mut values = || {
            [0, 1, 2, 3].map(|count| {
                let context = Context { moves: moves(count), ..Context::NONE };
                let value = corrections.of(&position, &context, &PAIRS);
                corrections.learn(&position, &context, LIMIT);
                value
            })
        };
        assert_eq!(values(), [0, 0, 32, 64]);
        // Nothing has been learned there, either.
        assert_eq!(values(), [0, 0, 32, 64]);
    }
}

//! The transposition table of one searcher.

use std::cell::Cell;

use tsumero_control::{Bound, Score};
use tsumero_core::Square;
use tsumero_memory::ZeroedSlice;

use crate::moves::Move;
use crate::piece::PieceId;

/// A table entry: what is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntry {
    /// The best move found, if any was.
    pub(crate) best: Option<Move>,
    /// The score, seen from the node that probed.
    pub(crate) score: Score,
    /// The depth of the search, in plies.
    pub(crate) depth: i32,
    /// What kind of result the score is.
    pub(crate) bound: Bound,
}

impl TableEntry {
    /// Whether the score tells on which side of a window the true one lies.
    pub(super) fn decides(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

/// An entry as it is stored: mates are counted from the node.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    best: Option<Move>,
    score: i16,
    depth: u8,
    /// Generation times four plus the bound; 0 for an empty slot.
    age_and_bound: u8,
}

/// A slot as two words. Zeros are an empty slot, so memory that the system provides as zeros need
/// not be written before use. So a large table is ready at once.
type Packed = [u64; 2];

const SQUARE_BITS: u32 = 7;
const DROP: u16 = 1 << 15;
const PROMOTE: u16 = 1 << 14;

/// A move in 16 bits; 0 for none. No move has 0, because it would end where it starts.
fn pack_move(mv: Option<Move>) -> u16 {
    match mv {
        None => 0,
        Some(Move::Board { from, to, promotes }) => {
            let squares = (from.dense_index() << SQUARE_BITS | to.dense_index()) as u16;
            if promotes { squares | PROMOTE } else { squares }
        }
        Some(Move::Drop { piece, to }) => {
            DROP | (piece.number() << SQUARE_BITS | to.dense_index()) as u16
        }
    }
}

fn unpack_move(bits: u16) -> Option<Move> {
    let low = |bits: u16| usize::from(bits & ((1 << SQUARE_BITS) - 1));
    let to = Square::from_dense_index(low(bits))?;
    let start = low(bits >> SQUARE_BITS);
    if bits == 0 {
        None
    } else if bits & DROP != 0 {
        Some(Move::Drop { piece: PieceId::new(start)?, to })
    } else {
        let from = Square::from_dense_index(start)?;
        Some(Move::Board { from, to, promotes: bits & PROMOTE != 0 })
    }
}

impl Slot {
    fn pack(self) -> Packed {
        let facts = u64::from(self.score as u16)
            | u64::from(pack_move(self.best)) << 16
            | u64::from(self.depth) << 32
            | u64::from(self.age_and_bound) << 40;
        [self.key, facts]
    }

    fn unpack([key, facts]: Packed) -> Slot {
        Slot {
            key,
            best: unpack_move((facts >> 16) as u16),
            score: facts as i16,
            depth: (facts >> 32) as u8,
            age_and_bound: (facts >> 40) as u8,
        }
    }
}

/// A transposition table of fixed size. Newer or deeper entries replace others.
pub(crate) struct Table {
    /// The length is a power of two.
    slots: ZeroedSlice<Cell<Packed>>,
    generation: u8,
}

impl Table {
    /// A table of at most `megabytes` (at least 1); `None` if there is not enough memory.
    pub(crate) fn new(megabytes: usize) -> Option<Table> {
        let wanted = megabytes.max(1).checked_mul((1 << 20) / size_of::<Packed>())?;
        let len = 1usize << wanted.ilog2();
        let slots = ZeroedSlice::new(len)?;
        slots.use_huge_pages_if_few();
        Some(Table { slots, generation: 1 })
    }

    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.slots.use_huge_pages_if_few();
    }

    /// Makes the system provide the memory now, piece by piece, as long as `goes_on` returns true. The
    /// next call goes on where this one ended.
    pub(crate) fn warm_up(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        self.slots.warm_up(goes_on);
    }

    /// Starts a new search: entries of earlier searches are replaced sooner from now on.
    pub(crate) fn start_search(&mut self) {
        self.generation = self.generation % 63 + 1;
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    pub(crate) fn probe(&self, key: u64, ply: u32) -> Option<TableEntry> {
        let slot = Slot::unpack(self.slots[self.index(key)].get());
        let bound = Bound::from_code(slot.age_and_bound & 3)?;
        (slot.key == key).then(|| TableEntry {
            best: slot.best,
            score: Score::from_table(slot.score, ply),
            depth: i32::from(slot.depth),
            bound,
        })
    }

    pub(crate) fn store(&mut self, key: u64, ply: u32, entry: TableEntry) {
        let index = self.index(key);
        let slot = Slot::unpack(self.slots[index].get());
        let is_current = slot.age_and_bound >> 2 == self.generation;
        let depth = entry.depth.clamp(0, 255) as u8;
        let keep = slot.key != key && is_current && slot.depth > depth.saturating_add(2);
        if keep && entry.bound != Bound::Exact {
            return;
        }
        let best = entry.best.or(if slot.key == key { slot.best } else { None });
        let score = entry.score.to_table(ply);
        let age_and_bound = self.generation << 2 | entry.bound.code();
        self.slots[index].set(Slot { key, best, score, depth, age_and_bound }.pack());
    }

    /// The share of the table filled by this search, in permille.
    pub(crate) fn hashfull(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let is_current =
            |slot: &&Cell<Packed>| Slot::unpack(slot.get()).age_and_bound >> 2 == self.generation;
        let used = sample.iter().filter(is_current).count();
        (used * 1000 / sample.len()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_packing() {
        assert_eq!(unpack_move(pack_move(None)), None);
        for to in Square::all() {
            for from in Square::all().filter(|&from| from != to) {
                for promotes in [false, true] {
                    let mv = Some(Move::Board { from, to, promotes });
                    assert_eq!(unpack_move(pack_move(mv)), mv);
                }
            }
            for piece in PieceId::all() {
                let mv = Some(Move::Drop { piece, to });
                assert_eq!(unpack_move(pack_move(mv)), mv);
            }
        }
    }

    #[test]
    fn what_is_stored_is_found_under_its_key_alone() {
        let mut table = Table::new(1).expect("a megabyte");
        let entry = TableEntry { best: None, score: Score::new(12), depth: 3, bound: Bound::Lower };
        table.store(77, 2, entry);
        let found = table.probe(77, 2).expect("it was stored");
        assert_eq!((found.score, found.depth, found.bound), (Score::new(12), 3, Bound::Lower));
        assert!(table.probe(77 + (1 << 40), 2).is_none());
        assert!(table.hashfull() > 0);
        table.clear();
        assert!(table.probe(77, 2).is_none());
    }

    /// An entry of this search stays unless the next one is at most two plies shallower.
    #[test]
    fn deep_entries_stay_at_every_depth() {
        let mut table = Table::new(1).expect("a megabyte");
        let mut store = |key, depth| {
            let score = Score::new(12);
            table.store(key, 0, TableEntry { best: None, score, depth, bound: Bound::Lower });
            table.probe(key, 0).is_some()
        };
        let other = 77 + (1 << 40);
        assert!(store(77, 9) && !store(other, 6) && store(other, 7));
        assert!(store(77, 1000) && !store(other, 252) && store(other, 254));
    }
}

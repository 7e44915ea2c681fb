//! The transposition table: results of positions, shared by all threads.
//!
//! Lock-free in the manner of Hyatt and Mann ("A lock-less transposition table implementation for
//! parallel search", 2002): an entry is two words, the data and the exclusive or of data and key.
//! If two threads write the same slot at once, the words do not match, and the entry fits no key.
//! `probe` returns a copy, so no one keeps a reference to a slot.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;
use tsumero_control::{Bound, Score};
use tsumero_memory::ZeroedSlice;

/// The entry of a position. Mates are counted from the node itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    /// The best move in packed form, or 0.
    pub(crate) best: u16,
    /// What a search has found; `None` if only the static value is known.
    pub(crate) result: Option<TableResult>,
    /// The static value; `None` in check, and with a mate in one.
    pub(crate) static_eval: Option<Score>,
    /// Depth of the search that gave the result: 0 for a quiescence search.
    pub(crate) depth: u8,
    /// Whether the node was ever part of a principal variation.
    pub(crate) was_pv: bool,
}

/// The result of a search, as it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableResult {
    /// The score in its table form.
    pub(crate) score: i16,
    /// Whether the score is exact or a bound.
    pub(crate) bound: Bound,
}

impl TableResult {
    /// The result of a node `ply` plies from the root.
    #[inline]
    pub(crate) fn new(score: Score, ply: u32, bound: Bound) -> TableResult {
        TableResult { score: score.to_table(ply), bound }
    }

    /// Whether the value is at least the score.
    #[inline]
    pub(crate) fn is_at_least(self) -> bool {
        matches!(self.bound, Bound::Lower | Bound::Exact)
    }
}

impl TableEntry {
    /// An entry that has only a static value.
    pub(crate) fn of_static_eval(static_eval: Option<Score>, was_pv: bool) -> TableEntry {
        TableEntry { best: 0, result: None, static_eval, depth: 0, was_pv }
    }

    /// The score at a node `ply` plies from the root; `None` if only the static value is known.
    #[inline]
    pub(crate) fn score_at(&self, ply: u32) -> Option<Score> {
        self.result.map(|result| Score::from_table(result.score, ply))
    }

    /// The score, if it decides a zero window at `beta`.
    #[inline]
    pub(crate) fn deciding_score(&self, ply: u32, beta: Score) -> Option<Score> {
        let TableResult { score, bound } = self.result?;
        let score = Score::from_table(score, ply);
        let decides = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score < beta,
        };
        decides.then_some(score)
    }

    /// The score, if its bound tells more about the value of the node than the static value does.
    #[inline]
    pub(crate) fn better_estimate(&self, ply: u32, static_eval: Score) -> Option<Score> {
        self.deciding_score(ply, static_eval + 1)
    }
}

/// "No static value" in the packed form. No score has this value.
const NO_EVAL: i16 = i16::MIN;
/// The number of generations. The generation wraps around.
const GENERATIONS: u8 = 32;
/// The depth, in plies, by which an entry of the previous search counts less than one of this
/// search.
const AGE_PENALTY: i32 = 4;

/// The packed form of an entry and its generation.
///
/// ```text
/// bits 0..=15  16..=31  32..=47      48..=55  56..=57        58      59..=63
///      best    score    static eval  depth    bound, 0 none  was pv  generation
/// ```
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    #[inline(always)]
    fn new(entry: &TableEntry, generation: u8) -> Packed {
        let (score, bound) =
            entry.result.map_or((0, 0), |result| (result.score, result.bound.code()));
        let eval = entry.static_eval.map_or(NO_EVAL, |score| score.value() as i16);
        Packed(
            u64::from(entry.best)
                | u64::from(score as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(entry.depth) << 48
                | u64::from(bound) << 56
                | u64::from(entry.was_pv) << 58
                | u64::from(generation) << 59,
        )
    }

    fn entry(self) -> TableEntry {
        let eval = (self.0 >> 32) as u16 as i16;
        TableEntry {
            best: self.best(),
            result: Bound::from_code((self.0 >> 56 & 3) as u8)
                .map(|bound| TableResult { score: (self.0 >> 16) as u16 as i16, bound }),
            static_eval: (eval != NO_EVAL).then(|| Score::new(i32::from(eval))),
            depth: self.depth(),
            was_pv: self.0 >> 58 & 1 != 0,
        }
    }

    fn best(self) -> u16 {
        self.0 as u16
    }

    fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// The value of the entry: the least valuable one is replaced. An empty slot has the lowest
    /// value.
    fn worth(self, generation: u8) -> i32 {
        if self.0 == 0 {
            return i32::MIN;
        }
        let age = generation.wrapping_sub(self.generation()) % GENERATIONS;
        i32::from(self.depth()) - AGE_PENALTY * i32::from(age)
    }
}

#[derive(Default, Zeroable)]
struct Slot {
    /// The exclusive or of key and data.
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// Reads key and data. If another thread is writing at the same time, they do not match, and
    /// the key is one that no position has.
    #[inline]
    fn read(&self) -> (u64, Packed) {
        let data = self.data.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ data, Packed(data))
    }

    #[inline]
    fn write(&self, key: u64, packed: Packed) {
        self.check.store(key ^ packed.0, Ordering::Relaxed);
        self.data.store(packed.0, Ordering::Relaxed);
    }
}

const SLOTS: usize = 4;

/// The slots in which a position may be stored: one cache line.
#[derive(Default, Zeroable)]
#[repr(C, align(64))]
struct Bucket([Slot; SLOTS]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The table. All methods but [`TranspositionTable::clear`] and
/// [`TranspositionTable::start_search`] may be called by many threads at once.
pub(crate) struct TranspositionTable {
    buckets: ZeroedSlice<Bucket>,
    generation: u8,
    /// What the results of this search hold for. Those of searches with another scope are not found.
    scope: u64,
}

impl TranspositionTable {
    /// An empty table of `megabytes` (at least 1), or `None` without enough memory.
    pub(crate) fn new(megabytes: usize) -> Option<TranspositionTable> {
        let count = megabytes.max(1).checked_mul((1 << 20) / size_of::<Bucket>())?;
        let buckets = ZeroedSlice::new(count)?;
        buckets.use_huge_pages_if_few();
        Some(TranspositionTable { buckets, generation: 0, scope: 0 })
    }

    /// Its size, which is the one that was asked for.
    pub(crate) fn megabytes(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Becomes an empty table of `megabytes` (at least 1). The old one is freed first,
    /// because there may not be enough memory for both. If the new size does not fit, returns
    /// false, and the table has its old size and is empty. Where not even that can be had any more, it
    /// has a megabyte, and without one it stays as it is.
    pub(crate) fn resize(&mut self, megabytes: usize) -> bool {
        let before = self.megabytes();
        let Some(smallest) = TranspositionTable::new(1) else { return false };
        *self = smallest;
        for (size, is_wanted) in [(megabytes, true), (before, false)] {
            if let Some(table) = TranspositionTable::new(size) {
                *self = table;
                return is_wanted;
            }
        }
        false
    }

    /// Makes the system provide the memory now, piece by piece, as long as `goes_on` returns true. The
    /// next call goes on where this one ended.
    pub(crate) fn warm_up(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        self.buckets.warm_up(goes_on);
    }

    /// Clears the table.
    pub(crate) fn clear(&mut self) {
        self.buckets.clear();
        self.buckets.use_huge_pages_if_few();
        self.generation = 0;
    }

    /// Must be called when a new search begins. Entries of earlier searches are then replaced
    /// first, and found only if they have the same `scope`: a hash of what decides
    /// games, and of whether mates are looked for.
    pub(crate) fn start_search(&mut self, scope: u64) {
        self.scope = scope;
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn bucket_number(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[self.bucket_number(key)]
    }

    /// Prefetches the bucket of a position that will soon be probed.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.buckets.prefetch(self.bucket_number(key ^ self.scope));
    }

    /// The entry of the position with the key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TableEntry> {
        let key = key ^ self.scope;
        self.bucket(key).0.iter().map(Slot::read).find_map(|(slot_key, packed)| {
            // An empty slot reads as key 0 with no data.
            (slot_key == key && packed.0 != 0).then(|| packed.entry())
        })
    }

    /// Stores an entry. It replaces an entry of the same position unless that one is clearly
    /// deeper. The old move is kept if the new entry has none.
    #[inline(always)]
    pub(crate) fn store(&self, key: u64, entry: &TableEntry) {
        let key = key ^ self.scope;
        let bucket = self.bucket(key);
        let mut target = &bucket.0[0];
        let mut least = i32::MAX;
        let mut entry = *entry;
        for slot in &bucket.0 {
            let (slot_key, packed) = slot.read();
            if slot_key == key && packed.0 != 0 {
                let deeper = packed.depth() > entry.depth.saturating_add(3);
                let current = packed.generation() == self.generation;
                // At the leaves, an exact result says less than a bound of a deep search.
                let is_exact = entry.depth > 0
                    && entry.result.is_some_and(|result| result.bound == Bound::Exact);
                if deeper && current && !is_exact {
                    return;
                }
                if entry.best == 0 {
                    entry.best = packed.best();
                }
                target = slot;
                break;
            }
            let worth = packed.worth(self.generation);
            if worth < least {
                least = worth;
                target = slot;
            }
        }
        target.write(key, Packed::new(&entry, self.generation));
    }

    /// All entries.
    #[cfg(test)]
    pub(crate) fn entries(&self) -> impl Iterator<Item = TableEntry> {
        let slots = self.buckets.iter().flat_map(|bucket| &bucket.0);
        slots.map(|slot| slot.read().1).filter(|packed| packed.0 != 0).map(Packed::entry)
    }

    /// The share of slots used by the current search, in permille, estimated from the first
    /// thousand slots.
    pub(crate) fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let (_, packed) = slot.read();
                packed.0 != 0 && packed.generation() == self.generation
            })
            .count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::prelude::*;

    fn random_entry(random: &mut impl Rng) -> TableEntry {
        TableEntry {
            best: random.random(),
            result: Bound::from_code(random.random_range(0..4))
                .map(|bound| TableResult { score: random.random_range(-32_000..=32_000), bound }),
            static_eval: random
                .random_bool(0.8)
                .then(|| Score::new(random.random_range(-31_000..31_000))),
            depth: random.random_range(1..=127),
            was_pv: random.random(),
        }
    }

    #[test]
    fn a_new_size_comes_empty_and_so_does_the_old_one_if_there_is_no_room() {
        let mut table = TranspositionTable::new(1).unwrap();
        let entry = random_entry(&mut StdRng::seed_from_u64(4));
        for (megabytes, fits, buckets) in
            [(3, true, 3 << 14), (usize::MAX >> 21, false, 3 << 14), (2, true, 2 << 14)]
        {
            table.store(9, &entry);
            assert_eq!(table.resize(megabytes), fits);
            assert_eq!((table.probe(9), table.buckets.len()), (None, buckets));
        }
    }

    #[test]
    fn every_entry_is_read_back_as_written() {
        let mut random = StdRng::seed_from_u64(1);
        let table = TranspositionTable::new(1).unwrap();
        for _ in 0..20_000 {
            let (key, entry) = (random.random(), random_entry(&mut random));
            table.store(key, &entry);
            assert_eq!(table.probe(key), Some(entry));
            assert_eq!(table.probe(key ^ 1 << random.random_range(0..8)), None);
        }
    }

    #[test]
    fn a_full_bucket_gives_up_its_oldest_and_shallowest_entry() {
        let mut random = StdRng::seed_from_u64(2);
        let mut table = TranspositionTable::new(1).unwrap();
        let entry = |random: &mut StdRng, depth| TableEntry { depth, ..random_entry(random) };
        // Keys that differ only in their lowest bits share a bucket.
        for (key, depth) in [(1, 9), (2, 3), (3, 7), (4, 5)] {
            table.store(key, &entry(&mut random, depth));
        }
        table.store(5, &entry(&mut random, 1));
        assert_eq!(table.probe(2), None);
        table.start_search(0);
        table.start_search(0);
        for (key, depth) in [(6, 1), (7, 1), (8, 1)] {
            table.store(key, &entry(&mut random, depth));
        }
        let kept: Vec<u64> = (1..=8).filter(|&key| table.probe(key).is_some()).collect();
        assert_eq!(kept, [1, 6, 7, 8]);
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_result_but_a_move_survives() {
        let table = TranspositionTable::new(1).unwrap();
        let deep = TableEntry {
            best: 77,
            result: Some(TableResult { score: 10, bound: Bound::Lower }),
            static_eval: Some(Score::new(5)),
            depth: 20,
            was_pv: false,
        };
        table.store(9, &deep);
        table.store(9, &TableEntry { depth: 16, best: 78, ..deep });
        assert_eq!(table.probe(9), Some(deep));
        // Three plies less is not clearly less.
        table.store(9, &TableEntry { depth: 17, best: 78, ..deep });
        assert_eq!(table.probe(9), Some(TableEntry { depth: 17, best: 78, ..deep }));
        table.store(9, &deep);
        let result = Some(TableResult { score: 10, bound: Bound::Exact });
        let exact = TableEntry { depth: 2, best: 0, result, ..deep };
        table.store(9, &exact);
        assert_eq!(table.probe(9), Some(TableEntry { best: 77, ..exact }));
        // An exact result of a leaf replaces only entries that are not clearly deeper.
        let leaf = TableEntry { depth: 0, ..exact };
        for (depth, stays) in [(4, true), (3, false)] {
            let before = TableEntry { depth, best: 77, ..exact };
            table.store(9, &before);
            table.store(9, &leaf);
            let expected = if stays { before } else { TableEntry { best: 77, ..leaf } };
            assert_eq!(table.probe(9), Some(expected));
        }
    }

    /// The generation wraps around after 32 searches, and ages are still right.
    #[test]
    fn many_searches_follow_one_another() {
        let mut random = StdRng::seed_from_u64(5);
        let mut table = TranspositionTable::new(1).unwrap();
        let result = Some(TableResult { score: 10, bound: Bound::Lower });
        let entry = TableEntry { depth: 20, result, ..random_entry(&mut random) };
        let shallow = TableEntry { depth: 2, ..entry };
        for key in 1..=200 {
            table.start_search(0);
            table.store(key, &entry);
            table.store(key, &shallow);
            assert_eq!(table.probe(key), Some(entry), "a result of this search");
            // All these keys share a bucket, in which the oldest yields.
            let oldest = key.saturating_sub(SLOTS as u64);
            assert!((oldest + 1..=key).all(|key| table.probe(key) == Some(entry)));
            assert_eq!(table.probe(oldest), None);
        }
    }

    #[test]
    fn hashfull_counts_this_search_only() {
        let mut random = StdRng::seed_from_u64(3);
        let mut table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.hashfull(), 0);
        for _ in 0..1_000_000 {
            table.store(random.random(), &random_entry(&mut random));
        }
        assert!(table.hashfull() > 990);
        table.start_search(0);
        assert_eq!(table.hashfull(), 0);
        let entry = random_entry(&mut random);
        table.store(9, &entry);
        assert_eq!(table.probe(9), Some(entry));
        table.clear();
        assert_eq!(table.probe(9), None);
        assert_eq!(table.entries().count(), 0);
        // The first bits of a key are the number of its bucket. The sample has 250 buckets.
        let shift = 64 - table.buckets.len().ilog2();
        for (used, bucket) in (1..=250).zip(0_u64..) {
            for number in 1..=SLOTS as u64 {
                table.store((bucket << shift) + number, &random_entry(&mut random));
            }
            assert_eq!(table.hashfull(), 4 * used);
        }
    }

    #[test]
    fn threads_never_see_an_entry_of_another_key() {
        // Many threads write the same few buckets. The entry's move repeats part of the key, so
        // a mixture of two entries would show.
        let table = TranspositionTable::new(1).unwrap();
        std::thread::scope(|scope| {
            for seed in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    let mut random = StdRng::seed_from_u64(seed);
                    for _ in 0..50_000 {
                        let key: u64 = random.random_range(1..64);
                        let depth = random.random_range(1..=100);
                        let score = key as i16 * 100 + i16::from(depth);
                        let entry = TableEntry {
                            best: key as u16,
                            depth,
                            result: Some(TableResult { score, bound: Bound::Lower }),
                            ..random_entry(&mut random)
                        };
                        table.store(key, &entry);
                        let key = random.random_range(1..64);
                        if let Some(found) = table.probe(key) {
                            assert_eq!(u64::from(found.best), key);
                            let score = key as i16 * 100 + i16::from(found.depth);
                            assert_eq!(found.result.map(|result| result.score), Some(score));
                        }
                    }
                });
            }
        });
    }
}

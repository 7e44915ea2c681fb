//! What the solver has found out about positions, in a fixed amount of memory.
//!
//! *One entry answers many hands.* A mate with some pieces in hand is a mate with more of them,
//! and no mate with some is no mate with fewer (Seo 1999: proof and disproof pieces). Entries are
//! therefore found by the board alone and compared by the attacker's hand. What the defender
//! holds follows from both, because the number of pieces in the game does not change.
//!
//! *Place.* An entry lies in one of the [`WINDOW`] slots of the bucket that the board's key
//! names. A bucket is filled from its start, and an entry goes only to make room for another, so
//! the first empty slot ends a look-up. In a full bucket the entry that cost the fewest nodes
//! yields (as in Nagai's SmallTreeGC, 1999).
//!
//! *Growth.* A table much larger than what it holds is slow: every look-up touches memory that no
//! look-up touched before. It therefore begins small and doubles when a third of it is full, up
//! to its size. Each bucket then hands the entries whose key says so to its new twin.
//!
//! *Threads.* A slot is four words; the first is the key, exclusive or the others (Hyatt and Mann
//! 2002). Two threads that write at once leave words that fit no key: the slot answers nobody.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tsumero_core::Hand;

use super::numbers::{Number, Numbers};

/// A length in plies: of a mate, or the bound below which there is none.
pub(crate) type Length = u16;

/// Longer than any mate that can be followed. As a bound of "no mate within": none at all.
pub(crate) const UNBOUNDED: Length = 4095;

/// Slots an entry may lie in: those of a bucket.
const WINDOW: usize = 16;
/// Words of a slot.
const WORDS: usize = 4;
/// Within at least so many plies a position borrows the numbers of one with another hand: the
/// search has no bound of length.
const BORROWING_LENGTH: Length = 2000;
/// Bytes of a cache line, on which the buckets start.
const LINE: usize = 64;
/// Buckets at the beginning: half a megabyte.
const FIRST_BUCKETS: usize = 1 << 10;

/// What the table knows of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// There is a mate within the length asked for.
    Mate {
        /// It takes at most so many plies.
        length: Length,
        /// The mate works with these pieces in the attacker's hand and any more.
        hand: Hand,
        /// The mating move in packed form, where the attacker moves.
        best: u16,
    },
    /// There is no mate within the length asked for.
    NoMate {
        /// Nor within this one.
        length: Length,
        /// Nor with these pieces in the attacker's hand or any fewer.
        hand: Hand,
    },
    /// Neither is known.
    Open {
        /// Proof and disproof number.
        numbers: Numbers,
        /// The smallest ply at which the position was seen.
        ply: u16,
        /// Whether the position itself was seen before.
        seen: bool,
    },
}

/// The data of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    hand: Hand,
    best: u16,
    ply: u16,
    numbers: Numbers,
    /// One more than the plies in which there is a mate; 0: none is known. One more, because a
    /// position with the defender to move may be mated already.
    mate: Length,
    /// One more than the plies within which there is no mate; 0: nothing is known.
    none: Length,
    /// Nodes it took.
    effort: u32,
}

impl Entry {
    /// ```text
    /// word 1: hand 0..=31, best 32..=47, ply 48..=59
    /// word 2: proof number 0..=31, disproof number 32..=63
    /// word 3: effort 0..=31, mate 32..=44, none 48..=60
    /// ```
    fn pack(&self) -> [u64; 3] {
        [
            u64::from(self.hand.bits()) | u64::from(self.best) << 32 | u64::from(self.ply) << 48,
            u64::from(self.numbers.proof) | u64::from(self.numbers.disproof) << 32,
            u64::from(self.effort) | u64::from(self.mate) << 32 | u64::from(self.none) << 48,
        ]
    }

    fn unpack(words: [u64; 3]) -> Entry {
        let [first, second, third] = words;
        Entry {
            hand: Hand::from_bits(first as u32),
            best: (first >> 32) as u16,
            ply: (first >> 48) as u16,
            numbers: Numbers { proof: second as Number, disproof: (second >> 32) as Number },
            mate: (third >> 32) as u16,
            none: (third >> 48) as u16,
            effort: third as u32,
        }
    }
}

/// The table. It may be read and written by many threads at once.
pub(crate) struct Table {
    words: Vec<AtomicU64>,
    /// The first word that lies at the start of a cache line.
    start: usize,
    /// How many buckets there may be: a power of two.
    most_buckets: usize,
    /// How many buckets are in use: a power of two.
    buckets: AtomicUsize,
    /// How many slots are in use.
    used: AtomicUsize,
}

impl Table {
    /// An empty table of `megabytes` (at least 1), rounded down to a power of two, or `None`
    /// without enough memory. The memory is taken from the system as the table grows.
    pub(crate) fn new(megabytes: usize) -> Option<Table> {
        let buckets = megabytes.max(1).checked_mul((1 << 20) / (8 * WORDS * WINDOW))?;
        let most_buckets = 1 << buckets.ilog2();
        let words: Vec<AtomicU64> =
            bytemuck::try_zeroed_vec(most_buckets * WINDOW * WORDS + LINE / 8).ok()?;
        let start = words.as_ptr().align_offset(LINE);
        let buckets = AtomicUsize::new(FIRST_BUCKETS.min(most_buckets));
        Some(Table { words, start, most_buckets, buckets, used: AtomicUsize::new(0) })
    }

    /// The slots of a bucket.
    #[inline]
    fn bucket(&self, number: usize) -> impl Iterator<Item = &[AtomicU64]> {
        let words = &self.words[self.start + number * WINDOW * WORDS..];
        words[..WINDOW * WORDS].chunks_exact(WORDS)
    }

    /// The slots of a position.
    #[inline]
    fn window(&self, key: u64) -> impl Iterator<Item = &[AtomicU64]> {
        self.bucket(key as usize & (self.buckets.load(Ordering::Relaxed) - 1))
    }

    /// Doubles the number of buckets. A thread that reads or writes a bucket meanwhile may miss
    /// an entry or lose one; it never sees a wrong one.
    fn grow(&self) {
        let buckets = self.buckets.load(Ordering::Relaxed);
        let twice = 2 * buckets;
        if twice > self.most_buckets
            || self
                .buckets
                .compare_exchange(buckets, twice, Ordering::Relaxed, Ordering::Relaxed)
                .is_err()
        {
            return;
        }
        for number in 0..buckets {
            let (mut stays, mut goes) = (self.bucket(number), self.bucket(number + buckets));
            let mut kept = 0;
            for slot in self.bucket(number) {
                let (key, words) = Table::read(slot);
                if words[2] == 0 {
                    break;
                }
                let target = if key as usize & buckets == 0 {
                    kept += 1;
                    stays.next()
                } else {
                    goes.next()
                };
                if let Some(target) = target {
                    Table::write(target, key, words);
                }
            }
            for slot in self.bucket(number).skip(kept) {
                slot.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            }
        }
    }

    #[inline]
    fn read(slot: &[AtomicU64]) -> (u64, [u64; 3]) {
        let words: [u64; 4] = std::array::from_fn(|i| slot[i].load(Ordering::Relaxed));
        (words[0] ^ words[1] ^ words[2] ^ words[3], [words[1], words[2], words[3]])
    }

    #[inline]
    fn write(slot: &[AtomicU64], key: u64, words: [u64; 3]) {
        slot[0].store(key ^ words[0] ^ words[1] ^ words[2], Ordering::Relaxed);
        for (word, value) in slot[1..].iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// Whether there is a mate within `length` plies with this hand.
    pub(crate) fn look_up(&self, key: u64, hand: Hand, length: Length) -> Known {
        let mut numbers = Numbers::UNSEEN;
        let (mut seen, mut ply) = (false, u16::MAX);
        // More in hand makes a mate no harder to prove and no easier to disprove. With a bound of
        // length, entries made under other bounds would push each other up without any search.
        let bounded = length < BORROWING_LENGTH;
        for slot in self.window(key) {
            let (slot_key, words) = Table::read(slot);
            if words[2] == 0 {
                break;
            }
            if slot_key != key {
                continue;
            }
            let entry = Entry::unpack(words);
            let (more, fewer) = (hand.dominates(entry.hand), entry.hand.dominates(hand));
            if more && entry.mate > 0 && entry.mate - 1 <= length {
                return Known::Mate { length: entry.mate - 1, hand: entry.hand, best: entry.best };
            }
            if fewer && entry.none > 0 && entry.none > length {
                return Known::NoMate { length: entry.none - 1, hand: entry.hand };
            }
            if more && fewer {
                (numbers, ply, seen) = (entry.numbers, entry.ply, true);
            } else if !bounded && !seen && more && entry.mate == 0 {
                numbers.disproof = numbers.disproof.max(entry.numbers.disproof);
            } else if !bounded && !seen && fewer && entry.none == 0 {
                numbers.proof = numbers.proof.max(entry.numbers.proof);
            }
        }
        Known::Open { numbers, ply, seen }
    }

    /// Changes the entry of exactly this hand, made if need be.
    fn update(&self, key: u64, hand: Hand, effort: u32, change: impl FnOnce(&mut Entry)) {
        let (mut target, mut least, mut new) = (None, u32::MAX, false);
        let mut entry = Entry {
            hand,
            best: 0,
            ply: u16::MAX,
            numbers: Numbers::UNSEEN,
            mate: 0,
            none: 0,
            effort: 0,
        };
        for slot in self.window(key) {
            let (slot_key, words) = Table::read(slot);
            if words[2] == 0 {
                (target, new) = (Some(slot), true);
                break;
            }
            let found = Entry::unpack(words);
            if slot_key == key && found.hand == hand {
                (target, entry) = (Some(slot), found);
                break;
            }
            if found.effort < least {
                (target, least) = (Some(slot), found.effort);
            }
        }
        entry.effort = entry.effort.saturating_add(effort.max(1));
        change(&mut entry);
        if let Some(slot) = target {
            Table::write(slot, key, entry.pack());
        }
        if new {
            let used = self.used.fetch_add(1, Ordering::Relaxed) + 1;
            if used > self.buckets.load(Ordering::Relaxed) * WINDOW / 3 {
                self.grow();
            }
        }
    }

    /// Keeps that there is a mate in `length` plies.
    pub(crate) fn store_mate(&self, key: u64, hand: Hand, length: Length, best: u16, effort: u32) {
        self.update(key, hand, effort, |entry| {
            if entry.mate == 0 || entry.mate > length + 1 {
                (entry.mate, entry.best) = (length + 1, best);
            }
        });
    }

    /// Keeps that there is no mate within `length` plies.
    pub(crate) fn store_no_mate(&self, key: u64, hand: Hand, length: Length, effort: u32) {
        self.update(key, hand, effort, |entry| entry.none = entry.none.max(length + 1));
    }

    /// Keeps how far the search of a position has come.
    pub(crate) fn store_open(&self, key: u64, hand: Hand, numbers: Numbers, ply: u16, effort: u32) {
        self.update(key, hand, effort, |entry| {
            entry.numbers = numbers;
            entry.ply = entry.ply.min(ply);
        });
    }

    /// Share of all slots that are in use, in permille.
    pub(crate) fn fill(&self) -> u32 {
        (self.used.load(Ordering::Relaxed) * 1000 / (self.most_buckets * WINDOW)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::prelude::*;
    use tsumero_core::PieceKind;

    impl Table {
        /// Keeps the table from growing beyond so many buckets, a power of two.
        pub(crate) fn confine(&mut self, buckets: usize) {
            self.most_buckets = buckets;
            *self.buckets.get_mut() = buckets;
        }
    }

    fn pawns(count: u32) -> Hand {
        Hand::EMPTY.with_count(PieceKind::Pawn, count)
    }

    #[test]
    fn a_mate_holds_with_more_in_hand_and_no_mate_with_less() {
        let table = Table::new(1).unwrap();
        table.store_mate(1, pawns(3), 7, 99, 1);
        table.store_no_mate(1, pawns(1), UNBOUNDED, 1);
        assert_eq!(
            table.look_up(1, pawns(5), 9),
            Known::Mate { length: 7, hand: pawns(3), best: 99 }
        );
        assert_eq!(
            table.look_up(1, pawns(0), 9),
            Known::NoMate { length: UNBOUNDED, hand: pawns(1) }
        );
        assert!(matches!(table.look_up(1, pawns(2), 9), Known::Open { seen: false, .. }));
        assert!(matches!(table.look_up(1, pawns(5), 5), Known::Open { .. }), "not within 5 plies");
        assert!(matches!(table.look_up(2, pawns(5), 9), Known::Open { seen: false, .. }));
    }

    #[test]
    fn no_mate_within_a_length_says_nothing_of_longer_ones() {
        let table = Table::new(1).unwrap();
        table.store_no_mate(1, pawns(1), 5, 1);
        assert!(matches!(table.look_up(1, pawns(1), 5), Known::NoMate { length: 5, .. }));
        assert!(matches!(table.look_up(1, pawns(1), 7), Known::Open { seen: true, .. }));
        table.store_mate(1, pawns(1), 7, 3, 1);
        assert!(matches!(table.look_up(1, pawns(1), 5), Known::NoMate { length: 5, .. }));
        assert!(matches!(table.look_up(1, pawns(1), 7), Known::Mate { length: 7, .. }));
    }

    #[test]
    fn nothing_is_lost_while_the_table_grows() {
        let mut random = StdRng::seed_from_u64(1);
        let table = Table::new(4).unwrap();
        let keys: Vec<u64> = (0..40_000).map(|_| random.random()).collect();
        for (number, &key) in keys.iter().enumerate() {
            let numbers = Numbers { proof: number as Number, disproof: 7 };
            table.store_open(key, pawns(2), numbers, 5, 1);
        }
        let lost = keys.iter().enumerate().filter(|&(number, &key)| {
            let numbers = Numbers { proof: number as Number, disproof: 7 };
            table.look_up(key, pawns(2), 9) != Known::Open { numbers, ply: 5, seen: true }
        });
        assert_eq!(lost.count(), 0);
        assert_eq!(table.fill(), 40_000 * 1000 / (4 << 15));
    }

    #[test]
    fn a_full_bucket_gives_up_what_cost_least() {
        let mut table = Table::new(1).unwrap();
        table.confine(1);
        for key in 1..=WINDOW as u64 {
            table.store_no_mate(key, pawns(1), 5, 100 + key as u32);
        }
        table.store_no_mate(77, pawns(1), 5, 1000);
        assert!(matches!(table.look_up(1, pawns(1), 5), Known::Open { .. }));
        assert!(matches!(table.look_up(2, pawns(1), 5), Known::NoMate { .. }));
        assert!(matches!(table.look_up(77, pawns(1), 5), Known::NoMate { .. }));
    }
}

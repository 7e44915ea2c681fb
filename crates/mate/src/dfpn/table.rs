//! The table of df-pn: results and numbers of positions, in a fixed amount of memory.
//!
//! *One entry answers many hands.* A mate with some pieces in hand is a mate with more of them. No
//! mate with some pieces is no mate with fewer (Seo 1999: proof and disproof pieces). So entries
//! are found by the board alone and compared by the attacker's hand. The defender's hand follows
//! from both, because the number of pieces in the game is constant.
//!
//! *Place.* An entry lies in one of the [`SLOTS`] slots of the bucket that the board's key selects.
//! A bucket fills from its start. An entry leaves to make room for another, when a new result makes
//! it useless, or when its bucket is split, and no gap stays where it was. So the first empty slot
//! ends a look-up. In a full bucket, the entry that cost the fewest nodes is replaced (as in Nagai's
//! SmallTreeGC, 1999). Most positions looked up are not in the table. A cache line of tags before
//! the slots shows this without reading the slots.
//!
//! *Identity.* An entry is taken for a position if all 64 bits of the key agree, which includes the
//! pieces of the game and the attacking side. Two boards share a key with a probability of 2⁻⁶⁴. A
//! search of 10⁹ look-ups in a full table of 256 megabytes (7 million entries) compares at most
//! 7 × 10¹⁵ pairs, so one such search in 2,600 would meet a foreign entry if every look-up asked for
//! another board. A mate that is false for this reason fails its replay; a false "no mate" remains.
//!
//! *Growth.* A table that is much larger than its contents is slow, because every look-up touches
//! new memory. So the table starts small, and doubles when a third of it is full, up to its full
//! size. It grows a few buckets at a time: each bucket is split, and one bit of the key decides
//! which entries move to its new twin (linear hashing; Litwin 1980). So no search has to wait.
//!
//! *Threads.* A slot is four words. The first is the exclusive or of the key and a mixture of the
//! other words (Hyatt and Mann 2002). If two threads write at once, the words match no key, and the
//! slot is never found. Each word is mixed in its own way ([`mixed`]). Unmixed words would not do:
//! entries of one board differ in few bits, and two words that differ by the same bits would cancel
//! out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use bytemuck::Zeroable;
use tsumero_core::Hand;
use tsumero_memory::ZeroedSlice;

use super::length::{Length, UNBOUNDED};
use super::mixture::mixed;
use super::numbers::{Number, Numbers};
use super::path_dependence::PathDependentResults;

/// Slots of a bucket.
const SLOTS: usize = 14;
/// The largest ply of an entry.
const LATEST: u16 = (1 << 12) - 1;
/// From this many buckets, eight megabytes, the table uses huge pages.
const HUGE_PAGES_FROM: usize = 1 << 14;
/// Buckets at the beginning: 32 kilobytes.
const FIRST_BUCKETS: usize = 1 << 6;

/// Buckets that are split for each new entry while the table grows. So the table gains only a
/// twentieth more entries before the last bucket is split.
const SPLITS: usize = 4;

/// The largest power of two that is at most `buckets`.
#[inline]
fn whole_buckets(buckets: usize) -> usize {
    1 << buckets.ilog2()
}

/// The exclusive or of key and mixed data, and three words of data.
type Slot = [AtomicU64; 4];

/// Entries whose keys end alike.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct Bucket {
    /// For each slot a part of its entry's key, never 0; 0 where the slot is empty. It is one cache
    /// line, and of a position that is not in the table nothing else is read. [`Table::prefetch`]
    /// fetches the slots with it.
    tags: [AtomicU32; TAGS],
    slots: [Slot; SLOTS],
}

/// Tags of a bucket: two more than slots, to fill their cache line.
const TAGS: usize = 16;
const _: () = assert!(size_of::<Bucket>() == 512);

impl Bucket {
    /// The slots in use, with their tags.
    #[inline]
    fn used(&self) -> impl Iterator<Item = (u32, &Slot)> {
        let tags = self.tags.iter().map(|tag| tag.load(Ordering::Relaxed));
        tags.zip(&self.slots).take_while(|&(tag, _)| tag != 0)
    }

    #[inline]
    fn put(&self, number: usize, key: u64, words: [u64; 3]) {
        let slot = &self.slots[number];
        slot[0].store(key ^ mixed(&words), Ordering::Relaxed);
        for (word, value) in slot[1..].iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        self.tags[number].store(tag(key), Ordering::Relaxed);
    }
}

/// The key and the data of a slot.
#[inline]
fn read(slot: &Slot) -> (u64, [u64; 3]) {
    let [check, words @ ..]: [u64; 4] = std::array::from_fn(|i| slot[i].load(Ordering::Relaxed));
    (check ^ mixed(&words), words)
}

/// The part of the key that does not select the bucket.
#[inline]
fn tag(key: u64) -> u32 {
    (key >> 32) as u32 | 1
}

/// The table's knowledge of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// There is a mate within the length asked for.
    Mate {
        /// It takes at most this many plies.
        length: Length,
        /// The mate works with these pieces in the attacker's hand and any more.
        hand: Hand,
        /// The mating move in packed form, where the attacker moves.
        best: u16,
    },
    /// There is no mate within the length asked for.
    NoMate {
        /// There is none within this length either.
        length: Length,
        /// There is none with these pieces in the attacker's hand or fewer.
        hand: Hand,
    },
    /// Neither mate nor no mate is known.
    Open {
        /// Proof and disproof number. If the position was not seen before, they are the largest that
        /// other hands lend it; see [`Table::look_up_with_loans`].
        numbers: Numbers,
        /// The smallest ply at which the position, or one that lends it numbers, was seen.
        ply: u16,
        /// Whether the position itself was seen before.
        seen: bool,
        /// Whether it had no mate on some path, because of a repetition.
        path_dependent: bool,
    },
}

impl Known {
    /// The position was not seen before, and no other lends it numbers.
    pub(crate) const UNSEEN: Known =
        Known::Open { numbers: Numbers::UNSEEN, ply: u16::MAX, seen: false, path_dependent: false };
}

/// The data of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StoredPosition {
    hand: Hand,
    best: u16,
    ply: u16,
    numbers: Numbers,
    /// One more than the length of the mate; 0 if none is known. One more, because a position with
    /// the defender to move may be mated already, with length 0.
    mate: Length,
    /// One more than the bound within which there is no mate; 0 if nothing is known.
    none: Length,
    /// The nodes that the search of the position took.
    effort: u32,
    /// Whether there was no mate on some path, because of a repetition.
    path_dependent: bool,
}

impl StoredPosition {
    /// ```text
    /// word 1: hand 0..=31, best 32..=47, ply 48..=59, path_dependent 60
    /// word 2: proof number 0..=31, disproof number 32..=63
    /// word 3: effort 0..=31, mate 32..=44, none 48..=60
    /// ```
    fn pack(&self) -> [u64; 3] {
        [
            u64::from(self.hand.bits())
                | u64::from(self.best) << 32
                | u64::from(self.ply.min(LATEST)) << 48
                | u64::from(self.path_dependent) << 60,
            u64::from(self.numbers.proof) | u64::from(self.numbers.disproof) << 32,
            u64::from(self.effort) | u64::from(self.mate) << 32 | u64::from(self.none) << 48,
        ]
    }

    fn unpack(words: [u64; 3]) -> StoredPosition {
        let [first, second, third] = words;
        StoredPosition {
            hand: Hand::from_bits(first as u32),
            best: (first >> 32) as u16,
            ply: (first >> 48) as u16 & LATEST,
            numbers: Numbers { proof: second as Number, disproof: (second >> 32) as Number },
            mate: (third >> 32) as u16,
            none: (third >> 48) as u16,
            effort: third as u32,
            path_dependent: first >> 60 & 1 != 0,
        }
    }

    /// The numbers that it lends to a hand with more pieces, or with fewer.
    fn lent(&self, more: bool, fewer: bool) -> Numbers {
        let Numbers { proof, disproof } = Numbers::UNSEEN;
        Numbers {
            proof: if fewer && self.none == 0 { self.numbers.proof } else { proof },
            disproof: if more && self.mate == 0 { self.numbers.disproof } else { disproof },
        }
    }
}

/// The table. Many threads may read and write it at once.
///
/// ```
/// use tsumero_mate::dfpn::{Answer, Dfpn, Table};
/// use tsumero_mate::{NodeLimit, Watch};
/// // White holds the pawn, and in the second position Black does.
/// let sfens = ["1k7/n8/2P6/9/9/9/9/9/9 b GNp 1", "1k7/n8/2P6/9/9/9/9/9/9 b GNP 1"];
/// let table = Table::new(1).expect("a megabyte is free");
/// let nodes = sfens.map(|sfen| {
///     let (position, mut watch) = (sfen.parse().unwrap(), NodeLimit::new(10_000));
///     let answer = Dfpn::new(&position, &table, &mut watch).solve(3);
///     assert_eq!(answer, Ok(Answer::Mate(3)));
///     watch.nodes()
/// });
/// // With a pawn more the mate is the same, so the table answers.
/// assert!(nodes[0] > 0 && nodes[1] == 0);
/// ```
pub struct Table {
    /// Memory for all buckets that there may be: a power of two.
    memory: ZeroedSlice<Bucket>,
    /// The number of buckets in use. Above a power of two, the first buckets have been split.
    buckets: AtomicUsize,
    usage: Arc<Usage>,
    path_dependent: PathDependentResults,
}

/// The fill of a table, which can be read while the table is used.
pub(crate) struct Usage {
    /// The number of slots in use. Threads that write one bucket at once may count a slot twice, or
    /// not at all, so it is not exact.
    used: AtomicUsize,
    /// The number of slots that there may be.
    slots: usize,
}

impl Usage {
    /// The share of all slots that are in use, in permille.
    pub(crate) fn hashfull(&self) -> u32 {
        let used = self.used.load(Ordering::Relaxed).min(self.slots);
        // The product does not fit into a word of 32 bits.
        (used as u64 * 1000 / self.slots as u64) as u32
    }

    /// Counts a slot less.
    fn remove_one(&self) {
        let less = |used: usize| Some(used.saturating_sub(1));
        let _ = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Bytes of the table for each byte of path-dependent results. Long problems live on cycles, and a
/// search of ten minutes stores millions of such results.
const PATH_DEPENDENT_SHARE: usize = 16;

impl Table {
    /// A table of at most `megabytes` (at least 1), and a sixteenth more for path-dependent results.
    /// `None` without enough memory.
    pub fn new(megabytes: usize) -> Option<Table> {
        let buckets = 1 << (megabytes.max(1).checked_mul(1 << 20)? / size_of::<Bucket>()).ilog2();
        let path_dependent =
            buckets * size_of::<Bucket>() / PATH_DEPENDENT_SHARE / PathDependentResults::BYTES;
        Some(Table {
            memory: ZeroedSlice::new(buckets)?,
            buckets: AtomicUsize::new(FIRST_BUCKETS.min(buckets)),
            usage: Arc::new(Usage { used: AtomicUsize::new(0), slots: buckets * SLOTS }),
            path_dependent: PathDependentResults::new(path_dependent)?,
        })
    }

    /// The most memory that its entries may use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.memory.len() * size_of::<Bucket>()
    }

    /// The path-dependent results, which hold on some paths only.
    #[inline]
    pub(crate) fn path_dependent(&self) -> &PathDependentResults {
        &self.path_dependent
    }

    /// The number of the bucket of a position.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let buckets = self.buckets.load(Ordering::Relaxed);
        let mask = buckets.next_power_of_two() - 1;
        let place = key as usize & mask;
        // A bucket that does not exist yet: its entries are still in its twin.
        if place < buckets { place } else { place & mask >> 1 }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.memory[self.place(key)]
    }

    /// Prefetches the bucket of a position into the processor's cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.memory.prefetch(self.place(key));
    }

    /// Splits the next bucket. A thread that reads or writes it meanwhile may miss or lose an
    /// entry. It never sees a wrong one.
    fn split(&self) {
        let buckets = self.buckets.load(Ordering::Relaxed);
        let more = buckets + 1;
        if more > self.memory.len()
            || self
                .buckets
                .compare_exchange(buckets, more, Ordering::Relaxed, Ordering::Relaxed)
                .is_err()
        {
            return;
        }
        if more == HUGE_PAGES_FROM {
            self.memory.use_huge_pages();
        }
        let whole = whole_buckets(buckets);
        let (old, new) = (&self.memory[buckets - whole], &self.memory[buckets]);
        let (mut kept, mut moved) = (0, 0);
        for (_, slot) in old.used() {
            let (key, words) = read(slot);
            if key as usize & whole == 0 {
                old.put(kept, key, words);
                kept += 1;
            } else {
                new.put(moved, key, words);
                moved += 1;
            }
        }
        old.tags[kept..].iter().for_each(|tag| tag.store(0, Ordering::Relaxed));
    }

    /// Whether there is a mate within `length` plies with this hand.
    pub(crate) fn look_up(&self, key: u64, hand: Hand, length: Length) -> Known {
        self.look_up_with_loans(key, hand, length, 0)
    }

    /// [`Table::look_up`] for a position at `ply`. If it was not seen before, it borrows numbers from
    /// the same board with other hands: a mate is no easier to prove with fewer pieces, and no easier
    /// to disprove with more.
    ///
    /// Only positions that were seen nearer to the root lend, and only until the borrower has numbers
    /// of its own. A lender may be above the borrower. Then the two would raise each other's numbers
    /// without a search. So the ply of the lender goes with the numbers, and the thresholds rise
    /// there.
    pub(crate) fn look_up_with_loans(
        &self,
        key: u64,
        hand: Hand,
        length: Length,
        ply: u16,
    ) -> Known {
        let mut known = Known::UNSEEN;
        let tag = tag(key);
        for (_, slot) in self.bucket(key).used().filter(|&(found, _)| found == tag) {
            let (slot_key, words) = read(slot);
            if slot_key != key {
                continue;
            }
            let entry = StoredPosition::unpack(words);
            // A larger hand makes a mate no harder to prove and no easier to disprove.
            let (more, fewer) = (hand.dominates(entry.hand), entry.hand.dominates(hand));
            if more && entry.mate > 0 && entry.mate - 1 <= length {
                return Known::Mate { length: entry.mate - 1, hand: entry.hand, best: entry.best };
            }
            if fewer && entry.none > 0 && entry.none > length {
                return Known::NoMate { length: entry.none - 1, hand: entry.hand };
            }
            if more && fewer {
                let StoredPosition { numbers, ply, path_dependent, .. } = entry;
                known = Known::Open { numbers, ply, seen: true, path_dependent };
            } else if entry.ply < ply
                && let Known::Open { numbers, ply, seen: false, .. } = &mut known
            {
                let lent = entry.lent(more, fewer);
                if lent != Numbers::UNSEEN {
                    *numbers = numbers.at_least(lent);
                    *ply = entry.ply.min(*ply);
                }
            }
        }
        known
    }

    /// Changes the entry of exactly this hand. Creates it if there is none.
    fn update(&self, key: u64, hand: Hand, effort: u32, change: impl FnOnce(&mut StoredPosition)) {
        let bucket = self.bucket(key);
        let tag = tag(key);
        let mut entry = StoredPosition {
            hand,
            best: 0,
            ply: u16::MAX,
            numbers: Numbers::UNSEEN,
            mate: 0,
            none: 0,
            effort: 0,
            path_dependent: false,
        };
        let mut used = 0;
        let own = bucket.used().position(|(found, slot)| {
            used += 1;
            found == tag && {
                let (slot_key, words) = read(slot);
                let known = StoredPosition::unpack(words);
                let is_own = slot_key == key && known.hand == hand;
                if is_own {
                    entry = known;
                }
                is_own
            }
        });
        let target = match own {
            Some(own) => own,
            None if used < SLOTS => used,
            None => {
                let efforts =
                    bucket.slots.iter().map(|slot| StoredPosition::unpack(read(slot).1).effort);
                let cheapest = efforts.enumerate().min_by_key(|&(_, effort)| effort);
                cheapest.map_or(0, |(number, _)| number)
            }
        };
        entry.effort = entry.effort.saturating_add(effort.max(1));
        change(&mut entry);
        bucket.put(target, key, entry.pack());
        if own.is_none() && used < SLOTS {
            let used = self.usage.used.fetch_add(1, Ordering::Relaxed) + 1;
            if used > whole_buckets(self.buckets.load(Ordering::Relaxed)) * SLOTS / 3 {
                (0..SPLITS).for_each(|_| self.split());
            }
        }
    }

    /// Stores that there is a mate in `length` plies.
    pub(crate) fn store_mate(&self, key: u64, hand: Hand, length: Length, best: u16, effort: u32) {
        self.remove(key, |entry| {
            let is_weaker = entry.mate == 0 || entry.mate > length;
            entry.hand != hand && entry.hand.dominates(hand) && entry.none == 0 && is_weaker
        });
        self.update(key, hand, effort, |entry| {
            if entry.mate == 0 || entry.mate > length + 1 {
                (entry.mate, entry.best) = (length + 1, best);
            }
        });
    }

    /// Stores that there is no mate within `length` plies.
    pub(crate) fn store_no_mate(&self, key: u64, hand: Hand, length: Length, effort: u32) {
        if length == UNBOUNDED {
            self.remove(key, |entry| {
                entry.hand != hand && hand.dominates(entry.hand) && entry.mate == 0
            });
        }
        self.update(key, hand, effort, |entry| entry.none = entry.none.max(length + 1));
    }

    /// Removes the entries of a position that a new result makes useless, because it answers the
    /// same questions.
    fn remove(&self, key: u64, is_worthless: impl Fn(&StoredPosition) -> bool) {
        let bucket = self.bucket(key);
        let mut used = bucket.used().count();
        for number in (0..used).rev() {
            if bucket.tags[number].load(Ordering::Relaxed) != tag(key) {
                continue;
            }
            let (slot_key, words) = read(&bucket.slots[number]);
            if slot_key == key && is_worthless(&StoredPosition::unpack(words)) {
                used -= 1;
                let (last_key, last_words) = read(&bucket.slots[used]);
                bucket.put(number, last_key, last_words);
                bucket.tags[used].store(0, Ordering::Relaxed);
                self.usage.remove_one();
            }
        }
    }

    /// Stores the numbers of a position that is not decided.
    pub(crate) fn store_open(&self, key: u64, hand: Hand, numbers: Numbers, ply: u16, effort: u32) {
        self.update(key, hand, effort, |entry| {
            entry.numbers = numbers;
            entry.ply = entry.ply.min(ply);
        });
    }

    /// Stores that on some path there was no mate.
    pub(crate) fn store_path_dependent(&self, key: u64, hand: Hand, effort: u32) {
        self.update(key, hand, effort, |entry| entry.path_dependent = true);
    }

    /// The share of all slots that are in use, in permille.
    pub fn hashfull(&self) -> u32 {
        self.usage.hashfull()
    }

    /// Whether the next position should get an empty table. That costs nothing, because the system
    /// provides memory when it is first written; a full table forgets what it needs.
    pub fn is_filling_up(&self) -> bool {
        /// In permille.
        const FULL: u32 = 500;
        self.hashfull() > FULL
    }

    /// A handle on the fill of the table, for a reader without the table.
    pub(crate) fn usage(&self) -> Arc<Usage> {
        Arc::clone(&self.usage)
    }
}

#[cfg(test)]
mod tests;

//! What the solver has found out about positions, in a fixed amount of memory.
//!
//! *One entry answers many hands.* A mate with some pieces in hand is a mate with more of them,
//! and no mate with some is no mate with fewer (Seo 1999: proof and disproof pieces). Entries are
//! therefore found by the board alone and compared by the attacker's hand. What the defender
//! holds follows from both, because the number of pieces in the game does not change.
//!
//! *Place.* An entry lies in one of [`WINDOW`] neighbouring slots that the board's key names. The
//! slots of a window are filled from its start, and an entry goes only to make room for another,
//! so the first empty slot ends a look-up. In a full window the entry that cost the fewest nodes
//! yields (as in Nagai's SmallTreeGC, 1999).
//!
//! *Threads.* A slot is four words; the first is the key, exclusive or the others (Hyatt and Mann
//! 2002). Two threads that write at once leave words that fit no key: an empty-handed slot.

use std::sync::atomic::{AtomicU64, Ordering};

use tsumero_core::Hand;

use super::numbers::{Number, Numbers};

/// A length in plies: of a mate, or the bound below which there is none.
pub(crate) type Length = u16;

/// Longer than any mate that can be followed. As a bound of "no mate within": none at all.
pub(crate) const UNBOUNDED: Length = 4095;

/// Slots an entry may lie in.
const WINDOW: usize = 16;
/// Words of a slot.
const WORDS: usize = 4;
/// Bytes of a cache line, on which the slots start.
const LINE: usize = 64;

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
    /// There is a mate in at most so many plies; 0: none is known. A position with the defender
    /// to move that is mated at once keeps 1 less than what is stored here; see [`Entry::MATED`].
    mate: Length,
    /// There is no mate in at most so many plies, less one; 0: nothing is known.
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
    slots: usize,
}

impl Table {
    /// An empty table of at most `megabytes` (at least 1), or `None` without enough memory. The
    /// memory is taken from the system as it is written to.
    pub(crate) fn new(megabytes: usize) -> Option<Table> {
        let slots = megabytes.max(1).checked_mul((1 << 20) / (8 * WORDS))?;
        let words: Vec<AtomicU64> = bytemuck::try_zeroed_vec(slots * WORDS).ok()?;
        let start = words.as_ptr().align_offset(LINE);
        // The part of a line before `start` is missing at the end.
        Some(Table { words, start, slots: slots - LINE / (8 * WORDS) })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.words.fill_with(AtomicU64::default);
    }

    /// The slots of a position.
    #[inline]
    fn window(&self, key: u64) -> impl Iterator<Item = &[AtomicU64]> {
        let first = (u128::from(key) * (self.slots - WINDOW + 1) as u128 >> 64) as usize;
        let words = &self.words[self.start + first * WORDS..];
        words[..WINDOW * WORDS].chunks_exact(WORDS)
    }

    #[inline]
    fn read(slot: &[AtomicU64]) -> (u64, [u64; 3]) {
        let words: [u64; 4] = std::array::from_fn(|i| slot[i].load(Ordering::Relaxed));
        (words[0] ^ words[1] ^ words[2] ^ words[3], [words[1], words[2], words[3]])
    }

    #[inline]
    fn write(slot: &[AtomicU64], key: u64, entry: &Entry) {
        let words = entry.pack();
        slot[0].store(key ^ words[0] ^ words[1] ^ words[2], Ordering::Relaxed);
        for (word, value) in slot[1..].iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// Whether there is a mate within `length` plies with this hand.
    pub(crate) fn look_up(&self, key: u64, hand: Hand, length: Length) -> Known {
        let mut numbers = Numbers::UNSEEN;
        let (mut seen, mut ply) = (false, u16::MAX);
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
            }
        }
        Known::Open { numbers, ply, seen }
    }

    /// Changes the entry of exactly this hand, made if need be.
    fn update(&self, key: u64, hand: Hand, effort: u32, change: impl FnOnce(&mut Entry)) {
        let (mut target, mut least) = (None, u32::MAX);
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
                target = Some(slot);
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
            Table::write(slot, key, &entry);
        }
    }

    /// Keeps that there is a mate in `length` plies.
    pub(crate) fn store_mate(
        &self,
        key: u64,
        hand: Hand,
        length: Length,
        best: u16,
        effort: u32,
    ) {
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
    pub(crate) fn store_open(
        &self,
        key: u64,
        hand: Hand,
        numbers: Numbers,
        ply: u16,
        effort: u32,
    ) {
        self.update(key, hand, effort, |entry| {
            entry.numbers = numbers;
            entry.ply = entry.ply.min(ply);
        });
    }

    /// Share of the slots in use, in permille, estimated from a thousand of them.
    pub(crate) fn fill(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let step = (self.slots / SAMPLE).max(1);
        let used = (0..SAMPLE)
            .map(|number| self.start + number * step % self.slots * WORDS)
            .filter(|&word| self.words[word + WORDS - 1].load(Ordering::Relaxed) != 0)
            .count();
        used as u32
    }
}

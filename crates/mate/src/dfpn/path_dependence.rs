//! Path-dependent results: disproofs that hold only where certain earlier positions are on the path
//! (the graph-history interaction problem, GHI).
//!
//! A line that fails because it returns to a position of its path proves nothing on another path
//! (Kishimoto and Müller, "A general solution to the graph history interaction problem", 2004). But
//! it fails on every path that contains the positions it returned to. So a result is stored with
//! the positions that it depends on, mostly one or two, and it answers wherever they are all on the
//! path. A result that depends on too many positions answers on its own path only.
//!
//! *Threads.* As in the main table, the first word of a slot is the exclusive or of the key and a
//! mixture of the other words.

use std::sync::atomic::{AtomicU64, Ordering};

use tsumero_core::Hand;
use tsumero_memory::ZeroedSlice;

use super::length::Length;
use super::mixture::mixed;

/// A bit of the second word: the key stands for a path, and no supports are named.
const ON_ONE_PATH: u64 = 1 << 31;
/// How many positions a result may name.
const NAMED: usize = 4;

/// The plies of the path's positions that a result depends on.
///
/// The plies are in rising order, padded with [`Dependence::UNUSED`]. Values are ordered by their
/// first ply, because a result that depends only on later positions holds for more nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Dependence([u16; NAMED]);

impl Dependence {
    const UNUSED: u16 = u16::MAX;
    /// Takes the place of the second ply if the result depends on the first and on too many others.
    const MANY: u16 = u16::MAX - 1;

    /// A dependence on no position of the path: the result holds on every path.
    pub(crate) const NONE: Dependence = Dependence([Dependence::UNUSED; NAMED]);

    /// A dependence on the position at one ply.
    pub(crate) fn on(ply: u16) -> Dependence {
        let mut dependence = Dependence::NONE;
        dependence.0[0] = ply;
        dependence
    }

    /// A dependence on the positions of both.
    pub(crate) fn and(self, other: Dependence) -> Dependence {
        if self == Dependence::NONE || self == other {
            return other;
        }
        let mut dependence = Dependence::NONE;
        let (mut ours, mut theirs) = (&self.0[..], &other.0[..]);
        for place in &mut dependence.0 {
            let (first, second) = (next(ours), next(theirs));
            *place = first.min(second);
            ours = if first == *place { &ours[ours.len().min(1)..] } else { ours };
            theirs = if second == *place { &theirs[theirs.len().min(1)..] } else { theirs };
        }
        let is_more = next(ours).min(next(theirs)) != Dependence::UNUSED;
        if is_more || dependence.0.contains(&Dependence::MANY) {
            return Dependence::many(dependence.first());
        }
        dependence
    }

    /// The dependence without the positions at this ply and later: a result for a node depends on
    /// nothing at the node or below it.
    pub(crate) fn before(self, ply: u16) -> Dependence {
        if self.is_many() {
            return if self.0[0] < ply { self } else { Dependence::NONE };
        }
        Dependence(self.0.map(|own| if own < ply { own } else { Dependence::UNUSED }))
    }

    /// Whether there are more positions than can be named.
    pub(crate) fn is_many(self) -> bool {
        self.0[1] == Dependence::MANY
    }

    /// The ply of the first position. Not for [`Dependence::NONE`].
    pub(crate) fn first(self) -> u16 {
        self.0[0]
    }

    /// A dependence on the position at this ply and on many others.
    fn many(first: u16) -> Dependence {
        Dependence([first, Dependence::MANY, Dependence::UNUSED, Dependence::UNUSED])
    }

    /// The plies that are named.
    pub(crate) fn plies(self) -> impl Iterator<Item = u16> {
        self.0.into_iter().filter(|&ply| ply < Dependence::MANY)
    }
}

fn next(plies: &[u16]) -> u16 {
    plies.first().copied().unwrap_or(Dependence::UNUSED)
}

/// A position that a result depends on: the board's key and the attacker's hand.
pub(crate) type Support = (u64, Hand);

/// The path-dependent results, in a fixed amount of memory. A newer result replaces an older one.
///
/// ```text
/// word 0: key, exclusive or a mixture of the others
/// word 1: length 0..=15, number of supports 16..=23, whether it holds on one path only 31,
///         the first ply of many 32..=47
/// words 2, 3: hands of the supports      words 4..=7: their boards
/// ```
pub(crate) struct PathDependentResults {
    slots: ZeroedSlice<[AtomicU64; 8]>,
}

impl PathDependentResults {
    /// The memory of a result.
    pub(crate) const BYTES: usize = size_of::<[AtomicU64; 8]>();

    /// Room for `count` results, a power of two; `None` without enough memory.
    pub(crate) fn new(count: usize) -> Option<PathDependentResults> {
        Some(PathDependentResults { slots: ZeroedSlice::new(count)? })
    }

    #[inline]
    fn slot(&self, key: u64) -> &[AtomicU64; 8] {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    fn read(&self, key: u64) -> Option<[u64; 8]> {
        let words: [u64; 8] = std::array::from_fn(|i| self.slot(key)[i].load(Ordering::Relaxed));
        let [check, data @ ..] = words;
        (check ^ mixed(&data) == key && words[1] != 0).then_some(words)
    }

    fn write(&self, key: u64, mut words: [u64; 8]) {
        let [_, data @ ..] = words;
        words[0] = key ^ mixed(&data);
        for (slot, word) in self.slot(key).iter().zip(words) {
            slot.store(word, Ordering::Relaxed);
        }
    }

    /// Stores that a position has no mate within `length` plies where its supports are on the path, one
    /// to [`NAMED`] of them.
    pub(crate) fn store(&self, key: u64, length: Length, supports: &[Support]) {
        debug_assert!((1..=NAMED).contains(&supports.len()));
        let mut words = [0; 8];
        words[1] = u64::from(length) | (supports.len() as u64) << 16;
        for (number, &(board, hand)) in supports.iter().take(NAMED).enumerate() {
            words[2 + number / 2] |= u64::from(hand.bits()) << (number % 2 * 32);
            words[4 + number] = board;
        }
        self.write(key, words);
    }

    /// Stores that a position has no mate within `length` plies on the path that the key stands
    /// for.
    pub(crate) fn store_on_path(&self, key: u64, length: Length, dependence: Dependence) {
        let mut words = [0; 8];
        words[1] = u64::from(length) | ON_ONE_PATH | u64::from(dependence.first()) << 32;
        self.write(key, words);
    }

    /// Looks up why there is no mate within `length` plies, if all supports are on the path.
    /// `ply_of` finds their plies.
    pub(crate) fn look_up(
        &self,
        key: u64,
        length: Length,
        ply_of: impl Fn(u64, Hand) -> Option<u16>,
    ) -> Option<(Length, Dependence)> {
        let words = self.read(key)?;
        let known = words[1] as u16;
        if known < length || words[1] & ON_ONE_PATH != 0 {
            return None;
        }
        let mut dependence = Dependence::NONE;
        for number in 0..(words[1] >> 16 & 0xff) as usize {
            let hand = Hand::from_bits((words[2 + number / 2] >> (number % 2 * 32)) as u32);
            dependence = dependence.and(Dependence::on(ply_of(words[4 + number], hand)?));
        }
        Some((known, dependence))
    }

    /// [`PathDependentResults::look_up`] for a key that stands for a path.
    pub(crate) fn look_up_on_path(&self, key: u64, length: Length) -> Option<(Length, Dependence)> {
        let words = self.read(key)?;
        let (known, first) = (words[1] as u16, (words[1] >> 32) as u16);
        (known >= length && words[1] & ON_ONE_PATH != 0).then(|| (known, Dependence::many(first)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::prelude::*;
    use tsumero_core::PieceKind;

    /// Builds a dependence from a list of plies.
    fn listed(plies: &[u16]) -> Dependence {
        plies.iter().fold(Dependence::NONE, |dependence, &ply| dependence.and(Dependence::on(ply)))
    }

    #[test]
    fn depending_on_both_is_depending_on_the_plies_of_both() {
        let mut random = StdRng::seed_from_u64(1);
        for _ in 0..10_000 {
            let mut draw = || -> Vec<u16> {
                (0..random.random_range(0..5)).map(|_| 2 * random.random_range(0..8)).collect()
            };
            let (ours, theirs) = (draw(), draw());
            let mut all: Vec<u16> = ours.iter().chain(&theirs).copied().collect();
            all.sort_unstable();
            all.dedup();
            let both = listed(&ours).and(listed(&theirs));
            assert_eq!(both, listed(&theirs).and(listed(&ours)));
            assert_eq!(both == Dependence::NONE, all.is_empty());
            assert_eq!(both.is_many(), all.len() > NAMED);
            if let Some(&first) = all.first() {
                assert_eq!(both.first(), first);
            }
            if all.len() <= NAMED {
                assert_eq!(both.plies().collect::<Vec<_>>(), all);
                let kept: Vec<u16> = all.iter().copied().filter(|&ply| ply < 6).collect();
                assert_eq!(both.before(6), listed(&kept));
            } else {
                assert_eq!(both.before(all[0]), Dependence::NONE);
                assert_eq!(both.before(all[0] + 1), both);
                assert_eq!(both.plies().collect::<Vec<_>>(), all[..1]);
            }
        }
    }

    /// The two supports of a result are exchanged, so corresponding words differ by the same bits.
    #[test]
    fn a_mixture_of_two_results_answers_nobody() {
        let results = PathDependentResults::new(1).unwrap();
        let hand = Hand::from_bits(0);
        results.store(5, 7, &[(100, hand), (200, hand)]);
        let first = results.read(5).unwrap();
        results.store(5, 7, &[(200, hand), (100, hand)]);
        assert!(results.read(5).is_some());
        results.slots[0][0].store(first[0], Ordering::Relaxed);
        assert_eq!(results.read(5), None);
    }

    #[test]
    fn all_supports_come_back_with_their_hands() {
        let results = PathDependentResults::new(16).unwrap();
        let mut random = StdRng::seed_from_u64(2);
        let stored: Vec<(u64, Vec<Support>)> = (0..16)
            .map(|key| {
                let count = 1 + key as usize % NAMED;
                let mut hand = || {
                    PieceKind::HAND.into_iter().fold(Hand::EMPTY, |hand, kind| {
                        hand.with_count(kind, random.random_range(0..=Hand::limit(kind)))
                    })
                };
                (key, (0..count as u64).map(|number| (number + 100, hand())).collect())
            })
            .collect();
        for (key, supports) in &stored {
            results.store(*key, 7, supports);
        }
        for (key, supports) in &stored {
            let place = |board, hand| supports.iter().position(|&support| support == (board, hand));
            let ply_of = |board, hand| place(board, hand).map(|place| 2 * place as u16);
            let plies: Vec<u16> = (0..supports.len() as u16).map(|place| 2 * place).collect();
            assert_eq!(results.look_up(*key, 7, ply_of), Some((7, listed(&plies))));
        }
    }

    #[test]
    fn a_result_answers_where_its_supports_are_on_the_path() {
        let results = PathDependentResults::new(16).unwrap();
        let hand = Hand::from_bits(0);
        results.store(5, 7, &[(100, hand), (200, hand)]);
        let both = |board: u64, _| Some(board as u16 / 50);
        let one = |board: u64, _| (board == 100).then_some(2);
        assert_eq!(
            results.look_up(5, 7, both),
            Some((7, Dependence::on(2).and(Dependence::on(4))))
        );
        assert_eq!(results.look_up(5, 9, both), None, "not within nine plies");
        assert_eq!(results.look_up(5, 7, one), None);
        assert_eq!(results.look_up(6, 7, both), None);
        assert_eq!(results.look_up_on_path(5, 7), None);
        results.store_on_path(9, 7, Dependence::many(6));
        assert_eq!(results.look_up_on_path(9, 5), Some((7, Dependence::many(6))));
        assert_eq!(results.look_up(9, 5, both), None);
    }
}

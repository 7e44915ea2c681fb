//! The positions on the way from the root, to know a repetition, and what was found out on this
//! very way only.
//!
//! That a line failed because it came back to a position of its path says nothing on another
//! path (the graph-history interaction problem; Kishimoto and Müller, "A general solution to the
//! graph history interaction problem", 2004). Such results name the ply of the earliest position
//! they lean on. They are kept here, under a key made of the position and the whole path before
//! it, and become general knowledge only at a position that leans on nothing before itself.

use tsumero_core::Hand;

use super::table::Length;

/// The ply of the earliest position of the path that a result leans on.
pub(crate) type Leans = u16;

/// Leaning on no position of the path: true on every path.
pub(crate) const ON_NOTHING: Leans = u16::MAX;

/// Entries of the filter that says which positions are surely not on the path.
const FILTER: usize = 1 << 12;
/// Entries of the table of results that hold on one path only.
const RESULTS: usize = 1 << 16;

#[derive(Clone, Copy)]
struct Step {
    key: u64,
    hand: Hand,
    ply: u16,
    /// The key of the path before this step.
    before: u64,
}

#[derive(Clone, Copy, Default)]
struct PathResult {
    key: u64,
    length: Length,
    leans: Leans,
}

/// The positions with the attacker to move on the way from the root.
pub(crate) struct Path {
    steps: Vec<Step>,
    /// How many steps have a key with these low bits.
    filter: Vec<u16>,
    key: u64,
    results: Vec<PathResult>,
}

/// Spreads the bits of a number (the finalizer of SplitMix64).
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// One number for a board and a hand.
pub(crate) fn position_key(key: u64, hand: Hand) -> u64 {
    key ^ mix(u64::from(hand.bits()) + 1)
}

impl Path {
    pub(crate) fn new() -> Path {
        Path {
            steps: Vec::new(),
            filter: vec![0; FILTER],
            key: 0,
            results: vec![PathResult::default(); RESULTS],
        }
    }

    /// Goes on from a position with the attacker to move.
    pub(crate) fn push(&mut self, key: u64, hand: Hand, ply: u16) {
        self.steps.push(Step { key, hand, ply, before: self.key });
        self.filter[key as usize % FILTER] += 1;
        self.key ^= mix(position_key(key, hand).wrapping_add(u64::from(ply)));
    }

    /// Goes back to before the last position pushed.
    pub(crate) fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.filter[step.key as usize % FILTER] -= 1;
            self.key = step.before;
        }
    }

    /// The ply at which the same board was on the path with as much in the attacker's hand. A
    /// shortest mate never comes back to one: what mates now would have mated then.
    pub(crate) fn repeats(&self, key: u64, hand: Hand) -> Option<Leans> {
        if self.filter[key as usize % FILTER] == 0 {
            return None;
        }
        let mut steps = self.steps.iter().rev();
        steps.find(|step| step.key == key && step.hand.dominates(hand)).map(|step| step.ply)
    }

    /// What a position failed to do on this very path: there is no mate within `length` plies.
    pub(crate) fn look_up(&self, key: u64, hand: Hand, length: Length) -> Option<(Length, Leans)> {
        let key = position_key(key, hand) ^ self.key;
        let result = &self.results[key as usize % RESULTS];
        (result.key == key && result.leans != 0 && result.length >= length)
            .then(|| (result.length, result.leans - 1))
    }

    /// Keeps that on this path a position has no mate within `length` plies.
    pub(crate) fn store(&mut self, key: u64, hand: Hand, length: Length, leans: Leans) {
        let key = position_key(key, hand) ^ self.key;
        self.results[key as usize % RESULTS] = PathResult { key, length, leans: leans + 1 };
    }
}

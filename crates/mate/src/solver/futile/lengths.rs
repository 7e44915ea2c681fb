//! What counts without futile interpositions remember.

use tsumero_core::KeyMap;

use crate::dfpn::Length;
use crate::watch::MateUnknown;

/// The most positions that are remembered: 34 MiB, and half as much again while the map grows.
pub(super) const REMEMBERED: usize = 7 << 18;

/// The known length from a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    pub(super) at_least: Length,
    /// Whether `at_least` is the length.
    pub(super) is_exact: bool,
    /// Where the defender moves: the evasion that lasted longer than a bound, in packed form, or 0.
    /// It usually does so again.
    pub(super) holds_out: u16,
}

/// Known lengths by the key of the position, which includes the side to move. They are facts about
/// positions, so a count may use what another one with the same attacker has found out.
#[derive(Default)]
pub(crate) struct Lengths(KeyMap<Known>);

impl Lengths {
    /// Makes sure that a count of so many nodes finds as much room as it would if it were alone.
    pub(super) fn make_room(&mut self, nodes: Option<u64>) {
        let left = (REMEMBERED - self.0.len()) as u64;
        if nodes.is_none_or(|nodes| nodes > left) {
            self.0 = KeyMap::default();
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Known> {
        self.0.get(&key).copied()
    }

    /// What is known of a position, for a change.
    pub(super) fn entry(&mut self, key: u64) -> Result<&mut Known, MateUnknown> {
        if self.0.len() >= REMEMBERED {
            return Err(MateUnknown::Memory);
        }
        Ok(self.0.entry(key).or_default())
    }

    /// The length if it is at most `bound`, or the fact that it is longer.
    pub(super) fn look_up(&self, key: u64, bound: Length) -> Option<Option<Length>> {
        let known = self.get(key)?;
        if known.is_exact {
            Some((known.at_least <= bound).then_some(known.at_least))
        } else {
            (known.at_least > bound).then_some(None)
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Full of positions that nothing is known of.
    #[cfg(test)]
    pub(super) fn full() -> Lengths {
        Lengths((0..REMEMBERED as u64).map(|key| (key, Known::default())).collect())
    }
}

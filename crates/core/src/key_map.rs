//! Maps from hash keys of positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from hash keys such as [`Position::key`](crate::Position::key), which are not hashed again.
///
/// ```
/// use tsumero_core::{KeyMap, Position};
/// let position = Position::startpos();
/// let mut counts: KeyMap<u32> = KeyMap::default();
/// *counts.entry(position.key()).or_default() += 1;
/// assert_eq!(counts[&position.key()], 1);
/// ```
pub type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// The hasher of a [`KeyMap`]: it returns the key itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

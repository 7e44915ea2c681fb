//! Chance, where no seed is given.

use std::hash::{BuildHasher as _, RandomState};

use crate::instant::Instant;

/// A number that nobody can foretell. It is random enough for games, and no secret.
///
/// ```
/// assert_ne!(tsumero_control::chance(), tsumero_control::chance());
/// ```
pub fn chance() -> u64 {
    // Every `RandomState` has another seed. In a browser, the first one is the same after each start, and
    // the time is not.
    RandomState::new().hash_one(Instant::now())
}

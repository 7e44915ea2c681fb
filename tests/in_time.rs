//! What must be done in time, on machines that may be busy. The tests of the search share this file.

use std::time::Duration;

/// Tries something up to three times that must be done in time. A busy machine may spoil one
/// attempt; an engine that is too slow spoils all of them.
pub(crate) fn in_time(limit: Duration, mut attempt: impl FnMut() -> Duration) {
    let mut taken = Vec::new();
    for _ in 0..3 {
        let elapsed = attempt();
        if elapsed < limit {
            return;
        }
        taken.push(elapsed);
    }
    panic!("took {taken:?}, more than {limit:?} each time");
}

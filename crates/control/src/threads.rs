//! How many threads a search may use.

use std::num::NonZero;
use std::sync::LazyLock;

/// The most threads that search together: a few for each processor. With more, the thread that
/// watches the clock would get its turn too late.
pub fn most_threads() -> usize {
    const FOR_EACH_PROCESSOR: usize = 4;
    // The system is asked once, because on Linux it answers from several files, which takes as long
    // as a search of a few nodes.
    static PROCESSORS: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, NonZero::get));
    *PROCESSORS * FOR_EACH_PROCESSOR
}

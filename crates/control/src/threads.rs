//! How many threads a search may use, and whether the system has room for another one.

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

/// Memory that should be left beside the stack of a thread while it begins, in bytes. A thread that finds
/// no memory then ends the program. Allocators take address space for each thread in large pieces,
/// 128 MB at first on Linux.
pub const THREAD_RESERVE: usize = 160 << 20;

/// Whether the system has room for so many bytes, none of which are used.
///
/// ```
/// use tsumero_control::{THREAD_RESERVE, has_room_for};
/// assert!(has_room_for(THREAD_RESERVE) && !has_room_for(usize::MAX));
/// ```
pub fn has_room_for(bytes: usize) -> bool {
    let mut probe = Vec::<u8>::new();
    let has_room = probe.try_reserve_exact(bytes).is_ok();
    // Memory that is never used may be optimized away.
    std::hint::black_box(&mut probe);
    has_room
}

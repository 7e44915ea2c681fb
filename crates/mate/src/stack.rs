//! Measures how the call stack grows with the depth of a recursion. For tests only.

use std::cell::Cell;

/// The stack that a thread needs for any search of this crate, in bytes. The documentation of
/// [`crate::MateSolver::solve`] names it.
pub(crate) const ENOUGH: usize = 256 << 10;

#[derive(Clone, Copy)]
struct Growth {
    /// Depth and address at the first measurement.
    first: u32,
    start: usize,
    /// The greatest growth for each level of depth, and the levels over which it was measured.
    bytes: usize,
    levels: u32,
}

thread_local! {
    static GROWTH: Cell<Option<Growth>> = const { Cell::new(None) };
}

/// Measures the call stack at a depth.
#[inline(never)]
pub(crate) fn at(depth: u32) {
    let here = 0u8;
    let place = std::ptr::from_ref(&here).addr();
    GROWTH.set(Some(match GROWTH.get() {
        Some(known) if depth > known.first + 10 => {
            let levels = depth - known.first;
            let bytes = known.start.saturating_sub(place).div_ceil(levels as usize);
            Growth { bytes: bytes.max(known.bytes), levels: levels.max(known.levels), ..known }
        }
        Some(known) => known,
        None => Growth { first: depth, start: place, bytes: 0, levels: 0 },
    }));
}

/// The bytes for each level of a recursion, which must go deeper than ten levels.
pub(crate) fn growth_of<T>(recursion: impl FnOnce() -> T) -> usize {
    GROWTH.set(None);
    recursion();
    let Growth { bytes, levels, .. } = GROWTH.get().expect("the recursion is measured");
    println!("{bytes} bytes for each of {levels} levels");
    assert!(levels > 10 && bytes > 0, "{bytes} bytes over {levels} levels");
    bytes
}

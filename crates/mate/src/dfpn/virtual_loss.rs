//! Virtual losses: which positions the threads of one search are in, so that the threads spread.
//!
//! All threads search the same root with the same table, so each would go where the others are. A
//! thread therefore chooses among the children of a node as if a child that others are searching
//! needed a little more effort (virtual loss; Kaneko, "Parallel depth first proof number search",
//! 2010). The numbers that it stores are the true ones.

use std::sync::atomic::{AtomicU8, Ordering};

use super::numbers::Number;

/// The number of counters. Two positions rarely share one.
const PLACES: usize = 1 << 12;

/// The number of threads that are searching each position, by its key.
pub(crate) struct VirtualLosses(Box<[AtomicU8; PLACES]>);

impl VirtualLosses {
    pub(crate) fn new() -> VirtualLosses {
        VirtualLosses(Box::new([const { AtomicU8::new(0) }; PLACES]))
    }

    fn place(&self, key: u64) -> &AtomicU8 {
        &self.0[key as usize % PLACES]
    }

    /// One more thread searches the position. A counter wraps around if hundreds of positions on
    /// the paths share it. That is harmless, because every entered position is left again.
    pub(crate) fn enter(&self, key: u64) {
        self.place(key).fetch_add(1, Ordering::Relaxed);
    }

    /// The thread has finished with the position.
    pub(crate) fn leave(&self, key: u64) {
        self.place(key).fetch_sub(1, Ordering::Relaxed);
    }

    /// The virtual loss: the number added to the effort that a position seems to need.
    pub(crate) fn penalty(&self, key: u64) -> Number {
        self.place(key).load(Ordering::Relaxed).into()
    }
}

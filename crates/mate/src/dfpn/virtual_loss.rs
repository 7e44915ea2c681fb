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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_at_each_position_are_counted() {
        let virtual_losses = VirtualLosses::new();
        let penalties = |keys: [u64; 3]| keys.map(|key| virtual_losses.penalty(key));
        let keys = [3, PLACES as u64 - 1, u64::MAX - PLACES as u64 / 2];
        assert_eq!(penalties(keys), [0, 0, 0]);
        virtual_losses.enter(keys[0]);
        virtual_losses.enter(keys[2]);
        virtual_losses.enter(keys[2]);
        assert_eq!(penalties(keys), [1, 0, 2]);
        virtual_losses.leave(keys[2]);
        virtual_losses.leave(keys[0]);
        assert_eq!(penalties(keys), [0, 0, 1]);
    }
}

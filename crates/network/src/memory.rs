//! Memory for the rows of the transformer: on whole pages, and on huge pages if the system has
//! them.
//!
//! Each evaluation reads a few rows at random places of up to 256 megabytes. With pages of four
//! kilobytes nearly every row also waits for its page's address.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use crate::lanes::Words;

/// A slice of blocks in memory of its own, zeroed at first.
pub(crate) struct Blocks {
    /// Invariant: holds at least `count` blocks.
    map: MmapMut,
    count: usize,
}

impl Blocks {
    /// Allocates `count` blocks (at least one), all zero; `None` without enough memory.
    pub(crate) fn new(count: usize) -> Option<Blocks> {
        /// The smallest page size.
        const PAGE: usize = 4096;
        const { assert!(align_of::<Words>() <= PAGE) };
        let map = MmapMut::map_anon(count.max(1).checked_mul(size_of::<Words>())?).ok()?;
        // A failure is ignored: without huge pages evaluation is slower, but correct.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Blocks { map, count })
    }

    /// Forgets all blocks but the first `count`, if there are more.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }
}

impl Deref for Blocks {
    type Target = [Words];

    #[inline(always)]
    fn deref(&self) -> &[Words] {
        // SAFETY: the map holds `count` blocks, is initialized (with zeros at first), begins on a
        // page, which is aligned better than a block, and any bytes are a block.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
    }
}

impl DerefMut for Blocks {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Words] {
        // SAFETY: as above, and `&mut self` is the only reference to the map.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_zero_and_keep_what_is_written() {
        let mut blocks = Blocks::new(1000).unwrap();
        assert!(blocks.iter().all(|block| *block == Words([0; 32])));
        assert_eq!(blocks.len(), 1000);
        for (number, block) in blocks.iter_mut().enumerate() {
            block.0[31] = number as i16;
        }
        assert!(blocks.iter().enumerate().all(|(number, block)| block.0[31] == number as i16));
        blocks.truncate(10);
        blocks.truncate(20);
        assert_eq!((blocks.len(), blocks[9].0[31]), (10, 9));
        assert!(Blocks::new(usize::MAX).is_none());
    }
}

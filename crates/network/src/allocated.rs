//! Memory for the rows of the transformer where there is no operating system to provide pages, as in a
//! browser: it comes from the allocator. Elsewhere only its test uses it.

use std::ops::{Deref, DerefMut};

use crate::lanes::Words;

/// A slice of blocks, zeroed at first.
pub(crate) struct Blocks {
    blocks: Box<[Words]>,
    count: usize,
}

impl Blocks {
    /// Allocates `count` blocks, all zero; `None` without enough memory.
    pub(crate) fn new(count: usize) -> Option<Blocks> {
        let blocks = bytemuck::allocation::try_zeroed_slice_box(count).ok()?;
        Some(Blocks { blocks, count })
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
        &self.blocks[..self.count]
    }
}

impl DerefMut for Blocks {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Words] {
        &mut self.blocks[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_zero_and_keep_what_is_written() {
        let mut blocks = Blocks::new(1000).unwrap();
        assert!(blocks.iter().all(|block| *block == Words([0; 32])));
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

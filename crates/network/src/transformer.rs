//! The first layer: sums of rows, one row for each active input.

use tsumero_memory::ZeroedSlice;

use crate::error::NetworkError;
use crate::features::twice;
use crate::kind::{Kind, OWN_KING};
use crate::lanes::{Lanes, Words};

/// The number of blocks that are summed up in registers at a time.
const STRIP: usize = 4;

/// Memory for so many rows of `l1` values, zeroed at first. Each evaluation reads a few rows at random
/// places of up to hundreds of megabytes, so they lie on huge pages if the system has them.
pub(crate) fn memory_for_rows(count: usize, l1: usize) -> Result<ZeroedSlice<Words>, NetworkError> {
    let memory = NetworkError::Memory { bytes: 2 * count * l1 };
    let rows = ZeroedSlice::new(count * l1 / 32).ok_or(memory)?;
    rows.use_huge_pages();
    Ok(rows)
}

/// Biases and rows, in blocks of 32 values. Sums wrap around, so they can be added in any order.
pub(crate) struct Transformer {
    /// Blocks of a row: a multiple of [`STRIP`].
    width: usize,
    biases: Vec<Words>,
    rows: ZeroedSlice<Words>,
}

impl Transformer {
    /// A transformer of the biases and rows of a file, for inputs of a kind. The number of biases is
    /// a multiple of 128.
    pub(crate) fn of_rows(kind: Kind, biases: &[i16], rows: ZeroedSlice<Words>) -> Transformer {
        assert!(biases.len().is_multiple_of(32 * STRIP));
        let width = biases.len() / 32;
        assert_eq!(rows.len(), kind.inputs() * width);
        let biases = biases.as_chunks().0.iter().map(|chunk| Words(*chunk)).collect();
        let mut transformer = Transformer { width, biases, rows };
        if kind == Kind::KA2 {
            transformer.join_rows_of_kings();
        }
        transformer
    }

    /// Makes the rows of K-P of those of K+A2, in which two rows are always active together.
    fn join_rows_of_kings(&mut self) {
        let inputs = Kind::Kp.inputs();
        let joined = (OWN_KING as usize..inputs).map(|input| {
            let [shared, own] = twice(input).map(|row| self.row(row));
            let sum = |(a, b): (&Words, &Words)| {
                Words(std::array::from_fn(|k| a.0[k].wrapping_add(b.0[k])))
            };
            shared.iter().zip(own).map(sum).collect::<Vec<Words>>()
        });
        let joined: Vec<Words> = joined.flatten().collect();
        self.rows.truncate(inputs * self.width);
        self.rows[usize::from(OWN_KING) * self.width..].copy_from_slice(&joined);
    }

    /// Blocks of a row.
    #[inline]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The accumulator without any active input.
    pub(crate) fn biases(&self) -> &[Words] {
        &self.biases
    }

    #[inline(always)]
    fn row(&self, number: usize) -> &[Words] {
        &self.rows[number * self.width..][..self.width]
    }

    /// Writes an accumulator: another one with some rows subtracted and as many others added.
    #[inline(always)]
    pub(crate) fn update<L: Lanes, const N: usize>(
        &self,
        from: &[Words],
        to: &mut [Words],
        removed: [usize; N],
        added: [usize; N],
    ) {
        let removed = removed.map(|number| self.row(number).as_chunks::<STRIP>().0);
        let added = added.map(|number| self.row(number).as_chunks::<STRIP>().0);
        let strips = self.width / STRIP;
        let from = &from.as_chunks::<STRIP>().0[..strips];
        let to = &mut to.as_chunks_mut::<STRIP>().0[..strips];
        for strip in 0..strips {
            for block in 0..STRIP {
                let mut sum = L::load_words(&from[strip][block]);
                for n in 0..N {
                    sum = L::sub(sum, L::load_words(&removed[n][strip][block]));
                    sum = L::add(sum, L::load_words(&added[n][strip][block]));
                }
                L::store_words(sum, &mut to[strip][block]);
            }
        }
    }

    /// Subtracts rows from an accumulator and adds others to it.
    pub(crate) fn apply<L: Lanes>(&self, sums: &mut [Words], removed: &[usize], added: &[usize]) {
        for (number, strip) in sums.as_chunks_mut::<STRIP>().0.iter_mut().enumerate() {
            let part = |row: usize| &self.row(row).as_chunks::<STRIP>().0[number];
            let mut held = [0, 1, 2, 3].map(|block| L::load_words(&strip[block]));
            for &row in removed {
                for (sum, block) in held.iter_mut().zip(part(row)) {
                    *sum = L::sub(*sum, L::load_words(block));
                }
            }
            for &row in added {
                for (sum, block) in held.iter_mut().zip(part(row)) {
                    *sum = L::add(*sum, L::load_words(block));
                }
            }
            for (sum, block) in held.into_iter().zip(strip) {
                L::store_words(sum, block);
            }
        }
    }
}

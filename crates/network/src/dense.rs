//! What is behind the transformer of a dense network: both views' values, limited and joined, and
//! three layers.

use crate::affine::LayerParameters;
use crate::architecture::Architecture;
use crate::lanes::{Lanes, Words};
use crate::layers::{Layer, Output, Scratch, groups, padded};

pub(crate) struct Dense {
    pub(crate) architecture: Architecture,
    first: Layer,
    second: Layer,
    output: Output,
}

impl Dense {
    pub(crate) fn new(architecture: Architecture, layers: &[LayerParameters; 3]) -> Dense {
        let [first, second, _] = architecture.layers();
        Dense {
            architecture,
            first: Layer::new(first, &layers[0]),
            second: Layer::new(second, &layers[1]),
            output: Output::new(&layers[2]),
        }
    }

    /// The last integer for the accumulators of the side to move and of the other side.
    #[inline(always)]
    pub(crate) fn evaluate<L: Lanes>(
        &self,
        us: &[Words],
        them: &[Words],
        scratch: &mut Scratch,
    ) -> i32 {
        let blocks = self.architecture.l1() / 64;
        let Scratch { input, sums, hidden } = scratch;
        let (front, back) = input[..2 * blocks].split_at_mut(blocks);
        for (sums, bytes) in [(us, front), (them, back)] {
            for ([first, second], block) in sums.as_chunks::<2>().0.iter().zip(bytes) {
                L::store_clipped(L::load_words(first), L::load_words(second), block);
            }
        }
        self.first.activate::<L>(groups(&input[..2 * blocks]), sums, &mut hidden[..4]);
        // The second layer's outputs take the place of the first one's inputs.
        let between = &groups(hidden)[..padded(self.architecture.l2()) / 4];
        self.second.activate::<L>(between, sums, &mut input[..4]);
        self.output.value(&input[..4])
    }
}

//! Layer stacks (SFNN): between the transformer and the layers, the halves of each view are
//! multiplied; and there are several sets of layers, one of which a position chooses.

mod file;
mod progress;
pub(crate) mod rule;
pub(crate) mod shape;

pub use rule::{RuleError, RuleReason, StackChoice, StackRule};
pub use shape::StackArchitecture;

pub(crate) use file::{Beside, PROGRESS_FILE, StackFile, read};
pub(crate) use progress::{KIND as PROGRESS_KIND, Progress};
pub(crate) use rule::Situation;

use crate::affine::{LayerParameters, LayerShape};
use crate::lanes::{Lanes, Sums, Words};
use crate::layers::{Layer, Output, Scratch, groups, padded};

/// All that is behind the transformer.
pub(crate) struct Stacks {
    pub(crate) architecture: StackArchitecture,
    pub(crate) choice: StackChoice,
    /// Where the rule asks for it.
    pub(crate) progress: Option<Progress>,
    stacks: Vec<Stack>,
}

/// The layers of one stack.
struct Stack {
    first: Layer,
    second: Layer,
    output: Output,
}

impl Stack {
    fn new(shapes: [LayerShape; 3], parameters: [LayerParameters; 3]) -> Stack {
        let [first, second, output] = parameters;
        Stack {
            first: Layer::new(shapes[0], &first),
            second: Layer::new(shapes[1], &second),
            output: Output::new(&output),
        }
    }

    /// The last integer for the products of both views.
    #[inline(always)]
    fn evaluate<L: Lanes>(&self, shape: StackArchitecture, scratch: &mut Scratch) -> i32 {
        let Scratch { input, sums, hidden } = scratch;
        self.first.forward::<L>(groups(&input[..shape.width / 64]), sums);
        let values: &[i32; 16 * 16] = bytemuck::cast_ref(sums);
        let shortcut = if shape.has_shortcut() { values[shape.l2] } else { 0 };
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(hidden);
        let (squares, limited) = bytes[..2 * shape.l2].split_at_mut(shape.l2);
        for ((square, limited), &value) in squares.iter_mut().zip(limited).zip(values) {
            // Beyond these limits a square is more than 127, too.
            let near = value.clamp(-8192, 8192);
            *square = ((near * near) >> 19).min(127) as u8;
            *limited = (value >> 6).clamp(0, 127) as u8;
        }
        let between = &groups(hidden)[..padded(2 * shape.l2) / 4];
        self.second.activate::<L>(between, sums, &mut input[..4]);
        self.output.value(&input[..4]).wrapping_add(shortcut)
    }
}

impl Stacks {
    /// The number of the stack for a position. `progress` is its class.
    #[inline]
    pub(crate) fn choose(&self, situation: &Situation, progress: impl FnOnce() -> usize) -> usize {
        self.choice.rule.stack(situation, progress)
    }

    /// The last integer of a stack for the accumulators of the side to move and of the other side.
    pub(crate) fn evaluate<L: Lanes>(
        &self,
        stack: usize,
        us: &[Words],
        them: &[Words],
        scratch: &mut Scratch,
    ) -> i32 {
        let blocks = self.architecture.width / 128;
        let (front, back) = scratch.input[..2 * blocks].split_at_mut(blocks);
        for (sums, bytes) in [(us, front), (them, back)] {
            let (one, other) = sums.split_at(sums.len() / 2);
            let halves = one.as_chunks::<2>().0.iter().zip(other.as_chunks::<2>().0);
            for ((one, other), block) in halves.zip(bytes) {
                let load = |words: &[Words; 2]| words.each_ref().map(|words| L::load_words(words));
                L::store_products(load(one), load(other), block);
            }
        }
        self.stacks[stack].evaluate::<L>(self.architecture, scratch)
    }
}

const _: () = assert!(size_of::<[Sums; 16]>() == 4 * StackArchitecture::MAX_HIDDEN);

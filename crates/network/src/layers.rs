//! Layers of networks of all families: products of bytes, summed up in i32 with wrap-around.
//!
//! A layer keeps its weights in the order in which they are multiplied. Four inputs are spread over
//! a register and multiplied with the weights that sixteen outputs have for them. Where there are
//! at most eight outputs, eight inputs are taken at once instead, and each output has two sums.

use crate::affine::{LayerParameters, LayerShape};
use crate::lanes::{Bytes, CHAINS, HAS_DOT, Lanes, Sums, Weights};

/// Outputs whose sums fill one block.
const BLOCK: usize = 16;
/// Numbers of inputs and outputs are filled up with zeros to multiples of this.
pub(crate) const GRAIN: usize = 16;

/// Number of inputs or outputs with those that fill them up.
pub(crate) const fn padded(count: usize) -> usize {
    count.next_multiple_of(GRAIN)
}

/// Where the numbers between the layers lie.
pub(crate) struct Scratch {
    /// The first layer's inputs. Those of layer stacks are the most.
    pub(crate) input: [Bytes; 4096 / 64],
    pub(crate) sums: [Sums; 256 / BLOCK],
    /// The second layer's inputs. Layer stacks have two for each output of the first layer.
    pub(crate) hidden: [Bytes; 2 * 256 / 64],
}

impl Scratch {
    pub(crate) fn new() -> Box<Scratch> {
        Box::new(Scratch {
            input: [bytemuck::Zeroable::zeroed(); _],
            sums: [bytemuck::Zeroable::zeroed(); _],
            hidden: [bytemuck::Zeroable::zeroed(); _],
        })
    }
}

/// A layer whose output is limited to 0..=127 after a shift by six bits.
pub(crate) struct Layer {
    /// One for each block of outputs; of a narrow layer, every other lane.
    biases: Vec<Sums>,
    weights: Arranged,
    /// Number of groups of four inputs whose products are added in 16 bits: 1, 4 or 8.
    run: usize,
}

/// The weights of a layer, in the order in which they are needed.
enum Arranged {
    /// At most eight outputs: for each eight inputs one block, in which lane `2 * o + h` holds the
    /// weights of output `o` for the first (`h` = 0) or last four of them.
    Narrow(Vec<Weights>),
    /// For each pair of output blocks and each four inputs, both blocks; then the same for a single
    /// block that may be left.
    Wide { pairs: Vec<[Weights; 2]>, last: Vec<[Weights; 1]> },
}

impl Layer {
    /// A layer of some shape.
    pub(crate) fn new(shape: LayerShape, parameters: &LayerParameters) -> Layer {
        let LayerShape { inputs, outputs } = shape;
        let biases = &parameters.biases;
        let rows: Vec<&[i8]> = parameters.weights.chunks_exact(inputs).collect();
        assert_eq!((biases.len(), rows.len()), (outputs, outputs));
        let inputs_padded = padded(inputs);
        let weight = |output: usize, input: usize| match rows.get(output) {
            Some(row) if input < inputs => row[input],
            _ => 0,
        };
        let bias = |output: usize| biases.get(output).copied().unwrap_or(0);
        if outputs <= BLOCK / 2 {
            let blocks = (0..inputs_padded)
                .step_by(8)
                .map(|first| Weights(std::array::from_fn(|k| weight(k / 8, first + k % 8))));
            let biases = Sums(std::array::from_fn(|k| if k % 2 == 0 { bias(k / 2) } else { 0 }));
            return Layer {
                biases: vec![biases],
                weights: Arranged::Narrow(blocks.collect()),
                run: 1,
            };
        }
        let count = outputs.div_ceil(BLOCK);
        let block = |number: usize, first: usize| {
            Weights(std::array::from_fn(|k| weight(number * BLOCK + k / 4, first + k % 4)))
        };
        let groups = || (0..inputs_padded).step_by(4);
        let pairs = (0..count / 2)
            .flat_map(|pair| groups().map(move |first| (2 * pair, first)))
            .map(|(number, first)| [block(number, first), block(number + 1, first)]);
        let last = groups().filter(|_| count % 2 == 1).map(|first| [block(count - 1, first)]);
        Layer {
            biases: (0..count)
                .map(|number| Sums(std::array::from_fn(|k| bias(number * BLOCK + k))))
                .collect(),
            weights: Arranged::Wide { pairs: pairs.collect(), last: last.collect() },
            run: if HAS_DOT { 1 } else { longest_run(inputs, &rows) },
        }
    }

    /// Writes the sums of all outputs.
    #[inline(always)]
    pub(crate) fn forward<L: Lanes>(&self, input: &[[u8; 4]], sums: &mut [Sums]) {
        match &self.weights {
            Arranged::Narrow(weights) => {
                let mut both = Sums([0; 16]);
                L::store_sums(narrow::<L>(input, weights, &self.biases[0]), &mut both);
                let halves = both.0.as_chunks::<2>().0;
                for (sum, [first, second]) in sums[0].0.iter_mut().zip(halves) {
                    *sum = first.wrapping_add(*second);
                }
                sums[0].0[8..].fill(0);
            }
            Arranged::Wide { pairs, last } => {
                let mut biases = self.biases.as_chunks::<2>().0.iter();
                let mut blocks = sums.as_chunks_mut::<2>().0.iter_mut();
                for weights in pairs.chunks_exact(input.len()) {
                    if let (Some(biases), Some(blocks)) = (biases.next(), blocks.next()) {
                        wide::<L, 2>(self.run, input, weights, biases, blocks);
                    }
                }
                if let ([.., biases], false) = (&self.biases[..], last.is_empty()) {
                    let number = self.biases.len() - 1;
                    let blocks = std::array::from_mut(&mut sums[number]);
                    wide::<L, 1>(self.run, input, last, std::array::from_ref(biases), blocks);
                }
            }
        }
    }

    /// Writes all outputs.
    // The layers of a network share this code. A copy for each would push other code of a node out of the
    // first-level cache, which holds hardly more than a node's.
    #[inline(never)]
    pub(crate) fn activate<L: Lanes>(
        &self,
        input: &[[u8; 4]],
        sums: &mut [Sums],
        outputs: &mut [Bytes],
    ) {
        self.forward::<L>(input, sums);
        let quarters: &mut [[u8; BLOCK]] = bytemuck::cast_slice_mut(outputs);
        for (quarter, sums) in quarters.iter_mut().zip(&sums[..self.biases.len()]) {
            for (byte, sum) in quarter.iter_mut().zip(sums.0) {
                *byte = (sum >> 6).clamp(0, 127) as u8;
            }
        }
    }
}

/// The same bytes in fours.
#[inline(always)]
pub(crate) fn groups(blocks: &[Bytes]) -> &[[u8; 4]] {
    bytemuck::cast_slice(blocks)
}

/// The sums of two lanes for each output.
#[inline(always)]
fn narrow<L: Lanes>(input: &[[u8; 4]], weights: &[Weights], biases: &Sums) -> L::Sums {
    let mut chains = [L::load_sums(&Sums([0; 16])); CHAINS];
    chains[0] = L::load_sums(biases);
    let units: &[[u8; 8]] = bytemuck::cast_slice(input);
    for (units, weights) in units.chunks(CHAINS).zip(weights.chunks(CHAINS)) {
        for ((chain, unit), weights) in chains.iter_mut().zip(units).zip(weights) {
            *chain = L::dot(*chain, L::splat8(*unit), weights);
        }
    }
    chains.into_iter().reduce(L::add_sums).unwrap_or(chains[0])
}

/// The greatest number of groups, 8, 4 or 1, whose products can be added in 16 bits. Inputs are at
/// most 127, so this depends on the weights alone.
fn longest_run(inputs: usize, rows: &[&[i8]]) -> usize {
    const LIMIT: u32 = i16::MAX as u32 / 127;
    let fits = |run: usize| {
        padded(inputs).is_multiple_of(4 * run)
            && rows.iter().flat_map(|row| row[..inputs].chunks(4 * run)).all(|weights| {
                // Neighbors are added first. The first and the last two inputs of the groups stay
                // apart.
                let mut halves = [0; 2];
                for (number, weight) in weights.iter().enumerate() {
                    halves[number / 2 % 2] += u32::from(weight.unsigned_abs());
                }
                halves.iter().all(|&half| half <= LIMIT)
            })
    };
    [8, 4].into_iter().find(|&run| fits(run)).unwrap_or(1)
}

/// The sums of N blocks of outputs. `run` is that of the layer.
#[inline(always)]
fn wide<L: Lanes, const N: usize>(
    run: usize,
    input: &[[u8; 4]],
    weights: &[[Weights; N]],
    biases: &[Sums; N],
    blocks: &mut [Sums; N],
) {
    let biases = biases.each_ref().map(|biases| L::load_sums(biases));
    let sums = match run {
        8 => in_runs::<L, N, 8>(input, weights, biases),
        4 => in_runs::<L, N, 4>(input, weights, biases),
        _ => one_by_one::<L, N>(input, weights, biases),
    };
    for (sum, block) in sums.into_iter().zip(blocks) {
        L::store_sums(sum, block);
    }
}

/// The sums of N blocks of outputs, group by group.
#[inline(always)]
fn one_by_one<L: Lanes, const N: usize>(
    input: &[[u8; 4]],
    weights: &[[Weights; N]],
    biases: [L::Sums; N],
) -> [L::Sums; N] {
    let mut chains = [[L::load_sums(&Sums([0; 16])); N]; CHAINS];
    chains[0] = biases;
    let (input, weights) = (input.as_chunks::<4>().0, weights.as_chunks::<4>().0);
    for (groups, weights) in input.iter().zip(weights) {
        for k in 0..4 {
            let bytes = L::splat4(groups[k]);
            for n in 0..N {
                #[allow(clippy::modulo_one, reason = "there is one chain on some processors")]
                let chain = &mut chains[k % CHAINS][n];
                *chain = L::dot(*chain, bytes, &weights[k][n]);
            }
        }
    }
    std::array::from_fn(|n| {
        let sum = chains.iter().map(|chain| chain[n]).reduce(L::add_sums);
        sum.unwrap_or(chains[0][n])
    })
}

/// The sums of N blocks of outputs. The products of RUN groups are added in 16 bits.
#[inline(always)]
fn in_runs<L: Lanes, const N: usize, const RUN: usize>(
    input: &[[u8; 4]],
    weights: &[[Weights; N]],
    mut sums: [L::Sums; N],
) -> [L::Sums; N] {
    let (input, weights) = (input.as_chunks::<RUN>().0, weights.as_chunks::<RUN>().0);
    for (groups, weights) in input.iter().zip(weights) {
        let first = L::splat4(groups[0]);
        let mut products = weights[0].each_ref().map(|weights| L::products(first, weights));
        for k in 1..RUN {
            let bytes = L::splat4(groups[k]);
            for n in 0..N {
                products[n] = L::add_products(products[n], bytes, &weights[k][n]);
            }
        }
        for n in 0..N {
            sums[n] = L::add_groups(sums[n], products[n]);
        }
    }
    sums
}

/// The last layer, of one output that is not limited.
pub(crate) struct Output {
    bias: i32,
    /// Filled up with zeros to whole blocks.
    weights: Vec<[i8; GRAIN]>,
}

impl Output {
    pub(crate) fn new(parameters: &LayerParameters) -> Output {
        let mut weights = parameters.weights.clone();
        weights.resize(padded(weights.len()), 0);
        Output { bias: parameters.biases[0], weights: weights.as_chunks().0.to_vec() }
    }

    #[inline(always)]
    pub(crate) fn value(&self, input: &[Bytes]) -> i32 {
        let values: &[[u8; GRAIN]] = bytemuck::cast_slice(input);
        self.weights.iter().zip(values).fold(self.bias, |sum, (weights, values)| {
            let products = weights.iter().zip(values).map(|(&w, &v)| i32::from(w) * i32::from(v));
            sum.wrapping_add(products.sum())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Chosen, plain::Plain};

    /// The sums of a layer, by one multiplication after the other.
    fn slow(input: &[u8], biases: &[i32], rows: &[&[i8]]) -> Vec<i32> {
        let product = |(&x, &w): (&u8, &i8)| i32::from(x) * i32::from(w);
        let sum = |row: &&[i8]| input.iter().zip(*row).map(product).sum::<i32>();
        biases.iter().zip(rows).map(|(bias, row)| bias + sum(row)).collect()
    }

    fn fast<L: Lanes>(layer: &Layer, input: &[u8], outputs: usize) -> Vec<i32> {
        let mut sums = [Sums([7; 16]); 3];
        layer.forward::<L>(bytemuck::cast_slice(input), &mut sums);
        sums.iter().flat_map(|block| block.0).take(outputs).collect()
    }

    /// Inputs are as large as possible where a row has weights of one sign: then a sum of 16 bits is
    /// as large as it can be.
    #[test]
    fn sums_of_sixteen_bits_do_not_overflow() {
        // (weights of the pair, inputs, expected run)
        let cases: [([i8; 2], usize, usize); 7] = [
            ([16, 16], 64, 8),
            ([-16, -16], 64, 8),
            ([17, 16], 64, 4),
            ([32, 32], 64, 4),
            ([-33, -32], 64, 1),
            ([127, 127], 64, 1),
            // Twelve groups can be taken in fours, not in eights.
            ([3, -4], 48, 4),
        ];
        for (pair, inputs, expected) in cases {
            for outputs in [16, 32, 48] {
                let row: Vec<i8> = (0..inputs).map(|k| pair[k % 2]).collect();
                let opposite: Vec<i8> = row.iter().map(|weight| -weight).collect();
                let kinds = [&row[..], &opposite, &row];
                let rows: Vec<&[i8]> = (0..outputs).map(|o| kinds[o % 3]).collect();
                let biases: Vec<i32> = (0..outputs as i32).map(|o| 1000 * o - 9000).collect();
                assert_eq!(longest_run(inputs, &rows), expected, "{pair:?} {inputs}");
                let weights = rows.concat();
                let parameters = LayerParameters { biases: biases.clone(), weights };
                let mut layer = Layer::new(LayerShape { inputs, outputs }, &parameters);
                let runs = if expected == 1 { vec![1] } else { vec![1, expected] };
                for run in runs {
                    layer.run = run;
                    for input in [vec![127; inputs], (0..inputs as u8).collect()] {
                        let sums = slow(&input, &biases, &rows);
                        assert_eq!(fast::<Chosen>(&layer, &input, outputs), sums);
                        assert_eq!(fast::<Plain>(&layer, &input, outputs), sums);
                    }
                }
            }
        }
    }
}

//! Networks in which every number follows from its place by a formula.
//!
//! Number `i` of a section is computed from output `i` of the generator splitmix64, seeded with the
//! section's seed. The sum of the output's four lowest bytes, less 510, is multiplied by `mul`,
//! divided by 64 (rounding down), added to `add` and limited to the range of the section's type.

use crate::architecture::padded;
use crate::{Architecture, Kind, LayerParameters, Parameters};

/// The seed of a section and its two factors.
type Section = (u64, i64, i64);

/// A network: biases and weights of the transformer and of each layer.
pub(super) struct Formula {
    pub(super) name: &'static str,
    kind: Kind,
    widths: [usize; 3],
    sections: [Section; 8],
}

/// The numbers from place `start` on.
fn numbers<T: TryFrom<i64>>((seed, mul, add): Section, limits: (i64, i64), count: usize) -> Vec<T> {
    let number = |place: u64| {
        let mut z = seed.wrapping_add((place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let sum: i64 = (0..4).map(|byte| (z >> (8 * byte) & 0xff) as i64).sum();
        let value = (((sum - 510) * mul) >> 6) + add;
        T::try_from(value.clamp(limits.0, limits.1)).ok().unwrap()
    };
    (0..count as u64).map(number).collect()
}

const I8: (i64, i64) = (i8::MIN as i64, i8::MAX as i64);
const I16: (i64, i64) = (i16::MIN as i64, i16::MAX as i64);
const I32: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

impl Formula {
    pub(super) fn architecture(&self) -> Architecture {
        let [l1, l2, l3] = self.widths;
        Architecture::new(self.kind, l1, l2, l3).unwrap()
    }

    /// The numbers as in a file, without the padding of rows.
    pub(super) fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::zeros(self.architecture());
        let (l1, inputs) = (self.widths[0], self.kind.inputs());
        parameters.transformer_biases = numbers(self.sections[0], I16, l1);
        parameters.transformer_weights = numbers(self.sections[1], I16, l1 * inputs);
        for number in 0..3 {
            let (inputs, outputs) = self.layer(number);
            let rows: Vec<i8> =
                numbers(self.sections[3 + 2 * number], I8, padded(inputs) * outputs);
            parameters.layers[number] = LayerParameters {
                biases: numbers(self.sections[2 + 2 * number], I32, outputs),
                weights: rows
                    .chunks(padded(inputs))
                    .flat_map(|row| row[..inputs].iter().copied())
                    .collect(),
            };
        }
        parameters
    }

    /// The file. The padding of rows continues the formula.
    pub(super) fn file(&self) -> Vec<u8> {
        let mut file = Vec::new();
        self.parameters().write(&mut file).unwrap();
        let mut end = file.len();
        for number in (0..3).rev() {
            let (inputs, outputs) = self.layer(number);
            let rows: Vec<i8> =
                numbers(self.sections[3 + 2 * number], I8, padded(inputs) * outputs);
            let begin = end - rows.len();
            file[begin..end].copy_from_slice(bytemuck::cast_slice(&rows));
            end = begin - 4 * outputs;
        }
        file
    }

    /// Inputs and outputs of a layer.
    fn layer(&self, number: usize) -> (usize, usize) {
        let [l1, l2, l3] = self.widths;
        [(2 * l1, l2), (l2, l3), (l3, 1)][number]
    }
}

/// The four networks of `vectors.csv`, in the order of its columns.
pub(super) const VECTORS: [Formula; 4] = [
    Formula {
        name: "raw_a",
        kind: Kind::HalfKp,
        widths: [256, 32, 32],
        sections: [
            (0xa1, 14, 20),
            (0xa2, 7, 0),
            (0xa3, 640, 8000),
            (0xa4, 2, 0),
            (0xa5, 640, 1500),
            (0xa6, 8, 0),
            (0xa7, 2000, 38000),
            (0xa8, 40, 0),
        ],
    },
    // Accumulators wrap around, and weights reach both limits.
    Formula {
        name: "raw_b",
        kind: Kind::HalfKp,
        widths: [256, 32, 32],
        sections: [
            (0xb1, 9000, 0),
            (0xb2, 900, 0),
            (0xb3, 100_000, 0),
            (0xb4, 96, 0),
            (0xb5, 20000, 0),
            (0xb6, 96, 0),
            (0xb7, 20000, 120_000),
            (0xb8, 96, 0),
        ],
    },
    Formula {
        name: "raw_k",
        kind: Kind::Kp,
        widths: [256, 32, 32],
        sections: [
            (0xc1, 14, 20),
            (0xc2, 7, 0),
            (0xc3, 640, 8000),
            (0xc4, 2, 0),
            (0xc5, 640, 1500),
            (0xc6, 8, 0),
            (0xc7, 2000, -40000),
            (0xc8, 40, 0),
        ],
    },
    Formula {
        name: "raw_p",
        kind: Kind::Kp,
        widths: [256, 8, 96],
        sections: [
            (0xd1, 14, 20),
            (0xd2, 7, 0),
            (0xd3, 640, 8000),
            (0xd4, 2, 0),
            (0xd5, 640, 1500),
            (0xd6, 16, 0),
            (0xd7, 2000, 16000),
            (0xd8, 30, 0),
        ],
    },
];

/// The SHA-256 of the files of [`VECTORS`], as published with them.
pub(super) const DIGESTS: [&str; 4] = [
    "5e7b708603eabec37adcc57f016be05edb2dd12ab3a947c2b434f7973b6f76b8",
    "57f53cba70e662c060529c6b38bedc4d17ec391c8d8ee86c5267ce98cc7ad9f6",
    "ac2d3ebef8432519bed31ac5826119eac65a194ebd13a20fdecfb0c82f1fd5de",
    "7dc8961a9a959eb6b453ac387e38880033ce7110f240649192f729f997033c67",
];

/// A network of `widths.csv`. Only the seeds differ.
const fn other(name: &'static str, kind: Kind, widths: [usize; 3], seed: u64) -> Formula {
    let sections = [
        (seed + 1, 14, 20),
        (seed + 2, 7, 0),
        (seed + 3, 640, 8000),
        (seed + 4, 3, 0),
        (seed + 5, 640, 1500),
        (seed + 6, 16, 0),
        (seed + 7, 2000, 0),
        (seed + 8, 40, 0),
    ];
    Formula { name, kind, widths, sections }
}

/// The networks of `widths.csv`, in the order of its columns.
pub(super) const WIDTHS: [Formula; 8] = [
    other("kp128x2-32-32", Kind::Kp, [128, 32, 32], 0x100),
    other("kp512x2-8-64", Kind::Kp, [512, 8, 64], 0x110),
    other("kp768x2-16-64", Kind::Kp, [768, 16, 64], 0x120),
    other("kp1024x2-8-32", Kind::Kp, [1024, 8, 32], 0x130),
    other("kp256x2-40-24", Kind::Kp, [256, 40, 24], 0x140),
    other("kp128x2-7-33", Kind::Kp, [128, 7, 33], 0x150),
    other("kp512x2-100-200", Kind::Kp, [512, 100, 200], 0x160),
    other("halfkp128x2-32-32", Kind::HalfKp, [128, 32, 32], 0x170),
];

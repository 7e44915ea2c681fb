//! Networks in which every number follows from its place by a formula.
//!
//! Number `i` of a section is computed from output `i` of the generator splitmix64, seeded with the
//! section's seed. The sum of the output's four lowest bytes, less 510, is multiplied by `mul`,
//! divided by 64 (rounding down), added to `add` and limited to the range of the section's type.

use tsumero_core::{GOLDEN_GAMMA, mix};

use crate::{Architecture, Kind, LayerParameters, LayerShape, Parameters, StackArchitecture};

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
fn numbers<T: TryFrom<i64>>(
    (seed, mul, add): Section,
    limits: (i64, i64),
    start: usize,
    count: usize,
) -> Vec<T> {
    let number = |place: u64| {
        let z = mix(seed.wrapping_add((place + 1).wrapping_mul(GOLDEN_GAMMA)));
        let sum: i64 = (0..4).map(|byte| (z >> (8 * byte) & 0xff) as i64).sum();
        let value = (((sum - 510) * mul) >> 6) + add;
        T::try_from(value.clamp(limits.0, limits.1)).ok().unwrap()
    };
    (start as u64..(start + count) as u64).map(number).collect()
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
        parameters.transformer_biases = numbers(self.sections[0], I16, 0, l1);
        parameters.transformer_weights = numbers(self.sections[1], I16, 0, l1 * inputs);
        for (number, shape) in self.architecture().layers().into_iter().enumerate() {
            let rows = rows(self.sections[3 + 2 * number], shape, 0);
            parameters.layers[number] = LayerParameters {
                biases: numbers(self.sections[2 + 2 * number], I32, 0, shape.outputs),
                weights: rows
                    .chunks(shape.row())
                    .flat_map(|row| row[..shape.inputs].iter().copied())
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
        for (number, shape) in self.architecture().layers().into_iter().enumerate().rev() {
            let rows = rows(self.sections[3 + 2 * number], shape, 0);
            let begin = end - rows.len();
            file[begin..end].copy_from_slice(bytemuck::cast_slice(&rows));
            end = begin - 4 * shape.outputs;
        }
        file
    }
}

/// The weights of a layer, padding included, for the network of this number in a file.
fn rows(section: Section, shape: LayerShape, stack: usize) -> Vec<i8> {
    let count = shape.row() * shape.outputs;
    numbers(section, I8, stack * count, count)
}

/// A network of layer stacks.
pub(super) struct StackFormula {
    pub(super) name: &'static str,
    kind: Kind,
    /// Of the transformer, the second and the third layer.
    widths: [usize; 3],
    /// The name of the shape and of the rule in the description.
    described: &'static str,
    pub(super) stacks: usize,
    /// Biases and weights of the transformer and of each layer.
    sections: [Section; 8],
    /// Bias and weights of the progress.
    progress: Option<[Section; 2]>,
}

impl StackFormula {
    pub(super) fn architecture(&self) -> StackArchitecture {
        let [width, l2, l3] = self.widths;
        StackArchitecture::new(self.kind, width, l2, l3, self.stacks).unwrap()
    }

    /// The file with a description of one's own.
    pub(super) fn file_described(&self, description: &str) -> Vec<u8> {
        let [width, ..] = self.widths;
        let file_hash = if self.progress.is_some() { 0x5370_697d } else { 0x3c20_3b32 };
        let mut file = Vec::new();
        for number in [0x7af3_2f16, file_hash, description.len() as u32] {
            file.extend(number.to_le_bytes());
        }
        file.extend(description.bytes());
        file.extend(0x5f13_4ab8_u32.to_le_bytes());
        for (section, count) in
            [(self.sections[0], width), (self.sections[1], width * self.kind.inputs())]
        {
            file.extend(b"COMPRESSED_LEB128");
            let begin = file.len() + 4;
            file.extend([0; 4]);
            const STEP: usize = 1 << 16;
            for start in (0..count).step_by(STEP) {
                let part: Vec<i16> = numbers(section, I16, start, STEP.min(count - start));
                part.iter().for_each(|&number| compress(number, &mut file));
            }
            let size = (file.len() - begin) as u32;
            file[begin - 4..begin].copy_from_slice(&size.to_le_bytes());
        }
        if let Some([bias, weights]) = self.progress {
            file.extend(0x6f50_524f_u32.to_le_bytes());
            let bias: Vec<i32> = numbers(bias, I32, 0, 1);
            let weights: Vec<i32> = numbers(weights, I32, 0, 81 * 1548);
            file.extend(bias.iter().chain(&weights).flat_map(|number| number.to_le_bytes()));
        }
        for stack in 0..self.stacks {
            file.extend(0x6333_718a_u32.to_le_bytes());
            for (number, shape) in self.architecture().layers().into_iter().enumerate() {
                let start = stack * shape.outputs;
                let biases: Vec<i32> =
                    numbers(self.sections[2 + 2 * number], I32, start, shape.outputs);
                file.extend(biases.iter().flat_map(|number| number.to_le_bytes()));
                let rows = rows(self.sections[3 + 2 * number], shape, stack);
                file.extend(rows.iter().map(|&weight| weight as u8));
            }
        }
        file
    }

    /// The description as the makers write it.
    pub(super) fn description(&self) -> String {
        let StackFormula { kind, widths: [width, ..], described, stacks, .. } = self;
        let (name, inputs) = (kind.feature_name(), kind.inputs());
        format!(
            "ModelType=SFNNWithoutPsqt;Features={name}[{inputs}->{width}x2],\
             Network={described}{{LayerStack={stacks}}}"
        )
    }

    pub(super) fn file(&self) -> Vec<u8> {
        self.file_described(&self.description())
    }
}

/// Appends a number in signed LEB128.
fn compress(number: i16, bytes: &mut Vec<u8>) {
    match number {
        -64..64 => bytes.push(number as u8 & 0x7f),
        -8192..8192 => bytes.extend([number as u8 | 0x80, (number >> 7) as u8 & 0x7f]),
        _ => bytes.extend([
            number as u8 | 0x80,
            (number >> 7) as u8 | 0x80,
            (number >> 14) as u8 & 0x7f,
        ]),
    }
}

/// A file `progress.bin`.
pub(super) fn progress_file() -> Vec<u8> {
    let numbers: Vec<i32> = numbers((0xb9, 15200, 0), I32, 0, 81 * 1548);
    numbers.iter().flat_map(|&number| (f64::from(number) / 100_000.0).to_le_bytes()).collect()
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

/// The dense network of `stacks.csv`.
pub(super) const MIRRORED: Formula = Formula {
    name: "raw_v",
    kind: Kind::HalfKpVm,
    widths: [256, 32, 32],
    sections: [
        (0xe1, 14, 20),
        (0xe2, 7, 0),
        (0xe3, 640, 8000),
        (0xe4, 2, 0),
        (0xe5, 640, 1500),
        (0xe6, 8, 0),
        (0xe7, 2000, 0),
        (0xe8, 40, 0),
    ],
};

/// The SHA-256 of its file, as published with it.
pub(super) const MIRRORED_DIGEST: &str =
    "ce3d686783979cdc6c1e06943cc923bb7fb67581df3f4aa7ea5dde83e839a94a";

/// The networks of `stacks.csv` with layer stacks: s, t, x and n.
pub(super) const STACKS: [StackFormula; 4] = [
    StackFormula {
        name: "s",
        kind: Kind::HalfKaHm2,
        widths: [1536, 15, 32],
        described: "SFNN-1536",
        stacks: 9,
        sections: [
            (0x51, 14, 20),
            (0x52, 9, 0),
            (0x53, 640, 9000),
            (0x54, 2, 0),
            (0x55, 640, 1500),
            (0x56, 12, 0),
            (0x57, 2000, 8000),
            (0x58, 40, 0),
        ],
        progress: None,
    },
    StackFormula {
        name: "t",
        kind: Kind::HalfKa2,
        widths: [768, 8, 64],
        described: "SFNN_HALFKA2_768_8_64_HAND4_K3K3_PROGRESS3",
        stacks: 4 * 9 * 3,
        sections: [
            (0x71, 14, 20),
            (0x72, 9, 0),
            (0x73, 640, 5000),
            (0x74, 3, 0),
            (0x75, 640, 1500),
            (0x76, 16, 0),
            (0x77, 2000, 0),
            (0x78, 30, 0),
        ],
        progress: Some([(0x79, 20000, 0), (0x7a, 9000, 0)]),
    },
    // Sums wrap around, and numbers have all lengths.
    StackFormula {
        name: "x",
        kind: Kind::KA2,
        widths: [512, 7, 64],
        described: "SFNN_KA2_512_7_64_HAND16_K9K9Z",
        stacks: 16 * 81,
        sections: [
            (0x91, 9000, 0),
            (0x92, 5000, 0),
            (0x93, 20000, 0),
            (0x94, 96, 0),
            (0x95, 20000, 0),
            (0x96, 96, 0),
            (0x97, 20000, 0),
            (0x98, 96, 0),
        ],
        progress: None,
    },
    StackFormula {
        name: "n",
        kind: Kind::HalfKaHm2,
        widths: [1024, 15, 64],
        described: "SFNN_HALFKAHM2_1024_15_64_LS9",
        stacks: 9,
        sections: [
            (0xb1, 14, 20),
            (0xb2, 9, 0),
            (0xb3, 640, 6500),
            (0xb4, 2, 0),
            (0xb5, 640, 1500),
            (0xb6, 14, 0),
            (0xb7, 2000, 16000),
            (0xb8, 30, 0),
        ],
        progress: None,
    },
];

/// The SHA-256 of the files of [`STACKS`], as published with them.
pub(super) const STACK_DIGESTS: [&str; 4] = [
    "56f00dda79a82be1609d31e37b486b346522a3c046ffb517ac789ec8a61945f5",
    "f14a959ef023bd62633688b9fe370c8303bcb68bec5885a91f2076e16e930dc6",
    "e6c542babeaf75338125239fd86bfe46a6c2faed64aa4ec5ab1644d38b9b7b70",
    "21b058cf332e8a1cbd5b96b6f547202e057b482cb68cf7409ba098afa5a32cad",
];

/// The SHA-256 of [`progress_file`], as published with it.
pub(super) const PROGRESS_DIGEST: &str =
    "1b3cf2c539c49b2c0a136b711bd51e2910a0f76de365ff191b4bdb41429f7411";

/// The sections of a network of `families.csv`. Only the seeds differ.
const fn sections(seed: u64) -> [Section; 8] {
    [
        (seed + 1, 14, 20),
        (seed + 2, 9, 0),
        (seed + 3, 640, 4000),
        (seed + 4, 4, 0),
        (seed + 5, 640, 1500),
        (seed + 6, 14, 0),
        (seed + 7, 2000, 0),
        (seed + 8, 30, 0),
    ]
}

const fn dense(name: &'static str, kind: Kind, seed: u64) -> Formula {
    Formula { name, kind, widths: [256, 32, 32], sections: sections(seed) }
}

/// The dense networks of `families.csv`.
pub(super) const KINDS: [Formula; 4] = [
    dense("halfkahm2_256x2_32_32", Kind::HalfKaHm2, 0x400),
    dense("halfka1_256x2_32_32", Kind::HalfKa1, 0x410),
    dense("halfka2_256x2_32_32", Kind::HalfKa2, 0x420),
    dense("halfkahm1_256x2_32_32", Kind::HalfKaHm1, 0x430),
];

const fn stacked(
    name: &'static str,
    kind: Kind,
    widths: [usize; 3],
    described: &'static str,
    stacks: usize,
    seed: u64,
) -> StackFormula {
    StackFormula { name, kind, widths, described, stacks, sections: sections(seed), progress: None }
}

/// The networks of `families.csv` with layer stacks: all rules that are not in `stacks.csv`.
pub(super) const RULES: [StackFormula; 7] = [
    stacked(
        "ka2_128_7_32_hand64_k9k9",
        Kind::KA2,
        [128, 7, 32],
        "SFNN_KA2_128_7_32_HAND64_K9K9",
        64 * 81,
        0x300,
    ),
    stacked(
        "ka2_128_7_32_hand64z_k13k13z",
        Kind::KA2,
        [128, 7, 32],
        "SFNN_KA2_128_7_32_HAND64Z_K13K13Z",
        64 * 169,
        0x310,
    ),
    stacked(
        "ka2_128_7_32_hand1024",
        Kind::KA2,
        [128, 7, 32],
        "SFNN_KA2_128_7_32_HAND1024",
        1024,
        0x320,
    ),
    StackFormula {
        progress: Some([(0x339, 20000, 0), (0x33a, 9000, 0)]),
        ..stacked(
            "ka2_128_7_32_k29k29_progress8",
            Kind::KA2,
            [128, 7, 32],
            "SFNN_KA2_128_7_32_K29K29_PROGRESS8",
            841 * 8,
            0x330,
        )
    },
    stacked(
        "ka2_128_8_32_hand256_k3k3",
        Kind::KA2,
        [128, 8, 32],
        "SFNN_KA2_128_8_32_HAND256_K3K3",
        256 * 9,
        0x340,
    ),
    stacked(
        "halfkahm1_128_16_32_k21k21",
        Kind::HalfKaHm1,
        [128, 16, 32],
        "SFNN_HALFKAHM1_128_16_32_K21K21",
        441,
        0x350,
    ),
    stacked(
        "ka2_512_7_64_c256_s64x4_k3k3",
        Kind::KA2,
        [512, 7, 64],
        "SFNN_KA2_512_7_64_C256_S64X4_K3K3",
        9,
        0x360,
    ),
];

/// A dense network of K+A2, in no table.
pub(super) const KINDS_OF_KINGS: Formula = dense("ka2_256x2_32_32", Kind::KA2, 0x440);

/// A dense network of ZoneKA1, in no table.
pub(super) const ZONES: Formula = {
    let mut formula = dense("zoneka1_256x2_32_32", Kind::ZoneKa1, 0x450);
    // Differences between zones fit in a byte.
    formula.sections[1].1 = 7;
    formula
};

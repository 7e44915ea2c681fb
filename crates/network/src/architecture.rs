//! The shape of a dense network, and how the shape of a file is recognized.

use std::fmt;

use crate::affine::LayerShape;
use crate::family;
use crate::kind::Kind;

/// The shape of a dense network: its inputs and the widths of its layers. The transformer's values
/// of both views are limited and joined, and three layers follow.
///
/// ```
/// use tsumero_network::{Architecture, Kind};
/// let standard = Architecture::new(Kind::HalfKp, 256, 32, 32).unwrap();
/// assert_eq!(standard.to_string(), "HalfKP 256x2-32-32");
/// assert!(Architecture::new(Kind::HalfKp, 250, 32, 32).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Architecture {
    kind: Kind,
    l1: usize,
    l2: usize,
    l3: usize,
}

/// The three hashes that identify an architecture in its files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hashes {
    pub(crate) file: u32,
    pub(crate) transformer: u32,
    pub(crate) network: u32,
}

impl Architecture {
    /// The widths of the first layer that are known, for each of the two views.
    pub const L1_WIDTHS: [usize; 5] = [128, 256, 512, 768, 1024];
    /// The largest width of the second and third layer.
    pub const MAX_WIDTH: usize = 256;
    /// The smallest number of bytes that can follow a header.
    pub(crate) const SMALLEST_BODY: u64 =
        Architecture { kind: Kind::Kp, l1: 128, l2: 1, l3: 1 }.body_size();
    /// Widths of the second and third layer in published files.
    const PUBLISHED: [(usize, usize); 6] =
        [(32, 32), (8, 32), (8, 64), (8, 96), (16, 32), (16, 64)];

    /// An architecture; `None` if `l1` is not one of [`Architecture::L1_WIDTHS`], or `l2` or `l3`
    /// is 0 or above [`Architecture::MAX_WIDTH`].
    pub fn new(kind: Kind, l1: usize, l2: usize, l3: usize) -> Option<Architecture> {
        let hidden = 1..=Architecture::MAX_WIDTH;
        (Architecture::L1_WIDTHS.contains(&l1) && hidden.contains(&l2) && hidden.contains(&l3))
            .then_some(Architecture { kind, l1, l2, l3 })
    }

    /// The widths that most files have: 256x2-32-32.
    pub const fn standard(kind: Kind) -> Architecture {
        Architecture { kind, l1: 256, l2: 32, l3: 32 }
    }

    /// The kind of the inputs.
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// Number of values that the transformer computes for each of the two views.
    pub const fn l1(self) -> usize {
        self.l1
    }

    /// Number of values of the second layer.
    pub const fn l2(self) -> usize {
        self.l2
    }

    /// Number of values of the third layer.
    pub const fn l3(self) -> usize {
        self.l3
    }

    /// The layers behind the transformer, in their order. The inputs of the first one are the values
    /// of both views.
    ///
    /// ```
    /// use tsumero_network::{Architecture, Kind};
    /// let layers = Architecture::new(Kind::Kp, 256, 8, 96).unwrap().layers();
    /// assert_eq!(layers.map(|layer| layer.inputs), [512, 8, 96]);
    /// assert_eq!(layers.map(|layer| layer.outputs), [8, 96, 1]);
    /// ```
    pub const fn layers(self) -> [LayerShape; 3] {
        let Architecture { l1, l2, l3, .. } = self;
        [
            LayerShape { inputs: 2 * l1, outputs: l2 },
            LayerShape { inputs: l2, outputs: l3 },
            LayerShape { inputs: l3, outputs: 1 },
        ]
    }

    /// The description that files of this architecture carry.
    pub fn description(self) -> String {
        let Architecture { kind, l1, l2, l3 } = self;
        let (name, inputs, both) = (kind.feature_name(), kind.inputs(), 2 * l1);
        format!(
            "Features={name}[{inputs}->{l1}x2],Network=AffineTransform[1<-{l3}](ClippedReLU[{l3}](\
             AffineTransform[{l3}<-{l2}](ClippedReLU[{l2}](AffineTransform[{l2}<-{both}](\
             InputSlice[{both}(0:{both})])))))"
        )
    }

    /// The architecture that a description names. Everything else in the description is ignored.
    pub(crate) fn described(description: &[u8]) -> Option<Architecture> {
        // Texts of others may be in any encoding, and a long one is cut anywhere.
        let text = String::from_utf8_lossy(description);
        let kind = Kind::named(family::input_name(&text)?)?;
        let l1 = text.split_once("->")?.1.split_once("x2]")?.0.parse().ok()?;
        // The layers are listed from the last to the first: [1<-L3], [L3<-L2], [L2<-2*L1].
        let mut layers = text.split("AffineTransform[").skip(1).map(|layer| {
            let (outputs, inputs) = layer.split_once(']')?.0.split_once("<-")?;
            Some((outputs.parse::<usize>().ok()?, inputs.parse::<usize>().ok()?))
        });
        let (_, l3) = layers.next()??;
        let (_, l2) = layers.next()??;
        Architecture::new(kind, l1, l2, l3)
    }

    /// The number of bytes before the body, for a description of the given length.
    pub(crate) const fn header_size(self, description: usize) -> u64 {
        12 + description as u64
    }

    /// Number of bytes after the header, including the hashes of both sections.
    pub(crate) const fn body_size(self) -> u64 {
        let rows = match self.kind.shares_rows() {
            true => 2 * self.kind.inputs_of_part() + self.kind.inputs(),
            false => 2 * self.kind.inputs(),
        };
        let transformer = self.l1 * (2 + rows);
        let [first, second, last] = self.layers();
        (8 + transformer + first.bytes() + second.bytes() + last.bytes()) as u64
    }

    /// The hashes that identify the architecture in its files. They are not checksums.
    pub(crate) fn hashes(self) -> Hashes {
        let affine = |previous: u32, outputs: usize| {
            0xcc03_dae4_u32.wrapping_add(outputs as u32) ^ previous >> 1 ^ previous << 31
        };
        let relu = |previous: u32| 0x538d_24c7_u32.wrapping_add(previous);
        let both = 2 * self.l1 as u32;
        let first = relu(affine(0xec42_e90d ^ both, self.l2));
        let second = relu(affine(first, self.l3));
        let network = affine(second, 1);
        let transformer = self.kind.hash() ^ both;
        Hashes { file: transformer ^ network, transformer, network }
    }

    /// All architectures whose files have the given number of bytes after the header.
    pub(crate) fn of_body_size(size: u64) -> Vec<Architecture> {
        let mut found = Vec::new();
        for kind in Kind::ALL {
            for l1 in Architecture::L1_WIDTHS {
                let largest = Architecture { kind, l1, l2: 256, l3: 256 }.body_size();
                if size > largest {
                    continue;
                }
                for l2 in 1..=Architecture::MAX_WIDTH {
                    // The size grows with each width, so a binary search finds the other width.
                    let shape = |l3| Architecture { kind, l1, l2, l3 };
                    let (mut low, mut high) = (1, Architecture::MAX_WIDTH);
                    while low < high {
                        let middle = (low + high) / 2;
                        match shape(middle).body_size() < size {
                            true => low = middle + 1,
                            false => high = middle,
                        }
                    }
                    if shape(low).body_size() == size {
                        found.push(shape(low));
                    }
                }
            }
        }
        found
    }

    /// Recognizes the architecture of a file. The number of bytes after the header decides. If
    /// several architectures have this size, the description decides among them, then the widths of
    /// published files, then widths that are multiples of eight. The description alone is never
    /// enough, because some trainers write a wrong one. That of ZoneKA1, which only Tsumero writes, must
    /// be right: otherwise the file is damaged. The error is the number of architectures that remain.
    ///
    /// `named` is the kind of inputs that the file names, if it does. It tells K+A2 from K-P, and
    /// ZoneKA1 from HalfKP, whose sizes can be equal; no other kinds share a size.
    pub(crate) fn recognize(
        body: u64,
        description: &[u8],
        named: Option<Kind>,
    ) -> Result<Architecture, usize> {
        let described = Architecture::described(description);
        let mut fitting = Architecture::of_body_size(body);
        fitting.retain(|shape| match shape.kind {
            Kind::KA2 => named == Some(Kind::KA2),
            Kind::ZoneKa1 => {
                named == Some(Kind::ZoneKa1)
                    && described.is_none_or(|described| described == *shape)
            }
            _ => !matches!(named, Some(Kind::KA2 | Kind::ZoneKa1)),
        });
        if let [only] = fitting[..] {
            return Ok(only);
        }
        if let Some(described) = described.filter(|described| fitting.contains(described)) {
            return Ok(described);
        }
        let published =
            |shape: &&Architecture| Architecture::PUBLISHED.contains(&(shape.l2, shape.l3));
        let even = |shape: &&Architecture| shape.l2.is_multiple_of(8) && shape.l3.is_multiple_of(8);
        let one = |choose: &dyn Fn(&&Architecture) -> bool| {
            let mut chosen = fitting.iter().filter(choose);
            chosen.next().filter(|_| chosen.next().is_none()).copied()
        };
        one(&published).or_else(|| one(&even)).ok_or(fitting.len())
    }
}

/// The usual short form, `HalfKP 256x2-32-32`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x2-{}-{}", self.kind, self.l1, self.l2, self.l3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes and hashes as published for files in circulation.
    #[test]
    fn sizes_and_hashes_are_those_of_published_files() {
        let sizes = [
            (Kind::HalfKp, 128, 32, 32, 32_109_100),
            (Kind::HalfKp, 256, 32, 32, 64_216_876),
            (Kind::HalfKp, 512, 8, 64, 128_408_940),
            (Kind::HalfKp, 512, 8, 96, 128_410_124),
            (Kind::HalfKp, 512, 16, 32, 128_415_980),
            (Kind::HalfKp, 768, 16, 64, 192_624_524),
            (Kind::HalfKp, 1024, 8, 32, 256_814_284),
            (Kind::HalfKp, 1024, 8, 64, 256_815_468),
            (Kind::HalfKpVm, 256, 32, 32, 35_684_140),
            (Kind::Kp, 256, 32, 32, 893_917 - 177),
        ];
        for (kind, l1, l2, l3, size) in sizes {
            let shape = Architecture::new(kind, l1, l2, l3).unwrap();
            assert_eq!(shape.body_size(), size, "{shape}");
            // The size is enough, and a wrong description does no harm.
            let wrong = Architecture::standard(Kind::HalfKp).description();
            for description in [wrong.as_bytes(), b"", b"Features=HalfKP["] {
                assert_eq!(Architecture::recognize(size, description, None), Ok(shape), "{shape}");
            }
        }
        let hashes = Architecture::standard(Kind::HalfKp).hashes();
        let expected = Hashes { file: 0x3e5a_a6ee, transformer: 0x5d69_d7b8, network: 0x6333_7156 };
        assert_eq!(hashes, expected);
        let hashes = Architecture::standard(Kind::Kp).hashes();
        let expected = Hashes { file: 0x5c64_64a9, transformer: 0x3f57_15ff, network: 0x6333_7156 };
        assert_eq!(hashes, expected);
        assert_eq!(Architecture::standard(Kind::HalfKp).description().len(), 178);
        assert_eq!(Architecture::standard(Kind::Kp).description().len(), 165);
    }

    #[test]
    fn every_shape_is_recognized_by_size_and_description() {
        for kind in Kind::ALL {
            for l1 in Architecture::L1_WIDTHS {
                for (l2, l3) in [(1, 1), (7, 33), (8, 96), (32, 32), (64, 100), (256, 256)] {
                    let shape = Architecture::new(kind, l1, l2, l3).unwrap();
                    let description = shape.description();
                    assert_eq!(Architecture::described(description.as_bytes()), Some(shape));
                    let size = shape.body_size();
                    let found = Architecture::recognize(size, description.as_bytes(), Some(kind));
                    assert_eq!(found, Ok(shape));
                    // All other architectures of this size have the same transformer, except for
                    // kinds that only a name tells.
                    let by_name = [Kind::KA2, Kind::ZoneKa1];
                    for other in Architecture::of_body_size(size) {
                        if ![kind, other.kind].iter().any(|kind| by_name.contains(kind)) {
                            assert_eq!((other.kind, other.l1), (kind, l1));
                        }
                    }
                }
            }
        }
        assert_eq!(Architecture::of_body_size(0), []);
        assert_eq!(Architecture::of_body_size(u64::MAX), []);
        assert_eq!(Architecture::recognize(Architecture::SMALLEST_BODY - 1, b"", None), Err(0));
    }

    /// Another shape has as many bytes as K-P 256x2-32-32. Only a description names it.
    #[test]
    fn a_description_counts_in_any_encoding() {
        let usual = Architecture::standard(Kind::Kp);
        let size = usual.body_size();
        let other =
            *Architecture::of_body_size(size).iter().find(|&&shape| shape != usual).unwrap();
        for around in [&b""[..], b"\x90\x85\x8f\xa0 ", &[0xe6; 2000]] {
            let description = [other.description().as_bytes(), around].concat();
            assert_eq!(Architecture::recognize(size, &description, None), Ok(other));
            let description = [around, other.description().as_bytes()].concat();
            assert_eq!(Architecture::recognize(size, &description, None), Ok(other));
        }
        assert_eq!(Architecture::recognize(size, b"", None), Ok(usual));
    }

    /// Bytes that were added or cut off may leave the size of another shape.
    #[test]
    fn a_zone_network_has_the_shape_of_its_description() {
        let usual = Architecture::standard(Kind::ZoneKa1);
        let description = usual.description();
        let recognize =
            |size| Architecture::recognize(size, description.as_bytes(), Some(Kind::ZoneKa1));
        assert_eq!(recognize(usual.body_size()), Ok(usual));
        for (l2, l3) in [(30, 170), (48, 16), (24, 170), (12, 27)] {
            let other = Architecture::new(Kind::ZoneKa1, usual.l1, l2, l3).unwrap();
            assert_eq!(recognize(other.body_size()), Err(0), "{other}");
        }
    }

    #[test]
    fn nonsense_describes_nothing() {
        for text in [
            "",
            "Features=",
            "Features=HalfKP(Friend)",
            "Features=HalfKP(Friend)[125388->256x2]",
            "Features=HalfKPE9(Friend)[1128492->256x2],Network=AffineTransform[1<-32](\
             AffineTransform[32<-32](AffineTransform[32<-512]",
            "Features=K+P[1710->99999999999999999999x2],Network=AffineTransform[1<-32]",
            "Features=K+P[1710->256x2],Network=AffineTransform[1<-0](AffineTransform[0<-0]",
            "Features=K+P[x2]->",
        ] {
            assert_eq!(Architecture::described(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Architecture::described(b"\xff\xfe"), None);
    }
}

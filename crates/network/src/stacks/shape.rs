//! The shape of layer stacks, and how a file tells it.

use std::fmt;

use super::rule::StackRule;
use crate::affine::LayerShape;
use crate::kind::Kind;

/// The shape of a network with layer stacks (SFNN): its inputs, the widths of its layers and the
/// number of stacks.
///
/// The values of each view are multiplied in pairs, so that half of them are left. Of the second
/// layer's values, squares and limited values both go on. If the second layer has one less than a
/// multiple of eight, an additional output of its is added to the result: the shortcut.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StackArchitecture {
    pub(super) kind: Kind,
    pub(super) width: usize,
    pub(super) l2: usize,
    pub(super) l3: usize,
    pub(super) stacks: usize,
    pub(super) shards: Option<Shards>,
}

/// Groups of the second layer's outputs that use some of the inputs only: those below `common`,
/// and a part of their own behind them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shards {
    pub(super) common: usize,
    pub(super) width: usize,
    pub(super) count: usize,
}

impl Shards {
    /// The inputs of a group that are not common ones.
    pub(super) fn inputs(self, outputs: usize, output: usize) -> std::ops::Range<usize> {
        let first = self.common + output / (outputs / self.count) * self.width;
        first..first + self.width
    }
}

/// The hash before each stack. It is the same for all shapes.
pub(super) const HASH: u32 = 0x6333_718a;

impl StackArchitecture {
    /// The greatest width of the transformer.
    pub const MAX_WIDTH: usize = 4096;
    /// The greatest width of the second and third layer.
    pub(super) const MAX_HIDDEN: usize = 256;

    /// A shape; `None` if no file can have it: the width of the transformer is a multiple of 128 up
    /// to [`StackArchitecture::MAX_WIDTH`], that of the second layer a multiple of eight or one less,
    /// and no width is above 256.
    pub fn new(
        kind: Kind,
        width: usize,
        l2: usize,
        l3: usize,
        stacks: usize,
    ) -> Option<StackArchitecture> {
        let hidden = 1..=StackArchitecture::MAX_HIDDEN;
        (StackArchitecture::is_width(width)
            && hidden.contains(&l2)
            && matches!(l2 % 8, 0 | 7)
            && hidden.contains(&l3)
            && stacks > 0)
            .then_some(StackArchitecture { kind, width, l2, l3, stacks, shards: None })
    }

    /// Whether the transformer can have so many values.
    pub(crate) fn is_width(width: usize) -> bool {
        width.is_multiple_of(128) && (128..=StackArchitecture::MAX_WIDTH).contains(&width)
    }

    /// The kind of the inputs.
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// Number of values that the transformer computes for each of the two views.
    pub const fn width(self) -> usize {
        self.width
    }

    /// Number of values of the second layer, without the shortcut.
    pub const fn l2(self) -> usize {
        self.l2
    }

    /// Number of values of the third layer.
    pub const fn l3(self) -> usize {
        self.l3
    }

    /// Number of stacks.
    pub const fn stacks(self) -> usize {
        self.stacks
    }

    /// Whether the second layer has an additional output that is added to the result.
    pub const fn has_shortcut(self) -> bool {
        self.l2 % 8 == 7
    }

    /// The layers of each stack, in their order. The inputs of the first one are the products of
    /// both views.
    pub const fn layers(self) -> [LayerShape; 3] {
        let StackArchitecture { width, l2, l3, .. } = self;
        [
            LayerShape { inputs: width, outputs: l2 + self.has_shortcut() as usize },
            LayerShape { inputs: 2 * l2, outputs: l3 },
            LayerShape { inputs: l3, outputs: 1 },
        ]
    }

    /// Number of bytes of a stack in a file.
    pub(crate) const fn stack_size(self) -> usize {
        let [first, second, last] = self.layers();
        4 + first.bytes() + second.bytes() + last.bytes()
    }

    /// The shape of a file whose stacks have the given bytes. Each stack begins with the same hash,
    /// so the size of a stack is known. If several shapes have stacks of this size, the description
    /// decides, then the shapes with a shortcut, then usual widths. The error is the number of
    /// shapes that remain.
    pub(super) fn recognize(
        kind: Kind,
        width: usize,
        bytes: &[u8],
        described: &Described,
    ) -> Result<StackArchitecture, usize> {
        if bytes.is_empty() {
            return Err(0);
        }
        let number = |place: usize| bytes.get(place..place + 4);
        let is_fitting = |shape: &StackArchitecture| {
            let size = shape.stack_size();
            bytes.len().is_multiple_of(size)
                && (0..bytes.len()).step_by(size).all(|place| number(place) == number(0))
        };
        let hidden = || 1..=StackArchitecture::MAX_HIDDEN;
        let shapes = hidden().flat_map(|l2| hidden().map(move |l3| (l2, l3)));
        let shapes = shapes.filter_map(|(l2, l3)| StackArchitecture::new(kind, width, l2, l3, 1));
        let mut fitting: Vec<StackArchitecture> = shapes.filter(is_fitting).collect();
        // Several stacks together may look like a large one.
        let least = fitting.iter().map(|shape| shape.stack_size()).min().unwrap_or(1);
        fitting.retain(|shape| shape.stack_size() == least);
        let found = if let [only] = fitting[..] {
            Some(only)
        } else {
            let one = |choose: &dyn Fn(&StackArchitecture) -> bool| {
                let mut chosen = fitting.iter().filter(|shape| choose(shape));
                chosen.next().filter(|_| chosen.next().is_none()).copied()
            };
            let shortcut = |shape: &StackArchitecture| shape.has_shortcut();
            one(&|shape| described.widths == Some([width, shape.l2, shape.l3]))
                .or_else(|| one(&shortcut))
                .or_else(|| one(&|shape| shortcut(shape) && shape.l3.is_multiple_of(32)))
        };
        let shape = found.ok_or(fitting.len())?;
        let outputs = shape.layers()[0].outputs;
        let shards = described.shards.filter(|shards| {
            let inputs = shards.width.checked_mul(shards.count);
            shards.count > 0
                && outputs.is_multiple_of(shards.count)
                && inputs
                    .and_then(|inputs| inputs.checked_add(shards.common))
                    .is_some_and(|used| used <= width)
        });
        if shards != described.shards {
            return Err(0);
        }
        Ok(StackArchitecture { stacks: bytes.len() / least, shards, ..shape })
    }
}

/// The usual short form, `SFNN HalfKA_hm2 1536-15-32`.
impl fmt::Display for StackArchitecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SFNN {} {}-{}-{}", self.kind, self.width, self.l2, self.l3)?;
        match self.shards {
            Some(Shards { common, width, count }) => write!(f, " c{common}_s{width}x{count}"),
            None => Ok(()),
        }
    }
}

/// What a description says of layer stacks, right or wrong.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Described {
    pub(super) widths: Option<[usize; 3]>,
    pub(super) shards: Option<Shards>,
    /// The names of rules, joined as they are in the name of a rule; empty if there are none.
    pub(super) rule: String,
    /// The rule for which the name of the shape stands.
    pub(super) meant: Option<StackRule>,
}

impl Described {
    /// `Network=SFNN_HALFKA2_768_8_64_HAND4_K3K3_PROGRESS3{LayerStack=108}` says all. The name
    /// `SFNN-1536` only stands for a shape and its rule, so it counts less.
    pub(super) fn new(description: &[u8]) -> Described {
        let text = String::from_utf8_lossy(description).to_ascii_lowercase();
        let Some((_, name)) = text.split_once("network=") else { return Described::default() };
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')));
        let name = name[..end.unwrap_or(name.len())].replace('-', "_");
        if name == "sfnn_1536" {
            let (widths, meant) = (Some([1536, 15, 32]), Some(StackRule::USUAL));
            return Described { widths, meant, ..Described::default() };
        }
        let parts: Vec<&str> = name.split('_').collect();
        let widths = parts.array_windows().find_map(|parts: &[&str; 3]| {
            let [width, l2, l3] = parts.map(|part| part.trim_end_matches("x2").parse().ok());
            Some([width?, l2?, l3?])
        });
        let number = |part: &str, letter: char| part.strip_prefix(letter)?.parse::<usize>().ok();
        let shards = parts.array_windows().find_map(|[common, own]: &[&str; 2]| {
            let (width, count) = own.split_once('x')?;
            Some(Shards {
                common: number(common, 'c')?,
                width: number(width, 's')?,
                count: count.parse().ok()?,
            })
        });
        let digit = |c: char| c.is_ascii_digit();
        let is_rule = |part: &&&str| {
            let kings = part.strip_prefix('k').is_some_and(|rest| rest.starts_with(digit));
            kings || part.starts_with("hand") || part.starts_with("progress")
        };
        let rule: Vec<&str> = parts.iter().filter(is_rule).copied().collect();
        Described { widths, shards, rule: rule.join("_"), meant: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(name: &str) -> Described {
        let text = format!(
            "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],\
             Network={name}{{LayerStack=9}}"
        );
        Described::new(text.as_bytes())
    }

    #[test]
    fn descriptions_name_shapes_and_rules() {
        let is = |name, widths, rule: &str| {
            assert_eq!(
                described(name),
                Described { widths, rule: rule.to_owned(), ..Described::default() },
                "{name}"
            );
        };
        let usual = described("SFNN-1536");
        assert_eq!((usual.widths, usual.meant), (Some([1536, 15, 32]), Some(StackRule::USUAL)));
        is(
            "SFNN_HALFKA2_768_8_64_HAND4_K3K3_PROGRESS3",
            Some([768, 8, 64]),
            "hand4_k3k3_progress3",
        );
        is("SFNN_KA2_512_7_64_HAND16_K9K9Z", Some([512, 7, 64]), "hand16_k9k9z");
        is("SFNN_HALFKAHM2_1024_15_64_LS9", Some([1024, 15, 64]), "");
        is("SFNN_HALFKAHM2_1024_15_64_K4K4", Some([1024, 15, 64]), "k4k4");
        is("AffineTransform[1<-32]", None, "");
        assert_eq!(Described::new(b"\xff Network="), Described::default());
        let shards = Some(Shards { common: 256, width: 64, count: 4 });
        assert_eq!(described("SFNN_KA2_512_7_64_C256_S64X4_K3K3").shards, shards);
    }

    #[test]
    fn shapes_are_known_by_the_distance_of_hashes() {
        let none = Described::default();
        for (width, l2, l3, stacks) in [
            (1536, 15, 32, 9),
            (1024, 15, 64, 9),
            (2304, 15, 64, 9),
            (128, 31, 96, 3),
            (512, 7, 64, 1),
        ] {
            let shape = StackArchitecture::new(Kind::HalfKaHm2, width, l2, l3, stacks).unwrap();
            let size = shape.stack_size();
            let mut bytes = vec![1; stacks * size];
            for stack in bytes.chunks_exact_mut(size) {
                stack[..4].copy_from_slice(&HASH.to_le_bytes());
            }
            let found = StackArchitecture::recognize(shape.kind, width, &bytes, &none);
            assert_eq!(found, Ok(shape));
            let short = &bytes[..bytes.len() - 1];
            assert_eq!(StackArchitecture::recognize(shape.kind, width, short, &none), Err(0));
            // Sizes do not tell whether there is a shortcut.
            let other = Described { widths: Some([width, l2 + 1, l3]), ..none.clone() };
            let found = StackArchitecture::recognize(shape.kind, width, &bytes, &other).unwrap();
            assert_eq!((found.l2, found.has_shortcut()), (l2 + 1, false));
        }
        assert_eq!(StackArchitecture::recognize(Kind::Kp, 128, &[], &none), Err(0));
        assert!(StackArchitecture::new(Kind::Kp, 192, 15, 32, 9).is_none());
        assert!(StackArchitecture::new(Kind::Kp, 128, 9, 32, 9).is_none());
        let published = StackArchitecture::new(Kind::HalfKaHm2, 1536, 15, 32, 9).unwrap();
        // The distance of two hashes in a file of 112,852,993 bytes.
        assert_eq!(published.stack_size(), (112_852_993 - 112_620_505) / 9);
    }
}

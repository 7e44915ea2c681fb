//! The families of networks: to which one a file belongs, so that none is taken for another.
//!
//! The size of a file alone cannot tell, because compressed numbers can have any size. So what a
//! file says of itself is looked at first. A file that says nothing is dense. The hashes in it need
//! not be those of its shape: some trainers write those of another shape, or 0.

use crate::kind::Kind;

/// The first four bytes of every file that is written here, as a little-endian number.
pub(crate) const VERSION: u32 = 0x7af3_2f16;

/// Versions in files of layer stacks that are otherwise alike.
const OTHER_VERSIONS: [u32; 2] = [0x7af3_2f20, 0x7af3_2f21];

/// How many bytes after the description are looked at.
pub(crate) const LOOKED_AT: usize = 64;

/// What stands before numbers that are compressed.
pub(crate) const COMPRESSED: &[u8; 17] = b"COMPRESSED_LEB128";

/// The hash of the file, and that of the transformer, in files of layer stacks of any shape. The
/// second one of the file means that weights of the progress are in it.
pub(crate) const STACKS: ([u32; 2], u32) = ([0x3c20_3b32, 0x5370_697d], 0x5f13_4ab8);

/// Words of descriptions, in small letters, that stand for another arithmetic or further sections
/// in files of any family.
const FOREIGN_WORDS: [(&str, &str); 6] = [
    ("screlu", "SCReLU"),
    ("psqt=", "PSQT"),
    ("threat=", "Threat"),
    ("effectbucket=", "EffectBucket"),
    ("handcountdense=", "HandCountDense"),
    ("factorizer", "Factorizer"),
];

/// Words of descriptions, in small letters, that stand for another arithmetic than the dense one.
const STACK_WORDS: [(&str, &str); 4] = [
    ("sfnn", UNCOMPRESSED),
    ("layerstack", UNCOMPRESSED),
    ("sqrclippedrelu", UNCOMPRESSED),
    ("pairwise", "Pairwise"),
];

pub(crate) const UNCOMPRESSED: &str = "SFNN without compression";

/// Inputs that are looked for in descriptions without a field for them.
const FOREIGN_INPUTS: [&str; 2] = ["HalfKPE4", "HalfKPE9"];

/// What a file says of its family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    /// Three layers behind the transformer, all numbers uncompressed. The kind of inputs is the
    /// one that the file names.
    Dense(Option<Kind>),
    /// Layer stacks behind the transformer, whose numbers are compressed.
    Stacks {
        /// Whether the number of stacks stands before the hash of the transformer.
        counted: bool,
    },
    /// Another one, by its usual name.
    Foreign(String),
    /// Layer stacks without compression, or HalfKA1 with 768 values if the size is right: their hashes
    /// are the same, and no description names the inputs.
    Undescribed,
}

/// Whether files with this version may be networks, of any family.
pub(crate) fn is_version(version: u32) -> bool {
    version == VERSION || OTHER_VERSIONS.contains(&version)
}

/// The family of a file. `hash` is that in the header, `body` the first bytes after the
/// description.
pub(crate) fn family(description: &[u8], hash: u32, body: &[u8]) -> Family {
    let text = String::from_utf8_lossy(description);
    // A trainer of dense networks writes this of each of them.
    let small = text.to_ascii_lowercase().replace("pairwise=false", "");
    let word_of = |words: &[(&str, &str)]| {
        let word = words.iter().find(|(word, _)| small.contains(word));
        word.map(|(_, family)| Family::Foreign((*family).to_owned()))
    };
    if let Some(foreign) = word_of(&FOREIGN_WORDS) {
        return foreign;
    }
    let marker = body.windows(COMPRESSED.len()).position(|bytes| bytes == COMPRESSED);
    match marker {
        Some(4) => return Family::Stacks { counted: false },
        Some(8) => return Family::Stacks { counted: true },
        Some(_) => return Family::Foreign("SFNN with other sections".to_owned()),
        None => {}
    }
    if let Some(foreign) = word_of(&STACK_WORDS) {
        return foreign;
    }
    let described = input_name(&text).map(|name| (name, Kind::named(name)));
    if let Some((name, None)) = described {
        return Family::Foreign(name.replace("(Friend)", ""));
    }
    let small_named = |name: &&&str| small.contains(&name.to_ascii_lowercase());
    if described.is_none()
        && let Some(name) = FOREIGN_INPUTS.iter().find(small_named)
    {
        return Family::Foreign((*name).to_owned());
    }
    let described = described.and_then(|(_, kind)| kind);
    let Some(transformer) = body.first_chunk().map(|bytes| u32::from_le_bytes(*bytes)) else {
        return Family::Dense(described);
    };
    // These are also hashes of HalfKA1 with 768 values.
    let is_hashed = STACKS.0.contains(&hash) || STACKS.1 == transformer;
    if is_hashed && described != Some(Kind::HalfKa1) {
        return match described {
            None if STACKS.1 == transformer => Family::Undescribed,
            _ => Family::Foreign(UNCOMPRESSED.to_owned()),
        };
    }
    // Widths change only the lower half of the hash. Some trainers describe every network as HalfKP,
    // so the hash of other inputs counts more.
    let hashed = Kind::ALL.into_iter().find(|kind| kind.hash() >> 16 == transformer >> 16);
    Family::Dense(hashed.or(described))
}

/// The name of the inputs in a description: `HalfKP(Friend)` in `Features=HalfKP(Friend)[125388->`.
pub(crate) fn input_name(description: &str) -> Option<&str> {
    let rest = description.split_once("Features=")?.1;
    let end = rest.find(|c: char| "[],;{}\"".contains(c) || c.is_whitespace() || c.is_control());
    Some(&rest[..end.unwrap_or(rest.len())]).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Architecture;

    const NOTHING: [u8; LOOKED_AT] = [0; LOOKED_AT];

    /// The description of layer stacks as its makers write it.
    const STACKS_1536: &str = "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],\
                               Network=SFNN-1536{LayerStack=9}";

    fn foreign(name: &str) -> Family {
        Family::Foreign(name.to_owned())
    }

    #[track_caller]
    fn is(description: &str, expected: Family) {
        assert_eq!(family(description.as_bytes(), 0, &NOTHING), expected, "{description}");
    }

    #[test]
    fn other_families_are_known_by_the_description() {
        let dense = ",Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](\
                     ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";
        for (features, name) in [
            ("HalfKPE9(Friend)[1128492->256x2]", "HalfKPE9"),
            ("HalfKP(Enemy)[125388->256x2]", "HalfKP(Enemy)"),
            ("KPP[1->256x2]", "KPP"),
            ("P[1548->256x2]", "P"),
            (
                "HalfKP(Friend)+KingSafety_DistinguishGolds(Friend)[190548->512x2]",
                "HalfKP+KingSafety_DistinguishGolds",
            ),
        ] {
            is(&format!("Features={features}{dense}"), foreign(name));
        }
        is(STACKS_1536, foreign(UNCOMPRESSED));
        is(
            "Features=HalfKP(Friend)[125388->1536x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
            AffineTransform[32<-30](SqrClippedReLU[30](AffineTransform[16<-3072]",
            foreign(UNCOMPRESSED),
        );
        is(
            "Features=HalfKP[125388->256x2]-LayerStack,fv_scale=16,l0=256,l1=16",
            foreign(UNCOMPRESSED),
        );
        is("Features=HalfKP[125388->256x2]-SCReLU,fv_scale=20,qa=127", foreign("SCReLU"));
        is("Features=HalfKP[125388->512/2x2]-Pairwise,fv_scale=13", foreign("Pairwise"));
        is("Features=HalfKP(Friend)[342108->256x2],Threat=216720,", foreign("Threat"));
        is("a small HalfKPE9 network", foreign("HalfKPE9"));
    }

    /// As the trainers that are in use write them, and what says nothing.
    #[test]
    fn networks_of_all_trainers_are_ours() {
        for kind in Kind::ALL {
            is(&Architecture::standard(kind).description(), Family::Dense(Some(kind)));
        }
        for (description, kind) in [
            (
                "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-256](ClippedReLU[256]",
                Some(Kind::HalfKp),
            ),
            (
                "Features=HalfKP[125388->256x2],fv_scale=16,qa=127,qb=64,scale=508",
                Some(Kind::HalfKp),
            ),
            (
                "Features=halfkp[125388->512x2],fv_scale=16,l1_input=1024,l2=8,l3=96,qa=127,qb=64,\
                 scale=508,pairwise=false",
                Some(Kind::HalfKp),
            ),
            ("Features=HalfKP^[125388->256x2]", Some(Kind::HalfKp)),
            (
                "Features=K-P(Friend)[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
                 AffineTransform[32<-32](ClippedReLU[32](AffineTransformSparseInput[32<-512]",
                Some(Kind::Kp),
            ),
            ("Features=K(Friend)+P(Friend)[1710->256x2]", Some(Kind::Kp)),
            ("Features=HalfKaHmMerged^[73305->512x2]", Some(Kind::HalfKaHm2)),
            ("Features=", None),
            ("Features=[125388->256x2]", None),
            ("", None),
            ("a network of mine", None),
        ] {
            is(description, Family::Dense(kind));
        }
        assert_eq!(family(b"\xff\xfe\0", 0, &NOTHING), Family::Dense(None));
        assert_eq!(family(b"", 0, &[]), Family::Dense(None));
    }

    #[test]
    fn compressed_numbers_and_hashes_are_known_without_a_description() {
        for place in [0, 4, 8, LOOKED_AT - COMPRESSED.len()] {
            let mut body = NOTHING;
            body[place..place + COMPRESSED.len()].copy_from_slice(COMPRESSED);
            let expected = match place {
                4 => Family::Stacks { counted: false },
                8 => Family::Stacks { counted: true },
                _ => foreign("SFNN with other sections"),
            };
            assert_eq!(family(b"", 0, &body), expected);
            assert_eq!(family(STACKS_1536.as_bytes(), 0, &body), expected);
            // Sections that are not known may follow.
            let threats = format!("{STACKS_1536},Threat=1");
            assert_eq!(family(threats.as_bytes(), 0, &body), foreign("Threat"));
        }
        for hash in STACKS.0 {
            assert_eq!(family(b"", hash, &NOTHING), foreign(UNCOMPRESSED));
        }
        let body = STACKS.1.to_le_bytes();
        assert_eq!(family(b"Features=HalfKA_hm2", 0, &body), foreign(UNCOMPRESSED));
        // Without a description, both families are possible.
        assert_eq!(family(b"", 0, &body), Family::Undescribed);
        assert_eq!(family(b"Features=HalfKA1", 0, &body), Family::Dense(Some(Kind::HalfKa1)));
        // Hashes of inputs for all widths of layers in use. Some trainers describe every network
        // as HalfKP.
        for kind in Kind::ALL {
            for l1 in [128, 256, 384, 512, 1024, 1536, 4096] {
                let body = (kind.hash() ^ (2 * l1)).to_le_bytes();
                for description in ["", "Features=HalfKP(Friend)[125388->256x2]"] {
                    let found = family(description.as_bytes(), 0, &body);
                    assert_eq!(found, Family::Dense(Some(kind)), "{l1}");
                }
            }
        }
    }

    #[test]
    fn no_dense_shape_has_the_hashes_of_others() {
        for kind in Kind::ALL {
            for l1 in Architecture::L1_WIDTHS {
                for l2 in 1..=Architecture::MAX_WIDTH {
                    for l3 in 1..=Architecture::MAX_WIDTH {
                        let shape = Architecture::new(kind, l1, l2, l3).unwrap();
                        let hashes = shape.hashes();
                        let body = hashes.transformer.to_le_bytes();
                        let description = match hashes.transformer == STACKS.1 {
                            true => shape.description(),
                            false => String::new(),
                        };
                        let found = family(description.as_bytes(), hashes.file, &body);
                        assert_eq!(found, Family::Dense(Some(kind)), "{kind} {l1} {l2} {l3}");
                        if !description.is_empty() {
                            assert_eq!(family(b"", hashes.file, &body), Family::Undescribed);
                        }
                    }
                }
            }
        }
    }
}

//! Other families of networks: how their files are known, so that none is taken for one of ours.
//!
//! The size of a file alone cannot tell, because compressed numbers can have any size. So what a
//! file says of itself is looked at first. A file that says nothing is not foreign. The hashes in
//! it need not be those of its shape: some trainers write those of another shape, or 0.

use crate::architecture::{Kind, VERSION};

/// Versions in files of layer stacks that are otherwise alike.
const OTHER_VERSIONS: [u32; 2] = [0x7af3_2f20, 0x7af3_2f21];

/// How many bytes after the description are looked at.
pub(crate) const LOOKED_AT: usize = 64;

/// What stands before numbers that are compressed.
const COMPRESSED: &[u8] = b"COMPRESSED_LEB128";

/// The hash of the file, and that of the transformer, in files of layer stacks of any shape.
const STACKS: ([u32; 2], u32) = ([0x3c20_3b32, 0x5370_697d], 0x5f13_4ab8);

/// Words of descriptions, in small letters, that stand for another arithmetic or further sections.
const WORDS: [(&str, &str); 10] = [
    ("sfnn", "SFNN"),
    ("layerstack", "SFNN"),
    ("sqrclippedrelu", "SFNN"),
    ("screlu", "SCReLU"),
    ("pairwise", "Pairwise"),
    ("psqt=", "PSQT"),
    ("threat=", "Threat"),
    ("effectbucket=", "EffectBucket"),
    ("handcountdense=", "HandCountDense"),
    ("factorizer", "Factorizer"),
];

/// Inputs that are looked for in descriptions without a field for them.
const INPUTS: [&str; 4] = ["HalfKA", "HalfKP_vm", "HalfKPE4", "HalfKPE9"];

/// The upper half of the transformer's hash for other inputs. Widths change only the lower half.
const HASHES: [(u32, &str); 6] = [
    (0x0b6b, "HalfKP_vm"),
    (0x5f13, "HalfKA1"),
    (0x5f23, "HalfKA2"),
    (0x7f13, "HalfKA_hm1"),
    (0x7f23, "HalfKA_hm2"),
    (0x97d5, "K+A2"),
];

/// Whether files with this version may be networks, of any family.
pub(crate) fn is_version(version: u32) -> bool {
    version == VERSION || OTHER_VERSIONS.contains(&version)
}

/// The usual name of the family of a file, if the file says that it belongs to another one than
/// ours. `hash` is that in the header, `body` the first bytes after the description.
pub(crate) fn foreign(description: &[u8], hash: u32, body: &[u8]) -> Option<String> {
    if body.windows(COMPRESSED.len()).any(|bytes| bytes == COMPRESSED) {
        return Some("SFNN".to_owned());
    }
    let text = String::from_utf8_lossy(description);
    // A trainer of dense networks writes this of each of them.
    let small = text.to_ascii_lowercase().replace("pairwise=false", "");
    let word = WORDS.iter().find(|(word, _)| small.contains(word));
    if let Some((_, family)) = word {
        return Some((*family).to_owned());
    }
    match input_name(&text) {
        Some(name) if Kind::named(name).is_some() => {}
        Some(name) => return Some(name.replace("(Friend)", "")),
        None => {
            let named = INPUTS.iter().find(|name| small.contains(&name.to_ascii_lowercase()));
            if let Some(name) = named {
                return Some((*name).to_owned());
            }
        }
    }
    let transformer = body.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
    if STACKS.0.contains(&hash) || STACKS.1 == transformer {
        return Some("SFNN".to_owned());
    }
    let inputs = HASHES.iter().find(|(upper, _)| *upper == transformer >> 16);
    inputs.map(|(_, name)| (*name).to_owned())
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

    #[track_caller]
    fn is(description: &str, family: Option<&str>) {
        assert_eq!(
            foreign(description.as_bytes(), 0, &NOTHING).as_deref(),
            family,
            "{description}"
        );
    }

    #[test]
    fn other_families_are_known_by_the_description() {
        let dense = ",Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](\
                     ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";
        for (features, family) in [
            ("HalfKP_vm(Friend)[69660->256x2]", "HalfKP_vm"),
            ("HalfKPE9(Friend)[1128492->256x2]", "HalfKPE9"),
            ("HalfKA1(Friend)[138510->256x2]", "HalfKA1"),
            ("HalfKA_hm2(Friend)[73305->256x2]", "HalfKA_hm2"),
            ("HalfKA_hm^[73305->512x2]", "HalfKA_hm^"),
            ("HalfKaHmMerged^[73305->512x2]", "HalfKaHmMerged^"),
            ("HalfKP(Enemy)[125388->256x2]", "HalfKP(Enemy)"),
            ("K+A2[1791->256x2]", "K+A2"),
            ("KPP[1->256x2]", "KPP"),
            ("P[1548->256x2]", "P"),
            (
                "HalfKP(Friend)+KingSafety_DistinguishGolds(Friend)[190548->512x2]",
                "HalfKP+KingSafety_DistinguishGolds",
            ),
        ] {
            is(&format!("Features={features}{dense}"), Some(family));
        }
        is(STACKS_1536, Some("SFNN"));
        is(
            "Features=HalfKP(Friend)[125388->1536x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
            AffineTransform[32<-30](SqrClippedReLU[30](AffineTransform[16<-3072]",
            Some("SFNN"),
        );
        is("Features=HalfKP[125388->256x2]-LayerStack,fv_scale=16,l0=256,l1=16", Some("SFNN"));
        is("Features=HalfKP[125388->256x2]-SCReLU,fv_scale=20,qa=127", Some("SCReLU"));
        is("Features=HalfKP[125388->512/2x2]-Pairwise,fv_scale=13", Some("Pairwise"));
        is("Features=HalfKP(Friend)[342108->256x2],Threat=216720,", Some("Threat"));
        is("a small HalfKA network", Some("HalfKA"));
    }

    /// As the trainers that are in use write them, and what says nothing.
    #[test]
    fn networks_of_all_trainers_are_ours() {
        for kind in Kind::ALL {
            is(&Architecture::standard(kind).description(), None);
        }
        for description in [
            "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-256](ClippedReLU[256]",
            "Features=HalfKP(Friend)[41024->256x2],Network=AffineTransform[1<-32](ClippedReLU[32]",
            "Features=HalfKP[125388->256x2],fv_scale=16,qa=127,qb=64,scale=508",
            "Features=halfkp[125388->512x2],fv_scale=16,l1_input=1024,l2=8,l3=96,qa=127,qb=64,\
             scale=508,pairwise=false",
            "Features=HalfKP^[125388->256x2]",
            "Features=K-P(Friend)[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
             AffineTransform[32<-32](ClippedReLU[32](AffineTransformSparseInput[32<-512]",
            "Features=K(Friend)+P(Friend)[1710->256x2]",
            "Features=",
            "Features=[125388->256x2]",
            "",
            "a network of mine",
        ] {
            is(description, None);
        }
        assert_eq!(foreign(b"\xff\xfe\0", 0, &NOTHING), None);
        assert_eq!(foreign(b"", 0, &[]), None);
    }

    #[test]
    fn compressed_numbers_and_hashes_are_known_without_a_description() {
        for place in [0, 4, 8, LOOKED_AT - COMPRESSED.len()] {
            let mut body = NOTHING;
            body[place..place + COMPRESSED.len()].copy_from_slice(COMPRESSED);
            assert_eq!(foreign(b"", 0, &body).as_deref(), Some("SFNN"));
            assert_eq!(foreign(STACKS_1536.as_bytes(), 0, &body).as_deref(), Some("SFNN"));
        }
        for hash in STACKS.0 {
            assert_eq!(foreign(b"", hash, &NOTHING).as_deref(), Some("SFNN"));
        }
        // Hashes of inputs as the makers define them, for the widths of layers in use.
        for (inputs, family) in [
            (0x0b6b_1d9a_u32, "HalfKP_vm"),
            (0x7f23_4cb8, "HalfKA_hm2"),
            (0x7f13_4cb8, "HalfKA_hm1"),
            (0x5f23_4cb8, "HalfKA2"),
            (0x5f13_4cb8, "HalfKA1"),
            (0xd3ce_e169 ^ 0xa20d_cb9b_u32.rotate_left(1), "K+A2"),
        ] {
            for l1 in [128, 256, 384, 512, 1024, 1536, 4096] {
                let body = (inputs ^ (2 * l1)).to_le_bytes();
                // Some trainers describe every network as HalfKP.
                for description in ["", "Features=HalfKP(Friend)[125388->256x2]"] {
                    let found = foreign(description.as_bytes(), 0, &body);
                    assert_eq!(found.as_deref(), Some(family), "{l1}");
                }
            }
        }
        let body = STACKS.1.to_le_bytes();
        assert_eq!(foreign(b"", 0, &body).as_deref(), Some("SFNN"));
    }

    #[test]
    fn no_shape_of_ours_has_the_hashes_of_others() {
        for kind in Kind::ALL {
            for l1 in Architecture::L1_WIDTHS {
                for l2 in 1..=Architecture::MAX_WIDTH {
                    for l3 in 1..=Architecture::MAX_WIDTH {
                        let hashes = Architecture::new(kind, l1, l2, l3).unwrap().hashes();
                        let body = hashes.transformer.to_le_bytes();
                        assert_eq!(foreign(b"", hashes.file, &body), None, "{kind} {l1} {l2} {l3}");
                    }
                }
            }
        }
    }
}

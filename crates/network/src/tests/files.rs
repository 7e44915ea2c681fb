//! Tests of files that are not networks, and of networks that are written and read again.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use tsumero_core::Position;

use super::formula::{VECTORS, WIDTHS};
use crate::input::Input;
use crate::{Architecture, Kind, Network, NetworkError, Parameters};

/// A folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("tsumero-network-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    let folder = Folder::new("written");
    let path = folder.0.join("nn.bin");
    let parameters = VECTORS[3].parameters();
    parameters.write(&mut fs::File::create(&path).unwrap()).unwrap();
    let read = Network::read(&path).unwrap();
    let made = Network::from_parameters(&parameters).unwrap();
    let position = Position::startpos();
    assert_eq!(read.evaluate_from_scratch(&position), -12508);
    assert_eq!(made.evaluate_from_scratch(&position), -12508);
    assert_eq!(format!("{read:?}"), "Network(K-P 256x2-8-96)");
    assert_eq!(Parameters::from_bytes(&fs::read(&path).unwrap()), Ok(parameters));
}

#[test]
fn arrays_of_wrong_lengths_are_not_written() {
    let changes: [fn(&mut Parameters); 5] = [
        |parameters| parameters.transformer_biases.truncate(255),
        |parameters| parameters.transformer_weights.push(0),
        |parameters| parameters.layers[0].weights.clear(),
        |parameters| parameters.layers[1].biases.push(0),
        |parameters| parameters.layers[2].biases.clear(),
    ];
    for change in changes {
        let mut parameters = Parameters::zeros(Architecture::standard(Kind::Kp));
        change(&mut parameters);
        let error = parameters.write(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        let error = Network::from_parameters(&parameters).unwrap_err();
        assert_eq!(error, NetworkError::Lengths(parameters.architecture()));
    }
}

#[test]
fn files_that_are_no_network_are_refused_in_one_line() {
    let folder = Folder::new("refused");
    let whole = VECTORS[2].file();
    let foreign: &[(&str, Vec<u8>, &str)] = &[
        ("empty", vec![], "found 0 bytes, expected a network file of"),
        ("short", whole[..11].to_vec(), "found 11 bytes"),
        ("text", b"This is no network.".to_vec(), "found version 0x73696854"),
        ("header", whole[..100].to_vec(), "found a description of 165 bytes in a file of 100"),
        (
            "truncated",
            whole[..whole.len() - 1].to_vec(),
            "found 893916 bytes described as \"Features=K+P[1710->256x2],",
        ),
        ("oversized", [&whole[..], b"x"].concat(), "expected 893917 bytes for K-P 256x2-32-32"),
    ];
    for (name, bytes, expected) in foreign {
        let path = folder.0.join(name);
        fs::write(&path, bytes).unwrap();
        let line = Network::read(&path).unwrap_err().to_string();
        assert!(line.contains(expected), "{name}: {line}");
        assert!(line.is_ascii() && !line.contains('\n'));
        assert_eq!(Network::from_bytes(bytes).unwrap_err().to_string(), line);
        assert_eq!(Parameters::from_bytes(bytes).unwrap_err().to_string(), line);
    }
    let missing = Network::read(folder.0.join("missing")).unwrap_err();
    assert_eq!(missing, NetworkError::Unreadable(io::ErrorKind::NotFound));
    assert_eq!(Network::read(&folder.0).unwrap_err(), NetworkError::NoFile);
}

/// The description of layer stacks as their makers write it.
const STACKS: &str = "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],\
                      Network=SFNN-1536{LayerStack=9}";

/// The first bytes of a file of layer stacks, up to the compressed weights: the biases come first,
/// in the shortest form that holds each number.
fn beginning_of_stacks(version: u32, description: &str, stacks: Option<u32>) -> Vec<u8> {
    let mut numbers = Vec::new();
    for bias in (0..1536).map(|number: i32| (number * 7919) % 900 - 450) {
        match bias {
            -64..64 => numbers.push(bias as u8 & 0x7f),
            _ => numbers.extend([bias as u8 | 0x80, (bias >> 7) as u8 & 0x7f]),
        }
    }
    let mut file = Vec::new();
    for number in [version, 0x3c20_3b32, description.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(description.as_bytes());
    file.extend(stacks.into_iter().flat_map(u32::to_le_bytes));
    file.extend(0x5f13_4ab8_u32.to_le_bytes());
    for block in [&numbers[..], &[0; 100]] {
        file.extend(b"COMPRESSED_LEB128");
        file.extend((block.len() as u32).to_le_bytes());
        file.extend(block);
    }
    file
}

/// The line on a file that begins with some bytes and is zeros from there on.
#[track_caller]
fn refusal(beginning: &[u8], size: u64) -> String {
    let file = beginning.chain(io::repeat(0)).take(size);
    let header = Input::new(file, size).header().map(|header| header.architecture);
    header.expect_err("it is a network of another family").to_string()
}

#[test]
fn layer_stacks_of_every_size_are_refused_by_their_name() {
    const LINE: &str =
        "found a network of another family: SFNN is not read, expected HalfKP or K-P";
    // This one was taken for K-P 256x2-34-93.
    let mut file = beginning_of_stacks(0x7af3_2f16, STACKS, None);
    file.resize(900_008, 1);
    assert_eq!(Network::from_bytes(&file).unwrap_err().to_string(), LINE);
    assert_eq!(Parameters::from_bytes(&file).unwrap_err().to_string(), LINE);
    let shapes = [(32, 32), (8, 32), (8, 64), (8, 96), (16, 32), (16, 64), (34, 93), (256, 256)];
    let halfkp = Architecture::standard(Kind::HalfKp).description();
    let mut refused = 0;
    for kind in Kind::ALL {
        for l1 in Architecture::L1_WIDTHS {
            for (l2, l3) in shapes {
                let shape = Architecture::new(kind, l1, l2, l3).unwrap();
                for description in [STACKS, &halfkp, &shape.description(), "", "mine"] {
                    let size = shape.header_size(description.len()) + shape.body_size();
                    for (version, stacks) in
                        [(0x7af3_2f16, None), (0x7af3_2f20, None), (0x7af3_2f21, Some(9))]
                    {
                        let beginning = beginning_of_stacks(version, description, stacks);
                        assert_eq!(refusal(&beginning, size), LINE, "{shape} {description}");
                        refused += 1;
                    }
                    // Numbers that are not compressed: the hash of the transformer tells.
                    let mut plain = beginning_of_stacks(0x7af3_2f16, description, None);
                    plain.truncate(16 + description.len());
                    plain[4..8].fill(0);
                    assert_eq!(refusal(&plain, size), LINE, "{shape} {description}");
                }
            }
        }
    }
    assert_eq!(refused, 2 * 5 * 8 * 5 * 3);
    // A size that no network of ours has makes no difference.
    for size in [112_852_993, 78_442_142, 100_000, 500] {
        let beginning = beginning_of_stacks(0x7af3_2f16, STACKS, None);
        assert_eq!(refusal(&beginning, size), LINE);
    }
    // A version of theirs in a file that says nothing else.
    let line = refusal(&[0x20, 0x2f, 0xf3, 0x7a, 0, 0, 0, 0, 0, 0, 0, 0], 893_917);
    assert!(line.starts_with("found version 0x7af32f20 in the first bytes"), "{line}");
}

#[test]
fn other_inputs_are_refused_by_their_name() {
    for kind in Kind::ALL {
        let shape = Architecture::standard(kind);
        for (name, shown) in [
            ("HalfKP_vm(Friend)", "HalfKP_vm"),
            ("HalfKA1(Friend)", "HalfKA1"),
            ("HalfKA2(Friend)", "HalfKA2"),
            ("HalfKA_hm1(Friend)", "HalfKA_hm1"),
            ("HalfKA_hm2(Friend)", "HalfKA_hm2"),
            ("HalfKA", "HalfKA"),
            ("HalfKPE9(Friend)", "HalfKPE9"),
            ("K+A2", "K+A2"),
            ("KPP", "KPP"),
            ("KKPP(Friend)", "KKPP"),
            ("HalfKP(Enemy)", "HalfKP(Enemy)"),
        ] {
            let own = shape.description();
            let (_, rest) = own.split_once('[').unwrap();
            let description = format!("Features={name}[{rest}");
            // Everything else is as in a file that is read, the hashes and the size too.
            let hashes = shape.hashes();
            let mut file = Vec::new();
            for number in [0x7af3_2f16, hashes.file, description.len() as u32] {
                file.extend(number.to_le_bytes());
            }
            file.extend(description.as_bytes());
            file.extend(hashes.transformer.to_le_bytes());
            let size = shape.header_size(description.len()) + shape.body_size();
            let line = refusal(&file, size);
            let expected = format!(
                "found a network of another family: {shown} is not read, expected HalfKP or K-P"
            );
            assert_eq!(line, expected);
            assert_eq!(refusal(&file, 1000), expected, "whatever the size");
        }
    }
}

/// Descriptions of trainers that are in use, and hashes that mean nothing.
#[test]
fn networks_of_all_trainers_are_read() {
    let file = VECTORS[2].file();
    for description in [
        "Features=K-P(Friend)[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
         AffineTransform[32<-32](ClippedReLU[32](AffineTransformSparseInput[32<-512](\
         InputSlice[512(0:512)])))))",
        "Features=K+P[1710->256x2],fv_scale=16,l1_input=512,l2=32,l3=32,qa=127,qb=64,scale=508,\
         pairwise=false",
        "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-256](ClippedReLU[256](",
        "Features=",
        "",
        "made on a Sunday",
    ] {
        for hashes in [None, Some(0_u32), Some(0x1234_5678)] {
            let mut other = file[..8].to_vec();
            other.extend((description.len() as u32).to_le_bytes());
            other.extend(description.as_bytes());
            let body = other.len();
            other.extend(&file[177..]);
            if let Some(hash) = hashes {
                other[4..8].copy_from_slice(&hash.to_le_bytes());
                other[body..body + 4].copy_from_slice(&hash.to_le_bytes());
            }
            let network = Network::from_bytes(&other).unwrap();
            assert_eq!(network.architecture(), Architecture::standard(Kind::Kp), "{description}");
            assert_eq!(network.evaluate_from_scratch(&Position::startpos()), 1311);
            assert_eq!(network.hashes_agree(), hashes.is_none());
        }
    }
}

#[test]
fn other_hashes_and_descriptions_are_taken() {
    let mut file = VECTORS[2].file();
    file[4] ^= 1;
    let network = Network::from_bytes(&file).unwrap();
    assert!(!network.hashes_agree());
    assert_eq!(network.evaluate_from_scratch(&Position::startpos()), 1311);
    // A description that is long, wrong and not text.
    let long =
        [b"Features=HalfKP(Friend)[125388->256x2] \xff\n".repeat(200), vec![0; 70_000]].concat();
    let mut other = [&file[..8], &(long.len() as u32).to_le_bytes(), &long].concat();
    other.extend(&file[177..]);
    let network = Network::from_bytes(&other).unwrap();
    assert_eq!(network.architecture(), Architecture::standard(Kind::Kp));
    assert_eq!(network.evaluate_from_scratch(&Position::startpos()), 1311);
    assert_eq!(network.description().len(), 4096);
}

#[test]
fn the_scale_is_that_of_the_maker_where_it_is_known() {
    let folder = Folder::new("scale");
    let bytes = WIDTHS[0].file();
    for (name, scale) in
        [("nn.bin", 16), ("Suisho5.bin", 24), ("suisho_5.nnue", 24), ("水匠5.bin", 24)]
    {
        let path = folder.0.join(name);
        fs::write(&path, &bytes).unwrap();
        assert_eq!(Network::read(&path).unwrap().fv_scale().get(), scale, "{name}");
    }
    let inner = folder.0.join("Suisho5");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("nn.bin"), &bytes).unwrap();
    assert_eq!(Network::read(inner.join("nn.bin")).unwrap().fv_scale().get(), 24);
}

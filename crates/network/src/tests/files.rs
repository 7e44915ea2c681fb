//! Tests of files that are not networks, and of networks that are written and read again.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use tsumero_core::Position;

use super::formula::{RULES, VECTORS, WIDTHS, ZONES, progress_file};
use crate::input::{Body, Input};
use crate::{Architecture, Kind, Network, NetworkError, Parameters, Shape, stacks};

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
fn rows_of_zones_share_what_they_have_in_common() {
    let mut parameters = ZONES.parameters();
    let mut file = Vec::new();
    parameters.write(&mut file).unwrap();
    assert_eq!(Parameters::from_bytes(&file).as_ref(), Ok(&parameters));
    assert_eq!(file.len(), 12 + 178 + 8 + 512 + 1710 * 256 * (2 + 9) + 16_512 + 1_152 + 36);
    // One row of one zone is far from those of the others.
    parameters.transformer_weights[4 * 1710 * 256] = 1000;
    let error = parameters.write(&mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    assert_eq!(Network::from_parameters(&parameters).unwrap_err(), NetworkError::Differences);
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
/// in the shortest form that holds each number. `stacks` is their number where it is written.
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
    match Input::new(file, size).header().map(|header| header.body) {
        Err(error) => error.to_string(),
        Ok(Body::Dense(architecture)) => panic!("taken for {architecture}"),
        Ok(Body::Stacks { .. }) => "stacks".to_owned(),
    }
}

#[test]
fn layer_stacks_of_every_size_are_known() {
    const LINE: &str = "found a network of another family: SFNN without compression is not read, \
                        expected HalfKP, K-P, HalfKA or layer stacks (SFNN)";
    const UNDESCRIBED: &str = "found a hash of HalfKA1 768x2 and of SFNN without compression (not read), \
                               expected a description with Features=HalfKA1 if it is the former";
    // The size of this one is that of K-P 256x2-34-93.
    let mut file = beginning_of_stacks(0x7af3_2f16, STACKS, None);
    file.resize(900_008, 1);
    let line = Network::from_bytes(&file).unwrap_err().to_string();
    assert!(line.starts_with("found 100 weights in rows of 1536, expected those of"), "{line}");
    assert_eq!(Parameters::from_bytes(&file).unwrap_err(), NetworkError::NotDense);
    let shapes = [(32, 32), (8, 32), (8, 64), (8, 96), (16, 32), (16, 64), (34, 93), (256, 256)];
    let halfkp = Architecture::standard(Kind::HalfKp).description();
    let mut seen = 0;
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
                        assert_eq!(refusal(&beginning, size), "stacks", "{shape} {description}");
                        seen += 1;
                    }
                    if kind == Kind::HalfKa1 && *description == shape.description() {
                        continue;
                    }
                    // Of this size, only a description could tell.
                    let is_undescribed = matches!(description, "" | "mine");
                    let expected = match kind == Kind::HalfKa1 && l1 == 768 && is_undescribed {
                        true => UNDESCRIBED,
                        false => LINE,
                    };
                    // Numbers that are not compressed: the hash of the transformer tells.
                    let mut plain = beginning_of_stacks(0x7af3_2f16, description, None);
                    plain.truncate(16 + description.len());
                    plain[4..8].fill(0);
                    assert_eq!(refusal(&plain, size), expected, "{shape} {description}");
                }
            }
        }
    }
    assert_eq!(seen, 9 * 5 * 8 * 5 * 3);
    // A version of theirs in a file that says nothing else.
    let line = refusal(&[0x20, 0x2f, 0xf3, 0x7a, 0, 0, 0, 0, 0, 0, 0, 0], 893_917);
    assert!(line.starts_with("found version 0x7af32f20 in the first bytes"), "{line}");
}

#[test]
fn damaged_stacks_are_refused_in_one_line() {
    let formula = &RULES[6];
    let whole = formula.file();
    let begin = 12 + formula.description().len();
    let behind = whole.len() - 9 * formula.architecture().stack_size();
    let size = whole[begin + 21..].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let weights = begin + 25 + size.unwrap() as usize;
    let with = |place: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[place..place + bytes.len()].copy_from_slice(bytes);
        file
    };
    let described =
        |from: &str, to: &str| formula.file_described(&formula.description().replace(from, to));
    let cut = |size| format!("found the end of the file after {size} bytes, expected more");
    let expected: &[(Vec<u8>, &str)] = &[
        (whole[..whole.len() - 1].to_vec(), "bytes behind the transformer described as"),
        ([&whole[..], &[0]].concat(), "expected those of layer stacks"),
        (whole[..behind].to_vec(), "found 0 bytes behind the transformer"),
        (whole[..behind - 1].to_vec(), &cut(behind - 1)),
        (whole[..begin + 40].to_vec(), &cut(begin + 40)),
        // The number of bytes of the biases, and the mark of the weights after them.
        (with(begin + 21, &[0, 0, 0, 0]), "found a transformer of 0 values"),
        (with(begin + 21, &[0, 0, 0, 0x40]), &cut(whole.len())),
        (with(begin + 21, &[200, 0]), "found a transformer of 187 values"),
        (with(weights, b"c"), "found other bytes than their mark"),
        (with(behind - 1, &[0x80]), "found a number that is cut off"),
        (with(behind - 3, &[0x80; 3]), "found a number that is cut off"),
        (with(behind - 9, &[0xff; 9]), "found a number of more than three bytes"),
        (with(behind, &[0]), "bytes behind the transformer"),
        (with(behind, &0x6f50_524f_u32.to_le_bytes()), &cut(whole.len())),
        (
            described("K3K3", "K3K4"),
            "found the stack rule \"k3k4\" (as the description says), expected",
        ),
        (described("K3K3", "K9K9"), "found 9 stacks, expected 81 for the rule k9k9"),
        (described("K3K3", "PROGRESS8EK"), "found no such file, expected a progress.bin"),
        (
            described("K3K3", "K3K3_PROGRESS2"),
            "found 9 stacks, expected 18 for the rule k3k3_progress2",
        ),
        (described("C256_S64X4", "C256_S64X3"), "bytes behind the transformer"),
        (described("C256_S64X4", "C256_S99X4"), "bytes behind the transformer"),
        (described("Features=", "PSQT=1,Features="), "another family: PSQT is not read"),
    ];
    for (number, (file, part)) in expected.iter().enumerate() {
        let line = Network::from_bytes(file).unwrap_err().to_string();
        assert!(line.contains(part), "{number}: {line}");
        assert!(line.is_ascii() && !line.contains('\n') && line.contains("expected"), "{line}");
    }
    // Hashes tell nothing.
    for (place, hash) in [(4, 1_u32), (begin, 2)] {
        let network = Network::from_bytes(&with(place, &hash.to_le_bytes())).unwrap();
        assert!(!network.hashes_agree());
        assert_eq!(network.shape().to_string(), "SFNN K+A2 512-7-64 c256_s64x4");
    }
}

/// What is said behind a long text of the makers counts, too.
#[test]
fn long_descriptions_are_read_to_their_end() {
    let formula = &RULES[6];
    let text = "terms of use\n".repeat(1000);
    let said = |end: &str| {
        let description = format!("{text}{end}");
        let network = Network::from_bytes(&formula.file_described(&description))?;
        assert_eq!(network.description(), &text.as_bytes()[..4096]);
        Ok::<_, NetworkError>(network.stack_choice().unwrap().to_string())
    };
    assert_eq!(said(&formula.description()).unwrap(), "k3k3 (as the description says)");
    let threats = said(&format!("{},Threat=1", formula.description()));
    assert_eq!(threats, Err(NetworkError::Foreign { family: "Threat".to_owned() }));
}

/// A file with holes in it may be larger than any memory.
#[test]
fn stacks_of_any_size_are_refused_in_one_line() {
    let formula = &RULES[6];
    let whole = formula.file();
    let behind = whole.len() - 9 * formula.architecture().stack_size();
    let size = 1_u64 << 62;
    let mut input = Input::new(whole[..behind].chain(io::repeat(0)), size);
    let header = input.header().unwrap();
    let beside = Default::default();
    let read = stacks::read(&mut input, &header.description, header.hash, false, &beside);
    let bytes = size as usize - behind;
    assert_eq!(read.err(), Some(NetworkError::Memory { bytes }));
}

#[test]
fn files_beside_a_network_tell_its_rule_and_scale() {
    let folder = Folder::new("beside");
    let path = folder.0.join("nn.bin");
    let formula = &RULES[6];
    let description = formula.description();
    let said = |description: &str, rule: Option<&str>| {
        fs::write(&path, formula.file_described(description)).unwrap();
        let network = Network::read_with_rule(&path, rule.map(|rule| rule.parse().unwrap()))?;
        let choice = network.stack_choice().unwrap();
        Ok::<_, NetworkError>((choice.to_string(), network.fv_scale().get()))
    };
    let silent = description.replace("_K3K3", "");
    let is = |found: Result<(String, u16), NetworkError>, rule: &str, scale| {
        assert_eq!(found.unwrap(), (rule.to_owned(), scale));
    };
    is(said(&silent, None), "k3k3 (the usual rule, because nothing else is said)", 16);
    let line = said(&silent, Some("progress8ek")).unwrap_err().to_string();
    assert!(line.starts_with("found no such file, expected a progress.bin"), "{line}");
    fs::write(folder.0.join("progress.bin"), progress_file()).unwrap();
    is(said(&silent, None), "progress8kpabs (because progress.bin lies beside it)", 16);
    is(said(&silent, Some("progress8ek")), "progress8ek (as set)", 16);
    is(said(&description, None), "k3k3 (as the description says)", 16);
    fs::write(
        folder.0.join("eval_options.txt"),
        "\u{feff}Threads 4\r\nFV_SCALE 28\r\nLS_BUCKET_MODE progress8ek\r\n\r\nFV_SCALE\r\n",
    )
    .unwrap();
    is(said(&silent, None), "progress8ek (as eval_options.txt says)", 28);
    is(said(&silent, Some("k3k3")), "k3k3 (as set)", 28);
    // A line that the limit of the size cuts does not count. The last line of a file of that size does.
    for (length, scale) in [(1 << 16, 28), ((1 << 16) + 1, 24)] {
        let filler = "#".repeat(length - "FV_SCALE 24\n\nFV_SCALE 28".len());
        fs::write(folder.0.join("eval_options.txt"), format!("FV_SCALE 24\n{filler}\nFV_SCALE 28"))
            .unwrap();
        is(said(&description, None), "k3k3 (as the description says)", scale);
    }
    fs::write(folder.0.join("eval_options.txt"), "FV_SCALE 28").unwrap();
    // A dense network has makers, too.
    fs::write(&path, WIDTHS[0].file()).unwrap();
    assert_eq!(Network::read(&path).unwrap().fv_scale().get(), 28);
    fs::write(folder.0.join("eval_options.txt"), [0xff; 100]).unwrap();
    fs::write(folder.0.join("progress.bin"), [0; 100]).unwrap();
    let line = said(&silent, None).unwrap_err().to_string();
    assert!(line.starts_with("found 100 bytes, expected a progress.bin of 1003104"), "{line}");
}

#[test]
fn other_inputs_are_refused_by_their_name() {
    for kind in Kind::ALL {
        let shape = Architecture::standard(kind);
        for (name, shown) in [
            ("HalfKPE9(Friend)", "HalfKPE9"),
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
                "found a network of another family: {shown} is not read, expected HalfKP, K-P, \
                 HalfKA or layer stacks (SFNN)"
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
            let standard = Shape::Dense(Architecture::standard(Kind::Kp));
            assert_eq!(network.shape(), standard, "{description}");
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
    assert_eq!(network.shape(), Shape::Dense(Architecture::standard(Kind::Kp)));
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

//! Tests of files that are not networks, and of networks that are written and read again.

use std::fs;
use std::io;
use std::path::PathBuf;

use tsumero_core::Position;

use super::formula::{VECTORS, WIDTHS};
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

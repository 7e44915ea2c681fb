//! `tsumero eval`: values by hand and by network files, and files that are none.

use std::fs;
use std::path::PathBuf;

use tsumero_core::Position;
use tsumero_network::{Architecture, Kind, Parameters};
use tsumero_search::NetworkEvaluation;

use crate::harness::{Run, run_to_end};
use crate::sfen;

/// A file that is gone when the test ends.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Scratch {
        let path = std::env::temp_dir().join(format!("tsumero-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Scratch(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A network that counts pawns: 64 for each in the mover's hand, and as many less for each in the
/// other's.
pub(crate) fn pawn_counter() -> Vec<u8> {
    let mut parameters = Parameters::zeros(Architecture::standard(Kind::Kp));
    for input in 1..=18 {
        parameters.transformer_weights[256 * input] = 1;
    }
    // The first value of the mover's half, and of the other half.
    parameters.layers[0].weights[0] = 64;
    parameters.layers[0].weights[512 + 256] = 64;
    parameters.layers[1].weights[0] = 64;
    parameters.layers[1].weights[32 + 1] = 64;
    parameters.layers[2].weights[0] = 64;
    parameters.layers[2].weights[1] = -64;
    let mut file = Vec::new();
    parameters.write(&mut file).unwrap();
    file
}

fn eval(arguments: &[&str], input: &str) -> Run {
    run_to_end(std::iter::once("eval").chain(arguments.iter().copied()), input)
}

#[test]
fn the_value_made_by_hand_is_that_of_the_search() {
    let position = Position::from_sfen(sfen::MIDDLE_GAME).unwrap();
    let value = tsumero_search::evaluate(&position).total.value();
    let run = eval(&["--sfen", sfen::MIDDLE_GAME, "--eval-file", "none"], "");
    assert_eq!((run.code, run.output), (0, format!("{value} {value}\n")));
}

#[test]
fn the_internal_network_is_the_default() {
    let network = NetworkEvaluation::internal();
    let position = Position::from_sfen(sfen::MIDDLE_GAME).unwrap();
    let raw = network.network.evaluate_from_scratch(&position);
    let expected = format!("{} {raw}\n", raw / i32::from(network.fv_scale.get()));
    for arguments in [&[][..], &["--eval-file", "<internal>"]] {
        let run = eval(&[&["--sfen", sfen::MIDDLE_GAME], arguments].concat(), "");
        assert_eq!((run.code, run.output.as_str()), (0, &*expected));
    }
}

#[test]
fn a_network_file_gives_value_and_last_integer() {
    let file = Scratch::new("pawns.bin", &pawn_counter());
    let run = eval(&["--eval-file", file.path()], "");
    assert_eq!((run.code, run.output.as_str()), (0, "0 0\n"));
    assert!(run.errors.contains("K-P 256x2-32-32, FV_SCALE 16"), "{}", run.errors);
    // Four pawns against one, with either side to move, between them a line that is none.
    let positions = "sfen,name\n4k4/9/9/9/9/9/9/9/4K4 b 4Pp 1,a\nnonsense,b\n\n4k4/9/9/9/9/9/9/9/4K4 w 4Pp 1,c\n";
    let run = eval(&["--file", "-", "--eval-file", file.path()], positions);
    let lines: Vec<&str> = run.output.lines().collect();
    assert_eq!([lines[0], lines[2]], ["12 192", "-12 -192"]);
    assert!(lines[1].starts_with("error ") && lines.len() == 3, "{}", run.output);
    assert!(run.code == 1 && run.errors.contains("line 3: "), "{}", run.errors);
    // The division rounds toward zero.
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 w 4Pp 1";
    let run = eval(&["--sfen", sfen, "--eval-file", file.path(), "--fv-scale", "100"], "");
    assert_eq!((run.code, run.output.as_str()), (0, "-1 -192\n"));
}

#[test]
fn what_is_no_network_is_named_in_one_line() {
    let mut bytes = pawn_counter();
    bytes.pop();
    let file = Scratch::new("short.bin", &bytes);
    // Everything but the name of the inputs is as it should be.
    let mut bytes = pawn_counter();
    let name = bytes.windows(4).position(|part| part == b"K+P[").unwrap();
    bytes[name..name + 3].copy_from_slice(b"KPP");
    let foreign = Scratch::new("foreign.bin", &bytes);
    for (path, reason) in [
        (file.path(), "found 893916 bytes described as"),
        (foreign.path(), "found a network of another family: KPP is not read, expected HalfKP"),
        ("/no/such/file", "found no such file, expected a network file"),
        ("/", "found no regular file"),
    ] {
        let run = eval(&["--eval-file", path], "");
        assert_eq!((run.code, run.output.as_str()), (2, ""));
        assert!(run.errors.starts_with(&format!("error: {path}: {reason}")), "{}", run.errors);
        assert_eq!(run.errors.lines().count(), 1);
    }
    assert_eq!(eval(&["--fv-scale", "0"], "").code, 2);
}

//! `tsumero eval`: values of attack maps and of network files, and files that are not networks.

use std::fs;
use std::process::Command;

use tsumero_core::Position;
use tsumero_network::{Architecture, Kind, Parameters};
use tsumero_search::NetworkEvaluation;

use crate::folder::Folder;
use crate::harness::{Run, engine, run_to_end};
use crate::sfen;

/// A file that is gone when the test ends.
pub(crate) struct Scratch {
    path: String,
    _folder: Folder,
}

impl Scratch {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Scratch {
        let folder = Folder::new(name);
        let path = folder.path(name);
        fs::write(&path, bytes).unwrap();
        Scratch { path, _folder: folder }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
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

/// A network of layer stacks in which nothing but the stack decides: the last integer is 16 times
/// its number, counted from 1. The second value is the description of the rule.
pub(crate) fn stack_counter(rule: &str, stacks: i32) -> Vec<u8> {
    const WIDTH: usize = 128;
    let inputs = Kind::Kp.inputs();
    let description =
        format!("Features=K+P[{inputs}->{WIDTH}x2],Network=SFNN_KP_128_7_32{rule}{{LayerStack=9}}");
    let mut file = Vec::new();
    for number in [0x7af3_2f16, 0x3c20_3b32, description.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(description.bytes());
    file.extend(0x5f13_4ab8_u32.to_le_bytes());
    for count in [WIDTH, WIDTH * inputs] {
        file.extend(b"COMPRESSED_LEB128");
        file.extend((count as u32).to_le_bytes());
        file.resize(file.len() + count, 0);
    }
    for stack in 1..=stacks {
        file.extend(0x6333_718a_u32.to_le_bytes());
        // Eight outputs of 128 inputs, then 32 of 14.
        file.resize(file.len() + 8 * (4 + WIDTH) + 32 * (4 + 32), 0);
        file.extend((16 * stack).to_le_bytes());
        file.resize(file.len() + 32, 0);
    }
    file
}

fn eval(arguments: &[&str], input: &str) -> Run {
    run_to_end(std::iter::once("eval").chain(arguments.iter().copied()), input)
}

#[test]
fn the_value_made_by_hand_is_that_of_the_search() {
    let position = Position::from_sfen(sfen::MIDDLE_GAME).unwrap();
    let value = tsumero_search::evaluate_by_attack_maps(&position).total.value();
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
    let run = eval(&["--sfen", sfen, "--eval-file", file.path(), "--fv-scale", "0"], "");
    assert_eq!((run.code, run.output.as_str()), (0, "-12 -192\n"));
}

/// A folder's name counts where the path does not say it.
#[test]
fn the_scale_of_a_folder_holds_inside_of_it() {
    let folder = Folder::new("eval-suisho5");
    fs::write(folder.path("nn.bin"), pawn_counter()).unwrap();
    for name in ["nn.bin", "./nn.bin"] {
        let run = Command::new(engine())
            .current_dir(folder.path(""))
            .args(["eval", "--eval-file", name, "--sfen", "4k4/9/9/9/9/9/9/9/4K4 b 4Pp 1"])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(errors.contains("FV_SCALE 24, "), "{name}: {errors}");
        assert_eq!(run.stdout, b"8 192\n");
    }
}

/// White's king has advanced to the middle, Black's is at home.
const ADVANCED: &str = "9/9/9/9/4k4/9/9/9/4K4 b - 1";

#[test]
fn the_rule_of_layer_stacks_can_be_set_and_is_told() {
    let silent = Scratch::new("stacks.bin", &stack_counter("", 9));
    let read = |arguments: &[&str]| eval(&[&["--sfen", ADVANCED], arguments].concat(), "");
    let run = read(&["--eval-file", silent.path()]);
    // White's king stands in the second third of the board: 3 * 2 + 1, counted from 0.
    assert_eq!((run.code, run.output.as_str()), (0, "8 128\n"));
    let line = "evaluation: network SFNN K-P 128-7-32, 9 stacks by k3k3 (the usual rule, because \
                nothing else is said), FV_SCALE 16, ";
    assert!(run.errors.starts_with(line) && run.errors.lines().count() == 1, "{}", run.errors);
    let run = read(&["--eval-file", silent.path(), "--stacks", "K3K3"]);
    assert_eq!((run.code, run.output.as_str()), (0, "8 128\n"));
    assert!(run.errors.contains("9 stacks by k3k3 (as set), FV_SCALE 16, "), "{}", run.errors);
    let progress =
        "expected a progress.bin of 1003104 bytes beside the network for the rule progress8ek";
    for (rule, reason) in [
        ("hand64", "found 9 stacks, expected 64 for the rule hand64"),
        ("k3", "--stacks: found the stack rule \"k3\", expected one such as k3k3"),
        ("progress8ek", progress),
    ] {
        let run = read(&["--eval-file", silent.path(), "--stacks", rule]);
        assert_eq!((run.code, run.output.as_str()), (2, ""));
        assert!(run.errors.contains(reason) && run.errors.lines().count() == 1, "{}", run.errors);
    }
    let described = Scratch::new("described.bin", &stack_counter("_K3K3", 9));
    let run = read(&["--eval-file", described.path(), "--stacks", "progress8ek"]);
    assert_eq!((run.code, run.output.as_str()), (0, "8 128\n"));
    let line = "9 stacks by k3k3 (as the description says, not progress8ek as set), FV_SCALE 16";
    assert!(run.errors.contains(line), "{}", run.errors);
    let four = Scratch::new("four.bin", &stack_counter("", 4));
    let run = read(&["--eval-file", four.path()]);
    let line = "found 4 stacks and no word on how one is chosen, expected a rule to be set, such as \
                progress4, hand4";
    assert!(run.code == 2 && run.errors.contains(line), "{}", run.errors);
}

#[test]
fn weights_of_the_progress_lie_beside_the_network() {
    let folder = Folder::new("progress");
    let path = folder.path("nn.bin");
    fs::write(&path, stack_counter("", 9)).unwrap();
    // Each of 76 inputs counts one sixty-fourth: the sum is above the sixth threshold.
    fs::write(folder.path("progress.bin"), (1.0_f64 / 64.0).to_le_bytes().repeat(81 * 1548))
        .unwrap();
    let read = |sfen: &str, rule: &str| {
        eval(&["--sfen", sfen, "--eval-file", &path, "--stacks", rule], "")
    };
    let run = read(ADVANCED, "auto");
    assert_eq!((run.code, run.output.as_str()), (0, "7 112\n"));
    let line = "9 stacks by progress8kpabs (because progress.bin lies beside it), FV_SCALE 16, ";
    assert!(run.errors.contains(line), "{}", run.errors);
    assert_eq!(read(ADVANCED, "progress8ek").output, "7 112\n");
    let both = "9/9/9/4K4/9/9/4k4/9/9 b - 1";
    assert_eq!(read(both, "progress8ek").output, "9 144\n");
    assert_eq!(read(both, "progress8kpabs").output, "7 112\n");
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
    assert_eq!(eval(&["--fv-scale", "1025"], "").code, 2);
}

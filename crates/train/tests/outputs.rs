//! Results of long runs are written whatever becomes of the standard output.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn workshop(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tsumero-train"));
    command.current_dir(folder).args(arguments.split_whitespace()).stderr(Stdio::null());
    command
}

/// As when the terminal is closed during a training, or with `| head -1`.
#[test]
fn nobody_has_to_read_for_a_network_or_a_fit_to_be_written() {
    let folder = std::env::temp_dir().join(format!("tsumero-unread-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let games =
        "datagen games --seed 1 --games 12 --soft-nodes 20 --configuration hash=1,eval=none";
    assert!(workshop(&folder, games).stdout(Stdio::null()).status().unwrap().success());
    for (arguments, files) in [
        (
            "train games --out net --epochs 0 --width 128 --held-out 2",
            ["net.json", "net.nn.bin", "net.svg"],
        ),
        ("fit games --out sum --epochs 1 --held-out 2", ["sum.json", "sum.bin", "sum.weights"]),
    ] {
        let mut child = workshop(&folder, arguments).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert!(child.wait().unwrap().success(), "{arguments}");
        for file in files {
            assert!(folder.join(file).metadata().is_ok_and(|found| found.len() > 0), "{file}");
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

//! What commands write and tell.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn workshop(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tsumero-train"));
    command.current_dir(folder).args(arguments.split_whitespace()).stderr(Stdio::null());
    command
}

/// A new folder with a file `games`.
fn folder_with_games(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tsumero-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let games =
        "datagen games --seed 1 --games 12 --soft-nodes 20 --configuration hash=1,eval=none";
    assert!(workshop(&folder, games).stdout(Stdio::null()).status().unwrap().success());
    folder
}

/// Results of long runs are written whatever becomes of the standard output, as when the terminal is
/// closed during a training, or with `| head -1`.
#[test]
fn nobody_has_to_read_for_a_network_or_a_fit_to_be_written() {
    let folder = folder_with_games("unread");
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

/// As after a process that was killed while it wrote.
#[test]
fn a_block_that_is_cut_off_is_told_with_the_remedy() {
    let folder = folder_with_games("cut");
    let mut bytes = fs::read(folder.join("games")).unwrap();
    bytes.pop();
    fs::write(folder.join("games"), &bytes).unwrap();
    let told = |arguments: &str| {
        let output = workshop(&folder, arguments).stderr(Stdio::piped()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let message = "games: the last block is cut off (the same datagen command removes it)";
    for (arguments, success) in [
        ("train games --out net --epochs 0 --width 128 --held-out 2", true),
        ("fit games --out sum --epochs 1 --held-out 2", true),
        ("stats games", false),
        ("convert games games.txt", false),
    ] {
        let (succeeded, text) = told(arguments);
        assert_eq!(succeeded, success, "{arguments}: {text}");
        assert_eq!(text.matches(message).count(), 1, "{arguments}: {text}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_effects_of_a_tuning_are_those_of_its_games() {
    let folder = std::env::temp_dir().join(format!("tsumero-effects-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let run = || {
        let output =
            workshop(&folder, "spsa run --effects").stderr(Stdio::piped()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    };
    // As in the first seconds of a run.
    fs::write(folder.join("run"), "").unwrap();
    let (success, _, error) = run();
    assert!(!success && error.contains("run: no results yet"), "{error}");
    let effects_after = |contest: &str| {
        let tuned = r#"{"name":"a","start":1,"value":2,"min":0,"max":9,"step":1,"lead":3}"#;
        let spsa = format!(r#"{{"tuned":[{tuned}],"done":4,"planned":9,"squared_leads":2}}"#);
        let saved = format!(r#"{{"limits":"","configuration":"",{contest}"spsa":{spsa}}}"#);
        fs::write(folder.join("run"), saved).unwrap();
        let (success, text, error) = run();
        assert!(success && text.starts_with("a: 1 -> 2.00 (0 to 9, step 1)"), "{text}{error}");
        assert!(text.ends_with("\na=2\n"), "{text}");
        text.contains(", effect +")
    };
    assert!(effects_after(r#""contest":"games from openings 12345678","#));
    // Older files do not say it.
    assert!(effects_after(""));
    assert!(!effects_after(r#""contest":"25 stretches of positions 12345678, judge","#));
    fs::remove_dir_all(&folder).unwrap();
}

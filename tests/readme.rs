//! The commands in README.md, and in README.ja.md if it is there, are run as they are written: what
//! is in blocks of `sh`, and the first column of the table of subcommands. Blocks that build, test
//! or fetch are left to the reader and to continuous integration. What pages of `docs` show as the
//! output of a command is compared with it.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::{engine, run_to_end};

/// How a command begins that is not run here: cargo is what runs this test, and the scripts play
/// matches and build releases.
const NOT_RUN: [&str; 9] = [
    "cargo build",
    "cargo install",
    "cargo test",
    "cd ",
    "curl ",
    "git ",
    "rustup ",
    "sudo ",
    "scripts/",
];

/// What stands for the program in a command.
const PROGRAM: [&str; 4] = [
    "cargo run --release --quiet --",
    "cargo run --release --quiet",
    "target/release/tsumero",
    "tsumero",
];

/// Files that commands name, as a reader would have them.
const FILES: [(&str, &str); 5] = [
    ("game.kif", "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n"),
    ("対局.kif", "1 ２六歩(27)\n2 ８四歩(83)\n"),
    ("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n%CHUDAN\n"),
    ("F", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n"),
    ("book.db", "#YANEURAOU-DB2016 1.00\n"),
];

/// The documents that are there.
fn documents() -> impl Iterator<Item = (PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = ["README.md", "README.ja.md"];
    names.into_iter().filter_map(move |name| {
        let path = root.join(name);
        let text = fs::read_to_string(&path).ok()?;
        Some((path, text))
    })
}

/// The commands in blocks of `sh`, one per line.
fn block_commands(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in text.lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            "" => {}
            command if inside && !command.starts_with('#') => commands.push(command),
            _ => {}
        }
    }
    commands
}

/// The commands in tables: code that begins with the program's name in a first column.
fn table_commands(text: &str) -> Vec<&str> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `tsumero "));
    rows.filter_map(|row| Some(row.split_once('`')?.0)).collect()
}

/// A folder with the files that commands name.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tsumero-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in FILES {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_readme_run() {
    let folder = folder("readme-blocks");
    for (document, text) in documents() {
        let commands = block_commands(&text);
        let mut run = 0;
        for command in &commands {
            if NOT_RUN.iter().any(|beginning| command.starts_with(beginning)) {
                continue;
            }
            let name = PROGRAM.iter().find(|name| command.contains(**name));
            let name = name.unwrap_or_else(|| panic!("{document:?}: unknown command {command}"));
            let written = command.replacen(name, "\"$TSUMERO\"", 1);
            let output = Command::new("sh")
                .args(["-e", "-c", &written])
                .env("TSUMERO", engine())
                .current_dir(&folder)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{command}: {output:?}");
            let asked = command.matches("\\ngo ").count() + command.matches("'go ").count();
            let answered = said.lines().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(asked, answered, "{command}: {said}");
            assert!(!said.contains("Error!"), "{command}: {said}");
            run += 1;
        }
        assert!(run > 0, "{document:?} shows no command that can be tried");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_table_of_the_readme_is_right() {
    let documents: Vec<_> = documents().collect();
    // A command that several documents show is run once.
    let mut seen = HashSet::new();
    for (document, text) in &documents {
        let commands = table_commands(text);
        assert!(commands.len() >= 5, "{document:?}: {commands:?}");
        for command in commands.into_iter().filter(|command| seen.insert(*command)) {
            let folder = folder("readme-table");
            let mut arguments = Vec::new();
            for word in command.split_whitespace() {
                arguments.push(match word {
                    "\"…\"" | "\"...\"" => crate::sfen::MATE_IN_ONE.to_owned(),
                    // No network comes with the source.
                    "nn.bin" => "none".to_owned(),
                    name if FILES.iter().any(|(file, _)| *file == name) => {
                        folder.join(name).to_str().unwrap().to_owned()
                    }
                    word => word.to_owned(),
                });
            }
            arguments.extend(shortened(command).iter().map(|&word| word.to_owned()));
            let before = files(&folder);
            let run = run_to_end(arguments.iter().map(String::as_str), "");
            // Moves in the table belong to another position than ours.
            let expected = if command.starts_with("validate") { [0, 1] } else { [0, 0] };
            assert!(expected.contains(&run.code), "tsumero {command}: {} {}", run.code, run.errors);
            let wrote = files(&folder) != before;
            assert!(wrote || !run.output.is_empty(), "tsumero {command} says nothing");
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}

/// Options for a command that thinks long otherwise.
fn shortened(command: &str) -> &'static [&'static str] {
    match command.split_whitespace().next() {
        Some("analyze") => &["--nodes", "5000"],
        Some("quantum") => &["--movetime", "10"],
        _ => &[],
    }
}

/// The files of a folder with what is in them.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

/// Behind the line `$ tsumero ...`, a block shows all that the command prints.
#[test]
fn what_the_documents_show_is_what_commands_print() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut compared = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for block in text.split("```").skip(1).step_by(2) {
            let Some((command, shown)) =
                block.split_once("$ tsumero ").and_then(|(_, rest)| rest.split_once('\n'))
            else {
                continue;
            };
            let run = run_to_end(command.split_whitespace(), "");
            assert_eq!(run.output, shown, "{path:?}: {command}");
            compared += 1;
        }
    }
    assert!(compared > 0, "no document shows what a command prints");
}

//! Names, comments, file names and broken lines may contain anything. What a subcommand prints of
//! them must not control a terminal.

use std::fs;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::harness::{Run, run_to_end};

#[cfg(unix)]
mod screen;

/// Colors, the title of the window by two characters of C1, a bell, text from right to left.
const NASTY: &str = "\u{1b}[31m\u{9d}0;owned\u{9c}\u{7}\u{202e}";

/// Whether terminals may take the character for a command. A line feed is one that is meant.
fn is_command(c: char) -> bool {
    let code = u32::from(c);
    matches!(code, 0..=9 | 0xb..=0x1f | 0x7f..=0x9f | 0x202a..=0x202e | 0x2066..=0x2069 | 0xfeff)
}

fn run<'a>(arguments: impl IntoIterator<Item = &'a str>, input: &str) -> Run {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let run = run_to_end(arguments.iter().copied(), input);
    for text in [&run.output, &run.errors] {
        assert!(!text.contains(is_command), "{arguments:?}: {text:?}");
    }
    run
}

/// A game whose texts are all nasty.
fn game() -> String {
    let text = format!("甲{NASTY}");
    json!({
        "header": { "先手": text, "棋戦": text, format!("備考{NASTY}"): text },
        "moves": [
            { "comments": [text] },
            { "move": { "from": { "x": 7, "y": 7 }, "to": { "x": 7, "y": 6 }, "piece": "FU" },
              "comments": [text] },
        ],
    })
    .to_string()
}

#[test]
fn texts_of_games_do_not_act_on_a_terminal() {
    for format in ["json", "kif", "ki2", "csa", "jkf", "usi"] {
        let written = run(["record", "--to", format, "-"], &game());
        assert_eq!(written.code, 0, "{}", written.errors);
        if format != "json" {
            let back = run(["record", "-"], &written.output);
            assert_eq!(back.code, 0, "{format}: {}\n{}", back.errors, written.output);
            let back: Value = serde_json::from_str(&back.output).unwrap();
            assert_eq!(back["moves"], json!(["7g7f"]), "{format}");
        }
    }
    let table = run(["analyze", "--depth", "1", "--hash", "1", "--lang", "en", "-"], &game());
    assert_eq!(table.code, 0, "{}", table.errors);
    assert!(table.output.contains("Black 甲[31m0;owned: "), "{}", table.output);
    // Broken lines are quoted.
    let files = [
        format!("手合割：平手\n1 ７{NASTY}(77)\n"),
        format!("手合割：平手\n▲７{NASTY}\n"),
        format!("V2.2\nPI\n+\n+7{NASTY}FU\n"),
        format!("V2.2\nP1{NASTY}\n"),
        format!("startpos moves 7g7f{NASTY}\n"),
        json!({ "moves": [{}, { "special": NASTY }] }).to_string(),
        json!({ "initial": { "preset": NASTY }, "moves": [] }).to_string(),
    ];
    for file in files {
        let refused = run(["record", "-"], &file);
        assert_eq!((refused.code, refused.output.as_str()), (1, ""), "{file:?}");
        assert_eq!(refused.errors.lines().count(), 1, "{}", refused.errors);
        run(["tsume", "check", "--file", "-"], &file);
        run(["analyze", "--list", "-"], &file);
        run(["book", "make", "-", "--out", "/no/such/folder/book"], &file);
    }
}

#[test]
fn lines_of_positions_do_not_act_on_a_terminal() {
    let line = format!("4k4{NASTY}/9/9/9/9/9/9/9/9 b - 1");
    let moves = format!("startpos moves 7g7f{NASTY}");
    let input = format!("{line}\n{moves}\n{NASTY},{moves}\n");
    for command in ["moves", "mate", "mate1", "eval"] {
        let run = run([command, "--file", "-"], &input);
        assert_eq!((run.code, run.output.lines().count()), (1, 3), "{command}: {}", run.errors);
    }
    run(["tsume", "check", "--file", "-"], &input);
    let counts = format!("a{NASTY},startpos,1,30\nb{NASTY},startpos,1,31\nc,{moves},1,{NASTY}\n");
    let counted = run(["perft", "--file", "-"], &counts);
    let words: Vec<&str> =
        counted.output.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(words[..2], ["ok", "WRONG"], "{}", counted.output);
    for (command, option) in [("moves", "--sfen"), ("mate", "--sfen"), ("eval", "--sfen")] {
        assert_eq!(run([command, option, &line], "").code, 1);
    }
    assert_eq!(run(["validate", "--sfen", &line, "7g7f"], "").code, 1);
    let quantum = json!({ "id": NASTY, "ev": [] }).to_string();
    assert_eq!(run(["quantum", "converge", "--file", "-"], &quantum).code, 0);
    let record = json!({ "id": NASTY, "tries": [], "end": NASTY, "q": NASTY });
    run(["quantum", "moves", "--file", "-"], &format!("{record}\n{NASTY}\n"));
}

#[cfg(unix)]
#[test]
fn names_of_files_do_not_act_on_a_terminal() {
    let folder = Folder::new("terminal");
    let name = folder.path(&format!("a{NASTY}.kif"));
    assert_eq!(run(["record", &name], "").code, 1);
    for command in ["moves", "mate", "eval", "perft"] {
        assert_eq!(run([command, "--file", &name], "").code, 2);
    }
    assert_eq!(run(["book", "show", &name, "startpos"], "").code, 1);
    fs::write(&name, "手合割：平手\n   1 ７六歩(77)\n").unwrap();
    let quick = ["--depth", "1", "--hash", "1"];
    for options in [&["--list"][..], &["--json", "--out", "-"], &[], &["--lang", "ja"]] {
        let mut arguments = vec!["analyze", &name];
        arguments.extend(options);
        arguments.extend(quick);
        let run = run(arguments, "");
        assert_eq!(run.code, 0, "{options:?}: {}", run.errors);
        // In JSON, the name is still the file's name.
        if run.output.starts_with('{') {
            let line = run.output.lines().next().unwrap();
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["file"], json!(name));
        }
    }
    let output = folder.path("out");
    let mut arguments = vec!["analyze", &name, "--csv", "--out", &output];
    arguments.extend(quick);
    assert_eq!(run(arguments, "").code, 0);
    let files: Vec<_> = fs::read_dir(&output).unwrap().map(|file| file.unwrap().path()).collect();
    let csv = fs::read_to_string(&files[0]).unwrap();
    // The byte order mark is for the spreadsheet.
    let csv = csv.trim_start_matches('\u{feff}').replace('\r', "");
    assert!(!csv.contains(is_command), "{csv:?}");
}

/// Bars would take what is printed below them for their own lines.
#[cfg(unix)]
#[test]
fn bars_of_an_analysis_erase_nothing_that_was_printed() {
    let folder = Folder::new("terminal-bars");
    let files = ["a", "b"].map(|name| folder.path(&format!("{name}.usi")));
    files.iter().for_each(|file| fs::write(file, "startpos moves 7g7f 3c3d 2g2f\n").unwrap());
    let quick = ["--nodes", "200", "--hash", "1", "--lang", "en"];
    for options in [&[][..], &["--json"]] {
        let words = ["analyze", &files[0], &files[1]].into_iter().chain(quick);
        let words: Vec<&str> = words.chain(options.iter().copied()).collect();
        let piped = run(words.iter().copied(), "");
        let printed = [piped.output, piped.errors].concat();
        let rows = printed.lines().flat_map(|line| {
            let letters: Vec<char> = line.chars().collect();
            let rows = letters.chunks(screen::WIDTH);
            rows.map(|row| row.iter().collect::<String>().trim_end().to_owned()).collect::<Vec<_>>()
        });
        let expected: Vec<String> = rows.collect();
        let (drawn, shown) = screen::run(&words);
        assert!(drawn.contains("positions"), "there were bars: {drawn:?}");
        assert_eq!(shown, expected, "{options:?}: {drawn:?}");
    }
}

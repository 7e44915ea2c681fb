//! A run that was broken off goes on where it was.

use std::fs;

use serde_json::Value;

use super::{analyze, json};
use crate::folder::Folder;
use crate::harness::{engine, run_to_end};

#[test]
fn a_run_that_was_broken_off_goes_on_to_the_same_end() {
    let folder = Folder::new("analyze-resume");
    let file = folder.take("real/kw7-8mai.kif");
    let whole = analyze([file.as_str(), "--json", "--out", "-"]).output;
    // What an interrupt leaves: the journal, its last line perhaps broken.
    let partial = folder.path("kw7-8mai.analysis.partial");
    let slow = ["analyze", &file, "--json", "--time", "50", "--hash", "1"];
    let mut child = std::process::Command::new(engine()).args(slow).spawn().unwrap();
    let has_begun = || fs::read_to_string(&partial).is_ok_and(|text| text.lines().count() > 3);
    while !has_begun() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let journal = fs::read_to_string(&partial).unwrap();
    let kept: Vec<Value> = json(&journal[..journal.rfind('\n').unwrap()]);
    fs::write(&partial, &journal[..journal.len() - 5]).unwrap();
    // Other options do not go with it.
    let other = analyze([file.as_str(), "--json", "--resume"]);
    assert_ne!(other.code, 0);
    let told = format!(
        "error: {partial}: it was begun with --time 50 (now --nodes 300): to begin anew, delete it and \
         leave --resume out\n"
    );
    assert_eq!(other.errors, told);
    let run = run_to_end(slow.into_iter().chain(["--resume"]), "");
    assert_eq!(run.code, 0, "{}", run.errors);
    let lines = json(&fs::read_to_string(folder.path("kw7-8mai.analysis.json")).unwrap());
    assert_eq!(lines.len(), json(&whole).len());
    let found = &kept[1]["finding"];
    assert_eq!(lines[0]["nodes"], found["nodes"], "the first search was not done again");
    assert_eq!(folder.names(), ["kw7-8mai.analysis.json", "kw7-8mai.kif"]);
}

#[test]
fn a_run_that_was_broken_off_ends_with_the_same_bytes() {
    let folder = Folder::new("analyze-same");
    let file = folder.take("made/wars-mate.kif");
    let kinds = ["--json", "--csv", "--kif", "--html", "--nodes", "1000", "--hash", "1"];
    let (whole, broken) = (folder.path("whole"), folder.path("broken"));
    let in_folder = |out: &str| -> Vec<String> {
        let words = ["analyze", &file, "--out", out].into_iter().chain(kinds);
        words.map(str::to_owned).collect()
    };
    let run = |words: &[String]| run_to_end(words.iter().map(String::as_str), "");
    assert_eq!(run(&in_folder(&whole)).code, 0);
    // It is killed among the second looks, and its last line is cut.
    let partial = format!("{broken}/wars-mate.partial");
    let mut child = std::process::Command::new(engine()).args(in_folder(&broken)).spawn().unwrap();
    let looks_again = || fs::read_to_string(&partial).is_ok_and(|text| text.contains("\"second\""));
    while !looks_again() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let journal = fs::read_to_string(&partial).unwrap();
    fs::write(&partial, &journal[..journal.len() - 5]).unwrap();
    let mut again = in_folder(&broken);
    again.push("--resume".to_owned());
    let resumed = run(&again);
    assert_eq!(resumed.code, 0, "{}", resumed.errors);
    for kind in ["json", "csv", "kif", "html"] {
        let [one, other] =
            [&whole, &broken].map(|out| fs::read(format!("{out}/wars-mate.{kind}")).unwrap());
        assert!(one == other, "the {kind} is another");
    }
}

/// With `*.kif`, the shell also finds what the first run has written.
#[test]
fn a_run_goes_on_when_its_own_outputs_are_named_with_the_games() {
    let folder = Folder::new("analyze-glob");
    let [first, second] = ["made/wars-mate.kif", "real/kw7-8mai.kif"].map(|file| folder.take(file));
    let [a, b] = ["a", "b"].map(|name| folder.path(&format!("{name}.kif")));
    fs::rename(first, &a).unwrap();
    fs::rename(second, &b).unwrap();
    let [made, kept] = ["a.analysis.kif", "a.analysis.partial"].map(|name| folder.path(name));
    let rest = folder.path("b.analysis.partial");
    let slow = ["analyze", &a, &b, "--kif", "--nodes", "2000", "--hash", "1"];
    let mut child = std::process::Command::new(engine()).args(slow).spawn().unwrap();
    while !fs::read_to_string(&rest).is_ok_and(|text| text.lines().count() > 3) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(fs::exists(&made).unwrap() && fs::exists(&kept).unwrap());
    // The same line, as the shell expands it now.
    let again = ["analyze", &made, &a, &b, "--kif", "--nodes", "2000", "--hash", "1", "--resume"];
    let run = run_to_end(again, "");
    assert_eq!(run.code, 0, "{}", run.errors);
    assert!(run.errors.contains("1 file of an earlier analysis is left out"), "{}", run.errors);
    assert_eq!(folder.names(), ["a.analysis.kif", "a.kif", "b.analysis.kif", "b.kif"]);
    // Without its game, it is a game like any other; so is one that a person has changed.
    let alone = |files: &[&str]| {
        let words = ["analyze"].iter().chain(files).chain(&["--list"]);
        run_to_end(words.copied(), "").output.lines().count()
    };
    assert_eq!((alone(&[&made]), alone(&[&made, &b]), alone(&[&made, &a])), (1, 2, 1));
    fs::write(&made, [&fs::read(&made).unwrap()[..], b"*good\n"].concat()).unwrap();
    assert_eq!(alone(&[&made, &a]), 2);
}

/// With `*`, the shell also finds tables, pages and what an interrupted run has kept.
#[test]
fn all_that_is_in_a_folder_may_be_named_in_every_run() {
    let folder = Folder::new("analyze-star");
    let [a, b] = ["a", "b"].map(|name| folder.path(&format!("{name}.usi")));
    fs::write(&a, "startpos moves 7g7f 3c3d\n").unwrap();
    fs::write(&b, format!("startpos moves{}\n", " 5i5h 5a5b 5h5i 5b5a".repeat(20))).unwrap();
    let kinds = ["--kif", "--csa", "--json", "--csv", "--html", "--nodes", "200", "--hash", "1"];
    let star = |more: &[&str]| -> Vec<String> {
        let files = folder.names().into_iter().map(|name| folder.path(&name));
        let words = kinds.iter().chain(more).map(|word| (*word).to_owned());
        std::iter::once("analyze".to_owned()).chain(files).chain(words).collect()
    };
    let run = |words: &[String]| run_to_end(words.iter().map(String::as_str), "");
    let rest = folder.path("b.analysis.partial");
    let mut child = std::process::Command::new(engine()).args(star(&[])).spawn().unwrap();
    while !fs::read_to_string(&rest).is_ok_and(|text| text.lines().count() > 3) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.names().len(), 2 + 5 + 2, "{:?}", folder.names());
    let resumed = run(&star(&["--resume"]));
    assert_eq!(resumed.code, 0, "{}", resumed.errors);
    let left_out = |count: u32| format!("{count} files of earlier analyses are left out\n");
    assert!(resumed.errors.starts_with(&left_out(7)), "{}", resumed.errors);
    let all = folder.names();
    assert_eq!(all.len(), 2 + 2 * 5, "{all:?}");
    // The list of the games of a folder, too.
    let listed =
        run_to_end(["analyze", &folder.path("."), "--html", "--nodes", "200", "--hash", "1"], "");
    assert_eq!(listed.code, 0, "{}", listed.errors);
    let again = run(&star(&[]));
    assert_eq!(again.code, 0, "{}", again.errors);
    assert!(again.errors.starts_with(&left_out(11)), "{}", again.errors);
    assert_eq!(folder.names().len(), all.len() + 1);
    // What only has the name of something kept is named as no game.
    let empty = folder.path("mine.partial");
    fs::write(&empty, "").unwrap();
    let run_with_empty = run_to_end(["analyze", &a, &empty, "--list"], "");
    assert_eq!(run_with_empty.code, 1, "{}", run_with_empty.errors);
    assert!(run_with_empty.errors.contains(&empty), "{}", run_with_empty.errors);
    fs::remove_file(&empty).unwrap();
    // So is the folder for the outputs.
    let out = folder.path("out");
    for count in [0, 1] {
        let outside = run(&star(&["--out", &out]));
        assert_eq!(outside.code, 0, "{}", outside.errors);
        assert!(!outside.errors.contains("no game file"), "{}", outside.errors);
        assert_eq!(outside.errors.contains(&format!("{out}: ")), count > 0, "{}", outside.errors);
    }
    // Alone, a page is meant, and is refused as before.
    let page = folder.path("a.analysis.html");
    let alone = run_to_end(["analyze", &page], "");
    assert_eq!(
        (alone.code, alone.errors),
        (1, format!("{page}:1: a page of markup, not a game record\n"))
    );
}

/// A file of several games has an output for each, and one beside another of the same stem is named
/// after its whole name.
#[test]
fn each_name_of_an_output_is_known() {
    let folder = Folder::new("analyze-glob-names");
    let game = "startpos moves 7g7f\n";
    let [games, other] = ["a.usi", "a.sfen"].map(|name| folder.path(name));
    fs::write(&games, game.repeat(2)).unwrap();
    fs::write(&other, game).unwrap();
    assert_eq!(analyze([games.as_str(), other.as_str(), "--kif"]).code, 0);
    let written = ["a.analysis-1.kif", "a.analysis-2.kif", "a.sfen.analysis.kif"];
    let mut all: Vec<&str> = written.into_iter().chain(["a.sfen", "a.usi"]).collect();
    all.sort_unstable();
    assert_eq!(folder.names(), all);
    let written = written.map(|name| folder.path(name));
    let words = ["analyze", &games, &other, "--list"];
    let run = run_to_end(words.into_iter().chain(written.iter().map(String::as_str)), "");
    assert_eq!((run.code, run.output.lines().count()), (0, 3), "{}", run.errors);
    assert!(run.errors.contains("3 files of earlier analyses are left out"), "{}", run.errors);
}

//! The values of the positions: the same in every run, and of the games that are wanted.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

use super::{analyze, json};
use crate::folder::Folder;
use crate::harness::{engine, legal_line, run_to_end};

#[test]
fn every_position_has_a_line_that_is_the_same_in_every_run() {
    let folder = Folder::new("analyze-json");
    let file = folder.take("made/minimal.jkf");
    let run = analyze([file.as_str(), "--json", "--out", "-", "--multipv", "2"]);
    assert_eq!(run.code, 0, "{}", run.errors);
    assert_eq!(folder.names(), ["minimal.jkf"]);
    let lines = json(&run.output);
    assert_eq!(lines.len(), 39);
    let mut sfen = lines[0]["sfen"].as_str().unwrap().to_owned();
    for (ply, line) in lines.iter().enumerate() {
        assert_eq!((line["file"].as_str(), line["game"].as_u64()), (Some(&*file), Some(1)));
        assert_eq!((line["ply"].as_u64(), line["sfen"].as_str()), (Some(ply as u64), Some(&*sfen)));
        let position = tsumero_core::Position::from_sfen(&sfen).unwrap();
        let is_mate = line["mate"].is_i64();
        assert!(is_mate != line["cp"].is_i64(), "{line}");
        let pv: Vec<String> = serde_json::from_value(line["pv"].clone()).unwrap();
        legal_line(&position, &pv).unwrap();
        assert_eq!(line["lines"][0]["pv"], line["pv"]);
        assert_eq!(line["lines"][0]["cp"], line["cp"]);
        assert_eq!(line["move"].is_null(), ply == 38);
        if let Some(mv) = line["move"].as_str() {
            sfen = legal_line(&position, &[mv.to_owned()]).unwrap().to_sfen();
        }
    }
    // The game ends in mate: Black, who plays with all pieces, has mated.
    assert_eq!(lines[38]["mate"], 0);
    assert!(lines[38]["pv"].as_array().unwrap().is_empty());
    let again = analyze([file.as_str(), "--json", "--out", "-", "--multipv", "2"]);
    assert_eq!(again.output, run.output);
}

/// The values are those of the table that was had, so the user has to know it.
#[test]
fn a_table_that_is_smaller_than_asked_for_is_told() {
    let folder = Folder::new("analyze-memory");
    let file = folder.path("a.usi");
    fs::write(&file, "startpos\n").unwrap();
    let run = |hash: &str| {
        run_to_end(["analyze", &file, "--json", "--out", "-", "--nodes", "50", "--hash", hash], "")
    };
    let [small, large] = ["1", "4294967295"].map(run);
    assert_eq!((small.code, small.errors.as_str(), large.code), (0, "", 0));
    let told = large.errors.strip_prefix("--hash: no memory for 4294967295 MB, so the table has ");
    let had = told.and_then(|told| told.strip_suffix(" MB\n")).expect(&large.errors);
    assert!((1..4_294_967_295).contains(&had.parse::<u64>().unwrap()), "{had}");
    assert_eq!(json(&small.output)[0]["sfen"], json(&large.output)[0]["sfen"]);
}

/// Games that are decided at once have their tables before the search of the next one ends.
#[test]
fn a_table_does_not_wait_for_the_next_game() {
    let folder = Folder::new("analyze-table");
    let decided = ["a.usi", "b.usi", "c.usi"].map(|name| folder.path(name));
    for file in &decided {
        fs::write(file, "sfen 9/9/9/9/9/9/9/9/9 b - 1\n").unwrap();
    }
    let long = folder.path("d.usi");
    fs::write(&long, "startpos\n").unwrap();
    let mut child = Command::new(engine())
        .arg("analyze")
        .args(&decided)
        .args([&long, "--time", "3600000", "--hash", "1", "--lang", "en"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (sender, titles) = mpsc::channel();
    let reading = std::thread::spawn(move || {
        let titles = lines.map_while(Result::ok).filter(|line| line.ends_with(".usi (1)"));
        titles.for_each(|title| drop(sender.send(title)));
    });
    let found = decided.each_ref().map(|_| titles.recv_timeout(Duration::from_secs(20)));
    child.kill().unwrap();
    child.wait().unwrap();
    reading.join().unwrap();
    assert!(found.iter().all(Result::is_ok), "{found:?}");
}

/// A search that would take an hour ends soon when its results are not read. Files are written all
/// the same.
#[cfg(unix)]
#[test]
fn nothing_is_searched_for_an_output_that_is_closed() {
    let folder = Folder::new("analyze-closed");
    let game = folder.path("h.usi");
    fs::write(&game, "startpos\n").unwrap();
    for budget in [&["--time", "3600000"][..], &["--time", "1000", "--csv"]] {
        let mut child = Command::new(engine())
            .args(["analyze", &game, "--hash", "1"])
            .args(budget)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() && started.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{budget:?}");
        let journal = folder.path("h.analysis.partial");
        assert_eq!(fs::remove_file(journal).is_ok(), budget.len() == 2, "{budget:?}");
    }
    assert_eq!(folder.names(), ["h.analysis.csv", "h.usi"]);
}

#[test]
fn bad_games_are_named_and_the_others_are_analyzed() {
    let folder = Folder::new("analyze-bad");
    let files = ["bad/second-of-three.csa", "bad/two-pawns.kif"].map(|file| folder.take(file));
    let run = analyze([files[0].as_str(), files[1].as_str(), "--lang", "en"]);
    assert_eq!(run.code, 1);
    assert!(run.errors.contains("second-of-three.csa:32: "), "{}", run.errors);
    assert!(run.errors.contains("two-pawns.kif:37: "), "{}", run.errors);
    let titles: Vec<&str> = run.output.lines().filter(|line| line.contains(".csa (")).collect();
    assert_eq!(titles.len(), 2, "{}", run.output);
    assert!(titles[1].ends_with("(3)"), "{}", run.output);
    assert!(run.output.contains("☗P-86") && run.output.contains("accuracy"), "{}", run.output);
    let japanese = analyze([files[0].as_str(), "--lang", "ja"]).output;
    assert!(japanese.contains("▲８六歩") && japanese.contains("正確さ"), "{japanese}");
}

#[test]
fn games_are_listed_and_one_of_them_is_analyzed() {
    let folder = Folder::new("analyze-game");
    let file = folder.take("bad/second-of-three.csa");
    let listed = run_to_end(["analyze", file.as_str(), "--list"], "");
    assert_eq!(listed.code, 1, "the bad game is named all the same");
    assert!(listed.errors.contains("second-of-three.csa:32: "), "{}", listed.errors);
    let listed = json(&listed.output);
    let all = analyze([file.as_str(), "--json", "--out", "-"]).output;
    let mut joined = String::new();
    for game in &listed {
        let number = game["game"].to_string();
        let one = analyze([file.as_str(), "--json", "--out", "-", "--game", &number]);
        assert_eq!((one.code, one.errors.as_str()), (0, ""), "the bad game is another one");
        assert_eq!(one.output.lines().count() as u64, game["positions"].as_u64().unwrap());
        joined += &one.output;
    }
    assert_eq!(
        listed.iter().map(|game| game["game"].as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 3]
    );
    assert_eq!(joined, all);
    assert_eq!(folder.names(), ["second-of-three.csa"]);
}

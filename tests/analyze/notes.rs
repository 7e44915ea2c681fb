//! The notes at moves: the rules for a loss, and mates that are missed.

use std::fs;

use serde_json::Value;

use super::{analyze, json};
use crate::folder::Folder;
use crate::harness::{legal_line, run_to_end};

/// The side to move.
fn side(line: &Value) -> &str {
    line["sfen"].as_str().and_then(|sfen| sfen.split(' ').nth(1)).expect("an SFEN has a side")
}

/// The win rate of Black in percent, by the formula of the documentation.
fn win_rate(line: &Value) -> f64 {
    match (line["cp"].as_f64(), line["mate"].as_i64()) {
        (Some(cp), _) => 100.0 / (1.0 + (-cp / 600.0).exp()),
        (_, Some(0)) => {
            if side(line) == "w" {
                100.0
            } else {
                0.0
            }
        }
        (_, mate) => {
            if mate > Some(0) {
                100.0
            } else {
                0.0
            }
        }
    }
}

/// The rules for notes, computed again from what the lines say.
#[test]
fn a_note_stands_on_two_searches_and_above_the_noise() {
    let folder = Folder::new("analyze-notes");
    let file = folder.take("made/wars-mate.kif");
    let lines = json(&analyze([file.as_str(), "--json", "--out", "-"]).output);
    let sign = |line: &Value| if side(line) == "b" { 1.0 } else { -1.0 };
    let is_best = |line: &Value| line["pv"][0] == line["move"];
    let pairs = || lines.windows(2).map(|pair| (&pair[0], &pair[1]));
    let differences: Vec<f64> = pairs()
        .filter(|(before, _)| is_best(before))
        .map(|(before, after)| (win_rate(before) - win_rate(after)).abs().min(20.0))
        .collect();
    assert!(differences.len() >= 5);
    let noise = differences.iter().sum::<f64>() / differences.len() as f64;
    let whole = &lines[0]["whole"];
    assert!((whole["noise"].as_f64().unwrap() - noise).abs() < 0.06, "{noise}: {whole}");
    assert_eq!(whole["rough"], true, "300 nodes are few");
    let (mut notes, mut refused) = (0, 0);
    for (before, after) in pairs() {
        let first = sign(before) * (win_rate(before) - win_rate(after));
        let second = &before["second"];
        let may_matter = !is_best(before) && first - noise >= 5.05;
        assert!(second.is_object() || !may_matter, "it was not looked at again: {before}");
        let loss = match second.is_object() {
            false if is_best(before) => 0.0,
            false => first.max(0.0),
            true => {
                let of = |which: &str| {
                    let value = &second[which];
                    let sfen = &before["sfen"];
                    let line =
                        serde_json::json!({"cp": value["cp"], "mate": value["mate"], "sfen": sfen});
                    win_rate(&line)
                };
                first.min(sign(before) * (of("best") - of("played"))).max(0.0)
            }
        };
        assert!((before["loss"].as_f64().unwrap() - loss).abs() < 0.06, "{loss}: {before}");
        let expected = match loss - noise {
            loss if loss >= 40.0 => Value::from("blunder"),
            loss if loss >= 20.0 => Value::from("mistake"),
            loss if loss >= 10.0 => Value::from("dubious"),
            loss if loss >= 5.0 => Value::from("inaccuracy"),
            _ => Value::Null,
        };
        if before["note"] == "missed_mate" {
            continue;
        }
        assert_eq!(before["note"], expected, "{loss} with noise {noise}: {before}");
        notes += usize::from(!expected.is_null());
        refused += usize::from(expected.is_null() && first >= 5.0);
    }
    assert!(notes > 0 && refused > 0, "{notes} notes, {refused} refused");
}

/// A file of a mate problem in which the first move is a wrong one, as `record` writes it.
fn problem_file(folder: &Folder, name: &str, sfen: &str) -> String {
    let position = tsumero_core::Position::from_sfen(sfen).unwrap();
    let moves = position.legal_moves();
    let wrong = moves.iter().find(|&&mv| !position.gives_check(mv)).expect("a move without check");
    let run = run_to_end(["record", "-", "--to", "kif"], &format!("sfen {sfen} moves {wrong}\n"));
    assert_eq!(run.code, 0, "{}", run.errors);
    let path = folder.path(name);
    fs::write(&path, run.output).unwrap();
    path
}

#[test]
fn mate_problems_get_their_mate_at_any_budget() {
    let folder = Folder::new("analyze-problems");
    let mut files = vec![(folder.take("made/tsume-mynavi.kif"), 13)];
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tsume");
    // Nine problems of three to fifteen plies.
    for (name, plies, count) in [
        ("mate3.csv", 3, 1),
        ("mate5.csv", 5, 2),
        ("mate7.csv", 7, 2),
        ("mate9.csv", 9, 2),
        ("mate11plus.csv", 13, 1),
        ("mate11plus.csv", 15, 1),
    ] {
        let text = fs::read_to_string(data.join(name)).unwrap();
        let rows = text.lines().filter_map(|row| {
            let mut fields = row.split(',');
            let sfen = fields.next()?;
            (fields.next()? == plies.to_string()).then(|| sfen.to_owned())
        });
        for (index, sfen) in rows.take(count).enumerate() {
            files.push((problem_file(&folder, &format!("{plies}-{index}.kif"), &sfen), plies));
        }
    }
    assert_eq!(files.len(), 10);
    for nodes in ["1", "15000"] {
        for (file, plies) in &files {
            let options = ["--json", "--out", "-", "--hash", "1", "--nodes", nodes];
            let run = run_to_end(["analyze", file.as_str()].into_iter().chain(options), "");
            let first = json(&run.output).remove(0);
            let mate = if side(&first) == "b" { *plies } else { -plies };
            assert_eq!(first["mate"], mate, "{file} at {nodes}: {first}");
            let position =
                tsumero_core::Position::from_sfen(first["sfen"].as_str().unwrap()).unwrap();
            let pv: Vec<String> = serde_json::from_value(first["pv"].clone()).unwrap();
            assert!(legal_line(&position, &pv).unwrap().is_mate(), "{file}: {first}");
            assert_eq!(first["note"], "missed_mate", "{file} at {nodes}: {first}");
            assert_eq!(first["missed_mate"], first["pv"], "{file} at {nodes}");
        }
    }
    // With more nodes the search itself sees the mate.
    let table = run_to_end(["analyze", &files[0].0, "--nodes", "2000", "--lang", "en"], "");
    let row = table.output.lines().find(|line| line.contains("   1 ")).unwrap();
    let said = "missed mate, mate in 13, believed lost, but there was a mate";
    assert!(row.contains(said), "{row}");
    let attacker = table.output.lines().find(|line| line.starts_with("Black 詰方")).unwrap();
    assert!(!attacker.contains("accuracy 100"), "{attacker}");
}

/// No move is better than a win that can be declared, and the table says so.
#[test]
fn a_declaration_that_was_missed_is_named() {
    let game = format!("sfen {} moves 2b1c\n", crate::sfen::DECLARATION);
    for (lang, word) in [("ja", "入玉宣言"), ("en", "declaration")] {
        let words = ["analyze", "-", "--lang", lang].into_iter().chain(super::QUICK);
        let run = run_to_end(words, &game);
        assert_eq!(run.code, 0, "{}", run.errors);
        let mut rows = run.output.lines().filter(|line| line.starts_with("   1 "));
        assert!(rows.next().is_some_and(|row| row.contains(word)), "{}", run.output);
    }
}

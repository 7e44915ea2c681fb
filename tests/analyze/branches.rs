//! The branches of a game.

use std::fs;

use serde_json::Value;

use super::{analyze, json};
use crate::folder::Folder;
use crate::harness::{legal_line, run_to_end};

#[test]
fn branches_stand_in_the_results_and_are_analyzed_if_wanted() {
    let folder = Folder::new("analyze-branches");
    let file = folder.take("real/kw7-fork.kif");
    let reading = tsumero_record::read(&fs::read(&file).unwrap());
    let game = reading.into_games().unwrap().remove(0);
    assert!(game.branches() >= 2, "{}", game.branches());
    let told = |lines: &[Value]| -> Vec<Value> {
        let branches = lines.iter().filter_map(|line| line["branches"].as_array());
        branches.flatten().cloned().collect()
    };
    let plain = json(&analyze([file.as_str(), "--json", "--out", "-"]).output);
    let main = plain.len();
    assert_eq!(main, game.moves().count() + 1);
    assert_eq!(told(&plain).len(), game.branches());
    assert!(plain.iter().all(|line| line["branch"].is_null()));
    let all = json(&analyze([file.as_str(), "--json", "--out", "-", "--branches"]).output);
    let without_branches = |line: &Value| {
        let mut line = line.clone();
        line.as_object_mut().unwrap().remove("branches");
        line
    };
    for (one, other) in all.iter().zip(&plain) {
        assert_eq!(without_branches(one), without_branches(other), "the main line stays");
    }
    let listed = run_to_end(["analyze", file.as_str(), "--list", "--branches"], "").output;
    assert_eq!(json(&listed)[0]["positions"], all.len() as u64);
    // Each branch is a line of legal moves from the position in which it leaves.
    let branches = told(&all);
    assert_eq!(branches.len(), game.branches());
    for branch in &branches {
        let number = &branch["branch"];
        let own: Vec<&Value> = all.iter().filter(|line| line["branch"] == *number).collect();
        let moves: Vec<String> = serde_json::from_value(branch["moves"].clone()).unwrap();
        assert_eq!(own.len(), moves.len(), "{branch}");
        let leaves = all
            .iter()
            .find(|line| line["branches"].as_array().is_some_and(|all| all.contains(branch)));
        let leaves = leaves.unwrap()["sfen"].as_str().unwrap();
        let start = tsumero_core::Position::from_sfen(leaves).unwrap();
        for (count, line) in (1..).zip(&own) {
            let position = legal_line(&start, &moves[..count]).unwrap();
            let sfen = line["sfen"].as_str().unwrap();
            assert_eq!(
                position.to_sfen().split(' ').take(3).collect::<Vec<_>>(),
                sfen.split(' ').take(3).collect::<Vec<_>>()
            );
            assert_eq!(line["move"].as_str(), moves.get(count).map(String::as_str));
        }
    }
    // The table has them in any case, and a KIF gets the values in the branches, too.
    let table = analyze([file.as_str(), "--lang", "en"]).output;
    assert_eq!(table.matches("branch ").count(), game.branches(), "{table}");
    let run = analyze([file.as_str(), "--branches", "--kif"]);
    assert_eq!(run.code, 0, "{}", run.errors);
    let written = fs::read(folder.path("kw7-fork.analysis.kif")).unwrap();
    let text = tsumero_record::read(&written).into_games().unwrap().remove(0);
    let text = tsumero_record::write(&[text], tsumero_record::Format::Kif);
    assert_eq!(text.matches("*#エンジン=Tsumero").count(), all.len() - 1, "all but the start");
}

/// A mate is missed by the first move of a branch, and again where its player resigns.
#[test]
fn what_a_branch_misses_is_noted_in_every_output() {
    let folder = Folder::new("analyze-missed");
    let line = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1 moves 5i5h 5a4a G*3b 4a5a resign\n";
    let main = run_to_end(["record", "-", "--to", "kif"], line).output;
    let file = folder.path("missed.kif");
    fs::write(&file, main.replacen("--\n", "--\n1 ５二金打\n変化：1手\n", 1)).unwrap();
    let run = analyze([file.as_str(), "--branches", "--json", "--kif", "--multipv", "2"]);
    assert_eq!(run.code, 0, "{}", run.errors);
    let lines = json(&fs::read_to_string(folder.path("missed.analysis.json")).unwrap());
    let branch = &lines[0]["branches"][0];
    assert!(branch["note"] == "missed_mate" && branch["loss"].is_f64(), "{branch}");
    assert_eq!(lines.last().unwrap()["note"], "missed_mate");
    let written = fs::read(folder.path("missed.analysis.kif")).unwrap();
    let game = tsumero_record::read(&written).into_games().unwrap();
    let text = tsumero_record::write(&game, tsumero_record::Format::Kif);
    let (main, branch) = text.split_once("変化：1手").unwrap();
    let (first, rest) = branch.split_once("４一玉").unwrap();
    let ending = rest.split_once("投了").unwrap().1;
    assert!([first, ending].iter().all(|text| text.contains("*【詰み逃し】")), "{branch}");
    assert!(main.contains("*解析 0 ○ 候補1 "), "the engine's first choice: {main}");
}

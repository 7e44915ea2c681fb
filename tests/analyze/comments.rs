//! The comments of a game: its own are kept, and those with the values are written once.

use std::fs;

use serde_json::Value;

use super::{analyze, json};
use crate::folder::Folder;

#[test]
fn a_file_that_is_analyzed_again_has_the_comments_once() {
    let folder = Folder::new("analyze-again");
    let file = folder.take("made/kw7-everything.kif");
    for (kind, other) in [("kif", "csa"), ("csa", "kif")] {
        let (once, twice) = (folder.path("once"), folder.path("twice"));
        let option = format!("--{kind}");
        assert_eq!(analyze([file.as_str(), &option, "--out", once.as_str()]).code, 0);
        let first = format!("{once}/kw7-everything.{kind}");
        // The same again, and by way of the comments for other programs.
        for option in [option.clone(), format!("--{other}")] {
            let ending = option.trim_start_matches('-');
            let run = analyze([first.as_str(), &option, "--out", twice.as_str()]);
            assert_eq!(run.code, 0, "{}", run.errors);
            let again = fs::read(format!("{twice}/kw7-everything.{ending}")).unwrap();
            let game = tsumero_record::read(&again).into_games().unwrap().remove(0);
            let own = |line: &&String| *line == "#エンジン=Tsumero";
            let nodes = game.main_line().map(|node| game.node(node).comments());
            let signatures: Vec<usize> =
                nodes.map(|lines| lines.iter().filter(own).count()).collect();
            assert!(signatures.iter().all(|&count| count <= 1), "{signatures:?}");
            assert_eq!(signatures[1], 1);
            if ending == kind {
                // Blanks at the end of a line go when it is read.
                let lines = |bytes: &[u8]| -> Vec<String> {
                    let text = String::from_utf8_lossy(bytes);
                    text.lines().map(|line| line.trim_end().to_owned()).collect()
                };
                let is_same = lines(&again) == lines(&fs::read(&first).unwrap());
                assert!(is_same, "the second {kind} is another");
            }
        }
    }
}

/// With one thread, a limit of nodes gives the same file in every run, so it has no times.
#[test]
fn times_stand_where_runs_differ() {
    let folder = Folder::new("analyze-times");
    let file = folder.take("made/minimal.jkf");
    for (threads, has_times) in [("1", false), ("2", true)] {
        assert_eq!(analyze([file.as_str(), "--kif", "--threads", threads]).code, 0);
        let written = fs::read(folder.path("minimal.analysis.kif")).unwrap();
        let game = tsumero_record::read(&written).into_games().unwrap().remove(0);
        let comments = game.main_line().flat_map(|node| game.node(node).comments());
        let lines: Vec<&String> = comments.filter(|line| line.starts_with("*解析 ")).collect();
        assert!(!lines.is_empty());
        assert!(lines.iter().all(|line| line.contains("時間 ") == has_times), "{lines:?}");
    }
}

#[test]
fn the_game_keeps_its_comments_and_branches_and_gets_the_values() {
    let folder = Folder::new("analyze-kif");
    let file = folder.take("made/kw7-everything.kif");
    let run = analyze([file.as_str(), "--kif", "--csa", "--json"]);
    assert_eq!(run.code, 0, "{}", run.errors);
    let lines = json(&fs::read_to_string(folder.path("kw7-everything.analysis.json")).unwrap());
    let read = |path: &str| {
        let reading = tsumero_record::read(&fs::read(path).unwrap());
        (reading.encoding, reading.into_games().unwrap().remove(0))
    };
    let (_, before) = read(&file);
    let (encoding, after) = read(&folder.path("kw7-everything.analysis.kif"));
    assert_eq!(encoding, tsumero_record::Encoding::ShiftJis);
    assert_eq!(after.branches(), before.branches());
    assert_eq!(after.headers(), before.headers());
    let (_, csa) = read(&folder.path("kw7-everything.analysis.csa"));
    let comments = |game: &tsumero_record::Game, ply: usize| {
        let node = game.main_line().nth(ply).unwrap();
        game.node(node).comments().to_vec()
    };
    for (ply, line) in lines.iter().enumerate() {
        let (old, new) = (comments(&before, ply), comments(&after, ply));
        assert_eq!(new[..old.len()], old);
        if ply == 0 {
            continue;
        }
        let (value, home) = match (line["cp"].as_i64(), line["mate"].as_i64()) {
            (Some(cp), _) => (format!(" 評価値 {cp} "), format!("#評価値={cp}")),
            (_, Some(mate)) if mate > 0 => {
                (format!(" 評価値 +詰 {mate} "), format!("#詰み=先手勝ち:{mate}手"))
            }
            (_, mate) => {
                let mate = -mate.unwrap();
                (format!(" 評価値 -詰 {mate} "), format!("#詰み=後手勝ち:{mate}手"))
            }
        };
        assert!(new.contains(&home), "{ply} {home}: {new:?}");
        let last = new.last().unwrap();
        assert!(last.starts_with("*解析 0 ") && last.contains(&value), "{value}: {last}");
        assert!(comments(&csa, ply).contains(&home), "{ply} {home}");
        if let Some(cp) = line["cp"].as_i64() {
            let server = comments(&csa, ply).into_iter().find(|line| line.starts_with("* "));
            assert!(server.unwrap().starts_with(&format!("* {cp} ")));
        }
    }
}

#[test]
fn comments_times_and_the_ending_stand_in_the_results() {
    let folder = Folder::new("analyze-said");
    let kif = "手合割：平手\n1 ７六歩(77) (0:09/)\n*角道を開ける\n*#評価値=1\n2 ３四歩(33) (1:05/)\n\
               3 投了 (0:02/)\n*早い投了\n";
    let file = folder.path("said.kif");
    fs::write(&file, kif).unwrap();
    let lines = json(&analyze([file.as_str(), "--json", "--out", "-"]).output);
    let times: Vec<&Value> = lines.iter().map(|line| &line["time"]).collect();
    assert_eq!(times, [9000, 65000, 2000]);
    assert_eq!(lines[1]["comments"], serde_json::json!(["角道を開ける", "#評価値=1"]));
    assert_eq!(lines[2]["comments"], serde_json::json!(["早い投了"]));
    assert_eq!((&lines[1]["ending"], &lines[2]["ending"]), (&Value::Null, &"resign".into()));
    assert!(lines.iter().all(|line| line["phase"] == "opening"));
    let table = analyze([file.as_str(), "--lang", "ja"]).output;
    for said in ["0:09", "1:05", "※ 角道を開ける", "※ 早い投了", "   3 投了", "目安："]
    {
        assert!(table.contains(said), "{said}: {table}");
    }
    assert!(!table.contains("評価値=1"), "lines of programs are no comments for people: {table}");
}

//! `tsumero analyze`: what it writes where, that it is the same in every run, that an interrupted
//! run goes on, and that the values stand in the files that other programs read.

use std::fs;

use serde_json::Value;

use crate::folder::Folder;
use crate::harness::{legal_line, run_to_end};

const QUICK: [&str; 4] = ["--nodes", "300", "--hash", "1"];

fn analyze<'a>(arguments: impl IntoIterator<Item = &'a str>) -> crate::harness::Run {
    run_to_end(["analyze"].into_iter().chain(arguments).chain(QUICK), "")
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

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

#[test]
fn files_go_beside_the_game_or_into_the_folder_but_never_over_an_input() {
    let folder = Folder::new("analyze-files");
    let file = folder.take("real/kw7-8mai.kif");
    let kinds = ["--kif", "--csa", "--json", "--csv", "--html"];
    let run = analyze([file.as_str()].into_iter().chain(kinds));
    assert_eq!((run.code, run.output.as_str()), (0, ""), "{}", run.errors);
    let beside =
        ["csa", "csv", "html", "json", "kif"].map(|kind| format!("kw7-8mai.analysis.{kind}"));
    let all: Vec<String> = beside.iter().cloned().chain(["kw7-8mai.kif".to_owned()]).collect();
    assert_eq!(folder.names(), all);
    // A folder is analyzed without what is an output; the game of the same name is not touched.
    let original = fs::read(&file).unwrap();
    let here = folder.path("");
    let run = analyze([here.as_str(), "--out", here.as_str(), "--kif"]);
    assert_eq!(run.code, 0, "{}", run.errors);
    assert_eq!(fs::read(&file).unwrap(), original);
    assert_eq!(folder.names(), all);
    let other = folder.path("other");
    let run = analyze([here.as_str(), "--out", other.as_str(), "--kif", "--json"]);
    assert_eq!(run.code, 0, "{}", run.errors);
    let written = folder.path("other/kw7-8mai.kif");
    let beside = fs::read(folder.path("kw7-8mai.analysis.kif")).unwrap();
    assert_eq!(fs::read(written).unwrap(), beside);
    // One limit at a time, and JSON alone goes to standard output.
    assert_eq!(analyze([file.as_str(), "--depth", "1"]).code, 2);
    assert_eq!(analyze([file.as_str(), "--out", "-", "--kif"]).code, 2);
}

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
fn a_run_that_was_broken_off_goes_on_to_the_same_end() {
    let folder = Folder::new("analyze-resume");
    let file = folder.take("real/kw7-8mai.kif");
    let whole = analyze([file.as_str(), "--json", "--out", "-"]).output;
    // What an interrupt leaves: the journal, its last line perhaps broken.
    let partial = folder.path("kw7-8mai.analysis.partial");
    let slow = ["analyze", &file, "--json", "--time", "50", "--hash", "1"];
    let mut child =
        std::process::Command::new(env!("CARGO_BIN_EXE_tsumero")).args(slow).spawn().unwrap();
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
    assert!(other.errors.contains("kw7-8mai.analysis.partial"), "{}", other.errors);
    let run = run_to_end(slow.into_iter().chain(["--resume"]), "");
    assert_eq!(run.code, 0, "{}", run.errors);
    let lines = json(&fs::read_to_string(folder.path("kw7-8mai.analysis.json")).unwrap());
    assert_eq!(lines.len(), json(&whole).len());
    let found = &kept[1]["finding"];
    assert_eq!(lines[0]["nodes"], found["nodes"], "the first search was not done again");
    assert_eq!(folder.names(), ["kw7-8mai.analysis.json", "kw7-8mai.kif"]);
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

//! `tsumero analyze`: what it writes where, that it is the same in every run, that an interrupted
//! run goes on, that the values stand in the files that other programs read, and that notes keep
//! their rules.

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
    let page = folder.path("kw7-8mai.analysis.html");
    let last = run.errors.lines().last().unwrap_or_default();
    assert_eq!(last, format!("written: {page} and 4 other files"));
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
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tsumero"))
        .args(in_folder(&broken))
        .spawn()
        .unwrap();
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

#[test]
fn a_folder_gets_an_index_that_replaces_nothing_else() {
    let folder = Folder::new("analyze-index");
    folder.take("real/kw7-8mai.kif");
    fs::rename(folder.path("kw7-8mai.kif"), folder.path("index.kif")).unwrap();
    folder.take("made/minimal.jkf");
    let here = folder.path("");
    // However the folder is spelled, the index and the page of `index.kif` do not meet.
    let doubled = format!("{here}/");
    let run = analyze([doubled.as_str(), "--html", "--lang", "en"]);
    assert_eq!(run.code, 0, "{}", run.errors);
    assert!(run.errors.contains("2 games: the budget is small"), "{}", run.errors);
    let last = run.errors.lines().last().unwrap_or_default();
    assert!(last.contains("index.analysis.html and 2 other files"), "{last}");
    let index = folder.path("index.analysis.html");
    let page = fs::read_to_string(&index).unwrap();
    // Each link leads to a page of an analysis.
    let links: Vec<&str> =
        page.split("<a href=\"").skip(1).filter_map(|rest| rest.split('#').next()).collect();
    assert_eq!(links.len(), 2, "{page}");
    for link in links {
        let linked = fs::read_to_string(folder.path(link)).unwrap();
        assert!(linked.contains("content=\"tsumero analyze\""), "{link}");
    }
    assert!(page.contains("Openings") && page.contains("Analysis of 2 games"), "{page}");
    // Again, and into another folder, where the name is another one.
    let again = analyze([here.as_str(), "--html", "--lang", "en"]);
    assert_eq!((again.code, fs::read_to_string(&index).unwrap()), (0, page), "{}", again.errors);
    let other = folder.path("other");
    assert_eq!(analyze([here.as_str(), "--html", "--out", other.as_str()]).code, 0);
    let page = fs::read_to_string(format!("{other}/index.html")).unwrap();
    assert!(page.contains("index.analysis.html#game=1"), "{page}");
    // A file of somebody else stays, and nothing is searched.
    fs::write(&index, "mine").unwrap();
    let refused = analyze([here.as_str(), "--html"]);
    assert_eq!(refused.code, 2, "{}", refused.errors);
    assert!(refused.errors.contains("index.analysis.html"), "{}", refused.errors);
    assert_eq!(fs::read(&index).unwrap(), b"mine");
    // One game alone has no index.
    let alone = folder.path("alone");
    let game = folder.path("minimal.jkf");
    assert_eq!(analyze([game.as_str(), "--html", "--out", alone.as_str()]).code, 0);
    assert!(!std::path::Path::new(&format!("{alone}/index.html")).exists());
}

#[test]
fn what_is_not_there_is_an_error() {
    let folder = Folder::new("analyze-nothing");
    let file = folder.take("made/minimal.jkf");
    let empty = folder.path("empty");
    fs::create_dir(&empty).unwrap();
    let run = analyze([empty.as_str(), "--json", "--out", "-"]);
    assert_eq!((run.code, run.output.as_str()), (1, ""));
    assert!(run.errors.contains("there is no game file"), "{}", run.errors);
    let run = analyze([file.as_str(), "--game", "2", "--json", "--out", "-"]);
    assert_eq!((run.code, run.output.as_str()), (1, ""));
    assert!(run.errors.contains("there is no game 2, the last one is 1"), "{}", run.errors);
}

/// Two names of a file in one folder ask for outputs of the same name. One of them gets another.
#[test]
fn a_file_that_is_named_in_two_ways_has_two_outputs() {
    let folder = Folder::new("analyze-twice");
    let file = folder.take("made/minimal.jkf");
    let again = folder.path("./minimal.jkf");
    let run = analyze([file.as_str(), again.as_str(), "--json"]);
    assert_eq!(run.code, 0, "{}", run.errors);
    let outputs = ["minimal.analysis.json", "minimal.jkf", "minimal.jkf.analysis.json"];
    assert_eq!(folder.names(), outputs);
}

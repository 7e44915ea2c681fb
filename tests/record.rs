//! `tsumero record`: game files in, JSON lines or other formats out, bad games named.

use std::path::Path;

use serde_json::Value;

use crate::harness::run_to_end;

/// A file of the record crate's test data.
fn data(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../record/tests/data");
    folder.join(file).display().to_string()
}

#[test]
fn each_game_is_a_line_and_each_bad_one_is_named() {
    let files = ["bad/second-of-three.csa", "bad/two-pawns.kif", "real/three-games.sfen"].map(data);
    let arguments = ["record"].into_iter().chain(files.iter().map(String::as_str));
    let run = run_to_end(arguments.chain(["/no/such/file"]), "");
    assert_eq!(run.code, 1);
    let games: Vec<Value> =
        run.output.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let endings: Vec<_> = games.iter().map(|game| game["ending"].as_str().unwrap()).collect();
    assert_eq!(endings, ["resign", "interrupted", "none", "none", "none"]);
    assert_eq!(games[0]["moves"][13], "3a3b");
    assert_eq!(games[0]["branches"], 0);
    assert_eq!(games[0]["headers"]["先手"], "a1");
    assert!(games[2]["initial"].as_str().unwrap().starts_with("lnsgkgsnl/1r5b1/"));
    let errors: Vec<&str> = run.errors.lines().collect();
    assert_eq!(errors.len(), 3, "{}", run.errors);
    assert!(errors[0].starts_with(&format!("{}:32: ", files[0])), "{}", errors[0]);
    assert!(errors[1].starts_with(&format!("{}:37: ", files[1])), "{}", errors[1]);
    assert!(errors[1].ends_with("two pawns on the file"), "{}", errors[1]);
    assert!(errors[2].starts_with("/no/such/file: "), "{}", errors[2]);
}

#[test]
fn games_pass_through_every_format() {
    let file = data("real/kw7-fork.kif");
    let json = run_to_end(["record", &file], "").output;
    for format in ["kif", "ki2", "jkf"] {
        let written = run_to_end(["record", "--to", format, &file], "");
        assert_eq!(written.code, 0, "{}", written.errors);
        let back = run_to_end(["record", "-"], &written.output);
        let (back, json): (Value, Value) =
            (serde_json::from_str(&back.output).unwrap(), serde_json::from_str(&json).unwrap());
        for key in ["initial", "moves", "ending", "branches", "headers"] {
            assert_eq!(back[key], json[key], "{format} {key}");
        }
    }
    let several = data("made/endings.csa");
    for format in ["csa", "usi"] {
        let written = run_to_end(["record", "--to", format, &several], "").output;
        assert_eq!(run_to_end(["record", "-"], &written).output.lines().count(), 16, "{format}");
    }
}

/// Two pawns of Black and a dead knight of White, and what the program says of them.
const DIAGRAM: &str = "4k4/9/9/9/9/4P4/4P4/9/4K3n b P 1";
const NOTES: [&str; 2] = [
    "the first position: piece on 1i could never move",
    "the first position: two pawns of Black on file 5",
];

#[test]
fn a_diagram_that_breaks_a_rule_is_read_with_a_note() {
    let line = format!("position sfen {DIAGRAM} moves 5f5e\n");
    let run = run_to_end(["record", "-"], &line);
    assert_eq!(run.code, 0, "{}", run.errors);
    let game: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(game["initial"], DIAGRAM);
    assert_eq!(game["notes"], serde_json::json!(NOTES));
    let noted: Vec<String> = NOTES.iter().map(|note| format!("-: note: {note}")).collect();
    assert_eq!(run.errors.lines().collect::<Vec<_>>(), noted);
    for format in ["kif", "ki2", "csa", "jkf", "usi"] {
        let written = run_to_end(["record", "--to", format, "-"], &line);
        assert_eq!((written.code, written.errors.lines().count()), (0, 2), "{format}");
        let back = run_to_end(["record", "-"], &written.output);
        let back: Value = serde_json::from_str(&back.output).unwrap();
        for key in ["initial", "moves", "notes"] {
            assert_eq!(back[key], game[key], "{format} {key}");
        }
    }
    // Its moves must be legal.
    let run = run_to_end(["record", "-"], &format!("position sfen {DIAGRAM} moves P*5b\n"));
    assert_eq!((run.code, run.output.as_str()), (1, ""));
    assert!(run.errors.ends_with("two pawns on the file\n"), "{}", run.errors);
    // An ordinary game has no notes.
    let run = run_to_end(["record", "-"], "startpos moves 7g7f\n");
    assert!(!run.output.contains("notes") && run.errors.is_empty(), "{}", run.output);
}

/// Every other subcommand that reads positions reads this one, with notes.
#[test]
fn the_same_diagram_can_be_given_wherever_a_position_can() {
    let moves = run_to_end(["moves", "--sfen", DIAGRAM], "");
    assert_eq!(moves.code, 0, "{}", moves.errors);
    let words: Vec<&str> = moves.output.split_whitespace().collect();
    assert!(words.contains(&"5f5e") && words.contains(&"P*4b"), "{words:?}");
    assert!(!words.iter().any(|word| word.starts_with("P*5")), "{words:?}");
    let errors: Vec<&str> = moves.errors.lines().collect();
    let note = "--sfen: note: piece on 1i could never move";
    assert_eq!(errors, [note, "--sfen: note: two pawns of Black on file 5"]);
    let judged = run_to_end(["validate", "--sfen", DIAGRAM, "P*5b", "5f5e", "P*1a"], "");
    let expected =
        "illegal: two pawns on the file\nok\nillegal: the dropped piece could never move\n";
    assert_eq!((judged.code, judged.output.as_str()), (0, expected));
    assert_eq!(judged.errors, moves.errors);
    let mate = run_to_end(["mate", "--nodes", "1000", "--hash", "1", "--sfen", DIAGRAM], "");
    assert_eq!((mate.code, mate.output.as_str()), (0, "nomate\n"));
    assert!(mate.errors.starts_with(&moves.errors), "{}", mate.errors);
    let crowded = "4k4/9/4P4/4P4/9/9/9/9/4K4 b G 1";
    let mate = run_to_end(["mate", "--hash", "1", "--sfen", crowded], "");
    assert_eq!(mate.output, "mate 1 G*5b\n");
    for command in ["moves", "mate1", "mate", "eval"] {
        let run = run_to_end([command, "--file", "-"], &format!("startpos\n{crowded}\n"));
        assert_eq!((run.code, run.output.lines().count()), (0, 2), "{command}: {}", run.errors);
        assert!(run.errors.contains("line 2: note: two pawns of Black on file 5\n"), "{command}");
    }
    let perft = run_to_end(["perft", "2", "--sfen", crowded], "");
    let slow = run_to_end(["perft", "2", "--no-bulk", "--sfen", crowded], "");
    assert_eq!((perft.code, perft.output), (0, slow.output));
    let check = run_to_end(["tsume", "check", "--file", "-"], &format!("{crowded}\n"));
    assert!(check.output.starts_with("sound"), "{}", check.output);
    let analyze = ["analyze", "--json", "--out", "-", "--depth", "2", "--hash", "1", "-"];
    let run = run_to_end(analyze, &format!("sfen {crowded} moves G*5b\n"));
    assert_eq!((run.code, run.output.lines().count()), (0, 2), "{}", run.errors);
    // What no position has is refused as ever.
    let refused = run_to_end(["moves", "--sfen", "4k4/4k4/9/9/9/9/9/9/9 b - 1"], "");
    assert_eq!((refused.code, refused.output.as_str()), (1, ""));
}

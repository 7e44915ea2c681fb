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

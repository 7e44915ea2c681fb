//! Which files are written where, and what they never replace.

use std::fs;

use super::analyze;
use crate::folder::Folder;

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

/// Nobody wonders where their games are. The folder of the outputs is none with games.
#[test]
fn folders_in_a_folder_are_named() {
    let folder = Folder::new("analyze-nested");
    folder.take("made/minimal.jkf");
    let here = folder.path(".");
    let out = folder.path("./out/");
    let told = |count: &str| format!("{here}: {count} not read\n");
    fs::create_dir(folder.path("out")).unwrap();
    fs::create_dir(folder.path("one")).unwrap();
    let run = analyze([here.as_str(), "--json", "--out", &out]);
    assert_eq!(run.code, 0, "{}", run.errors);
    assert!(run.errors.starts_with(&told("1 folder in it is")), "{}", run.errors);
    let run = analyze([here.as_str(), "--list"]);
    assert!(run.errors.starts_with(&told("2 folders in it are")), "{}", run.errors);
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

/// A script may analyze the games of a file one by one.
#[test]
fn games_of_a_file_analyzed_one_by_one_do_not_share_outputs() {
    let folder = Folder::new("analyze-one-by-one");
    let [file, alone] = ["all.usi", "alone.usi"].map(|name| folder.path(name));
    let game = "startpos moves 7g7f\n";
    // Whether the other games can be read makes no difference.
    fs::write(&file, format!("{game}{game}startpos moves 1a1b\n")).unwrap();
    fs::write(&alone, game).unwrap();
    for (number, code) in [("1", 0), ("2", 1), ("3", 1)] {
        let words = [&*file, &*alone, "--game", number, "--kif", "--json"];
        let run = analyze(words);
        assert_eq!(run.code, code, "{}", run.errors);
    }
    let mut all = vec!["all.usi", "alone.analysis.json", "alone.analysis.kif", "alone.usi"];
    all.extend(["all.analysis-1.json", "all.analysis-1.kif"]);
    all.extend(["all.analysis-2.json", "all.analysis-2.kif"]);
    all.sort_unstable();
    assert_eq!(folder.names(), all);
    // The numbers are those of the whole file, also where one game alone can be read.
    let out = folder.path("out");
    fs::write(
        &file,
        format!(
            "{game}startpos moves 1a1b
"
        ),
    )
    .unwrap();
    for more in [&[][..], &["--game", "1"]] {
        let run =
            analyze([&*file, "--kif", "--out", &*out].into_iter().chain(more.iter().copied()));
        assert_eq!(run.code, i32::from(more.is_empty()), "{}", run.errors);
        let names: Vec<_> =
            fs::read_dir(&out).unwrap().map(|one| one.unwrap().file_name()).collect();
        assert_eq!(names, ["all-1.kif"]);
    }
}

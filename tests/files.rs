//! People's files: whatever goes wrong, what was there is still there, and nobody else's file is
//! replaced. `scripts/files.sh` is the long form.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tsumero_network::{Architecture, Kind, Parameters};

use crate::folder::Folder;
use crate::harness::{Run, engine, run_to_end};

#[cfg(unix)]
mod unix;

const GAME: &str = "position startpos moves 7g7f 3c3d 2g2f 8c8d resign\n";
const OTHER_GAME: &str = "position startpos moves 2g2f 8c8d 2f2e 4a3b resign\n";
const QUICK: [&str; 4] = ["--nodes", "50", "--hash", "1"];
const KINDS: [&str; 5] = ["--kif", "--csa", "--json", "--csv", "--html"];

fn run<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Run {
    run_to_end(arguments, "")
}

fn analyze<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Run {
    run(["analyze"].into_iter().chain(arguments).chain(QUICK))
}

impl Folder {
    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A CSA file of two games.
    fn two_games(&self, name: &str) -> String {
        let converted = run_to_end(["record", "-", "--to", "csa"], &(GAME.to_owned() + OTHER_GAME));
        self.write(name, &converted.output)
    }
}

/// What a file contains; `None` if there is none.
fn content(path: impl AsRef<Path>) -> Option<Vec<u8>> {
    fs::read(path).ok()
}

#[test]
fn a_book_survives_a_run_that_reads_nothing_or_leaves_nothing() {
    let folder = Folder::new("files-book");
    let (game, book) = (folder.write("h.usi", GAME), folder.path("book.db"));
    assert_eq!(run(["book", "make", &game, "--out", &book]).code, 0);
    let good = content(&book);
    let nothing = folder.write("empty.kif", "");
    let typo = folder.path("typo.kif");
    for (arguments, reason) in [
        (vec![typo.as_str()], "nothing was read"),
        (vec![nothing.as_str()], "nothing was read"),
        (vec![game.as_str(), "--min-count", "9"], "no position"),
    ] {
        let run = run(["book", "make"].into_iter().chain(arguments).chain(["--out", &book]));
        assert_eq!(run.code, 1, "{}", run.errors);
        assert!(run.errors.contains(reason) && run.errors.contains(&book), "{}", run.errors);
        assert_eq!(content(&book), good);
    }
    // A book of the program's own is replaced, and an empty file is filled.
    let other = folder.write("other.usi", OTHER_GAME);
    assert_eq!(run(["book", "make", &other, "--out", &book]).code, 0);
    assert_ne!(content(&book), good);
    let empty = folder.write("empty.db", "");
    assert_eq!(run(["book", "make", &game, "--out", &empty]).code, 0);
    assert_eq!(content(&empty), good);
    assert_eq!(
        folder.names(),
        ["book.db", "empty.db", "empty.kif", "h.usi", "other.usi"],
        "nothing else is left"
    );
}

/// Whether a message names a path. A program for Windows may write `\\` in it.
fn names(message: &str, path: &str) -> bool {
    message.replace('\\', "/").contains(&path.replace('\\', "/"))
}

/// Many games take a while to read.
#[test]
fn a_book_that_cannot_be_written_is_named_before_anything_is_read() {
    let folder = Folder::new("files-book-nowhere");
    let path = folder.path("no such folder/book.db");
    let run = run(["book", "make", &folder.path("no game.usi"), "--out", &path]);
    assert!(run.errors.starts_with(&format!("error: {path}: ")), "{}", run.errors);
    assert!(!run.errors.contains("no game"), "{}", run.errors);
}

/// Checks that no book of a game replaces the game itself, under another name.
fn assert_input_stays(game: &str, name: &str) {
    let run = run(["book", "make", game, "--out", name]);
    assert_eq!(run.code, 2, "{}", run.errors);
    assert!(names(&run.errors, name) && run.errors.contains("input"), "{}", run.errors);
    assert_eq!(content(name), Some(GAME.into()));
}

#[test]
fn an_input_and_a_file_of_somebody_else_are_not_replaced() {
    let folder = Folder::new("files-refused");
    let game = folder.write("h.usi", GAME);
    let round = folder.path("other/../h.usi");
    fs::create_dir(folder.path("other")).unwrap();
    for name in [&game, &round] {
        assert_input_stays(&game, name);
    }
    // A book of another program, one of our own that a person has changed, and something else
    // altogether.
    let sfen = tsumero_core::Position::startpos().to_sfen();
    let made = run(["book", "make", &game, "--out", "-"]).output;
    let books = [
        format!("#YANEURAOU-DB2016 1.00\nsfen {sfen}\n7g7f 3c3d 0 0 1\n"),
        format!("{made}# my favorite opening\n"),
        "my diary\n".to_owned(),
    ];
    for text in &books {
        let path = folder.write("theirs", text);
        // Before the first file is read.
        let typo = folder.path("typo.usi");
        let run = run(["book", "make", &typo, &game, "--out", &path]);
        assert_eq!(run.code, 2, "{}", run.errors);
        assert!(names(&run.errors, &path) && !names(&run.errors, &typo), "{}", run.errors);
        assert_eq!(content(&path), Some(text.clone().into()));
    }
    for kind in KINDS {
        let name = format!("h.{}", kind.trim_start_matches("--"));
        let path = folder.write(&format!("out/{name}"), "my diary\n");
        let run = analyze([game.as_str(), kind, "--out", &folder.path("out")]);
        assert_eq!(run.code, 2, "{}", run.errors);
        assert!(names(&run.errors, &path), "{}", run.errors);
        assert_eq!(content(&path), Some("my diary\n".into()));
        fs::remove_file(&path).unwrap();
    }
    let sheet = folder.write("sheet.html", "<p>my diary\n");
    let make = ["tsume", "generate", "--plies", "1", "--count", "1", "--html", &sheet];
    let refused = run(make);
    assert_eq!((refused.code, refused.output.as_str()), (2, ""), "{}", refused.errors);
    let path = folder.write("problems/tsume1-1-0001.kif", "my diary\n");
    let problems = folder.path("problems");
    let make = ["tsume", "generate", "--plies", "1", "--count", "1", "--out", &problems];
    let refused = run(make);
    assert_eq!(refused.code, 2, "{}", refused.errors);
    assert!(names(&refused.errors, &path), "{}", refused.errors);
    assert_eq!(content(&path), Some("my diary\n".into()));
    assert_eq!(content(&sheet), Some("<p>my diary\n".into()));
}

/// People write comments into analyses and solutions, with a GUI or by hand.
#[test]
fn an_output_that_a_person_changed_is_not_replaced() {
    let folder = Folder::new("files-changed");
    let game = folder.write("h.usi", GAME);
    let generate = ["tsume", "generate", "--plies", "1", "--count", "1", "--out"];
    let out = folder.path("out");
    let analysis = ["h.kif", "h.csa"].map(|name| folder.path(&format!("out/{name}")));
    let problem = folder.path("out/tsume1-1-0001.kif");
    let commands = || {
        let analyzed = analyze([game.as_str(), "--kif", "--csa", "--out", &out]);
        let generated = run(generate.into_iter().chain([out.as_str()]));
        [analyzed, generated]
    };
    assert_eq!(commands().map(|run| run.code), [0, 0]);
    for (path, number, comment) in [
        (&analysis[0], 0, "*well played\n"),
        (&analysis[1], 0, "'*well played\n"),
        (&problem, 1, "*nice\n"),
    ] {
        let ours = content(path).unwrap();
        let theirs = [&ours[..], comment.as_bytes()].concat();
        fs::write(path, &theirs).unwrap();
        let refused = &commands()[number];
        assert_eq!(refused.code, 2, "{}", refused.errors);
        assert!(names(&refused.errors, path), "{}", refused.errors);
        assert_eq!(content(path), Some(theirs));
        fs::write(path, &ours).unwrap();
    }
    assert_eq!(commands().map(|run| run.code), [0, 0]);
}

#[test]
fn every_output_replaces_its_own_kind() {
    let folder = Folder::new("files-own");
    let game = folder.two_games("h.csa");
    let out = folder.path("out");
    let arguments = [game.as_str(), "--out", out.as_str()];
    let files = |more: &str| {
        let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder.path(more))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    };
    for lang in ["en", "ja", "en"] {
        let all = arguments.into_iter().chain(KINDS).chain(["--lang", lang]);
        let run = analyze(all);
        assert_eq!(run.code, 0, "{}", run.errors);
    }
    let first = files("out");
    assert_eq!(first.len(), 6);
    // Other options give other files.
    let more = ["--multipv", "3"].into_iter().chain(KINDS);
    assert_eq!(analyze(arguments.into_iter().chain(more)).code, 0);
    let second = files("out");
    assert!(first.iter().zip(&second).all(|(one, two)| one.0 == two.0 && one.1 != two.1));
    for to in ["kif", "ki2", "csa", "jkf", "usi"] {
        for seed in ["1", "1"] {
            let (problems, page) = (folder.path("problems"), folder.path("page.html"));
            let run = run([
                "tsume", "generate", "--plies", "1", "--count", "2", "--seed", seed, "--to", to,
                "--out", &problems, "--html", &page,
            ]);
            assert_eq!(run.code, 0, "{}", run.errors);
        }
    }
    assert_eq!(files("problems").len(), 10);
}

/// The number of a game in a file may make the name of another input.
#[test]
fn the_kif_of_a_second_game_is_not_written_over_an_input() {
    let folder = Folder::new("files-second");
    let games = folder.two_games("in/games.csa");
    let converted = run_to_end(["record", "-", "--to", "kif"], GAME).output;
    let second = folder.write("o/games-1.kif", &converted);
    let out = folder.path("o");
    let run = analyze([games.as_str(), &second, "--kif", "--out", &out]);
    assert_eq!(content(&second), Some(converted.into()), "{}", run.errors);
    assert_eq!(run.code, 0, "{}", run.errors);
    let written = fs::read_dir(&out).unwrap().count();
    assert_eq!(written, 1 + 2 + 1, "the input and three games");
    // Two inputs whose outputs have the same name.
    let folder = Folder::new("files-same");
    let games = folder.two_games("a/games.csa");
    let other = folder.write("a/games-1.usi", GAME);
    let again = folder.write("b/games-1.usi", GAME);
    let last = folder.write("c/games-1.usi", GAME);
    let out = folder.path("out");
    let run = analyze([&games, &other, &again, &last, &last, &last, "--kif", "--out", &out]);
    assert_eq!(run.code, 0, "{}", run.errors);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 7);
}

#[test]
fn a_folder_is_analyzed_without_what_an_earlier_run_wrote() {
    let folder = Folder::new("files-twice");
    folder.two_games("in/one.csa");
    folder.write("in/two.usi", GAME);
    let inside = folder.path("in");
    let below = folder.path("in/below");
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(&inside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let listed = || run(["analyze", &inside, "--list"]).output;
    let before = listed();
    assert_eq!(before.lines().count(), 3);
    for out in [&inside, &below] {
        let first = analyze([inside.as_str(), "--out", out].into_iter().chain(KINDS));
        assert_eq!(first.code, 0, "{}", first.errors);
        let after = names();
        assert_eq!(listed(), before);
        let second = analyze([inside.as_str(), "--out", out].into_iter().chain(KINDS));
        assert_eq!(second.code, 0, "{}", second.errors);
        assert_eq!(names(), after);
    }
    let beside = analyze([inside.as_str()].into_iter().chain(KINDS));
    assert_eq!(beside.code, 0, "{}", beside.errors);
    assert_eq!(listed(), before);
}

/// A run with all the time in the world, which the test ends.
struct Slow(Child);

impl Slow {
    /// Starts it and waits until it has found something.
    fn start(game: &str, journal: &str) -> Slow {
        let child = Command::new(engine())
            .args(["analyze", game, "--json", "--nodes", "400000", "--hash", "1"])
            .spawn()
            .unwrap();
        let mut slow = Slow(child);
        // The first line describes the run, the second is a finding.
        while !fs::metadata(journal).is_ok_and(|found| found.len() > 1000) {
            assert!(slow.0.try_wait().unwrap().is_none(), "it ended before it could be stopped");
            std::thread::sleep(Duration::from_millis(5));
        }
        slow
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_journal_is_kept_when_resume_was_forgotten_and_belongs_to_one_process() {
    let folder = Folder::new("files-journal");
    let game = folder.take("real/kw7-8mai.kif");
    let journal = folder.path("kw7-8mai.analysis.partial");
    let slow = Slow::start(&game, &journal);
    let same = ["analyze", &game, "--json", "--nodes", "400000", "--hash", "1"];
    for more in [&[][..], &["--resume"]] {
        let second = run(same.iter().chain(more).copied());
        assert_eq!(second.code, 1, "{}", second.errors);
        assert!(names(&second.errors, &journal), "{}", second.errors);
        assert!(second.errors.contains("another process"), "{}", second.errors);
    }
    slow.kill();
    let kept = content(&journal);
    let run = analyze([game.as_str(), "--json"]);
    assert_eq!(run.code, 2, "{}", run.errors);
    assert!(names(&run.errors, &journal) && run.errors.contains("--resume"), "{}", run.errors);
    assert_eq!(content(&journal), kept);
    let other = analyze([game.as_str(), "--json", "--resume"]);
    assert_eq!(other.code, 2, "{}", other.errors);
    assert_eq!(content(&journal), kept);
}

/// Checks that nothing is analyzed while something else has the journal's name.
fn assert_no_journal(game: &str, journal: &str) {
    for more in [&[][..], &["--resume"]] {
        let run = analyze(["--json", game].into_iter().chain(more.iter().copied()));
        assert_eq!(run.code, 2, "{}", run.errors);
        assert!(names(&run.errors, journal), "{}", run.errors);
    }
}

#[test]
fn what_is_no_journal_is_left_alone() {
    let folder = Folder::new("files-no-journal");
    let game = folder.write("h.usi", GAME);
    let journal = folder.path("h.analysis.partial");
    let diary = folder.write("diary", "my diary\n");
    fs::copy(&diary, &journal).unwrap();
    assert_no_journal(&game, &journal);
    assert_eq!(content(&journal), Some("my diary\n".into()));
    fs::remove_file(&journal).unwrap();
    fs::create_dir(&journal).unwrap();
    assert_no_journal(&game, &journal);
}

/// A run may take hours. What it cannot write is told before it begins, and not behind its results.
#[test]
fn an_output_that_cannot_be_written_is_told_before_the_run() {
    let folder = Folder::new("files-ahead");
    let (first, last) = (folder.write("in/a.usi", GAME), folder.write("in/b.usi", OTHER_GAME));
    let inside = folder.path("in");
    assert_eq!(analyze([inside.as_str(), "--json", "--html"]).code, 0);
    let of_last = folder.path("in/b.analysis.json");
    let index = folder.path("in/index.analysis.html");
    let kept = folder.path("in/a.analysis.partial");
    for (protected, arguments) in
        [(&of_last, &[first.as_str(), &last, "--json"][..]), (&index, &[inside.as_str(), "--html"])]
    {
        let before = fs::metadata(protected).unwrap().permissions();
        let mut permissions = before.clone();
        permissions.set_readonly(true);
        fs::set_permissions(protected, permissions).unwrap();
        let run = analyze(arguments.iter().copied());
        assert_ne!(run.code, 0);
        assert!(names(&run.errors, protected), "{}", run.errors);
        assert!(content(&kept).is_none(), "a search was made before {protected}");
        fs::set_permissions(protected, before).unwrap();
        assert_eq!(analyze(arguments.iter().copied()).code, 0);
    }
    // A page without games is not written, so it does not matter.
    let nothing = folder.write("none/c.usi", "no game\n");
    let page = folder.path("none/index.analysis.html");
    fs::create_dir(&page).unwrap();
    let run = analyze([inside.as_str(), &folder.path("none"), "--html"]);
    assert_eq!(run.code, 1, "{}", run.errors);
    assert!(run.errors.contains("written: ") && names(&run.errors, &nothing), "{}", run.errors);
}

#[test]
fn a_table_for_people_opens_in_a_spreadsheet() {
    let folder = Folder::new("files-csv");
    // A name that a spreadsheet would take for a formula.
    let name = "=1+1.usi";
    // Black loses a bishop for nothing, so some values are below zero.
    folder.write(name, "startpos moves 7g7f 3c3d 9g9f 2b8h+ 9f9e 8h7i 9e9d\n");
    let table = |lang: &str| {
        let status = Command::new(engine())
            .current_dir(folder.path(""))
            .args(["analyze", name, "--csv", "--lang", lang])
            .args(QUICK)
            .status()
            .unwrap();
        assert!(status.success());
        let bytes = fs::read(folder.path("=1+1.analysis.csv")).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        text.strip_prefix('\u{feff}').expect("a byte order mark").to_owned()
    };
    let (english, japanese) = (table("en"), table("ja"));
    let (head, rows) = english.split_once('\n').unwrap();
    let (head_ja, rows_ja) = japanese.split_once('\n').unwrap();
    assert!(head.starts_with("file,game,ply,"), "{head}");
    assert!(head_ja.starts_with("ファイル,"), "{head_ja}");
    assert_eq!(head.split(',').count(), head_ja.split(',').count());
    assert!(head_ja.split(',').all(|column| !column.is_empty() && !column.contains("file")));
    assert_eq!(rows, rows_ja);
    let values = head.split(',').position(|column| column == "cp").unwrap();
    for row in rows.lines() {
        assert!(row.starts_with("'=1+1.usi,1,"), "{row}");
        let value = row.split(',').nth(values).unwrap();
        assert!(value.parse::<i32>().is_ok(), "a number stays a number: {value}");
    }
    assert!(rows.lines().any(|row| row.split(',').nth(values).unwrap().starts_with('-')));
}

/// Another network under the same name is another evaluation: its results must not be mixed with those of
/// the first one.
#[test]
fn a_run_is_not_resumed_with_a_network_that_was_replaced() {
    let folder = Folder::new("files-network");
    let game = folder.write("h.usi", GAME);
    let mut parameters = Parameters::zeros(Architecture::standard(Kind::Kp));
    let [first, second] = [0, 1600].map(|bias| {
        parameters.layers[2].biases[0] = bias;
        let mut file = Vec::new();
        parameters.write(&mut file).unwrap();
        file
    });
    let network = folder.path("nn.bin");
    fs::write(&network, &first).unwrap();
    let options = ["analyze", &game, "--eval-file", &network, "--json", "--time", "200"];
    let mut running = Command::new(engine()).args(options).stderr(Stdio::null()).spawn().unwrap();
    let journal = folder.path("h.analysis.partial");
    while !fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 1) {
        assert!(running.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(Duration::from_millis(5));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let resumed = || run(options.into_iter().chain(["--resume"]));
    let kept = content(&journal);
    fs::write(&network, &second).unwrap();
    let refused = resumed();
    assert_eq!(refused.code, 2, "{}", refused.errors);
    assert!(refused.errors.contains("begun with the evaluation 'network "), "{}", refused.errors);
    assert_eq!(content(&journal), kept);
    fs::write(&network, &first).unwrap();
    assert_eq!(resumed().code, 0);
    assert_eq!(folder.names(), ["h.analysis.json", "h.usi", "nn.bin"]);
}

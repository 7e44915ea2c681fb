//! What only Unix has: links, permissions, limits of a process.

use super::*;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;

#[test]
fn an_input_is_known_by_its_links() {
    let folder = Folder::new("files-input-links");
    let game = folder.write("h.usi", GAME);
    let (link, hard) = (folder.path("link.usi"), folder.path("hard.usi"));
    symlink(&game, &link).unwrap();
    fs::hard_link(&game, &hard).unwrap();
    for name in [&link, &hard] {
        assert_input_stays(&game, name);
    }
}

#[test]
fn a_journal_that_is_a_link_is_left_alone() {
    let folder = Folder::new("files-link");
    let game = folder.write("h.usi", GAME);
    let (journal, nothing) = (folder.path("h.analysis.partial"), folder.path("nothing"));
    let diary = folder.write("diary", "my diary\n");
    for leads_to in [&diary, &nothing] {
        symlink(leads_to, &journal).unwrap();
        assert_no_journal(&game, &journal);
        fs::remove_file(&journal).unwrap();
        assert_eq!(content(&diary), Some("my diary\n".into()));
        assert!(!Path::new(&nothing).exists());
    }
}

/// Runs the program in a shell that has set a limit.
fn limited(limit: &str, arguments: &[&str]) -> Run {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{limit}; exec \"$0\" \"$@\""))
        .arg(engine())
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.signal(), None, "a signal ended it");
    Run {
        code: output.status.code().unwrap(),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Each file that was analyzed would take one of the few files that a process may open.
#[test]
fn more_files_are_analyzed_than_may_be_open() {
    let folder = Folder::new("files-many");
    for number in 0..60 {
        folder.write(&format!("in/{number:02}.usi"), GAME);
    }
    let inside = folder.path("in");
    let quick = ["--json", "--nodes", "1", "--hash", "1"];
    let arguments: Vec<&str> = ["analyze", &inside].into_iter().chain(quick).collect();
    let run = limited("ulimit -n 32", &arguments);
    assert_eq!(run.code, 0, "{}", run.errors);
    let names: Vec<String> = fs::read_dir(&inside)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.iter().filter(|name| name.ends_with(".analysis.json")).count(), 60);
    assert_eq!(names.len(), 120, "no journal is left");
}

/// Code 2 is wrong usage only. A file that cannot be written to its end is not there at all.
#[test]
fn a_full_disk_is_no_wrong_usage_and_leaves_what_was_there() {
    let folder = Folder::new("files-full");
    let games = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/openings.sfen"),
    )
    .unwrap();
    let games = folder.write("games.usi", &games);
    let (small, book) = (folder.write("h.usi", GAME), folder.path("book.db"));
    assert_eq!(run(["book", "make", &small, "--out", &book]).code, 0);
    let old = content(&book);
    let run = limited("ulimit -f 8", &["book", "make", &games, "--out", &book]);
    assert_eq!(run.code, 1, "{}", run.errors);
    assert!(run.errors.contains(&book), "{}", run.errors);
    assert_eq!(content(&book), old);
    assert_eq!(folder.names(), ["book.db", "games.usi", "h.usi"]);

    let game = folder.take("real/kw7-8mai.kif");
    let page = folder.path("kw7-8mai.analysis.html");
    let html = ["analyze", &game, "--html", "--nodes", "10", "--hash", "1"];
    assert_eq!(super::run(html).code, 0);
    let old = content(&page);
    let run = limited("ulimit -f 60", &html);
    assert_eq!(run.code, 1, "{}", run.errors);
    assert!(run.errors.contains(&page), "{}", run.errors);
    assert_eq!(content(&page), old);
    let journal = folder.path("kw7-8mai.analysis.partial");
    assert!(Path::new(&journal).exists(), "the results are kept");
    // The journal itself.
    fs::remove_file(&journal).unwrap();
    let run = limited("ulimit -f 4", &html);
    assert_eq!(run.code, 1, "{}", run.errors);
    assert!(run.errors.contains(&journal), "{}", run.errors);
    let resumed = super::run(html.into_iter().chain(["--resume"]));
    assert_eq!(resumed.code, 0, "{}", resumed.errors);
    assert_eq!(content(&page), old);
}

/// The rows that are in the file count, and no others. The page finds no room, either, and both errors are
/// told.
#[test]
fn problems_that_found_no_room_are_made_again() {
    let folder = Folder::new("files-full-tsume");
    let (rows, page) = (folder.path("rows.csv"), folder.path("page.html"));
    let program = ["ulimit -f 8; exec \"$0\" \"$@\" > ", &rows].concat();
    let ended = Command::new("sh")
        .args(["-c", &program, engine()])
        .args(["tsume", "generate", "--plies", "1", "--count", "500", "--html", &page])
        .output()
        .unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    let whole = fs::read_to_string(&rows).unwrap().matches('\n').count() - 1;
    let rest = format!("--skip {whole} --count {} goes on from here", 500 - whole);
    assert!(errors.contains(&rest), "{whole} rows: {errors}");
    assert!(errors.contains("may be cut"), "{errors}");
    let [first, second] =
        ["error: standard output: ", &format!("error: {page}: ")].map(|error| errors.find(error));
    assert!(first.is_some() && first < second, "{errors}");
}

/// There may be room for the name of an output, but not for that of the journal.
#[test]
fn a_name_that_is_too_long_is_told_before_the_run() {
    let folder = Folder::new("files-long-name");
    let game = folder.write("h.usi", GAME);
    let long = folder.write(&format!("{}.usi", "n".repeat(240)), GAME);
    let run = super::analyze(["--json", &game, &long]);
    assert_ne!(run.code, 0);
    assert!(run.errors.contains("n.analysis.partial: "), "{}", run.errors);
    assert_eq!(folder.names().len(), 2, "a search was made for the first game");
}

/// Where nothing can be kept, nobody is told to go on with what was kept.
#[cfg(target_os = "linux")]
#[test]
fn a_run_without_a_journal_cannot_be_resumed() {
    let folder = Folder::new("files-without-journal");
    let game = folder.write("h.usi", GAME);
    let journal = folder.path("h.analysis.partial");
    for has_journal in [false, true] {
        if !has_journal {
            fs::create_dir(&journal).unwrap();
        }
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let ended = Command::new(engine())
            .args(["analyze", &game])
            .args(QUICK)
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let errors = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{errors}");
        assert_eq!(errors.contains("has to start over"), !has_journal, "{errors}");
        assert_eq!(errors.contains("--resume"), has_journal, "{errors}");
        assert_eq!(Path::new(&journal).is_file(), has_journal);
        let _ = fs::remove_dir(&journal);
    }
}

/// A device is written to as it is, not replaced by a file.
#[cfg(target_os = "linux")]
#[test]
fn a_device_stays_a_device() {
    let folder = Folder::new("files-device");
    let game = folder.write("h.usi", GAME);
    let link = folder.path("full");
    symlink("/dev/full", &link).unwrap();
    for full in ["/dev/full", &link] {
        let run = run(["book", "make", &game, "--out", full]);
        assert_eq!(run.code, 1, "{}", run.errors);
        assert!(run.errors.contains(full), "{}", run.errors);
    }
    assert_eq!(run(["book", "make", &game, "--out", "/dev/null"]).code, 0);
    for device in ["/dev/full", "/dev/null"] {
        assert!(!fs::metadata(device).unwrap().is_file());
    }
    let shown = run(["book", "make", &game, "--out", "/dev/stdout"]);
    assert!(shown.code == 0 && shown.output.starts_with("#YANEURAOU"), "{}", shown.errors);
}

/// A link to a book stays one, and the book it leads to is replaced, with its permissions.
#[test]
fn links_and_permissions_stay() {
    let folder = Folder::new("files-links");
    let game = folder.write("h.usi", GAME);
    let other = folder.write("other.usi", OTHER_GAME);
    fs::create_dir(folder.path("books")).unwrap();
    let (book, link) = (folder.path("books/book.db"), folder.path("book.db"));
    assert_eq!(run(["book", "make", &game, "--out", &book]).code, 0);
    let old = content(&book);
    fs::set_permissions(&book, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&book, &link).unwrap();
    assert_eq!(run(["book", "make", &other, "--out", &link]).code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_ne!(content(&book), old);
    assert_eq!(fs::metadata(&book).unwrap().permissions().mode() & 0o777, 0o640);
    // A file that nobody may write to stays, and so does a link to nothing.
    let new = content(&book);
    fs::set_permissions(&book, fs::Permissions::from_mode(0o440)).unwrap();
    let refused = run(["book", "make", &game, "--out", &book]);
    assert_eq!(refused.code, 2, "{}", refused.errors);
    assert_eq!(content(&book), new);
    let nowhere = folder.path("nowhere.db");
    symlink(folder.path("nothing"), &nowhere).unwrap();
    assert_eq!(run(["book", "make", &game, "--out", &nowhere]).code, 2);
    assert!(fs::symlink_metadata(&nowhere).unwrap().is_symlink());
    assert!(!Path::new(&folder.path("nothing")).exists());
    let run = run(["book", "make", &game, "--out", &folder.path("no/such/book.db")]);
    assert_eq!(run.code, 2, "{}", run.errors);
}

/// How often each command is killed.
const ROUNDS: u32 = 6;

/// Kills a run again and again, each time a little later. Each file is the one of before, or
/// the whole new one.
fn killed(folder: &Folder, outputs: &[String], old: &[&str], new: &[&str]) {
    let contents = || outputs.iter().map(content).collect::<Vec<_>>();
    let make = |arguments: &[&str]| {
        let run = run(arguments.iter().copied());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.errors);
        contents()
    };
    let journals = || {
        let names = folder.names().into_iter();
        names.filter(|name| name.ends_with(".partial")).map(|name| folder.path(&name))
    };
    let after = make(new);
    let before = make(old);
    assert!(before.iter().zip(&after).all(|(one, two)| one != two), "{outputs:?}");
    // How far the files are new when the run is killed depends on the machine, which is why the
    // wait is not a length of time but a share of what a run takes.
    let started = std::time::Instant::now();
    make(new);
    let whole = started.elapsed();
    for round in 0..ROUNDS {
        for (path, content) in outputs.iter().zip(&before) {
            fs::write(path, content.as_ref().unwrap()).unwrap();
        }
        let mut child = Command::new(engine())
            .args(new)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(whole * (round + 1) / (ROUNDS + 1));
        let _ = child.kill();
        child.wait().unwrap();
        for (index, now) in contents().iter().enumerate() {
            let is_whole = now == &before[index] || now == &after[index];
            assert!(is_whole, "{} is a part", outputs[index]);
        }
        journals().for_each(|journal| fs::remove_file(journal).unwrap());
    }
    assert_eq!(make(old), before);
    assert!(
        folder.names().iter().all(|name| !name.ends_with(".tsumero-new")),
        "the next run takes away what a killed one has left: {:?}",
        folder.names()
    );
}

#[test]
fn a_killed_run_leaves_each_file_old_or_new() {
    let folder = Folder::new("files-killed");
    let openings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/openings.sfen");
    let openings = fs::read_to_string(openings).unwrap();
    let some: Vec<&str> = openings.lines().take(600).collect();
    let openings = folder.write("openings.usi", &some.join("\n"));
    let book = folder.path("book.db");
    let make = ["book", "make", &openings, "--out", &book];
    let more = [&make[..], &["--ignore-ply", "--plies", "20"]].concat();
    killed(&folder, std::slice::from_ref(&book), &make, &more);

    let game = folder.take("made/minimal.jkf");
    let outputs = ["csa", "csv", "html", "json", "kif"]
        .map(|kind| folder.path(&format!("minimal.analysis.{kind}")));
    let all = [&["analyze", game.as_str(), "--hash", "1"], &KINDS[..]].concat();
    let old = [&all[..], &["--nodes", "30"]].concat();
    let new = [&all[..], &["--nodes", "60", "--multipv", "2"]].concat();
    killed(&folder, &outputs, &old, &new);

    let page = folder.path("page.html");
    let problem = folder.path("mate-0001.kif");
    // Inputs of one name write the same files.
    ["one", "other"].iter().for_each(|name| fs::create_dir(folder.path(name)).unwrap());
    let other = folder.write("other/mate.sfen", "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\n");
    let one = folder.write("one/mate.sfen", "5k3/9/5P3/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\n");
    let out = folder.path("");
    let check = |file| ["tsume", "check", "--file", file, "--html", &page, "--out", &out];
    let outputs = [page.clone(), problem];
    killed(&folder, &outputs, &check(&other), &check(&one));
}

/// Old archives have names in Shift_JIS. These differ only in bytes that are not UTF-8.
#[test]
fn outputs_of_names_that_are_not_unicode_replace_no_others() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new("files-names");
    let problem = "8k/6S1p/5+Rl2/9/9/9/9/9/9 b r2b4g3s4n3l17p 1\n";
    for (number, name) in (1..).zip([b"\x90\xe6\x8e\xe8", b"\x8c\xe3\x8e\xe8"]) {
        let name = [&name[..], b".usi"].concat();
        let file = Path::new(&folder.path("")).join(std::ffi::OsStr::from_bytes(&name));
        for (text, arguments) in [
            (GAME, &["analyze", "--json", "--nodes", "1", "--hash", "1", "--out", "a"][..]),
            (problem, &["tsume", "check", "--out", "b", "--file"]),
        ] {
            fs::write(&file, text).unwrap();
            let mut command = Command::new(engine());
            let run = command.args(arguments).arg(&file).current_dir(folder.path("")).output();
            assert!(run.unwrap().status.success());
        }
        for outputs in ["a", "b"] {
            let found = fs::read_dir(folder.path(outputs)).unwrap();
            let names: Vec<_> = found.map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(names.len(), number, "{names:?}");
        }
    }
}

//! Relative names of files in options: the folder of the program comes first, then the current
//! one. The program runs here as a copy in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};

use tsumero_network::{Architecture, Kind, Parameters};

use crate::eval_command::pawn_counter;
use crate::folder::Folder;
use crate::harness::{SOON, Session, engine};
use crate::output::Line;

/// A folder with the program, and two others.
struct Places {
    program: Folder,
    current: Folder,
    third: Folder,
}

impl Places {
    fn new(name: &str) -> Places {
        let [program, current, third] =
            ["program", "current", "third"].map(|place| Folder::new(&format!("{name} {place}")));
        let copy = program.path("tsumero-copy");
        // A link may lead to another disk.
        if fs::hard_link(engine(), &copy).is_err() {
            fs::copy(engine(), &copy).unwrap();
        }
        Places { program, current, third }
    }

    /// Starts the program in a folder.
    fn start_in(&self, folder: &Folder) -> Session {
        let program = PathBuf::from(self.program.path("tsumero-copy"));
        let mut session = Session::start_program(&program, Path::new(&folder.path("")));
        session.send("setoption name USI_Hash value 1");
        session.send("position startpos");
        session
    }
}

/// Writes a file, and the folders above it.
fn write(folder: &Folder, name: &str, bytes: &[u8]) {
    let path = PathBuf::from(folder.path(name));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Sets options, and returns what is said of them.
fn set(session: &mut Session, options: &[&str]) -> Vec<Line> {
    for option in options {
        session.send(&format!("setoption name {option}"));
    }
    session.send("isready");
    session.until("readyok")
}

/// What the evaluation says of four pawns in hand against one.
fn value(session: &mut Session) -> i32 {
    session.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 4Pp 1");
    session.send("eval");
    loop {
        let (_, line) = session.next_line(SOON).expect("eval answers");
        if let Some(total) = line.text().strip_prefix("total for the side to move: ") {
            return total.parse().unwrap();
        }
    }
}

/// A network for which everything is worth nothing.
fn zeros() -> Vec<u8> {
    let mut file = Vec::new();
    Parameters::zeros(Architecture::standard(Kind::Kp)).write(&mut file).unwrap();
    file
}

/// Writes the file beside the program, in the current folder, in both, and in neither. `check` is
/// told which of the two counts.
fn everywhere(
    name: &str,
    file: &str,
    contents: [&[u8]; 2],
    mut check: impl FnMut(Session, Option<usize>),
) {
    for (beside, here, expected) in [
        (true, false, Some(0)),
        (false, true, Some(1)),
        (true, true, Some(0)),
        (false, false, None),
    ] {
        let places = Places::new(name);
        if beside {
            write(&places.program, file, contents[0]);
        }
        if here {
            write(&places.current, file, contents[1]);
        }
        check(places.start_in(&places.current), expected);
    }
}

#[test]
fn networks_are_found_beside_the_program_first() {
    for (file, options) in [
        ("nets/some.bin", &["EvalFile value nets/some.bin"][..]),
        ("nets/some.bin", &["EvalDir value nets", "EvalFile value some.bin"]),
        ("nets/nn.bin", &["EvalDir value nets"]),
    ] {
        everywhere("eval", file, [&pawn_counter(), &zeros()], |mut session, expected| {
            let said = set(&mut session, options);
            assert_eq!(said.len(), 1, "{said:?}");
            assert_eq!(said[0].is_error(), expected.is_none(), "{options:?}: {said:?}");
            match expected {
                Some(place) => assert_eq!(value(&mut session), [12, 0][place], "{options:?}"),
                None => {
                    assert!(said[0].text().contains("nets/"), "{said:?}");
                    session.go("nodes 100");
                }
            }
            session.quit();
        });
    }
}

#[test]
fn books_are_found_beside_the_program_first() {
    let book = |first: &str| {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        format!("#YANEURAOU-DB2016 1.00\nsfen {start}\n{first} none 0 32 1\n").into_bytes()
    };
    let moves = ["9g9f", "1g1f"];
    for (file, options) in [
        ("book/some.db", &["BookFile value some.db"][..]),
        ("some.db", &["BookFile value some.db"]),
        ("other/some.db", &["BookDir value other", "BookFile value some.db"]),
        ("other/some.db", &["BookFile value other/some.db"]),
    ] {
        everywhere("book", file, [&book(moves[0]), &book(moves[1])], |mut session, expected| {
            let said = set(&mut session, options);
            assert_eq!(said.len(), 1, "{said:?}");
            assert_eq!(said[0].is_error(), expected.is_none(), "{options:?}: {said:?}");
            if let Some(place) = expected {
                let thought = session.go("movetime 600000");
                assert_eq!(thought.best(), moves[place], "{options:?}");
            }
            session.quit();
        });
    }
}

#[test]
fn a_log_is_continued_where_it_is_and_begins_beside_the_program() {
    for (beside, here, expected) in
        [(true, false, 0), (false, true, 1), (true, true, 0), (false, false, 0)]
    {
        let places = Places::new("log");
        let folders = [&places.program, &places.current];
        for (exists, folder) in [beside, here].into_iter().zip(folders) {
            if exists {
                write(folder, "log.txt", b"     0.001 > before\n");
            }
        }
        let mut session = places.start_in(&places.current);
        assert!(set(&mut session, &["DebugLogFile value log.txt"]).is_empty());
        session.quit();
        for (place, (exists, folder)) in [beside, here].into_iter().zip(folders).enumerate() {
            let text = fs::read_to_string(folder.path("log.txt")).unwrap_or_default();
            assert_eq!(text.contains("before\n"), exists);
            assert_eq!(text.contains(" > isready\n"), place == expected, "{beside} {here}: {text}");
        }
    }
}

/// Something else of that name beside the program is refused: no log is made where nobody looks for it.
#[test]
fn a_log_that_is_refused_is_not_made_in_another_place() {
    let places = Places::new("refused log");
    write(&places.program, "log.txt/file", b"in a folder");
    let mut session = places.start_in(&places.current);
    session.send("setoption name DebugLogFile value log.txt");
    // Nothing waits for the file, so the error comes when it is known.
    let (_, said) = session.next_line(SOON).expect("it is an error");
    assert!(said.is_error() && said.text().contains("not a regular file"), "{said:?}");
    session.quit();
    assert!(places.current.names().is_empty());
}

/// With the files beside the program, everything is the same in every folder, even in one with
/// other files of the same names.
#[test]
fn the_current_directory_does_not_matter() {
    let places = Places::new("anywhere");
    write(&places.program, "eval/nn.bin", &pawn_counter());
    write(&places.third, "eval/nn.bin", &zeros());
    for folder in [&places.program, &places.current, &places.third] {
        let mut session = places.start_in(folder);
        let said = set(&mut session, &["EvalDir value eval"]);
        assert!(said.len() == 1 && !said[0].is_error(), "{said:?}");
        assert_eq!(value(&mut session), 12);
        session.quit();
        // Without options, nothing is read from there.
        let mut session = places.start_in(folder);
        assert!(set(&mut session, &[]).is_empty());
        session.quit();
    }
    // A command line means the folder in which it is typed.
    let eval = |folder: &Folder| {
        let run = std::process::Command::new(places.program.path("tsumero-copy"))
            .args(["eval", "--eval-file", "eval/nn.bin", "--sfen"])
            .arg("4k4/9/9/9/9/9/9/9/4K4 b 4Pp 1")
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        (run.status.code(), String::from_utf8(run.stdout).unwrap())
    };
    assert_eq!(eval(&places.program), (Some(0), "12 192\n".to_owned()));
    assert_eq!(eval(&places.third), (Some(0), "0 0\n".to_owned()));
    assert_eq!(eval(&places.current), (Some(2), String::new()));
}

//! The opening book: when the engine plays from it, that bad files do no harm, and `tsumero book`.

use std::fs;
use std::path::PathBuf;

use tsumero_core::Position;

use crate::folder::Folder;
use crate::harness::{SOON, Session, ms, run_to_end};
use crate::output::{Answer, Line, Score};

/// A book on the disk, deleted at the end.
struct BookFile(PathBuf);

impl BookFile {
    fn new(name: &str, text: &str) -> BookFile {
        let name = format!("tsumero-{name}-{}.db", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).unwrap();
        BookFile(path)
    }

    fn option(&self) -> String {
        format!("BookFile value {}", self.0.display())
    }
}

impl Drop for BookFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn after(moves: &str) -> Position {
    let mut position = Position::startpos();
    for word in moves.split_ascii_whitespace() {
        position.play_unchecked(position.parse_move(word).unwrap());
    }
    position
}

/// A book whose positions come after the given moves, sorted as books are. The entries are parted by
/// commas.
fn book(positions: &[(&str, &str)]) -> String {
    let mut blocks: Vec<String> = positions
        .iter()
        .map(|(moves, entries)| format!("sfen {}\n{}\n", after(moves), entries.replace(',', "\n")))
        .collect();
    blocks.sort();
    format!("#YANEURAOU-DB2016 1.00\n{}", blocks.concat())
}

fn small_book() -> String {
    book(&[
        ("", "7g7f 3c3d 25 20 3"),
        ("7g7f 3c3d", "2g2f none 31 20 1,6g6f none 1 20 1,9i9h none 900 20 1,1a1b none 5 20 1"),
        ("7g7f 3c3d 2g2f", "8c8d 2f2e -40 20 1"),
        ("2g2f", "8c8d 2f2e -20 15 1"),
    ])
}

/// The lines that the engine prints for a search. From the book they are one.
fn lines_of_book(session: &mut Session, moves: &str, go: &str) -> Option<(String, Score, String)> {
    session.set_position("startpos", moves);
    let thought = session.go(go);
    let info = thought.last_info();
    if info.nodes != Some(0) {
        return None;
    }
    assert_eq!(thought.infos.len(), 1, "{:?}", thought.infos);
    let Answer::Move { best, ponder } = &thought.answer else { panic!("{:?}", thought.answer) };
    assert_eq!(info.pv.first(), Some(best));
    assert_eq!(info.pv.get(1), ponder.as_ref());
    Some((best.clone(), info.score.unwrap(), info.pv.join(" ")))
}

const CLOCK: &str = "btime 0 wtime 0 byoyomi 100";

#[test]
fn a_position_of_the_book_is_answered_at_once_with_a_line_of_play() {
    let file = BookFile::new("book-line", &small_book());
    for on_the_fly in ["false", "true"] {
        let on_the_fly = format!("BookOnTheFly value {on_the_fly}");
        let mut session = Session::ready_with(&[&file.option(), &on_the_fly]);
        // Through the positions of the book: the reply of an entry, else the best move there.
        for go in [CLOCK, "movetime 60000", "depth 20", "btime 600000 wtime 600000 byoyomi 60000"] {
            session.set_position("startpos", "");
            let thought = session.go(go);
            assert!(thought.elapsed < ms(5000), "{:?}", thought.elapsed);
            let expected = ("7g7f".to_owned(), Score::Centipawns(25));
            let (best, score, pv) = lines_of_book(&mut session, "", go).unwrap();
            assert_eq!((best, score), expected);
            assert_eq!(pv, "7g7f 3c3d 9i9h", "the best value goes on, with or without a limit");
        }
        // White's limit is -140, Black's is 0.
        let (best, ..) = lines_of_book(&mut session, "7g7f 3c3d 2g2f", CLOCK).unwrap();
        assert_eq!(best, "8c8d");
        // 15 is less than BookDepthLimit, and the last position is not in the book.
        assert_eq!(lines_of_book(&mut session, "2g2f", CLOCK), None);
        assert_eq!(lines_of_book(&mut session, "5g5f", CLOCK), None);
        session.quit();
    }
}

#[test]
fn options_say_which_moves_are_played() {
    let text = book(&[
        ("", "7g7f 3c3d 100 20 1,2g2f 8c8d 60 20 1,5g5f none -10 20 1000000"),
        ("2g2f 8c8d", "7g7f none -5 20 1"),
        ("7g7f", "3c3d none -150 20 1"),
    ]);
    let file = BookFile::new("book-options", &text);
    let mut session = Session::ready_with(&[&file.option()]);
    let mut played = |options: &[&str], moves: &str| {
        let mut found = std::collections::BTreeSet::new();
        for option in options {
            session.send(&format!("setoption name {option}"));
        }
        for _ in 0..40 {
            match lines_of_book(&mut session, moves, "nodes 10") {
                Some((best, ..)) => _ = found.insert(best),
                None => return Vec::new(),
            }
        }
        found.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(played(&[], ""), ["7g7f"]);
    assert_eq!(played(&["BookEvalDiff value 40"], ""), ["2g2f", "7g7f"]);
    assert_eq!(played(&["BookEvalDiff value 200"], ""), ["2g2f", "7g7f"]);
    assert_eq!(played(&["BookEvalBlackLimit value -10"], ""), ["2g2f", "5g5f", "7g7f"]);
    assert_eq!(played(&["ConsiderBookMoveCount value true"], ""), ["5g5f"]);
    assert_eq!(played(&["BookMoves value 0"], ""), [""; 0]);
    assert_eq!(played(&["BookMoves value 2"], "2g2f 8c8d"), [""; 0]);
    assert_eq!(played(&["BookMoves value 3"], "2g2f 8c8d"), ["7g7f"]);
    assert_eq!(played(&["BookEvalBlackLimit value 0"], "2g2f 8c8d"), [""; 0]);
    assert_eq!(played(&[], "7g7f"), [""; 0]);
    assert_eq!(played(&["BookEvalWhiteLimit value -150"], "7g7f"), ["3c3d"]);
    assert_eq!(played(&["BookDepthLimit value 21"], "7g7f"), [""; 0]);
    assert_eq!(played(&["BookDepthLimit value 0"], "7g7f"), ["3c3d"]);
    // The same position two moves later, and turned around.
    let later = "4i4h 4a4b 4h4i 4b4a 7g7f";
    assert_eq!(played(&["BookMoves value 16"], later), [""; 0]);
    assert_eq!(played(&["IgnoreBookPly value true"], later), ["3c3d"]);
    let turned = "4i4h 3c3d";
    let text = book(&[("7g7f", "3c3d none -150 20 1"), ("3g3f", "8c8d none 0 20 1")]);
    assert_eq!(played(&[], turned), [""; 0]);
    let other = BookFile::new("book-turned", &text.replace(" w - 2", " w - 1"));
    // Black has moved nothing and White a pawn, with Black to move: the first position turned.
    session.send(&format!("setoption name {}", other.option()));
    let mut white_moved = after("7g7f").to_sfen();
    white_moved = white_moved.replace("/2P6/PP1PPPPPP/", "/9/PPPPPPPPP/");
    white_moved = white_moved.replace("/ppppppppp/9/", "/pppppp1pp/6p2/").replace(" w ", " b ");
    session.set_position(&white_moved, "");
    session.send("setoption name BookEvalBlackLimit value -150");
    assert_eq!(session.go("nodes 10").best(), "7g7f");
    session.send("setoption name FlippedBook value false");
    assert_ne!(session.go("nodes 10").last_info().nodes, Some(0));
    session.quit();
}

#[test]
fn an_analysis_thinks_for_itself() {
    let file = BookFile::new("book-analysis", &small_book());
    let mut session = Session::ready_with(&[&file.option()]);
    assert!(lines_of_book(&mut session, "", "nodes 500").is_some());
    for go in ["infinite", ""] {
        session.send(&format!("go {go}"));
        std::thread::sleep(ms(100));
        session.send("stop");
        assert!(session.answer(SOON).last_info().nodes > Some(0));
    }
    assert_eq!(session.go("nodes 500 searchmoves 2g2f").best(), "2g2f");
    for option in ["MultiPV value 2", "ConsiderationMode value true", "USI_OwnBook value false"] {
        session.send(&format!("setoption name {option}"));
        assert_eq!(lines_of_book(&mut session, "", "nodes 500"), None, "{option}");
        for default in
            ["MultiPV value 1", "ConsiderationMode value false", "USI_OwnBook value true"]
        {
            session.send(&format!("setoption name {default}"));
        }
    }
    assert!(lines_of_book(&mut session, "", "nodes 500").is_some());
    session.send("setoption name BookFile value no_book");
    assert_eq!(lines_of_book(&mut session, "", "nodes 500"), None);
    session.send("go mate 1000");
    assert_eq!(session.any_answer(SOON).answer, Answer::NoMate);
    session.quit();
}

#[test]
fn a_win_is_declared_whatever_the_book_says() {
    let sfen = "+R+R+B+BGGG1K/PPPPPPPPP/9/9/9/9/9/9/4k4 b G2S 1";
    let text = format!("#YANEURAOU-DB2016 1.00\nsfen {sfen}\nG*5h none 100 32 1\n");
    let file = BookFile::new("book-declaration", &text);
    let mut session = Session::ready_with(&[&file.option()]);
    session.set_position(sfen, "");
    session.send("go nodes 100");
    assert_eq!(session.any_answer(SOON).answer, Answer::Win);
    // A move that is asked for is searched.
    assert_eq!(session.go("nodes 100 searchmoves G*5h").best(), "G*5h");
    session.send("setoption name EnteringKingRule value NoEnteringKing");
    assert_eq!(session.go("nodes 100").best(), "G*5h");
    session.quit();
}

#[test]
fn a_check_that_loses_by_repetition_is_not_played_from_the_book() {
    const CHECK: &str = "sfen 4k4/8R/9/9/9/9/9/9/4K4 b - 1\n1b1a none 900 32 1\n";
    // Where the check is lost, its value does not count against the other move.
    for (name, others) in [("alone", ""), ("best", "5i5h none 100 32 1\n")] {
        let file = BookFile::new(&format!("book-perpetual-{name}"), &format!("{CHECK}{others}"));
        let mut session = Session::ready_with(&[&file.option(), "IgnoreBookPly value true"]);
        let mut moves = "1c1a 5a5b 1a1b 5b5a".to_owned();
        for occurrence in 2..=4 {
            session.set_position("4k4/9/8R/9/9/9/9/9/4K4 b - 1", &moves);
            let thought = session.go("nodes 10");
            // Black has given check with every move since the first occurrence.
            let is_lost = occurrence == 4;
            let is_booked = !is_lost || !others.is_empty();
            assert_eq!(thought.last_info().nodes == Some(0), is_booked, "{name} {occurrence}");
            assert_eq!(thought.best() == "1b1a", !is_lost, "{name} {occurrence}");
            moves.push_str(" 1b1a 5a5b 1a1b 5b5a");
        }
        session.quit();
    }
}

#[test]
fn pondering_waits_for_the_hit_and_is_answered_at_once() {
    let file = BookFile::new("book-ponder", &small_book());
    let ponder = "USI_Ponder value true";
    // Stochastic pondering is a search of its own; the search of the answer follows.
    for (more, searches) in [("BookMoves value 16", 1), ("Stochastic_Ponder value true", 2)] {
        let mut session = Session::ready_with(&[&file.option(), ponder, more]);
        session.set_position("startpos", "7g7f 3c3d 2g2f");
        for end in ["ponderhit", "stop"] {
            for words in ["btime 600000 wtime 600000 byoyomi 60000", ""] {
                session.send(&format!("go ponder {words}"));
                session.no_answer_for(ms(100));
                session.send(end);
                let thought = session.answer_after_searches(searches, ms(5000));
                // A stop means that the answer is not wanted. Without a clock the search that follows
                // a stochastic one is an analysis, and stopped at once.
                let is_game = searches == 1 || !words.is_empty();
                if end == "ponderhit" && is_game {
                    assert_eq!(thought.best(), "8c8d", "{more}");
                }
                session.in_step();
            }
        }
        session.quit();
    }
}

fn said(session: &mut Session, option: &str) -> Vec<Line> {
    session.send(&format!("setoption name {option}"));
    session.send("isready");
    session.until("readyok")
}

/// What is said about the book after a `go`, and the answer.
fn notes_and_answer(session: &mut Session, moves: &str, go: &str) -> (Vec<String>, Answer) {
    session.set_position("startpos", moves);
    session.send(&format!("go {go}"));
    let mut notes = Vec::new();
    loop {
        match session.next_line(SOON).expect("an answer").1 {
            Line::Note(text) => notes.push(text),
            Line::Answer(answer) => return (notes, answer),
            _ => {}
        }
    }
}

#[test]
fn a_bad_book_is_named_in_one_line_and_the_game_goes_on() {
    let bad = BookFile::new("book-bad", &small_book().replace("3c3d 25", "3c3d x"));
    let unsorted = format!("{}{}", book(&[("", "7g7f")]), book(&[("7g7f", "3c3d")]));
    let unsorted = BookFile::new("book-unsorted", &unsorted);
    let binary = BookFile::new("book-binary", "\u{0}\u{1}\u{2}\n\u{7f}");
    let mut session = Session::ready();
    assert!(said(&mut session, "BookOnTheFly value false").is_empty());
    for (option, part) in [
        (bad.option(), "the value 'x' is not a number"),
        (binary.option(), "line 1: not a position"),
        ("BookFile value no-such-book.db".to_owned(), "no such file"),
        ("BookFile value .".to_owned(), "the file cannot be read"),
    ] {
        // At the game's start, and again at the next; not before every move.
        for _ in 0..2 {
            let lines = said(&mut session, &option);
            let [Line::Note(text)] = &lines[..] else { panic!("{option}: {lines:?}") };
            assert!(text.contains("Error! BookFile ") && text.contains(part), "{text}");
        }
        assert_eq!(lines_of_book(&mut session, "", "nodes 500"), None);
    }
    // Sorted or not is asked only of a file that is searched.
    let lines = said(&mut session, &unsorted.option());
    assert!(matches!(&lines[..], [Line::Note(text)] if text.contains("2 positions")), "{lines:?}");
    let lines = said(&mut session, "BookOnTheFly value true");
    assert!(matches!(&lines[..], [Line::Note(text)] if text.contains("not sorted")), "{lines:?}");
    // A file that has become a book is taken up before the next game.
    fs::write(&bad.0, small_book()).unwrap();
    let lines = said(&mut session, &bad.option());
    assert!(matches!(&lines[..], [Line::Note(text)] if text.contains("on the fly")), "{lines:?}");
    assert!(said(&mut session, "BookOnTheFly value true").is_empty());
    assert!(lines_of_book(&mut session, "", "nodes 500").is_some());
    // Moves that are not legal are named, and the others played.
    fs::write(&bad.0, book(&[("", "7g7e none 900 32 1,P*5e,7g7f none 0 32 1")])).unwrap();
    assert_eq!(said(&mut session, "BookMoves value 20").len(), 1);
    // They are named once in a game.
    for count in [1, 0, 1] {
        if count == 1 {
            said(&mut session, "BookMoves value 20");
        }
        let (notes, answer) = notes_and_answer(&mut session, "", CLOCK);
        assert!(matches!(&answer, Answer::Move { best, .. } if best == "7g7f"), "{answer:?}");
        assert_eq!(notes.len(), count, "{notes:?}");
        assert!(notes.iter().all(|text| text.contains("7g7e and 1 more")), "{notes:?}");
    }
    session.quit();
}

#[test]
fn a_book_that_is_replaced_during_a_game_by_another_file_is_named_in_one_line() {
    let file = BookFile::new("book-replaced", &small_book());
    let mut session = Session::ready();
    said(&mut session, "BookOnTheFly value true");
    said(&mut session, &file.option());
    assert!(lines_of_book(&mut session, "", "nodes 500").is_some());
    // It is being written: it has no position yet, and is a book again a moment later.
    fs::write(&file.0, "#YANEURAOU-DB2016 1.00\n").unwrap();
    assert!(lines_of_book(&mut session, "", "nodes 500").is_none());
    fs::write(&file.0, small_book()).unwrap();
    assert!(lines_of_book(&mut session, "", "nodes 500").is_some());
    fs::write(&file.0, "A letter.\n").unwrap();
    for count in [1, 0] {
        let (notes, _) = notes_and_answer(&mut session, "7g7f 3c3d", "nodes 500");
        assert_eq!(notes.len(), count, "{notes:?}");
        assert!(notes.iter().all(|text| text.contains("line 1: not a position")), "{notes:?}");
    }
    session.quit();
}

#[test]
fn books_are_made_of_games_and_analyses_and_shown() {
    let out = BookFile::new("book-make", "");
    let path = out.0.display().to_string();
    let games = "position startpos moves 7g7f 3c3d 2g2f resign\n\
        position startpos moves 7g7f 8c8d resign\n\
        position startpos moves 2g2f 8c8d win\n";
    let make = run_to_end(["book", "make", "-", "--out", &path], games);
    assert_eq!((make.code, make.output.as_str()), (0, ""), "{}", make.errors);
    let expected =
        format!("3 games, 0 analyzed positions; 4 positions in the book\nwritten: {path}\n");
    assert_eq!(make.errors, expected);
    let show = |arguments: &[&str]| {
        let arguments = ["book", "show", &path].into_iter().chain(arguments.iter().copied());
        let run = run_to_end(arguments, "");
        (run.code, run.output)
    };
    // The same by standard output and input.
    let printed = run_to_end(["book", "make", "-", "--out", "-"], games);
    assert_eq!((printed.code, printed.output.as_bytes()), (0, &*fs::read(&path).unwrap()));
    let shown = run_to_end(["book", "show", "-", "startpos"], &printed.output);
    assert_eq!((shown.code, shown.output.as_str()), (0, "2g2f 8c8d 109 32 1\n7g7f 3c3d 0 32 2\n"));
    let nothing = run_to_end(["book", "make", "-", "--out", "-"], "");
    assert_eq!((nothing.code, nothing.output.as_str()), (1, ""), "{}", nothing.errors);
    // Black won two of three: (1 + 5) / 11 is worth 109, (0 + 5) / 11 as much less.
    let start = "2g2f 8c8d 109 32 1\n7g7f 3c3d 0 32 2\n";
    assert_eq!(show(&["startpos"]), (0, start.to_owned()));
    assert_eq!(show(&["--on-the-fly", &Position::startpos().to_sfen()]), (0, start.to_owned()));
    let reply = (0, "3c3d 2g2f -109 32 1\n8c8d none 109 32 1\n".to_owned());
    let (code, shown) = show(&["position", "startpos", "moves", "7g7f"]);
    let mut sorted: Vec<&str> = shown.lines().collect();
    sorted.sort_unstable();
    assert_eq!((code, sorted.join("\n") + "\n"), reply);
    assert_eq!(show(&["startpos", "moves", "5g5f"]), (1, String::new()));
    assert_eq!(show(&["startpos", "moves", "7g7"]), (1, String::new()));
    // An analysis of the same position, from which the next move has its value as well.
    let analysis = |ply: u32, moves: &str, played: &str, lines: &str| {
        let sfen = after(moves).to_sfen();
        format!(
            "{{\"file\":\"a\",\"game\":1,\"ply\":{ply},\"sfen\":\"{sfen}\",\"move\":{played},\"lines\":[{lines}]}}\n"
        )
    };
    let line = |value: &str, pv: &str| format!("{{{value},\"depth\":18,\"pv\":[{pv}]}}");
    let first = line("\"cp\":45,\"mate\":null", "\"7g7f\",\"8c8d\"");
    let second = line("\"cp\":null,\"mate\":7", "\"8c8d\",\"2f2e\"");
    let input = analysis(0, "", "\"2g2f\"", &first) + &analysis(1, "2g2f", "null", &second);
    let made = run_to_end(["book", "make", "-", "--out", &path], &(input.clone() + "{\n"));
    assert_eq!(made.code, 1);
    assert!(made.errors.starts_with("-:3: the line is cut off\n"), "{}", made.errors);
    assert_eq!(show(&["startpos"]), (0, "2g2f 8c8d 31992 18 0\n7g7f 8c8d 45 18 1\n".to_owned()));
    let reply = "8c8d 2f2e -31993 18 1\n".to_owned();
    assert_eq!(show(&["startpos", "moves", "2g2f"]), (0, reply));
    let broken = run_to_end(["book", "make", "-", "--out", "-"], &(input + "{\"file\":7}\n"));
    let told = "-:3: invalid type: integer `7`, expected a string at column 9\n";
    assert!(broken.errors.starts_with(told), "{}", broken.errors);
    // A move that mates at once, and was not among the lines.
    let mated = "{\"cp\":null,\"mate\":0,\"depth\":0,\"pv\":[]}";
    let input = analysis(0, "", "\"2g2f\"", &first) + &analysis(1, "2g2f", "null", mated);
    assert_eq!(run_to_end(["book", "make", "-", "--out", &path], &input).code, 0);
    assert_eq!(show(&["startpos"]), (0, "2g2f none 31999 0 0\n7g7f 8c8d 45 18 1\n".to_owned()));
    // Some programs put a byte order mark before a file, and end its lines in another way.
    let other = format!("\u{feff}{}", input.replace('\n', "\r\n"));
    let made = run_to_end(["book", "make", "-", "--out", "-"], &other);
    assert_eq!((made.code, made.output.as_bytes()), (0, &*fs::read(&path).unwrap()));
    // Without a game, a book stays, and none is made.
    for (name, told) in [(path.clone(), "left as it is"), (format!("{path}.new"), "not written")] {
        let nothing = run_to_end(["book", "make", "-", "--out", &name], "# no game\n");
        assert_eq!(nothing.code, 1);
        let told = format!("nothing was read; {name} is {told}\n");
        assert!(nothing.errors.ends_with(&told), "{}", nothing.errors);
    }
    let folder = run_to_end(["book", "show", ".", "startpos"], "");
    assert_eq!(folder.errors, ".: the file cannot be read: it is a folder\n");
    assert_eq!(run_to_end(["book", "make", "/no/such/file", "--out", &path], "").code, 1);
    assert_eq!(run_to_end(["book", "show", "/no/such/file", "startpos"], "").code, 1);
    assert_eq!(run_to_end(["book", "make", "-"], "").code, 2);
}

/// A game may begin with a position whose number is not 1, and the engine looks it up by this number.
#[test]
fn an_analysis_and_its_game_meet_in_a_book_whatever_the_number_of_the_first_move() {
    let start = after("7g7f 3c3d").to_sfen();
    let game = format!("position sfen {start} moves 2g2f 8c8d\n");
    let words = ["analyze", "-", "--json", "--out", "-", "--depth", "1", "--hash", "1"];
    let analysis = run_to_end(words, &game);
    assert_eq!(analysis.code, 0, "{}", analysis.errors);
    let out = BookFile::new("book-numbers", "");
    let both = [("a.jsonl", &analysis.output), ("b.usi", &game)]
        .map(|(name, text)| BookFile::new(name, text));
    let [first, second, book] = [&both[0], &both[1], &out].map(|file| file.0.display().to_string());
    let made = run_to_end(["book", "make", &first, &second, "--out", &book], "");
    let expected = "1 game, 3 analyzed positions; 3 positions in the book\n";
    assert!(made.errors.starts_with(expected), "{}", made.errors);
    let shown = run_to_end(["book", "show", &book, &start], "");
    assert_eq!(shown.code, 0, "{}", shown.errors);
    assert!(shown.output.lines().any(|line| line.starts_with("2g2f")), "{}", shown.output);
}

/// With `*.kif`, the shell also finds what `analyze` has written beside the games.
#[test]
fn a_game_counts_once_beside_its_analysis() {
    let folder = Folder::new("book-copies");
    let games = ["a.usi", "b.usi"].map(|name| folder.path(name));
    games.iter().for_each(|file| fs::write(file, "startpos moves 7g7f 3c3d\n").unwrap());
    let words = ["analyze", &games[0], "--kif", "--csa", "--json", "--depth", "1", "--hash", "1"];
    assert_eq!(run_to_end(words, "").code, 0);
    let copies = ["kif", "csa"].map(|kind| folder.path(&format!("a.analysis.{kind}")));
    let analysis = folder.path("a.analysis.json");
    let make = |files: &[&str]| {
        let words = ["book", "make", "--out", "-"].into_iter().chain(files.iter().copied());
        run_to_end(words, "").errors
    };
    let counted = |games: &str| format!("{games}, 0 analyzed positions; 2 positions in the book\n");
    let left_out = "2 files of earlier analyses are left out\n";
    let made = make(&[&copies[0], &games[0], &copies[1], &games[1]]);
    assert_eq!(made, left_out.to_owned() + &counted("2 games"));
    // The JSON of the same analysis is no copy. Without its game, a copy is a game like any other.
    let made = make(&[&games[0], &copies[0], &copies[1], &analysis]);
    assert!(made.starts_with(left_out) && made.contains("1 game, 3 analyzed positions"), "{made}");
    assert_eq!(make(&[&copies[0], &games[1]]), counted("2 games"));
}

#[test]
fn a_game_counts_once_however_often_it_is_named() {
    let folder = Folder::new("book-repeats");
    let [game, missing] = ["a.usi", "missing.usi"].map(|name| folder.path(name));
    fs::write(&game, "startpos moves 7g7f 3c3d\n").unwrap();
    fs::create_dir(folder.path("folder")).unwrap();
    let round = folder.path("folder/../a.usi");
    let make = |files: &[&str]| {
        let words = ["book", "make", "--min-count", "2", "--out", "-"];
        run_to_end(words.into_iter().chain(files.iter().copied()), "").errors
    };
    let made = make(&[&game, &game, &round]);
    assert_eq!(made, "2 files are named again, and left out\nno position is left for the book\n");
    // A file that is not there is named as often as it was asked for.
    assert_eq!(make(&[&missing, &missing]).matches("missing.usi").count(), 2);
}

/// The moves of branches, too, are in the book if they were analyzed, the first of each included.
#[test]
fn analyzed_branches_are_in_the_book() {
    let folder = Folder::new("book-branches");
    let game = folder.path("a.kif");
    let text = "手合割：平手\n1 ２六歩(27)\n2 ８四歩(83)\n\n変化：1手\n1 １六歩(17)\n2 ３四歩(33)\n\n\
        変化：2手\n2 ９四歩(93)\n3 ９六歩(97)\n";
    fs::write(&game, text).unwrap();
    let words = ["analyze", &game, "--branches", "--json", "--out", "-", "--depth", "1"];
    let analysis = run_to_end(words.into_iter().chain(["--hash", "1"]), "");
    assert_eq!(analysis.code, 0, "{}", analysis.errors);
    let made = run_to_end(["book", "make", "-", "--out", "-"], &analysis.output).output;
    for (moves, wanted) in [
        ("", &["2g2f", "1g1f"][..]),
        ("2g2f", &["8c8d"]),
        ("1g1f", &["3c3d", "9c9d"]),
        ("1g1f 9c9d", &["9g9f"]),
    ] {
        let position = after(moves).to_sfen();
        let shown = run_to_end(["book", "show", "-", &position], &made).output;
        for mv in wanted {
            assert!(shown.lines().any(|line| line.starts_with(mv)), "{moves} {mv}:\n{made}");
        }
    }
}

//! Compares every file of `tests/data` with its known contents. A bad file must be refused at the
//! right line. Every game that is written must be read back as the same game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tsumero_core::Position;
use tsumero_record::{Encoding, Ending, Format, Game, LineEnd, Reading, encode, read, write};

/// A line of `truth.jsonl`; `tests/data/README.md` explains the fields.
#[derive(Deserialize)]
struct Truth {
    file: String,
    format: String,
    kind: Kind,
    #[serde(default)]
    games: Vec<TrueGame>,
    #[serde(default)]
    alts: Vec<Vec<TrueGame>>,
    #[serde(default)]
    bad: Vec<BadLines>,
    encoding: String,
    bom: bool,
    eol: String,
}

#[derive(Deserialize, PartialEq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Good,
    Bad,
    Mixed,
    Either,
}

#[derive(Deserialize)]
struct TrueGame {
    initial: String,
    moves: Vec<String>,
    ending: String,
    branches: Option<usize>,
}

#[derive(Deserialize)]
struct BadLines {
    line: [usize; 2],
}

impl TrueGame {
    fn is(&self, game: &Game) -> bool {
        let moves: Vec<String> = game.moves().map(|mv| mv.to_string()).collect();
        // One row of known contents has the hands in the order of its file.
        Position::from_sfen(&self.initial).unwrap().to_sfen() == game.start_sfen()
            && self.moves == moves
            && self.ending == game.ending().map_or("none", |ending| ending.word())
            && self.branches.is_none_or(|branches| branches == game.branches())
    }
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn truths() -> Vec<Truth> {
    let text = std::fs::read_to_string(data().join("truth.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn read_file(file: &str) -> Reading {
    read(&std::fs::read(data().join(file)).unwrap())
}

#[test]
fn every_file_is_read_to_its_truth_or_refused_where_it_is_bad() {
    let truths = truths();
    assert_eq!(truths.len(), 89);
    for truth in truths {
        let reading = read_file(&truth.file);
        let mut good = Vec::new();
        let mut bad = Vec::new();
        for game in &reading.games {
            match game {
                Ok(game) => good.push(game),
                Err(error) => bad.push(error),
            }
        }
        let reads_as = |games: &[TrueGame]| {
            games.len() == good.len() && games.iter().zip(&good).all(|(truth, game)| truth.is(game))
        };
        let is_refused = || {
            good.is_empty()
                && bad.iter().zip(&truth.bad).all(|(error, bad)| {
                    (bad.line[0]..=bad.line[1]).contains(&error.line) && !error.reason.is_empty()
                })
                && bad.len() == truth.bad.len()
        };
        let is_right = match truth.kind {
            Kind::Good => bad.is_empty() && reads_as(&truth.games),
            Kind::Bad => is_refused(),
            Kind::Mixed => {
                reads_as(&truth.games)
                    && bad.len() == truth.bad.len()
                    && bad
                        .iter()
                        .zip(&truth.bad)
                        .all(|(error, bad)| (bad.line[0]..=bad.line[1]).contains(&error.line))
            }
            Kind::Either => {
                is_refused()
                    || bad.is_empty()
                        && (reads_as(&truth.games) || truth.alts.iter().any(|alt| reads_as(alt)))
            }
        };
        for game in &good {
            assert!(
                !game.notes().iter().any(|note| note.contains("number of moves")),
                "{}",
                truth.file
            );
        }
        let summary: Vec<_> = good
            .iter()
            .map(|g| (g.start_sfen(), g.moves().count(), g.ending(), g.branches()))
            .collect();
        assert!(is_right, "{}: {summary:?} {bad:?}", truth.file);
        if truth.kind == Kind::Good {
            let format = reading.format.map(|format| format.name().to_uppercase());
            assert_eq!(format.as_deref(), Some(truth.format.as_str()), "{}", truth.file);
            let encoding = match reading.encoding {
                Encoding::Utf8 { bom } => {
                    assert_eq!(bom, truth.bom, "{}", truth.file);
                    "UTF-8"
                }
                Encoding::ShiftJis => "Shift_JIS",
            };
            assert_eq!(encoding, truth.encoding, "{}", truth.file);
            let end = match reading.line_end {
                LineEnd::Lf => "LF",
                LineEnd::Crlf => "CRLF",
                LineEnd::Cr => "CR",
            };
            assert!(
                truth.eol.split('+').any(|eol| eol == end) || truth.eol == "none",
                "{}",
                truth.file
            );
        }
    }
}

/// The parts of a game that a format can express.
fn expressible(game: &Game, format: Format) -> (String, Vec<String>, Option<String>, usize) {
    let moves = game.moves().map(|mv| mv.to_string()).collect();
    let first = game.start().side_to_move();
    let ending = game.ending().filter(|ending| match format {
        Format::Kif | Format::Ki2 => ending.kif_word().is_some(),
        Format::Csa => ending.csa_word(first).is_some(),
        Format::Jkf => true,
        Format::Usi => ending.usi_word().is_some(),
    });
    let branches = match format {
        Format::Csa | Format::Usi => 0,
        _ => game.branches(),
    };
    (game.start_sfen(), moves, ending.map(|ending| ending.word().to_owned()), branches)
}

#[test]
fn what_is_written_is_read_back() {
    let mut written = BTreeMap::new();
    for truth in truths() {
        let reading = read_file(&truth.file);
        let (own, encoding, line_end) = (reading.format, reading.encoding, reading.line_end);
        for game in reading.games.into_iter().flatten() {
            for format in Format::ALL {
                let file = &truth.file;
                let text = write(std::slice::from_ref(&game), format);
                let Some(bytes) = encode(&text, encoding, line_end) else { continue };
                let back = read(&bytes);
                // Without moves, KI2 cannot be told from KIF.
                let is_format = back.format == Some(format)
                    || game.moves().next().is_none() && back.format == Some(Format::Kif);
                assert!(is_format, "{file} as {format} is read as {:?}: {text}", back.format);
                let back = back.into_games().unwrap_or_else(|bad| panic!("{file}: {bad}\n{text}"));
                let [back] = back.as_slice() else { panic!("{file}: {} games", back.len()) };
                if own == Some(format) {
                    assert!(*back == game, "{file} changes when it is written:\n{text}");
                }
                // An ending without a word in KIF and KI2 becomes "interrupted" there.
                let mut expected = expressible(&game, format);
                if expected.2.is_none() && matches!(format, Format::Kif | Format::Ki2) {
                    let interrupted = Ending::Interrupted.word().to_owned();
                    expected.2 = game.ending().map(|_| interrupted);
                }
                // JKF has words for all endings.
                let is = expressible(back, Format::Jkf);
                assert_eq!(is, expected, "{file} as {format}:\n{text}");
                *written.entry(format).or_insert(0) += 1;
            }
        }
    }
    assert!(written.values().all(|&count| count > 80), "{written:?}");
}

#[test]
fn a_usi_line_keeps_the_number_of_its_first_move() {
    for line in [
        "position sfen lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 57 moves 2g2f\n",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 3 moves 2g2f\n",
        "position startpos moves 2g2f\n",
    ] {
        assert_eq!(write(&read(line.as_bytes()).into_games().unwrap(), Format::Usi), line);
    }
}

#[test]
fn several_games_are_read_back_from_one_file() {
    let games = read_file("made/endings.csa").into_games().unwrap();
    assert_eq!(games.len(), 16);
    let csa = read(write(&games, Format::Csa).as_bytes()).into_games().unwrap();
    assert!(csa == games);
    let usi = read(write(&games, Format::Usi).as_bytes()).into_games().unwrap();
    let moves = |game: &Game| game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>();
    assert!(usi.iter().map(moves).eq(games.iter().map(moves)));
    let text = write(&games, Format::Jkf);
    let jkf = read(text.as_bytes()).into_games().unwrap();
    assert!(jkf.iter().map(moves).eq(games.iter().map(moves)));
    for format in [Format::Kif, Format::Ki2] {
        let back = read(write(&games, format).as_bytes()).into_games().unwrap();
        assert!(back.iter().map(moves).eq(games.iter().map(moves)), "{format}");
        let headers = |game: &Game| game.headers().to_vec();
        assert!(back.iter().map(headers).eq(games.iter().map(headers)), "{format}");
    }
    // A bad game is reported with its line, and the others are returned.
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1] = "{\"moves\": 3}";
    let reading = read(lines.join("\n\n").as_bytes());
    assert_eq!(reading.games.len(), 16);
    assert_eq!(reading.games[1].as_ref().unwrap_err().line, 3);
    assert_eq!(reading.games.iter().filter(|game| game.is_ok()).count(), 15);
}

/// ShogiHome has written 変化 among the headers, also of a game behind others.
#[test]
fn before_the_first_move_no_branch_begins() {
    let moves = "手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 投了\n";
    let one = |headers: &str| format!("先手：甲\n{headers}{moves}");
    let [plain, before, behind] =
        ["手合割：平手\n", "変化：30手\n手合割：平手\n", "手合割：平手\n変化：30手\n"].map(one);
    let diagram = write(&read(b"4k4/9/9/9/9/9/9/9/4K4 b 2P 1").into_games().unwrap(), Format::Kif);
    for (text, same) in [
        (before.clone(), plain.clone()),
        (behind.clone(), plain.clone()),
        (format!("{plain}\n{before}\n{behind}"), [&*plain; 3].join("\n")),
        (format!("変化：1\n{diagram}"), diagram),
    ] {
        let games = [&text, &same].map(|text| read(text.as_bytes()).into_games().unwrap());
        assert!(games[0] == games[1], "{text}");
    }
}

/// Games of many programs, one behind the other: each is what it is alone. A bad game spoils no other.
#[test]
fn files_that_are_joined_hold_the_games_of_each() {
    for format in [Format::Kif, Format::Ki2] {
        let files: Vec<(String, Vec<Game>)> = truths()
            .into_iter()
            .filter(|truth| truth.kind == Kind::Good)
            .map(|truth| (read_file(&truth.file), std::fs::read(data().join(&truth.file)).unwrap()))
            .filter(|(reading, _)| reading.format == Some(format))
            .filter_map(|(reading, bytes)| {
                let text = match reading.encoding {
                    Encoding::Utf8 { .. } => String::from_utf8(bytes).ok()?,
                    Encoding::ShiftJis => encoding_rs::SHIFT_JIS.decode(&bytes).0.into_owned(),
                };
                let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
                let text = text.replace('\r', "\n").trim_end_matches('\u{1a}').to_owned();
                text.contains("手合割").then(|| (text, reading.into_games().unwrap()))
            })
            .collect();
        assert!(files.len() > 3, "{format}: {} files", files.len());
        let joined: Vec<&str> = files.iter().map(|(text, _)| text.as_str()).collect();
        let bad = "開始日時：2026/11/28\n手合割：平手\n1 ７六歩(78)\n";
        let joined = format!("{bad}{}\n{bad}", joined.join("\n"));
        let games = read(joined.as_bytes()).games;
        let [Err(first), games @ .., Err(last)] = games.as_slice() else { panic!("{format}") };
        assert_eq!((first.line, last.line), (3, joined.lines().count()), "{format}");
        let expected = files.into_iter().flat_map(|(_, games)| games);
        for (game, expected) in games.iter().zip(expected.clone()) {
            let game = game.as_ref().unwrap();
            assert!(
                *game == expected,
                "{format}: {}\n{}",
                write(std::slice::from_ref(game), format),
                write(&[expected], format)
            );
        }
        assert_eq!(games.len(), expected.count(), "{format}");
    }
}

/// CSA separates games by `/`. A file begins with its version, which is a separator as well.
#[test]
fn csa_files_that_are_joined_hold_the_games_of_each() {
    let files: Vec<(String, Vec<Game>)> = truths()
        .into_iter()
        .filter(|truth| truth.kind == Kind::Good)
        .map(|truth| (read_file(&truth.file), std::fs::read(data().join(&truth.file)).unwrap()))
        .filter(|(reading, _)| reading.format == Some(Format::Csa))
        .filter_map(|(reading, bytes)| {
            let text = String::from_utf8(bytes).ok()?.replace("\r\n", "\n");
            Some((text, reading.into_games().unwrap()))
        })
        .filter(|(text, _)| text.starts_with('V'))
        .collect();
    assert!(files.len() > 3, "{} files", files.len());
    let bad = "V2.2\nPI\n+\n+7776GI\n-3334FU\n";
    let unfinished = "V2\nN+A\nPI\n+\n+7776FU\n";
    let joined: Vec<&str> = files.iter().map(|(text, _)| text.as_str()).collect();
    let joined = format!("{bad}{unfinished}{}\n{bad}", joined.join("\n"));
    let games = read(joined.as_bytes()).games;
    let [Err(first), Ok(second), games @ .., Err(last)] = games.as_slice() else {
        panic!("{games:?}")
    };
    assert_eq!((first.line, last.line), (4, joined.lines().count() - 1));
    assert_eq!((second.moves().count(), second.header("先手")), (1, Some("A")));
    let expected: Vec<Game> = files.into_iter().flat_map(|(_, games)| games).collect();
    assert!(games.iter().map(|game| game.as_ref().unwrap()).eq(&expected));
}

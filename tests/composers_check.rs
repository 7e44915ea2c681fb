//! What composers need: problems in the files that they have, every finding in words, tradition, and the
//! style of made problems.

use std::fs;

use serde_json::Value;
use tsumero_core::{PieceKind, Position};
use tsumero_record::Format;

use crate::folder::Folder;
use crate::harness::{Run, run_to_end};

/// A sound problem of five plies, as the diagram below.
const SFEN: &str = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1";

const BOARD: &str = "\
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・v玉|三
| ・ ・ ・ ・ ・ ・ ・ ・ 桂|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ 香 ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金
";
const KIF_MOVES: &str = "手数----指手---------消費時間--\n   1 ２四金打\n   2 １二玉(13)\n";

fn run(arguments: &str, input: &str) -> Run {
    run_to_end(arguments.split(' '), input)
}

/// What `tsume check` says of a row with some options.
fn checked(row: &str, options: &str) -> Run {
    run(&format!("tsume check --file -{options}"), &format!("{row}\n"))
}

/// Both commands must read the problem from the file.
fn assert_read(folder: &Folder, name: &str, bytes: &[u8]) {
    let file = folder.path(name);
    fs::write(&file, bytes).unwrap();
    let mate = run(&format!("mate --file {file}"), "");
    assert_eq!(
        (mate.output.starts_with("mate 5 "), mate.code),
        (true, 0),
        "{name}: {}",
        mate.errors
    );
    let check = run(&format!("tsume check --file {file}"), "");
    assert_eq!((check.output.as_str(), check.code), ("sound\n", 0), "{name}: {}", check.errors);
}

#[test]
fn diagrams_are_read_with_all_that_the_defender_holds() {
    let folder = Folder::new("composers-diagrams");
    let headers = [
        "後手の持駒：残り全部\n",
        "",
        "玉方の持駒：残り駒全部\n",
        "後手の持駒：飛二　角二　金三　銀四　桂三　香三　歩十八\n",
    ];
    for (number, header) in headers.iter().enumerate() {
        let text = format!("{header}{BOARD}");
        assert_read(&folder, &format!("{number}.bod"), text.as_bytes());
        // As Windows programs write it, with lines that end in CR LF.
        let text = format!("# ---- Kifu for Windows\n{text}");
        let sjis = tsumero_record::encode(
            &text,
            tsumero_record::Encoding::ShiftJis,
            tsumero_record::LineEnd::Crlf,
        );
        assert_read(&folder, &format!("{number}.kif"), &sjis.unwrap());
        let from_stdin = run("mate --file -", &text);
        assert!(from_stdin.output.starts_with("mate 5 "), "{}", from_stdin.errors);
    }
    // With nothing to put between, the king is mated sooner.
    let text = format!("後手の持駒：なし\n{BOARD}");
    let mate = run("mate --file -", &text).output;
    let sfen = SFEN.split(' ').next().unwrap();
    let file = folder.path("none.sfen");
    fs::write(&file, format!("{sfen} b G 1\n")).unwrap();
    assert_eq!(mate, run(&format!("mate --file {file}"), "").output);
    // Only one side can hold what is left.
    let both = format!("後手の持駒：残り全部\n{}", BOARD.replace("：金", "：残り全部"));
    let refused = run("mate --file -", &both);
    assert_eq!((refused.code, refused.output.starts_with("error ")), (1, true));
    assert!(refused.errors.contains("-:14: only one side can hold"), "{}", refused.errors);
}

/// The moves may use what the defender holds without saying so.
#[test]
fn the_moves_of_a_game_are_the_solution() {
    let solved = run("mate --file -", BOARD).output;
    let line: Vec<&str> = solved.split_whitespace().skip(2).collect();
    let usi = format!("position sfen {SFEN} moves {}", line.join(" "));
    for format in ["kif", "ki2"] {
        let game = run(&format!("record --to {format} -"), &usi).output;
        let without: String = game
            .lines()
            .filter(|line| !line.starts_with("後手の持駒"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_ne!(game, without);
        let check = run("tsume check --json --file -", &without);
        assert_eq!(check.code, 0, "{format}: {}{}", check.output, check.errors);
        let answer: Value = serde_json::from_str(&check.output).unwrap();
        let moves: Vec<&str> =
            answer["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert_eq!(moves, line, "{format}");
    }
    // Two moves are no solution, but the problem is read.
    let check = run("tsume check --file -", &format!("{BOARD}{KIF_MOVES}"));
    assert_eq!((check.output.as_str(), check.code), ("sound\n", 0), "{}", check.errors);
    // A game from the usual array is looked at where it ends.
    let game = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ３三角成(88)\n";
    assert_eq!(run("mate --file -", game).output, "nomate\n");
}

#[test]
fn a_file_of_another_kind_is_named_once() {
    let folder = Folder::new("composers-other-kinds");
    let texts: [(&str, &[u8]); 5] = [
        ("page.html", b"<html>\n<p>sfen and startpos\n<p>more\n</html>\n"),
        ("notes.txt", b"Some notes.\n\nThe word sfen is in them,\nposition by position.\n"),
        ("binary", &[0, 159, 146, 150, 10, 13, 0, 1, 2]),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("table.csv", "名前,手数\n甲,3\n乙,5\n".as_bytes()),
    ];
    for (name, bytes) in texts {
        let file = folder.path(name);
        fs::write(&file, bytes).unwrap();
        for command in ["mate", "tsume check", "tsume check --json"] {
            let run = run(&format!("{command} --file {file}"), "");
            assert_eq!((run.code, run.output.as_str()), (1, ""), "{command} {name}");
            assert_eq!(run.errors.lines().count(), 1, "{command} {name}: {}", run.errors);
            assert!(run.errors.contains(name), "{command} {name}: {}", run.errors);
        }
    }
    // A bad line among positions costs only its own answer.
    let rows = run("mate --file -", &format!("nonsense\n{SFEN}\n{}", "more\n".repeat(9)));
    assert_eq!((rows.output.lines().count(), rows.code), (11, 1), "{}", rows.output);
    // So it does if other columns have Japanese text.
    let rows = run("mate --file -", &format!("{SFEN},五手詰\n{SFEN}, 銀\n"));
    assert_eq!((rows.output.lines().count(), rows.code), (2, 0), "{}", rows.errors);
}

/// Rook and bishops: interpositions that are futile, promotion without difference, a last-move choice.
const FLAWED: &str = "4Bg1kB/9/9/9/9/9/9/9/9 b Rr3g4s4n4l18p 1";
/// A gold and a lance: many interpositions are as good.
const VARIED: &str = "9/9/8k/8N/9/7L1/9/9/9 b GL2r2b3g4s3n2l18p 1";

#[test]
fn every_finding_is_named_in_both_languages() {
    let check = |arguments: &str, sfen: &str| {
        let run = run(&format!("tsume check --file - {arguments}"), sfen);
        run.output.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    for (arguments, sfen, expected) in [
        (
            "--verbose",
            FLAWED,
            [
                "  move 1: second solution R*2d, 7 plies",
                "  move 3: second solution 5a3c, 3 plies, promotion without difference",
                "  move 5: last-move choice 3c2b",
                "  move 2: futile interposition P*2b L*2b N*2b S*2b G*2b R*2b",
            ],
        ),
        (
            "--lang ja",
            FLAWED,
            [
                "  1手目：余詰 ▲２四飛（7手）",
                "  3手目：余詰 ▲３三角不成（3手）（成不成非限定）",
                "  5手目：最終手余詰 ▲２二馬",
                "  2手目：無駄合 △２二歩 △２二香 △２二桂 △２二銀 △２二金 △２二飛",
            ],
        ),
        (
            "--lang en",
            VARIED,
            [
                "second solution G*2d",
                "  move 1: second solution G*2d, 5 plies",
                "  move 3: second solution L*1h, 7 plies",
                "  move 4: equal-length variation L*1e N*1e S*1e G*1e B*1e R*1e",
            ],
        ),
        (
            "--lang ja",
            VARIED,
            [
                "余詰あり：1手目 ▲２四金",
                "  1手目：余詰 ▲２四金（5手）",
                "  3手目：余詰 ▲１八香（7手）",
                "  4手目：変化同手数 △１五香 △１五桂 △１五銀 △１五金 △１五角 △１五飛",
            ],
        ),
    ] {
        let lines = check(arguments, sfen);
        for line in expected {
            assert!(
                lines.iter().any(|each| each == line),
                "{arguments} {sfen}: no {line}: {lines:#?}"
            );
        }
    }
    assert_eq!(check("--lang ja", "4k4/9/9/9/9/9/9/9/4K4 b P 1"), ["不詰"]);
    assert_eq!(check("--lang ja", &format!("{SFEN},7"))[0], "早詰（7手ではなく5手）");
    assert_eq!(check("--lang ja", SFEN)[0], "完全作（5手詰）");
    let idle = "5+b3/4k4/2S6/2+P1P4/9/9/9/9/9 b BGS2r3g2s4n4l16p 1";
    assert!(check("--lang ja", idle)[0].ends_with("手詰）；不要駒：７四；駒余り：1枚"), "{idle}");
    let undecided = check("--lang ja --nodes 1", SFEN);
    assert_eq!(undecided[0], "未判定（ノード数の上限）");
    // The plain verdict stays one line.
    assert_eq!(check("--threads 1", VARIED), ["second solution G*2d"]);
}

#[test]
fn tradition_forgives_and_does_not_count_futile_interpositions() {
    let check = |arguments: &str, sfen: &str| -> Value {
        let run = run(&format!("tsume check --json --file - {arguments}"), sfen);
        serde_json::from_str(&run.output).unwrap()
    };
    // The lengths by tradition are those that the collection states.
    for (sfen, plies) in [
        ("9/9/6Bnl/8k/R6p1/9/9/9/9 b rb4g4s3n3l17p 1,1", 1),
        ("9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1,3", 3),
    ] {
        let answer = check("--rules traditional", sfen);
        assert_eq!((&answer["plies"], &answer["sound"]), (&Value::from(plies), &Value::from(true)));
        assert!(answer["plies_by_rules"].as_u64().unwrap() > plies);
        assert_eq!(answer["line"].as_array().unwrap().len() as u64, plies);
    }
    let names = |answer: &Value, key: &str| -> Vec<String> {
        let list = answer[key].as_array().cloned().unwrap_or_default();
        list.iter().map(|one| format!("{} {}", one["ply"], one["move"].as_str().unwrap())).collect()
    };
    // A dragon that comes to its square in two moves, and one that goes back to its check: both lead
    // into the solution again. A knight that mates as late is a second solution.
    for (problem, detour, other) in [
        (
            "9/3k1S3/R8/9/2L6/9/9/9/9 b N4Pr2b4g3s3n3l14p 1 moves 9c5c+ 6b6a 4b5a+",
            "0 9c7c+",
            "0 N*5d",
        ),
        (
            "R8/9/1k1+N5/9/2b6/L8/9/9/9 b N3Prb4g4s2n3l15p 1 moves 9a9d+ 8c8b 9d9b 8b7a 6c6b",
            "2 9d9a",
            "2 N*7d",
        ),
    ] {
        let answer = check("--rules traditional", problem);
        let forgiven = answer["forgiven"].as_array().unwrap();
        assert!(forgiven.iter().any(|one| one["why"] == "detour"), "{answer}");
        assert!(names(&answer, "forgiven").contains(&detour.to_owned()), "{answer}");
        assert!(names(&answer, "second").contains(&other.to_owned()), "{answer}");
        assert!(names(&check("--rules strict", problem), "second").contains(&detour.to_owned()));
    }
    let (strict, traditional) =
        (check("--rules strict", FLAWED), check("--rules traditional", FLAWED));
    assert!(names(&strict, "second").contains(&"2 5a3c".to_owned()));
    assert!(names(&traditional, "forgiven").contains(&"2 5a3c".to_owned()));
    assert!(names(&traditional, "forgiven").contains(&"0 R*2i".to_owned()));
    // What is forgiven and what is not make up all.
    let mut both = names(&traditional, "second");
    both.extend(names(&traditional, "forgiven"));
    both.sort();
    let mut all = names(&strict, "second");
    all.sort();
    assert_eq!(both, all);
    assert_eq!(strict.get("forgiven"), None);
}

#[test]
fn json_lines_have_the_promised_form() {
    let input = format!("{SFEN}\n4k4/9/9/9/9/9/9/9/4K4 b P 1\nnonsense\n{SFEN},7\n");
    let run = run("tsume check --json --file -", &input);
    let lines: Vec<&str> = run.output.lines().collect();
    assert_eq!((lines.len(), run.code), (4, 1), "{}", run.errors);
    let line = r#"["G*2d","1c1b","2d2c","1b1a","2c2b"]"#;
    let sound = format!(r#"{{"sound":true,"plies":5,"line":{line},"second":[],"last":["1d2b+"]}}"#);
    assert_eq!(lines[0], sound);
    assert_eq!(lines[1], r#"{"sound":false,"plies":null,"line":[],"second":[],"last":[]}"#);
    assert!(lines[2].starts_with(r#"{"error":""#), "{}", lines[2]);
    assert!(lines[3].ends_with(r#","claimed":7}"#), "{}", lines[3]);
    let few = run_to_end("tsume check --json --file - --nodes 5".split(' '), SFEN).output;
    assert!(few.contains(r#""sound":false"#) && few.contains(r#""unknown":"nodes""#), "{few}");
}

#[test]
fn made_problems_have_the_style_that_was_asked_for() {
    let style = "--board GSNP --hand GN --area 1-5,1-5 --pieces 3-6 --both-kings";
    let made = run(&format!("tsume generate --plies 1 --count 5 --seed 3 {style}"), "");
    assert_eq!(made.code, 0, "{}", made.errors);
    let rows: Vec<&str> = made.output.lines().skip(1).collect();
    assert_eq!(rows.len(), 5);
    for row in &rows {
        let position = Position::from_sfen(row.split(',').next().unwrap()).unwrap();
        let pieces: Vec<_> = position.pieces().collect();
        assert!((3..=6).contains(&pieces.len()), "{row}");
        assert_eq!(pieces.iter().filter(|(_, piece)| piece.kind() == PieceKind::King).count(), 2);
        for (square, piece) in pieces {
            assert!(square.file().index() < 5 && square.rank().index() < 5, "{row}");
            assert!(
                "KGSNP".contains(piece.kind().letter()) && !piece.kind().is_promoted(),
                "{row}"
            );
        }
        let held = position.hand(position.side_to_move());
        assert!(held.iter().all(|(kind, _)| "GN".contains(kind.letter())), "{row}");
    }
    let verdicts = run("tsume check --file -", &made.output);
    assert_eq!(verdicts.output, "sound\n".repeat(5), "{}", verdicts.errors);
    for bad in [
        "--board X",
        "--board ",
        "--area 1-4",
        "--area 0-5,1-2",
        "--pieces 1",
        "--pieces 6-4",
        "--area 1-2,1-2 --pieces 5",
    ] {
        let run =
            run_to_end("tsume generate --plies 1 --count 1".split(' ').chain(bad.split(' ')), "");
        assert_eq!((run.code, run.output.as_str()), (2, ""), "{bad}: {}", run.errors);
    }
    // Files are often named from the left, which is from 9 down.
    let [up, down] = ["1-5,1-4", "5-1,4-1"]
        .map(|area| run(&format!("tsume generate --plies 1 --count 1 --area {area}"), "").output);
    assert!(up == down && up.lines().count() == 2, "{up} {down}");
    let small = run("tsume generate --plies 1 --count 1 --area 1-1,1-1", "");
    assert!(small.errors.contains("only 1 square for"), "{}", small.errors);
    // No placement has so many pieces.
    for (wanted, most) in [
        ("--pieces 41-81", 39),
        ("--pieces 40", 39),
        ("--pieces 41 --both-kings", 40),
        ("--pieces 10-20 --board GS+S", 9),
    ] {
        let words = format!("tsume generate --plies 1 --count 1 {wanted}");
        let run = run_to_end(words.split(' '), "");
        let line = format!("a game has only {most} of these pieces, kings included");
        let is_refused = run.code == 2 && run.output.is_empty() && run.errors.contains(&line);
        assert!(is_refused && run.errors.lines().count() == 1, "{wanted}: {}", run.errors);
    }
}

/// Interrupts a program, as Ctrl-C does in a terminal.
#[cfg(unix)]
fn interrupt(program: &std::process::Child) {
    let words = ["-INT", &program.id().to_string()];
    assert!(std::process::Command::new("kill").args(words).status().unwrap().success());
}

/// An interrupt keeps the problems that were made, on the page as on standard output.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_made() {
    use std::io::{BufRead as _, BufReader};

    let folder = Folder::new("composers-interrupt");
    let page = folder.path("page.html");
    let words = "tsume generate --plies 1 --count 1000000 --threads 2 --html";
    let mut child = crate::harness::start(words.split(' ').chain([&page[..]]));
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut rows: Vec<String> = lines.by_ref().take(4).collect();
    interrupt(&child);
    rows.extend(lines);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    let made = rows.len() - 1;
    let rest = format!("--skip {made} --count {} goes on from here", 1_000_000 - made);
    assert!(errors.contains(&rest), "{errors}");
    let page = fs::read_to_string(&page).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    let on_page = data["problems"].as_array().unwrap();
    assert_eq!(on_page.len(), made);
    for (row, problem) in rows[1..].iter().zip(on_page) {
        let sfen = problem["sfen"].as_str().unwrap();
        assert_eq!(Position::from_sfen(sfen), Position::from_sfen(row.split(',').next().unwrap()));
    }
}

/// The page of six problems takes seconds. It is made in spite of an interrupt, but not of a second one.
#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_the_making_of_the_page() {
    use std::io::{BufRead as _, BufReader};

    let folder = Folder::new("composers-interrupt-page");
    let (rows, page) = (folder.path("rows.csv"), folder.path("page.html"));
    let generate = "tsume generate --plies 3 --count 6 --threads 2";
    fs::write(&rows, run(generate, "").output).unwrap();
    let check = format!("tsume check --file {rows} --threads 2");
    for (command, end) in [(generate, "6 of 6 problems"), (&check, "6 problems, 6 sound")] {
        for interrupts in [1, 2] {
            let words = command.split(' ').chain(["--html", &page]);
            // A pipe has room for all that is printed.
            let mut child = crate::harness::start(words);
            let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
            assert!(lines.any(|line| line.unwrap().starts_with(end)), "only the page is missing");
            for number in 0..interrupts {
                // Two at once count as one.
                std::thread::sleep(std::time::Duration::from_millis(150 * number));
                interrupt(&child);
            }
            assert_eq!(child.wait().unwrap().code(), Some(130), "{command}");
            assert_eq!(fs::remove_file(&page).is_ok(), interrupts == 1, "{command}");
        }
    }
}

/// An interrupt of a check keeps the sound problems. The judgment that runs may take hours, and is left
/// behind.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_checked() {
    use std::io::{BufRead as _, BufReader};

    let folder = Folder::new("composers-interrupt-check");
    let (rows, page) = (folder.path("rows.csv"), folder.path("page.html"));
    let hard = "9/9/9/9/4k4/9/9/9/9 b 2B4N2r4g4s4l18p 1";
    fs::write(&rows, format!("{SFEN}\n{hard}\n{SFEN}\n")).unwrap();
    let words = ["tsume", "check", "--nodes", "1000000000000", "--file", &rows, "--html", &page];
    let mut child = crate::harness::start(words);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().as_deref(), Some("sound"));
    interrupt(&child);
    assert_eq!(lines.next(), None);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("1 problem, 1 sound") && errors.contains("written: "), "{errors}");
    let page = fs::read_to_string(&page).unwrap();
    assert_eq!(page.matches("\"sfen\":").count(), 1);
}

/// The verdict and its remarks are about the problem, whichever option asks. A given line that is no
/// solution is told, and is never taken for one.
#[test]
fn a_given_line_is_the_solution_only_if_every_move_is_best() {
    const PROBLEM: &str = "8k/7P1/p6G1/6N1P/9/9/9/9/9 b 2r2b3g4s3n4l15p 1";
    for (line, wrong) in [
        ("", None),
        // Other last moves mate as well.
        (" moves 2b2a+ 1a2a 2c2b", None),
        (" moves 2b2a+ 1a2a 3d2b+", None),
        // The beginning of a solution.
        (" moves 2b2a+ 1a2a", None),
        // No check, though every reply allows a mate in one.
        (" moves 1d1c 9c9d 2c1b", Some(1)),
        // A check that does not mate.
        (" moves 2c1b 1a1b 1d1c", Some(1)),
        // The last move does not mate.
        (" moves 2b2a+ 1a2a 1d1c", Some(3)),
    ] {
        let row = format!("sfen {PROBLEM}{line}");
        let remark = wrong.map(|number| format!("; given line fails at move {number}"));
        let verdict = format!("sound{}; idle 1d 9c", remark.unwrap_or_default());
        for options in ["", " --verbose", " --rules traditional"] {
            let run = checked(&row, options);
            let first = run.output.lines().next().unwrap();
            assert_eq!((first, run.code), (verdict.as_str(), 0), "{row}{options}");
        }
        let json = checked(&row, " --json");
        let value: Value = serde_json::from_str(&json.output).unwrap();
        assert_eq!((&value["sound"], json.code), (&Value::Bool(true), 0), "{row}");
        assert_eq!(value["first_wrong"].as_u64(), wrong.map(|number| number - 1), "{row}");
        let moves: Vec<&str> =
            value["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert_eq!(moves[..2], ["2b2a+", "1a2a"], "{row}");
        let is_given = line.ends_with(" 2b2a+ 1a2a 3d2b+");
        assert_eq!(moves[2] == "3d2b+", is_given, "{row}");
    }
}

#[test]
fn pieces_that_a_problem_leaves_out_are_told() {
    let note = "note: the defender usually holds all other pieces, but this problem leaves out";
    let folder = Folder::new("composers-missing");
    for (hands, missing) in
        [("L", Some(35)), ("L2r2b2g4s4n3l17p", Some(1)), ("L2r2b2g4s4n3l18p", None)]
    {
        let told =
            |errors: &str| errors.lines().find(|line| line.contains("note")).map(str::to_owned);
        let expected = |place: &str| missing.map(|count| format!("{place}: {note} {count}"));
        let sfen = format!("6k2/4G3G/9/9/9/9/9/9/9 b {hands} 1");
        assert_eq!(told(&checked(&sfen, "").errors), expected("line 1"), "{hands}");
        let game = tsumero_record::Game::new(Position::from_sfen(&sfen).unwrap());
        for format in Format::ALL.into_iter().filter(|&format| format != Format::Usi) {
            let file = folder.path(&format!("{hands}.{format}"));
            fs::write(&file, tsumero_record::write(std::slice::from_ref(&game), format)).unwrap();
            let run = run_to_end(["tsume", "check", "--file", &file], "");
            assert_eq!(told(&run.errors), expected(&file), "{hands} {format}");
        }
    }
}

/// Most often the attacker and the defender are mixed up, or a king is forgotten. Neither `nomate` nor
/// `no mate` says so.
#[test]
fn a_missing_king_is_told() {
    let folder = Folder::new("composers-king");
    for (sfen, side) in [
        ("9/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", Some("White")),
        ("4k4/9/9/9/9/9/9/9/9 w 2R2B4G4S4N4L18P 1", Some("Black")),
        ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", None),
    ] {
        let note = side.map(|side| format!("note: {side}, who is to be mated, has no king"));
        let told = |place: &str, words: &[&str], input: &str| {
            let run = run_to_end(words.iter().copied(), input);
            let told = run.errors.lines().find(|line| line.contains("note"));
            let expected = note.as_ref().map(|note| format!("{place}: {note}"));
            assert_eq!(told, expected.as_deref(), "{words:?}");
        };
        told("--sfen", &["mate", "--sfen", sfen], "");
        let game = tsumero_record::Game::new(Position::from_sfen(sfen).unwrap());
        for command in [&["mate"][..], &["tsume", "check"]] {
            told("line 1", &[command, &["--file", "-"]].concat(), sfen);
            for format in Format::ALL.into_iter().filter(|&format| format != Format::Usi) {
                let file = folder.path(&format!("game.{format}"));
                let text = tsumero_record::write(std::slice::from_ref(&game), format);
                fs::write(&file, text).unwrap();
                told(&file, &[command, &["--file", &file]].concat(), "");
            }
        }
    }
}

/// No option decides more than another one.
#[test]
fn what_a_report_decides_is_decided_without_one() {
    for (row, verdict) in [
        ("5s+S1k/7gg/7P1/9/9/8R/9/9/9 b Brb2g2s4n4l17p 1", "no mate"),
        ("5+b3/4k4/2S6/2+P1P4/9/9/9/9/9 b BGS2r3g2s4n4l16p 1", "sound; idle 7d; left in hand 1"),
    ] {
        let verdicts = ["", " --verbose"].map(|options| {
            let run = checked(row, options);
            run.output.lines().next().unwrap().to_owned()
        });
        assert_eq!(verdicts, [verdict, verdict], "{row}");
    }
}

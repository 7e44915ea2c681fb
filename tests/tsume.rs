//! Making and checking mate problems: whatever the maker prints is sound, by the checker and by
//! brute force that shares nothing with either, and what is unsound is told apart.

use tsumero_core::{Color, Piece, PieceKind, Position};
use tsumero_oracle::BruteForce;

use crate::folder::Folder;
use crate::harness::{legal_line, run_to_end};

/// Runs `tsume` with the given arguments, separated by blanks, and the given standard input.
/// Returns the lines of its output, its code and what it says about it.
fn tsume(arguments: &str, input: &str) -> (Vec<String>, i32, String) {
    let arguments = format!("tsume {arguments}");
    let run = run_to_end(arguments.split(' '), input);
    (run.output.lines().map(str::to_owned).collect(), run.code, run.errors)
}

/// Without optimization, and with every position computed anew and compared, making problems is
/// slow: then fewer are made.
const SLOW: bool = cfg!(debug_assertions);

/// A line that the maker printed.
struct Row {
    position: Position,
    solution: Vec<String>,
    notes: String,
}

fn read(line: &str) -> Row {
    let columns: Vec<&str> = line.split(',').collect();
    let [sfen, plies, solution, notes] = columns[..] else { panic!("four columns: {line}") };
    let solution: Vec<String> = solution.split(' ').map(str::to_owned).collect();
    assert_eq!(plies.parse(), Ok(solution.len()), "{line}");
    Row { position: Position::from_sfen(sfen).expect(line), solution, notes: notes.to_owned() }
}

/// Asserts that a line of the maker is what it says, by brute force.
fn assert_sound(row: &Row, longer: usize) {
    let plies = row.solution.len();
    let position = &row.position;
    let (mut search, sfen) = (BruteForce::new(position), position.to_sfen());
    assert_eq!(search.length(plies), Some(plies), "{sfen}");
    assert_eq!(search.most_solutions(plies, longer), 1, "{sfen}");
    let last = legal_line(position, &row.solution).expect(&sfen);
    assert!(last.in_check() && !last.has_legal_move(), "{sfen}");
    assert_eq!(position.king(position.side_to_move()), None, "{sfen}");
    // All men are there: 40 with both kings, of which the attacker has none.
    let men = |color| position.hand(color).iter().map(|(_, count)| count).sum::<u32>();
    let held = men(position.side_to_move()) + men(!position.side_to_move());
    assert_eq!(held as usize + position.pieces().count(), 39, "{sfen}");
}

#[test]
fn generated_problems_are_sound_by_the_checker_and_by_brute_force() {
    for (plies, count, longer) in
        [(1, 6, 4), (3, if SLOW { 4 } else { 20 }, 2), (5, if SLOW { 1 } else { 20 }, 0)]
    {
        let arguments = format!("generate --plies {plies} --count {count} --seed 7 --threads 2");
        let (lines, code, errors) = tsume(&arguments, "");
        assert_eq!(code, 0, "{errors}");
        assert_eq!(lines[0], "sfen,plies,solution,notes");
        assert_eq!(lines.len(), 1 + count);
        assert!(errors.contains("problems per minute"), "{errors}");
        for line in &lines[1..] {
            let row = read(line);
            assert_eq!((row.solution.len(), &row.notes[..]), (plies, ""), "{line}");
            assert_sound(&row, longer);
            let last = legal_line(&row.position, &row.solution).unwrap();
            assert!(last.hand(row.position.side_to_move()).is_empty(), "left in hand: {line}");
        }
        let file = lines.join("\n");
        let (verdicts, code, errors) = tsume("check --file - --threads 2", &file);
        assert_eq!((verdicts, code), (vec!["sound".to_owned(); count], 0), "{errors}");
        let solved = run_to_end("mate --file -".split(' '), &file);
        assert_eq!(solved.output.lines().count(), count);
        for line in solved.output.lines() {
            assert!(line.starts_with(&format!("mate {plies} ")), "{line}");
        }
    }
}

/// Long problems grow backwards. Every second position of such a line is a sound problem of its own.
#[test]
fn long_problems_are_sound_and_so_is_what_they_grew_out_of() {
    if SLOW {
        return;
    }
    let (lines, code, errors) = tsume("generate --plies 11 --count 2 --seed 4 --threads 2", "");
    assert_eq!((lines.len(), code), (3, 0), "{errors}");
    let mut file = Vec::new();
    let mut lengths = Vec::new();
    for line in &lines[1..] {
        let row = read(line);
        assert_eq!((row.solution.len(), &row.notes[..]), (11, ""), "{line}");
        // A mate in one may have more than one solution, as the last move of a longer problem may.
        for played in (0..=8).step_by(2) {
            let position = legal_line(&row.position, &row.solution[..played]).unwrap();
            file.push(format!("sfen {}", position.to_sfen()));
            lengths.push(11 - played);
        }
    }
    let file = file.join("\n");
    let (verdicts, code, errors) = tsume("check --file - --threads 2", &file);
    let is_sound = |verdict: &String| verdict.starts_with("sound");
    assert!(code == 0 && verdicts.iter().all(is_sound), "{verdicts:?} {errors}");
    let solved = run_to_end("mate --file -".split(' '), &file);
    assert_eq!(solved.output.lines().count(), lengths.len());
    for (line, length) in solved.output.lines().zip(lengths) {
        assert!(line.starts_with(&format!("mate {length} ")), "{line}");
    }
}

#[test]
fn twenty_problems_of_five_plies_that_were_made_before_are_sound() {
    // Made by `tsumero tsume generate --plies 5 --count 20`; see tests/data/README.md.
    let file = include_str!("data/tsume5.csv");
    let (verdicts, code, errors) = tsume("check --file -", file);
    assert_eq!((verdicts, code), (vec!["sound".to_owned(); 20], 0), "{errors}");
    for line in file.lines().skip(1) {
        assert_sound(&read(line), 0);
    }
}

#[test]
fn a_problem_depends_on_the_seed_and_its_number_alone() {
    let plies = if SLOW { 1 } else { 3 };
    let make = |more: &str| {
        let (lines, code, errors) = tsume(&format!("generate --plies {plies} {more}"), "");
        assert_eq!(code, 0, "{errors}");
        lines
    };
    let all = make("--count 3 --seed 2");
    assert_eq!(make("--count 3 --seed 2 --threads 3"), all);
    assert_eq!(make("--count 1 --seed 2 --skip 2"), all[3..]);
    assert_ne!(make("--count 1 --seed 3")[1], all[1]);
    let (none, code, _) = tsume("generate --plies 3 --count 0", "");
    assert_eq!((none.len(), code), (1, 0));
}

#[test]
fn loose_problems_say_what_is_loose() {
    let count = if SLOW { 1 } else { 4 };
    let arguments = format!("generate --plies 3 --count {count} --seed 1 --loose");
    let (lines, code, errors) = tsume(&arguments, "");
    assert_eq!(code, 0, "{errors}");
    let (verdicts, code, errors) = tsume("check --file -", &lines.join("\n"));
    assert_eq!(code, 0, "{errors}");
    let mut loose = 0;
    for (line, verdict) in lines[1..].iter().zip(&verdicts) {
        let row = read(line);
        assert_sound(&row, 0);
        let expected =
            if row.notes.is_empty() { "sound".into() } else { format!("sound; {}", row.notes) };
        assert_eq!(*verdict, expected, "{line}");
        loose += u32::from(!row.notes.is_empty());
    }
    assert!(loose > 0);
}

/// A sound problem of five plies.
const SOUND: &str = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1";

#[test]
fn what_is_wrong_with_a_problem_is_named() {
    let rows = [
        (format!("{SOUND},5"), "sound"),
        (SOUND.to_owned(), "sound"),
        (format!("{SOUND},3"), "longer 5"),
        (format!("{SOUND},7"), "shorter 5"),
        // One gold more mates sooner.
        ("9/9/8k/8N/9/7L1/9/9/9 b 2G2r2b2g4s3n3l18p 1,5".into(), "shorter 3"),
        // A lance more, and the gold may as well be dropped without another order of moves.
        ("9/9/8k/8N/9/7L1/9/9/9 b GL2r2b3g4s3n2l18p 1,5".into(), "second solution G*2d"),
        // A knight is of no use here, a white pawn far away even less.
        ("8k/9/6+P2/9/9/9/9/9/9 b GN2r2b3g4s3n4l17p 1,1".into(), "sound; left in hand 1"),
        ("9/9/8k/8N/9/7L1/9/p8/9 b G2r2b3g4s3n3l17p 1,5".into(), "sound; idle 9h"),
        // A second solution that takes two plies longer than the first.
        ("9/1Sk6/9/9/9/9/9/9/9 b R2Gr2b2g3s4n4l18p 1,3".into(), "second solution R*7c"),
        ("p8/1k7/9/2+L6/9/9/9/9/9 b GS2r2b3g3s4n3l17p 1,3".into(), "second solution S*7c"),
        ("8k/9/6+P2/9/9/9/9/9/9 b GP2r2b3g4s4n4l16p 1,".into(), "second solution P*1b"),
        ("4k4/9/9/9/9/9/9/9/4K4 b P 1,1".into(), "no mate"),
        // White attacks, too.
        ("9/9/9/9/9/9/4p4/9/4K4 w 2R2B3G4S4N4L17Pg 1,1".into(), "sound"),
    ];
    let input: Vec<&str> = rows.iter().map(|(row, _)| &row[..]).collect();
    let arguments = "check --file - --threads 2 --nodes 5000";
    let (verdicts, code, errors) = tsume(arguments, &input.join("\n"));
    assert_eq!(code, 1, "{errors}");
    for ((row, expected), verdict) in rows.iter().zip(&verdicts) {
        assert_eq!(verdict, expected, "{row}");
    }
    assert_eq!(verdicts.len(), rows.len());
    assert!(errors.contains("13 problems, 5 sound"), "{errors}");
    let (verdicts, code, _) = tsume("check --file - --nodes 5", SOUND);
    assert_eq!((&verdicts[0][..], code), ("unknown nodes", 1));
}

/// The same position with one man handed from the defender to the attacker.
fn hand_over(position: &Position, kind: PieceKind) -> Position {
    let sfen = position.to_sfen();
    let attacker = position.side_to_move();
    let mut hands = String::new();
    for color in Color::ALL {
        for each in PieceKind::HAND {
            let count = position.hand(color).count(each)
                + u32::from(each == kind && color == attacker)
                - u32::from(each == kind && color != attacker);
            if count > 0 {
                hands += &format!("{count}{}", Piece::new(color, each));
            }
        }
    }
    let board_and_side: Vec<&str> = sfen.split(' ').take(2).collect();
    Position::from_sfen(&format!("{} {hands} 1", board_and_side.join(" "))).expect(&hands)
}

#[test]
fn the_checker_agrees_with_brute_force_on_spoiled_problems() {
    // Each problem with one man more in the attacker's hand: some stay sound, most do not.
    let (mut sound, mut second, mut shorter) = (0, 0, 0);
    for line in include_str!("data/tsume5.csv").lines().skip(1).take(10) {
        for kind in [PieceKind::Pawn, PieceKind::Silver] {
            let spoiled = hand_over(&read(line).position, kind);
            let (verdicts, _, errors) = tsume("check --file -", &format!("{spoiled},5"));
            let verdict = verdicts.first().expect(&errors);
            let mut search = BruteForce::new(&spoiled);
            let length = search.length(5).expect("a man more in hand does not harm the attacker");
            if length < 5 {
                assert_eq!(*verdict, format!("shorter {length}"), "{spoiled}");
                shorter += 1;
                continue;
            }
            let most = search.most_solutions(5, 0);
            if let Some(line) = verdict.strip_prefix("second solution ") {
                // The named move is legal where it is named, and gives check.
                let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
                assert_eq!(line.len() % 2, 1, "{spoiled}: {verdict}");
                assert!(legal_line(&spoiled, &line).unwrap().in_check(), "{spoiled}: {verdict}");
                second += 1;
            } else {
                // No more than one check mates in time; whether one mates later may be unknown.
                assert_eq!(most, 1, "{spoiled}: {verdict}");
                let known = verdict.starts_with("sound");
                assert!(known || verdict == "unknown nodes", "{spoiled}: {verdict}");
                sound += u32::from(known);
            }
        }
    }
    assert!(sound > 0 && second > 0 && shorter > 0, "{sound} {second} {shorter}");
}

#[test]
fn bad_rows_and_wrong_usage_are_named() {
    let input = format!("sfen,plies\nnonsense,5\n{SOUND},five\n{SOUND},4\n{SOUND},5\n");
    let (verdicts, code, errors) = tsume("check --file -", &input);
    assert_eq!((verdicts.len(), code), (4, 1));
    assert!(verdicts[..3].iter().all(|line| line.starts_with("error ")), "{verdicts:?}");
    assert_eq!(verdicts[3], "sound");
    for number in [2, 3, 4] {
        assert!(errors.contains(&format!("line {number}: ")), "{errors}");
    }
    for arguments in [
        "generate",
        "generate --plies 4 --count 1",
        "generate --plies 0 --count 1",
        "generate --plies 99 --count 1",
        "generate --plies 3",
        "generate --plies 3 --count 1 --threads 0",
        "check",
        "check --file /no/such/file",
        "check --file - --nodes 0",
        "check --file - --html -",
        "generate --plies 1 --count 1 --out -",
        "nonsense",
    ] {
        let (output, code, errors) = tsume(arguments, "");
        assert_eq!((output.len(), code), (0, 2), "{arguments}");
        assert!(!errors.is_empty());
    }
    for arguments in ["--help", "generate --help", "check --help"] {
        let (help, code, _) = tsume(arguments, "");
        assert!(code == 0 && help.iter().any(|line| line.contains("Usage: tsumero tsume")));
    }
}

/// What `generate` makes is the same in every format, and is read back as sound by `check`.
#[test]
fn problems_pass_through_game_files() {
    let folder = Folder::new("tsume-files");
    let generate = "generate --plies 3 --count 3 --seed 5";
    // A file in the place of the folder is seen before anything is made.
    let file = folder.path("file");
    std::fs::write(&file, "mine").unwrap();
    let (lines, code, errors) = tsume(&format!("{generate} --out {file}"), "");
    assert_eq!((lines.len(), errors.lines().count()), (0, 1), "{errors}");
    assert!(code != 0 && std::fs::read(&file).unwrap() == b"mine");
    let (rows, ..) = tsume(generate, "");
    let rows: Vec<Row> = rows[1..].iter().map(|line| read(line)).collect();
    for (format, ending) in
        [("kif", "kif"), ("ki2", "ki2"), ("csa", "csa"), ("jkf", "jkf"), ("sfen", "usi")]
    {
        let out = folder.path(format);
        let arguments = format!("{generate} --to {format} --out {out}");
        let (lines, code, errors) = tsume(&arguments, "");
        assert_eq!((lines.len(), code), (4, 0), "{errors}");
        let (printed, code, _) = tsume(&format!("{generate} --to {format}"), "");
        assert_eq!(code, 0);
        assert!(!printed[0].starts_with("sfen,"));
        for (number, row) in (1..).zip(&rows) {
            let file = format!("{out}/tsume3-5-{number:04}.{ending}");
            let game = tsumero_record::read(&std::fs::read(&file).unwrap());
            let game = game.into_games().unwrap().remove(0);
            assert_eq!(game.start(), &row.position, "{file}");
            let moves: Vec<String> = game.moves().map(|mv| mv.to_string()).collect();
            assert_eq!(moves, row.solution, "{file}");
            let is_line = format == "sfen";
            assert!(is_line || game.ending() == Some(tsumero_record::Ending::Mate), "{file}");
            let (verdicts, code, errors) = tsume(&format!("check --file {file}"), "");
            assert_eq!((verdicts, code), (vec!["sound".to_owned()], 0), "{file}: {errors}");
        }
        // A run that goes on may be appended: what separates the games comes first.
        let parts = [(0, 1), (1, 2)].map(|(skip, count)| {
            let problems = format!("--plies 3 --seed 5 --skip {skip} --count {count}");
            tsume(&format!("generate {problems} --to {format}"), "").0
        });
        assert!(parts.concat() == printed, "{format}: {parts:?}");
        // CSA and JKF hold several games in one file.
        if matches!(format, "csa" | "jkf") {
            for (games, count) in [(&printed, 3), (&parts[1], 2)] {
                let (verdicts, code, errors) = tsume("check --file -", &games.join("\n"));
                assert_eq!((verdicts, code), (vec!["sound".to_owned(); count], 0), "{errors}");
            }
        }
    }
    let (_, code, errors) = tsume("generate --plies 3 --count 1 --to pdf", "");
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("kif, ki2, csa, jkf, usi"), "{errors}");
}

/// The page holds the problems that are sound, with the numbers that they have in the input.
#[test]
fn the_page_holds_the_sound_problems() {
    let folder = Folder::new("tsume-page");
    let page = folder.path("sheet.html");
    let data = || {
        let page = std::fs::read_to_string(&page).unwrap();
        // Nothing is fetched. The one address is a name: that of the drawing's elements.
        for begin in page.match_indices("://").map(|(at, _)| at) {
            let rest = &page[begin..];
            assert!(rest.starts_with("://www.w3.org/2000/svg\","), "{}", &rest[..60]);
        }
        for word in ["src=", "href=", "@import", "fetch(", "<link", "Request"] {
            assert!(!page.contains(word), "{word}");
        }
        assert_eq!(page.matches("url(").count(), page.matches("url(#").count());
        // And a browser would refuse it.
        assert!(page.contains("content=\"default-src 'none'; script-src 'sha256-"));
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        serde_json::from_str::<serde_json::Value>(data).unwrap()
    };
    let generate =
        format!("generate --plies 3 --count 2 --skip 1 --seed 5 --html {page} --lang ja");
    let (lines, code, _) = tsume(&generate, "");
    assert_eq!((lines.len(), code), (2, 0), "the header is left out behind --skip");
    let made = data();
    assert_eq!(made["language"], "ja");
    for (index, line) in lines.iter().enumerate() {
        let (row, problem) = (read(line), &made["problems"][index]);
        assert_eq!(problem["number"], index + 2);
        assert_eq!(problem["sfen"].as_str().unwrap(), row.position.to_sfen());
        let moves = problem["moves"].as_array().unwrap().iter();
        let moves: Vec<&str> = moves.map(|mv| mv["usi"].as_str().unwrap()).collect();
        assert_eq!(moves, row.solution);
    }
    let input = format!("4k4/9/9/9/9/9/9/9/4K4 b P 1\nnonsense\n{}\n", lines[0]);
    let out = folder.path("sound");
    let check = format!("check --file - --html {page} --lang en --out {out} --to ki2");
    let (verdicts, code, errors) = tsume(&check, &input);
    assert_eq!(code, 1, "{errors}");
    assert_eq!(verdicts[0], "no mate");
    assert!(verdicts[1].starts_with("error "), "{}", verdicts[1]);
    assert_eq!(verdicts[2], "sound");
    let checked = data();
    assert_eq!(checked["language"], "en");
    assert_eq!(checked["problems"].as_array().unwrap().len(), 1);
    assert_eq!(checked["problems"][0]["number"], 3);
    assert_eq!(checked["problems"][0]["moves"], made["problems"][0]["moves"]);
    let files: Vec<_> = std::fs::read_dir(&out).unwrap().collect();
    assert_eq!(files.len(), 1);
    assert!(std::fs::exists(format!("{out}/problem-0003.ki2")).unwrap());
    // The problems of two files lie beside each other.
    for (name, line) in [("first", lines[0].clone()), ("second", lines[1].clone())] {
        let file = folder.path(&format!("{name}.csv"));
        std::fs::write(&file, line).unwrap();
        assert_eq!(tsume(&format!("check --file {file} --out {out}"), "").1, 0);
        assert!(std::fs::exists(format!("{out}/{name}-0001.kif")).unwrap());
    }
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 3);
    // A file in the way ends the run. The problems before it are in the page.
    std::fs::write(format!("{out}/tsume3-5-0003.kif"), "mine").unwrap();
    let (printed, code, errors) = tsume(&format!("{generate} --out {out}"), "");
    assert_eq!(printed, lines[..1], "what goes on prints the other again");
    assert_eq!((code, data()["problems"].as_array().unwrap().len()), (2, 1), "{errors}");
    assert_eq!(data()["problems"][0]["number"], 2);
    assert!(
        errors.contains("--skip 2 --count 1 goes on") && errors.contains("0003.kif"),
        "{errors}"
    );
    assert_eq!(std::fs::read(format!("{out}/tsume3-5-0003.kif")).unwrap(), b"mine");
    // Without a folder there is no place for the games.
    assert_eq!(tsume("check --file - --to kif", &input).1, 2);
}

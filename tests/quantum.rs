//! Quantum shogi from outside: the option, positions, searches and the tools.

use tsumero_quantum::Position;

use crate::harness::{Run, run_to_end};

const KINDS_AT_START: &str =
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
const VECTORS: &str = include_str!("../crates/quantum/tests/data/vectors_visible.jsonl");
const GAMES: &str = include_str!("../crates/quantum/tests/data/games_visible.jsonl");

fn startpos() -> String {
    format!("ihgfedcba/1k5j1/tsrqponml/9/9/9/LMNOPQRST/1J5K1/ABCDEFGHI b / 1 {KINDS_AT_START}")
}

/// Runs the program with arguments and standard input; exit code, output and errors.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let Run { code, output, errors } = run_to_end(arguments.iter().copied(), input);
    (code, output, errors)
}

/// What the engine says to a whole dialogue, after which the input ends.
fn dialogue(lines: &[&str]) -> Vec<String> {
    let (code, output, errors) = run(&[], &format!("{}\n", lines.join("\n")));
    assert_eq!((code, errors.as_str()), (0, ""));
    output.lines().map(str::to_owned).collect()
}

const QUANTUM: &str = "setoption name USI_Variant value quantum";

/// The answers among lines, without the word `bestmove`.
fn best_moves(lines: &[String]) -> Vec<&str> {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .map(|rest| rest.split(' ').next().unwrap())
        .collect()
}

#[test]
fn the_option_is_declared_and_shogi_is_the_default() {
    let lines = dialogue(&["usi", "go perft 1"]);
    let option = "option name USI_Variant type combo default shogi var shogi var quantum";
    assert!(lines.iter().any(|line| line == option));
    assert_eq!(lines.last().unwrap(), "Nodes searched: 30");
    let lines = dialogue(&["setoption name USI_Variant value chess", "go perft 1"]);
    assert!(lines[0].starts_with("info string Error! ") && lines[0].contains("shogi quantum"));
    assert_eq!(lines.last().unwrap(), "Nodes searched: 30");
}

#[test]
fn a_variant_has_its_own_starting_position() {
    let lines = dialogue(&[
        QUANTUM,
        "go perft 2",
        "position quantum startpos moves 7g7f",
        "setoption name USI_Variant value quantum",
        "d",
        "setoption name USI_Variant value shogi",
        "position startpos",
        "d",
    ]);
    assert!(lines.contains(&"Nodes searched: 30992".to_owned()));
    assert!(lines.iter().any(|line| line.starts_with("Position: ") && line.contains(" w / 2 ")));
    assert!(lines.iter().any(|line| line.starts_with("SFEN: lnsgkgsnl/")));
}

/// Somebody has changed the option by accident, and a GUI for ordinary shogi knows nothing of it.
#[test]
fn an_ordinary_position_is_answered_by_ordinary_shogi_whatever_the_option_says() {
    let lines = dialogue(&[QUANTUM, "isready", "position startpos moves 7g7f", "d", "go depth 2"]);
    assert!(lines[0].starts_with("info string USI_Variant is quantum"), "{lines:?}");
    assert_eq!(lines[1], "readyok");
    assert!(lines.iter().any(|line| line.starts_with("SFEN: lnsgkgsnl/")));
    let mut position = tsumero_core::Position::startpos();
    position.play_unchecked(position.parse_move("7g7f").unwrap());
    let best = best_moves(&lines);
    assert!(position.parse_move(best[0]).is_ok(), "{best:?}");
    // The option is the last one declared.
    let lines = dialogue(&["usi"]);
    let options: Vec<_> = lines.iter().filter(|line| line.starts_with("option ")).collect();
    assert!(options.last().unwrap().contains(" USI_Variant "));
}

#[test]
fn perft_names_every_first_move() {
    let lines = dialogue(&[QUANTUM, "go perft 2"]);
    assert_eq!(lines.len(), 178);
    let sum: u64 = lines[..177]
        .iter()
        .map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, 30992);
    assert_eq!(lines[177], "Nodes searched: 30992");
}

#[test]
fn answers_and_lines_of_play_are_legal() {
    let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "j*5e", "9c9d"];
    let mut position = Position::startpos();
    for word in moves {
        let m = position.parse_move(word).unwrap_or_else(|error| panic!("{word}: {error}"));
        position.play(m).unwrap();
    }
    let command = format!("position quantum startpos moves {}", moves.join(" "));
    let by_text = format!("position quantum {position}");
    for position_command in [&command, &by_text] {
        for go in ["go nodes 3000", "go depth 3", "go movetime 50", "go btime 1000 wtime 1000"] {
            let lines = dialogue(&["isready", "usinewgame", position_command, go]);
            assert_eq!(lines[0], "readyok");
            let best = best_moves(&lines);
            assert_eq!(best.len(), 1, "{lines:?}");
            assert!(position.parse_move(best[0]).is_ok(), "{best:?}");
            let infos: Vec<&String> = lines.iter().filter(|l| l.starts_with("info ")).collect();
            assert!(!infos.is_empty());
            for info in infos {
                let (_, pv) = info.split_once(" pv ").unwrap();
                let mut line = position.clone();
                for word in pv.split(' ') {
                    let m = line.parse_move(word).unwrap_or_else(|e| panic!("{info}: {e}"));
                    line.play(m).unwrap();
                }
            }
        }
    }
}

/// Black's king is A, on 9i; White's piece K, which was Black's rook, attacks it. The other
/// pieces are in hand.
const SURE_KING: &str = "a8/9/9/9/9/9/9/-K8/A8 w /BCDEFGHIJLMNOPQRSTbcdefghijklmnopqrst 2 \
    80020204040808101020400101010101010101018002020404080810102040010101010101010101";

#[test]
fn the_sure_king_is_taken_and_then_nothing_can_be_played() {
    let position = format!("position quantum {SURE_KING}");
    let lines = dialogue(&[&position, "go depth 4"]);
    let best = best_moves(&lines);
    assert!(best == ["9h9i"] || best == ["9h9i+"], "{best:?}");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
    let taken = format!("{position} moves 9h9i");
    let lines = dialogue(&[&taken, "d", "go depth 2", "go perft 2"]);
    assert!(lines.contains(&"Winner: White".to_owned()));
    assert_eq!(best_moves(&lines), ["resign"]);
    let lost = "info depth 0 seldepth 0 multipv 1 score mate -0 ";
    assert!(lines.iter().any(|line| line.starts_with(lost) && line.ends_with(" pv resign")));
    assert_eq!(lines.last().unwrap(), "Nodes searched: 0");
}

#[test]
fn searchmoves_ponder_and_infinite_work_as_ever() {
    let lines = dialogue(&[QUANTUM, "go depth 2 searchmoves 9g9f 5e5d"]);
    assert_eq!(best_moves(&lines), ["9g9f"]);
    assert!(lines.iter().any(|line| line.contains("searchmoves 5e5d: no piece on 5e")));
    let lines =
        dialogue(&[QUANTUM, "go infinite", "stop", "go ponder", "ponderhit", "go infinite"]);
    assert_eq!(best_moves(&lines).len(), 3);
    let lines = dialogue(&[QUANTUM, "go mate 100", "go depth 1"]);
    assert_eq!(lines[0], "checkmate notimplemented");
    assert_eq!(best_moves(&lines).len(), 1);
}

#[test]
fn bad_positions_and_moves_are_named_in_one_line_and_nothing_else_is_answered() {
    let good = "position quantum startpos moves 7g7f";
    let twice = startpos().replace("LMN", "LLN");
    let bad = [
        "position quantum".to_owned(),
        "position quantum nonsense".to_owned(),
        "position quantum startpos moves 7g7f 7g7f".to_owned(),
        "position quantum startpos moves A*5e".to_owned(),
        "position quantum startpos moves xyz".to_owned(),
        format!("position quantum {twice}"),
        format!("position quantum {} moves 9i9a", startpos()),
    ];
    for bad in &bad {
        let lines = dialogue(&[good, bad, "d", "go depth 1", good, "go depth 1"]);
        assert!(lines[0].starts_with("info string Error! "), "{bad}: {}", lines[0]);
        assert!(lines[1] == lines[0] && lines[2] == lines[0], "{bad}");
        assert_eq!(lines[3], "bestmove resign");
        assert!(best_moves(&lines)[1] != "resign");
    }
}

#[test]
fn the_display_shows_the_odds() {
    let lines = dialogue(&["position quantum startpos moves 8h6h", "d"]);
    assert!(lines.contains(&"J R        R 100.0".to_owned()), "{lines:?}");
    // Nine pawns among the nineteen others.
    let other = lines.iter().find(|line| line.starts_with("A ")).unwrap();
    assert!(other.contains(" P 47.4 ") && !other.contains(" R "), "{other}");
    let untouched = lines.iter().find(|line| line.starts_with("a ")).unwrap();
    assert!(untouched.contains(" P 45.0 ") && untouched.contains(" K 5.0"), "{untouched}");
}

#[test]
fn eval_tells_its_parts() {
    let lines = dialogue(&[QUANTUM, "eval"]);
    assert!(lines.iter().any(|line| line.starts_with("mobility")));
    assert!(lines.last().unwrap().starts_with("total for the side to move: "));
}

#[test]
fn perft_and_moves_of_the_tool() {
    assert_eq!(run(&["quantum", "perft", "3"], "").1, "5376638\n");
    assert_eq!(run(&["quantum", "perft", "2", "--q", &startpos()], "").1, "30992\n");
    let (code, output, _) = run(&["quantum", "moves"], "");
    assert_eq!((code, output.split_whitespace().count()), (0, 177));
    assert!(output.split_whitespace().is_sorted());
    let input = format!(
        "{}\nnonsense\n{SURE_KING}\nposition quantum startpos moves 7g7f\nstartpos moves 7g7f\n",
        startpos()
    );
    let (code, output, errors) = run(&["quantum", "moves", "--file", "-"], &input);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!((code, lines.len()), (1, 5));
    assert!(lines[1].starts_with("error ") && lines[3] == lines[4], "{output}");
    assert!(errors.starts_with("line 2: "), "{errors}");
    let (code, output, errors) = run(&["quantum", "perft", "1", "--q", "x"], "");
    assert_eq!((code, output.as_str()), (1, ""));
    assert!(errors.starts_with("--q: "), "{errors}");
    assert_eq!(run(&["quantum", "perft"], "").0, 2);
    for name in ["perft", "moves", "converge", "play"] {
        assert_eq!(run(&["quantum", name, "--help"], "").0, 0);
    }
}

#[test]
fn converge_answers_in_the_form_of_the_file() {
    let (code, output, _) = run(&["quantum", "converge", "--file", "-"], VECTORS);
    assert_eq!(code, 0);
    assert_eq!(output.lines().count(), VECTORS.lines().count());
    for (ours, recorded) in output.lines().zip(VECTORS.lines()) {
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let (ours, recorded) = (read(ours), read(recorded));
        assert_eq!(ours["id"], recorded["id"]);
        let events = recorded["ev"].as_array().unwrap();
        assert_eq!(ours["ev"].as_array().unwrap().len(), events.len());
        for (ours, recorded) in ours["ev"].as_array().unwrap().iter().zip(events) {
            assert_eq!(ours["r"], recorded["r"]);
            assert_eq!(ours["w"], recorded["w"]);
            assert_eq!(ours.as_object().unwrap().len(), 2);
        }
    }
    let bad = "{\"id\":\"a\",\"ev\":[{\"p\":20,\"t\":\"C\"}]}\n{\"id\":\"b\",\"ev\":[]}\n{]\n";
    let (code, output, errors) = run(&["quantum", "converge", "--file", "-"], bad);
    let answers: Vec<&str> = output.lines().collect();
    assert_eq!((code, answers.len(), answers[1]), (1, 3, "{\"id\":\"b\",\"ev\":[]}"));
    for bad in [answers[0], answers[2]] {
        let bad: serde_json::Value = serde_json::from_str(bad).unwrap();
        assert!(bad["error"].is_string(), "{output}");
    }
    assert!(errors.contains("line 1: event 1: ") && errors.contains("line 3: "), "{errors}");
}

/// No piece can leave the board. So this is a contradiction, as any other move that no kind can make.
#[test]
fn a_displacement_that_leads_off_the_board_contradicts() {
    for (v, r) in [("[8,0]", "ok"), ("[9,0]", "x"), ("[0,-9]", "x"), ("[-200,3]", "x")] {
        let line = format!("{{\"id\":\"a\",\"ev\":[{{\"p\":0,\"t\":\"N\",\"v\":{v}}}]}}\n");
        let (code, output, errors) = run(&["quantum", "converge", "--file", "-"], &line);
        let start = format!("{{\"id\":\"a\",\"ev\":[{{\"r\":\"{r}\",\"w\":\"");
        assert!(code == 0 && output.starts_with(&start), "{v}: {output}{errors}");
        assert_eq!(output.contains(&"ff".repeat(20)), r == "x", "nothing changes: {output}");
    }
}

#[test]
fn games_are_checked_move_by_move() {
    let (code, output, _) = run(&["quantum", "moves", "--file", "-"], GAMES);
    assert_eq!(code, 0);
    assert!(output.lines().all(|line| line.ends_with(" ok")));
    assert_eq!(output.lines().count(), 60);
    // One wrong count, one wrong verdict and one wrong end are each found.
    let game = GAMES.lines().next().unwrap();
    for (from, to) in
        [("\"n\":177", "\"n\":178"), ("\"ok\":0", "\"ok\":1"), ("\"end\":", "\"end\":\"b\",\"x\":")]
    {
        let wrong = game.replacen(from, to, 1);
        assert_ne!(wrong, game);
        let (code, output, _) = run(&["quantum", "moves", "--file", "-"], &wrong);
        assert_eq!(code, 1, "{output}");
        assert!(output.contains(" WRONG "), "{output}");
    }
}

#[test]
fn played_games_check_out() {
    let play = ["quantum", "play", "--games", "2", "--movetime", "3", "--seed", "7"];
    let (code, games, errors) = run(&play, "");
    assert_eq!((code, games.lines().count()), (0, 2), "{errors}");
    let (code, output, _) = run(&["quantum", "moves", "--file", "-"], &games);
    assert_eq!((code, output.as_str()), (0, "s7-0001 ok\ns7-0002 ok\n"));
}

/// A search that ends in the middle of an iteration may answer with a move that this iteration has
/// found. Its line is reported, too.
#[test]
fn the_last_info_line_is_that_of_the_move_that_is_played() {
    let mut script = vec![QUANTUM.to_owned()];
    for moves in ["7g7f", "7g7f 3c3d", "2g2f 8c8d 2f2e"] {
        for nodes in (50..4_000).step_by(150) {
            script.push(format!("position quantum startpos moves {moves}"));
            script.push(format!("go nodes {nodes}"));
        }
    }
    let lines = dialogue(&script.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut last, mut answers) = ("", 0);
    for line in &lines {
        if let Some(pv) = line.split_once(" pv ").map(|(_, pv)| pv) {
            last = pv.split(' ').next().unwrap();
        } else if let Some(answer) = line.strip_prefix("bestmove ") {
            assert_eq!(answer.split(' ').next(), Some(last), "answer {answers}");
            answers += 1;
        }
    }
    assert_eq!(answers, 3 * (50..4_000).step_by(150).count());
}

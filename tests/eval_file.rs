//! `EvalFile`, `EvalDir` and `FV_SCALE`: which evaluation plays, and files that are not networks.

use std::fs;

use crate::eval_command::{Scratch, pawn_counter, stack_counter};
use crate::folder::Folder;
use crate::harness::{Session, run_to_end};
use crate::output::{Line, Score};

/// Four pawns in hand against one: 192 before the division, for the side to move.
const PAWNS: &str = "4k4/9/9/9/9/9/9/9/4K4 b 4Pp 1";

fn set(session: &mut Session, name: &str, value: &str) -> Vec<Line> {
    session.send(&format!("setoption name {name} value {value}"));
    session.send("isready");
    session.until("readyok")
}

/// The lines of `eval`, the last of which is the total.
fn eval(session: &mut Session) -> Vec<String> {
    session.send("eval");
    let mut lines = Vec::new();
    loop {
        let (_, line) = session.next_line(crate::harness::ms(5000)).expect("eval answers");
        lines.push(line.text().to_owned());
        if line.text().starts_with("total for the side to move: ") {
            return lines;
        }
    }
}

/// The total and the evaluator that gave it.
fn total(session: &mut Session) -> (i32, String) {
    let lines = eval(session);
    let (_, total) = lines.last().unwrap().rsplit_once(' ').unwrap();
    let evaluator = lines.iter().find(|line| line.starts_with("evaluation: ")).unwrap();
    (total.parse().unwrap(), evaluator.clone())
}

#[test]
fn a_file_evaluates_as_soon_as_it_is_named_and_no_longer_than_that() {
    let file = Scratch::new("named.bin", &pawn_counter());
    let mut session = Session::ready();
    session.set_position(PAWNS, "");
    let (own, by_own) = total(&mut session);
    let said = set(&mut session, "EvalFile", file.path());
    assert!(said.len() == 1 && !said[0].is_error(), "{said:?}");
    assert!(
        said[0].text().starts_with("info string evaluation: network K-P 256x2-32-32"),
        "{said:?}"
    );
    let (value, by_file) = total(&mut session);
    assert!(value == 12 && by_file.ends_with(file.path()), "{value} {by_file}");
    assert!(eval(&mut session).contains(&"network's last integer: 192".to_owned()));
    // The search asks the same evaluator: nothing but pawns in hand counts.
    let score = session.go("depth 1").last_info().score;
    assert!(matches!(score, Some(Score::Centipawns(10..=15))), "{score:?}");

    assert_eq!(set(&mut session, "FV_SCALE", "96").len(), 1);
    assert_eq!(total(&mut session).0, 2);
    assert_eq!(set(&mut session, "FV_SCALE", "0").len(), 1);
    assert_eq!(total(&mut session).0, 12);

    assert_eq!(set(&mut session, "EvalFile", "<internal>").len(), 1);
    assert_eq!(total(&mut session), (own, by_own));
    assert_eq!(set(&mut session, "EvalFile", "none").len(), 1);
    assert!(total(&mut session).1.contains("attack maps"));
    session.quit();
}

#[test]
fn the_rule_of_layer_stacks_is_an_option_and_is_told() {
    let file = Scratch::new("stacks-of-nine.bin", &stack_counter("", 9));
    let mut session = Session::ready();
    session.set_position(PAWNS, "");
    let told = |said: Vec<Line>, rule: &str| {
        assert!(said.len() == 1 && !said[0].is_error(), "{said:?}");
        let start = "info string evaluation: network SFNN K-P 128-7-32, 9 stacks by ";
        assert!(said[0].text().starts_with(&format!("{start}{rule}")), "{said:?}");
    };
    let usual = "k3k3 (the usual rule, because nothing else is said), FV_SCALE 16, ";
    told(set(&mut session, "EvalFile", file.path()), usual);
    assert_eq!(total(&mut session).0, 9);
    told(set(&mut session, "EvalStacks", "k3k3"), "k3k3 (as set), FV_SCALE 16, ");
    let refused = set(&mut session, "EvalStacks", "hand64");
    assert!(refused.len() == 1 && refused[0].is_error(), "{refused:?}");
    assert!(refused[0].text().contains("found 9 stacks, expected 64 for the rule hand64"));
    told(set(&mut session, "EvalStacks", "auto"), usual);
    session.go("nodes 500");
    session.quit();
}

#[test]
fn without_isready_the_file_is_read_before_the_first_search() {
    let file = Scratch::new("unready.bin", &pawn_counter());
    let input = format!(
        "setoption name EvalFile value {}\nposition sfen {PAWNS}\neval\ngo nodes 100\nsetoption name \
         EvalFile value <internal>\ngo nodes 100\n",
        file.path()
    );
    let output = run_to_end([], &input).output;
    assert!(output.contains("total for the side to move: 12\n"), "{output}");
    let notes = output.matches("info string evaluation: ").count();
    assert_eq!((notes, output.matches("bestmove ").count()), (2, 2), "{output}");
}

#[test]
fn a_folder_holds_nn_bin_as_in_other_engines() {
    let folder = Folder::new("eval dir");
    fs::write(folder.path("nn.bin"), pawn_counter()).unwrap();
    let mut session = Session::ready();
    session.set_position(PAWNS, "");
    let said = set(&mut session, "EvalDir", &folder.path(""));
    assert!(said.len() == 1 && !said[0].is_error(), "{said:?}");
    assert_eq!(total(&mut session).0, 12);
    session.quit();
}

#[test]
fn a_file_that_is_no_network_is_named_in_one_line_and_the_engine_plays_on() {
    let whole = pawn_counter();
    let wrong = [
        ("empty.bin", Vec::new()),
        ("cut.bin", whole[..whole.len() - 1].to_vec()),
        ("long.bin", [&whole[..], &[0]].concat()),
        ("foreign.bin", b"PNG, or anything else that is not a network".to_vec()),
    ];
    let mut session = Session::ready();
    session.set_position(PAWNS, "");
    let own = total(&mut session);
    for (name, bytes) in wrong {
        let file = Scratch::new(name, &bytes);
        let said = set(&mut session, "EvalFile", file.path());
        assert!(said.len() == 1 && said[0].is_error(), "{name}: {said:?}");
        let text = said[0].text();
        for part in [name, "found", "expected"] {
            assert!(text.contains(part), "{name}: {text}");
        }
        assert!(text.is_ascii());
        assert_eq!(total(&mut session), own);
        session.go("nodes 500");
    }
    for name in ["/no/such/file", "/", "no such file \u{ff8c}", "\u{0}"] {
        let said = set(&mut session, "EvalFile", name);
        assert!(said.len() == 1 && said[0].is_error(), "{name:?}: {said:?}");
        session.go("nodes 500");
    }
    session.quit();
}

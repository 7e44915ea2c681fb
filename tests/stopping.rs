//! `stop`, `go infinite`, and everything that may be said while a search runs.

use crate::harness::{SOON, Session, in_time, ms, run_to_end};
use crate::output::{Answer, Line};

#[test]
fn infinite_says_nothing_final_until_stopped() {
    let mut session = Session::ready();
    session.set_position("startpos", "");
    session.send("go infinite");
    session.until_info(|info| !info.pv.is_empty());
    session.no_answer_for(ms(700));
    session.send("stop");
    session.answer(SOON);
    session.in_step();
    session.quit();
}

#[test]
fn infinite_waits_even_when_there_is_nothing_to_think_about() {
    let mut session = Session::ready();
    for (sfen, words) in [
        (crate::sfen::MATED, "infinite"),
        (crate::sfen::ONE_LEGAL_MOVE, "infinite"),
        (crate::sfen::MATE_IN_ONE, "infinite"),
        (crate::sfen::DECLARATION, "infinite"),
        ("startpos", "infinite depth 1"),
        ("startpos", "infinite nodes 1"),
        ("startpos", "infinite movetime 1"),
        ("startpos", "infinite btime 1 wtime 1"),
    ] {
        session.set_position(sfen, "");
        session.send(&format!("go {words}"));
        session.no_answer_for(ms(150));
        session.send("stop");
        let answer = session.answer(SOON).answer;
        match sfen {
            crate::sfen::MATED => assert_eq!(answer, Answer::Resign),
            crate::sfen::DECLARATION => assert_eq!(answer, Answer::Win),
            _ => assert!(matches!(answer, Answer::Move { .. })),
        }
        session.in_step();
    }
    session.quit();
}

#[test]
fn stop_is_answered_within_200_ms() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::MIDDLE_GAME, "");
    in_time(ms(200), || {
        session.send("go infinite");
        session.no_answer_for(ms(100));
        session.send("stop");
        session.answer(SOON).elapsed
    });
    session.quit();
}

#[test]
fn an_idle_engine_ignores_what_it_should_not_get() {
    let mut session = Session::ready();
    for line in ["stop", "ponderhit", "stop", "gameover win", "gameover", "stop"] {
        session.send(line);
    }
    session.silent_for(ms(200));
    session.go("depth 1");
    session.send("stop");
    session.silent_for(ms(200));
    session.quit();
}

#[test]
fn stop_in_the_same_write_as_go_is_answered_once() {
    let mut session = Session::ready();
    for words in ["go infinite", "go", "go btime 60000 wtime 60000", "go depth 90", "go ponder"] {
        for _ in 0..5 {
            session.send_all(&[words, "stop"]);
            session.answer(SOON);
        }
    }
    session.in_step();
    session.quit();
}

#[test]
fn fifty_analyses_in_a_row_are_answered_fifty_times() {
    let mut session = Session::ready();
    for number in 0..50 {
        let moves = if number % 2 == 0 { "7g7f" } else { "2g2f 8c8d" };
        session.set_position("startpos", moves);
        session.send("go infinite");
        session.send("stop");
        session.answer(SOON);
    }
    session.in_step();
    // The same without waiting in between.
    let lines = ["go infinite", "stop"].repeat(50);
    session.send_all(&lines);
    for _ in 0..50 {
        session.any_answer(SOON);
    }
    session.in_step();
    session.quit();
}

#[test]
fn a_second_go_ends_an_infinite_search() {
    let mut session = Session::ready();
    session.send_all(&["position startpos", "go infinite"]);
    session.no_answer_for(ms(100));
    session.send_all(&["position startpos moves 7g7f", "go infinite"]);
    session.answer(SOON);
    session.no_answer_for(ms(200));
    session.send("go depth 1");
    session.position.play_unchecked(session.position.parse_move("7g7f").unwrap());
    session.answer(SOON);
    session.answer(SOON);
    session.in_step();
    session.quit();
}

#[test]
fn behind_a_limited_search_everything_waits_its_turn() {
    let mut session = Session::ready();
    session.send_all(&[
        "position startpos",
        "go depth 4",
        "position startpos moves 7g7f",
        "setoption name MultiPV value 2",
        "go depth 2",
        "d",
        "position startpos moves 7g7f 3c3d",
        "go depth 1",
    ]);
    assert!(session.answer(SOON).infos.iter().all(|info| info.multipv.unwrap_or(1) == 1));
    session.position.play_unchecked(session.position.parse_move("7g7f").unwrap());
    assert!(session.answer(SOON).infos.iter().any(|info| info.multipv == Some(2)));
    let shown = session.position.to_sfen();
    session.until(&format!("SFEN: {shown}"));
    session.position.play_unchecked(session.position.parse_move("3c3d").unwrap());
    session.answer(SOON);
    session.in_step();
    session.quit();
}

#[test]
fn a_position_sent_during_a_search_is_for_the_next_one() {
    let mut session = Session::ready();
    session.set_position("startpos", "");
    session.send("go infinite");
    session.no_answer_for(ms(50));
    session.send("position startpos moves 7g7f");
    session.no_answer_for(ms(100));
    session.send("stop");
    // Still checked against the first position.
    session.answer(SOON);
    session.position.play_unchecked(session.position.parse_move("7g7f").unwrap());
    session.go("depth 1");
    session.quit();
}

#[test]
fn isready_is_answered_during_any_search() {
    let mut session = Session::ready();
    for words in ["go infinite", "go ponder btime 1000 wtime 1000", "go movetime 60000", "go mate"]
    {
        session.set_position(crate::sfen::HARD_TSUME, "");
        session.send(words);
        session.send("isready");
        let before = session.until("readyok");
        assert!(!before.iter().any(|line| matches!(line, Line::Answer(_))), "{words}");
        session.no_answer_for(ms(50));
        session.send("stop");
        session.answer(SOON);
    }
    session.in_step();
    session.quit();
}

#[test]
fn a_mated_side_resigns() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::MATED, "");
    for words in ["depth 3", "btime 1000 wtime 1000", "movetime 100", "nodes 100"] {
        assert_eq!(session.go(words).answer, Answer::Resign, "{words}");
    }
    session.quit();
}

#[test]
fn what_is_decided_without_a_move_is_shown_as_such() {
    for (sfen, score, word) in
        [(crate::sfen::MATED, "-0", "resign"), (crate::sfen::DECLARATION, "1", "win")]
    {
        let run = run_to_end([], &format!("position sfen {sfen}\ngo depth 3\n"));
        let lines: Vec<&str> = run.output.lines().collect();
        // GUIs show a text at such a line.
        let [info, answer] = lines[..] else { panic!("{lines:?}") };
        assert_eq!(answer, format!("bestmove {word}"));
        assert!(info.starts_with("info depth 0 "), "{info}");
        assert!(info.contains(&format!(" score mate {score} ")), "{info}");
        assert!(info.ends_with(&format!(" pv {word}")), "{info}");
    }
}

#[test]
fn a_mate_that_is_found_does_not_end_an_infinite_search() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::MATE_IN_ONE, "");
    session.send("go infinite");
    session.until_info(|info| info.score == Some(crate::output::Score::Mate(1)));
    session.no_answer_for(ms(500));
    session.send("stop");
    session.answer(SOON);
    session.quit();
}

#[test]
fn perft_counts_and_can_be_stopped() {
    let mut session = Session::ready();
    session.send_all(&["position startpos", "go perft 3"]);
    let lines = session.until("Nodes searched: 25470");
    assert_eq!(lines.len(), 30);
    let counts = lines.iter().map(|line| line.text().split_once(": ").unwrap().1);
    assert_eq!(counts.map(|count| count.parse::<u64>().unwrap()).sum::<u64>(), 25470);
    session.send("go perft 0");
    session.until("Nodes searched: 1");
    session.send("go perft 60");
    session.silent_for(ms(200));
    session.send("stop");
    session.until("info string perft was stopped");
    session.in_step();
    session.quit();
}

#[test]
fn the_position_and_its_evaluation_are_shown() {
    // What a network says of five pieces means nothing.
    let mut session = Session::ready_with(&["EvalFile value none"]);
    session.set_position("4k4/9/4P4/9/9/9/9/9/4K4 b G2p 7", "G*5b");
    session.send("d");
    let before = session.until("SFEN: 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2p 8");
    let board: String = before.iter().map(|line| line.text().to_owned() + "\n").collect();
    assert!(board.contains("9   8   7   6   5   4   3   2   1"), "{board}");
    assert!(board.contains("|   |   |   |   | G |   |   |   |   | b"), "{board}");
    assert!(board.contains("White hand: P2\nBlack hand: -\n"), "{board}");
    session.until("Side to move: White");
    session.until("Checkers: 5b");
    session.send("eval");
    let (_, first) = session.next_line(SOON).expect("the evaluation is shown");
    assert!(first.text().starts_with("part"), "{first:?}");
    while let Some((_, line)) = session.next_line(SOON) {
        if let Some(total) = line.text().strip_prefix("total for the side to move: ") {
            assert!(total.parse::<i32>().unwrap() < 0, "White lacks a gold");
            break;
        }
    }
    session.in_step();
    session.quit();
}

//! Thinking on the opponent's time.

use crate::harness::{SOON, Session, in_time, ms, run_to_end};
use crate::output::Answer;

#[test]
fn pondering_is_silent_whatever_the_clock_or_the_position() {
    let mut session = Session::ready_with(&["USI_Ponder value true"]);
    for (sfen, words) in [
        ("startpos", "btime 1 wtime 1 byoyomi 1"),
        ("startpos", "btime 0 wtime 0"),
        ("startpos", "depth 1"),
        ("startpos", "nodes 1"),
        ("startpos", "movetime 1"),
        ("startpos", ""),
        (crate::sfen::MATE_IN_ONE, "btime 1000 wtime 1000"),
        (crate::sfen::MATED, "btime 1000 wtime 1000"),
        (crate::sfen::ONE_LEGAL_MOVE, "btime 1000 wtime 1000"),
        (crate::sfen::DECLARATION, "btime 1000 wtime 1000"),
    ] {
        session.set_position(sfen, "");
        session.send(&format!("go ponder {words}"));
        session.no_answer_for(ms(150));
        session.send("stop");
        session.answer(SOON);
        session.in_step();
    }
    session.quit();
}

#[test]
fn a_miss_is_answered_once_and_the_game_goes_on() {
    let mut session = Session::ready_with(&["USI_Ponder value true"]);
    session.set_position("startpos", "7g7f 3c3d");
    session.send("go ponder btime 5000 wtime 5000 byoyomi 1000");
    session.no_answer_for(ms(200));
    session.send("stop");
    assert!(matches!(session.answer(SOON).answer, Answer::Move { .. }));
    session.set_position("startpos", "7g7f 8c8d");
    session.go("btime 1000 wtime 1000");
    session.in_step();
    session.quit();
}

#[test]
fn a_hit_starts_the_clock() {
    let mut session = Session::ready_with(&["USI_Ponder value true"]);
    session.set_position("startpos", "7g7f 3c3d");
    for pause in [0, 50, 400] {
        in_time(ms(1000), || {
            session.send("go ponder btime 0 wtime 0 byoyomi 1000");
            session.no_answer_for(ms(pause));
            session.send("ponderhit");
            session.answer(SOON).elapsed
        });
    }
    // In one write.
    in_time(ms(1000), || {
        session.send_all(&["go ponder btime 0 wtime 0 byoyomi 1000", "ponderhit"]);
        session.answer(SOON).elapsed
    });
    session.in_step();
    session.quit();
}

#[test]
fn a_hit_after_the_search_has_run_out_is_answered_at_once() {
    let mut session = Session::ready();
    for (sfen, words) in [
        ("startpos", "depth 2"),
        ("startpos", "nodes 100"),
        (crate::sfen::MATED, "btime 60000 wtime 60000"),
        (crate::sfen::ONE_LEGAL_MOVE, "btime 60000 wtime 60000"),
    ] {
        in_time(ms(1000), || {
            session.set_position(sfen, "");
            session.send(&format!("go ponder {words}"));
            session.no_answer_for(ms(200));
            session.send("ponderhit");
            session.answer(SOON).elapsed
        });
    }
    session.quit();
}

#[test]
fn the_clock_may_come_with_the_hit() {
    let mut session = Session::ready_with(&["USI_Ponder value true"]);
    session.set_position("startpos", "7g7f 3c3d");
    in_time(ms(1000), || {
        session.send("go ponder");
        session.no_answer_for(ms(100));
        session.send("ponderhit btime 0 wtime 0 byoyomi 1000");
        session.answer(SOON).elapsed
    });
    // It takes the place of an older clock.
    in_time(ms(1000), || {
        session.send("go ponder btime 3600000 wtime 3600000 byoyomi 60000");
        session.no_answer_for(ms(100));
        session.send("ponderhit btime 0 wtime 0 byoyomi 500");
        session.answer(SOON).elapsed
    });
    // A plain hit without any clock at all must not wait for ever.
    in_time(ms(1000), || {
        session.send("go ponder");
        session.no_answer_for(ms(100));
        session.send("ponderhit");
        session.answer(SOON).elapsed
    });
    session.quit();
}

/// With `Stochastic_Ponder`, the position of the answer has not been searched before the hit.
#[test]
fn a_hit_without_any_clock_is_answered_by_a_search() {
    for position in ["startpos moves 7g7f 3c3d", "quantum startpos moves 7g7f 3c3d"] {
        let dialogue = format!(
            "setoption name Stochastic_Ponder value true\nposition {position}\ngo ponder\nponderhit\n"
        );
        let run = run_to_end([], &dialogue);
        let lines: Vec<&str> = run.output.lines().collect();
        let [.., info, answer] = lines[..] else { panic!("{lines:?}") };
        assert!(answer.starts_with("bestmove "), "{lines:?}");
        let mut words = info.split(' ').skip_while(|&word| word != "nodes");
        let nodes: u64 = words.nth(1).unwrap().parse().unwrap();
        // A search that is stopped at once looks at up to 64.
        assert!(nodes > 64, "{info}");
    }
}

#[test]
fn gameover_ends_pondering_and_the_next_game_is_fine() {
    let mut session = Session::ready_with(&["USI_Ponder value true"]);
    for result in ["gameover win", "gameover lose", "gameover draw", "gameover"] {
        session.set_position("startpos", "7g7f 3c3d");
        session.send("go ponder btime 5000 wtime 5000");
        session.no_answer_for(ms(50));
        session.send(result);
        session.answer(SOON);
        session.in_step();
        session.send("usinewgame");
        session.set_position("startpos", "");
        session.go("nodes 300");
    }
    // With `stop` before it, as ShogiHome sends it.
    session.send("go ponder btime 5000 wtime 5000");
    session.send_all(&["stop", "gameover lose"]);
    session.answer(SOON);
    session.in_step();
    session.quit();
}

#[test]
fn everything_may_be_said_to_a_pondering_engine() {
    let mut session = Session::ready_with(&["USI_Ponder value true"]);
    session.set_position("startpos", "7g7f 3c3d");
    session.send("go ponder btime 5000 wtime 5000");
    session.send_all(&["setoption name MultiPV value 3", "isready", "usi", "d", "go ponder"]);
    session.until("readyok");
    session.until("usiok");
    session.until("SFEN: lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
    session.answer(SOON);
    session.no_answer_for(ms(100));
    session.send("stop");
    session.answer(SOON);
    session.in_step();
    session.quit();
}

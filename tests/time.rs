//! The clock: an answer in time, whatever the clock says.

use std::time::Duration;

use crate::harness::{SOON, Session, in_time, ms};

/// How long a `go` takes from the line sent to the answer received.
fn taken(session: &mut Session, words: &str) -> Duration {
    session.go(words).elapsed
}

#[test]
fn byoyomi_of_a_second_is_kept_in_any_order_of_words() {
    let mut session = Session::ready();
    session.set_position("startpos", "7g7f 3c3d");
    for words in [
        "btime 0 wtime 0 byoyomi 1000",
        "byoyomi 1000 wtime 0 btime 0",
        "wtime 0 byoyomi 1000 btime 0",
    ] {
        in_time(ms(1000), || taken(&mut session, words));
    }
    // The margin must not eat the time either: the engine has to think.
    let thought = session.go("btime 0 wtime 0 byoyomi 1000");
    assert!(thought.elapsed > ms(300), "only {:?} of a second used", thought.elapsed);
    session.quit();
}

#[test]
fn short_byoyomi_is_kept() {
    let mut session = Session::ready();
    in_time(ms(600), || taken(&mut session, "btime 0 wtime 0 byoyomi 100"));
    session.send("setoption name NetworkDelay value 0");
    session.send("setoption name NetworkDelay2 value 0");
    in_time(ms(600), || taken(&mut session, "btime 0 wtime 0 byoyomi 100"));
    session.quit();
}

#[test]
fn fischer_and_sudden_death_clocks_never_run_out() {
    for (main, increment) in [(2000, 0), (300, 100), (1000, 50)] {
        in_time(ms(1), || {
            // Plays both sides on one clock each; the excess over the clock is what counts.
            let mut session = Session::ready();
            let mut clocks = [main; 2];
            let mut moves = String::new();
            for ply in 0..16 {
                session.set_position("startpos", &moves);
                let [black, white] = clocks;
                let increments = format!("binc {increment} winc {increment}");
                let thought = session.go(&format!("btime {black} wtime {white} {increments}"));
                let used = thought.elapsed.as_millis() as u64;
                let available = clocks[ply % 2] + increment;
                if used > available {
                    return ms(used - available);
                }
                clocks[ply % 2] = available - used;
                moves.push_str(thought.best());
                moves.push(' ');
            }
            session.quit();
            Duration::ZERO
        });
    }
}

#[test]
fn the_clock_of_the_side_to_move_counts() {
    let mut session = Session::ready();
    session.set_position("startpos", "");
    in_time(ms(700), || taken(&mut session, "btime 200 wtime 9000000"));
    session.set_position("startpos", "7g7f");
    in_time(ms(700), || taken(&mut session, "btime 9000000 wtime 200"));
    session.quit();
}

#[test]
fn empty_and_strange_clocks_get_a_quick_legal_move() {
    let mut session = Session::ready();
    for words in [
        "btime 0 wtime 0",
        "btime 0 wtime 0 byoyomi 0",
        "btime 10 wtime 10",
        "btime -500 wtime -500 byoyomi -1",
        "btime 1 wtime 1 byoyomi 1",
        "btime 0 wtime 0 binc 10 winc 10",
        "movetime 0",
        "movetime 1",
    ] {
        in_time(ms(1000), || taken(&mut session, words));
    }
    session.quit();
}

#[test]
fn numbers_that_are_none_lose_neither_the_command_nor_its_answer() {
    let mut session = Session::ready();
    // What can be read of these is a limit, so they are answered.
    for words in [
        "movetime 0.9 btime 900 wtime 59030 binc 0 winc 0 byoyomi 0",
        "btime x wtime y byoyomi 100",
        "btime wtime byoyomi 100",
        "depth 2 nodes",
        "depth 2 frobnicate 9",
        "nodes 99999999999999999999999 depth 2",
        "btime 99999999999999999999999 wtime 1 depth 2",
        "depth 2 movestogo 30",
    ] {
        session.go(words);
    }
    // Of these nothing can be read: they wait for a stop.
    for words in ["go depth x", "go movetime", "go nodes many", "go frobnicate"] {
        session.send(words);
        session.no_answer_for(ms(100));
        session.send("stop");
        session.answer(SOON);
    }
    session.quit();
}

#[test]
fn movetime_is_used_and_kept() {
    let mut session = Session::ready();
    session.set_position("startpos", "7g7f 3c3d");
    in_time(ms(900), || taken(&mut session, "movetime 400"));
    let thought = session.go("movetime 400");
    assert!(thought.elapsed > ms(200), "only {:?} used", thought.elapsed);
    in_time(ms(900), || taken(&mut session, "btime 0 wtime 0 movetime 400"));
    in_time(ms(900), || taken(&mut session, "rtime 100"));
    session.quit();
}

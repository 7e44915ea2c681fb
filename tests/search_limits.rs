//! `depth`, `nodes`, `searchmoves`, and several limits at once.

use crate::harness::{SOON, Session, in_time, ms};

#[test]
fn the_first_of_several_limits_ends_the_search() {
    let mut session = Session::ready();
    session.set_position("startpos", "7g7f 3c3d");
    let thought = session.go("movetime 600000 depth 3 nodes 100000000");
    assert_eq!(thought.last_info().depth, Some(3));
    let thought = session.go("movetime 600000 depth 60 nodes 3000");
    assert!(thought.last_info().nodes.unwrap() < 30_000);
    in_time(ms(900), || session.go("movetime 300 depth 100 nodes 10000000000").elapsed);
    // As shoginet sends it, all words together.
    in_time(ms(900), || {
        let words = "movetime 300 depth 100 nodes 10000000000 btime 60000 wtime 60000 byoyomi 9000";
        session.go(words).elapsed
    });
    session.quit();
}

#[test]
fn every_depth_can_be_asked_for() {
    let mut session = Session::ready();
    for depth in 1..=4 {
        let thought = session.go(&format!("depth {depth}"));
        assert_eq!(thought.last_info().depth, Some(depth));
    }
    session.go("depth 0");
    // A depth beyond any search is no limit, but the mate is found and the search ends.
    session.set_position(crate::sfen::MATE_IN_ONE, "");
    session.send("go depth 70000000000");
    session.answer(SOON);
    session.quit();
}

#[test]
fn nodes_are_counted_the_same_way_every_time() {
    let count = |options: &[&str]| {
        let mut session = Session::ready_with(options);
        session.set_position("startpos", "7g7f 3c3d 2g2f");
        let thought = session.go("nodes 20000");
        let (nodes, best) = (thought.last_info().nodes.unwrap(), thought.best().to_owned());
        // The same again in a game of its own.
        session.in_step();
        session.send("usinewgame");
        session.set_position("startpos", "7g7f 3c3d 2g2f");
        let again = session.go("nodes 20000");
        assert_eq!((again.last_info().nodes.unwrap(), again.best()), (nodes, &best[..]));
        session.quit();
        (nodes, best)
    };
    let first = count(&[]);
    assert_eq!(count(&[]), first);
    assert!((10_000..=21_000).contains(&first.0), "{} nodes", first.0);
}

#[test]
fn searchmoves_restricts_the_choice() {
    let mut session = Session::ready();
    for m in ["1g1f", "9i9h"] {
        let thought = session.go(&format!("searchmoves {m} depth 4"));
        assert_eq!(thought.best(), m);
        assert!(thought.infos.iter().all(|info| info.pv.first().is_none_or(|first| first == m)));
    }
    let thought = session.go("depth 3 searchmoves 1g1f 9g9f");
    assert!(["1g1f", "9g9f"].contains(&thought.best()));
    // An illegal one is named; what is left counts, and if nothing is left, everything does.
    session.send("go depth 2 searchmoves 5e5d 1g1f");
    let mut error = false;
    let (_, line) = session.next_line(SOON).expect("the illegal move is named");
    error |= line.is_error();
    assert_eq!(session.answer(SOON).best(), "1g1f");
    assert!(error);
    session.go("depth 2 searchmoves 5e5d");
    session.quit();
}

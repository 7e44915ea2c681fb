//! `go mate`: one `checkmate` line, and never a `bestmove`.

use crate::harness::{SOON, Session, in_time, ms};
use crate::output::{Answer, Info, Score};

/// Asks for a mate; the harness replays the line and checks that it mates.
fn ask(session: &mut Session, words: &str) -> Answer {
    let answer = session.go(words).answer;
    assert!(!matches!(answer, Answer::Move { .. } | Answer::Resign | Answer::Win), "{answer:?}");
    answer
}

#[test]
fn a_mate_is_shown_move_by_move() {
    let mut session = Session::ready();
    for (sfen, plies) in [(crate::sfen::MATE_IN_ONE, 1), (crate::sfen::TSUME_3, 3)] {
        session.set_position(sfen, "");
        for words in ["mate 20000", "mate infinite", "mate"] {
            match ask(&mut session, words) {
                Answer::Checkmate(line) => assert_eq!(line.len(), plies, "{line:?}"),
                other => panic!("{sfen}: {other:?}"),
            }
            session.in_step();
        }
    }
    session.quit();
}

/// Two problems that differ only in what the defender holds: results of one say nothing of the other.
#[test]
fn one_problem_does_not_answer_another() {
    let mut session = Session::ready();
    for _ in 0..2 {
        session.set_position(crate::sfen::DEFENDER_HOLDS_A_KNIGHT, "");
        assert_eq!(ask(&mut session, "mate infinite"), Answer::NoMate);
        session.set_position(crate::sfen::DEFENDER_HOLDS_LANCES, "");
        match ask(&mut session, "mate infinite") {
            Answer::Checkmate(line) => assert_eq!(line.len(), 13, "{line:?}"),
            other => panic!("{other:?}"),
        }
    }
    session.quit();
}

#[test]
fn no_mate_is_said_so() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::NO_MATE, "");
    for words in ["mate 20000", "mate infinite", "mate"] {
        assert_eq!(ask(&mut session, words), Answer::NoMate);
    }
    // Whoever is mated has no mate to give.
    session.set_position(crate::sfen::MATED, "");
    assert_eq!(ask(&mut session, "mate 20000"), Answer::NoMate);
    session.quit();
}

#[test]
fn the_time_is_in_milliseconds_and_is_kept() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::HARD_TSUME, "");
    in_time(ms(1200), || {
        session.send("go mate 500");
        let thought = session.answer(SOON);
        assert_eq!(thought.answer, Answer::Timeout);
        thought.elapsed
    });
    session.in_step();
    session.quit();
}

#[test]
fn progress_is_told_every_second_and_so_is_every_mate() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::HARD_TSUME, "");
    let told = |info: &&Info| {
        info.score.is_none()
            && info.nps.is_some()
            && info.nodes.is_some()
            && info.hashfull.is_some()
    };
    in_time(ms(1000), || {
        session.send("go mate 2200");
        let infos = session.answer(SOON).infos;
        let mut times: Vec<u64> = infos.iter().filter(told).filter_map(|info| info.time).collect();
        assert!(times.is_sorted(), "{times:?}");
        times.insert(0, 0);
        times.push(2200);
        ms(times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).max().unwrap())
    });
    // The last line about a mate is the answer's; those before it are longer.
    for sfen in [crate::sfen::MATE_IN_ONE, crate::sfen::TSUME_3, LONG_WAY_ROUND] {
        session.set_position(sfen, "");
        let thought = session.go("mate infinite");
        let Answer::Checkmate(line) = thought.answer else { panic!("no mate") };
        let mates: Vec<&Info> = thought.infos.iter().filter(|info| info.score.is_some()).collect();
        for info in &mates {
            assert_eq!(info.score, Some(Score::Mate(info.pv.len() as i64)));
        }
        assert!(mates.windows(2).all(|pair| pair[1].pv.len() < pair[0].pv.len()));
        assert_eq!(mates.last().unwrap().pv, line);
    }
    session.quit();
}

/// A problem with a mate in nine plies, for which df-pn finds longer ones first.
const LONG_WAY_ROUND: &str = "3k1+B3/9/9/+L2+P5/9/4B4/9/9/9 b N2P2r4g4s3n3l15p 1";

#[test]
fn the_first_mate_is_the_answer_if_the_shortest_is_not_wanted() {
    let mut session = Session::ready();
    session.set_position(LONG_WAY_ROUND, "");
    let Answer::Checkmate(shortest) = session.go("mate infinite").answer else { panic!() };
    session.send("setoption name MateShortest value false");
    session.send("usinewgame");
    let first = session.go("mate infinite");
    let Answer::Checkmate(line) = first.answer else { panic!() };
    assert!(line.len() > shortest.len(), "{line:?}");
    assert_eq!(first.infos.iter().filter(|info| info.score.is_some()).count(), 1);
    session.quit();
}

#[test]
fn stop_and_gameover_end_it_once() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::HARD_TSUME, "");
    for (words, end) in
        [("go mate infinite", "stop"), ("go mate", "gameover"), ("go mate 600000", "stop")]
    {
        in_time(ms(500), || {
            session.send(words);
            session.no_answer_for(ms(200));
            session.send(end);
            let thought = session.answer(SOON);
            assert_eq!(thought.answer, Answer::Timeout);
            thought.elapsed
        });
        session.silent_for(ms(100));
        session.in_step();
    }
    session.quit();
}

#[test]
fn the_search_for_a_move_works_before_and_after() {
    let mut session = Session::ready();
    for _ in 0..3 {
        session.set_position(crate::sfen::TSUME_3, "");
        ask(&mut session, "mate 20000");
        session.set_position("startpos", "7g7f");
        session.go("depth 2");
    }
    session.quit();
}

#[test]
fn a_mate_search_sits_in_the_queue_like_any_other() {
    let mut session = Session::ready();
    session.send_all(&[
        &format!("position sfen {}", crate::sfen::NO_MATE),
        "go mate 20000",
        "position startpos",
        "go depth 1",
        &format!("position sfen {}", crate::sfen::MATE_IN_ONE),
        "go mate 20000",
    ]);
    assert_eq!(session.any_answer(SOON).answer, Answer::NoMate);
    assert!(matches!(session.any_answer(SOON).answer, Answer::Move { .. }));
    assert!(matches!(session.any_answer(SOON).answer, Answer::Checkmate(_)));
    session.in_step();
    session.quit();
}

//! What is said during a search. The grammar of each line is checked by the harness as it comes.

use tsumero_core::{Line as Moves, Position};

use crate::harness::{SOON, Session, legal_line, ms};
use crate::output::{Answer, Info, Line, Score};

/// The lines of the last complete group of variations.
fn last_group(infos: &[Info], lines: usize) -> Vec<Info> {
    let depth = infos.iter().rev().find(|info| info.multipv == Some(lines as u64));
    let depth = depth.expect("a whole group was shown").depth;
    (1..=lines as u64)
        .map(|number| {
            let mut of_number = infos.iter().rev().filter(|info| info.multipv == Some(number));
            of_number.find(|info| info.depth == depth && !info.bound).expect("each line").clone()
        })
        .collect()
}

#[test]
fn nodes_time_and_depth_rise() {
    let mut session = Session::ready_with(&["PvInterval value 0"]);
    session.set_position("startpos", "7g7f 3c3d");
    // That nodes and time never fall is checked for every answer.
    let infos = session.go("movetime 700").infos;
    assert!(infos.len() > 2);
    let (first, last) = (&infos[0], &infos[infos.len() - 1]);
    assert!(first.nodes < last.nodes && first.depth < last.depth);
    let exact: Vec<Option<u64>> =
        infos.iter().filter(|info| !info.bound).map(|info| info.depth).collect();
    assert!(exact.is_sorted(), "{exact:?}");
    for info in &infos {
        assert!(info.seldepth >= info.depth, "{info:?}");
        assert!(info.hashfull.is_some() && info.nps.is_some(), "{info:?}");
    }
    session.quit();
}

#[test]
fn not_too_many_lines_are_printed() {
    let mut session = Session::ready_with(&["MultiPV value 5"]);
    session.set_position(crate::sfen::MIDDLE_GAME, "");
    session.send("go infinite");
    session.until_info(|_| true);
    let lines = session.no_answer_for(ms(2000));
    assert!(lines.len() < 200, "{} lines in 2 s", lines.len());
    session.send("stop");
    session.answer(SOON);
    session.quit();
}

#[test]
fn a_mate_in_one_is_shown_as_one_ply() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::MATE_IN_ONE, "");
    let thought = session.go("depth 5");
    assert_eq!(thought.last_info().score, Some(Score::Mate(1)));
    let mated = legal_line(&session.position, &[thought.best().to_owned()]).unwrap();
    assert!(mated.in_check() && !mated.has_legal_move());
    session.quit();
}

#[test]
fn being_mated_is_shown_with_a_sign() {
    // Whatever Black plays, White has rooks and golds to drop.
    let mut session = Session::ready();
    session.set_position("4k4/9/9/9/9/9/4p4/9/4K4 b 2r2g 1", "");
    let thought = session.go("depth 6");
    match thought.last_info().score {
        Some(Score::Mate(plies)) => assert!(plies < 0, "{plies}"),
        Some(Score::Centipawns(value)) => assert!(value < 0, "{value}"),
        None => panic!("no score"),
    }
    session.set_position(crate::sfen::MATED, "");
    let thought = session.go("depth 3");
    assert_eq!(thought.answer, Answer::Resign);
    assert_eq!(thought.last_info().score, Some(Score::Mate(-1)));
    session.quit();
}

#[test]
fn multipv_shows_distinct_lines_in_order_and_the_best_is_the_answer() {
    for count in [2, 5] {
        let mut session = Session::ready_with(&[&format!("MultiPV value {count}")]);
        session.set_position("startpos", "7g7f 3c3d");
        let thought = session.go("depth 4");
        let group = last_group(&thought.infos, count);
        let mut first_moves: Vec<&String> = group.iter().map(|info| &info.pv[0]).collect();
        assert_eq!(first_moves[0], thought.best());
        let value = |info: &Info| match info.score.expect("a score") {
            Score::Centipawns(value) => value,
            Score::Mate(plies) => plies.signum() * (100_000 - plies.abs()),
        };
        assert!(group.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])), "{group:?}");
        first_moves.sort();
        first_moves.dedup();
        assert_eq!(first_moves.len(), count);
        assert!(thought.infos.iter().all(|info| info.multipv.unwrap_or(1) <= count as u64));
        session.quit();
    }
}

#[test]
fn more_lines_than_legal_moves_are_as_many_as_legal_moves() {
    let mut session = Session::ready_with(&["MultiPV value 600"]);
    for (sfen, count) in [(crate::sfen::ONE_LEGAL_MOVE, 1), ("startpos", 30)] {
        session.set_position(sfen, "");
        assert_eq!(session.position.legal_moves().len(), count);
        let thought = session.go("depth 2");
        assert_eq!(thought.infos.iter().filter_map(|info| info.multipv).max(), Some(count as u64));
        last_group(&thought.infos, count);
    }
    session.set_position(crate::sfen::MATED, "");
    assert_eq!(session.go("depth 2").answer, Answer::Resign);
    // From one position to the next and back.
    session.set_position("startpos", "7g7f");
    session.send("go infinite");
    session.no_answer_for(ms(100));
    session.send("stop");
    session.answer(SOON);
    session.quit();
}

#[test]
fn a_single_legal_move_still_has_a_score_and_a_line() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::ONE_LEGAL_MOVE, "");
    for words in ["depth 3", "movetime 200", "btime 1000 wtime 1000"] {
        let thought = session.go(words);
        assert!(thought.last_info().score.is_some() && !thought.last_info().pv.is_empty());
    }
    session.quit();
}

#[test]
fn bounds_are_printed_only_if_wanted_and_never_last() {
    for wanted in [true, false] {
        let option = format!("OutputFailLHPV value {wanted}");
        let mut session = Session::ready_with(&[&option, "PvInterval value 0"]);
        session.set_position(crate::sfen::MIDDLE_GAME, "");
        // With an interval of 0, they come in short searches, too. That a bound is not the last word is
        // checked for every answer.
        let infos = session.go("nodes 5000").infos;
        assert_eq!(infos.iter().any(|info| info.bound), wanted, "{infos:?}");
        session.quit();
    }
}

#[test]
fn the_expected_reply_is_legal() {
    let mut session = Session::ready();
    let mut replies = 0;
    for moves in ["", "7g7f", "7g7f 3c3d", "2g2f 8c8d 2f2e"] {
        session.set_position("startpos", moves);
        // Its legality is checked for every answer.
        if let Answer::Move { ponder: Some(_), .. } = session.go("depth 4").answer {
            replies += 1;
        }
    }
    assert!(replies > 0, "a search of four plies knows what to expect");
    session.quit();
}

#[test]
fn a_declared_win_says_so() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::DECLARATION, "");
    let thought = session.go("btime 1000 wtime 1000");
    assert_eq!(thought.answer, Answer::Win);
    for info in &thought.infos {
        assert!(!matches!(info.score, Some(Score::Mate(plies)) if plies < 0));
    }
    session.send("go ponder btime 1000 wtime 1000");
    let lines = session.no_answer_for(ms(100));
    assert!(!lines.iter().any(Line::is_error));
    session.send("ponderhit");
    assert_eq!(session.answer(SOON).answer, Answer::Win);
    session.quit();
}

#[test]
fn consideration_mode_lengthens_lines_up_to_their_first_repetition() {
    // Kings that walk, and rooks that come back.
    let kings = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let rooks = "3k5/1+R7/9/9/9/9/9/7+r1/5K3 b - 1";
    let (mut longer, mut repeated) = (0, 0);
    for sfen in [kings, rooks] {
        let [infos, lengthened] = ["false", "true"].map(|wanted| {
            let option = format!("ConsiderationMode value {wanted}");
            let mut session = Session::ready_with(&[&option, "PvInterval value 0"]);
            session.set_position(sfen, "");
            // With one thread, both searches are the same.
            let infos = session.go("nodes 20000").infos;
            session.quit();
            infos
        });
        assert_eq!(infos.len(), lengthened.len());
        let position = Position::from_sfen(sfen).unwrap();
        for (info, lengthened) in infos.iter().zip(&lengthened) {
            assert_eq!((info.depth, info.nodes), (lengthened.depth, lengthened.nodes));
            assert!(lengthened.pv.starts_with(&info.pv), "{info:?} {lengthened:?}");
            longer += usize::from(lengthened.pv.len() > info.pv.len());
            let mut line = Moves::from(&position);
            for (number, word) in lengthened.pv.iter().enumerate() {
                assert_eq!(line.repetition_within(number), None, "{lengthened:?}");
                line.do_move(line.parse_move(word).unwrap());
            }
            repeated += usize::from(line.repetition_within(lengthened.pv.len()).is_some());
        }
    }
    assert!(longer > 0 && repeated > 0, "{longer} {repeated}");
}

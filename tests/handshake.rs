//! `usi`, `isready`, `usinewgame`: how a conversation begins.

use crate::harness::{SOON, Session, ms};
use crate::output::{Answer, Line};

/// The options an engine declares, each line with its default value if it has one.
pub(crate) fn declared(session: &mut Session) -> Vec<(String, Option<String>)> {
    session.send("usi");
    let lines = session.until("usiok");
    let value = |words: &[&str]| {
        let default = words.iter().position(|word| *word == "default")?;
        Some(words[default + 1].to_owned())
    };
    lines
        .iter()
        .filter(|line| line.text().starts_with("option "))
        .map(|line| {
            let words: Vec<&str> = line.text().split(' ').collect();
            (words[2].to_owned(), value(&words))
        })
        .collect()
}

#[test]
fn the_engine_names_itself_within_two_seconds() {
    crate::harness::in_time(ms(2000), || {
        let started = std::time::Instant::now();
        let mut session = Session::start();
        session.send("usi");
        let lines = session.until("usiok");
        let taken = started.elapsed();
        let texts: Vec<&str> = lines.iter().map(Line::text).collect();
        assert!(texts[0].starts_with("id name Tsumero"), "{texts:?}");
        assert!(texts[1].starts_with("id author "), "{texts:?}");
        assert!(texts[2..].iter().all(|text| text.starts_with("option ")), "{texts:?}");
        session.quit();
        taken
    });
}

#[test]
fn nothing_is_said_before_usi() {
    let mut session = Session::start();
    session.silent_for(ms(300));
    session.quit();
}

#[test]
fn the_options_every_gui_looks_for_are_declared() {
    let mut session = Session::start();
    let options = declared(&mut session);
    for name in ["USI_Hash", "USI_Ponder", "Threads", "MultiPV"] {
        assert!(options.iter().any(|(declared, _)| declared == name), "{name}");
    }
    session.quit();
}

#[test]
fn usi_may_be_asked_again() {
    let mut session = Session::start();
    let first = declared(&mut session);
    session.send("isready");
    session.until("readyok");
    assert_eq!(declared(&mut session), first);
    session.go("depth 1");
    session.quit();
}

#[test]
fn usi_need_not_be_asked_at_all() {
    let mut session = Session::start();
    session.send("isready");
    session.until("readyok");
    session.go("depth 2");
    session.quit();
}

#[test]
fn all_defaults_may_be_sent_back() {
    let mut session = Session::start();
    for (name, default) in declared(&mut session) {
        // This is what ShogiHome does; it writes an empty value as nothing at all.
        match default.as_deref() {
            Some("<empty>") => session.send(&format!("setoption name {name} value ")),
            Some(default) => session.send(&format!("setoption name {name} value {default}")),
            None => session.send(&format!("setoption name {name}")),
        }
    }
    session.send("isready");
    assert!(session.until("readyok").is_empty(), "the defaults are right");
    session.go("depth 3");
    session.quit();
}

#[test]
fn go_before_isready_is_answered() {
    let mut session = Session::start();
    session.send("go depth 2");
    session.answer(SOON);
    session.quit();
    let mut session = Session::start();
    session.send("go infinite");
    session.no_answer_for(ms(200));
    session.send("stop");
    session.answer(SOON);
    session.quit();
}

#[test]
fn isready_may_come_before_every_position_and_usinewgame_anywhere() {
    let mut session = Session::ready();
    for moves in ["", "7g7f", "7g7f 3c3d"] {
        session.send("usinewgame");
        session.in_step();
        session.send("usinewgame");
        session.set_position("startpos", moves);
        session.go("nodes 500");
    }
    session.quit();
}

#[test]
fn the_answer_is_not_lost_when_it_is_resignation() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::MATED, "");
    assert_eq!(session.go("depth 5").answer, Answer::Resign);
    session.quit();
}

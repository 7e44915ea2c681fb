//! Conversations in the wording of real clients, kept as data.
//!
//! `> ` sends the rest of the line as it is, trailing blanks included. `< ` waits for a line that
//! is the given text, or begins with it if it ends with `*`. `. N` checks that for N milliseconds
//! no answer comes. `#` is a comment. An answer that no `<` line waits for fails the test, and so
//! does any error message.

use crate::harness::{SOON, Session, ms};
use crate::output::{Answer, Line};

/// The text of an answer as the engine printed it.
fn words(answer: &Answer) -> String {
    match answer {
        Answer::Move { best, ponder: None } => format!("bestmove {best}"),
        Answer::Move { best, ponder: Some(reply) } => format!("bestmove {best} ponder {reply}"),
        Answer::Resign => "bestmove resign".to_owned(),
        Answer::Win => "bestmove win".to_owned(),
        Answer::Checkmate(line) => format!("checkmate {}", line.join(" ")),
        Answer::NoMate => "checkmate nomate".to_owned(),
        Answer::Timeout => "checkmate timeout".to_owned(),
    }
}

fn fits(text: &str, pattern: &str) -> bool {
    pattern.strip_suffix('*').map_or(text == pattern, |start| text.starts_with(start))
}

/// Waits for a line; anything but answers and errors may come before it.
fn expect(session: &mut Session, pattern: &str) {
    let deadline = std::time::Instant::now() + SOON;
    while let Some((_, line)) =
        session.next_line(deadline.saturating_duration_since(std::time::Instant::now()))
    {
        match &line {
            Line::Answer(answer) if fits(&words(answer), pattern) => return,
            Line::Answer(_) => session.fail(&format!("not the answer '{pattern}'")),
            line if line.is_error() => session.fail("an error"),
            line if fits(line.text(), pattern) => return,
            _ => {}
        }
    }
    session.fail(&format!("'{pattern}' did not come"));
}

fn replay(transcript: &str) {
    let mut session = Session::start();
    for line in transcript.lines() {
        match line.split_at_checked(2) {
            Some(("> ", text)) => session.send(text),
            Some(("< ", pattern)) => expect(&mut session, pattern),
            Some((". ", time)) => {
                let lines = session.no_answer_for(ms(time.parse().expect("milliseconds")));
                assert!(!lines.iter().any(Line::is_error));
            }
            _ => assert!(line.is_empty() || line.starts_with('#'), "bad transcript: {line}"),
        }
    }
    let said = session.ends(ms(3000));
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn shogidokoro_plays_a_game() {
    replay(include_str!("data/shogidokoro_game.usi"));
}

#[test]
fn shogidokoro_ponders() {
    replay(include_str!("data/shogidokoro_ponder.usi"));
}

#[test]
fn shogigui_analyses_and_solves() {
    replay(include_str!("data/shogigui_analysis.usi"));
}

#[test]
fn shogihome_plays_with_early_pondering() {
    replay(include_str!("data/shogihome_early_ponder.usi"));
}

#[test]
fn shogihome_analyses() {
    replay(include_str!("data/shogihome_analysis.usi"));
}

#[test]
fn shoginet_asks_position_by_position() {
    replay(include_str!("data/shoginet.usi"));
}

#[test]
fn cshogi_plays() {
    replay(include_str!("data/cshogi.usi"));
}

#[test]
fn ayane_and_uci2wb_play() {
    replay(include_str!("data/ayane_uci2wb.usi"));
}

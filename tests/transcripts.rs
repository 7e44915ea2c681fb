//! Conversations in the wording of real clients, kept as data.
//!
//! `> ` sends the rest of the line as it is, trailing blanks included. `< ` waits for a line that
//! is the given text, or begins with it if it ends with `*`. In an answer, `*` stands for moves, which
//! are checked against the position last sent. `. N` checks that for N milliseconds no answer comes. `#`
//! is a comment. An answer that no `<` line waits for fails the test, and so does any error message.

use crate::harness::{SOON, Session, ms};
use crate::output::{Answer, Line};

/// The answer as the patterns name it.
fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Move { .. } => "bestmove *",
        Answer::Resign => "bestmove resign",
        Answer::Win => "bestmove win",
        Answer::Checkmate(_) => "checkmate *",
        Answer::NoMate => "checkmate nomate",
        Answer::Timeout => "checkmate timeout",
    }
}

fn fits(text: &str, pattern: &str) -> bool {
    pattern.strip_suffix('*').map_or(text == pattern, |start| text.starts_with(start))
}

/// Waits for a line; anything but answers and errors may come before it.
fn expect(session: &mut Session, pattern: &str) {
    let deadline = std::time::Instant::now() + SOON;
    while let Some((at, line)) =
        session.next_line(deadline.saturating_duration_since(std::time::Instant::now()))
    {
        match line {
            Line::Answer(answer) if kind(&answer) == pattern => {
                let thought = session.thought(at, answer);
                return session.check(&thought, 1);
            }
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
            Some(("> ", text)) => {
                if let Some(position) = text.strip_prefix("position ") {
                    let (root, moves) = position.split_once(" moves").unwrap_or((position, ""));
                    session.remember_position(root.trim_start_matches("sfen "), moves);
                }
                session.send(text);
            }
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

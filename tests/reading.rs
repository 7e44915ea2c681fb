//! Lines as they really arrive: any white space, any bytes, any pieces.

use crate::harness::{SOON, Session, ms};
use crate::output::{Answer, Line};

/// Checks that the lines sent so far were answered with these errors, and no others, and that a `go`
/// of depth 1 in these bytes is obeyed after them.
fn errors_and_search(mut session: Session, errors: &[&str], go: &[u8]) {
    session.send("isready");
    let said = session.until("readyok");
    let fits = |(line, error): (&Line, &&str)| line.is_error() && line.text().contains(error);
    assert!(said.len() == errors.len() && said.iter().zip(errors).all(fits), "{said:?}");
    // Behind a refused position, every `go` is answered alike.
    session.set_position("startpos", "");
    session.send_bytes(go);
    let thought = session.answer(SOON);
    assert!(matches!(thought.answer, Answer::Move { .. }), "{:?}", thought.answer);
    assert_eq!(thought.last_info().depth, Some(1));
    session.in_step();
    session.quit();
}

#[test]
fn carriage_returns_are_white_space() {
    let mut session = Session::start();
    session.send_bytes(b"usi\r\n");
    session.until("usiok");
    session.send_bytes(b"setoption name USI_Hash value 8\r\nisready\r\n");
    assert!(session.until("readyok").is_empty(), "the value must not hold a carriage return");
    session.send_bytes(b"position startpos moves 7g7f\r\ngo depth 1\r\n");
    session.position.play_unchecked(session.position.parse_move("7g7f").unwrap());
    session.answer(SOON);
    session.send_bytes(b"quit\r\n");
    session.ends(ms(3000));
}

#[test]
fn spaces_and_tabs_may_stand_anywhere() {
    let mut session = Session::ready();
    session.send_bytes(b"\t  position \t startpos   moves\t7g7f  3c3d \t\n");
    for word in ["7g7f", "3c3d"] {
        session.position.play_unchecked(session.position.parse_move(word).unwrap());
    }
    session.send_bytes(b"  go\tdepth   2  \n");
    session.answer(SOON);
    session.quit();
}

#[test]
fn blank_and_unknown_lines_are_passed_over() {
    let mut session = Session::ready();
    session.send_bytes(b"\n\r\n   \n\t\n");
    for line in
        ["joho", "xyzzy depth 3", "GO depth 1", "bestmove 7g7f", "debug on", "register later"]
    {
        session.send(line);
    }
    session.silent_for(ms(200));
    session.in_step();
    session.quit();
}

#[test]
fn bytes_of_any_encoding_are_passed_over() {
    let mut session = Session::ready();
    // Japanese in CP932, a lone continuation byte, UTF-16 with its mark, a NUL.
    session.send_bytes(b"\x8f\xab\x8a\xfb\n\x80\n\xff\xfeu\0s\0i\0\n\0\n");
    session.send_bytes(b"setoption name \x83\x58 value \x83\x58\n");
    session.send_bytes(b"position startpos moves \x82\xa0\n");
    let errors = ["no such option", "move 1 of position"];
    errors_and_search(session, &errors, b"go depth 1 \xff\n");
}

#[test]
fn a_byte_order_mark_may_stand_first() {
    let mut session = Session::start();
    session.send_bytes(b"\xef\xbb\xbfusi\n");
    session.until("usiok");
    session.quit();
}

#[test]
fn a_line_may_be_very_long() {
    let mut session = Session::ready();
    session.send_bytes(&[&vec![b'x'; 300_000][..], b"\n"].concat());
    session
        .send_bytes(&[b"position startpos moves ", &b"7g7f ".repeat(60_000)[..], b"\n"].concat());
    // Beyond what is read as a command, too.
    session.send_bytes(&[&vec![b'y'; 9_000_000][..], b"\n"].concat());
    let errors = ["position with 60000 moves", "a line of more than"];
    errors_and_search(session, &errors, &[b"go", &b" ".repeat(300_000)[..], b"depth 1\n"].concat());
}

#[test]
fn a_line_may_arrive_in_pieces() {
    let mut session = Session::ready();
    for piece in ["go dep", "th", " 2"] {
        session.send_bytes(piece.as_bytes());
        session.silent_for(ms(50));
    }
    session.send_bytes(b"\n");
    session.answer(SOON);
    session.quit();
}

#[test]
fn a_whole_session_may_arrive_in_one_write() {
    let mut session = Session::start();
    session.send_all(&[
        "usi",
        "setoption name USI_Hash value 8",
        "isready",
        "usinewgame",
        "position startpos",
        "go depth 2",
        "position startpos moves 7g7f",
        "go depth 2",
        "isready",
        "quit",
    ]);
    session.until("usiok");
    let said = session.ends(ms(3000));
    let answers = said.iter().filter(|line| matches!(line, Line::Answer(_))).count();
    let readies = said.iter().filter(|line| line.text() == "readyok").count();
    assert_eq!((answers, readies), (2, 2), "{said:?}");
}

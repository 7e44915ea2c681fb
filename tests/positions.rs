//! `position` in all its forms, right and wrong.

use tsumero_core::Position;

use crate::harness::{SOON, Session, in_time, ms};
use crate::output::Answer;

/// A small generator of random numbers (xorshift, Marsaglia 2003), so that long games are the
/// same in every run.
pub(crate) struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Random legal moves that never end the game.
fn long_game(length: usize) -> String {
    let mut random = Random(20_260_101);
    let mut position = Position::startpos();
    let mut words = Vec::new();
    while words.len() < length {
        let moves = position.legal_moves();
        let start = random.below(moves.len());
        let goes_on = (0..moves.len()).map(|i| moves[(start + i) % moves.len()]).find(|&m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            after.has_legal_move()
        });
        let m = goes_on.expect("some move does not mate");
        words.push(m.to_string());
        position.play_unchecked(m);
    }
    words.join(" ")
}

#[test]
fn the_move_number_may_be_missing() {
    let board = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let mut session = Session::ready();
    session.set_position(&format!("{board} b -"), "");
    session.go("depth 1");
    session.set_position(&format!("{board} b -"), "7g7f 3c3d");
    session.go("depth 1");
    session.send(&format!("position {board} b - 1 moves 7g7f 3c3d"));
    session.go("depth 1");
    session.quit();
}

#[test]
fn the_list_of_moves_may_be_empty() {
    let mut session = Session::ready();
    for line in ["position startpos moves", "position startpos moves ", "position startpos"] {
        session.send(line);
        session.go("depth 1");
    }
    session.quit();
}

#[test]
fn hands_may_be_in_any_order_with_any_counts() {
    let mut session = Session::ready();
    let kings = "4k4/9/9/9/9/9/9/9/4K4";
    for hands in ["RBGSNLPrbgsnlp", "p2R", "18P", "2b10Pr3g2n", "2R2B4G4S4N4L18P", "PLNSGBR", "-"] {
        session.set_position(&format!("{kings} b {hands} 1"), "");
        let shown = session.position.to_sfen();
        session.send("d");
        session.until(&format!("SFEN: {shown}"));
        session.go("depth 1");
    }
    session.quit();
}

#[test]
fn a_side_may_have_no_king() {
    let mut session = Session::ready();
    session.set_position(crate::sfen::TSUME_3, "");
    session.go("depth 3");
    session.go("nodes 5000");
    assert!(matches!(session.go("mate 10000").answer, Answer::Checkmate(_)));
    // The side without a king may be the one to defend, too.
    session.set_position("9/9/9/9/4k4/9/9/9/9 w 2r2b4g4s4n4l18p 1", "");
    session.go("depth 2");
    session.quit();
}

/// Sends a bad position after a good one and checks that nothing is answered until a good one comes.
fn is_refused(bad: &[u8]) {
    let mut session = Session::ready();
    session.set_position("startpos", "7g7f 3c3d 8h2b+");
    session.send_bytes(&[b"position ", bad, b"\n"].concat());
    session.send("isready");
    let said = session.until("readyok");
    assert!(said.len() == 1 && said[0].is_error(), "{:?}: {said:?}", bad.escape_ascii());
    // No answer can be taken for one to another position.
    for words in ["depth 1", "infinite", "ponder btime 1000 wtime 1000"] {
        assert_eq!(session.go(words).answer, Answer::Resign);
    }
    assert_eq!(session.go("mate 1000").answer, Answer::Timeout);
    session.in_step();
    session.set_position("startpos", "2g2f");
    session.go("depth 1");
    session.quit();
}

#[test]
fn recovers_after_bad_moves() {
    let bad: [&[u8]; 8] = [
        b"startpos moves 7g7e",
        b"startpos moves 7g7f 7g7f",
        b"startpos moves 3c3d",
        b"startpos moves 8h2b+",
        b"startpos moves P*5e",
        b"startpos moves 7g7f 3c3d 8h3c 2b8h+ resign",
        b"startpos moves 0000",
        b"startpos moves \x82\xa0",
    ];
    bad.into_iter().for_each(is_refused);
}

#[test]
fn recovers_after_bad_sfens() {
    let bad: [&[u8]; 13] = [
        b"",
        b"sfen",
        b"sfen moves 7g7f",
        b"garbage",
        b"sfen 9/9/9/9/9/9/9/9 b - 1",
        b"sfen 9/9/9/9/9/9/9/9/9/9 b - 1",
        b"sfen 4k4/9/9/9/9/9/9/9/4K5 b - 1",
        b"sfen 4k4/9/9/9/9/9/9/9/4K4 x - 1",
        b"sfen 4k4/9/9/9/9/9/9/9/4K4 b Z 1",
        b"sfen 4k4/9/9/9/9/9/9/9/4K4 b 99P 1",
        b"sfen 4k4/9/9/9/9/9/9/9/+K3K4 b - 1",
        b"sfen 4k4/9/9/9/9/9/9/9/4K4 b - many",
        b"sfen \xe7\x8e\x8b/9/9/9/9/9/9/9/9 b - 1",
    ];
    bad.into_iter().for_each(is_refused);
}

#[test]
fn recovers_after_impossible_positions() {
    let bad: [&[u8]; 5] = [
        // Two kings of one color, a pawn that can never move, two pawns on a file, a check that
        // the side to move could answer by taking the king, nineteen pawns.
        b"sfen 4k4/9/9/9/9/9/9/9/3KK4 b - 1",
        b"sfen P3k4/9/9/9/9/9/9/9/4K4 b - 1",
        b"sfen 4k4/9/9/P8/P8/9/9/9/4K4 b - 1",
        b"sfen 4k4/4G4/9/9/9/9/9/9/4K4 b - 1",
        b"sfen 4k4/9/9/9/9/9/PPPPPPPPP/9/4K4 b 10P 1",
    ];
    bad.into_iter().for_each(is_refused);
}

#[test]
fn useless_moves_that_are_legal_are_accepted() {
    // The pawn and the bishop go in without promoting.
    let mut session = Session::ready();
    session.set_position("startpos", "2g2f 8c8d 2f2e 8d8e 2e2d 8e8f 2d2c 8f8g 7g7f 8g8h 2c2b");
    session.go("depth 2");
    session.set_position("startpos", "7g7f 3c3d 8h2b 3a2b");
    session.go("depth 2");
    session.quit();
}

#[test]
fn go_without_a_position_means_the_starting_position() {
    let mut session = Session::start();
    session.go("depth 2");
    session.quit();
}

#[test]
fn games_of_thousands_of_moves_are_followed() {
    for length in [1000, 4000] {
        let moves = long_game(length);
        let mut session = Session::ready();
        // How long the moves take is felt by whoever waits for the first answer.
        session.set_position("startpos", &moves);
        in_time(ms(3000), || {
            session.set_position("startpos", &moves);
            session.send("go btime 0 wtime 0 byoyomi 200");
            session.answer(SOON).elapsed
        });
        session.quit();
    }
}

#[test]
fn a_game_that_repeats_itself_is_still_played() {
    let mut session = Session::ready();
    let there_and_back = "2h3h 8b7b 3h2h 7b8b ";
    session.set_position("startpos", &there_and_back.repeat(5));
    session.go("depth 3");
    session.quit();
}

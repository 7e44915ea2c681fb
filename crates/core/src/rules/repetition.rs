//! Repetition (千日手, sennichite) and perpetual check (連続王手の千日手).

use crate::color::Color;
use crate::history::{History, Record};
use crate::position::State;

/// The meaning of a repeated position.
///
/// ```
/// use tsumero_core::{Game, Repetition};
/// let mut game = Game::default();
/// for text in ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(12) {
///     assert_eq!(game.repetition(), None);
///     game.play_unchecked(game.parse_move(text).unwrap());
/// }
/// assert_eq!(game.repetition(), Some(Repetition::Draw));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// An ordinary repetition (千日手): the game is drawn.
    Draw,
    /// Perpetual check (連続王手の千日手): one side gave check with every move since the earlier
    /// occurrence, and loses.
    PerpetualCheck {
        /// The side that gave check.
        by: Color,
    },
    /// The board is repeated, and the side to move now holds more in hand than it did (優等局面).
    Superior,
    /// The board is repeated, and the side to move now holds less in hand than it did (劣等局面).
    Inferior,
}

impl History {
    /// The official rule: the result of the game if the position with the given state, which
    /// follows this history, is there for the fourth time.
    pub(crate) fn repetition(&self, now: &State) -> Option<Repetition> {
        let line = self.line();
        let in_line = self.earlier(line.len()).filter(|(_, record)| {
            record.board_key == now.board_key && record.hand_key == now.hand_key
        });
        // What lies before a null move does not count.
        let reaches_game = line.iter().all(|record| record.played.is_some());
        let in_game = reaches_game.then(|| self.occurrences_in_game(now));
        let in_game = in_game.into_iter().flatten().map(|number| self.records().len() - number);
        let third = in_line.map(|(distance, _)| distance).chain(in_game).nth(2);
        third.map(|distance| self.meaning_of_return(now, distance))
    }

    /// The shortcut of a search: whether the position with the given state, or its board with other
    /// hands, occurred at most `plies` plies ago, and what that means.
    #[inline(always)]
    pub(crate) fn repetition_within(&self, now: &State, plies: usize) -> Option<Repetition> {
        let us = now.side_to_move;
        let mut other_hands = None;
        for (distance, record) in self.earlier(plies) {
            if record.board_key != now.board_key {
                continue;
            }
            let (now_held, then_held) = (now.hands[us], record.hands[us]);
            // What is neither on the board nor in this hand is in the other one.
            if now_held == then_held {
                return Some(self.meaning_of_return(now, distance));
            }
            if now_held.dominates(then_held) {
                other_hands = other_hands.or(Some(Repetition::Superior));
            } else if then_held.dominates(now_held) {
                other_hands = other_hands.or(Some(Repetition::Inferior));
            }
        }
        other_hands
    }

    /// The earlier positions with the same side to move, nearest first, each with its distance in
    /// plies, at most `plies`. They end at a null move. The distance is at least four, because a
    /// position can only return after each side has moved twice.
    #[inline]
    fn earlier(&self, plies: usize) -> impl Iterator<Item = (usize, &Record)> {
        let records = self.records();
        records[records.len() - plies.min(records.len())..]
            .rchunks_exact(2)
            .take_while(|pair| pair.iter().all(|record| record.played.is_some()))
            .enumerate()
            .map(|(number, pair)| (2 * (number + 1), &pair[0]))
            .filter(|&(distance, _)| distance >= 4)
    }

    /// Decides between a draw and perpetual check, given that the same position occurred `distance`
    /// plies ago.
    fn meaning_of_return(&self, now: &State, distance: usize) -> Repetition {
        let us = now.side_to_move;
        let stretch = &self.records()[self.records().len() - distance..];
        // We were to move at even indices, and the opponent at odd ones. The first record is the
        // same position as the current one.
        let we_were_checked = stretch.iter().step_by(2).all(|record| record.in_check);
        let they_were_checked = stretch.iter().skip(1).step_by(2).all(|record| record.in_check);
        match (we_were_checked, they_were_checked) {
            (true, false) => Repetition::PerpetualCheck { by: !us },
            (false, true) => Repetition::PerpetualCheck { by: us },
            // No side, or each side, checked with every move: an ordinary repetition.
            _ => Repetition::Draw,
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Line, Position};

    fn from_sfen(sfen: &str) -> Game {
        Game::from(Position::from_sfen(sfen).unwrap())
    }

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            game.play_unchecked(mv);
        }
    }

    fn within(game: &Game, plies: usize) -> Option<Repetition> {
        Line::from(game).repetition_within(plies)
    }

    #[test]
    fn the_fourth_occurrence_draws() {
        let mut game = Game::default();
        for round in 0..3 {
            assert_eq!(game.repetition(), None, "round {round}");
            play(&mut game, "2h3h 8b7b 3h2h 7b8b");
        }
        assert_eq!(game.repetition(), Some(Repetition::Draw));
        assert_eq!(within(&game, 4), Some(Repetition::Draw));
        assert_eq!(within(&game, 3), None);
    }

    #[test]
    fn a_return_counts_although_the_board_stood_nearer_with_other_hands() {
        let start = "k3r4/9/9/9/9/9/9/7R1/K8 b 2P 1";
        let mut game = from_sfen(start);
        // Black gives a pawn and gets it back. In between, the board is the same as at the
        // beginning and at the end.
        play(&mut game, "P*5e 5a5e 2h3h 5e5c 3h2h 5c5a");
        assert_eq!(within(&game, 6), Some(Repetition::Inferior));
        play(&mut game, "2h3h P*3e 3h3e 5a5c 3e3h 5c5d 3h2h 5d5a");
        assert_eq!(game.to_sfen().split(' ').next(), start.split(' ').next());
        assert_eq!(within(&game, 8), Some(Repetition::Superior));
        assert_eq!(within(&game, 14), Some(Repetition::Draw));
    }

    #[test]
    fn perpetual_check_is_found_from_either_side() {
        // The rook follows the king between two files and checks with every move.
        let sfen = "4k4/9/9/9/9/9/9/9/K4R3 b - 1";
        let mut game = from_sfen(sfen);
        play(&mut game, "4i5i");
        for _ in 0..3 {
            assert_eq!(game.repetition(), None);
            play(&mut game, "5a4a 5i4i 4a5a 4i5i");
        }
        assert_eq!(game.repetition(), Some(Repetition::PerpetualCheck { by: Color::Black }));
        // After the evader's next move, the checking side is to move and sees the same sequence.
        play(&mut game, "5a4a");
        assert_eq!(game.repetition(), Some(Repetition::PerpetualCheck { by: Color::Black }));
    }

    #[test]
    fn one_quiet_move_makes_it_a_draw() {
        let mut game = from_sfen("4k4/9/9/9/9/9/9/9/K4R3 b - 1");
        for _ in 0..3 {
            play(&mut game, "4i5i 5a4a 5i6i 4a5a 6i5i 5a4a 5i4i 4a5a");
        }
        assert_eq!(game.repetition(), Some(Repetition::Draw));
    }

    #[test]
    fn a_returning_board_with_other_hands_is_better_or_worse() {
        // White drops a pawn before the gold, which takes it and comes back.
        let mut game = from_sfen("4k4/9/9/9/9/9/9/8G/K8 w p 1");
        play(&mut game, "P*2g 1h2g 5a4a 2g2h 4a5a 2h1h");
        assert_eq!(within(&game, 6), Some(Repetition::Inferior));
        assert_eq!(within(&game, 5), None);
        let mut game = from_sfen("4k4/9/9/9/9/9/9/7G1/K8 b p 1");
        play(&mut game, "2h1h P*2g 1h2g 5a4a 2g2h 4a5a");
        assert_eq!(within(&game, 6), Some(Repetition::Superior));
        assert_eq!(game.repetition(), None);
    }
}

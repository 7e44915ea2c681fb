//! Repetition (千日手, sennichite) and perpetual check (連続王手の千日手).

use crate::color::Color;
use crate::position::{Position, Record};

/// The meaning of a repeated position.
///
/// ```
/// use tsumero_core::{Position, Repetition};
/// let mut position = Position::startpos();
/// for text in ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(12) {
///     assert_eq!(position.repetition(), None);
///     position.do_move(position.parse_move(text).unwrap());
/// }
/// assert_eq!(position.repetition(), Some(Repetition::Draw));
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

impl Position {
    /// The official rule: the result of the game if the current position has occurred four times,
    /// and `None` if it has not. Only [`Repetition::Draw`] and [`Repetition::PerpetualCheck`] are
    /// returned.
    pub fn repetition(&self) -> Option<Repetition> {
        let (board_key, hand_key) = (self.board_key(), self.hand_key());
        let third = self
            .earlier(self.history().len())
            .filter(|(_, record)| record.board_key == board_key && record.hand_key == hand_key)
            .nth(2);
        third.map(|(distance, _)| self.meaning_of_return(distance))
    }

    /// The shortcut of a search: whether the position, or its board with other hands, occurred at
    /// most `plies` plies ago, and what that means. The nearest occurrence of the position itself
    /// decides, even if its board occurred nearer with other hands. If there is none, the nearest
    /// occurrence of the board with more or fewer pieces in hand decides.
    pub fn repetition_within(&self, plies: usize) -> Option<Repetition> {
        let us = self.side_to_move();
        let mut other_hands = None;
        for (distance, record) in self.earlier(plies) {
            if record.board_key != self.board_key() {
                continue;
            }
            let (now, then) = (self.hand(us), record.hands[us]);
            // What is neither on the board nor in this hand is in the other one.
            if now == then {
                return Some(self.meaning_of_return(distance));
            }
            if now.dominates(then) {
                other_hands = other_hands.or(Some(Repetition::Superior));
            } else if then.dominates(now) {
                other_hands = other_hands.or(Some(Repetition::Inferior));
            }
        }
        other_hands
    }

    /// The earlier positions with the same side to move, nearest first, each with its distance in
    /// plies, at most `plies`. They end at a null move. The distance is at least four, because a
    /// position can only return after each side has moved twice.
    fn earlier(&self, plies: usize) -> impl Iterator<Item = (usize, &Record)> {
        self.history()
            .iter()
            .rev()
            .take(plies)
            .take_while(|record| record.played.is_some())
            .enumerate()
            .map(|(number, record)| (number + 1, record))
            .filter(|(distance, _)| *distance >= 4 && distance % 2 == 0)
    }

    /// Decides between a draw and perpetual check, given that the same position occurred `distance`
    /// plies ago.
    fn meaning_of_return(&self, distance: usize) -> Repetition {
        let us = self.side_to_move();
        let stretch = &self.history()[self.history().len() - distance..];
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

    fn play(position: &mut Position, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            position.do_move(mv);
        }
    }

    #[test]
    fn the_fourth_occurrence_draws() {
        let mut position = Position::startpos();
        for round in 0..3 {
            assert_eq!(position.repetition(), None, "round {round}");
            play(&mut position, "2h3h 8b7b 3h2h 7b8b");
        }
        assert_eq!(position.repetition(), Some(Repetition::Draw));
        assert_eq!(position.repetition_within(4), Some(Repetition::Draw));
        assert_eq!(position.repetition_within(3), None);
    }

    #[test]
    fn a_return_counts_although_the_board_stood_nearer_with_other_hands() {
        let start = "k3r4/9/9/9/9/9/9/7R1/K8 b 2P 1";
        let mut position = Position::from_sfen(start).unwrap();
        // Black gives a pawn and gets it back. In between, the board is the same as at the
        // beginning and at the end.
        play(&mut position, "P*5e 5a5e 2h3h 5e5c 3h2h 5c5a");
        assert_eq!(position.repetition_within(6), Some(Repetition::Inferior));
        play(&mut position, "2h3h P*3e 3h3e 5a5c 3e3h 5c5d 3h2h 5d5a");
        assert_eq!(position.to_sfen().split(' ').next(), start.split(' ').next());
        assert_eq!(position.repetition_within(8), Some(Repetition::Superior));
        assert_eq!(position.repetition_within(14), Some(Repetition::Draw));
    }

    #[test]
    fn perpetual_check_is_found_from_either_side() {
        // The rook follows the king between two files and checks with every move.
        let sfen = "4k4/9/9/9/9/9/9/9/K4R3 b - 1";
        let mut position = Position::from_sfen(sfen).unwrap();
        play(&mut position, "4i5i");
        for _ in 0..3 {
            assert_eq!(position.repetition(), None);
            play(&mut position, "5a4a 5i4i 4a5a 4i5i");
        }
        assert_eq!(position.repetition(), Some(Repetition::PerpetualCheck { by: Color::Black }));
        // After the evader's next move, the checking side is to move and sees the same sequence.
        play(&mut position, "5a4a");
        assert_eq!(position.repetition(), Some(Repetition::PerpetualCheck { by: Color::Black }));
    }

    #[test]
    fn one_quiet_move_makes_it_a_draw() {
        let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/9/K4R3 b - 1").unwrap();
        for _ in 0..3 {
            play(&mut position, "4i5i 5a4a 5i6i 4a5a 6i5i 5a4a 5i4i 4a5a");
        }
        assert_eq!(position.repetition(), Some(Repetition::Draw));
    }

    #[test]
    fn a_returning_board_with_other_hands_is_better_or_worse() {
        // White drops a pawn before the gold, which takes it and comes back.
        let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/8G/K8 w p 1").unwrap();
        play(&mut position, "P*2g 1h2g 5a4a 2g2h 4a5a 2h1h");
        assert_eq!(position.repetition_within(6), Some(Repetition::Inferior));
        assert_eq!(position.repetition_within(5), None);
        let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/7G1/K8 b p 1").unwrap();
        play(&mut position, "2h1h P*2g 1h2g 5a4a 2g2h 4a5a");
        assert_eq!(position.repetition_within(6), Some(Repetition::Superior));
        assert_eq!(position.repetition(), None);
    }
}

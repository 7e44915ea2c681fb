//! The line that an author gives as the solution: is every move of it best?

use tsumero_core::{Move, Position};

use super::soundness::Judge;
use crate::full_width::WithinBound;
use crate::watch::MateUnknown;

/// The line along which a problem is examined.
pub(super) struct MainLine {
    pub(super) moves: Vec<Move>,
    /// The first move of the intended line that is not best, as the number of moves before it. `None`:
    /// all are best, or this was too hard to say.
    pub(super) first_wrong: Option<u32>,
}

impl Judge {
    /// The first move of a line that is not best, as the number of moves before it. The attacker's best
    /// moves are checks that mate as fast as possible; the defender's last as long as possible. `None`:
    /// the line is a solution, or the beginning of one.
    ///
    /// ```
    /// use tsumero_core::{Position, UsiMove};
    /// use tsumero_mate::tsume::{Judge, JudgeLimits};
    /// let position: Position = "8k/7P1/p6G1/6N1P/9/9/9/9/9 b - 1".parse().unwrap();
    /// let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
    /// let mut first_wrong = |text: &str| {
    ///     let mut here = position.clone();
    ///     let line: Vec<_> =
    ///         text.split(' ').map(|mv| here.play(mv.parse::<UsiMove>().unwrap()).unwrap()).collect();
    ///     judge.first_wrong(&position, &line)
    /// };
    /// assert_eq!(first_wrong("2b2a+ 1a2a 2c2b"), Ok(None));
    /// assert_eq!(first_wrong("1d1c 9c9d 2c1b"), Ok(Some(0))); // no check
    /// ```
    ///
    /// # Errors
    ///
    /// The limits ended the search for the length of the mate or of what is left of it.
    pub fn first_wrong(
        &mut self,
        position: &Position,
        line: &[Move],
    ) -> Result<Option<u32>, MateUnknown> {
        if line.is_empty() {
            return Ok(None);
        }
        match self.length_of(position)? {
            Some(length) => self.first_wrong_here(line, length),
            None => Ok(Some(0)),
        }
    }

    /// As [`Judge::first_wrong`], from the position that is set, in which the shortest mate takes
    /// `length` plies.
    pub(super) fn first_wrong_here(
        &mut self,
        line: &[Move],
        length: u32,
    ) -> Result<Option<u32>, MateUnknown> {
        let start = self.search.position().clone();
        let mut first = Ok(None);
        for (ply, mv) in (0..).zip(line) {
            let is_best = match length.checked_sub(ply + 1) {
                Some(left) => self.play_best(*mv, ply % 2 == 0, left),
                None => Ok(false),
            };
            match is_best {
                Ok(true) => {}
                Ok(false) => {
                    first = Ok(Some(ply));
                    break;
                }
                Err(why) => {
                    first = Err(why);
                    break;
                }
            }
        }
        self.search.set(&start);
        first
    }

    /// Plays a move if it is legal. Says whether it is best: whether it leaves a mate in exactly `left`
    /// plies, and gives check if the attacker makes it.
    fn play_best(&mut self, mv: Move, is_attacker: bool, left: u32) -> Result<bool, MateUnknown> {
        let Ok(mv) = self.search.position().validate(mv.to_usi()) else { return Ok(false) };
        let is_check = self.search.position().gives_check(mv);
        self.search.do_move(mv);
        self.search.allow(self.limits.nodes);
        Ok(if is_attacker {
            is_check && self.search.defend(left)? == WithinBound::Mate
        } else {
            self.search.length(left)? == Some(left)
        })
    }

    /// The intended line if it is a solution, otherwise one that is found. It starts from the position
    /// that is set, in which the shortest mate takes `length` plies.
    pub(super) fn main_line_like(
        &mut self,
        intended: &[Move],
        length: u32,
    ) -> Result<MainLine, MateUnknown> {
        let first_wrong = self.first_wrong_here(intended, length)?;
        let is_solution = first_wrong.is_none() && intended.len() as u32 == length;
        let moves = if is_solution { intended.to_vec() } else { self.solution(length)?.line };
        Ok(MainLine { moves, first_wrong })
    }
}

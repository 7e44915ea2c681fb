//! The line that an author gives as the solution: is every move of it best?

use tsumero_core::{Move, Position};

use super::soundness::{Judge, Solution};
use crate::full_width::WithinBound;
use crate::watch::MateUnknown;

/// The line along which a problem is examined.
pub(super) struct MainLine {
    pub(super) moves: Vec<Move>,
    /// The first move of the intended line that is not best, as the number of moves before it. `None`:
    /// all are best. An error: this was too hard to say.
    pub(super) first_wrong: Result<Option<u32>, MateUnknown>,
}

impl MainLine {
    /// A solution, with what is known of the intended line. If that was too hard to check, it is right as far
    /// as it is the solution.
    pub(super) fn new(
        moves: Vec<Move>,
        intended: &[Move],
        checked: Result<Option<u32>, MateUnknown>,
    ) -> MainLine {
        let first_wrong = if moves.starts_with(intended) { Ok(None) } else { checked };
        MainLine { moves, first_wrong }
    }
}

/// Whether a line is a solution of `length` plies, by what a check of it has said.
fn is_solution(line: &[Move], length: usize, checked: Result<Option<u32>, MateUnknown>) -> bool {
    checked == Ok(None) && line.len() == length
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

    /// The solution to show for a problem of which `found` is one: the intended line if it is a solution, so
    /// that what is said of the problem does not depend on the line that was found. With it comes the answer
    /// of [`Judge::first_wrong`] for the intended line. A line that is the beginning of the solution is right
    /// even if it was too hard to check.
    pub fn solution_like(
        &mut self,
        position: &Position,
        intended: &[Move],
        found: Solution,
    ) -> (Solution, Result<Option<u32>, MateUnknown>) {
        let checked = self.first_wrong(position, intended);
        if is_solution(intended, found.line.len(), checked) {
            return (Solution::from_line(position, intended.to_vec()), Ok(None));
        }
        let MainLine { moves: line, first_wrong } = MainLine::new(found.line, intended, checked);
        (Solution { line, ..found }, first_wrong)
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

    /// The intended line if it is a solution. Otherwise, or if this is too hard to say, one that is
    /// found. It starts from the position that is set, in which the shortest mate takes `length` plies.
    pub(super) fn main_line_like(
        &mut self,
        intended: &[Move],
        length: u32,
    ) -> Result<MainLine, MateUnknown> {
        let checked = self.first_wrong_here(intended, length);
        let is_solution = is_solution(intended, length as usize, checked);
        let moves = if is_solution { intended.to_vec() } else { self.solution(length)?.line };
        Ok(MainLine::new(moves, intended, checked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tsume::JudgeLimits;

    /// A line that could not be checked must not be shown as the solution.
    #[test]
    fn a_line_that_is_too_hard_to_check_is_no_solution() {
        let position: Position = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1".parse().unwrap();
        let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
        judge.set(&position);
        assert_eq!(judge.length_up_to(5), Ok(Some(5)));
        let solution = judge.solution(5).unwrap().line;
        let mut before_last = position.clone();
        solution[..4].iter().for_each(|&mv| before_last.play_unchecked(mv));
        let mates = |mv: Move| {
            let mut after = before_last.clone();
            after.play_unchecked(mv);
            after.is_mate()
        };
        let legal = before_last.legal_moves();
        let wrong = legal.iter().copied().find(|&mv| !mates(mv)).unwrap();
        let intended = [&solution[..4], &[wrong]].concat();
        let line = judge.main_line_like(&intended, 5).unwrap();
        assert_eq!((line.moves, line.first_wrong), (solution.clone(), Ok(Some(4))));
        // The table answers the questions of the solution. A length takes a node for each bound.
        judge.limit_nodes(1);
        assert_eq!(judge.first_wrong_here(&intended, 5), Err(MateUnknown::Nodes));
        let line = judge.main_line_like(&intended, 5).unwrap();
        assert_eq!((&line.moves, line.first_wrong), (&solution, Err(MateUnknown::Nodes)));
        // What is the solution needs no check.
        let line = judge.main_line_like(&solution[..3], 5).unwrap();
        assert_eq!((line.moves, line.first_wrong), (solution, Ok(None)));
    }
}

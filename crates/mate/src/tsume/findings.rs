//! What a report says of a problem, and what follows from it.

use tsumero_core::Move;

use super::soundness::Solution;
use crate::watch::MateUnknown;

/// What counts against a problem.
///
/// ```
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Rules};
/// // By the rules, futile interpositions on the rook's lines count.
/// let position = "9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1".parse().unwrap();
/// let mut judge = Judge::new(JudgeLimits { nodes: 100_000, hash_mb: 1 });
/// let plies = [Rules::Strict, Rules::Traditional].map(|rules| {
///     let report = judge.report(&position, &[], rules).unwrap().unwrap();
///     report.solution.line.len()
/// });
/// assert_eq!(plies, [7, 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Every second solution, along all longest lines.
    Strict,
    /// Second solutions along the solution, except those of a [`Lenience`]. Futile interpositions
    /// (無駄合) are not counted, so the solution and its length may be shorter than by the rules.
    Traditional,
}

/// Why tradition forgives a second solution.
///
/// ```
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Lenience, Rules};
/// let position = "4Bg1kB/9/9/9/9/9/9/9/9 b Rr3g4s4n4l18p 1".parse().unwrap();
/// let mut judge = Judge::new(JudgeLimits { nodes: 100_000, hash_mb: 1 });
/// let report = judge.report(&position, &[], Rules::Strict).unwrap().unwrap();
/// // In the third move, the bishop promotes on 3c, or does not.
/// let forgiven = report.second.iter().find(|second| second.ply == 2).unwrap();
/// assert_eq!(forgiven.mv.to_string(), "5a3c");
/// assert_eq!(forgiven.lenience, Some(Lenience::Promotion));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lenience {
    /// A detour (迂回手順): it takes longer, and mates within its plies only by coming back to a
    /// position of the solution.
    Detour,
    /// The same move with or without promotion (成・不成の非限定), as fast as the solution.
    Promotion,
    /// The same long-range piece dropped nearer or farther on the same line (打ち場所非限定), as fast as the
    /// solution.
    Distance,
}

/// A check beside that of the solution that mates, too.
///
/// ```
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Rules};
/// // Besides the gold on 7c, the rook on 7c mates, in two plies more.
/// let position = "9/1Sk6/9/9/9/9/9/9/9 b R2Gr2b2g3s4n4l18p 1".parse().unwrap();
/// let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
/// let report = judge.report(&position, &[], Rules::Strict).unwrap().unwrap();
/// let shown: Vec<String> = report.second.iter().map(|second| {
///     format!("move {}: {} mates in {}", second.ply + 1, second.mv, second.plies)
/// }).collect();
/// assert!(shown.contains(&"move 1: R*7c mates in 5".to_owned()), "{shown:?}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SecondSolution {
    /// The number of moves of the solution before it.
    pub ply: u32,
    /// The check.
    pub mv: Move,
    /// The plies of the shortest mate by it, itself included. By tradition, futile interpositions are
    /// not counted, if the count is not too hard.
    pub plies: u32,
    /// Whether `plies` is exact. If not, the limits ended the search for a shorter mate.
    pub is_exact: bool,
    /// Why tradition forgives it, if it does.
    pub lenience: Option<Lenience>,
}

/// Another evasion that lasts as long as that of the solution (変化同手数).
///
/// ```
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Rules};
/// let position = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1".parse().unwrap();
/// let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
/// let report = judge.report(&position, &[], Rules::Strict).unwrap().unwrap();
/// for variation in judge.variations(&position, &report.solution.line).unwrap() {
///     assert!(variation.ply % 2 == 1);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The number of moves of the solution before it.
    pub ply: u32,
    /// The evasion.
    pub mv: Move,
    /// The fewest pieces left in the attacker's hand at the end of a longest line after it.
    pub left_in_hand: u32,
}

/// All that was found along the solution of a problem.
///
/// ```
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Rules};
/// let position = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1".parse().unwrap();
/// let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
/// let report = judge.report(&position, &[], Rules::Strict).unwrap().unwrap();
/// assert_eq!((report.solution.line.len(), report.second.len()), (5, 0));
/// assert_eq!(report.is_sound(), Ok(true));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What counts against the problem.
    pub rules: Rules,
    /// The solution. By tradition it has no futile interpositions.
    pub solution: Solution,
    /// The number of moves of the intended line before the first one that is not best by the rules of
    /// [`Report::rules`]. `None`: all are best, or none was given. An error: this was too hard to say.
    pub first_wrong: Result<Option<u32>, MateUnknown>,
    /// The length by the rules, in plies. By tradition the solution may be shorter.
    pub exact_length: u32,
    /// All second solutions along the solution, except at its last move. If that is also the first:
    /// those that tradition forgives.
    pub second: Vec<SecondSolution>,
    /// Other moves that mate in the place of the last move, except those in `second`.
    pub last: Vec<Move>,
    /// Second solutions on other longest lines: the line, and the second check after it. They are
    /// looked for only by [`Rules::Strict`], and only if the solution itself has none. Also, whatever
    /// the rules of the report, second solutions that take longer by the rules than a mate in one.
    pub elsewhere: Vec<(Vec<Move>, Move)>,
    /// The checks that could not be decided, with the number of moves before them.
    pub undecided: Vec<(u32, Move, MateUnknown)>,
    /// Why other longest lines could not be examined.
    pub elsewhere_unknown: Option<MateUnknown>,
}

impl Report {
    /// The second solution that makes the problem unsound: the line to its position, and its check. It
    /// is the first one on the solution that is not forgiven, otherwise one on another line.
    pub fn first_flaw(&self) -> Option<(Vec<Move>, Move)> {
        let line = &self.solution.line;
        let second = self.second.iter().find(|second| self.counts(second));
        let on_line = second.map(|second| (line[..second.ply as usize].to_vec(), second.mv));
        // Several last moves may mate, unless the last move is the first.
        let last = self.last.first().filter(|_| line.len() == 1);
        on_line
            .or_else(|| last.map(|&mv| (Vec::new(), mv)))
            .or_else(|| self.elsewhere.first().cloned())
    }

    pub(super) fn counts(&self, second: &SecondSolution) -> bool {
        self.rules == Rules::Strict || second.lenience.is_none()
    }

    /// Whether the problem is sound by its rules.
    ///
    /// # Errors
    /// No flaw was found, but the limits ended the search for one.
    pub fn is_sound(&self) -> Result<bool, MateUnknown> {
        if self.first_flaw().is_some() {
            return Ok(false);
        }
        let undecided = self.undecided.iter().map(|&(_, _, reason)| reason);
        let reason = undecided.chain(self.elsewhere_unknown).reduce(MateUnknown::worse);
        reason.map_or(Ok(true), Err)
    }
}

#[cfg(test)]
mod tests {
    use tsumero_core::Position;

    use super::*;

    #[test]
    fn a_fault_of_the_program_does_not_pass_for_a_limit() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
        let mv = position.parse_move("G*5b").unwrap();
        let report = |undecided: &[MateUnknown], elsewhere_unknown| Report {
            rules: Rules::Strict,
            solution: Solution::from_line(&position, vec![mv]),
            first_wrong: Ok(None),
            exact_length: 1,
            second: Vec::new(),
            last: Vec::new(),
            elsewhere: Vec::new(),
            undecided: undecided.iter().map(|&reason| (0, mv, reason)).collect(),
            elsewhere_unknown,
        };
        use MateUnknown::{Broken, Depth, Memory, Nodes};
        assert_eq!(report(&[], None).is_sound(), Ok(true));
        assert_eq!(report(&[Depth, Nodes], Some(Memory)).is_sound(), Err(Depth));
        assert_eq!(report(&[], Some(Memory)).is_sound(), Err(Memory));
        assert_eq!(report(&[Nodes, Broken, Depth], None).is_sound(), Err(Broken));
        assert_eq!(report(&[Nodes], Some(Broken)).is_sound(), Err(Broken));
    }
}

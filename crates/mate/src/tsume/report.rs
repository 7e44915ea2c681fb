//! The report for composers: every second solution along the solution of a problem, with its length,
//! and what tradition sets apart from second solutions.
//!
//! The search for second solutions is that of [`MateSolver::solve_others`]: every other check of the
//! attacker's positions on the line is proven to mate or not to mate, in any number of plies.

use tsumero_control::Signals;
use tsumero_core::{Move, Position, displacement};

use super::given_line::MainLine;
use super::soundness::{Judge, Length, Solution};
use super::walk::{Longer, Quest, Walk};
use crate::full_width::WithinBound;
use crate::solver::{FirstMove, Lengths, MateAnswer, MateLimits, MateQuestion, MateSolver};
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
    /// The same long-range piece dropped nearer or farther on the same line (以遠打), as fast as the
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
    /// [`Report::rules`]. `None`: all are best, or this was too hard to say.
    pub first_wrong: Option<u32>,
    /// The length by the rules, in plies. By tradition the solution may be shorter.
    pub exact_length: u32,
    /// All second solutions along the solution, except at its last move. If that is also the first:
    /// those that tradition forgives.
    pub second: Vec<SecondSolution>,
    /// Other moves that mate in the place of the last move, except those in `second`.
    pub last: Vec<Move>,
    /// Second solutions on other longest lines: the line, and the second check after it. They are
    /// looked for only by [`Rules::Strict`], and only if the solution itself has none. Also, by any
    /// rules, second solutions that take longer than a mate in one.
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

    fn counts(&self, second: &SecondSolution) -> bool {
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
        let undecided = self.undecided.first().map(|&(_, _, reason)| reason);
        undecided.or(self.elsewhere_unknown).map_or(Ok(true), Err)
    }
}

/// The most second solutions that are named on other longest lines.
const MOST_ELSEWHERE: usize = 64;
/// The nodes of a count without futile interpositions, as a multiple of those of a question.
const COUNT_SHARE: u64 = 10;

impl Judge {
    /// Examines a problem along its solution. If `intended` is a shortest mate against a longest
    /// defense, it is taken as the solution. Otherwise it is that of [`Judge::judge`], and
    /// [`Report::first_wrong`] tells the move at which `intended` fails. `None`: it is proven that there
    /// is no mate.
    ///
    /// # Errors
    /// The limits ended the search for the length of the mate.
    pub fn report(
        &mut self,
        position: &Position,
        intended: &[Move],
        rules: Rules,
    ) -> Result<Option<Report>, MateUnknown> {
        self.search.forget();
        self.search.set(position);
        let mut solver = MateSolver::new(self.limits.hash_mb);
        let Some(MainLine { moves: mut line, mut first_wrong }) =
            self.main_line(&mut solver, position, intended)?
        else {
            return Ok(None);
        };
        let exact_length = line.len() as u32;
        let mut lengths = Lengths::default();
        // The count is never longer than the exact length, so only shorter lines are looked for.
        if let Some(bound) = exact_length.checked_sub(2)
            && rules == Rules::Traditional
        {
            let (limits, signals) = (self.count_limits(), Signals::new());
            let question = MateQuestion::new(position, &limits, &signals);
            let shorter =
                solver.line_without_futile_knowing(&question, bound, intended, &mut lengths)?;
            if !shorter.is_empty() {
                // It keeps to the intended line as far as that is best.
                let same = shorter.iter().zip(intended).take_while(|(one, other)| one == other);
                let same = same.count();
                first_wrong = (same < intended.len()).then_some(same as u32);
                line = shorter;
            }
        }
        let mut report = Report {
            rules,
            solution: Solution::of(position, line),
            first_wrong,
            exact_length,
            second: Vec::new(),
            last: Vec::new(),
            elsewhere: Vec::new(),
            undecided: Vec::new(),
            elsewhere_unknown: None,
        };
        self.examine_line(&mut solver, &mut lengths, position, &mut report);
        if rules == Rules::Strict && report.first_flaw().is_none() {
            self.examine_elsewhere(position, &mut report);
        }
        Ok(Some(report))
    }

    /// The solution by the rules. `None`: there is no mate.
    fn main_line(
        &mut self,
        solver: &mut MateSolver,
        position: &Position,
        intended: &[Move],
    ) -> Result<Option<MainLine>, MateUnknown> {
        let found = self.length().and_then(|length| match length {
            Length::NoMate => Ok(None),
            Length::Plies(length) => self.main_line_like(intended, length).map(Some),
        });
        let Err(reason) = found else { return found };
        // The mate search reaches farther than the search of all lines.
        self.search.set(position);
        let (limits, signals) = (self.count_limits(), Signals::new());
        match solver.solve(&MateQuestion::new(position, &limits, &signals), &mut |_| {}) {
            MateAnswer::Mate(line) if solver.effort().is_shortest => {
                Ok(Some(MainLine { moves: line, first_wrong: None }))
            }
            MateAnswer::NoMate => Ok(None),
            _ => Err(reason),
        }
    }

    fn count_limits(&self) -> MateLimits {
        let nodes = Some(self.limits.nodes.saturating_mul(COUNT_SHARE));
        MateLimits { nodes, ..MateLimits::default() }
    }

    /// Looks for the second solutions along the solution.
    fn examine_line(
        &mut self,
        solver: &mut MateSolver,
        lengths: &mut Lengths,
        position: &Position,
        report: &mut Report,
    ) {
        let line = report.solution.line.clone();
        let mut here = position.clone();
        let mut keys = Vec::new();
        for (ply, &mv) in line.iter().enumerate() {
            if ply % 2 == 0 {
                keys.push(here.key());
            }
            here.play_unchecked(mv);
        }
        here = position.clone();
        for (ply, &mv) in line.iter().enumerate() {
            let left = (line.len() - ply) as u32;
            if left == 1 {
                report.last = other_mates(&here, mv);
            }
            if ply % 2 == 0 && (left > 1 || ply == 0) {
                for (other, found) in self.others(solver, &here, &line[ply..]) {
                    let ply = ply as u32;
                    match found {
                        FirstMove::Mate { line, is_shortest } => {
                            let mut plies = line.len() as u32;
                            let may_be_detour =
                                plies > left && (left > 1 || report.rules == Rules::Traditional);
                            let is_detour =
                                may_be_detour && self.is_detour(&here, other, plies, &keys);
                            if report.rules == Rules::Traditional {
                                plies =
                                    self.traditional_plies(solver, lengths, &here, other, plies);
                            }
                            let lenience = if is_detour && plies > left {
                                Some(Lenience::Detour)
                            } else {
                                lenience(&here, mv, other).filter(|_| plies == left)
                            };
                            let second = SecondSolution {
                                ply,
                                mv: other,
                                plies,
                                is_exact: is_shortest,
                                lenience,
                            };
                            if left > 1 || !report.counts(&second) {
                                report.last.retain(|&last| last != other);
                                report.second.push(second);
                            } else if line.len() > 1 {
                                // The list of last moves has the other mates in one.
                                report.elsewhere.push((Vec::new(), other));
                            }
                        }
                        FirstMove::Unknown(reason) => report.undecided.push((ply, other, reason)),
                        FirstMove::NoMate => {}
                    }
                }
            }
            here.play_unchecked(mv);
        }
    }

    /// All checks but the first move of the rest of the solution, each with what is proven of it.
    fn others(
        &self,
        solver: &mut MateSolver,
        here: &Position,
        rest: &[Move],
    ) -> Vec<(Move, FirstMove)> {
        let checks = crate::lists::checks(here).len() as u64;
        let nodes = Some(self.limits.nodes.saturating_mul(checks));
        let limits = MateLimits { nodes, ..MateLimits::default() };
        let (problem, signals) = (here.clone().into(), Signals::new());
        solver.solve_others(&MateQuestion::new(&problem, &limits, &signals), rest)
    }

    /// Whether a check mates within its plies only by coming back to a position of the solution. The
    /// keys are those of the attacker's positions on it.
    fn is_detour(&mut self, here: &Position, check: Move, plies: u32, keys: &[u64]) -> bool {
        // Answers with barred positions hold for them alone, so the table is cleared before and after.
        self.search.forget();
        self.search.barred = keys.to_vec();
        self.search.set(here);
        self.search.allow(self.limits.nodes);
        let avoids = self.search.after(check, |search| search.defend(plies - 1));
        self.search.barred.clear();
        self.search.forget();
        matches!(avoids, Ok(WithinBound::NotYet { .. }))
    }

    /// The plies of the mate by a check without futile interpositions; `plies` are those by the rules,
    /// which remain if the count is too hard.
    fn traditional_plies(
        &self,
        solver: &mut MateSolver,
        lengths: &mut Lengths,
        here: &Position,
        check: Move,
        plies: u32,
    ) -> u32 {
        // The count is never longer than the exact length, so only shorter ones are looked for.
        let Some(bound) = plies.checked_sub(3) else { return plies };
        let mut after = here.clone();
        after.play_unchecked(check);
        let (limits, signals) = (self.count_limits(), Signals::new());
        let question = MateQuestion::new(&after, &limits, &signals);
        match solver.defense_without_futile(&question, bound, lengths) {
            Ok(Some(found)) => found + 1,
            Ok(None) | Err(_) => plies,
        }
    }

    /// Looks for second solutions where the defender leaves the solution without losing sooner.
    fn examine_elsewhere(&mut self, position: &Position, report: &mut Report) {
        let line = report.solution.line.clone();
        let quest = Quest { longer: Longer::Any, most: MOST_ELSEWHERE, gives_up: false };
        let mut walk = Walk::new(quest);
        // What leads back into the solution has been examined.
        let mut here = position.clone();
        for (ply, &mv) in line.iter().enumerate() {
            if ply % 2 == 0 {
                walk.seen.insert(here.key());
            }
            here.play_unchecked(mv);
        }
        self.search.set(position);
        let walked = self.walk_beside(&line, &mut walk);
        self.search.set(position);
        report.elsewhere.append(&mut walk.flaws);
        report.elsewhere_unknown = walked.err().or(walk.unknown);
    }

    fn walk_beside(&mut self, line: &[Move], walk: &mut Walk) -> Result<(), MateUnknown> {
        for (ply, &mv) in line.iter().enumerate() {
            let left = (line.len() - ply) as u32;
            if ply % 2 == 1 {
                for evasion in self.longest_evasions(left)? {
                    if evasion == mv {
                        continue;
                    }
                    walk.line.push(evasion);
                    self.search.do_move(evasion);
                    let walked = self.walk(left - 1, walk);
                    self.search.undo_move();
                    walk.line.pop();
                    walked?;
                }
            }
            walk.line.push(mv);
            self.search.do_move(mv);
        }
        Ok(())
    }

    /// The other evasions along the solution that last as long. Futile interpositions are among them.
    /// The line is the solution of a report on the position.
    ///
    /// # Errors
    /// The limits ended the search for the length after an evasion.
    pub fn variations(
        &mut self,
        position: &Position,
        line: &[Move],
    ) -> Result<Vec<Variation>, MateUnknown> {
        self.search.forget();
        let mut here = position.clone();
        let mut variations = Vec::new();
        for (ply, &mv) in line.iter().enumerate() {
            let left = (line.len() - ply) as u32;
            if ply % 2 == 1 {
                self.search.set(&here);
                for evasion in self.longest_evasions(left)? {
                    if evasion == mv {
                        continue;
                    }
                    let mut after = here.clone();
                    after.play_unchecked(evasion);
                    self.search.set(&after);
                    let left_in_hand = self.solution(left - 1)?.left_in_hand;
                    self.search.set(&here);
                    variations.push(Variation { ply: ply as u32, mv: evasion, left_in_hand });
                }
            }
            here.play_unchecked(mv);
        }
        Ok(variations)
    }

    /// The futile interpositions along the solution: each with the number of moves before it. The line
    /// is the solution of a report on the position.
    ///
    /// # Errors
    /// The limits ended the count.
    pub fn futile(
        &self,
        position: &Position,
        line: &[Move],
    ) -> Result<Vec<(u32, Move)>, MateUnknown> {
        let (limits, signals) = (self.count_limits(), Signals::new());
        let question = MateQuestion::new(position, &limits, &signals);
        MateSolver::new(self.limits.hash_mb).futile_interpositions(&question, line)
    }

    /// The length without futile interpositions of a mate in `length` plies.
    ///
    /// # Errors
    /// The limits ended the count.
    pub fn length_without_futile(
        &self,
        position: &Position,
        length: u32,
    ) -> Result<u32, MateUnknown> {
        let problem = position.clone().into();
        let (limits, signals) = (self.count_limits(), Signals::new());
        let question = MateQuestion::new(&problem, &limits, &signals);
        MateSolver::new(self.limits.hash_mb).length_without_futile(&question, length)
    }
}

/// Why tradition forgives the second of two checks that mate equally fast.
fn lenience(here: &Position, mv: Move, other: Move) -> Option<Lenience> {
    if mv.kind() != other.kind() || mv.from() != other.from() {
        return None;
    }
    if mv.to() == other.to() {
        return Some(Lenience::Promotion);
    }
    let king = here.king(here.side_to_move().opponent())?;
    let line = |mv: Move| displacement(mv.to(), king).map(|line| line.direction);
    (mv.is_drop() && line(mv).is_some() && line(mv) == line(other)).then_some(Lenience::Distance)
}

/// The other moves that mate at once.
fn other_mates(position: &Position, mv: Move) -> Vec<Move> {
    let mates = |other: &Move| {
        let mut after = position.clone();
        after.play_unchecked(*other);
        after.is_mate()
    };
    crate::lists::checks(position)
        .into_iter()
        .filter(|other| *other != mv && mates(other))
        .collect()
}

//! The report for composers: every second solution along the solution of a problem, with its length,
//! and what tradition sets apart from second solutions.
//!
//! The search for second solutions is that of [`MateSolver::solve_others`]: every other check of the
//! attacker's positions on the line is proven to mate or not to mate, in any number of plies.

use tsumero_control::Signals;
use tsumero_core::{Move, Position};

use super::along::{Along, Extent};
use super::findings::{Report, Rules, Variation};
use super::given_line::MainLine;
use super::soundness::{Judge, Length, Solution};
use super::walk::{Longer, Quest, Walk};
use crate::lists::prefer;
use crate::solver::{Lengths, Mate, MateAnswer, MateLimits, MateQuestion, MateSolver};
use crate::watch::MateUnknown;

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
        self.report_to(Extent::All, position, intended, rules)
    }

    /// As [`Judge::report`], for those who need only [`Report::first_flaw`] and [`Report::is_sound`]. It
    /// ends at the first second solution along the line that counts, and of all others it counts no
    /// more plies than it takes to know whether tradition forgives them. Cheap proofs are tried
    /// first, so this need not be the second solution that a full report names first.
    ///
    /// ```
    /// use tsumero_core::Position;
    /// use tsumero_mate::tsume::{Judge, JudgeLimits, Rules};
    /// // Besides the gold on 7c, the rook on 7c mates, in two plies more.
    /// let position: Position = "9/1Sk6/9/9/9/9/9/9/9 b R2Gr2b2g3s4n4l18p 1".parse().unwrap();
    /// let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
    /// let brief = judge.brief_report(&position, &[], Rules::Traditional).unwrap().unwrap();
    /// let all = judge.report(&position, &[], Rules::Traditional).unwrap().unwrap();
    /// let (line, other) = brief.first_flaw().unwrap();
    /// assert!(all.second.iter().any(|second| second.ply as usize == line.len() && second.mv == other));
    /// ```
    ///
    /// # Errors
    /// The limits ended the search for the length of the mate.
    pub fn brief_report(
        &mut self,
        position: &Position,
        intended: &[Move],
        rules: Rules,
    ) -> Result<Option<Report>, MateUnknown> {
        self.report_to(Extent::Verdict, position, intended, rules)
    }

    fn report_to(
        &mut self,
        extent: Extent,
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
        if rules == Rules::Traditional {
            let (limits, signals) = (self.count_limits(), Signals::new());
            let question = MateQuestion::new(position, &limits, &signals);
            // It keeps to the intended line as far as that is best without futile interpositions, and
            // then to that of the rules.
            line = solver.line_without_futile_knowing(
                &question,
                exact_length,
                &[intended, &line],
                &mut lengths,
            )?;
            // The count is never longer than the exact length.
            if line.is_empty() {
                return Err(MateUnknown::Broken);
            }
            let same = common(&line, intended);
            first_wrong = Ok((same < intended.len()).then_some(same as u32));
        }
        let mut report = Report {
            rules,
            solution: Solution::from_line(position, line),
            first_wrong,
            exact_length,
            second: Vec::new(),
            last: Vec::new(),
            elsewhere: Vec::new(),
            undecided: Vec::new(),
            elsewhere_unknown: None,
        };
        Along { judge: self, solver, lengths, position, extent }.examine(&mut report);
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
            MateAnswer::Mate(Mate { line, is_shortest: true }) => {
                let longest = self.longest_line(solver, position, line);
                let moves = longest.map_err(|why| reason.worse(why))?.ok_or(reason)?;
                Ok(Some(MainLine::new(moves, intended, Err(reason))))
            }
            MateAnswer::NoMate => Ok(None),
            MateAnswer::Unknown(why) => Err(reason.worse(why)),
            MateAnswer::Mate(_) => Err(reason),
        }
    }

    /// A line of a shortest mate against a longest defense, from a position with the shortest mate
    /// `rest`. That one's evasions last longest in the proof that was found, but another proof may answer
    /// them sooner. Then another check mates faster, and is no second solution. `None`: too hard.
    fn longest_line(
        &self,
        solver: &mut MateSolver,
        position: &Position,
        mut rest: Vec<Move>,
    ) -> Result<Option<Vec<Move>>, MateUnknown> {
        let (limits, signals) = (self.count_limits(), Signals::new());
        let mut here = position.clone();
        let mut line = Vec::new();
        while let [check, ref replies @ ..] = rest[..] {
            line.push(check);
            here.play_unchecked(check);
            let Some(left) = replies.len().checked_sub(1) else { break };
            let mut evasions = here.legal_moves().to_vec();
            prefer(&mut evasions, replies, &[]);
            let mut longest = None;
            for evasion in evasions {
                let mut after = here.clone();
                after.play_unchecked(evasion);
                let question = MateQuestion::new(&after, &limits, &signals);
                match solver.solve(&question, &mut |_| {}) {
                    MateAnswer::Mate(mate) if mate.line.len() < left => {}
                    MateAnswer::Mate(mate) if mate.is_shortest => {
                        longest = Some((evasion, after, mate.line));
                        break;
                    }
                    MateAnswer::Unknown(why) => return Err(why),
                    MateAnswer::Mate(_) | MateAnswer::NoMate => return Ok(None),
                }
            }
            let evasion;
            (evasion, here, rest) = longest.ok_or(MateUnknown::Broken)?;
            line.push(evasion);
        }
        Ok(Some(line))
    }

    pub(super) fn count_limits(&self) -> MateLimits {
        let nodes = Some(self.limits.nodes.saturating_mul(COUNT_SHARE));
        MateLimits { nodes, ..MateLimits::default() }
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
        if let Err(reason) = walked {
            walk.note(reason);
        }
        report.elsewhere_unknown = walk.unknown;
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

    /// The other evasions along the solution after which the mate takes as many plies. Futile
    /// interpositions count and are among them, so in the line of [`Rules::Traditional`] an evasion may
    /// be missing that lasts longer by them. The line is the solution of a report on the position.
    ///
    /// # Errors
    /// The limits ended the search for the length after an evasion.
    pub fn variations(
        &mut self,
        position: &Position,
        line: &[Move],
    ) -> Result<Vec<Variation>, MateUnknown> {
        // No mate ends with a move of the defender.
        if line.len().is_multiple_of(2) {
            return Ok(Vec::new());
        }
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
                    // By the rules, futile interpositions may make it last longer than the line does.
                    if self.length_up_to(left - 1)? == Some(left - 1) {
                        let left_in_hand = self.solution(left - 1)?.left_in_hand;
                        variations.push(Variation { ply: ply as u32, mv: evasion, left_in_hand });
                    }
                    self.search.set(&here);
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
        let question = MateQuestion::for_problem(&problem, &limits, &signals);
        MateSolver::new(self.limits.hash_mb).length_without_futile(&question, length)
    }
}

/// The number of moves that two lines have in common at their beginning.
fn common(one: &[Move], other: &[Move]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tsume::JudgeLimits;

    #[test]
    fn what_lasts_longer_than_a_traditional_line_is_no_variation_of_it() {
        let sfen = "k8/9/1L7/8R/9/9/9/9/9 b Sr2b4g3s4n3l18p 1";
        let position: Position = sfen.parse().unwrap();
        let mut judge = Judge::new(JudgeLimits { nodes: 100_000, hash_mb: 1 });
        let report = judge.report(&position, &[], Rules::Traditional).unwrap().unwrap();
        let line = report.solution.line;
        assert!((line.len() as u32) < report.exact_length);
        let variations = judge.variations(&position, &line).unwrap();
        let mut here = position.clone();
        here.play_unchecked(line[0]);
        // The same by asking after each evasion.
        let mut expected = Vec::new();
        for evasion in here.legal_moves() {
            let mut after = here.clone();
            after.play_unchecked(evasion);
            if evasion != line[1] && after.mate_in_one().is_some() {
                expected.push(evasion);
            }
        }
        let found: Vec<Move> = variations.iter().map(|variation| variation.mv).collect();
        assert_eq!(found, expected);
        assert!(!found.is_empty());
    }

    /// A damaged table must not be taken for a lack of nodes.
    #[test]
    fn a_proof_that_does_not_hold_is_named() {
        // No mate, which takes more nodes to prove than there are.
        let position: Position = "8k/9/9/9/9/9/9/9/9 b RG 1".parse().unwrap();
        let mut judge = Judge::new(JudgeLimits { nodes: 400 / COUNT_SHARE, hash_mb: 1 });
        let mut solver = MateSolver::new(1);
        judge.set(&position);
        assert_eq!(judge.main_line(&mut solver, &position, &[]).err(), Some(MateUnknown::Nodes));
        let no_check = position.parse_move("R*5e").unwrap();
        solver.forget();
        solver.ready_table().unwrap().claim_mate(&position, 21, no_check);
        assert_eq!(judge.main_line(&mut solver, &position, &[]).err(), Some(MateUnknown::Broken));
    }

    #[test]
    fn a_line_that_ends_before_the_mate_has_no_variations() {
        let position: Position = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1".parse().unwrap();
        let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
        let line = judge.report(&position, &[], Rules::Strict).unwrap().unwrap().solution.line;
        assert!(!judge.variations(&position, &line).unwrap().is_empty());
        for end in [0, 2, 4] {
            assert_eq!(judge.variations(&position, &line[..end]), Ok(Vec::new()));
        }
    }
}

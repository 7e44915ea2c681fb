//! The second solutions along a line: every other check of the attacker's positions is proven to mate or
//! not to mate, and compared with what tradition forgives.

use tsumero_control::Signals;
use tsumero_core::{Move, Position, displacement};

use super::findings::{Lenience, Report, Rules, SecondSolution};
use super::soundness::Judge;
use crate::full_width::WithinBound;
use crate::lists::checks;
use crate::solver::{Lengths, MateAnswer, MateLimits, MateQuestion, MateSolver};
use crate::watch::MateUnknown;

/// How much a report tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// Every second solution, with its plies.
    All,
    /// Enough for the verdict.
    Verdict,
}

/// The parts of the nodes of a question that are tried one after the other for a verdict. Most flaws
/// are found with few, while some check before them would take all.
const SHARES: [u64; 3] = [64, 8, 1];

/// The examination of a solution.
pub(super) struct Along<'a> {
    pub(super) judge: &'a mut Judge,
    pub(super) solver: MateSolver,
    pub(super) lengths: Lengths,
    /// The position of the problem.
    pub(super) position: &'a Position,
    pub(super) extent: Extent,
}

/// A position of the attacker on the solution.
struct Turn<'a> {
    here: Position,
    /// The number of moves before it.
    ply: usize,
    /// The solution from here on.
    rest: &'a [Move],
}

impl Turn<'_> {
    /// The plies of the mate from here.
    fn left(&self) -> u32 {
        self.rest.len() as u32
    }
}

/// Another check that mates.
struct Other {
    mv: Move,
    /// The plies of its mate by the rules.
    plies: u32,
    /// Whether no shorter mate follows it.
    is_shortest: bool,
}

impl Along<'_> {
    /// Looks for the second solutions along the solution of the report.
    pub(super) fn examine(mut self, report: &mut Report) {
        let line = report.solution.line.clone();
        let mut turns = Vec::new();
        let mut here = self.position.clone();
        for (ply, &mv) in line.iter().enumerate() {
            if ply % 2 == 0 {
                turns.push(Turn { here: here.clone(), ply, rest: &line[ply..] });
            }
            here.play_unchecked(mv);
        }
        if let Some(turn) = turns.last() {
            report.last = self.other_mates(turn, report.rules);
        }
        // A detour leads back to one of these.
        let keys: Vec<u64> = turns.iter().map(|turn| turn.here.key()).collect();
        // Several last moves may mate, unless the last move is the first.
        turns.retain(|turn| turn.left() > 1 || turn.ply == 0);
        let nodes = self.judge.limits.nodes;
        if self.extent == Extent::Verdict && line.len() > 1 {
            for share in SHARES {
                let is_last = share == 1;
                self.solver.forget();
                for turn in &turns {
                    self.examine_turn(turn, (nodes / share).max(1), is_last, &keys, report);
                    if report.first_flaw().is_some() {
                        return;
                    }
                }
            }
        } else {
            turns.iter().for_each(|turn| self.examine_turn(turn, nodes, true, &keys, report));
        }
    }

    /// Looks for second solutions in one position. What is not sure with so many nodes is kept only if
    /// this `is_last`.
    fn examine_turn(
        &mut self,
        turn: &Turn<'_>,
        nodes: u64,
        is_last: bool,
        keys: &[u64],
        report: &mut Report,
    ) {
        let left = turn.left();
        for (mv, answer) in self.others(turn, nodes) {
            let other = match answer {
                MateAnswer::Mate(mate) => {
                    Other { mv, plies: mate.plies(), is_shortest: mate.is_shortest }
                }
                MateAnswer::Unknown(reason) if is_last => {
                    report.undecided.push((turn.ply as u32, mv, reason));
                    continue;
                }
                MateAnswer::Unknown(_) | MateAnswer::NoMate => continue,
            };
            // Whether it is a detour depends on its length.
            if !is_last && !other.is_shortest {
                continue;
            }
            let second = match self.second(turn, &other, keys, report.rules) {
                Ok(second) => second,
                Err(reason) => {
                    if is_last {
                        report.undecided.push((turn.ply as u32, mv, reason));
                    }
                    continue;
                }
            };
            let counts = report.counts(&second);
            if left > 1 || !counts {
                if left == 1 {
                    report.last.retain(|&last| last != mv);
                }
                if is_last || counts {
                    report.second.push(second);
                }
            } else if other.plies > 1 {
                // The list of last moves has the other mates in one.
                report.elsewhere.push((Vec::new(), mv));
            }
            if self.extent == Extent::Verdict && counts && left > 1 {
                return;
            }
        }
    }

    /// The other moves that mate in the place of the last one.
    fn other_mates(&mut self, turn: &Turn<'_>, rules: Rules) -> Vec<Move> {
        // By tradition, futile interpositions are no defense. What this means for a mate in one is
        // examined below, as for every other check of its first move.
        let is_counted = rules == Rules::Traditional && turn.ply > 0;
        let mut mates = |&mv: &Move| {
            let mut after = turn.here.clone();
            after.play_unchecked(mv);
            after.is_mate() || is_counted && self.defense_of(&after, 0) == Ok(Some(0))
        };
        checks(&turn.here).into_iter().filter(|&mv| mv != turn.rest[0] && mates(&mv)).collect()
    }

    /// All checks but the solution's, each with what is proven of it.
    fn others(&mut self, turn: &Turn<'_>, nodes: u64) -> Vec<(Move, MateAnswer)> {
        let checks = checks(&turn.here).len() as u64;
        let nodes = Some(nodes.saturating_mul(checks));
        let limits = MateLimits { nodes, ..MateLimits::default() };
        let (problem, signals) = (turn.here.clone().into(), Signals::new());
        let question = MateQuestion::for_problem(&problem, &limits, &signals);
        self.solver.solve_others(&question, turn.rest)
    }

    /// Judges another check that mates. An error: tradition may forgive it, but that was too hard to say.
    fn second(
        &mut self,
        turn: &Turn<'_>,
        other: &Other,
        keys: &[u64],
        rules: Rules,
    ) -> Result<SecondSolution, MateUnknown> {
        let left = turn.left();
        let mut plies = other.plies;
        let mut uncounted = None;
        let may_be_detour = plies > left && (left > 1 || rules == Rules::Traditional);
        let is_detour = if may_be_detour {
            self.is_detour(&turn.here, other.mv, plies, keys)
        } else {
            Ok(false)
        };
        let forgivable = lenience(&turn.here, turn.rest[0], other.mv);
        // For the verdict it matters only whether the mate takes longer than the solution, and only of
        // those that may be forgiven.
        let most = match self.extent {
            Extent::All => plies,
            Extent::Verdict if is_detour != Ok(false) || forgivable.is_some() => left + 2,
            Extent::Verdict => 0,
        };
        if rules == Rules::Traditional {
            let mut count = |most| self.traditional_plies(&turn.here, other.mv, plies, most);
            // Where counting all plies is too hard, the verdict may still be easy.
            match count(most).or_else(|_| count(most.min(left + 2))) {
                Ok(counted) => plies = counted,
                Err(reason) => uncounted = Some(reason),
            }
        }
        let takes_longer = plies > left;
        let lenience = match is_detour {
            // Without tradition, this is only a remark.
            Err(reason) if takes_longer && rules == Rules::Traditional => return Err(reason),
            // It may take as long as the solution.
            Ok(true) if takes_longer && rules == Rules::Traditional && !other.is_shortest => {
                return Err(MateUnknown::Nodes);
            }
            // Only futile interpositions may delay it.
            _ if takes_longer
                && (is_detour == Ok(true) || forgivable.is_some())
                && let Some(reason) = uncounted =>
            {
                return Err(reason);
            }
            Ok(true) if takes_longer => Some(Lenience::Detour),
            _ => forgivable.filter(|_| plies == left),
        };
        let ply = turn.ply as u32;
        Ok(SecondSolution { ply, mv: other.mv, plies, is_exact: other.is_shortest, lenience })
    }

    /// Whether a check mates within its plies only by coming back to a position of the solution. The
    /// keys are those of the attacker's positions on it.
    fn is_detour(
        &mut self,
        here: &Position,
        check: Move,
        plies: u32,
        keys: &[u64],
    ) -> Result<bool, MateUnknown> {
        let search = &mut self.judge.search;
        // Answers with barred positions hold for them alone, so the table is cleared before and after.
        search.forget();
        search.barred = keys.to_vec();
        search.set(here);
        search.allow(self.judge.limits.nodes);
        let avoids = search.after(check, |search| search.defend(plies - 1));
        search.barred.clear();
        search.forget();
        Ok(matches!(avoids?, WithinBound::NotYet { .. }))
    }

    /// The plies of the mate by a check without futile interpositions; `plies` are those by the rules,
    /// which remain if the count is not below `most`.
    ///
    /// # Errors
    /// The limits ended the count.
    fn traditional_plies(
        &mut self,
        here: &Position,
        check: Move,
        plies: u32,
        most: u32,
    ) -> Result<u32, MateUnknown> {
        // The count is never longer than the exact length, so only shorter ones are looked for.
        let Some(bound) = plies.min(most).checked_sub(3) else { return Ok(plies) };
        let mut after = here.clone();
        after.play_unchecked(check);
        let found = self.defense_of(&after, bound)?;
        Ok(found.map_or(plies, |found| found + 1))
    }

    /// The plies of a mate without futile interpositions, the defender to move, in check, if they are at
    /// most `most`.
    fn defense_of(&mut self, after: &Position, most: u32) -> Result<Option<u32>, MateUnknown> {
        let (limits, signals) = (self.judge.count_limits(), Signals::new());
        let question = MateQuestion::new(after, &limits, &signals);
        self.solver.defense_without_futile(&question, most, &mut self.lengths)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tsume::JudgeLimits;

    /// What is said of the second of two first moves: the plies of its mate, and why it is forgiven.
    /// The limits ended the search for a shorter mate than the known one in `plies`.
    fn judged(
        sfen: &str,
        moves: [&str; 2],
        plies: [u32; 2],
        nodes: u64,
        rules: Rules,
    ) -> Result<(u32, Option<Lenience>), MateUnknown> {
        let position = Position::from_sfen(sfen).unwrap();
        let [first, mv] = moves.map(|mv| position.parse_move(mv).unwrap());
        // Only the length and the first move are looked at.
        let rest = vec![first; plies[0] as usize];
        let turn = Turn { here: position.clone(), ply: 0, rest: &rest };
        let other = Other { mv, plies: plies[1], is_shortest: false };
        let mut along = Along {
            judge: &mut Judge::new(JudgeLimits { nodes, hash_mb: 1 }),
            solver: MateSolver::new(1),
            lengths: Lengths::default(),
            position: &position,
            extent: Extent::All,
        };
        let second = along.second(&turn, &other, &[position.key()], rules)?;
        Ok((second.plies, second.lenience))
    }

    /// Besides the gold on 7c, the rook on 7c mates, in four plies more. Whether it has to come back
    /// to the problem for that is not known without a search.
    #[test]
    fn a_longer_mate_counts_by_tradition_only_if_it_is_no_detour() {
        let judged = |nodes, rules| {
            judged(
                "9/1Sk6/9/9/9/9/9/9/9 b R2Gr2b2g3s4n4l18p 1",
                ["G*7c", "R*7c"],
                [1, 5],
                nodes,
                rules,
            )
        };
        assert_eq!(judged(100_000, Rules::Traditional), Ok((5, None)));
        assert_eq!(judged(1, Rules::Traditional), Err(MateUnknown::Nodes));
        assert_eq!(judged(1, Rules::Strict), Ok((5, None)));
    }

    /// Tradition forgives the drop on another square only if it mates as fast.
    #[test]
    fn what_may_be_forgiven_is_no_flaw_before_its_length_is_known() {
        let sfen = "9/7nk/5G3/9/6+P2/9/9/9/9 b 2RBLb3g4s3n3l17p 1";
        let judged = |sfen, moves, left, nodes| {
            judged(sfen, moves, [left, left + 2], nodes, Rules::Traditional)
        };
        // Without futile interpositions, it is not known whether it takes seven or nine plies.
        assert_eq!(judged(sfen, ["L*1c", "L*1d"], 7, 4_000), Err(MateUnknown::Nodes));
        assert_eq!(judged(sfen, ["L*1c", "L*1d"], 7, 100_000), Ok((9, None)));
        let sfen = "4Bg1kB/9/9/9/9/9/9/9/9 b Rr3g4s4n4l18p 1";
        let forgiven = Ok((5, Some(Lenience::Distance)));
        assert_eq!(judged(sfen, ["R*2c", "R*2f"], 5, 1_000), forgiven);
    }
}

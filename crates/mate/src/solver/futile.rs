//! Futile interpositions (無駄合, mudaai): the length of a mate by tradition, without them.
//!
//! By the rules, the defender may put a piece between the king and a checking slider even if it is
//! captured at once and nothing has changed. The tradition of tsume-shogi does not count such a
//! pair of plies, and does not let the defender escape by them. There is no agreed definition;
//! `docs/mate-lengths.md` names the sources and what they disagree about. This file uses this one:
//!
//! > A piece, dropped or moved, between the king and the one piece that checks it is *futile* if
//! > it can be captured at once by a piece that then gives check from its square, and the mate then
//! > takes no more plies than it would take without this interposition, even if the captured piece
//! > goes back to the defender's hand.
//!
//! The last clause says that the attacker does not need the captured piece. "Without this
//! interposition" means against the best of all other defenses, useful interpositions among them,
//! with lengths by this same definition. Interpositions that last equally long are judged together:
//! none of them makes another one futile. The definition is recursive, and well-founded: with each
//! capture the check comes from nearer to the king.
//!
//! A mate by this count is a mate by the rules, too: after capturing a futile interposition the
//! attacker has at least what the count assumes. So the length by this count is at most the exact
//! one.
//!
//! The search is full-width with growing bounds and a table. It is affordable for mates in about
//! fifteen plies, or longer ones with few checks. It has limits, and says when they end it.

mod lengths;

use tsumero_core::{Line, MateProblem, Move, Position, Square, displacement};

use lengths::Known;
pub(crate) use lengths::Lengths;

use super::solver_watch::SolverWatch;
use super::{MateQuestion, MateSolver};
use crate::dfpn::{ANY_LENGTH, Answer, Dfpn, Length, Table, UNBOUNDED};
use crate::lists::{checks, prefer};
use crate::watch::{MateUnknown, Watch};

/// Longer than any mate.
const NEVER: Length = Length::MAX;

impl MateSolver {
    /// The length of a mate without futile interpositions, in plies. `length` is a known length:
    /// there is a mate in that many plies, every interposition counted.
    ///
    /// # Errors
    /// The limit that ended the count; [`MateUnknown::Depth`] where a line is longer than the call
    /// stack of any thread allows. Beside the solver's table the count uses at most 54 MiB.
    pub fn length_without_futile(
        &mut self,
        question: &MateQuestion<'_, MateProblem>,
        length: u32,
    ) -> Result<u32, MateUnknown> {
        let checks = question.position.checks();
        let mut watch = SolverWatch::new(question);
        let mut lengths = Lengths::default();
        let table = self.ready_table().ok_or(MateUnknown::Memory)?;
        for bound in (1..length).step_by(2) {
            for (_, after) in &checks {
                let mut count = Count {
                    position: Line::from(after),
                    table,
                    watch: &mut watch,
                    lengths: &mut lengths,
                    depth: 0,
                };
                let bound = Length::try_from(bound - 1).map_err(|_| MateUnknown::Depth)?;
                if let Some(found) = count.defend(bound)? {
                    return Ok(u32::from(found) + 1);
                }
            }
        }
        // No shorter length was found, and the count is never longer than the exact length.
        Ok(length)
    }
}

impl MateSolver {
    /// The line of the shortest mate against the longest defense, both counted without futile
    /// interpositions, if it takes at most `length` plies; otherwise nothing. Where several moves are
    /// as good, that of the line `preferred` is taken, as long as it is followed.
    ///
    /// ```
    /// use tsumero_core::Position;
    /// use tsumero_mate::{MateLimits, MateQuestion, MateSolver, Signals};
    ///
    /// // By the rules, the interpositions on 7d and 8d make this a mate in 15.
    /// let position: Position = "9/9/6Bnl/8k/R6p1/9/9/9/9 b rb4g4s3n3l17p 1".parse()?;
    /// let (mut solver, signals) = (MateSolver::new(1), Signals::new());
    /// let limits = MateLimits::default();
    /// let question = MateQuestion::new(&position, &limits, &signals);
    /// let line = solver.line_without_futile(&question, 15, &[]).unwrap();
    /// assert_eq!(line.iter().map(ToString::to_string).collect::<Vec<_>>(), ["9e9d"]);
    /// let futile = solver.futile_interpositions(&question, &line).unwrap();
    /// assert!(futile.len() > 20 && futile.iter().all(|&(ply, mv)| ply == 1 && mv.is_drop()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`MateSolver::length_without_futile`].
    pub fn line_without_futile(
        &mut self,
        question: &MateQuestion<'_>,
        length: u32,
        preferred: &[Move],
    ) -> Result<Vec<Move>, MateUnknown> {
        self.line_without_futile_knowing(question, length, &[preferred], &mut Lengths::default())
    }

    /// As [`MateSolver::line_without_futile`], with what other counts have found out. Of several
    /// preferred lines, an earlier one comes before a later one.
    pub(crate) fn line_without_futile_knowing(
        &mut self,
        question: &MateQuestion<'_>,
        length: u32,
        preferred: &[&[Move]],
        lengths: &mut Lengths,
    ) -> Result<Vec<Move>, MateUnknown> {
        self.counting(question, lengths, |count| {
            if length == 0 {
                return Ok(Vec::new());
            }
            // No longer line can be counted.
            let bound = length.min(DEEPEST);
            let Some(mut left) = count.attack(bound as Length)? else {
                let is_proven = || count.known().is_some_and(|known| known.at_least == NEVER);
                let is_known = bound == length || is_proven();
                return if is_known { Ok(Vec::new()) } else { Err(MateUnknown::Depth) };
            };
            let prefer_all = |moves: &mut [Move], line: &[Move]| {
                preferred.iter().rev().for_each(|other| prefer(moves, other, line));
            };
            let mut line = Vec::new();
            loop {
                let mut checks = checks(&count.position);
                prefer_all(&mut checks, &line);
                left -= 1;
                let is_best = |count: &mut Count<'_, '_>, mv| {
                    Ok(count.after(mv, |count| count.defend(left))? == Some(left))
                };
                let check = count.first(checks, is_best)?.ok_or(MateUnknown::Broken)?;
                line.push(check);
                count.position.do_move(check);
                if left == 0 {
                    return Ok(line);
                }
                let futile = count.futile_now(left)?;
                let (between, mut evasions) = count.evasions();
                evasions.extend(between.into_iter().filter(|mv| !futile.contains(mv)));
                prefer_all(&mut evasions, &line);
                let is_longest = |count: &mut Count<'_, '_>, mv| {
                    Ok(count.after_evasion(mv, left)? == Some(left))
                };
                let evasion = count.first(evasions, is_longest)?.ok_or(MateUnknown::Broken)?;
                line.push(evasion);
                count.position.do_move(evasion);
                left -= 1;
            }
        })
    }

    /// The plies of a mate without futile interpositions, the defender to move, in check, if they are
    /// at most `most`. It uses what other counts have found out, and adds to it.
    ///
    /// # Errors
    /// As for [`MateSolver::length_without_futile`].
    pub(crate) fn defense_without_futile(
        &mut self,
        question: &MateQuestion<'_>,
        most: u32,
        lengths: &mut Lengths,
    ) -> Result<Option<u32>, MateUnknown> {
        self.counting(question, lengths, |count| {
            for bound in (0..=Length::try_from(most).map_err(|_| MateUnknown::Depth)?).step_by(2) {
                if let Some(found) = count.defend(bound)? {
                    return Ok(Some(found.into()));
                }
            }
            Ok(None)
        })
    }

    /// The futile interpositions along a line of a mate from the position, the attacker to move: each
    /// with its number in the line, counted from 0. They are possible there instead of the line's
    /// moves.
    ///
    /// # Errors
    /// As for [`MateSolver::length_without_futile`].
    pub fn futile_interpositions(
        &mut self,
        question: &MateQuestion<'_>,
        line: &[Move],
    ) -> Result<Vec<(u32, Move)>, MateUnknown> {
        self.counting(question, &mut Lengths::default(), |count| {
            let mut futile = Vec::new();
            // By the rules, interpositions may be possible even behind the last move.
            for number in 0..=line.len() {
                if number % 2 == 1 {
                    let left = Length::try_from(line.len() - number);
                    for mv in count.futile_now(left.map_err(|_| MateUnknown::Depth)?)? {
                        futile.push((number as u32, mv));
                    }
                }
                if let Some(&mv) = line.get(number) {
                    count.position.do_move(mv);
                }
            }
            Ok(futile)
        })
    }

    /// Asks the count about a position.
    fn counting<T>(
        &mut self,
        question: &MateQuestion<'_>,
        lengths: &mut Lengths,
        ask: impl FnOnce(&mut Count<'_, '_>) -> Result<T, MateUnknown>,
    ) -> Result<T, MateUnknown> {
        let mut watch = SolverWatch::new(question);
        let table = self.ready_table().ok_or(MateUnknown::Memory)?;
        lengths.make_room(question.limits.nodes);
        let position = Line::from(question.position);
        ask(&mut Count { position, table, watch: &mut watch, lengths, depth: 0 })
    }
}

/// The most positions on the way to the one that is counted. They take 200 kilobytes of the call
/// stack. Each ply is one, and so is each position in which a captured piece was given back.
const DEEPEST: u32 = 450;

/// When the count reaches one of these lengths, df-pn gets this many nodes to prove that there is
/// no mate at all.
const ASKED_AT: [(Length, u64); 4] = [(5, 200), (9, 2_000), (17, 20_000), (33, 200_000)];

struct Count<'a, 'b> {
    position: Line,
    /// Results of df-pn.
    table: &'a Table,
    watch: &'a mut SolverWatch<'b>,
    lengths: &'a mut Lengths,
    /// Positions on the way to this one.
    depth: u32,
}

impl Count<'_, '_> {
    fn look_up(&self, bound: Length) -> Option<Option<Length>> {
        self.lengths.look_up(self.position.key(), bound)
    }

    fn store(&mut self, at_least: Length, is_exact: bool) -> Result<(), MateUnknown> {
        let entry = self.lengths.entry(self.position.key())?;
        (entry.at_least, entry.is_exact) = (at_least, is_exact);
        Ok(())
    }

    fn known(&self) -> Option<Known> {
        self.lengths.get(self.position.key())
    }

    /// Asks about the position after a move.
    fn after<T>(
        &mut self,
        mv: Move,
        ask: impl FnOnce(&mut Self) -> Result<T, MateUnknown>,
    ) -> Result<T, MateUnknown> {
        self.position.do_move(mv);
        let answer = self.deeper(ask);
        self.position.undo_move();
        answer
    }

    /// Asks about a position below this one.
    fn deeper<T>(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<T, MateUnknown>,
    ) -> Result<T, MateUnknown> {
        if self.depth >= DEEPEST {
            return Err(MateUnknown::Depth);
        }
        #[cfg(test)]
        crate::stack::at(self.depth);
        self.depth += 1;
        let answer = ask(self);
        self.depth -= 1;
        answer
    }

    /// The length where the attacker is to move, if it is at most `bound` (odd).
    fn attack(&mut self, bound: Length) -> Result<Option<Length>, MateUnknown> {
        if let Some(known) = self.look_up(bound) {
            return Ok(known);
        }
        self.watch.enter_node()?;
        let start = self.known().map_or(1, |known| known.at_least);
        // A mate by the rules is one by this count.
        if start == 1 && self.position.mate_in_one().is_some() {
            self.store(1, true)?;
            return Ok(Some(1));
        }
        let checks = checks(&self.position);
        if checks.is_empty() {
            self.store(NEVER, false)?;
            return Ok(None);
        }
        for length in (start..=bound).step_by(2) {
            if let Some(&(_, share)) = ASKED_AT.iter().find(|&&(at, _)| at == length)
                && self.has_no_mate(share)?
            {
                self.store(NEVER, false)?;
                return Ok(None);
            }
            for &mv in &checks {
                // Where nothing can be put between, only a mate by the rules mates at once.
                if length == 1 && !self.may_check_from_afar(mv) {
                    continue;
                }
                if let Some(found) = self.after(mv, |count| count.defend(length - 1))? {
                    self.store(found + 1, true)?;
                    return Ok(Some(found + 1));
                }
            }
            self.store(length + 2, false)?;
        }
        Ok(None)
    }

    /// Whether df-pn proves with `share` nodes that the attacker, who is to move, has no mate.
    fn has_no_mate(&mut self, share: u64) -> Result<bool, MateUnknown> {
        let all = self.watch.limits.nodes;
        let end = self.watch.nodes.saturating_add(share);
        self.watch.limits.nodes = Some(all.map_or(end, |all| all.min(end)));
        let answer = Dfpn::new(&self.position, self.table, self.watch).solve(ANY_LENGTH);
        self.watch.limits.nodes = all;
        match answer {
            Ok(answer) => Ok(answer == Answer::NoMate(UNBOUNDED)),
            Err(MateUnknown::Nodes) if all.is_none_or(|all| self.watch.nodes < all) => Ok(false),
            Err(reason) => Err(reason),
        }
    }

    /// The length where the defender is to move, in check, if it is at most `bound` (even).
    fn defend(&mut self, bound: Length) -> Result<Option<Length>, MateUnknown> {
        if let Some(known) = self.look_up(bound) {
            return Ok(known);
        }
        self.watch.enter_node()?;
        let found = self.longest_defense(bound)?.map(|(length, _)| length);
        match found {
            Some(length) => self.store(length, true)?,
            None => self.store(bound + 2, false)?,
        }
        Ok(found)
    }

    /// As `defend`, and also the length without the interpositions that last for all of it.
    fn longest_defense(&mut self, bound: Length) -> Result<Option<(Length, Length)>, MateUnknown> {
        let (mut between, others) = self.evasions();
        let mut longest = 0;
        for mv in others {
            match self.after_evasion(mv, bound)? {
                Some(length) => longest = longest.max(length),
                None => {
                    self.lengths.entry(self.position.key())?.holds_out = mv.to_usi().pack();
                    return Ok(None);
                }
            }
        }
        // An interposition is judged by the length of the mate without it, which other
        // interpositions may increase. So the loop counts in the useful interposition that
        // increases the length least, and then judges the rest again. This leads to the only length
        // for which each useful interposition is useful beside the others.
        let mut without = longest;
        loop {
            let mut least = None;
            let mut is_out_of_reach = false;
            let mut open = Vec::new();
            for mv in std::mem::take(&mut between) {
                if self.is_futile(mv, longest)? {
                    continue;
                }
                match self.after_evasion(mv, bound)? {
                    Some(length) if length <= longest => continue,
                    Some(length) => least = Some(least.map_or(length, |other| length.min(other))),
                    None => is_out_of_reach = true,
                }
                open.push(mv);
            }
            between = open;
            match least {
                Some(length) => (without, longest) = (longest, length),
                None if is_out_of_reach => return Ok(None),
                None => return Ok(Some((longest, without))),
            }
        }
    }

    /// The interpositions and the other evasions. The one that held out before comes first.
    #[inline(never)]
    fn evasions(&self) -> (Vec<Move>, Vec<Move>) {
        let line = self.line_of_check();
        let is_between = |mv: &Move| {
            line.is_some_and(|line| mv.from() != Some(line.king) && line.is_between(mv.to()))
        };
        let evasions = self.position.legal_moves();
        let (between, mut others): (Vec<Move>, Vec<Move>) =
            evasions.iter().copied().partition(is_between);
        let held_out = self.known().map(|known| known.holds_out);
        if let Some(place) = others.iter().position(|mv| Some(mv.to_usi().pack()) == held_out) {
            others[..=place].rotate_right(1);
        }
        (between, others)
    }

    /// The length from here after this evasion, if it is at most `bound`.
    fn after_evasion(&mut self, mv: Move, bound: Length) -> Result<Option<Length>, MateUnknown> {
        let Some(left) = bound.checked_sub(1) else { return Ok(None) };
        let found = self.after(mv, |count| count.attack(left))?;
        Ok(found.map(|length| length + 1))
    }

    /// Whether a move that gives check may do so from a distance. It may say so of others, too.
    fn may_check_from_afar(&self, mv: Move) -> bool {
        let Some(king) = self.position.king(!self.position.side_to_move()) else { return false };
        // A piece behind the moving one may give the check.
        mv.from().is_some_and(|from| displacement(from, king).is_some())
            || displacement(mv.to(), king).is_some_and(|line| line.distance > 1)
    }

    /// Whether an interposition is futile (無駄合): a capture of it gives check from its square, and
    /// the mate then takes at most `longest` plies, although the captured piece is given back.
    fn is_futile(&mut self, mv: Move, longest: Length) -> Result<bool, MateUnknown> {
        for other in &self.futile_captures(mv) {
            let found = match self.lengths.look_up(other.key(), longest) {
                Some(found) => found,
                None => {
                    // The line is made only for an open question.
                    let mut line = line_from(other);
                    std::mem::swap(&mut self.position, &mut line);
                    let found = self.deeper(|count| count.defend(longest));
                    std::mem::swap(&mut self.position, &mut line);
                    found?
                }
            };
            if found.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The futile interpositions of the defender, who is to move and is mated within `bound` plies.
    fn futile_now(&mut self, bound: Length) -> Result<Vec<Move>, MateUnknown> {
        let (between, _) = self.evasions();
        let mut futile = Vec::new();
        if between.is_empty() {
            return Ok(futile);
        }
        for bound in (0..=bound).step_by(2) {
            if self.defend(bound)?.is_none() {
                continue;
            }
            let (longest, without) = self.longest_defense(bound)?.ok_or(MateUnknown::Broken)?;
            for mv in between {
                // The length may be due to an interposition that lasts for all of it. Any other one
                // leaves the length as it is.
                let is_futile = self.is_futile(mv, without)?
                    || self.is_futile(mv, longest)?
                        && self.after_evasion(mv, longest)? != Some(longest);
                if is_futile {
                    futile.push(mv);
                }
            }
            break;
        }
        Ok(futile)
    }

    /// The positions after an interposition and each capture of it that gives check from its square,
    /// with the captured piece given back.
    #[inline(never)]
    fn futile_captures(&mut self, mv: Move) -> Vec<Position> {
        let mut positions = Vec::new();
        self.position.do_move(mv);
        for capture in checks(&self.position).into_iter().filter(|capture| capture.to() == mv.to())
        {
            self.position.do_move(capture);
            if self.position.checkers().contains(capture.to()) {
                positions.extend(given_back(&self.position, capture));
            }
            self.position.undo_move();
        }
        self.position.undo_move();
        positions
    }

    /// The first move for which `is_wanted` answers yes.
    fn first(
        &mut self,
        moves: Vec<Move>,
        mut is_wanted: impl FnMut(&mut Self, Move) -> Result<bool, MateUnknown>,
    ) -> Result<Option<Move>, MateUnknown> {
        for mv in moves {
            if is_wanted(self, mv)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// The line of the distant check on the side to move, if there is exactly one checker.
    fn line_of_check(&self) -> Option<LineOfCheck> {
        let king = self.position.king(self.position.side_to_move())?;
        let checker = self.position.checkers().single_square()?;
        displacement(checker, king)
            .is_some_and(|line| line.distance > 1)
            .then_some(LineOfCheck { checker, king })
    }
}

/// A checking piece and the king that it checks from a distance.
#[derive(Clone, Copy)]
struct LineOfCheck {
    checker: Square,
    king: Square,
}

impl LineOfCheck {
    fn is_between(self, square: Square) -> bool {
        let lines = (displacement(self.checker, square), displacement(self.checker, self.king));
        matches!(lines, (Some(part), Some(whole))
            if part.direction == whole.direction && part.distance < whole.distance)
    }
}

/// A line that takes no room on the call stack.
#[inline(never)]
fn line_from(position: &Position) -> Box<Line> {
    Box::new(Line::from(position))
}

/// The position after a capture, with the captured piece given back to the other player's hand.
fn given_back(after: &Position, capture: Move) -> Option<Position> {
    let kind = capture.captured()?.unpromoted();
    let mut position = after.clone();
    position.hand_over(capture.color(), kind).then_some(position)
}

#[cfg(test)]
mod tests;

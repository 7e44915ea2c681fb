//! The judge: decides exactly whether a mate problem is sound, or has a second solution (余詰).

use std::collections::HashMap;

use tsumero_control::Signals;
use tsumero_core::{Hand, Move, MoveList, PieceKind, Position, Square};

use super::layout::Layout;
use super::walk::{Flaw, Longer, Quest, Walk};
use crate::full_width::{BoundedSearch, MAX_BOUND, NO_MATE, WithinBound};
use crate::lists::checks;
use crate::solver::{MateAnswer, MateLimits, MateQuestion, MateSolver};
use crate::watch::MateUnknown;

/// The limits of a judgment.
///
/// ```
/// use tsumero_mate::MateUnknown;
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Verdict};
/// let position = "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1".parse().unwrap();
/// let judge = |nodes| Judge::new(JudgeLimits { nodes, hash_mb: 1 }).judge(&position);
/// assert_eq!(judge(10), Verdict::Unknown(MateUnknown::Nodes));
/// assert!(matches!(judge(10_000), Verdict::Sound(_)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JudgeLimits {
    /// The most nodes for each single question: the length of the shortest mate, whether another
    /// check mates, whether the attacker has any mate after one reply.
    pub nodes: u64,
    /// The memory for one such question in megabytes, at least 1.
    pub hash_mb: usize,
}

/// The verdict on a problem.
///
/// ```
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Verdict};
/// let shown = |sfen: &str| {
///     let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
///     match judge.judge(&sfen.parse().unwrap()) {
///         Verdict::Sound(solution) => format!("sound in {}", solution.line.len()),
///         Verdict::SecondSolution { other, .. } => format!("{other} mates, too"),
///         Verdict::NoMate => "no mate".to_owned(),
///         Verdict::Unknown(reason) => format!("not decided: {reason:?}"),
///     }
/// };
/// assert_eq!(shown("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"), "sound in 1");
/// assert_eq!(shown("4k4/9/4G4/9/9/9/9/9/9 b 2G2r2bg4s4n4l18p 1"), "G*4a mates, too");
/// assert_eq!(shown("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1"), "no mate");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It has one solution.
    Sound(Solution),
    /// It has a second solution (余詰).
    SecondSolution {
        /// Length of the mate in plies.
        length: u32,
        /// The moves from the start to the position with two solutions.
        line: Vec<Move>,
        /// A second check that mates there.
        other: Move,
    },
    /// Proven: no sequence of checks mates.
    NoMate,
    /// A question could not be answered within the limits.
    Unknown(MateUnknown),
}

/// The solution of a sound problem.
///
/// ```
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Solution, Verdict};
/// // The gold mates. The silver in hand is not needed.
/// let position = "4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1".parse().unwrap();
/// let verdict = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 }).judge(&position);
/// let Verdict::Sound(Solution { line, left_in_hand }) = verdict else { panic!("it is sound") };
/// assert_eq!((line[0].to_string().as_str(), left_in_hand), ("G*5b", 1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// One of the longest lines: the one that leaves the attacker the fewest pieces in hand.
    pub line: Vec<Move>,
    /// The pieces in the attacker's hand at its end. 0 means that the hand is used up.
    pub left_in_hand: u32,
}

impl Solution {
    /// The solution with a line of legal moves from a position.
    pub fn from_line(position: &Position, line: Vec<Move>) -> Solution {
        let mut end = position.clone();
        line.iter().for_each(|&mv| end.play_unchecked(mv));
        let left_in_hand = pieces_in(end.hand(position.side_to_move()));
        Solution { line, left_in_hand }
    }
}

fn pieces_in(hand: Hand) -> u32 {
    hand.iter().map(|(_, count)| count).sum()
}

/// Length of the shortest mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// The mate takes this many plies.
    Plies(u32),
    /// Proven: there is none.
    NoMate,
}

/// Judges problems.
///
/// ```
/// use tsumero_mate::tsume::{Judge, JudgeLimits, Verdict};
/// let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
/// let position = "4k4/9/4P4/9/9/9/9/9/S8 b G2r2b3g3s4n4l17p 1".parse().unwrap();
/// let Verdict::Sound(solution) = judge.judge(&position) else { panic!("it is sound") };
/// let idle = judge.idle(&position, &solution);
/// assert_eq!(idle, Ok(vec!["9i".parse().unwrap()])); // the silver
/// ```
pub struct Judge {
    pub(super) search: BoundedSearch,
    pub(super) limits: JudgeLimits,
}

/// The best continuation from a position with the attacker to move, and the pieces that it leaves
/// in hand.
#[derive(Clone, Copy)]
struct Best {
    left_in_hand: u32,
    check: Move,
    evasion: Option<Move>,
}

impl Judge {
    /// A judge with the given limits.
    pub fn new(limits: JudgeLimits) -> Judge {
        Judge { search: BoundedSearch::new(), limits }
    }

    /// Judges a problem. The answer depends on the position and the limits alone.
    pub fn judge(&mut self, position: &Position) -> Verdict {
        self.search.forget();
        self.search.set(position);
        self.verdict().unwrap_or_else(Verdict::Unknown)
    }

    /// The length of the shortest mate in plies, or `None` if it is proven that there is none.
    ///
    /// # Errors
    ///
    /// The limits ended the search for the length.
    pub fn length_of(&mut self, position: &Position) -> Result<Option<u32>, MateUnknown> {
        self.search.forget();
        self.search.set(position);
        match self.length()? {
            Length::Plies(length) => Ok(Some(length)),
            Length::NoMate => Ok(None),
        }
    }

    /// The squares of the idle pieces on the board, kings apart. A piece is idle if the problem
    /// without it, the piece in the defender's hand, is still sound and has the same solution
    /// except for the last move.
    ///
    /// # Errors
    ///
    /// The limits ended the judgment of a problem without one of its pieces.
    pub fn idle(
        &mut self,
        position: &Position,
        solution: &Solution,
    ) -> Result<Vec<Square>, MateUnknown> {
        self.search.forget();
        let layout = Layout::of(position);
        let mut idle = Vec::new();
        for (square, piece) in layout.pieces() {
            if piece.kind() == PieceKind::King {
                continue;
            }
            if self.without(&layout, square, solution)?.is_some() {
                idle.push(square);
            }
        }
        Ok(idle)
    }

    /// The problem without the piece on a square. `None` if it is not sound, or if its solution
    /// differs before the last move.
    pub(super) fn without(
        &mut self,
        layout: &Layout,
        square: Square,
        solution: &Solution,
    ) -> Result<Option<(Layout, Solution)>, MateUnknown> {
        let mut less = layout.clone();
        less.take(square);
        // Removing a piece may open a check that stands before the first move. Where the others stand is
        // the same as before, and a diagram may break rules there.
        let Ok(position) = less.to_diagram() else { return Ok(None) };
        self.search.set(&position);
        // The last move may differ.
        let length = solution.line.len() as u32;
        let before_last = solution.line.split_last().map_or(&[][..], |(_, before)| before);
        if self.length_up_to(length)? != Some(length)
            || self.first_wrong_here(before_last, length)?.is_some()
        {
            return Ok(None);
        }
        match self.verdict()? {
            Verdict::Sound(solution) => Ok(Some((less, solution))),
            _ => Ok(None),
        }
    }

    fn verdict(&mut self) -> Result<Verdict, MateUnknown> {
        let length = match self.length()? {
            Length::Plies(length) => length,
            Length::NoMate => return Ok(Verdict::NoMate),
        };
        // First the second solutions of the same length: longer ones cost more to find.
        for longer in [Longer::No, Longer::Any] {
            let quest = Quest { longer, most: 1, gives_up: false };
            if let Some((line, other)) = self.flaws(length, quest)?.pop() {
                return Ok(Verdict::SecondSolution { length, line, other });
            }
        }
        Ok(Verdict::Sound(self.solution(length)?))
    }

    /// Sets how many nodes each step of a judgment may take.
    pub(super) fn limit_nodes(&mut self, nodes: u64) {
        self.limits.nodes = nodes;
    }

    /// Clears the table, so that later answers depend on nothing before.
    pub(super) fn forget(&mut self) {
        self.search.forget();
    }

    /// Sets the position, for the single steps of a judgment.
    pub(super) fn set(&mut self, position: &Position) {
        self.search.set(position);
    }

    /// The length of the shortest mate, if it is at most `most`. It does not decide whether longer
    /// mates exist.
    pub(super) fn length_up_to(&mut self, most: u32) -> Result<Option<u32>, MateUnknown> {
        self.search.allow(self.limits.nodes);
        self.search.length(most)
    }

    /// Length of the shortest mate.
    pub(super) fn length(&mut self) -> Result<Length, MateUnknown> {
        self.search.allow(self.limits.nodes);
        let mut reason = MateUnknown::Depth;
        for length in (1..=MAX_BOUND).step_by(2) {
            match self.search.attack(length) {
                Ok(WithinBound::Mate) => return Ok(Length::Plies(length)),
                Ok(NO_MATE) => return Ok(Length::NoMate),
                Ok(WithinBound::NotYet { .. }) => {}
                Err(interrupted) => {
                    reason = interrupted.into();
                    break;
                }
            }
        }
        // Perpetual checks never end for the bounded search. The mate search detects repetition and
        // can decide them. Its mates need not be the shortest, so only its answer "no mate" is used.
        match self.solve(self.limits.nodes) {
            MateAnswer::NoMate => Ok(Length::NoMate),
            MateAnswer::Unknown(why) => Err(reason.worse(why)),
            MateAnswer::Mate(_) => Err(reason),
        }
    }

    /// Asks the mate search about the position as it is, the attacker to move. A mate need not be the
    /// shortest.
    fn solve(&self, nodes: u64) -> MateAnswer {
        let limits = MateLimits { nodes: Some(nodes), shortest: false, ..MateLimits::default() };
        let signals = Signals::new();
        let question = MateQuestion::new(self.search.position(), &limits, &signals);
        MateSolver::new(self.limits.hash_mb).solve(&question, &mut |_| {})
    }

    /// Follows all longest lines of a mate in exactly `length` plies, and returns the positions in
    /// which more than one check mates. It is an error if no such position is found, but some check
    /// could not be decided.
    pub(super) fn flaws(&mut self, length: u32, quest: Quest) -> Result<Vec<Flaw>, MateUnknown> {
        let start = self.search.position().clone();
        let mut walk = Walk::new(quest);
        let walked = self.walk(length, &mut walk);
        // After an error the position is somewhere down the line.
        self.search.set(&start);
        let is_whole = walked.map_err(|reason| walk.note(reason)).is_ok();
        match walk.unknown {
            Some(reason) if !is_whole || walk.flaws.is_empty() => Err(reason),
            _ => Ok(walk.flaws),
        }
    }

    /// Walks on from a position with the attacker to move and a mate in `left` plies.
    pub(super) fn walk(&mut self, left: u32, walk: &mut Walk) -> Result<(), MateUnknown> {
        #[cfg(test)]
        crate::stack::at(self.search.position().ply());
        if !walk.seen.insert(self.search.position().key()) {
            return Ok(());
        }
        // Several last moves may mate, unless the last move is the first.
        if left == 1 && !walk.line.is_empty() {
            return Ok(());
        }
        let mut solution = None;
        for mv in checks(self.search.position()) {
            self.search.allow(self.limits.nodes);
            match self.search.after(mv, |search| search.defend(left - 1))? {
                WithinBound::Mate if solution.is_none() => {
                    solution = Some(mv);
                    continue;
                }
                WithinBound::Mate => {}
                NO_MATE => continue,
                WithinBound::NotYet { .. } => match self.mates_later(mv, left, walk.quest.longer) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(reason) if walk.quest.gives_up => return Err(reason),
                    Err(reason) => {
                        walk.note(reason);
                        continue;
                    }
                },
            }
            walk.flaws.push((walk.line.clone(), mv));
            if walk.flaws.len() >= walk.quest.most {
                return Ok(());
            }
        }
        let Some(solution) = solution else { return Ok(()) };
        if left == 1 {
            return Ok(());
        }
        self.search.do_move(solution);
        walk.line.push(solution);
        for evasion in self.longest_evasions(left - 1)? {
            self.search.do_move(evasion);
            walk.line.push(evasion);
            self.walk(left - 2, walk)?;
            walk.line.pop();
            self.search.undo_move();
            if walk.flaws.len() >= walk.quest.most {
                break;
            }
        }
        walk.line.pop();
        self.search.undo_move();
        Ok(())
    }

    fn mates_within(&mut self, check: Move, left: u32) -> Result<bool, MateUnknown> {
        self.search.allow(self.limits.nodes);
        let answer = self.search.after(check, |search| search.defend(left - 1))?;
        Ok(answer == WithinBound::Mate)
    }

    /// The evasions that last for all of the `left` plies.
    #[inline(never)]
    pub(super) fn longest_evasions(&mut self, left: u32) -> Result<Vec<Move>, MateUnknown> {
        let mut longest = Vec::new();
        for mv in self.search.position().legal_moves() {
            self.search.allow(self.limits.nodes);
            // A mate after the evasion takes an odd number of plies. Two plies less would be too
            // short.
            let too_soon = left >= 4
                && self.search.after(mv, |search| search.attack(left - 3))? == WithinBound::Mate;
            if !too_soon {
                longest.push(mv);
            }
        }
        Ok(longest)
    }

    /// Whether a check that does not mate within `left` plies mates later.
    fn mates_later(&mut self, check: Move, left: u32, longer: Longer) -> Result<bool, MateUnknown> {
        let more = match longer {
            Longer::No => return Ok(false),
            Longer::Plies(more) => more,
            Longer::Any => 4,
        };
        self.search.do_move(check);
        let answer = self.mates_defender(left - 1, more, longer == Longer::Any);
        self.search.undo_move();
        answer
    }

    /// Defender to move, in check: is every evasion mated within `left + more` plies or, if
    /// `at_all` is set, in any number of plies?
    fn mates_defender(&mut self, left: u32, more: u32, at_all: bool) -> Result<bool, MateUnknown> {
        for more in (2..=more).step_by(2) {
            self.search.allow(self.limits.nodes);
            match self.search.defend((left + more).min(MAX_BOUND - 1)) {
                Ok(WithinBound::Mate) => return Ok(true),
                Ok(NO_MATE) => return Ok(false),
                Ok(WithinBound::NotYet { .. }) => {}
                // The mate search may still decide it.
                Err(_) if at_all => break,
                Err(reason) => return Err(reason.into()),
            }
        }
        if !at_all {
            return Ok(false);
        }
        let mut open = self.search.evasions();
        let mut reason = MateUnknown::Nodes;
        // Most checks have a reply that quickly proves to escape. Look for it before spending much
        // on any other reply.
        for nodes in [self.limits.nodes / 64, self.limits.nodes / 8, self.limits.nodes] {
            let mut still_open = MoveList::new();
            for &mv in &open {
                self.search.do_move(mv);
                let answer = self.solve(nodes.max(1));
                self.search.undo_move();
                match answer {
                    MateAnswer::NoMate => return Ok(false),
                    MateAnswer::Mate(_) => {}
                    MateAnswer::Unknown(why) => {
                        still_open.push(mv);
                        reason = why.worse(reason);
                    }
                }
            }
            open = still_open;
            if open.is_empty() {
                return Ok(true);
            }
        }
        Err(reason)
    }

    /// The main line of a mate in exactly `length` plies.
    pub(super) fn solution(&mut self, length: u32) -> Result<Solution, MateUnknown> {
        let start = self.search.position().clone();
        let mut known = HashMap::new();
        let line = self.best(length, &mut known).and_then(|best| {
            let mut line = Vec::with_capacity(length as usize);
            let mut next = Some((best, length));
            while let Some((best, left)) = next.take() {
                line.push(best.check);
                self.search.do_move(best.check);
                if let Some(evasion) = best.evasion {
                    line.push(evasion);
                    self.search.do_move(evasion);
                    next = Some((self.best(left - 2, &mut known)?, left - 2));
                }
            }
            Ok(Solution { line, left_in_hand: best.left_in_hand })
        });
        self.search.set(&start);
        line
    }

    fn best(&mut self, left: u32, known: &mut HashMap<u64, Best>) -> Result<Best, MateUnknown> {
        #[cfg(test)]
        crate::stack::at(self.search.position().ply());
        let key = self.search.position().key();
        if let Some(&best) = known.get(&key) {
            return Ok(best);
        }
        let attacker = self.search.position().side_to_move();
        let mut best: Option<Best> = None;
        let better = |best: &Option<Best>, left_in_hand| {
            best.is_none_or(|best| left_in_hand < best.left_in_hand)
        };
        for check in checks(self.search.position()) {
            if !self.mates_within(check, left)? {
                continue;
            }
            self.search.do_move(check);
            if left == 1 {
                let left_in_hand = pieces_in(self.search.position().hand(attacker));
                if better(&best, left_in_hand) {
                    best = Some(Best { left_in_hand, check, evasion: None });
                }
                self.search.undo_move();
                continue;
            }
            for evasion in self.longest_evasions(left - 1)? {
                self.search.do_move(evasion);
                let left_in_hand = self.best(left - 2, known)?.left_in_hand;
                self.search.undo_move();
                if better(&best, left_in_hand) {
                    best = Some(Best { left_in_hand, check, evasion: Some(evasion) });
                }
            }
            self.search.undo_move();
            break;
        }
        // Only positions with a mate in exactly this length occur here.
        let best = best.ok_or(MateUnknown::Broken)?;
        known.insert(key, best);
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dfpn::tests::problems;
    use crate::stack;

    fn judge(sfen: &str) -> Verdict {
        let position = Position::from_sfen(sfen).unwrap();
        Judge::new(JudgeLimits { nodes: 100_000, hash_mb: 16 }).judge(&position)
    }

    fn text(line: &[Move]) -> String {
        let words: Vec<String> = line.iter().map(ToString::to_string).collect();
        words.join(" ")
    }

    #[test]
    fn the_main_line_uses_up_the_hand_if_any_longest_line_does() {
        // Interposing on 7d lasts as long as stepping aside. Only after a capture is a piece left
        // in hand.
        let Verdict::Sound(solution) = judge("3+R5/s8/9/k8/1L7/1+S7/9/9/9 b r2b4g2s4n3l18p 1")
        else {
            panic!("sound")
        };
        assert_eq!(text(&solution.line), "6a6d L*7d 6d7d 9d9c L*9d");
        assert_eq!(solution.left_in_hand, 0);
    }

    #[test]
    fn a_second_solution_is_found_down_the_line() {
        let Verdict::SecondSolution { length, line, other } =
            judge("4Bg1kB/9/9/9/9/9/9/9/9 b Rr3g4s4n4l18p 1")
        else {
            panic!("two solutions")
        };
        assert_eq!((length, &text(&line)[..]), (5, "R*2c 2a1a"));
        assert_eq!(other.to_string(), "5a3c");
    }

    #[test]
    fn a_perpetual_check_does_not_mate() {
        // Every bound is searched to its end with few nodes.
        assert_eq!(judge("9/9/9/7pp/R8/8k/6Nnn/6N2/9 b - 1"), Verdict::NoMate);
    }

    #[test]
    fn the_longest_lines_fit_on_a_small_stack() {
        let position = problems("mate11plus", 60..61).remove(0);
        let bytes = stack::growth_of(|| {
            Judge::new(JudgeLimits { nodes: 100_000, hash_mb: 1 }).judge(&position)
        });
        assert!(bytes * (MAX_BOUND as usize) < stack::ENOUGH / 2, "{bytes} bytes for each ply");
    }

    #[test]
    fn idle_pieces_are_found_in_diagrams_that_break_rules() {
        // Two pawns on a file, and a pawn that could never move.
        for (sfen, expected) in [
            ("4k4/9/4P4/9/9/9/p8/p8/S8 b G2r2b3g3s4n4l15p 1", &["9g", "9h", "9i"][..]),
            ("4k4/9/4P4/9/9/9/9/9/S7p b G2r2b3g3s4n4l16p 1", &["1i", "9i"]),
        ] {
            let position = Position::from_diagram(sfen).unwrap();
            let mut judge = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 });
            let Verdict::Sound(solution) = judge.judge(&position) else { panic!("sound: {sfen}") };
            let idle = judge.idle(&position, &solution).unwrap();
            let mut idle: Vec<String> = idle.iter().map(ToString::to_string).collect();
            idle.sort();
            assert_eq!(idle, expected, "{sfen}");
        }
    }

    #[test]
    fn judging_does_not_depend_on_what_was_judged_before() {
        let sfens = [
            "9/9/8k/8N/9/7L1/9/9/9 b G2r2b3g4s3n3l18p 1",
            "9/1Sk6/9/9/9/9/9/9/9 b R2Gr2b2g3s4n4l18p 1",
            "4k4/9/9/9/9/9/9/9/4K4 b P 1",
            "9/9/8k/8N/9/7L1/9/9/9 b GP2r2b3g4s3n3l17p 1",
        ];
        let positions = sfens.map(|sfen| Position::from_sfen(sfen).unwrap());
        for nodes in [30, 300, 3_000] {
            let limits = JudgeLimits { nodes, hash_mb: 1 };
            let mut one = Judge::new(limits);
            for position in positions.iter().chain(positions.iter().rev()) {
                assert_eq!(one.judge(position), Judge::new(limits).judge(position), "{position}");
            }
        }
    }
}

//! Generator of sound mate problems: random placement, then hill climbing by small changes, then
//! removal of idle pieces. Long problems grow out of such a one by steps backwards: a check and a reply
//! that lead to it are put before it.

use std::sync::atomic::{AtomicU64, Ordering};

use tsumero_control::Signals;
use tsumero_core::{Piece, PieceKind, Position, Square};

use super::layout::Layout;
use super::placement::Placer;
use super::random::Random;
use super::soundness::{Judge, JudgeLimits, Solution};
use super::style::Style;
use super::walk::{Longer, Quest};
use crate::lists::checks;
use crate::watch::MateUnknown;

/// The kind of problems to generate.
///
/// ```
/// use tsumero_mate::Signals;
/// use tsumero_mate::tsume::{Generator, Progress, Recipe, Style};
///
/// // The recipe and the number decide everything, so two generators make the same problem.
/// let recipe = Recipe { plies: 3, seed: 1, loose: false, style: Style::ANY };
/// let (progress, signals) = (Progress::default(), Signals::new());
/// let made = [2, 2].map(|number| Generator::new(recipe, &progress, &signals).problem(number));
/// let [first, second] = made.map(|problem| problem.expect("nobody stops the work"));
/// assert_eq!(first.position, second.position);
/// assert_eq!(first.solution.line.len(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The length in plies, an odd number up to [`Recipe::LONGEST`].
    pub plies: u32,
    /// The seed. Together with the number of a problem it decides everything about it.
    pub seed: u64,
    /// Whether idle pieces may stay on the board, and pieces may be left in the attacker's hand.
    pub loose: bool,
    /// What the problems may consist of.
    pub style: Style,
}

impl Recipe {
    /// The greatest length that can be asked for, in plies.
    pub const LONGEST: u32 = 25;
}

/// A sound problem.
///
/// ```
/// use tsumero_core::Color;
/// use tsumero_mate::Signals;
/// use tsumero_mate::tsume::{Generator, Problem, Progress, Recipe, Style};
///
/// let recipe = Recipe { plies: 1, seed: 1, loose: false, style: Style::ANY };
/// let (progress, signals) = (Progress::default(), Signals::new());
/// let problem = Generator::new(recipe, &progress, &signals).problem(0);
/// let Problem { mut position, solution, idle } = problem.expect("nobody stops the work");
/// assert!(position.king(Color::Black).is_none() && idle.is_empty());
/// position.play_unchecked(solution.line[0]);
/// assert!(position.is_mate());
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    /// Black is the attacker, and has no king unless the recipe asks for both.
    pub position: Position,
    /// Its solution.
    pub solution: Solution,
    /// The squares of its idle pieces; none unless the recipe is loose.
    pub idle: Vec<Square>,
}

/// The progress of the generator, which other threads may read.
///
/// ```
/// use std::sync::atomic::Ordering;
///
/// use tsumero_mate::Signals;
/// use tsumero_mate::tsume::{Generator, Progress, Recipe, Style};
///
/// let (progress, signals) = (Progress::default(), Signals::new());
/// let recipe = Recipe { plies: 9, seed: 1, loose: false, style: Style::ANY };
/// let generate = || Generator::new(recipe, &progress, &signals).problem(0);
/// std::thread::scope(|scope| {
///     let work = scope.spawn(generate);
///     // This thread looks at the counters and loses patience.
///     while progress.placements.load(Ordering::Relaxed) < 10 {
///         std::thread::yield_now();
///     }
///     signals.stop();
///     assert!(work.join().unwrap().is_none());
/// });
/// let counted = [progress.candidates, progress.placements].map(|count| count.into_inner());
/// assert!(counted[0] <= counted[1] && counted[1] >= 10);
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    /// Placements looked at.
    pub placements: AtomicU64,
    /// Placements that mate in the right number of plies.
    pub candidates: AtomicU64,
}

/// The limits of all judgments here. Small problems are decided far below them. Undecided ones are
/// discarded.
const LIMITS: JudgeLimits = JudgeLimits { nodes: 500, hash_mb: 1 };
/// The nodes of a judgment of a problem that grows backwards, for each of its plies.
const NODES: u64 = 1500;
/// The longest problems that are made by small changes alone, in plies. Longer ones grow out of these
/// by steps backwards.
const CLIMBED: u32 = 7;
/// How many steps backwards are tried before a problem is given up.
const TRIES: u32 = 12_000;
/// In how many ways a problem is lengthened, if the longer ones do not grow.
const WAYS: u32 = 3;
/// The most checks that a step backwards may allow: with more of them, second solutions are likely, and
/// a judgment takes long.
const MOST_CHECKS: usize = 10;
/// A step backwards that is nearer than this to a sound problem is repaired.
const NEARLY: Distance = 30;
/// The small changes tried to repair it.
const REPAIRS: u32 = 40;
/// The small changes tried on one random placement.
const STEPS: u32 = 120;
/// The largest distance from a sound problem with which a climb continues after the first half of
/// its steps.
const HOPELESS: u32 = 100;

/// Generates problems one by one.
///
/// ```
/// use tsumero_mate::Signals;
/// use tsumero_mate::tsume::{
///     Generator, Judge, JudgeLimits, Progress, Recipe, Style, Verdict,
/// };
///
/// let recipe = Recipe { plies: 3, seed: 1, loose: false, style: Style::ANY };
/// let (progress, signals) = (Progress::default(), Signals::new());
/// let problem = Generator::new(recipe, &progress, &signals).problem(2).unwrap();
/// assert_eq!(problem.solution.line.len(), 3);
/// let verdict = Judge::new(JudgeLimits { nodes: 10_000, hash_mb: 1 }).judge(&problem.position);
/// assert!(matches!(verdict, Verdict::Sound(_)));
/// ```
pub struct Generator<'a> {
    recipe: Recipe,
    placer: Placer,
    judge: Judge,
    progress: &'a Progress,
    signals: &'a Signals,
}

/// The distance of a placement from a sound problem, which has 0.
type Distance = u32;

impl<'a> Generator<'a> {
    /// A generator that counts its work in `progress` and stops when `signals` say so.
    pub fn new(recipe: Recipe, progress: &'a Progress, signals: &'a Signals) -> Generator<'a> {
        let placer = Placer::new(recipe.style);
        Generator { recipe, placer, judge: Judge::new(LIMITS), progress, signals }
    }

    /// The problem with the given number. It depends on the recipe and the number alone, so any
    /// problem can be generated without those before it. `None` if the work was stopped, or if no
    /// mate has the length of the recipe: an even number, or more than [`Recipe::LONGEST`].
    pub fn problem(&mut self, number: u64) -> Option<Problem> {
        let plies = self.recipe.plies;
        if plies.is_multiple_of(2) || plies > Recipe::LONGEST {
            return None;
        }
        let mut random = Random::new(self.recipe.seed, number);
        self.judge.forget();
        while !self.signals.is_stopped() {
            if let Some(problem) = self.attempt(&mut random) {
                return Some(problem);
            }
        }
        None
    }

    fn attempt(&mut self, random: &mut Random) -> Option<Problem> {
        let plies = self.recipe.plies.min(CLIMBED);
        self.judge.limit_nodes(LIMITS.nodes);
        let scattered = self.placer.scatter(random);
        let climbed = self.climb(scattered, plies, STEPS, random)?;
        let problem = self.finish(climbed, plies).ok().flatten()?;
        self.grow(problem, plies, random)
    }

    /// Lengthens a problem of so many plies to the length of the recipe. A problem that does not grow
    /// any more is not the end: the one before it may grow in another way.
    fn grow(&mut self, problem: Problem, plies: u32, random: &mut Random) -> Option<Problem> {
        if plies == self.recipe.plies {
            return Some(problem);
        }
        let layout = Layout::of(&problem.position);
        for _ in 0..WAYS {
            let longer = self.lengthen(&layout, plies + 2, random)?;
            if let Some(grown) = self.grow(longer, plies + 2, random) {
                return Some(grown);
            }
        }
        None
    }

    /// A problem of so many plies that begins two plies before a shorter one.
    fn lengthen(&mut self, shorter: &Layout, plies: u32, random: &mut Random) -> Option<Problem> {
        let key = shorter.to_position().ok()?.key();
        self.judge.limit_nodes(NODES * u64::from(plies));
        for _ in 0..TRIES {
            if self.signals.is_stopped() {
                return None;
            }
            let mut layout = shorter.clone();
            if !self.placer.step_back(&mut layout, random) || !leads_to(&layout, key) {
                continue;
            }
            if self.distance(&layout, plies).is_some_and(|distance| distance < NEARLY)
                && let Some(layout) = self.climb(layout, plies, REPAIRS, random)
                && let Ok(Some(problem)) = self.finish(layout, plies)
            {
                return Some(problem);
            }
        }
        None
    }

    /// Improves a layout by small changes, until it is a sound problem of so many plies.
    fn climb(
        &mut self,
        mut layout: Layout,
        plies: u32,
        steps: u32,
        random: &mut Random,
    ) -> Option<Layout> {
        let mut distance = self.distance(&layout, plies)?;
        for step in 0..steps {
            if distance == 0
                || self.signals.is_stopped()
                || step > steps / 2 && distance >= HOPELESS
            {
                break;
            }
            let mut changed = layout.clone();
            for _ in 0..random.between(1, 2) {
                self.placer.change(&mut changed, random);
            }
            if changed == layout {
                continue;
            }
            // Accepting equal distances leads out of dead ends.
            if let Some(new) = self.distance(&changed, plies)
                && new <= distance
            {
                (layout, distance) = (changed, new);
            }
        }
        (distance == 0).then_some(layout)
    }

    /// The distance of a placement from a sound problem of so many plies. `None` if it is not even a
    /// mate within this length, or too hard to judge.
    fn distance(&mut self, layout: &Layout, plies: u32) -> Option<Distance> {
        self.progress.placements.fetch_add(1, Ordering::Relaxed);
        if !self.recipe.style.admits(layout) {
            return None;
        }
        // The attacker must not be able to capture the king at once.
        let defender = !layout.attacker();
        let king = Piece::new(defender, PieceKind::King);
        let (king, _) = layout.pieces().find(|&(_, piece)| piece == king)?;
        if layout.is_attacked(king) {
            return None;
        }
        let position = layout.to_position().ok()?;
        self.judge.set(&position);
        self.measure(plies).ok().flatten()
    }

    fn measure(&mut self, plies: u32) -> Result<Option<Distance>, MateUnknown> {
        let quest = |longer| Quest { longer, most: 8, gives_up: true };
        let Some(length) = self.judge.length_up_to(plies)? else { return Ok(None) };
        if length < plies {
            return Ok(Some(100 * (plies - length)));
        }
        self.progress.candidates.fetch_add(1, Ordering::Relaxed);
        let flaws = self.judge.flaws(length, quest(Longer::No))?;
        if !flaws.is_empty() {
            return Ok(Some(20 + flaws.len() as u32));
        }
        let left = if self.recipe.loose { 0 } else { self.judge.solution(length)?.left_in_hand };
        if left > 0 {
            return Ok(Some(10 + left));
        }
        let flaws = self.judge.flaws(length, quest(Longer::Plies(4)))?;
        if !flaws.is_empty() {
            return Ok(Some(2 + flaws.len() as u32));
        }
        let proven =
            self.judge.flaws(length, quest(Longer::Any)).is_ok_and(|flaws| flaws.is_empty());
        Ok(Some(if proven { 0 } else { 1 }))
    }

    /// Removes idle pieces until none is left, and verifies the result.
    fn finish(&mut self, mut layout: Layout, plies: u32) -> Result<Option<Problem>, MateUnknown> {
        let position = |layout: &Layout| layout.to_position().ok();
        let Some(start) = position(&layout) else { return Ok(None) };
        self.judge.set(&start);
        let mut solution = self.judge.solution(plies)?;
        let mut idle = Vec::new();
        let mut squares: Vec<Square> = layout.pieces().map(|(square, _)| square).collect();
        if self.recipe.loose {
            idle = self.judge.idle(&start, &solution)?;
            squares.clear();
        }
        let mut at = 0;
        while at < squares.len() {
            let square = squares[at];
            at += 1;
            let is_man =
                layout.piece_at(square).is_some_and(|piece| piece.kind() != PieceKind::King);
            if !is_man {
                continue;
            }
            if let Some((less, its_solution)) = self.judge.without(&layout, square, &solution)? {
                // A piece that was needed before may be idle without this one.
                (layout, solution, at) = (less, its_solution, 0);
            }
        }
        // Without its idle pieces, a problem may have too few.
        let used_up = self.recipe.loose || solution.left_in_hand == 0;
        let is_wanted = used_up && self.recipe.style.admits(&layout);
        Ok(position(&layout).filter(|_| is_wanted).map(|position| Problem {
            position,
            solution,
            idle,
        }))
    }
}

/// Whether a check and a reply lead from a layout, which has few checks, to the position with a key.
fn leads_to(layout: &Layout, key: u64) -> bool {
    let Ok(position) = layout.to_position() else { return false };
    let checks = checks(&position);
    checks.len() <= MOST_CHECKS
        && checks.into_iter().any(|check| {
            let mut checked = position.clone();
            checked.play_unchecked(check);
            checked.legal_moves().into_iter().any(|reply| checked.key_after(reply) == key)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{MateAnswer, MateLimits, MateQuestion, MateSolver};

    #[test]
    fn a_stopped_generator_makes_nothing() {
        let (progress, signals) = (Progress::default(), Signals::new());
        signals.stop();
        let recipe = Recipe { plies: 3, seed: 1, loose: false, style: Style::ANY };
        assert!(Generator::new(recipe, &progress, &signals).problem(0).is_none());
        assert_eq!(progress.placements.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_length_that_no_problem_has_ends_the_work_at_once() {
        let (progress, signals) = (Progress::default(), Signals::new());
        for plies in [0, 4, Recipe::LONGEST + 2] {
            let recipe = Recipe { plies, seed: 1, loose: false, style: Style::ANY };
            assert!(Generator::new(recipe, &progress, &signals).problem(0).is_none());
        }
    }

    #[test]
    fn lengths_agree_with_the_mate_search() {
        let (placer, mut random) = (Placer::new(Style::ANY), Random::new(4, 0));
        let mut judge = Judge::new(JudgeLimits { nodes: 1_000_000, hash_mb: 16 });
        let mut mates = [0; 3];
        for _ in 0..300 {
            let Ok(position) = placer.scatter(&mut random).to_position() else { continue };
            judge.set(&position);
            let length = judge.length_up_to(5).unwrap();
            let limits = MateLimits { nodes: Some(200_000), ..MateLimits::default() };
            let signals = Signals::new();
            let question = MateQuestion::new(&position, &limits, &signals);
            match (MateSolver::new(16).solve(&question, &mut |_| {}), length) {
                (MateAnswer::Mate(mate), Some(length)) => {
                    assert_eq!(mate.plies(), length, "{position}");
                    mates[length as usize / 2] += 1;
                }
                (MateAnswer::Mate(mate), None) => assert!(mate.plies() > 5, "{position}"),
                (MateAnswer::NoMate, length) => assert_eq!(length, None, "{position}"),
                (MateAnswer::Unknown(_), _) => {}
            }
        }
        assert!(mates.iter().all(|&count| count > 0), "{mates:?}");
    }
}

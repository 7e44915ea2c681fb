//! Iterative deepening: aspiration windows, several lines, and when to stop.

use std::time::Duration;

use tsumero_control::{Bound, MAX_PLY, Score};

use crate::evaluate::Evaluator;
use crate::mate_extension::Next;
use crate::node::Root;
use crate::reporter::Reporter;
use crate::root_moves::{RootLine, RootMove};
use crate::stability::Stability;
use crate::team::Team;
use crate::vote;
use crate::window::Window;
use crate::worker::Worker;

/// Notes that the lines have changed since the last report.
fn mark_outdated(reporter: &mut Option<&mut Reporter<'_>>) {
    if let Some(reporter) = reporter {
        reporter.up_to_date = false;
    }
}

/// The depth after `depth` when another depth is searched again: half of the way, and then the rest.
fn on_the_way(depth: i32, again: i32) -> i32 {
    let left = again - depth;
    if left > again / 4 + 1 { again - left / 2 } else { again }
}

/// Depths below which the window is open.
const FIRST_WINDOW_DEPTH: i32 = 5;

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// Searches deeper and deeper until a limit is reached. Returns the best lines of the last
    /// finished iteration, or exact results of the unfinished one. The result is empty if nothing
    /// is known.
    pub(crate) fn iterate(
        &mut self,
        max_depth: u32,
        line_count: usize,
        mut reporter: Option<&mut Reporter<'_>>,
    ) -> Vec<RootLine> {
        let line_count = line_count.min(self.root.moves.len());
        let max_depth = max_depth.min(MAX_PLY - 1);
        let team = &self.shared.team;
        let mut lines: Vec<RootLine> = Vec::new();
        let mut stability = Stability::default();
        let mut next = Next::Deeper;
        // The depth that is searched again because its best move was refuted.
        let mut again = 0;
        loop {
            match next {
                Next::Deeper if lines.first().is_some_and(|line| line.depth < again) => {
                    self.root.depth = on_the_way(self.root.depth, again as i32);
                }
                Next::Deeper => {
                    let Some(depth) = team.begin(self.thread(), max_depth) else {
                        // Another thread may have finished the last depth.
                        if self.take_over(Vec::new(), line_count, &mut lines).is_some() {
                            mark_outdated(&mut reporter);
                        }
                        break;
                    };
                    self.root.depth = depth as i32;
                    self.root.team_depth = depth;
                }
                // The depth is finished, but with a move that is no longer among the root moves. To
                // have another one before the time is up, the search begins at half the depth.
                Next::Again => {
                    self.root.depth = (again as i32 / 2).max(1);
                    self.root.team_depth = Team::DEEPEST;
                }
                Next::Answer => break,
            }
            next = Next::Deeper;
            let count = self.root.moves.len();
            team.drop_refuted(&mut self.root.moves);
            self.root.is_restricted |= self.root.moves.len() < count;
            let finished = self.search_lines(line_count, &mut reporter);
            let depth = self.take_over(finished, line_count, &mut lines);
            if team.has_ended() {
                self.salvage(line_count, &mut lines);
                mark_outdated(&mut reporter);
                break;
            }
            let Some(depth) = depth else { continue };
            next = self.look_for_mates(depth, line_count, &mut lines);
            if next == Next::Again {
                // The nodes of the mate search may have been the last ones.
                self.look_at_limits();
                again = again.max(depth);
            }
            if let Some(reporter) = reporter.as_deref_mut()
                && next != Next::Again
            {
                self.report_if_due(&lines, reporter);
            }
            if next == Next::Deeper && self.is_content(depth, &lines, &mut stability) {
                break;
            }
        }
        // The last lines may be those of another thread, which does not know how long removed moves last.
        if let Some(depth) = lines.first().map(|line| line.depth)
            && self.root.mates.put_longest(&mut lines, depth)
        {
            mark_outdated(&mut reporter);
        }
        if self.keeper.is_some() {
            team.end();
        }
        lines
    }

    /// Runs one iteration. Returns its lines, or none if it was cut short.
    fn search_lines(
        &mut self,
        line_count: usize,
        reporter: &mut Option<&mut Reporter<'_>>,
    ) -> Vec<RootLine> {
        let depth = self.root.depth as u32;
        self.seldepth = 0;
        for root in &mut self.root.moves {
            root.previous_score = root.score;
            root.is_lost = false;
        }
        for index in 0..line_count.min(self.root.moves.len()) {
            self.root.line_index = index;
            self.search_line(depth, reporter, line_count);
            if self.is_aborted() {
                return Vec::new();
            }
        }
        self.root.lines(line_count)
    }

    /// Publishes the lines of an iteration, unless it was cut short. If the team knows lines that
    /// are deeper than `lines` now, they replace these, and their depth is returned.
    fn take_over(
        &mut self,
        finished: Vec<RootLine>,
        line_count: usize,
        lines: &mut Vec<RootLine>,
    ) -> Option<u32> {
        let depth_of = |lines: &[RootLine]| lines.first().map(|line| line.depth);
        let own_depth = depth_of(&finished);
        let known = self.shared.team.share(finished);
        let depth = depth_of(&known)?;
        if depth_of(lines) >= Some(depth) {
            return None;
        }
        if own_depth != Some(depth) {
            self.root.reorder(&known);
        }
        *lines = known;
        self.root.mates.put_first(lines, line_count);
        Some(depth)
    }

    /// Searches one line with a window around the last result. The window widens on the side where
    /// the result falls outside.
    fn search_line(
        &mut self,
        depth: u32,
        reporter: &mut Option<&mut Reporter<'_>>,
        line_count: usize,
    ) {
        let index = self.root.line_index;
        let previous = self.root.moves[index].previous_score;
        let parameters = self.parameters();
        let mut width = parameters.window + previous.value().abs() / parameters.window_divisor;
        let infinite = Score::INFINITE;
        let mut window = Window::full();
        if depth as i32 >= FIRST_WINDOW_DEPTH && previous.is_ordinary() {
            window.alpha = (previous - width).max(-infinite);
            window.beta = (previous + width).min(infinite);
        }
        let mut fail_highs = 0;
        self.root.best = None;
        self.root.failed_high = None;
        loop {
            let reduced = (depth as i32 - fail_highs).max(1);
            let score = self.search::<Root>(0, window, reduced, false);
            // A stable sort: all other moves keep their order.
            self.root.moves[index..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.is_aborted() {
                return;
            }
            let bound = window.bound_of(score);
            match bound {
                Bound::Exact => break,
                Bound::Upper => {
                    window.beta = window.alpha.midpoint(window.beta);
                    window.alpha = (score - width).max(-infinite);
                    fail_highs = 0;
                    self.root.failed_high = None;
                }
                Bound::Lower => {
                    window.beta = (score + width).min(infinite);
                    fail_highs += 1;
                    self.root.failed_high = Some((self.root.moves[index].mv, score));
                }
            }
            // If the window is wide or the game is decided, open the window completely.
            if width > 2000 || !score.is_ordinary() {
                window = Window::full();
            }
            width += width / 2;
            if line_count == 1
                && let Some(reporter) = reporter.as_deref_mut()
            {
                self.report_bound(depth, bound, reporter);
            }
        }
        self.root.moves[..=index].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    /// Takes over the result of an unfinished iteration. A mate that is proven stays before it.
    fn salvage(&self, line_count: usize, lines: &mut Vec<RootLine>) {
        self.take_unfinished(line_count, lines);
        self.root.mates.put_first(lines, line_count);
    }

    /// Takes over the result of an unfinished iteration, if only one line is wanted, or if the first
    /// iteration is unfinished. Otherwise the result of the iteration before is kept.
    fn take_unfinished(&self, line_count: usize, lines: &mut Vec<RootLine>) {
        let depth = self.root.depth as u32;
        let is_first = lines.is_empty();
        if (line_count > 1 && !is_first) || lines.first().is_some_and(|line| line.depth >= depth) {
            return;
        }
        // Of several lines, those that are finished.
        if line_count > 1 && self.root.line_index > 0 {
            *lines = self.root.lines(self.root.line_index);
            return;
        }
        if let Some(root) = self.root.exact_best().filter(|root| !root.score.is_loss()) {
            // The first move, or a later one whose exact result is better. But an earlier search has seen
            // more than a part of the first iteration.
            if !is_first || root.score.is_win() || !self.knows_better_than(root) {
                *lines = vec![RootLine::of(root, depth)];
            }
        } else if let Some((mv, score)) = self.root.failed_high
            && lines.first().is_none_or(|best| best.score < score)
            && let Some(root) = self.root.moves.iter().find(|root| root.mv == mv && !root.is_lost)
        {
            // A move that beat the window and was being searched again: its score is a lower bound. The
            // length of a mate is not known then, so the move keeps the score of the iteration before,
            // unless that is a mate with its whole line, too.
            match lines.first_mut() {
                Some(line) if line.score.is_mate() && score.is_mate() => {}
                Some(line) if score.is_mate() => line.pv = vec![mv],
                _ => *lines = vec![RootLine { score, ..RootLine::of(root, depth) }],
            }
        } else if let Some(line) = lines.first_mut()
            && !line.score.is_loss()
            && self.root.moves.iter().any(|root| root.is_lost && root.mv == line.pv[0])
        {
            // The best move of the iteration before has turned out to lose, but the position is not lost
            // yet. Among the moves that have not, the one that took most nodes is better than a loss. It
            // has the score of the iteration before, which it did not exceed. If the iteration before
            // lost, too, its whole line is kept.
            self.shared.team.refute(line.pv[0]);
            if let Some(other) = self.root.most_searched() {
                line.pv = vec![other];
            }
        } else if let Some(removed) = self.root.mates.removed.as_ref().filter(|_| is_first) {
            // The best move was removed because it allows a mate. The same holds for the others.
            let instead = |mv| RootLine { pv: vec![mv], ..removed.clone() };
            lines.extend(self.root.most_searched().map(instead));
        }
    }

    /// Whether an earlier search would play another of the root moves, which has not turned out to lose.
    fn knows_better_than(&self, found: &RootMove) -> bool {
        let known = self.known_move();
        let is_known = |root: &RootMove| Some(root.mv) == known && root.mv != found.mv;
        self.root.moves.iter().any(|root| is_known(root) && !root.is_lost)
    }

    /// Replaces the best line by that of another thread if the threads together prefer it.
    pub(crate) fn take_vote(
        &self,
        best: &mut RootLine,
        mut others: Vec<RootLine>,
        reporter: &mut Reporter<'_>,
    ) {
        // A move that one thread knows to lose is not elected by those that do not know it. A loss is not
        // elected, either: removed moves may last longer.
        let refuted = self.shared.team.refuted();
        others.retain(|line| !line.score.is_loss() && !refuted.contains(&line.pv[0]));
        if refuted.contains(&best.pv[0])
            && !best.score.is_loss()
            && let Some(other) = others.pop()
        {
            *best = other;
            reporter.up_to_date = false;
        }
        if let Some(elected) = vote::elect(best, &others) {
            *best = elected.clone();
            reporter.up_to_date = false;
        }
    }

    /// The time since the search was asked for. Zero for all threads but the first.
    pub(crate) fn elapsed(&self) -> Duration {
        self.keeper.as_ref().map_or(Duration::ZERO, |keeper| keeper.elapsed())
    }

    /// Whether the search can stop after the iteration that was just finished.
    fn is_content(&mut self, depth: u32, lines: &[RootLine], stability: &mut Stability) -> bool {
        self.look_at_limits();
        if self.shared.team.has_ended() {
            return true;
        }
        let Some(best) = lines.first() else { return false };
        let total: u64 = self.root.moves.iter().map(|root| root.nodes).sum();
        let on_best = self.root.moves[0].nodes as f64 / total.max(1) as f64;
        let scale = stability.time_scale(best, on_best);
        let only_move = self.root.moves.len() == 1;
        // Once the search is deeper than a mate, its length is exact.
        let mate_distance = Score::MATE.value() - best.score.value().abs();
        let mate_is_settled = best.score.is_mate() && depth as i32 >= mate_distance + 2;
        let scale = if only_move || mate_is_settled { 0 } else { scale };
        self.keeper.as_mut().is_some_and(|keeper| keeper.should_stop(scale))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::testing::with_worker;
    use tsumero_control::{Clock, Instant, Limits, Signals, TimeKeeper, TimeSettings};
    use tsumero_core::{ByColor, Color, Move, Position};

    /// If time ends while a move that beat the window is searched again, it is played, unless it is
    /// no better than the result of the last finished iteration.
    #[test]
    fn a_move_that_beat_the_window_is_not_thrown_away() {
        with_worker(&Position::startpos(), |worker| {
            let finished =
                RootLine { score: Score::new(10), ..RootLine::of(&worker.root.moves[0], 3) };
            let better = worker.root.moves[7].mv;
            for (score, line_count, expected) in
                [(60, 1, better), (5, 1, finished.pv[0]), (60, 2, finished.pv[0])]
            {
                worker.root.failed_high = Some((better, Score::new(score)));
                let mut lines = vec![finished.clone()];
                worker.root.depth = 4;
                worker.salvage(line_count, &mut lines);
                assert_eq!(lines[0].pv[0], expected, "{score} {line_count}");
                if expected == better {
                    assert_eq!((lines[0].score, lines[0].depth), (Score::new(score), 4));
                }
            }
            // A mate that is only a bound is played, but it has no line to show.
            worker.root.failed_high = Some((better, Score::mate_in(5)));
            let mut lines = vec![finished.clone()];
            worker.salvage(1, &mut lines);
            assert_eq!((&lines[0].pv, lines[0].score), (&vec![better], finished.score));
            // If there was a mate before, its line is shown.
            let mate = RootLine { score: Score::mate_in(9), ..finished };
            let mut lines = vec![mate.clone()];
            worker.salvage(1, &mut lines);
            assert_eq!((&lines[0].pv, lines[0].score), (&mate.pv, mate.score));
        });
    }

    /// If time ends before an iteration has begun, what the one before found is no result of it.
    #[test]
    fn an_iteration_that_never_began_has_no_result() {
        with_worker(&Position::startpos(), |worker| {
            (worker.root.depth, worker.root.team_depth) = (3, 3);
            let mut lines = worker.search_lines(1, &mut None);
            assert!(worker.root.exact_best().is_some());
            worker.shared.team.end();
            worker.look_at_limits();
            worker.root.depth = 4;
            assert!(worker.search_lines(1, &mut None).is_empty());
            worker.salvage(1, &mut lines);
            assert_eq!(lines[0].depth, 3);
        });
    }

    /// With an only move or a settled mate, the iteration that runs when the ponder hit comes is not
    /// finished. It may be long.
    #[test]
    fn nothing_to_think_about_while_pondering_means_an_answer_at_the_hit() {
        // A worker borrows them for longer than this test can lend anything of its own.
        static LIMITS: LazyLock<Limits> = LazyLock::new(|| {
            let remaining = ByColor([Duration::from_secs(3600); 2]);
            let clock = Some(Clock { remaining, ..Clock::default() });
            Limits { ponder: true, clock, ..Limits::default() }
        });
        static SETTINGS: LazyLock<TimeSettings> = LazyLock::new(TimeSettings::default);
        static SIGNALS: LazyLock<[Signals; 4]> = LazyLock::new(|| [(); 4].map(|()| Signals::new()));
        let only_move = Position::from_sfen("k8/G8/9/9/9/9/9/9/4K4 w - 1").expect("legal");
        let cases = [
            (&only_move, Score::new(10), 1, true),
            (&Position::startpos(), Score::mate_in(5), 7, true),
            (&Position::startpos(), Score::mate_in(5), 6, false),
            (&Position::startpos(), Score::new(10), 7, false),
        ];
        for ((position, score, depth, is_enough), signals) in cases.into_iter().zip(&*SIGNALS) {
            with_worker(position, |worker| {
                let now = Instant::now();
                worker.keeper =
                    Some(TimeKeeper::new(&LIMITS, &SETTINGS, signals, Color::Black, 1, now));
                let lines = [RootLine { score, ..RootLine::of(&worker.root.moves[0], depth) }];
                assert!(!worker.is_content(depth, &lines, &mut Stability::default()));
                worker.look_at_limits();
                assert!(!worker.shared.team.has_ended(), "the clock stands");
                signals.ponder_hit(None, Instant::now());
                worker.look_at_limits();
                assert_eq!(worker.shared.team.has_ended(), is_enough, "{score:?} {depth}");
            });
        }
    }

    /// A better move of the iteration that time cuts short is not better than a mate that was found.
    #[test]
    fn a_proven_mate_stays_before_an_unfinished_iteration() {
        with_worker(&Position::startpos(), |worker| {
            let mate =
                RootLine { score: Score::mate_in(9), ..RootLine::of(&worker.root.moves[3], 2) };
            worker.root.mates.proven = Some(mate.clone());
            worker.root.depth = 4;
            worker.record_root_result(1, Score::new(60), Window::full(), 0);
            worker.shared.team.end();
            for (line_count, first) in [(1, vec![mate.clone()]), (1, vec![]), (3, vec![])] {
                let mut lines = first;
                worker.salvage(line_count, &mut lines);
                assert_eq!((lines[0].score, &lines[0].pv), (mate.score, &mate.pv), "{line_count}");
            }
        });
    }

    /// If time ends while all moves searched so far lose, another move is better than a loss. It is
    /// not better than a line that is known to lose: that line ends in the mate that its score tells.
    #[test]
    fn a_line_that_loses_is_kept_whole() {
        with_worker(&Position::startpos(), |worker| {
            let line = |score| RootLine {
                score,
                pv: worker.root.moves[..3].iter().map(|root| root.mv).collect(),
                ..RootLine::of(&worker.root.moves[0], 3)
            };
            let [even, lost] = [Score::new(10), Score::mated_in(8)].map(line);
            worker.root.depth = 4;
            // Only the first move has been searched. It took most nodes, and loses: exactly, or at
            // least so much that it is far below the window.
            worker.nodes = 9_000;
            worker.root.moves[5].nodes = 1_000;
            let ordinary = Window { alpha: Score::new(-40), beta: Score::new(60) };
            for window in [Window::full(), ordinary] {
                worker.record_root_result(1, Score::mated_in(12), window, 0);
                for (before, expected) in
                    [(&even, vec![worker.root.moves[5].mv]), (&lost, lost.pv.clone())]
                {
                    let mut lines = vec![before.clone()];
                    worker.salvage(1, &mut lines);
                    assert_eq!((&lines[0].pv, lines[0].score), (&expected, before.score));
                }
            }
        });
    }

    #[test]
    fn a_depth_is_searched_again_in_few_steps() {
        for again in 1..=64 {
            let mut depth = (again / 2).max(1);
            let mut steps = 0;
            while depth < again {
                let next = on_the_way(depth, again);
                assert!(depth < next && next <= again);
                depth = next;
                steps += 1;
            }
            assert!(depth == again && steps <= 2, "{again}: {steps} steps");
        }
    }

    /// A thread gives up a depth that another one has finished, and goes on from its lines.
    #[test]
    fn a_thread_goes_on_from_the_lines_of_a_faster_one() {
        with_worker(&Position::startpos(), |worker| {
            let order =
                |worker: &Worker<'_, _>| worker.root.moves.iter().map(|root| root.mv).collect();
            let mut expected: Vec<Move> = order(worker);
            let faster: Vec<RootLine> = [7, 3]
                .map(|at| RootLine {
                    score: Score::new(at),
                    ..RootLine::of(&worker.root.moves[at as usize], 6)
                })
                .into();
            let (second, first) = (expected.remove(7), expected.remove(3));
            expected.splice(0..0, [second, first]);

            let mut lines = vec![RootLine::of(&worker.root.moves[0], 4)];
            (worker.root.depth, worker.root.team_depth) = (5, 5);
            worker.shared.team.share(faster);
            assert!(worker.search_lines(2, &mut None).is_empty() && worker.nodes == 0);
            assert_eq!(worker.take_over(Vec::new(), 2, &mut lines), Some(6));
            let seen: Vec<_> =
                lines.iter().map(|line| (line.pv[0], line.score, line.depth)).collect();
            assert_eq!(seen, [(second, Score::new(7), 6), (first, Score::new(3), 6)]);
            assert_eq!(order(worker), expected);
            assert_eq!(
                (worker.root.moves[0].score, worker.root.moves[1].score),
                (seen[0].1, seen[1].1)
            );

            // The same lines a second time are no news, and shallower lines of its own are none.
            assert_eq!(worker.take_over(Vec::new(), 2, &mut lines), None);
            let own = vec![RootLine::of(&worker.root.moves[5], 5)];
            assert_eq!(worker.take_over(own, 2, &mut lines), None);
            // What is left of an iteration that is not the deepest is worth nothing.
            worker.root.failed_high = Some((worker.root.moves[9].mv, Score::new(500)));
            worker.salvage(1, &mut lines);
            assert_eq!(lines[0].pv[0], second);

            // A deeper depth is searched to its end.
            (worker.root.depth, worker.root.team_depth) = (7, 7);
            let own = worker.search_lines(2, &mut None);
            assert_eq!(own.iter().map(|line| line.depth).collect::<Vec<_>>(), [7, 7]);
            let best = own[0].pv.clone();
            assert_eq!(worker.take_over(own, 2, &mut lines), Some(7));
            assert_eq!((lines.len(), &lines[0].pv), (2, &best));
        });
    }

    /// Another thread searches without the moves that are known to lose, and knows not how long they last.
    #[test]
    fn a_lost_position_is_lost_as_late_as_possible() {
        with_worker(&Position::startpos(), |worker| {
            let mated = |number: usize, plies, depth| RootLine {
                score: Score::mated_in(plies),
                ..RootLine::of(&worker.root.moves[number], depth)
            };
            let (longest, shorter) = (mated(0, 8, 3), mated(1, 4, 6));
            worker.root.mates.refuted = vec![mated(2, 6, 3), longest.clone()];
            worker.shared.team.share(vec![shorter.clone()]);
            let lines = worker.iterate(6, 1, None);
            assert_eq!((lines.len(), lines[0].depth), (1, 6));
            assert_eq!((lines[0].score, &lines[0].pv), (longest.score, &longest.pv));

            let mut ignore = |_| {};
            let mut best = longest.clone();
            let others = vec![RootLine { depth: 126, ..shorter }];
            worker.take_vote(&mut best, others, &mut Reporter::new(&mut ignore));
            assert_eq!((best.score, best.pv), (longest.score, longest.pv));
        });
    }

    /// A thread may not know what another one has found: that a move loses.
    #[test]
    fn no_vote_brings_back_a_move_that_loses() {
        with_worker(&Position::startpos(), |worker| {
            let line = |number: usize, depth| RootLine {
                score: Score::new(10),
                ..RootLine::of(&worker.root.moves[number], depth)
            };
            let (first, refuted, other) = (line(0, 8), line(1, 30), line(2, 9));
            worker.shared.team.refute(refuted.pv[0]);
            let mut ignore = |_| {};
            for (own, others, expected) in [
                (&first, vec![refuted.clone()], &first),
                (&first, vec![refuted.clone(), other.clone()], &other),
                (&refuted, vec![first.clone(), other.clone()], &other),
                (&refuted, vec![refuted.clone()], &refuted),
            ] {
                let mut reporter = Reporter::new(&mut ignore);
                reporter.up_to_date = true;
                let mut best = own.clone();
                worker.take_vote(&mut best, others, &mut reporter);
                assert_eq!(best.pv, expected.pv);
                // Another line has to be reported before the answer.
                assert_eq!(reporter.up_to_date, expected.pv == own.pv);
            }
        });
    }
}

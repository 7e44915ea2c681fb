//! One search: its threads are started, search, and vote on the answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use tsumero_control::{MAX_PLY, Score, THREAD_RESERVE, TimeKeeper, has_room_for};
use tsumero_core::{EnteringKingRule, Game, Line, Move};

use crate::evaluate::Evaluator;
use crate::history::History;
use crate::reporter::Reporter;
use crate::root_moves::{RootLine, RootMove};
use crate::settings::Settings;
use crate::shared::Shared;
use crate::team::Team;
use crate::worker::{Task, Worker};

/// Size of the call stack that a thread needs to run a search, in bytes: a deep search keeps
/// several kilobytes of moves for every ply.
pub const STACK_SIZE: usize = 8 << 20;

/// One search, ready to be run by its threads.
pub(crate) struct Plan<'a> {
    pub(crate) position: &'a Game,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) threads: usize,
    pub(crate) max_depth: u32,
    /// The limit of nodes for all threads together.
    pub(crate) node_limit: u64,
    pub(crate) line_count: usize,
    /// Whether the search is restricted to some of the legal moves.
    pub(crate) is_restricted: bool,
}

/// What a search has come to.
pub(crate) struct Done<'a> {
    /// The best lines.
    pub(crate) lines: Vec<RootLine>,
    /// The clock.
    pub(crate) keeper: Option<TimeKeeper<'a>>,
    /// The number of threads that could not be started.
    pub(crate) missing_threads: usize,
}

impl Plan<'_> {
    /// Puts a move that wins at once first. So it is found even if a limit ends the first iteration.
    pub(crate) fn begin_with(&mut self, wins: impl Fn(Move) -> bool) {
        if let Some(at) = self.root_moves.iter().position(|root| wins(root.mv)) {
            self.root_moves[..=at].rotate_right(1);
        }
    }

    /// Searches on all threads; this thread is the first of them.
    pub(crate) fn run<'a, E: Evaluator<'a>>(
        &self,
        shared: &'a Shared<'a>,
        source: E::Source,
        histories: &'a mut [Option<History>],
        keeper: TimeKeeper<'a>,
        reporter: &mut Reporter<'_>,
    ) -> Done<'a> {
        let (first, others) = histories.split_at_mut(1);
        // The number of helpers that have their memory.
        let begun = &AtomicUsize::new(0);
        std::thread::scope(|scope| {
            // If this thread panics, the helpers end too: otherwise the scope would wait for them for ever.
            let _end = EndOnDrop(&shared.team);
            // This thread takes its memory first: without it there is no search.
            let history = first[0].get_or_insert_with(History::new);
            let mut worker = Worker::<E>::new(shared, source, self.task(0), history, Some(keeper));
            // It takes long to start many threads and to create their data. Another thread does it,
            // because this one has to watch the clock.
            let start = || {
                let builder = std::thread::Builder::new();
                let starter = builder.spawn_scoped(scope, move || {
                    self.start_helpers::<E>(scope, shared, source, others, begun)
                });
                starter.ok()
            };
            let starter = if self.threads > 1 { start() } else { None };
            let mut lines = worker.iterate(self.max_depth, self.line_count, Some(&mut *reporter));
            if lines.is_empty() {
                lines = vec![self.unsearched_line(&mut worker)];
            }
            let (helpers, missing_threads) = starter.map_or((Vec::new(), self.threads - 1), join);
            let results: Vec<RootLine> = helpers.into_iter().filter_map(join).collect();
            // A search of a given depth ends with the first result of that depth.
            if self.line_count == 1 && self.max_depth == MAX_PLY {
                worker.take_vote(&mut lines[0], results, reporter);
            }
            // Show the answer now, even if it may only be given later.
            worker.report_final(&lines, reporter);
            Done { lines, keeper: worker.into_keeper(), missing_threads }
        })
    }

    /// Starts the helpers, as long as there is memory for them and the search has not ended. `begun`
    /// counts those that have their memory. Returns them, and how many could not be started.
    fn start_helpers<'scope, 'a: 'scope, E: Evaluator<'a>>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        shared: &'a Shared<'a>,
        source: E::Source,
        histories: &'a mut [Option<History>],
        begun: &'scope AtomicUsize,
    ) -> (Vec<Helper<'scope>>, usize) {
        let count = histories.len();
        let mut helpers = Vec::new();
        for (index, history) in histories.iter_mut().enumerate() {
            if shared.team.has_ended() {
                return (helpers, 0);
            }
            // Asked before the tables are made: otherwise they use up the reserve.
            let tables = if history.is_none() { History::SIZE } else { 0 };
            let all_begun =
                || begun.load(Ordering::Acquire) == helpers.len() || shared.team.has_ended();
            if !has_room_after(STACK_SIZE + tables, all_begun) {
                break;
            }
            if history.is_none() {
                *history = History::try_new();
            }
            let Some(history) = history.as_mut() else { break };
            // If a helper cannot be spawned, the search is only slower.
            let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
            let helper = builder.spawn_scoped(scope, move || {
                // The allocator gives this thread its memory now.
                let task = self.task(index + 1);
                let mut worker = Worker::<E>::new(shared, source, task, history, None);
                begun.fetch_add(1, Ordering::Release);
                if shared.team.has_ended() {
                    return None;
                }
                worker.iterate(self.max_depth, self.line_count, None).into_iter().next()
            });
            let Ok(helper) = helper else { break };
            helpers.push(helper);
        }
        let missing = count - helpers.len();
        (helpers, missing)
    }

    /// The task of one thread.
    fn task(&self, thread: usize) -> Task {
        Task {
            thread,
            position: Line::from(self.position),
            root_moves: self.root_moves.clone(),
            is_restricted: self.is_restricted,
            node_limit: self.node_limit,
        }
    }

    /// The line to answer with if the search was stopped before it had any result.
    fn unsearched_line<'a, E: Evaluator<'a>>(&self, worker: &mut Worker<'a, E>) -> RootLine {
        let score = worker.evaluate();
        let wins = wins_at_once(self.position, worker.shared.settings, true);
        // An earlier search may know a good move. A level remembers none, and a win stands first.
        let known = worker.known_move().filter(|_| !wins(worker.root.moves[0].mv));
        let mut line = fallback_line(score, &worker.root.moves, known);
        // What wins has that score also at a level that does not see mates.
        if wins(line.pv[0]) {
            line.score = Score::mate_in(1);
        }
        line
    }
}

/// A thread other than the first, with its best line.
type Helper<'scope> = ScopedJoinHandle<'scope, Option<RootLine>>;

/// With so much memory left, several threads can begin at the same time.
const PLENTY: usize = 8 * THREAD_RESERVE;

/// Whether there is memory for a thread that needs so many bytes. If there is little, the threads before
/// it must have theirs first.
fn has_room_after(bytes: usize, all_begun: impl Fn() -> bool) -> bool {
    if has_room_for(bytes + PLENTY) {
        return true;
    }
    while !all_begun() {
        std::thread::sleep(Duration::from_micros(100));
    }
    has_room_for(bytes + THREAD_RESERVE)
}

/// Ends the search of all threads at last.
struct EndOnDrop<'a>(&'a Team);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The result of a thread, which panics here if the thread has panicked.
fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Tells of a legal move whether it wins the game: a try where one wins, or the static mate in one if
/// the player `sees_mates`. A try is a win by the rules, as a declaration is: no level overlooks it.
pub(crate) fn wins_at_once(
    game: &Game,
    settings: &Settings,
    sees_mates: bool,
) -> impl Fn(Move) -> bool + use<> {
    let mate = game.mate_in_one().filter(|_| sees_mates);
    let tries_win = settings.entering_king_rule == EnteringKingRule::TryRule;
    move |mv| Some(mv) == mate || tries_win && mv.is_try()
}

/// The line of a move that is not known to lose, with the given score: of the `known` one, or else of the
/// first.
fn fallback_line(score: Score, root_moves: &[RootMove], known: Option<Move>) -> RootLine {
    let open = || root_moves.iter().filter(|root| !root.is_lost);
    let best = open().find(|root| Some(root.mv) == known).or_else(|| open().next());
    RootLine { score, depth: 0, seldepth: 0, pv: vec![best.unwrap_or(&root_moves[0]).mv] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root_moves::root_moves;

    #[test]
    fn the_first_answer_is_no_move_that_is_known_to_lose() {
        let (mut moves, _) = root_moves(&Game::default(), &[]);
        let answer = |moves: &[RootMove], known| fallback_line(Score::ZERO, moves, known).pv[0];
        let known = Some(moves[5].mv);
        assert_eq!(answer(&moves[..5], known), moves[0].mv, "it is not asked for");
        moves[0].is_lost = true;
        assert_eq!(answer(&moves, None), moves[1].mv);
        assert_eq!(answer(&moves, known), moves[5].mv);
        moves[5].is_lost = true;
        assert_eq!(answer(&moves, known), moves[1].mv);
        moves.iter_mut().for_each(|root| root.is_lost = true);
        assert_eq!(answer(&moves, known), moves[0].mv);
    }
}

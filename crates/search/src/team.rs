//! How the threads of one search work together: which depth each of them searches, and what they
//! know of each other's results.
//!
//! The threads share the table, as usual ("Lazy SMP"). Each searches another depth: an iteration
//! takes the next depth that no thread has begun. The first thread that finishes a depth publishes its
//! result. Threads that still search this depth, or a lower one, give up and go on from that result.
//! Without this, a thread has to search again what another one has just finished, and the table saves
//! it only a third of the nodes.
//!
//! With one thread all this changes nothing: it takes one depth after the other.

use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;
use tsumero_core::Move;

use crate::root_moves::{RootLine, RootMove};

/// The depths beyond the deepest finished one that are searched at the same time. With more
/// threads, several search the same depth.
const MOST_DEPTHS: u32 = 4;

/// What the threads of one search know of each other.
pub(crate) struct Team {
    /// The lowest depth whose result is still wanted; [`ENDED`] once the search has ended.
    wanted: AtomicU32,
    /// The number of depths that are searched at the same time.
    depths: u32,
    state: Mutex<TeamState>,
}

/// The wanted depth after the end of the search: beyond every depth.
const ENDED: u32 = u32::MAX;

/// The results and depths of the threads, which change only between iterations.
#[derive(Default)]
struct TeamState {
    /// The deepest depth that a thread has begun.
    begun: u32,
    /// The lines of the deepest finished iteration. Empty at first, and after its best move was
    /// refuted.
    lines: Vec<RootLine>,
    /// Root moves that lose.
    refuted: Vec<Move>,
}

impl Team {
    /// Deeper than every depth that a thread finishes.
    pub(crate) const DEEPEST: u32 = ENDED - 1;

    /// The state before a search with the given number of threads.
    pub(crate) fn new(threads: usize) -> Team {
        let depths = (threads as u32).clamp(1, MOST_DEPTHS);
        Team { wanted: AtomicU32::new(0), depths, state: Mutex::default() }
    }

    /// Tells all threads to end.
    pub(crate) fn end(&self) {
        self.wanted.store(ENDED, Ordering::Relaxed);
    }

    /// Whether all threads have to end.
    #[inline]
    pub(crate) fn has_ended(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) == ENDED
    }

    /// Whether a search of this depth is in vain: another thread has finished it, or all threads
    /// have to end.
    #[inline]
    pub(crate) fn is_past(&self, depth: u32) -> bool {
        depth < self.wanted.load(Ordering::Relaxed)
    }

    /// The depth in plies that a thread searches next, or `None` if `max_depth` is finished or the
    /// search has ended.
    pub(crate) fn begin(&self, thread: usize, max_depth: u32) -> Option<u32> {
        let mut state = self.state.lock();
        let first = self.wanted.load(Ordering::Relaxed).max(1);
        if first > max_depth {
            return None;
        }
        let free = first.max(state.begun + 1);
        let all_begun = free >= first + self.depths;
        let depth = if all_begun { first + thread as u32 % self.depths } else { free };
        let depth = depth.min(max_depth);
        state.begun = state.begun.max(depth);
        Some(depth)
    }

    /// Publishes the lines of a finished iteration, if there are any. Returns the lines to go on
    /// from: these, or deeper ones of another thread. There are none before the first depth is
    /// finished, and after the best move was refuted.
    pub(crate) fn share(&self, lines: Vec<RootLine>) -> Vec<RootLine> {
        let mut state = self.state.lock();
        if let Some(best) = lines.first()
            && state.lines.first().is_none_or(|known| known.depth < best.depth)
            && lines.iter().all(|line| !state.refuted.contains(&line.pv[0]))
        {
            self.wanted.fetch_max(best.depth + 1, Ordering::Relaxed);
            state.lines = lines;
        }
        state.lines.clone()
    }

    /// Tells all threads that a move loses.
    pub(crate) fn refute(&self, mv: Move) {
        let mut state = self.state.lock();
        state.refuted.push(mv);
        if state.lines.iter().any(|line| line.pv[0] == mv) {
            state.lines.clear();
        }
    }

    /// The moves that lose, as far as the threads have told.
    pub(crate) fn refuted(&self) -> Vec<Move> {
        self.state.lock().refuted.clone()
    }

    /// Removes the refuted moves from a thread's root moves.
    pub(crate) fn drop_refuted(&self, root_moves: &mut Vec<RootMove>) {
        let state = self.state.lock();
        root_moves.retain(|root| !state.refuted.contains(&root.mv));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::prelude::*;
    use tsumero_control::{Limits, Score, Signals};
    use tsumero_core::{Game, Position};

    use crate::{Question, Searcher, Settings};

    fn line(mv: &str, depth: u32) -> RootLine {
        let pv = vec![Position::startpos().parse_move(mv).unwrap()];
        RootLine { score: Score::ZERO, depth, seldepth: depth, pv }
    }

    fn moves(lines: &[RootLine]) -> Vec<String> {
        lines.iter().map(|line| line.pv[0].to_usi().to_string()).collect()
    }

    /// The other threads do not know why the first one ended.
    #[test]
    fn a_report_that_panics_ends_all_threads() {
        let (done, ended) = std::sync::mpsc::channel();
        let run = move || {
            let (game, settings) =
                (Game::default(), Settings { threads: 2, ..Settings::default() });
            let limits = Limits { infinite: true, ..Limits::default() };
            let signals = Signals::new();
            let question = Question::new(&game, &limits, &settings, &signals);
            let search = || Searcher::new(1).search(&question, &mut |_| panic!("no reader"));
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(search));
            let _ = done.send(panic.is_err());
        };
        let builder = std::thread::Builder::new().stack_size(crate::STACK_SIZE);
        builder.spawn(run).unwrap();
        assert_eq!(ended.recv_timeout(std::time::Duration::from_secs(60)), Ok(true));
    }

    #[test]
    fn one_thread_takes_one_depth_after_the_other() {
        let team = Team::new(1);
        for depth in 1..=5 {
            assert_eq!(team.begin(0, 5), Some(depth));
            assert!(!team.is_past(depth));
            let lines = team.share(vec![line("7g7f", depth)]);
            assert_eq!(lines[0].depth, depth);
            assert!(team.is_past(depth) && !team.is_past(depth + 1));
        }
        assert_eq!(team.begin(0, 5), None);
        assert!(!team.has_ended());
        assert_eq!(team.begin(0, 6), Some(6));
    }

    #[test]
    fn each_thread_takes_a_depth_of_its_own_until_all_are_taken() {
        let team = Team::new(6);
        let depths: Vec<_> = (0..6).map(|thread| team.begin(thread, 64).unwrap()).collect();
        assert_eq!(depths[..4], [1, 2, 3, 4]);
        assert!(depths[4..].iter().all(|depth| (1..=4).contains(depth)));
        assert_ne!(depths[4], depths[5]);
        // The second thread is faster than the first.
        team.share(vec![line("7g7f", 2)]);
        assert!(team.is_past(1) && team.is_past(2) && !team.is_past(3));
        assert_eq!((team.begin(0, 64), team.begin(1, 64)), (Some(5), Some(6)));
        // No depth beyond the last one is begun.
        assert_eq!((team.begin(0, 6), team.begin(1, 6)), (Some(3), Some(4)));
        assert_eq!((team.begin(2, 3), team.begin(3, 3)), (Some(3), Some(3)));
    }

    #[test]
    fn the_deepest_lines_stay_unless_their_move_is_refuted() {
        let team = Team::new(2);
        assert!(team.share(Vec::new()).is_empty());
        assert_eq!(moves(&team.share(vec![line("7g7f", 3), line("2g2f", 3)])), ["7g7f", "2g2f"]);
        for other in [vec![], vec![line("6g6f", 2)], vec![line("6g6f", 3)]] {
            assert_eq!(moves(&team.share(other)), ["7g7f", "2g2f"]);
        }
        team.refute(line("9g9f", 1).pv[0]);
        assert_eq!(moves(&team.share(Vec::new())), ["7g7f", "2g2f"]);
        team.refute(line("7g7f", 1).pv[0]);
        assert!(team.share(Vec::new()).is_empty());
        // The depth was finished all the same, and must not be searched with other results.
        assert!(team.is_past(3));
        // Nobody can bring the move back.
        assert!(team.share(vec![line("7g7f", 9)]).is_empty());
        assert!(!team.is_past(9) && !team.is_past(4));
        assert_eq!(moves(&team.share(vec![line("6g6f", 1)])), ["6g6f"]);
        assert!(team.is_past(3) && !team.is_past(4));

        let mut root_moves: Vec<RootMove> =
            ["6g6f", "9g9f", "7g7f", "2g2f"].map(|mv| RootMove::new(line(mv, 1).pv[0])).into();
        team.drop_refuted(&mut root_moves);
        let left: Vec<_> = root_moves.iter().map(|root| root.mv.to_usi().to_string()).collect();
        assert_eq!(left, ["6g6f", "2g2f"]);
    }

    #[test]
    fn after_the_end_everything_is_past() {
        let team = Team::new(2);
        assert_eq!(team.begin(1, 64), Some(1));
        team.end();
        assert!(team.has_ended() && team.is_past(1) && team.is_past(Team::DEEPEST));
        assert_eq!(team.begin(0, 64), None);
        team.share(vec![line("7g7f", 1)]);
        assert!(team.has_ended());
    }

    /// Threads finish and give up in any order. None begins a depth that is past, and none runs far
    /// ahead of the others.
    #[test]
    fn random_schedules_keep_the_threads_together() {
        let mut random = StdRng::seed_from_u64(3);
        for threads in 1..=9_usize {
            let team = Team::new(threads);
            let mut searching: Vec<Option<u32>> = vec![None; threads];
            let mut finished = 0;
            for _ in 0..2_000 {
                let thread = random.random_range(0..threads);
                match searching[thread].take() {
                    Some(depth) => {
                        assert_eq!(team.is_past(depth), depth <= finished);
                        if depth > finished {
                            finished = depth;
                            assert_eq!(team.share(vec![line("7g7f", depth)])[0].depth, depth);
                        }
                    }
                    None => {
                        let depth = team.begin(thread, Team::DEEPEST).unwrap();
                        assert!(depth > finished && depth <= finished + team.depths);
                        let others = searching.iter().filter(|&&other| other == Some(depth));
                        assert!(threads > team.depths as usize || others.count() == 0);
                        searching[thread] = Some(depth);
                    }
                }
            }
            assert!(finished > 300);
        }
    }
}

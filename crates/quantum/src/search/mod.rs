//! A search for quantum shogi: iterative deepening, alpha-beta with a table, and a search of
//! captures at its leaves.

mod alpha_beta;
mod evaluate;
mod exchange;
mod history;
mod node;
mod table;

use tsumero_control::{MAX_PLY, Score, TimeKeeper, TimeSettings};

use crate::moves::Move;
use crate::position::Position;
use alpha_beta::Worker;
pub use evaluate::{WEIGHT_COUNT, evaluate, features, weights};
use table::Table;

/// Settings of the search. The defaults are those the engine's options announce.
///
/// ```
/// use tsumero_control::{Limits, Signals};
/// use tsumero_quantum::{BestMove, Position, Question, Searcher, Settings};
///
/// // Black's king A stands in the corner. The rooks K and k leave it no square.
/// let kinds = "8002020404080810102040010101010101010101".repeat(2);
/// let hands = "/BCDEFGHIJLMNOPQRSTbcdefghijlmnopqrst";
/// let position: Position = format!("a8/9/9/9/9/9/9/8k/A7-K b {hands} 9 {kinds}").parse()?;
/// let answer = |settings: &Settings| {
///     let limits = Limits { depth: Some(2), ..Limits::default() };
///     let mut searcher = Searcher::try_new(1).unwrap();
///     let signals = Signals::new();
///     searcher.search(&Question::new(&position, &limits, settings, &signals), &mut |_| {})
/// };
/// let usual = Settings::default();
/// let resigns = Settings { resign_value: Some(3_000), ..usual.clone() };
/// assert!(matches!(answer(&usual), BestMove::Move { .. }));
/// assert_eq!(answer(&resigns), BestMove::Resign);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// Time management.
    pub time: TimeSettings,
    /// The engine resigns when the score falls to minus this value; `None` for never.
    pub resign_value: Option<i32>,
    /// Deepest iteration; `None` for no limit. A search whose
    /// [`Limits`](tsumero_control::Limits) are empty ends there, too, but answers only after a stop.
    pub depth_limit: Option<u32>,
    /// Largest number of nodes; `None` for no limit. The same holds as for `depth_limit`.
    pub nodes_limit: Option<u64>,
}

/// The progress of a search: the best line with its score.
pub type Info = tsumero_control::Info<Move>;

/// The answer of a search.
///
/// ```
/// use tsumero_control::{Limits, Signals};
/// use tsumero_quantum::{BestMove, Position, Question, Searcher, Settings};
///
/// let position = Position::startpos();
/// let limits = Limits { nodes: Some(50), ..Limits::default() };
/// let (settings, signals) = (Settings::default(), Signals::new());
/// // Only this move is to be looked at.
/// let only = [position.parse_move("7g7f")?];
/// let mut searcher = Searcher::try_new(1)?;
/// let question = Question::new(&position, &limits, &settings, &signals);
/// match searcher.search(&Question { search_moves: &only, ..question }, &mut |_| {}) {
///     BestMove::Move { best, .. } => assert_eq!(best.to_string(), "7g7f"),
///     BestMove::Resign => panic!("there is a legal move"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestMove {
    /// A move, and the reply to ponder on, which is legal after it.
    Move {
        /// The move to play.
        best: Move,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// There is no legal move, or the score has fallen to minus the resignation value.
    Resign,
}

/// Why a searcher could not be made.
///
/// ```
/// use tsumero_quantum::{Searcher, SearcherError};
///
/// // No computer has so much memory.
/// let megabytes = usize::MAX;
/// let error = Searcher::try_new(megabytes).unwrap_err();
/// assert_eq!(error, SearcherError::OutOfMemory { megabytes });
/// assert!(error.to_string().starts_with("no memory for a table of"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearcherError {
    /// The table of the size asked for does not fit into memory.
    #[error("no memory for a table of {megabytes} MB")]
    OutOfMemory {
        /// The size asked for.
        megabytes: usize,
    },
}

/// The deepest iteration. The quiescence search goes on below it.
const DEEPEST: u32 = MAX_PLY / 2;

/// The question to a [`Searcher`].
pub type Question<'a> = tsumero_control::Question<'a, Position, Move, Settings>;

/// A searcher with its memory, which is kept from search to search. It runs on the calling thread.
///
/// ```
/// use tsumero_control::{Limits, Signals};
/// use tsumero_quantum::{BestMove, PieceId, Position, Question, Searcher, Settings};
///
/// // White's rook K attacks the king A.
/// let kinds = "8002020404080810102040010101010101010101".repeat(2);
/// let hands = "/BCDEFGHIJLMNOPQRSTbcdefghijklmnopqrst";
/// let position: Position = format!("a8/9/9/9/9/9/9/-K8/A8 w {hands} 2 {kinds}").parse()?;
/// let limits = Limits { depth: Some(1), ..Limits::default() };
/// let (settings, signals) = (Settings::default(), Signals::new());
/// let mut shown = Vec::new();
/// let question = Question::new(&position, &limits, &settings, &signals);
/// let answer = Searcher::try_new(1)?.search(&question, &mut |info| shown.push(info.score.is_win()));
/// let BestMove::Move { best, .. } = answer else { panic!("there is a legal move") };
/// assert_eq!(Some(best.to()), position.square_of(PieceId::from_letter(b'A').unwrap()));
/// assert_eq!(shown, [true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    table: Table,
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher").finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher with a table of at most `megabytes`, at least 1.
    ///
    /// # Errors
    /// [`SearcherError::OutOfMemory`].
    pub fn try_new(megabytes: usize) -> Result<Searcher, SearcherError> {
        let table = Table::new(megabytes).ok_or(SearcherError::OutOfMemory { megabytes })?;
        Ok(Searcher { table })
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Makes the system provide the memory of the table now, as long as `goes_on` returns true. It
    /// is called about every millisecond. This makes the first search faster.
    pub fn warm_up(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        self.table.warm_up(goes_on);
    }

    /// Looks for the best move until a limit is reached.
    pub fn search(&mut self, question: &Question<'_>, on_info: &mut dyn FnMut(Info)) -> BestMove {
        let Question { position, limits, search_moves, settings, signals, started } = *question;
        self.table.start_search();
        let mut moves = position.legal_moves();
        let is_restricted = moves.iter().any(|mv| search_moves.contains(mv));
        if is_restricted {
            moves.retain(|mv| search_moves.contains(mv));
        }
        let side = position.side_to_move();
        let mut keeper =
            TimeKeeper::new(limits, &settings.time, signals, side, position.ply(), started);
        if moves.is_empty() {
            on_info(Info::decided(Score::mated_in(0), keeper.elapsed()));
            keeper.wait_until_answer_is_due();
            return BestMove::Resign;
        }
        let max_depth = limits.depth_within(settings.depth_limit, DEEPEST);
        let node_limit = limits.nodes_within(settings.nodes_limit);
        let mut worker = Worker::new(position, moves, &mut self.table, &mut keeper, node_limit);
        let known = worker.known_move();
        let mut best = Line { score: Score::ZERO, pv: vec![known.unwrap_or(worker.first_move())] };
        // Whether the best line was reported, and the iteration that found it.
        let mut told = false;
        let mut reached = 0;
        for depth in 1..=max_depth {
            let line = worker.search_root(depth as i32);
            let finished = !worker.is_aborted();
            // An earlier search has seen more than a part of the first iteration.
            let keeps_known = |line: &Line| {
                let is_better = |mv| !worker.has_refuted(mv) && mv != line.pv[0];
                !finished && depth == 1 && !line.score.is_win() && known.is_some_and(is_better)
            };
            if let Some(line) = line.filter(|line| !keeps_known(line)) {
                (best, reached, told) = (line, depth, finished);
                if finished {
                    // The best of some moves need not be the best of all.
                    if !is_restricted {
                        worker.remember(depth, &best);
                    }
                    on_info(worker.info(depth, &best));
                }
            } else if !best.score.is_loss() && worker.has_refuted(best.pv[0]) {
                // The best move so far has turned out to lose. Another one need not, and its score is
                // at most that of the iteration before.
                (best.pv, told) = (vec![worker.first_move()], false);
            }
            let decided = best.score.is_mate() && finished && mate_is_near(best.score, depth);
            if !finished || worker.should_stop() || decided && worker.may_answer() {
                break;
            }
        }
        if !told {
            // The last iteration was not finished. The last report belongs to the answer all the same.
            on_info(worker.info(reached, &best));
        }
        worker.wait_until_answer_is_due();
        if limits.resigns(best.score, settings.resign_value) {
            return BestMove::Resign;
        }
        BestMove::Move { best: best.pv[0], ponder: best.pv.get(1).copied() }
    }
}

/// Whether a forced win or loss was found, which a deeper search would only confirm.
fn mate_is_near(score: Score, depth: u32) -> bool {
    Score::MATE.value() - score.value().abs() <= depth as i32
}

/// A line of play with its score; at least one move long.
#[derive(Clone, Debug)]
struct Line {
    score: Score,
    pv: Vec<Move>,
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    use tsumero_control::{Clock, Limits, Signals};
    use tsumero_core::ByColor;

    use super::*;

    /// The move that is searched first loses.
    const FIRST_LOSES: &str = "1+R3+J3/kB1F1-m3/2-D1T1L1l/3+o-P1Mn1/I+Q2+O1+G1q/1+-bt2C3/4dN3/6-p2/2-E1r1S2 w AK/Hacefghijs 67 \
        04408110200802048101010802010110010181010108018001020101010401010110084020100402";

    /// A move that turns out to lose does not lose the game as long as others are unsearched.
    #[test]
    fn an_iteration_that_is_cut_short_does_not_lose_by_the_moves_searched_so_far() {
        let mut searcher = Searcher::try_new(1).unwrap();
        let mut answer = |text: &str, nodes| {
            let position: Position = text.parse().unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (settings, signals) = (Settings::default(), Signals::new());
            searcher.clear();
            let mut told = Vec::new();
            let question = Question::new(&position, &limits, &settings, &signals);
            let answer = searcher
                .search(&question, &mut |info| told.push((info.depth, info.pv[0], info.score)));
            let BestMove::Move { best, .. } = answer else { panic!("{answer:?}") };
            assert_eq!(told.last().map(|last| last.1), Some(best));
            assert!(told.iter().all(|last| !last.2.is_loss()), "{nodes} nodes: {told:?}");
            told
        };
        // The move that is searched first leaves the king to be taken. One node more shows that.
        let first = answer(FIRST_LOSES, 1)[0].1;
        for nodes in 2..100 {
            assert!(answer(FIRST_LOSES, nodes).iter().all(|told| told.1 != first), "{nodes}");
        }
        // The best move of the first iteration turns out to lose in the second.
        let text = "4sO3/1M1e5/1I7/B+Q5A1/i3+oH3/S8/+N3c3+F/1G+E1+J4/D1R1K1T1C w LPbmqr/adfghjklnpt 445 \
            99df49df434f92cedf4f204adb4fd8564fdfdfdf0101080180011001010401200410020802014001";
        let mut instead = 0;
        for nodes in (2_000..3_500).step_by(20) {
            let told = answer(text, nodes);
            if let [.., one, other] = told[..] {
                instead += u32::from(one.0 == other.0 && one.1 != other.1);
            }
        }
        assert!(instead > 0);
    }

    #[test]
    fn a_search_that_ends_at_once_plays_what_an_earlier_one_has_found() {
        let position: Position = FIRST_LOSES.parse().unwrap();
        let mut searcher = Searcher::try_new(1).unwrap();
        let mut answer = |nodes, search_moves: &[Move]| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (settings, signals) = (Settings::default(), Signals::new());
            let question = Question::new(&position, &limits, &settings, &signals);
            let mut depth = 0;
            let best = searcher
                .search(&Question { search_moves, ..question }, &mut |info| depth = info.depth);
            let BestMove::Move { best, .. } = best else { panic!("{best:?}") };
            (best, depth)
        };
        let (first, depth) = answer(1, &[]);
        assert_eq!(depth, 0);
        let other = position.legal_moves().into_iter().rfind(|&mv| mv != first).unwrap();
        answer(1_000, &[other]);
        assert_eq!(answer(1, &[]), (first, 0), "the best of some moves");
        // An illegal move restricts nothing.
        let illegal = "5e5d".parse().unwrap();
        let (found, depth) = answer(3_000, &[illegal]);
        assert!(depth > 0 && ![first, other].contains(&found));
        // It stays the answer when the first move has turned out to lose.
        let no_result: Vec<Move> = (1..100)
            .map(|nodes| answer(nodes, &[]))
            .filter_map(|(mv, depth)| (depth == 0).then_some(mv))
            .collect();
        assert!(no_result.len() > 2 && no_result.iter().all(|&mv| mv == found), "{no_result:?}");
        // It may be none of those to choose from.
        assert_eq!(answer(1, &[other]), (other, 0));
    }

    #[test]
    fn a_part_of_the_first_iteration_does_not_replace_what_an_earlier_search_has_found() {
        let position = Position::startpos();
        let mut searcher = Searcher::try_new(1).unwrap();
        let mut answer = |nodes, is_stopped: bool| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (settings, signals) = (Settings::default(), Signals::new());
            if is_stopped {
                signals.stop();
            }
            let question = Question::new(&position, &limits, &settings, &signals);
            let mut depth = 0;
            let best = searcher.search(&question, &mut |info| depth = info.depth);
            let BestMove::Move { best, .. } = best else { panic!("{best:?}") };
            (best, depth)
        };
        let (found, depth) = answer(20_000, false);
        assert!(depth > 0);
        for nodes in [2, 8, 40, 64, 200, 500] {
            assert_eq!(answer(nodes, false), (found, 0), "{nodes}");
        }
        assert_eq!(answer(u64::MAX, true), (found, 0));
    }

    /// After the ponder hit, the answer comes as soon as it would without pondering. Before it, and in
    /// analysis, the search goes on.
    #[test]
    fn an_only_move_or_a_won_game_is_played_at_once_after_a_ponder_hit() {
        let seconds = Duration::from_secs;
        let clock = Clock { remaining: ByColor([seconds(600); 2]), ..Clock::default() };
        let timed = Limits { clock: Some(clock), ..Limits::default() };
        let ponder = Limits { ponder: true, ..timed.clone() };
        let movetime = Limits { movetime: Some(seconds(600)), ponder: true, ..Limits::default() };
        let analysis = Limits { infinite: true, ..ponder.clone() };
        let settings = Settings::default();
        // White takes the king A with the rook K.
        let kinds = "8002020404080810102040010101010101010101".repeat(2);
        let hands = "/BCDEFGHIJLMNOPQRSTbcdefghijlmnopqrst";
        let won: Position = format!("a8/9/9/9/9/9/9/8k/A7-K w {hands} 9 {kinds}").parse().unwrap();
        let start = Position::startpos();
        let only = [start.parse_move("7g7f").unwrap()];
        for (position, search_moves, limits, is_hit, answers) in [
            (&start, &only[..], &timed, false, true),
            (&start, &only, &ponder, true, true),
            (&start, &only, &ponder, false, false),
            (&start, &only, &analysis, true, false),
            (&won, &[], &timed, false, true),
            (&won, &[], &ponder, true, true),
            (&won, &[], &movetime, true, true),
            (&won, &[], &ponder, false, false),
            (&won, &[], &analysis, true, false),
        ] {
            let signals = Signals::new();
            if is_hit {
                signals.ponder_hit(None, Instant::now());
            }
            let mut deepest = 0;
            let question = Question::new(position, limits, &settings, &signals);
            Searcher::try_new(1).unwrap().search(
                &Question { search_moves, ..question },
                &mut |info| {
                    deepest = deepest.max(info.depth);
                    if info.depth == 2 {
                        signals.stop();
                    }
                },
            );
            assert_eq!(deepest, if answers { 1 } else { 2 }, "{position} {limits:?}");
        }
    }

    #[test]
    fn if_no_move_to_choose_from_is_legal_all_moves_are_searched() {
        let (position, signals) = (Position::startpos(), Signals::new());
        let illegal: Move = "5e5d".parse().unwrap();
        let legal = position.parse_move("9g9f").unwrap();
        let limits = Limits { nodes: Some(50), ..Limits::default() };
        let settings = Settings::default();
        let question = Question::new(&position, &limits, &settings, &signals);
        let answer = |search_moves: &[Move]| {
            let question = Question { search_moves, ..question };
            Searcher::try_new(1).unwrap().search(&question, &mut |_| {})
        };
        assert!(matches!(answer(&[illegal]), BestMove::Move { .. }));
        assert!(matches!(answer(&[illegal, legal]), BestMove::Move { best, .. } if best == legal));
    }

    /// The move is searched all the same.
    #[test]
    fn a_depth_of_zero_counts_as_one() {
        let (position, signals) = (Position::startpos(), Signals::new());
        for (depth, depth_limit) in [(Some(0), None), (Some(5), Some(0))] {
            let limits = Limits { depth, ..Limits::default() };
            let settings = Settings { depth_limit, ..Settings::default() };
            let question = Question::new(&position, &limits, &settings, &signals);
            let mut told = Vec::new();
            Searcher::try_new(1).unwrap().search(&question, &mut |info| told.push(info.depth));
            assert_eq!(told, [1]);
        }
    }

    /// Analysis has no limits but the stop, and says a move even in a lost position.
    #[test]
    fn a_search_without_end_knows_no_limits_and_does_not_resign() {
        let position = Position::startpos();
        let limits = Limits { infinite: true, depth: Some(1), nodes: Some(1), ..Limits::default() };
        let settings = Settings {
            // Every score is as bad as this.
            resign_value: Some(-99_999),
            depth_limit: Some(1),
            nodes_limit: Some(1),
            ..Settings::default()
        };
        let signals = Signals::new();
        let (ended, end) = channel::<()>();
        std::thread::scope(|scope| {
            let signals = &signals;
            // If the search has ended at a limit, it waits for this.
            scope.spawn(move || {
                let _ = end.recv_timeout(Duration::from_secs(10));
                signals.stop();
            });
            let mut deepest = 0;
            let question = Question::new(&position, &limits, &settings, signals);
            let answer = Searcher::try_new(1).unwrap().search(&question, &mut |info| {
                deepest = deepest.max(info.depth);
                if info.depth == 2 {
                    signals.stop();
                }
            });
            drop(ended);
            assert_eq!(deepest, 2);
            assert!(matches!(answer, BestMove::Move { .. }), "{answer:?}");
            let (nodes, signals) =
                (Limits { nodes: Some(50), ..Limits::default() }, Signals::new());
            let question = Question::new(&position, &nodes, &settings, &signals);
            let answer = Searcher::try_new(1).unwrap().search(&question, &mut |_| {});
            assert_eq!(answer, BestMove::Resign);
            let settings = Settings { resign_value: Some(i32::MIN), ..Settings::default() };
            let question = Question::new(&position, &nodes, &settings, &signals);
            let answer = Searcher::try_new(1).unwrap().search(&question, &mut |_| {});
            assert_eq!(answer, BestMove::Resign);
        });
    }
}

//! The searcher: the entry point of the search.

use tsumero_control::{Limits, MAX_PLY, Score, TimeKeeper, most_threads};
use tsumero_core::{EnteringKingRule, Game, Move, Position};

use crate::evaluate::{AttackEvaluator, EvaluationFunction, NetworkEvaluator};
use crate::history::History;
use crate::level::Apprentice;
use crate::mate_table::MateTable;
use crate::plan::{Done, Plan, wins_at_once};
use crate::report::{BestMove, Info};
use crate::reporter::Reporter;
use crate::root_moves::{RootLine, root_moves};
use crate::scope::scope;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::tt::TranspositionTable;

/// Why the searcher could not do what was asked.
///
/// ```
/// use tsumero_search::{Searcher, SearcherError};
/// let mut searcher = Searcher::new(1);
/// let megabytes = usize::MAX >> 20;
/// match searcher.resize(megabytes) {
///     Ok(()) => panic!("no machine has so much memory"),
///     Err(error @ SearcherError::OutOfMemory { .. }) => {
///         let text = format!("not enough memory for a transposition table of {megabytes} MB");
///         assert_eq!(error.to_string(), text);
///     }
///     Err(other) => panic!("{other}"),
/// }
/// // The searcher goes on with the table it had.
/// assert_eq!(searcher.resize(2), Ok(()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearcherError {
    /// The transposition table of the size asked for does not fit into memory.
    #[error("not enough memory for a transposition table of {megabytes} MB")]
    OutOfMemory {
        /// The size asked for.
        megabytes: usize,
    },
}

/// The question to a [`Searcher`].
pub type Question<'a> = tsumero_control::Question<'a, Game, Move, Settings>;

/// Everything that lives as long as the engine: the transposition table and the learned tables of
/// the threads. It can be sent to another thread (`Send`).
///
/// ```
/// use std::thread;
/// use tsumero_control::{Limits, Score, Signals};
/// use tsumero_core::{Game, Position};
/// use tsumero_search::{BestMove, Question, STACK_SIZE, Searcher, Settings};
/// let search = || {
///     let position: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
///     let game = Game::from(position);
///     let limits = Limits { nodes: Some(300), ..Limits::default() };
///     let (settings, signals, mut last) = (Settings::default(), Signals::new(), None);
///     let mut searcher = Searcher::new(1);
///     let question = Question::new(&game, &limits, &settings, &signals);
///     let answer = searcher.search(&question, &mut |info| last = Some(info));
///     (answer, last.unwrap())
/// };
/// let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(search)?;
/// let (answer, info) = thread.join().unwrap();
/// let BestMove::Move { best, ponder: None } = answer else { panic!("{answer:?}") };
/// assert_eq!((best.to_string(), info.pv), ("G*5b".to_owned(), vec![best]));
/// assert_eq!(info.score, Score::mate_in(1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Searcher {
    table: TranspositionTable,
    pub(crate) mates: MateTable,
    /// One for each thread, made before it first searches.
    histories: Vec<Option<History>>,
    /// The number of threads that the last search did without.
    missing_threads: usize,
    pub(crate) evaluation_function: EvaluationFunction,
    /// What searches below the full strength remember.
    pub(crate) apprentice: Option<Box<Apprentice>>,
}

impl Searcher {
    /// A searcher with a transposition table of `megabytes` (at least 1). If there is not enough
    /// memory, the size is halved until there is; [`Searcher::table_megabytes`] tells it.
    ///
    /// # Panics
    /// When there is not even room for a table of one megabyte. [`Searcher::try_new`] never panics.
    pub fn new(megabytes: usize) -> Searcher {
        std::iter::successors(Some(megabytes), |&size| (size > 1).then_some(size / 2))
            .find_map(|size| Searcher::try_new(size).ok())
            .expect("there is room for one megabyte")
    }

    /// A searcher with a transposition table of `megabytes` (at least 1) and no smaller one.
    ///
    /// ```
    /// use tsumero_search::Searcher;
    /// assert_eq!(Searcher::try_new(2)?.table_megabytes(), 2);
    /// // No machine has so much memory.
    /// let most = usize::MAX >> 20;
    /// assert!(Searcher::try_new(most).is_err());
    /// assert!((1..most).contains(&Searcher::new(most).table_megabytes()));
    /// # Ok::<(), tsumero_search::SearcherError>(())
    /// ```
    ///
    /// # Errors
    /// [`SearcherError::OutOfMemory`].
    pub fn try_new(megabytes: usize) -> Result<Searcher, SearcherError> {
        let table = TranspositionTable::new(megabytes);
        let table = table.ok_or(SearcherError::OutOfMemory { megabytes })?;
        Ok(Searcher {
            mates: MateTable::beside(megabytes),
            table,
            histories: Vec::new(),
            missing_threads: 0,
            evaluation_function: EvaluationFunction::default(),
            apprentice: None,
        })
    }

    /// The size of the transposition table in megabytes.
    pub fn table_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Replaces the transposition table by an empty one of `megabytes` (at least 1). This is fast
    /// for every size, because the system provides memory when it is first written.
    ///
    /// # Errors
    /// [`SearcherError::OutOfMemory`]; the table keeps its size then, if it can, and is empty.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), SearcherError> {
        if !self.table.resize(megabytes) {
            return Err(SearcherError::OutOfMemory { megabytes });
        }
        self.mates = MateTable::beside(megabytes);
        Ok(())
    }

    /// Changes the evaluation from the next search on, and clears all tables, because values of
    /// different evaluations cannot be compared.
    pub fn set_evaluation_function(&mut self, evaluation_function: EvaluationFunction) {
        self.evaluation_function = evaluation_function;
        self.clear();
    }

    /// The evaluation that searches use.
    pub fn evaluation_function(&self) -> &EvaluationFunction {
        &self.evaluation_function
    }

    /// How many threads the last search did without, because the system had no room for them.
    pub fn missing_threads(&self) -> usize {
        self.missing_threads
    }

    /// Makes the system provide the memory of the table now, as long as `goes_on` returns true. It
    /// is called about every millisecond. This makes the first search faster.
    pub fn warm_up(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        self.table.warm_up(goes_on);
    }

    /// Clears all tables, for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.mates.clear();
        for history in self.histories.iter_mut().flatten() {
            history.clear();
        }
        if let Some(apprentice) = &mut self.apprentice {
            apprentice.clear();
        }
    }

    /// Searches the position and returns what to play. Blocks until done. The calling thread
    /// needs a stack of [`STACK_SIZE`](crate::STACK_SIZE) bytes.
    ///
    /// The last [`Info`] with `multipv` 1 belongs to the answer: its line starts with the best move. Its
    /// score is exact, unless time ended within an iteration: then it may be a lower bound, the score of
    /// the iteration before, or a static value. Several lines are reported in order, the best one first.
    pub fn search(&mut self, question: &Question<'_>, report: &mut dyn FnMut(Info)) -> BestMove {
        let Question { position, limits, search_moves, settings, signals, started } = *question;
        let side = position.side_to_move();
        let mut keeper =
            TimeKeeper::new(limits, &settings.time, signals, side, position.ply(), started);
        let mut reporter = Reporter::new(report);
        self.missing_threads = 0;

        let (root_moves, is_restricted) = root_moves(position, search_moves);
        // With `search_moves`, the question is what these moves are worth, and a declaration is no answer.
        let declares = !is_restricted && position.declaration_wins(settings.entering_king_rule);
        let is_tried = settings.entering_king_rule == EnteringKingRule::TryRule
            && position.last_move().is_some_and(Move::is_try);
        if declares || is_tried || root_moves.is_empty() {
            // There is nothing to search. But it may be too early to answer.
            let score = if declares { Score::mate_in(1) } else { Score::mated_in(0) };
            reporter.tell(Info::decided(score, keeper.elapsed()));
            keeper.wait_until_answer_is_due();
            return if declares { BestMove::DeclareWin } else { BestMove::Resign };
        }

        let weakness = settings.level.weakness().filter(|_| !limits.waits_for_stop());
        let threads = settings.threads.clamp(1, most_threads());
        let mut plan = Plan {
            position,
            root_moves,
            threads,
            max_depth: limits.depth_within(settings.depth_limit, MAX_PLY),
            node_limit: limits.nodes_within(settings.nodes_limit),
            line_count: settings.multi_pv.max(1),
            is_restricted,
        };
        if let Some(weakness) = weakness {
            let reporter = &mut reporter;
            return self
                .search_below_full_strength(weakness, plan, limits, settings, keeper, reporter);
        }
        plan.begin_with(wins_at_once(position, settings, true));
        self.table.start_search(scope(settings, position));
        // Learned tables of threads that no longer exist would only use memory.
        self.histories.resize_with(threads, || None);
        let mate_table = self.mates.ready(settings, position);
        let shared = Shared::new(&self.table, mate_table, settings, position, threads);
        let histories = &mut self.histories;
        let Done { lines, mut keeper, missing_threads } = match &self.evaluation_function {
            EvaluationFunction::AttackMaps => {
                plan.run::<AttackEvaluator>(&shared, (), histories, keeper, &mut reporter)
            }
            EvaluationFunction::Network(network) => {
                plan.run::<NetworkEvaluator<'_>>(&shared, network, histories, keeper, &mut reporter)
            }
        };
        self.missing_threads = missing_threads;
        if let Some(keeper) = &mut keeper {
            keeper.wait_until_answer_is_due();
        }
        answer(position, &lines[0], lines[0].score, &self.table, limits, settings)
    }
}

/// The answer that belongs to a line, in a position that is worth `best_score`.
pub(crate) fn answer(
    position: &Position,
    line: &RootLine,
    best_score: Score,
    table: &TranspositionTable,
    limits: &Limits,
    settings: &Settings,
) -> BestMove {
    if limits.resigns(best_score, settings.resign_value) {
        return BestMove::Resign;
    }
    let best = line.pv[0];
    let ponder = line.pv.get(1).copied().or_else(|| {
        let mut after = position.clone();
        after.play_unchecked(best);
        let entry = table.probe(after.key())?;
        after.unpack_move(entry.best)
    });
    BestMove::Move { best, ponder }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::STACK_SIZE;
    use tsumero_control::Signals;

    #[test]
    fn a_search_that_ends_at_once_plays_what_an_earlier_one_has_found() {
        let sfen = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";
        let game = Game::from(&Position::from_sfen(sfen).unwrap());
        let (settings, signals) = (Settings::default(), Signals::new());
        let mut searcher = Searcher::new(1);
        let mut answer = |nodes, search_moves: &[Move]| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let question = Question::new(&game, &limits, &settings, &signals);
            let mut depth = 0;
            let best = searcher
                .search(&Question { search_moves, ..question }, &mut |info| depth = info.depth);
            let BestMove::Move { best, .. } = best else { panic!("{best:?}") };
            (best, depth)
        };
        let all = game.legal_moves();
        assert_eq!(answer(1, &[]), (all[0], 0));
        let (found, depth) = answer(2_000, &[]);
        assert!(depth > 0 && found != all[0]);
        // A part of the first iteration does not replace it.
        for nodes in 1..50 {
            assert_eq!(answer(nodes, &[]).0, found, "{nodes}");
        }
        // It may be none of those to choose from.
        assert_eq!(answer(1, &all[..1]), (all[0], 0));
    }

    /// What some of the moves are worth is not what their position is worth.
    #[test]
    fn a_search_of_some_moves_stores_no_result_of_the_position() {
        let game = Game::default();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let (settings, signals) = (Settings::default(), Signals::new());
        let all = game.legal_moves();
        // Of another position: an illegal move restricts nothing.
        let other = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 1").unwrap();
        let illegal = [other.parse_move("R*5e").unwrap()];
        for (search_moves, stores) in [(&all[..0], true), (&all[..3], false), (&illegal[..], true)]
        {
            let question = Question::new(&game, &limits, &settings, &signals);
            let mut searcher = Searcher::new(1);
            searcher.search(&Question { search_moves, ..question }, &mut |_| {});
            let entry = searcher.table.probe(game.key());
            assert_eq!(entry.is_some_and(|entry| entry.result.is_some()), stores);
        }
    }

    /// During the searches of a game, a small table fills up. Results that are cheap to find again
    /// must not stay because of their depth, and nodes that were cut without a result must have
    /// stored their static values.
    #[test]
    fn mates_in_one_do_not_fill_the_table_and_static_values_are_kept() {
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let start = Position::from_sfen(sfen).expect("a legal position");
        let run = move || {
            let mut position = Game::from(&start);
            let mut searcher = Searcher::new(1);
            let limits = Limits { nodes: Some(3_000), ..Limits::default() };
            let settings = Settings::default();
            for _ in 0..60 {
                let signals = Signals::new();
                let question = Question::new(&position, &limits, &settings, &signals);
                let best = searcher.search(&question, &mut |_| {});
                match best {
                    BestMove::Move { best, .. } => position.play_unchecked(best),
                    _ => position = Game::from(&start),
                }
            }
            searcher
        };
        let searcher = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
            let thread = builder.spawn_scoped(scope, run).expect("room for a thread");
            thread.join().expect("the searches end")
        });
        let entries: Vec<_> = searcher.table.entries().collect();
        assert!(entries.len() > 10_000, "{}", entries.len());
        // A decided position is searched to such a depth within a few nodes.
        let deep = entries.iter().filter(|entry| entry.depth >= 100).count();
        assert!(deep * 20 < entries.len(), "{deep} of {}", entries.len());
        assert!(entries.iter().any(|entry| entry.result.is_none() && entry.static_eval.is_some()));
    }
}

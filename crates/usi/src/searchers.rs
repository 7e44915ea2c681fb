//! The searchers of both games, which are kept between searches.

use std::sync::Arc;

use tsumero_mate::MateSolver;
use tsumero_search::Searcher;

use crate::book::{self, OpeningBook};
use crate::evaluation::{self, LoadedEvaluation, SharedEvaluation};
use crate::notice::Notice;

/// What must be ready before a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preparation {
    /// Size of each table in megabytes, at least 1.
    pub hash_mb: usize,
    /// Whether to clear them first.
    pub clear: bool,
    /// Whether quantum shogi will be searched. Its table is created only then.
    pub quantum: bool,
    /// Whether files that have changed are read again, and what was refused is tried again.
    pub refresh: bool,
    /// The evaluation of shogi.
    pub evaluation: evaluation::Choice,
    /// The opening book of shogi.
    pub book: book::Choice,
}

/// The searchers of both games with their tables, the evaluation and the book. A table takes memory
/// only where it has been written, so unused tables cost nothing.
pub struct Searchers {
    /// The searcher of ordinary shogi.
    pub shogi: Searcher,
    /// The solver of `go mate`. It keeps its results between searches.
    pub mate_solver: MateSolver,
    /// The searcher of quantum shogi, if it was needed and there was enough memory.
    pub quantum: Option<tsumero_quantum::Searcher>,
    /// Whether there was not enough memory for one of the wanted size. `isready` tries again.
    quantum_is_small: bool,
    hash_mb: usize,
    /// Whether anything has been searched since they were cleared.
    used: bool,
    /// The size for which there was not enough memory.
    refused: Option<usize>,
    shared_evaluation: SharedEvaluation,
    /// The evaluation of the searcher of ordinary shogi.
    evaluation: Option<Arc<LoadedEvaluation>>,
    /// The opening book, if there is one.
    pub book: OpeningBook,
    /// How many missing threads the user knows of.
    missing_threads: usize,
}

/// The size of the first tables, in megabytes. The first job asks for the size that it wants.
const SMALLEST: usize = 1;
/// The default of `USI_Hash`.
pub(crate) const DEFAULT_HASH_MB: usize = 256;

impl Searchers {
    /// Searchers with the smallest tables.
    pub fn new(shared_evaluation: SharedEvaluation) -> Searchers {
        Searchers {
            shogi: Searcher::new(SMALLEST),
            mate_solver: MateSolver::new(SMALLEST),
            quantum: None,
            quantum_is_small: false,
            hash_mb: SMALLEST,
            used: false,
            refused: None,
            shared_evaluation,
            evaluation: None,
            book: OpeningBook::default(),
            missing_threads: 0,
        }
    }

    /// Must be called before a search: the tables are no longer empty.
    pub fn mark_used(&mut self) {
        self.used = true;
    }

    /// Applies a new size, evaluation or book, and clears the tables if asked. A large table takes
    /// no longer than a small one.
    ///
    /// The notices report missing memory and files that cannot be read. If there is not enough
    /// memory, the transposition table is empty and has its old size or that of the default, whichever
    /// is larger, if it can. Instead of a bad evaluation file, the program's own evaluation is used.
    pub fn prepare(&mut self, wanted: &Preparation) -> Vec<Notice> {
        let refresh = wanted.refresh;
        if refresh {
            self.missing_threads = 0;
        }
        let mut notices = Vec::new();
        notices.extend(self.evaluate_with(&wanted.evaluation, refresh));
        notices.extend(self.book.prepare(&wanted.book, refresh));
        notices.extend(self.prepare_tables(wanted).into_iter().map(Notice::Error));
        notices
    }

    /// Makes the system provide the memory of a game's table now, as long as `goes_on` returns true.
    pub fn warm_up(&mut self, quantum: bool, goes_on: &mut dyn FnMut() -> bool) {
        if !quantum {
            self.shogi.warm_up(goes_on);
        } else if let Some(searcher) = &mut self.quantum {
            searcher.warm_up(goes_on);
        }
    }

    /// What the user should know after a search: that the system had no room for some threads. Said
    /// once in a game, and again if more are missing.
    pub fn notice_after_search(&mut self) -> Option<Notice> {
        let missing = self.shogi.missing_threads();
        let is_new = missing > self.missing_threads;
        is_new.then(|| {
            self.missing_threads = missing;
            let text = "Threads: the system has no room for all of them";
            Notice::Error(format!("{text}; the search goes on without {missing}"))
        })
    }

    fn evaluate_with(&mut self, choice: &evaluation::Choice, refresh: bool) -> Option<Notice> {
        let (evaluation, change) = self.shared_evaluation.get(choice, refresh);
        let is_new =
            !self.evaluation.as_ref().is_some_and(|present| Arc::ptr_eq(present, &evaluation));
        let is_first = self.evaluation.is_none();
        if is_new {
            self.shogi.set_evaluation_function(evaluation.evaluation_function.clone());
            self.evaluation = Some(Arc::clone(&evaluation));
        }
        // No notice if the engine starts with its default evaluation.
        let is_default = is_first && *choice == evaluation::Choice::default();
        change.refusal(&evaluation).or_else(|| {
            (is_new && !is_default).then(|| Notice::Note(format!("evaluation: {evaluation}")))
        })
    }

    /// Returns what is wrong with the memory of the tables.
    fn prepare_tables(&mut self, wanted: &Preparation) -> Vec<String> {
        // Empty tables may have been warmed up. Clearing them again would undo that.
        if wanted.clear && std::mem::take(&mut self.used) {
            self.shogi.clear();
            // A new table is faster than clearing the old one.
            self.mate_solver = MateSolver::new(self.hash_mb);
            if let Some(quantum) = &mut self.quantum {
                quantum.clear();
            }
        }
        let mut faults = Vec::new();
        let is_new = wanted.hash_mb != self.hash_mb;
        if is_new && (wanted.refresh || self.refused != Some(wanted.hash_mb)) {
            let resized = self.shogi.resize(wanted.hash_mb);
            self.refused = resized.is_err().then_some(wanted.hash_mb);
            // A GUI sends its options while the tables are still those of the start.
            let is_small = self.shogi.table_megabytes() < DEFAULT_HASH_MB;
            if resized.is_err() && is_small && wanted.hash_mb > DEFAULT_HASH_MB {
                // Where there is no room for the default either, the table keeps its size.
                let _ = self.shogi.resize(DEFAULT_HASH_MB);
            }
            // Not even the old size may be there any more. Then it is tried again when it is wanted.
            let hash_mb = self.shogi.table_megabytes();
            if std::mem::replace(&mut self.hash_mb, hash_mb) != hash_mb {
                self.mate_solver = MateSolver::new(hash_mb);
                self.quantum = None;
            }
            if let Err(error) = resized {
                faults.push(format!("{error}; the table has {hash_mb} MB"));
            }
        }
        let is_small = std::mem::take(&mut self.quantum_is_small);
        if wanted.quantum && (self.quantum.is_none() || is_small && wanted.refresh) {
            // The memory of a small one is freed first.
            self.quantum = None;
            let made = tsumero_quantum::Searcher::try_new(self.hash_mb).or_else(|error| {
                self.quantum_is_small = true;
                let size = DEFAULT_HASH_MB.min(self.hash_mb);
                let (size, made) = match tsumero_quantum::Searcher::try_new(size) {
                    Ok(made) => (size, Ok(made)),
                    Err(_) => (SMALLEST, tsumero_quantum::Searcher::try_new(SMALLEST)),
                };
                faults.push(format!("{error}; that of quantum shogi has {size} MB"));
                made
            });
            self.quantum = made.ok();
        } else {
            self.quantum_is_small = is_small;
        }
        faults
    }
}

#[cfg(test)]
mod tests {

    use tsumero_control::{Limits, Signals};
    use tsumero_core::Game;
    use tsumero_search::{Question, Settings};

    use super::*;

    fn preparation(hash_mb: usize, quantum: bool, refresh: bool) -> Preparation {
        let evaluation = evaluation::Choice::default();
        let book = book::Choice::default();
        Preparation { hash_mb, clear: false, quantum, refresh, evaluation, book }
    }

    fn nodes(searchers: &mut Searchers) -> u64 {
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let (position, settings, signals) = (Game::default(), Settings::default(), Signals::new());
        let mut nodes = 0;
        searchers.mark_used();
        let question = Question::new(&position, &limits, &settings, &signals);
        searchers.shogi.search(&question, &mut |info| nodes = info.nodes);
        nodes
    }

    #[test]
    fn what_was_searched_is_forgotten_when_asked_for_whatever_becomes_of_the_size() {
        let work = || {
            let mut searchers = Searchers::new(SharedEvaluation::default());
            let wanted = preparation(4, false, true);
            assert_eq!(searchers.prepare(&wanted), []);
            let fresh = nodes(&mut searchers);
            assert_ne!(nodes(&mut searchers), fresh);
            for hash_mb in [4, usize::MAX >> 21, 4] {
                let (clear, quantum, refresh) = (true, true, false);
                let wanted = Preparation { hash_mb, clear, quantum, refresh, ..wanted.clone() };
                assert_eq!(searchers.prepare(&wanted).is_empty(), hash_mb == 4);
                assert!(searchers.quantum.is_some());
                assert_eq!(nodes(&mut searchers), fresh);
            }
            // A refused size is not tried again without need.
            for (refresh, notices) in [(true, 1), (false, 0), (true, 1)] {
                let hash_mb = usize::MAX >> 21;
                let wanted = Preparation { hash_mb, refresh, ..wanted.clone() };
                assert_eq!(searchers.prepare(&wanted).len(), notices);
            }
        };
        let builder = std::thread::Builder::new().stack_size(tsumero_search::STACK_SIZE);
        builder.spawn(work).unwrap().join().unwrap();
    }

    /// Other programs may take the memory of the old table before it can be had again.
    #[test]
    fn a_size_that_was_lost_is_tried_again_when_it_is_wanted() {
        let mut searchers = Searchers::new(SharedEvaluation::default());
        let mut prepare = |hash_mb, is_lost| {
            if is_lost {
                searchers.shogi = Searcher::new(SMALLEST);
            }
            let notices = searchers.prepare(&preparation(hash_mb, false, false));
            // What is used instead is told.
            for notice in &notices {
                let Notice::Error(text) = notice else { panic!("{notice:?}") };
                assert!(text.ends_with(" MB; the table has 256 MB"), "{text}");
            }
            (notices.len(), searchers.shogi.table_megabytes())
        };
        assert_eq!(prepare(400, false), (0, 400));
        assert_eq!(prepare(usize::MAX >> 21, true), (1, DEFAULT_HASH_MB));
        assert_eq!(prepare(400, false), (0, 400));
    }

    /// The tables are still those of the start when a GUI's options come.
    #[test]
    fn a_size_without_memory_leaves_the_default_or_what_was_there_if_it_was_larger() {
        let mut searchers = Searchers::new(SharedEvaluation::default());
        for (hash_mb, kept, faults) in
            [(usize::MAX >> 21, DEFAULT_HASH_MB, 1), (300, 300, 0), (usize::MAX >> 21, 300, 1)]
        {
            let notices = searchers.prepare(&preparation(hash_mb, true, true));
            let is_told = |notice: &Notice| matches!(notice, Notice::Error(_));
            assert_eq!(notices.iter().filter(|notice| is_told(notice)).count(), faults);
            assert_eq!((searchers.hash_mb, searchers.shogi.table_megabytes()), (kept, kept));
        }
    }
}

//! The memory of all searches, which outlives each of them.

use tsumero_mate::MateSolver;
use tsumero_search::Searcher;

/// What the tables should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Size of each in megabytes, at least 1.
    pub hash_mb: usize,
    /// Whether they are to be emptied first.
    pub clear: bool,
    /// Whether quantum shogi is to be searched, whose table is made only then.
    pub quantum: bool,
}

/// The tables of both games. A table takes memory where it has been written to, so those that are not
/// used cost nothing.
pub struct Tables {
    /// Of ordinary shogi.
    pub shogi: Searcher,
    /// Of `go mate`; it keeps what it has found out from one to the next.
    pub mates: MateSolver,
    /// Of quantum shogi, if it was played and there was room.
    pub quantum: Option<tsumero_quantum::Searcher>,
    hash_mb: usize,
    /// Whether anything was searched since they were emptied.
    used: bool,
    /// The size for which there was no room.
    refused: Option<usize>,
}

/// The tables made at first in megabytes; the first job asks for the size it wants.
const SMALLEST: usize = 1;

impl Default for Tables {
    fn default() -> Tables {
        Tables::new()
    }
}

impl Tables {
    /// Tables of the smallest size.
    pub fn new() -> Tables {
        Tables {
            shogi: Searcher::new(SMALLEST),
            mates: MateSolver::new(SMALLEST),
            quantum: None,
            hash_mb: SMALLEST,
            used: false,
            refused: None,
        }
    }

    /// To be called before a search: the tables are empty no more.
    pub fn use_them(&mut self) {
        self.used = true;
    }

    /// Takes up a new size and forgets everything if that is asked for. Neither takes longer for a
    /// large table than for a small one. What was refused is tried again only if `insists`.
    ///
    /// # Errors
    /// What there is no room for, in words. The tables keep their size then; they are emptied all the
    /// same.
    pub fn prepare(&mut self, memory: Memory, insists: bool) -> Result<(), String> {
        // Tables that are empty may have been warmed up, which would be lost.
        if memory.clear && std::mem::take(&mut self.used) {
            self.shogi.clear();
            // A new table takes no time, emptying the old one would.
            self.mates = MateSolver::new(self.hash_mb);
            if let Some(quantum) = &mut self.quantum {
                quantum.clear();
            }
        }
        let mut result = Ok(());
        let is_new = memory.hash_mb != self.hash_mb;
        if is_new && (insists || self.refused != Some(memory.hash_mb)) {
            match self.shogi.resize(memory.hash_mb) {
                Ok(()) => {
                    self.refused = None;
                    self.hash_mb = memory.hash_mb;
                    self.mates = MateSolver::new(memory.hash_mb);
                    self.quantum = None;
                }
                Err(error) => {
                    self.refused = Some(memory.hash_mb);
                    result = Err(error.to_string());
                }
            }
        }
        if memory.quantum && self.quantum.is_none() {
            let made = tsumero_quantum::Searcher::new(self.hash_mb).or_else(|error| {
                result = Err(error.to_string());
                tsumero_quantum::Searcher::new(SMALLEST)
            });
            self.quantum = made.ok();
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tsumero_control::{Limits, Signals};
    use tsumero_core::Position;
    use tsumero_search::Settings;

    use super::*;

    fn nodes(tables: &mut Tables) -> u64 {
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let (position, settings, signals) =
            (Position::startpos(), Settings::default(), Signals::new());
        let mut nodes = 0;
        let mut count = |info: tsumero_search::Info| nodes = info.nodes;
        let now = Instant::now();
        tables.use_them();
        tables.shogi.search(&position, &limits, &[], &settings, &signals, now, &mut count);
        nodes
    }

    #[test]
    fn what_was_searched_is_forgotten_when_asked_for_whatever_becomes_of_the_size() {
        let work = || {
            let mut tables = Tables::new();
            let memory = Memory { hash_mb: 4, clear: false, quantum: false };
            assert!(tables.prepare(memory, true).is_ok());
            let fresh = nodes(&mut tables);
            assert_ne!(nodes(&mut tables), fresh);
            for hash_mb in [4, usize::MAX >> 21, 4] {
                let memory = Memory { hash_mb, clear: true, quantum: true };
                assert_eq!(tables.prepare(memory, false).is_ok(), hash_mb == 4);
                assert!(tables.quantum.is_some());
                assert_eq!(nodes(&mut tables), fresh);
            }
            // What was refused is not tried again without need.
            let memory = Memory { hash_mb: usize::MAX >> 21, ..memory };
            assert!(tables.prepare(memory, true).is_err());
            assert!(tables.prepare(memory, false).is_ok());
            assert!(tables.prepare(memory, true).is_err());
        };
        let builder = std::thread::Builder::new().stack_size(tsumero_search::STACK_SIZE);
        builder.spawn(work).unwrap().join().unwrap();
    }
}

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
            refused: None,
        }
    }

    /// Takes up a new size and forgets everything if that is asked for. Neither takes longer for a
    /// large table than for a small one. What was refused is tried again only if `insists`.
    ///
    /// # Errors
    /// What there is no room for, in words. The tables keep their size then; they are emptied all the
    /// same.
    pub fn prepare(&mut self, memory: Memory, insists: bool) -> Result<(), String> {
        if memory.clear {
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

//! The choice of a move: which recorded moves are good enough, and which of them is played.

use tsumero_core::{Color, Move, Position, UsiMove};

use crate::BookMove;

/// When the book is used, and which moves can be chosen.
///
/// ```
/// use tsumero_book::{Book, Lookup, Policy};
/// use tsumero_core::Position;
/// let start = Position::startpos();
/// let text = format!("sfen {start}\n2g2f 8c8d 40 32\n7g7f 3c3d 25 32\n5g5f 8c8d 5 32\n");
/// let entries = Book::from_bytes(text.into_bytes())?.find(&start, Lookup::default())?;
/// let select = |policy: Policy| policy.select(&start, &entries).candidates.len();
/// // Moves at most 30 below the best one:
/// assert_eq!(select(Policy::default()), 2);
/// assert_eq!(select(Policy { eval_diff: 0, ..Policy::default() }), 1);
/// assert_eq!(select(Policy { black_limit: 50, ..Policy::default() }), 0);
/// assert!(!Policy { moves: 0, ..Policy::default() }.covers(&start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Moves up to this number are taken from the book; 0 for none.
    pub moves: u32,
    /// How far below the best value a move may be.
    pub eval_diff: i32,
    /// The smallest value of a move for Black.
    pub black_limit: i32,
    /// The smallest value of a move for White.
    pub white_limit: i32,
    /// The position is used only if its best move has at least this depth; 0 for any.
    pub depth_limit: u32,
    /// Whether moves are chosen in proportion to how often they were played. Otherwise all have the
    /// same chance.
    pub by_count: bool,
}

impl Default for Policy {
    /// The defaults of YaneuraOu.
    fn default() -> Policy {
        Policy {
            moves: 16,
            eval_diff: 30,
            black_limit: 0,
            white_limit: -140,
            depth_limit: 16,
            by_count: false,
        }
    }
}

/// A recorded move that is legal.
///
/// ```
/// use tsumero_book::{Book, Candidate, Lookup, Policy};
/// use tsumero_core::{Position, notation};
/// let start = Position::startpos();
/// let text = format!("sfen {start}\n2g2f 8c8d 30 32\n7g7f 3c3d 20 32\n");
/// let entries = Book::from_bytes(text.into_bytes())?.find(&start, Lookup::default())?;
/// let selection = Policy::default().select(&start, &entries);
/// let shown = selection.candidates.iter().map(|&Candidate { mv, entry }| {
///     format!("{} {:+}", notation::japanese(&start, mv, None), entry.value.unwrap_or(0))
/// });
/// assert_eq!(shown.collect::<Vec<_>>(), ["▲２六歩 +30", "▲７六歩 +20"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its entry in the book.
    pub entry: BookMove,
}

/// The moves that can be chosen.
///
/// ```
/// use tsumero_book::{Book, Lookup, Policy};
/// use tsumero_core::{GOLDEN_GAMMA, Position, mix};
/// let mut position = Position::startpos();
/// let text = format!("sfen {position}\n7g7e\n2g2f\n7g7f\n");
/// let entries = Book::from_bytes(text.into_bytes())?.find(&position, Lookup::default())?;
/// let selection = Policy::default().select(&position, &entries);
/// assert_eq!((selection.candidates.len(), selection.illegal.len()), (2, 1));
/// // Any random number chooses one of the two.
/// let chosen = selection.choose(mix(GOLDEN_GAMMA)).unwrap();
/// assert!(selection.candidates.contains(chosen));
/// position.play_unchecked(chosen.mv);
/// // Without candidates there is no choice.
/// assert_eq!(Policy::default().select(&position, &[]).choose(0), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    /// The moves that are good enough, in the order of the book.
    pub candidates: Vec<Candidate>,
    /// Moves of the book that are illegal in the position.
    pub illegal: Vec<UsiMove>,
    by_count: bool,
}

/// The value of an entry. An entry without one counts as 0.
fn value(entry: &BookMove) -> i32 {
    entry.value.unwrap_or(0)
}

impl Policy {
    /// Whether the book may be used in a position.
    pub fn covers(&self, position: &Position) -> bool {
        position.ply() <= self.moves
    }

    /// Selects moves from the entries of a position. A move must be legal, near the best value, and
    /// not below the limit of the side to move. If the best move was not searched deeply enough, no
    /// move is selected.
    pub fn select(&self, position: &Position, entries: &[BookMove]) -> Selection {
        let mut selection = Selection { by_count: self.by_count, ..Selection::default() };
        let mut legal: Vec<Candidate> = Vec::new();
        for &entry in entries {
            match position.validate(entry.mv) {
                Ok(mv) if legal.iter().any(|candidate| candidate.mv == mv) => {}
                Ok(mv) => legal.push(Candidate { mv, entry }),
                Err(_) => selection.illegal.push(entry.mv),
            }
        }
        let Some(best) = legal.iter().map(|candidate| value(&candidate.entry)).max() else {
            return selection;
        };
        let first = legal.iter().find(|candidate| value(&candidate.entry) == best);
        let depth = first.and_then(|candidate| candidate.entry.depth);
        if depth.is_some_and(|depth| depth < self.depth_limit) {
            return selection;
        }
        let limit = match position.side_to_move() {
            Color::Black => self.black_limit,
            Color::White => self.white_limit,
        };
        let least = best.saturating_sub(self.eval_diff).max(limit);
        legal.retain(|candidate| value(&candidate.entry) >= least);
        selection.candidates = legal;
        selection
    }
}

impl Selection {
    /// Chooses one of the candidates; `None` if there is none. `chance` is a random number.
    pub fn choose(&self, chance: u64) -> Option<&Candidate> {
        // A move without a count, or with the count 0, may still be played.
        let weight = |candidate: &Candidate| {
            if self.by_count { u128::from(candidate.entry.count.unwrap_or(1).max(1)) } else { 1 }
        };
        let all: u128 = self.candidates.iter().map(weight).sum();
        // The product with all weights may have more than 128 bits, so the upper bits of the sum are
        // multiplied on their own.
        let chance = u128::from(chance);
        let (upper, lower) = (all >> 64, all & u128::from(u64::MAX));
        let mut left = chance * upper + ((chance * lower) >> 64);
        self.candidates.iter().find(|candidate| {
            let weight = weight(candidate);
            let is_it = left < weight;
            left = left.saturating_sub(weight);
            is_it
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(lines: &[&str]) -> Vec<BookMove> {
        lines.iter().map(|line| BookMove::read(line).unwrap().unwrap()).collect()
    }

    fn words(policy: &Policy, position: &Position, lines: &[&str]) -> Vec<String> {
        let selection = policy.select(position, &entries(lines));
        selection.candidates.iter().map(|candidate| candidate.mv.to_string()).collect()
    }

    #[test]
    fn moves_near_the_best_and_above_the_limit_are_left() {
        let policy = Policy::default();
        let black = Position::startpos();
        let mut white = Position::startpos();
        white.play_unchecked(white.parse_move("7g7f").unwrap());
        let lines = ["2g2f 8c8d 40 32 1", "7g7f 3c3d 10 20 1", "5g5f 8c8d 9 20 1"];
        assert_eq!(words(&policy, &black, &lines), ["2g2f", "7g7f"]);
        // The best move is not always the first.
        let lines = ["7g7f 3c3d 10 3 1", "2g2f 8c8d 41 32 1"];
        assert_eq!(words(&policy, &black, &lines), ["2g2f"]);
        let lines = ["2g2f 8c8d -1 32 1", "7g7f 3c3d -1 32 1"];
        assert!(words(&policy, &black, &lines).is_empty());
        let lines = ["3c3d none -130 32 1", "8c8d none -140 32 1", "4a3b none -141 32 1"];
        assert_eq!(words(&policy, &white, &lines), ["3c3d", "8c8d"]);
        // Without values and depths, every legal move is selected.
        assert_eq!(words(&policy, &black, &["2g2f", "7g7f none"]), ["2g2f", "7g7f"]);
        let wide = Policy { eval_diff: i32::MAX, black_limit: i32::MIN, ..policy };
        let lines = ["2g2f none 2147483647 32", "7g7f none -2147483647 32"];
        assert_eq!(words(&wide, &black, &lines), ["2g2f"], "as wide as it can be");
    }

    #[test]
    fn a_shallow_best_move_spoils_the_position() {
        let policy = Policy::default();
        let position = Position::startpos();
        assert!(words(&policy, &position, &["2g2f none 40 15 1", "7g7f none 30 32 1"]).is_empty());
        assert_eq!(words(&policy, &position, &["2g2f none 40 16 1"]), ["2g2f"]);
        let any = Policy { depth_limit: 0, ..policy };
        assert_eq!(words(&any, &position, &["2g2f none 40 0 1"]), ["2g2f"]);
    }

    #[test]
    fn illegal_moves_are_named_and_do_not_count() {
        let position = Position::startpos();
        let lines = ["7g7e 3c3d 900 32 1", "P*5e", "2g2f 8c8d 0 32 1", "2g2f 3c3d 0 32 1"];
        let selection = Policy::default().select(&position, &entries(&lines));
        let illegal: Vec<String> = selection.illegal.iter().map(ToString::to_string).collect();
        assert_eq!(illegal, ["7g7e", "P*5e"]);
        assert_eq!(selection.candidates.len(), 1);
        assert_eq!(selection.choose(u64::MAX).unwrap().mv.to_string(), "2g2f");
        assert_eq!(Selection::default().choose(0), None);
    }

    #[test]
    fn the_number_of_the_move_limits_the_book() {
        let position = Position::startpos();
        for (moves, is_covered) in [(0, false), (1, true), (16, true)] {
            let policy = Policy { moves, ..Policy::default() };
            assert_eq!(policy.covers(&position), is_covered);
        }
    }

    #[test]
    fn chance_is_shared_evenly_or_by_counts() {
        let lines = ["2g2f none 0 32 3", "7g7f none 0 32 0", "5g5f none 0 32 6"];
        let position = Position::startpos();
        for (by_count, expected) in [(false, [4, 3, 3]), (true, [3, 1, 6])] {
            let policy = Policy { by_count, ..Policy::default() };
            let selection = policy.select(&position, &entries(&lines));
            let mut found = [0; 3];
            for tenth in 0..10 {
                let chosen = selection.choose(u64::MAX / 10 * tenth + 10).unwrap().mv;
                let is_it = |candidate: &Candidate| candidate.mv == chosen;
                found[selection.candidates.iter().position(is_it).unwrap()] += 1;
            }
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_largest_counts_share_the_chance_too() {
        let largest = u64::MAX;
        let entries = entries(&["2g2f", "7g7f", "5g5f", "9g9f"]);
        let entries: Vec<BookMove> =
            entries.iter().map(|&entry| BookMove { count: Some(largest), ..entry }).collect();
        let policy = Policy { by_count: true, ..Policy::default() };
        let selection = policy.select(&Position::startpos(), &entries);
        let quarters = [0, 1, 2, 3].map(|quarter| {
            let chosen = selection.choose(largest / 4 * quarter + largest / 8).unwrap();
            chosen.mv.to_string()
        });
        assert_eq!(quarters, ["2g2f", "7g7f", "5g5f", "9g9f"]);
    }
}

//! Mates by brute force, for tests. It tries all legal moves that turn out to give check, and all legal
//! replies. It shares only the rules with the mate solver, and it is slow.
//!
//! It is a crate of its own, so that a build can optimize it without optimizing the tests themselves.

use std::collections::HashMap;

use tsumero_core::{Line, Move, Position};

/// A search of all checks and all replies from one position, with the attacker to move.
pub struct BruteForce {
    position: Line,
    /// For positions with the attacker to move: no mate within so many plies, and a mate within so
    /// many.
    known: HashMap<u64, (usize, usize)>,
    /// The most positions that may be looked at, and whether there were more.
    most: usize,
    is_over: bool,
}

/// More plies than any mate has.
const NEVER: usize = usize::MAX;

impl BruteForce {
    /// A search without a limit.
    pub fn new(position: &Position) -> BruteForce {
        BruteForce::with_limit(position, usize::MAX)
    }

    /// A search that gives up after so many positions: its answers mean nothing once it
    /// [`is_over`](BruteForce::is_over).
    pub fn with_limit(position: &Position, most: usize) -> BruteForce {
        BruteForce { position: Line::from(position), known: HashMap::new(), most, is_over: false }
    }

    /// Whether the search has given up.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the attacker, who is to move, mates within so many plies.
    pub fn mates(&mut self, plies: usize) -> bool {
        let key = self.position.key();
        let &(none, mate) = self.known.get(&key).unwrap_or(&(0, NEVER));
        if plies <= none || plies >= mate {
            return plies >= mate;
        }
        self.is_over |= self.known.len() >= self.most;
        let mates = !self.is_over
            && self.position.legal_moves().into_iter().any(|mv| self.mates_by(mv, plies));
        self.known.insert(key, if mates { (none, plies) } else { (plies, mate) });
        mates
    }

    /// Whether a legal move gives check and mates within so many plies, itself included.
    pub fn mates_by(&mut self, mv: Move, plies: usize) -> bool {
        self.position.do_move(mv);
        let mates = self.position.in_check()
            && self.position.legal_moves().into_iter().all(|reply| {
                plies >= 3 && {
                    self.position.do_move(reply);
                    let mates = self.mates(plies - 2);
                    self.position.undo_move();
                    mates
                }
            });
        self.position.undo_move();
        mates
    }

    /// The length of the shortest mate, if it is at most so many plies.
    pub fn length(&mut self, most: usize) -> Option<usize> {
        (1..=most).step_by(2).find(|&plies| self.mates(plies))
    }

    /// The length of the shortest mate by a move, if it is at most so many plies.
    fn length_by(&mut self, mv: Move, most: usize) -> Option<usize> {
        (1..=most).step_by(2).find(|&plies| self.mates_by(mv, plies))
    }

    /// The replies that last longest in a position that is mated in so many plies.
    fn longest_replies(&mut self, plies: usize) -> Vec<Move> {
        let mut replies = self.position.legal_moves().to_vec();
        replies.retain(|&reply| {
            self.position.do_move(reply);
            let is_longest = plies < 3 || !self.mates(plies - 3);
            self.position.undo_move();
            is_longest
        });
        replies
    }

    /// A mate in so many plies against a longest defense. It is shorter only where the search
    /// [`is_over`](BruteForce::is_over).
    pub fn line(&mut self, plies: usize) -> Vec<Move> {
        let mut line = Vec::new();
        for left in (1..=plies).rev() {
            let moves = if (plies - left).is_multiple_of(2) {
                let mut moves = self.position.legal_moves().to_vec();
                moves.retain(|&mv| self.mates_by(mv, left));
                moves
            } else {
                self.longest_replies(left)
            };
            let Some(&mv) = moves.first() else { break };
            line.push(mv);
            self.position.do_move(mv);
        }
        line.iter().for_each(|_| self.position.undo_move());
        line
    }

    /// The second solutions along a line of best moves, up to so many plies: the ply in the line, the
    /// other check, and the length of its mate. Beside them the other last moves that mate.
    ///
    /// # Panics
    /// If the line is not a shortest mate against a longest defense, unless the search
    /// [`is_over`](BruteForce::is_over).
    pub fn second_solutions(
        &mut self,
        line: &[Move],
        most: usize,
    ) -> (Vec<(usize, Move, usize)>, Vec<Move>) {
        let (mut second, mut last) = (Vec::new(), Vec::new());
        assert!(self.length(line.len()) == Some(line.len()) || self.is_over, "{line:?}");
        for (ply, &this) in line.iter().enumerate() {
            let left = line.len() - ply;
            let moves = self.position.legal_moves();
            assert!(moves.contains(&this), "{this} of {line:?} is no move");
            if ply % 2 == 1 {
                let is_longest = self.longest_replies(left).contains(&this);
                assert!(is_longest || self.is_over, "{this} of {line:?} does not last");
            } else {
                let mates = self.mates_by(this, left);
                assert!(mates || self.is_over, "{this} of {line:?} mates too late");
                for other in moves.into_iter().filter(|&other| other != this) {
                    match self.length_by(other, if left == 1 { 1 } else { most }) {
                        Some(_) if left == 1 => last.push(other),
                        Some(plies) => second.push((ply, other, plies)),
                        None => {}
                    }
                }
            }
            self.position.do_move(this);
        }
        line.iter().for_each(|_| self.position.undo_move());
        (second, last)
    }

    /// How many different checks mate within `longer` plies more than the shortest mate, at the worst place on
    /// the lines behind the first solution that last for all of the `plies` of the shortest mate. One is exact.
    /// More may be too few, because the lines behind other solutions are not looked at. The last move does not
    /// count, unless it is the first. None mates if there is no mate in so many plies.
    pub fn most_solutions(&mut self, plies: usize, longer: usize) -> usize {
        self.most_solutions_within(plies, &|plies| plies + longer)
    }

    /// Whether exactly one check mates within `most` plies at each such place.
    pub fn is_sound(&mut self, plies: usize, most: usize) -> bool {
        self.most_solutions_within(plies, &|_| most) == 1
    }

    /// The most solutions, of at most so many plies where the shortest mate has the given number of plies.
    fn most_solutions_within(&mut self, plies: usize, most: &dyn Fn(usize) -> usize) -> usize {
        let moves = self.position.legal_moves();
        let mating = moves.iter().filter(|&&mv| self.mates_by(mv, most(plies))).count();
        let solution = moves.iter().find(|&&mv| self.mates_by(mv, plies));
        let (Some(&solution), true) = (solution, plies > 3) else { return mating };
        self.position.do_move(solution);
        let mut worst = mating;
        for reply in self.longest_replies(plies - 1) {
            self.position.do_move(reply);
            worst = worst.max(self.most_solutions_within(plies - 2, most));
            self.position.undo_move();
        }
        self.position.undo_move();
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(sfen: &str) -> BruteForce {
        BruteForce::new(&Position::from_sfen(sfen).unwrap())
    }

    #[test]
    fn a_mate_in_one_is_found_with_all_its_solutions() {
        let mut search = search("4k4/9/4P4/9/9/9/9/9/9 b G 1");
        assert!(search.mates(1) && !search.is_over());
        assert_eq!((search.length(5), search.most_solutions(1, 0)), (Some(1), 1));
        let line = search.line(1);
        assert_eq!(line[0].to_string(), "G*5b");
        assert_eq!(search.second_solutions(&line, 1), (vec![], vec![]));
    }

    #[test]
    fn a_first_move_that_is_also_the_last_has_to_be_the_only_one() {
        assert!(search("4k4/9/4P4/9/9/9/9/9/9 b G 1").is_sound(1, 3));
        assert!(!search("8k/9/7PP/9/9/9/9/9/9 b G 1").is_sound(1, 1));
    }

    #[test]
    fn what_is_no_mate_is_none() {
        let mut search = search("4k4/9/9/9/9/9/9/9/9 b G 1");
        assert_eq!((search.length(5), search.most_solutions(5, 0)), (None, 0));
        assert!(!search.is_sound(5, 5));
    }

    #[test]
    fn a_limit_is_kept_and_told() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b 2R2G 1").unwrap();
        let mut search = BruteForce::with_limit(&position, 10);
        assert_eq!((search.length(9), search.is_over()), (None, true));
    }
}

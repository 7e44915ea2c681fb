//! Reports of a search: progress while it runs, and its answer. The type of moves depends on the
//! search.

use std::time::Duration;

use crate::score::{Bound, Score, ScoreKind};

/// Progress of a search: one line of play with its score. `M` is the type of moves.
///
/// ```
/// use std::time::Duration;
///
/// use tsumero_control::{Bound, Info, Score};
///
/// let info = Info {
///     depth: 9,
///     seldepth: 14,
///     time: Duration::from_secs(2),
///     nodes: 3_000_000,
///     hashfull: 120,
///     multipv: 1,
///     score: Score::mate_in(3),
///     bound: Bound::Exact,
///     pv: vec!["G*5b", "5a4a", "G*4b"],
/// };
/// assert_eq!(info.nps(), 1_500_000);
/// // The first move is played. The other side is then mated in two.
/// let after = info.after(&"G*5b").unwrap();
/// assert_eq!((after.score, after.pv), (Score::mated_in(2), vec!["5a4a", "G*4b"]));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<M> {
    /// Depth of the iteration, in plies; 0 if the first one was not finished.
    pub depth: u32,
    /// Greatest distance from the root that was reached, in plies.
    pub seldepth: u32,
    /// Time since the search was asked for.
    pub time: Duration,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// Number of the line, 1 for the best.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The line, best move first. All its moves are legal. It is empty only if there is no move to
    /// play: the side to move is mated, has lost by a try, or wins by
    /// declaration.
    pub pv: Vec<M>,
}

impl<M> Info<M> {
    /// The report on a position that is decided without a search. It has no moves.
    pub fn decided(score: Score, time: Duration) -> Info<M> {
        Info {
            depth: 0,
            seldepth: 0,
            time,
            nodes: 0,
            hashfull: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            pv: Vec::new(),
        }
    }

    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }

    /// The same report with moves of another type.
    pub fn map<N>(self, convert: impl FnMut(M) -> N) -> Info<N> {
        let Info { depth, seldepth, time, nodes, hashfull, multipv, score, bound, pv } = self;
        let pv = pv.into_iter().map(convert).collect();
        Info { depth, seldepth, time, nodes, hashfull, multipv, score, bound, pv }
    }

    /// The same line for the position after its first move. `None` if that is not the given move,
    /// if the line ends there, or if the score is only a bound.
    pub fn after(&self, first: &M) -> Option<Info<M>>
    where
        M: Clone + PartialEq,
    {
        if self.bound != Bound::Exact || self.pv.len() < 2 || self.pv[0] != *first {
            return None;
        }
        let score = match self.score.kind() {
            ScoreKind::Mate(plies) if plies > 0 => Score::mated_in(plies.unsigned_abs() - 1),
            ScoreKind::Mate(plies) if plies < -1 => Score::mate_in(plies.unsigned_abs() - 1),
            _ => -self.score,
        };
        let depth = self.depth.saturating_sub(1);
        let seldepth = self.seldepth.saturating_sub(1);
        Some(Info { depth, seldepth, score, multipv: 1, pv: self.pv[1..].to_vec(), ..*self })
    }
}

/// Nodes per second. A time below a microsecond counts as one microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    per_second.try_into().unwrap_or(u64::MAX)
}

/// The answer of a search. `M` is the type of moves.
///
/// ```
/// use tsumero_control::BestMove;
///
/// // The answer as USI writes it.
/// let usi = |answer: BestMove<&str>| match answer {
///     BestMove::Move { best, ponder: Some(reply) } => format!("bestmove {best} ponder {reply}"),
///     BestMove::Move { best, ponder: None } => format!("bestmove {best}"),
///     BestMove::Resign => "bestmove resign".to_owned(),
///     BestMove::DeclareWin => "bestmove win".to_owned(),
/// };
/// let answer = BestMove::Move { best: "8h2b", ponder: Some("3a2b") };
/// assert_eq!(usi(answer), "bestmove 8h2b ponder 3a2b");
/// // With `map`, the moves may change their type.
/// assert_eq!(answer.map(str::len), BestMove::Move { best: 4, ponder: Some(4) });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestMove<M> {
    /// A move, and the reply to ponder on, which is legal after it.
    Move {
        /// The move to play.
        best: M,
        /// The expected reply.
        ponder: Option<M>,
    },
    /// There is no legal move to choose from, the opponent has won by a try, or the score has fallen to
    /// minus the resignation value.
    Resign,
    /// The side to move wins by declaration.
    DeclareWin,
}

impl<M> BestMove<M> {
    /// The same answer with moves of another type.
    pub fn map<N>(self, mut convert: impl FnMut(M) -> N) -> BestMove<N> {
        match self {
            BestMove::Move { best, ponder } => {
                BestMove::Move { best: convert(best), ponder: ponder.map(convert) }
            }
            BestMove::Resign => BestMove::Resign,
            BestMove::DeclareWin => BestMove::DeclareWin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_nodes_over_time() {
        assert_eq!(nodes_per_second(3_000, Duration::from_millis(2)), 1_500_000);
        assert_eq!(nodes_per_second(7, Duration::ZERO), 7_000_000);
        assert_eq!(nodes_per_second(u64::MAX / 2, Duration::from_secs(1 << 40)), 8_388_607);
    }

    #[test]
    fn a_line_is_seen_from_the_next_position() {
        let info = Info {
            depth: 9,
            seldepth: 12,
            time: Duration::from_millis(5),
            nodes: 1_000,
            hashfull: 3,
            multipv: 2,
            score: Score::mate_in(5),
            bound: Bound::Exact,
            pv: vec![1, 2, 3],
        };
        let next = info.after(&1).unwrap();
        assert_eq!((next.depth, next.seldepth, next.multipv, next.pv), (8, 11, 1, vec![2, 3]));
        assert_eq!(next.score, Score::mated_in(4));
        assert_eq!(info.after(&2), None);
        assert_eq!(Info { pv: vec![1], ..info.clone() }.after(&1), None);
        assert_eq!(Info { bound: Bound::Lower, ..info.clone() }.after(&1), None);
        let words = info.clone().map(|mv| mv.to_string());
        assert_eq!((words.pv[2].as_str(), words.nps()), ("3", info.nps()));
        let best = BestMove::Move { best: 1, ponder: None };
        assert_eq!(best.map(|mv| mv + 1), BestMove::Move { best: 2, ponder: None });
    }
}

//! The vote of the threads: which thread's result is the answer of a search with several threads.
//!
//! All threads know the deepest finished iteration (`team.rs`). But when the time is up, another
//! thread than the first may have gone further: it may have found a better move in an unfinished
//! iteration, or may have found that the move is bad. So each thread votes for its move. A vote has
//! more weight if the thread has searched deeper and if its score is better. This is usual in
//! programs whose threads share a table ("Lazy SMP").

use tsumero_control::Score;

use crate::root_moves::RootLine;

/// The weight of the worst result, in units of the evaluation. Better results weigh more by their
/// difference.
const BASE: i64 = 20;
/// Scores beyond this only mean that the game is decided.
const LIMIT: i32 = 2_000;

/// The line of another thread that should replace the first thread's line, if there is one.
///
/// A mate that the first thread has found is kept. Otherwise the shortest mate wins, and without a
/// mate, the move with the most votes. Among the lines with that move the deepest one is taken, but
/// the first thread keeps its line if it has the same move.
pub(crate) fn elect<'a>(first: &RootLine, others: &'a [RootLine]) -> Option<&'a RootLine> {
    let mates = |line: &RootLine| line.score.is_mate() && line.score.is_win();
    if mates(first) || others.is_empty() {
        return None;
    }
    let mate = others.iter().filter(|line| mates(line)).max_by_key(|line| line.score);
    if mate.is_some() {
        return mate;
    }
    let everyone = || std::iter::once(first).chain(others);
    let worst = everyone().map(worth).min()?;
    let votes = |candidate: &RootLine| -> i64 {
        everyone()
            .filter(|line| line.pv[0] == candidate.pv[0])
            .map(|line| (worth(line) - worst + BASE) * i64::from(line.depth))
            .sum()
    };
    let best = others.iter().max_by_key(|line| (votes(line), line.depth))?;
    (best.pv[0] != first.pv[0] && votes(best) > votes(first)).then_some(best)
}

fn worth(line: &RootLine) -> i64 {
    i64::from(line.score.clamp(Score::new(-LIMIT), Score::new(LIMIT)).value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsumero_core::Position;

    fn line(mv: &str, score: i32, depth: u32) -> RootLine {
        with_score(mv, Score::new(score), depth)
    }

    fn with_score(mv: &str, score: Score, depth: u32) -> RootLine {
        let pv = vec![Position::startpos().parse_move(mv).unwrap()];
        RootLine { score, depth, seldepth: depth, pv }
    }

    fn elected(first: &RootLine, others: &[RootLine]) -> String {
        elect(first, others).map_or(String::from("first"), |line| line.pv[0].to_usi().to_string())
    }

    #[test]
    fn depth_and_score_decide_among_two_and_the_first_wins_a_tie() {
        let first = line("7g7f", 30, 12);
        assert_eq!(elected(&first, &[]), "first");
        assert_eq!(elected(&first, &[line("2g2f", 30, 12)]), "first");
        assert_eq!(elected(&first, &[line("2g2f", 30, 13)]), "2g2f");
        assert_eq!(elected(&first, &[line("2g2f", 45, 12)]), "2g2f");
        assert_eq!(elected(&first, &[line("2g2f", 10, 13)]), "first");
    }

    #[test]
    fn many_threads_outvote_one() {
        let first = line("7g7f", 40, 12);
        let others = [line("2g2f", 35, 12), line("2g2f", 36, 13), line("2g2f", 37, 11)];
        assert_eq!(elect(&first, &others).map(|line| line.depth), Some(13), "the deepest of them");
        // The first thread keeps its line if its own move wins.
        let others = [line("7g7f", 40, 14), line("2g2f", 35, 12)];
        assert_eq!(elected(&first, &others), "first");
    }

    #[test]
    fn mates_go_first() {
        let others = [
            with_score("2g2f", Score::mate_in(9), 9),
            with_score("9g9f", Score::mate_in(7), 5),
            line("7g7f", 100, 20),
        ];
        assert_eq!(elected(&line("7g7f", 100, 20), &others), "9g9f");
        assert_eq!(elected(&with_score("7g7f", Score::mate_in(11), 3), &others), "first");
        // Being mated is the worst result, and its number of plies does not matter.
        let mated = with_score("7g7f", Score::mated_in(8), 12);
        assert_eq!(elected(&mated, &[line("2g2f", -300, 12)]), "2g2f");
    }
}

//! Judgments: how good the moves of a game were.

use serde::Serialize;
use tsumero_core::Color;

use crate::{Finding, Value};

/// The note about a move.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Note, Value};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 9g9f\n").into_games()?.remove(0);
/// let findings = [0, -600].map(|cp| {
///     let (value, pv) = (Value::Cp(cp), vec!["7g7f".to_owned()]);
///     let line = FoundLine { value, depth: 9, seldepth: 12, pv };
///     Finding { lines: vec![line], nodes: 900, time_ms: 1, missed_mate: None }
/// });
/// let report = GameReport::new("game.usi", 1, &game, findings.to_vec(), true);
/// let word = match report.positions[0].judgment.and_then(|judgment| judgment.note) {
///     None => "good",
///     Some(note) if note < Note::Mistake => "not the best",
///     Some(note) => note.japanese(),
/// };
/// assert_eq!(word, "悪手");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// It lost at least 5 points of win rate (緩手).
    Inaccuracy,
    /// It lost at least 10 points (疑問手).
    Dubious,
    /// It lost at least 20 points (悪手).
    Mistake,
    /// It lost at least 40 points (大悪手).
    Blunder,
    /// It missed a proven mate.
    MissedMate,
}

impl Note {
    /// The word in JSON and CSV.
    pub const fn word(self) -> &'static str {
        match self {
            Note::Inaccuracy => "inaccuracy",
            Note::Dubious => "dubious",
            Note::Mistake => "mistake",
            Note::Blunder => "blunder",
            Note::MissedMate => "missed_mate",
        }
    }

    /// The Japanese word.
    pub const fn japanese(self) -> &'static str {
        match self {
            Note::Inaccuracy => "緩手",
            Note::Dubious => "疑問手",
            Note::Mistake => "悪手",
            Note::Blunder => "大悪手",
            Note::MissedMate => "詰み逃し",
        }
    }

    /// The English words.
    pub const fn english(self) -> &'static str {
        match self {
            Note::Inaccuracy => "inaccuracy",
            Note::Dubious => "dubious",
            Note::Mistake => "mistake",
            Note::Blunder => "blunder",
            Note::MissedMate => "missed mate",
        }
    }

    /// The note for a loss of win rate, in points of 100.
    fn of_loss(points: f64) -> Option<Note> {
        match points {
            _ if points >= 40.0 => Some(Note::Blunder),
            _ if points >= 20.0 => Some(Note::Mistake),
            _ if points >= 10.0 => Some(Note::Dubious),
            _ if points >= 5.0 => Some(Note::Inaccuracy),
            _ => None,
        }
    }
}

/// The judgment of one move.
///
/// It is a field of a [`PositionReport`](crate::PositionReport):
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Value};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 7g7f 3c3d\n").into_games()?.remove(0);
/// let findings = [("7g7f", 0), ("8c8d", -300), ("2g2f", 300)].map(|(best, cp)| {
///     let (value, pv) = (Value::Cp(cp), vec![best.to_owned()]);
///     let line = FoundLine { value, depth: 9, seldepth: 12, pv };
///     Finding { lines: vec![line], nodes: 900, time_ms: 1, missed_mate: None }
/// });
/// let report = GameReport::new("game.usi", 1, &game, findings.to_vec(), true);
/// let [first, second] = [0, 1].map(|ply| report.positions[ply].judgment.unwrap());
/// assert!(first.is_best && first.loss == 0.0);
/// // White stood better by 300 and then worse by 300.
/// assert!(second.turns_the_game && second.loss > 20.0);
/// assert!(report.positions[2].judgment.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgment {
    /// The loss of the mover's win rate, in points of 100; never negative.
    pub loss: f64,
    /// The note about it.
    pub note: Option<Note>,
    /// Whether it was the engine's first choice.
    pub is_best: bool,
    /// Whether it was a turning point: the mover stood better before and worse after, and the move
    /// lost at least 10 points.
    pub turns_the_game: bool,
}

/// Judges the move that leads from one position to the next.
pub(crate) fn judge(mover: Color, before: &Finding, played: &str, after: Value) -> Judgment {
    let best = before.lines.first();
    let best_value = best.map_or(after, |line| line.value);
    let is_best = best.is_some_and(|line| line.pv.first().is_some_and(|mv| mv == played));
    let (was, is) = (best_value.win_rate(mover), after.win_rate(mover));
    // The first choice loses nothing. If it looks worse one ply later, the search was wrong.
    let loss = if is_best { 0.0 } else { (100.0 * (was - is)).max(0.0) };
    let note = match before.missed_mate {
        Some(_) if after.mating_side() != Some(mover) => Some(Note::MissedMate),
        _ => Note::of_loss(loss),
    };
    Judgment { loss, note, is_best, turns_the_game: loss >= 10.0 && was >= 0.5 && is < 0.5 }
}

/// The accuracy, from 0 to 100, of a move that lost the given points of win rate. The curve is that
/// of lichess.org for chess: 100 for no loss, 80 for 5 points, 40 for 20.
pub fn accuracy_of_loss(points: f64) -> f64 {
    (103.1668 * (-0.04354 * points).exp() - 3.1669).clamp(0.0, 100.0)
}

/// A summary of one player's moves.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Value};
/// use tsumero_core::Color;
/// use tsumero_record::read;
/// let game = read(b"startpos moves 7g7f 3c3d 9g9f\n").into_games()?.remove(0);
/// let findings = [0, 0, 0, -2000].map(|cp| {
///     let (value, pv) = (Value::Cp(cp), vec!["7g7f".to_owned()]);
///     let line = FoundLine { value, depth: 9, seldepth: 12, pv };
///     Finding { lines: vec![line], nodes: 900, time_ms: 1, missed_mate: None }
/// });
/// let report = GameReport::new("game.usi", 1, &game, findings.to_vec(), true);
/// let black = report.summary(Color::Black);
/// assert_eq!((black.moves, black.best_moves), (2, Some(50.0)));
/// let [inaccuracies, dubious, mistakes, blunders] = black.notes;
/// assert_eq!((inaccuracies, dubious, mistakes, blunders), (0, 0, 0, 1));
/// assert!(black.accuracy < report.summary(Color::White).accuracy);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlayerSummary {
    /// Moves that were judged.
    pub moves: usize,
    /// Mean of [`accuracy_of_loss`] over the moves; `None` without moves.
    pub accuracy: Option<f64>,
    /// Share of moves that were the engine's first choice, in percent.
    pub best_moves: Option<f64>,
    /// Number of inaccuracies, dubious moves, mistakes and blunders.
    pub notes: [usize; 4],
    /// Number of missed mates.
    pub missed_mates: usize,
}

impl PlayerSummary {
    /// Sums up the judgments of one player's moves.
    pub(crate) fn of<'a>(judgments: impl Iterator<Item = &'a Judgment>) -> PlayerSummary {
        let mut summary = PlayerSummary::default();
        let (mut accuracy, mut best) = (0.0, 0);
        for judgment in judgments {
            summary.moves += 1;
            accuracy += accuracy_of_loss(judgment.loss);
            best += usize::from(judgment.is_best);
            match judgment.note {
                Some(Note::MissedMate) => summary.missed_mates += 1,
                Some(note) => summary.notes[note as usize] += 1,
                None => {}
            }
        }
        if summary.moves > 0 {
            let moves = summary.moves as f64;
            summary.accuracy = Some(accuracy / moves);
            summary.best_moves = Some(100.0 * best as f64 / moves);
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FoundLine;

    fn finding(value: Value, best: &str, missed_mate: bool) -> Finding {
        let line = FoundLine { value, depth: 1, seldepth: 1, pv: vec![best.to_owned()] };
        let missed_mate = missed_mate.then(|| vec![best.to_owned()]);
        Finding { lines: vec![line], nodes: 1, time_ms: 1, missed_mate }
    }

    #[test]
    fn losses_are_those_of_the_mover() {
        let even = finding(Value::Cp(0), "7g7f", false);
        let judged = |mover, before: &Finding, played, after| judge(mover, before, played, after);
        let black = judged(Color::Black, &even, "9g9f", Value::Cp(-600));
        assert_eq!(black.note, Some(Note::Mistake));
        assert!(black.turns_the_game && (black.loss - 23.1).abs() < 0.1, "{black:?}");
        assert_eq!(judged(Color::White, &even, "9c9d", Value::Cp(-600)).loss, 0.0);
        let first_choice = judged(Color::Black, &even, "7g7f", Value::Cp(-600));
        assert_eq!((first_choice.loss, first_choice.note), (0.0, None));
        let blunder = judged(Color::White, &even, "9c9d", Value::BlackMates(5));
        assert_eq!(blunder.note, Some(Note::Blunder));
    }

    #[test]
    fn a_mate_is_missed_only_if_it_is_gone() {
        let mate = finding(Value::BlackMates(5), "G*5b", true);
        let gone = judge(Color::Black, &mate, "9g9f", Value::Cp(3000));
        assert_eq!(gone.note, Some(Note::MissedMate));
        let still_there = judge(Color::Black, &mate, "9g9f", Value::BlackMates(9));
        assert_eq!(still_there.note, None);
    }

    /// The numbers are those of the formula, computed elsewhere.
    #[test]
    fn accuracy_is_a_mean() {
        for (points, accuracy) in
            [(0.0, 100.0), (5.0, 79.82), (10.0, 63.58), (20.0, 40.02), (50.0, 8.53), (100.0, 0.0)]
        {
            let found = accuracy_of_loss(points);
            assert!((found - accuracy).abs() < 0.01, "{points}: {found}");
        }
        // Three moves, whose mean is neither the median, nor halfway between best and worst, nor
        // the accuracy of the mean loss.
        let judgments = [(0.0, true), (10.0, false), (50.0, false)].map(|(loss, is_best)| {
            Judgment { loss, note: Note::of_loss(loss), is_best, turns_the_game: false }
        });
        let summary = PlayerSummary::of(judgments.iter());
        assert_eq!(summary.moves, 3);
        assert_eq!(summary.notes, [0, 1, 0, 1]);
        let (accuracy, best) = (summary.accuracy.unwrap(), summary.best_moves.unwrap());
        assert!((accuracy - 57.37).abs() < 0.01, "{accuracy}");
        assert!((best - 100.0 / 3.0).abs() < 0.01, "{best}");
        let nothing = PlayerSummary::of(std::iter::empty());
        assert_eq!((nothing.accuracy, nothing.best_moves), (None, None));
    }
}

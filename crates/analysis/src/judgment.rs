//! Judgments: how good the moves of a game were.
//!
//! A note is given only if two searches agree, and only for a loss that is clearly larger than the
//! error of the search ([`Noise`]). What was no search needs no second one: a mate that is proven, a
//! win that could be declared. `docs/analysis.md` has the rules.

use serde::Serialize;
use tsumero_core::{Color, Move};

use crate::{Finding, SecondLook, Value};

/// The note about a move.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Note, Study, Value};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 9g9f\n").into_games()?.remove(0);
/// let findings = [0, -600].map(|cp| {
///     let (value, pv) = (Value::Cp(cp), vec!["7g7f".parse().unwrap()]);
///     let line = FoundLine { value, depth: 9, seldepth: 12, pv };
///     Finding::of_search(vec![line], 900)
/// });
/// let study = Study::of_findings(&game, findings.to_vec());
/// let report = GameReport::new("game.usi", 1, &study, true);
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
    /// It lost at least 5 points of win rate more than the noise (緩手).
    Inaccuracy,
    /// It lost at least 10 points more than the noise (疑問手).
    Dubious,
    /// It lost at least 20 points more than the noise (悪手).
    Mistake,
    /// It lost at least 40 points more than the noise (大悪手).
    Blunder,
    /// It missed a proven mate (詰み逃し).
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
            _ if points >= LEAST_LOSS => Some(Note::Inaccuracy),
            _ => None,
        }
    }
}

/// The smallest loss that is worth a note, in points of win rate.
const LEAST_LOSS: f64 = 5.0;

/// How wrong the search was in a game, in points of win rate.
///
/// Where the move played was the engine's first choice, the values before and after it should be the
/// same. The noise is the mean of their differences, of which none counts more than
/// [`Noise::LARGEST`] points. With fewer than five such moves it is unknown, and counts as 0.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Noise, Study, Value};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e\n").into_games()?.remove(0);
/// let words = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"];
/// let findings = words.iter().zip([0, 24, 0, 24, 0, 24]).map(|(mv, cp)| {
///     let (value, pv) = (Value::Cp(cp), vec![mv.parse().unwrap()]);
///     Finding::of_search(vec![FoundLine { value, depth: 9, seldepth: 12, pv }], 900)
/// });
/// let study = Study::of_findings(&game, findings.collect());
/// // 24 in the engine's units are one point.
/// let noise = GameReport::new("game.usi", 1, &study, true).noise;
/// assert!((noise.points() - 1.0).abs() < 0.01);
/// assert_eq!(Noise::default().points(), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Noise(f64);

impl Noise {
    /// The most that a difference counts, and so the most that the noise can be.
    pub const LARGEST: f64 = 20.0;
    /// The fewest differences from which it is measured.
    const FEWEST: usize = 5;

    /// The noise of a line: the finding of each position, with the move played in it.
    pub(crate) fn of<'a>(line: impl Iterator<Item = (&'a Finding, Option<Move>)>) -> Noise {
        let (mut sum, mut count) = (0.0, 0);
        let mut previous: Option<(&Finding, Move)> = None;
        for (finding, played) in line {
            if let Some((before, mv)) = previous
                && is_best(before, mv)
            {
                let rate = |finding: &Finding| finding.lines[0].value.win_rate(mv.color());
                sum += (100.0 * (rate(before) - rate(finding))).abs().min(Noise::LARGEST);
                count += 1;
            }
            previous = played.map(|mv| (finding, mv));
        }
        if count < Noise::FEWEST { Noise::default() } else { Noise(sum / count as f64) }
    }

    /// The noise in points of win rate.
    pub fn points(self) -> f64 {
        self.0
    }
}

/// The judgment of one move.
///
/// It is a field of a [`PositionReport`](crate::PositionReport):
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Study, Value};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 7g7f 3c3d\n").into_games()?.remove(0);
/// let findings = [("7g7f", 0), ("8c8d", -300), ("2g2f", 300)].map(|(best, cp)| {
///     let (value, pv) = (Value::Cp(cp), vec![best.parse().unwrap()]);
///     let line = FoundLine { value, depth: 9, seldepth: 12, pv };
///     Finding::of_search(vec![line], 900)
/// });
/// let study = Study::of_findings(&game, findings.to_vec());
/// let report = GameReport::new("game.usi", 1, &study, true);
/// let [first, second] = [0, 1].map(|ply| report.positions[ply].judgment.unwrap());
/// assert!(first.is_best && first.loss == 0.0);
/// assert!(second.loss > 20.0);
/// assert!(report.positions[2].judgment.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgment {
    /// The loss of the mover's win rate, in points of 100; never negative. Where two searches have
    /// compared the moves, it is the smaller of both losses.
    pub loss: f64,
    /// The note about it.
    pub note: Option<Note>,
    /// Whether it was the engine's first choice.
    pub is_best: bool,
    /// Whether it was a turning point: the move lost at least 10 points more than the noise, the
    /// mover stood better in all of the last positions before it, and worse in all of the next
    /// ones after it.
    pub turns_the_game: bool,
}

/// How many positions on each side of a turning point have to agree.
const LASTING: usize = 4;

/// Whether a move was the engine's first choice.
fn is_best(before: &Finding, played: Move) -> bool {
    before.lines[0].pv.first() == Some(&played.to_usi())
}

/// The loss of a player's win rate between two values, in points of 100.
fn loss_between(mover: Color, best: Value, played: Value) -> f64 {
    (100.0 * (best.win_rate(mover) - played.win_rate(mover))).max(0.0)
}

/// Whether the search took the position for lost in which a mate was missed.
pub(crate) fn is_believed_lost(mover: Color, before: &Finding) -> bool {
    before.searched.is_some_and(|value| value.win_rate(mover) < 0.5)
}

/// Whether a second look at a move could lead to a note.
pub(crate) fn may_matter(played: Move, before: &Finding, after: Value, noise: Noise) -> bool {
    let mover = played.color();
    let best = before.lines[0].value;
    let gives_mate_away = before.mate.is_some() && after.mating_side() != Some(mover);
    let loss = loss_between(mover, best, after) - noise.points();
    !is_best(before, played) && (gives_mate_away || loss >= LEAST_LOSS)
}

/// Judges the move that leads from one position to the next. Whether it turns the game is decided
/// later. Without a second look the first one counts alone.
pub(crate) fn judge(
    played: Move,
    before: &Finding,
    after: Value,
    second: Option<&SecondLook>,
    noise: Noise,
) -> Judgment {
    let mover = played.color();
    let is_best = is_best(before, played);
    // The first choice loses nothing. If it looks worse one ply later, the search was wrong.
    let loss = match second {
        _ if is_best => 0.0,
        None => loss_between(mover, before.lines[0].value, after),
        Some(second) => loss_between(mover, before.lines[0].value, after).min(loss_between(
            mover,
            second.best,
            second.played,
        )),
    };
    // A move that gives no check may mate, too, and either look may see it.
    let still_mates = |value: Value| value.mating_side() == Some(mover);
    let misses_mate = second
        .is_some_and(|second| second.missed_mate.is_some() && !still_mates(second.played))
        && !still_mates(after);
    let note =
        if misses_mate { Some(Note::MissedMate) } else { Note::of_loss(loss - noise.points()) };
    Judgment { loss, note, is_best, turns_the_game: false }
}

/// Whether the move played in the position of a ply turns the game. `values` are those of all
/// positions of the line.
pub(crate) fn turns(
    mover: Color,
    judgment: &Judgment,
    noise: Noise,
    values: &[Value],
    ply: usize,
) -> bool {
    let is_better = |value: &Value| value.win_rate(mover) >= 0.5;
    let before = &values[(ply + 1).saturating_sub(LASTING)..=ply];
    let after = &values[ply + 1..values.len().min(ply + 1 + LASTING)];
    judgment.loss - noise.points() >= 10.0
        && before.iter().all(is_better)
        && !after.iter().any(is_better)
}

/// The accuracy, from 0 to 100, of a move that lost the given points of win rate. The curve is that
/// of lichess.org for chess: 100 for no loss, 80 for 5 points, 40 for 20.
pub fn accuracy_of_loss(points: f64) -> f64 {
    (103.1668 * (-0.04354 * points).exp() - 3.1669).clamp(0.0, 100.0)
}

/// A summary of one player's moves.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Study, Value};
/// use tsumero_core::Color;
/// use tsumero_record::read;
/// let game = read(b"startpos moves 7g7f 3c3d 9g9f\n").into_games()?.remove(0);
/// let findings = [0, 0, 0, -2000].map(|cp| {
///     let (value, pv) = (Value::Cp(cp), vec!["7g7f".parse().unwrap()]);
///     let line = FoundLine { value, depth: 9, seldepth: 12, pv };
///     Finding::of_search(vec![line], 900)
/// });
/// let study = Study::of_findings(&game, findings.to_vec());
/// let report = GameReport::new("game.usi", 1, &study, true);
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
    /// Mean of [`accuracy_of_loss`] over the moves, of their losses above the noise; `None` without
    /// moves.
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
    pub(crate) fn of<'a>(
        judgments: impl Iterator<Item = &'a Judgment>,
        noise: Noise,
    ) -> PlayerSummary {
        let mut summary = PlayerSummary::default();
        let (mut accuracy, mut best) = (0.0, 0);
        for judgment in judgments {
            summary.moves += 1;
            accuracy += accuracy_of_loss((judgment.loss - noise.points()).max(0.0));
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
    use tsumero_core::Position;

    use super::*;
    use crate::FoundLine;

    fn finding(value: Value, best: &str) -> Finding {
        let line = FoundLine { value, depth: 1, seldepth: 1, pv: vec![best.parse().unwrap()] };
        Finding::of_search(vec![line], 1)
    }

    fn mv(side: Color, word: &str) -> Move {
        let side = if side == Color::Black { "b" } else { "w" };
        let sfen = format!("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {side} - 1");
        Position::from_sfen(&sfen).unwrap().parse_move(word).unwrap()
    }

    fn second(best: i32, played: i32) -> SecondLook {
        let (best, played) = (Value::Cp(best), Value::Cp(played));
        SecondLook { best, played, depth: 1, nodes: 1, missed_mate: None }
    }

    #[test]
    fn losses_are_those_of_the_mover() {
        let even = finding(Value::Cp(0), "7g7f");
        let judged = |side, before: &Finding, played, after| {
            judge(mv(side, played), before, after, None, Noise::default())
        };
        let black = judged(Color::Black, &even, "9g9f", Value::Cp(-600));
        assert_eq!(black.note, Some(Note::Mistake));
        assert!((black.loss - 23.1).abs() < 0.1, "{black:?}");
        assert_eq!(judged(Color::White, &even, "9c9d", Value::Cp(-600)).loss, 0.0);
        let first_choice = judged(Color::Black, &even, "7g7f", Value::Cp(-600));
        assert_eq!((first_choice.loss, first_choice.note), (0.0, None));
        let blunder = judged(Color::White, &even, "9c9d", Value::BlackMates(5));
        assert_eq!(blunder.note, Some(Note::Blunder));
    }

    #[test]
    fn a_note_needs_both_looks_and_more_than_the_noise() {
        let before = finding(Value::Cp(600), "7g7f");
        let judged = |second: SecondLook, noise| {
            judge(mv(Color::Black, "9g9f"), &before, Value::Cp(-600), Some(&second), Noise(noise))
        };
        // The first look says 46 points. The second one halves it, finds nothing, or finds more.
        let half = judged(second(300, -300), 0.0);
        assert!((half.loss - 24.5).abs() < 0.1, "{half:?}");
        assert_eq!(half.note, Some(Note::Mistake));
        assert_eq!(judged(second(0, 0), 0.0).note, None);
        assert_eq!(judged(second(-100, 100), 0.0).loss, 0.0);
        let more = judged(second(2000, -2000), 0.0);
        assert!((more.loss - 46.2).abs() < 0.1, "{more:?}");
        // The noise is taken off before the note is chosen.
        for (noise, note) in [
            (4.0, Some(Note::Mistake)),
            (5.0, Some(Note::Dubious)),
            (15.0, Some(Note::Inaccuracy)),
            (20.0, None),
        ] {
            assert_eq!(judged(second(300, -300), noise).note, note, "{noise}");
        }
    }

    #[test]
    fn a_second_look_is_for_losses_and_for_mates_that_are_gone() {
        let played = mv(Color::Black, "9g9f");
        let even = finding(Value::Cp(0), "7g7f");
        let matters =
            |finding: &Finding, after, noise| may_matter(played, finding, after, Noise(noise));
        assert!(!matters(&even, Value::Cp(-100), 0.0), "four points");
        assert!(matters(&even, Value::Cp(-130), 0.0), "five points");
        assert!(!matters(&even, Value::Cp(-130), 1.0), "four above the noise");
        let best = mv(Color::Black, "7g7f");
        assert!(!may_matter(best, &even, Value::Cp(-600), Noise::default()), "the first choice");
        let mut mate = finding(Value::BlackMates(5), "7g7f");
        mate.mate = Some(vec!["7g7f".parse().unwrap()]);
        assert!(matters(&mate, Value::Cp(9000), 9.0));
        assert!(!matters(&mate, Value::BlackMates(9), 0.0), "it still mates");
    }

    #[test]
    fn a_mate_is_missed_only_if_it_is_gone() {
        let mate = finding(Value::BlackMates(5), "7g7f");
        let mut second = second(0, 0);
        second.missed_mate = Some(vec!["7g7f".parse().unwrap()]);
        let judged =
            |after| judge(mv(Color::Black, "9g9f"), &mate, after, Some(&second), Noise::default());
        assert_eq!(judged(Value::Cp(3000)).note, Some(Note::MissedMate));
        assert_eq!(judged(Value::BlackMates(9)).note, None);
        // Only the second look sees it.
        let seen =
            SecondLook { best: Value::BlackMates(5), played: Value::BlackMates(7), ..second };
        let judged =
            judge(mv(Color::Black, "9g9f"), &mate, Value::Cp(3000), Some(&seen), Noise::default());
        assert_eq!((judged.note, judged.loss), (None, 0.0));
    }

    /// Values by ply of games in which Black's move in the fifth position may be the turning point.
    #[test]
    fn a_turning_point_has_two_sides_that_last() {
        let judgment = judge(
            mv(Color::Black, "9g9f"),
            &finding(Value::Cp(300), "7g7f"),
            Value::Cp(-300),
            None,
            Noise::default(),
        );
        let turns_with = |values: &[i32], noise| {
            let values: Vec<Value> = values.iter().map(|&cp| Value::Cp(cp)).collect();
            turns(Color::Black, &judgment, Noise(noise), &values, 4)
        };
        assert!(turns_with(&[0, 50, 90, 200, 300, -300, -200, -90, -50], 0.0));
        // The end of the game is near, and nothing says otherwise.
        assert!(turns_with(&[0, 50, 90, 200, 300, -300], 0.0));
        // Farther away, anything may happen.
        assert!(turns_with(&[-90, 50, 90, 200, 300, -300, -200, -90, -50, 900], 0.0));
        // To and fro, as a noisy search sees it.
        assert!(!turns_with(&[0, 50, 90, -200, 300, -300, -200, -90, -50], 0.0));
        assert!(!turns_with(&[0, 50, 90, 200, 300, -300, -200, 90, -50], 0.0));
        // The loss is 24 points.
        assert!(turns_with(&[0, 50, 90, 200, 300, -300, -200, -90, -50], 14.0));
        assert!(!turns_with(&[0, 50, 90, 200, 300, -300, -200, -90, -50], 15.0));
    }

    /// Five first choices: one is right, three differ by five points, one by very many.
    #[test]
    fn noise_is_the_mean_difference_at_first_choices() {
        // 120.4 in the engine's units are five points.
        let values = [0, 0, 120, 0, 120, 3000, 0];
        let words = ["7g7f", "3c3d", "7g7f", "3c3d", "7g7f", "3c3d", "7g7f"];
        let findings: Vec<Finding> =
            values.iter().zip(words).map(|(&cp, word)| finding(Value::Cp(cp), word)).collect();
        let moves: Vec<Move> =
            (0..6).map(|ply| mv([Color::Black, Color::White][ply % 2], words[ply])).collect();
        let of = |count: usize| {
            let played = moves.iter().copied().take(count).map(Some).chain([None]);
            Noise::of(findings.iter().zip(played)).points()
        };
        assert!((of(5) - (0.0 + 4.98 * 3.0 + Noise::LARGEST) / 5.0).abs() < 0.05, "{}", of(5));
        assert_eq!(of(4), 0.0, "four are too few");
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
        let summary = PlayerSummary::of(judgments.iter(), Noise::default());
        assert_eq!(summary.moves, 3);
        assert_eq!(summary.notes, [0, 1, 0, 1]);
        let (accuracy, best) = (summary.accuracy.unwrap(), summary.best_moves.unwrap());
        assert!((accuracy - 57.37).abs() < 0.01, "{accuracy}");
        assert!((best - 100.0 / 3.0).abs() < 0.01, "{best}");
        // With a noise of 10 points, the losses are 0, 0 and 40.
        let noisy = PlayerSummary::of(judgments.iter(), Noise(10.0)).accuracy.unwrap();
        assert!(
            (noisy - (2.0 * accuracy_of_loss(0.0) + accuracy_of_loss(40.0)) / 3.0).abs() < 1e-9,
            "{noisy}"
        );
        let nothing = PlayerSummary::of(std::iter::empty(), Noise::default());
        assert_eq!((nothing.accuracy, nothing.best_moves), (None, None));
    }
}
